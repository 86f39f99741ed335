#!/bin/sh
# SPDX-License-Identifier: MIT
# Run on the host by `viatty ssh --pictures`: stores the picture that is its standard input, whose
# type and size are its arguments. Prints that it runs, then the path, or - if that failed.
# Every login shell must pass it on to sh, so src/relay/picture.c sends it as one line: there, a
# space replaces each newline. It has neither ' nor !, and comments only before the empty line.

echo "viatty-ssh: ready";
umask 077;
folder=${XDG_CACHE_HOME:-$HOME/.cache}/viatty;
mkdir -p "$folder";
find "$folder" -name "picture-*" -type f -mtime +6 -exec rm -f {} +;
file=$folder/picture-$(date +%Y%m%d-%H%M%S)-$$.$1;
if cat >"$file" && test "$(wc -c <"$file")" -eq "$2"; then
	echo "viatty-ssh: picture $file";
else
	rm -f "$file";
	echo "viatty-ssh: picture -";
fi
