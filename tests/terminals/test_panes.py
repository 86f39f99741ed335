"""Whether the user looks at a pane of tmux: what a real kitty shows on the desktop.

What it is sent, also for other panes and by shells and agents, is tested in tests/real.
"""

import pytest
from makes import KITTY_SHIPPED, on
from test_notify import a_title, await_it, shown

from lib.desktop import PATIENCE, eventually
from lib.mux import TmuxServer

NOTIFY = ["viatty", "notify", "--when", "unfocused"]
in_kitty = on(KITTY_SHIPPED, places=("alone",))
NOBODY = "0"


class Desk:
    """A tmux in the kitty, with the pane of a program in its only window."""

    def __init__(self, kitty, bus, events):
        self.kitty, self.bus = kitty, bus
        self.tmux = TmuxServer(kitty.sandbox)
        self.pane = self.tmux.session()
        self.tmux.option("-g", "focus-events", events)
        kitty.open(self.tmux.argv("attach-session", "-t", "main"))
        eventually(lambda: "kitty" in self.client("#{client_termtype}"), "tmux knows the kitty")

    def client(self, what):
        return self.tmux.run("list-clients", "-F", what)

    def focus(self, window, known=True):
        self.kitty.seat.focus(window)
        focused = lambda: "focused" in self.client("#{client_flags}").split(",")
        if known:
            eventually(lambda: focused() == (window != NOBODY), "tmux knows about the focus")

    def shows(self, title):
        """Of a notification and one without a condition, which comes after it."""
        last = a_title(self.kitty, "last")
        for argv in ([*NOTIFY, title], ["viatty", "notify", last]):
            assert self.pane.run(argv).status == 0
        await_it(self.bus, last)
        return [told[0] for told in shown(self.bus, title)]

    def close(self):
        self.tmux.run("kill-server")
        self.kitty.guest.wait(PATIENCE)
        self.kitty.focus()


@pytest.fixture
def desk(place, stage):
    desks = []

    def sit_down(events="on"):
        desks.append(Desk(place, stage.desktop.bus, events))
        return desks[0]

    yield sit_down
    for desk in desks:
        desk.close()


@in_kitty
def test_the_pane_with_the_keyboard(desk, place):
    desk = desk()
    assert desk.shows(a_title(place, "seen")) == []
    desk.focus(NOBODY)
    title = a_title(place, "away")
    assert desk.shows(title) == [title]
    desk.focus(place.window)
    assert desk.shows(a_title(place, "back")) == []


@in_kitty
def test_a_tmux_that_does_not_know_the_focus(desk, place):
    desk = desk("off")
    desk.focus(NOBODY, known=False)
    title = a_title(place, "away")
    assert desk.shows(title) == [title]
