"""Progress that is found in a stream: the stream is not touched, the bar goes away."""

import contextlib
import http.server
import os
import random
import re
import shlex
import signal
import subprocess
import termios
import threading
import time
import zipfile

import pytest
from faults import fails, is_waiting, nothing_at, well_said

from lib import sequences
from lib.answering import DA1, FENCE, FOOT, STATUS
from lib.processes import until

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

    def end(self):
        """The writer is done."""
        os.close(self._writing)
        return self.running.wait()

    def nobody_reads(self):
        os.close(self._reading)


def passes(outcome, stdin):
    assert (outcome.status, outcome.said) == (0, "")
    assert outcome.stdout == stdin


# ---- what is shown -----------------------------------------------------------------


def test_it_follows_the_stream_and_is_cleared_at_the_end(shell):
    stream = Stream(shell)
    stream.write(b"10%\n")
    stream.shows(10)
    stream.write(b"building\n[40/80] CC foo.o\n")
    stream.shows(50)
    stream.write(b"\rfetched 3 of 4 files")
    stream.write(b"\r")
    stream.shows(75)
    assert stream.end().status == 0
    assert shown(shell.terminal) == [bar(10), bar(50), bar(75), CLEARED]


def test_a_line_that_is_not_over_goes_on_at_once(shell):
    stream = Stream(shell)
    stream.write(b"4")
    stream.write(b"7")
    stream.write(b"%")
    stream.shows(47)
    stream.write(b"\b\b\b")
    stream.write(b"48%")
    stream.shows(48)
    assert stream.end().status == 0
    assert shown(shell.terminal) == [bar(47), bar(48), CLEARED]


def test_the_same_percentage_is_not_sent_again(shell):
    stream = Stream(shell)
    stream.write(b"45.1%\n")
    stream.shows(45)
    for tenth in range(2, 5):
        stream.write(b"45.%d%%\n" % tenth)
    stream.write(b"46%\n")
    stream.shows(46)
    assert stream.end().status == 0
    assert shown(shell.terminal) == [bar(45), bar(46), CLEARED]


def test_a_burst_shows_where_it_ends(shell):
    text = b"".join(b"%d%%\r" % percent for percent in range(101))
    passes(shell.run(SCAN, stdin=text), text)
    assert shown(shell.terminal) == [bar(100), CLEARED]


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


def test_a_bar_that_terminals_forget_is_renewed(shell):
    stream = Stream(shell)
    stream.write(b"45%\n")
    again = b"\x1b]9;4;1;45\x1b\\"
    shell.terminal.wait_for(lambda record: record.count(again) >= 2)
    assert stream.end().status == 0
    assert shown(shell.terminal) == [bar(45), CLEARED]


def test_without_progress_nothing_is_sent(shell):
    text = b"no progress 101% [3/2] 12/80 foo%20bar\n"
    passes(shell.run(SCAN, stdin=text), text)
    nothing_at(shell.terminal)


@pytest.mark.parametrize("size", [0, 1, 100, 100_000, 10_000_000])
def test_any_bytes_pass_unchanged(shell, size):
    data = random.Random(size).randbytes(size)
    passes(shell.run(SCAN, stdin=data, timeout=60), data)
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
    stream.write(b"45%\n")
    stream.shows(45)
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
    stream.write(b"45%\n")
    stream.shows(45)
    # more than both pipes and the program hold
    stream.feed(b"x" * 65536)
    until(lambda: is_waiting(stream.running.pid), "it waits for the reader")
    stream.running.signal(signal.SIGINT)
    assert stream.running.wait().status == -signal.SIGINT
    assert shown(shell.terminal) == [bar(45), CLEARED]


def test_an_ignored_signal_is_ignored(shell):
    stream = Stream(shell, ignored=[signal.SIGINT])
    stream.write(b"45%\n")
    stream.shows(45)
    stream.running.signal(signal.SIGINT)
    stream.write(b"46%\n")
    stream.shows(46)
    assert stream.end().status == 0
    assert shown(shell.terminal) == [bar(45), bar(46), CLEARED]


def test_a_reader_that_goes_away_clears_it(shell):
    stream = Stream(shell)
    stream.write(b"45%\n")
    stream.shows(45)
    stream.nobody_reads()
    stream.feed(b"46%\n")
    assert stream.running.wait().status == -signal.SIGPIPE
    assert shown(shell.terminal) == [bar(45), CLEARED]


def test_a_reader_that_goes_away_is_an_error_where_its_signal_is_ignored(shell):
    stream = Stream(shell, ignored=[signal.SIGPIPE])
    stream.write(b"45%\n")
    stream.shows(45)
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
    stream.write(b"45%\n")
    stream.shows(45)
    stream.running.signal(signal.SIGTSTP)
    assert stream.running.wait_stopped() == signal.SIGTSTP
    stream.feed(b"46%\n")
    stream.running.signal(signal.SIGCONT)
    stream.expect(b"46%\n")
    stream.shows(46)
    assert stream.end().status == 0
    assert shown(shell.terminal) == [bar(45), bar(46), CLEARED]


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


