"""Fixtures of the tests of faults and bad input."""

import pytest

from lib.terminal import OuterTerminal


@pytest.fixture
def terminal(sandbox):
    """One that says nothing by itself: what is answered here is part of the test.

    Nobody asks who it is, unless that is what the test is about.
    """
    return OuterTerminal(sandbox, environment={"VIATTY_PROBE": "never"})
