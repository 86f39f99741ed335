"""What is said of terminals says nothing that real ones have shown to be wrong."""

import re
import sys

import pytest
from documentation import REPOSITORY, VIATTY, output_of, terminals

sys.path.insert(0, str(REPOSITORY / "tests" / "terminals"))

import results  # noqa: E402

README = (REPOSITORY / "README.md").read_text()
# With blanks that do not end a line as others.
PAGE = (REPOSITORY / "man" / "viatty-terminals.7").read_text().replace("\\ ", " ")
SEEN = results.cells(results.read())
IDS = list(dict.fromkeys(row[0] for row in results.read()))
TABLES = ("Debian 12", "Debian 13", "Debian sid")
# Not a program that anybody runs: README.md does not name it.
LIBRARIES = {"xtermjs"}

# Column of the results that are in the page's tables by the same name.
FEATURES = ("copy", "primary", "clear", "paste", "title", "link", "progress")
FEATURES += ("notify9", "notify777", "notify99")
IN_RESULTS = {"OSC 9": "notify9", "OSC 777": "notify777", "OSC 99": "notify99"}
# The page is about the current version, the results about the one that ran.
CHANGED_SINCE = {
    ("alacritty", "paste"): "0.13 has turned it off",
    ("foot", "notify99"): "1.18 has brought it",
    ("kitty", "progress"): "0.39 has brought it",
}
# Nobody sat at the keyboard to allow it.
UNDECIDED = {("kitty", "paste")}
WORKS, FAILS = {"yes", "asks"}, {"no", "off", "clears"}


@pytest.mark.parametrize("table", ["terminals", "multiplexers"])
def test_each_row_names_its_source(table):
    text = (REPOSITORY / f"src/terminal/{table}.def").read_text()
    assert len(re.findall(r"^(TERMINAL|MULTIPLEXER)\(", text, re.M)) == text.count('\tSOURCE("')


def page_cells():
    """(terminal, feature) -> value and version in the tables of viatty-terminals(7)."""
    # a terminal without a row has none of the features
    blocks = re.findall(r'^\.\\" table features.*?\n(.*?)^\.\\" end$', PAGE, re.M | re.S)
    features = [name for block in blocks for name in re.findall(r"^\.It Cm (.*)$", block, re.M)]
    cells = {(terminal, name): ["no"] for terminal in terminals() for name in features}
    for table in re.findall(r"^\.Bl -column .*?\n(.*?)^\.El$", PAGE, re.M | re.S):
        lines = [line.split(" Ta ") for line in table.splitlines()]
        names = [name.removeprefix("Sy ") for name in lines[0][1:]]
        for line in lines[1:]:
            terminal = line[0].removeprefix(".It Li ")
            cells.update({(terminal, n): cell.split() or [""] for n, cell in zip(names, line[1:])})
    return {(terminal, IN_RESULTS.get(f, f)): cell for (terminal, f), cell in cells.items()}


def page_values():
    """(terminal, feature) -> the value alone."""
    return {key: cell[0] for key, cell in page_cells().items()}


@pytest.mark.parametrize(
    "name, feature, version",
    [
        ("konsole", "copy", "24.12"),
        ("vte", "progress", "0.80"),
        ("kitty", "progress", "0.39"),
        ("alacritty", "paste", "0.13"),
        ("foot", "title", None),
    ],
)
def test_the_page_says_since_when(name, feature, version):
    assert (page_cells()[name, feature] + [None])[1] == version


def test_the_page_says_what_was_otherwise_before():
    assert ".It Li alacritty" in PAGE
    assert "Before version 0.13,\n.Cm paste\nwas yes.\n" in PAGE


def test_the_page_says_which_bytes_are_stored():
    assert re.search(r"^\.It Li foot Ta up to NUL Ta$", PAGE, re.M)
    assert re.search(r"^\.It Li kitty Ta any Ta UTF-8 before 0\.27$", PAGE, re.M)
    assert re.search(r"^\.It Li zutty Ta unknown Ta$", PAGE, re.M)
    assert not re.search(r"^\.It Li linux Ta \w+ Ta$", PAGE, re.M)


def test_the_page_names_every_terminal():
    assert set(terminals()) <= set(re.findall(r"^\.(?:It Li|Cm) (\S+)", PAGE, re.M))


