"""Where nobody reads the terminal meanwhile, viatty pastes as ever."""

import termios

import pytest
from place import COPIED

from lib.answering import NAME
from lib.processes import until

BINDINGS = {
    "zsh": (["zsh", "-f", "-i"], "w() { ask }; zle -N w; bindkey '^G' w\r"),
    "bash": (["bash", "--norc", "-i"], "bind -x '\"\\C-g\": ask'\r"),
    "fish": (["fish", "--no-config", "-i"], "bind \\cg ask\r"),
}


def pasted(place):
    place.ends_with(0)
    # The shell reads on: nothing of a reply was left to it.
    until(place.terminal.has_said_all, "all replies are given")
    place.type("\x15echo d''one\r")
    place.see("done")
    shown = place.terminal.recorded().rpartition(b"echo d''one")[0]
    assert COPIED not in shown


@pytest.mark.needs("zsh", "bash", "fish")
@pytest.mark.parametrize("shell", BINDINGS)
def test_the_command_of_a_key_binding(place, shell):
    argv, bind = BINDINGS[shell]
    place.open(argv, PS1="$ ")
    place.type(bind)
    place.type("echo re''ady\r")
    place.see("ready")
    editing = lambda: not place.terminal.modes()[3] & termios.ICANON
    until(editing, "the prompt is there: the key is for the line editor")
    place.type("\x07")
    pasted(place)


def test_a_pager_behind_it(place):
    """less has taken the terminal, and is no reader that matters: it waits for us."""
    place.open(["bash", "--norc", "-i"], PS1="$ ", LESS="")
    raw = "until stty -a </dev/tty | grep -q -- -icanon; do sleep 0.02; done"
    place.type(f"({raw}; viatty paste) | less; echo en''d\r")
    place.see(COPIED.decode())
    place.see("(END)")
    # One key, without Enter.
    place.type("q")
    place.see("end")
    # bash takes over the modes that a command leaves.
    place.type("stty -a >modes.new; mv modes.new modes\r")
    modes = place.sandbox.path / "modes"
    until(modes.exists, "stty tells")
    words = modes.read_text().replace(";", " ").split()
    assert "echo" in words and "icanon" in words


def test_before_the_command_and_not_at_its_end(place):
    """Keys that were typed ahead are for the shell."""
    place.open(["bash", "--norc", "-i"], PS1="$ ")
    ready, go = place.sandbox.path / "ready", place.sandbox.path / "go"
    program = place.sandbox.path / "program"
    program.write_text(f"touch {ready}; until test -e {go}; do sleep 0.02; done\n")
    place.type(f"viatty run sh {program}\r")
    until(ready.exists, "the command runs")
    asked = place.terminal.asked()
    assert NAME in asked
    place.type("echo ex''ecuted\r")
    place.see("echo ex''ecuted")
    go.touch()
    place.see("executed")
    assert place.terminal.asked() == asked


@pytest.mark.parametrize("line", ["viatty run true | cat", ": | viatty run true"])
def test_a_pipeline_is_not_asked_about(place, line):
    """A pager there starts at the same time."""
    place.open(["bash", "--norc", "-i"], PS1="$ ")
    place.type(f"{line}; echo en''d\r")
    place.see("end")
    assert place.terminal.asked() == []
