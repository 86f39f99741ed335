"""The outer terminal: the master side of a pty, which records every byte."""

import collections
import fcntl
import itertools
import os
import re
import select
import struct
import termios
import threading
import time
from dataclasses import dataclass

from lib import sequences
from lib.processes import PATIENCE, Orphan, until
from lib.program import Inside
from lib.runner import Runner
from lib.sequences import BEL, ST

# The replies of xterm; a terminal without replies stays silent.
XTERM_ANSWERS = {
    b"\x1b[c": b"\x1b[?64;1;2;6;9;15;16;17;18;21;22;28c",
    b"\x1b[>c": b"\x1b[>41;370;0c",
    b"\x1b[>q": b"\x1bP>|XTerm(370)\x1b\\",
}

# Only DA1: it does not report its name, but no query has to time out.
FENCE = {b"\x1b[c": b"\x1b[?62;22c"}

# The queries of a program; each is its own name in a script.
QUESTION = re.compile(
    rb"\x1b\[[>=]?0?[cq]|\x1b\[21t|\x1b\]52;(?P<letters>[^;\x07\x1b]*);\?(?:\x07|\x1b\\)"
    rb"|\x1b\]99;i=[^:;]*:p=(?:\?|close);\x1b\\"
    rb"|\x1b\](?:4;[0-9]+|1[012]);\?(?:\x07|\x1b\\)|\x1b\[\?996n"
    rb"|\x1b\]6[01](?:;[A-Za-z]+)?\x1b\\"
)
# Longer than any of them.
_LONGEST = 8192
CLIPBOARD = b"52"
_TICKS = 50

_fences = itertools.count(1)


@dataclass(frozen=True)
class Pause:
    """A delay before the next part of the reply."""

    seconds: float


class Hold:
    """The terminal stays silent until the test calls go_on()."""


class Aside(list):
    """A reply that does not delay later ones, as when the user has to confirm."""


def _key(question):
    """Normalizes a query: CSI 0 c equals CSI c, and BEL ends a string as ST does."""
    if question.startswith(b"\x1b["):
        return question.replace(b"0", b"")
    return question[:-1] + ST if question.endswith(BEL) else question