def test_the_page_has_every_terminal_and_feature_of_the_results():
    assert {(name, feature) for name in IDS for feature in FEATURES} <= set(page_values())
    assert set(IDS) <= set(terminals())
    offered = output_of(VIATTY, "__complete", "bash", "viatty", "--term", "")
    assert set(IDS) <= set(offered.splitlines())


SHIPPED = [
    (name, feature, outcome)
    for (name, settings, place, feature), outcome in SEEN.items()
    if settings == "as shipped" and place == "alone" and feature in FEATURES
]


@pytest.mark.parametrize("name, feature, outcome", SHIPPED)
def test_the_page_agrees_with_what_was_seen_as_shipped(name, feature, outcome):
    if (name, feature) in CHANGED_SINCE or (name, feature) in UNDECIDED:
        return
    said = page_values()[name, feature]
    assert said in (WORKS if outcome == "works" else FAILS)


def test_what_is_excused_is_still_otherwise():
    """An excuse that is none any more would hide the next difference."""
    for name, feature in [*CHANGED_SINCE, *UNDECIDED]:
        works = SEEN[name, "as shipped", "alone", feature] == "works"
        assert (page_values()[name, feature] in WORKS) != works, (name, feature)


def test_what_is_off_works_with_the_setting_on_the_page():
    """makes.py takes the settings of those that have one from the same table."""
    allowed = {"copy": "copying allowed", "paste": "reading allowed"}
    tried = [
        (name, feature)
        for name in IDS
        for feature, settings in allowed.items()
        if page_values()[name, feature] in ("off", "asks")
        and (name, settings, "alone", feature) in SEEN
    ]
    for name, feature in tried:
        assert SEEN[name, allowed[feature], "alone", feature] == "works", name
    assert {("xterm", "copy"), ("xterm", "paste"), ("mlterm", "copy")} <= set(tried)


def test_the_limit_on_the_page_is_the_one_that_was_seen():
    limit = re.search(r"^\.It Li xterm Pq.*\nA copy may have (\d+) bytes", PAGE, re.M)
    largest = SEEN["xterm", "reading allowed", "alone", "largest"]
    assert int(limit[1]) == int(largest.replace(",", ""))


# ---- README.md ----------------------------------------------------------------

NAMES = {name: re.search(r'\.name = "([^"]+)"', row)[1] for name, row in terminals().items()}


def listed(row):
    """The terminals in this row of the table about copying."""
    cell = re.search(rf"^\| {row} \| (.*) \|$", README, re.M)[1]
    return set(cell.replace(" and others with VTE", "").replace("**", "").split(", "))


@pytest.mark.parametrize("row, word", [
    ("works", "yes"), ("needs a setting, which viatty names", "off"), ("is not possible", "no"),
])
def test_who_can_copy_is_said_as_on_the_page(row, word):
    cells = page_values()
    rows = {NAMES[name] for name in NAMES if cells[name, "copy"] == word}
    assert listed(row) == rows, f"README.md, the table of copying, row \"{row}\""


def test_those_that_were_tested_are_bold():
    ran = {row[0] for table in TABLES for row in results.read(table)} - LIBRARIES
    assert set(re.findall(r"\*\*(.+?)\*\*", part_of_readme())) == {NAMES[name] for name in ran}
    assert "those in bold were\n[tested](tests/terminals/RESULTS.md)" in README


def part_of_readme():
    """The table about copying."""
    return README.partition("\n| Copying |")[2].partition("\n\n")[0]


PASTE = (REPOSITORY / "man" / "viatty-paste.1").read_text()


@pytest.mark.parametrize("text, words", [
    (README, r"For pasting, ([^.]+) reply by default; ([^;]+) ask you first; ([^;]+) need a setting;"),
    (PASTE, r"\.It ([^.]+) Reply with .*\.It ([^.]+) Ask the .*\.It ([^.]+) Need a setting\."),
], ids=["README", "viatty-paste"])
def test_who_tells_the_clipboard_is_said_as_on_the_page(text, words):
    told = re.search(words, text.replace("\n", " "))
    for names, word in zip(told.groups(), ("yes", "asks", "off")):
        said = set(re.split(r", | and ", names))
        rows = [name for (name, f), w in page_values().items() if (f, w) == ("paste", word)]
        assert said == {NAMES[n] for n in rows}


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
