"""In the background, and many at once."""

import pytest

from lib import expect, sequences

BACKGROUND = """\
set -m
stty {tostop}
printf '%s' background | viatty copy {options} &
wait $!
"""


@pytest.mark.parametrize("options", ["", "--tty stdout"])
@pytest.mark.parametrize("tostop", ["tostop", "-tostop"])
def test_in_the_background_it_arrives_and_is_never_stopped(plain, tostop, options):
    text = BACKGROUND.format(tostop=tostop, options=options)
    result = plain.run(["sh", "-c", text], stdin=None, on_terminal=True)
    plain.settle()
    assert result.status == 0
    expect.arrived(plain.terminal, b"background")


WRITERS, COPIES, PADDING = 10, 20, "x" * 3000
CROWD = """\
writer=0
while [ $writer -lt {writers} ]; do
    (
        copy=0
        while [ $copy -lt {copies} ]; do
            viatty copy -s "$writer-$copy-{padding}" || echo failed
            copy=$((copy + 1))
        done
    ) &
    writer=$((writer + 1))
done
wait
"""


def short_names(writes):
    """What arrived of the crowd and what should have; what is damaged has no name."""
    names = {
        ("c", f"{writer}-{copy}-{PADDING}".encode()): f"{writer}-{copy}"
        for writer in range(WRITERS)
        for copy in range(COPIES)
    }
    arrived = [names.get(write, "damaged") for write in writes]
    return sorted(arrived), sorted(names.values())


def test_many_at_once_each_arrives_whole_and_once(plain):
    before = plain.terminal.modes()
    text = CROWD.format(writers=WRITERS, copies=COPIES, padding=PADDING)
    result = plain.run(["sh", "-c", text])
    plain.settle()
    assert (result.stdout, result.stderr) == (b"", "")
    arrived, expected = short_names(plain.terminal.clipboard())
    assert arrived == expected
    assert sequences.printed_text(plain.terminal.recorded()) == b""
    assert plain.terminal.modes() == before
