# SPDX-License-Identifier: MIT
"""link and linkify as programs use them: hostile words, recorded output, pipes.

What they print is read by lib.sequences.links(), which takes nothing but whole
links. None of this needs a terminal; those of the tester are out of reach.
"""

import os
import random
import re
import resource
import select
import signal
import subprocess
import time
from pathlib import Path

import pytest

from lib import program
from lib import sequences as seq
from lib.processes import PATIENCE

HERE = Path(__file__).parent

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


def argv(*words):
    return [os.path.abspath(program.path()), *words]


def run(*words, stdin=b"", cwd="/", status=0):
    result = subprocess.run(
        argv(*words),
        env=environment(),
        input=stdin,
        cwd=cwd,
        capture_output=True,
        start_new_session=True,
        timeout=60,
    )
    assert result.returncode == status, result.stderr
    return result.stdout


def linkified(text, cwd="/", *options):
    return run("linkify", "--when", "always", "--host", "h", *options, stdin=text, cwd=cwd)


@pytest.mark.parametrize("place", PLACES)
def test_hostile_text_makes_one_link_and_nothing_else(place):
    for name, text in HOSTILE.items():
        fill = lambda word: text if word is None else word + text
        words = [word if isinstance(word, str) else fill(word) for word in PLACES[place]]
        result = subprocess.run(
            argv(*words, "--when=always"),
            env=environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            start_new_session=True,
            timeout=60,
        )
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


@pytest.mark.parametrize("cwd, url", [("/", b"file://h/x/y"), ("/usr", b"file://h/usr/x/y")])
def test_a_path_begins_at_the_working_directory(cwd, url):
    words = ["link", "--when=always", "--host=h", "--file", "./x//y", "z"]
    assert seq.links(run(*words, cwd=cwd))[0][1] == url


def test_every_editor_has_a_url_with_the_path():
    table = (program.REPOSITORY / "src/encoder/editors.def").read_text()
    words = re.findall(r'^EDITOR\("(.*?)"', table, re.M)
    assert len(words) >= 8
    for word in words:
        out = run("link", "--when=always", "--format", word, "--file", "/a/b.c:12:3", "z")
        assert re.match(rb"[a-z-]+://.*/a/b\.c", seq.links(out)[0][1]), word


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_output_of_programs_passes_as_it_is(name):
    text = HOSTILE[name]
    for line in (text, b"http://a" + text, b"http://a " + text + b" http://b"):
        stripped = run("linkify", "--strip", stdin=line)
        assert run("linkify", stdin=line) == line
        assert run("linkify", "--strip", stdin=linkified(line)) == stripped


# ---- what programs have printed ------------------------------------------------

# recording -> the links: (URL below the folder of the files, or whole; text)
RECORDED = {
    "cargo": [
        ("src/main.rs", "src/main.rs:4:18"),
        ("https://doc.rust-lang.org/error_codes/E0308.html",) * 2,
    ],
    "pytest": [
        ("https://docs.pytest.org/en/stable/how-to/assert.html",) * 2,
        ("tests/test_a.py", "tests/test_a.py:7"),
        ("tests/test_a.py", '"tests/test_a.py", line 7'),
        ("tests/test_a.py", "tests/test_a.py:7"),
    ],
    "tsc": [("src/app.ts", "src/app.ts(3,7)"), ("src/app.ts", "src/app.ts(12)")],
    # TypeScript 4.8, tsc --pretty
    "tsc-pretty": [("src/app.ts", "src/app.ts:3:7"), ("src/app.ts", "src/app.ts:3")],
    "find": [("a", "./a:3")],
    "ls": [],
    "log": [
        ("http://a.example:8080/x?y=[1,2]&z=(3)",) * 2,
        ("src/main.rs", "src/main.rs:4"),
        ("https://a.example/_(b)_c",) * 2,
        ("mailto:ops@a.example",) * 2,
    ],
}


