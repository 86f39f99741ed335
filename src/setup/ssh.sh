# viatty setup ssh: `viatty-ssh HOST` is `ssh HOST`, but a host without viatty gets
# it first, as one file in ~/.local/bin over there. Add this line to ~/.bashrc or
# ~/.zshrc:
#
#     source <(viatty setup ssh)
#
# VIATTY_STATIC=FILE    the program to copy: the one that `make static` builds runs
#                       on every machine of its kind. Unset: viatty from the PATH.
#
# ssh itself needs no settings: what viatty writes over there reaches this terminal
# as everything does. One connection is made and shared, so that a password is
# asked for once. Nothing is replaced: a viatty that the host has, in its PATH or in
# ~/.local/bin, stays. Nothing is left that does not run. Programs over there find
# it by its name if ~/.local/bin is in their PATH.

viatty-ssh() {
	local program=${VIATTY_STATIC:-$(command -v viatty)} here there
	local ask='PATH=$PATH:$HOME/.local/bin; command -v viatty || uname -sm'
	local put='cd && umask 022 && mkdir -p .local/bin && cd .local/bin &&
		cat >viatty.$$ && chmod 755 viatty.$$ && ./viatty.$$ --version >/dev/null &&
		mv viatty.$$ viatty || { rm -f viatty.$$; false; }'

	set -- -o ControlMaster=auto -o ControlPersist=10 \
		-o "ControlPath=$HOME/.ssh/viatty-%C" "$@"
	there=$(ssh "$@" "exec sh -c '$ask'" </dev/null) || return
	here=$(uname -sm)
	case $there in
	*/viatty) ;;
	"${VIATTY_STATIC:+$there}" | "$here")
		ssh "$@" "exec sh -c '$put'" <"$program" ||
			echo "viatty-ssh: $program does not run over there" >&2 ;;
	*)
		echo "viatty-ssh: over there is $there, here $here: name a viatty for" \
			"it in VIATTY_STATIC" >&2 ;;
	esac
	ssh "$@"
}
