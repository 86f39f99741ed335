"""Notifications: hostile texts, and terminals that are asked."""

import base64
import os
import subprocess

import pytest

from lib import program, sequences
from lib.answering import KITTY, NAME, PLAIN, XTERM, Pause, notification
from lib.expect import harmless
from lib.faults import well_said
from lib.sequences import BEL, ST

NOTIFY = ("viatty", "notify")

# ---- hostile texts -----------------------------------------------------------------

LONG = "0123456789" * 1000
C0 = [chr(c) for c in (*range(1, 32), 127)]
C1 = [chr(c) for c in range(0x80, 0xA0)]
MEAN = [
    "\x1b]0;x\x07", "\x1b\\", "\x07", "a\x1b\\b", "\x1b[2J", "\x1bPtmux;\x1b\x1b]0;x\x07",
    "\x18\x1b]52;c;YQ==\x07", "\x9d0;x\x9c", "\x1b", "\x1b]", "x\x1b",
    ";", ";;;", "a;b", "4;1;50", "9;4;3", "12", "5", "0;", "notify;a;b",
    ":", "i=x:p=close", "d=0:e=1", "=", "?", "p=?", "\\", "%s%n", "$(id)",
    "\u202e\u05d0\u202c", "\u2066x\u2069", "\u200f", "\u2028", "\ufeff", "e\u0301",
    "a\nb", "a\r\nb", "a\rb", "a\tb", "\n", "\r\n", "<b>x</b>&amp;", " ", "\U0001f600",
    LONG, LONG + "\x1b\\", ";" * 10000, "\x1b" * 5000, "\u2713" * 4000,
]
BROKEN = [
    b"\xff", b"\xc3", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82",
    b"a\x9cb", b"\x9d52;c;YQ==\x9c", b"\x1b\xc2\x9c", b"\xe2\x1b\\\x82",
]
CORPUS = [text.encode() for text in C0 + C1 + MEAN] + BROKEN


def cut(text, most):
    """As much as fits with its ellipsis."""
    if len(text.encode()) <= most:
        return text
    while len(text.encode()) > most - 3:
        text = text[:-1]
    return text + "\u2026"


def sent(*arguments, stdin=b""):
    """The sequences that a call prints."""
    result = subprocess.run(
        [b"viatty", b"notify", b"--print=raw", b"-w", b"none", *arguments],
        executable=os.path.abspath(program.path()),
        input=stdin,
        capture_output=True,
        start_new_session=True,
        timeout=60,
    )
    assert (result.returncode, result.stderr) == (0, b""), result.stderr
    tokens = sequences.parse_strictly(sequences.with_one_id(result.stdout))
    assert all(t.kind == "osc" and t.terminator == ST for t in tokens), result.stdout
    return [token.payload for token in tokens]


def series(payloads):
    """The one notification of OSC 99: its description, and its parts by name."""
    parts, description = {}, None
    for number, payload in enumerate(payloads, 1):
        head, metadata, text = payload.split(b";", 2)
        records = [record.split(b"=", 1) for record in metadata.split(b":")]
        keys = dict(records)
        assert head == b"99" and keys[b"i"] == b"n1" and keys[b"e"] == b"1"
        assert keys[b"d"] == (b"1" if number == len(payloads) else b"0")
        assert len(text) <= 2048
        if description is None:
            description = [record for record in records if record[0] not in b"idep"]
        else:
            assert len(records) == 4, metadata
        piece = sequences.strict_base64(text).decode("utf-8")
        parts[keys[b"p"]] = parts.get(keys[b"p"], "") + piece
    return description, parts


MOST_99 = 16 * 1024


def longest(text):
    """The raw bytes that stay within the limits of what is shown."""
    return cut(harmless(text, lines=True), MOST_99)


def test_no_text_ends_a_notification_of_osc_99_or_begins_another():
    for text in CORPUS:
        payloads = sent(b"--term", b"kitty", b"--", text, b"x" + text)
        description, parts = series(payloads)
        wanted = {b"title": longest(text), b"body": longest(b"x" + text)}
        assert (description, parts) == ([], wanted), text[:80]


def test_no_text_ends_a_notification_of_osc_777_or_adds_a_field():
    for text in CORPUS:
        (payload,) = sent(b"--term", b"foot", b"--", text, b"x" + text)
        kind, name, title, body = payload.decode("utf-8").split(";")
        assert (kind, name) == ("777", "notify")
        wanted = harmless(text).replace(";", "\u037e") or " "
        assert title == cut(wanted, 256), text[:80]
        assert body == cut("x" + wanted, 1024), text[:80]


