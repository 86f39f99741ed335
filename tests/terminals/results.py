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
# Test results of real terminals

Written by `RESULTS=write make check-terminals`, and for another distribution by
`RESULTS=write make check-all SUITE=trixie ONLY=terminals`. Every other run compares its results
with the table of its distribution, except for the versions. sid changes: its table is of
23 November 2026, in tmux 3.8 and GNU Screen 5.0.2.

Each cell is the effect that a test observed from outside the terminal: on the clipboard, in
the title, on the desktop, in the pixels of the window, or in a program that stands in for the
browser.

*works*: the effect was observed. *refused*: viatty exited with status 4 and nothing changed.
*no reply*: `paste` exited with status 5. *empty*: the reply was an empty clipboard. *not*: the
sequence was sent, and the terminal did nothing and printed nothing.

- *any bytes*: a copy of all 256 byte values, which viatty refuses to send there, sent with
  `--force`. *UTF-8 only*: the other bytes are omitted. *emptied*: the clipboard is empty
  afterwards. *up to NUL*: the rest is cut off. *not*: the clipboard is unchanged.
- *largest*: the data of the longest sequence that viatty sends there, 1 MiB if no limit is
  known. *larger*: one byte more.
- *clear*: *its own*, only what was copied in the terminal itself; *a newline*, the clipboard is
  overwritten with a newline.
- *notify*: viatty chooses the protocol; *notify9* and so on: each that the terminal has.
- *progress*: *works*, it is drawn in the window, and disappears when it is cleared.
- *link*: *works*, a click or a key of the terminal opened the URL; *as text*, viatty prints the
  URL after the text, because the nearest hop is known to lose hyperlinks.

With default settings (*as shipped*), every sequence was sent in every place, with `--force`
where necessary, and no pixel above the last line of the window changed: terminals print
nothing for a sequence that they do not support. A hyperlink looks like its text.

xterm.js runs in a page of headless Chromium. *with its addons*: the clipboard, progress and
web-links addons with their defaults. *as in VS Code*: with the two variables that identify VS
Code and its mapping of selections. test_vscode.py runs VS Code itself, without a row here.

An empty cell was not tested: with another setting only the features that it affects are;
*larger* where no limit is known; details of the clipboard where copying is not allowed; in
tmux and Screen the dialog of kitty, which is the same one.

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
