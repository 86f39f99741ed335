"""What is said of terminals says nothing that real ones have shown to be wrong."""

import ast
import re
import shlex
import sys

import pytest
from documentation import REPOSITORY, VIATTY, output_of, terminals

sys.path.insert(0, str(REPOSITORY / "tests" / "terminals"))

import results  # noqa: E402

README = (REPOSITORY / "README.md").read_text()
QUIRKS = (REPOSITORY / "src/terminal/quirks.def").read_text()
# With blanks that do not end a line as others.
PAGE = (REPOSITORY / "man" / "viatty-terminals.7").read_text().replace("\\ ", " ")
SEEN = results.cells(results.read())
IDS = list(dict.fromkeys(row[0] for row in results.read()))
TABLES = ("Debian 12", "Debian 13", "Debian sid")
# Not a program that anybody runs: README.md does not name it.
LIBRARIES = {"xtermjs"}

# Columns of the results that are in the table by the same name.
FEATURES = ("copy", "primary", "clear", "paste", "title", "link", "progress")
FEATURES += ("notify9", "notify777", "notify99")
# The table is about the current version, the results about the one that ran.
CHANGED_SINCE = {
    ("alacritty", "paste"): "0.13 has turned it off",
    ("kitty", "progress"): "0.39 has brought it",
}
# Nobody sat at the keyboard to allow it.
UNDECIDED = {("kitty", "paste")}
WORKS, FAILS = {"yes", "asks"}, {"no", "off", "clears"}


@pytest.mark.parametrize("table", ["terminals", "multiplexers"])
def test_each_row_names_its_source(table):
    text = (REPOSITORY / f"src/terminal/{table}.def").read_text()
    assert len(re.findall(r"^(TERMINAL|MULTIPLEXER)\(", text, re.M)) == text.count('\tSOURCE("')


def cells_of(row):
    """feature -> value of the current version, of a row of the table."""
    kinds = {"COLORS": "yes", "NO_COLORS": "no", "UNKNOWN_COLORS": "unknown"}
    found = re.findall(r"\b(CELL|UNKNOWN|NO|YES|OFF|ASKS|EMPTIES)\((\w+)(?:, (\w+))?", row)
    assert len(found) > 10 or any(kind in row for kind in kinds)
    words = {name: (now if kind == "CELL" else kind).lower() for kind, name, now in found}
    return {name: word.replace("empties", "clears") for name, word in words.items()}


def table_values():
    """(terminal, feature) -> the value in the table of terminals."""
    rows = {name: cells_of(row) for name, row in terminals().items()}
    return {(name, f.lower()): word for name, row in rows.items() for f, word in row.items()}


COLUMNS = {"copy": ["copy"], "paste": ["paste"], "link": ["link"], "progress": ["progress"],
           "notify": ["notify9", "notify777", "notify99"]}


def page_cells():
    """(terminal, column) -> value and version in the first table of viatty-terminals(7)."""
    table = PAGE.partition('\n.\\" table terminals support\n')[2].partition('.\\" end')[0]
    cells = {}
    for line in table.splitlines():
        terminal, *row = line.removeprefix(".It Li ").replace("\\-", "-").split(" Ta ")
        heads = ["copy", "paste", "notify", "link", "progress"]
        cells.update({(terminal, head): cell.split() for head, cell in zip(heads, row)})
    return cells


def test_the_page_has_what_people_ask_of_every_terminal():
    assert ".It Sy Terminal Ta Sy copy Ta Sy paste Ta Sy notify Ta Sy link Ta Sy progress\n" in PAGE
    values, cells = table_values(), page_cells()
    assert {name for name, _ in cells} == set(terminals())
    for (name, head), cell in cells.items():
        words = [values[name, feature] for feature in COLUMNS[head]]
        assert cell[0] == next((word for word in words if word != "no"), "no"), (name, head)


@pytest.mark.parametrize("name, column, version", [
    ("konsole", "notify", "23.04"), ("alacritty", "paste", "0.13"), ("foot", "link", None)])
def test_the_page_says_since_when(name, column, version):
    assert (page_cells()[name, column] + [None])[1] == version


@pytest.mark.parametrize("name", ["terminals", "multiplexers"])
def test_no_cell_is_wider_than_its_column(name):
    page = (REPOSITORY / "man" / f"viatty-{name}.7").read_text()
    widths, rows = re.search(r'^\.Bl -column (.*)\n\.It Sy .*\n\.\\" table \w+ support\n(.*?)\n\.\\"',
                             page, re.M | re.S).groups()
    widths = [len(word) for word in shlex.split(widths)]
    for row in rows.splitlines():
        cells = row.removeprefix(".It Li ").replace("\\", "").split(" Ta ")
        assert all(len(cell) <= width for cell, width in zip(cells, widths)), row


