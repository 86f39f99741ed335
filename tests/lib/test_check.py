"""tests/check: which tests it runs, and what it says at the end; with suites of a few tests."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from lib import surroundings

TESTS = Path(__file__).resolve().parents[1]
FAST = "def test_fast(): pass\n"
UNIT = """#!/bin/sh
echo '[FAIL] encoder::is_wrong: (0.00s)'
echo '[====] Synthesis: Tested: 3 | Passing: 2 | Failing: 1 | Crashing: 0 '
exit 1
"""


class Tree:
    """A copy of tests/check and what it needs, with suites that the test writes."""

    def __init__(self, path):
        self.path = path
        shutil.copytree(TESTS / "lib", path / "tests/lib",
                        ignore=shutil.ignore_patterns("test_*", "__pycache__"))
        for name in ("check", "conftest.py", "pytest.ini"):
            shutil.copy(TESTS / name, path / "tests" / name)
        # Starting as many processes as there are for real suites takes longer than the tests.
        check = path / "tests/check"
        check.write_text(check.read_text().replace("3 * (os.cpu_count() or 1)", "1"))

    def add(self, name, text):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
        return str(path)

    def check(self, *names, **variables):
        without = {"CI", surroundings.MARK, surroundings.WHO}
        environment = {k: v for k, v in os.environ.items() if k not in without}
        done = subprocess.run(
            [self.path / "tests/check", *names], env={**environment, **variables}, timeout=100,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )
        return done.returncode, done.stdout


@pytest.fixture
def tree(tmp_path):
    return Tree(tmp_path)


def test_it_leaves_out_what_is_slow_or_needs_other_programs(tree):
    for suite in ("golden", "docs", "noninterference", "pty", "real"):
        tree.add(f"tests/{suite}/test_{suite}.py", FAST)
    tree.add("tests/golden/test_more.py", f"""import pytest
{FAST}
@pytest.mark.slow
def test_slow(): pass
@pytest.mark.needs("fish")
def test_fish(): assert False
@pytest.mark.needs("bash")
def test_bash(): pass
""")
    unit = tree.add("build/unit", "#!/bin/sh\necho 'Passing: 4 |'\n")
    status, said = tree.check(VIATTY_UNIT=unit)
    assert status == 0, said
    assert said.endswith("\n11 passed, 0 failed, 0 skipped\n")
    assert "== real pty noninterference docs golden\n" in said


def test_what_failed_is_named_with_the_command_that_repeats_it(tree):
    tree.add("tests/golden/test_some.py", f"""import pytest
{FAST}
@pytest.mark.parametrize("word", ["a b", "c"])
def test_word(word): assert word == "c"
@pytest.fixture
def broken(): raise OSError
def test_broken(broken): pass
""")
    unit = tree.add("unit", UNIT)
    corpus = tree.add("tests/fuzz/corpus/reply/a", "a")
    replay = tree.add("replay/reply", "#!/bin/sh\necho \"$1 is wrong\"\nexit 1\n")
    status, said = tree.check("golden", "unit", "replay", VIATTY="/other/viatty",
                              VIATTY_UNIT=unit, VIATTY_REPLAY=str(tree.path / "replay"))
    assert status == 1 and f"{corpus} is wrong" in said
    tool = "pytest-3" if shutil.which("pytest-3") else "pytest"
    head, *lines, result = said.splitlines()[-6:]
    assert (head, result) == ("failed, and the command that repeats it:",
                              "4 passed, 4 failed, 0 skipped")
    assert re.fullmatch(rf"  VIATTY=/other/viatty .*{tool}.* '.*test_some.py::test_word\[a b\]'\n"
                        rf"  .*{tool}.*test_some.py::test_broken\n"
                        rf"  {unit} --filter encoder/is_wrong\n  {replay} {corpus}", "\n".join(lines))


@pytest.mark.parametrize("ci", [None, "true"])
def test_a_missing_program_is_a_failure_in_ci_only(tree, ci):
    tree.add("tests/golden/test_some.py", f"""import pytest
{FAST}
@pytest.mark.needs("no-such-program")
def test_program(): pass
""")
    status, said = tree.check("golden", **({"CI": ci} if ci else {}))
    assert status == (1 if ci else 0), said
    assert "no-such-program is not installed" in said
    counts = "1 passed, 1 failed, 0 skipped" if ci else "1 passed, 0 failed, 1 skipped"
    assert said.endswith(f"\n{counts}\n")


@pytest.mark.root
@pytest.mark.parametrize("mark, runs", [("", 1), ("@pytest.mark.root\n", 2)])
def test_root_runs_a_suite_once_unless_some_tests_are_roots(tree, mark, runs):
    tree.path.chmod(0o711)
    tree.add("tests/golden/test_some.py", f"import pytest\n{FAST}\n{mark}def test_more(): pass\n")
    status, said = tree.check("golden")
    assert status == 0 and said.endswith("\n2 passed, 0 failed, 0 skipped\n"), said
    assert said.count(" passed in ") == runs


def test_suites_can_be_collected_together():
    """pytest takes files of the same name in two directories for one module."""
    suites = ("lib", "golden", "docs", "noninterference", "pty", "real", "trust")
    names = [path.name for suite in suites for path in (TESTS / suite).glob("test_*.py")]
    assert sorted(set(names)) == sorted(names)
