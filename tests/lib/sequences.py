"""An independent parser for terminal byte streams.

Written from ECMA-48 and the state diagram of the DEC VT500 parser; it shares no code
with viatty, whose output it checks.
"""

import base64
import binascii
import re
from dataclasses import dataclass

ESC = b"\x1b"
ST = b"\x1b\\"
BEL = b"\x07"

STRINGS = {b"P": "dcs", b"X": "sos", b"]": "osc", b"^": "pm", b"_": "apc"}

# tmux keeps "tmux;" and the un-doubled bytes in one buffer of this size.
TMUX_STORED_MAX = 1048575
SCREEN_PIECE_MAX = 767

_TEXT = re.compile(rb"[^\x00-\x1f\x7f]+")
_CSI = re.compile(rb"\x1b\[([\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e])")
_CSI_BEGUN = re.compile(rb"\x1b\[[\x30-\x3f]*[\x20-\x2f]*")
_ESCAPE = re.compile(rb"\x1b([\x20-\x2f]*[\x30-\x7e])")
_ESCAPE_BEGUN = re.compile(rb"\x1b[\x20-\x2f]*")
_CONTROL = re.compile(rb"[\x00-\x1f\x7f]")


class Malformed(ValueError):
    """The bytes are not a well-formed sequence."""


@dataclass(frozen=True)
class Token:
    """One element of a stream: a run of text, a control, or a sequence."""

    kind: str
    raw: bytes
    payload: bytes = b""
    terminator: bytes = b""
    faults: tuple = ()

    @property
    def is_string(self):
        return self.kind in STRINGS.values()


def parse(stream):
    """Split a stream into tokens whose raw bytes, joined, are the stream."""
    stream = bytes(stream)
    tokens, at = [], 0
    while at < len(stream):
        token = _next_token(stream, at)
        tokens.append(token)
        at += len(token.raw)
    return tokens


def parse_strictly(stream):
    """Like parse, but a single fault anywhere raises Malformed."""
    tokens = parse(stream)
    for token in tokens:
        _demand_no_faults(token)
    return tokens


def printed_text(stream):
    """The characters a terminal would show, in the order of the stream."""
    return b"".join(token.payload for token in parse(stream) if token.kind == "text")


def osc(stream, number):
    """The OSC strings with this number."""
    prefix = b"%d;" % number
    return [
        token
        for token in parse(stream)
        if token.kind == "osc" and token.payload.startswith(prefix)
    ]


def with_one_id(stream):
    """The IDs of notifications, which differ each time, are n1."""
    return re.sub(rb"\bi=viatty-[0-9a-f]+-[0-9a-f]+:", b"i=n1:", stream)


def clipboard_writes(stream):
    """The clipboard as the terminal would set it: [(selection, data), ...].

    Every string of the stream must be complete, whichever program sent it: a clipboard
    write inside another sequence damages both.
    """
    writes = []
    for token in parse(stream):
        if token.is_string:
            _demand_no_faults(token)
        if token.kind == "osc" and token.payload.startswith(b"52;"):
            writes += _clipboard_write(token)
    return writes


def links(stream):
    """The links of a stream by OSC 8: [(parameters, URL, text), ...].

    Each must be complete and closed as the specification requires: without URL and
    parameters, before the next one opens, and with only printable ASCII.
    """
    found, opened = [], None
    for token in parse(stream):
        if token.kind == "osc" and token.payload.startswith(b"8;"):
            opened = _link(token, opened, found)
        elif opened and token.kind == "text":
            opened[2] += token.payload
        elif opened and token.is_string:
            raise Malformed(f"a {token.kind} within a link")
    if opened:
        raise Malformed(f"a link to {_brief(opened[1])} never ended")
    return found


def _link(token, opened, found):
    _demand_no_faults(token)
    if token.payload == b"8;;":
        if opened:
            found.append(tuple(opened))
        return None
    parts = token.payload.split(b";", 2)
    if len(parts) != 3 or not parts[2] or opened:
        raise Malformed(f"no way to open a link: {_brief(token.raw)}")
    if re.search(rb"[^!-~]", parts[2]):
        raise Malformed(f"bytes that are not of a URL: {_brief(token.raw)}")
    return [parts[1], parts[2], b""]


def strict_base64(text):
    """Decode RFC 4648 base64: canonical, padded, on one line, or Malformed."""
    try:
        data = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise Malformed(f"not base64: {error}: {_brief(text)}") from None
    # Encoding again finds what a decoder forgives: stray bits and lost padding.
    if base64.b64encode(data) != text:
        raise Malformed(f"base64 is not canonical: {_brief(text)}")
    return data


def unwrap_tmux(wrapped):
    """What tmux passes on of a stream with nothing outside of passthroughs."""
    pieces, outside = split_tmux(wrapped)
    for piece in pieces:
        if len(piece) + len(b"tmux;") > TMUX_STORED_MAX:
            raise Malformed(f"tmux discards {len(piece)} bytes in one passthrough")
    return _nothing_outside(pieces, outside)