def test_the_page_says_how_each_terminal_is_recognized():
    part = PAGE.partition("table terminals recognition\n")[2].partition('.\\" end')[0]
    entries = dict(re.findall(r"^\.It Li (\S+)\n(.*?)\n(?=\.It|\Z)", part.replace("\\-", "-"), re.M | re.S))
    assert list(entries) == list(terminals())
    assert entries["termius"] == "nothing"
    assert entries["foot"].split(" ,\n") == [
        ".Li TERM=foot", ".No XTVERSION Li foot", ".No DA3 Li 464f4f54",
        ".No process Li foot", ".No process Li footclient"]
    assert entries["mintty"].split(" ,\n") == [
        ".Li TERM_PROGRAM=mintty", ".No XTVERSION Li mintty", ".No DA2 Li 77;\\&",
        ".No process Li mintty"]
    assert entries["zutty"].split(" ,\n") == [
        ".Ev ZUTTY_VERSION", ".No DA2 Li 64;0;0", ".No process Li zutty"]


def settings():
    """The settings of the table, by the names of those that have them."""
    text = (REPOSITORY / "src" / "terminal" / "settings.def").read_text()
    for name, value in re.findall(r"^#define (\w+) (.*)$", text, re.M):
        text = re.sub(rf"\b{name}\)", lambda _: value + ")", text)
    for name, strings in re.findall(r'^SETTING\("([^"]+)", \w+,\s+(.*?)\)$', text, re.M | re.S):
        yield name, "".join(ast.literal_eval(s) for s in re.findall(r'"(?:\\.|[^"\\])*"', strings))


def as_read(name):
    """A page as somebody reads it, without where its lines end."""
    text = (REPOSITORY / "man" / f"viatty-{name}.7").read_text()
    text = re.sub(r"^\.Li ", "", text, flags=re.M).replace("\\&", "")
    return text.replace("\\-", "-").replace("\\(dq", '"').replace("\n", " ")


def test_the_pages_have_every_setting():
    pages = {True: as_read("terminals"), False: as_read("multiplexers")}
    assert len(list(settings())) > 20
    for name, setting in settings():
        assert setting in pages[name in terminals()], name


def test_the_table_has_every_terminal_and_feature_of_the_results():
    assert {(name, feature) for name in IDS for feature in FEATURES} <= set(table_values())
    assert set(IDS) <= set(terminals())
    offered = output_of(VIATTY, "__complete", "bash", "viatty", "--term", "")
    assert set(IDS) <= set(offered.splitlines())


SHIPPED = [
    (name, feature, outcome)
    for (name, settings, place, feature), outcome in SEEN.items()
    if settings == "as shipped" and place == "alone" and feature in FEATURES
]


@pytest.mark.parametrize("name, feature, outcome", SHIPPED)
def test_the_table_agrees_with_what_was_seen_as_shipped(name, feature, outcome):
    if (name, feature) in CHANGED_SINCE or (name, feature) in UNDECIDED:
        return
    said = table_values()[name, feature]
    assert said in (WORKS if outcome == "works" else FAILS)


def test_what_is_excused_is_still_otherwise():
    """An excuse that is none any more would hide the next difference."""
    for name, feature in [*CHANGED_SINCE, *UNDECIDED]:
        works = SEEN[name, "as shipped", "alone", feature] == "works"
        assert (table_values()[name, feature] in WORKS) != works, (name, feature)


def test_what_is_off_works_with_the_setting_on_the_page():
    """makes.py takes the settings of those that have one from the same table."""
    allowed = {"copy": "copying allowed", "paste": "reading allowed"}
    tried = [
        (name, feature)
        for name in IDS
        for feature, settings in allowed.items()
        if table_values()[name, feature] in ("off", "asks")
        and (name, settings, "alone", feature) in SEEN
    ]
    for name, feature in tried:
        assert SEEN[name, allowed[feature], "alone", feature] == "works", name
    assert {("xterm", "copy"), ("xterm", "paste"), ("mlterm", "copy")} <= set(tried)


def text_max(limit):
    """The text that fits into a limit, which counts from the 52."""
    return (int(limit) - len("52;c;")) // 4 * 3


def copy_max(name):
    return text_max(re.search(r"\.copy_limit = (\d+),", terminals()[name])[1])


def test_the_limits_on_the_page_are_those_of_the_table():
    text = as_read("terminals")
    for name in ("contour", "wave", "xterm"):
        assert re.search(rf"\b{name} to {copy_max(name):,}\b", text), name
    doubted = re.search(r'QUIRK\("xterm", LARGE_COPY, "", "", (\d+),', QUIRKS)[1]
    assert f"or to {text_max(doubted):,} if" in text


