"""raw --filter at a terminal: in order, as it comes, and when something goes wrong."""

import os
import shutil
import signal
import time

import pytest

from lib.faults import fails, is_waiting, nothing_at
from lib.processes import until
from lib.sequences import split_tmux

FILTER = ["viatty", "raw", "--filter"]
ST = b"\x1b\\"
APC = b"\x1b_Ga=T;AAAA" + ST


@pytest.fixture
def pipe(tmp_path):
    """A pipe to standard input that is open as long as the test wants."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    fd = os.open(path, os.O_RDWR)
    yield fd, {"descriptors": {0: (str(path), "r")}}
    os.close(fd)


def test_without_a_multiplexer_all_passes_unchanged(shell):
    stream = b"a\nb" + APC + b"c\x1b[1m" + APC[:-1]
    outcome = shell.run(FILTER, stdin=stream)
    assert (outcome.status, outcome.said) == (0, "")
    shell.terminal.wait_for(stream.replace(b"\n", b"\r\n"))


ZELLIJ_TAKES = b"a\x1b]2;t\x07\x1b]8;;http://a\x07b\x1b]8;;\x07\x1b]9;text\x07c\x1b[31m"


def test_zellij_gets_the_rest_and_pictures_are_told(sandbox, shell):
    zellij = sandbox.path / "bin" / "zellij"
    shutil.copy(shutil.which("sh"), zellij)
    inside = lambda line, **how: shell.run(
        [str(zellij), "-c", f"viatty raw {line}; exit $?"], environment={"ZELLIJ": "0"}, **how)
    shell.terminal.forget()
    outcome = inside("--filter", stdin=ZELLIJ_TAKES)
    assert (outcome.status, outcome.said) == (0, "")
    said = "wrapped sequences are dropped by Zellij"
    fails(inside("--filter", stdin=b"d" + APC + b"e\x1b]1337;File=:AA\x07f"), 4, said)
    fails(inside("", stdin=b"\x1b]1337;File=:AA\x07"), 4, said)
    shell.terminal.settle()
    assert shell.terminal.recorded() == ZELLIJ_TAKES + b"def"


def test_each_piece_is_sent_when_it_is_complete(shell, pipe):
    write, how = pipe
    shell.start([*FILTER, "--wrap", "tmux"], **how)
    wrapped = b"\x1bPtmux;" + APC.replace(b"\x1b", b"\x1b\x1b") + ST
    for piece, shown in [
        (b"text", b"text"),
        (b"\x1b[31", b"\x1b[31"),
        (b"mred" + APC[:5], b"mred"),
        (APC[5:-1], None),
        (b"\\more", wrapped + b"more"),
    ]:
        shell.terminal.forget()
        os.write(write, piece)
        if shown:
            shell.terminal.wait_for(shown)


def test_all_bytes_of_text_pass(shell):
    text = bytes(c for c in range(256) if c not in (0x1B, ord("\n"))) * 300
    shell.terminal.forget()
    outcome = shell.run([*FILTER, "--wrap", "tmux"], stdin=text)
    assert outcome.status == 0
    shell.terminal.wait_for(text)


def test_a_terminal_is_no_input(shell):
    outcome = shell.run(FILTER, descriptors={0: (shell.terminal.device, "r")})
    fails(outcome, 2, "standard input is a terminal")
    nothing_at(shell.terminal)


def test_without_a_terminal_it_is_refused(nowhere):
    fails(nowhere.run(FILTER, stdin=b"text"), 3)


MEGABYTE = b"\x1b_G" + b"x" * 1_000_000 + ST


@pytest.mark.slow
def test_a_terminal_that_was_stopped_is_waited_for(shell):
    """Longer than raw waits for one: that gives up after five to ten seconds."""
    shell.terminal.pause()
    started = shell.start(FILTER, stdin=MEGABYTE + b"the end")
    begun = time.monotonic()
    until(lambda: time.monotonic() - begun > 11, "eleven seconds pass", 30)
    assert not started.has_ended()
    shell.terminal.resume()
    assert started.wait().status == 0
    shell.terminal.wait_for(MEGABYTE + b"the end")


@pytest.mark.slow
def test_but_not_longer_than_asked_for(shell):
    shell.terminal.pause()
    outcome = shell.run([*FILTER, "--timeout", "0.2"], stdin=MEGABYTE)
    fails(outcome, 1, "has stopped accepting output")


def test_a_signal_while_it_waits_for_input_ends_it(shell, pipe):
    write, how = pipe
    started = shell.start(FILTER, **how)
    os.write(write, b"text" + APC[:5])
    shell.terminal.wait_for(b"text")
    started.signal(signal.SIGTERM)
    assert started.wait().status == -signal.SIGTERM


def test_a_signal_in_the_middle_of_an_image_closes_it(shell):
    shell.terminal.pause()
    started = shell.start([*FILTER, "--wrap", "tmux"], stdin=MEGABYTE)
    until(lambda: is_waiting(started.pid), "it waits for the terminal")
    started.signal(signal.SIGINT)
    outcome = started.wait()
    assert outcome.status == -signal.SIGINT
    shell.terminal.resume()
    shell.terminal.settle()
    (piece, *_), outside = split_tmux(shell.terminal.recorded())
    assert piece.startswith(MEGABYTE[:1000])
    assert b"x" not in outside


THROUGH_SCREEN = ["viatty", "raw", "--filter", "--print=raw", "--wrap", "screen"]


def test_what_does_not_end_passes_unchanged_however_long_it_is(shell):
    cut = b"\x1b_" + b"x" * 1_100_000 + b"\x1b[mtext"
    outcome = shell.run(THROUGH_SCREEN, stdin=cut)
    assert (outcome.status, outcome.stdout) == (0, cut)


@pytest.mark.slow
def test_what_is_longer_than_any_image_is_left_out(shell):
    endless = b"\x1b_" + b"x" * (1 << 26) + ST
    outcome = shell.run(THROUGH_SCREEN, stdin=b"text" + endless + b"text")
    fails(outcome, 4, "too large: 1 pictures")
    assert outcome.stdout == b"texttext"
