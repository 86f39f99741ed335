#!/bin/sh
# SPDX-License-Identifier: MIT
# Run on the host by `viatty ssh --install`: puts viatty, osc52 and the description of the terminal
# there. Standard input has a line with the size of the program and the name of the terminal, the
# lines of its description, a dot, and the program. src/commands/ssh.c has a sentence for each word
# that say() prints.
bin=$HOME/.local/bin
new=$bin/.viatty.$$

say() { echo "viatty-ssh: $1"; }

# Runs a command without input, and kills it after five seconds.
limited() {
	"$@" </dev/null 2>/dev/null &
	job=$! tenths=50
	while [ "$tenths" -gt 0 ] && kill -0 "$job"; do
		# not every system has fractions
		sleep 0.1 || { sleep 1; tenths=$((tenths - 9)); }
		tenths=$((tenths - 1))
	done
	[ "$tenths" -gt 0 ] || kill -9 "$job"
	wait "$job"
} 2>/dev/null

is_viatty() {
	case $(limited "$1" --version) in 'viatty '[0-9]*) ;; *) return 1 ;; esac
}

describe() {
	text=$(while IFS= read -r line && [ "$line" != . ]; do printf '%s\n' "$line"; done)
	[ -n "$text" ] || return
	for folder in "$HOME/.terminfo" /etc/terminfo /lib/terminfo /usr/lib/terminfo \
		/usr/share/terminfo /usr/local/share/terminfo; do
		for file in "$folder"/*/"$term"; do
			if [ -e "$file" ]; then say known; return; fi
		done
	done
	if infocmp "$term" >/dev/null 2>&1; then say known
	elif ! command -v tic >/dev/null; then say no-tic
	elif printf '%s\n' "$text" | tic -x -o "$HOME/.terminfo" - >/dev/null 2>&1; then say described
	else say undescribed; fi
}

# Why nothing can be created in ~/.local/bin.
why() {
	if ! [ -w "$HOME" ]; then say read-only; return; fi
	folder=$bin
	while ! [ -e "$folder" ] && ! [ -L "$folder" ]; do folder=${folder%/*}; done
	if [ -d "$folder" ] && [ -w "$folder" ]; then say full
	else say unwritable; fi
}

# The file in which the login shell looks for its PATH.
profile() {
	case $1 in
	bash | sh | dash | ash | ksh* | mksh)
		file=.profile
		for other in .bash_login .bash_profile; do
			if [ "$1" = bash ] && [ -r "$HOME/$other" ]; then file=$other; fi
		done
		say "lost $file" ;;
	zsh) say "lost .zshrc" ;;
	fish) say "lost fish" ;;
	csh | tcsh) if [ -r "$HOME/.tcshrc" ]; then say "lost .tcshrc"; else say "lost .cshrc"; fi ;;
	*) say lost ;;
	esac
}

# Asks the login shell for viatty as it is at the next login. The `exit` of csh is not the last
# word of a list.
ask_shell() {
	case ${SHELL##*/} in csh | tcsh) flags=-ic ;; *) flags=-lic ;; esac
	limited "$SHELL" "$flags" \
		'viatty --version && exec sh -c "exit 37"; exec sh -c "exit 38"' >/dev/null
	case $? in
	37) say found ;;
	38) profile "${SHELL##*/}" ;;
	*) say silent ;;
	esac
}

put() {
	word=installed
	if [ -e "$bin/viatty" ] || [ -L "$bin/viatty" ]; then
		if ! is_viatty "$bin/viatty"; then say blocked; return; fi
		if [ -L "$bin/viatty" ]; then say other; return; fi
		word=updated
	elif is_viatty viatty; then say other; return; fi
	mkdir -p "$bin" 2>/dev/null
	if ! true 2>/dev/null >"$new"; then why; return; fi
	if ! cat >"$new" 2>/dev/null; then say full; return; fi
	if ! [ "$(wc -c <"$new")" -eq "$size" ]; then say cut; return; fi
	chmod 755 "$new"
	if ! is_viatty "$new"; then
		printf '#!/bin/sh\n' >"$new"
		if limited "$new"; then say foreign; else say noexec; fi
		return
	fi
	if cmp -s "$new" "$bin/viatty"; then word=same
	elif ! mv -f "$new" "$bin/viatty" 2>/dev/null; then why; return; fi
	[ -e "$bin/osc52" ] || [ -L "$bin/osc52" ] || ln -s viatty "$bin/osc52"
	is_viatty "$bin/osc52" || say other-osc52
	say "$word"
	ask_shell
}

umask 022
trap 'rm -f "$new"' EXIT
trap exit HUP INT PIPE TERM
read -r size term
describe
put
rm -f "$new"
say end
