"""Too little memory, and how much is enough."""

import os

import pytest

from lib.faults import COPY, arrives, fails, is_waiting, nothing_at
from lib.processes import until
from lib.terminal import OuterTerminal

# A sanitizer's shadow memory has no place under a limit.
pytestmark = [pytest.mark.unsanitized, pytest.mark.slow]

MIB = 1 << 20


@pytest.fixture
def large(tmp_path):
    """A file of 64 MiB that takes no room."""
    path = tmp_path / "large"
    with open(path, "wb") as file:
        file.truncate(64 * MIB)
    return path


# The text does not fit; the text just fits, but not its sequence, for which the buffer would
# be doubled; the sequence fits, but not what it becomes.
LIMITS = {
    "reading": (48, 64, ()),
    "encoding": (160, 100, ()),
    "wrapping": (160, 64, ("--wrap", "screen")),
}


@pytest.mark.parametrize("limit, size, options", LIMITS.values(), ids=LIMITS)
def test_out_of_memory_is_said_and_nothing_is_sent(shell, large, limit, size, options):
    os.truncate(large, size * MIB)
    other = OuterTerminal(shell.sandbox)
    how = {"descriptors": {0: (str(large), "r")}, "memory": limit * MIB}
    outcome = shell.run([*COPY, "--tty", other.device, *options], **how)
    fails(outcome, 1, "out of memory")
    nothing_at(other)


# A pipe tells no size, and what raw takes has no base64.
@pytest.mark.parametrize("command", ["copy", "raw --force"])
def test_out_of_memory_with_a_pipe_is_said_as_well(shell, command):
    argv = ["sh", "-c", f"head -c {64 * MIB} /dev/zero | viatty {command}; exit $?"]
    fails(shell.run(argv, memory=48 * MIB), 1, "out of memory")
    nothing_at(shell.terminal)


def test_enough_memory_is_enough(shell):
    data = bytes(1000)
    outcome = shell.run(COPY, stdin=data, memory=16 * MIB)
    arrives(outcome, shell.terminal, data)


def baseline(shell, path):
    """What it needs by itself: the peak of one that waits for its input."""
    os.mkfifo(path)
    with open(path, "r+b", buffering=0) as fifo:
        started = shell.start(COPY, descriptors={0: (str(path), "r")})
        until(lambda: is_waiting(started.pid), "viatty waits for input")
        peak = started.peak_so_far()
        fifo.write(b"x")
    assert started.wait().status == 0
    return peak


def from_a_pipe(shell, path, *options):
    read, write = os.pipe()
    descriptors = {0: (f"/proc/{os.getpid()}/fd/{read}", "r")}
    started = shell.start([*COPY, *options], descriptors=descriptors)
    until(lambda: is_waiting(started.pid), "viatty waits for input")
    os.close(read)
    with open(write, "wb") as pipe:
        pipe.write(path.read_bytes())
    return started.wait()


# Of a file, wrapped, and printed as it is: bench/run.
@pytest.mark.parametrize("where", ["here", "esc", "another terminal"])
def test_a_large_copy_takes_its_sequence(shell, tmp_path, where):
    """At another terminal somebody else may write: it is one write, of all of it."""
    least = baseline(shell, tmp_path / "fifo")
    other = OuterTerminal(shell.sandbox) if where == "another terminal" else shell.terminal
    other.settle()
    other.forget()
    data = bytes(8 * MIB)
    (tmp_path / "data").write_bytes(data)
    options = ["--print=esc", "--wrap", "none"] if where == "esc" else ["--tty", other.device]
    outcome = from_a_pipe(shell, tmp_path / "data", *options)
    assert outcome.status == 0, outcome.said
    other.settle()
    assert other.clipboard() == ([] if where == "esc" else [("c", data)])
    assert outcome.peak - least <= len(data) * 4 / 3 + 2_000_000


STREAMS = {
    "large images": b"\x1bPq" + b"~" * 1_000_000 + b"\x1b\\text",
    "an endless string": b"\x1b_G" + b"A" * 20 * MIB,
    "an endless title": b"\x1b]2;" + b"A" * 20 * MIB,
}


@pytest.mark.parametrize("wrap", ["tmux", "screen"])
@pytest.mark.parametrize("unit", STREAMS.values(), ids=STREAMS)
def test_a_filter_takes_no_more_for_more(shell, tmp_path, unit, wrap):
    """A sequence, at least one megabyte, what it becomes, and what is being written."""
    least = baseline(shell, tmp_path / "fifo")
    stream = tmp_path / "stream"
    stream.write_bytes(unit * max(1, 20 * MIB // len(unit)))
    how = {"descriptors": {0: (str(stream), "r")}}
    outcome = shell.run(["viatty", "raw", "--filter", "--wrap", wrap], **how)
    too_long = wrap == "tmux" and unit is STREAMS["an endless string"]
    assert outcome.status == (4 if too_long else 0), outcome.said
    # tmux limits a sequence to one megabyte, and a title is never wrapped
    endless = wrap == "screen" and unit is STREAMS["an endless string"]
    assert outcome.peak - least <= 8_000_000 + (2 * len(unit) if endless else 0)
