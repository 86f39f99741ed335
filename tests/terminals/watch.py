"""Looking at the window itself: whether what was sent has changed any pixel of it.

A terminal has drawn all it was sent when it shows what was sent last. So after each
thing a mark more is printed into the last line, and the lines above it are compared.
What draws does so from the top: where the mark is seen, all above it is there.
"""

from contextlib import contextmanager

from lib.desktop import eventually

# Erased, moved or painted over, it would be seen; the last line is left to a test.
TEXT = "Text that was here before\r\n\tand stays as it is.\r\n\r\n"
# A cursor blinks, and is another one where the keyboard is not.
HIDDEN, SHOWN = b"\x1b[?25l", b"\x1b[?25h"


class Watch:
    """A window with some text, of which every pixel is known."""

    def __init__(self, place, text):
        self.place = place
        self._seat = place.emulator.seat
        self._box = self._seat.box(place.emulator.window)
        self._marks = 0
        place.print(b"\x1b[2J\x1b[H" + (TEXT + text).encode())
        self._find_marks()
        self.before = self._drawn()
        self.cursor = place.cursor()

    def nothing_has_changed(self, what):
        y = self.before.first_unlike(self._drawn())
        assert y is None, f"{what} is seen in {self.place}, in line {y} of the picture"

    def cursor_has_not_moved(self):
        assert self.place.cursor() == self.cursor

    def _look(self):
        return self._seat.picture(self._box)

    def _mark(self):
        self._marks += 1
        self.place.print(b"\x1b7\x1b[999;%dH#\x1b8" % (2 * self._marks))

    def _find_marks(self):
        """The second mark changes nothing but itself: there is the last line."""
        lower = self._box[3] * 2 // 3
        for _ in range(2):
            old = self._look()
            self._mark()
            changed = lambda: old.below(lower).first_unlike(self._look().below(lower))
            eventually(lambda: changed() is not None, "a mark in the last line")
        self._line = lower + changed()

    def _drawn(self):
        """The lines above the marks, when all is drawn that was sent so far."""
        old = self._look().below(self._line)
        self._mark()
        changed = lambda: old.first_unlike(self._look().below(self._line)) is not None
        eventually(changed, f"mark {self._marks} in the last line of {self.place}")
        return self._look().above(self._line)


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
