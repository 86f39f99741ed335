"""Progress that is found in a stream: the stream is not touched, the bar goes away."""

import os
import random
import re
import shlex
import signal
import subprocess
import termios
import time

import pytest

from lib import sequences
from lib.faults import fails, is_waiting, nothing_at, well_said
from lib.processes import until
from lib.versions import has

SCAN = ("viatty", "progress", "--scan", "--term", "ghostty")
CLEARED = b"0;0"
NORMAL = b"1;"


def bar(percent):
    return NORMAL + b"%d" % percent


def shown(terminal):
    """The states the terminal was told, one after the other, each once."""
    terminal.settle()
    tokens = sequences.parse_strictly(terminal.recorded())
    states = []
    for token in tokens:
        assert token.kind == "osc" and token.payload.startswith(b"9;4;"), token
        assert token.terminator == sequences.ST
        state = token.payload.removeprefix(b"9;4;")
        # a bar that is renewed is the same bar
        if states[-1:] != [state] or state == CLEARED:
            states.append(state)
    return states


class Stream:
    """A pipe through `viatty progress --scan` that a test feeds and reads."""

    def __init__(self, shell, argv=SCAN, **how):
        self.terminal = shell.terminal
        self._in, self._out = (shell.sandbox.fresh("pipe") for _ in range(2))
        os.mkfifo(self._in)
        os.mkfifo(self._out)
        # open for both, no end of a pipe waits for the other
        self._writing = os.open(self._in, os.O_RDWR)
        self._reading = os.open(self._out, os.O_RDONLY | os.O_NONBLOCK)
        ends = {0: [str(self._in), "r"], 1: [str(self._out), "w"]}
        self.running = shell.start(argv, descriptors=ends, **how)

    def write(self, data):
        """Feed it, and see the same bytes come out at once."""
        assert os.write(self._writing, data) == len(data)
        self.expect(data)

    def feed(self, data):
        os.write(self._writing, data)

    def expect(self, data):
        got = b""

        def come():
            nonlocal got
            try:
                got += os.read(self._reading, len(data) - len(got))
            except BlockingIOError:
                pass
            return len(got) >= len(data)

        until(come, f"{data!r} passes")
        assert got == data

    def shows(self, percent):
        self.terminal.wait_for(b"\x1b]9;4;1;%d\x1b\\" % percent)

    def comes_to(self, percent):
        """A line with this percentage passes, and is shown."""
        self.write(b"%d%%\n" % percent)
        self.shows(percent)

    def ends_after(self, *states):
        """The writer is done; these were shown, and cleared."""
        assert self.end().status == 0
        assert shown(self.terminal) == [*states, CLEARED]

    def end(self):
        """The writer is done."""
        os.close(self._writing)
        return self.running.wait()

    def nobody_reads(self):
        os.close(self._reading)


NONE_FOUND = "viatty progress: warning: no progress found"


def passes(outcome, stdin, said=""):
    assert (outcome.status, outcome.said.partition(",")[0]) == (0, said)
    assert outcome.stdout == stdin


# ---- what is shown -----------------------------------------------------------------


def test_it_follows_the_stream_and_is_cleared_at_the_end(shell):
    stream = Stream(shell)
    stream.comes_to(10)
    stream.write(b"building\n[40/80] CC foo.o\n")
    stream.shows(50)
    stream.write(b"\rfetched 3 of 4 files")
    stream.write(b"\r")
    stream.shows(75)
    stream.ends_after(bar(10), bar(50), bar(75))


def test_a_line_that_is_not_over_goes_on_at_once(shell):
    stream = Stream(shell)
    stream.write(b"4")
    stream.write(b"7")
    stream.write(b"%")
    stream.shows(47)
    stream.write(b"\b\b\b")
    stream.write(b"48%")
    stream.shows(48)
    stream.ends_after(bar(47), bar(48))


