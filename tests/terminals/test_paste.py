"""`viatty paste` in terminals that may tell, and in those that may not."""

import pytest
from deeds import nothing_changed, nothing_printed, prepared
from makes import (
    ALACRITTY,
    ALACRITTY_ASKED,
    FOOT,
    KITTY,
    KITTY_COPY,
    KITTY_SHIPPED,
    MLTERM,
    ST,
    URXVT,
    XTERM,
    XTERMJS,
    XTERMJS_VSCODE,
    XTERM_COPY,
    XTERM_SHIPPED,
    on,
)

from lib import expect
from lib.versions import has

TEXT = "paste: grün ✓ 🙂".encode()
LINES = b"one line\n\tand another\n"


def paste(place, *options):
    return place.run(["viatty", "paste", *options])


def is_refused(place, result):
    """As shipped tmux answers from its own buffers, and viatty asks for the option.

    In Screen, which passes on half of a reply or two, the terminal's own key pastes.
    """
    if place.name == "Screen":
        expect.refused(result, naming="through screen")
        return True
    if place.name != "tmux" or not has("tmux", "get-clipboard"):
        return False
    expect.refused(result, naming="get-clipboard")
    return True


def gives(result, data):
    assert (result.status, result.stderr) == (0, ""), result.stderr
    assert result.stdout == data


@on(XTERM, KITTY, ALACRITTY_ASKED, FOOT, XTERMJS, XTERMJS_VSCODE)
@pytest.mark.parametrize("data", [TEXT, LINES], ids=["paste", "paste lines"])
def test_the_clipboard_of_another_program_is_printed(place, results, data):
    make = place.emulator.make
    prepared(place, "primary", holds=b"this is the primary selection")
    prepared(place, holds=data)
    result = paste(place)
    feature = "paste lines" if data is LINES else "paste"
    if make is XTERM and place.name == "tmux":
        # tmux asks for no selection by name, and xterm then tells the primary one.
        expect.refused(result, naming="xterm")
        results.record(place, feature, "refused")
    elif is_refused(place, result):
        results.record(place, feature, "refused")
    elif make is XTERMJS and place.name == "tmux":
        # The same question, to which the addon tells an empty text.
        expect.refused(result, status=5)
        results.record(place, feature, "no reply")
    else:
        gives(result, data)
        results.record(place, feature, "works")
    nothing_printed(place)


@on(KITTY, ALACRITTY_ASKED, FOOT, places=["tmux"])
def test_a_tmux_that_is_set_up_to_asks_the_terminal(place):
    prepared(place, holds=TEXT)
    with place.asking_the_terminal():
        result = paste(place)
        if place.emulator.make is KITTY and has("tmux", "half a second"):
            # It would wait for a person who may be asked.
            expect.refused(result, naming="kitty")
            result = paste(place, "--force")
        gives(result, TEXT)
    nothing_printed(place)


@on(XTERM_SHIPPED, XTERM_COPY)
def test_xterm_that_may_not_tell_is_no_reply(place, results):
    prepared(place, holds=TEXT)
    result = paste(place)
    if place.name == "alone":
        expect.refused(result, status=5, naming="disallowedWindowOps")
    else:
        expect.refused(result, naming={"tmux": "xterm", "Screen": "through screen"}[place.name])
    nothing_printed(place)
    results.record(place, "paste", "no reply" if place.name == "alone" else "refused")


@on(ALACRITTY)
def test_alacritty_may_not_tell_as_shipped_since_a_version(place, results):
    prepared(place, holds=TEXT)
    result = paste(place)
    if is_refused(place, result):
        results.record(place, "paste", "refused")
    elif ALACRITTY_ASKED is ALACRITTY:
        gives(result, TEXT)
        results.record(place, "paste", "works")
    else:
        expect.refused(result, status=5, naming="CopyPaste")
        results.record(place, "paste", "no reply")
    nothing_printed(place)


@on(ST, URXVT, MLTERM)
def test_one_that_cannot_tell_is_not_asked(place, results):
    before = prepared(place)
    who = "through screen" if place.name == "Screen" else place.emulator.make.id
    expect.refused(paste(place), naming=who)
    nothing_changed(place, before)
    results.record(place, "paste", "refused")


@on(KITTY_COPY)
def test_kitty_that_may_not_tell_says_that_there_is_nothing(place, results):
    """An empty answer, which tmux drops."""
    prepared(place, holds=TEXT)
    result = paste(place, "--timeout", "2")
    if is_refused(place, result):
        outcome = "refused"
    elif place.name == "tmux":
        expect.refused(result, status=5)
        outcome = "no reply"
    else:
        assert (result.status, result.stdout) == (0, b"")
        assert "empty, or kitty was told not to show it" in result.stderr
        outcome = "empty"
    nothing_printed(place)
    results.record(place, "paste", outcome)


@on(KITTY_SHIPPED, places=["alone"])
def test_kitty_asks_its_person_who_does_not_answer(place, results, stage):
    """Its question covers the window, so nothing comes after this."""
    prepared(place, holds=TEXT)
    expect.refused(paste(place, "--timeout", "2"), status=5)
    results.record(place, "paste", "no reply")
    stage.clear()
