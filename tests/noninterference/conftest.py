"""Fixtures of the tests that viatty disturbs no other program."""

import pytest
from place import COPIED, Place

from lib.answering import CLIPBOARD, FOOT, AnsweringTerminal, clipboard
from lib.faults import Launcher


@pytest.fixture
def answering(sandbox):
    """A terminal that answers every question, the one for the clipboard too."""
    return AnsweringTerminal(sandbox, {**FOOT, CLIPBOARD: clipboard(COPIED)})


@pytest.fixture
def shell(sandbox, answering):
    """Starts programs at it."""
    return Launcher(sandbox, answering.inside())


@pytest.fixture
def place(sandbox, answering):
    """Real programs are started there, and call viatty."""
    return Place(sandbox, answering)
