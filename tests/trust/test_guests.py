"""Whom tmux's owner lets look (server-access) gets nothing and answers nothing."""

import json
import re
import subprocess

import pytest

from lib import expect
from lib.processes import until
from lib.users import PEOPLE

pytestmark = PEOPLE


@pytest.fixture
def pane(alice):
    return alice.tmux().session()


def let_in(pane, bob, session="main"):
    """bob's terminal, which shows the session."""
    pane.server.admit(bob, "-w")
    return pane.server.attach(session=session, person=bob)


def test_what_is_sent_is_the_owners(pane, bob):
    """Doctor does not know the guest, either."""
    ours, theirs = pane.server.attach(), let_in(pane, bob)
    result = pane.run(["viatty", "doctor", "--json", "--no-probe"])
    (hop,) = json.loads(result.stdout)["hops"]
    assert (hop["clients"], hop["client_device"]) == (1, ours.device)
    assert theirs.device not in re.findall(r"/dev/pts/\d+", result.stdout.decode())
    for route in ([], ["--route", "client-tty"]):
        expect.sent(pane.run(["viatty", "copy", *route], stdin=b"text"))
        pane.settle()
        expect.arrived_somehow(ours, b"text")
        expect.nothing_arrived(theirs)
        ours.forget()
    for words in (["title", "--outer", "a title"], ["notify", "--term", "iterm2", "done"]):
        assert pane.run(["viatty", *words]).status == 0
        ours.wait_for(words[-1].encode())
        pane.settle()
        assert words[-1].encode() not in theirs.recorded()


@pytest.mark.parametrize("session", ["main", "other"])
def test_with_a_guest_alone_nobody_else_is_attached(pane, bob, session):
    """Who has attached another session gets no notification, as its owner would."""
    pane.server.run("new-session", "-d", "-s", "other")
    theirs = let_in(pane, bob, session)
    for words in (["copy"], ["copy", "--route", "load-buffer"], ["copy", "--route", "client-tty"],
                  ["notify", "--term", "iterm2", "text"]):
        result = pane.run(["viatty", *words], stdin=b"text")
        expect.refused(result, naming="only other users have attached")
        assert theirs.device not in re.findall(r"/dev/pts/\d+", result.stderr)
    result = pane.run(["viatty", "paste"])
    assert (result.status, result.stdout) == (4, b"")
    assert "tmux without a terminal of yours" in result.stderr
    theirs.settle()
    assert not re.search(rb"\x1b\]|text", theirs.recorded())


@pytest.mark.parametrize("route", ["plain", "passthrough", "load-buffer"])
def test_what_all_clients_would_get_is_not_sent(pane, bob, route):
    pane.server.option("-s", "set-clipboard", "on")
    pane.server.option("-g", "allow-passthrough", "on")
    ours, theirs = pane.server.attach(), let_in(pane, bob)
    result = pane.run(["viatty", "copy", "--route", route], stdin=b"text")
    expect.refused(result, naming="another user is attached")
    result = pane.run(["viatty", "paste"])
    assert (result.status, "another user is attached" in result.stderr) == (4, True)
    pane.settle()
    expect.nothing_arrived(ours, theirs)
    assert b"\x1b]52;" not in theirs.recorded()
    if route != "load-buffer":
        expect.sent(pane.run(["viatty", "copy", "--force", "--route", route], stdin=b"text"))
        pane.settle()
        expect.arrived_somehow(ours, b"text")


def test_not_even_with_a_control_client_of_ones_own(pane, bob):
    pane.server.option("-s", "set-clipboard", "on")
    theirs = let_in(pane, bob)
    pane.server.attach_control()
    for route in [], ["--route", "plain"], ["--route", "direct"]:
        expect.refused(pane.run(["viatty", "copy", *route], stdin=b"text"))
    pane.settle()
    expect.nothing_arrived(theirs)


# ---- a guest whose client lies --------------------------------------------------------

# A server takes its client's word for the name of its terminal (MSG_IDENTIFY_TTYNAME in
# server-client.c of tmux), and a guest's client is a program of the guest's.
CLAIM = """\
#include <stdlib.h>
char *ttyname(int fd) { (void)fd; return getenv("CLAIM"); }
"""


@pytest.fixture
def claim(sandbox):
    """Attaches a guest's client that says it sits at another terminal."""
    library = sandbox.path / "claim.so"
    compile = ["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", str(library)]
    subprocess.run(compile, input=CLAIM.encode(), check=True)

    def attach(pane, guest, name):
        server, terminal = pane.server, guest.terminal()
        server.admit(guest, "-r")
        before = len(server.clients())
        program, *words = server.argv("attach-session", "-t", "main", user=guest.name)
        at = words.index("tmux")
        words[at:at] = ["env", f"LD_PRELOAD={library}", f"CLAIM={name}"]
        terminal.start([program, *words])
        until(lambda: len(server.clients()) > before, "the guest's client is there")
        return terminal

    return attach


LINE = "\nC P1 A99999999999 K0 I$0 W@0 U{uid} T{device} Nxterm Fclipboard"


@pytest.mark.needs("cc")
@pytest.mark.parametrize("route", [[], ["--route", "client-tty"]])
@pytest.mark.parametrize("form", ["{device}" + LINE, "/dev/null" + LINE, "/dev/null\nP I$0"])
def test_a_client_cannot_say_that_it_is_the_owners(pane, alice, bob, claim, route, form):
    ours = pane.server.attach()
    theirs = claim(pane, bob, form.format(uid=alice.uid, device="/dev/pts/0"))
    expect.sent(pane.run(["viatty", "copy", *route], stdin=b"text"))
    pane.settle()
    expect.arrived_somehow(ours, b"text")
    expect.nothing_arrived(theirs)


@pytest.mark.needs("cc")
def test_nor_that_it_sits_at_the_owners_terminal(pane, alice, bob, claim):
    """Attached before the owner's it can guess which one that will be."""
    ours = alice.terminal()
    theirs = claim(pane, bob, ours.device)
    ours.start(pane.server.argv("attach-session", "-t", "main"))
    both = lambda: pane.server.clients() == [ours.device] * 2
    until(both, "the owner's client is there too")
    expect.sent(pane.run(["viatty", "copy"], stdin=b"text"))
    for terminal in ours, theirs:
        terminal.settle()
    expect.arrived_somehow(ours, b"text")
    expect.nothing_arrived(theirs)
