"""Titles, as tmux and Screen show them: their own, and those of what is around."""

import re
import subprocess

import pytest

from lib import expect, sequences
from lib.processes import PATIENCE, until

NEEDS_TMUX = pytest.mark.needs("tmux")
NEEDS_SCREEN = pytest.mark.needs("screen")


def told(terminal):
    """The titles that the terminal was told, in their order."""
    tokens = sequences.parse(terminal.recorded())
    return [
        token.payload[2:].decode()
        for token in tokens
        if token.kind == "osc" and token.payload[:2] in (b"0;", b"1;", b"2;")
    ]


def becomes(ask, wanted):
    until(lambda: ask() == wanted, f"{wanted!r} is shown, not {ask()!r}")


# ---- tmux --------------------------------------------------------------------------


@NEEDS_TMUX
@pytest.mark.parametrize("text", ["grün ✓ 𝄞", "a;b;c", " a  b ", ""])
def test_the_title_of_a_pane(pane, text):
    for title in "something else", text:
        expect.sent(pane.run(["viatty", "title", title]))
        becomes(lambda: pane.server.ask("#{pane_title}", pane.id), title)
    pane.server.settle()
    # Not even its end is told: a pane's titles are for tmux.
    assert told(pane.terminal) == [] and pane.text() == ""


@NEEDS_TMUX
def test_the_name_of_a_window_needs_an_option(pane):
    before = pane.server.ask("#{window_name}")
    result = pane.run(["viatty", "title", "--window-name", "build"])
    expect.refused(result, naming=["allow-rename", "set -g allow-rename on"])
    pane.settle()
    assert pane.server.ask("#{window_name}") == before
    hinted = re.search(r"hint: (tmux rename-window) NAME", result.stderr)[1]
    assert pane.run([*hinted.split(), "build"]).status == 0
    assert pane.server.ask("#{window_name}") == "build"


# ---- Screen ------------------------------------------------------------------------


def window_name(screen):
    asked = subprocess.run(
        ["screen", "-S", screen.name, "-p", "0", "-Q", "title"],
        env=screen.environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE,
        check=True,
    )
    return asked.stdout.decode("latin-1")


@NEEDS_SCREEN
@pytest.mark.parametrize("text", ["a;b;c", "x" * 700])
def test_the_title_in_screen(screen, text):
    expect.sent(screen.run(["viatty", "title", text]))
    screen.settle()
    assert text in told(screen.terminal)
    assert screen.text() == ""


# ---- while a command runs ----------------------------------------------------------


@pytest.fixture
def gate(sandbox):
    """A command that runs until it is let go on."""
    file = sandbox.fresh("gate")
    script = f": >{file}-up; while test ! -e {file}; do sleep 0.02; done; exit 3"
    return file, ["sh", "-c", script]


@NEEDS_TMUX
def test_the_name_of_a_window_while_a_command_runs(pane, gate):
    """Afterwards it is tmux that chooses it."""
    file, command = gate
    pane.server.option("-g", "allow-rename", "on")
    pane.server.run("rename-window", "before")
    running = pane.start(["viatty", "title", "--window-name", "--while", "busy", "--", *command])
    becomes(lambda: pane.server.ask("#{window_name}"), "busy")
    file.touch()
    assert running.wait().status == 3
    becomes(lambda: pane.server.ask("#{automatic-rename}"), "1")


@NEEDS_SCREEN
def test_the_name_of_a_window_in_screen_while_a_command_runs(screen, gate):
    file, command = gate
    running = screen.start(["viatty", "title", "--window-name", "--while", "busy", "--", *command])
    # Screen reads nothing while it shows a message, and shows one for every query.
    until((file.parent / f"{file.name}-up").exists, "the command runs")
    screen.settle()
    becomes(lambda: window_name(screen), "busy")
    file.touch()
    ended = running.wait()
    assert ended.status == 3
    assert "Screen keeps the window name" in ended.stderr
    assert window_name(screen) == "busy"
