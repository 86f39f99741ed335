# SPDX-License-Identifier: MIT
"""What the program is built with: compilers, languages, flags, other makes."""

import json
import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from building import REPOSITORY, make, run, sources

# A machine with other work takes its time to build.
pytestmark = pytest.mark.timeout(600)

HELLO = ["--print=esc", "--wrap=none", "--string", "hello"]
COPIED = "\\e]52;c;aGVsbG8=\\e\\\\\n"
WORLD = os.environ.get("VIATTY_WORLD", "/nonexistent")

# Of each: the program that it needs, and the words of make. Without -g, for speed.
ROWS = {
    "gcc, -O0, C17": ("gcc", ["CC=gcc", "CFLAGS=-O0 -std=c17"]),
    "gcc, -O3, C23, LTO": ("gcc", ["CC=gcc", "CFLAGS=-O3 -std=c2x -flto"]),
    "clang, -O2, C17": ("clang", ["CC=clang", "CFLAGS=-O2 -std=c17"]),
    "clang, -O3, C23": ("clang", ["CC=clang", "CFLAGS=-O3 -std=c2x"]),
    "another level of _FORTIFY_SOURCE": (
        "cc", ["CFLAGS=-O2", "CPPFLAGS=-D_FORTIFY_SOURCE=3"]
    ),
    "none of _FORTIFY_SOURCE": ("cc", ["CFLAGS=-O2", "CPPFLAGS=-U_FORTIFY_SOURCE"]),
    "shared libraries": ("cc", ["CFLAGS=-O1", "SHARED=1"]),
    "musl": ("musl-gcc", ["CC=musl-gcc", "CFLAGS=-Os"]),
}
# Debian's newer compilers, in the root directories that are there.
NEWER = {
    "gcc, C23": ["CC=gcc", "CFLAGS=-O2 -std=c23"],
    "gcc, -O3, LTO": ["CC=gcc", "CFLAGS=-O3 -flto"],
    "clang, C23": ["CC=clang", "CFLAGS=-O2 -std=c23"],
}


def works(program):
    """As a copy, whichever of the two names it has."""
    words = ["copy"] if program.name == "viatty" else []
    assert run([program, *words, *HELLO], REPOSITORY) == (COPIED, 0)


@pytest.mark.parametrize(
    "words", [pytest.param(words, id=name, marks=pytest.mark.needs(needed))
              for name, (needed, words) in ROWS.items()]
)
def test_builds_without_a_warning(tmp_path, words):
    make(REPOSITORY, *words, "WERROR=1", f"BUILD={tmp_path}/build")
    works(tmp_path / "build/viatty")


@pytest.mark.needs("tcc")
def test_builds_with_tcc(tmp_path):
    """Its own warnings, of ends that no switch reaches, are not turned into errors."""
    make(REPOSITORY, "CC=tcc", f"BUILD={tmp_path}/build")
    works(tmp_path / "build/viatty")


def static(folder, *words):
    make(REPOSITORY, "static", "CFLAGS=-O1", f"BUILD={folder}", *words)
    works(folder / "static/viatty")
    return (folder / "static/viatty").read_bytes()


# The library of glibc reads this variable when a program starts.
OF_GLIBC = b"GLIBC_TUNABLES"


@pytest.mark.needs("clang")
def test_the_compiler_of_the_static_program_can_be_chosen(tmp_path):
    program = static(tmp_path / "build", "CC=clang", "WERROR=1")
    assert b"clang version" in program and OF_GLIBC in program


@pytest.mark.needs("musl-gcc")
def test_the_static_program_is_built_for_musl_when_none_is_chosen(tmp_path):
    assert OF_GLIBC not in static(tmp_path / "build", "WERROR=1")


@pytest.mark.needs("bmake")
def test_another_make_says_what_to_do(tmp_path):
    printed, status = run(["bmake"], REPOSITORY)
    assert status != 0
    assert printed.splitlines()[0].endswith("viatty is built with GNU make: run gmake")
    assert len(printed.splitlines()) <= 2


# ---- what is missing ---------------------------------------------------------------

NO_UNIBILIUM = """#!/bin/sh
case $* in
*-print-file-name=libunibilium.a*) echo libunibilium.a ;;
*-lunibilium*) echo 'cannot find -lunibilium' >&2; exit 1 ;;
*) exec cc "$@" ;;
esac
"""


