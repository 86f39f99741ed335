"""Which viatty is tested, and the place from which it runs."""

import os
import shutil
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]


def path():
    """VIATTY names the program; else it is the one built in the repository."""
    return Path(os.environ.get("VIATTY") or REPOSITORY / "viatty")


def is_sanitized():
    """The address sanitizer ends a program that lacks memory, and starts slowly."""
    return path().exists() and b"__asan_init" in path().read_bytes()


# What is said of a program, and of a file.
MISSING = ("not installed", "not there: make test-deps fetches it")


def is_there(needed):
    """Whether a program is installed; or a file is, by its absolute path."""
    return os.path.exists(needed) if os.path.isabs(needed) else bool(shutil.which(needed))


def install(sandbox):
    """Put `viatty` and `osc52` into the PATH of the sandbox.

    A copy, because another user may not be allowed to look into the repository.
    """
    program = sandbox.path / "bin" / "viatty"
    shutil.copy(path(), program)
    program.chmod(0o755)
    (sandbox.path / "bin" / "osc52").symlink_to("viatty")
    return program


class Inside:
    """A runner somewhere inside a place: in an editor, under su, in a terminal.

    relayed: its terminal is one of its own, and all that is written there is passed
    on unchanged, as script does.
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
