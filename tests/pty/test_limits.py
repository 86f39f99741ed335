"""What is refused because it is known not to work, and how that is said."""

import re

import pytest
from faults import arrives, fails, nothing_at

from lib import program

COPY = ("viatty", "copy")

# ESC ] and ESC \ around the body, which is "52;c;" and the base64.
FRAME, PREFIX = 4, 5


def _table():
    """id -> (name, row) of every terminal, from the program's own table."""
    path = program.REPOSITORY / "src/terminal/terminals.def"
    rows = re.findall(r'^TERMINAL\("(.*?)",(.*?)\)$', path.read_text(), re.M | re.S)
    name = lambda row: re.search(r'\.name = "(.*?)"', row).group(1)
    return {word: (name(row), row) for word, row in rows}


TERMINALS = _table()
LIMITS = {
    word: int(re.search(r"\.copy_limit = (\d+)", row).group(1))
    for word, (_, row) in TERMINALS.items()
    if ".copy_limit" in row
}
LIMITED = [word for word, limit in LIMITS.items() if limit < 5_000_000]


def without(feature):
    return [word for word, (_, row) in TERMINALS.items() if f"NO({feature})" in row]


def largest(word):
    """The bytes whose base64 just fits."""
    return (LIMITS[word] - PREFIX) // 4 * 3


def test_the_table_was_read():
    assert LIMITS["xterm"] == 600_000
    assert "vte" in without("COPY") and "xterm" not in without("COPY")
    assert largest("xterm") == 449_994


@pytest.mark.parametrize("word", LIMITED)
def test_the_largest_copy_a_terminal_takes_is_sent(shell, word):
    data = b"x" * largest(word)
    outcome = shell.run([*COPY, "--term", word], stdin=data)
    arrives(outcome, shell.terminal, data)


@pytest.mark.parametrize("word", LIMITED)
def test_one_byte_more_is_refused_with_limit_name_and_way_out(shell, word):
    data = b"x" * (largest(word) + 1)
    outcome = shell.run([*COPY, "--term", word], stdin=data)
    fails(outcome, 4, [TERMINALS[word][0], "too large", "hint: ", "--force"])
    numbers = [int(number) for number in re.findall(r"\d+", outcome.said)]
    assert {LIMITS[word], LIMITS[word] + FRAME} & set(numbers), outcome.said
    nothing_at(shell.terminal)


@pytest.mark.parametrize("word", LIMITED)
def test_above_the_limit_force_sends_all_of_it(shell, word):
    data = b"x" * (largest(word) + 1)
    outcome = shell.run([*COPY, "--term", word, "--force"], stdin=data)
    arrives(outcome, shell.terminal, data)


def test_the_limit_is_that_of_one_sequence_not_of_all(shell):
    data = b"x" * largest("xterm")
    outcome = shell.run([*COPY, "--term=xterm", "-S", "cp"], stdin=data)
    arrives(outcome, shell.terminal, data, "cp")


@pytest.mark.parametrize("word", without("COPY"))
def test_a_terminal_that_cannot_copy_is_refused_by_name(shell, word):
    outcome = shell.run([*COPY, "--term", word], stdin=b"data")
    fails(outcome, 4, [TERMINALS[word][0], "lets no program set", "hint: ", "--term"])
    # what cannot help is not advised, and what to do instead is on one line
    assert "--force" not in outcome.said
    assert "use foot, kitty, Alacritty, Ghostty or WezTerm" in outcome.said
    nothing_at(shell.terminal)


# What people call it, and how the message names it.
NAMES = {
    "gnome-terminal": "GNOME Terminal (like every VTE terminal)",
    "ptyxis": "Ptyxis (like every VTE terminal)",
    "xfce4-terminal": "Xfce Terminal (like every VTE terminal)",
    "tilix": "Tilix (like every VTE terminal)",
    "urxvt": "rxvt-unicode",
    "pterm": "pterm",
    "cool-retro-term": "cool-retro-term",
}


