"""A relay around real programs: from a host, through tmux and Screen, the copies arrive here."""

import base64
import os
import shlex
import signal
import sys
import termios
from types import SimpleNamespace

import pytest

from lib import answering, expect
from lib.answering import AnsweringTerminal
from lib.desktop import SilentTerminal
from lib.mux import ScreenSession, TmuxServer
from lib.processes import until
from lib.program import Inside
from lib.runner import Runner
from lib.snippets import snippet
from lib.sshd import MoshLogin, Sshd
from lib.terminal import FENCE, OuterTerminal
from lib.versions import has

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


def by_viatty_in_tmux(there, data):
    """In a default tmux of the host."""
    sandbox = there.place.terminal.sandbox
    runner = Runner(sandbox, apart=True)
    socket = sandbox.fresh("sock")
    there.open(["tmux", "-S", str(socket), "-f", "/dev/null", "new-session", runner.command])
    inside = runner.ready()
    clients = ["tmux", "-S", str(socket), "list-clients", "-F", "#{client_termtype}"]
    until(lambda: b"viatty" in inside.run(clients).stdout, "tmux knows its terminal")
    by_viatty(inside, data)


WAYS = [by_printf, by_viatty, pytest.param(by_viatty_in_tmux, marks=pytest.mark.slow)]


