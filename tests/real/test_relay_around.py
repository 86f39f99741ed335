"""A relay around real programs: from a host, through tmux and Screen, the copies arrive here."""

import base64
import os
import shlex
import signal
import sys
from types import SimpleNamespace

import pytest

from lib import answering
from lib.answering import AnsweringTerminal
from lib.desktop import SilentTerminal
from lib.mux import ScreenSession, TmuxServer
from lib.processes import until
from lib.program import Inside
from lib.runner import Runner
from lib.sshd import MoshLogin, Sshd
from lib.terminal import FENCE, OuterTerminal

RELAY = ("viatty", "relay")
PROXY = """\
import os, socket, sys, threading
peer = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
def keys():
    while data := os.read(0, 65536):
        peer.sendall(data)
    peer.shutdown(socket.SHUT_WR)
threading.Thread(target=keys, daemon=True).start()
while data := peer.recv(65536):
    os.write(1, data)
"""


@pytest.fixture
def far(sandbox):
    """Another machine."""
    return Sshd(sandbox, apart=True)


@pytest.fixture
def outer(sandbox):
    """A terminal that takes copies, under a name that every terminfo has."""
    return OuterTerminal(sandbox, answers={**FENCE, b"\x1b[>q": b"\x1bP>|foot(1.20.2)\x1b\\"})


def login(far, place):
    far.has_terminals()
    runner = Runner(far.sandbox, apart=True)
    place.open([*RELAY, *far.argv("-t", "far", runner.command)])
    return Inside(runner.ready(), place)


def arrives(terminal, data):
    until(lambda: [text for _, text in terminal.clipboard_so_far()][-1:] == [data],
          "the copy is in the clipboard")


def by_printf(there, data):
    code = base64.b64encode(data).decode()
    there.open(["printf", f"\\033]52;c;{code}\\007"]).wait()


def by_viatty(there, data):
    result = there.run(["viatty", "copy"], stdin=data)
    assert (result.status, result.stderr) == (0, "")


@pytest.mark.root
@pytest.mark.needs("sshd", "ssh", "tmux", "screen")
@pytest.mark.parametrize("copy", [by_printf, by_viatty])
@pytest.mark.parametrize("multiplexer", ["tmux", "Screen"])
def test_from_a_host_through_one_as_installed(sandbox, far, outer, tmux, copy, multiplexer):
    if multiplexer == "tmux":
        place = tmux.session()
        tmux.attach(terminal=outer)
    else:
        place = ScreenSession(sandbox, outer)
    there = login(far, place)
    data = bytes(range(33, 127)) * 50 + b"end"
    copy(there, data)
    arrives(outer, data)


# Terminals whose names say that they take no copies, or only with a setting.
VTE = {answering.NAME: answering.name(b"VTE(8401)"), answering.DA2: b"\x1b[>61;8401;1c",
       answering.DA3: b"\x1bP!|7E565445\x1b\\", answering.DA1: b"\x1b[?61;1;21;22;28c"}
XTERM = {**answering.XTERM, answering.ALLOWED: b"\x1b]60;allowWindowOps\x1b\\",
         answering.DISALLOWED: b"\x1b]61;SetSelection\x1b\\"}
ST = {answering.DA1: b"\x1b[?6c"}


# What makes a relay take copies, and write its own to the same terminal.
TAKES = ["TERM=tmux-256color", "VIATTY_OUTER_TMUX=copies", "VIATTY_TERM=foot", "VIATTY_PROBE=never"]


def in_tmux(sandbox, runner):
    tmux = os.environ.get("VIATTY_TMUX", "tmux")
    return [tmux, "-S", str(sandbox.fresh("sock")), "-f", "/dev/null", "new-session", runner.command]


def in_screen(sandbox, runner):
    settings = sandbox.fresh("screenrc")
    settings.write_text("startup_message off\ndeflogin off\n")
    return ["screen", "-c", str(settings), "-S", sandbox.fresh("screen").name, *runner.argv]


