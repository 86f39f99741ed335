"""The output of `viatty setup`, and a stand-in for viatty that records its calls."""

import json
import os
import re
import subprocess

from lib.processes import PATIENCE, Orphan
from lib.program import REPOSITORY


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


def recipe(page, word):
    """The literal block of a manual page with this word, as a reader would copy it."""
    text = (REPOSITORY / "man" / page).read_text()
    roff = {r"\(aq": "'", r"\(dq": '"', r"\e": "\\"}
    found = re.findall(r"^\.Bd -literal.*\n((?:.*\n)*?)\.Ed$", text, re.M)
    (block,) = [block for block in found if word in block]
    return re.sub(r"\\(?:\(..|.)", lambda escape: roff[escape[0]], block)


def hooks(lines):
    """The commands of a recipe for an agent, by event."""
    groups = json.loads(lines)["hooks"]
    return {event: group["hooks"][0]["command"] for event, (group,) in groups.items()}


def orphan(sandbox, command, **environment):
    """The status and the messages of a hook without a terminal whose parent is process 1."""
    said = sandbox.fresh("said")
    with open(os.devnull, "r+b") as nothing, open(said, "wb") as output:
        stdio = (nothing.fileno(), output.fileno(), output.fileno())
        known = sandbox.environment(**environment)
        program = Orphan(["sh", "-c", command], known, stdio, directory=sandbox.path / "home")
    return program.wait(), said.read_text()


def replace(sandbox, script):
    """Have a script in place of viatty for all but setup."""
    program = sandbox.path / "bin" / "viatty"
    real = program.rename(sandbox.path / "bin" / "viatty.real")
    return sandbox.script("viatty", f'[ "$1" = setup ] && exec "{real}" "$@"\n{script}')


AT_LOGIN = '[ "$*" = "notify --from-hook" ] && exit\n'
STAND_IN = """\
printf '%s|' "$@" >"{calls}.$$"
case $* in *" -") tr '\n' '|' >>"{calls}.$$" ;; esac
echo >>"{calls}.$$"
cat "{calls}.$$" >>"{calls}"
rm "{calls}.$$"
"""


class StandIn:
    """Takes the place of viatty in a sandbox for all but setup, and what a login may ask."""

    def __init__(self, sandbox, script=""):
        self._calls = sandbox.fresh("calls")
        self._program = replace(sandbox, AT_LOGIN + script + STAND_IN.format(calls=self._calls))

    def calls(self):
        """The arguments of each call so far; a final - comes before the lines of its input."""
        if not self._calls.exists():
            return []
        return [line.split("|")[:-1] for line in self._calls.read_text().splitlines()]

    def remove(self):
        self._program.unlink()


REFUSES = """\
cat >"{input}"
echo "{reason}" >&2
echo 'hint: there is none' >&2
exit 4
"""


def refuse(sandbox, reason):
    """Installs a viatty that refuses all but setup, with a reason and a hint."""
    replace(sandbox, REFUSES.format(reason=reason, input=sandbox.fresh("input")))
