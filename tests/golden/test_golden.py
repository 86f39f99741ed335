# SPDX-License-Identifier: MIT
"""The exact bytes of the real program, a row of a table at a time.

A row of copy.tbl, names.tbl, raw.tbl, filter.tbl, title.tbl, color.tbl,
progress.tbl:

    name | environment | command line | stdin | exit | stdout | arrives

A line `prefix: WORDS` says how the command lines of the rows below it begin, up to the next one.

Fields are bytes in one notation: \\e ESC, \\a BEL, \\n newline, \\\\ backslash,
\\xNN any other, \\*N(text) the text N times. Words of a command line stand
between blanks; a blank inside a word is \\x20, an empty word "". The expected
bytes come from the documents of the protocols, never from the program.

`arrives` is what the terminal has to get in the end, found by a parser that
shares nothing with the program: LETTERS:TEXT in copy.tbl and names.tbl (left out:
`c:` and stdin), else the bytes (left out: in raw.tbl stdin without its last
newline, in the others stdout), and URL, a blank and the linked text in link.tbl
(left out or `-`: there is no link; --print in another form than raw: not looked at).

The program runs without a terminal, in a folder with the files of FILES. A
row with another exit status than 0 prints nothing on stdout.
"""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from lib import program
from lib import sequences as seq

HERE = Path(__file__).parent

FILES = {
    "hello": b"hello\n",
    "world": b"world",
    "empty": b"",
    "bytes": bytes(range(256)),
    "a name": b"named",
}

ESCAPE = re.compile(
    rb"\\(?:([ean\\])|x([0-9a-fA-F]{2})|\*([0-9]+)\(([^()]*)\)|(.?))", re.S
)
NAMED = {b"e": b"\x1b", b"a": b"\x07", b"n": b"\n", b"\\": b"\\"}


@dataclass
class Row:
    where: str
    name: str
    environment: dict
    words: list
    stdin: bytes
    exit: int
    rest: list

    def bytes_of(self, field):
        """A field behind the exit status; None where it was left out."""
        return read(self.rest[field]) if len(self.rest) > field else None


def read(text):
    """The bytes that a text in the notation of the tables means."""

    def one(match):
        named, digits, count, repeated, unknown = match.groups()
        if unknown is not None:
            raise ValueError(f"unknown escape {match.group()!r}")
        if named:
            return NAMED[named]
        if digits:
            return bytes([int(digits, 16)])
        return read(repeated) * int(count)

    return ESCAPE.sub(one, text)


def word(text):
    return b"" if text == b'""' else read(text)


def rows(table):
    found, prefix = [], b""
    for number, line in enumerate((HERE / table).read_bytes().split(b"\n"), 1):
        if not line.strip() or line.lstrip().startswith(b"#"):
            continue
        if line.startswith(b"prefix:"):
            prefix = line.removeprefix(b"prefix:")
            continue
        fields = [field.strip(b" \t") for field in line.split(b"|")]
        name, environment, command, stdin, status, *rest = fields
        found.append(
            Row(
                f"{table}:{number}",
                name.decode(),
                dict(read(entry).split(b"=", 1) for entry in environment.split()),
                [word(text) for text in (prefix + b" " + command).split()],
                read(stdin),
                int(status),
                rest,
            )
        )
    return found


def named(row):
    return row.name.replace(" ", "-")


def table(*names):
    found = [row for name in names for row in rows(name)]
    return pytest.mark.parametrize("row", found, ids=named)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("golden")
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    (folder / "folder").mkdir()
    return folder


def run(row, folder):
    """With nothing in the environment but the row's, and never at a terminal:

    what a mistake in the program would send must not reach that of the tester.
    """
    result = subprocess.run(
        row.words,
        executable=os.path.abspath(program.path()),
        env={b"VIATTY_TTY": b"/dev/null", **row.environment},
        input=row.stdin,
        cwd=folder,
        capture_output=True,
        start_new_session=True,
        timeout=60,
    )
    result.stdout = seq.with_one_id(result.stdout)
    return result


def check_words(row, result):
    """What is said to people: from us, in one or two lines, and harmless."""
    assert result.stderr.startswith(os.path.basename(row.words[0])), row.where
    assert result.stderr.endswith(b"\n"), row.where
    text = result.stderr.decode("utf-8")
    assert [c for c in text if ord(c) < 32 and c != "\n"] == [], row.where
    assert [c for c in text if 127 <= ord(c) < 160] == [], row.where


def printing(row, folder):
    """Runs it, and checks all that it prints; gives the result if that is to arrive."""
    result = run(row, folder)
    assert result.returncode == row.exit, f"{row.where}: {result.stderr!r}"
    assert result.stdout == (row.bytes_of(0) or b""), row.where
    if not row.exit:
        assert result.stderr == b"", row.where
        return result
    assert result.stdout == b"", row.where
    check_words(row, result)
    return None


