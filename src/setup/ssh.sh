# viatty setup ssh: `viatty-ssh HOST` is `ssh HOST`, but a host without viatty gets
# it first, as one file in ~/.local/bin over there. Add this line to ~/.bashrc or
# ~/.zshrc:
#
#     source <(viatty setup ssh)
#
# VIATTY_STATIC=FILE    the program to copy: the one that `make static` builds runs
#                       on every machine of this kind. Unset: viatty from the PATH.
#
# Without it ssh needs nothing: what a program over there prints reaches this
# terminal, and so does viatty's sequence, if viatty is there.
# One connection is made and shared, so that a password is asked for once. Nothing
# is replaced: a viatty that the host has, in its PATH or there, stays. Nothing is
# left that does not run. ~/.local/bin has to be in the PATH over there for
# programs to find it by its name.

viatty-ssh() {
	local program=${VIATTY_STATIC:-$(command -v viatty)} machine
	local ask='PATH=$PATH:$HOME/.local/bin; command -v viatty || uname -sm'
	local put='cd && umask 022 && mkdir -p .local/bin && cd .local/bin &&
		cat >viatty.$$ && chmod 755 viatty.$$ && ./viatty.$$ --version >/dev/null &&
		mv viatty.$$ viatty || { rm -f viatty.$$; false; }'

	set -- -o ControlMaster=auto -o ControlPersist=10 \
		-o "ControlPath=$HOME/.ssh/viatty-%C" "$@"
	machine=$(ssh "$@" "exec sh -c '$ask'" </dev/null) || return
	if [ "$machine" = "$(uname -sm)" ]; then
		ssh "$@" "exec sh -c '$put'" <"$program" ||
			echo 'viatty-ssh: viatty does not run over there; going on without' >&2
	fi
	ssh "$@"
}
