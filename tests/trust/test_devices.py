"""A device is written to only if it is a terminal that may be spoken of.

What an environment, a process or a tmux server names is a claim: it has to be a name
of a terminal, to be one, and to belong to the user whose word it is. Nothing is
opened to find that out. --tty and VIATTY_TTY are the user's own word: there the owner
does not count.
"""

import base64
import json
import os
import select
import socket
import sys

import pytest

from lib.answering import FOOT, AnsweringTerminal
from lib.faults import NOBODY, Launcher, arrives, fails, nothing_at, well_said
from lib.processes import Orphan, until
from lib.terminal import OuterTerminal

COPY = ("viatty", "copy")
DATA = b"data"


def copies(place, *options, argv=COPY, **how):
    return place.run([*argv, *options], stdin=DATA, **how)


def doctor_says_no(place, *options, argv=(), status=3, **how):
    """Doctor and the command are of one mind."""
    argv = [*argv, "viatty", "doctor", "--json", "copy", *options]
    outcome = place.run(argv, **how)
    assert outcome.status == status, outcome
    if outcome.stdout:
        report = json.loads(outcome.stdout)
        # without a terminal there is an error, and no features
        assert all(finding["works"] == "no" for finding in report.get("features", []))
        assert "features" in report or report["status"] == status


class Fifo:
    """A file that tells whether anybody has opened it to write."""

    def __init__(self, path):
        self.path = path
        os.mkfifo(path)
        path.chmod(0o666)
        self._fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    def was_opened(self):
        poll = select.poll()
        poll.register(self._fd, select.POLLIN)
        return bool(poll.poll(0))

    def close(self):
        os.close(self._fd)


@pytest.fixture
def fifo(sandbox):
    return sandbox.adopt(Fifo(sandbox.fresh("fifo")))


# ---- what the user names -------------------------------------------------------------


def test_a_link_to_a_terminal(shell):
    other = OuterTerminal(shell.sandbox)
    link = shell.sandbox.fresh("link")
    link.symlink_to(other.device)
    arrives(copies(shell, "--tty", str(link)), other, DATA)
    # This one leads to a descriptor.
    other.forget()
    outcome = copies(shell, "--tty", "/dev/stdout", descriptors={1: [other.device, "w"]})
    arrives(outcome, other, DATA)
    nothing_at(shell.terminal)


def test_a_fifo_is_not_opened(shell, fifo):
    for outcome in (copies(shell, "--tty", str(fifo.path)),
                    copies(shell, environment={"VIATTY_TTY": str(fifo.path)})):
        fails(outcome, 3, ["cannot open the terminal", str(fifo.path)])
    assert not fifo.was_opened()
    nothing_at(shell.terminal)


@pytest.mark.parametrize(
    "name",
    ["/dev/null", "/dev/full", "/dev/console", "/dev/ptmx", "/", "/etc/passwd", "/nowhere", ""],
)
def test_what_is_no_terminal(shell, name):
    said = [f'cannot open the terminal "{name}"', *["it is not a terminal"] * (name == "/dev/null")]
    fails(copies(shell, "--tty", name), 3, said)
    doctor_says_no(shell, "--tty", name)


# ---- what the caller handed over ------------------------------------------------------


def handed(*modes):
    """descriptors: a terminal, as standard input, output and error."""
    return lambda terminal: {fd: (terminal.device, m) for fd, m in enumerate(modes) if m}


HANDED = {"input": handed("n"), "output": handed(0, "w"), "error": handed(0, 0, "w")}


