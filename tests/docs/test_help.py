"""What --help prints, of the program and of each command."""

import re
import subprocess

import pytest

from documentation import (
    REFUSED,
    REPOSITORY,
    VIATTY,
    commands,
    examples_of,
    options_of,
    output_of,
    refused_by,
    release,
    table,
)

NAMES = list(dict.fromkeys(e.of for e in table()[2]))
OTHER_NAMES = [name for name in NAMES[1:] if name not in {c.name for c in commands()}]


def helps():
    """The command lines that print help, and the table that each has to show."""
    yield ["help", "options"], "-"
    for command in commands():
        yield [command.name, "--help"], command.name
        yield [command.name, "-h"], command.name


def listed(text):
    """The options at the beginning of lines: (letter or -, long)."""
    found = re.findall(r"^  (?:(-\w), |    )(--[a-z-]+)", text, re.M)
    return sorted((letter or "-", long) for letter, long in found)


def test_help_lists_exactly_the_options_there_are():
    for arguments, table_name in helps():
        wanted = [(o.letter, o.long) for o in options_of(table_name)]
        text = output_of(VIATTY, *arguments)
        assert listed(text) == sorted(wanted), arguments


# -n leaves out the newline at the end of what is copied, pasted and printed.
NO_NEWLINE = {"--trim-newline", "--no-newline"}


def test_a_letter_means_one_thing_in_every_command():
    """So it stands for one long option, which says the same about each of them."""
    meanings = {}
    for option in table()[1]:
        meanings.setdefault(option.letter, set()).add(option.long)
    assert meanings.pop("-n") == NO_NEWLINE
    del meanings["-"]
    assert {letter: longs for letter, longs in meanings.items() if len(longs) > 1} == {}


def test_every_help_fits_80_columns():
    for arguments in [[], ["help", "help"], *(a for a, _ in helps()), *(["help", n] for n in NAMES[1:])]:
        text = output_of(VIATTY, *arguments)
        assert max(map(len, text.splitlines())) <= 80, arguments


def listed_commands(text):
    """The rows of the groups: (name, summary)."""
    return re.findall(r"^(?:[A-Z][a-z]{4,8} {3,}| {12})([a-z]+)  +(.*)$", text, re.M)


def test_help_of_the_program_lists_the_commands():
    text = output_of(VIATTY, "--help")
    assert listed_commands(text) == [(c.name, c.summary) for c in commands()]


@pytest.mark.parametrize("command, pattern", [
    ("notify", r"--urgency \w+ .*\n {30}one of: low "),
    ("color", r"\nNAME may be: foreground background cursor, or 0 to 255\n"),
    ("title", r"\n       viatty title --while \[OPTIONS\] TEXT COMMAND\.\.\.\n"),
])
def test_help_lists_the_words_of_an_option_or_operand_and_each_form(command, pattern):
    assert re.search(pattern, output_of(VIATTY, command, "--help"))


def test_help_of_a_command_names_the_options_of_viatty_that_it_takes_in_a_paragraph():
    for command in commands():
        # the letters are those of ssh
        wanted = [f"{o.letter} {o.long}".removeprefix("- " if command.name != "ssh" else o.letter + " ")
                  for o in options_of("-") if o.long not in refused_by(command.name)]
        text = output_of(VIATTY, command.name, "--help")
        paragraph = re.search(r"\nGlobal options .*:\n((?:  .*\n)+)\n", text)[1]
        assert " ".join(paragraph.split()).split(", ") == wanted
        assert len(paragraph.splitlines()) <= 2


def test_help_names_the_routes_that_somebody_chooses():
    for arguments in ["help", "options"], ["help", "copy"], ["copy", "--help"]:
        text = output_of(VIATTY, *arguments)
        assert not re.search("client-tty|passthrough|load-buffer", text), arguments
    wrong = subprocess.run([VIATTY, "copy", "--route", "x"], stderr=subprocess.PIPE, text=True)
    assert "\nhint: give one of: auto, native, tmux-buffer\n" in wrong.stderr
    words = re.search(r"--route NAME .*\n +one of: (.*)\n", output_of(VIATTY, "help", "options"))
    assert words[1].split() == ["auto", "native", "tmux-buffer"]


VALUES = {"--tty": "/dev/null", "--wrap": "none", "--route": "direct", "--term": "foot",
          "--timeout": "1"}


def test_a_command_refuses_exactly_the_options_that_its_help_leaves_out():
    """At a terminal that is not there, and with an operand that most commands refuse."""
    for command in commands():
        for option in [o.long for o in options_of("-") if o.long not in ("--help", "--version")]:
            words = [option, VALUES[option]] if option in VALUES else [option]
            result = subprocess.run([VIATTY, *words, command.name, "true"], text=True, timeout=60,
                                    env={"VIATTY_TTY": "/dev/null/nowhere"}, input="",
                                    capture_output=True)
            refused = f": {option} cannot be used here: " in result.stderr
            assert refused == (option in refused_by(command.name)), (command.name, result)
            assert not refused or result.returncode == 2


