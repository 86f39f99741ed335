"""The output of `viatty setup`, and a stand-in for viatty that records its calls."""

import subprocess

from lib.processes import PATIENCE


def snippet(sandbox, name, *options):
    """The text of a snippet, as a user would append it to a file."""
    done = subprocess.run(
        [str(sandbox.path / "bin" / "viatty"), "setup", name, *options],
        env=sandbox.environment(),
        capture_output=True,
        timeout=PATIENCE,
        check=True,
    )
    assert done.stderr == b""
    return done.stdout.decode()


STAND_IN = """\
#!/bin/sh
[ "$1" = setup ] && exec "{real}" "$@"
printf '%s|' "$@" >"{calls}.$$"
case $* in *" -") tr '\n' '|' >>"{calls}.$$" ;; esac
echo >>"{calls}.$$"
cat "{calls}.$$" >>"{calls}"
rm "{calls}.$$"
"""


class StandIn:
    """Takes the place of viatty in a sandbox for all but setup."""

    def __init__(self, sandbox):
        self._program = sandbox.path / "bin" / "viatty"
        self._calls = sandbox.fresh("calls")
        real = sandbox.path / "bin" / "viatty.real"
        self._program.rename(real)
        self._program.write_text(STAND_IN.format(real=real, calls=self._calls))
        self._program.chmod(0o755)

    def calls(self):
        """The arguments of each call so far; after a final - come the lines of its input."""
        if not self._calls.exists():
            return []
        return [line.split("|")[:-1] for line in self._calls.read_text().splitlines()]

    def remove(self):
        self._program.unlink()


REFUSES = """\
#!/bin/sh
[ "$1" = setup ] && exec "{real}" "$@"
cat >"{input}"
echo "{reason}" >&2
echo 'hint: there is none' >&2
exit 4
"""


def refuse(sandbox, reason):
    """Installs a viatty that refuses all but setup, with a reason and a hint."""
    program = sandbox.path / "bin" / "viatty"
    real = sandbox.path / "bin" / "viatty.real"
    program.rename(real)
    program.write_text(
        REFUSES.format(real=real, reason=reason, input=sandbox.fresh("input"))
    )
    program.chmod(0o755)