@pytest.mark.parametrize("what", HANDED)
def test_a_stream_that_is_a_terminal_where_there_is_no_other(sandbox, nowhere, what):
    """Whoever has the terminal reads its keys and replies: it is not queried."""
    terminal = AnsweringTerminal(sandbox, FOOT)
    owner = Launcher(sandbox, terminal.inside())
    line = owner.start(["sh", "-c", "read -r line; echo $line"], descriptors={0: (terminal.device, "r")})
    terminal.type("half a ")
    options = ("-s", "data") if what == "input" else ()
    arrives(copies(nowhere, *options, descriptors=HANDED[what](terminal)), terminal, DATA)
    doctor = ["viatty", "doctor", "copy"]
    if what == "error":
        found = nowhere.run(doctor, descriptors=HANDED[what](terminal))
        assert found.status == 0
        assert b"  here        stderr\n" in found.stdout
    terminal.type("line\n")
    assert line.wait().stdout == b"half a line\n"
    assert terminal.asked() == []


def test_standard_error_goes_first_and_a_found_terminal_before_it(sandbox, nowhere, shell):
    terminal, stranger = OuterTerminal(sandbox), OuterTerminal(sandbox)
    streams = {**handed(0, "w")(stranger), **handed(0, 0, "w")(terminal)}
    arrives(copies(nowhere, descriptors=streams), terminal, DATA)
    arrives(copies(shell, argv=[*ALONE, *COPY], descriptors=handed(0, 0, "w")(stranger)),
            shell.terminal, DATA)
    nothing_at(stranger)


def test_a_stream_that_must_not_be_written_to_is_no_terminal(sandbox, nowhere):
    stranger = OuterTerminal(sandbox)
    outcome = copies(nowhere, "-s", "data", descriptors=handed("r")(stranger))
    fails(outcome, 3, "no terminal can be reached")
    nothing_at(stranger)


# ---- what an ancestor has ------------------------------------------------------------

# Its own session has no terminal: only those of its ancestors are left.
ALONE = ("setsid", "-w")


@pytest.mark.root
@pytest.mark.parametrize("user", [NOBODY, None])
def test_an_ancestors_terminal_of_another_user(shell, user):
    """Open to everybody, as by mesg y and more: that is no invitation, to root neither."""
    device = shell.terminal.device
    os.chmod(device, 0o666)
    if user is None:
        os.chown(device, NOBODY, -1)
    outcome = copies(shell, argv=[*ALONE, *COPY], user=user)
    fails(outcome, 3, [device, "it belongs to another user", "hint: su --pty, or sudo"])
    doctor_says_no(shell, argv=ALONE, user=user)
    nothing_at(shell.terminal)


@pytest.mark.root
@pytest.mark.needs("strace")
@pytest.mark.unsanitized
def test_a_terminal_that_changes_hands_between_the_look_and_the_open(shell):
    """Its number may be another user's terminal by then. strace holds the open up."""
    device, log = shell.terminal.device, shell.sandbox.fresh("strace")
    strace = ["strace", "-f", "-o", str(log), "-P", device, "-e", "trace=open,openat"]
    strace += ["-e", "inject=open,openat:delay_enter=3s"]
    run = shell.start([*strace, *ALONE, *COPY], stdin=DATA)
    until(lambda: log.exists() and "open" in log.read_text(), "the terminal is opened")
    os.chown(device, NOBODY, -1)
    assert "DELAYED" not in log.read_text(), "it was too late"
    fails(run.wait(), 3, [device, "it belongs to another user"])
    nothing_at(shell.terminal)


def test_ssh_tty_of_no_ancestor(nowhere):
    """It may be left over, and a terminal that is ours is not proof of its being here."""
    other = OuterTerminal(nowhere.sandbox)
    environment = {"SSH_TTY": other.device, "SSH_CONNECTION": "::1 1 ::1 22"}
    outcome = copies(nowhere, environment=environment)
    fails(outcome, 3, ["/dev/tty", "tmux", "SSH_TTY", other.device, "hint: "])
    nothing_at(other)


# ---- what a tmux server names --------------------------------------------------------


