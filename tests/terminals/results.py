"""What each terminal did, a table a distribution: collected, written, read, compared."""

import platform
import re
from pathlib import Path

from lib.versions import installed

FILE = Path(__file__).with_name("RESULTS.md")
FEATURES = (
    "copy",
    "any bytes",
    "largest",
    "larger",
    "primary",
    "clear",
    "paste",
    "paste lines",
    "title",
    "notify",
    "notify9",
    "notify777",
    "notify99",
    "progress",
    "link",
)
COLUMNS = ("Terminal", "Version", "Settings", "In", *FEATURES)
VERSION = COLUMNS.index("Version")
# Of its programs README.md and the manual are held against what was seen.
REFERENCE = "Debian 12"

INTRODUCTION = """\
# What real terminals did

Written by `RESULTS=write make check-terminals`, and for another distribution by
`RESULTS=write make check SUITE=trixie ONLY=terminals`; every other run compares itself with
the table of its own, versions aside. sid changes: its table is of November 2026.

Each cell is what a test saw on the clipboard, in the title, on the desktop, in the
browser's place or in the pixels of the window, from outside the terminal.

*works*: it arrived. *refused*: viatty exited with status 4 and nothing changed. *no
reply*: `paste` exited with status 5. *empty*: it said that the clipboard is. *not*: it
was sent, and the terminal did nothing and printed nothing.

*any bytes* are all 256 byte values, which viatty refuses to send there, sent by force:
*UTF-8 only*, the others are left out; *emptied*, an
empty clipboard; *up to NUL*, the rest is cut off; *not*, the clipboard stays as it was.
*largest* is the data of the longest sequence that viatty sends there, 1 MiB where it
knows no limit; *larger* one byte more.
*clear*: *its own*, only what the terminal has copied itself; *a newline* overwrites.
*paste lines*: *as CR*, newlines come back as carriage returns.
*notify* leaves the protocol to viatty, *notify9* and so on name it.
*progress*: *works*, it is drawn in the window, and gone when it is cleared.
*link*: *works*, a click or the terminal's own keys opened the URL; *as text*, viatty
prints the URL behind the text, as the next in line is known to lose links.

In all that are as shipped, each sequence there is was sent in each place, forced where
need be, and no pixel above the last line of the window changed; a link looks like its
text. So nothing is printed by a terminal that does not know a sequence.

An empty cell was not looked at: with another setting only what the setting is for;
*larger* where viatty knows no limit; the clipboard's details where copying is not
allowed; kitty's question to its person in tmux and Screen, where it is the same one.

"""


class Results:
    """What the tests saw, by (terminal, settings, place)."""

    def __init__(self):
        self._rows, self._versions = {}, {}

    def record(self, place, feature, outcome):
        assert feature in FEATURES
        make = place.emulator.make
        row = self._rows.setdefault((make.id, make.settings, place.name), {})
        row[feature] = outcome
        self._versions[make.id] = installed(make.program)

    def rows(self):
        """What is known, a row as its cells."""
        return [
            (name, self._versions[name], settings, place)
            + tuple(row.get(feature, "") for feature in FEATURES)
            for (name, settings, place), row in self._rows.items()
        ]

    def write(self):
        """Put the table of this distribution in the place of what was there."""
        tables = sorted({**_tables(), distribution(): self.rows()}.items())
        FILE.write_text(INTRODUCTION + "\n".join(_section(*table) for table in tables))


def distribution():
    """This one, as its section is called: Debian 12, Debian sid."""
    told = platform.freedesktop_os_release()
    return f"{told['NAME'].split()[0]} {told.get('VERSION_ID', 'sid')}"


def read(section=REFERENCE):
    """The rows of a distribution; none where there is no such section."""
    return _tables().get(section, [])


def _section(name, rows):
    lines = [COLUMNS, ["---"] * len(COLUMNS), *rows]
    return f"## {name}\n\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _tables():
    """Section -> rows, as they are in the file."""
    tables = {}
    for section in FILE.read_text().split("\n## ")[1:]:
        lines = re.findall(r"^\| (.*) \|$", section, re.M)
        rows = [tuple(cell.strip() for cell in line.split(" | ")) for line in lines]
        assert rows[0] == COLUMNS, "the table has other columns: RESULTS=write"
        tables[section.partition("\n")[0]] = rows[2:]
    return tables


def cells(rows):
    """(terminal, settings, place, feature) -> outcome, without the versions."""
    return {
        (row[0], row[2], row[3], feature): outcome
        for row in rows
        for feature, outcome in zip(FEATURES, row[4:])
        if outcome
    }
