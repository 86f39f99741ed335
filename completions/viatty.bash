# Completion of viatty and osc52 in bash, version 4 or later. The program knows the words.

_viatty()
{
	local lines first

	mapfile -t lines < <(command viatty __complete bash "${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null)
	COMPREPLY=()
	case ${lines[0]} in
	files)
		compopt -o default
		;;
	'command '*)
		# what follows is a command line of its own
		first=${lines[0]#* }
		if ((first == COMP_CWORD)); then
			mapfile -t COMPREPLY < <(compgen -c -- "${COMP_WORDS[COMP_CWORD]}" | sort -u)
		elif declare -F _command_offset >/dev/null; then
			_command_offset "$first"
		else
			compopt -o default
		fi
		;;
	*)
		COMPREPLY=("${lines[@]:1}")
		COMPREPLY=("${COMPREPLY[@]%%$'\t'*}")
		;;
	esac
}
complete -F _viatty viatty osc52