def test_the_same_percentage_is_not_sent_again(shell):
    stream = Stream(shell)
    stream.write(b"45.1%\n")
    stream.shows(45)
    for tenth in range(2, 5):
        stream.write(b"45.%d%%\n" % tenth)
    stream.comes_to(46)
    stream.ends_after(bar(45), bar(46))


def test_a_burst_shows_where_it_ends(shell):
    text = b"".join(b"%d%%\r" % percent for percent in range(101))
    passes(shell.run(SCAN, stdin=text), text)
    assert shown(shell.terminal) == [bar(100), CLEARED]


@pytest.mark.slow
def test_it_is_not_sent_more_often_than_is_seen(shell):
    """100 steps in a second and a half at the least: no more than 10 a second."""
    stream = Stream(shell)
    began = time.monotonic()
    for percent in range(100):
        stream.write(b"%d%%\n" % percent)
        time.sleep(0.015)
    stream.end()
    took = time.monotonic() - began
    assert len(shown(shell.terminal)) <= 10 * took + 3


@pytest.mark.slow
def test_a_bar_that_terminals_forget_is_renewed(shell):
    stream = Stream(shell)
    stream.write(b"45%\n")
    again = b"\x1b]9;4;1;45\x1b\\"
    shell.terminal.wait_for(lambda record: record.count(again) >= 2)
    stream.ends_after(bar(45))


def test_without_progress_nothing_is_sent(shell):
    text = b"no progress 101% [3/2] 12/80 foo%20bar\n"
    outcome = shell.run(SCAN, stdin=text)
    passes(outcome, text, NONE_FOUND)
    assert "found, such as 45%, [12/80] or downloading 12 of 80\n" in outcome.said
    assert outcome.said.endswith("_WIDTH=80, pip 24.1 --progress-bar raw, pv -f\n")
    nothing_at(shell.terminal)


@pytest.mark.parametrize("size", [0, 1, 100, 100_000, 10_000_000])
def test_any_bytes_pass_unchanged(shell, size):
    data = random.Random(size).randbytes(size)
    passes(shell.run([*SCAN, "-q"], stdin=data, timeout=60), data)
    states = shown(shell.terminal)
    assert states.count(CLEARED) == bool(states)
    assert states[-1:] in ([], [CLEARED])


def test_sequences_of_the_stream_are_its_own(shell):
    text = b"\x1b]9;4;1;99\x07\x1b[1m[1/2]\x1b[m\0\x9b%\r\n"
    passes(shell.run(SCAN, stdin=text), text)
    assert shown(shell.terminal) == [bar(50), CLEARED]


def test_what_was_sent_is_told_at_the_end(shell):
    outcome = shell.run([*SCAN, "-v"], stdin=b"45%")
    assert outcome.status == 0
    well_said(outcome)
    assert re.search("sent .* by route direct", outcome.said)


# ---- whatever ends it --------------------------------------------------------------


SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT]


@pytest.mark.parametrize("number", SIGNALS, ids=lambda s: s.name)
def test_a_signal_clears_it_once(shell, number):
    stream = Stream(shell)
    stream.comes_to(45)
    stream.running.signal(number)
    assert stream.running.wait().status == -number
    assert shown(shell.terminal) == [bar(45), CLEARED]


def test_a_signal_before_anything_was_shown_clears_nothing(shell):
    stream = Stream(shell)
    stream.write(b"nothing\n")
    stream.running.signal(signal.SIGTERM)
    assert stream.running.wait().status == -signal.SIGTERM
    nothing_at(shell.terminal)


def test_a_signal_while_nobody_reads_ends_it(shell):
    stream = Stream(shell)
    stream.comes_to(45)
    # more than both pipes and the program hold
    stream.feed(b"x" * 65536)
    until(lambda: is_waiting(stream.running.pid), "it waits for the reader")
    stream.running.signal(signal.SIGINT)
    assert stream.running.wait().status == -signal.SIGINT
    assert shown(shell.terminal) == [bar(45), CLEARED]


