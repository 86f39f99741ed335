"""Links that a person opens, and what is printed where there are none."""

import itertools
import time

from makes import EVERY_SHIPPED, on
from watch import watched

from lib.desktop import eventually

TEXT = "a text to open"
# Until a gesture that came to nothing is made again.
AGAIN = 10

_numbers = itertools.count(1)


@on(*EVERY_SHIPPED)
def test_the_link_is_opened_or_the_url_is_printed(place, results):
    url = f"https://example.org/{next(_numbers)}?a=%3B"
    # What the shipped tmux and Screen would lose is text there.
    if place.name == "alone" and place.emulator.make.opens:
        place.clear()
        link(place, url)
        place.settle()
        opens(place.emulator, url)
        results.record(place, "link", "works")
    else:
        with watched(place, f"{TEXT} ({url})") as window:
            place.print(b"\r")
            link(place, url)
            window.nothing_has_changed("the text of the link")
        results.record(place, "link", "as text")


def link(place, url):
    result = place.runner.open(["viatty", "link", "-n", url, TEXT]).wait()
    assert result.status == 0


def opens(emulator, url):
    """The first link of the window, by its own keys or by a click on it."""
    seat, how = emulator.seat, emulator.make.opens
    last = -AGAIN

    def opened():
        nonlocal last
        if emulator.opened():
            return True
        if time.monotonic() - last > AGAIN:
            last = time.monotonic()
            open_it()
        return False

    def open_it():
        if isinstance(how[0], str):
            seat.press(emulator.window, *how)
        else:
            left, top, _, _ = seat.box(emulator.window)
            seat.click(left + how[0], top + how[1])

    eventually(opened, f"{emulator.make.id} opens {url}")
    assert set(emulator.opened()) == {url}