def test_a_terminal_that_does_not_show_it_gets_nothing(shell):
    outcome = shell.run([*UNSURE, "--term", "xterm"], stdin=TEXT)
    assert (outcome.status, outcome.stdout) == (0, TEXT)
    assert "xterm" in outcome.said
    nothing_at(shell.terminal)


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


# ---- as a status -------------------------------------------------------------------

# One that shows no OSC 9;4, and no table says whether it knows OSC 7501.
KNOWS = {**FOOT, STATUS: STATUS}


def reports(terminal):
    """The statuses it was told, and nothing else."""
    terminal.settle()
    record = terminal.recorded().replace(STATUS, b"").replace(DA1, b"")
    tokens = sequences.parse_strictly(record)
    assert all(token.payload.startswith(b"7501;") for token in tokens), tokens
    return [token.payload[5:].decode() for token in tokens]


@pytest.mark.parametrize(
    "words, status",
    [
        (["40"], "state=working:progress=40"),
        (["3/4"], "state=working:progress=75"),
        (["--busy"], "state=working"),
        (["--error", "40"], "state=error"),
        (["--paused"], "state=idle"),
        (["--clear"], "state=clear"),
    ],
)
def test_a_terminal_that_knows_only_statuses_gets_one(at, words, status):
    shell = at(KNOWS, term="foot")
    outcome = shell.run(["viatty", "progress", *words])
    assert (outcome.status, outcome.said) == (0, "")
    assert reports(shell.terminal) == [status]
    assert shell.terminal.asked() == [STATUS, DA1]


def test_a_stranger_that_tells_no_name_is_asked_for_statuses_too(at):
    shell = at({DA1: FENCE, STATUS: STATUS})
    assert shell.run(["viatty", "progress", "40"]).status == 0
    shell.terminal.settle()
    assert b"\x1b]7501;state=working:progress=40\x1b\\" in shell.terminal.recorded()
    assert b"9;4" not in shell.terminal.recorded()


def test_one_that_knows_both_gets_progress(at):
    shell = at(KNOWS)
    argv = ["viatty", "progress", "--term", "iterm2", "40"]
    assert shell.run(argv).status == 0
    assert shown(shell.terminal) == [bar(40)]


@pytest.mark.parametrize("script", [FOOT, {}], ids=["no", "no reply"])
def test_one_that_knows_neither_is_refused_as_ever(at, script):
    shell = at(script, term="foot")
    fails(shell.run(["viatty", "progress", "40"]), 4, ["foot", "progress"])
    assert reports(shell.terminal) == []


def test_nobody_is_asked_for_statuses_without_leave(at):
    shell = at(KNOWS, term="foot")
    fails(shell.run(["viatty", "progress", "--no-probe", "40"]), 4, ["foot", "progress"])
    nothing_at(shell.terminal)


def test_what_is_scanned_is_reported_and_removed_in_the_end(at):
    shell = at(KNOWS, term="foot")
    scanned = shell.run(["viatty", "progress", "--scan"], stdin=b"10%\n")
    assert (scanned.status, scanned.stdout, scanned.said) == (0, b"10%\n", "")
    assert reports(shell.terminal) == ["state=working:progress=10", "state=clear"]


# ---- what programs print -----------------------------------------------------------


def output(argv, folder, on_terminal=False):
    """What a real program prints, to a pipe or to a terminal of its own."""
    if on_terminal:
        argv = ["script", "-qec", shlex.join(map(str, argv)), "/dev/null"]
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "xterm",
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
        passes(shell.run(SCAN, stdin=before + found), before + found)
        assert shown(shell.terminal) == ([bar(percent), CLEARED] if percent is not None else [])
        shell.terminal.forget()


@pytest.mark.needs("ninja", "script")
@pytest.mark.parametrize("on_terminal", [False, True])
def test_ninja(shell, tmp_path, on_terminal):
    rules = "rule t\n  command = touch $out\n" + "".join(f"build {n}: t\n" for n in "abcd")
    (tmp_path / "build.ninja").write_text(rules)
    text = output(["ninja", "-j1"], tmp_path, on_terminal)
    follows(shell, text, [(b"[1/4] touch", 25), (b"[3/4] touch", 75), (b"[4/4] touch", 100)])


