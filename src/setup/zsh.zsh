# viatty setup zsh: notifies when a slow command ends that you did not use. Add this line
# to ~/.zshrc; viatty-setup(1) says more:
#
#     command -v viatty >/dev/null && source <(viatty setup zsh)
#
# VIATTY_NOTIFY_AFTER=10       seconds after which a command is slow; 0: never notify
# VIATTY_NOTIFY_IGNORE='ssh*'  a pattern: command lines that never notify

if [[ -o interactive ]] && (( ! ${+functions[_viatty_precmd]} )); then

typeset -g _viatty_began= _viatty_line= _viatty_now='%D{%s}'

_viatty_preexec() {
  emulate -L zsh
  _viatty_line=${1:-$2} _viatty_began=${(%)_viatty_now}
}

_viatty_precmd() {
  local result=$?
  emulate -L zsh
  local line=${_viatty_line//$'\n'/ } ended='done' words
  local seconds=${(%)_viatty_now} after=${VIATTY_NOTIFY_AFTER:-10}
  [[ $after == *[^0-9]* ]] && after=10
  (( seconds -= ${_viatty_began:-$seconds} ))
  _viatty_began=
  (( after > 0 && seconds >= after && ${+commands[viatty]} )) || return 0
  # What Ctrl-C or Ctrl-Z has ended, and what notifies itself.
  [[ $result == 130 || $result == 148 || $line == *viatty*' run '* ]] && return 0
  [[ $line == ${~VIATTY_NOTIFY_IGNORE-} ]] && return 0
  # Of a hidden line, the name of the program.
  if [[ $line == [[:blank:]]* ]]; then
    words=(${=line})
    line=${words[1]:t}
    [[ $words[1] != *[^[:alnum:]_./+-]* ]] || line='a command'
  fi
  (( result == 0 )) || ended="failed with status $result"
  after="$seconds s"
  (( seconds < 60 )) || after="$(( seconds / 60 )) min $(( seconds % 60 )) s"
  viatty notify --from-hook=$seconds - 2>/dev/null <<<$line$'\n'"$ended after $after in $PWD"
  return 0
}

# First of all, while $? is still that of the command.
typeset -ga preexec_functions precmd_functions
preexec_functions=(_viatty_preexec "${preexec_functions[@]}")
precmd_functions=(_viatty_precmd "${precmd_functions[@]}")
(( ! ${+commands[viatty]} )) || viatty notify --from-hook 2>/dev/null
fi
