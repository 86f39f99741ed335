# viatty setup bash: a notification when a command took long and nobody looks at
# its window. Add this line to ~/.bashrc, at its end:
#
#     source <(viatty setup bash)
#
# VIATTY_NOTIFY_AFTER=10    the seconds that are long; 0: no notifications
# VIATTY_TITLE=yes          also name the running command in the window's title
#
# No program is started for a command that is not slow, unless VIATTY_TITLE is
# set. The prompt, PROMPT_COMMAND and the DEBUG trap stay yours: the time is taken
# by PS0, which bash has since 4.4; an older bash is left as it is.

if [[ $- == *i* && -z ${__viatty_empty+loaded} ]] &&
	((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)); then

__viatty_empty='' __viatty_began=''

# What was typed, as the history has it.
__viatty_command() {
	local line

	line=$(HISTTIMEFORMAT='' builtin history 1)
	[[ $line =~ ^[[:blank:]]*[0-9]+\*?[[:blank:]]+(.*)$ ]] && line=${BASH_REMATCH[1]}
	printf '%s' "${line:-a command}"
}

# $1 seconds ago something began that has just ended with status $2.
__viatty_slow() {
	local how="done after $1 s"

	(($2 == 0)) || how="status $2 after $1 s"
	command -v viatty >/dev/null || return
	viatty notify --when unfocused -- "$(__viatty_command)" "$how" 2>/dev/null
}

# The first of the prompt's commands, and for the others $? is what it was.
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

# PS0 is expanded after a line was typed and before it runs. The first expansion
# prints nothing, and its offset is arithmetic that keeps the time.
PS0=${PS0-}'${__viatty_empty:__viatty_began=SECONDS:0}'
PS0+='${VIATTY_TITLE:+$(__viatty_title "$(__viatty_command)")}'

if [[ ${PROMPT_COMMAND@a} == *a* ]]; then
	PROMPT_COMMAND=(__viatty_prompt "${PROMPT_COMMAND[@]}")
else
	# shellcheck disable=SC2128,SC2178
	PROMPT_COMMAND=__viatty_prompt${PROMPT_COMMAND:+$'\n'$PROMPT_COMMAND}
fi

fi
