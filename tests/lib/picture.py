"""Pictures of a window from the memory of the X server, without another program.

With -fbdir the server keeps its screen in a file of the form of xwd: a header of
32-bit numbers, most significant byte first, the colors, then the lines from the top.
"""

import struct
from dataclasses import dataclass

_HEADER = struct.Struct(">25I")
_SIZE, _LINE, _COLOURS = 0, 12, 19
_A_COLOUR, _A_PIXEL = 12, 4


@dataclass(frozen=True)
class Picture:
    """The lines of pixels of a window."""

    lines: tuple

    def above(self, y):
        return Picture(self.lines[:y])

    def has_drawing(self, top, left, right):
        """Whether a line from this one down has different pixels between left and right."""
        parts = (line[_A_PIXEL * left : _A_PIXEL * right] for line in self.lines[top:])
        return any(part != part[:_A_PIXEL] * (right - left) for part in parts)

    def first_unlike(self, other):
        """The number of the first line that differs, or None."""
        pairs = enumerate(zip(self.lines, other.lines))
        return next((y for y, (ours, theirs) in pairs if ours != theirs), None)


def picture(screen, box):
    """A part of the screen in this file: left, top, width and height."""
    left, top, width, height = box
    memory = screen.read_bytes()
    header = _HEADER.unpack_from(memory)
    line = header[_LINE]
    start = header[_SIZE] + _A_COLOUR * header[_COLOURS] + _A_PIXEL * left
    begins = (start + y * line for y in range(top, top + height))
    return Picture(tuple(memory[at : at + _A_PIXEL * width] for at in begins))