@pytest.fixture
def folder(tmp_path):
    for name in ("src/main.rs", "src/app.ts", "src/app.js", "tests/test_a.py", "a", "b"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    return tmp_path


@pytest.mark.parametrize("name", RECORDED)
def test_recorded_output(name, folder):
    recorded = (HERE / "recorded" / name).read_bytes()
    out = linkified(recorded, folder)
    where = f"file://h{folder.resolve()}/"
    wanted = [
        (url if ":" in url else where + url, text) for url, text in RECORDED[name]
    ]
    assert [(u.decode(), t.decode()) for _, u, t in seq.links(out)] == wanted
    assert run("linkify", "--strip", stdin=out) == recorded
    assert seq.printed_text(out) == seq.printed_text(recorded)


def test_every_recording_is_looked_at():
    assert {path.name for path in (HERE / "recorded").iterdir()} == set(RECORDED)


def test_a_recording_without_links_is_what_cat_prints(folder):
    for path in (HERE / "recorded").iterdir():
        assert run("linkify", stdin=path.read_bytes(), cwd=folder) == path.read_bytes()


# ---- as a filter ---------------------------------------------------------------


@pytest.mark.parametrize("size", [0, 1, 65535, 65536, 65537, 1_000_000])
def test_bytes_of_any_kind_come_through(size):
    data = random.Random(size).randbytes(size)
    assert run("linkify", stdin=data) == data
    stripped = run("linkify", "--strip", stdin=data)
    assert run("linkify", "--strip", stdin=linkified(data)) == stripped


def test_a_line_of_a_megabyte_keeps_its_links():
    line = b"x" * 500_000 + b" http://a.example " + b"y" * 500_000 + b"\n"
    out = linkified(line)
    assert seq.links(out) == [(b"", b"http://a.example", b"http://a.example")]
    assert run("linkify", "--strip", stdin=out) == line


# Each of these is a file, and stands where a name may.
NAMES = [b"a\x1b]0;x\x07", b"a\x1b[2J", b"a\x1b", b"a\x9b31m", b"a\x07", b"a\r", b"a\tb", b"a\x7f",
         b"\x18a", b"a\xc2\x9bb", b"a\xe2\x80\xaeb", b"a;b", b"a%41", b"a\"b", b"a(b", b"a:3", b"\xff"]
LINES = [b"%s:3:4: x\n", b"(%s:3:4)\n", b"%s(3,4): x\n", b'  File "%s", line 3\n',
         b"--- a/%s\n+++ b/%s\n@@ -1 +2 @@\n", b"file://%s:3:4\n",
         b"\x1b\n%s:3:4\n", b"\x1b[1\n%s:3:4\n"]


@pytest.mark.parametrize("name", NAMES)
def test_hostile_names_of_files(tmp_path, name):
    """Nothing is changed but for whole links, each to one URL without controls."""
    with open(bytes(tmp_path.resolve()) + b"/" + name, "w"):
        pass
    for line in LINES:
        for path in (name, bytes(tmp_path.resolve()) + b"/" + name):
            text = line.replace(b"%s", path)
            out = linkified(text, tmp_path, "--format", "x://{path}:{line}")
            assert run("linkify", "--strip", stdin=out) == run("linkify", "--strip", stdin=text)
            ours = out.split(b"\x1b]8;;x:")[1:]
            assert all(re.match(rb"[!-~]+\x1b\\", rest) for rest in ours), out
            if re.fullmatch(rb"[!#-~]+", name) and b"File" in line:
                assert len(ours) == 1
            # A terminal displays the same, and is told of no other sequence.
            assert seq.printed_text(out) == seq.printed_text(text)
            others = [t.raw for t in seq.parse(out) if not t.raw.startswith(b"\x1b]8;")]
            assert b"".join(others) == b"".join(t.raw for t in seq.parse(text)), out


WORDS = [b'File "', b'File "a", line 1', b"a b:1) ", b"(a b:1", b"file:///%41:1:1 ", b"\x1b[",
         b"\x1b]8;;", b"\x1b]8;;x\x1b\\", b"\x1bP", b"1:", b"+++ b/", b"mailto:", b"http://a[",
         b"(", b":", b" ", b"\0", b"\xff"]


@pytest.mark.parametrize("word, options", [
    *((word, []) for word in WORDS),
    (b"a", ["--rule", "a.*b=x:\\0"]), (b"a ", ["--rule", "a[^b]*b=x:\\0"]), (b"a", ["--rule", "(a+)c|b=x:\\1"]),
])
def test_half_a_megabyte_of_anything_is_filtered_fast(folder, word, options):
    text = (word * (500_000 // len(word) + 1))[:500_000]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = linkified(text, folder, *options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    # It takes half a second where all of it is links, and ten times that with sanitizers or
    # under an emulator; quadratic time is seconds for each of eight lines.
    assert after.ru_utime - before.ru_utime < (40 if "cross" in program.path().parts else 10)
    assert run("linkify", "--strip", stdin=out) == run("linkify", "--strip", stdin=text)


class Filter:
    """A linkify that is spoken to a piece at a time."""

    def __init__(self, *options):
        self.process = subprocess.Popen(
            argv("linkify", "--when=always", *options),
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        self.printed = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for stream in (self.process.stdin, self.process.stdout):
            if stream:
                stream.close()
        self.process.wait(PATIENCE)
        self.process.stderr.close()

    def write(self, data):
        self.process.stdin.write(data)

    def wait_for(self, wanted):
        deadline = time.monotonic() + PATIENCE
        while wanted not in self.printed:
            left = deadline - time.monotonic()
            stdout = self.process.stdout
            assert left > 0 and select.select([stdout], [], [], left)[0], self.printed
            more = os.read(stdout.fileno(), 65536)
            assert more, f"it has ended after {self.printed!r}"
            self.printed += more


def test_a_line_is_printed_when_it_is_there_and_not_at_the_end():
    with Filter() as filter:
        filter.write(b"http://a\n")
        filter.wait_for(b"http://a\x1b]8;;\x1b\\\n")
        filter.write(b"second line\n")
        filter.wait_for(b"second line\n")


def test_a_prompt_without_a_newline_is_printed_too():
    with Filter() as filter:
        filter.write(b"password: ")
        filter.wait_for(b"password: ")
        filter.write(b"\nhttp://a\n")
        filter.wait_for(b"\nhttp://a\n".replace(b"http", b"\x1b]8;;http://a\x1b\\http", 1)
                        .replace(b"a\n", b"a\x1b]8;;\x1b\\\n"))


def test_a_reader_that_goes_away_ends_it_quietly():
    with Filter() as filter:
        filter.process.stdout.close()
        filter.write(b"http://a\n")
        assert filter.process.wait(PATIENCE) == -signal.SIGPIPE
        assert filter.process.stderr.read() == b""
        filter.process.stdin.close()


@pytest.mark.parametrize("words", [["link", "a:b"], ["linkify", "--when=always"]])
def test_output_that_cannot_be_written_is_a_failure(words):
    with open("/dev/full", "wb") as full:
        result = subprocess.run(
            argv(*words),
            env=environment(),
            input=b"text\n",
            stdout=full,
            stderr=subprocess.PIPE,
            start_new_session=True,
            timeout=60,
        )
    assert result.returncode == 1
    assert b"cannot write to standard output" in result.stderr
