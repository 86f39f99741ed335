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
    tree.write("src/base/b.c", """\
int message_warn(const char *, ...);
int two(const char *);
int two(const char *s)
{
	return message_warn("cut by %s: %s", s, s) + message_warn("%s cuts it", s);
}
""")
    status, said, _ = tree.lint()
    assert status == 1 and said.endswith(
        "\nrules of this program:\nbase/b.c:5: the text of message_warn() begins with %s\nlint: 1 finding\n")
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
    weight = tree.path / "tests/lint/weight"
    shutil.copy(LINT.with_name("weight"), weight)
    subprocess.run(["git", "init", "-q", tree.path], check=True)

    for folder in ("tty", "relay"):
        (tree.path / "src" / folder).mkdir()

    def tty_has(lines):
        tree.write("src/tty/t.c", "".join(f"int f{i}(void);\n" for i in range(lines)))

    def row(what):
        rows = (tree.path / "tests/lint/ceilings").read_text().splitlines()
        return [row.split()[-2:] for row in rows if row.startswith(what)]

    rows = "".join(f"{what:16} 1000 1000\n" for what in ("base", "encoder", "files", "largest .c", "tests", "together"))
    tree.write("tests/lint/ceilings", "# what, limit, goal\ntty 40 20\n" + rows)
    tty_has(41)
    said = subprocess.run([weight, "--check"], capture_output=True, text=True)
    assert (said.returncode, said.stdout) == (1, "tty: 41, of 40\n")
    subprocess.run([weight, "--lower"], check=True)
    assert row("tty") == [["40", "20"]], "a limit is never raised"
    tty_has(30)
    subprocess.run([weight, "--check"], check=True)
    subprocess.run([weight, "--lower"], check=True)
    assert row("tty") == [["30", "20"]]
    tty_has(10)
    subprocess.run([weight, "--lower"], check=True)
    assert row("tty") == [["20", "20"]], "nor lowered below the goal"
    tree.write("src/relay/r.c", "int r(void);\n")
    said = subprocess.run([weight, "--check"], capture_output=True, text=True)
    assert (said.returncode, said.stdout) == (1, "relay: not in tests/lint/ceilings\n")


def test_only_what_has_changed_is_looked_at_again(tree):
    assert tree.lint()[::2] == (0, ["a", "b"])
    assert tree.lint()[::2] == (0, [])
    tree.write("src/base/b.c", "/* WRONG */\nint two(void);\n")
    assert tree.lint()[::2] == (1, ["b"])
    assert tree.lint()[::2] == (1, ["b"]), "what was found is found again"
    tree.write("src/base/b.c", "int two(void);\n")
    assert tree.lint()[::2] == (0, ["b"])
    tree.write("src/base/a.h", "int one(void);\nint more(void);\n")
    assert tree.lint()[::2] == (0, ["a"])
    tree.write(".clang-tidy", "Checks: -*\n")
    assert tree.lint()[::2] == (0, ["a", "b"])
    assert tree.lint(CI="true")[2] == ["a", "b"]


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
