# viatty setup zsh: shows a notification when a slow command finishes while its
# terminal is unfocused. Add this line to ~/.zshrc:
#
#     command -v viatty >/dev/null && source <(viatty setup zsh)
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
# No program is started for a fast command, unless VIATTY_TITLE is set. Your prompt
# and your precmd functions are not changed. It may also be loaded after `emulate sh`, so
# that no pattern here has parentheses.

if [[ -o interactive ]] && (( ! ${+functions[_viatty_precmd]} )); then

typeset -g _viatty_began= _viatty_line= _viatty_shown= _viatty_place= _viatty_url=
typeset -g _viatty_titled= _viatty_no_probe=

# tmux and Screen reply to a query at once, and TERM may be the same for both.
_viatty_is_multiplexer() {
  emulate -L zsh
  [[ ${TERM-} == screen* || ${TERM-} == tmux* ]]
}

# A command has just finished with status $1 after $2 seconds. Its line is not an
# argument, which every user of the machine sees. A terminal that did not reply is not
# queried again, because keys typed during the query would be lost.
_viatty_slow() {
  emulate -L zsh
  local sent
  (( ! ${+VIATTY_NOTIFY_IGNORE} )) || local -x VIATTY_NOTIFY_IGNORE="$VIATTY_NOTIFY_IGNORE"
  (( ! ${+VIATTY_NOTIFY_ONLY} )) || local -x VIATTY_NOTIFY_ONLY="$VIATTY_NOTIFY_ONLY"
  sent=$(print -rl -- "$_viatty_shown" "$_viatty_line" |
    viatty __finished --json ${_viatty_no_probe:+--no-probe} $1 $2 2>/dev/null)
  _viatty_is_multiplexer || [[ $sent != *'"terminal":null'* ]] || _viatty_no_probe=yes
}

# _viatty_titled is empty at first, when the terminal may be queried for its name, "yes"
# if it took the title, and "never" if it cannot restore one, which ends the titles.
_viatty_title() {
  emulate -L zsh
  local no_probe=$_viatty_titled
  [[ $_viatty_titled != never ]] && (( $+commands[viatty] )) || return 0
  _viatty_is_multiplexer && no_probe=
  viatty title --push ${no_probe:+--no-probe} - 2>/dev/null <<<$1
  case $? in 0) _viatty_titled=yes ;; 4) _viatty_titled=never ;; esac
}

# Where nothing is in between, the shell itself writes the sequence: one process less.
_viatty_untitle() {
  emulate -L zsh
  [[ $_viatty_titled == yes ]] || return 0
  if _viatty_is_multiplexer; then
    viatty title --pop 2>/dev/null
  elif [[ -n ${TMUX-}${STY-}${ZELLIJ-}${VIATTY_TTY-}${VIATTY_WRAP-}${VIATTY_ROUTE-} ]]; then
    viatty title --pop --no-probe 2>/dev/null
  else
    print -n '\e[23;0t'
  fi
}

# The shell itself writes these sequences: viatty would be a process for each prompt.
_viatty_mark() {
  emulate -L zsh
  setopt extended_glob no_multibyte
  local MATCH
  if [[ $PWD != $_viatty_place ]]; then
    _viatty_place=$PWD
    _viatty_url=${PWD//(#m)[^a-zA-Z0-9\/._~-]/%${(l:2::0:)$(( [##16] #MATCH ))}}
  fi
  print -rn -- $'\e]7;file://'$HOST$_viatty_url$'\a\e]133;A\a'
}

# $1 is the line as it was typed, $3 as it runs, without aliases. One that begins with a
# space is hidden from the history on purpose, and not shown.
_viatty_preexec() {
  emulate -L zsh
  _viatty_line=$3 _viatty_shown=${${1:-$2}//$'\n'/ }
  [[ $1 == [[:blank:]]* ]] && _viatty_shown=
  [[ -n ${VIATTY_TITLE-} ]] && _viatty_title ${_viatty_shown:-a command}
  _viatty_began=${SECONDS%.*}
  [[ -n ${VIATTY_MARKS-} ]] && print -rn -- $'\e]133;C\a'
}

_viatty_precmd() {
  local result=$?
  emulate -L zsh
  local seconds after=${VIATTY_NOTIFY_AFTER:-10}

  [[ $after == *[^0-9]* ]] && after=10
  if [[ -n $_viatty_began ]]; then
    seconds=$(( ${SECONDS%.*} - _viatty_began )) _viatty_began=
    [[ -n ${VIATTY_MARKS-} ]] && print -rn -- $'\e]133;D;'$result$'\a'
    if (( $+commands[viatty] )); then
      (( after > 0 && seconds >= after )) && _viatty_slow $result $seconds
      [[ -n ${VIATTY_TITLE-} ]] && _viatty_untitle
    fi
  fi
  [[ -n ${VIATTY_MARKS-} ]] && _viatty_mark
  return 0
}

# First in the list, while $? is still that of the command.
_viatty_hook() {
  emulate -L zsh
  typeset -ga preexec_functions precmd_functions
  preexec_functions=(_viatty_preexec $preexec_functions)
  precmd_functions=(_viatty_precmd $precmd_functions)
}
_viatty_hook
unfunction _viatty_hook

fi
