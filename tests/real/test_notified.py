"""Notifications through tmux and Screen as they are installed."""

import base64
import shlex

import pytest

from lib import expect, sequences
from lib.answering import KITTY, NAME, PLAIN, XTERM, AnsweringTerminal, name
from lib.mux import Pane
from lib.processes import until
from lib.runner import Job, Runner
from lib.terminal import write_to_terminal

NOTIFY = ["viatty", "notify", "--term"]


def arrived(terminal, number):
    """What the outer terminal got of these sequences; each of them is whole."""
    tokens = sequences.osc(sequences.with_one_id(terminal.recorded()), number)
    assert all(not token.faults for token in tokens)
    return [token.payload.split(b";", 1)[1] for token in tokens]


@pytest.mark.needs("tmux")
class TestTmux:
    def test_each_protocol_arrives_once_with_default_options(self, pane):
        expect.sent(pane.run([*NOTIFY, "kitty", "gr\u00fcn", "\u2713"]))
        expect.sent(pane.run([*NOTIFY, "foot", "gr\u00fcn;", "\u2713"]))
        expect.sent(pane.run([*NOTIFY, "iterm2", "4;1;50"]))
        pane.settle()
        text = [base64.b64encode(text.encode()) for text in ("gr\u00fcn", "\u2713")]
        assert arrived(pane.terminal, 99) == [
            b"i=n1:d=0:p=title:e=1;" + text[0],
            b"i=n1:d=1:p=body:e=1;" + text[1],
        ]
        assert arrived(pane.terminal, 777) == ["notify;gr\u00fcn\u037e;\u2713".encode()]
        assert arrived(pane.terminal, 9) == [" 4\u037e1\u037e50".encode()]
        assert pane.text() == ""

    def test_a_notification_for_a_bell_is_not_the_next_one(self, pane):
        """By the hook alert-bell, for a bell of the program and one that comes soon after."""
        window = pane.server.window()
        pane.server.run("select-window", "-t", pane.id)
        for _ in range(2):
            job = Job(pane.server.sandbox, [*NOTIFY, "kitty", "Bell"])
            hook = f"set-option -ga @rang x ; run-shell -b {job.script}"
            pane.server.run("set-hook", "-g", "alert-bell", hook)
            write_to_terminal(window.device, b"\a")
            job.wait()
            pane.settle()
        assert pane.server.ask("#{@rang}") == "xx"
        assert len(sequences.osc(pane.terminal.recorded(), 99)) == 2

    def test_what_has_no_pane_does_not_ring(self, tmux):
        """A bell would mark the pane that the user looks at, or a session without any."""
        pane = tmux.session()
        job = Job(tmux.sandbox, [*NOTIFY, "iterm2", "Done"])
        tmux.run("run-shell", "-b", str(job.script))
        expect.refused(job.wait(), naming="is detached")
        assert tmux.ask("#{window_bell_flag}", pane.id) == "0"

    def test_where_nobody_looks_it_is_refused_or_rings(self, tmux):
        pane = tmux.session()
        expect.refused(pane.run([*NOTIFY, "iterm2", "Done"]), naming="is detached")
        result = pane.run([*NOTIFY, "iterm2", "--bell", "Done"])
        assert result.status == 0 and "the bell rang instead" in result.stderr


# OSC 777 alone, and an OSC 99 that is shown on every occasion.
WEZTERM = {**PLAIN, NAME: name(b"WezTerm 20240203-110809")}
OLD_KITTY = {**KITTY, NAME: name(b"kitty(0.26.5)")}
UNFOCUSED = ["viatty", "notify", "--when", "unfocused"]
FOCUS_OUT = "\x1b[O"


class Desk:
    """A pane of a tmux in one terminal that tells its name, with the keyboard or not."""

    def __init__(self, tmux, sandbox, script, events="on"):
        self.tmux = tmux
        self.pane = tmux.session()
        tmux.option("-g", "focus-events", events)
        tmux.run("rename-window", "-t", "main", "api")
        self.terminal = tmux.attach(terminal=AnsweringTerminal(sandbox, script))
        known = script[NAME][4:-2].decode()
        until(lambda: self.client("#{client_termtype}") == known, "tmux knows the terminal")

    def client(self, what):
        return self.tmux.run("list-clients", "-F", what)

    def loses_focus(self):
        self.terminal.type(FOCUS_OUT)
        until(lambda: "focused" not in self.client("#{client_flags}").split(","), "it is lost")

    def notified(self, *options, pane=None):
        """The notifications that come of one, and whether the pane's bell was heard."""
        pane = pane or self.pane
        self.terminal.forget()
        expect.sent(pane.run([*UNFOCUSED, *options, "Done"]))
        pane.settle()
        tokens = sequences.parse_strictly(self.terminal.recorded())
        texts = [shown(token) for token in tokens if token.kind == "osc"]
        return [text for text in texts if text], any(t.raw == b"\a" for t in tokens)


def shown(token):
    """Its number, its title, and whether that hangs on the focus of the terminal."""
    number, _, rest = token.payload.partition(b";")
    if number == b"99":
        about, _, text = rest.partition(b";")
        return b"99", base64.b64decode(text).decode(), b":o=unfocused" in about
    return (number, rest.decode(), False) if number in (b"9", b"777") else None


