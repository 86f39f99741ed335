"""A terminal that replies by a script, and the replies of real ones."""

import base64

from lib.sequences import BEL, ST  # noqa: F401
from lib.terminal import CLIPBOARD, Aside, Hold, OuterTerminal, Pause  # noqa: F401

DA1, DA2, DA3, NAME = b"\x1b[c", b"\x1b[>c", b"\x1b[=c", b"\x1b[>q"
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


class AnsweringTerminal(OuterTerminal):
    def __init__(self, sandbox, script, **how):
        super().__init__(sandbox, answers=script, **how)