class OuterTerminal:
    """A terminal for the programs on the slave side.

    rate: bytes read per second (default: as fast as possible).
    answers: query -> bytes, or a list of bytes, Pause, Hold, said in the order of the queries.
    An Aside does not delay later replies. Other queries get no reply.
    forward: called with every chunk that is read, for a terminal that is one end of
    a connection.
    """

    READ = 65536

    def __init__(
        self,
        sandbox,
        term="xterm-256color",
        size=(80, 24),
        rate=None,
        answers=None,
        forward=None,
        environment=None,
    ):
        self.sandbox = sandbox
        self.term = term
        self.environment = sandbox.environment(TERM=term, **(environment or {}))
        self._rate, self._forward = rate, forward
        self._script, self._unread = answers or {}, b""
        self._in_order = collections.deque()
        self._sayings, self._resting_until = [self._in_order], {}
        self._asked, self._let_go = [], 0
        self._record = bytearray()
        self._news = threading.Condition()
        self._reading = threading.Event()
        self._reading.set()
        self._programs = []
        self._open(size)
        self._thread = threading.Thread(target=self._read_on, daemon=True)
        self._thread.start()
        sandbox.adopt(self)

    @property
    def terminal(self):
        """The outer terminal of this place: itself."""
        return self

    def start(self, argv, stdio=None, **environment):
        """Start a session leader on the terminal; its stdio is the terminal."""
        program = Orphan(
            argv,
            {**self.environment, **environment},
            stdio or (self.slave,) * 3,
            terminal=self.slave,
            directory=self.sandbox.path,
        )
        self._programs.append(program)
        return program

    def open(self, argv):
        """Start a program that takes the terminal over."""
        return self.start(argv)

    def runner(self, **environment):
        """A shell on this terminal that runs jobs."""
        runner = Runner(self.sandbox)
        self.start(runner.argv, **environment)
        return runner.ready()

    def inside(self):
        """The place of such a shell."""
        return Inside(self.runner(), self)

    def type(self, text):
        self.push(text.encode() if isinstance(text, str) else text)

    def push(self, data, patience=PATIENCE):
        """Type what may be more than the terminal takes at once."""
        rest = memoryview(data)
        while rest:
            assert select.select([], [self._master], [], patience)[1], "nobody reads"
            try:
                rest = rest[os.write(self._master, rest) :]
            except BlockingIOError:
                pass

    def recorded(self):
        """Every byte read since the start, or since forget()."""
        with self._news:
            return bytes(self._record)

    def forget(self):
        """Empty the record; call it when no output is pending."""
        with self._news:
            self._record.clear()

    def rewind(self, record):
        """Cut the record to this, its beginning."""
        with self._news:
            assert self._record.startswith(record)
            del self._record[len(record) :]

    def wait_for(self, wanted, timeout=PATIENCE, what=None):
        """Wait until the record has these bytes, or the predicate is true."""
        arrived = wanted if callable(wanted) else _Search(wanted)
        deadline = time.monotonic() + timeout
        with self._news:
            while not arrived(self._record):
                left = deadline - time.monotonic()
                if left <= 0 or not self._news.wait(left):
                    tail = bytes(self._record[-400:])
                    raise AssertionError(
                        f"{what or wanted!r} did not come within {timeout:g} s; "
                        f"the terminal ends with {tail!r}"
                    )

    def see(self, text, timeout=PATIENCE):
        """Wait until this text is recorded."""
        self.wait_for(text.encode(), timeout)

    def settle(self, device=None):
        """Wait until all output so far is recorded.

        A marker is written last: bytes that it overtakes were never sent.
        """
        marker = b"\x1b]7777;%d\x1b\\" % next(_fences)
        write_to_terminal(device or self.device, marker)
        self.wait_for(marker, what="the end of what was written")
        with self._news:
            at = self._record.rindex(marker)
            del self._record[at : at + len(marker)]

    def clipboard(self):
        return sequences.clipboard_writes(self.recorded())

    def clipboard_so_far(self):
        """The same if the last sequence may be incomplete."""
        try:
            return self.clipboard()
        except sequences.Malformed:
            return []

    def asked(self):
        """The queries so far, those for the clipboard with their letters."""
        with self._news:
            return list(self._asked)

    def wait_until_asked(self, question):
        asked = lambda: any(q.startswith(question) for q in self.asked())
        until(asked, f"{question!r} is asked")

    def go_on(self):
        """End one Hold."""
        self._let_go += 1
        self._wake()

    def has_said_all(self):
        """Whether all replies were written, or the next part waits for go_on()."""
        return all(not saying or saying[0] is Hold for saying in self._sayings)

    def modes(self):
        """The terminal's modes, to compare them later."""
        return termios.tcgetattr(self.slave)

    def pause(self):
        """Read nothing more until resume()."""
        self._reading.clear()
        self._wake()

    def resume(self):
        self._reading.set()
        self._wake()

    def hang_up(self):
        """Close the terminal as a closed window does."""
        if self._master is None:
            return
        self._ending = True
        self._reading.set()
        self._wake()
        self._thread.join(PATIENCE)
        os.close(self._master)
        self._master = None

    def close(self):
        for program in self._programs:
            program.kill()
        self.hang_up()
        for fd in (self.slave, self._wake_in, self._wake_out):
            os.close(fd)

    def _open(self, size):
        self._master, self.slave = os.openpty()
        self._wake_out, self._wake_in = os.pipe()
        self._ending = False
        self.device = os.ttyname(self.slave)
        columns, lines = size
        os.set_blocking(self._master, False)
        window = struct.pack("HHHH", lines, columns, 0, 0)
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, window)

    def _wake(self):
        os.write(self._wake_in, b"x")

    def _read_on(self):
        while not self._ending:
            self._rest()
            sources = [self._wake_out]
            if self._reading.is_set():
                sources.append(self._master)
            sinks = [self._master] if self._next_to_speak() is not None else []
            ready, free, _ = select.select(sources, sinks, [], self._time_left())
            if self._wake_out in ready:
                os.read(self._wake_out, 64)
            # First: a terminal that is still reading replies too.
            elif free:
                self._speak(self._next_to_speak())
            elif self._master in ready:
                self._take_chunk()

    def _take_chunk(self):
        size = max(1, self._rate // _TICKS) if self._rate else self.READ
        try:
            chunk = os.read(self._master, size)
        except OSError:
            self._ending = True
            return
        # Forwarded first, so that all that is recorded was also forwarded.
        if self._forward:
            self._forward(chunk)
        with self._news:
            self._record += chunk
            self._news.notify_all()
        self._answer(len(chunk))
        if self._rate:
            select.select([self._wake_out], [], [], len(chunk) / self._rate)

    def _answer(self, new):
        self._unread += bytes(self._record[len(self._record) - new :])
        end = 0
        for question in QUESTION.finditer(self._unread):
            end = question.end()
            letters = question["letters"]
            key = CLIPBOARD if letters is not None else _key(question[0])
            with self._news:
                self._asked.append(key if letters is None else key + b" " + letters)
            self._begin_to_say(self._script.get(key, []))
        self._unread = self._unread[end:][-_LONGEST:]

    def _begin_to_say(self, answer):
        steps = [answer] if isinstance(answer, bytes) else list(answer)
        if isinstance(answer, Aside):
            self._sayings.append(collections.deque(steps))
        else:
            self._in_order.extend(steps)

    def _rest(self):
        """Starts pauses that are due and ends those that are over."""
        now = time.monotonic()
        for saying in self._sayings:
            while saying and not isinstance(saying[0], bytes):
                if saying[0] is Hold:
                    if not self._let_go:
                        break
                    self._let_go -= 1
                elif now < self._resting_until.setdefault(
                    id(saying), now + saying[0].seconds
                ):
                    break
                self._resting_until.pop(id(saying), None)
                saying.popleft()

    def _time_left(self):
        ends = self._resting_until.values()
        return max(0, min(ends) - time.monotonic()) if ends else None

    def _next_to_speak(self):
        for saying in self._sayings:
            if saying and isinstance(saying[0], bytes):
                return saying
        return None

    def _speak(self, saying):
        """Writes as much as fits; a partial reply is completed before the next."""
        text = saying[0]
        try:
            said = os.write(self._master, text[:65536])
        except BlockingIOError:
            return
        except OSError:
            saying.clear()
            return
        saying[0] = text[said:]
        if said == len(text):
            saying.popleft()


class _Search:
    """Finds bytes in a growing record, reading each part once."""

    def __init__(self, wanted):
        self._wanted, self._from = wanted, 0

    def __call__(self, record):
        found = record.find(self._wanted, self._from) >= 0
        self._from = max(0, len(record) - len(self._wanted))
        return found


def write_to_terminal(device, data):
    fd = os.open(device, os.O_WRONLY | os.O_NOCTTY)
    try:
        assert os.write(fd, data) == len(data)
    finally:
        os.close(fd)
