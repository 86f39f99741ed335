# viatty setup zsh: shows a notification when a slow command finishes while its
# window is not focused. Add this line to ~/.zshrc:
#
#     source <(viatty setup zsh)
#
# VIATTY_NOTIFY_AFTER=10    seconds after which a command is slow; 0: never notify
# VIATTY_TITLE=yes          also show the running command in the window title
#
# No program is started for a fast command, unless VIATTY_TITLE is set. Your prompt
# and your precmd functions are not changed.

if [[ -o interactive ]] && (( ! ${+functions[_viatty_precmd]} )); then

typeset -g _viatty_began= _viatty_command=

_viatty_preexec() {
  emulate -L zsh
  _viatty_began=${SECONDS%.*} _viatty_command=$2
  [[ -n ${VIATTY_TITLE-} ]] && (( $+commands[viatty] )) &&
    viatty title --push -- $2 2>/dev/null
}

_viatty_precmd() {
  local result=$?
  emulate -L zsh
  local seconds how after=${VIATTY_NOTIFY_AFTER:-10}

  [[ $after == <-> ]] || after=10
  [[ -n $_viatty_began ]] || return 0
  seconds=$(( ${SECONDS%.*} - _viatty_began )) _viatty_began=
  (( $+commands[viatty] )) || return 0
  if (( after > 0 && seconds >= after )); then
    how="done after $seconds s"
    (( result == 0 )) || how="status $result after $seconds s"
    viatty notify --when unfocused -- $_viatty_command $how 2>/dev/null
  fi
  [[ -n ${VIATTY_TITLE-} ]] && viatty title --pop 2>/dev/null
  return 0
}

# First in the list, while $? is still that of the command.
() {
  emulate -L zsh
  typeset -ga preexec_functions precmd_functions
  preexec_functions=(_viatty_preexec $preexec_functions)
  precmd_functions=(_viatty_precmd $precmd_functions)
}

fi
