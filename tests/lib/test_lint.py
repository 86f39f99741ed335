"""tests/lint/run: what it says, and what it looks at again; with a few files and stand-ins."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

LINT = Path(__file__).resolve().parents[1] / "lint/run"
pytestmark = pytest.mark.needs("gcc")
# Notes what it is called with, and finds a word.
TOOL = """#!/bin/sh
echo "${0##*/} $*" >>"$CALLS"
for word; do case $word in *.c) ! grep -Hn WRONG "$word" || exit 1 ;; esac; done
"""


class Tree:
    def __init__(self, path):
        self.path = path
        (path / "tests/lint").mkdir(parents=True)
        (path / "src/base").mkdir(parents=True)
        (path / "bin").mkdir()
        shutil.copy(LINT, path / "tests/lint/run")
        (path / ".clang-tidy").write_text("")
        for name in ("clang", "clang-tidy", "cppcheck", "codespell", "shellcheck"):
            self.write(f"bin/{name}", TOOL).chmod(0o755)
        self.write("src/base/a.h", "int one(void);\n")
        for name in "ab":
            self.write(f"src/base/{name}.c",
                       '#include "base/a.h"\nint one(void)\n{\n\treturn 1;\n}\n')

    def write(self, name, text):
        path = self.path / name
        path.write_text(text)
        return path

    def lint(self, **variables):
        """The status, what it prints, and the files that clang-tidy looked at."""
        calls = self.path / "calls"
        calls.write_text("")
        environment = {"PATH": f"{self.path}/bin:{os.environ['PATH']}", "CALLS": str(calls)}
        done = subprocess.run(
            [self.path / "tests/lint/run"], env={**environment, **variables}, timeout=100,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )
        tidied = [line.split()[3] for line in calls.read_text().splitlines()
                  if line.startswith("clang-tidy --quiet")]
        return done.returncode, done.stdout, sorted(Path(path).stem for path in tidied)


@pytest.fixture
def tree(tmp_path):
    return Tree(tmp_path)


def test_what_it_found_comes_last(tree):
    tree.write("src/base/b.c", "/* WRONG */\nint two(void);\nint two(void)\n{\n\treturn 2;\n}\n")
    status, said, _ = tree.lint()
    assert status == 1
    first, *blocks = said.split("\n\n")
    assert first.startswith("lint: ") and "WRONG" not in first
    assert "clang-tidy:\nsrc/base/b.c:1:/* WRONG */" in blocks
    assert blocks[-1] == "warnings of clang:\nsrc/base/b.c:1:/* WRONG */\nlint: 3 findings\n"
    tree.write("src/base/b.c", "int two(void);\nint two(void)\n{\n\tfor (;;)\n\t\tsleep(1);\n}\n")
    status, said, _ = tree.lint()
    assert status == 1 and "\nrules of this program:\nbase/b.c:5: sleep( belongs to nowhere\n" in said
    tree.write("src/base/b.c", "int two(const char *);\nint two(const char *s)\n{\n"
               "\tmessage_warn(\"cut by %s: %s\", s, s);\n\tmessage_warn(\"%s cuts it\", s);\n}\n")
    status, said, _ = tree.lint()
    assert status == 1 and "\nbase/b.c:5: the text of message_warn() begins with %s\n" in said
    assert "\nbase/b.c:4" not in said
    tree.write("src/base/b.c", "int two(void);\n")
    status, said, _ = tree.lint()
    assert status == 0 and said.splitlines()[-1] == "lint: no findings", said


def test_pure_code_is_followed_through_what_it_calls(tree):
    (tree.path / "src/encoder").mkdir()
    tree.write("src/base/b.c", """\
#include <time.h>
long now(void);
int rank(void);
int rank(void) { return 2; }
static long seconds(void) { return time(NULL); }
long now(void) { return seconds(); }
""")
    pure = "int rank(void);\nlong now(void);\nlong length(const char *);\n"
    tree.write("src/encoder/c.c", pure + "long length(const char *s) { return s[0] + rank(); }\n")
    assert tree.lint()[0] == 0
    tree.write("src/encoder/c.c", pure + """\
static long (*const table[])(void) = { now, 0 };
long length(const char *s) { return s[0] + table[rank() - 2](); }
""")
    status, said, _ = tree.lint()
    assert status == 1
    assert "\nencoder/c.c: length > table > now > seconds > time is not pure\nlint: 1 finding\n" in said


def test_limits_hold_and_are_only_lowered(tree):
    weight, ceilings = tree.path / "tests/lint/weight", tree.path / "tests/lint/ceilings"
    shutil.copy(LINT.with_name("weight"), weight)
    subprocess.run(["git", "init", "-q", tree.path], check=True)
    rest = "encoder files largest_.c tests together".split()
    limits = "".join(f"{what.replace('_', ' '):16} 1000 1000\n" for what in rest)
    for lines, limit, lowered in (15, "10 7", "10 7"), (8, "10 7", "8 7"), (6, "8 7", "7 7"):
        tree.write("src/base/b.c", "int two(void);\n" * (lines - 6))
        ceilings.write_text(f"# what, limit, goal\nbase {limit}\n{limits}")
        said = subprocess.run([weight, "--check"], capture_output=True, text=True)
        assert said.stdout == (f"base: {lines}, of 10\n" if lines > 10 else "")
        assert said.returncode == (lines > 10)
        subprocess.run([weight, "--lower"], check=True)
        assert ceilings.read_text().splitlines()[1].split()[1:] == lowered.split()
    tree.write("tests/lint/ceilings", "# what, limit, goal\n")
    said = subprocess.run([weight, "--check"], capture_output=True, text=True)
    assert said.returncode == 1 and "base: not in tests/lint/ceilings\n" in said.stdout


def test_a_missing_tool_is_a_finding_in_ci_only(tree):
    (tree.path / "bin/cppcheck").unlink()
    folders = [f"{tree.path}/bin", f"{tree.path}/found"]
    (tree.path / "found").mkdir()
    for name in ("gcc", "cc", "as", "objdump", "git", "grep", "sh", "env"):
        (tree.path / "found" / name).symlink_to(shutil.which(name))
    (tree.path / "found/python3").symlink_to(sys.executable)
    variables = {"PATH": ":".join(folders)}
    line = "lint: cppcheck is not installed, and what it finds not looked for: make deps-lint"
    status, said, _ = tree.lint(**variables)
    assert status == 0 and line in said.splitlines()
    status, said, _ = tree.lint(**variables, CI="1")
    assert status == 1 and said.endswith("\ncppcheck:\nis not installed\nlint: 1 finding\n")
