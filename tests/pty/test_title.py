"""Titles: what no text can do, and what a terminal that is asked can do to us."""

import os
import signal

import pytest

from lib import sequences
from lib.expect import harmless
from lib.faults import fails, nothing_at, well_said
from lib.processes import until

# The longest title that every terminal shows.
SURE = 255

HOSTILE = {
    "every C0": bytes(range(32)),
    "every C1 in UTF-8": "".join(map(chr, range(0x80, 0xA0))).encode(),
    "a title of its own": b"a\x1b\\\x1b]2;owned\a",
    "the beginning of one": b"\x1bPtmux;\x1b\x1b]2;x\a\x1b\\",
    "10 kB of escapes": b"\x1b" * 10240,
    "wide characters, shifted": b"a" + "✓".encode() * 3413,
    "four bytes each, shifted": b"abc" + "𝄞".encode() * 2500,
    "broken UTF-8": b"\xff\xfe\xc3(\xe2\x82\xf0\x9f\x92",
    "ESC in the low bits": "\u261b\u265c\u2607".encode(),
    "line breaks": b"a\r\nb\rc\nd\te",
}


def cut(text, size):
    """As many whole characters as fit."""
    return text.encode()[:size].decode("utf-8", "ignore")


def is_the_only(terminal, payload, kind="osc"):
    """Exactly one sequence with exactly this, and not a byte more."""
    terminal.settle()
    (token,) = sequences.parse_strictly(terminal.recorded())
    assert (token.kind, token.payload) == (kind, payload)
    assert token.terminator == sequences.ST


# ---- any text ----------------------------------------------------------------------


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_any_text_becomes_exactly_one_sequence(shell, text):
    for limit, how in (SURE, []), (None, ["--term", "kitty"]):
        if len(text) <= SURE and limit:
            continue
        outcome = shell.run(["viatty", "title", "-q", *how, "-"], stdin=text)
        assert (outcome.status, outcome.stderr) == (0, b"")
        wanted = harmless(text.removesuffix(b"\n"))
        is_the_only(shell.terminal, b"0;" + cut(wanted, limit or len(text) * 3).encode())
        shell.terminal.forget()


def test_a_title_that_is_cut_or_damaged_is_said_to_be(shell):
    outcome = shell.run(["viatty", "title", "a" * 300])
    assert outcome.status == 0
    well_said(outcome)
    assert "warning: title cut to 255 of 300 bytes" in outcome.said
    is_the_only(shell.terminal, b"0;" + b"a" * SURE)
    assert "ASCII" in shell.run(["viatty", "title", "-w", "screen", "a✓b"]).said


def test_a_writer_without_an_end_does_not_keep_it(shell, sandbox):
    endless = {0: ["/dev/zero", "r"]}
    outcome = shell.run(["viatty", "title", "-q", "-"], descriptors=endless)
    assert outcome.status == 0
    is_the_only(shell.terminal, b"0;" + ("\ufffd" * (SURE // 3)).encode())


# ---- while a command runs ----------------------------------------------------------


DURING = ("viatty", "title", "--while", "busy")
KEPT, BUSY, RESTORED = b"\x1b[22;0t", b"\x1b]0;busy\x1b\\", b"\x1b[23;0t"


def during(shell, *command, term="foot", how=()):
    return shell.run([*DURING, *how, "--term", term, "--", *command])


def went(terminal, *sequences):
    terminal.settle()
    assert terminal.recorded() == b"".join(sequences)


@pytest.fixture
def waiting(shell, sandbox):
    """A command that says when it runs, and runs until it is killed."""

    def waiting(trap="", **how):
        mark = sandbox.fresh("mark")
        script = f"{trap} echo $$ >{mark}.new; mv {mark}.new {mark}; sleep 60 & wait"
        argv = [*DURING, "--term", "foot", "--", "sh", "-c", script]
        running = shell.start(argv, **how)
        until(mark.exists, "the command runs")
        shell.terminal.wait_for(BUSY)
        return running, int(mark.read_text())

    return waiting


@pytest.mark.parametrize("end, status", [("exit 1", 1), ("kill -KILL $$", 137)])
def test_a_title_is_kept_and_restored_around_a_command(shell, end, status):
    outcome = during(shell, "sh", "-c", f"echo out; echo err >&2; {end}")
    assert (outcome.status, outcome.stdout) == (status, b"out\n")
    assert outcome.stderr == b"err\n"
    went(shell.terminal, KEPT, BUSY, RESTORED)


def test_options_end_at_the_command(shell):
    """As in run, relay and ssh; those before it may stand behind the title."""
    outcome = shell.run([*DURING, "--term", "foot", "sh", "-c", "exit 3"])
    assert (outcome.status, outcome.said) == (3, "")
    went(shell.terminal, KEPT, BUSY, RESTORED)


def test_a_command_that_cannot_be_run(shell):
    outcome = during(shell, "/nowhere/x")
    fails(outcome, 127, "cannot run")
    went(shell.terminal, KEPT, BUSY, RESTORED)


def test_a_signal_ends_the_command_and_restores_the_title(shell, waiting):
    running, child = waiting()
    running.signal(signal.SIGTERM)
    assert running.wait().status == 128 + signal.SIGTERM
    went(shell.terminal, KEPT, BUSY, RESTORED)


@pytest.mark.parametrize("trap, status", [("", -signal.SIGINT), ("trap 'exit 7' INT;", 7)])
def test_control_c_ends_both_and_restores_the_title(shell, waiting, trap, status):
    running, child = waiting(trap, group="foreground")
    os.killpg(os.getpgid(running.pid), signal.SIGINT)
    assert running.wait().status == status
    went(shell.terminal, KEPT, BUSY, RESTORED)


def test_without_a_terminal_the_command_runs(nowhere):
    outcome = nowhere.run([*DURING, "--", "sh", "-c", "echo out; exit 3"])
    assert (outcome.status, outcome.stdout) == (3, b"out\n")
    well_said(outcome)
    assert "no terminal can be reached" in outcome.said
    assert outcome.said.count("warning: ") == 1


def test_where_no_title_can_be_set_the_command_runs(shell):
    outcome = during(shell, "sh", "-c", "exit 3", term="linux")
    assert outcome.status == 3
    assert "warning: " in outcome.said
    nothing_at(shell.terminal)


def test_a_mistake_runs_nothing(shell, sandbox):
    mark = sandbox.fresh("mark")
    outcome = shell.run([*DURING, "--route", "passthrough", "--", "touch", str(mark)])
    fails(outcome, 2, "hint: ")
    assert not mark.exists()