def fake_tmux(sandbox, tty, stray, owner=None):
    """The environment in which a server of `owner` answers with this device.

    It is no client that tmux would hand a copy to itself.
    """
    uid = os.geteuid() if owner is None else owner
    lines = [f"P V3.3a Bon Lon M0 Z0 A1 X1 I$0 W@0 G T{tty if stray == 'pane' else ''} D%0 C Smain"]
    if stray == "client":
        # Both run where the terminals are: this process stands for either.
        lines.insert(0, f"C P{os.getpid()} A1 K0 I$0 W@0 G T{tty} Nlinux F Y U{uid}")
    sandbox.script("tmux", "\n".join(["cat <<'END'", *lines, "END"]))
    path = sandbox.fresh("server")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
    os.chown(path, uid, -1)
    return {"TMUX": f"{path},{os.getpid()},0", "TMUX_PANE": "%0"}


STRAY = pytest.mark.parametrize("stray", ["client", "pane"])


@STRAY
def test_a_server_names_a_terminal_of_ours(nowhere, stray):
    other = OuterTerminal(nowhere.sandbox)
    environment = fake_tmux(nowhere.sandbox, other.device, stray)
    options = ["--wrap", "none"] if stray == "pane" else []
    arrives(copies(nowhere, *options, environment=environment), other, DATA)


def refuses(place, environment, stray, **how):
    """Also with --force: no device is written to."""
    # Where tmux has a client, it is handed the copy, and this one does not prove that it sent it.
    forced = {"client": 1, "pane": 3}[stray]
    statuses = {"": 4, "--wrap none": 3, "--route client-tty": 4, "--force": forced}
    for options, status in statuses.items():
        outcome = copies(place, *options.split(), environment=environment, **how)
        assert outcome.status == status, outcome
        well_said(outcome)
    doctor_says_no(place, environment=environment, status=4, **how)


@STRAY
@pytest.mark.root
def test_our_server_names_a_terminal_of_another_user(nowhere, stray):
    """One that everybody may write to."""
    other = OuterTerminal(nowhere.sandbox)
    os.chmod(other.device, 0o666)
    environment = fake_tmux(nowhere.sandbox, other.device, stray, owner=NOBODY)
    refuses(nowhere, environment, stray, user=NOBODY)
    nothing_at(other)


@STRAY
def test_a_server_names_what_is_no_terminal_or_a_link_to_one(nowhere, fifo, stray):
    """What a link leads to is not the server's to say: it may be changed."""
    other, link = OuterTerminal(nowhere.sandbox), nowhere.sandbox.fresh("link")
    link.symlink_to(other.device)
    for path in fifo.path, link:
        refuses(nowhere, fake_tmux(nowhere.sandbox, path, stray), stray)
    assert not fifo.was_opened()
    nothing_at(other)


@pytest.mark.root
@pytest.mark.needs("tmux")
def test_a_client_in_the_terminal_of_another_user_is_named(tmux):
    pane, outer = tmux.session(), tmux.attach()
    os.chown(outer.device, NOBODY, -1)
    result = pane.run(["viatty", "copy", "--route", "client-tty"], stdin=DATA)
    assert result.status == 4
    assert f"cannot be used: {outer.device}: it belongs to another user" in result.stderr
    assert "attach a terminal of your own: tmux" in result.stderr


def test_a_client_in_a_terminal_that_is_not_here_is_named(sandbox, shell):
    environment = fake_tmux(sandbox, "/dev/pts/99999", "client")
    outcome = copies(shell, "--route", "client-tty", environment=environment)
    fails(outcome, 4, "cannot be used: /dev/pts/99999: No such file or directory")


# ---- terminals of the same name --------------------------------------------------------

