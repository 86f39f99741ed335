"""Terminals that answer with garbage, without end, or go away while they are asked."""

import random
import signal

import pytest

from lib.answering import CLIPBOARD, DA1, DA2, FENCE, FOOT, NAME, Hold, clipboard
from lib.faults import well_said
from lib.processes import is_alive, until

PASTE = ("viatty", "paste")
DOCTOR = ("viatty", "doctor")
PROGRESS = ("viatty", "progress", "50")
COMMANDS = pytest.mark.parametrize("argv", [PASTE, DOCTOR], ids=["paste", "doctor"])
# doctor reports what it did not find out, and paste exits with 5 without a reply.
UNANSWERED = {PASTE: 5, DOCTOR: 0}

MUCH = 300_000
NOISE = random.Random(7).randbytes(MUCH)
# Bytes that a terminal driver takes for keys of the person: interrupt, stop, quit.
KEYS = b"\x03\x1a\x1c\x11\x13"
GARBAGE = {
    "random bytes": bytes(b for b in NOISE if b not in KEYS),
    "NULs": bytes(MUCH),
    "a CSI without end": b"\x1b[" + b"1;" * (MUCH // 2),
    "an OSC without end": b"\x1b]52;c;" + b"QUJD" * (MUCH // 4),
    "a DCS without end": b"\x1bP>|" + b"x" * MUCH,
    "nested starts": b"\x1b]52;c;\x1bP>|\x1b[" * (MUCH // 12),
    "fences": FENCE * (MUCH // len(FENCE)),
    "names": FOOT[NAME] * (MUCH // len(FOOT[NAME])),
    "clipboards": clipboard(b"one of many") * (MUCH // 30),
    "C1 controls": bytes(range(0x80, 0xA0)) * (MUCH // 32),
    "escapes": b"\x1b" * MUCH,
    "numbers without end": b"\x1b[?" + b"9" * MUCH + b"c",
}
OFTEN = ["random bytes", "an OSC without end", "fences"]
QUESTIONS = {"the first": NAME, "the fence": DA1, "the clipboard": CLIPBOARD}


def ends(shell, argv, *status, pasted=b"text"):
    """In time, with this status, and the modes as they were."""
    before = shell.terminal.modes()
    # What is answered has time to arrive on a busy machine.
    timeout = "1" if 5 in status else "10"
    outcome = shell.run([*argv, "--timeout", timeout])
    assert outcome.status in status, outcome
    well_said(outcome)
    assert shell.terminal.modes() == before
    if argv == PASTE:
        assert outcome.stdout == (b"" if outcome.status else pasted)


@pytest.mark.parametrize("garbage, question", [
    (garbage, question) for question in QUESTIONS
    for garbage in (GARBAGE if question == "the clipboard" else OFTEN)
])
def test_garbage_instead_of_an_answer(at, question, garbage):
    question, garbage = QUESTIONS[question], GARBAGE[garbage]
    script = {**FOOT, CLIPBOARD: clipboard(b"text"), question: garbage}
    if garbage is GARBAGE["fences"] or question == DA1:
        # what is left of many fences ends the next wait, unless it was read by then
        ends(at(script), PASTE, *((0, 5) if garbage is GARBAGE["fences"] else (5,)))
    elif garbage is GARBAGE["clipboards"] and question == CLIPBOARD:
        ends(at(script), PASTE, 0, pasted=b"one of many")
    else:
        ends(at(script), PASTE, 5 if question == CLIPBOARD else 0)


@pytest.mark.parametrize("garbage, argv", [
    *((garbage, PASTE) for garbage in GARBAGE), *((garbage, DOCTOR) for garbage in OFTEN),
], ids=lambda value: value if isinstance(value, str) else value[1])
def test_garbage_before_every_answer(at, argv, garbage):
    garbage = GARBAGE[garbage]
    answers = {**FOOT, CLIPBOARD: clipboard(b"text")}
    script = {q: garbage[:20_000] + answer for q, answer in answers.items()}
    lost = argv == PASTE and garbage is GARBAGE["fences"]
    first = b"one of many" if garbage is GARBAGE["clipboards"] else b"text"
    ends(at(script), argv, *((0, 5) if lost else (0,)), pasted=first)


# How it starts, and what comes then again and again.
ENDLESS = {
    "NULs": (b"", bytes(4000)),
    "random bytes": (b"", GARBAGE["random bytes"][:4000]),
    "fences": (b"", FENCE * 200),
    "a CSI": (b"\x1b[?", b"1;" * 2000),
    "a clipboard": (b"\x1b]52;c;", b"QUJD" * 1000),
    "a name": (b"\x1bP>|", b"text" * 1000),
    "random bytes in an OSC": (b"\x1b]52;c;", GARBAGE["random bytes"][4000:8000]),
}


@COMMANDS
@pytest.mark.parametrize("start, piece", ENDLESS.values(), ids=ENDLESS)
def test_an_answer_that_never_ends(at, argv, start, piece):
    pieces = [start or piece] + [piece] * 10_000
    ends(at({**FOOT, NAME: pieces}), argv, UNANSWERED[argv])


# ---- it goes away, or stalls ---------------------------------------------------------

FAILED = {PASTE: 1, DOCTOR: 0, PROGRESS: 4}
ASKERS = pytest.mark.parametrize("argv", FAILED, ids=lambda argv: argv[1])

MOMENTS = {
    "before the first": ({}, NAME),
    "between two": ({NAME: [FOOT[NAME], Hold]}, DA2),
    "in the middle of one": ({NAME: [FOOT[NAME][:7], Hold]}, NAME),
}


@ASKERS
@pytest.mark.parametrize("ignored", [[signal.SIGHUP], []], ids=["ignored", "deadly"])
@pytest.mark.parametrize("script, question", MOMENTS.values(), ids=MOMENTS)
def test_a_terminal_that_closes_while_it_is_asked(at, argv, script, question, ignored):
    shell = at(script)
    started = shell.start([*argv, "--timeout", "20"], ignored=ignored)
    shell.terminal.wait_until_asked(question)
    shell.terminal.hang_up()
    outcome = started.wait()
    # Its read may fail before the signal arrives.
    assert outcome.status == FAILED[argv] or (not ignored and outcome.status == -signal.SIGHUP)
    well_said(outcome)
    until(lambda: not is_alive(started.pid), "it ends")
