# viatty setup ssh: `viatty-ssh HOST` is `ssh HOST`, but a host without viatty gets
# it first, as ~/.local/bin/viatty over there, with osc52 beside it. Add this line to
# ~/.bashrc or ~/.zshrc:
#
#     source <(viatty setup ssh)
#
# VIATTY_STATIC=FILE    the program to copy: the one that `make static` builds runs
#                       on every machine of its kind. Unset: viatty from the PATH.
#
# It takes the options of ssh, and a COMMAND, which runs once, after viatty was
# installed. The connection is shared for ten seconds by a socket in ~/.ssh, so that a
# password is asked for once. Nothing is replaced: a viatty that the host has, in its
# PATH or in ~/.local/bin, stays, and no copy stays that does not run over there.
# Nothing that the host prints meanwhile is shown. Programs over there find viatty by
# its name if ~/.local/bin is in their PATH.

# Reads the arguments as ssh does, which takes options behind the host as well: sets
# `host`, and `to`, the options that reach it. `plain` is set for what opens no
# session of a shell or command over there. Options about the session alone, and
# forwarding, are for the last ssh, which gets all arguments as they are.
__viatty_ssh_read() {
	local word letter value

	while (($# > 0)); do
		word=$1
		case $word in
		--)
			if [ -n "$host" ] || (($# == 1)); then return; fi
			host=$2
			shift 2
			continue ;;
		-?*) ;;
		*)
			if [ -n "$host" ]; then return; fi
			host=$word
			shift
			continue ;;
		esac
		shift
		word=${word#-}
		while [ -n "$word" ]; do
			letter=${word%"${word#?}"}
			word=${word#?}
			case $letter in
			[BbcDEeFIiJLlmOoPpQRSWw])
				value=$word word=
				if [ -z "$value" ] && (($# > 0)); then
					value=$1
					shift
				fi ;;
			esac
			case $letter in
			[GNOQVWs]) plain=yes ;;
			[DEeLMRfgnqTtvw]) ;;
			[BbcFIiJlmoPpS]) to+=("-$letter" "$value") ;;
			*) to+=("-$letter") ;;
			esac
		done
	done
}

viatty-ssh() {
	if [ -n "${ZSH_VERSION-}" ]; then emulate -L sh; fi
	local program=${VIATTY_STATIC:-$(command -v viatty)} here there host='' plain=''
	local ask put mark='viatty-ssh: '
	local -a shared to
	local newline='
'

	shared=(-o ControlMaster=no)
	to=(-T -o RemoteCommand=none -o PermitLocalCommand=no -o ClearAllForwardings=yes)
	__viatty_ssh_read "$@"
	if [ -n "$plain" ]; then
		command ssh "$@"
		return
	elif [ -z "$host" ]; then
		echo 'usage: viatty-ssh [OPTION OF ssh]... HOST [COMMAND...]' >&2
		return 2
	fi
	# one line each, without single quotes: csh and fish hand them to sh as well
	ask='PATH=$PATH:$HOME/.local/bin; if command -v viatty >/dev/null 2>&1;'
	ask+=" then echo ${mark}found; else echo \"$mark\$(uname -sm)\"; fi"
	put='umask 022; cd && mkdir -p .local/bin && cd .local/bin && cat >viatty.$$ &&'
	put+=' chmod 755 viatty.$$ && ./viatty.$$ --version && mv viatty.$$ viatty ||'
	put+=' { rm -f viatty.$$; exit 1; }; [ -e osc52 ] || [ -L osc52 ] ||'
	put+=' ln -s viatty osc52'

	# A socket's name has 103 bytes at most, of which ssh needs 70 behind HOME.
	if [ -d "$HOME/.ssh" ] && ((${#HOME} <= 33)); then
		case $HOME in *[%\"\\]*) ;; *)
			shared=(-o ControlMaster=auto -o ControlPersist=10
				-o "ControlPath=\"$HOME/.ssh/viatty-%C\"")
			command ssh "${shared[@]}" "${to[@]}" -O check -- "$host" 2>/dev/null ||
				command ssh "${shared[@]}" "${to[@]}" -fN -- "$host" || return ;;
		esac
	fi
	there=$(command ssh "${shared[@]}" "${to[@]}" -- "$host" "exec sh -c '$ask'" \
		</dev/null 2>&1) || [ $? -ne 255 ] || {
		printf '%s\n' "$there" | LC_ALL=C tr -dc '[:print:]\n' >&2
		return 255
	}
	case $there in *"$mark"*) there=${there##*"$mark"} ;; *) there='' ;; esac
	there=${there%%"$newline"*}
	case $there in *[!A-Za-z0-9._\ -]*) there='' ;; esac
	here=$(uname -sm)
	case $there in
	found) ;;
	'')
		echo "viatty-ssh: viatty was not installed: $host has no shell that says what" \
			"it runs on" >&2 ;;
	"${VIATTY_STATIC:+$there}" | "$here")
		command ssh "${shared[@]}" "${to[@]}" -- "$host" "exec sh -c '$put'" \
			<"$program" >/dev/null 2>&1 ||
			echo "viatty-ssh: viatty was not installed: $program does not run over" \
				"there" >&2 ;;
	*)
		echo "viatty-ssh: viatty was not installed: over there is $there, here $here;" \
			"name a viatty for it in VIATTY_STATIC" >&2 ;;
	esac
	command ssh "${shared[@]}" "$@"
}
