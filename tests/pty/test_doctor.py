"""viatty doctor at a scripted terminal: what a person reads, and what scripts get.

What its verdicts are worth is tested in real/test_doctor.py, beside what then happens.
"""

import json

import pytest

from lib.answering import FOOT, KONSOLE, AnsweringTerminal
from lib.program import Inside


@pytest.fixture
def at(sandbox):
    """A shell at a terminal that answers by a script."""

    def at(script, **how):
        terminal = AnsweringTerminal(sandbox, script, **how)
        return Inside(terminal.runner(), terminal)

    return at


def doctor(place, *options, **how):
    return place.run(["viatty", "doctor", *options], **how)


def test_without_a_terminal_it_says_what_was_tried_and_what_to_do(nowhere):
    for operands in ([], ["copy"]):
        result = doctor(nowhere, *operands)
        assert (result.status, result.stdout) == (3, b"")
        tried, fix = result.said.splitlines()
        assert tried.startswith("viatty doctor: no terminal") and "/dev/tty" in tried
        assert fix.startswith("hint: ") and "--tty" in fix
    result = doctor(nowhere, "--json")
    assert (result.status, result.stderr) == (3, b"")
    found = json.loads(result.stdout)
    assert found["device"] is None
    assert {finding["works"] for finding in found["features"]} == {"no"}


def test_variables_and_replies_are_for_v(at):
    place = at(FOOT, environment={"KONSOLE_VERSION": "220400"})
    quiet, verbose = (doctor(place, *more).stdout.decode() for more in ([], ["-v"]))
    for words in ("variables   Konsole\n", "replies     XTVERSION foot(1.27.0), DA1 ",
                  "route       direct to "):
        assert words in verbose
        assert words.split()[0] not in quiet
    assert "Konsole" not in quiet and "XTVERSION" not in quiet


def test_a_hint_is_one_line_at_any_width(at):
    """So that it can be copied from the screen."""
    setting = "AllowEscapedLinks=true"
    shown = {}
    for columns in (40, 80):
        place = at(KONSOLE, size=(columns, 60))
        place.start(["viatty", "doctor", "link"], on_terminal=True).wait()
        place.settle()
        (shown[columns],) = (line for line in place.terminal.recorded().decode().splitlines()
                             if line.startswith("  hint: "))
    assert shown[40] == shown[80]
    assert len(shown[40]) > 40 and setting in shown[40]
