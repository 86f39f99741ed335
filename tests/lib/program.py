"""The viatty under test, and the places where it runs."""

import os
import shutil
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]


def path():
    """The program in VIATTY, by default the one built in the repository."""
    return Path(os.environ.get("VIATTY") or REPOSITORY / "viatty")


def is_sanitized():
    """Whether it has the address sanitizer, which starts slowly and aborts without memory."""
    return path().exists() and b"__asan_init" in path().read_bytes()


# The answers for programs and files.
MISSING = ("not installed", "not there: make deps-all or deps-terminals installs it")


def is_there(needed):
    """Whether a program, or a file by its absolute path, is installed."""
    return os.path.exists(needed) if os.path.isabs(needed) else bool(shutil.which(needed))


def install(sandbox):
    """Put `viatty` and `osc52` into the PATH of the sandbox.

    A copy, because another user may not have access to the repository.
    """
    program = sandbox.path / "bin" / "viatty"
    shutil.copy(path(), program)
    program.chmod(0o755)
    (sandbox.path / "bin" / "osc52").symlink_to("viatty")
    return program


class Inside:
    """A runner somewhere inside a place: in an editor, under su, in a terminal.

    relayed: it has another terminal, whose output is passed on unchanged, as by
    script(1).
    """

    def __init__(self, runner, place, relayed=False):
        self.runner, self.place, self._relayed = runner, place, relayed
        self.run, self.start, self.open = runner.run, runner.start, runner.open

    @property
    def terminal(self):
        return self.place.terminal

    def settle(self, device=None):
        if self._relayed:
            device = device or self.runner.device
        self.place.settle(device)