@pytest.mark.root
@pytest.mark.needs("sshd", "ssh", "tmux", "screen")
@pytest.mark.parametrize("script, term, near, around", [
    (VTE, "xterm-256color", True, (in_tmux, in_screen)),
    (VTE, "xterm-256color", False, (in_screen,)),
    (XTERM, "xterm-256color", False, (in_tmux,)),
    (XTERM, "xterm-256color", True, ()),
    (ST, "st-256color", False, ()),
])
def test_what_the_relay_says_wins_over_the_name_of_the_terminal(sandbox, far, script, term, around, near):
    """At whatever depth, and through what a tmux keeps of it."""
    terminal = AnsweringTerminal(sandbox, script, term=term)
    place = TmuxServer(sandbox).session_in(terminal) if near else terminal.inside()
    # It takes copies all the same, and sends them here.
    known = ["VIATTY_TERM=foot"] if near else TAKES
    there = far.login(place, by=["env", *known, *RELAY, "env", f"TERM={'tmux-256color' if near else term}", "ssh"])
    for start in around:
        runner = Runner(sandbox, apart=True)
        there.open(start(sandbox, runner))
        there = runner.ready()
    result = there.run(["viatty", "copy", "-s", "hello"])
    assert (result.status, result.stderr) == (0, "")
    arrives(terminal, b"hello")
    # st sets no primary selection alone, and its replies do not name the relay.
    selection = "c" if script is ST else "p"
    result = there.run(["viatty", "copy", "-S", selection, "-s", "hello"])
    assert (result.status, result.stderr) == (0, "")
    doctor = there.run(["viatty", "doctor", "copy"])
    assert doctor.status == 0 and "copy: yes" in doctor.stdout.decode()


@pytest.mark.needs("tmux")
def test_notifications_are_shown_here(sandbox):
    """Of programs in a tmux that know no desktop, as on a host."""
    terminal = SilentTerminal(sandbox, answers=VTE)
    place, runner = terminal.inside(), Runner(sandbox)
    place.open([*RELAY, "env", "-u", "VTE_VERSION", "-u", "VIATTY_PROBE", "VIATTY_NATIVE=never",
                *in_tmux(sandbox, runner)])
    there = runner.ready()
    result = there.run(["viatty", "notify", "Build", "<b>done</b>"])
    assert (result.status, result.stderr) == (0, "")
    until(terminal.shown, "it is shown")
    assert terminal.shown()[0][-2:] == ["Build", "&lt;b&gt;done&lt;/b&gt;"]
    there.run(["viatty", "run", "true"])
    until(lambda: len(terminal.shown()) == 2, "the end of a command is shown")
    doctor = there.run(["viatty", "doctor", "notify"])
    assert doctor.status == 0 and "notify: yes" in doctor.stdout.decode()


@pytest.mark.needs("tmux")
def test_notifications_are_shown_behind_a_near_tmux(sandbox):
    terminal = SilentTerminal(sandbox, answers=VTE)
    pane = TmuxServer(sandbox).session_in(terminal)
    pane.open([*RELAY, "printf", "\\033]9;done\\007\\033Ptmux;\\033\\033]9;too\\007\\033\\134"])
    until(lambda: len(terminal.shown()) == 2, "both are shown")
    assert [words[-2] for words in terminal.shown()] == ["done", "too"]


@pytest.mark.needs("mosh-server", "mosh-client", "ssh", "tmux")
def test_from_a_host_by_mosh(sandbox, outer, tmux):
    pane = tmux.session()
    tmux.attach(terminal=outer)
    start = lambda argv, **environment: pane.open(argv, environment=environment)
    there = MoshLogin(Sshd(sandbox), SimpleNamespace(start=start), by=RELAY)
    there.run(["sh", "-c", r"printf '\033]52;c;aGVsbG8=\007' >/dev/tty"])
    arrives(outer, b"hello")


