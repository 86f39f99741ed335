"""Assertions: data arrived, a copy was refused, the message is true."""

import base64
import hashlib
import random
import re

from lib import sequences

# Too long to occur in ordinary text.
_TELLING = 12
_BASE64_RUN = re.compile(rb"[A-Za-z0-9+/]{%d,}" % _TELLING)

DATA = b"one line \xe2\x9c\x93\nand \0 another\n"


def sample(size):
    """Pseudorandom bytes, the same in every run."""
    return random.Random(size).randbytes(size)


def harmless(text, lines=False):
    """What a text may be in a sequence, by the letter of the contract."""
    shown = text.replace(b"\r\n", b"\n").decode("utf-8", "surrogateescape")
    shown = re.sub("[\r\n\u2028\u2029]", "\n" if lines else " ", shown)
    shown = re.sub("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]", "\ufffd", shown)
    shown = shown.replace("\t", " ")
    return re.sub("[\x00-\x09\x0b-\x1f\x7f-\x9f\udc80-\udcff]", "\ufffd", shown)


def copy(place, data, *options, **how):
    """Run `viatty copy` in a place and wait until its bytes have arrived or were dropped."""
    result = place.run(["viatty", "copy", *options], stdin=data, **how)
    place.settle()
    return result


def copy_arrives(place, data, *options, letters="c", at=None, **how):
    """Copy, and check that only the outer terminal gets the data."""
    result = copy(place, data, *options, **how)
    sent(result)
    arrived(at or place.terminal, data, letters)
    return result


def sent(result):
    """With 7 only where the warning says that by default it is ignored or dropped."""
    doubts = "ignores it unless its settings allow it", "probably lost: "
    status = 7 if any(doubt in result.stderr for doubt in doubts) else 0
    assert result.status == status, f"exit {result.status}: {result.stderr}"
    assert result.stdout == b""


def arrived_somehow(terminal, data):
    """At least once, with any letter: for several routes at once."""
    received = {write[1:] for write in brief(terminal.clipboard())}
    assert received == {write[1:] for write in brief([("", data)])}
    printed_no_part_of(sequences.printed_text(terminal.recorded()), data)


def arrived(terminal, data, letters="c"):
    """Exactly one complete OSC 52 per letter with this data, and no text from it.

    letters: one string, or a list where a letter may be empty.
    """
    writes = [(letter, data) for letter in letters]
    assert brief(terminal.clipboard()) == brief(writes)
    printed_no_part_of(sequences.printed_text(terminal.recorded()), data)


def nothing_arrived(*terminals):
    for terminal in terminals:
        assert brief(terminal.clipboard()) == []


def refused(result, status=4, naming=()):
    """The documented status, the reason, and a hint."""
    said = result.stderr
    assert result.status == status, f"exit {result.status}: {said}"
    assert result.stdout == b""
    assert said.startswith(("viatty", "osc52")), said
    assert re.search(r"^hint: ", said, re.MULTILINE), said
    for word in [naming] if isinstance(naming, str) else naming:
        assert word.lower() in said.lower(), f"{word!r} is not in: {said}"


def printed_no_part_of(text, data):
    """No base64 and no start of a sequence is shown as text."""
    for sign in (b"]52;", b"52;c;", b"tmux;"):
        assert sign not in text, text[:400]
    encoded = base64.b64encode(data)
    for run in _BASE64_RUN.findall(text):
        parts = (run[at : at + _TELLING] for at in range(len(run) - _TELLING + 1))
        assert not any(part in encoded for part in parts), text[:400]


def brief(writes):
    """Clipboard writes in a short form, to compare them without a diff of megabytes."""
    return [(letter, len(data), _digest(data)) for letter, data in writes]


def _digest(data):
    return data if len(data) < 40 else hashlib.sha1(data).hexdigest()[:12]
