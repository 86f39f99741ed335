"""A session of dtach or abduco that is shown by another terminal than the one it began in."""

import shutil
from pathlib import Path

import pytest

from lib import sequences
from lib.answering import KITTY, NAME, VTE, AnsweringTerminal
from lib.doctor import findings
from lib.processes import kill_family, until
from lib.program import Inside
from lib.runner import Runner
from lib.terminal import write_to_terminal

DATA = b"for the clipboard"
# How it replies, and what it sets for the programs that it starts.
TERMINALS = {
    "GNOME Terminal": (VTE, "xterm-256color", {"VTE_VERSION": "8400"}),
    "kitty": (KITTY, "xterm-kitty", {"KITTY_WINDOW_ID": "1"}),
}
# zmx and shpool are in no Debian: dtach by their names, by which viatty knows them, stands in.
KEEPERS = {"dtach": "dtach", "abduco": "abduco", "zmx": "dtach", "shpool": "dtach"}


def parent(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


@pytest.fixture(params=[pytest.param(name, marks=pytest.mark.needs(program))
                        for name, program in KEEPERS.items()])
def moved(request, sandbox):
    """A shell in a session that began in one terminal and is shown by another."""
    keeper = sandbox.path / "bin" / request.param
    shutil.copy(shutil.which(KEEPERS[request.param]), keeper)

    def terminal(which):
        script, term, environment = TERMINALS[which]
        return AnsweringTerminal(sandbox, script, term=term, environment=environment)

    def moved(first, then):
        socket = str(sandbox.fresh("socket"))
        runner = Runner(sandbox)
        began = terminal(first)
        began.open([str(keeper), "-A", socket, *runner.argv])
        runner.ready()
        # What this terminal replies says nothing of the next one.
        runner.run(["viatty", "copy"], stdin=DATA)
        assert NAME in began.asked()
        # dtach types ^L for what was in raw mode when it last wrote.
        write_to_terminal(runner.device, b"+")
        began.wait_for(b"+")
        began.hang_up()
        shown = terminal(then)
        shown.open([str(keeper), "-a", socket])

        def shows():
            write_to_terminal(runner.device, b"*")
            return b"*" in shown.recorded()

        until(shows, "the session is shown")
        inside = Inside(runner, shown, relayed=True)
        inside.settle()
        shown.forget()
        servers.append(parent(runner.pid))
        return inside

    servers = []
    yield moved
    # abduco keeps the exit status until somebody attaches
    for server in servers:
        kill_family(server)


@pytest.mark.parametrize("first", TERMINALS)
def test_what_the_first_terminal_lacked_works_in_kitty(moved, first):
    place = moved(first, "kitty")
    assert place.run(["viatty", "copy"], stdin=DATA).status == 0
    result = place.run(["viatty", "notify", "--no-bell", "Done"])
    assert (result.status, result.stderr) == (0, "")
    place.settle()
    assert place.terminal.clipboard() == [("c", DATA)]
    assert b"]99;" in place.terminal.recorded()
    found = findings(place)
    assert (found["copy"]["works"], found["notify"]["works"]) == ("yes", "yes")


@pytest.mark.parametrize("first", TERMINALS)
def test_what_the_first_terminal_had_is_refused_in_gnome_terminal(moved, first):
    place = moved(first, "GNOME Terminal")
    assert place.run(["viatty", "copy"], stdin=DATA).status == 4
    assert place.run(["viatty", "notify", "--no-bell", "Done"]).status == 4
    place.settle()
    assert sequences.osc(place.terminal.recorded(), 52) == []
    found = findings(place)
    assert (found["copy"]["works"], found["notify"]["works"]) == ("no", "no")
