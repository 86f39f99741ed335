"""A paste by the terminal's own key, through programs that run a terminal."""

import pytest

from lib import expect
from lib.answering import FOOT, XTERM, AnsweringTerminal
from lib.editors import EDITORS, inside
from lib.mux import ScreenSession
from lib.processes import until
from lib.program import Inside
from lib.runner import Runner
from lib.sshd import MoshLogin, Sshd

BEGIN, END = b"\x1b[200~", b"\x1b[201~"
# Without a letter of the words below, or a tab, which tmux could draw otherwise.
TEXT = "ein Satz, grün ✓\rund ein zweiter\r".encode()
NEEDS_TMUX = pytest.mark.needs("tmux")
NEEDS_SCREEN = pytest.mark.needs("screen")


def pastes(sandbox, place, data, *options):
    """What is printed of a text that the user of the outermost terminal pastes."""
    terminal, out = place.terminal, sandbox.fresh("out")
    terminal.forget()
    # The terminal is its standard error, as at a prompt.
    place.start(["sh", "-c", f'viatty paste "$@" >{out}.new; echo $? >{out}.status', "sh",
                 *options], stdin=None, on_terminal=True)
    terminal.see("viatty: paste now (")
    terminal.push(BEGIN + data + END)
    until(lambda: out.with_suffix(".status").exists() and out.with_suffix(".status").read_text(),
          "viatty has ended")
    assert out.with_suffix(".status").read_text() == "0\n"
    return out.with_suffix(".new").read_bytes()


@pytest.fixture
def pane_in(sandbox, tmux):
    def pane_in(script):
        pane = tmux.session()
        tmux.attach(terminal=AnsweringTerminal(sandbox, script))
        return pane

    return pane_in


@NEEDS_TMUX
@pytest.mark.parametrize("data", [b"x", TEXT, expect.sample(100_000).hex().encode()],
                         ids=["a byte", "text", "200 kB"])
def test_in_tmux_the_pane_gets_what_is_pasted(sandbox, pane_in, data):
    pane = pane_in(XTERM)
    assert pastes(sandbox, pane, data) == data.replace(b"\r", b"\n")
    assert pane.text().strip() == ""


@NEEDS_TMUX
def test_in_a_popup_of_tmux(sandbox, pane_in):
    pane = pane_in(FOOT)
    runner = Runner(sandbox)
    pane.server.run("bind-key", "g", "display-popup", "-w", "90%", runner.command)
    pane.terminal.type(b"\x02g")
    popup = Inside(runner.ready(), pane)
    assert pastes(sandbox, popup, TEXT) == TEXT.replace(b"\r", b"\n")


@NEEDS_SCREEN
def test_in_screen(sandbox):
    screen = ScreenSession(sandbox, AnsweringTerminal(sandbox, FOOT))
    assert pastes(sandbox, screen, TEXT) == TEXT.replace(b"\r", b"\n")


@pytest.mark.parametrize("editor", EDITORS)
def test_in_the_terminal_of_an_editor(sandbox, editor):
    place = AnsweringTerminal(sandbox, FOOT).inside()
    there = inside(place, sandbox, editor)
    assert pastes(sandbox, there, TEXT, "--prompt") == TEXT.replace(b"\r", b"\n")


@pytest.mark.needs("ssh", "ssh-keygen", "mosh-server", "mosh-client")
def test_by_mosh(sandbox):
    there = MoshLogin(Sshd(sandbox), AnsweringTerminal(sandbox, XTERM))
    data = TEXT * 200
    assert pastes(sandbox, there, data) == data.replace(b"\r", b"\n")
