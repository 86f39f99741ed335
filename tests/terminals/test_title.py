"""The title of the window."""

from deeds import nothing_printed, raw
from makes import COPYING, MLTERM, ST, URXVT, on

from lib.desktop import eventually

# Screen changes what is not ASCII in a string it passes on.
TITLES = {"alone": ["plain 1", "grün ✓ 2"], "tmux": ["plain 3", "grün ✓ 4"]}
TITLES["Screen"] = ["plain 5", "words 6"]


def set_title(place, text):
    """OSC 2, as ctlseqs has it. To become: place.run(["viatty", "title", text])."""
    raw(place, b"\x1b]2;%s\x1b\\" % text.encode())


@on(*COPYING, ST, URXVT, MLTERM)
def test_the_window_has_the_title(place, results):
    place.clear()
    for title in TITLES[place.name]:
        set_title(place, title)
        shown = lambda: place.emulator.title() == title
        eventually(shown, f"the window is called {title!r}")
    nothing_printed(place)
    results.record(place, "title", "works")