def unwrap_screen(wrapped):
    """What GNU Screen passes on of a stream with nothing outside of passthroughs."""
    pieces, outside = split_screen(wrapped)
    for piece in pieces:
        if len(piece) > SCREEN_PIECE_MAX:
            raise Malformed(f"piece of {len(piece)} bytes prints as text in Screen")
    return _nothing_outside(pieces, outside)


def split_tmux(stream):
    """The pieces that tmux passes on, and the rest, outside of them or unterminated.

    DCS `tmux;`, an ESC dropped before all but a backslash.
    """
    return _split(bytes(stream), b"\x1bPtmux;", _inside_tmux)


def split_screen(stream):
    """The same for Screen: DCS pieces, each ended by the first ESC backslash."""
    return _split(bytes(stream), b"\x1bP", _inside_screen)


def _split(stream, prefix, take):
    pieces, outside, at = [], b"", 0
    while at < len(stream):
        begin = stream.find(prefix, at)
        piece, end = take(stream, begin + len(prefix)) if begin >= 0 else (None, 0)
        if piece is None:
            return pieces, outside + stream[at:]
        pieces.append(piece)
        outside += stream[at:begin]
        at = end
    return pieces, outside


def _nothing_outside(pieces, outside):
    if outside:
        raise Malformed(f"outside of a passthrough, or never ended: {_brief(outside)}")
    return b"".join(pieces)


def _inside_tmux(stream, at):
    """The piece that begins here, and its end; None if it is unterminated."""
    kept = []
    while True:
        escape = stream.find(ESC, at)
        if escape < 0 or escape + 1 == len(stream):
            return None, at
        kept.append(stream[at:escape])
        if stream.startswith(ST, escape):
            break
        kept.append(stream[escape + 1 : escape + 2])
        at = escape + 2
    return b"".join(kept), escape + 2


def _inside_screen(stream, at):
    end = stream.find(ST, at)
    return (stream[at:end], end + 2) if end >= 0 else (None, at)


def _next_token(stream, at):
    byte = stream[at : at + 1]
    if byte == ESC:
        return _escape(stream, at)
    if _CONTROL.match(byte):
        return Token("c0", byte)
    text = _TEXT.match(stream, at).group()
    return Token("text", text, text)


def _escape(stream, at):
    kind = STRINGS.get(stream[at + 1 : at + 2])
    if kind:
        return _string(stream, at, kind)
    if stream.startswith(b"\x1b[", at):
        return _sequence("csi", _CSI, _CSI_BEGUN, stream, at)
    return _sequence("esc", _ESCAPE, _ESCAPE_BEGUN, stream, at)


def _sequence(kind, whole, begun, stream, at):
    match = whole.match(stream, at)
    if match:
        return Token(kind, match.group(), match.group(1))
    raw = begun.match(stream, at).group()
    return Token(kind, raw, faults=(_cut_short(stream, at + len(raw)),))


def _string(stream, at, kind):
    """A control string up to its terminator, or to what a parser would stop at."""
    start, faults = at + 2, []
    position = start
    while True:
        found = _CONTROL.search(stream, position)
        end = found.start() if found else len(stream)
        terminator = _terminator(stream, end, kind)
        if terminator or not found or found.group() in b"\x18\x1a\x1b":
            break
        faults.append(f"control 0x{stream[end]:02x} inside")
        position = end + 1
    if not terminator:
        faults.append(_cut_short(stream, end))
    payload = stream[start:end]
    faults += _eight_bit_controls(payload)
    raw = stream[at : end + len(terminator)]
    return Token(kind, raw, payload, terminator, tuple(faults))


def _terminator(stream, at, kind):
    if stream.startswith(ST, at):
        return ST
    # xterm's second way to end a string, and only an OSC.
    if kind == "osc" and stream.startswith(BEL, at):
        return BEL
    return b""


def _cut_short(stream, at):
    if at >= len(stream):
        return "unterminated"
    return f"cut short by 0x{stream[at]:02x}"


def _eight_bit_controls(payload):
    """C1 controls, spelt as UTF-8 or raw; continuation bytes of UTF-8 are not."""
    if payload.isascii():
        return []
    text = payload.decode("utf-8", "surrogateescape")
    # A raw byte 0x80-0x9f that is not UTF-8 decodes to U+DC80-U+DC9F.
    return [
        f"8-bit control 0x{ord(c) & 0xFF:02x} inside"
        for c in text
        if 0x80 <= ord(c) <= 0x9F or 0xDC80 <= ord(c) <= 0xDC9F
    ]


def _demand_no_faults(token):
    if token.faults:
        faults = ", ".join(token.faults)
        raise Malformed(f"{token.kind} {_brief(token.raw)}: {faults}")


def _clipboard_write(token):
    parts = token.payload.split(b";", 2)
    if len(parts) != 3:
        raise Malformed(f"OSC 52 without data field: {_brief(token.raw)}")
    if parts[2] == b"?":
        return []
    return [(parts[1].decode("ascii"), strict_base64(parts[2]))]


def _brief(raw):
    shown = repr(bytes(raw[:60]))
    return shown if len(raw) <= 60 else f"{shown}... ({len(raw)} bytes)"
