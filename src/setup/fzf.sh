# viatty setup fzf: Alt-Y copies the current line, or the selected lines, to the
# clipboard of the terminal. Add this line to ~/.bashrc or ~/.zshrc:
#
#     source <(viatty setup fzf)
#
# {+f} is a file with the lines, so that no other user sees them among the arguments.
export FZF_DEFAULT_OPTS="${FZF_DEFAULT_OPTS-} --bind=\"alt-y:execute-silent(@VIATTY@ copy -q -n {+f})\""