@pytest.mark.root
@pytest.mark.needs("sshd", "ssh")
def test_the_shared_connection_stays(sandbox, far, outer):
    """Its proxy is in the group that the kernel hangs up with the session."""
    proxy, socket = sandbox.fresh("proxy"), sandbox.fresh("control")
    proxy.write_text(PROXY)
    options = ["-o", "ControlMaster=auto", "-o", "ControlPersist=30", "-o", f"ControlPath={socket}",
               "-o", f"ProxyCommand={sys.executable} -I -S {proxy} %p"]
    inside = outer.inside()
    assert inside.open([*RELAY, *far.argv("-t", *options, "far", "true")]).wait().status == 0
    over_it = far.argv("-o", "ProxyCommand=false", *options, "far", "exit 9")
    assert inside.run(over_it).status == 9
    inside.run([*far.argv(*options, "-O"), "exit", "far"])


@pytest.mark.needs("tmux")
def test_tmux_shows_the_command(outer, tmux):
    pane = tmux.session()
    tmux.attach(terminal=outer)
    # with a group of its own, as from a shell
    job = pane.open(["bash", "-c", "set -m; viatty relay cat; :"])
    until(lambda: tmux.ask("#{pane_current_command}") == "cat", "tmux shows cat")
    outer.type("\x04")
    job.wait()


@pytest.mark.needs("tmux")
def test_in_a_relay_through_tmux_a_copy_is_made_once(outer, tmux):
    pane = tmux.session()
    tmux.attach(terminal=outer)
    pane.open([*RELAY, *RELAY, "sh", "-c", r"printf '\033]52;c;aGVsbG8=\007'"]).wait()
    arrives(outer, b"hello")
    pane.settle()
    assert [text for _, text in outer.clipboard()] == [b"hello"]


@pytest.mark.needs("tmux")
def test_a_copy_goes_where_its_tmux_is_shown_by_then(sandbox, outer, tmux):
    pane, fifo = tmux.session(), sandbox.fresh("fifo")
    tmux.attach(terminal=outer)
    os.mkfifo(fifo)
    # tmux itself sets no primary selection.
    pane.open([*RELAY, "sh", "-c", f"echo ready; cat {fifo}"])
    pane.see("ready")
    tmux.detach(outer)
    second = OuterTerminal(sandbox, answers={**FENCE, b"\x1b[>q": b"\x1bP>|foot(1.20.2)\x1b\\"})
    tmux.attach(terminal=second)
    fifo.write_bytes(b"\x1b]52;p;aGVsbG8=\x07")
    arrives(second, b"hello")
    assert outer.clipboard() == []


# ---- a terminal that works afterwards ----------------------------------------------------

VIM = ["vim", "-Nu", "NONE", "-c", "set mouse=a t_fe=\x1b[?1004h t_fd=\x1b[?1004l"]
SCREEN_PROGRAMS = [
    pytest.param(VIM, marks=pytest.mark.needs("vim"), id="vim"),
    pytest.param(["tmux", "-S", "sock", "-f", "/dev/null", "new-session"],
                 marks=pytest.mark.needs("tmux"), id="tmux"),
]


@pytest.mark.parametrize("program", SCREEN_PROGRAMS)
def test_a_program_that_is_killed_leaves_nothing_switched_on(sandbox, outer, program):
    place, pid = outer.inside(), sandbox.fresh("pid")
    job = place.open([*RELAY, "sh", "-c", f"echo $$ >{pid}; exec {shlex.join(program)}"])
    outer.wait_for(b"\x1b[?1049h")
    outer.wait_for(b"\x1b[?25h")
    os.kill(int(pid.read_text()), signal.SIGKILL)
    assert job.wait().status == 137
    outer.settle()
    if program[0] == "tmux":
        place.run([*program[:3], "kill-server"])
    ended = outer.recorded()[-60:]
    assert b"\x1b[?1049l" in ended and b"\x1b[?1004l" in ended
