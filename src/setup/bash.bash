# viatty setup bash: notifies when a slow command ends that you did not use. Add this line
# at the end of ~/.bashrc; viatty-setup(1) says more:
#
#     command -v viatty >/dev/null && source <(viatty setup bash)
#
# VIATTY_NOTIFY_AFTER=10      seconds after which a command is slow; 0: never notify
# VIATTY_NOTIFY_IGNORE='...'  programs that never notify; + adds to viatty's
# VIATTY_NOTIFY_ONLY='...'    the only programs that notify; git-push: git with push

if [[ $- == *i* && -z ${__viatty_empty+loaded} ]] &&
	((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)); then

__viatty_empty='' __viatty_began='' __viatty_saved=$HISTCMD __viatty_last=''

# Runs first in PROMPT_COMMAND and keeps $? for the rest of it; $__viatty_last ran last.
__viatty_prompt() {
	local status=$? after=${VIATTY_NOTIFY_AFTER:-10} line seconds
	[[ $after =~ ^[0-9]+$ ]] || after=10
	seconds=$((SECONDS - ${__viatty_began:-SECONDS}))
	if ((10#$after > 0 && seconds >= 10#$after)) && command -v viatty >/dev/null; then
		line=$(HISTTIMEFORMAT='' builtin history 1)
		[[ $line =~ ^[[:blank:]]*[0-9]+\*?[[:blank:]]+(.*)$ ]] && line=${BASH_REMATCH[1]}
		# A line that the history did not take is hidden, or a repetition.
		[[ $HISTCMD != "$__viatty_saved" || $line == *"$__viatty_last" ]] ||
			line=" $__viatty_last"
		(export VIATTY_NOTIFY_IGNORE VIATTY_NOTIFY_ONLY
			viatty __finished "$status" "$seconds" 2>/dev/null <<<"$line")
	fi
	__viatty_began='' __viatty_saved=$HISTCMD
	return "$status"
}

# PS0 comes before a command; this stores the time and prints nothing.
PS0=${PS0-}'${__viatty_empty:__viatty_began=SECONDS:0}'
# The words of `for` are expanded before BASH_COMMAND changes.
PROMPT_COMMAND=$'for __viatty_last in "$BASH_COMMAND"; do __viatty_prompt; done\n'${PROMPT_COMMAND-}
! command -v viatty >/dev/null || viatty __finished 2>/dev/null
fi
