"""The parser decides for the other tests: it must reject damaged sequences."""

import pytest

from lib import sequences as seq
from lib.sequences import Malformed


FAULTY = {
    "unterminated": (b"\x1b]52;c;aGk=", "unterminated"),
    "ended by a lone ESC": (b"\x1b]52;c;aGk=\x1b", "cut short by 0x1b"),
    "a nested sequence": (b"\x1b]52;c;aG\x1b[0mk=\x07", "cut short by 0x1b"),
    "cancelled": (b"\x1b]52;c;aG\x18", "cut short by 0x18"),
    "a newline inside": (b"\x1b]52;c;aG\nk=\x07", "control 0x0a inside"),
    "a NUL inside": (b"\x1bPa\x00b\x1b\\", "control 0x00 inside"),
    "a DEL inside": (b"\x1b]0;a\x7fb\x07", "control 0x7f inside"),
    "BEL does not end a DCS": (b"\x1bPa\x07b\x1b\\", "control 0x07 inside"),
    "a raw C1": (b"\x1b]0;a\x9cb\x07", "8-bit control 0x9c inside"),
    "a C1 in UTF-8": (b"\x1b]0;a\xc2\x9cb\x07", "8-bit control 0x9c inside"),
    "an unfinished CSI": (b"\x1b[12", "unterminated"),
    "a CSI with a control": (b"\x1b[1\n2m", "cut short by 0x0a"),
    "an unfinished escape": (b"\x1b", "unterminated"),
}


@pytest.mark.parametrize("stream, fault", FAULTY.values(), ids=FAULTY)
def test_a_fault_is_named_and_strict_parsing_raises(stream, fault):
    assert fault in [name for token in seq.parse(stream) for name in token.faults]
    with pytest.raises(Malformed, match=fault):
        seq.parse_strictly(stream)


MALFORMED = {
    # A copy in a damaged stream.
    seq.clipboard_writes: [
        b"\x1b]52;c;aGk=", b"\x1b]52;aGk=\x07", b"\x1b]52;c;aGk\x07",
        b"\x1b]52;c;aGk=\x07\x1b]0;never ended", b"\x1bP1\x1b]52;c;aGk=\x07"],
    # What a decoder forgives.
    seq.strict_base64: [
        b"aGk", b"aG k=", b"aGk=\n", b"aGl=", b"a-_=", b"aGk==", b"=", b"aGk=aGk="],
    # tmux ends at an undoubled string terminator.
    seq.unwrap_tmux: [b"\x1bPtmux;\x1b\x1b]52;c;aGk=\x1b\\\x1b\\"],
    seq.links: [
        b"\x1b]8;;x:y\x07b", b"\x1b]8;;x:y\x07b\x1b]8;id=1;\x07",
        b"\x1b]8;;x:y\x07b\x1b]8;;x:z\x07c\x1b]8;;\x07", b"\x1b]8;;x y\x07b\x1b]8;;\x07",
        b"\x1b]8;;x:y\x07b\x1b]0;t\x07\x1b]8;;\x07", b"\x1b]8;;x:y\nz\x07b\x1b]8;;\x07"],
}


@pytest.mark.parametrize("read, text", [
    (read, text) for read, texts in MALFORMED.items() for text in texts])
def test_what_is_malformed(read, text):
    with pytest.raises(Malformed):
        read(text)


@pytest.mark.parametrize(
    "unwrap, begin, size, why",
    [
        (seq.unwrap_tmux, b"\x1bPtmux;", 1048570, "discards"),
        (seq.unwrap_screen, b"\x1bP", 767, "prints as text"),
    ],
    ids=["tmux", "Screen"],
)
def test_a_passthrough_has_a_limit_and_an_end_and_nothing_around_it(unwrap, begin, size, why):
    assert unwrap(begin + b"x" * size + b"\x1b\\") == b"x" * size
    with pytest.raises(Malformed, match=why):
        unwrap(begin + b"x" * (size + 1) + b"\x1b\\")
    for wrong in (b"abc", begin + b"abc", begin + b"abc\x1b", begin + b"a\x1b\\b"):
        with pytest.raises(Malformed):
            unwrap(wrong)
