"""What the tests do with a place, and how they look at what came of it."""

import itertools

from lib.desktop import eventually
from lib.emulator import CORNER

_numbers = itertools.count(1)


def something_new():
    """A text that has not been on any clipboard here, so no stale one passes for it."""
    return b"as before, number %d" % next(_numbers)


def prepared(place, selection="clipboard", holds=None):
    """Another program owns the selection, then a key is pressed: gives what it owns.

    Without the key the owner would be the last thing this seat has seen, and a
    terminal that names its last key for the time of a copy comes too late.
    """
    owned = something_new() if holds is None else holds
    place.emulator.seat.own(owned, selection)
    place.press_return()
    place.clear()
    return owned


def copy(place, data, *options):
    return place.run(["viatty", "copy", *options], stdin=data)


def arrives(place, data, selection="clipboard"):
    """The selection becomes this, and nothing was printed."""
    read = lambda: place.emulator.seat.read(selection)
    eventually(lambda: read() == data, f"{len(data)} bytes on the {selection}")
    nothing_printed(place)


def nothing_changed(place, before, selection="clipboard"):
    """All has been read that was sent, and the selection is as it was."""
    place.settle()
    assert place.emulator.seat.read(selection) == before
    nothing_printed(place)


def nothing_printed(place):
    assert place.cursor() == CORNER

