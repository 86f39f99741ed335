# viatty setup bash: shows a notification when a slow command finishes while nobody
# looks at it. Add this line at the end of ~/.bashrc:
#
#     source <(viatty setup bash)
#
# VIATTY_NOTIFY_AFTER=10      seconds after which a command is slow; 0: never notify
# VIATTY_NOTIFY_IGNORE='...'  the interactive programs, which are never slow, instead of
#                             editors, pagers, ssh, top and such (see below)
# VIATTY_TITLE=yes            also show the running command in the window title
# VIATTY_MARKS=yes            also mark prompts (OSC 133) and report the directory
#                             (OSC 7) to the terminal
#
# A command ended with Ctrl-C or stopped with Ctrl-Z does not notify, nor does one that
# you look at: tmux knows which pane has the keyboard, a terminal with OSC 99 or a tmux
# with focus-events on whether the terminal has it. Elsewhere each slow command notifies.
#
# No program is started for a fast command, unless VIATTY_TITLE is set. Your prompt,
# PROMPT_COMMAND and DEBUG trap keep working: the time is measured with PS0, which
# needs bash 4.4. In an older bash this does nothing.

if [[ $- == *i* && -z ${__viatty_empty+loaded} ]] &&
	((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)); then

__viatty_empty='' __viatty_null=/dev/null __viatty_began='' __viatty_last=''
__viatty_saved=$HISTCMD __viatty_place='' __viatty_url='' __viatty_titled=0
__viatty_no_probe=''
__viatty_interactive='vi vim nvim view vimdiff emacs emacsclient nano pico micro joe hx'
__viatty_interactive+=' helix kak mcedit less more most man info ssh mosh telnet sftp'
__viatty_interactive+=' tmux screen zellij top htop btop atop watch mc ranger nnn yazi'
__viatty_interactive+=' lf tig lazygit gitui k9s ncdu mutt neomutt weechat irssi lynx w3m'
__viatty_interactive+=' fzf fg claude codex gemini opencode aider copilot cursor-agent'
__viatty_interactive+=' gdb lldb su sudoedit visudo crontab journalctl'
__viatty_interactive+=' git-add git-blame git-branch'
__viatty_interactive+=' git-commit git-diff git-difftool git-help git-log git-mergetool'
__viatty_interactive+=' git-rebase git-reflog git-show git-tag'

# The command line: the newest line of the history, if that is new. A line that is not
# saved (HISTCONTROL) is hidden on purpose, or a repetition. $1, where it is known, is
# the last simple command that has run: it tells them apart, and names the program.
__viatty_command() {
	local line program='^([a-zA-Z_0-9]+=[a-zA-Z_0-9.,:/+-]*[[:blank:]]+)*([a-zA-Z_0-9./+-]+)([[:blank:]]|$)'

	line=$(HISTTIMEFORMAT='' builtin history 1)
	[[ $line =~ ^[[:blank:]]*[0-9]+\*?[[:blank:]]+(.*)$ ]] && line=${BASH_REMATCH[1]}
	if [[ $HISTCMD == "$__viatty_saved" && $line != "$1" ]]; then
		line=
		[[ $1 =~ $program ]] && line=${BASH_REMATCH[2]}
	fi
	printf '%s' "${line:-a command}"
}

__viatty_ignores() {
	[[ " ${VIATTY_NOTIFY_IGNORE-$__viatty_interactive} " == *" $1 "* ]]
}

# Whether a command of this line is interactive: its first word, behind variables,
# options, sudo and the like. git is named with its command: git-log. ssh is not, if it
# runs a command without -t.
__viatty_is_interactive() {
	local IFS=$' \t\n' word name next first=yes
	local -a words

	read -r -d '' -a words <<<"$1"
	for word in "${words[@]}"; do
		name=${word%;}
		case $first$name in
		yes*=* | yes-* | yes[\(\{!] | yessudo | yesdoas | yesenv | yescommand | yesexec | \
			yestime | yesnohup | yesif | yeswhile | yesthen | yesdo | yeselse) ;;
		ssh-[BbcDEeFIiJLlmOoPpQRSWw]) first=value ;;
		value*) first=ssh ;;
		ssh-t | ssh-tt | host-t | host-tt) return ;;
		ssh-*) ;;
		ssh[!\;\&\|]*) first=host ;;
		host[!\;\&\|]*) first= ;;
		git-* | git*=*) ;;
		git*)
			first=
			__viatty_ignores "git-$name" && return ;;
		yes*)
			read -r name next _ <<<"${BASH_ALIASES[$name]-${name#\\}}"
			name=${name##*/} first=
			if __viatty_ignores "$name"; then
				[[ $name == ssh ]] || return 0
				first=ssh
			fi
			if [[ $name == git && -z $next ]]; then
				first=git
			elif [[ $name == git ]]; then
				__viatty_ignores "git-$next" && return
			fi ;;
		esac
		case $word in *';' | '|' | '|&' | '||' | '&&' | '&')
			[[ $first != ssh && $first != host ]] || return 0
			first=yes ;;
		esac
	done
	[[ $first == ssh || $first == host ]]
}

