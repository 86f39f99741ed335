"""Whoever is let into a Screen of several users gets nothing and answers nothing."""

import re
import shutil
import socket

import pytest

from lib import expect
from lib.processes import kill_family
from lib.runner import Runner
from lib.users import PEOPLE

pytestmark = [*PEOPLE, pytest.mark.needs("screen")]

SETTINGS = "startup_message off\ndeflogin off\n"
OPEN = 'multiuser on\nacladd bob\naclchg bob -w "#"\n'


class SharedScreen:
    """alice's Screen, a set-user-ID program, and a runner in its window."""

    def __init__(self, alice, program, settings):
        # With a directory of its user's own it is for that user alone.
        self.alice, self.program = alice, ["env", "-u", "SCREENDIR", program]
        self.name = alice.sandbox.fresh("shared").name
        self.runner = Runner(alice.sandbox, for_everybody=True)
        self.run = self.runner.run
        self.rc = alice.home / "screenrc"
        self.rc.write_text(SETTINGS + settings)
        self.rc.chmod(0o644)
        self.terminal = alice.terminal()
        call = ["-c", str(self.rc), "-S", self.name, *self.runner.argv]
        self.terminal.start(alice.accounts.command("alice", [*self.program, *call]))
        alice.sandbox.adopt(self)
        self.runner.ready()

    def show(self, person, terminal):
        """A terminal of the person, on which the window is drawn."""
        call = [*self.program, "-x", f"alice/{self.name}" if person.name != "alice" else self.name]
        terminal.start(person.accounts.command(person.name, call))
        terminal.wait_for(lambda record: record.count(b"\x1b[H\x1b[2J") > 1)
        return terminal

    def command(self, *words):
        call = [*self.program, "-S", self.name, "-X", *words]
        place = self.alice.shell(self.alice.terminal())
        assert place.run(call).status == 0

    def close(self):
        for socket in (self.alice.accounts.screens).glob(f"S-alice/*.{self.name}"):
            kill_family(int(socket.name.split(".")[0]))


@pytest.fixture
def screen(accounts):
    """A copy that may become root, as Screen needs for several users."""
    copy = accounts.etc.parent / "screen"
    shutil.copy(shutil.which("screen"), copy)
    copy.chmod(0o4755)
    return str(copy)


@pytest.fixture
def shared(alice, screen):
    return SharedScreen(alice, screen, OPEN)


def test_a_guest_gets_nothing_and_is_not_asked_where_the_owner_is(shared, bob, program):
    theirs = shared.show(bob, bob.terminal())
    theirs.forget()
    for words in ["copy", "-s", "text"], ["notify", "text"]:
        shared.terminal.forget()
        expect.sent(shared.run([program, *words, "--term", "kitty"]))
        shared.terminal.wait_for(b"dGV4dA==")
    for words, reason in ("paste", "cannot be read through screen"), \
            ("color background", "other users may be attached"):
        result = shared.run([program, *words.split(), "--term", "foot"])
        assert (result.status, reason in " ".join(result.stderr.split())) == (4, True)
    assert not re.search(rb"dGV4dA==|\x1b\](52|11)", theirs.recorded())


def test_where_the_owners_terminal_is_not_known_it_is_refused(shared, alice, bob, program):
    shared.command("detach")
    terminals = [shared.show(person, person.terminal()) for person in (alice, bob)]
    result = shared.run([program, "copy", "--term", "kitty"], stdin=b"text")
    expect.refused(result, naming=["other users may be attached to the Screen", "multiuser off"])
    assert not any(b"\x1b]52" in terminal.recorded() for terminal in terminals)


def test_set_user_id_alone_is_no_reason(alice, screen, program):
    own = SharedScreen(alice, screen, "")
    expect.sent(own.run([program, "copy", "--term", "kitty"], stdin=b"text"))
    own.terminal.wait_for(b"\x1b]52;c;dGV4dA==")


@pytest.mark.needs("sudo")
def test_what_only_root_can_see_is_not_told(alice, root, screen, program):
    """A socket of root's looks as one that is not there."""
    own = SharedScreen(alice, screen, "")
    hidden = root.home / "hidden"
    hidden.mkdir(mode=0o700)
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(hidden / "1.there"))
    (hidden / "1.there").chmod(0o600)
    said = set()
    for name in ("1.there", "1.missing"):
        variables = [f"SCREENDIR={hidden}", f"STY={name}"]
        result = own.run(["sudo", "-n", "env", *variables, program, "copy", "-s", "x", "--term", "kitty"])
        said.add((result.status, result.stderr))
    server.close()
    assert len(said) == 1, said
