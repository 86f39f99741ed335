"""A command that runs as without a relay, but for its copies, which arrive."""

import base64
import fcntl
import os
import shlex
import signal
import struct
import termios
import time
from pathlib import Path

import pytest

from lib.answering import AnsweringTerminal
from lib.desktop import SilentTerminal
from lib.processes import family, is_alive, until
from lib.terminal import OuterTerminal

ESC, ST, BEL = b"\x1b", b"\x1b\\", b"\x07"
RELAY = ("viatty", "relay")
# A relay takes copies here, and writes its own to the same terminal.
TAKES = {"term": "tmux-256color", "environment": {
    "VIATTY_PROBE": "never", "VIATTY_OUTER_TMUX": "copies", "VIATTY_TERM": "foot"}}
# And here it leaves them to the terminal.
LEAVES = {"term": "foot", "environment": {"VIATTY_PROBE": "never"}}
TEXT = b"gr\xc3\xbcn\nund mehr"
CODE = base64.b64encode(TEXT)
PLAIN = b"\x1b]52;c;" + CODE


def tmux(sequence):
    return b"\x1bPtmux;" + sequence.replace(ESC, ESC * 2) + ST


def screen(sequence, size):
    pieces = [sequence[at : at + size] for at in range(0, len(sequence), size)]
    return b"".join(b"\x1bP" + piece + ST for piece in pieces)


# Each is one copy of TEXT; test_stream.c has all forms, and what is none.
FORMS = {
    "BEL": PLAIN + BEL,
    "no letter": b"\x1b]52;;" + CODE + BEL,
    "tmux, ST": tmux(PLAIN + ST),
    "tmux in Screen": screen(tmux(PLAIN + BEL)[:-1], 5) + screen(b"\\", 1),
}

@pytest.fixture
def foot(sandbox):
    return OuterTerminal(sandbox, **TAKES)


def peak(pid):
    """The most memory that a process has had, in kB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0])


def bash(terminal):
    """An interactive shell, with job control."""
    # Of a terminal that is not in terminfo it marks no pastes.
    program = terminal.start(["bash", "--norc", "--noprofile", "-i"], PS1="ready> ",
                             HISTFILE=os.devnull, TERM="xterm-256color")
    terminal.wait_for(b"ready> ")
    return program


class Printer:
    """A relayed program that prints what it is told, without a change on its terminal."""

    def __init__(self, terminal, *options, relay=RELAY):
        self.terminal = terminal
        sandbox = terminal.sandbox
        self.fifo, ready = sandbox.fresh("fifo"), sandbox.fresh("ready")
        os.mkfifo(self.fifo)
        script = f"stty raw -echo; : >{ready}; exec cat {self.fifo}"
        self.program = terminal.start([*relay, *options, "sh", "-c", script])
        until(ready.exists, "the command runs")
        self._to = os.open(self.fifo, os.O_WRONLY)

    def print(self, data):
        while data:
            data = data[os.write(self._to, data) :]

    def end(self):
        os.close(self._to)
        self.program.wait()


# ---- the stream --------------------------------------------------------------------------


def test_copies_are_taken_out_of_the_stream_and_sent_as_our_own(foot):
    """In all forms, also divided; test_stream.c divides them anywhere."""
    printer = Printer(foot)
    for form, whole in FORMS.items():
        for at in 0, len(whole) // 2:
            foot.forget()
            printer.print(b"before" + whole[:at])
            foot.wait_for(b"before")
            printer.print(whole[at:] + b"after")
            foot.wait_for(b"after")
            assert foot.recorded() == b"before\x1b]52;c;" + CODE + ST + b"after", (form, at)
    printer.end()


# What a command may print without an end.
FLOODS = {
    "short strings of Screen": (b"\x1bP\x1b]52;c;QUJD\x1b\\", b"\x1bPA\x1b\\"),
    "queries": (b"", b"\x1bP+q4D73\x1b\\"),
}


@pytest.mark.slow
@pytest.mark.unsanitized
@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS)
@pytest.mark.parametrize("modes", ["sane", "raw isig -echo"])
def test_a_flood_takes_little_memory_and_ctrl_c_ends_it(foot, flood, modes):
    first, rest = (foot.sandbox.fresh("flood") for _ in range(2))
    first.write_bytes(flood[0])
    rest.write_bytes(flood[1] * (1_000_000 // len(flood[1])))
    done = foot.sandbox.fresh("done")
    job = foot.runner().open([*RELAY, "sh", "-c", f"stty {modes}; cat {first}; "
                              f"for i in $(seq 25); do cat {rest}; done; : >{done}; exec sleep 60"])
    until(done.exists, "25 MB are printed")
    (relay,) = _relays(foot)
    assert peak(relay) < 20_000
    foot.type(b"\x03")
    assert job.wait().status == 130


# ---- what the command asks ---------------------------------------------------------------


ASKS = """\
import os, select, sys, tty
tty.setraw(0)
with open(sys.argv[1], "rb") as file:
    os.write(1, file.read())
