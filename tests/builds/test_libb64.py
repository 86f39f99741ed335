# SPDX-License-Identifier: MIT
"""Every version of libb64: the unit tests pass with what encodes correctly, and fail with the rest.

The distributions of CI have 1.2 only, so here are libraries that behave as its other
versions do (libb64/cencode.c). VIATTY_LIBB64 names a folder with sources of real ones,
VERSION/src/cencode.c and VERSION/include; each is then a row, too.
"""

import os
import re
from pathlib import Path

import pytest

from building import HERE, REPOSITORY, run

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
    "no padding": (["-DBROKEN=2"], "libb64 encodes incorrectly: 1 bytes became '[^=]*'"),
    "a crash": (["-DBROKEN=3"], "CRASH!|Unexpected signal"),
}


def versions():
    """Name, source and flags of each."""
    for name, flags in CORRECT.items():
        yield pytest.param(STAND_IN / "cencode.c", [*flags, f"-I{STAND_IN}"], id=name)
    folder = Path(os.environ.get("VIATTY_LIBB64", "/nonexistent"))
    for source in sorted(folder.glob("*/src/cencode.c")):
        version = source.parents[1]
        yield pytest.param(source, [f"-I{version}/include"], id=f"real {version.name}")


def unit_tests(folder, source, flags):
    """What the unit tests of base64 print when they are linked with it, and their status."""
    library, unit = folder / "libb64.o", folder / "unit"
    printed, status = run(["cc", *flags, "-c", source, "-o", library], REPOSITORY)
    assert status == 0, printed
    files = ["tests/unit/test_base64.c", *sorted((REPOSITORY / "src/base").glob("*.c"))]
    compiler = ["cc", "-std=c11", "-D_GNU_SOURCE", "-Isrc"]
    printed, status = run(
        [*compiler, *files, *flags, library, "-lcriterion", "-o", unit], REPOSITORY
    )
    assert status == 0, printed
    return run([unit, "--jobs", "1"], REPOSITORY)


@pytest.mark.parametrize("source, flags", versions())
def test_a_version_that_encodes_correctly_passes(tmp_path, source, flags):
    printed, status = unit_tests(tmp_path, source, flags)
    assert status == 0, printed


@pytest.mark.parametrize("name", INCORRECT)
def test_one_that_encodes_incorrectly_is_told_by_make_check(tmp_path, name):
    flags, reason = INCORRECT[name]
    printed, status = unit_tests(tmp_path, STAND_IN / "cencode.c", [*flags, f"-I{STAND_IN}"])
    assert status != 0
    assert re.search(reason, printed), printed
