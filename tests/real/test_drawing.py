"""Programs that run a command on a pty of their own: agents draw its text, others pass it on."""

import json
import os
import sys
from pathlib import Path

import pytest

from lib import drawing, expect, sequences
from lib.answering import KITTY

WINDOW = {"KITTY_WINDOW_ID": "1"}
MODULES = Path(os.environ.get("VIATTY_NPM", "/nonexistent"), "node_modules")


class Agent:
    """Runs commands in a place, each on a pty of its own."""

    def __init__(self, place, mode="raw", before=(), program=None):
        program = program or [sys.executable, drawing.__file__, mode]
        self.place, self.terminal = place, place.terminal
        self._record = self.terminal.sandbox.fresh("record")
        self._argv = [*before, *program, str(self._record)]

    def run(self, *argv):
        return self.place.run([*self._argv, *argv], on_terminal=True).status

    def recorded(self):
        return self._record.read_bytes()


@pytest.fixture
def kitty(place_at):
    return place_at(KITTY, term="xterm-kitty", environment=WINDOW)


def arrives_outside(agent, *argv):
    assert agent.run("viatty", "copy", "-s", "text", *argv) == 0
    agent.place.settle()
    expect.arrived_somehow(agent.terminal, b"text")
    assert sequences.clipboard_writes(agent.recorded()) == []


def test_a_copy_goes_to_the_terminal_of_the_program_that_draws(kitty):
    arrives_outside(Agent(kitty))


@pytest.mark.needs("node")
@pytest.mark.skipif(not Path(MODULES, "@lydell/node-pty-linux-x64/pty.node").is_file(),
                    reason="node-pty is not fetched")
def test_an_agent_with_node_pty_draws(kitty):
    """Its headless xterm replies, and ignores what is sent there."""
    script = str(Path(drawing.__file__).with_suffix(".js"))
    agent = Agent(kitty, program=["node", script, str(MODULES)])
    arrives_outside(agent)
    assert agent.run("viatty", "notify", "--term", "kitty", "text") == 0
    kitty.settle()
    assert b"\x1b]99;" in kitty.terminal.recorded()
    assert b"\x1b]99;" not in agent.recorded()


def test_doctor_names_the_program(kitty):
    agent = Agent(kitty)
    assert agent.run("viatty", "doctor", "--json", "copy") == 0
    found = json.loads(agent.recorded())
    assert found["features"][0]["works"] == "yes"
    (hop,) = found["hops"]
    assert (hop["hop"], hop["outer_device"]) == ("the program", kitty.terminal.device)
    name, pid, rest = hop["description"].split(" ", 2)
    assert name.startswith("python") and pid.strip("()").isdigit()
    assert rest.startswith("runs this terminal, and ")
    agent.run("viatty", "doctor")
    assert b"runs this terminal\r\n" in agent.recorded()


def test_a_relay_inside_it_passes_bytes(kitty):
    """The nearest terminal is that of script(1), and the next is drawn."""
    agent = Agent(kitty)
    assert agent.run("script", "-qec", "viatty copy -s text", "/dev/null") == 0
    expect.arrived_somehow(kitty.terminal, b"text")
    assert sequences.clipboard_writes(agent.recorded()) == []


# A server of web terminals does not draw on its terminal, nor does a job in the background,
# whatever mode the program in the foreground has set.
OTHERS = {
    "cooked": ("cooked", []),
    "in the background": ("cooked", ["sh", "-mc", 'stty raw </dev/tty; "$@" & wait $!', "sh"]),
}


@pytest.mark.parametrize("mode, before", OTHERS.values(), ids=OTHERS)
def test_what_is_not_drawn_there_stays_on_its_own_terminal(kitty, mode, before):
    agent = Agent(kitty, mode, before)
    assert agent.run("viatty", "copy", "-s", "text") == 0
    assert [text for _, text in sequences.clipboard_writes(agent.recorded())] == [b"text"]
    kitty.settle()
    expect.nothing_arrived(kitty.terminal)


RELAYS = {
    "script": ["script", "-qec", "viatty copy -s text", "/dev/null"],
    "expect": ["expect", "-c", "spawn -noecho viatty copy -s text; expect eof"],
    "expect, raw": ["expect", "-c", "spawn -noecho viatty copy -s text; interact"],
    "unbuffer": ["unbuffer", "viatty", "copy", "-s", "text"],
    "dtach": ["dtach", "-A", "./socket", "viatty", "copy", "-s", "text"],
}


@pytest.mark.parametrize("argv", [
    pytest.param(argv, id=name, marks=pytest.mark.needs(argv[0])) for name, argv in RELAYS.items()])
def test_through_a_relay_it_arrives_once(kitty, argv):
    kitty.run(argv, stdin=None, on_terminal=True)
    kitty.settle()
    expect.arrived(kitty.terminal, b"text")


@pytest.mark.needs("tmux")
def test_in_a_pane_of_tmux_it_arrives(pane):
    arrives_outside(Agent(pane))
