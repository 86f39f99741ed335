"""Notifications, as the daemon of the desktop shows them."""

import itertools
import subprocess

import pytest
from deeds import nothing_printed, raw
from makes import ALACRITTY, FOOT, KITTY, XTERM, on

from lib.desktop import PATIENCE, eventually

_numbers = itertools.count(1)

# Title and body -> bytes. OSC 9 has one text only.
FORMS = {
    "9": lambda title, body: b"\x1b]9;%s\x1b\\" % title,
    "777": lambda title, body: b"\x1b]777;notify;%s;%s\x1b\\" % (title, body),
    "99": lambda title, body: (
        b"\x1b]99;i=%s:d=0;%s\x1b\\" % (title.split()[-1], title)
        + b"\x1b]99;i=%s:p=body;%s\x1b\\" % (title.split()[-1], body)
    ),
}


def notify(place, form, title, body):
    """To become: place.run(["viatty", "notify", title, body]), and form its --osc."""
    raw(place, FORMS[form](title.encode(), body.encode()))


@on(XTERM, KITTY, ALACRITTY, FOOT)
@pytest.mark.parametrize("form", FORMS)
def test_the_notification_is_shown(place, results, stage, form):
    bus, make = stage.desktop.bus, place.emulator.make
    place.clear()
    # Screen changes what is not ASCII in a string it passes on.
    sign = "sign" if place.name == "Screen" else "grün ✓"
    title, body = f"{sign} {form} no {next(_numbers)}", "with a body"
    notify(place, form, title, body)
    if form in make.notifies:
        wanted = (title, "" if form == "9" else body)
        eventually(lambda: wanted in bus.shown(), f"{wanted} in {bus.shown()}")
        results.record(place, f"notify{form}", "works")
    else:
        place.settle()
        after_it(bus)
        assert not [shown for shown in bus.shown() if title in shown[0]]
        results.record(place, f"notify{form}", "not")
    nothing_printed(place)


def after_it(bus):
    """Whatever was sent before is shown before this."""
    fence = f"fence {next(_numbers)}"
    argv = ["notify-send", fence]
    subprocess.run(argv, env=bus.environment, timeout=PATIENCE, check=True)
    eventually(lambda: (fence, "") in bus.shown(), "the daemon shows the fence")
