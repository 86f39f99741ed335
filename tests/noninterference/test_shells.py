"""Where nobody reads the terminal meanwhile, viatty pastes as ever."""

import time

import pytest
from place import COPIED

from lib.processes import until

BINDINGS = {
    "zsh": (["zsh", "-f", "-i"], "w() { ask }; zle -N w; bindkey '^G' w\r"),
    "bash": (["bash", "--norc", "-i"], "bind -x '\"\\C-g\": ask'\r"),
    "fish": (["fish", "--no-config", "-i"], "bind \\cg ask\r"),
}


def pasted(place):
    place.ends_with(0)
    # The shell reads on: nothing of a reply was left to it.
    time.sleep(0.2)
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
    time.sleep(0.3)  # the prompt has to be there: the key is for the line editor
    place.type("\x07")
    pasted(place)


SHELLS = {name: argv for name, (argv, _) in BINDINGS.items()}


@pytest.mark.needs("zsh", "bash", "fish")
@pytest.mark.parametrize("shell", SHELLS)
def test_a_command_at_the_prompt(place, shell):
    place.open(SHELLS[shell], PS1="$ ")
    place.type("ask\r")
    pasted(place)


def test_a_pager_behind_it(place):
    """less has taken the terminal, and is no reader that matters: it waits for us."""
    place.open(["bash", "--norc", "-i"], PS1="$ ", LESS="")
    place.type("(sleep 0.3; viatty paste) | less; echo en''d\r")
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
