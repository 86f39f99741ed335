"""viatty doctor at a scripted terminal: what a person reads, and what scripts get.

What its verdicts are worth is tested in real/test_doctor.py, beside what then happens.
"""

import json

import pytest

from lib.answering import (
    FOOT,
    KITTY,
    KONSOLE,
    MODE,
    NAME,
    PLAIN,
    TYPED,
    XTERM,
    AnsweringTerminal,
    name,
)
from lib.program import Inside
from lib.typed import KNOWN, UNKNOWN, Clipboard


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


def test_term_that_is_not_set_is_said_so(at):
    """The shell of the terminal runs the command line, so that TERM can be away."""
    found = at(KITTY).run(["env", "-u", "TERM", "viatty", "doctor"])
    assert "terminal    kitty (from its reply; TERM is not set)\n" in found.stdout.decode()
    assert "(from its reply; TERM=xterm-256color)\n" in doctor(at(KITTY)).stdout.decode()


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


# ---- confirmed copies --------------------------------------------------------------

# The verdict, which needs no query of its own, and how copy --confirm then ends.
CONFIRMING = {
    "kitty": (KITTY, "yes", 0),
    "kitty 0.26": ({**KITTY, NAME: name(b"kitty(0.26.5)")}, "no", 4),
    "Konsole": (KONSOLE, "no", 4),
    "xterm": (XTERM, "no", 4),
    "foot with the mode": ({**FOOT, MODE: KNOWN}, "unknown", 0),
    "foot without it": ({**FOOT, MODE: UNKNOWN}, "unknown", 4),
    "one without a name": (PLAIN, "unknown", 4),
}


@pytest.mark.parametrize("script, works, status", CONFIRMING.values(), ids=CONFIRMING)
def test_confirm_has_the_verdict_of_copy_confirm(at, script, works, status):
    place = at({**script, TYPED: Clipboard()})
    found = json.loads(doctor(place, "confirm", "--json").stdout)
    (finding,) = found["features"]
    place.settle()
    asked = place.terminal.asked()
    assert (finding["feature"], finding["works"]) == ("confirm", works)
    assert MODE not in asked and b"]5522" not in place.terminal.recorded()
    copied = place.run(["viatty", "copy", "--confirm"], stdin=b"hello")
    assert copied.status == status, copied.stderr
    if works == "no":
        verdict, fix = copied.stderr.splitlines()
        assert finding["reason"] in verdict
        assert fix == f"hint: {finding['hint']}"
    elif works == "unknown":
        assert "copy --confirm queries" in finding["note"]


def test_confirm_sends_nothing_with_no_probe(at):
    place = at({**KITTY, TYPED: Clipboard()})
    for more in ([], ["--term", "kitty"]):
        result = doctor(place, "confirm", "--no-probe", *more)
        assert result.stdout.startswith(b"confirm: yes" if more else b"confirm: unknown")
    place.settle()
    assert place.terminal.asked() == []


def test_confirm_says_what_would_change_it(at):
    text = doctor(at({**KITTY, NAME: name(b"kitty(0.26.5)")}), "confirm")
    assert text.status == 4
    assert b"OSC 5522" in text.stdout
    assert b"  hint: kitty supports it since version 0.27" in text.stdout


def test_a_terminal_that_says_nothing_confirms_nothing(at):
    place = at({})
    result = doctor(place, "confirm", "--timeout", "0.1")
    assert result.status == 0
    assert result.stdout.partition(b"\n\n")[0] == (
        b"confirm: unknown\n  the terminal replies to no query\n"
        b"  hint: --timeout SECS waits longer; plain text needs no OSC 5522")


@pytest.mark.parametrize("term", ["xterm-kitty", "dumb", "xterm-256color"])
def test_paste_is_as_paste_says_where_the_terminal_says_nothing(at, term):
    place = at({})
    environment = {"TERM": term}
    found = doctor(place, "paste", "--timeout", "0.1", environment=environment)
    assert (found.status, found.stdout.partition(b"\n\n")[0]) == (0, (
        b"paste: unknown\n  the terminal replies to no query\n"
        b"  hint: paste with the terminal's own key"))
    for more in ([], ["--list-types"]):
        pasted = place.run(["viatty", "paste", "--timeout", "0.1", *more], environment=environment)
        assert (pasted.status, pasted.stdout) == (5, b"")
        assert pasted.stderr.splitlines()[0] == (
            "viatty paste: not pasted: the terminal replies to no query")