def test_an_ignored_signal_is_ignored(shell):
    stream = Stream(shell, ignored=[signal.SIGINT])
    stream.comes_to(45)
    stream.running.signal(signal.SIGINT)
    stream.comes_to(46)
    stream.ends_after(bar(45), bar(46))


def test_a_reader_that_goes_away_clears_it(shell):
    stream = Stream(shell)
    stream.comes_to(45)
    stream.nobody_reads()
    stream.feed(b"46%\n")
    assert stream.running.wait().status == -signal.SIGPIPE
    assert shown(shell.terminal) == [bar(45), CLEARED]


def test_a_reader_that_goes_away_is_an_error_where_its_signal_is_ignored(shell):
    stream = Stream(shell, ignored=[signal.SIGPIPE])
    stream.comes_to(45)
    stream.nobody_reads()
    stream.feed(b"46%\n")
    fails(stream.running.wait(), 1, "cannot write to standard output")
    assert shown(shell.terminal) == [bar(45), CLEARED]


def test_a_full_device_is_an_error(shell):
    full = {1: ["/dev/full", "w"]}
    fails(shell.run(SCAN, stdin=b"45%\n", descriptors=full), 1, "cannot write")
    nothing_at(shell.terminal)


def test_an_input_that_fails_clears_it(shell):
    outcome = shell.run(SCAN, descriptors={0: "memory"})
    fails(outcome, 1, "cannot read standard input")
    assert len(outcome.stdout) == 5000


@pytest.mark.parametrize("fd", [0, 1])
def test_a_closed_stream_is_an_error(shell, fd):
    fails(shell.run(SCAN, stdin=b"45%\n", descriptors={fd: None}), 1, "standard")
    nothing_at(shell.terminal)


def test_a_stopped_job_goes_on_where_it_was(shell):
    stream = Stream(shell, group="foreground")
    stream.comes_to(45)
    stream.running.signal(signal.SIGTSTP)
    assert stream.running.wait_stopped() == signal.SIGTSTP
    stream.feed(b"46%\n")
    stream.running.signal(signal.SIGCONT)
    stream.expect(b"46%\n")
    stream.shows(46)
    stream.ends_after(bar(45), bar(46))


# ---- where nothing can be shown ----------------------------------------------------


UNSURE = ("viatty", "progress", "--scan")
TEXT = b"45%\n\0\xff46%"


def test_an_unknown_terminal_gets_nothing_and_the_stream_all(shell):
    outcome = shell.run(UNSURE, stdin=TEXT)
    assert (outcome.status, outcome.stdout) == (0, TEXT)
    well_said(outcome)
    assert outcome.said.count("warning: ") == 1
    assert "--term" in outcome.said
    shell.terminal.settle()
    assert sequences.osc(shell.terminal.recorded(), 9) == []


def test_a_terminal_of_which_it_is_not_known_is_named(shell):
    outcome = shell.run(["viatty", "progress", "--term", "termius", "40"])
    fails(outcome, 4, "not shown: Termius may not support progress")
    assert "--term" not in outcome.said
    nothing_at(shell.terminal)


def test_a_terminal_that_does_not_show_it_gets_nothing(shell):
    outcome = shell.run([*UNSURE, "--term", "xterm"], stdin=TEXT)
    assert (outcome.status, outcome.stdout) == (0, TEXT)
    assert "xterm" in outcome.said
    nothing_at(shell.terminal)


# Runs a command in a terminal of its own, as a process with this name would.
EMULATOR = """\
import ctypes, os, pty, sys
ctypes.CDLL(None).prctl(15, sys.argv[1].encode(), 0, 0, 0)
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[2:])))
"""

