"""Titles, as tmux and Screen show them: their own, and those of what is around."""

import re
import subprocess

import pytest

from lib import expect, sequences
from lib.mux import ScreenSession, TmuxServer
from lib.processes import PATIENCE, until
from lib.remote import RemoteLogin
from lib.runner import Job
from lib.versions import has

NEEDS_TMUX = pytest.mark.needs("tmux")
NEEDS_SCREEN = pytest.mark.needs("screen")
HOSTILE = b"a\x1b\\b\x1b]2;owned\x07c\x18\x9b;\xc2\x9cd\nlast"
# The same, as it may stand in a title.
HARMLESS = "a\ufffd\\b\ufffd]2;owned\ufffdc\ufffd\ufffd;\ufffdd last"


def title(place, *words, **how):
    expect.sent(place.run(["viatty", "title", *words], **how))


def told(terminal):
    """The titles that the terminal was told, in their order."""
    tokens = sequences.parse(terminal.recorded())
    return [
        token.payload[2:].decode()
        for token in tokens
        if token.kind == "osc" and token.payload[:2] in (b"0;", b"1;", b"2;")
    ]


def told_nothing(pane):
    """Not even its end is told: a pane's titles are for tmux."""
    pane.server.settle()
    assert told(pane.terminal) == []


def pane_title(pane):
    return pane.server.ask("#{pane_title}", pane.id)


def shown(text):
    """As tmux keeps a title."""
    if has("tmux", "titles are cleaned"):
        return text.replace("\\", "\\\\").replace("#(", "_(")
    return text


def becomes(ask, wanted):
    until(lambda: ask() == wanted, f"{wanted!r} is shown, not {ask()!r}")


# ---- tmux --------------------------------------------------------------------------


@NEEDS_TMUX
@pytest.mark.parametrize("text", ["make", "grün ✓ 𝄞", "a;b;c", "4;1;50", " a  b ", ""])
def test_the_title_of_a_pane(pane, text):
    title(pane, "something else")
    becomes(lambda: pane_title(pane), "something else")
    title(pane, text)
    becomes(lambda: pane_title(pane), text)
    told_nothing(pane)
    assert pane.text() == ""


@NEEDS_TMUX
def test_a_hostile_title_of_a_pane(pane):
    title(pane, "-", stdin=HOSTILE)
    becomes(lambda: pane_title(pane), shown(HARMLESS))
    assert pane.text() == ""
    told_nothing(pane)


@NEEDS_TMUX
def test_a_job_of_tmux_sets_the_title_of_its_pane(pane, sandbox):
    job = Job(sandbox, ["viatty", "title", "from a job"])
    pane.server.run("run-shell", "-t", pane.id, str(job.script))
    expect.sent(job.wait())
    becomes(lambda: pane_title(pane), "from a job")


@NEEDS_TMUX
def test_a_pane_named_by_its_number(tmux):
    here, there = tmux.session(), tmux.window()
    title(here, "over there", "--tty", f"pane:{there.id}")
    becomes(lambda: pane_title(there), "over there")
    assert pane_title(here) != "over there"


@NEEDS_TMUX
def test_from_a_remote_login_the_pane_gets_it(pane, sandbox):
    remote = RemoteLogin(sandbox, pane)
    title(remote, "far away")
    becomes(lambda: pane_title(pane), "far away")


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


@NEEDS_TMUX
@pytest.mark.parametrize("name", ["build", "grün ✓", "a;b"])
def test_the_name_of_a_window(pane, name):
    pane.server.option("-g", "allow-rename", "on")
    title(pane, "--window-name", name)
    becomes(lambda: pane.server.ask("#{window_name}"), name)
    assert pane.text() == ""
    told_nothing(pane)


@NEEDS_TMUX
def test_the_terminal_around(pane):
    title(pane, "inside")
    title(pane, "--outer", "outside")
    pane.settle()
    (token,) = sequences.osc(pane.terminal.recorded(), 0)
    assert (token.payload, token.terminator) == (b"0;outside", sequences.ST)


@pytest.fixture
def inner(sandbox, pane):
    """A pane of a tmux that is shown in a pane of another one."""
    server = TmuxServer(sandbox)
    inner = server.session()
    server.attach_inside(pane, pane.device)
    return inner


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
@pytest.mark.parametrize("text", ["make", "a;b;c", "x" * 700])
def test_the_title_in_screen(screen, text):
    title(screen, text)
    screen.settle()
    assert text in told(screen.terminal)
    assert screen.text() == ""


@NEEDS_SCREEN
def test_a_hostile_title_in_screen(screen):
    title(screen, "-q", "-", stdin=HOSTILE + "☛♜☇".encode())
    screen.settle()
    folded = HARMLESS.replace("\ufffd", "?") + "???"
    assert folded in told(screen.terminal)
    assert screen.text() == ""


@NEEDS_SCREEN
@pytest.mark.parametrize("name", ["build", "two words", "x" * 60])
def test_the_name_of_a_window_in_screen(screen, name):
    title(screen, "--window-name", name)
    becomes(lambda: window_name(screen), name)
    assert screen.text() == ""


@NEEDS_SCREEN
def test_a_name_that_does_not_fit_into_screen_is_cut_and_nothing_printed(screen):
    result = screen.run(["viatty", "title", "--window-name", "x" * 2000])
    assert result.status == 0
    assert "title cut to 767 of 2000 bytes" in result.stderr
    screen.settle()
    assert screen.text() == ""


@NEEDS_SCREEN
def test_the_terminal_around_screen(screen):
    title(screen, "--outer", "outside")
    screen.settle()
    assert told(screen.terminal)[-1] == "outside"


@NEEDS_TMUX
@NEEDS_SCREEN
def test_screen_in_tmux(sandbox, pane):
    screen = ScreenSession(sandbox, pane, lines=23)
    title(screen, "--window-name", "inner")
    becomes(lambda: window_name(screen), "inner")
    assert screen.text() == ""
    assert pane_title(pane) != "inner"


# ---- while a command runs ----------------------------------------------------------


@pytest.fixture
def gate(sandbox):
    """A command that runs until it is let go on."""
    file = sandbox.fresh("gate")
    script = f": >{file}-up; while test ! -e {file}; do sleep 0.02; done; exit 3"
    return file, ["sh", "-c", script]


@NEEDS_TMUX
def test_a_pane_while_a_command_runs(pane, gate):
    file, command = gate
    title(pane, "before")
    becomes(lambda: pane_title(pane), "before")
    running = pane.start(["viatty", "title", "--while", "busy ✓", "--", *command])
    becomes(lambda: pane_title(pane), "busy ✓")
    file.touch()
    assert running.wait().status == 3
    becomes(lambda: pane_title(pane), "before")


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
