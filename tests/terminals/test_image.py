"""raw --filter: an image in kitty's graphics protocol, seen in the window."""

import base64

from makes import KITTY_SHIPPED, on

from lib.desktop import eventually

SIZE = 64
RED = b"\x00\x00\xff"  # in the X server's memory
FILTER = ["viatty", "raw", "--filter"]


def image():
    """A red square between two words, in chunks of 4,096 bytes, as programs send it."""
    data = base64.b64encode(b"\xff\x00\x00" * SIZE * SIZE)
    chunks = [data[at : at + 4096] for at in range(0, len(data), 4096)]
    stream = b"\x1b[2J\x1b[Habove\r\n"
    for number, chunk in enumerate(chunks):
        keys = b"a=T,q=2,f=24,s=%d,v=%d," % (SIZE, SIZE) if number == 0 else b""
        more = number + 1 < len(chunks)
        stream += b"\x1b_G%sm=%d;%s\x1b\\" % (keys, more, chunk)
    return stream


def red_pixels(place):
    seat, window = place.emulator.seat, place.emulator.window
    lines = seat.picture(seat.box(window)).lines
    return sum(
        line[at : at + 3] == RED for line in lines for at in range(0, len(line), 4)
    )


@on(KITTY_SHIPPED)
def test_an_image_is_seen(place):
    if place.name == "tmux":
        place.run(["tmux", "set-option", "-p", "allow-passthrough", "on"])
    assert red_pixels(place) == 0
    result = place.run(FILTER, stdin=image())
    assert (result.status, result.stdout, result.stderr) == (0, b"", "")
    eventually(lambda: red_pixels(place) == SIZE * SIZE, f"the image is seen in {place}")
    result = place.run(FILTER, stdin=b"\x1b_Ga=d,d=A\x1b\\\x1b[2J\x1b[H")
    assert result.status == 0, result.stderr
    eventually(lambda: red_pixels(place) == 0, f"the image is gone from {place}")
