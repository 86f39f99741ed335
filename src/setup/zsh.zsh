# viatty setup zsh: shows a notification when a slow command finishes while nobody
# looks at it. Add this line to ~/.zshrc:
#
#     source <(viatty setup zsh)
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
# No program is started for a fast command, unless VIATTY_TITLE is set. Your prompt
# and your precmd functions are not changed.

if [[ -o interactive ]] && (( ! ${+functions[_viatty_precmd]} )); then

typeset -g _viatty_began= _viatty_command= _viatty_shown= _viatty_place= _viatty_url=
typeset -g _viatty_titled= _viatty_no_probe=
typeset -g _viatty_interactive='vi vim nvim view vimdiff emacs emacsclient nano pico
  micro joe hx helix kak mcedit less more most man info ssh mosh telnet sftp tmux screen
  zellij top htop btop atop watch mc ranger nnn yazi lf tig lazygit gitui k9s ncdu mutt
  neomutt weechat irssi lynx w3m fzf fg claude codex gemini opencode aider copilot
  cursor-agent gdb lldb su sudoedit visudo crontab journalctl git-add git-blame git-branch
  git-commit git-diff git-difftool git-help git-log git-mergetool git-rebase git-reflog
  git-show git-tag'

# Whether a command of this line is interactive: its first word, behind variables,
# options, sudo and the like. git is named with its command: git-log. ssh is not, if it
# runs a command without -t.
_viatty_is_interactive() {
  emulate -L zsh
  local word name first=yes
  local -a programs=( ${=VIATTY_NOTIFY_IGNORE-$_viatty_interactive} )

  for word in ${(z)1}; do
    case $first$word in
    (yes*=*|yes-*|yes[\(\{!]|yes(sudo|doas|env|command|exec|time|nohup|noglob|if|while|then|do|else)) ;;
    (ssh-[BbcDEeFIiJLlmOoPpQRSWw]) first=value ;;
    (value*) first=ssh ;;
    ((ssh|host)-(t|tt)) return ;;
    (ssh-*) ;;
    (ssh[^\;\&\|]*) first=host ;;
    (host[^\;\&\|]*) first= ;;
    (git-*|git*=*) ;;
    (git*)
      first=
      (( ${programs[(Ie)git-$word]} )) && return ;;
    (yes*)
      first= name=${${word#\\}:t}
      if (( ${programs[(Ie)$name]} )); then
        [[ $name == ssh ]] || return 0
        first=ssh
      fi
      [[ $name == git ]] && first=git ;;
    esac
    case $word in (';'|'|'|'|&'|'||'|'&&'|'&')
      [[ $first != (ssh|host) ]] || return 0
      first=yes ;;
    esac
  done
  [[ $first == (ssh|host) ]]
}

# tmux and Screen reply to a query at once, and TERM does not tell which of them it is.
_viatty_is_multiplexer() {
  emulate -L zsh
  [[ ${TERM-} == (screen|tmux)* ]]
}

# Notifies with title $1 and body $2: not as arguments, which every user of the machine
# sees. A terminal that has not said its name is not asked again: what is typed meanwhile
# would be lost.
_viatty_notify() {
  emulate -L zsh
  local sent
  sent=$(print -rl -- ${1//$'\n'/ } $2 | viatty notify --json \
    ${_viatty_no_probe:+--no-probe} --when unfocused - 2>/dev/null)
  _viatty_is_multiplexer || [[ $sent != *'"terminal":null'* ]] || _viatty_no_probe=yes
}

# _viatty_titled is empty at first, when the terminal may be asked who it is, "yes" if it
# took the title, and "never" if it cannot restore one, which ends the titles.
_viatty_title() {
  emulate -L zsh
  local no_probe=$_viatty_titled
  [[ $_viatty_titled != never ]] && (( $+commands[viatty] )) || return 0
  _viatty_is_multiplexer && no_probe=
  print -r -- $1 | viatty title --push ${no_probe:+--no-probe} - 2>/dev/null
  case $? in (0) _viatty_titled=yes ;; (4) _viatty_titled=never ;; esac
}

_viatty_untitle() {
  emulate -L zsh
  local no_probe=yes
  [[ $_viatty_titled == yes ]] || return 0
  _viatty_is_multiplexer && no_probe=
  viatty title --pop ${no_probe:+--no-probe} 2>/dev/null
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

# What is shown of the line $1, which was typed as $2. One that begins with a blank is
# hidden from the history on purpose: then only its program.
_viatty_shows() {
  emulate -L zsh
  local match program='^([a-zA-Z_0-9]+=[a-zA-Z_0-9.,:/+-]*[[:blank:]]+)*([a-zA-Z_0-9./+-]+)([[:blank:]]|$)'

  _viatty_shown=$1
  [[ $2 == [[:blank:]]* ]] || return 0
  _viatty_shown='a command'
  [[ $1 =~ $program ]] && _viatty_shown=$match[2]
}

_viatty_preexec() {
  emulate -L zsh
  _viatty_command=$2
  _viatty_shows $2 $1
  [[ -n ${VIATTY_TITLE-} ]] && _viatty_title $_viatty_shown
  _viatty_began=${SECONDS%.*}
  [[ -n ${VIATTY_MARKS-} ]] && print -rn -- $'\e]133;C\a'
}

_viatty_precmd() {
  local result=$?
  emulate -L zsh
  local seconds how after=${VIATTY_NOTIFY_AFTER:-10}

  [[ $after == <-> ]] || after=10
  if [[ -n $_viatty_began ]]; then
    seconds=$(( ${SECONDS%.*} - _viatty_began )) _viatty_began=
    [[ -n ${VIATTY_MARKS-} ]] && print -rn -- $'\e]133;D;'$result$'\a'
    if (( $+commands[viatty] )); then
      if (( after > 0 && seconds >= after )) && [[ $result != (130|14[678]) ]]; then
        how="done after $seconds s"
        (( result == 0 )) || how="status $result after $seconds s"
        _viatty_is_interactive $_viatty_command || _viatty_notify $_viatty_shown $how
      fi
      [[ -n ${VIATTY_TITLE-} ]] && _viatty_untitle
    fi
  fi
  [[ -n ${VIATTY_MARKS-} ]] && _viatty_mark
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