# tmux and Screen reply to a query at once, and TERM does not tell which of them it is.
__viatty_is_multiplexer() {
	[[ ${TERM-} == screen* || ${TERM-} == tmux* ]]
}

# A command that started $1 seconds ago has just finished with status $2. A terminal that
# has not said its name is not asked again: what is typed meanwhile would be lost.
__viatty_slow() {
	local how="done after $1 s" line sent

	case $2 in 130 | 14[678]) return ;; esac
	(($2 == 0)) || how="status $2 after $1 s"
	command -v viatty >/dev/null || return
	line=$(__viatty_command "$__viatty_last")
	__viatty_is_interactive "$line" || {
		# not as arguments, which every user of the machine sees
		sent=$(printf '%s\n' "${line//$'\n'/ }" "$how" | viatty notify --json \
			${__viatty_no_probe:+--no-probe} --when unfocused - 2>/dev/null)
		__viatty_is_multiplexer || [[ $sent != *'"terminal":null'* ]] ||
			__viatty_no_probe=yes
	}
}

# Runs first in PROMPT_COMMAND, and preserves $? for the other commands.
__viatty_prompt() {
	local status=$? seconds after=${VIATTY_NOTIFY_AFTER:-10}

	[[ $after =~ ^[0-9]+$ ]] || after=10
	if [[ -n $__viatty_began ]]; then
		seconds=$((SECONDS - __viatty_began)) __viatty_began=''
		((10#$after > 0 && seconds >= 10#$after)) &&
			__viatty_slow "$seconds" "$status"
		[[ -n ${VIATTY_TITLE-} ]] && __viatty_untitle
		[[ -n ${VIATTY_MARKS-} ]] && printf '\e]133;D;%d\a' "$status"
	fi
	[[ -n ${VIATTY_MARKS-} ]] && __viatty_mark
	__viatty_last='' __viatty_saved=$HISTCMD
	return "$status"
}

# Prints what __viatty_titled is from now on: 0 at first, when the terminal may be asked
# who it is; 1 if it took the title; 2 if it cannot restore one, which ends the titles.
__viatty_title() {
	local titled=$__viatty_titled no_probe=''

	if ((titled < 2)) && command -v viatty >/dev/null; then
		((titled == 0)) || __viatty_is_multiplexer || no_probe=yes
		printf '%s\n' "$1" |
			viatty title --push ${no_probe:+--no-probe} - >/dev/null 2>&1
		case $? in 0) titled=1 ;; 4) titled=2 ;; esac
	fi
	printf %d "$titled"
}

__viatty_untitle() {
	((__viatty_titled == 1)) && command -v viatty >/dev/null || return
	if __viatty_is_multiplexer; then
		viatty title --pop 2>/dev/null
	else
		viatty title --pop --no-probe 2>/dev/null
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
PS0=${PS0-}'${VIATTY_TITLE:+${__viatty_empty:__viatty_titled=$(__viatty_title "$(__viatty_command "")"):0}}'
PS0+='${__viatty_empty:__viatty_began=SECONDS:0}'
PS0+='${VIATTY_MARKS:+\e]133;C\a}'

# The name of this file is expanded before bash replaces BASH_COMMAND. The pattern
# stores that, and matches nothing.
__viatty_run='{ __viatty_prompt; } <"${__viatty_null#x"${__viatty_last:=$BASH_COMMAND}"}"'
if [[ ${PROMPT_COMMAND@a} == *a* ]]; then
	PROMPT_COMMAND=("$__viatty_run" "${PROMPT_COMMAND[@]}")
else
	# shellcheck disable=SC2128,SC2178
	PROMPT_COMMAND=$__viatty_run${PROMPT_COMMAND:+$'\n'$PROMPT_COMMAND}
fi
unset __viatty_run

fi