# The library has it since 0.80, and most programs around it do not show it.
PROGRAMS = {
    "gnome-terminal-": ("8400", "yes"),
    "ptyxis-agent": ("8400", "yes"),
    "xfce4-terminal": ("8400", "no"),
    "lxterminal": ("8400", "no"),
    "another": ("8400", "unknown"),
    "gnome-terminal- of an old library": ("7000", "no"),
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_program_around_the_library_decides(shell, program):
    version, shows = PROGRAMS[program]
    around = ["python3", "-c", EMULATOR, program.partition(" ")[0]]
    how = {"environment": {"VTE_VERSION": version, "PYTHONPATH": ""}}
    outcome = shell.run([*around, "viatty", "progress", "--no-probe", "40"], **how)
    assert outcome.status == (4 if shows == "no" else 0), outcome.stdout
    assert (b"\x1b]9;4;1;40\x1b\\" in outcome.stdout) == (shows != "no")
    if shows == "no" and version == "8400":
        assert f"{program} shows no progress".encode() in outcome.stdout
    found = shell.run([*around, "viatty", "doctor", "progress"], **how)
    assert f"progress: {shows}".encode() in re.sub(rb"\x1b\[[0-9]*m", b"", found.stdout)


NAMED = {"gnome-terminal-": "GNOME Terminal", "ptyxis-agent": "Ptyxis", "lxterminal": "LXTerminal",
         "xfce4-terminal": "Xfce Terminal", "another": "a VTE terminal such as GNOME Terminal"}


@pytest.mark.parametrize("program", NAMED)
def test_the_program_around_the_library_is_named(shell, program):
    """Also one that was started in GNOME Terminal, which left its variable."""
    inherited = {"GNOME_TERMINAL_SCREEN": "/org/gnome"} if program == "lxterminal" else {}
    how = {"environment": {"VTE_VERSION": "8400", "VIATTY_NATIVE": "never", **inherited}}
    around = ["python3", "-c", EMULATOR, program]
    copied = shell.run([*around, "viatty", "copy", "--no-probe", "-s", "x"], **how)
    family = "" if program == "another" else " (like every VTE terminal)"
    assert f"not copied: {NAMED[program]}{family} does not let programs".encode() in copied.stdout
    found = shell.run([*around, "viatty", "doctor", "copy", "--no-probe"], **how)
    assert f"terminal    {NAMED[program]} (from the environment".encode() in found.stdout


def test_without_a_terminal_the_stream_passes(nowhere):
    outcome = nowhere.run(UNSURE, stdin=TEXT)
    assert (outcome.status, outcome.stdout) == (0, TEXT)
    assert "no terminal can be reached" in outcome.said


def test_quietly_it_is_a_cat(nowhere):
    passes(nowhere.run([*UNSURE, "-q"], stdin=TEXT), TEXT)


def test_a_terminal_that_stops_reading_does_not_stop_the_stream(shell):
    stream = Stream(shell, argv=[*SCAN, "--timeout", "0.2"])
    stream.write(b"begin\n")
    # as Control-S does
    termios.tcflow(shell.terminal.slave, termios.TCOOFF)
    stream.write(b"45%\n")
    stream.write(b"46%\n")
    outcome = stream.end()
    termios.tcflow(shell.terminal.slave, termios.TCOON)
    assert outcome.status == 0
    well_said(outcome)
    assert outcome.said.count("warning: ") == 1


# ---- what programs print -----------------------------------------------------------


def output(argv, folder, on_terminal=False):
    """What a real program prints, to a pipe or to a terminal of its own."""
    if on_terminal:
        argv = ["script", "-qec", shlex.join(map(str, argv)), "/dev/null"]
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "xterm",
                   "HOME": str(folder), "no_proxy": "*"}
    result = subprocess.run(
        argv, cwd=folder, env=environment, timeout=60, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )
    assert result.returncode == 0, result.stdout
    return result.stdout


def follows(shell, text, ends):
    """What is shown when the output has come to the first of each of these ends."""
    for end, percent in ends:
        before, found, _ = text.partition(end)
        assert found, (end, text)
        # The bytes between colors are scanned however they come.
        outcome = shell.run(SCAN, stdin=before + found)
        passes(outcome, before + found, NONE_FOUND if percent is None else "")
        assert shown(shell.terminal) == ([bar(percent), CLEARED] if percent is not None else [])
        shell.terminal.forget()


