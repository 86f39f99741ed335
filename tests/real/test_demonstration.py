"""The demonstration in README shows what the program still prints."""

import hashlib
import re

import pytest

from lib.answering import DA1, DA2, NAME, AnsweringTerminal, name
from lib.mux import TmuxServer
from lib.program import REPOSITORY
from lib.sshd import Sshd

pytestmark = pytest.mark.needs("ssh", "ssh-keygen", "tmux")

PICTURES = REPOSITORY / "tests" / "picture"
TRANSCRIPT = (PICTURES / "demo.txt").read_text()
# The kitty of the recording.
KITTY = {NAME: name(b"kitty(0.26.5)"), DA2: b"\x1b[>1;4000;26c", DA1: b"\x1b[?62;c"}
AGAIN = "run make picture"


def shown_after(command):
    """What the window of the server shows between this command and the next prompt."""
    screen = TRANSCRIPT.partition(f"==== server: {command}\n")[2].partition("\n==== ")[0]
    return screen.partition(f"server$ {command}\n")[2].partition("\nserver$")[0]


def essence(text):
    """Without what differs: devices, versions, and where lines are wrapped."""
    text = re.sub(r"/dev/pts/\d+", "/dev/pts/N", text)
    return "".join(re.sub(r"tmux \d\.\d+\w?", "tmux", text).split())


@pytest.fixture
def server(sandbox):
    """A tmux with default settings after ssh, in a terminal that replies as kitty."""
    terminal = AnsweringTerminal(sandbox, KITTY, term="xterm-kitty", size=(90, 17))
    tmux = TmuxServer(sandbox)
    return tmux, tmux.session_in(Sshd(sandbox).login(terminal), name="0")


def test_it_is_the_picture_of_this_text():
    digest = hashlib.sha256((PICTURES / "demo.svg").read_bytes()).hexdigest()
    assert f"sha256 of demo.svg: {digest}\n" in TRANSCRIPT, AGAIN


def test_what_it_pastes_is_what_it_copies():
    copied = shown_after("tail -n 2 app.log")
    assert copied.count("\n") == 1 and f"cat > notes.txt\n{copied}\n" in TRANSCRIPT


@pytest.mark.parametrize("command", ["viatty doctor copy raw", "viatty doctor raw"])
def test_doctor_prints_what_it_shows(command, server):
    tmux, pane = server
    if "copy" not in command:
        tmux.option("-g", "allow-passthrough", "on")
    result = pane.run(command.split(), stdin=None)
    assert essence(result.stdout.decode()) == essence(shown_after(command)), AGAIN
