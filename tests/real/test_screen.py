"""GNU Screen: pieces of 767 bytes, or base64 all over the window."""

import os

import pytest

from lib import expect
from lib.answering import FOOT, NAME, VTE, AnsweringTerminal
from lib.mux import ScreenSession, TmuxServer
from lib.remote import RemoteLogin

pytestmark = [pytest.mark.needs("screen"), pytest.mark.usefixtures("second_opinion")]


@pytest.mark.parametrize("size", [1, 10_000, 1_000_000])
def test_any_amount_arrives_and_nothing_is_printed(screen, size):
    expect.copy_arrives(screen, expect.sample(size))
    assert screen.text() == ""


def test_a_terminal_behind_screen_is_known_until_another_shows_it(sandbox):
    runtime = sandbox.folder("runtime", 0o700)
    screen = ScreenSession(sandbox, AnsweringTerminal(sandbox, FOOT))

    def copy():
        environment = {"XDG_RUNTIME_DIR": str(runtime)}
        return screen.run(["viatty", "copy"], stdin=b"text", environment=environment)

    expect.sent(copy())
    (kept,) = runtime.glob("viatty/*")
    # Nobody has typed since: a reply might come to another window.
    os.utime(screen.device, (1000, 0))
    expect.sent(copy())
    assert screen.terminal.asked().count(NAME) == 1
    os.utime(kept, (kept.stat().st_mtime - 2,) * 2)
    screen.command("detach")
    screen.terminal.wait_for(b"detached", what="the end of the display")
    screen.place = AnsweringTerminal(sandbox, VTE)
    screen.place.open(["screen", "-r", screen.name])
    screen.terminal.wait_for(b"\x1b[2J", what="the window is drawn")
    screen.settle()
    os.utime(screen.device)
    for times in (1, 1):
        expect.refused(copy(), naming="VTE")
        os.utime(screen.device, (1000, 0))
        assert screen.terminal.asked().count(NAME) == times
    assert screen.terminal.clipboard() == []


def test_a_detached_session_does_not_pretend(screen):
    screen.command("detach")
    screen.terminal.wait_for(b"detached", what="the end of the display")
    result = screen.run(["viatty", "copy"], stdin=expect.DATA)
    expect.refused(result)


def test_without_its_variables_screen_is_recognised(screen):
    hidden = {"STY": None, "WINDOW": None, "TERMCAP": None}
    expect.copy_arrives(screen, expect.sample(10_000), environment=hidden)
    assert screen.text() == ""


def test_a_remote_login_from_screen_arrives(sandbox, screen):
    remote = RemoteLogin(sandbox, screen, term="screen.xterm-256color")
    expect.copy_arrives(remote, expect.sample(10_000))
    assert screen.text() == ""


OPTIONS = [("external", "off"), ("on", "off"), ("external", "on"), ("on", "on")]
SIZES = [100, 100_000]


@pytest.fixture(params=OPTIONS, ids=["default", "set-clipboard", "passthrough", "both"])
def screen_in_tmux(request, sandbox, pane):
    set_clipboard, passthrough = request.param
    pane.server.option("-s", "set-clipboard", set_clipboard)
    pane.server.option("-g", "allow-passthrough", passthrough)
    # tmux's status line takes a line of the terminal.
    return ScreenSession(sandbox, pane, lines=23)


@pytest.mark.needs("tmux")
def test_a_copy_from_screen_in_tmux_arrives(screen_in_tmux):
    for size in SIZES:
        expect.copy_arrives(screen_in_tmux, expect.sample(size))
        screen_in_tmux.terminal.forget()
    assert screen_in_tmux.text() == ""


@pytest.fixture(params=OPTIONS, ids=["default", "set-clipboard", "passthrough", "both"])
def tmux_in_screen(request, sandbox, screen):
    server = TmuxServer(sandbox)
    pane = server.session()
    server.option("-s", "set-clipboard", request.param[0])
    server.option("-g", "allow-passthrough", request.param[1])
    server.attach_inside(screen, screen.device)
    return pane


@pytest.mark.needs("tmux")
def test_a_copy_from_tmux_in_screen_arrives(tmux_in_screen):
    for size in SIZES:
        expect.copy_arrives(tmux_in_screen, expect.sample(size))
        tmux_in_screen.terminal.forget()
    assert tmux_in_screen.text() == ""
