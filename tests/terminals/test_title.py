"""The title of the window."""

from deeds import nothing_printed
from makes import (
    ALACRITTY, EVERY_SHIPPED, FOOT, KITTY_SHIPPED, MLTERM, WEB, XTERM_SHIPPED, XTERMJS_VSCODE, on,
)

from lib.desktop import eventually
from lib.versions import has

# Screen changes what is not ASCII in a string it passes on.
TITLES = {"alone": ["plain 1", "grün ✓ 2"], "tmux": ["plain 3", "grün ✓ 4"]}
TITLES["Screen"] = ["plain 5", "words 6"]


def set_title(place, text):
    """Of the window, not of the pane or of Screen's line."""
    outer = [] if place.name == "alone" else ["--outer"]
    result = place.run(["viatty", "title", *outer, text])
    # These show it by a setting, which they do not tell.
    by_setting = place.emulator.make is XTERMJS_VSCODE or place.emulator.make.id == "konsole"
    assert result.status == (7 if by_setting else 0), result.stderr


@on(*EVERY_SHIPPED, *WEB)
def test_the_window_has_the_title(place, results):
    place.clear()
    for title in TITLES[place.name]:
        set_title(place, title)
        shown = lambda: place.emulator.title() == title
        eventually(shown, f"the window is called {title!r}")
    nothing_printed(place)
    results.record(place, "title", "works")


@on(XTERM_SHIPPED, KITTY_SHIPPED, ALACRITTY, FOOT, MLTERM, places=("alone",))
def test_the_title_from_before_is_back(place):
    place.clear()
    set_title(place, "one")
    shown = lambda title: eventually(lambda: place.emulator.title() == title, title)
    shown("one")
    place.run(["viatty", "title", "--while", "two", "--", "true"])
    # It replies when it has read all that was written before.
    assert place.run(["viatty", "color", "1"]).status == 0
    # Debian's xterm lets no program save its title; it resets an empty one to its name.
    kept = place.emulator.make.program != "xterm" or not has("xterm", "no title stack")
    shown("one" if kept else "xterm")
    nothing_printed(place)
