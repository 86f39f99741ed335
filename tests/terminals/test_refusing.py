"""Terminals that do not let programs copy: nothing changes, nothing is printed."""

from deeds import copy, nothing_changed, prepared
from makes import FOOT_DISABLED, KITTY_READ, MLTERM, ST, URXVT, XTERM, XTERM_COPY, XTERM_SHIPPED, advised, on

from lib import expect
from lib.versions import has

SIZES = (20, 3_000)


@on(XTERM_SHIPPED, ST, URXVT, MLTERM)
def test_a_forced_copy_is_swallowed_whole(place):
    for size in SIZES:
        before = prepared(place)
        expect.sent(copy(place, expect.sample(size), "--force", "--quiet"))
        nothing_changed(place, before)


def doctor(place):
    return place.run(["viatty", "doctor", "copy"]).stdout.decode()


@on(XTERM_SHIPPED, ST, MLTERM)
def test_one_that_could_be_allowed_is_named_with_its_setting(place, results):
    """xterm replies that it is not, where its reply comes back."""
    before = prepared(place)
    told = place.emulator.make is XTERM_SHIPPED and place.name != "tmux"
    setting = advised("xterm", "COPY") if told else ""
    result = copy(place, b"a line of text\n")
    if told:
        expect.refused(result, naming=f"hint: set in ~/.Xresources at the desk (then xrdb -merge ~/.Xresources):\n  {setting}")
    else:
        assert result.status == 7, result.stderr
        warning, hint, line = result.stderr.splitlines()
        assert "warning: sent, but " in warning and hint.startswith("hint: set in ")
    nothing_changed(place, before)
    assert "copy: needs a setting" in doctor(place)
    results.record(place, "copy", "refused" if told else "not")


@on(XTERM_COPY, XTERM, places=("alone", "Screen"))
def test_one_that_has_been_allowed_is_not_warned_of(place):
    prepared(place)
    result = copy(place, b"a line of text\n")
    assert (result.status, result.stderr) == (0, "")
    assert "copy: yes" in doctor(place)


TELLING = [make for make in (KITTY_READ, FOOT_DISABLED) if has(make.id, "settings told")]


@on(*TELLING, places=("alone", "Screen"))
def test_a_setting_that_has_been_changed_is_found_by_doctor(place):
    """A copy asks no terminal that copies by default and is named by the environment."""
    before = prepared(place)
    expect.sent(copy(place, b"a line of text\n"))
    nothing_changed(place, before)
    told = {"kitty": "kitty.conf: clipboard_control write-clipboard",
            "foot": "foot.ini, under [security]: osc52=enabled"}[place.emulator.make.id]
    assert "copy: needs a setting" in doctor(place)
    assert f"hint: {told}" in doctor(place)


@on(URXVT)
def test_one_that_never_copies_is_refused(place, results):
    before = prepared(place)
    expect.refused(copy(place, expect.DATA), naming="rxvt-unicode")
    nothing_changed(place, before)
    results.record(place, "copy", "refused")
