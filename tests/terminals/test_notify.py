"""Notifications and progress, as the daemon of the desktop shows them."""

import itertools
import subprocess
import time

from deeds import nothing_printed
from makes import EVERY_SHIPPED, KITTY_TABS, on
from watch import HIDDEN, SHOWN

from lib.desktop import PATIENCE, eventually
from lib.versions import has

_numbers = itertools.count(1)
_percents = itertools.cycle(range(1, 100))

# By the line break one sees from outside which it was. OSC 9 has one text for all.
BODY = "with a body\nof two lines"
BODIES = {"99": BODY, "777": BODY.replace("\n", " ")}


@on(*EVERY_SHIPPED)
def test_the_notification_is_shown_or_refused(place, results, stage):
    place.clear()
    # None leaves the choice to viatty.
    for form in ("", *place.emulator.make.notifies):
        title = a_title(place, form)
        result = notify(place, form, title)
        sent = form or place.emulator.make.chosen
        if sent in place.emulator.make.notifies:
            assert (result.status, result.stderr) == (0, "")
            await_it(stage.desktop.bus, title, BODIES.get(sent))
            outcome = "works"
        else:
            outcome = refused(place, result, stage.desktop.bus, title)
        results.record(place, f"notify{form}", outcome)
    nothing_printed(place)


@on(*EVERY_SHIPPED, KITTY_TABS)
def test_progress_is_shown_or_refused(place, results, stage):
    place.clear()
    percent = next(_percents)
    if place.emulator.make.shows_progress:
        outcome = drawn(place, percent)
    else:
        result = place.run(["viatty", "progress", str(percent)])
        bus, text = stage.desktop.bus, f"4;1;{percent}"
        # Seen in 0.39 to 0.46: the bar is that of a tab, and one tab has none.
        silent = place.emulator.make.id == "kitty" and has("kitty", "progress in the tab")
        outcome = (lost if silent else refused)(place, result, bus, text)
    results.record(place, "progress", outcome)
    nothing_printed(place)


def drawn(place, percent):
    """Progress is seen in the window, and nothing of it when it has been cleared."""
    box = place.emulator.seat.box(place.emulator.window)
    place.settle()
    place.stand_still()
    place.print(HIDDEN)
    before = at_rest(place, box)
    for argv, seen in ([str(percent)], True), (["--clear"], False):
        result = place.run(["viatty", "progress", *argv])
        assert (result.status, result.stderr) == (0, "")
        changed = lambda: place.emulator.seat.picture(box) != before
        eventually(lambda: changed() == seen, f"progress is seen: {seen}")
    place.print(SHOWN)
    place.move_again()
    return "works"


def at_rest(place, box):
    """What the window shows when it draws no more."""
    looks = [None]

    def still():
        looks.append(place.emulator.seat.picture(box))
        time.sleep(0.2)  # that it draws no more is not an event
        return looks[-1] == looks[-2]

    eventually(still, f"{place} draws no more")
    return looks[-1]


def a_title(place, form):
    # Screen changes what is not ASCII in a string it passes on.
    sign = "sign" if place.name == "Screen" else "grün ✓"
    return f"{sign} {form or 'of any form'} no {next(_numbers)}"


# A terminal that is sent this form.
TERMS = {"9": "iterm2", "777": "ghostty", "99": "kitty"}


def notify(place, form, title):
    choice = ["--term", TERMS[form]] if form else []
    return place.run(["viatty", "notify", "--no-bell", *choice, title, BODY])


def shown(bus, title):
    return [seen for seen in bus.shown() if title in " ".join(seen)]


def await_it(bus, title, body=None):
    eventually(lambda: shown(bus, title), f"{title} in {bus.shown()}")
    if body:
        assert shown(bus, title) == [(title, body)]


def refused(place, result, bus, title):
    """Nothing came of it, and that is said."""
    assert result.status == 4, result.stderr
    assert "hint: " in result.stderr
    not_shown(place, bus, title)
    return "refused"


def lost(place, result, bus, title):
    """The terminal takes it and shows nothing, which nobody can know."""
    assert (result.status, result.stderr) == (0, "")
    not_shown(place, bus, title)
    return "not"


def not_shown(place, bus, title):
    place.settle()
    after_it(bus)
    assert not shown(bus, title)


def after_it(bus):
    """Whatever was sent before is shown before this."""
    fence = f"fence {next(_numbers)}"
    argv = ["notify-send", fence]
    subprocess.run(argv, env=bus.environment, timeout=PATIENCE, check=True)
    eventually(lambda: (fence, "") in bus.shown(), "the daemon shows the fence")
