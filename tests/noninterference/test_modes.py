"""The terminal's modes are as before, whoever used it at once or was ended."""

import fcntl
import os
import signal
import subprocess
import sys
import termios
import time

import pytest
from place import COPIED

from lib import expect
from lib.answering import CLIPBOARD, FOOT, NAME, Hold, clipboard
from lib.faults import Beside, Launcher, fails, is_waiting
from lib.processes import until

ECHO, CANONICAL = termios.ECHO, termios.ICANON
LOCAL = 3  # of what tcgetattr gives


def as_before(terminal, before):
    until(lambda: terminal.modes() == before, "the modes are as they were", 5)


def is_raw(terminal):
    return not terminal.modes()[LOCAL] & (ECHO | CANONICAL)


@pytest.mark.unsanitized
def test_a_paste_without_memory_leaves_the_modes(shell, answering):
    answering._script[CLIPBOARD] = clipboard(bytes(8 << 20))
    before = answering.modes()
    outcome = shell.run(["sh", "-c", "ulimit -v 12000; exec viatty paste"])
    fails(outcome, 1, ["out of memory"])
    as_before(answering, before)


def test_only_what_was_changed_is_put_back(shell, answering):
    """Somebody else changes other modes meanwhile."""
    answering._script[CLIPBOARD] = [Hold, clipboard(b"text")]
    started = shell.start(["viatty", "paste", "--timeout", "60"])
    answering.wait_until_asked(b"52")
    modes = answering.modes()
    modes[0] &= ~termios.IXON
    modes[LOCAL] |= termios.NOFLSH
    termios.tcsetattr(answering.slave, termios.TCSANOW, modes)
    answering.go_on()
    assert started.wait().stdout == b"text"
    modes[LOCAL] |= ECHO | CANONICAL
    after = answering.modes()
    assert after[:4] == modes[:4]
    assert is_raw(answering) is False


HOLD = "import fcntl, os, signal, sys; " \
    "fcntl.lockf(os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY), fcntl.LOCK_EX); " \
    "print('locked', flush=True); signal.pause()"


@pytest.mark.slow
def test_a_stranger_with_the_lock_is_waited_for_once(shell, answering):
    holder = subprocess.Popen([sys.executable, "-c", HOLD, answering.device], stdout=subprocess.PIPE)
    try:
        assert holder.stdout.readline() == b"locked\n"
        began = time.monotonic()
        outcome = shell.run(["viatty", "paste"], timeout=15)
        assert time.monotonic() - began < 3.5
        assert outcome.status == 4
        assert "another viatty" in outcome.said
        began = time.monotonic()
        outcome = shell.run(["viatty", "copy"], stdin=expect.sample(20_000), timeout=15)
        assert outcome.status == 0
        assert time.monotonic() - began < 3.5
    finally:
        holder.kill()
        holder.wait()
    assert shell.run(["viatty", "paste"]).stdout == COPIED


def test_a_lock_that_was_left_on_an_inherited_descriptor_is_none(shell, answering):
    """flock(1) on the descriptor that a shell goes on to use."""
    fd = os.open(answering.device, os.O_RDWR | os.O_NOCTTY)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        assert shell.run(["viatty", "paste"]).stdout == COPIED
    finally:
        os.close(fd)


def test_who_is_asked_for_by_doctor_does_not_seem_to_have_typed(shell, answering):
    """w(1) and others tell by that time when somebody was there."""
    os.utime(answering.device, (0, 0))
    assert shell.run(["viatty", "doctor"]).status == 0
    assert answering.asked()
    assert os.stat(answering.device).st_atime == 0


def test_nor_who_is_asked_for_by_two_at_once(sandbox, place_at):
    """The second has its turn when the first has read a part of its reply."""
    place = place_at({**FOOT, NAME: [FOOT[NAME], Hold]})
    terminal, both = place.terminal, Launcher(sandbox, Beside(place))
    os.utime(terminal.device, (0, 0))
    first = both.start(["viatty", "doctor"])
    until(lambda: os.stat(terminal.device).st_atime > 0, "a part of the reply is read")
    second = both.start(["viatty", "doctor"])
    until(lambda: is_waiting(second.pid), "the other waits")
    for each in (first, second):
        terminal.go_on()
    assert [first.wait().status, second.wait().status] == [0, 0]
    assert os.stat(terminal.device).st_atime == 0
