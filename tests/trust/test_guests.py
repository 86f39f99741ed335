"""Whom tmux's owner lets look (server-access) gets nothing and answers nothing."""

import json
import re
import subprocess

import pytest

from lib import expect
from lib.processes import until
from lib.users import PEOPLE

pytestmark = PEOPLE
READ = pytest.param(["-r"], id="read-only")
WRITE = pytest.param(["-w"], id="read-write")


@pytest.fixture
def pane(alice):
    return alice.tmux().session()


def let_in(pane, bob, flags):
    """bob's terminal, which shows the pane and had the last key."""
    pane.server.admit(bob, *flags)
    terminal = pane.server.attach(person=bob)
    return terminal


def presses_a_key(pane, terminal):
    ask = "#{client_tty} #{client_activity}"
    seen = lambda: dict(
        line.split() for line in pane.server.run("list-clients", "-F", ask).splitlines()
    )
    latest = lambda: max(seen().values())
    # Its activity is told in whole seconds, and has to be the only one of its second.
    before = latest()

    def is_last():
        terminal.type(b"\x02r")
        now = seen()
        mine = now.pop(terminal.device)
        return mine > before and all(other < mine for other in now.values())

    until(is_last, "the guest is the one who pressed a key last")


@pytest.mark.parametrize("flags", [READ, WRITE])
def test_what_is_sent_is_the_owners(pane, bob, flags):
    """Doctor does not know the guest, either."""
    ours = pane.server.attach()
    theirs = let_in(pane, bob, flags)
    presses_a_key(pane, theirs)
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


@pytest.mark.parametrize("flags", [READ, WRITE])
def test_with_a_guest_alone_nobody_else_is_attached(pane, bob, flags):
    theirs = let_in(pane, bob, flags)
    for route in ([], ["--route", "load-buffer"], ["--route", "client-tty"]):
        result = pane.run(["viatty", "copy", *route], stdin=b"text")
        expect.refused(result, naming="only other users have attached")
    result = pane.run(["viatty", "paste"])
    assert (result.status, result.stdout) == (4, b"")
    assert "tmux without a terminal of yours" in result.stderr
    pane.settle()
    expect.nothing_arrived(theirs)


@pytest.mark.parametrize("flags", [READ, WRITE])
def test_a_guest_of_another_session_is_not_named(pane, bob, flags):
    pane.server.run("new-session", "-d", "-s", "other")
    pane.server.admit(bob, *flags)
    theirs = pane.server.attach(session="other", person=bob)
    result = pane.run(["viatty", "copy"], stdin=b"text")
    expect.refused(result, naming="only other users have attached")
    assert theirs.device not in re.findall(r"/dev/pts/\d+", result.stderr)
    # To the user himself a notification would go there.
    result = pane.run(["viatty", "notify", "--term", "iterm2", "done"])
    expect.refused(result, naming="only other users have attached")
    theirs.settle()
    assert b"done" not in theirs.recorded()


@pytest.mark.parametrize("flags", [READ, WRITE])
@pytest.mark.parametrize("route", ["plain", "passthrough"])
def test_what_all_clients_would_get_is_not_sent(pane, bob, flags, route):
    pane.server.option("-s", "set-clipboard", "on")
    pane.server.option("-g", "allow-passthrough", "on")
    ours = pane.server.attach()
    theirs = let_in(pane, bob, flags)
    result = pane.run(["viatty", "copy", "--route", route], stdin=b"text")
    expect.refused(result, naming=["another user is attached", "client-tty"])
    pane.settle()
    expect.nothing_arrived(ours, theirs)
    forced = pane.run(["viatty", "copy", "--force", "--route", route], stdin=b"text")
    expect.sent(forced)
    pane.settle()
    expect.arrived_somehow(ours, b"text")


def test_not_even_with_a_control_client_of_ones_own(pane, bob):
    pane.server.option("-s", "set-clipboard", "on")
    theirs = let_in(pane, bob, ["-r"])
    pane.server.attach_control()
    expect.refused(pane.run(["viatty", "copy"], stdin=b"text"))
    for route in ("plain", "direct"):
        result = pane.run(["viatty", "copy", "--route", route], stdin=b"text")
        expect.refused(result, naming="another user is attached")
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


@pytest.mark.parametrize("flags", [READ, WRITE])
def test_what_tmux_sends_by_a_name_is_refused(pane, bob, flags):
    ours = pane.server.attach()
    theirs = let_in(pane, bob, flags)
    call = ["viatty", "copy", "--route", "load-buffer"]
    expect.refused(pane.run(call, stdin=b"text"), naming="another user is attached")
    result = pane.run(["viatty", "paste"])
    assert result.status == 4, result.stderr
    assert "another user is attached" in result.stderr
    pane.settle()
    expect.nothing_arrived(ours, theirs)
    assert b"\x1b]52;" not in theirs.recorded()
