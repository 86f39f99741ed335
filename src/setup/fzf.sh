# viatty setup fzf: Alt-Y copies the current line, or the selected lines, to the
# clipboard of the terminal. Add this line to ~/.bashrc or ~/.zshrc:
#
#     source <(viatty setup fzf)
#
# {+f} is a file with the lines, so that no other user sees them among the arguments.
case ${FZF_DEFAULT_OPTS-} in
# A shell within a shell has it already.
*"alt-y:execute-silent(@VIATTY@ copy -q -n {+f})"*) ;;
*)
	export FZF_DEFAULT_OPTS="${FZF_DEFAULT_OPTS-} --bind=\"alt-y:execute-silent(@VIATTY@ copy -q -n {+f})\""
	;;
esac
