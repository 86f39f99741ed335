"""One desktop for all tests, one terminal at a time, and the table of results."""

import pytest

from lib.desktop import Desktop
from lib.emulator import Emulator, InScreen, InTmux, WebEmulator
from lib.sandbox import Sandbox
from makes import ORDER, PLACES
from results import Results

INSIDE = {"tmux": InTmux, "Screen": InScreen}


class Stage:
    """Keeps the terminal, and what runs in it, until a test needs another one."""

    def __init__(self, desktop):
        self.desktop = desktop
        self._emulator = self._inside = None

    def place(self, make, name):
        if not self._emulator or self._emulator.make is not make:
            self.clear()
            kind = WebEmulator if make.seat == "web" else Emulator
            self._emulator = kind(self.desktop, make)
        if self._inside and self._inside.name != name:
            self._leave()
        if not self._inside and name in INSIDE:
            self._inside = INSIDE[name](self._emulator)
        return self._inside or self._emulator

    def clear(self):
        """Close all, also after a failure: the next test finds nothing of it."""
        emulator, self._emulator, self._inside = self._emulator, None, None
        if emulator:
            emulator.close()

    def _leave(self):
        inside, self._inside = self._inside, None
        inside.close()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """A terminal is started once; the results are looked at when all are there.

    A test of terminals that this release does not have is none.
    """
    items[:] = [item for item in items if isinstance(_case(item), (tuple, type(None)))]
    items.sort(key=_turn)


def _case(item):
    """Terminal and place that the test is run in, where it is run in one."""
    return getattr(item, "callspec", None) and item.callspec.params.get("place")


def _turn(item):
    case = _case(item)
    if not case:
        return (len(ORDER), 0)
    return (ORDER.index(case[0]), PLACES.index(case[1]))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    item.failed = report.failed or getattr(item, "failed", False)


@pytest.fixture(scope="session")
def stage():
    sandbox = Sandbox()
    stage = Stage(Desktop(sandbox))
    try:
        yield stage
    finally:
        try:
            stage.clear()
        finally:
            sandbox.close()


@pytest.fixture
def place(request, stage):
    """A place in the terminal the test names, with the keyboard."""
    try:
        place = stage.place(*request.param)
        place.emulator.focus()
        yield place
    finally:
        if getattr(request.node, "failed", True):
            stage.clear()


@pytest.fixture(scope="session")
def results():
    return Results()
