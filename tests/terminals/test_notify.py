"""Notifications and progress, as the daemon of the desktop shows them."""

import itertools
import subprocess

from deeds import nothing_printed
from makes import EVERY_SHIPPED, on

from lib.desktop import PATIENCE, eventually

_numbers = itertools.count(1)
_percents = itertools.cycle(range(1, 100))

# The OSC that is asked for; none leaves the choice to viatty.
FORMS = ("", "9", "777", "99")
# By the line break one sees from outside which it was. OSC 9 has one text for all.
BODY = "with a body\nof two lines"
BODIES = {"99": BODY, "777": BODY.replace("\n", " ")}


@on(*EVERY_SHIPPED)
def test_the_notification_is_shown_or_refused(place, results, stage):
    place.clear()
    for form in FORMS:
        title = a_title(place, form)
        result = notify(place, form, title)
        sent = form or place.emulator.make.chosen
        if sent in place.emulator.make.notifies:
            assert (result.status, result.stderr) == (0, "")
            await_it(stage.desktop.bus, title, BODIES.get(sent))
            outcome = "works"
        else:
            outcome = not_shown(place, result, stage.desktop.bus, title)
        results.record(place, f"notify{form}", outcome)
    nothing_printed(place)


@on(*EVERY_SHIPPED)
def test_progress_is_refused(place, results, stage):
    """None of these versions shows it; an old kitty would pop each step up."""
    place.clear()
    percent = next(_percents)
    result = place.run(["viatty", "progress", str(percent)])
    word = not_shown(place, result, stage.desktop.bus, f"4;1;{percent}")
    assert word == "refused"
    results.record(place, "progress", word)
    nothing_printed(place)


def a_title(place, form):
    # Screen changes what is not ASCII in a string it passes on.
    sign = "sign" if place.name == "Screen" else "grün ✓"
    return f"{sign} {form or 'of any form'} no {next(_numbers)}"


def notify(place, form, title):
    choice = ["--proto", form] if form else []
    return place.run(["viatty", "notify", "--no-bell", *choice, title, BODY])


def shown(bus, title):
    return [seen for seen in bus.shown() if title in " ".join(seen)]


def await_it(bus, title, body=None):
    eventually(lambda: shown(bus, title), f"{title} in {bus.shown()}")
    if body:
        assert shown(bus, title) == [(title, body)]


def not_shown(place, result, bus, title):
    """Nothing came of it; gives the word for how viatty takes that."""
    assert result.status in (0, 4), result.stderr
    place.settle()
    after_it(bus)
    assert not shown(bus, title)
    if result.status == 4:
        assert "hint: " in result.stderr
        return "refused"
    return "not"


def after_it(bus):
    """Whatever was sent before is shown before this."""
    fence = f"fence {next(_numbers)}"
    argv = ["notify-send", fence]
    subprocess.run(argv, env=bus.environment, timeout=PATIENCE, check=True)
    eventually(lambda: (fence, "") in bus.shown(), "the daemon shows the fence")
