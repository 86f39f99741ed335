# viatty setup bash: shows a notification when a slow command finishes while its
# window is not focused. Add this line at the end of ~/.bashrc:
#
#     source <(viatty setup bash)
#
# VIATTY_NOTIFY_AFTER=10    seconds after which a command is slow; 0: never notify
# VIATTY_TITLE=yes          also show the running command in the window title
#
# No program is started for a fast command, unless VIATTY_TITLE is set. Your prompt,
# PROMPT_COMMAND and DEBUG trap keep working: the time is measured with PS0, which
# needs bash 4.4. In an older bash this does nothing.

if [[ $- == *i* && -z ${__viatty_empty+loaded} ]] &&
	((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)); then

__viatty_empty='' __viatty_began=''

# The command line, from the history.
__viatty_command() {
	local line

	line=$(HISTTIMEFORMAT='' builtin history 1)
	[[ $line =~ ^[[:blank:]]*[0-9]+\*?[[:blank:]]+(.*)$ ]] && line=${BASH_REMATCH[1]}
	printf '%s' "${line:-a command}"
}

# A command that started $1 seconds ago has just finished with status $2.
__viatty_slow() {
	local how="done after $1 s"

	(($2 == 0)) || how="status $2 after $1 s"
	command -v viatty >/dev/null || return
	viatty notify --when unfocused -- "$(__viatty_command)" "$how" 2>/dev/null
}

# Runs first in PROMPT_COMMAND, and preserves $? for the other commands.
__viatty_prompt() {
	local status=$? seconds after=${VIATTY_NOTIFY_AFTER:-10}

	[[ $after =~ ^[0-9]+$ ]] || after=10
	if [[ -n $__viatty_began ]]; then
		seconds=$((SECONDS - __viatty_began)) __viatty_began=''
		((10#$after > 0 && seconds >= 10#$after)) &&
			__viatty_slow "$seconds" "$status"
		[[ -n ${VIATTY_TITLE-} ]] && __viatty_title ''
	fi
	return "$status"
}

__viatty_title() {
	command -v viatty >/dev/null || return
	if [[ -n $1 ]]; then
		viatty title --push -- "$1" 2>/dev/null
	else
		viatty title --pop 2>/dev/null
	fi
}

# PS0 is expanded after a line has been read and before it runs. The first
# expansion prints nothing; the arithmetic in its offset stores the time.
PS0=${PS0-}'${__viatty_empty:__viatty_began=SECONDS:0}'
PS0+='${VIATTY_TITLE:+$(__viatty_title "$(__viatty_command)")}'

if [[ ${PROMPT_COMMAND@a} == *a* ]]; then
	PROMPT_COMMAND=(__viatty_prompt "${PROMPT_COMMAND[@]}")
else
	# shellcheck disable=SC2128,SC2178
	PROMPT_COMMAND=__viatty_prompt${PROMPT_COMMAND:+$'\n'$PROMPT_COMMAND}
fi

fi
