# SPDX-License-Identifier: MIT
"""link as programs use it: hostile words, files, editors.

What it prints is read by lib.sequences.links(), which takes nothing but whole
links. None of this needs a terminal; those of the tester are out of reach.
"""

import os
import re
import subprocess

import pytest

from lib import program
from lib import sequences as seq

HOSTILE = {
    **{f"C0 {n:02x}": bytes([n]) for n in (*range(1, 32), 127)},
    **{f"C1 {n:02x}": bytes([n]) for n in range(0x80, 0xA0, 5)},
    **{f"C1 {n:02x} in UTF-8": chr(n).encode() for n in range(0x80, 0xA0, 5)},
    "ST": b"\x1b\\",
    "an OSC": b"\x1b]52;c;aGk=\x07",
    "an end and a beginning": b"\x1b]8;;\x1b\\\x1b]8;;evil:x\x1b\\",
    "a DCS for tmux": b"\x1bPtmux;\x1b\x1b]0;x\x07\x1b\\",
    "a semicolon": b";",
    "parameters": b"id=x:y=z;",
    "10 kB": b"A" * 10240,
    "10 kB of escapes": b"\x1b" * 10240,
    "broken UTF-8": b"\xff\xfe\xc3(\xe2\x82\xf0\x9f\x92",
    "a surrogate in UTF-8": b"\xed\xa0\x80",
    "marks of direction": "a\u202eb\u2066c\u200f".encode(),
    "wide characters": "✓".encode() * 50,
    "braces": b"{path}{",
    "percent signs": b"%%1%1g%00",
}

# Where a hostile text stands in; None is the text.
PLACES = {
    "a URL": ["link", b"https://h/", b"the text"],
    "a text": ["link", "https://h/", None],
    "a word of several": ["link", "https://h/", "the", None, "text"],
    "a host": ["link", "--host", None, "--file", "/x", "text"],
    "a file": ["link", "--file", b"/x", "text"],
    "a format": ["link", "--format", b"x:{path}", "--file", "/x", "text"],
}


def environment():
    kept = ("ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS")
    kept = {name: os.environ[name] for name in kept if name in os.environ}
    return {"PATH": os.environ["PATH"], "TERM": "xterm-256color", **kept}


def run(*words, cwd="/"):
    return subprocess.run(
        [os.path.abspath(program.path()), *words],
        env=environment(),
        stdin=subprocess.DEVNULL,
        cwd=cwd,
        capture_output=True,
        start_new_session=True,
        timeout=60,
    )


def url(*words, cwd="/"):
    """The URL of the link that it prints."""
    result = run(*words, "--when=always", "z", cwd=cwd)
    assert result.returncode == 0, result.stderr
    return seq.links(result.stdout)[0][1]


@pytest.mark.parametrize("place", PLACES)
def test_hostile_text_makes_one_link_and_nothing_else(place):
    for name, text in HOSTILE.items():
        fill = lambda word: text if word is None else word + text
        words = [word if isinstance(word, str) else fill(word) for word in PLACES[place]]
        result = run(*words, "--when=always")
        if result.returncode == 2 and place in ("a host", "a format"):
            assert result.stdout == b"", name
            continue
        assert result.returncode == 0, (name, result.stderr)
        links = seq.links(result.stdout)
        assert len(links) == 1, (name, result.stdout)
        kinds = [(token.kind, token.raw) for token in seq.parse_strictly(result.stdout)]
        assert [kind for kind, _ in kinds] == ["osc", "text", "osc", "c0"], name
        assert kinds[2:] == [("osc", b"\x1b]8;;\x1b\\"), ("c0", b"\n")], name
        # The text is what a terminal shows, so it has to be text.
        shown = links[0][2].decode("utf-8")
        assert not [c for c in shown if c < " " or "\x7f" <= c <= "\x9f"], name


@pytest.mark.parametrize("cwd, path", [("/", b"/x/y"), ("/usr", b"/usr/x/y")])
def test_a_path_begins_at_the_working_directory(cwd, path):
    assert url("link", "--host=h", "--file", "./x//y", cwd=cwd) == b"file://h" + path


def test_every_editor_has_a_url_with_the_path():
    table = (program.REPOSITORY / "src/encoder/editors.def").read_text()
    words = re.findall(r'^EDITOR\("(.*?)"', table, re.M)
    assert len(words) >= 8
    for word in words:
        found = url("link", "--format", word, "--file", "/a/b.c:12:3")
        assert re.match(rb"[a-z-]+://.*/a/b\.c", found), word
