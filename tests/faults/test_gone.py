"""Terminals that take no more, that close in the middle, or have closed before.

How a long copy fares there is in tests/pty/test_terminal_faults.py; here are all the
others that write to a terminal or ask it.
"""

import os
import shlex
import signal

import pytest

from lib.faults import drained, fails, fill, is_waiting, well_said
from lib.processes import family, is_alive, until

# Each with its input. With a command of its own it ends as that does, and warns.
WRITERS = {
    "title": ("title --no-probe text", b""),
    "notify": ("notify --no-probe text", b""),
    "raw": ("raw --no-probe", b"\x1b]2;title\x07"),
    "title-while": ("title --no-probe --term kitty --while text -- sh -c 'exit 7'", b""),
    "run": ("run --no-probe --term iterm2 sh -c 'exit 7'", b""),
}
STATUS = {"title-while": 7, "run": 7}
WRITING = pytest.mark.parametrize("name", WRITERS)


def words(name, patience="0.2"):
    command, *rest = shlex.split(WRITERS[name][0])
    return ["viatty", command, "--timeout", patience, *rest]


def tells(outcome, name, status):
    """A message and this status; with a command it is a warning and that one's."""
    fails(outcome, STATUS.get(name, status))
    assert name not in STATUS or ": warning: " in outcome.said


@WRITING
def test_a_terminal_that_takes_no_more_is_given_up(shell, name):
    before = shell.terminal.modes()
    shell.terminal.pause()
    fill(shell.terminal)
    tells(shell.run(words(name), stdin=WRITERS[name][1]), name, 1)
    assert shell.terminal.modes() == before
    assert set(drained(shell.terminal)) == {ord(".")}


@WRITING
@pytest.mark.parametrize("ignored", [[signal.SIGHUP], []], ids=["ignored", "deadly"])
def test_a_terminal_that_closes_while_it_takes_no_more(shell, name, ignored):
    shell.terminal.pause()
    fill(shell.terminal)
    started = shell.start(words(name, patience="60"), stdin=WRITERS[name][1], ignored=ignored)
    until(lambda: is_alone_and_waits(started.pid), "the write waits")
    shell.terminal.hang_up()
    outcome = started.wait()
    if name in STATUS and outcome.status == 128 + signal.SIGHUP:
        # The write failed first, and then its command got the signal.
        assert not ignored
        well_said(outcome)
    elif ignored or outcome.status >= 0:
        tells(outcome, name, 1)
    else:
        assert outcome.status == -signal.SIGHUP


def is_alone_and_waits(pid):
    """Not for its command."""
    return family(pid) == [pid] and is_waiting(pid)


def late(shell, line, **how):
    """It starts once there is no terminal any more."""
    go = shell.sandbox.fresh("go")
    os.mkfifo(go)
    script = 'read line <"$0"; exec "$@"'
    started = shell.start(
        ["sh", "-c", script, str(go), *line], ignored=[signal.SIGHUP], **how
    )
    with open(go, "r+b", buffering=0) as writer:
        shell.terminal.hang_up()
        until(lambda: not is_alive(shell.place.runner.pid), "the shell dies")
        writer.write(b"\n")
        return started.wait()


@WRITING
def test_a_terminal_that_has_closed_cannot_be_reached(shell, name):
    tells(late(shell, words(name), stdin=WRITERS[name][1]), name, 3)


# ---- asking --------------------------------------------------------------------------

PROGRESS = ["viatty", "progress", "50"]


def test_an_asker_finds_a_terminal_closed(shell):
    fails(late(shell, PROGRESS), 3)


def test_a_terminal_that_does_not_take_the_question(shell):
    before = shell.terminal.modes()
    shell.terminal.pause()
    fill(shell.terminal)
    fails(shell.run([*PROGRESS, "--timeout", "1"]), 4)
    assert shell.terminal.modes() == before
