"""What is said and done when a call fails at a place that matters."""

import base64
import signal
import termios

import pytest
from injector import Injector
from table import COMMANDS, TEXT

from lib import program, sequences
from lib.answering import CLIPBOARD, FOOT, AnsweringTerminal, clipboard
from lib.faults import echoes, stalled, well_said
from lib.processes import until
from lib.terminal import OuterTerminal

WRITES = "write,writev"


@pytest.fixture
def copy(sandbox):
    terminal = OuterTerminal(sandbox, environment={"VIATTY_PROBE": "never"})
    injector = Injector(sandbox, terminal.start, ["viatty", "copy"], TEXT)
    injector.terminal = terminal
    return injector


@pytest.fixture
def paste(sandbox):
    script = {**FOOT, CLIPBOARD: clipboard(TEXT)}
    terminal = AnsweringTerminal(sandbox, script)
    argv = ["viatty", "paste", "--timeout", "1"]
    injector = Injector(sandbox, terminal.start, argv)
    injector.terminal = terminal
    return injector


def got(injector):
    injector.terminal.settle()
    stream = injector.terminal.recorded()
    injector.terminal.forget()
    return stream


def test_a_sequence_that_cannot_be_closed_is_told(copy):
    # what is left, and what would close it at once and with waiting
    run = copy.run(1, "short,EIO,EIO,EIO", WRITES)
    assert (run.how, run.status) == ("exit", 1)
    well_said(run)
    assert "the terminal may hold an open sequence" in run.said


def test_a_write_that_is_interrupted_in_the_middle_is_gone_on_with(copy):
    run = copy.run(1, "short,EINTR,EINTR", WRITES)
    assert (run.how, run.status, run.said, run.hits) == ("exit", 0, "", 3)
    assert sequences.clipboard_writes(got(copy)) == [("c", TEXT)]


# ---- signals -------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_comes_right_after_the_write_is_not_lost(copy, number):
    for call in range(1, 1000):
        run = copy.run(call, number.name, "all")
        if run.call == "exit_group":
            return
        assert (run.how, run.status) == ("signal", number), f"call {call}: {run}"


def test_a_signal_that_comes_late_does_not_become_an_alarm(copy):
    for call in range(1, 1000):
        run = copy.run(call, "SIGTERM,pause+", "all")
        if run.call == "exit_group":
            return
        assert (run.how, run.status) == ("signal", signal.SIGTERM), f"call {call}: {run}"


# What is done with the modes changed: the writing, the asking, and the putting back.
WITHIN = {"write", "fcntl", "read", "poll", "ppoll", "TCGETS", "TCSETS", "TCFLSH",
          "FIONREAD", "rt_sigpending", "rt_sigaction", "rt_sigprocmask", "setitimer",
          "clock_gettime"}  # fmt: skip
# Where nothing is asked, and nothing long is written.
NEVER = ["copy", "title", "notify", "raw", "run", "title-while"]
CHANGING = ["copy-long", "paste", "doctor"]


@pytest.mark.parametrize("name", NEVER + CHANGING)
def test_a_kill_finds_the_modes_changed_only_meanwhile(sandbox, name):
    command = COMMANDS[name]
    place = command.place(sandbox)
    injector = Injector(sandbox, place.start, command.argv, command.stdin)
    changed = set()
    for call in range(1, 1000):
        run = injector.run(call, "SIGKILL", "all")
        place.take(run)
        if not run.hits:
            break
        if run.modes == "changed":
            changed.add(run.call)
    assert call < 999
    # A sanitizer has calls of its own.
    assert changed <= WITHIN or program.is_sanitized()
    assert bool(changed) == (name in CHANGING)


def test_after_a_kill_the_next_copy_arrives(shell):
    """A kill may leave an open sequence, which the next ends, and ECHO off."""
    before = shell.terminal.modes()
    started = stalled(shell)
    until(lambda: not echoes(shell.terminal), "ECHO is off")
    started.signal(signal.SIGKILL)
    assert started.wait().status == -signal.SIGKILL
    # A shell that edits its lines puts this right by itself.
    termios.tcsetattr(shell.terminal.slave, termios.TCSANOW, before)
    shell.terminal.resume()
    assert shell.run(["viatty", "copy"], stdin=TEXT).status == 0
    shell.terminal.settle()
    sequence = b"\x1b]52;c;" + base64.b64encode(TEXT) + b"\x1b\\"
    # A reply to a query of the killed one may come last of all, and is echoed.
    assert sequence in shell.terminal.recorded()


# ---- questions -----------------------------------------------------------------------


@pytest.mark.parametrize("question", [1, 2], ids=["who are you", "clipboard"])
def test_a_question_that_is_interrupted_in_the_middle_is_gone_on_with(paste, question):
    run = paste.run(question, "short,EINTR,EINTR", WRITES)
    assert (run.how, run.status, run.hits) == ("exit", 0, 3)
    assert run.stdout == TEXT