@pytest.mark.parametrize("word, name", NAMES.items(), ids=NAMES)
def test_a_terminal_is_known_by_the_name_that_people_use(shell, word, name):
    outcome = shell.run([*COPY, "--term", word], stdin=b"data")
    fails(outcome, 4, f"{name} lets no program set the clipboard")
    nothing_at(shell.terminal)


@pytest.mark.parametrize("word", ["code", "codium", "yakuake", "wt"])
def test_a_further_name_is_sent_to_like_its_row(shell, word):
    arrives(shell.run([*COPY, "--term", word], stdin=b"x"), shell.terminal, b"x")


@pytest.mark.parametrize(
    "environment, name",
    [
        ({"GNOME_TERMINAL_SCREEN": "/org/gnome/Terminal/screen/0"}, "GNOME Terminal"),
        ({"PTYXIS_VERSION": "48.1"}, "Ptyxis"),
        ({"TILIX_ID": "1"}, "Tilix"),
        ({}, "GNOME Terminal"),
        ({"TILIX_ID": "1", "PTYXIS_VERSION": "48.1"}, "GNOME Terminal"),
    ],
)
def test_a_variable_tells_which_vte_terminal_it_is(shell, environment, name):
    environment = {"VTE_VERSION": "8401", **environment}
    outcome = shell.run(COPY, stdin=b"data", environment=environment)
    fails(outcome, 4, f"{name} (like every VTE terminal) lets no program")
    nothing_at(shell.terminal)


@pytest.mark.parametrize("word", without("COPY"))
def test_force_copies_even_there(shell, word):
    outcome = shell.run([*COPY, "--term", word, "-f"], stdin=b"data")
    arrives(outcome, shell.terminal, b"data")


@pytest.mark.parametrize("word", sorted(set(TERMINALS) - set(without("COPY"))))
def test_any_other_terminal_is_sent_to(shell, word):
    outcome = shell.run([*COPY, "--term", word], stdin=b"data")
    arrives(outcome, shell.terminal, b"data")


def _lacking(feature):
    return sorted(set(without(feature)) - set(without("COPY")))


@pytest.mark.parametrize("word", _lacking("CLEAR"))
def test_where_clearing_does_nothing_a_newline_overwrites(shell, word):
    outcome = shell.run([*COPY, "--clear", "--term", word])
    arrives(outcome, shell.terminal, b"\n")
    assert outcome.said == ""


@pytest.mark.parametrize("word", _lacking("CLEAR"))
def test_verbose_says_that_a_newline_overwrites(shell, word):
    outcome = shell.run([*COPY, "--clear", "-v", "--term", word])
    assert f"{TERMINALS[word][0]} cannot clear the clipboard" in outcome.said
    assert "a newline overwrites it" in outcome.said


@pytest.mark.parametrize("word", _lacking("PRIMARY"))
def test_a_primary_selection_that_a_terminal_lacks_is_not_passed_over(shell, word):
    outcome = shell.run([*COPY, "--primary", "--term", word], stdin=b"data")
    fails(outcome, 4, naming=TERMINALS[word][0])
    nothing_at(shell.terminal)


# ---- bytes that a terminal does not store ------------------------------------------

# A terminal, what is copied, and what the message has to name; None: it arrives.
STORED = [
    ("alacritty", b"abc\xff", "byte at offset 3"),
    ("alacritty", b"abc\0d", None),
    ("alacritty", "grün".encode(), None),
    ("vscode", b"\x80", "byte at offset 0"),
    ("foot", b"abc\xff", None),
    ("foot", b"abc\0", "NUL byte, and there is one at offset 3"),
    ("st", b"\0", "offset 0"),
    ("windows-terminal", b"a\0\xff", "NUL byte, and there is one at offset 1"),
    ("windows-terminal", b"a\xff\0", "byte at offset 1"),
    ("zutty", b"\0\xff", None),
]


