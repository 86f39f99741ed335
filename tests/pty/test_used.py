"""notify --from-hook: whether somebody used a slow command, by the access time of the terminal."""

import os
import time

import pytest

from lib.answering import FOOT, NAME, PLAIN, AnsweringTerminal, Hold
from lib.faults import Launcher
from lib.terminal import OuterTerminal

def finished(shell, seconds):
    """What the terminal gets after a command of so many seconds."""
    shell.terminal.forget()
    outcome = shell.run(["viatty", "notify", f"--from-hook={seconds}", "make", "done"])
    assert outcome.status == 0, outcome.said
    shell.terminal.settle()
    return shell.terminal.recorded()


@pytest.fixture
def shell(sandbox):
    return Launcher(sandbox, OuterTerminal(sandbox, term="xterm-kitty"))


def age(terminal, seconds):
    """Have the terminal read so long ago; the second has just begun."""
    time.sleep(1.02 - time.time() % 1)  # no event tells when a second begins
    os.utime(terminal.device, (int(time.time()) - seconds, 0))


# A program takes its time, so the clock may go on by a second until it looks.
@pytest.mark.parametrize("after", [3, 10])
def test_a_key_counts_in_every_phase_and_at_every_end(shell, after):
    """It is recorded as of the first one in its eight seconds."""
    for seconds in (0, after - 1, after, after + 1, 13):
        age(shell.terminal, seconds)
        notified = b"]99;" in finished(shell, after)
        # What was read as the command began, or before, is its Enter.
        assert notified == (seconds >= after), f"read {seconds} s ago, after {after} s"


def test_a_key_that_was_read_long_ago_does_not_count(shell):
    for seconds, notifies in ((13, False), (16, True), (99, True)):
        age(shell.terminal, seconds)
        assert (b"]99;" in finished(shell, 100)) == notifies


BEFORE_6_6 = "exec setarch --uname-2.6"


@pytest.mark.works("unshare", "--mount", "true")
@pytest.mark.works("setarch", "--uname-2.6", "true")
@pytest.mark.parametrize("kernel, seconds, notifies", [
    (BEFORE_6_6, 4, False), (BEFORE_6_6, 60, True), ("exec", 4, True)])
def test_dev_tty_counts_before_linux_6_6(shell, kernel, seconds, notifies):
    """There a pager that reads it changes no other time; later the time is that of any terminal."""
    os.utime(shell.terminal.device, (1000, 0))
    own = shell.sandbox.folder("dev")
    script = (f"mknod -m 666 {own}/tty c 5 0 && mount --bind {own}/tty /dev/tty && "
              f"touch -a -d '{seconds} seconds ago' /dev/tty && "
              f"{kernel} viatty notify --from-hook=50 make")
    outcome = shell.run(["unshare", "--mount", "sh", "-c", script])
    assert outcome.status == 0, outcome.said
    shell.terminal.settle()
    assert (b"]99;" in shell.terminal.recorded()) == notifies


class TestQueries:
    @pytest.mark.parametrize("script", [FOOT, PLAIN, {NAME: [Hold]}])
    def test_none_is_sent_and_a_bell_rings_where_nothing_is_known(self, sandbox, script):
        terminal = AnsweringTerminal(sandbox, script)
        shell = Launcher(sandbox, terminal)
        os.utime(terminal.device, (1000, 0))
        assert finished(shell, 12) == b"\a"
        assert terminal.asked() == []
