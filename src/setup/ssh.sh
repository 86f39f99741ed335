# viatty setup ssh: `viatty-ssh HOST` is `ssh HOST`, but first installs viatty, with
# osc52, in ~/.local/bin of a host that does not have it. Add this line to ~/.bashrc
# or ~/.zshrc, and open a new shell:
#
#     command -v viatty >/dev/null && source <(viatty setup ssh)
#
# VIATTY_STATIC=FILE    the executable to install; one built by `make static` runs on
#                       every machine of its architecture. Default: viatty in PATH.
# VIATTY_STATIC=DIR     the archives of `make release`; installs from the newest one for
#                       the host's system and processor.
#
# It accepts the options of ssh, and a COMMAND, which runs once, after the
# installation. The connection is shared through a socket in ~/.ssh for ten seconds,
# so that ssh asks for a password only once. No file is replaced: a viatty in the PATH
# of the host or in its ~/.local/bin is kept, and a copy that does not run there is
# deleted. Output of the host during the installation is not shown. COMMAND has
# ~/.local/bin in its PATH; other programs on the host find viatty if it is in theirs.

# Parses the arguments as ssh does, which also accepts options after the host: sets
# `host`, `words`, how many at the end are COMMAND, and `to`, the options needed to
# connect. `plain` is set if no shell or command runs on the host. Options for the
# session and for forwarding are left to the last ssh, which gets all arguments.
__viatty_ssh_read() {
	local word letter value

	while (($# > 0)); do
		word=$1
		case $word in
		--)
			words=$(($# - 1))
			if [ -n "$host" ] || (($# == 1)); then return; fi
			words=0
			host=$2
			shift 2
			continue ;;
		-?*) ;;
		*)
			words=$#
			if [ -n "$host" ]; then return; fi
			words=0
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

# Prints what puts ~/.local/bin into the PATH of a shell with this name, or nothing.
__viatty_ssh_path() {
	case $1 in
	sh | ash | bash | dash | ksh | ksh93 | mksh | zsh) echo 'PATH=$PATH:$HOME/.local/bin;' ;;
	fish) echo 'set PATH $PATH $HOME/.local/bin;' ;;
	csh | tcsh) echo 'set path = ($path "$HOME/.local/bin");' ;;
	esac
}

# Prints the newest archive in directory $2 for what `uname -sm` printed ($1), or nothing.
__viatty_ssh_archive() {
	local name

	case $1 in
	'Linux x86_64') name=linux-x86_64 ;;
	'Linux aarch64') name=linux-aarch64 ;;
	'Linux armv7l' | 'Linux armv8l') name=linux-armv7 ;;
	'Linux i686') name=linux-i686 ;;
	'Linux riscv64') name=linux-riscv64 ;;
	'Darwin arm64') name=macos-aarch64 ;;
	'Darwin x86_64') name=macos-x86_64 ;;
	'FreeBSD amd64') name=freebsd-x86_64 ;;
	*) return ;;
	esac
	command ls -t "$2" 2>/dev/null | grep "^viatty-.*-$name\\.tar\\.gz\$" | head -n 1
}

# Prints the program: the file $1, or that in the archive $2 of directory $1.
__viatty_ssh_program() {
	if [ -n "$2" ]; then
		tar -xzOf "$1/$2" "${2%.tar.gz}/bin/viatty"
	else
		cat "$1"
	fi
}

viatty-ssh() {
	if [ -n "${ZSH_VERSION-}" ]; then emulate -L sh; fi
	local program=${VIATTY_STATIC:-$(command -v viatty)} here there host='' plain=''
	local archive='' ask put mark='viatty-ssh: ' words=0 its_shell prefix=''
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
	# one line each, without single quotes: csh and fish pass them to sh too
	ask="v=\$HOME/.local/bin/viatty; if command -v viatty >/dev/null 2>&1; then a=found;"
	ask+=" elif [ -x \"\$v\" ]; then a=kept; elif [ -e \"\$v\" ] || [ -L \"\$v\" ]; then"
	ask+=" a=blocked; else a=\$(uname -sm); fi; echo \"$mark\${SHELL##*/} \$a\""
	put='umask 022; cd && mkdir -p .local/bin && cd .local/bin && cat >viatty.$$ &&'
	put+=' chmod 755 viatty.$$ && [ -s viatty.$$ ] && ./viatty.$$ --version &&'
	put+=' { [ -e viatty ] || [ -L viatty ] || ln viatty.$$ viatty || mv -n viatty.$$ viatty; }'
	put+=' && [ -x viatty ] || { rm -f viatty.$$; exit 1; }; rm -f viatty.$$;'
	put+=' [ -e osc52 ] || [ -L osc52 ] ||'
	put+=' ln -s viatty osc52'

	# The path of a socket has at most 103 bytes; ssh needs 70 of them after HOME.
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
	its_shell=${there%% *} there=${there#* }
	here=$(uname -sm)
	if [ -d "$program" ]; then archive=$(__viatty_ssh_archive "$there" "$program"); fi
	case $there in
	found) ;;
	kept) prefix=$(__viatty_ssh_path "$its_shell") ;;
	blocked)
		echo "viatty-ssh: viatty was not installed: ~/.local/bin/viatty on $host" \
			"is no program, and is not replaced" >&2 ;;
	'')
		echo "viatty-ssh: viatty was not installed: the system of $host is" \
			"not known" >&2 ;;
	"${VIATTY_STATIC:+$there}" | "$here")
		if [ -d "$program" ] && [ -z "$archive" ]; then
			echo "viatty-ssh: viatty was not installed: no archive in $program is" \
				"for $there" >&2
		elif __viatty_ssh_program "$program" "$archive" 2>/dev/null |
			command ssh "${shared[@]}" "${to[@]}" -- "$host" "exec sh -c '$put'" \
				>/dev/null 2>&1; then
			echo "viatty-ssh: installed viatty on $host, in ~/.local/bin" >&2
			prefix=$(__viatty_ssh_path "$its_shell")
		else
			echo "viatty-ssh: viatty was not installed:" \
				"$program${archive:+/$archive} does not run on $host" >&2
		fi ;;
	*)
		echo "viatty-ssh: viatty was not installed: $host is $there, this machine $here;" \
			"set VIATTY_STATIC to a viatty for it" >&2 ;;
	esac
	if [ -z "$prefix" ] || ((words == 0)); then
		command ssh "${shared[@]}" "$@"
	else
		command ssh "${shared[@]}" "${@:1:$# - words}" "$prefix" "${@:$# - words + 1}"
	fi
}