@pytest.mark.parametrize("word, data, why", STORED)
def test_what_a_terminal_cannot_store_is_not_sent(shell, word, data, why):
    outcome = shell.run([*COPY, "--term", word], stdin=data)
    if why is None:
        arrives(outcome, shell.terminal, data)
    else:
        fails(outcome, 4, [TERMINALS[word][0], why, "hint: ", "--force"])
        nothing_at(shell.terminal)


@pytest.mark.parametrize("word, data, why", [row for row in STORED if row[2]])
def test_force_sends_it_as_it_is(shell, word, data, why):
    outcome = shell.run([*COPY, "--term", word, "--force"], stdin=data)
    arrives(outcome, shell.terminal, data)


# ---- the terminal is known by the environment --------------------------------------

KNOWN = {
    "VTE_VERSION": ({"VTE_VERSION": "7200"}, "VTE"),
    "VTE_VERSION without TERM": ({"VTE_VERSION": "7200", "TERM": None}, "VTE"),
    "TERM=linux": ({"TERM": "linux"}, "Linux console"),
    "TERM=putty-256color": ({"TERM": "putty-256color"}, "PuTTY"),
    "TERM=rxvt-unicode": ({"TERM": "rxvt-unicode-256color"}, "rxvt-unicode"),
    "COLORTERM": ({"COLORTERM": "rxvt-xpm"}, "rxvt-unicode"),
}


@pytest.mark.parametrize("environment, name", KNOWN.values(), ids=KNOWN)
def test_a_terminal_known_by_its_environment_is_refused(shell, environment, name):
    outcome = shell.run(COPY, stdin=b"data", environment=environment)
    fails(outcome, 4, [name, "hint: ", "--term"])
    nothing_at(shell.terminal)


@pytest.mark.parametrize("option", ["--force", "--term=xterm"])
@pytest.mark.parametrize("environment, name", KNOWN.values(), ids=KNOWN)
def test_the_person_knows_better(shell, environment, name, option):
    outcome = shell.run([*COPY, option], stdin=b"data", environment=environment)
    arrives(outcome, shell.terminal, b"data")


@pytest.mark.parametrize(
    "environment",
    [
        {"VTE_VERSION": "7200", "KITTY_WINDOW_ID": "1"},
        {"VTE_VERSION": "7200", "TERM": "foot"},
        {"VTE_VERSION": "7200", "TERM_PROGRAM": "nobody knows it"},
        {"VTE_VERSION": ""},
        {"TERM_PROGRAM": "WezTerm", "TERM": "xterm-kitty"},
    ],
)
def test_an_ambiguous_environment_is_no_reason_to_refuse(shell, environment):
    outcome = shell.run(COPY, stdin=b"data", environment=environment)
    arrives(outcome, shell.terminal, b"data")


def test_the_limit_of_a_terminal_known_by_its_environment_holds(shell):
    environment = {"XTERM_VERSION": "XTerm(379)", "TERM": "xterm"}
    data = b"x" * (largest("xterm") + 1)
    outcome = shell.run(COPY, stdin=data, environment=environment)
    fails(outcome, 4, ["xterm", "--force"])
    nothing_at(shell.terminal)


def test_a_dumb_terminal_is_refused(shell):
    outcome = shell.run(COPY, stdin=b"data", environment={"TERM": "dumb"})
    fails(outcome, 4, ["TERM=dumb", "hint: ", "--term", "--force"])
    nothing_at(shell.terminal)


@pytest.mark.parametrize("option", ["--force", "--term=xterm"])
def test_a_dumb_terminal_may_be_another_one(shell, option):
    environment = {"TERM": "dumb"}
    outcome = shell.run([*COPY, option], stdin=b"data", environment=environment)
    arrives(outcome, shell.terminal, b"data")


@pytest.mark.parametrize(
    "term", [None, "", "xterm", "no-such-terminal", "x" * 10240, "\x1b]0;x\x07"]
)
def test_whatever_else_term_is_the_copy_arrives(shell, term):
    outcome = shell.run(COPY, stdin=b"data", environment={"TERM": term})
    arrives(outcome, shell.terminal, b"data")
