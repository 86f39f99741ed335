"""A terminal that hangs up, stalls or crawls, and signals in the middle of a write.

A process that gets SIGHUP dies of SIGHUP, as a shell user expects. So when its own
terminal hangs up, either the signal ends viatty or, where it comes late, the failure
of the write does, with a message. Where SIGHUP is ignored it is always the failure.
"""

import base64
import contextlib
import os
import re
import signal
import termios
import time

import pytest

from lib import expect, faults
from lib.faults import (
    COPY,
    MEGABYTE,
    WRAPS,
    Beside,
    Launcher,
    arrives,
    drained,
    echoes,
    fails,
    fill,
    is_closed,
    is_waiting,
    stalled,
)
from lib.processes import ENDING, is_alive, until
from lib.terminal import OuterTerminal

# They stop reading, and wait for what is given up.
pytestmark = pytest.mark.slow

BEGUN = b"\x1b]52;c;"
# More than a pseudo-terminal holds.
SOME = MEGABYTE[:60_000]
WAITING = pytest.mark.parametrize("number", ENDING, ids=lambda number: number.name)


def at(sandbox, **how):
    """A launcher at a terminal that reads at a pace of its own."""
    return Launcher(sandbox, OuterTerminal(sandbox, **how).inside())


# ---- the terminal hangs up, as others than copy see it in faults/test_gone.py ------


def waiting_for_input(shell, path, options=(), **how):
    """A copy that waits for a FIFO, and the writing end of that."""
    os.mkfifo(path)
    writer = open(path, "r+b", buffering=0)
    descriptors = {0: (str(path), "r"), **how.pop("descriptors", {})}
    started = shell.start([*COPY, *options], descriptors=descriptors, **how)
    until(lambda: is_waiting(started.pid), "viatty waits for input")
    return started, writer


def test_a_descriptor_of_a_terminal_that_is_gone_fails(shell, tmp_path):
    how = {"ignored": [signal.SIGHUP], "descriptors": {1: (shell.terminal.device, "w")}}
    started, writer = waiting_for_input(shell, tmp_path / "in", ["--tty", "stdout"], **how)
    with writer:
        shell.terminal.hang_up()
        writer.write(b"data")
    fails(started.wait(), 1, ["Input/output error", "0 of 17 bytes were sent"])


# ---- the terminal stops reading ----------------------------------------------------


def test_a_terminal_full_of_other_output_gets_nothing(shell):
    shell.terminal.pause()
    fill(shell.terminal)
    outcome = shell.run([*COPY, "--timeout", "0.2"], stdin=b"data")
    fails(outcome, 1, ["has stopped accepting output", "0 of 17 bytes were sent"])
    assert set(drained(shell.terminal)) == {ord(".")}


