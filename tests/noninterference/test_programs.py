"""Real programs that own the screen call viatty, by its own name and by others.

It pastes, or ends at once with 3 or 4 and the reason. The program reads not one byte
of a reply, neither as keys nor into its file.
"""

import time

import pytest
from place import COMMANDS

from lib.processes import until

CONTROL_Q, CONTROL_S, CONTROL_V, CONTROL_X = "\x11", "\x13", "\x16", "\x18"
ESCAPE = "\x1b"

names = pytest.mark.parametrize("name", COMMANDS)


# ---- editors -----------------------------------------------------------------------


@pytest.mark.needs("micro")
def test_micro_pastes_by_a_link_and_its_file_stays(place):
    place.open(["micro", "-clipboard", "external", place.text])
    place.see("first line")
    place.type(CONTROL_V)
    time.sleep(1)
    place.type("x", CONTROL_S)
    until(lambda: "x" in place.text.read_text(), "micro saves")
    place.type(CONTROL_Q)
    place.program.wait()
    assert place.text.read_text() == "xfirst line\n"
    assert b"52 c" not in place.terminal.asked()


@pytest.mark.needs("micro")
@names
def test_micro_runs_a_command(place, name):
    place.prepare(name)
    place.open(["micro", place.text])
    place.see("first line")
    place.type("\x05run ask\r")
    place.judge()
    place.type("x", CONTROL_S)
    until(lambda: "x" in place.text.read_text(), "micro saves")
    assert place.text.read_text() == "xfirst line\n"


@pytest.mark.needs("kak")
@names
def test_kakoune(place, name):
    place.prepare(name)
    place.open(["kak", "-n", place.text])
    place.see("irst line")
    place.type(":nop %sh{ask}\r")
    place.judge()
    place.type(":write\r:quit\r")
    place.program.wait()
    assert place.text.read_text() == "first line\n"


VIM = {
    "a filter": ":!ask\r",
    "silent": ":silent !ask\r",
    "system()": ":call system('ask')\r",
    "a job": ":call job_start('ask')\r",
    "a terminal": ":terminal ask\r",
}


@pytest.mark.needs("vim")
@pytest.mark.parametrize("keys", VIM.values(), ids=VIM)
@names
def test_vim(place, name, keys):
    place.prepare(name)
    place.open(["vim", "-Nu", "NONE", "-n", place.text])
    place.see("first line")
    place.type(keys)
    place.judge()
    place.type("\r", ESCAPE)
    time.sleep(0.3)
    place.type(":wqa!\r")
    place.program.wait()
    assert place.text.read_text() == "first line\n"


NEOVIM = {name: keys for name, keys in VIM.items() if name != "a job"}
NEOVIM["a job"] = ":call jobstart('ask')\r"


@pytest.mark.needs("nvim")
@pytest.mark.parametrize("keys", NEOVIM.values(), ids=NEOVIM)
def test_neovim(place, keys):
    place.open(["nvim", "-u", "NONE", "-n", place.text])
    place.see("first line")
    place.type(keys)
    place.judge()


@pytest.mark.needs("emacs")
@names
def test_emacs(place, name):
    place.prepare(name)
    place.open(["emacs", "-nw", "-Q", place.text])
    place.see("first line")
    place.type(ESCAPE + "!")
    place.see("Shell command")
    place.type("ask\r")
    place.judge()
    place.type("x", CONTROL_X + CONTROL_S)
    until(lambda: "x" in place.text.read_text(), "emacs saves")
    assert place.text.read_text() == "xfirst line\n"


# ---- pagers and menus --------------------------------------------------------------

LESS = {"a command": "!ask\r", "a pipe": "|$ask\r"}


@pytest.mark.needs("less")
@pytest.mark.parametrize("keys", LESS.values(), ids=LESS)
@names
def test_less(place, name, keys):
    place.prepare(name)
    place.open(["less", place.text])
    place.see("first line")
    place.type(keys)
    place.judge()
    time.sleep(0.3)
    place.type("\r")
    time.sleep(0.3)
    place.type("q")
    place.program.wait()


FZF = {
    "execute": "execute(ask)",
    "execute-silent": "execute-silent(ask)",
    "become": "become(ask)",
    "preview": "preview(ask)",
}


@pytest.mark.needs("fzf")
@pytest.mark.parametrize("action", FZF.values(), ids=FZF)
@names
def test_fzf(place, name, action):
    place.prepare(name)
    place.open(["fzf", "--bind", f"ctrl-x:{action}"],
               FZF_DEFAULT_COMMAND=f"cat {place.text}")
    place.see("first line")
    place.type(CONTROL_X)
    place.judge()


# ---- file managers -----------------------------------------------------------------


@pytest.mark.needs("mc")
@pytest.mark.parametrize("options", [[], ["-u"]], ids=["subshell", "no subshell"])
@names
def test_mc(place, name, options):
    place.prepare(name)
    place.open(["mc", *options, place.sandbox.path], SHELL="/bin/bash")
    place.see("Quit")
    place.type("ask\r")
    place.judge()


RANGER = {"a command": "shell ask", "a silent one": "shell -s ask",
          "in the background": "shell -f ask"}


@pytest.mark.needs("ranger")
@pytest.mark.parametrize("command", RANGER.values(), ids=RANGER)
@names
def test_ranger(place, name, command):
    place.prepare(name)
    place.open(["ranger", "--clean", place.sandbox.path])
    place.see("osc52")
    place.type(":")
    place.see("\x1b[24d:")
    place.type(command + "\r")
    place.judge()


@pytest.mark.needs("nnn")
@names
def test_nnn(place, name):
    place.prepare(name)
    place.open(["nnn", place.sandbox.path])
    place.see("text")
    place.type("]")
    time.sleep(0.3)
    place.type("ask\r")
    place.judge()
