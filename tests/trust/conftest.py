"""What these tests share with those of faults: the launcher and its places."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "pty"))

import pytest  # noqa: E402
from faults import Launcher  # noqa: E402

@pytest.fixture
def shell(sandbox, plain):
    """Starts programs at a plain terminal."""
    return Launcher(sandbox, plain)


@pytest.fixture
def nowhere(sandbox):
    """Starts programs where there is no terminal, and no ancestor that has one."""
    return Launcher(sandbox)
