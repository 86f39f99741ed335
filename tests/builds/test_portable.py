# SPDX-License-Identifier: MIT
"""make portable: what it counts as built, as failed and as skipped.

The compiler is a stand-in for zig that writes what a file for the target begins with.
"""

import os

import pytest

from building import make, run, sources

MACHO = bytes.fromhex("cffaedfe0c000001")
ELF = bytes.fromhex("7f454c4602010100") + b" %b "
ZIG = """#!/bin/sh
case $1 in version) echo 0.1; exit ;; ar) shift; touch "$2"; exit ;; esac
while [ $# -gt 0 ]; do
    case $1 in
    -dumpmachine) echo aarch64-unknown-macos; exit ;;
    -o) out=$2 ;;
    esac
    shift
done
echo %(says)s >&2
printf '%(begins)s' >"$out"
exit %(status)d
"""
SOURCES = [
    "libb64/src/cencode.c", "libb64/include/b64/cencode.h",
    "unibilium/unibilium.c", "unibilium/uninames.c", "unibilium/uniutil.c",
    "libtermkey/termkey.c", "libtermkey/driver-csi.c", "libtermkey/driver-ti.c",
]


@pytest.fixture
def tree(tmp_path):
    """The sources, and those of the libraries, which a stand-in need not read."""
    for name in SOURCES:
        path = tmp_path / "cross" / "libraries" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return sources(tmp_path / "tree")


def portable(tree, target, says="", begins=MACHO, status=0, expected=0):
    zig = tree.parent / "zig"
    octal = "".join(f"\\{byte:03o}" for byte in begins)
    zig.write_text(ZIG % {"says": says, "begins": octal, "status": status})
    zig.chmod(0o755)
    return make(tree, "portable", f"TARGET={target}", status=expected, ZIG=str(zig),
                VIATTY_CROSS=str(tree.parent / "cross"))


@pytest.mark.parametrize("target, begins", [
    ("aarch64-macos", MACHO),
    ("x86_64-freebsd", ELF % b"/libexec/ld-elf.so.1"),
    ("x86_64-netbsd", ELF % b"/libexec/ld.elf_so"),
    ("x86_64-openbsd", ELF % b"/usr/libexec/ld.so"),
])
def test_what_is_compiled_and_linked_is_built(tree, target, begins):
    printed = portable(tree, target, begins=begins)
    assert f"{target}: built, not run" in printed
    assert printed.endswith("1 passed, 0 failed, 0 skipped\n")


@pytest.mark.parametrize("how, words", [
    ({"status": 1}, "it is not built"),
    ({"says": "ld: warning: what"}, "it is built with warnings"),
    ({"begins": ELF % b"/usr/libexec/ld.so"}, "it is no program for that system"),
], ids=["an error", "a warning", "another system"])
def test_what_is_not_as_it_shall_be_has_failed(tree, how, words):
    printed = portable(tree, "aarch64-macos", expected=1, **how)
    assert f"aarch64-macos: {words}" in printed
    assert "0 passed, 1 failed, 0 skipped\n" in printed


def test_without_a_compiler_all_is_skipped(tree):
    printed = make(tree, "portable", ZIG="/nonexistent/zig")
    assert printed.endswith("0 passed, 0 failed, 5 skipped\n")


def test_without_the_sources_of_a_library_all_is_skipped(tree):
    (tree.parent / "cross" / "libraries" / "libb64").rename(tree.parent / "gone")
    script = [str(tree / ".ci" / "portable")]
    zig = tree.parent / "zig"
    zig.write_text("#!/bin/sh\n")
    zig.chmod(0o755)
    printed, status = run(script, tree, ZIG=str(zig), VIATTY_MIRROR="file:/nonexistent",
                          VIATTY_CROSS=str(tree.parent / "cross"))
    assert (printed.splitlines()[-1], status) == ("0 passed, 0 failed, 5 skipped", 0)
    assert os.path.exists(tree.parent / "cross" / "libraries" / "libtermkey")
