"""Keys that were typed ahead: nothing is asked then, and that is said."""

import os
import re

import pytest

from lib.answering import DA1, NAME, AnsweringTerminal, name
from lib.faults import Launcher

# It takes no copies: over ssh, only its reply tells.
VTE = {NAME: name(b"VTE(7600)"), DA1: b"\x1b[?61;1;21;22c"}
REASON = "the terminal was not asked what it supports, because unread input was waiting"

COMMANDS = {
    "copy": ["viatty", "copy", "-s", "text"],
    "osc52": ["osc52", "/etc/passwd"],
    "clear": ["viatty", "copy", "--clear"],
    "notify": ["viatty", "notify", "text"],
    "run": ["viatty", "run", "true"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_it_is_said_and_the_keys_are_left(sandbox, command):
    terminal = AnsweringTerminal(sandbox, VTE)
    shell = Launcher(sandbox, terminal)
    terminal.type("echo two\r")
    terminal.wait_for(b"two")
    outcome = shell.run(COMMANDS[command])
    assert terminal.asked() == []
    assert REASON in outcome.said
    assert outcome.status == 0
    assert os.read(terminal.slave, 99) == b"echo two\n"


def test_a_refusal_says_it_too(sandbox):
    terminal = AnsweringTerminal(sandbox, VTE)
    terminal.type("x\r")
    terminal.wait_for(b"x")
    outcome = Launcher(sandbox, terminal).run(["viatty", "progress", "50"])
    assert outcome.status == 4 and REASON in outcome.said


def test_the_hint_of_it_needs_no_question(sandbox):
    """As below script, whose end of file is never read."""
    terminal = AnsweringTerminal(sandbox, VTE)
    terminal.type("\x04")
    terminal.wait_for(b"")
    shell = Launcher(sandbox, terminal)
    said = shell.run(COMMANDS["notify"]).said
    assert REASON in said
    option = re.search("name the terminal: (--term) NAME", said)[1]
    outcome = shell.run([*COMMANDS["notify"], option, "kitty"])
    assert (outcome.status, outcome.said, terminal.asked()) == (0, "", [])


def test_it_is_no_certainty_in_a_report(sandbox):
    terminal = AnsweringTerminal(sandbox, VTE)
    terminal.type("x\r")
    terminal.wait_for(b"x")
    outcome = Launcher(sandbox, terminal).run(["viatty", "copy", "--json", "-s", "text"])
    assert b'"known":false' in outcome.stdout and b'"arrives":"unknown"' in outcome.stdout
    assert REASON.encode() in outcome.stdout


def test_what_needs_no_question_needs_no_word(sandbox):
    terminal = AnsweringTerminal(sandbox, VTE, term="xterm-kitty")
    terminal.type("x\r")
    terminal.wait_for(b"x")
    outcome = Launcher(sandbox, terminal).run(["viatty", "copy", "-s", "text"])
    assert (outcome.status, outcome.said) == (0, "")


def test_doctor_asks_all_the_same(sandbox):
    terminal = AnsweringTerminal(sandbox, VTE)
    terminal.type("x\r")
    terminal.wait_for(b"x")
    outcome = Launcher(sandbox, terminal).run(["viatty", "doctor", "copy"])
    assert NAME in terminal.asked() and REASON not in outcome.said
    assert outcome.status == 4
