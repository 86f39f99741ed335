"""Too little memory, and how much is enough."""

import os

import pytest
from faults import arrives, fails, is_waiting, nothing_at

from lib.processes import until

COPY = ("viatty", "copy")
MIB = 1 << 20


@pytest.fixture
def large(tmp_path):
    """A file of 64 MiB that takes no room."""
    path = tmp_path / "large"
    with open(path, "wb") as file:
        file.truncate(64 * MIB)
    return path


# The text does not fit, the text just fits but its base64 does not, the wrapping.
LIMITS = {
    "reading": (48, ()),
    "encoding": (80, ()),
    "wrapping": (100, ("--wrap", "screen")),
}


@pytest.mark.parametrize("limit, options", LIMITS.values(), ids=LIMITS)
def test_out_of_memory_is_said_and_nothing_is_sent(shell, large, limit, options):
    how = {"descriptors": {0: (str(large), "r")}, "memory": limit * MIB}
    outcome = shell.run([*COPY, *options], **how)
    fails(outcome, 1, "out of memory")
    nothing_at(shell.terminal)


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


def from_a_file(shell, path):
    return shell.run(COPY, descriptors={0: (str(path), "r")})


def from_a_pipe(shell, path):
    read, write = os.pipe()
    descriptors = {0: (f"/proc/{os.getpid()}/fd/{read}", "r")}
    started = shell.start(COPY, descriptors=descriptors)
    until(lambda: is_waiting(started.pid), "viatty waits for input")
    os.close(read)
    with open(write, "wb") as pipe:
        pipe.write(path.read_bytes())
    return started.wait()


@pytest.mark.parametrize("source", [from_a_file, from_a_pipe])
def test_a_large_copy_takes_half_as_much_again_and_2_mb(shell, tmp_path, source):
    least = baseline(shell, tmp_path / "fifo")
    shell.terminal.settle()
    shell.terminal.forget()
    data = bytes(32 * MIB)
    (tmp_path / "data").write_bytes(data)
    outcome = source(shell, tmp_path / "data")
    arrives(outcome, shell.terminal, data)
    assert outcome.peak - least <= 1.5 * len(data) + 2_000_000
