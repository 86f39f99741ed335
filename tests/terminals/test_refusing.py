"""Terminals that do not let programs copy: nothing changes, nothing is printed."""

from deeds import copy, nothing_changed, prepared
from makes import MLTERM, ST, URXVT, XTERM_SHIPPED, on

from lib import expect

SIZES = (20, 3_000)


@on(XTERM_SHIPPED, ST, URXVT, MLTERM)
def test_a_forced_copy_is_swallowed_whole(place):
    for size in SIZES:
        before = prepared(place)
        expect.sent(copy(place, expect.sample(size), "--force", "--quiet"))
        nothing_changed(place, before)


@on(XTERM_SHIPPED, ST, MLTERM)
def test_one_that_could_be_allowed_is_named_with_its_setting(place, results):
    before = prepared(place)
    result = copy(place, b"a line of text\n", "-v")
    assert result.status == 0, result.stderr
    assert "needs this setting" in result.stderr
    nothing_changed(place, before)
    results.record(place, "copy", "not")


@on(URXVT)
def test_one_that_never_copies_is_refused(place, results):
    before = prepared(place)
    expect.refused(copy(place, expect.DATA), naming="rxvt-unicode")
    nothing_changed(place, before)
    results.record(place, "copy", "refused")
