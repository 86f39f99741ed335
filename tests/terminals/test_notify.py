"""Notifications, as the daemon of the desktop shows them."""

import itertools
import subprocess

import pytest
from deeds import nothing_printed
from makes import ALACRITTY, FOOT, KITTY, XTERM, on

from lib.desktop import PATIENCE, eventually

_numbers = itertools.count(1)

# OSC 9 has one text, in which both are.
FORMS = ("9", "777", "99")


@on(XTERM, KITTY, ALACRITTY, FOOT)
@pytest.mark.parametrize("form", FORMS)
def test_the_notification_is_shown_or_refused(place, results, stage, form):
    bus, make = stage.desktop.bus, place.emulator.make
    place.clear()
    # Screen changes what is not ASCII in a string it passes on.
    sign = "sign" if place.name == "Screen" else "grün ✓"
    title, body = f"{sign} {form} no {next(_numbers)}", "with a body"
    argv = ["viatty", "notify", "--no-bell", "--proto", form, title, body]
    result = place.run(argv)
    shown = lambda: [seen for seen in bus.shown() if title in " ".join(seen)]
    if form in make.notifies:
        assert result.status == 0, result.stderr
        eventually(shown, f"{title} in {bus.shown()}")
        assert body in " ".join(shown()[0])
        results.record(place, f"notify{form}", "works")
    else:
        place.settle()
        after_it(bus)
        assert not shown()
        assert result.status in (0, 4), result.stderr
        outcome = "refused" if result.status == 4 else "not"
        results.record(place, f"notify{form}", outcome)
    nothing_printed(place)


def after_it(bus):
    """Whatever was sent before is shown before this."""
    fence = f"fence {next(_numbers)}"
    argv = ["notify-send", fence]
    subprocess.run(argv, env=bus.environment, timeout=PATIENCE, check=True)
    eventually(lambda: (fence, "") in bus.shown(), "the daemon shows the fence")