@pytest.mark.needs("tmux")
class TestWhetherTheUserLooks:
    def test_a_hidden_window_notifies_and_is_named(self, tmux, sandbox):
        desk = Desk(tmux, sandbox, KITTY)
        tmux.window()
        assert desk.notified() == ([(b"99", "Done [0:api]", False)], False)
        assert desk.notified("--bell")[1]

    def test_a_pane_beside_the_one_with_the_keyboard_does(self, tmux, sandbox):
        desk = Desk(tmux, sandbox, KITTY)
        tmux.split()
        assert desk.notified()[0] == [(b"99", "Done [0.0:api]", False)]

    @pytest.mark.parametrize("script, sent", [
        (KITTY, [(b"99", "Done", True)]),
        (OLD_KITTY, []),
        (WEZTERM, []),
    ], ids=["OSC 99", "OSC 99 without occasions", "OSC 777"])
    def test_one_that_is_looked_at_does_not(self, tmux, sandbox, script, sent):
        desk = Desk(tmux, sandbox, script)
        assert desk.notified() == (sent, False)
        said = desk.pane.run([*UNFOCUSED, "-v", "Done"]).stderr
        assert ("not sent: " in said and "you look at this pane" in said) == (not sent)
        assert desk.notified("--when", "always")[0] != []

    @pytest.mark.parametrize("script, number, text", [
        (KITTY, b"99", "Done"), (WEZTERM, b"777", "notify;Done; "),
    ], ids=["OSC 99", "OSC 777"])
    def test_one_in_a_terminal_that_is_not_focused_does(
        self, tmux, sandbox, script, number, text
    ):
        desk = Desk(tmux, sandbox, script)
        desk.loses_focus()
        assert desk.notified()[0] == [(number, text, False)]

    @pytest.mark.parametrize("script, sent", [
        (KITTY, (b"99", "Done", True)), (WEZTERM, (b"777", "notify;Done; ", False)),
    ], ids=["OSC 99", "OSC 777"])
    def test_where_tmux_does_not_know_the_terminal_decides(self, tmux, sandbox, script, sent):
        """By default tmux takes every client to be focused."""
        desk = Desk(tmux, sandbox, script, events="off")
        assert desk.notified() == ([sent], False)

    def test_in_an_outer_tmux_the_window_hides_all_panes(self, tmux, sandbox):
        outer = Desk(tmux, sandbox, KITTY)
        inner = type(tmux)(sandbox)
        pane = inner.session()
        inner.run("rename-window", "-t", "main", "inside")
        inner.attach_inside(outer.pane, outer.pane.device)
        assert outer.notified(pane=pane)[0] == [(b"99", "Done", True)]
        tmux.window()
        assert outer.notified(pane=pane)[0] == [(b"99", "Done [0:api]", False)]

    def test_who_cannot_be_asked_does_not_keep_it_back(self, tmux, sandbox):
        desk = Desk(tmux, sandbox, KITTY)
        tmux.option("-g", "allow-passthrough", "on")
        runner = Runner(sandbox)
        unnamed = shlex.join(["exec", "env", "-u", "TMUX", *runner.argv])
        where = tmux.run("new-window", "-P", "-F", "#{pane_id} #{pane_tty}", unnamed)
        pane = Pane(tmux, where, runner)
        assert desk.notified("--term", "kitty", pane=pane)[0] == [(b"99", "Done", False)]


@pytest.mark.needs("tmux")
class TestDetached:
    """One session for each task, and a terminal that shows one of them."""

    @pytest.fixture
    def desk(self, tmux, sandbox):
        desk = Desk(tmux, sandbox, KITTY)
        desk.other = tmux.session("other")
        tmux.run("rename-window", "-t", "other", "task")
        return desk

    def test_its_notification_arrives_where_the_user_is(self, desk):
        assert desk.notified(pane=desk.other)[0] == [(b"99", "Done [other 0:task]", False)]

    def test_of_two_terminals_it_is_the_one_used_last(self, desk, sandbox):
        later = desk.tmux.attach(terminal=AnsweringTerminal(sandbox, KITTY))
        name = lambda: desk.client("#{client_tty} #{client_termtype}")
        until(lambda: f"{later.device} kitty" in name(), "tmux knows the later one")
        expect.sent(desk.other.run([*NOTIFY, "kitty", "Done"]))
        later.settle()
        desk.terminal.settle()
        assert [bool(arrived(t, 99)) for t in (desk.terminal, later)] == [False, True]


@pytest.mark.needs("tmux")
class TestWhereNoneCanBeShown:
    """xterm shows none: the bell is what marks the window."""

    def rings(self, tmux, sandbox, *options):
        desk = Desk(tmux, sandbox, XTERM)
        tmux.window()
        expect.refused(desk.pane.run(["viatty", "notify", *options, "Done"]), naming="xterm")
        desk.pane.settle()
        assert sequences.osc(desk.terminal.recorded(), 9) == []
        return tmux.ask("#{window_bell_flag}", desk.pane.id) == "1"

    def test_the_window_is_flagged(self, tmux, sandbox):
        assert self.rings(tmux, sandbox)

    def test_not_if_that_is_not_wanted(self, tmux, sandbox):
        assert not self.rings(tmux, sandbox, "--no-bell")


@pytest.mark.needs("screen")
class TestScreen:

    def test_which_window_is_shown_nobody_knows(self, screen):
        expect.sent(screen.run([*UNFOCUSED, "--term", "kitty", "--no-bell", "Done"]))
        screen.settle()
        (token,) = sequences.osc(screen.terminal.recorded(), 99)
        assert shown(token) == (b"99", "Done", False) and screen.text() == ""
