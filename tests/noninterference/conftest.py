"""Fixtures of the tests that viatty disturbs no other program."""

import sys
from pathlib import Path

# Launcher, and what viatty may say.
sys.path.insert(0, str(Path(__file__).parent.parent / "pty"))

import pytest  # noqa: E402
from faults import Launcher  # noqa: E402
from place import COPIED, Place  # noqa: E402

from lib.answering import CLIPBOARD, FOOT, AnsweringTerminal, clipboard  # noqa: E402
from lib.program import Inside  # noqa: E402


@pytest.fixture
def answering(sandbox):
    """A terminal that answers every question, the one for the clipboard too."""
    return AnsweringTerminal(sandbox, {**FOOT, CLIPBOARD: clipboard(COPIED)})


@pytest.fixture
def shell(sandbox, answering):
    """Starts programs at it."""
    return Launcher(sandbox, Inside(answering.runner(), answering))


@pytest.fixture
def place(sandbox, answering):
    """Real programs are started there, and call viatty."""
    return Place(sandbox, answering)
