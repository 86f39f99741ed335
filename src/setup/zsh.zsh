# viatty setup zsh: notifies when a slow command ends that you did not use. Add this line
# to ~/.zshrc; viatty-setup(1) says more:
#
#     command -v viatty >/dev/null && source <(viatty setup zsh)
#
# VIATTY_NOTIFY_AFTER=10      seconds after which a command is slow; 0: never notify
# VIATTY_NOTIFY_IGNORE='...'  programs that never notify; + adds to viatty's
# VIATTY_NOTIFY_ONLY='...'    the only programs that notify; git-push: git with push

if [[ -o interactive ]] && (( ! ${+functions[_viatty_precmd]} )); then

typeset -g _viatty_began= _viatty_line= _viatty_now='%D{%s}'

_viatty_preexec() {
  emulate -L zsh
  _viatty_line=${1:-$2} _viatty_began=${(%)_viatty_now}
}

_viatty_precmd() {
  local result=$?
  emulate -L zsh
  local seconds=${(%)_viatty_now} after=${VIATTY_NOTIFY_AFTER:-10}
  [[ $after == *[^0-9]* ]] && after=10
  (( seconds -= ${_viatty_began:-$seconds} ))
  _viatty_began=
  (( after > 0 && seconds >= after && ${+commands[viatty]} )) || return 0
  (( ! ${+VIATTY_NOTIFY_IGNORE} )) || local -x VIATTY_NOTIFY_IGNORE="$VIATTY_NOTIFY_IGNORE"
  (( ! ${+VIATTY_NOTIFY_ONLY} )) || local -x VIATTY_NOTIFY_ONLY="$VIATTY_NOTIFY_ONLY"
  viatty __finished $result $seconds 2>/dev/null <<<$_viatty_line
  return 0
}

# First of all, while $? is still that of the command.
typeset -ga preexec_functions precmd_functions
preexec_functions=(_viatty_preexec "${preexec_functions[@]}")
precmd_functions=(_viatty_precmd "${precmd_functions[@]}")
(( ! ${+commands[viatty]} )) || viatty __finished 2>/dev/null
fi
