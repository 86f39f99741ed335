"""What a terminal says too late does not reach the shell."""

import sys
import time

import pytest
from faults import Launcher, fails

from lib.answering import (
    CLIPBOARD,
    DA1,
    FENCE,
    FOOT,
    ST,
    TITLE,
    AnsweringTerminal,
    Pause,
    clipboard,
    title,
)
from lib.left import left_for_the_shell
from lib.program import Inside, is_sanitized

MIB = 1 << 20


@pytest.fixture
def at(sandbox):
    def at(script):
        terminal = AnsweringTerminal(sandbox, script)
        return Launcher(sandbox, Inside(terminal.runner(), terminal))

    return at


def pieces(data, count, seconds):
    """The bytes in so many pieces, with a pause before each."""
    size = -(-len(data) // count)
    steps = []
    for start in range(0, len(data), size):
        steps += [Pause(seconds), data[start : start + size]]
    return steps


LATE = {
    "after the time limit": [Pause(0.9), title(b"late") + FENCE],
    "in pieces, each later than the limit": pieces(title(b"late" * 9) + FENCE, 5, 0.7),
    "an identity in pieces": pieces(FENCE, 4, 0.7),
}


@pytest.mark.parametrize("answer", LATE.values(), ids=LATE)
@pytest.mark.parametrize("command", [["--get"], ["--while", "x", "--", "true"]],
                         ids=["get", "while"])
def test_a_late_reply_is_read_away(at, command, answer):
    shell = at({TITLE: answer})
    shell.run(["viatty", "title", "--timeout", "0.3", *command])
    until_said(shell.terminal)
    assert left_for_the_shell(shell.terminal) == 0


def until_said(terminal):
    deadline = time.monotonic() + 10
    while not terminal.has_said_all() and time.monotonic() < deadline:
        time.sleep(0.01)
    terminal.settle()


def test_a_command_gets_nothing_of_a_late_reply(at):
    """It reads what is there as soon as it runs."""
    shell = at({TITLE: pieces(title(b"late" * 9) + FENCE, 5, 0.7)})
    reads = "import os, select, termios, tty; tty.setcbreak(0); " \
        "got = select.select([0], [], [], 0.5)[0]; " \
        "os.write(1, os.read(0, 99) if got else b'nothing')"
    outcome = shell.run(
        ["viatty", "title", "--timeout", "0.3", "--while", "x", "--",
         sys.executable, "-c", reads],
        descriptors={0: (shell.terminal.device, "r")},
    )
    assert outcome.stdout == b"nothing"


def test_a_reply_longer_than_the_limit_is_read_away(at):
    data = bytes(3 * MIB)
    shell = at({**FOOT, CLIPBOARD: clipboard(data)})
    outcome = shell.run(["viatty", "paste", "--max", str(MIB)])
    fails(outcome, 4, ["1048576", "--max"])
    assert left_for_the_shell(shell.terminal) == 0


def test_a_reply_without_end_stops_at_the_limit(at):
    """More than 64 MiB of text, and then no end."""
    script = {**FOOT, CLIPBOARD: [b"\x1b]52;c;", *[b"QUFB" * (MIB // 4)] * 100]}
    shell = at(script)
    outcome = shell.run(["viatty", "paste"], timeout=120)
    fails(outcome, 4, ["67108864", "--max"])
    assert outcome.stdout == b""
    # AddressSanitizer keeps up to 256 MiB of what was freed.
    assert outcome.peak < (200 + 256 * is_sanitized()) * MIB
    assert shell.terminal.has_said_all()
    assert left_for_the_shell(shell.terminal) == 0


def test_max_raises_the_limit(at):
    script = {**FOOT, CLIPBOARD: [b"\x1b]52;c;", *[b"QUFB" * (MIB // 4)] * 90, ST]}
    outcome = at(script).run(["viatty", "paste", "--max", str(100 * MIB)], timeout=120)
    assert outcome.status == 0, outcome.said
    assert len(outcome.stdout) == 90 * MIB // 4 * 3
