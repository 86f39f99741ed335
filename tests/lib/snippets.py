"""What `viatty setup` prints, and a stand-in that writes down how it is called."""

import subprocess

from lib.processes import PATIENCE


def snippet(sandbox, name, *options):
    """The text of a snippet, as a person would append it to a file."""
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
        """The arguments of each call so far, and the lines that a - stands for."""
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
    """Have viatty refuse all but setup, with a reason and a hint, as it does."""
    program = sandbox.path / "bin" / "viatty"
    real = sandbox.path / "bin" / "viatty.real"
    program.rename(real)
    program.write_text(
        REFUSES.format(real=real, reason=reason, input=sandbox.fresh("input"))
    )
    program.chmod(0o755)