# Opens terminals of its own instance until one is named like that of the client, whose bytes
# it shows after the program has ended. Not as a descriptor in which shells hold their terminal.
NAMESAKE = """\
import os, select, subprocess, sys
name = sys.argv[1]
ends = [os.dup(0) for _ in range(300)]
while not os.path.exists(name):
    ends += os.openpty()
own = ends[-2]
status = subprocess.run(sys.argv[2:], stdin=subprocess.DEVNULL).returncode
heard = os.read(own, 4096) if select.select([own], [], [], 0)[0] else b""
sys.stdout.buffer.write(heard)
sys.exit(status)
"""
INSTANCE = 'mount --make-rprivate / && mount -t devpts -o newinstance,ptmxmode=0666 devpts /dev/pts ' \
    '&& mount --bind /dev/pts/ptmx /dev/ptmx && exec "$@"'
APART = ("unshare", "-m", "sh", "-c", INSTANCE, "sh")


@pytest.mark.root
@pytest.mark.works(*APART, "true")
@pytest.mark.needs("tmux")
@pytest.mark.parametrize("options", [[], ["--route", "client-tty"], ["--force"]], ids=str)
def test_a_client_s_terminal_is_no_other_of_its_name(tmux, options):
    """As in a container that was given TMUX and the socket."""
    pane, outer = tmux.session(), tmux.attach()
    argv = [*APART, sys.executable, "-c", NAMESAKE, outer.device, *COPY, *options]
    result = pane.run([*argv, "-s", "text"])
    assert result.stdout == b""
    if options == ["--route", "client-tty"]:
        assert result.status == 4
        assert "it is a terminal of another container" in result.stderr


# An ancestor's, and the one that was used last: its session is seen by its number.
ELSEWHERE = {
    "ancestor": ([*ALONE, *COPY, "-s", "text"], "it is a terminal of another container"),
    "last": (["viatty", "notify", "--term", "iterm2", "--tty", "last", "text"], "none of your terminals"),
}


@pytest.mark.root
@pytest.mark.works(*APART, "true")
@pytest.mark.parametrize("words, said", ELSEWHERE.values(), ids=ELSEWHERE)
def test_nor_is_another_s(shell, words, said):
    outcome = shell.run([*APART, sys.executable, "-c", NAMESAKE, shell.terminal.device, *words])
    fails(outcome, 3, said)
    assert outcome.stdout == b""


# Shows a session on the terminal of another instance with this name, and what it was sent.
TWIN = """\
import fcntl, os, sys, termios
name = sys.argv[1]
ends = []
while not os.path.exists(name):
    ends = os.openpty()
if os.fork() == 0:
    os.setsid()
    fcntl.ioctl(ends[1], termios.TIOCSCTTY, 0)
    for stream in range(3):
        os.dup2(ends[1], stream)
    os.execvp(sys.argv[2], sys.argv[2:])
os.close(ends[1])
while True:
    os.write(1, os.read(ends[0], 65536))
"""


@pytest.mark.root
@pytest.mark.works(*APART, "true")
@pytest.mark.needs("tmux")
@pytest.mark.parametrize("size", [3, 3000])
def test_of_two_clients_of_one_name_ours_gets_the_copy(tmux, size):
    """tmux would hand it to the first one of that name, which runs in a container."""
    pane, outer = tmux.session(), OuterTerminal(tmux.sandbox)
    shown = tmux.sandbox.fresh("shown")
    attach = tmux.argv("attach-session", "-t", "main")
    with open(os.devnull) as nothing, open(shown, "wb") as file:
        twin = Orphan([*APART, sys.executable, "-c", TWIN, outer.device, *attach],
                      outer.environment, (nothing, file, file))
    until(lambda: outer.device in tmux.clients(), "the client in the container is attached")
    # Its count is the larger one, from which no growth of the other follows.
    pane.run(["seq", "2000"], on_terminal=True)
    tmux.attach(terminal=outer)
    assert tmux.clients() == [outer.device] * 2
    data = b"x" * size
    result = pane.run(["viatty", "copy", "--term", "foot"], stdin=data)
    assert result.status == 0
    outer.wait_for(b"\x1b]52;c;" + base64.b64encode(data))
    twin.kill()