def test_no_text_ends_a_notification_of_osc_9_or_is_a_command_of_conemu():
    for text in CORPUS:
        (payload,) = sent(b"--term", b"iterm2", b"--", text)
        kind, shown = payload.decode("utf-8").split(";")
        wanted = cut(harmless(text).replace(";", "\u037e"), 256)
        assert kind == "9" and not shown[:1].isdigit()
        assert shown == (" " if wanted[:1].isdigit() else "") + wanted, text[:80]


def test_standard_input_may_hold_any_byte():
    text = bytes(range(256)) * 3
    payloads = sent(b"--term", b"kitty", b"t", b"-", stdin=text)
    assert series(payloads)[1] == {b"title": "t", b"body": harmless(text, lines=True)}


def test_a_body_that_is_too_long_is_read_to_its_end():
    """Whoever writes it gets no broken pipe."""
    line = "set -o pipefail; head -c 3000000 /dev/zero | $0 notify --print=raw -w none t -"
    argv = ["bash", "-c", line, os.path.abspath(program.path())]
    assert subprocess.run(argv, stdout=subprocess.DEVNULL, timeout=60).returncode == 0


# ---- which protocol ----------------------------------------------------------------


def shown(terminal):
    """The notifications that came, all else taken away."""
    terminal.settle()
    tokens = sequences.parse_strictly(sequences.with_one_id(terminal.recorded()))
    numbers = (b"9;", b"777;", b"99;")
    asked = tuple(f"p={kind};".encode() for kind in ("?", "close"))
    return [
        token.payload
        for token in tokens
        if token.kind == "osc"
        and token.payload.startswith(numbers)
        and not token.payload.endswith(asked)
    ]


OF_99 = [b"99;i=n1:d=1:p=title:e=1;" + base64.b64encode(b"Done")]
KNOWN = b"\x1b]99;i=viatty:p=?;a=focus,report:p=title,body,?:u=0,1,2\x1b\\"
# Konsole puts a semicolon where a colon belongs.
KONSOLES = b"\x1b]99;i=viatty;p=?;a=focus:o=unfocus\x1b\\"


@pytest.mark.parametrize("answer", [KNOWN, KONSOLES], ids=["kitty", "Konsole"])
def test_a_stranger_that_knows_osc_99_gets_it(at, answer):
    shell = at({**PLAIN, notification(b"?", b"viatty"): answer})
    outcome = shell.run([*NOTIFY, "Done"])
    assert (outcome.status, outcome.said) == (0, "")
    assert shown(shell.terminal) == OF_99


# A reply about another notification, one that was cut off, and none at all.
NO_ANSWERS = [b"", b"\x1b]99;i=n2:p=?;a=focus\x1b\\", b"\x1b]99;i=viatty:p=?\x18", b"\x1b]99;\x1b\\"]


@pytest.mark.parametrize("answer", NO_ANSWERS)
def test_a_stranger_that_does_not_gets_osc_9_and_a_warning_is_printed(at, answer):
    shell = at({**PLAIN, notification(b"?", b"viatty"): answer})
    outcome = shell.run([*NOTIFY, "Done"])
    assert outcome.status == 0
    well_said(outcome)
    assert "it is unknown whether " in outcome.said
    assert shown(shell.terminal) == [b"9;Done"]


def test_one_that_needs_a_setting_is_named_with_it(shell):
    outcome = shell.run([*NOTIFY, "--term", "windows-terminal", "Done"])
    assert outcome.said == (
        "viatty notify: warning: sent, but Windows Terminal ignores it unless its settings "
        "allow it\nhint: set in settings.json, profile:\n"
        '  "compatibility.allowOSC777": true\n')
    assert outcome.status == 7


def test_one_that_tells_its_name_is_not_asked_again(at):
    shell = at(KITTY)
    outcome = shell.run([*NOTIFY, "Done"])
    assert (outcome.status, outcome.said) == (0, "")
    assert shown(shell.terminal) == OF_99
    assert notification(b"?", b"viatty") not in shell.terminal.asked()


def test_two_at_once_are_both_answered(at):
    """As the plugin of an agent starts them: one asks while the other waits for its reply."""
    shell = at({**KITTY, NAME: [Pause(0.2), KITTY[NAME]]})
    both = "viatty notify Done & viatty notify Done; wait"
    outcome = shell.run(["sh", "-c", both])
    assert (outcome.status, outcome.said) == (0, "")
    assert shown(shell.terminal) == 2 * OF_99
    assert shell.terminal.asked().count(NAME) == 2


def test_a_bell_will_do(at):
    shell = at(XTERM)
    outcome = shell.run([*NOTIFY, "--bell", "Done"])
    assert outcome.status == 0
    assert "the bell rang instead" in outcome.said
    assert shown(shell.terminal) == []
    assert shell.terminal.recorded().endswith(BEL)
