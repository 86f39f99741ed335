"""`viatty paste` by the terminal's own key, pressed in its window."""

import os
import termios

import pytest
from makes import ALACRITTY, FOOT, KITTY_SHIPPED, MLTERM, ST, VTE, XTERM_SHIPPED, on

from lib import expect
from lib.desktop import eventually

KEYS = {
    **dict.fromkeys(["xterm", "mlterm"], "shift+Insert"),
    **dict.fromkeys(["kitty", "alacritty", "foot", "st", "vte"], "ctrl+shift+v"),
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
@pytest.mark.parametrize(
    "data", [b"x", TEXT, LINES, LARGE], ids=["a byte", "text", "lines", "100 kB"])
def test_in_each_place_it_prints_what_is_pasted(place, data):
    got, status = pasted(place, data)
    assert status == "0\n"
    if place.name == "Screen" and data is LARGE:
        # Where bytes are lost, viatty says so.
        assert len(data) * 0.9 < len(got) <= len(data)
    else:
        assert expect.brief([("", got)]) == expect.brief([("", data)])


@on(KITTY_SHIPPED, ALACRITTY, ST, places=["alone"])
def test_100_kb_come_whole(place):
    got, status = pasted(place, LARGE)
    assert (status, expect.brief([("", got)])) == ("0\n", expect.brief([("", LARGE)]))


@on(KITTY_SHIPPED, ALACRITTY, FOOT, ST, MLTERM, VTE, places=["alone"])
def test_text_comes_as_it_is(place):
    assert pasted(place, TEXT) == (TEXT, "0\n")


@on(ST, places=["alone"])
def test_st_marks_parts_which_are_one_text(place):
    data = LARGE * 6
    got, status = pasted(place, data)
    assert (status, expect.brief([("", got)])) == ("0\n", expect.brief([("", data)]))


@on(ST, places=["alone"])
def test_an_end_mark_in_the_text_is_the_end_and_types_nothing(place):
    assert pasted(place, b"one\x1b[201~touch typed\n") == (b"one", "0\n")
