"""viatty and tmux write to the same terminal: nothing is cut, and nothing is lost unseen."""

import os
import shutil
import sys

import pytest

from lib.beside import Place, text
from lib.mux import TmuxServer
from lib.processes import until
from lib.versions import has

# tmux looks for the description of BusyTerminal.
pytestmark = [pytest.mark.needs("tmux", "/usr/share/terminfo/f/foot")]

NOTIFY = ("notify", "--term", "iterm2")


@pytest.mark.slow
@pytest.mark.parametrize("noise", ["colors", "endless"])
def test_copies_arrive_whole_and_cut_nothing(sandbox, tmux, noise):
    place = Place(sandbox, tmux, noise, rate=400_000)
    texts = [text(number, 3000) for number in range(12)]
    for data in texts:
        result = place.run("copy", stdin=data)
        assert (result.status, result.stderr) == (0, "")
    place.quiet()
    # Where it never has room for long, one of 200 is cut.
    allowed = 1 if noise == "endless" else 0
    assert len(place.judge.cuts()) <= allowed
    copied = place.judge.copies()
    assert len(copied) >= len(texts) - allowed
    assert copied == [data for data in texts if data in copied]


def test_tmux_is_believed_only_when_it_took_the_copy(sandbox, tmux):
    """While its client does not keep up it throws copies away, and its command ends with 0."""
    place = Place(sandbox, tmux, "endless", rate=400_000)
    taken = set()
    for number in range(12):
        data = text(number, 3000)
        result = place.run("copy", "--route", "load-buffer", stdin=data)
        if result.status == 0:
            taken.add(data)
        else:
            assert result.status == 1 and "does not keep up" in result.stderr
            assert "--route" in result.stderr
    place.quiet()
    assert taken <= set(place.judge.copies())
    assert len(taken) < 12, "tmux was never blocked here"


def test_notifications_wait_for_a_calm_moment(sandbox, tmux):
    place = Place(sandbox, tmux, "endless", rate=400_000)
    for number in range(4):
        assert place.run(*NOTIFY, f"number {number}").status == 0
    place.quiet()
    assert place.judge.notifications() == [b"9;number %d" % number for number in range(4)]
    assert place.judge.cuts() == []


@pytest.mark.slow
@pytest.mark.parametrize("words", [["copy", "-p", "-s", "hello"], [*NOTIFY, "hello"]],
                         ids=["copy -p", "notify"])
def test_what_follows_a_large_copy_waits_until_it_has_passed(sandbox, tmux, words):
    place, data, other = Place(sandbox, tmux, rate=1_000_000), text(1, 900_000), tmux.window()
    # A machine may be too busy for one of the programs to run for a third of a second.
    for _ in range(3):
        # The rest of a copy that was cut is no beginning of the next one.
        place.judge.wait_until_quiet()
        place.judge.strings.clear()
        large = place.pane.start(["viatty", "copy"], stdin=data)
        # Some of it, and by far not all, has reached the terminal.
        read = place.judge.read
        until(lambda: place.judge.read > read + 100_000, "it begins to arrive")
        assert other.run(["viatty", *words]).status == 0
        assert large.wait().status == 0
        until(lambda: len(place.judge.strings) == 2, "both have arrived, whole or not")
        if place.judge.cuts() == [] and place.judge.copies()[0] == data:
            break
    assert place.judge.cuts() == []
    assert place.judge.copies()[0] == data


TEXTS = [
    b"x", b"xy", b"ls;", b"ls\\;", b"-", b"line\n", "wörld".encode()[:2], bytes(range(1, 256)),
    b"one\0two", b"one\0", b"#{x} $HOME ~ \"'%", text(1, 1_000_000),
]


def test_buffers_of_the_user_stay_as_they_are(sandbox, tmux):
    # kitty stores any bytes.
    place = Place(sandbox, tmux)
    for name in ([], ["-b", "mine"], []):
        tmux.run("set-buffer", *name, "older")
    tmux.run("load-buffer", "-", stdin=b"newest")
    state = lambda: [tmux.run("list-buffers"), tmux.run("show-buffer"), tmux.run("show-options", "-s")]
    before = state()
    for number, data in enumerate(TEXTS):
        assert place.run("copy", "--term", "kitty", stdin=data).status == 0
        place.quiet()
        assert place.judge.copies()[number:] == [data]
        assert state() == before


COUNTED = """#!{python}
import os, socket, sys
with open("{log}", "a") as log:
    log.write("x")
if {closed}:
    closed = socket.socket()
    os.dup2(closed.fileno(), 3)
    os.set_inheritable(3, True)
os.execv("{tmux}", sys.argv)
"""


@pytest.mark.parametrize("closed", [False, True], ids=["one", "two"])
def test_one_tmux_is_asked_and_then_told(sandbox, closed):
    """Another one follows only where /dev/fd cannot be opened, as no socket can."""
    log, tools = sandbox.fresh("log"), sandbox.fresh("tools")
    tools.mkdir()
    (tools / "tmux").write_text(COUNTED.format(
        python=sys.executable, log=log, closed=closed, tmux=shutil.which("tmux")))
    (tools / "tmux").chmod(0o755)
    place = Place(sandbox, TmuxServer(sandbox, PATH=f"{tools}:{os.environ['PATH']}"))
    texts = [b"x", os.urandom(999) + b"'", b"needle " * 150_000 + b"\xff"]
    for data in texts:
        log.write_text("")
        assert place.run("copy", "--force", "--route", "load-buffer", stdin=data).status == 0
        assert log.read_text() == ("xx" if closed and len(data) > 1 else "x")
    place.quiet()
    assert place.judge.copies() == texts
    assert "needle" not in place.tmux.run("show-messages", "-t", place.terminal.device)


def test_a_copy_for_a_suspended_client_arrives_or_is_refused(sandbox, tmux):
    """tmux sends it nothing, and says so by what it counts."""
    place = Place(sandbox, tmux)
    tmux.run("suspend-client", "-t", place.terminal.device)
    result = place.run("copy", "-v", stdin=b"text")
    if has("tmux", "suspended clients are not listed"):
        assert result.status == 4 and "is detached" in result.stderr
        return
    assert result.status == 0
    until(place.judge.copies, "it arrives")
    assert place.judge.copies() == [b"text"]
    assert "client-tty" in result.stderr and "did not send" in result.stderr