with open(sys.argv[1], "wb") as file:
    while select.select([0], [], [], float(sys.argv[2]))[0]:
        file.write(os.read(0, 4096))
"""


def asked(terminal, question, relay=RELAY, patience=0.4):
    """The bytes that a program gets which has written the question."""
    file = terminal.sandbox.fresh("asked")
    file.write_bytes(question)
    terminal.start([*relay, "python3", "-I", "-S", "-c", ASKS, file, str(patience)]).wait()
    return file.read_bytes()


# The string that copies is reported whatever the terminal is.
@pytest.mark.parametrize("question, reply, seen", [
    (b"\x1bP+q4D73\x1b\\", b"", b"\x1bP1+r4D73=5C455D35323B25703125733B25703225735C303037\x1b\\"),
    (b"\x1b[0c", b"\x1b[?65;1;9c", b"\x1b[?65;1;9;52c"),
    (tmux(b"\x1b[c"), b"\x1b[?65c", b"\x1b[?65;52c"),
    (b"\x1b[>q", b"\x1bP>|tmux 3.3a\x1b\\", b"\x1bP>|tmux 3.3a viatty-relay\x1b\\"),
])
def test_replies_tell_of_the_relay(sandbox, question, reply, seen):
    answered = b"\x1b[>q" if question == b"\x1b[>q" else b"\x1b[c"
    terminal = OuterTerminal(sandbox, answers={answered: reply}, **TAKES)
    assert asked(terminal, question) == seen


def test_nothing_is_announced_where_a_copy_may_be_lost(sandbox):
    replies = {b"\x1b[c": b"\x1b[?65c", b"\x1b[>q": b"\x1bP>|tmux 3.3a\x1b\\"}
    terminal = OuterTerminal(sandbox, answers=replies, environment={"VIATTY_PROBE": "never"})
    questions = b"\x1b[c\x1b[>q\x1bP+q4D73\x1b\\"
    assert asked(terminal, questions) == b"".join(replies.values())


@pytest.mark.slow
def test_a_query_that_stays_unanswered_is_forgotten(foot):
    question, reply = b"\x1b[>q", b"\x1bP>|typed\x1b\\"
    told = foot.sandbox.fresh("told")
    told.write_bytes(question)
    program = foot.start([*RELAY, "python3", "-I", "-S", "-c", ASKS, told, "4"])
    foot.wait_for(question)
    time.sleep(2.1)  # longer than the relay remembers a query
    foot.push(reply)
    program.wait()
    assert told.read_bytes() == reply


@pytest.mark.slow
@pytest.mark.unsanitized
def test_keys_that_nobody_reads_take_little_memory(foot):
    ready = foot.sandbox.fresh("ready")
    job = foot.runner().open([*RELAY, "sh", "-c", f"stty raw -echo; : >{ready}; exec sleep 60"])
    until(ready.exists, "the command runs")
    (relay,) = _relays(foot)
    with pytest.raises(AssertionError, match="nobody reads"):
        foot.push(bytes(30 << 20), patience=2)
    assert peak(relay) < 20_000
    os.kill(family(relay)[-1], signal.SIGKILL)
    assert job.wait().status == 137


def test_escape_is_not_held_for_long(foot):
    """Nobody answers the query, so the key may begin a reply."""
    script = ("import os, time, tty; tty.setraw(0); os.write(1, b'\\x1b[cready'); os.read(0, 9);"
              "os.write(1, b'got')")
    foot.start([*RELAY, "python3", "-I", "-S", "-c", script])
    foot.wait_for(b"ready")
    begin = time.monotonic()
    foot.type(b"\x1b")
    foot.wait_for(b"got")
    assert 0.045 < time.monotonic() - begin < 0.3


# ---- its end ------------------------------------------------------------------------------


@pytest.mark.parametrize("script, status", [("exit 7", 7), ("kill -TERM $$", 143)])
def test_its_status(foot, script, status):
    inside = foot.inside()
    job = inside.open([*RELAY, "sh", "-c", f"ulimit -c 0; {script}"])
    assert job.wait().status == status


@pytest.mark.parametrize("name, status", [("no-such-program", 127), ("/etc/passwd", 126)])
def test_what_cannot_be_run(foot, name, status):
    inside = foot.inside()
    before = foot.modes()
    assert inside.open([*RELAY, name]).wait().status == status
    foot.see(f'viatty relay: cannot run "{name}"')
    assert foot.modes() == before


def test_ctrl_c_reaches_the_command_and_ends_a_loop_around_it(foot):
    bash(foot)
    foot.type("while :; do viatty relay cat; echo again; done; echo over\r")
    cat_runs(foot)
    foot.forget()
    foot.type(b"\x03")
    foot.wait_for(b"ready> ", what="the prompt")
    foot.type("echo en''d\r")
    foot.wait_for(b"end")
    assert b"again" not in foot.recorded()


def test_all_output_before_its_end(foot):
    inside = foot.inside()
    for _ in range(20):
        foot.forget()
        inside.open([*RELAY, "sh", "-c", "head -c 30000 /dev/zero | tr '\\0' x; printf end"]).wait()
        foot.wait_for(b"end")
        assert foot.recorded() == b"x" * 30000 + b"end"


def test_a_process_that_it_leaves_behind_does_not_keep_us(foot):
    inside = foot.inside()
    begin = time.monotonic()
    pid = foot.sandbox.fresh("pid")
    inside.open([*RELAY, "sh", "-c", f"sleep 60 & echo $! >{pid}; printf left"]).wait()
    assert time.monotonic() - begin < 5
    foot.see("left")
    os.kill(int(pid.read_text()), signal.SIGKILL)
    # which prints on, until the terminal is gone
    inside.open([*RELAY, "sh", "-c", "trap '' HUP; yes & printf left"]).wait(10)


def test_its_terminal(foot):
    """Size in characters and pixels, also when it changes; its modes; its name."""
    inside = foot.inside()
    size = struct.pack("HHHH", 30, 100, 800, 600)
    fcntl.ioctl(foot.slave, termios.TIOCSWINSZ, size)
    modes = termios.tcgetattr(foot.slave)
    modes[6][termios.VERASE] = b"\x08"
    termios.tcsetattr(foot.slave, termios.TCSANOW, modes)
    told = foot.sandbox.fresh("told")
    script = (
        "import fcntl, os, signal, termios\n"
        "size = lambda: fcntl.ioctl(0, termios.TIOCGWINSZ, bytes(8)).hex()\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGWINCH])\n"
        f"before = size()\nopen({str(told) + '.ready'!r}, 'w').close()\n"
        "signal.sigwait([signal.SIGWINCH])\n"
        f"print(before, size(), termios.tcgetattr(0)[6][termios.VERASE], os.ttyname(0), file=open({str(told)!r}, 'w'))\n"
    )
    job = inside.open([*RELAY, "python3", "-I", "-S", "-c", script])
    until(Path(f"{told}.ready").exists, "the command runs")
    larger = struct.pack("HHHH", 40, 120, 960, 800)
    fcntl.ioctl(foot.slave, termios.TIOCSWINSZ, larger)
    job.wait()
    before, after, erase, name = told.read_text().split()
    assert (before, after, erase) == (size.hex(), larger.hex(), "b'\\x08'")
    assert name not in (foot.device, "")


def test_streams_that_are_not_the_terminal_stay(foot):
    inside = foot.inside()
    told = foot.sandbox.fresh("told")
    script = f"cat; tty </dev/tty; ls -l /proc/self/fd/2 >{told}"
    errors = foot.sandbox.fresh("errors")
    job = inside.open(["sh", "-c", f"echo input | viatty relay sh -c {shlex.quote(script)}"
                       f" 2>{errors}"])
    job.wait()
    assert str(errors) in told.read_text()
    lines = foot.recorded().split()
    assert lines[0] == b"input" and lines[1] == b"/dev/tty"


@pytest.mark.parametrize("by", ["its end", "TERM", "KILL of the command"])
def test_what_it_leaves_switched_on_is_switched_off(foot, by):
    """The table of streams is test_modes.c."""
    runner = foot.runner()
    ready = foot.sandbox.fresh("ready")
    on = r"printf '\033[?1049h\033[?1000h\033]0;unfinished'; : >" + str(ready)
    job = runner.open([*RELAY, "sh", "-c", f"{on}; {'true' if by == 'its end' else 'exec sleep 60'}"])
    until(ready.exists, "the command runs")
    if by != "its end":
        foot.wait_for(b"unfinished")
        (relay,) = _relays(foot)
        os.kill(relay if by == "TERM" else family(relay)[-1],
                signal.SIGTERM if by == "TERM" else signal.SIGKILL)
    job.wait()
    foot.settle()
    # Behind it, dash says that the relay was terminated.
    assert foot.recorded().startswith(b"\x1b[?1049h\x1b[?1000h\x1b]0;unfinished"
                                      b"\x18\x1b\\\x1b[?1000l\x1b[?1049l")
    assert by == "TERM" or foot.recorded().endswith(b"\x1b[?1049l")


# ---- stopping, and being ended ------------------------------------------------------------


def test_it_stops_and_goes_on_as_a_job(foot):
    bash(foot)
    before = foot.modes()
    foot.forget()
    # dash waits with vfork() for a child that stops before exec, and never stops itself
    foot.type("viatty relay bash -c 'echo begin; sleep 1; echo end'\r")
    foot.wait_for(b"begin\r\n")
    foot.type(b"\x1a")
    foot.wait_for(b"Stopped")
    foot.wait_for(b"ready> ")
    foot.type("stty -a | grep -c -- ' icanon'; fg\r")
    foot.wait_for(b"\nend\r\n\x1b[?2004hready> ")
    foot.type("echo status $?\r")
    foot.wait_for(b"\rstatus 0")
    assert b"\r1\r\n" in foot.recorded()
    until(lambda: foot.modes() == before, "the modes of the prompt")


def test_bg_stops_again(foot):
    bash(foot)
    foot.type("viatty relay cat\r")
    cat_runs(foot)
    foot.type(b"\x1a")
    foot.wait_for(b"Stopped")
    foot.type("bg; wait %1; jobs; kill %1; wait; echo over\r")
    foot.wait_for(b"\nover\r\n")
    assert foot.recorded().count(b"Stopped") >= 2 and b"Running" not in foot.recorded()


def test_stopped_by_sigstop(foot):
    bash(foot)
    foot.type("viatty relay cat\r")
    pid = cat_runs(foot)
    os.kill(pid, signal.SIGSTOP)
    foot.wait_for(b"Stopped")
    foot.forget()
    foot.type("echo re''ad; fg\r")
    foot.wait_for(b"read")
    until(lambda: not _is_stopped(pid), "it goes on")
    foot.type("hello\r")
    foot.wait_for(b"hello\r\nhello\r\n")
    assert not foot.modes()[3] & termios.ICANON


def cat_runs(terminal):
    """Waits until the command of a relay reads its terminal; gives the relay."""
    runs = lambda: [pid for pid in _relays(terminal)
                    if "cat" in [_status(member)[0] for member in family(pid)]]
    return until(runs, "the command runs")[0]


def _status(pid):
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return Path(f"/proc/{pid}/comm").read_text().strip(), int(fields[1]), int(fields[3])
    except OSError:
        return "", 0, 0


def _is_stopped(pid):
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"


def _pids():
    return [int(entry) for entry in os.listdir("/proc") if entry.isdigit()]


def _relays(terminal):
    """The relays of a terminal, not what they have just forked: its keeper, and its command."""
    found = []
    for pid in _pids():
        comm, parent, session = _status(pid)
        try:
            tty = os.readlink(f"/proc/{pid}/fd/0")
        except OSError:
            continue
        if comm == "viatty" and session != pid and tty == terminal.device \
                and _status(parent)[0] != "viatty":
            found.append(pid)
    return found


@pytest.mark.parametrize("signals, end", [
    ("CONT", "command"), ("STOP CONT", "TERM"), ("CONT CONT", "keeper"), ("TSTP CONT", "command")])
def test_a_relay_that_is_continued_restores_the_modes_from_before(foot, signals, end):
    """By a parent that does not take the terminal, such as tmux or cpulimit."""
    runner = foot.runner()
    before = foot.modes()
    runner.open([*RELAY, "cat"])
    (relay,) = until(lambda: _relays(foot), "the relay runs")
    until(lambda: foot.modes() != before, "raw")
    raw = foot.modes()
    for name in signals.split():
        os.kill(relay, getattr(signal, f"SIG{name}"))
        if name == "STOP":
            until(lambda: _is_stopped(relay), "the relay stops")
    foot.type("still there\r")
    foot.see("still there\r\nstill there\r\n")
    until(lambda: foot.modes() == raw, "raw again")
    members = family(relay)
    os.kill({"command": members[-1], "keeper": members[1]}.get(end, relay),
            signal.SIGTERM if end == "TERM" else signal.SIGKILL)
    until(lambda: not is_alive(relay), "the relay ends")
    until(lambda: foot.modes() == before, "the modes are restored")


@pytest.mark.parametrize("how", ["TERM", "HUP", "QUIT", "KILL", "keeper", "command", "window"])
def test_nobody_is_left_and_the_modes_are_as_before(foot, how):
    runner = foot.runner()
    before = foot.modes()
    ready = foot.sandbox.fresh("ready")
    runner.open(["sh", "-c", f"ulimit -c 0; exec viatty relay sh -c ': >{ready}; cat'"])
    until(ready.exists, "the command runs")
    relay = cat_runs(foot)
    members = family(relay)
    keeper, command = members[1], members[-1]
    assert len(members) >= 3 and foot.modes() != before
    if how == "window":
        foot.hang_up()
    else:
        victim = {"keeper": keeper, "command": command}.get(how, relay)
        os.kill(victim, getattr(signal, f"SIG{how}", signal.SIGKILL))
    for member in members:
        until(lambda: not is_alive(member), f"process {member} of {members} dies")
    if how != "window":
        until(lambda: foot.modes() == before, "the modes are restored")


def test_the_modes_of_another_program_are_not_undone(foot):
    """The relay is killed, and a shell sets modes of its own at once."""
    runner = foot.runner()
    ready = foot.sandbox.fresh("ready")
    runner.open([*RELAY, "sh", "-c", f": >{ready}; cat"])
    until(ready.exists, "the command runs")
    (relay,) = until(lambda: _relays(foot), "the relay runs")
    keeper = family(relay)[1]
    os.kill(keeper, signal.SIGSTOP)
    os.kill(relay, signal.SIGKILL)
    modes = foot.modes()
    modes[3] |= termios.ISIG
    termios.tcsetattr(foot.slave, termios.TCSANOW, modes)
    os.kill(keeper, signal.SIGCONT)
    until(lambda: not is_alive(keeper), "the keeper ends")
    assert foot.modes() == modes


# ---- without a relay ----------------------------------------------------------------------


@pytest.mark.parametrize("how", [LEAVES, {"environment": {"VIATTY_PROBE": "never"}}])
def test_where_the_terminal_takes_copies_it_gets_them(sandbox, how):
    """And it answers for itself."""
    terminal = OuterTerminal(sandbox, **how)
    printed = b"\x1b[c\x1b[>q\x1bP+q4D73\x1b\\" + b"".join(FORMS.values()) + b"~"
    assert asked(terminal, printed, patience=0.1) == b""
    terminal.wait_for(b"~")
    assert terminal.recorded() == printed


def test_where_none_can_arrive_the_end_says_why(sandbox):
    terminal = OuterTerminal(sandbox, environment={"VIATTY_PROBE": "never", "VIATTY_TERM": "gnome-terminal"})
    script = r"printf 'a\033]52;c;eA==\007\033]52;c;eQ==\007b'; exit 3"
    assert terminal.inside().open([*RELAY, "sh", "-c", script]).wait().status == 3
    terminal.see("viatty relay: warning: 2 of 2 copies did not arrive, the first because: ")
    assert terminal.recorded().startswith(b"ab")


def test_a_pipe_gets_the_output_as_it_is(foot):
    inside = foot.inside()
    result = inside.run([*RELAY, "printf", "\\033]52;c;eA==\\007"])
    assert (result.status, result.stdout) == (0, b"\x1b]52;c;eA==\x07")


def test_in_the_background_there_is_none(foot):
    bash(foot)
    foot.type("viatty relay tty & wait\r")
    foot.wait_for(b"Done")
    assert foot.device.encode() in foot.recorded()


# ---- copies by other ways ------------------------------------------------------------------


class Desk:
    """A terminal whose copies a desktop tool gets."""

    def __init__(self, sandbox, body="cat >>{0}/copies; echo >>{0}/copies"):
        self.records = sandbox.folder("records")
        script = f"echo run >>{self.records}/runs\n{body.format(self.records)}"
        sandbox.script("termux-clipboard-set", script)
        self.terminal = OuterTerminal(sandbox, environment={"TERMUX_VERSION": "0.118.3"})
        self.relay = ("viatty", "relay", "--route", "native")

    def copies(self):
        path = self.records / "copies"
        return path.read_bytes().split(b"\n")[:-1] if path.exists() else []

    def runs(self):
        return (self.records / "runs").read_text().count("run")


@pytest.fixture
def desk(sandbox):
    return Desk(sandbox)


def test_the_last_copy_is_waited_for(sandbox):
    desk = Desk(sandbox, "sleep 0.5; cat >>{0}/copies; echo >>{0}/copies")
    printer = Printer(desk.terminal, "-v", relay=desk.relay)
    printer.print(b"\x1b]52;c;eA==\x07\x1b]52;c;eQ==\x07\x1b]52;p;eg==\x07\x1b]52;c;bGFzdA==\x07")
    printer.end()
    assert desk.copies() == [b"x", b"last"] and b"\x1b" not in desk.terminal.recorded()
    # which that tool lacks
    desk.terminal.see("1 of 3 copies did not arrive, the first because: ")
    desk.terminal.see("relayed 2 copies, the last of 4 bytes by --route native with termux-clipboard-set")


def test_four_copies_wait_for_the_one_before(sandbox):
    """The oldest are replaced; that tool has no such selections."""
    desk = Desk(sandbox, "cat >/dev/null; sleep 0.5")
    printer = Printer(desk.terminal, relay=desk.relay)
    printer.print(b"".join(b"\x1b]52;%c;eA==\x07" % letter for letter in b"c0123456"))
    printer.end()
    desk.terminal.see("4 of 5 copies did not arrive, the first because: ")


def test_a_copy_that_fails_is_one_line_at_the_end(sandbox):
    desk = Desk(sandbox, "echo broken >&2; exit 1")
    printer = Printer(desk.terminal, relay=desk.relay)
    printer.print(b"\x1b]52;c;eA==\x07")
    until(lambda: (desk.records / "runs").exists() and desk.runs() == 1, "the first fails")
    until(lambda: len(family(printer.program.pid)) == 3, "its tool has ended")
    printer.print(b"\x1b]52;c;eQ==\x07there")
    desk.terminal.wait_for(b"there")
    assert desk.terminal.recorded() == b"there"
    printer.end()
    desk.terminal.see("2 of 2 copies did not arrive, the first because: ")
    assert desk.terminal.recorded().count(b"broken") == 1


# ---- reads of the clipboard ------------------------------------------------------------------

READ = b"\x1b]52;c;?\x07"
COPIED = b"\x1b]52;c;aGk=\x07"


@pytest.fixture
def vte(sandbox):
    """Whose terminal answers no reads."""
    desk = Desk(sandbox)
    desk.relay = (*desk.relay, "--term", "gnome-terminal")
    return desk


@pytest.mark.parametrize("printed, told", [
    (COPIED + b"\x1b]52;c;eA==\x07\x1b]52;p;eQ==\x07" + READ, b"eA=="),
    (b"\x1b]52;;aGk=\x1b\\text\x1b[1m" + READ, b"aGk="),
    (b"\x1b]52;pc;aGk=\x07" + READ, b"aGk="),
    (b"\x1b]52;p;aGk=\x07" + READ, b""),
    *((COPIED + screen + READ, b"") for screen in (b"\x1b[?47h", b"\x1b[?1;1049l", b"\x1bc")),
    (b"\x1b[?1049h" + COPIED + b"\x1b[?2004h" + READ, b"aGk="),
    (COPIED + b"\x1b]52;c;" + base64.b64encode(bytes((1 << 20) + 1)) + BEL + READ, b""),
])
def test_a_read_gets_what_was_copied_last_on_the_same_screen(vte, printed, told):
    begin = time.monotonic()
    assert asked(vte.terminal, printed, vte.relay, patience=0.3) == b"\x1b]52;c;" + told + ST
    assert READ not in vte.terminal.recorded() and time.monotonic() - begin < 3


def test_a_read_passes_to_a_terminal_that_answers_it(foot):
    assert asked(foot, READ, patience=0.1) == b""
    assert foot.recorded() == READ


@pytest.mark.slow
@pytest.mark.unsanitized
def test_reads_without_end_take_little_memory(vte):
    copy, rest = (vte.terminal.sandbox.fresh("flood") for _ in range(2))
    copy.write_bytes(b"\x1b]52;c;" + base64.b64encode(bytes(1 << 20)) + BEL)
    rest.write_bytes(READ * 100_000)
    done = vte.terminal.sandbox.fresh("done")
    job = vte.terminal.runner().open([*vte.relay, "sh", "-c", f"stty raw isig -echo; cat {copy}; "
                                      f"for i in $(seq 5); do cat {rest}; done; : >{done}; exec sleep 60"])
    until(done.exists, "all is printed")
    (relay,) = _relays(vte.terminal)
    assert peak(relay) < 20_000
    os.kill(family(relay)[-1], signal.SIGKILL)
    assert job.wait().status == 137


# ---- notifications -------------------------------------------------------------------------

DONE = b"\x1b]9;done\x07"
ASKS_99 = b"\x1b]99;i=it:p=?;\x1b\\"


@pytest.fixture
def silent(sandbox):
    return SilentTerminal(sandbox)


def words(title, body="", urgency="normal", application="viatty"):
    return ["--urgency", urgency, "--app-name", application, "--", title, body]


@pytest.mark.parametrize("printed, shown", [
    (b"\x1b]99;i=1:d=0:u=0;a\x1b\\\x1b]99;i=1:e=1:p=body;Yg==\x1b\\", words("a", "b", "low")),
    (b"\x1b]777;notify;--help;-u <b>&\x07", words("--help", "-u &lt;b&gt;&amp;")),
    (tmux(DONE), words("done")),
])
def test_a_tool_shows_what_the_terminal_does_not(silent, printed, shown):
    printer = Printer(silent)
    printer.print(b"a" + printed + b"b")
    until(silent.shown, "it is shown")
    printer.end()
    assert silent.shown() == [shown]
    silent.wait_for(b"b")
    assert silent.recorded() == b"ab"


def test_where_the_terminal_shows_them_they_pass(foot):
    printer = Printer(foot)
    printer.print(DONE + ASKS_99 + tmux(DONE))
    printer.end()
    foot.wait_for(tmux(DONE))
    assert foot.recorded() == DONE + ASKS_99 + tmux(DONE)


def test_a_flood_shows_the_first_and_the_last(silent):
    printer = Printer(silent, "-v")
    begin = time.monotonic()
    printer.print(b"".join(b"\x1b]9;number %d\x07" % n for n in range(500)) + b"~")
    silent.wait_for(b"~")
    printer.end()
    shown = [call[-2] for call in silent.shown()]
    assert (shown[0], shown[-1]) == ("number 0", "number 499")
    assert len(shown) <= 2 + (time.monotonic() - begin)


def test_one_that_is_not_shown_is_one_line_at_the_end(sandbox):
    silent = SilentTerminal(sandbox, then="echo broken >&2; exit 1")
    printer = Printer(silent)
    printer.print(DONE + b"there")
    silent.wait_for(b"there")
    printer.end()
    silent.see("1 of 1 notifications were not shown, the first because: ")
    assert silent.recorded().count(b"broken") == 1


def test_replies_tell_that_they_are_shown(sandbox):
    silent = SilentTerminal(sandbox, answers={b"\x1b[>q": b"\x1bP>|VTE(8401)\x1b\\"})
    assert asked(silent, ASKS_99) == b"\x1b]99;i=it:p=?;o=always:p=title,body:u=0,1,2\x1b\\"
    assert silent.recorded() == b""
    assert asked(silent, b"\x1b[>q") == b"\x1bP>|VTE(8401) viatty-notify\x1b\\"


def test_they_name_the_host(sandbox, silent):
    sandbox.script("ssh", "printf '\\033]9;done\\007'")
    silent.start(["viatty", "ssh", "-v", "user@host", "make"]).wait()
    assert silent.shown() == [words("done", application="viatty: user@host")]


# ---- on the host ---------------------------------------------------------------------------

# What the terminals reply through a relay.
VTE = {b"\x1b[c": b"\x1b[?65;1;9;52c", b"\x1b[>c": b"\x1b[>65;7006;1c",
       b"\x1b[=c": b"\x1bP!|7E565445\x1b\\"}
TMUX = {b"\x1b[c": b"\x1b[?1;2;52c", b"\x1b[>c": b"\x1b[>84;0;0c",
        b"\x1b[>q": b"\x1bP>|tmux 3.3a viatty-relay\x1b\\"}


@pytest.mark.parametrize("replies", [
    {**VTE, **{b"\x1b[>q": b"\x1bP>|VTE(8401) viatty-notify\x1b\\"}},
    {**TMUX, b"\x1b[>q": b"\x1bP>|tmux 3.3a viatty-relay viatty-notify\x1b\\"},
], ids=["VTE", "tmux"])
def test_viatty_there_believes_the_relay(sandbox, replies):
    terminal = AnsweringTerminal(sandbox, replies, term="xterm-256color")
    there = terminal.inside()
    assert there.open(["viatty", "copy", "-s", "hello"]).wait().status == 0
    terminal.settle()
    assert [data for _, data in terminal.clipboard()] == [b"hello"]
    assert there.open(["viatty", "notify", "done"]).wait().status == 0
    terminal.settle()
    assert b"]99;" in terminal.recorded() and base64.b64encode(b"done") in terminal.recorded()
    assert b"warning" not in terminal.recorded()
    assert "notify: yes" in there.run(["viatty", "doctor", "notify"]).stdout.decode()


def test_viatty_in_a_relay_on_the_same_machine(desk):
    """Its way is that of the relay, which passes bytes on."""
    told = desk.terminal.sandbox.fresh("told")
    job = desk.terminal.inside().open([*desk.relay, "sh", "-c", f"printf hello | viatty copy --route auto --term foot 2>{told}"])
    assert job.wait().status == 0
    assert desk.copies() == [b"hello"]
    assert told.read_text() == ""
