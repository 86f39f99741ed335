"""What a terminal says too late does not reach the shell."""

import signal
import sys
import termios
import time

import pytest

from lib.answering import (
    ALLOWED,
    CLIPBOARD,
    DA1,
    DA2,
    DA3,
    DISALLOWED,
    DISALLOWED_401,
    FENCE,
    FOOT,
    NAME,
    ST,
    XTERM,
    Hold,
    Pause,
    clipboard,
    color,
    colored,
)
from lib.faults import fails
from lib.left import left_for_the_shell
from lib.processes import until
from lib.program import is_sanitized

MIB = 1 << 20


def pieces(data, count, seconds):
    """The bytes in so many pieces, with a pause before each."""
    size = -(-len(data) // count)
    steps = []
    for start in range(0, len(data), size):
        steps += [Pause(seconds), data[start : start + size]]
    return steps


BLACK = colored("background", b"rgb:0000/0000/0000")
LATE = {
    "after the time limit": [Pause(0.9), BLACK + FENCE],
    "in pieces, each later than the limit": pieces(BLACK + FENCE, 5, 0.7),
    "an identity in pieces": pieces(FENCE, 4, 0.7),
}


@pytest.mark.slow
@pytest.mark.parametrize("answer", LATE.values(), ids=LATE)
def test_a_late_reply_is_read_away(at, answer):
    shell = at({color("background"): answer})
    shell.run(["viatty", "color", "background", "--timeout", "0.3"], environment={"TERM": "foot"})
    until_said(shell.terminal)
    assert left_for_the_shell(shell.terminal) == 0


def until_said(terminal):
    until(terminal.has_said_all, "all replies are given")
    terminal.settle()


def slowly(script, seconds):
    """The same replies, each query's after a pause."""
    first = next(iter(script))
    return {**script, first: [Pause(seconds), script[first]]}


IDENTIFIED = {"copy": ["viatty", "copy", "-s", "text"], "paste": ["viatty", "paste"],
              "title": ["viatty", "title", "--outer", "text"], "doctor": ["viatty", "doctor"]}


@pytest.mark.parametrize("argv, seconds", [
    *(pytest.param(argv, 1.2, id=name) for name, argv in IDENTIFIED.items()),
    pytest.param(IDENTIFIED["copy"], 1.8, id="copy, later"),
])
def test_an_identity_that_is_late_by_default_is_read_away(at, argv, seconds):
    shell = at(slowly(FOOT, seconds))
    shell.run(argv)
    until_said(shell.terminal)
    assert left_for_the_shell(shell.terminal) == 0


LISTED = b"\x1b]61;GetSelection,SetSelection" + ST
SETTINGS = {ALLOWED: b"\x1b]60;allowTitleOps" + ST, DISALLOWED: LISTED, DISALLOWED_401: LISTED}
AGAIN = [Pause(0.1), *[FOOT[q] for q in (NAME, DA2, DA3)], FENCE]
COPY, COLOR = ["viatty", "copy", "-s", "text"], ["viatty", "color", "background"]
SECOND = {
    "xterm's settings": (COPY, {**XTERM, **slowly(SETTINGS, 1.2)}, ALLOWED),
    "the same later": (COPY, {**XTERM, **slowly(SETTINGS, 1.8)}, ALLOWED),
    "the clipboard": (["viatty", "paste"],
        {**FOOT, CLIPBOARD: [Pause(3.2), clipboard(b"text")]}, CLIPBOARD),
    "a color": (COLOR, {**FOOT, color("background"): [Pause(3.2), BLACK]}, color("background")),
    # as two terminals reply that watch one session, or a relay that sends again
    "an identity that comes twice": (COLOR, {**FOOT, NAME: [], DA2: [], DA3: [],
        DA1: [Pause(1.1), *AGAIN, *AGAIN]}, DA1),
}


@pytest.mark.slow
@pytest.mark.parametrize("argv, script, question", SECOND.values(), ids=SECOND)
def test_a_late_reply_to_a_second_query_is_read_away(at, argv, script, question):
    shell = at(script)
    shell.run(argv)
    until_said(shell.terminal)
    assert question in b" ".join(shell.terminal.asked())
    assert left_for_the_shell(shell.terminal) == 0


def test_a_second_copy_of_the_replies_is_read_away(at):
    """Screen hands on what each of its displays replies."""
    shell = at({**FOOT, DA1: [FENCE, *AGAIN]})
    shell.run(["viatty", "doctor"], environment={"TERM": "screen", "STY": "1.pts-0.here"})
    until_said(shell.terminal)
    assert shell.terminal.asked()
    assert left_for_the_shell(shell.terminal) == 0


# ---- keys -----------------------------------------------------------------------------

LOST = "viatty paste: warning: keys that were typed while the terminal was queried are lost\n"


def type_slowly(terminal, keys):
    for key in keys:
        time.sleep(0.05)  # as fast as somebody types
        terminal.type(key)


def drops_the_line(shell, started, rest):
    type_slowly(shell.terminal, rest)
    outcome = started.wait()
    assert (outcome.status, outcome.stdout, outcome.said) == (0, b"text", LOST)
    assert left_for_the_shell(shell.terminal) == 0


def test_of_a_line_that_was_read_in_part_nothing_reaches_the_shell(at):
    shell = at({**FOOT, CLIPBOARD: clipboard(b"text")})
    shell.terminal.pause()
    started = shell.start(["viatty", "paste"])
    until(lambda: not shell.terminal.modes()[3] & termios.ICANON, "the query is sent")
    shell.terminal.type("echo rm ")
    shell.terminal.resume()
    drops_the_line(shell, started, "-rf x\r")


def test_a_line_that_goes_on_after_the_reply_is_dropped_to_its_end(at):
    shell = at({**FOOT, CLIPBOARD: clipboard(b"text")})
    shell.terminal.type("echo ")
    shell.terminal.wait_for(b"echo ", what="the echo")
    started = shell.start(["viatty", "paste"])
    shell.terminal.wait_until_asked(NAME)
    drops_the_line(shell, started, "rm -rf x\r")


@pytest.mark.slow
def test_keys_do_not_keep_it_for_ever(at):
    """Whoever leans on a key, without a line's end, is left alone after three seconds."""
    shell = at({**FOOT, CLIPBOARD: clipboard(b"text")})
    shell.terminal.type("x")
    shell.terminal.wait_for(b"x", what="the echo")
    started = shell.start(["viatty", "paste"])
    began = time.monotonic()
    while not started.has_ended() and time.monotonic() - began < 10:
        shell.terminal.type("x")
        time.sleep(0.1)  # as a key repeats
    assert time.monotonic() - began < 9
    assert started.wait().stdout == b"text"


def test_a_line_typed_when_the_replies_are_there_is_the_shell_s(at):
    shell = at({**FOOT, CLIPBOARD: clipboard(b"text")})
    outcome = shell.run(["viatty", "paste"])
    shell.terminal.type("ls\r")
    assert (outcome.status, outcome.said) == (0, "")
    until(lambda: left_for_the_shell(shell.terminal) == 3, "the line waits")


def test_after_control_c_nothing_more_is_asked(at):
    shell = at({**FOOT, NAME: [Hold]})
    argv = ["viatty", "doctor", "color", "paste", "--timeout", "300"]
    started = shell.start(argv, group="foreground")
    shell.terminal.wait_until_asked(NAME)
    before = len(shell.terminal.asked())
    shell.terminal.type("ec\x03")
    assert started.wait().status == -signal.SIGINT
    assert len(shell.terminal.asked()) == before


@pytest.mark.slow
def test_a_command_gets_nothing_of_a_late_reply(at):
    """It reads what is there as soon as it runs."""
    shell = at({DA1: [Pause(1.5), FENCE]})
    reads = "import os, select, termios, tty; tty.setcbreak(0); " \
        "got = select.select([0], [], [], 0.5)[0]; " \
        "os.write(1, os.read(0, 99) if got else b'nothing')"
    outcome = shell.run(
        ["viatty", "title", "--while", "busy", "--", sys.executable, "-c", reads],
        descriptors={0: (shell.terminal.device, "r")},
    )
    assert outcome.stdout == b"nothing"


def test_a_reply_longer_than_the_limit_is_read_away(at):
    data = bytes(3 * MIB)
    shell = at({**FOOT, CLIPBOARD: clipboard(data)})
    outcome = shell.run(["viatty", "paste", "--max", str(MIB)])
    fails(outcome, 4, ["1048576", "--max"])
    assert left_for_the_shell(shell.terminal) == 0


@pytest.mark.slow
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


@pytest.mark.slow
def test_max_raises_the_limit(at):
    script = {**FOOT, CLIPBOARD: [b"\x1b]52;c;", *[b"QUFB" * (MIB // 4)] * 90, ST]}
    outcome = at(script).run(["viatty", "paste", "--max", str(100 * MIB)], timeout=120)
    assert outcome.status == 0, outcome.said
    assert len(outcome.stdout) == 90 * MIB // 4 * 3
