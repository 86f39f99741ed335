# SPDX-License-Identifier: MIT
"""Every version of libb64: the unit tests pass.

The distributions of CI have 1.2 only, so here are libraries that behave as its other
versions do (libb64/cencode.c). VIATTY_LIBB64 names a folder with sources of real ones,
VERSION/src/cencode.c and VERSION/include; each is then a row, too.
"""

import os
from pathlib import Path

import pytest

from building import HERE, REPOSITORY, run

STAND_IN = HERE / "libb64"
NEWER = ["-DLENGTH=size_t", "-DINPUT=void", "-include", "stddef.h"]
VERSIONS = {
    "1.2": [],
    "1.3": ["-DLINE=0"],
    "2.0": [*NEWER, "-DLINE=0"],
    "2.0 with lines": [*NEWER, "-DLINE=76"],
    "a line for each group": ["-DLINE=4"],
}


def versions():
    """Name, source and flags of each."""
    for name, flags in VERSIONS.items():
        yield pytest.param(STAND_IN / "cencode.c", [*flags, f"-I{STAND_IN}"], id=name)
    folder = Path(os.environ.get("VIATTY_LIBB64", "/nonexistent"))
    for source in sorted(folder.glob("*/src/cencode.c")):
        version = source.parents[1]
        yield pytest.param(source, [f"-I{version}/include"], id=f"real {version.name}")


@pytest.mark.parametrize("source, flags", versions())
def test_the_unit_tests_pass(tmp_path, source, flags):
    library, unit = tmp_path / "libb64.o", tmp_path / "unit"
    assert run(["cc", *flags, "-c", source, "-o", library], REPOSITORY) == ("", 0)
    files = ["tests/unit/test_base64.c", *sorted((REPOSITORY / "src/base").glob("*.c"))]
    compiler = ["cc", "-std=c11", "-D_GNU_SOURCE", "-Isrc"]
    command = [*compiler, *files, *flags, library, "-lcriterion", "-o", unit]
    assert run(command, REPOSITORY) == ("", 0)
    printed, status = run([unit, "--jobs", "1"], REPOSITORY)
    assert status == 0, printed
