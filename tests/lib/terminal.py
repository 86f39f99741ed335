"""The outer terminal: the master side of a pty, which records every byte."""

import fcntl
import itertools
import os
import re
import select
import struct
import termios
import threading
import time

from lib import sequences
from lib.processes import PATIENCE, Orphan
from lib.program import Inside
from lib.runner import Runner

# The replies of xterm; a terminal without replies stays silent.
XTERM_ANSWERS = {
    b"\x1b[c": b"\x1b[?64;1;2;6;9;15;16;17;18;21;22;28c",
    b"\x1b[>c": b"\x1b[>41;370;0c",
    b"\x1b[>q": b"\x1bP>|XTerm(370)\x1b\\",
}

# Only DA1: it does not report its name, but no query has to time out.
FENCE = {b"\x1b[c": b"\x1b[?62;22c"}

_QUESTION = re.compile(rb"\x1b\[>?0?[cq]")
_LONGEST_QUESTION = 5
_TICKS = 50

_fences = itertools.count(1)


class OuterTerminal:
    """A terminal for the programs on the slave side.

    rate: bytes read per second (default: as fast as possible).
    answers: question -> answer, for DA1, DA2 and XTVERSION.
    delay: seconds until an answer, as on a slow connection.
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
        delay=0,
        forward=None,
        environment=None,
    ):
        self.sandbox = sandbox
        self.term = term
        self.environment = sandbox.environment(TERM=term, **(environment or {}))
        self._rate, self._forward = rate, forward
        self._answers, self._delay, self._due = answers or {}, delay, []
        self._record, self._answered = bytearray(), 0
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
        os.write(self._master, text.encode() if isinstance(text, str) else text)

    def push(self, data, patience=PATIENCE):
        """Type what may be more than the terminal takes at once."""
        rest = memoryview(data)
        os.set_blocking(self._master, False)
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
            self._answered = 0

    def rewind(self, record):
        """Cut the record to this, its beginning."""
        with self._news:
            assert self._record.startswith(record)
            del self._record[len(record) :]
            self._answered = min(self._answered, len(record))

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
        window = struct.pack("HHHH", lines, columns, 0, 0)
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, window)

    def _wake(self):
        os.write(self._wake_in, b"x")

    def _read_on(self):
        while not self._ending:
            sources = [self._wake_out]
            if self._reading.is_set():
                sources.append(self._master)
            ready, _, _ = select.select(sources, [], [], self._give_answers())
            if self._wake_out in ready:
                os.read(self._wake_out, 64)
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
        if not self._answers:
            return
        # The previous read may have split a query.
        start = max(self._answered, len(self._record) - new - _LONGEST_QUESTION)
        for question in _QUESTION.finditer(bytes(self._record[start:])):
            self._answered = start + question.end()
            answer = self._answers.get(question.group().replace(b"0", b""))
            if answer:
                self._due.append((time.monotonic() + self._delay, answer))

    def _give_answers(self):
        """Send the replies that are due; returns the seconds until the next, or None."""
        while self._due and self._due[0][0] <= time.monotonic():
            os.write(self._master, self._due.pop(0)[1])
        return max(0, self._due[0][0] - time.monotonic()) if self._due else None


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
