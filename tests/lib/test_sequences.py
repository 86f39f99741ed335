"""The parser is the judge of the other tests, so it is judged first."""

import base64

import pytest

from lib import sequences as seq
from lib.sequences import Malformed


@pytest.mark.parametrize(
    "stream, kinds",
    [
        (b"", []),
        (b"hello", ["text"]),
        ("grün ✓".encode(), ["text"]),
        (b"a\r\nb", ["text", "c0", "c0", "text"]),
        (b"\x7f", ["c0"]),
        (b"\x1b[0;1mx", ["csi", "text"]),
        (b"\x1b[?2004h\x1b[>q", ["csi", "csi"]),
        (b"\x1b[0 q", ["csi"]),
        (b"\x1b7\x1b(B\x1b#8", ["esc", "esc", "esc"]),
        (b"\x1b]0;t\x07", ["osc"]),
        (b"\x1b]0;t\x1b\\x", ["osc", "text"]),
        (b"\x1bPq\x1b\\\x1b_a\x1b\\", ["dcs", "apc"]),
        (b"\x1b^b\x1b\\\x1bXc\x1b\\", ["pm", "sos"]),
        (b"\x1b\\", ["esc"]),
    ],
)
def test_a_stream_is_split_into_its_kinds(stream, kinds):
    tokens = seq.parse_strictly(stream)
    assert [token.kind for token in tokens] == kinds


@pytest.mark.parametrize("terminator", [seq.BEL, seq.ST])
def test_a_string_keeps_payload_and_terminator_apart(terminator):
    (token,) = seq.parse(b"\x1b]52;c;aGk=" + terminator)
    assert (token.payload, token.terminator) == (b"52;c;aGk=", terminator)


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


@pytest.mark.parametrize("stream, _fault", FAULTY.values(), ids=FAULTY)
def test_no_byte_is_lost_even_from_a_faulty_stream(stream, _fault):
    around = b"before" + stream + b"after\x1b[m"
    assert b"".join(token.raw for token in seq.parse(around)) == around


@pytest.mark.parametrize("title", ["Ünï\u00a0", "✓漢", "Ӝ"])
def test_utf8_inside_a_string_is_not_an_8_bit_control(title):
    seq.parse_strictly(b"\x1b]2;" + title.encode() + b"\x07")


def test_printed_text_is_only_what_is_shown():
    stream = b"\x1b[1mone\x1b]0;title\x07two\r\n\x1bPq\x1b\\three"
    assert seq.printed_text(stream) == b"onetwothree"


def test_osc_finds_strings_by_their_number():
    stream = b"\x1b]5;x\x07\x1b]52;c;\x07\x1b]8;;u\x1b\\"
    assert [token.payload for token in seq.osc(stream, 52)] == [b"52;c;"]


@pytest.mark.parametrize(
    "stream, writes",
    [
        (b"\x1b]52;c;aGk=\x1b\\", [("c", b"hi")]),
        (b"\x1b]52;;aGk=\x07", [("", b"hi")]),
        (b"\x1b]52;c;\x07", [("c", b"")]),
        (b"\x1b]52;c;?\x07", []),
        (b"\x1b]52;c;aGk=\x07text\x1b]52;p;AA==\x07", [("c", b"hi"), ("p", b"\0")]),
        (b"\x1b]520;c;aGk=\x07", []),
    ],
)
def test_clipboard_writes_are_selection_and_data(stream, writes):
    assert seq.clipboard_writes(stream) == writes


@pytest.mark.parametrize(
    "stream",
    [
        b"\x1b]52;c;aGk=",
        b"\x1b]52;aGk=\x07",
        b"\x1b]52;c;aGk\x07",
        b"\x1b]52;c;aGk=\x07\x1b]0;never ended",
        b"\x1bP1\x1b]52;c;aGk=\x07",
    ],
)
def test_a_clipboard_write_in_a_damaged_stream_is_malformed(stream):
    with pytest.raises(Malformed):
        seq.clipboard_writes(stream)


@pytest.mark.parametrize(
    "text",
    [b"aGk", b"aG k=", b"aGk=\n", b"aGl=", b"a-_=", b"aGk==", b"=", b"aGk=aGk="],
)
def test_base64_that_a_decoder_forgives_is_malformed(text):
    with pytest.raises(Malformed):
        seq.strict_base64(text)


@pytest.mark.parametrize("size", range(10))
def test_base64_that_is_right_is_decoded(size):
    data = bytes(range(250, 250 + 6))[:size] + bytes(max(0, size - 6))
    assert seq.strict_base64(base64.b64encode(data)) == data


SIMPLE = b"\x1b]52;c;aGk=\x1b\\"


def test_tmux_undoubles_every_escape():
    wrapped = b"\x1bPtmux;\x1b\x1b]52;c;aGk=\x1b\x1b\\\x1b\\"
    assert seq.unwrap_tmux(wrapped) == SIMPLE


def test_tmux_ends_at_an_undoubled_string_terminator():
    wrapped = b"\x1bPtmux;\x1b\x1b]52;c;aGk=\x1b\\\x1b\\"
    with pytest.raises(Malformed, match="outside"):
        seq.unwrap_tmux(wrapped)


def test_tmux_drops_an_escape_that_is_not_doubled():
    assert seq.unwrap_tmux(b"\x1bPtmux;\x1b]52;c;aGk=\x07\x1b\\") == b"]52;c;aGk=\x07"


def test_tmux_in_tmux_unwraps_twice():
    once = b"\x1bPtmux;" + SIMPLE.replace(b"\x1b", b"\x1b\x1b") + b"\x1b\\"
    twice = b"\x1bPtmux;" + once.replace(b"\x1b", b"\x1b\x1b") + b"\x1b\\"
    assert seq.unwrap_tmux(seq.unwrap_tmux(twice)) == SIMPLE


def test_screen_joins_its_pieces():
    wrapped = b"\x1bP\x1b]52;c;\x1b\\\x1bPaGk=\x07\x1b\\"
    assert seq.unwrap_screen(wrapped) == b"\x1b]52;c;aGk=\x07"


def test_screen_needs_an_inner_terminator_cut_in_two():
    wrapped = b"\x1bP\x1b]52;c;aGk=\x1b\x1b\\\x1bP\\\x1b\\"
    assert seq.unwrap_screen(wrapped) == SIMPLE


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


def test_links():
    assert seq.links(b"a \x1b]8;;x:y\x1b\\b\x1b[1mc\x1b]8;;\x07 d") == [(b"", b"x:y", b"bc")]
    assert seq.links(b"\x1b]8;id=1;x:y\x07b\x1b]8;;\x07") == [(b"id=1", b"x:y", b"b")]
    assert seq.links(b"\x1b]8;;\x07 nothing") == []


@pytest.mark.parametrize(
    "stream",
    [
        b"\x1b]8;;x:y\x07b",
        b"\x1b]8;;x:y\x07b\x1b]8;id=1;\x07",
        b"\x1b]8;;x:y\x07b\x1b]8;;x:z\x07c\x1b]8;;\x07",
        b"\x1b]8;;x;y\x07b\x1b]8;;\x07",
        b"\x1b]8;;x y\x07b\x1b]8;;\x07",
        b"\x1b]8;;x:y\x07b\x1b]0;t\x07\x1b]8;;\x07",
        b"\x1b]8;;x:y\nz\x07b\x1b]8;;\x07",
    ],
)
def test_links_that_are_none(stream):
    with pytest.raises(seq.Malformed):
        seq.links(stream)