@pytest.mark.needs("meson", "ninja", "script")
@pytest.mark.parametrize("on_terminal", [False, True])
def test_meson(shell, tmp_path, on_terminal):
    (tmp_path / "meson.build").write_text(
        "project('x')\nprogram = find_program('true')\n"
        "foreach n : ['a', 'b', 'c', 'd']\n  test(n, program)\nendforeach\n"
    )
    output(["meson", "setup", "build"], tmp_path)
    argv = ["meson", "test", "-C", "build", "--num-processes", "1"]
    if on_terminal:
        # `[2/4] b   0/30s` as well, and in color
        text = output(argv, tmp_path, True)
        ends = re.findall(rb"\d/4 \w +\x1b[^\r]*s\r", text)
    else:
        text = output(argv, tmp_path)
        ends = re.findall(rb"\d/4 \w +OK[^\n]*s\n", text)
    assert len(ends) == 4
    follows(shell, text, zip(ends, (25, 50, 75, 100)))


@contextlib.contextmanager
def served(files, pieces):
    """A server on this machine that sends each file in so many pieces, a quarter second apart."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            name = self.path.split("/")[-1] or "index.html"
            if name not in files:
                self.send_error(404)
                return
            data = files[name]
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            kind = "text/html" if name == "index.html" else "application/octet-stream"
            self.send_header("Content-Type", kind)
            self.end_headers()
            size = len(data) // pieces + 1
            for at in range(0, len(data), size):
                self.wfile.write(data[at : at + size])
                time.sleep(0.25 if len(data) > 10**6 else 0)

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.needs("apt-get", "script")
def test_apt(shell, tmp_path):
    """The percentage of all, not that of a file, nor that of reading what was fetched."""
    package = ("Package: p{0}\nVersion: 1\nArchitecture: all\nFilename: p{0}.deb\nSize: 1\n"
               f"SHA256: {'0' * 64}\nMaintainer: a <a@b.example>\nDescription: x\n\n")
    packages = "".join(package.format(n) for n in range(8000)).encode()
    for name in ("state/lists/partial", "cache/archives/partial", "etc/preferences.d"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "state/status").touch()
    options = {
        "Dir::State": "state", "Dir::State::status": "state/status", "Dir::Cache": "cache", "Dir::Etc": "etc",
    }
    argv = [word for key, name in options.items() for word in ("-o", f"{key}={tmp_path / name}")]
    argv += ["-o", "APT::Sandbox::User=", "-o", "Acquire::http::Proxy=DIRECT"]
    with served({"Packages": packages}, 8) as address:
        (tmp_path / "etc/sources.list").write_text(f"deb [trusted=yes] {address}/ ./\n")
        text = output(["apt-get", *argv, "update"], tmp_path, on_terminal=True)
    files = re.findall(rb"\r(\d+)% \[\d+ Packages [\d,]+ k?B/[\d,]+ kB (\d+)%\]", text)
    different = [pair for pair in files if pair[0] != pair[1]]
    assert different, text
    whole, part = different[0]
    end = re.search(rb"\r%s%% \[\d+ Packages [^\]]* %s%%\]" % (whole, part), text)[0]
    follows(shell, text, [(end, int(whole)), (b"\r100% [Working]", 100)])
    assert b"Reading package lists... " in text
    follows(shell, text + b"end", [(b"end", 100)])


@pytest.mark.needs("python3", "pip3")
def test_pip(shell, tmp_path):
    name = "big-1.0-py3-none-any.whl"
    with zipfile.ZipFile(tmp_path / name, "w") as wheel:
        wheel.writestr("big.py", b"#" * 3_000_000)
        info = "big-1.0.dist-info/"
        wheel.writestr(info + "METADATA", "Metadata-Version: 2.1\nName: big\nVersion: 1.0\n")
        wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(info + "RECORD", "")
    files = {"index.html": f'<a href="{name}">{name}</a>'.encode(), name: (tmp_path / name).read_bytes()}
    with served(files, 4) as address:
        argv = ["python3", "-m", "pip", "--isolated", "--no-cache-dir", "download", "--no-deps", "-d", "out",
                "--index-url", f"{address}/simple", "big"]
        text = output(argv, tmp_path, on_terminal=True)
    # 0.8/3.0 MB in color, behind a bar, and in front of the speed
    pairs = re.findall(rb"([\d.]+)/([\d.]+) MB[^\r\n]*?eta", text)
    half = [(a, b) for a, b in pairs if 0 < float(a) < float(b)]
    assert half, text
    part, whole = half[0]
    end = re.search(rb"%s/%s MB[^\r\n]*?eta" % (re.escape(part), re.escape(whole)), text)[0]
    wanted = min(99, int(float(part) / float(whole) * 100 + 0.5))
    follows(shell, text, [(end, wanted)])


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


@pytest.mark.parametrize("line", [b"coverage 81%\n", b"TOTAL   1234   234   81%\n", b"81% coverage\n"])
def test_what_is_no_progress_changes_nothing(shell, line):
    follows(shell, line, [(line, None)])
    text = b"[1/4] x\n" + line
    follows(shell, text, [(line, 25)])


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
    assert stream.end().status == 0
    assert shown(shell.terminal) == [bar(25), bar(50), CLEARED]
