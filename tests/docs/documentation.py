"""What the texts are compared with: the table, the pages, the programs."""

import functools
import os
import re
import subprocess
from collections import namedtuple
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
VIATTY = os.environ.get("VIATTY") or str(REPOSITORY / "viatty")
GENERATOR = os.environ.get("VIATTY_GENERATOR") or str(
    REPOSITORY / "build" / "generator"
)

Command = namedtuple("Command", "name operands summary")
Option = namedtuple("Option", "command letter long argument")
Example = namedtuple("Example", "of line purpose")


def output_of(*argv, **how):
    """What a program prints; it must end well and say nothing on standard error."""
    result = subprocess.run(argv, capture_output=True, text=True, timeout=60, **how)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def release():
    """The number in the version, which a snapshot has in front."""
    return re.fullmatch(r"viatty (\d+\.\d+\.\d+)([~+].*)?\n", output_of(VIATTY, "--version"))[1]


def generated(page=None):
    """The page as the generator writes it, or what it prints of commands and options."""
    if not os.access(GENERATOR, os.X_OK):
        pytest.fail(f"{GENERATOR} is not there: make build/generator")
    if page is None:
        return output_of(GENERATOR, "options")
    return output_of(GENERATOR, input=page)


@functools.cache
def table():
    """Commands, options and examples as the program knows them."""
    rows = [line.split("\t") for line in generated().splitlines()]
    commands = [Command(*row) for row in rows if len(row) == 3]
    options = [Option(*row) for row in rows if len(row) == 4 and row[0] != "example"]
    examples = [Example(*row[1:]) for row in rows if row[0] == "example"]
    assert len(commands) + len(options) + len(examples) == len(rows)
    return commands, options, examples


def commands():
    return table()[0]


def options_of(command):
    """Its own options; `-` stands for those of every command."""
    return [option for option in table()[1] if option.command == command]


# The options of viatty that a command refuses, whatever its own options are.
REFUSED = {
    "paste": {"--tty", "--wrap", "--print"},
    "relay": {"--tty", "--wrap", "--print"},
    "ssh": {"--tty", "--wrap", "--print"},
    "link": {"--tty", "--wrap", "--route"},
    "doctor": {"--print", "--force"},
    "setup": {"--tty", "--wrap", "--route", "--term", "--timeout", "--no-probe", "--print",
              "--force"},
}


def refused_by(command):
    return REFUSED.get(command, set())


def examples_of(name):
    """Those of a command, of another name of the program, or of viatty itself."""
    return [example for example in table()[2] if example.of == name]


def page(name):
    path = REPOSITORY / "man" / f"{name}.1"
    assert path.is_file(), f"there is no manual page {path.name}"
    return path.read_text()


def section(text, heading):
    """The lines of a page between this heading and the next."""
    found = re.search(rf"^\.Sh {heading}\n(.*?)(?=^\.Sh |\Z)", text, re.M | re.S)
    assert found, f"there is no section {heading}"
    return found[1]


def terminals():
    """The rows of the table of terminals: name for --term -> text of the row."""
    source = (REPOSITORY / "src" / "terminal" / "terminals.def").read_text()
    rows = re.split(r'^TERMINAL\("', source, flags=re.M)[1:]
    return {row[: row.index('"')]: row for row in rows}


def further_names():
    """The further words for --term."""
    source = (REPOSITORY / "src" / "terminal" / "names.def").read_text()
    return set(re.findall(r'^NAME\("([^"]+)"', source, re.M))


def routes():
    """The words for --route."""
    source = (REPOSITORY / "src" / "route" / "plan.c").read_text()
    found = re.findall(r'^\t\[ROUTE_\w+\] = "([a-z-]+)",$', source, re.M)
    assert "auto" in found
    return set(found)
