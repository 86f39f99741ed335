#!/bin/sh
# viatty setup browser: a browser for a host without a desktop. It prints a URL as a
# hyperlink and copies it to the clipboard of the terminal. Install it as a program:
#
#     mkdir -p ~/.local/bin
#     viatty setup browser > ~/.local/bin/viatty-browser
#     chmod +x ~/.local/bin/viatty-browser
#
# and name it in ~/.profile, or in what your shell reads at login:
#
#     export BROWSER="$HOME/.local/bin/viatty-browser"
#
# The status is 0 if the URL was printed on a terminal or copied: the programs that call a
# browser print it themselves, or try the next one, if it fails.
for url do
	# With %XX for what no URL has: pasted into a shell, a newline would run a command.
	url=$(@VIATTY@ link --when never -- "$url") || exit
	@VIATTY@ link -- "$url" || exit
	@VIATTY@ copy -s "$url" || {
		status=$?
		[ -t 1 ] || exit "$status"
	}
done
