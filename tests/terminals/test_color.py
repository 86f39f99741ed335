"""Colors that are set, read back and reset."""

from deeds import nothing_printed
from makes import ALACRITTY, FOOT, KITTY_SHIPPED, KONSOLE, MLTERM, ST, URXVT, XTERM_SHIPPED, on

from lib import expect
from lib.desktop import eventually
from lib.versions import has

NAMES = ("background", "cursor", "200")


def color(place, *words):
    result = place.run(["viatty", "color", *words])
    assert result.status == 0, result.stderr
    return result.stdout.decode().strip()


def hides_cursor(place):
    """Whether the color of the cursor is reported only where a program has set it."""
    return place.emulator.make.program == "alacritty" and has("alacritty", "hidden cursor")


@on(XTERM_SHIPPED, KITTY_SHIPPED, ALACRITTY, FOOT, places=("alone",))
def test_each_color_is_set_read_and_reset(place):
    place.clear()
    for number, name in enumerate(NAMES):
        hidden, new = name == "cursor" and hides_cursor(place), f"#1234{number:02x}"
        old = None if hidden else color(place, name)
        assert old not in ("", new)
        color(place, name, new)
        assert color(place, name) == new
        color(place, "--reset", name)
        if hidden:
            expect.refused(place.run(["viatty", "color", name]), 5, "color of its cursor")
        else:
            assert color(place, name) == old
    nothing_printed(place)


# Version 9.30 ends its reply with ESC alone; it reports no other color.
@on(URXVT, places=("alone",))
def test_rxvt_unicode_reports_its_palette(place):
    place.clear()
    color(place, "1", "#123456")
    assert color(place, "1") == "#123456"
    nothing_printed(place)


@on(URXVT, MLTERM, places=("alone",))
def test_what_cannot_be_reset_is_refused(place):
    place.clear()
    color(place, "1", "#123456")
    for operands in ([], ["background"], ["1"]):
        result = place.run(["viatty", "color", "--reset", *operands])
        expect.refused(result, 4, "no support for resetting colors")
    # the palette is reported
    assert color(place, "1") == "#123456"
    nothing_printed(place)


@on(XTERM_SHIPPED, KITTY_SHIPPED, FOOT, ST, places=("alone",))
def test_the_theme_is_that_of_the_background(place):
    place.clear()
    for background, shown, theme in ("#fed", "#ffeedd", "light"), ("#102030", "#102030", "dark"):
        color(place, "background", background)
        assert color(place, "background") == shown
        assert color(place, "--theme") == theme
    color(place, "--reset")
    nothing_printed(place)


# Konsole sets colors from a timer of 20 ms, in no order, and reports those that are shown.
@on(KONSOLE, places=("alone",))
def test_konsole_takes_and_resets_the_background(place):
    place.clear()
    old = color(place, "background")
    color(place, "background", "#123456")
    eventually(lambda: color(place, "background") == "#123456", "the color")
    if has("konsole", "colors are reset"):
        color(place, "--reset", "background")
        eventually(lambda: color(place, "background") == old, "the color of the profile")
    else:
        result = place.run(["viatty", "color", "--reset", "background"])
        expect.refused(result, 4, "resetting colors")
    nothing_printed(place)