@pytest.mark.needs("ninja", "script")
@pytest.mark.parametrize("on_terminal", [False, True])
def test_ninja(shell, tmp_path, on_terminal):
    rules = "rule t\n  command = touch $out\n" + "".join(f"build {n}: t\n" for n in "abcd")
    (tmp_path / "build.ninja").write_text(rules)
    text = output(["ninja", "-j1"], tmp_path, on_terminal)
    follows(shell, text, [(b"[1/4] touch", 25), (b"[3/4] touch", 75), (b"[4/4] touch", 100)])


@pytest.mark.slow
@pytest.mark.needs("meson", "ninja", "script")
@pytest.mark.parametrize("on_terminal", [False, True])
def test_meson(shell, tmp_path, on_terminal):
    (tmp_path / "meson.build").write_text(
        "project('x')\nprogram = find_program('true')\n"
        "foreach n : ['a', 'b', 'c', 'd']\n  test(n, program)\nendforeach\n"
    )
    output(["meson", "setup", "build"], tmp_path)
    argv = ["meson", "test", "-C", "build", "--num-processes", "1"]
    name = rb"x:[a-d]" if has("meson", "project before the test") else rb"[a-d]"
    if on_terminal:
        # `[2/4] b   0/30s` as well, and in color
        text = output(argv, tmp_path, True)
        ends = re.findall(rb"\d/4 " + name + rb" +\x1b[^\r]*s\r", text)
    else:
        text = output(argv, tmp_path)
        ends = re.findall(rb"\d/4 " + name + rb" +OK[^\n]*s\n", text)
    assert len(ends) == 4
    follows(shell, text, zip(ends, (25, 50, 75, 100)))


# Recorded from cargo 1.95 (CARGO_TERM_PROGRESS_WHEN=always), and as docker prints it.
CARGO = (b"   Compiling b v0.1.0 (/home/ann/ws/b)\n"
         b"    Building [                             ] 0/3: b, a                        \r"
         b"   Compiling c v0.1.0 (/home/ann/ws/c)\n"
         b"    Building [========>                    ] 1/3: c, a                        \r"
         b"    Building [==================>          ] 2/3: c                           \r")
DOCKER = (b"#6 [builder 1/4] FROM docker.io/library/debian\n#6 sha256:ab 12.58MB / 56.78MB 1.2s\n"
          b"#6 DONE 2.1s\n\n#7 [builder 2/4] RUN make\n#7 0.412 [ 90%] Building C object a.o\n")


@pytest.mark.parametrize("text, ends", [
    (CARGO, [(b"0/3: b, a", 0), (b"1/3: c, a", 33), (b"2/3: c  ", 67)]),
    (DOCKER, [(b"FROM ", 25), (b"56.78MB", 25), (b"make\n", 50), (b"a.o\n", 50)]),
], ids=["cargo", "docker"])
def test_recorded_output(shell, text, ends):
    follows(shell, text, ends)