def test_the_limit_of_the_table_is_the_one_that_was_seen():
    largest = SEEN["xterm", "reading allowed", "alone", "largest"]
    assert copy_max("xterm") == int(largest.replace(",", ""))


# ---- README.md ----------------------------------------------------------------

NAMES = {name: re.search(r'\.name = "(?:the )?([^"]+)"', row)[1]
         for name, row in terminals().items()}


WORDS = {"copy": {"yes": "yes", "off": "with a setting", "no": "no"},
         "paste": {"yes": "yes", "asks": "asks you", "off": "with a setting"},
         "notify": {"yes": "yes", "off": "with a setting", "no": "no", "unknown": "no"}}


def rows_of_readme():
    """The cells of the table of terminals, without marks."""
    table = README.partition("\n| Terminals |")[2].partition("\n\n")[0]
    for line in table.splitlines()[2:]:
        first, *cells = line.strip("| ").split(" | ")
        yield first.replace(" and others with VTE", "").replace("**", "").split(", "), cells


def test_the_readme_says_of_each_terminal_what_the_page_says():
    cells, said = table_values(), {n: row for names, row in rows_of_readme() for n in names}
    known = {i: name for i, name in NAMES.items() if cells[i, "copy"] != "unknown"}
    assert sorted(said) == sorted(known.values()), "README.md, the table of terminals"
    for i, name in known.items():
        after_ssh, after_ours, pastes, notifies = said[name]
        assert after_ssh == WORDS["copy"][cells[i, "copy"]], name
        assert pastes == WORDS["paste"].get(cells[i, "paste"], "by its key"), name
        # a tool is run where the process of the terminal is found
        tool = ["by a desktop tool"] * (f'QUIRK("{i}", NO_RELAY' not in QUIRKS)
        assert after_ours in [after_ssh, *tool], name
        best = next((cells[i, f] for f in COLUMNS["notify"] if cells[i, f] != "no"), "no")
        assert notifies in [WORDS["notify"][best], *(tool if best == "no" else [])], name


def test_those_that_were_tested_are_bold():
    ran = {row[0] for table in TABLES for row in results.read(table)} - LIBRARIES
    table = README.partition("\n| Terminals |")[2].partition("\n\n")[0]
    assert set(re.findall(r"\*\*(.+?)\*\*", table)) == {NAMES[name] for name in ran}
    assert "those in bold were [tested](tests/terminals/RESULTS.md)" in README


PASTE = (REPOSITORY / "man" / "viatty-paste.1").read_text()


def test_who_tells_the_clipboard_is_said_as_on_the_page():
    words = r"\.It ([^.]+) Reply with .*\.It ([^.]+) Ask the .*\.It ([^.]+) Need a setting\."
    told = re.search(words, PASTE.replace("\n", " "))
    for names, word in zip(told.groups(), ("yes", "asks", "off")):
        said = set(re.split(r", | and ", names))
        rows = [name for (name, f), w in table_values().items() if (f, w) == ("paste", word)]
        assert said == {NAMES[n] for n in rows}, "man/viatty-paste.1"


# ---- when rows were compared ---------------------------------------------------

COMPARED = re.findall(
    r"^\| (\S+) \| (.+) \| (\d{4}-\d\d-\d\d) \| (run|NOT RUN) \|$",
    (REPOSITORY / "tests" / "terminals" / "COMPARED.md").read_text(), re.M)
# In tests/real, and VS Code in test_vscode.py.
RUN_ELSEWHERE = {
    "tmux", "screen", "mosh", "vim", "nvim", "emacs", "dtach", "sshd", "vscode-browser"}


def test_each_row_is_listed_with_the_version_that_it_was_compared_with():
    """A row whose SOURCE is changed is compared anew, and its date with it."""
    folder = REPOSITORY / "src" / "terminal"
    text = "".join((folder / name).read_text() for name in ("terminals.def", "multiplexers.def"))
    rows = re.findall(r'^(?:TERMINAL|MULTIPLEXER)\("([^"]+)",.*?SOURCE\("([^":]*)', text, re.M | re.S)
    # The row of TERM=screen is that of the two.
    assert [row[:2] for row in COMPARED] == [row for row in rows if " " not in row[0]], \
        "tests/terminals/COMPARED.md"


def test_vs_code_is_run_in_the_version_that_its_row_is_about():
    version = re.search(r"^code_server=code-server@(\S+)", (REPOSITORY / ".ci/deps").read_text(), re.M)
    (row,) = [row for row in COMPARED if row[0] == "vscode-browser"]
    assert f"code-server {version[1]} " in row[1]


def test_what_is_called_run_is_run():
    ran = {row[0] for row in COMPARED if row[3] == "run"}
    tables = [results.read(name) for name in TABLES]
    assert all(tables)
    assert ran == {row[0] for table in tables for row in table} | RUN_ELSEWHERE
