"""What viatty-multiplexers(7) lists is what viatty goes by."""

import re

import pytest
from documentation import REPOSITORY

PAGE = (REPOSITORY / "man" / "viatty-multiplexers.7").read_text()


def cells():
    """(program, feature) -> the text in the tables."""
    found = {}
    for table in re.findall(r"^\.Bl -column .*?\n(.*?)^\.El$", PAGE, re.M | re.S):
        head, *rows = [line.split(" Ta ") for line in table.splitlines()]
        names = [name.removeprefix("Sy ") for name in head[1:]]
        for row in rows:
            program = row[0].removeprefix(".It Li ")
            found.update({(program, n): cell for n, cell in zip(names, row[1:])})
    return found


def entry(program):
    """What is said of one program, on one line."""
    found = re.search(rf"^\.It Sy {program}\n(.*?)(?=^\.It Sy|^\.El)", PAGE, re.M | re.S)
    assert found, f"there is no entry of {program}"
    return found[1].replace("\n", " ")


@pytest.mark.parametrize(
    "program, feature, text",
    [
        ("tmux", "copy", "off 2.6"),
        ("tmux", "link", "off 3.4"),
        ("tmux", "notify9", "no"),
        ("GNU Screen", "copy", "no"),
        ("GNU Screen", "title", "yes"),
        ("Zellij", "copy", "yes 0.31.2"),
        ("Zellij", "notify99", "yes 0.44.1"),
        ("mosh", "copy", "yes 1.4"),
        ("mosh", "link", "no"),
        ("Vim", "copy", "no"),
    ],
)
def test_the_page_says_what_passes_and_since_when(program, feature, text):
    assert cells()[program, feature] == text


def test_every_program_of_the_tables_is_described():
    programs = set(re.findall(r"^\.It Sy ((?!Program).*)$", PAGE, re.M))
    assert {program for program, _ in cells()} < programs
    assert {"dtach", "abduco", "OpenSSH"} < programs
    assert "tmux or GNU Screen" not in programs


@pytest.mark.parametrize(
    "program, said",
    [
        ("tmux", "process tmux*, tmate*; variable TMUX, TMUX_PANE; TERM=tmux*;"),
        ("tmux", "set -g allow-passthrough on"),
        ("tmux", "To enable copy and primary: .Bd -literal -compact set -g set-clipboard on"),
        ("GNU Screen", "The limit of a string is 767 bytes."),
        ("mosh", "is 16384 bytes."),
        ("Vim", "process vim*, vi, view, gvim; variable VIM_TERMINAL."),
        ("Vim", ".Nm viatty sends nothing through it."),
    ],
)
def test_the_page_says_how_it_is_recognized_and_what_opens_it(program, said):
    assert said in entry(program)


def test_the_limit_of_mosh_is_what_its_prose_says_of_a_copy():
    said = re.search(r"sends at most ([\d,]+) bytes of text", PAGE.replace("\n.Nm viatty\n", " "))
    limit = int(re.search(r"counted from the 52, is (\d+) bytes", entry("mosh"))[1])
    assert (limit - len("52;c;")) // 4 * 3 == int(said[1].replace(",", ""))


def test_the_limit_of_tmux_is_what_its_prose_says_of_a_copy():
    said = re.search(r"which is ([\d,]+) bytes of text", PAGE.replace("\n", " "))
    limit = int(re.search(r"limit of a sequence is (\d+) bytes", entry("tmux"))[1])
    frame = len("\033]52;c;") + len("\033\\")
    assert (limit - frame) // 4 * 3 == int(said[1].replace(",", ""))
