"""`viatty paste` by the terminal's own key, pressed in its window."""

import os
import termios

import pytest
from makes import (
    ALACRITTY,
    FOOT,
    KITTY_SHIPPED,
    KONSOLE,
    MLTERM,
    ST,
    VTE,
    XTERM_SHIPPED,
    ZUTTY,
    on,
)

from lib import expect
from lib.desktop import eventually

KEYS = {
    **dict.fromkeys(["xterm", "mlterm"], "shift+Insert"),
    **dict.fromkeys(["kitty", "alacritty", "foot", "st", "vte", "konsole", "zutty"], "ctrl+shift+v"),
}
TEXT = "grün ✓ 🙂,\tein Tab".encode()
LINES = b"one line\n\tand another\n"
# Lines of 64 characters: more than a pty takes at once.
LARGE = b"".join(b"%063d\n" % number for number in range(1600))


def is_raw(device):
    fd = os.open(device, os.O_RDWR | os.O_NOCTTY)
    try:
        return not termios.tcgetattr(fd)[3] & termios.ICANON
    finally:
        os.close(fd)


def pasted(place, data):
    """What is printed when the key is pressed that pastes either selection, and the status."""
    emulator = place.emulator
    for selection in ("primary", "clipboard"):
        emulator.seat.own(data, selection)
    out = emulator.sandbox.fresh("out")
    line = f"viatty paste --prompt --timeout 10 >{out}; echo $? >{out}.status"
    job = place.start(["sh", "-c", line], stdin=None, on_terminal=True)
    eventually(lambda: is_raw(place.runner.device), "it asks for the key")
    place.settle()
    emulator.seat.press(emulator.window, KEYS[emulator.make.id])
    eventually(job.is_done, "it has ended")
    return out.read_bytes(), out.with_suffix(".status").read_text()


@on(XTERM_SHIPPED)
@pytest.mark.parametrize("data", [LINES, LARGE], ids=["lines", "100 kB"])
def test_in_each_place_it_prints_what_is_pasted(place, data):
    got, status = pasted(place, data)
    assert status == "0\n"
    if place.name == "Screen" and data is LARGE:
        # Where bytes are lost, viatty says so.
        assert len(data) * 0.9 < len(got) <= len(data)
    else:
        assert expect.brief([("", got)]) == expect.brief([("", data)])


@on(ST, places=["alone"])
def test_a_megabyte_comes_whole(place):
    """st marks parts of it."""
    data = LARGE * 10
    got, status = pasted(place, data)
    assert (status, expect.brief([("", got)])) == ("0\n", expect.brief([("", data)]))


@on(KITTY_SHIPPED, ALACRITTY, FOOT, ST, MLTERM, VTE, KONSOLE, ZUTTY, places=["alone"])
def test_text_comes_as_it_is(place):
    assert pasted(place, TEXT) == (TEXT, "0\n")


HOSTILE = b"a\r\nb\nc\rd\x01\x07\x08\x7f\x1b[31me\x1b[201~f"
UNCHANGED = b"a\n\nb\nc\nd\x01\x07\x08\x7f\x1b[31me"
# As viatty-paste(1) says.
COMES = {
    "xterm": b"a\n\nb\nc\nd\x01\x07   [31me [201~f",
    "alacritty": b"a\nb\nc\nd\x01\x07\x08\x7f[31me[201~f",
    "foot": b"a\nb\nc\nd\x08\x7f[31me[201~f",
    "st": UNCHANGED,
    "mlterm": UNCHANGED,
    "zutty": UNCHANGED,
}


@on(XTERM_SHIPPED, ALACRITTY, FOOT, ST, MLTERM, ZUTTY, places=["alone"])
def test_what_becomes_of_line_ends_control_characters_and_an_end_mark(place):
    assert pasted(place, HOSTILE) == (COMES[place.emulator.make.id], "0\n")
