"""The tests of faults share the words of tests/pty."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "pty"))

import pytest  # noqa: E402
from faults import Launcher  # noqa: E402


@pytest.fixture
def shell(sandbox, plain):
    """Starts programs at a plain terminal, amid faults."""
    return Launcher(sandbox, plain)
