"""A display belongs to the user, wherever its clients connect to it."""

import errno
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from lib.faults import NOBODY
from lib.users import MOUNTING

FOLDER = Path("/tmp/.X11-unix")
LISTEN = """
import socket, sys
server = socket.socket(socket.AF_UNIX)
server.bind("\\0" + sys.argv[1])
server.listen()
print("ready", flush=True)
sys.stdin.read()
"""


def _path(number):
    return FOLDER / f"X{number}"


class Display:
    """A number that no X server has, with a socket in the usual folder."""

    def __init__(self):
        FOLDER.mkdir(mode=0o1777, exist_ok=True)
        self._server = socket.socket(socket.AF_UNIX)
        self.number = next(number for number in range(9000, 10000) if self._bind(number))
        self.path = _path(self.number)
        self._server.listen()
        self._others = []

    def _bind(self, number):
        """Whether nobody else has it."""
        try:
            self._server.bind(str(_path(number)))
        except OSError as error:
            assert error.errno == errno.EADDRINUSE, error
            return False
        return True

    def listen(self, user):
        """Somebody else is first at the abstract socket of that name."""
        argv = [sys.executable, "-c", LISTEN, str(self.path)]
        other = subprocess.Popen(
            argv, user=user, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd="/")
        self._others.append(other)
        assert other.stdout.readline() == b"ready\n"

    def close(self):
        for other in self._others:
            other.stdin.close()
            other.wait()
        self._server.close()
        self.path.unlink()


@pytest.fixture
def display(sandbox):
    return sandbox.adopt(Display())


@pytest.fixture
def copy(shell, display):
    """Copies by a program in place of xclip; says whether that was run."""

    def copy():
        folder, ran = shell.sandbox.folder("programs"), shell.sandbox.fresh("ran")
        shell.sandbox.script(folder / "xclip", f"cat >{ran}")
        environment = {
            "DISPLAY": f":{display.number}.0",
            "PATH": f"{folder}:{shell.sandbox.path / 'bin'}:{os.environ['PATH']}",
        }
        argv = ["viatty", "copy", "--route", "native"]
        return shell.run(argv, stdin=b"secret", environment=environment), ran.exists()

    return copy


@pytest.mark.parametrize("listens", [False, True])
def test_a_display_with_no_abstract_socket_but_of_the_same_user(copy, display, listens):
    if listens:
        display.listen(None)
    outcome, ran = copy()
    assert (outcome.status, ran) == (0, True), outcome.said


def test_a_display_whose_abstract_socket_does_not_tell_whose_it_is(copy, display):
    """It takes no more connections: who listens is told to those that connect."""
    with socket.socket(socket.AF_UNIX) as other, socket.socket(socket.AF_UNIX) as waits:
        name = f"\0{display.path}"
        other.bind(name)
        other.listen(0)
        waits.connect(name)
        outcome, ran = copy()
    assert (outcome.status, ran) == (2, False)


def test_a_link_to_another_display(copy, display):
    """Whoever made the link chooses where it leads."""
    real = display.path.rename(display.path.with_suffix(".real"))
    display.path.symlink_to(real)
    outcome, ran = copy()
    real.rename(display.path)
    assert (outcome.status, ran) == (2, False)


@pytest.mark.root
@pytest.mark.works(*MOUNTING)
@pytest.mark.needs("setpriv", "tmux")
@pytest.mark.parametrize("whose", ["listener", "socket"])
def test_a_display_of_another_user(alice, display, sandbox, whose):
    if whose == "listener":
        display.listen(NOBODY)
    os.chown(display.path, alice.uid if whose == "listener" else NOBODY, -1)
    ran = alice.home / "ran"
    sandbox.script("xclip", f"touch {ran}; cat >/dev/null")
    place = alice.shell(alice.terminal(), DISPLAY=f":{display.number}")
    result = place.run(["viatty", "copy", "-s", "text", "--route", "native"])
    assert (result.status, ran.exists()) == (2, False)
    assert "no desktop found" in result.stderr
