"""What viatty-multiplexers(7) lists is what viatty goes by."""

import re

from documentation import REPOSITORY

PAGE = (REPOSITORY / "man" / "viatty-multiplexers.7").read_text().replace("\\ ", " ")


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


def test_every_program_of_the_tables_is_described():
    programs = set(re.findall(r"^\.It Sy ((?!Program).*)$", PAGE, re.M))
    assert {program for program, _ in cells()} < programs
    assert {"dtach", "abduco", "OpenSSH"} < programs
    assert "tmux or GNU Screen" not in programs


def test_the_limit_of_mosh_is_what_its_prose_says_of_a_copy():
    said = re.search(r"sends at most ([\d,]+) bytes of text", PAGE.replace("\n.Nm viatty\n", " "))
    limit = int(re.search(r"A copy may have (\d+) bytes", entry("mosh"))[1])
    assert limit == int(said[1].replace(",", ""))


def test_the_limit_of_tmux_is_what_its_prose_says_of_a_copy():
    said = re.search(r"which is ([\d,]+) bytes of text", PAGE.replace("\n", " "))
    limit = int(re.search(r"limit of a sequence is (\d+) bytes", entry("tmux"))[1])
    frame = len("\033]52;c;") + len("\033\\")
    assert (limit - frame) // 4 * 3 == int(said[1].replace(",", ""))
