"""The title of the window."""

from deeds import nothing_printed
from makes import EVERY_SHIPPED, WEB, on

from lib.desktop import eventually

# Screen changes what is not ASCII in a string it passes on.
TITLES = {"alone": ["plain 1", "grün ✓ 2"], "tmux": ["plain 3", "grün ✓ 4"]}
TITLES["Screen"] = ["plain 5", "words 6"]


def set_title(place, text):
    """Of the window, not of the pane or of Screen's line."""
    outer = [] if place.name == "alone" else ["--outer"]
    result = place.run(["viatty", "title", *outer, text])
    assert result.status == 0, result.stderr


@on(*EVERY_SHIPPED, *WEB)
def test_the_window_has_the_title(place, results):
    place.clear()
    for title in TITLES[place.name]:
        set_title(place, title)
        shown = lambda: place.emulator.title() == title
        eventually(shown, f"the window is called {title!r}")
    nothing_printed(place)
    results.record(place, "title", "works")
