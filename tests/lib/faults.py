"""Starts viatty under faults, and checks its messages about them."""

import os
import re
import termios
import time
from dataclasses import dataclass
from pathlib import Path

from lib import expect, sequences
from lib.processes import PATIENCE, Orphan, is_alive, kill_family, until
from lib.program import REPOSITORY

# Starts it, and records how it goes.
LAUNCH = os.environ.get("VIATTY_LAUNCH") or REPOSITORY / "build/launch"
NOBODY = 65534

_NAMES = "osc52|pbcopy|pbpaste|wl-copy|wl-paste|xclip|xsel|notify-send"
_MESSAGE = re.compile(rf"(viatty( [a-z]+)?|{_NAMES}): \S.*")
# What is to be copied has lines of its own.
_HINT = re.compile(r"hint: \S.*|then \S.*:|  \S.*")

# The defaults for starting a program. ignored, blocked: signals; group: "foreground" or
# "background", a new process group; memory: bytes of address space.
AS_EVER = {"ignored": [], "blocked": [], "group": None, "memory": None, "user": None}

JSON_SENT = {
    *("command", "sent", "route", "device", "layers", "terminal", "known"),
    *("payload_bytes", "sent_bytes", "reason", "warning", "hint"),
}
JSON_REFUSED = {"command", "sent", "status", "error", "hint"}


@dataclass(frozen=True)
class Outcome:
    """The end of a program: status is minus the signal that ended it."""

    status: int
    peak: int
    stdout: bytes
    stderr: bytes

    @property
    def said(self):
        return self.stderr.decode("utf-8", "replace")


