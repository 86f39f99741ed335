# viatty setup bash: shows a notification when a slow command finishes while its
# terminal is unfocused. Add this line at the end of ~/.bashrc:
#
#     command -v viatty >/dev/null && source <(viatty setup bash)
#
# VIATTY_NOTIFY_AFTER=10      seconds after which a command is slow; 0: never notify
# VIATTY_NOTIFY_IGNORE='...'  the programs that never notify, instead of the interactive
#                             ones, such as editors; after a +, in addition to them
# VIATTY_NOTIFY_ONLY='...'    the only programs that notify; git-push: git with push
# VIATTY_TITLE=yes            also show the running command in the window title
# VIATTY_MARKS=yes            also mark prompts (OSC 133) and report the directory
#                             (OSC 7) to the terminal
#
# Editors, shells, ssh and other interactive programs do not notify, nor does a command
# that you end with Ctrl-C or stop with Ctrl-Z. A program that catches Ctrl-C and succeeds
# looks like any other: of such servers, only some are known by name. Nor does a command
# notify in the active pane of a focused terminal: tmux knows which pane is active, and a
# terminal with OSC 99, or a tmux with focus-events on, whether the terminal has focus.
#
# No program is started for a fast command, unless VIATTY_TITLE is set. Your prompt,
# PROMPT_COMMAND and DEBUG trap keep working: the time is measured with PS0, which
# needs bash 4.4. In an older bash this does nothing.

if [[ $- == *i* && -z ${__viatty_empty+loaded} ]] &&
	((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)); then

__viatty_empty='' __viatty_null=/dev/null __viatty_began='' __viatty_last=''
__viatty_saved=$HISTCMD __viatty_place='' __viatty_url='' __viatty_titled=0
__viatty_no_probe='' __viatty_line=''

# Sets __viatty_line to the newest line of the history, or to nothing if that is not the
# one that runs: a line that is not saved (HISTCONTROL) is hidden on purpose, or a
# repetition. $1, where it is known, is the last simple command that has run: it tells
# them apart.
__viatty_read() {
	__viatty_line=
	[[ $HISTCMD != "$__viatty_saved" || -n $1 ]] || return 0
	__viatty_line=$(HISTTIMEFORMAT='' builtin history 1)
	[[ $__viatty_line =~ ^[[:blank:]]*[0-9]+\*?[[:blank:]]+(.*)$ ]] &&
		__viatty_line=${BASH_REMATCH[1]}
	[[ $HISTCMD != "$__viatty_saved" || $__viatty_line == "$1" ]] || __viatty_line=
}

# tmux and Screen reply to a query at once, and TERM may be the same for both.
__viatty_is_multiplexer() {
	[[ ${TERM-} == screen* || ${TERM-} == tmux* ]]
}

# A command has just finished with status $1 after $2 seconds. Its line is not an
# argument, which every user of the machine sees; the last simple command, where aliases
# are expanded, goes with it. A terminal that did not reply is not queried again, because
# keys typed during the query would be lost.
__viatty_slow() {
	local sent

	command -v viatty >/dev/null || return 0
	__viatty_read "$__viatty_last"
	sent=$(
		export VIATTY_NOTIFY_IGNORE VIATTY_NOTIFY_ONLY
		printf '%s\n' "${__viatty_line//$'\n'/ }" "$__viatty_line" "$__viatty_last" |
			viatty __finished --json ${__viatty_no_probe:+--no-probe} "$@" 2>/dev/null
	)
	__viatty_is_multiplexer || [[ $sent != *'"terminal":null'* ]] || __viatty_no_probe=yes
}

# Runs first in PROMPT_COMMAND, and preserves $? for the other commands.
__viatty_prompt() {
	local status=$? seconds after=${VIATTY_NOTIFY_AFTER:-10}

	[[ $after =~ ^[0-9]+$ ]] || after=10
	if [[ -n $__viatty_began ]]; then
		seconds=$((SECONDS - __viatty_began)) __viatty_began=''
		((10#$after > 0 && seconds >= 10#$after)) &&
			__viatty_slow "$status" "$seconds"
		[[ -n ${VIATTY_TITLE-} ]] && __viatty_untitle
		[[ -n ${VIATTY_MARKS-} ]] && printf '\e]133;D;%d\a' "$status"
	fi
	[[ -n ${VIATTY_MARKS-} ]] && __viatty_mark
	__viatty_last='' __viatty_saved=$HISTCMD
	return "$status"
}

# Prints the new value of __viatty_titled: 0 at first, when the terminal may be queried
# for its name; 1 if it took the title; 2 if it cannot restore one, which ends the titles.
__viatty_title() {
	local titled=$__viatty_titled no_probe=''

	if ((titled < 2)) && command -v viatty >/dev/null; then
		((titled == 0)) || __viatty_is_multiplexer || no_probe=yes
		__viatty_read ''
		viatty title --push ${no_probe:+--no-probe} - >/dev/null 2>&1 \
			<<<"${__viatty_line:-a command}"
		case $? in 0) titled=1 ;; 4) titled=2 ;; esac
	fi
	printf %d "$titled"
}

# Where nothing is in between, the shell itself writes the sequence: one process less.
__viatty_untitle() {
	((__viatty_titled == 1)) || return 0
	if __viatty_is_multiplexer; then
		viatty title --pop 2>/dev/null
	elif [[ -n ${TMUX-}${STY-}${ZELLIJ-}${VIATTY_TTY-}${VIATTY_WRAP-}${VIATTY_ROUTE-} ]]; then
		viatty title --pop --no-probe 2>/dev/null
	else
		printf '\e[23;0t'
	fi
}

# The shell itself writes these sequences: viatty would be a process for each prompt.
__viatty_mark() {
	local LC_ALL=C i byte

	if [[ $PWD != "$__viatty_place" ]]; then
		__viatty_place=$PWD __viatty_url=
		for ((i = 0; i < ${#PWD}; i++)); do
			byte=${PWD:i:1}
			if [[ $byte != [a-zA-Z0-9/._~-] ]]; then
				printf -v byte %d "'$byte"
				printf -v byte '%%%02X' $((byte & 255))
			fi
			__viatty_url+=$byte
		done
	fi
	printf '\e]7;file://%s%s\a\e]133;A\a' "$HOSTNAME" "$__viatty_url"
}

# PS0 is expanded after a line has been read and before it runs. The first two
# expansions print nothing; the arithmetic in their offsets stores the state of the title,
# and then the time: a terminal that does not reply can take seconds to get its title.
PS0=${PS0-}'${VIATTY_TITLE:+${__viatty_empty:__viatty_titled=$(__viatty_title):0}}'
PS0+='${__viatty_empty:__viatty_began=SECONDS:0}'
PS0+='${VIATTY_MARKS:+\e]133;C\a}'

# The name of this file is expanded before bash replaces BASH_COMMAND. The pattern
# stores that, and matches nothing.
__viatty_run='{ __viatty_prompt; } <"${__viatty_null#x"${__viatty_last:=$BASH_COMMAND}"}"'
PROMPT_COMMAND=${PROMPT_COMMAND-} # with set -u, @a needs a value
if [[ ${PROMPT_COMMAND@a} == *a* ]]; then
	PROMPT_COMMAND=("$__viatty_run" "${PROMPT_COMMAND[@]}")
else
	# shellcheck disable=SC2128,SC2178
	PROMPT_COMMAND=$__viatty_run${PROMPT_COMMAND:+$'\n'$PROMPT_COMMAND}
fi
unset __viatty_run

fi
