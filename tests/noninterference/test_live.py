"""doctor --live leaves nothing of what was pasted to the shell."""

import signal
import time

import pytest

from lib.left import left_for_the_shell

LINES = b"".join(b"echo %d; rm -rf everything\n" % number for number in range(20))
BRACKETED = b"\x1b[200~" + LINES.replace(b"\n", b"\r") + b"\x1b[201~"


def asked(shell):
    shell.terminal.wait_for(b"press Enter")


def copied(shell):
    return shell.terminal.clipboard()[-1][1]


def start(shell, *argv):
    return shell.start(argv or ["viatty", "doctor", "--live"])


def test_a_word_that_is_typed_back_proves_it(shell):
    started = start(shell)
    asked(shell)
    shell.terminal.type(copied(shell) + b"\r")
    assert started.wait().status == 0
    shell.terminal.see("It came back")


def test_a_word_that_is_pasted_with_marks_proves_it(shell):
    started = start(shell)
    asked(shell)
    shell.terminal.type(b"\x1b[200~" + copied(shell) + b"\x1b[201~\r")
    assert started.wait().status == 0


def test_an_old_clipboard_of_many_lines_answers_one_question(shell):
    started = start(shell)
    asked(shell)
    for start_of in range(0, len(LINES), 150):
        shell.terminal.type(LINES[start_of : start_of + 150])
        time.sleep(0.05)
    # It was not the word, and no other route is there.
    assert started.wait().status == 4
    assert shell.terminal.recorded().count(b"press Enter") == 1
    assert left_for_the_shell(shell.terminal) == 0


def test_a_marked_paste_of_many_lines_is_one_answer(shell):
    started = start(shell)
    asked(shell)
    shell.terminal.type(BRACKETED)
    time.sleep(1)
    assert not started.has_ended()
    shell.terminal.type(b"\r" + LINES)
    assert started.wait().status == 4
    assert left_for_the_shell(shell.terminal) == 0
    # The shell marks pastes itself, if it wants to.
    assert shell.terminal.recorded().rfind(b"\x1b[?2004l") > \
        shell.terminal.recorded().rfind(b"\x1b[?2004h")


def test_an_interrupt_leaves_nothing_either(shell):
    before = shell.terminal.modes()
    started = start(shell)
    asked(shell)
    shell.terminal.type(BRACKETED)
    time.sleep(0.2)
    started.signal(signal.SIGINT)
    assert started.wait().status == -signal.SIGINT
    assert left_for_the_shell(shell.terminal) == 0
    assert shell.terminal.modes() == before


@pytest.mark.unsanitized
@pytest.mark.parametrize("kilobytes", [40, 48, 64, 128, 256])
def test_a_small_stack_is_enough(shell, kilobytes):
    started = start(shell, "env", "-i", "TERM=xterm-256color", "sh", "-c",
                    f"ulimit -s {kilobytes}; exec $0 doctor --live",
                    shell.sandbox.path / "bin" / "viatty")
    asked(shell)
    shell.terminal.type(copied(shell) + b"\r")
    assert started.wait().status == 0
