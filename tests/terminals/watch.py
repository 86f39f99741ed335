"""Looking at the window itself: whether what was sent has changed any pixel of it.

A terminal has drawn all it was sent when it shows what was sent last. So after each
thing a mark more is printed into the last line, and the lines above it are compared.
What draws does so from the top: where the mark is seen, all above it is there.
"""

import os
import termios
from contextlib import contextmanager

from lib.desktop import eventually

# Erased, moved or painted over, it would be seen; the last line is left to a test.
TEXT = "Text that was here before\r\n\tand stays as it is.\r\n\r\n"
# A cursor blinks, and is another one where the keyboard is not.
HIDDEN, SHOWN = b"\x1b[?25l", b"\x1b[?25h"


class Watch:
    """A window with some text, of which every pixel is known."""

    def __init__(self, place, text):
        self.place, self._marks = place, 0
        self._seat = place.emulator.seat
        self._box = self._seat.box(place.emulator.window)
        rows, columns = size_of(place.emulator.runner.device)
        _, _, width, height = self._box
        # Of what is around the cells there is less than a pixel for each of them.
        self._cell, self._line = width // columns, height // rows * (rows - 1)
        place.print(b"\x1b[2J\x1b[H")
        # The first column may have the window's border in it.
        part = (self._line, self._cell, 60 * self._cell)
        blank = lambda: not self._look().has_drawing(*part)
        eventually(blank, f"the last line of {place} is empty")
        place.print((TEXT + text).encode())
        self._before = self._drawn()
        self._cursor = place.cursor()

    def nothing_has_changed(self, what):
        y = self._before.first_unlike(self._drawn())
        assert y is None, f"{what} is seen in {self.place}, in line {y} of the picture"

    def cursor_has_not_moved(self):
        assert self.place.cursor() == self._cursor

    def _look(self):
        return self._seat.picture(self._box)

    def _drawn(self):
        """The lines above the marks, when all is drawn that was sent so far."""
        self._marks += 1
        # In every other column, so that none is taken for its neighbour.
        left = (2 * self._marks - 1) * self._cell
        self.place.print(b"\x1b7\x1b[999;%dH#\x1b8" % (2 * self._marks))
        right = left + 2 * self._cell

        def seen():
            """It, and nothing behind it: not what was there before it was empty."""
            look = self._look()
            return look.has_drawing(
                self._line, left, left + self._cell
            ) and not look.has_drawing(self._line, right, 60 * self._cell)

        eventually(seen, f"mark {self._marks} in the last line of {self.place}")
        return self._look().above(self._line)


def size_of(device):
    """Lines and columns of a terminal."""
    fd = os.open(device, os.O_RDONLY | os.O_NOCTTY)
    try:
        return termios.tcgetwinsize(fd)
    finally:
        os.close(fd)


@contextmanager
def watched(place, text=""):
    """The window with the text, the cursor behind it, and nothing that moves."""
    place.stand_still()
    place.print(HIDDEN)
    try:
        yield Watch(place, text)
    finally:
        place.print(SHOWN)
        place.move_again()
