"""What viatty-multiplexers(7) lists is what viatty goes by."""

import re

from documentation import REPOSITORY

PAGE = (REPOSITORY / "man" / "viatty-multiplexers.7").read_text().replace("\\ ", " ")


def rows():
    """The rows of the table of multiplexers: name -> text of the row."""
    source = (REPOSITORY / "src" / "terminal" / "multiplexers.def").read_text()
    found = re.split(r"^MULTIPLEXER\(", source, flags=re.M)[1:]
    return {re.search(r'\.name = "([^"]+)"', row)[1]: row for row in found}


def items(kind):
    """The names in a table of the page, each with what follows on its line."""
    table = PAGE.partition(f"table multiplexers {kind}\n")[2].partition('.\\" end')[0]
    lines = re.findall(r"^\.It Li (.*)$", table.replace("\\-", "-"), re.M)
    return {name: rest.split(" Ta ") for name, _, rest in (line.partition(" Ta ") for line in lines)}


def test_every_program_of_the_tables_is_described():
    # that of TERM=screen is one of two that are
    programs = [name for name in rows() if name != "tmux or GNU Screen"]
    assert list(items("support")) == list(items("recognition")) == programs


def test_what_passes_is_in_the_table():
    head = r"^\.It Sy Program Ta Sy copy Ta Sy paste Ta Sy notify Ta Sy link Ta Sy progress$"
    assert re.search(head, PAGE, re.M)
    assert items("support")["Zellij"] == ["yes", "off 0.45", "yes 0.45", "yes", "no"]
    assert items("support")["dtach"] == ["yes"] * 5
    assert items("support")["GNU Screen"] == ["no"] * 5


def most_text(program, field, frame):
    limit = int(re.search(rf"\.{field} = (\d+),", rows()[program])[1])
    return (limit - len(frame)) // 4 * 3


def test_the_limit_of_mosh_is_what_its_prose_says_of_a_copy():
    said = re.search(r"sends at most ([\d,]+) bytes of text", PAGE.replace("\n.Nm viatty\n", " "))
    assert most_text("mosh", "copy_max", "52;c;") == int(said[1].replace(",", ""))


def test_the_limit_of_tmux_is_what_its_prose_says_of_a_copy():
    said = re.search(r"which is ([\d,]+) bytes of text", PAGE.replace("\n", " "))
    frame = "\033]52;c;" + "\033\\"
    assert most_text("tmux", "body_max", frame) == int(said[1].replace(",", ""))
