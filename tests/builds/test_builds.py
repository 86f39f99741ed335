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
    "small": ("cc", ["CFLAGS=-Os"]),
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


def static(folder, *words):
    """The program of `make static`, with its symbols; no linker may warn of anything."""
    make(REPOSITORY, "static", "CFLAGS=-O1", f"BUILD={folder}", "symbols=",
         "LDFLAGS=-Wl,--fatal-warnings", "WERROR=1", *words)
    works(folder / "static/viatty")
    return folder / "static/viatty"


@pytest.mark.needs("clang", "nm")
@pytest.mark.parametrize("compiler", ["cc", "clang"])
def test_the_static_program_asks_no_user_database(tmp_path, compiler):
    """A static program must not: glibc then loads modules, and their versions have to agree."""
    symbols, _ = run(["nm", static(tmp_path / "build", f"CC={compiler}")], REPOSITORY)
    names = {line.split()[-1] for line in symbols.splitlines()}
    assert {"main", "termkey_push_bytes", "base64_encode_block"} <= names
    asks = re.compile(r"_*(getpw|getgr(?!oups$)|initgroups|getaddrinfo|gethost.*by|"
                      r"iconv|nss_)")
    assert [name for name in names if asks.match(name)] == []


@pytest.mark.needs("bmake")
def test_another_make_says_what_to_do(tmp_path):
    printed, status = run(["bmake"], REPOSITORY)
    assert status != 0
    assert printed.splitlines()[0].endswith("viatty is built with GNU make: run gmake")
    assert len(printed.splitlines()) <= 2


# ---- what is missing ---------------------------------------------------------------

WITHOUT = """#!/bin/sh
case $* in
*%s*) echo 'cannot find it' >&2; exit 1 ;;
*) exec cc "$@" ;;
esac
"""


def compiler_without(folder, word):
    """A compiler that cannot do what this word asks for."""
    path = folder / "compiler"
    path.write_text(WITHOUT % word)
    path.chmod(0o755)
    return f"CC={path}"


# Debian's cross compilers for some processors lack the start file; glibc before 2.36 does not
# relocate what is packed.
@pytest.mark.parametrize("missing, linked", [
    ("-static-pie", ["-static"]),
    ("pack-relative-relocs", ["-static-pie"]),
    ("nothing", ["-static-pie", "-Wl,-z,pack-relative-relocs"]),
])
def test_the_static_program_is_linked_as_the_compiler_can(tmp_path, missing, linked):
    words = [compiler_without(tmp_path, missing), f"BUILD={tmp_path}/build"]
    command = make(REPOSITORY, *words, "-n", "V=1", "static").splitlines()[-1]
    assert [word for word in command.split() if re.search("static-|static$|pack", word)] == linked


def test_without_an_archive_the_shared_program_is_installed(tmp_path):
    words = [compiler_without(tmp_path, "-lunibilium"), f"BUILD={tmp_path}/build"]
    printed = make(REPOSITORY, *words, "static", status=2)
    assert "an archive to link statically is missing: install the one of libtermkey" in printed
    make(REPOSITORY, *words, "install", f"PREFIX={tmp_path}/usr")
    works(tmp_path / "usr/bin/viatty")
    assert "libtermkey.so" in run(["ldd", tmp_path / "usr/bin/viatty"], REPOSITORY)[0]


def test_what_is_installed_is_static_and_stripped_unless_shared(tmp_path):
    for words, linked in ([], "not a dynamic executable|statically linked"), \
            (["SHARED=1"], r"libtermkey\.so"):
        make(REPOSITORY, *words, "install", f"BUILD={tmp_path}/build", f"PREFIX={tmp_path}/usr")
        program = tmp_path / "usr/bin/viatty"
        works(program)
        assert re.search(linked, run(["ldd", program], REPOSITORY)[0])
        stripped = run(["nm", program], REPOSITORY)[0].endswith(": no symbols\n")
        assert stripped == (words == [])


def path_without(folder, program):
    """A PATH with all that is in ours, but for this program."""
    folder.mkdir()
    for place in os.environ["PATH"].split(":"):
        for file in Path(place).glob("*"):
            if file.name != program and not (folder / file.name).exists():
                (folder / file.name).symlink_to(file)
    return str(folder)


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
                             if path.relative_to(folder).parts[1] != "builds"}
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


if roots():

    @pytest.mark.parametrize("words", NEWER.values(), ids=NEWER)
    @pytest.mark.parametrize("suite", roots())
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
