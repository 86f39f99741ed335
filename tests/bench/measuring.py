# SPDX-License-Identifier: MIT
"""Measuring: programs at a terminal of their own, by tests/bench/measure.c."""

import base64
import os
import re
import shlex
import subprocess
import time
import zlib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
KB, MB = 10**3, 10**6
# what measure.c answers to DA1
FENCE = "\x1b[?62;52c"
FORGET = ("TMUX", "STY", "SSH_", "VIATTY_", "ZELLIJ", "NVIM", "VIM")
# names a terminal, so that nobody has to ask it; UNNAMED names none
NAMED, UNNAMED = "foot", "xterm-256color"
# that of every count: the lookups of variables are among what is counted
BARE = {"PATH": os.environ["PATH"], "HOME": "/", "TERM": NAMED}


@dataclass
class Result:
    """Microseconds, kilobytes, page faults."""

    low: float
    median: float
    high: float
    peak: int
    faults: int


@dataclass
class Figure:
    name: str
    value: float
    low: float | None = None  # quartiles
    high: float | None = None


def time_of(name, ours, theirs):
    """The ratio of two times, with the spread that their quartiles allow."""
    return Figure(
        f"{name}: time",
        ours.median / theirs.median, ours.low / theirs.high, ours.high / theirs.low,
    )


def speed_of(name, ours, theirs):
    return Figure(
        f"{name}: speed",
        theirs.median / ours.median, theirs.low / ours.high, theirs.high / ours.low,
    )


def environment(term=NAMED):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(FORGET)}
    return {**kept, "TERM": term}


def until(holds, seconds=20):
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise TimeoutError("tmux has not begun")
        time.sleep(0.01)


def unit(size):
    return f"{size // MB} MB" if size >= MB else f"{size // KB} kB"


class Bench:
    """Measures in `folder`, where all of its files go."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.measure = folder / "measure"
        subprocess.run(
            ["cc", "-O2", "-D_GNU_SOURCE", "-o", self.measure, HERE / "measure.c",
             "-lpthread"],
            check=True,
        )

    # ---- files ---------------------------------------------------------------

    def random(self, size):
        """Text, for few terminals store all bytes."""
        path = self.folder / f"{size}.random"
        if not path.exists():
            path.write_bytes(base64.b64encode(os.urandom(size))[:size])
        return str(path)

    def sequence(self, size, wrap="none", options=()):
        """The very bytes that a copy of that size sends."""
        path = self.folder / f"{size}.{wrap}{''.join(options)}.sequence"
        if not path.exists():
            with path.open("wb") as out:
                subprocess.run(
                    [self.program, "copy", "--print=raw", f"--wrap={wrap}", *options,
                     self.random(size)],
                    stdout=out, check=True,
                )
        return str(path)

    def reply(self, size):
        """What a terminal says when it is asked for a clipboard of that size."""
        path = self.folder / f"{size}.reply"
        if not path.exists():
            data = base64.b64encode(os.urandom(size))
            path.write_bytes(b"\x1b]52;c;" + data + b"\x1b\\")
        return path

    def lines(self, name, size, line):
        """Such lines, numbered so that no two are alike; whole ones only."""
        path = self.folder / f"{size}.{name}"
        if not path.exists():
            with path.open("w") as out:
                for number in range(size // (len(line) + 9)):
                    out.write(f"{number:7} {line}\n")
        return path

    def repeated(self, text, size):
        """One line, which is that text again and again."""
        path = self.folder / f"{size}.{zlib.crc32(text.encode())}.repeated"
        if not path.exists():
            path.write_text(text * (size // len(text)))
        return path

    # ---- runs ----------------------------------------------------------------

    def run(self, rounds, stdin, *commands, options=(), env=None):
        """A Result for each of the commands, run in turns."""
        return self._results(subprocess.run(
            self._words(rounds, stdin, commands, options), env=env or environment(),
            stdout=subprocess.PIPE, text=True, check=True, cwd=self.folder,
        ).stdout)  # fmt: skip

    def run_in_pane(self, tmux, rounds, stdin, *commands):
        """The same in a pane of this server: in its environment, below its process."""
        out = self.folder / "of-the-pane"
        words = shlex.join(self._words(rounds, stdin, commands, ["-p"]))
        told = f"{shlex.join(tmux)} wait-for -S measured"
        line = f"{words} >{shlex.quote(str(out))}; {told}; exec cat"
        subprocess.run([*tmux, "respawn-pane", "-k", line], check=True)
        subprocess.run([*tmux, "wait-for", "measured"], check=True, timeout=120)
        return self._results(out.read_text())

    def _words(self, rounds, stdin, commands, options):
        words = [str(self.measure), *options, str(rounds), str(stdin)]
        for i, command in enumerate(commands):
            words += ["--"] * (i > 0) + list(command)
        return words

    @staticmethod
    def _results(out):
        rows = [row.split("\t") for row in out.splitlines()]
        return [Result(*map(float, row[:3]), *map(int, row[3:])) for row in rows]

    def faults(self, *command, stdin="/dev/null"):
        (result,) = self.run(5, stdin, command, env=BARE)
        return result.faults

    def instructions(self, *command, stdin="/dev/null", options=()):
        return self.told(
            ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
             f"--log-file={self.folder}/told"],
            r"Collected : (\d+)", command, stdin, options,
        )

    def system_calls(self, *command, stdin="/dev/null"):
        return self.told(
            ["strace", "-f", "-c", "-U", "calls", "-o", f"{self.folder}/told"],
            r"(\d+) total\s*$", command, stdin, (),
        )

    def told(self, tool, pattern, command, stdin, options):
        """The number that a tool writes down about one run."""
        self.run(0, stdin, [*tool, *command], options=options, env=BARE)
        return int(re.search(pattern, (self.folder / "told").read_text())[1])
