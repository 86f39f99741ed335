"""viatty beside a tmux that is writing: what arrives whole, and what cuts what.

A Judge reads everything that the outer terminal does, strictly, and keeps only the
strings that viatty or tmux send: a pane that prints without end fills no memory.
"""

import base64
import re
import select
import sys
import threading
from dataclasses import dataclass

from lib.processes import kill_family, until
from lib.sequences import ESC
from lib.terminal import OuterTerminal

# The strings that are judged: copies and notifications.
_OURS = re.compile(rb"\x1b\](?:52|9|99|777);")
_END = re.compile(rb"\x07|\x1b\\|(?=[\x18\x1a\x1b])")
_BEGUN = re.compile(rb"\x1b(?:\[[\x30-\x3f]*[\x20-\x2f]*|[\x20-\x2f]*|[\]PX^_][^\x07\x1b]*)")
_CONTEXT = 4096

# In a pane beside: nothing, colors at 600 kB/s, and as much as tmux takes.
PRINTING = """
import os, sys, time
block = b"".join(b"\\x1b[38;5;%dmword\\x1b[0m \\x1b[1;4mtext\\x1b[m " % n for n in range(180))
while True:
    os.write(1, block + b"\\r\\n")
    time.sleep(len(block) * float(sys.argv[1]))  # the pace
"""
NOISE = {"idle": None, "colors": 1 / 600e3, "endless": 0.0}


@dataclass(frozen=True)
class Sent:
    """A string that reached the terminal."""

    payload: bytes
    whole: bool
    # It stands inside a sequence whose rest follows it, which the terminal then shows.
    cuts: bool
    # What stands before it, for a message.
    before: bytes = b""


class Judge:
    def __init__(self):
        self.strings, self.read = [], 0
        self._news = threading.Condition()
        self._kept, self._judged, self._searched = b"", 0, 0

    def feed(self, chunk):
        with self._news:
            self.read += len(chunk)
            self._kept += chunk
            while self._judge_next():
                pass
            self._news.notify_all()

    def _judge_next(self):
        """Judge the next string, if it is there, and what follows as far as it matters."""
        kept = self._kept
        start = _OURS.search(kept, self._judged)
        if not start:
            return self._drop(max(0, len(kept) - _CONTEXT))
        end = _END.search(kept, max(start.end(), self._searched))
        before = kept[max(0, start.start() - _CONTEXT) : start.start()]
        begun = before.rfind(ESC)
        inside = begun >= 0 and _BEGUN.fullmatch(before, begun) is not None
        # More tells whether an ESC begins ST, and how what was cut goes on.
        if not end or end.end() + 2 * (not end.group()) + inside > len(kept):
            self._searched = end.start() if end else len(kept) - 1
            return self._drop(start.start() - len(before))
        cuts = inside and kept[end.end() : end.end() + 1] != ESC
        self.strings.append(Sent(
            kept[start.start() + 2 : end.start()], bool(end.group()), cuts, before[-60:]))
        self._judged = end.end()
        return True

    def _drop(self, count):
        """Keep what may be a beginning."""
        self._kept = self._kept[count:]
        self._judged = max(0, self._judged - count)
        self._searched = max(0, self._searched - count)
        return False

    def wait_until_quiet(self, seconds=0.3):
        with self._news:
            while self._news.wait(seconds):
                pass

    def copies(self):
        """The texts of whole copies, in order."""
        texts = []
        for string in self.strings:
            if string.whole and string.payload.startswith(b"52;"):
                texts.append(base64.b64decode(string.payload.split(b";", 2)[2], validate=True))
        return texts

    def notifications(self):
        return [s.payload for s in self.strings if s.whole and not s.payload.startswith(b"52;")]

    def cuts(self):
        return [string for string in self.strings if string.cuts or not string.whole]


class BusyTerminal(OuterTerminal):
    """An outer terminal whose judge keeps what matters, and whose record stays small.

    At a rate it reads as sshd does on a slow line: all there is, until its window is full.
    """

    def __init__(self, sandbox, rate=None, window=16 * 1024, **how):
        self.READ = window
        self.judge = Judge()
        how.setdefault("term", "foot")
        self._line_rate, self._window = rate, 0
        super().__init__(sandbox, size=(140, 40), forward=self.judge.feed, **how)

    def _take_chunk(self):
        read = self.judge.read
        super()._take_chunk()
        self._window += self.judge.read - read
        if self._line_rate and self._window >= self.READ:
            select.select([self._wake_out], [], [], self._window / self._line_rate)
            self._window = 0

    def hurry(self):
        """Read as fast as possible from now on."""
        self.forget()
        self._rate = self._line_rate = None
        self.READ = OuterTerminal.READ

    def _answer(self, new):
        super()._answer(new)
        with self._news:
            if len(self._record) > 8 << 20:
                del self._record[: -(1 << 16)]


class Place:
    """A pane where viatty runs, and another pane of the same window that prints."""

    def __init__(self, sandbox, tmux, noise="idle", **how):
        self.terminal = BusyTerminal(sandbox, **how)
        self.judge, self.tmux = self.terminal.judge, tmux
        self.pane = tmux.session()
        tmux.attach(terminal=self.terminal)
        self._noise = None
        if NOISE[noise] is not None:
            read = self.judge.read
            self._noise = tmux.split()
            self._noise.open([sys.executable, "-c", PRINTING, str(NOISE[noise])])
            until(lambda: self.judge.read > read + 50_000, "the other pane prints")

    def run(self, *words, stdin=b"", **how):
        return self.pane.run(["viatty", *words], stdin=stdin, **how)

    def quiet(self):
        """Ends the noise, and waits until the terminal has read all there is."""
        if self._noise:
            kill_family(self._noise.runner.pid)
            self._noise = None
        # Megabytes may wait in tmux.
        self.terminal.hurry()
        self.tmux.settle()
        self.judge.wait_until_quiet()


def text(number, size):
    """A text that tells its number, and whether it is whole."""
    line = b"%d of the copies;" % number
    return (line * (size // len(line) + 1))[:size]
