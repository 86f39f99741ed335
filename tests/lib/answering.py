"""A terminal that replies by a script, and the replies of real ones."""

import base64
import collections
import os
import re
import select
import time
from dataclasses import dataclass

from lib.processes import until
from lib.sequences import BEL, ST  # noqa: F401
from lib.terminal import OuterTerminal

# The queries of a program; each is its own name in a script.
QUESTION = re.compile(
    rb"\x1b\[[>=]?0?[cq]|\x1b\[21t|\x1b\]52;(?P<letters>[^;\x07\x1b]*);\?(?:\x07|\x1b\\)"
    rb"|\x1b\]99;i=[^:;]*:p=(?:\?|close);\x1b\\"
    rb"|\x1b\](?:4;[0-9]+|1[012]);\?(?:\x07|\x1b\\)|\x1b\[\?996n"
    rb"|\x1b\]6[01](?:;[A-Za-z]+)?\x1b\\"
)
# Longer than any of them.
_LONGEST = 8192
DA1, DA2, DA3, NAME, CLIPBOARD = b"\x1b[c", b"\x1b[>c", b"\x1b[=c", b"\x1b[>q", b"52"
# What asks who the terminal is.
IDENTITY = [NAME, DA2, DA3, DA1]
TITLE = b"\x1b[21t"
# xterm's allowed features, and its disallowed window operations, by the names of xterm 377
# and 401.
ALLOWED = b"\x1b]60\x1b\\"
DISALLOWED, DISALLOWED_401 = (
    b"\x1b]61;%s\x1b\\" % n for n in (b"allowWinOps", b"allowWindowOps"))


def notification(kind, name=b"n1"):
    """A query or a request about the notification of this name."""
    return b"\x1b]99;i=%s:p=%s;\x1b\\" % (name, kind)


@dataclass(frozen=True)
class Pause:
    """A delay before the next part of the reply."""

    seconds: float


class Hold:
    """The terminal stays silent until the test calls go_on()."""


class Aside(list):
    """A reply that does not delay later ones, as when the user has to confirm."""


def name(text):
    return b"\x1bP>|%s\x1b\\" % text


def clipboard(data, letters=b"c", end=ST):
    return b"\x1b]52;%s;%s%s" % (letters, base64.b64encode(data), end)


def title(text, end=ST):
    return b"\x1b]l" + text + end


def color(which):
    """The query for this color: background, or a number of the palette."""
    dynamic = {"foreground": b"10", "background": b"11", "cursor": b"12"}
    return b"\x1b]%s;?\x1b\\" % (dynamic.get(which) or b"4;%d" % which)


def colored(which, value, end=ST):
    """The reply to it."""
    return color(which).removesuffix(b"?" + ST) + value + end


FENCE = b"\x1b[?62;4;22;28;52c"
FOOT = {
    NAME: name(b"foot(1.27.0)"),
    DA2: b"\x1b[>1;012700;0c",
    DA3: b"\x1bP!|464f4f54\x1b\\",
    DA1: FENCE,
}
KITTY = {NAME: name(b"kitty(0.48.2)"), DA2: b"\x1b[>1;4000;48c", DA1: b"\x1b[?62;52;c"}
KONSOLE = {
    NAME: name(b"Konsole 26.08.0"),
    DA2: b"\x1b[>1;115;0c",
    DA3: b"\x1bP!|7E4B4445\x1b\\",
    DA1: b"\x1b[?62;1;4c",
}
VTE = {
    NAME: name(b"VTE(8400)"),
    DA2: b"\x1b[>61;8400;1c",
    DA3: b"\x1bP!|7E565445\x1b\\",
    DA1: b"\x1b[?61;1;21;22;28c",
}
XTERM = {NAME: name(b"XTerm(370)"), DA2: b"\x1b[>41;370;0c", DA1: b"\x1b[?64;1;2;22c"}
# Does not report its name, like many.
PLAIN = {DA1: b"\x1b[?6c"}


def _key(question):
    """Normalizes a query: CSI 0 c equals CSI c, and BEL ends a string as ST does."""
    if question.startswith(b"\x1b["):
        return question.replace(b"0", b"")
    return question[:-1] + ST if question.endswith(BEL) else question


class AnsweringTerminal(OuterTerminal):
    """Replies in the order of the queries, as its script says.

    script: query -> bytes, or a list of bytes, Pause, Hold. An Aside does not delay
    later replies. Queries missing from the script get no reply.
    """

    def __init__(self, sandbox, script, **how):
        self._script = script
        self._unread = b""
        self._in_order = collections.deque()
        self._sayings = [self._in_order]
        self._resting_until = {}
        self._asked = []
        self._let_go = 0
        super().__init__(sandbox, **how)
        os.set_blocking(self._master, False)

    def asked(self):
        """The queries so far, those for the clipboard with their letters."""
        with self._news:
            return list(self._asked)

    def wait_until_asked(self, question, times=1):
        count = lambda: sum(q.startswith(question) for q in self.asked())
        until(lambda: count() >= times, f"{question!r} is asked")

    def go_on(self):
        """End one Hold."""
        self._let_go += 1
        self._wake()

    def has_said_all(self):
        """Whether all replies were written, or the next part waits for go_on()."""
        return all(not saying or saying[0] is Hold for saying in self._sayings)

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