@pytest.mark.root
@pytest.mark.needs("sshd", "ssh", "tmux")
@pytest.mark.parametrize("copy", WAYS)
@pytest.mark.parametrize("size", [10, 5_000])
def test_from_a_host_through_a_default_tmux(sandbox, far, outer, tmux, copy, size):
    pane = tmux.session()
    tmux.attach(terminal=outer)
    there = login(far, pane)
    data = bytes(range(33, 127)) * (size // 94) + b"end"
    copy(there, data)
    arrives(outer, data)


# Terminals whose names say that they take no copies, or only with a setting.
VTE = {answering.NAME: answering.name(b"VTE(8401)"), answering.DA2: b"\x1b[>61;8401;1c",
       answering.DA3: b"\x1bP!|7E565445\x1b\\", answering.DA1: b"\x1b[?61;1;21;22;28c"}
XTERM = {**answering.XTERM, answering.ALLOWED: b"\x1b]60;allowWindowOps\x1b\\",
         answering.DISALLOWED: b"\x1b]61;SetSelection\x1b\\"}
MLTERM = {answering.NAME: answering.name(b"mlterm(3.9.2)"), answering.DA2: b"\x1b[>24;279;0c",
          answering.DA1: b"\x1b[?63;1;2;3;4;7;29c"}
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
@pytest.mark.parametrize("near", [False, True], ids=["", "near tmux"])
@pytest.mark.parametrize("script, term, around", [
    *((VTE, "xterm-256color", around) for around in ((), (in_tmux,), (in_tmux, in_screen))),
    *((XTERM, "xterm-256color", around) for around in ((), (in_tmux,))),
    *((MLTERM, "mlterm", around) for around in ((), (in_tmux,))),
    (ST, "st-256color", ()),
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
def test_what_was_copied_is_not_what_tmux_reads(sandbox):
    """A VTE without a name: only the relay knows that it never replies."""
    sandbox.script("termux-clipboard-set", "cat >/dev/null")
    named = {query: reply for query, reply in VTE.items() if query != answering.NAME}
    place, runner = AnsweringTerminal(sandbox, named, term="xterm-256color").inside(), Runner(sandbox)
    place.open(["env", "TERMUX_VERSION=0.118", *RELAY, "--route", "native", "--term", "vte",
                "env", "-u", "TERMUX_VERSION", "-u", "VIATTY_PROBE", *in_tmux(sandbox, runner)])
    there = runner.ready()
    by_viatty(there, b"copied")
    expect.refused(there.run(["viatty", "paste", "--no-prompt"]), status=5, naming="not pasted")


@pytest.mark.needs("tmux")
@pytest.mark.parametrize("around", [(), (in_tmux,)], ids=["", "tmux"])
def test_notifications_are_shown_here(sandbox, around):
    """Of programs that know no desktop, as on a host."""
    terminal = SilentTerminal(sandbox, answers=VTE)
    place, runner = terminal.inside(), Runner(sandbox)
    place.open([*RELAY, "env", "-u", "VTE_VERSION", "-u", "VIATTY_PROBE", "VIATTY_NATIVE=never", *runner.argv])
    there = Inside(runner.ready(), place)
    for start in around:
        runner = Runner(sandbox)
        there.open(start(sandbox, runner))
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


@pytest.mark.root
@pytest.mark.needs("sshd", "ssh", "tmux")
@pytest.mark.parametrize("editor, program", [
    pytest.param("vim", "vim", marks=pytest.mark.needs("vim")),
    pytest.param("neovim", "nvim", marks=pytest.mark.needs("nvim")),
])
def test_from_an_editor_of_a_host(sandbox, far, outer, tmux, editor, program):
    pane = tmux.session()
    tmux.attach(terminal=outer)
    there = login(far, pane)
    settings = sandbox.fresh("settings.vim")
    settings.write_text(snippet(sandbox, editor))
    keys = "call setline(1, 'from an editor')", 'normal "+yy', "qa!"
    there.open([program, "-Nu", str(settings), *(word for key in keys for word in ("-c", key))]).wait()
    arrives(outer, b"from an editor\n")


YANKS_AND_PUTS = """\
function! YankAndPut(timer)
  if !exists("g:clipboard")
    return
  endif
  call timer_stop(a:timer)
  call setline(1, "a line")
  let began = reltime()
  normal! "+yy
  normal! "+p
  let fast = reltimefloat(reltime(began)) < 2
  call writefile([fast] + getline(1, "$"), $GOT)
  qa!
endfunction
call timer_start(50, "YankAndPut", {"repeat": -1})
"""

if has("nvim", "the clipboard of its terminal"):

    @pytest.mark.needs("nvim")
    def test_neovim_puts_what_it_has_yanked(sandbox):
        """It waits ten seconds for a terminal that says it copies and answers no read."""
        settings, got = sandbox.fresh("settings.vim"), sandbox.fresh("got")
        settings.write_text(YANKS_AND_PUTS)
        sandbox.script("termux-clipboard-set", "cat >/dev/null")
        terminal = OuterTerminal(sandbox, environment={"TERMUX_VERSION": "0.118.3"})
        relay = [*RELAY, "--route", "native", "--term", "gnome-terminal"]
        editor = terminal.start([*relay, "nvim", "-u", str(settings), "-i", "NONE", "-n"],
                                SSH_TTY="/dev/pts/0", TERM="xterm-256color", GOT=str(got))
        editor.wait()
        assert got.read_text() == "1\na line\na line\n"


@pytest.mark.needs("mosh-server", "mosh-client", "ssh", "tmux")
def test_from_a_host_by_mosh(sandbox, outer, tmux):
    pane = tmux.session()
    tmux.attach(terminal=outer)
    start = lambda argv, **environment: pane.open(argv, environment=environment)
    there = MoshLogin(Sshd(sandbox), SimpleNamespace(start=start), by=RELAY)
    there.run(["sh", "-c", r"printf '\033]52;c;aGVsbG8=\007' >/dev/tty"])
    arrives(outer, b"hello")


@pytest.mark.root
@pytest.mark.needs("sshd", "ssh", "screen")
def test_from_screen_on_a_host_of_a_terminal_that_takes_none(sandbox, far):
    terminal = AnsweringTerminal(sandbox, VTE)
    there = far.login(terminal.inside(), by=["env", *TAKES, *RELAY, "env", "TERM=xterm-256color", "ssh"])
    runner = Runner(sandbox, apart=True)
    there.open(in_screen(sandbox, runner))
    by_viatty(runner.ready(), b"hello")
    arrives(terminal, b"hello")


@pytest.mark.root
@pytest.mark.needs("sshd", "ssh", "screen")
@pytest.mark.parametrize("copy", WAYS[:2])
def test_from_a_host_through_screen(sandbox, far, outer, copy):
    there = login(far, ScreenSession(sandbox, outer))
    data = b"gr\xc3\xbcn " * 300
    copy(there, data)
    arrives(outer, data)


@pytest.mark.root
@pytest.mark.slow
@pytest.mark.needs("sshd", "ssh", "tmux")
def test_megabytes_arrive_whole(sandbox, far, outer, tmux):
    pane = tmux.session()
    tmux.attach(terminal=outer)
    there = login(far, pane)
    data = bytes(range(32, 127)) * 20_000 + b"end"
    by_viatty(there, data)
    arrives(outer, data)


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


@pytest.mark.root
@pytest.mark.needs("sshd", "ssh", "bash")
def test_the_escape_of_ssh_stops_it(far, outer):
    outer.start(["bash", "--norc", "--noprofile", "-i"], PS1="ready> ")
    outer.wait_for(b"ready> ")
    words = shlex.join(far.argv("-t", "far", "echo con''nected; exec cat"))
    outer.type(f"viatty relay {words}\r")
    outer.see("connected")
    outer.type("hello\r")
    outer.wait_for(b"hello\r\nhello\r\n")
    outer.type("~\x1a")
    outer.wait_for(b"Stopped")
    outer.type("fg\r")
    until(lambda: not outer.modes()[3] & termios.ICANON, "it goes on")
    outer.type("again\r")
    outer.wait_for(lambda record: record.count(b"again\r\n") >= 2, what="the echo and cat")


@pytest.mark.root
@pytest.mark.slow
@pytest.mark.unsanitized
@pytest.mark.needs("sshd", "ssh")
def test_the_escape_of_ssh_ends_a_flood_of_queries(far, outer):
    inside = outer.inside()
    flood = r"while :; do printf '\033P+q4D73\033\\%.0s' $(seq 1000); done"
    job = inside.open([*RELAY, *far.argv("-t", "far", flood)])
    outer.wait_for(lambda record: len(record) > 4_000_000)
    outer.type("\r~.")
    assert job.wait(10).status == 255


@pytest.mark.needs("tmux")
def test_tmux_shows_the_command(outer, tmux):
    pane = tmux.session()
    tmux.attach(terminal=outer)
    # with a group of its own, as from a shell
    job = pane.open(["bash", "-c", "set -m; viatty relay sleep 5; :"])
    until(lambda: tmux.ask("#{pane_current_command}") == "sleep", "tmux shows sleep")
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
FULL_SCREEN = [
    pytest.param(VIM, ["-c", "qa!"], marks=pytest.mark.needs("vim"), id="vim"),
    pytest.param(["tmux", "-S", "sock", "-f", "/dev/null", "new-session"], ["true"],
                 marks=pytest.mark.needs("tmux"), id="tmux"),
]


def added_behind(record, sandbox):
    """What a relay adds when a command has printed this."""
    file = sandbox.fresh("record")
    file.write_bytes(record)
    terminal = OuterTerminal(sandbox, term="foot", environment={"VIATTY_PROBE": "never"})
    terminal.inside().open([*RELAY, "sh", "-c", f"stty -opost; cat {file}"]).wait()
    terminal.settle()
    assert terminal.recorded().startswith(record)
    return terminal.recorded()[len(record) :]


@pytest.mark.parametrize("program, end", FULL_SCREEN)
def test_a_program_that_is_killed_leaves_nothing_switched_on(sandbox, outer, program, end):
    place, pid = outer.inside(), sandbox.fresh("pid")
    job = place.open([*RELAY, "sh", "-c", f"echo $$ >{pid}; exec {shlex.join(program)}"])
    outer.wait_for(b"\x1b[?1049h")
    outer.wait_for(b"\x1b[?25h")
    os.kill(int(pid.read_text()), signal.SIGKILL)
    assert job.wait().status == 137
    outer.settle()
    if program[0] == "tmux":
        place.run([*program[:3], "kill-server"])
    record = outer.recorded()
    assert b"\x1b[?1049l" in record[-60:]
    assert added_behind(record, sandbox) == b""


@pytest.mark.parametrize("program, end", FULL_SCREEN)
def test_behind_a_program_that_ends_nothing_is_added(sandbox, outer, program, end):
    outer.inside().open([*program, *end]).wait()
    outer.settle()
    assert added_behind(outer.recorded(), sandbox) == b""