def option(row, short, long, variable):
    """The value of an option: the last one given, else the variable's."""
    value = row.environment.get(variable)
    for at, text in enumerate(row.words):
        if text in (short, long):
            value = row.words[at + 1]
        elif text.startswith(long + b"="):
            value = text[len(long) + 1 :]
        elif text.startswith(short) and not text.startswith(b"--"):
            value = text[len(short) :]
    return value


def layers(row):
    chain = option(row, b"-w", b"--wrap", b"VIATTY_WRAP")
    assert chain, f"{row.where}: without --wrap the bytes depend on the place"
    return [] if chain == b"none" else chain.split(b",")


def printed(row, result):
    """The bytes meant, whatever the form they were printed in."""
    form = option(row, b"-P", b"--print", b"")
    if form == b"esc":
        assert result.stdout.endswith(b"\n"), row.where
        return read(result.stdout[:-1])
    return result.stdout


def arriving(stream, chain):
    """All streams that may reach the terminal behind these layers."""
    if not chain:
        return [stream]
    if chain[0] == b"screen":
        return arriving(seq.unwrap_screen(stream), chain[1:])
    if chain[0] == b"tmux":
        return arriving(seq.unwrap_tmux(stream), chain[1:])
    assert chain[0] == b"tmux?"
    # first what a tmux that interprets it takes, then what one that passes it on
    wrapped = stream.index(b"\x1bPtmux;")
    return arriving(stream[:wrapped], chain[1:]) + arriving(
        seq.unwrap_tmux(stream[wrapped:]), chain[1:]
    )


def check_copy(row, folder):
    if (result := printing(row, folder)) is None:
        return
    letters, _, text = (row.bytes_of(1) or b"c:" + row.stdin).partition(b":")
    wanted = [(letter, text) for letter in letters.decode()]
    for stream in arriving(printed(row, result), layers(row)):
        assert seq.clipboard_writes(stream) == wanted, row.where
        assert seq.printed_text(stream) == b"", row.where


@table("copy.tbl")
def test_copy(row, folder):
    check_copy(row, folder)


@table("names.tbl")
def test_names(row, folder):
    row.environment = {
        **{b"VIATTY_TTY": b"stdout", b"VIATTY_WRAP": b"none"},
        **row.environment,
    }
    check_copy(row, folder)


@table("raw.tbl")
def test_raw(row, folder):
    if (result := printing(row, folder)) is None:
        return
    wanted = row.bytes_of(1)
    if wanted is None:
        assert row.stdin, f"{row.where}: what arrives?"
        wanted = row.stdin[: -1 if row.stdin.endswith(b"\n") else None]
    for stream in arriving(printed(row, result), layers(row)):
        assert stream == wanted, row.where


@table("filter.tbl")
def test_filter(row, folder):
    if (result := printing(row, folder)) is None:
        return
    split = {b"tmux": seq.split_tmux, b"screen": seq.split_screen}
    for layer in layers(row):
        pieces, _ = split[layer.rstrip(b"?")](printed(row, result))
        assert b"".join(pieces) == row.bytes_of(1), row.where


@table("title.tbl", "color.tbl", "progress.tbl", "notify.tbl")
def test_sequences(row, folder):
    if (result := printing(row, folder)) is None:
        return
    wanted = row.bytes_of(1)
    if wanted is None:
        assert layers(row) == [], f"{row.where}: what arrives?"
        wanted = printed(row, result)
    for stream in arriving(printed(row, result), layers(row)):
        assert stream == wanted, row.where
        # a terminal prints the names of windows, which are not for it
        if not stream.startswith(b"\x1bk"):
            assert seq.printed_text(stream) == b"", row.where


@table("link.tbl")
def test_link(row, folder):
    result = printing(row, folder)
    if result is None or b"--print=esc" in row.words:
        return
    wanted = row.bytes_of(1) or b"-"
    links = [url + b" " + text for _, url, text in seq.links(result.stdout)]
    assert links == ([] if wanted == b"-" else [wanted]), row.where


@table("usage.tbl")
def test_usage(row, folder):
    """A mistake costs nothing: exit 2, nothing on stdout, and a word of help."""
    result = run(row, folder)
    assert row.exit == 2, row.where
    assert result.returncode == 2, f"{row.where}: {result.stderr!r}"
    assert result.stdout == b"", row.where
    check_words(row, result)
    assert b"\nhint: " in result.stderr, row.where
    assert row.bytes_of(0) in result.stderr, f"{row.where}: {result.stderr!r}"


@pytest.mark.parametrize("table", sorted(HERE.glob("*.tbl")), ids=lambda t: t.name)
def test_names_are_unique(table):
    names = [row.name for row in rows(table.name)]
    assert sorted(set(names)) == sorted(names)
