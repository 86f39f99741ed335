"""The examples on the manual pages are run.

A line `$ command` in a literal block is a command, and what follows it up to the
next one is what it prints. Blocks marked `.\\" on a terminal` are run there, where
only their exit status counts. Lines without `$` are settings of other programs.
"""

import os
import re
import subprocess
from collections import namedtuple

import pytest

from documentation import REPOSITORY, VIATTY
from shells import Shell

Example = namedtuple("Example", "page command output needs_terminal")

BLOCK = re.compile(
    r'^(\.\\" on a terminal\n)?\.Bd -literal.*?\n(.*?)^\.Ed$', re.M | re.S
)
ROFF = {r"\e": "\\", r"\(aq": "'", r"\(dq": '"', r"\-": "-", r"\&": ""}


def plain(text):
    """What a literal line of roff looks like to the reader."""
    text = re.sub(r"\\(?:\(..|.)", lambda escape: ROFF[escape[0]], text)
    assert not re.search(r"^[.']", text, re.M), "a line that roff takes for a request"
    return text


def examples():
    for path in sorted((REPOSITORY / "man").glob("*.[17]")):
        for marked, block in BLOCK.findall(path.read_text()):
            for item in re.split(r"^\$ ", plain(block), flags=re.M)[1:]:
                command, _, output = item.partition("\n")
                yield Example(path.stem, command, output, bool(marked))


EXACT = [e for e in examples() if not e.needs_terminal]
ON_A_TERMINAL = [e for e in examples() if e.needs_terminal]


@pytest.fixture
def environment(tmp_path):
    """The program by some of its names, and a terminal with nothing around."""
    for name in ("viatty", "osc52", "xclip", "wl-copy"):
        (tmp_path / name).symlink_to(VIATTY)
    kept = ("ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS")
    return {
        **{name: os.environ[name] for name in kept if name in os.environ},
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "TERM": "xterm-256color",
        "LC_ALL": "C.UTF-8",
    }


def named(example):
    return f"{example.page}: {example.command}"


@pytest.mark.parametrize("example", EXACT, ids=named)
def test_an_example_prints_what_the_page_says(example, environment):
    result = subprocess.run(
        ["sh", "-c", example.command],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
        start_new_session=True,
    )
    assert (result.stdout, result.returncode) == (example.output, 0)


@pytest.mark.parametrize("example", ON_A_TERMINAL, ids=named)
def test_an_example_works_on_a_terminal(example, environment):
    assert example.output == ""
    with Shell(["sh", "-c", example.command], environment) as shell:
        assert shell.status() == 0


def test_the_page_of_every_command_has_an_example_with_its_output():
    pages = {path.stem for path in (REPOSITORY / "man").glob("*.1")}
    assert {e.page for e in EXACT if e.output} >= pages