class Launched:
    """A viatty that runs in a place; killed with the sandbox."""

    def __init__(self, stem):
        self._stem = stem
        self.pid = int(self._await("pid"))

    def wait(self, timeout=PATIENCE):
        status, peak = map(int, self._await("ended", timeout).split())
        read = lambda kind: self._stem.with_suffix(kind).read_bytes()
        return Outcome(status, peak, read(".out"), read(".err"))

    def wait_stopped(self):
        """Wait until a signal has stopped it; returns the signal."""
        return int(self._await("stopped"))

    def has_ended(self):
        return self._file("ended").exists()

    def signal(self, number):
        os.kill(self.pid, number)

    def peak_so_far(self):
        """Bytes of memory, as the kernel reports them for the running program."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s*(\d+) kB", status).group(1)) * 1024

    def close(self):
        if not self.has_ended() and is_alive(self.pid):
            kill_family(self.pid)

    def _file(self, kind):
        return self._stem.with_suffix("." + kind)

    def _await(self, kind, timeout=PATIENCE):
        file = self._file(kind)
        until(file.exists, f"{self._stem.name}.{kind} appears", timeout)
        return file.read_text()


class Launcher:
    """Starts programs in a place, or without any terminal."""

    def __init__(self, sandbox, place=None):
        self.sandbox, self.place = sandbox, place

    @property
    def terminal(self):
        return self.place.terminal

    def start(self, argv, stdin=b"", environment=None, descriptors=None, **how):
        """descriptors: fd -> (path, "r", "w" or "n": non-blocking), None: closed, or
        "memory": a file that fails in the middle."""
        assert set(how) <= set(AS_EVER)
        stem = self.sandbox.fresh("launch")
        paths = [stem.with_suffix(kind) for kind in (".in", ".out", ".err")]
        for path, content in zip(paths, (stdin, b"", b"")):
            path.write_bytes(content)
        files = {fd: [str(p), "w" if fd else "r"] for fd, p in enumerate(paths)}
        how = {**AS_EVER, **how}
        words = [how["group"] or "", how["memory"] or "", how["user"] or ""]
        for kind, signals in ("i", how["ignored"]), ("b", how["blocked"]):
            words += [word for number in signals for word in (kind, int(number), "")]
        for fd, file in {**files, **(descriptors or {})}.items():
            words += ["c", fd, ""] if file is None else ["m", fd, ""] if file == "memory" \
                else [file[1], fd, file[0]]
        for name, value in (environment or {}).items():
            words += ["u", name, ""] if value is None else ["e", name, value]
        spec = [word if isinstance(word, bytes) else os.fsencode(str(word))
                for word in [*words, "", *argv]]
        stem.with_suffix(".spec").write_bytes(b"".join(word + b"\0" for word in spec))
        self._begin([str(LAUNCH), f"{stem}.spec"])
        return self.sandbox.adopt(Launched(stem))

    def run(self, argv, timeout=PATIENCE, **how):
        return self.start(argv, **how).wait(timeout)

    def _begin(self, argv):
        if self.place is not None:
            self.place.start(argv)
            return
        with open(os.devnull, "r+b") as nothing:
            stdio = (nothing.fileno(),) * 3
            self.sandbox.adopt(Orphan(argv, self.sandbox.environment(), stdio))


class Beside:
    """A place where programs run at once in the foreground, like those of one hook."""

    def __init__(self, place):
        self._place, self.terminal = place, place.terminal

    def start(self, argv):
        self._place.start(["sh", "-c", '"$@" &', "sh", *argv])


def is_waiting(pid):
    """Whether viatty sleeps in a system call, for more than a moment."""
    first = _sleep(pid)
    time.sleep(0.01)  # that a sleep goes on is not an event
    return first is not None and first == _sleep(pid)


def _sleep(pid):
    """The number of its current sleep, or None while it is awake."""
    status = Path(f"/proc/{pid}/status").read_text()
    if not re.match(r"Name:\tviatty\n(.*\n)*?State:\tS", status):
        return None
    return re.search(r"^voluntary_ctxt_switches:.*", status, re.M).group()


COPY = ("viatty", "copy")
MEGABYTE = expect.sample(1_000_000)


def stalled(shell, *options, data=MEGABYTE, **how):
    """A copy in the middle of its write to a terminal that has stopped reading."""
    shell.terminal.pause()
    started = shell.start([*COPY, *options], stdin=data, **how)
    until(lambda: is_waiting(started.pid), "the write waits")
    return started


def echoes(terminal):
    return bool(terminal.modes()[3] & termios.ECHO)


def drained(terminal):
    """All that the terminal finally gets."""
    terminal.resume()
    terminal.settle()
    return terminal.recorded()


def fill(terminal):
    """Fill a terminal that does not read, until it accepts no more.

    The kernel moves accepted bytes on for a moment, longer on a busy machine, which makes room
    again.
    """
    device = os.open(terminal.device, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
    full = 0
    while full < 60:
        try:
            os.write(device, b"." * 4096)
            full = 0
        except BlockingIOError:
            full += 1
            time.sleep(0.002)  # nor is a terminal that stays full
    os.close(device)


# ---- what is expected ------------------------------------------------------------


def nothing_at(terminal):
    """No byte has reached the terminal."""
    terminal.settle()
    assert not terminal.recorded(), terminal.recorded()


def well_said(outcome):
    """Lines `viatty ...: ...`, with or without a hint and lines to copy, free of control
    characters."""
    text = outcome.stderr.decode("utf-8")
    assert not text or text.endswith("\n")
    controls = [c for c in text if c != "\n" and (c < " " or "\x7f" <= c <= "\x9f")]
    assert not controls, repr(text)
    before = None
    for line in text.splitlines():
        hint = _HINT.fullmatch(line)
        assert hint or _MESSAGE.fullmatch(line), repr(line)
        follows = _MESSAGE if line.startswith("hint: ") else _HINT
        assert not hint or follows.fullmatch(before or ""), repr(text)
        before = line


def fails(outcome, status, naming=()):
    """Checks the exit status, and that the message has all of these."""
    assert outcome.status == status, f"exit {outcome.status}: {outcome.said}"
    well_said(outcome)
    assert outcome.stderr, "nothing was said"
    for word in (naming,) if isinstance(naming, str) else naming:
        assert word in outcome.said, f"{word!r} is not in: {outcome.said}"


def arrives(outcome, terminal, data):
    """Checks exactly these copies at the terminal, and exit 0; or 7, where the warning says that
    by default it ignores them."""
    doubted = "ignores it unless its settings allow it" in outcome.said
    assert outcome.status == (7 if doubted else 0), f"exit {outcome.status}: {outcome.said}"
    well_said(outcome)
    terminal.settle()
    writes = terminal.clipboard()
    assert [letter for letter, _ in writes] == ["c"]
    assert writes[0][1] == data, f"{len(writes[0][1])} bytes came of {len(data)}"


def is_closed(stream, whole=None):
    """The stream leaves no sequence open and copies no part."""
    tokens = sequences.parse(stream + b"end")
    assert tokens[-1].payload.endswith(b"end"), f"left open: {stream[-200:]!r}"
    assert tokens[-1].kind == "text", f"left open: {stream[-200:]!r}"
    for token in tokens:
        if token.kind == "osc" and token.payload.startswith(b"52;"):
            data = token.payload.split(b";", 2)[-1]
            part = _is_base64(data) and data != whole
            # Some terminals copy what came before CAN or ESC.
            assert not part, f"a part was copied: {data[-80:]!r}"


def _is_base64(text):
    try:
        sequences.strict_base64(text)
    except sequences.Malformed:
        return False
    return True


# ---- layers ------------------------------------------------------------------------


def through_tmux(stream):
    """What tmux passes on, even from a stream that was cut off and closed."""
    pieces, outside = sequences.split_tmux(stream)
    is_closed(outside)
    return b"".join(pieces)


def through_screen(stream):
    """What Screen passes on of the same."""
    pieces, outside = sequences.split_screen(stream)
    is_closed(outside)
    return b"".join(pieces)


WRAPS = {
    "none": lambda stream: stream,
    "tmux": through_tmux,
    "tmux,tmux": lambda stream: through_tmux(through_tmux(stream)),
    "screen": through_screen,
    "tmux,screen": lambda stream: through_screen(through_tmux(stream)),
    "screen,tmux": lambda stream: through_tmux(through_screen(stream)),
}
