"""Too little memory, and how much is enough."""

import os

import pytest

from lib import sequences
from lib.faults import COPY, WRAPS, arrives, fails, is_waiting, nothing_at
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


def test_out_of_memory_with_a_pipe_is_said_as_well(shell):
    argv = ["sh", "-c", f"head -c {64 * MIB} /dev/zero | viatty copy; exit $?"]
    outcome = shell.run(argv, memory=48 * MIB)
    fails(outcome, 1, "out of memory")
    nothing_at(shell.terminal)


def test_raw_says_so_too(shell, large):
    how = {"descriptors": {0: (str(large), "r")}, "memory": 48 * MIB}
    fails(shell.run(["viatty", "raw", "--force"], **how), 1)
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


def from_a_file(shell, path, *options):
    return shell.run([*COPY, *options], descriptors={0: (str(path), "r")})


def from_a_pipe(shell, path, *options):
    read, write = os.pipe()
    descriptors = {0: (f"/proc/{os.getpid()}/fd/{read}", "r")}
    started = shell.start([*COPY, *options], descriptors=descriptors)
    until(lambda: is_waiting(started.pid), "viatty waits for input")
    os.close(read)
    with open(write, "wb") as pipe:
        pipe.write(path.read_bytes())
    return started.wait()


ALLOWED = 2_000_000


@pytest.mark.parametrize("wrap", ["none", "screen", "tmux,screen"])
@pytest.mark.parametrize("source", [from_a_file, from_a_pipe])
def test_a_large_copy_takes_its_sequence_and_what_that_becomes(shell, tmp_path, source, wrap):
    least = baseline(shell, tmp_path / "fifo")
    shell.terminal.settle()
    shell.terminal.forget()
    data = bytes((32 if wrap == "none" else 8) * MIB)
    (tmp_path / "data").write_bytes(data)
    outcome = source(shell, tmp_path / "data", "--wrap", wrap)
    assert outcome.status == 0, outcome.said
    shell.terminal.settle()
    passed_on = WRAPS[wrap](shell.terminal.recorded())
    assert sequences.clipboard_writes(passed_on) == [("c", data)]
    most = len(data) * (4 / 3 if wrap == "none" else 8 / 3)
    assert outcome.peak - least <= most + ALLOWED


def test_a_copy_of_100_mb_arrives(shell, tmp_path):
    least = baseline(shell, tmp_path / "fifo")
    (tmp_path / "data").write_bytes(bytes(100_000_000))
    out = tmp_path / "out"
    out.touch()
    how = {"descriptors": {0: (str(tmp_path / "data"), "r"), 1: (str(out), "w")}}
    outcome = shell.run([*COPY, "--print=raw", "--wrap", "screen"], **how)
    assert outcome.status == 0, outcome.said
    assert sequences.clipboard_writes(WRAPS["screen"](out.read_bytes())) == [
        ("c", bytes(100_000_000))]
    assert outcome.peak - least <= 100_000_000 * 8 / 3 + ALLOWED


def test_a_large_copy_to_another_terminal_takes_its_sequence(shell, tmp_path):
    """Somebody else may write there: it is one write, of all of it."""
    least = baseline(shell, tmp_path / "fifo")
    other = OuterTerminal(shell.sandbox)
    data = bytes(8 * MIB)
    (tmp_path / "data").write_bytes(data)
    outcome = from_a_file(shell, tmp_path / "data", "--tty", other.device)
    arrives(outcome, other, data)
    assert outcome.peak - least <= len(data) * 4 / 3 + ALLOWED


@pytest.mark.parametrize("form", ["raw", "esc"])
def test_what_is_printed_takes_its_sequence(shell, tmp_path, form):
    least = baseline(shell, tmp_path / "fifo")
    data = bytes(8 * MIB)
    (tmp_path / "data").write_bytes(data)
    options = [f"--print={form}", "--wrap", "none"]
    outcome = from_a_file(shell, tmp_path / "data", *options)
    assert outcome.status == 0
    assert len(outcome.stdout) > len(data) * 4 / 3
    assert outcome.peak - least <= len(data) * 4 / 3 + ALLOWED


STREAMS = {
    "text": b"text \x1b[31mand colors\x1b[m\n",
    "images": b"\x1b_Gm=1;" + b"A" * 4096 + b"\x1b\\",
    "large images": b"\x1bPq" + b"~" * 1_000_000 + b"\x1b\\text",
    "an endless string": b"\x1b_G" + b"A" * 20 * MIB,
    "an endless title": b"\x1b]2;" + b"A" * 20 * MIB,
    "beginnings": b"\x1b_\x1b]\x1bP",
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
