"""The judge of what arrives beside tmux tells the same however the bytes come in pieces."""

import pytest

from lib.beside import Judge

OURS = b"\x1b]9;text\x1b\\"
BESIDE = b"\x1b[31mword\x1b(B"


@pytest.mark.parametrize("stream, whole, cuts", [
    (BESIDE + OURS + BESIDE, True, False),
    (b"word" + OURS + b"word", True, False),
    (b"\x1b]9;text\x07" + BESIDE, True, False),
    # between the two halves of a sequence of tmux
    (BESIDE + b"\x1b" + OURS + b"[m word", True, True),
    (BESIDE + b"\x1b[3" + OURS + b"9mword", True, True),
    # into ours
    (BESIDE + OURS[:6] + BESIDE + OURS[6:], False, False),
])
def test_a_string_in_pieces(stream, whole, cuts):
    for first in range(len(stream) + 1):
        for second in range(first, len(stream) + 1):
            judge = Judge()
            for piece in (stream[:first], stream[first:second], stream[second:]):
                judge.feed(piece)
            (sent,) = judge.strings
            assert (sent.whole, sent.cuts) == (whole, cuts), (first, second)