def test_without_the_archive_of_unibilium_shared_libraries_are_linked(tmp_path):
    compiler = tmp_path / "compiler"
    compiler.write_text(NO_UNIBILIUM)
    compiler.chmod(0o755)
    make(REPOSITORY, f"CC={compiler}", f"BUILD={tmp_path}/build")
    works(tmp_path / "build/viatty")
    assert "libtermkey.so" in run(["ldd", tmp_path / "build/viatty"], REPOSITORY)[0]


def path_without(folder, program):
    """A PATH with all that is in ours, but for this program."""
    folder.mkdir()
    for place in os.environ["PATH"].split(":"):
        for file in Path(place).glob("*"):
            if file.name != program and not (folder / file.name).exists():
                (folder / file.name).symlink_to(file)
    return str(folder)


def test_without_musl_a_line_says_what_is_linked_instead(tmp_path):
    printed = make(REPOSITORY, "-s", "static", f"BUILD={tmp_path}/build", "CFLAGS=-O1",
                   PATH=path_without(tmp_path / "bin", "musl-gcc"))
    first, *others = printed.splitlines()
    assert first == ("musl-gcc is not installed: linking glibc, for a larger and slower program; "
                     "Debian has it in musl-tools")
    assert [line for line in others if line[:6] not in ("  CC  ", "  GEN ", "  LINK")] == []
    works(tmp_path / "build/static/viatty")


def test_checks_without_their_packages_say_what_installs_them(tmp_path):
    path = path_without(tmp_path / "bin", "python3")
    for target, deps in {"check-replay": "deps-check", "lint": "deps-lint"}.items():
        printed = make(REPOSITORY, "-s", target, "--old-file=replay", status=2, PATH=path)
        assert re.fullmatch(r"Makefile:\d+: \*\*\* python3 is not installed: run make "
                            rf"{deps}\.  Stop\.\n", printed)
    printed = make(REPOSITORY, "-s", "unit", f"BUILD={tmp_path}", "CPPFLAGS=-nostdinc", status=2)
    assert printed.splitlines()[0] == "Criterion is not installed: run make deps-check"


def test_the_commands_of_compile_commands_compile(tmp_path):
    folder = sources(tmp_path / "sources")
    make(folder, "compile_commands.json")
    commands = {entry["file"]: entry
                for entry in json.loads((folder / "compile_commands.json").read_text())}
    assert set(commands) == {str(path.relative_to(folder)) for path in folder.rglob("*.c")
                             if path.relative_to(folder).parts[1] not in ("static", "builds")}
    for name in ("src/main.c", "src/tty/tty.c", "tests/bench/measure.c"):
        words = [*shlex.split(commands[name]["command"]), "-o", tmp_path / "object.o"]
        assert run(words, commands[name]["directory"]) == ("", 0)


# ---- other releases of Debian ------------------------------------------------------


def roots():
    """Those that `make world` has made, where programs can be run in them."""
    allowed = subprocess.run(
        ["unshare", "--mount", "--pid", "--ipc", "--fork", "--kill-child", "true"],
        capture_output=True, check=False,
    )
    there = [name for name in ("trixie", "sid") if os.path.isdir(f"{WORLD}/{name}/usr")]
    return there if allowed.returncode == 0 else []


def rows(suite):
    for name, words in NEWER.items():
        yield pytest.param(suite, words, id=f"{suite}: {name}")


if roots():

    @pytest.mark.parametrize("suite, words", [row for suite in roots() for row in rows(suite)])
    def test_builds_with_newer_compilers(suite, words):
        script = 'make --no-print-directory "$@" >/tmp/log 2>&1 || { cat /tmp/log; exit 1; }; '
        script += f"/tmp/build/viatty copy {' '.join(HELLO)}"
        words = [*words, "WERROR=1", "BUILD=/tmp/build"]
        printed, status = run(
            ["tests/world/enter", suite, "sh", "-c", script, "sh", *words], REPOSITORY,
            VIATTY_WORLD=WORLD,
        )
        # What it installs there comes first.
        assert status == 0 and printed.endswith(COPIED), printed[-4000:]