def test_the_environment_may_set_what_a_command_refuses():
    for name in REFUSED:
        variables = {"VIATTY_TTY": "/dev/null/nowhere", "VIATTY_WRAP": "none"}
        result = subprocess.run([VIATTY, name, "true"], capture_output=True, text=True,
                                timeout=60, env=variables, stdin=subprocess.DEVNULL)
        assert "cannot be used here" not in result.stderr, name


@pytest.mark.parametrize("command", ["doctor", "setup"])
def test_help_lists_the_words_that_a_command_takes(command):
    unknown = subprocess.run([VIATTY, command, "?"], capture_output=True, text=True, timeout=60)
    known = re.search(r"^hint: the \w+ are (.*)$", unknown.stderr, re.M)
    known = re.split(r", | and ", known[1]) if known else [
        line.split()[0] for line in output_of(VIATTY, command).splitlines()]
    text = output_of(VIATTY, command, "--help")
    paragraph = re.search(r"\n([A-Z]+ may be: (?:.+\n)+)\n", text)[1]
    assert paragraph.split()[3:] == known


def last_examples(text):
    """The rows below the last heading: (line, purpose)."""
    rows = re.search(r"Examples.*:\n((?:  .*\n)+)(?:'viatty help.*\n)?\Z", text)[1]
    return re.findall(r"^  (\S.*?)(?:   *|\n {30})(\S.*)$", rows, re.M)


def test_every_help_ends_with_examples():
    assert len(examples_of("viatty")) == 3
    assert last_examples(output_of(VIATTY, "--help")) == [
        (e.line, e.purpose) for e in examples_of("viatty")
    ]
    assert OTHER_NAMES and {c.name for c in commands()} < set(NAMES)
    for name in NAMES[1:]:
        wanted = [(e.line, e.purpose) for e in examples_of(name)]
        assert len(wanted) == 2, name
        assert last_examples(output_of(VIATTY, "help", name)) == wanted


# ---- the first screen ----------------------------------------------------------


def test_without_arguments_the_program_shows_what_it_can_do():
    text = output_of(VIATTY)
    assert text == output_of(VIATTY, "--help")
    assert text.startswith("usage: viatty COMMAND [OPTION...]")
    # It fits a terminal as large as they have always been, with a prompt below.
    assert len(text.splitlines()) < 24
    assert "\nosc52 is short for viatty copy.\n" in text


def test_help_is_a_word_too():
    assert output_of(VIATTY, "help") == output_of(VIATTY, "--help")
    for words in (["--quiet", "help"], ["help", "help"], ["help", "--help"], ["--help", "help"]):
        assert output_of(VIATTY, *words) == output_of(VIATTY, "--help")
    for command in commands():
        assert output_of(VIATTY, "help", command.name) == output_of(VIATTY, command.name, "-h")


def test_help_knows_the_other_names(tmp_path):
    for name in ["osc52", *OTHER_NAMES]:
        (tmp_path / name).symlink_to(VIATTY)
        assert output_of(VIATTY, "help", name) == output_of(str(tmp_path / name), "--help")


# ---- of a command ----------------------------------------------------------------


def test_help_of_a_command_shows_its_operands_and_its_page():
    for command in commands():
        text = output_of(VIATTY, command.name, "--help")
        assert text.startswith(f"usage: viatty {command.name} [OPTIONS]")
        assert command.operands == "-" or command.operands in text
        assert f"viatty-{command.name}(1)" in text


def test_help_works_without_a_terminal_and_wherever_the_option_stands():
    for command in commands():
        alone = output_of(VIATTY, command.name, "--help", start_new_session=True)
        mixed = output_of(VIATTY, "-q", command.name, "--no-probe", "--help", "an operand")
        assert alone == mixed


def test_the_version_is_one_line():
    assert output_of(VIATTY, "--version").startswith(f"viatty {release()}")
    assert output_of(VIATTY, "-V") == output_of(VIATTY, "--version")


def test_the_contact_is_printed_behind_the_version():
    """The generator writes it into the texts: test_readme.py."""
    header = (REPOSITORY / "src" / "cli" / "cli.h").read_text()
    contact = re.search(r'^#define CONTACT "(.*)"$', header, re.M)[1]
    version, reports = output_of(VIATTY, "--version", "-v").splitlines()
    assert version + "\n" == output_of(VIATTY, "--version")
    assert reports == "security reports: " + (
        contact or "in private, to whoever gave you this viatty")
