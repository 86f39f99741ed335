"""The manual pages say what the table says, no more and no less."""

import os
import re
import shutil
import subprocess

import pytest

from documentation import (
    REPOSITORY,
    commands,
    options_of,
    page,
    routes,
    section,
    terminals,
)

PAGES = sorted((REPOSITORY / "man").glob("*.1"))
NAMES = [path.stem for path in PAGES]

SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "ENVIRONMENT", "EXIT STATUS"]
SECTIONS += ["EXAMPLES", "SEE ALSO", "SECURITY CONSIDERATIONS"]


def options_on(text):
    """The items of the page that are options: (letter or "", long name, argument)."""
    items = re.findall(r"^\.It (Fl .*)$", section(text, "DESCRIPTION"), re.M)
    return {_option(item) for item in items}


def _option(item):
    words = re.sub(r" (Ns|Oo|Oc|Op|=)(?= )", "", re.sub(r" Oc(?= ,)", "", item))
    letter = re.match(r"Fl (\w)\b", words)
    long = re.search(r"Fl -([a-z][a-z-]*)( Ar (\w+))?$", words)
    assert long, f"no long option in {item!r}"
    return ("-" + letter[1] if letter else "-", "--" + long[1], long[3] or "-")


def in_the_table(command):
    return {(o.letter, o.long, o.argument) for o in options_of(command)}


def test_every_command_has_a_page_and_every_page_a_command():
    assert set(NAMES) == {"viatty"} | {f"viatty-{c.name}" for c in commands()}


def test_the_options_of_each_command_are_those_on_its_page():
    for command in commands():
        on_page = options_on(page(f"viatty-{command.name}"))
        assert on_page == in_the_table(command.name), command.name


def test_the_options_of_every_command_are_those_on_the_page_of_the_program():
    assert options_on(page("viatty")) == in_the_table("-")


def test_the_page_of_the_program_lists_the_commands():
    listed = re.findall(r"^\.It Ic (\w+)$", page("viatty"), re.M)
    assert listed == [command.name for command in commands()]


def test_each_synopsis_has_the_command_and_its_operands():
    for command in commands():
        synopsis = section(page(f"viatty-{command.name}"), "SYNOPSIS")
        assert f".Cm {command.name}\n" in synopsis
        for word in re.findall(r"[A-Z]+", command.operands):
            assert re.search(rf"\bAr {word}\b", synopsis), (command.name, word)


def test_each_synopsis_has_the_options_of_the_command():
    for command in commands():
        synopsis = section(page(f"viatty-{command.name}"), "SYNOPSIS")
        letters = "".join(re.findall(r"\bFl (\w+)", synopsis))
        for option in options_of(command.name):
            named = option.letter[1:] and option.letter[1:] in letters
            assert named or f"Fl -{option.long[2:]}" in synopsis, option.long


@pytest.mark.parametrize("name", NAMES)
def test_the_sections_are_all_there_and_in_their_order(name):
    assert re.findall(r"^\.Sh (.*)$", page(name), re.M) == SECTIONS


def test_every_exit_status_is_explained():
    statuses = section(page("viatty"), "EXIT STATUS")
    assert re.findall(r"^\.It (\d)$", statuses, re.M) == list("0123456")


def test_the_variables_are_those_the_program_reads():
    source = (REPOSITORY / "src" / "cli" / "cli.c").read_text()
    read = re.findall(r'\{ "(VIATTY_\w+)", "([\w-]+)"', source)
    explained = re.findall(
        r"^\.It Ev (VIATTY_\w+)\n\.Fl -([\w-]+)$",
        section(page("viatty"), "ENVIRONMENT"),
        re.M,
    )
    assert read and explained == read


def test_the_routes_are_those_the_program_knows():
    described = re.findall(r"^\.It Cm ([a-z-]+)$", page("viatty"), re.M)
    assert {"auto", *described} == routes()


def test_the_terminals_are_those_of_the_table():
    listed = re.findall(r"^\.It Li (\S+) Ta (\w+) Ta ?(\d*)$", page("viatty"), re.M)
    assert listed == [_terminal(*item) for item in terminals().items()]


def _terminal(name, row):
    limit = re.search(r"\.copy_limit = (\d+)", row)
    copying = re.search(r"(\w+)\(COPY\)", row)[1].lower()
    return (name, copying, limit[1] if limit else "")


@pytest.mark.parametrize("name", NAMES)
def test_every_page_of_ours_that_is_referred_to_is_there(name):
    for other in re.findall(r"^\.Xr (viatty\S*) 1", page(name), re.M):
        assert other in NAMES


@pytest.mark.needs("mandoc")
@pytest.mark.parametrize("name", NAMES)
def test_mandoc_finds_nothing_to_complain_about(name):
    path = REPOSITORY / "man" / f"{name}.1"
    lint = subprocess.run(
        ["mandoc", "-T", "lint", "-W", "style", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        timeout=60,
    )
    # Which pages of others are installed is no fault of this one.
    lines = lint.stdout.splitlines()
    assert [line for line in lines if "referenced manual not found" not in line] == []


@pytest.mark.needs("man")
@pytest.mark.parametrize("name", NAMES)
def test_man_shows_the_page(name, tmp_path):
    (tmp_path / "man1").mkdir()
    shutil.copy(REPOSITORY / "man" / f"{name}.1", tmp_path / "man1")
    shown = subprocess.run(
        ["man", "-M", str(tmp_path), name],
        capture_output=True,
        env={**os.environ, "MANPAGER": "cat", "LC_ALL": "C.UTF-8"},
        timeout=60,
    )
    assert shown.returncode == 0
    assert f"{name.upper()}(1)".encode() in shown.stdout
