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
    "clear": ["viatty", "copy", "--clear"],
    "notify": ["viatty", "notify", "text"],
    "run": ["viatty", "run", "true"],
}


@pytest.fixture
def typed(sandbox):
    """Starts programs at a terminal where this line was typed."""

    def typed(keys="x\r", **how):
        terminal = AnsweringTerminal(sandbox, VTE, **how)
        terminal.type(keys)
        terminal.wait_for(keys.encode()[:-1])
        return Launcher(sandbox, terminal)

    return typed


@pytest.mark.parametrize("command", COMMANDS)
def test_it_is_said_and_the_keys_are_left(typed, command):
    shell = typed("echo two")
    outcome = shell.run(COMMANDS[command])
    assert shell.terminal.asked() == []
    assert REASON in outcome.said
    assert outcome.status == 0
    shell.terminal.type("\r")
    assert os.read(shell.terminal.slave, 99).startswith(b"echo two")


def test_a_refusal_says_it_too(typed):
    outcome = typed().run(["viatty", "progress", "50"])
    assert outcome.status == 4 and REASON in outcome.said


def test_the_hint_of_it_needs_no_question(typed):
    """As below script, whose end of file is never read."""
    shell = typed("\x04")
    said = shell.run(COMMANDS["notify"]).said
    assert REASON in said
    option = re.search("name the terminal: (--term) NAME", said)[1]
    outcome = shell.run([*COMMANDS["notify"], option, "kitty"])
    assert (outcome.status, outcome.said, shell.terminal.asked()) == (0, "", [])


def test_it_is_no_certainty_in_a_report(typed):
    outcome = typed().run(["viatty", "copy", "--json", "-s", "text"])
    assert b'"known":false' in outcome.stdout and b'"arrives":"unknown"' in outcome.stdout
    assert REASON.encode() in outcome.stdout


def test_what_needs_no_question_needs_no_word(typed):
    outcome = typed(term="xterm-kitty").run(COMMANDS["copy"])
    assert (outcome.status, outcome.said) == (0, "")


def test_doctor_asks_all_the_same(typed):
    shell = typed()
    outcome = shell.run(["viatty", "doctor", "copy"])
    assert NAME in shell.terminal.asked() and REASON not in outcome.said
    assert outcome.status == 4
