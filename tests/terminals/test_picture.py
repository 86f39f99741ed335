"""No pixel of the window is changed by a sequence, known to the terminal or not."""

import pytest
from makes import EVERY_SHIPPED, KITTY_SHIPPED, on
from watch import watched

from lib import expect

FORCED = ("--force", "--quiet")
LINK = "a link"
SEQUENCES = {
    "copy": ["copy", *FORCED],
    "clear": ["copy", "--clear", *FORCED],
    "title": ["title", "a title"],
    "notify9": ["notify", "--no-bell", "--term", "iterm2", *FORCED, "title", "body"],
    "notify777": ["notify", "--no-bell", "--term", "foot", *FORCED, "title", "body"],
    "notify99": ["notify", "--no-bell", "--term", "kitty", *FORCED, "title", "body"],
    "progress": ["progress", *FORCED, "40"],
    "no progress": ["progress", *FORCED, "--clear"],
    "cwd": ["raw", *FORCED, "\x1b]7;file:///tmp\x1b\\"],
    "mark": ["raw", *FORCED, "\x1b]133;C\x07"],
    "unknown to all": ["raw", *FORCED, "\x1b]7777;some;text\x1b\\"],
}


@on(*EVERY_SHIPPED)
def test_what_is_sent_is_not_seen(place):
    with watched(place) as window:
        for name, arguments in SEQUENCES.items():
            if "progress" in name and place.emulator.make.shows_progress:
                continue
            result = place.run(["viatty", *arguments], stdin=expect.sample(3_000))
            assert result.status == 0, result.stderr
            window.nothing_has_changed(name)
        window.cursor_has_not_moved()


@on(*EVERY_SHIPPED)
def test_a_link_looks_like_its_text(place):
    with watched(place, LINK) as window:
        place.print(b"\r")
        link = ["viatty", "link", "-n", "--when", "always", "https://example.org", LINK]
        place.runner.open(link).wait()
        window.nothing_has_changed("link")


@on(KITTY_SHIPPED, places=["alone"])
def test_a_letter_is_seen(place):
    """The others could not fail if it were not."""
    with watched(place) as window:
        place.print(b".\b")
        with pytest.raises(AssertionError, match="a full stop is seen"):
            window.nothing_has_changed("a full stop")
