"""A terminal and nothing between it and the program."""

import pytest

from lib import expect, sequences
from lib.processes import until
from lib.program import Inside
from lib.terminal import OuterTerminal

pytestmark = pytest.mark.usefixtures("second_opinion")

SIZES = [1, 2, 3, 1_000, 100_000, 1_000_000, 8_000_000]
IDENTITY = b"\x1b[>q\x1b[>c\x1b[=c\x1b[c"


def alone_on(terminal):
    """One OSC with its proper end, and not a byte beside it.

    But for the question who the terminal is, which it answers without a name.
    """
    record = terminal.recorded()
    assert record.startswith(IDENTITY)
    tokens = sequences.parse_strictly(record.removeprefix(IDENTITY))
    return [(t.kind, t.terminator) for t in tokens] == [("osc", sequences.ST)]


@pytest.mark.parametrize("size", SIZES)
def test_any_amount_arrives_exactly_once(plain, size):
    expect.copy_arrives(plain, expect.sample(size))
    assert alone_on(plain.terminal)


def test_all_256_byte_values_arrive(plain):
    expect.copy_arrives(plain, bytes(range(256)) * 3)
    assert alone_on(plain.terminal)


@pytest.mark.parametrize(
    "options, letters",
    [
        ((), "c"),
        (("-p",), "p"),
        (("-S", "q"), "q"),
        (("-S", "0"), "0"),
        (("-S", "cp"), "cp"),
        (("-S", "pc7"), "pc7"),
    ],
)
def test_each_letter_asked_for_gets_its_own_sequence(plain, options, letters):
    expect.copy_arrives(plain, expect.DATA, *options, letters=letters)


def test_the_name_osc52_copies(plain):
    expect.sent(plain.run(["osc52"], stdin=expect.DATA))
    plain.settle()
    expect.arrived(plain.terminal, expect.DATA)


def test_the_end_of_a_pipe_copies(plain):
    expect.sent(plain.run(["sh", "-c", "printf 'a\\0b' | osc52"]))
    plain.settle()
    expect.arrived(plain.terminal, b"a\0b")
    assert alone_on(plain.terminal)


def test_output_that_stays_on_the_terminal_is_silent(plain):
    result = plain.run(["viatty", "copy"], stdin=expect.DATA, on_terminal=True)
    plain.settle()
    expect.sent(result)
    expect.arrived(plain.terminal, expect.DATA)
    assert alone_on(plain.terminal)


@pytest.mark.parametrize("size, rate", [(20_000, 40_000), (1_000_000, 2_000_000)])
def test_a_slow_terminal_loses_nothing(sandbox, size, rate):
    terminal = OuterTerminal(sandbox, rate=rate)
    plain = Inside(terminal.runner(), terminal)
    expect.copy_arrives(plain, expect.sample(size))


@pytest.mark.parametrize("size", [1_000, 100_000])
def test_the_modes_of_the_terminal_are_as_they_were(plain, size):
    before = plain.terminal.modes()
    expect.copy_arrives(plain, expect.sample(size))
    assert plain.terminal.modes() == before


def test_keys_typed_meanwhile_do_not_land_inside(sandbox):
    terminal = OuterTerminal(sandbox, rate=200_000)
    plain = Inside(terminal.runner(), terminal)
    data = expect.sample(100_000)
    job = plain.start(["viatty", "copy"], stdin=data)
    terminal.wait_for(b"\x1b]52;c;", what="the beginning of the sequence")
    until(lambda: terminal.type("k") or job.is_done(), "the copy ends")
    expect.sent(job.wait())
    plain.settle()
    expect.arrived(terminal, data)


def test_a_terminal_that_stops_reading_is_given_up_and_the_sequence_closed(plain):
    plain.terminal.pause()
    argv = ["viatty", "copy", "--timeout", "1"]
    result = plain.run(argv, stdin=expect.sample(1_000_000))
    plain.terminal.resume()
    expect.refused(result, status=1)
    # What comes next is understood again.
    plain.terminal.settle()
    plain.terminal.forget()
    expect.copy_arrives(plain, expect.DATA)


@pytest.mark.parametrize("term", [None, ""])
def test_without_a_known_terminal_it_arrives(plain, term):
    expect.copy_arrives(plain, expect.DATA, environment={"TERM": term})


def test_a_dumb_terminal_is_refused(plain):
    result = expect.copy(plain, expect.DATA, environment={"TERM": "dumb"})
    expect.refused(result, naming="dumb")
    expect.nothing_arrived(plain.terminal)


@pytest.mark.parametrize("term", [None, "dumb"])
def test_force_sends_even_without_a_known_terminal(plain, term):
    environment = {"TERM": term}
    expect.copy_arrives(plain, expect.DATA, "--force", environment=environment)
