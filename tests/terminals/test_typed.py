"""MIME types: kitty's own OSC 5522, and terminals without it."""

import pytest
from deeds import copy, nothing_changed, nothing_printed, prepared
from makes import FOOT, KITTY, KITTY_COPY, KITTY_READ, KITTY_SHIPPED, XTERM, on

from lib import expect
from lib.desktop import eventually
from lib.versions import has

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 200
PAGE = b"<b>gr\xc3\xbcn</b>\n"


def paste(place, *options):
    return place.run(["viatty", "paste", *options])


def done(result, printed=b""):
    assert (result.status, result.stderr) == (0, ""), result.stderr
    assert result.stdout == printed


def reaches(place):
    """Whether replies to OSC 5522 come back, from a kitty that knows it."""
    return place.name != "tmux" and has("kitty", "any bytes")


def refused(place, result, before):
    """Nothing was sent, for the reason that holds here."""
    expect.refused(result, naming="tmux" if place.name == "tmux" else "0.27")
    nothing_changed(place, before)


@on(KITTY_READ)
def test_a_copy_that_kitty_does_not_allow_is_refused(place):
    """Its reply to DA1 tells, or the reply to the copy."""
    before = prepared(place)
    result = copy(place, b"hello", "--type", "text/html")
    if not reaches(place):
        return refused(place, result, before)
    if has("kitty", "settings told"):
        expect.refused(result, 4, "hint: kitty.conf: clipboard_control write-clipboard")
    else:
        assert result.status == 6, result.stderr
        assert "EPERM" in result.stderr and "write-clipboard" in result.stderr
    nothing_changed(place, before)


@on(KITTY_SHIPPED)
@pytest.mark.parametrize("data, kind, primary", [
    (PNG, "image/png", False), (PAGE, "text/html", False), (PAGE, "text/html", True),
], ids=["image", "text", "primary"])
def test_data_of_a_type_reach_the_programs_of_the_desktop(place, data, kind, primary):
    before = prepared(place)
    result = copy(place, data, "--type", kind, *["-p"] * primary)
    if not reaches(place):
        return refused(place, result, before)
    done(result)
    read = lambda: place.emulator.seat.read("primary" if primary else "clipboard", kind)
    eventually(lambda: read() == data, f"{len(data)} bytes of {kind}")
    assert not primary or place.emulator.seat.read() == before
    nothing_printed(place)


def paste_image(place, size):
    """Paste an image that another program put on the clipboard."""
    place.emulator.seat.own(PNG[:size], kind="image/png")
    place.press_return()
    place.clear()
    return paste(place, "--type", "image/png")


@on(KITTY)
def test_the_image_of_another_program_is_pasted(place):
    result = paste_image(place, 2_500)
    if not reaches(place):
        return expect.refused(result, naming="tmux" if place.name == "tmux" else "0.27")
    done(result, PNG[:2_500])
    smaller = paste(place, "--type", "image/png", "--max", "2499")
    expect.refused(smaller, naming="larger than 2499 bytes")
    listed = paste(place, "--list-types")
    assert listed.status == 0 and b"image/png" in listed.stdout.splitlines()
    missing = paste(place, "--type", "image/jpeg")
    assert missing.status == 1 and "image/jpeg" in missing.stderr
    nothing_printed(place)


@on(KITTY, places=("alone", "Screen"))
def test_a_large_image_is_pasted_but_for_screen_that_would_lose_bytes(place):
    result = paste_image(place, len(PNG))
    if not reaches(place):
        return expect.refused(result, naming="0.27")
    if place.name == "Screen":
        return expect.refused(result, naming="longer than the 4000 bytes that Screen passes on")
    done(result, PNG)


@on(KITTY_COPY)
def test_what_kitty_may_not_tell_is_6(place):
    prepared(place)
    result = paste(place, "--type", "image/png")
    if not reaches(place):
        return expect.refused(result, naming="tmux" if place.name == "tmux" else "0.27")
    assert result.status == 6 and "EPERM" in result.stderr, result.stderr


@on(FOOT, XTERM)
def test_without_support_nothing_is_sent(place):
    before = prepared(place)
    why = "tmux" if place.name == "tmux" else "OSC 5522"
    expect.refused(copy(place, PNG, "--type", "image/png"), naming=why)
    nothing_changed(place, before)
