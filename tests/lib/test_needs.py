"""A program that is not there: a skip that names it, and where CI is set a failure."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

TERMINALS = Path(__file__).resolve().parents[1] / "terminals"
# The second looks at the table of results, in which all the terminals are.
FILES = [TERMINALS / "test_title.py", TERMINALS / "test_results.py"]


def ran_without_programs(nowhere, **environment):
    """The status and what is said where no program is found at all."""
    kept = {name: value for name, value in os.environ.items() if name != "CI"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rs", *map(str, FILES)],
        cwd=TERMINALS,
        env={**kept, "PATH": str(nowhere), **environment},
        capture_output=True,
        text=True,
        timeout=100,
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize("environment", [{}, {"CI": ""}, {"CI": "false"}])
def test_what_is_not_installed_is_skipped_by_name(tmp_path, environment):
    status, said = ran_without_programs(tmp_path, **environment)
    assert status == 0, said
    assert "Xvfb is not installed" in said
    assert re.search(r"^1 passed, \d+ skipped", said, re.M), said


def test_what_is_not_installed_fails_in_ci(tmp_path):
    status, said = ran_without_programs(tmp_path, CI="true")
    assert status == 1, said
    assert "Xvfb is not installed, and CI runs every test" in said
    assert re.search(r"^1 passed, \d+ errors", said, re.M), said
    assert "skipped" not in said
