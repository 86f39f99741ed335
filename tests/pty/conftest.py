"""Fixtures of the tests of faults and bad input."""

import pytest
from faults import Launcher

from lib import program
from lib.answering import AnsweringTerminal
from lib.program import Inside
from lib.terminal import OuterTerminal


def pytest_collection_modifyitems(config, items):
    """A sanitizer's shadow memory has no place under a limit: no such tests for it."""
    if not program.path().exists():
        return
    if b"__asan_init" not in program.path().read_bytes():
        return
    memory = [item for item in items if item.path.name == "test_memory.py"]
    items[:] = [item for item in items if item not in memory]
    config.hook.pytest_deselected(items=memory)


@pytest.fixture
def terminal(sandbox):
    """One that says nothing by itself: what is answered here is part of the test.

    Nobody asks who it is, unless that is what the test is about.
    """
    return OuterTerminal(sandbox, environment={"VIATTY_PROBE": "never"})


@pytest.fixture
def shell(sandbox, plain):
    """Starts programs at a plain terminal, amid faults."""
    return Launcher(sandbox, plain)


@pytest.fixture
def nowhere(sandbox):
    """Starts programs where there is no terminal, and no ancestor that has one."""
    return Launcher(sandbox)


@pytest.fixture
def at(sandbox):
    """Starts programs at a terminal that answers by a script."""

    def at(script, **how):
        terminal = AnsweringTerminal(sandbox, script, **how)
        return Launcher(sandbox, Inside(terminal.runner(), terminal))

    return at
