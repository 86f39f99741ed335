# SPDX-License-Identifier: MIT
"""What a figure of tests/bench/run has to keep to, and why.

A figure without a row here is told and not judged. Times are ratios to another
program in the same run; counts do not depend on how busy the machine is.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Bound:
    limit: float
    why: str
    least: bool = False  # has to be reached; else: not to be exceeded

    def holds(self, value):
        return value >= self.limit if self.least else value <= self.limit

    def words(self):
        return f"{'>=' if self.least else '<='} {self.limit:g}"


def most(limit, why):
    return Bound(limit, why)


def least(limit, why):
    return Bound(limit, why, least=True)


def count(measured, why):
    """Room for another compiler, and for what mending a fault may cost."""
    return Bound(float(f"{measured * 1.25:.3g}"), why)


INSTANT = "a copy is over before /bin/true would be"
TERMINAL = "the terminal is the slow part, not the program"
ONCE = "the text is held, and a piece of the sequence it becomes"
STREAM = "what is filtered is not held"
LINEAR = "time grows as the size does"
BEFORE = "a quarter above what it was when this was written"

BOUNDS = {
    # ---- time ----------------------------------------------------------------
    "copy 1 kB / true: time": most(1.0, INSTANT),
    "copy 1 kB / sh, printf, base64: time": most(1.0, "no reason to do without"),
    "copy 1 kB in tmux / load-buffer -w: time": most(1.25, "tmux is asked once"),
    "copy 8 MB / cat of the sequence: speed": least(0.9, TERMINAL),
    "copy --wrap screen 8 MB / cat of the sequence: speed": least(0.9, TERMINAL),
    "copy --confirm 1 kB, a terminal that replies after 20 ms: ms": most(
        30, "the copy and its confirmation are one round trip"
    ),
    "copy --confirm 8 MB / cat of the sequence: speed": least(0.9, TERMINAL),
    "copy --confirm 8 MB: peak, kB": most(round(8 * 10**6 / 1024) + 2048, ONCE),
    "paste 5 MB / plain read: time": most(1.5, TERMINAL),
    "paste 10 MB / 5 MB: time": most(2.5, LINEAR),
    "copy 1 kB, a terminal that replies after 20 ms: ms": most(
        30, "who it is takes one round trip"
    ),
    "paste, a fence after 20 ms and no more: ms": most(
        60, "silence is known by the fence, not by waiting"
    ),
    "linkify, plain text: MB/s": least(100, "a filter that is not noticed"),
    # ---- memory ----------------------------------------------------------------
    "copy 1 kB / cat: peak memory": most(1.0, INSTANT),
    **{
        f"{command} {size}: peak, kB": most(round(per_byte * n / 1024) + 2048, why)
        for size, n in (("1 MB", 10**6), ("10 MB", 10**7), ("100 MB", 10**8))
        for command, per_byte, why in (
            ("copy", 1, ONCE),
            ("copy --wrap screen", 1, ONCE),
            ("copy --print", 1, ONCE),
            ("paste", 3, "the reply and what it means, at the worst at once"),
            ("linkify", 0, STREAM),
            ("raw --filter", 0, STREAM),
        )
    },
    # ---- growth ----------------------------------------------------------------
    **{
        f"{command} 100 MB / 1 MB: time a byte": most(2.0, LINEAR)
        for command in ("copy", "copy --wrap screen", "copy --print", "paste", "linkify", "linkify mailto",
                        "raw --filter")
    },
    # Lines are looked at in pieces of 64 KiB, so what is worse than linear in one
    # line is linear beyond, and only slow.
    "linkify mailto / linkify, 1 MB: time": most(2.0, LINEAR),
}

# Of the static program, for x86-64 and musl: glibc's start differs by processor.
COUNTS = {
    "--version: instructions": count(5_360, BEFORE),
    "copy 1 kB: instructions": count(55_400, BEFORE),
    "copy 1 kB / true: instructions": most(0.55, INSTANT),
    "copy 1 MB: instructions a byte": count(20.7, BEFORE),
    "paste 1 MB: instructions a byte": count(11.4, BEFORE),
    "link: instructions": count(39_200, BEFORE),
    "notify: instructions": count(46_400, BEFORE),
    "linkify, plain text: instructions a byte": count(9.6, BEFORE),
    "linkify, links in every line: instructions a byte": count(168.0, BEFORE),
    "copy 1 kB: system calls": count(40, BEFORE),
    "link: system calls": count(17, BEFORE),
    "notify: system calls": count(39, BEFORE),
    "copy 1 kB / true: page faults": most(0.7, INSTANT),
}
