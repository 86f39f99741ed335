# viatty setup bash: notifies when a slow command ends that you did not use. Add this line
# at the end of ~/.bashrc; viatty-setup(1) says more:
#
#     command -v viatty >/dev/null && source <(viatty setup bash)
#
# VIATTY_NOTIFY_AFTER=10       seconds after which a command is slow; 0: never notify
# VIATTY_NOTIFY_IGNORE='ssh*'  a pattern: command lines that never notify

if [[ $- == *i* && -z ${__viatty_empty+loaded} ]] &&
	((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)); then

__viatty_empty='' __viatty_began='' __viatty_saved=$HISTCMD __viatty_last=''

# Tells of the last command, which ended with this status after these seconds.
__viatty_notify() {
	local line ended='done' after="$2 s"
	line=$(HISTTIMEFORMAT='' builtin history 1)
	# Behind the number are a mark and a space, and then the line, which may begin with one.
	[[ $line =~ ^[[:blank:]]*[0-9]+[*[:blank:]][[:blank:]](.*)$ ]] && line=${BASH_REMATCH[1]}
	# A line that the history did not take is hidden, or a repetition.
	[[ $HISTCMD != "$__viatty_saved" || $line == *"$__viatty_last" ]] || line=" $__viatty_last"
	line=${line//$'\n'/ }
	# What Ctrl-C or Ctrl-Z has ended, and what notifies itself.
	[[ $1 == 130 || $1 == 148 || $line == *viatty*\ run\ * ]] && return
	[[ $line == ${VIATTY_NOTIFY_IGNORE-} ]] && return
	# Of a hidden line, the name of the program.
	if [[ $line =~ ^[[:blank:]]+([[:alnum:]_./+-]+)([[:blank:]]|$) ]]; then
		line=${BASH_REMATCH[1]##*/}
	elif [[ $line == [[:blank:]]* ]]; then
		line='a command'
	fi
	(($1 == 0)) || ended="failed with status $1"
	(($2 < 60)) || after="$(($2 / 60)) min $(($2 % 60)) s"
	viatty notify --from-hook="$2" - 2>/dev/null <<<"$line"$'\n'"$ended after $after in $PWD"
}

# Runs first in PROMPT_COMMAND and keeps $? for the rest of it; $__viatty_last ran last.
__viatty_prompt() {
	local status=$? after=${VIATTY_NOTIFY_AFTER:-10} seconds
	[[ $after =~ ^[0-9]+$ ]] || after=10
	seconds=$((SECONDS - ${__viatty_began:-SECONDS}))
	if ((10#$after > 0 && seconds >= 10#$after)) && command -v viatty >/dev/null; then
		__viatty_notify "$status" "$seconds" || :
	fi
	__viatty_began='' __viatty_saved=$HISTCMD
	return "$status"
}

# PS0 comes before a command; this stores the time and prints nothing.
PS0=${PS0-}'${__viatty_empty:__viatty_began=SECONDS:0}'
# The words of `for` are expanded before BASH_COMMAND changes.
PROMPT_COMMAND=$'for __viatty_last in "$BASH_COMMAND"; do __viatty_prompt; done\n'${PROMPT_COMMAND-}
! command -v viatty >/dev/null || viatty notify --from-hook 2>/dev/null
fi