# Text, for not every terminal stores all bytes.
# More than a pseudo-terminal holds, and the seconds that its bytes are allowed.
FEW = MEGABYTE[:40_000]
ALLOWED = 4 / 3 * len(FEW) / 20_000
EIGHT = base64.b64encode(expect.sample(6_000_000))
PACE, SLOW = 20_000_000, 1_300_000
# All of OSC 52: prefix, base64, ST.
WHOLE = 7 + -(-len(EIGHT) // 3) * 4 + 2


# fuzz/fuzz_wrap.c cuts anywhere.
@pytest.mark.parametrize("wrap", ["screen", "tmux,screen"])
def test_a_wrapped_copy_that_is_cut_off_is_closed(shell, wrap):
    outcome = stalled(shell, "--timeout", "0.2", "--wrap", wrap, data=FEW).wait()
    assert outcome.status == 1
    is_closed(WRAPS[wrap](drained(shell.terminal)))


# ---- a copy that is written in pieces ----------------------------------------------


def test_a_hang_up_between_two_pieces_tells_how_much_was_sent(sandbox):
    shell = at(sandbox, rate=PACE, term="foot")
    started = shell.start(COPY, stdin=EIGHT, ignored=[signal.SIGHUP])
    shell.terminal.wait_for(lambda record: len(record) > 2_000_000)
    shell.terminal.hang_up()
    outcome = started.wait()
    fails(outcome, 1, ["cannot write to \"/dev/", ": Input/output error; "])
    match = re.search(r"(\d+) of (\d+) bytes were sent", outcome.said)
    assert int(match.group(2)) == WHOLE
    assert 2_000_000 < int(match.group(1)) < WHOLE


def raw_as_under_an_editor(shell, rate=PACE):
    modes = shell.terminal.modes()
    modes[3] &= ~(termios.ICANON | termios.ECHO)
    termios.tcsetattr(shell.terminal.slave, termios.TCSANOW, modes)
    return shell.terminal, [], {}


def another_terminal(shell, rate=PACE):
    other = OuterTerminal(shell.sandbox, rate=rate)
    return other, ["--tty", other.device], {}


def in_the_background(shell, rate=PACE):
    return shell.terminal, [], {"group": "background"}


DRAWN = {f.__name__: f for f in (raw_as_under_an_editor, another_terminal, in_the_background)}


@pytest.mark.parametrize("where", DRAWN.values(), ids=DRAWN)
def test_who_draws_meanwhile_does_not_get_into_the_middle(sandbox, where):
    """As a tmux client does, which writes whenever the terminal takes something.

    The terminal is so slow that the limit passes: the write is not cut short for a look.
    """
    shell = at(sandbox, rate=SLOW, term="foot")
    terminal, options, how = where(shell, rate=SLOW)
    data = EIGHT[:2_000_000]
    device = os.open(terminal.device, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
    words = [*COPY, "--timeout", "2", *options]
    started = shell.start(words, stdin=data, **how)
    terminal.wait_for(BEGUN)
    while is_alive(started.pid):
        # no pause: the moment between two writes is short
        with contextlib.suppress(BlockingIOError):
            os.write(device, b"#")
    os.close(device)
    arrives(started.wait(), terminal, data)
    assert set(terminal.recorded().replace(sequences_of(data), b"")) <= {ord("#")}


def sequences_of(data):
    return BEGUN + base64.b64encode(data) + b"\x1b\\"


# ---- another viatty meanwhile ------------------------------------------------------


def while_one_copies(sandbox, words, stdin=b""):
    """A copy that stands still in its middle, and the other, which has come to wait."""
    shell = at(sandbox, rate=PACE, term="foot")
    both = Launcher(sandbox, Beside(shell.place))
    first = both.start([*COPY, "--timeout", "60"], stdin=EIGHT)
    shell.terminal.wait_for(lambda record: len(record) > 2_000_000)
    shell.terminal.pause()
    until(lambda: is_waiting(first.pid), "the write waits")
    second = both.start(words, stdin=stdin)
    until(lambda: is_waiting(second.pid), "the other waits")
    return shell.terminal, first, second


def all_of_it(terminal, *started):
    """What comes to the terminal once it reads again."""
    terminal.resume()
    for each in started:
        outcome = each.wait()
        assert (outcome.status, outcome.said) == (0, "")
    terminal.settle()
    return terminal.recorded()


# Also if the first takes longer than a question may.
@pytest.mark.parametrize("words, stdin, sequence", [
    (["viatty", "title"], b"", b"Done"), (COPY, EIGHT, b"")], ids=["short", "long"])
def test_another_sequence_waits_for_the_end_of_a_long_one(sandbox, words, stdin, sequence):
    words = [*words, "--timeout", "60", *([sequence] if sequence else [])]
    terminal, *both = while_one_copies(sandbox, words, stdin=stdin)
    time.sleep(1.1 if stdin else 0)  # longer than a question may take
    got = all_of_it(terminal, *both)
    assert got.startswith(sequences_of(EIGHT))
    assert (sequence or sequences_of(EIGHT)) in got[WHOLE:]


# ---- how long a terminal that takes nothing is waited for --------------------------


# Seconds; a tenth more may pass, and the time that a busy machine takes to start and end.
LIMIT, MORE = 1, 2


def given_up(started):
    """The moment when it had ended."""
    outcome = started.wait()
    ended = time.monotonic()
    fails(outcome, 1, ["or the connection to it, has stopped accepting output", "hint: ",
                       "--timeout", "Ctrl-Q"])
    return ended


def test_a_terminal_that_nobody_reads_is_given_up_after_the_limit(shell):
    """A line is given the time that the bytes take at 20 kB/s."""
    shell.terminal.pause()
    before = time.monotonic()
    started = stalled(shell, "--timeout", str(LIMIT), data=FEW)
    waiting = time.monotonic()
    ended = given_up(started)
    assert ended - before >= LIMIT + ALLOWED
    assert ended - waiting < LIMIT + ALLOWED + MORE


def test_a_query_that_nobody_reads_is_given_up_in_time(shell):
    before = shell.terminal.modes()
    shell.terminal.pause()
    fill(shell.terminal)
    began = time.monotonic()
    outcome = shell.run(["viatty", "color", "foreground", "--timeout", "1"])
    assert 2 <= time.monotonic() - began < 4
    fails(outcome, 5, "does not report its colors")
    assert shell.terminal.modes() == before
    assert b"\x1b]10;?\x1b\\" not in drained(shell.terminal)


def burst(terminal):
    """Let the terminal read some kilobytes."""
    before = len(terminal.recorded())
    terminal.resume()
    terminal.wait_for(lambda record: len(record) > before + 8192)
    terminal.pause()


@pytest.mark.parametrize("where", DRAWN.values(), ids=DRAWN)
def test_a_terminal_that_takes_a_little_now_and_then_is_never_given_up(sandbox, where):
    shell = at(sandbox, rate=1_000_000)
    terminal, words, how = where(shell)
    terminal.pause()
    data = MEGABYTE[:600_000]
    started = stalled(shell, "--timeout", "2", *words, data=data, **how)
    for _ in range(4):
        time.sleep(0.7)  # shorter than the limit, and longer in all
        burst(terminal)
        assert not started.has_ended()
    shell.terminal.resume()
    terminal.resume()
    arrives(started.wait(), terminal, data)


def test_in_pieces_the_limit_counts_from_what_the_terminal_took_last(sandbox):
    shell = at(sandbox, rate=1_000_000, term="kitty")
    terminal = shell.terminal
    started = shell.start([*COPY, "--timeout", str(LIMIT)], stdin=EIGHT[:4_000_000])
    terminal.wait_for(lambda record: len(record) > 1_500_000)
    paused = time.monotonic()
    terminal.pause()
    ended = given_up(started)
    assert LIMIT <= ended - paused < 1.5 * LIMIT + MORE


def test_while_the_copy_itself_is_stopped_the_limit_does_not_count(sandbox):
    shell = at(sandbox, rate=SLOW, term="kitty")
    terminal, words, _ = another_terminal(shell, rate=SLOW)
    data = EIGHT[:1_000_000]
    started = shell.start([*COPY, "--timeout", str(LIMIT), *words], stdin=data)
    terminal.wait_for(BEGUN)
    started.signal(signal.SIGSTOP)
    assert started.wait_stopped() == signal.SIGSTOP
    time.sleep(1.5 * LIMIT)  # would be too long if it ran
    started.signal(signal.SIGCONT)
    arrives(started.wait(), terminal, data)


# ---- signals -----------------------------------------------------------------------


@WAITING
def test_a_signal_in_the_middle_ends_it_with_the_sequence_closed(shell, number):
    before = shell.terminal.modes()
    started = stalled(shell)
    until(lambda: not echoes(shell.terminal), "ECHO is off")
    until(lambda: is_waiting(started.pid), "it waits for the terminal")
    started.signal(number)
    outcome = started.wait()
    assert outcome.status == -number
    faults.well_said(outcome)
    assert 'interrupted while writing to "/dev/' in outcome.said
    assert re.search(r"\d+ of \d+ bytes were sent, and the sequence was closed", outcome.said)
    assert shell.terminal.modes() == before
    is_closed(drained(shell.terminal))
    assert shell.terminal.recorded().startswith(BEGUN)


@pytest.mark.parametrize("how, number", [
    ("ignored", signal.SIGINT), ("blocked", signal.SIGTERM), ("blocked", signal.SIGTSTP)])
def test_a_signal_stays_as_it_was_inherited_and_the_copy_arrives(shell, how, number):
    started = stalled(shell, data=SOME, **{how: [number]})
    started.signal(number)
    shell.terminal.resume()
    arrives(started.wait(), shell.terminal, SOME)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGALRM])