# The percentage that a line shows, and lines that show none.
FOUND = {
    b"45%": 45, b" 45.3 %": 45, b"45,3%": 45, b"0%": 0, b"100%": 100, b"100.0%": 100,
    b"45.5%": 46, b"99.9%": 99, b"[ 45%] Building C object": 45,
    b"Receiving objects:  45% (12": 45, b"\xe2\x96\x8f45%": 45, b"done=45%": 45,
    b"[12/80] CC foo.o": 15, b"(12/80)": 15, b"[ 12 / 80 ]": 15, b"[80/80]": 100,
    b"[799/800]": 99, b"[0/80]": 0, b"[12 of 80]": 15, b"Step 12 of 80: copy": 15,
    b"12 of 80.\n": 15, b"1 of 3, then": 33, b"1% 2% 3%": 3, b"[1/2] 3%": 3, b"3% [1/2]": 50,
    b"Step 3/10 : RUN make\n": 30, b"[+] Running 3/5\n": 60, b"[+] Building 12.3s (5/12)\n": 42,
    b"1/2 Test #1: a .......   Passed    0.00 sec\n": 50, b"Unused: 45%\n": 45,
    b"  1,234,567  45%  1.23MB/s  0:00:01 (xfr#1": 45, b"x" * 2000 + b" [123456/234567] ": 53,
    b"[1,234 / 2,468] Compiling a.cc": 50, b"[1,234/12,340]": 10, b"1,000 of 4,000.\n": 25,
    b"Writing inode tables: 40/80": 50, b"Writing inode tables: 40/80\b\b\b\b\b60/80": 75,
    b"Progress: 12/80\n": 15, b"45% [3 Packages 1,234 kB/5,678 kB 21%]": 45,
    b"Downloading file 3 of 4 now": 75, b"(3 of 4) tests": 75, b"Unpacking: 3 of 4 done": 75,
    b" 45 1024k   45  463k    0     0   231k      0  0:00:04  0:00:02  0:00:02  231k\r": 45,
    b"100 1024k  100 1024k    0     0   1.2M      0 --:--:-- --:--:-- --:--:-- 1.2M\n": 100,
    b"0\n12\n45\n": 45,
    b"[1/2] " + b"y" * 2000 + b"\n": 50, b"file.bin   45%[=====>     ] 1.2M\r": 45,
}
NOT_FOUND = [
    b"%", b" %", b"a%", b"101%", b"100.1%", b"-5%", b".5%", b"5.%", b"1.2.3%", b"a45%",
    b"foo%20bar", b"45  %", b"45", b"/100%25", b"1234567890%", b"on 11/21 at", b"[81/80]",
    b"[0/0]", b"[/80]", b"[12/]", b"[12/80", b"[a/80]", b"[1/2/3]", b"[-1/2]", b"12of 80 ",
    b"x12 of 80 ", b"12 of 80th", b"81 of 80 ", b"12 off 80 ", b"[1234567890123/9999999999999]",
    b"coverage 81%\n", b"81% coverage", b"TOTAL   1234   234   81%\n", b"0% packet loss, time\n",
    b"/dev/sda1       1000   450   550  45% /\n", b"  adding: a (deflated 81%)\n",
    b"0.00user 0:00.00elapsed 81%CPU\n", b"similarity index 95%\n", b"12% faster\n",
    b"3 of 80 tests failed\n", b"Found 2 of 3 mirrors\n", b"Failed 3 of 80 tests\n",
    b"1 of 2 people\n", b"Date: 11/21\n", b"Score: 3/4\n", b"see chapter 3 of 4 for more\n",
    b"/dev/sda1        40G   15G   23G  39% /\nudev  1.9G     0  1.9G   0% /dev\n",
    b"web  12m  3%   456Mi  12%\n", b"45\n", b"45\n12\n", b"1 2\n3\n4\n",
    b"Reading package lists... 93%\r",
]


@pytest.mark.parametrize("text, ends", [
    *((line, [(line, percent)]) for line, percent in FOUND.items()),
    (b"\n".join(NOT_FOUND), [(NOT_FOUND[-1], None)]),
    *((b"[1/4] x\n" + line, [(line, 25)]) for line in NOT_FOUND[-3:]),
], ids=lambda value: repr(value)[:40] if isinstance(value, bytes) else "")
def test_lines(shell, text, ends):
    follows(shell, text, ends)


def test_colors_and_titles_however_they_are_cut(shell):
    """An ST in two reads, a color amid a number, a percentage in a title."""
    stream = Stream(shell)
    stream.write(b"\x1b]0;90%\x1b")
    stream.write(b"\\\x1b[1m[1\x1b[3")
    stream.write(b"1m/4\x1b[m]")
    stream.shows(25)
    stream.write(b"\x1b]0;90% coverage ")
    stream.write(b"95%\a[2/4] \x1b[K")
    stream.shows(50)
    stream.ends_after(bar(25), bar(50))
