"""The clipboard of the desk, after viatty has copied in a real terminal."""

from deeds import arrives, copy, nothing_changed, prepared
from makes import COPYING, KITTY, KITTY_COPY, MLTERM_COPY, WEB, XTERM, XTERM_COPY
from makes import XTERMJS_VSCODE, on

from lib import expect

TEXT = "zwei Zeilen: grün,\n\tund ein ✓ 漢字 🙂\n".encode()
# The NUL comes last, so that one sees who is stopped by it, and by what else.
EVERY_BYTE = bytes(range(1, 256)) + b"\0and more"


def text_of(size):
    """Lines, for not to be mistaken for one that is cut: each is another."""
    lines = b"".join(b"%08d of many lines\n" % number for number in range(size // 20))
    return lines.ljust(size, b".")[:size]


@on(*COPYING, XTERM_COPY, KITTY_COPY, KITTY, MLTERM_COPY, *WEB)
def test_text_arrives(place, results):
    prepared(place)
    expect.sent(copy(place, TEXT))
    arrives(place, TEXT)
    results.record(place, "copy", "works")


@on(*COPYING)
def test_of_any_bytes_the_terminal_keeps_what_it_can(place, results):
    before = prepared(place)
    make = place.emulator.make
    if make.kept == "works":
        expect.sent(copy(place, EVERY_BYTE))
    else:
        expect.refused(copy(place, EVERY_BYTE), naming="byte ")
        nothing_changed(place, before)
        expect.sent(copy(place, EVERY_BYTE, "--force"))
    expected = make.keeps(EVERY_BYTE, before)
    if expected == before:
        nothing_changed(place, before)
    else:
        arrives(place, expected)
    results.record(place, "any bytes", make.kept)


@on(*COPYING)
def test_the_largest_arrives_whole(place, results):
    prepared(place)
    data = text_of(place.emulator.make.largest)
    expect.sent(copy(place, data))
    arrives(place, data)
    results.record(place, "largest", f"{len(data):,}")


@on(XTERM)
def test_a_byte_more_than_the_limit_is_refused(place, results):
    before = prepared(place)
    result = copy(place, text_of(place.emulator.make.largest + 1))
    expect.refused(result, naming="too large")
    nothing_changed(place, before)
    results.record(place, "larger", "refused")


@on(*COPYING, XTERMJS_VSCODE)
def test_the_primary_selection_is_another(place, results):
    before = prepared(place)
    place.emulator.seat.own(b"selected before", "primary")
    place.press_return()
    place.clear()
    expect.sent(copy(place, TEXT, "-p"))
    arrives(place, TEXT, "primary")
    assert place.emulator.seat.read() == before
    results.record(place, "primary", "works")


@on(*COPYING, *WEB)
def test_the_clipboard_is_emptied(place, results):
    make = place.emulator.make
    prepared(place)
    expect.sent(copy(place, TEXT))
    arrives(place, TEXT)
    result = copy(place, b"", "--clear")
    expect.sent(result)
    if make.clears == "a newline":
        arrives(place, b"\n")
    else:
        place.settle()
        assert not place.emulator.seat.read()
    results.record(place, "clear", make.clears)


@on(XTERM)
def test_what_another_program_copied_xterm_cannot_empty(place):
    before = prepared(place)
    expect.sent(copy(place, b"", "--clear"))
    nothing_changed(place, before)