def test_a_signal_while_input_is_awaited_ends_it_at_once(shell, tmp_path, number):
    started, writer = waiting_for_input(shell, tmp_path / "in")
    with writer:
        started.signal(number)
        assert started.wait().status == -number
    faults.nothing_at(shell.terminal)


def test_a_stop_from_the_keyboard_waits_for_the_copy(shell):
    started = stalled(shell, data=SOME, group="foreground")
    until(lambda: not echoes(shell.terminal), "ECHO is off")
    started.signal(signal.SIGTSTP)
    shell.terminal.resume()
    assert started.wait_stopped() == signal.SIGTSTP
    # It was all sent, and the modes were restored, before it stopped.
    shell.terminal.settle()
    assert shell.terminal.clipboard() == [("c", SOME)]
    assert echoes(shell.terminal)
    started.signal(signal.SIGCONT)
    arrives(started.wait(), shell.terminal, SOME)


def test_a_background_job_writes_and_leaves_the_modes_alone(shell):
    modes = shell.terminal.modes()
    modes[3] |= termios.TOSTOP
    termios.tcsetattr(shell.terminal.slave, termios.TCSANOW, modes)
    started = stalled(shell, data=SOME, group="background")
    assert shell.terminal.modes() == modes
    shell.terminal.resume()
    arrives(started.wait(), shell.terminal, SOME)
    assert shell.terminal.modes() == modes


