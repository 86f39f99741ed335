"""A login on another machine: only TERM and the answers of the terminal are known.

Here the login is one without ssh; the situations of most people are in test_ssh.py.
"""

import os

import pytest

from lib import expect, sequences
from lib.answering import NAME, Pause
from lib.processes import until
from lib.remote import RemoteLogin
from lib.terminal import XTERM_ANSWERS, OuterTerminal
from lib.versions import has

pytestmark = pytest.mark.usefixtures("second_opinion")

SETTINGS = {"set-clipboard on": ("on", "off"), "passthrough on": ("external", "on")}


@pytest.fixture
def pane(tmux):
    """A pane of a default tmux in a terminal that answers, as real ones do."""
    pane = tmux.session()
    tmux.attach(answers=XTERM_ANSWERS)
    return pane


def let_through(pane, setting):
    set_clipboard, passthrough = SETTINGS[setting]
    pane.server.option("-s", "set-clipboard", set_clipboard)
    pane.server.option("-g", "allow-passthrough", passthrough)


def copy_gets_through(place, pane, data):
    """Plain and wrapped are both sent here, and at least one was passed on."""
    expect.sent(expect.copy(place, data))
    expect.arrived_somehow(pane.terminal, data)
    expect.printed_no_part_of(pane.text().encode(), data)


@pytest.mark.needs("tmux")
@pytest.mark.parametrize("setting", SETTINGS)
def test_from_a_terminal_at_the_end_of_a_long_line_it_arrives(sandbox, tmux, setting):
    pane = tmux.session()
    late = [Pause(0.4), XTERM_ANSWERS[NAME]]
    tmux.attach(answers={**XTERM_ANSWERS, NAME: late})
    let_through(pane, setting)
    copy_gets_through(RemoteLogin(sandbox, pane), pane, expect.DATA)


@pytest.mark.needs("tmux")
@pytest.mark.parametrize("setting", SETTINGS)
def test_beside_the_active_pane_it_arrives_and_types_nothing_there(
    sandbox, pane, setting
):
    let_through(pane, setting)
    # tmux hands what the terminal answers to the active pane, whoever asked.
    active = pane.server.split()
    remote = RemoteLogin(sandbox, pane)
    # The person has turned to the other pane: nothing was typed here for long.
    os.utime(remote.device, (0, 0))
    copy_gets_through(remote, pane, expect.DATA)
    pane.terminal.type("z")
    until(lambda: active.text().endswith("z"), "the key is in the active pane")
    assert active.text() == "z"


@pytest.mark.needs("tmux")
@pytest.mark.parametrize("setting", SETTINGS)
def test_under_the_name_of_screen_tmux_is_recognised(sandbox, pane, setting):
    let_through(pane, setting)
    remote = RemoteLogin(sandbox, pane, term="screen-256color")
    copy_gets_through(remote, pane, expect.DATA)


@pytest.mark.needs("tmux")
def test_what_it_replies_counts_more_than_what_is_stated(sandbox, pane):
    remote = RemoteLogin(sandbox, pane)
    result = expect.copy(remote, expect.DATA, environment={"VIATTY_OUTER_TMUX": "copies"})
    expect.nothing_arrived(pane.terminal)
    status = 0 if has("tmux", "get-clipboard") else 4
    assert (result.status, "tmux" in result.stderr) == (status, True), result


# set-clipboard and allow-passthrough.
BOTH = [(clipboard, passes) for clipboard in ("on", "external") for passes in ("on", "off")]
NOTIFY = ["viatty", "notify", "--term", "iterm2", "--no-bell", "Done"]


@pytest.mark.needs("tmux")
@pytest.mark.parametrize("command", [["osc52"], NOTIFY], ids=["copy", "notify"])
@pytest.mark.parametrize("clipboard, passes", BOTH)
def test_no_reply_stays_behind_as_typed_text(sandbox, pane, clipboard, passes, command):
    pane.server.option("-s", "set-clipboard", clipboard)
    pane.server.option("-g", "allow-passthrough", passes)
    remote = RemoteLogin(sandbox, pane)
    remote.run(command, stdin=expect.DATA)
    remote.settle()
    assert remote.typed_before(b"z") == b""


@pytest.mark.needs("tmux")
@pytest.mark.parametrize("clipboard, passes", BOTH)
def test_a_notification_depends_on_passthrough_alone(sandbox, pane, clipboard, passes):
    pane.server.option("-s", "set-clipboard", clipboard)
    pane.server.option("-g", "allow-passthrough", passes)
    remote = RemoteLogin(sandbox, pane)
    result = remote.run(NOTIFY)
    remote.settle()
    shown = sequences.osc(pane.terminal.recorded(), 9)
    if passes == "on":
        expect.sent(result)
        assert [token.payload for token in shown] == [b"9;Done"]
    else:
        expect.refused(result, naming="allow-passthrough on")
        assert shown == []


@pytest.mark.needs("tmux")
@pytest.mark.parametrize("clear", [False, True], ids=["copy", "clear"])
@pytest.mark.parametrize("passes", ["on", "off"])
def test_another_selection_is_not_lost_where_a_way_is_open(sandbox, pane, passes, clear):
    """tmux sends a copy on without its letter up to 3.3a, and clears nothing."""
    pane.server.option("-s", "set-clipboard", "on")
    pane.server.option("-g", "allow-passthrough", passes)
    remote = RemoteLogin(sandbox, pane)
    data = b"" if clear else b"selected"
    result = expect.copy(remote, data, "-p", *["--clear"] * clear)
    assert result.status == 0, result.stderr
    keeps, tells = has("tmux", "selections"), not has("tmux", "get-clipboard")
    wrapped = passes == "on" and (clear or not keeps)
    arrives = ("p", data) if wrapped else ("p" if keeps else "", data or b"\n")
    # Whether it takes a copy is not known since 3.7; of an empty one it is.
    lost = clear and not wrapped and not tells
    assert set(pane.terminal.clipboard()) == (set() if lost else {arrives})
    assert pane.text() == ""
    if wrapped or (tells and keeps):
        assert result.stderr == ""
    elif tells:
        (line,) = result.stderr.splitlines()
        assert "the clipboard instead" in line
    else:
        assert "cannot be queried" in result.stderr


@pytest.mark.parametrize("answers", [None, XTERM_ANSWERS], ids=["silent", "answers"])
def test_from_a_plain_terminal_it_arrives(sandbox, answers):
    terminal = OuterTerminal(sandbox, answers=answers)
    remote = RemoteLogin(sandbox, terminal, term="xterm-256color")
    # Text, for xterm keeps nothing else.
    expect.copy_arrives(remote, expect.sample(50_000).hex().encode())
