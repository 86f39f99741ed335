"""Runs of viatty in which a system call goes wrong, by inject.py."""

import json
import os
import platform
import select
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

INJECT = Path(__file__).with_name("inject.py")
# A run that hangs is ended by inject itself after 20 s.
DEADLINE = 60


@dataclass(frozen=True)
class Run:
    """How it ended; hits: faults it met; call, fd: what the first of them hit."""

    how: str
    status: int
    hits: int
    call: str
    fd: int
    modes: str
    stop: str
    front: str
    left: bool
    stdout: bytes
    stderr: bytes

    @property
    def said(self):
        return self.stderr.decode("utf-8", "replace")

    @property
    def is_mute(self):
        """The message itself, or a part of it, was not written."""
        return self.call in ("write", "writev") and not self.stderr.endswith(b"\n")

    @property
    def is_about_modes(self):
        """The first that failed is one of those that deal with a terminal."""
        requests = ("TCGETS", "TCSETS", "TIOCGPGRP", "TCFLSH", "FIONREAD")
        return self.call == "ioctl" or self.call in requests

    def is_ended_by(self, names):
        """By one of the signals among these faults."""
        return self.how == "signal" and self.status in deadly(names)

    def is_child_ended_by(self, names):
        """Its command ended by one of them, and it told by its status."""
        return self.how == "exit" and self.status - 128 in deadly(names)


def deadly(faults):
    return [getattr(signal, name) for name in faults if name.startswith("SIG")]


class Injector:
    """One command, run as often as wanted at the terminal of a place.

    start: starts inject there, as session leader or in a pane.
    """

    def __init__(self, sandbox, start, argv, stdin=b""):
        self._stem = sandbox.fresh("inject")
        self._stem.with_suffix(".in").write_bytes(stdin)
        fifos = [self._stem.with_suffix(kind) for kind in (".jobs", ".reports")]
        for fifo in fifos:
            os.mkfifo(fifo)
        # For both, so that neither end waits for the other.
        self._jobs, self._reports = (os.open(fifo, os.O_RDWR) for fifo in fifos)
        self._unread = b""
        sandbox.adopt(self)
        if platform.machine() != "x86_64":
            pytest.skip("inject.py does not know the registers of this machine")
        inject = [sys.executable, "-I", "-S", str(INJECT)]
        start([*inject, *map(str, fifos), str(self._stem), *argv])

    def run(self, number, faults="EIO", calls="all"):
        """Let the calls from that number on meet the faults; 0: none does."""
        os.write(self._jobs, f"{number} {faults} {calls}\n".encode())
        report = json.loads(self._line())
        assert isinstance(report, dict), report
        read = lambda kind: self._stem.with_suffix(kind).read_bytes()
        return Run(**report, stdout=read(".out"), stderr=read(".err"))

    def close(self):
        os.close(self._jobs)
        os.close(self._reports)

    def _line(self):
        while b"\n" not in self._unread:
            ready = select.select([self._reports], [], [], DEADLINE)[0]
            assert ready, f"no report within {DEADLINE} s"
            self._unread += os.read(self._reports, 4096)
        line, self._unread = self._unread.split(b"\n", 1)
        return line.decode()