# ---- modes -------------------------------------------------------------------------


def test_keys_typed_during_a_long_write_do_not_appear_inside_and_are_there_afterwards(shell):
    before = shell.terminal.modes()
    started = stalled(shell, data=SOME)
    until(lambda: not echoes(shell.terminal), "ECHO is off")
    shell.terminal.type("typed ahead\n")
    shell.terminal.resume()
    arrives(started.wait(), shell.terminal, SOME)
    assert shell.terminal.modes() == before
    reader = shell.start(["head", "-n1"], descriptors={0: ("/dev/tty", "r")})
    assert reader.wait().stdout == b"typed ahead\n"


def test_a_short_copy_never_touches_the_modes(shell):
    before = shell.terminal.modes()
    shell.terminal.pause()
    fill(shell.terminal)
    started = shell.start(COPY, stdin=b"data")
    until(lambda: is_waiting(started.pid), "the write waits")
    assert shell.terminal.modes() == before
    shell.terminal.resume()
    arrives(started.wait(), shell.terminal, b"data")
    assert shell.terminal.modes() == before


def test_modes_that_were_off_stay_off(shell):
    before = shell.terminal.modes()
    before[3] &= ~termios.ECHO
    termios.tcsetattr(shell.terminal.slave, termios.TCSANOW, before)
    before = shell.terminal.modes()
    data = MEGABYTE[:30_000]
    arrives(shell.run(COPY, stdin=data), shell.terminal, data)
    assert shell.terminal.modes() == before


# ---- shared descriptors ------------------------------------------------------------


def test_a_non_blocking_descriptor_loses_nothing(sandbox):
    shell = at(sandbox, rate=200_000)
    data = MEGABYTE[:200_000]
    descriptors = {1: (shell.terminal.device, "n")}
    outcome = shell.run([*COPY, "-T", "stdout"], stdin=data, descriptors=descriptors)
    arrives(outcome, shell.terminal, data)


@pytest.mark.parametrize("mode, blocks", [("w", "True"), ("n", "False")])
def test_the_flags_of_a_shared_descriptor_are_left_as_they_were(shell, mode, blocks):
    """What closes a sequence is written without waiting, on a shared description."""
    script = "import os, sys; print(os.get_blocking(1), file=sys.stderr)"
    argv = ["sh", "-c", 'viatty copy -T stdout --timeout 0.2; python3 -Sc "$1"', "sh"]
    shell.terminal.pause()
    descriptors = {1: (shell.terminal.device, mode)}
    outcome = shell.run([*argv, script], stdin=FEW, descriptors=descriptors)
    assert "and the sequence was closed" in outcome.said
    assert outcome.said.endswith(f"\n{blocks}\n")
    is_closed(drained(shell.terminal))


@pytest.mark.parametrize("begin", [b"\x1b]2;", b"\x1bP"])
def test_raw_closes_what_it_began_as_well(shell, begin):
    data = begin + b"x" * len(FEW) + b"\x1b\\"
    shell.terminal.pause()
    outcome = shell.run(["viatty", "raw", "--timeout", "0.2"], stdin=data)
    fails(outcome, 1, "has stopped accepting output")
    got = drained(shell.terminal)
    assert got.startswith(begin)
    is_closed(got)
