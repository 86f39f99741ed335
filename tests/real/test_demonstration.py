"""The demonstration in README shows what the program still prints."""

import hashlib
import re

import pytest

from lib.answering import DA1, DA2, NAME, AnsweringTerminal, name
from lib.mux import TmuxServer
from lib.program import REPOSITORY
from lib.sshd import Sshd

PICTURES = REPOSITORY / "tests" / "picture"
TRANSCRIPT = (PICTURES / "demo.txt").read_text()
# The kitty of the recording.
KITTY = {NAME: name(b"kitty(0.26.5)"), DA2: b"\x1b[>1;4000;26c", DA1: b"\x1b[?62;c"}
AGAIN = "run make picture"


RELAY = "viatty ssh HOST"
DOCTOR = "viatty doctor copy --term kitty"


def screens(window, command):
    """What the window shows after each time that this has been typed there."""
    parts = TRANSCRIPT.split(f"==== {window}: {command}\n")[1:]
    return [part.partition("\n==== ")[0].rstrip("\n") for part in parts]


def printed(screen, command):
    """What the command printed, up to the next prompt."""
    return screen.partition(f"server$ {command}\n")[2].partition("\nserver$")[0]


def essence(text):
    """Without what differs: devices, versions, and where lines are wrapped."""
    text = re.sub(r"/dev/pts/\d+", "/dev/pts/N", text)
    return "".join(re.sub(r"tmux \d\.\d+\w?", "tmux", text).split())


def test_it_is_the_picture_of_this_text():
    digest = hashlib.sha256((PICTURES / "demo.svg").read_bytes()).hexdigest()
    assert f"sha256 of demo.svg: {digest}\n" in TRANSCRIPT, AGAIN


def test_what_the_key_pastes_is_what_was_copied():
    [log], [pasted] = screens("server", "cat app.log"), screens("desk", "<ctrl+shift+v>")
    copied = [line for line in printed(log, "cat app.log").splitlines() if "404" in line]
    assert screens("server", "grep 404 app.log | osc52")
    assert copied and pasted.splitlines()[-len(copied) :] == copied


def test_the_line_that_is_typed_is_the_one_that_doctor_prints():
    before, _ = screens("server", DOCTOR)
    assert f"hint: on the machine at the desk: {RELAY}\n" in before
    typed = RELAY.replace("HOST", "server")
    assert len(screens("server", f"tmux new {typed}")) == 1


@pytest.mark.root
@pytest.mark.needs("ssh", "ssh-keygen", "tmux")
@pytest.mark.works("unshare", "--pid", "--fork", "--mount", "--mount-proc", "--uts", "true")
@pytest.mark.parametrize("number", [0, 1], ids=["by ssh", "by that line"])
def test_doctor_prints_what_it_shows(sandbox, number):
    """At a server after ssh from a pane of a default tmux, in a terminal that plays kitty."""
    terminal = AnsweringTerminal(sandbox, KITTY, term="xterm-kitty", size=(90, 17))
    tmux = TmuxServer(sandbox)
    by = [*RELAY.split()[:-1], "--no-install"] if number else []
    far = Sshd(sandbox, apart=True).login(tmux.session_in(terminal, name="0"), by=by)
    result = far.run(DOCTOR.split(), stdin=None)
    shown = printed(screens("server", DOCTOR)[number], DOCTOR)
    assert essence(result.stdout.decode()) == essence(shown), AGAIN
