# SPDX-License-Identifier: MIT
"""Every version of libb64: what encodes correctly is used, what does not is refused.

The distributions of CI have 1.2 only, so here are libraries that behave as its other
versions do (libb64/cencode.c). VIATTY_LIBB64 names a folder with sources of real ones,
VERSION/src/cencode.c and VERSION/include; each is then a row, too.
"""

import os
from pathlib import Path

import pytest

from building import HERE, REPOSITORY, make, run

STAND_IN = HERE / "libb64"
NEWER = ["-DLENGTH=size_t", "-DINPUT=void", "-include", "stddef.h"]
CORRECT = {
    "1.2": [],
    "1.3": ["-DLINE=0"],
    "2.0": [*NEWER, "-DLINE=0"],
    "2.0 with lines": [*NEWER, "-DLINE=76"],
    "a line for each group": ["-DLINE=4"],
    "a line for each character": ["-DLINE=1"],
}
INCORRECT = {
    "another alphabet": (["-DBROKEN=1"], "libb64 encodes incorrectly: "),
    "no padding": (["-DBROKEN=2"], "libb64 encodes incorrectly: 1 bytes became 'DQ"),
    "a crash": (["-DBROKEN=3"], "this libb64 cannot be used: "),
}


def versions():
    """Name, source and flags of each."""
    for name, flags in CORRECT.items():
        yield pytest.param(STAND_IN / "cencode.c", [*flags, f"-I{STAND_IN}"], id=name)
    folder = Path(os.environ.get("VIATTY_LIBB64", "/nonexistent"))
    for source in sorted(folder.glob("*/src/cencode.c")):
        version = source.parents[1]
        yield pytest.param(source, [f"-I{version}/include"], id=f"real {version.name}")


@pytest.fixture
def library(tmp_path):
    """Compiles one: make's words that choose it, and the compiler's."""
    def compile(source, flags):
        built = tmp_path / "libb64.o"
        printed, status = run(["cc", *flags, "-c", source, "-o", built], REPOSITORY)
        assert status == 0, printed
        chosen = [f"BUILD={tmp_path}/build", f"libb64={built}", "WERROR=1"]
        return [*chosen, f"CPPFLAGS={' '.join(flags)}"], [*flags, built]

    return compile


@pytest.mark.parametrize("source, flags", versions())
def test_a_version_that_encodes_correctly_is_used(library, tmp_path, source, flags):
    """By the build's own check, and by the unit tests of what uses the library."""
    words, with_it = library(source, flags)
    make(REPOSITORY, *words, f"{tmp_path}/build/libb64.checked")
    files = ["tests/unit/test_base64.c", "src/base/base64.c", "src/base/buf.c"]
    unit = tmp_path / "unit"
    compiler = ["cc", "-std=c11", "-D_GNU_SOURCE", "-Isrc"]
    printed, status = run(
        [*compiler, *files, *with_it, "-lcriterion", "-o", unit], REPOSITORY
    )
    assert status == 0, printed
    printed, status = run([unit, "--jobs", "1"], REPOSITORY)
    assert status == 0, printed


@pytest.mark.parametrize("name", INCORRECT)
def test_one_that_encodes_incorrectly_fails_the_build(library, tmp_path, name):
    flags, reason = INCORRECT[name]
    words, _ = library(STAND_IN / "cencode.c", [*flags, f"-I{STAND_IN}"])
    program = tmp_path / "viatty"
    printed = make(REPOSITORY, *words, f"PROGRAM={program}", status=2)
    assert reason in printed
    assert not program.exists()
