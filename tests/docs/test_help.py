"""What --help prints, of the program and of each command."""

import re

import pytest

from documentation import VIATTY, commands, output_of, options_of


def helps():
    """The command lines that print help, and the tables that each has to show."""
    yield [], ["-"]
    for command in commands():
        yield [command.name], [command.name, "-"]


def listed(text):
    """The options at the beginning of lines: (letter or -, long)."""
    found = re.findall(r"^  (?:(-\w), |    )(--[a-z-]+)", text, re.M)
    return sorted((letter or "-", long) for letter, long in found)


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_lists_exactly_the_options_there_are(option):
    for arguments, tables in helps():
        wanted = [(o.letter, o.long) for t in tables for o in options_of(t)]
        text = output_of(VIATTY, *arguments, option)
        assert listed(text) == sorted(wanted), arguments


def test_help_of_the_program_lists_the_commands():
    text = output_of(VIATTY, "--help")
    listed_commands = re.findall(r"^  (\w+) +(.*)$", text, re.M)
    assert listed_commands == [(c.name, c.summary) for c in commands()]


def test_help_of_a_command_shows_its_operands_and_its_page():
    for command in commands():
        text = output_of(VIATTY, command.name, "--help")
        assert text.startswith(f"usage: viatty {command.name} [OPTIONS]")
        assert command.operands == "-" or command.operands in text
        assert f"viatty-{command.name}(1)" in text


def test_help_works_without_a_terminal_and_wherever_the_option_stands():
    for command in commands():
        alone = output_of(VIATTY, command.name, "--help", start_new_session=True)
        mixed = output_of(VIATTY, "-q", command.name, "-v", "--help", "an operand")
        assert alone == mixed


def test_help_under_the_other_name_is_that_of_copy(tmp_path):
    other = tmp_path / "osc52"
    other.symlink_to(VIATTY)
    text = output_of(str(other), "--help")
    assert text.startswith("usage: osc52 [OPTIONS] [FILE...]\n")
    assert listed(text) == listed(output_of(VIATTY, "copy", "--help"))


def test_the_version_is_one_line():
    assert re.fullmatch(r"viatty \d+\.\d+\.\d+\n", output_of(VIATTY, "--version"))
    assert output_of(VIATTY, "-V") == output_of(VIATTY, "--version")
