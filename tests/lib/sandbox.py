"""The sandbox of a test: directory, environment, cleanup."""

import contextlib
import itertools
import os
import shutil
import socket
import tempfile
from pathlib import Path

from lib.processes import until

# The options for a sanitizer build; nothing from the developer's session.
PASSED_ON = ("ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS")

# The search for leaks at exit stops the program by a second process. A hang-up that
# arrives just then kills that one, and the program waits for it forever. The golden
# rows and the manual's examples run without a sandbox, and do search for leaks.
NO_LEAK_SEARCH = "detect_leaks=0"


class Sandbox:
    """Owns a directory and everything started in it, and cleans up both.

    The path is short, because a socket's path must fit into 108 bytes.
    """

    # The number in use: their processes are not leftovers yet.
    open = 0

    def __init__(self):
        Sandbox.open += 1
        self.path = Path(tempfile.mkdtemp(prefix="vt", dir="/tmp"))
        # Other users may pass through: some tests run a program as one of them.
        self.path.chmod(0o711)
        for name in ("home", "bin", "temporary", "tmux", "screen"):
            (self.path / name).mkdir(mode=0o700)
        (self.path / "bin").chmod(0o755)
        self._numbers = itertools.count(1)
        self._things = contextlib.ExitStack()

    def adopt(self, thing):
        """Close thing at the end, the latest first."""
        self._things.callback(thing.close)
        return thing

    def fresh(self, name):
        """An unused path in the sandbox."""
        return self.path / f"{name}{next(self._numbers)}"

    def folder(self, name, mode=0o777):
        """A new directory."""
        path = self.fresh(name)
        path.mkdir(mode)
        return path

    def script(self, name, body):
        """A shell script, which is also in PATH."""
        path = self.path / "bin" / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)
        return path

    def at_home(self, name, text=""):
        """A file in the home of the sandbox, with all directories above it."""
        path = self.path / "home" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def socket(self):
        """The path of a socket without a listener."""
        path = self.fresh("socket")
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(path))
        return path

    def environment(self, **changes):
        """The whole environment of a program started here; None removes a variable."""
        environment = {
            "PATH": f"{self.path / 'bin'}:{os.environ.get('PATH', os.defpath)}",
            "HOME": str(self.path / "home"),
            "LANG": "C.UTF-8",
            "SHELL": "/bin/sh",
            # An editor that is killed leaves its files here, to be removed with the rest.
            "TMPDIR": str(self.path / "temporary"),
            "TMUX_TMPDIR": str(self.path / "tmux"),
            "SCREENDIR": str(self.path / "screen"),
        }
        for name in PASSED_ON:
            if name in os.environ:
                environment[name] = os.environ[name]
        if "ASAN_OPTIONS" in environment:
            environment["ASAN_OPTIONS"] += f":{NO_LEAK_SEARCH}"
        environment.update(changes)
        return {name: value for name, value in environment.items() if value is not None}

    def close(self):
        try:
            self._things.close()
        finally:
            Sandbox.open -= 1
            until(self._is_gone, f"{self.path} is removed")

    # A program that ends may still add a file to a folder, or remove one.
    def _is_gone(self):
        shutil.rmtree(self.path, ignore_errors=True)
        return not self.path.exists()
