"""Terminals whose settings decide whether programs may copy, and how much of that they tell."""

import json
import os
import re
from dataclasses import dataclass

import pytest

from lib import expect, sequences
from lib.answering import (
    ALLOWED,
    CLIPBOARD,
    DA1,
    DA2,
    DISALLOWED,
    DISALLOWED_401,
    FOOT,
    KITTY,
    NAME,
    PLAIN,
    ST,
    clipboard,
    name,
)
from lib.faults import fails

DATA = b"for the clipboard"
IDENTITY = [NAME, DA2, b"\x1b[=c", DA1]
SETTINGS = [ALLOWED, DISALLOWED, DISALLOWED_401, DA1]

# What is said of a copy: nothing; status 4 and the setting; a warning with the setting.
SILENT, REFUSED, WARNED = "silent", "refused", "warned"
YES, NEEDS, UNKNOWN = "yes", "needs a setting", "unknown"


@dataclass(frozen=True)
class Case:
    script: dict
    copy: str
    doctor: str
    setting: str = ""
    environment: tuple = ()
    term: str = "xterm-256color"

    def shell(self, at):
        return at(self.script, environment=dict(self.environment), term=self.term)


def xterm(version, disallowed, allowed=b""):
    """As measured: 379 lists nothing of allowWindowOps, 412 the same of both names."""
    listed = b"\x1b]61%s" % (b";" + disallowed if disallowed else b"") + ST
    return {
        NAME: name(b"XTerm(%d)" % version),
        DA2: b"\x1b[>41;%d;0c" % version,
        DA1: b"\x1b[?64;1;2;6;9;15;16;17;18;21;22;28c",
        ALLOWED: b"\x1b]60;allowColorOps,allowTitleOps%s" % allowed + ST,
        DISALLOWED: listed,
        DISALLOWED_401: listed if version > 400 else b"\x1b]61" + ST,
    }


SHIPPED_OPS = b"GetWinTitle,SetXprop,GetSelection,SetSelection"
COPYING_OPS = b"GetWinTitle,SetXprop,GetSelection"
RESOURCE = "XTerm*disallowedWindowOps: 20,21,SetXprop"
KITTY_CONF = "kitty.conf:\n  clipboard_control write-clipboard"
SILENT_XTERM = {question: xterm(379, b"")[question] for question in (NAME, DA2, DA1)}


def said(text, da1):
    return {NAME: name(text), DA1: b"\x1b[?%sc" % da1}


CASES = {
    # xterm: OSC 60 and 61 tell.
    "xterm 379": Case(xterm(379, SHIPPED_OPS), REFUSED, NEEDS, RESOURCE),
    "xterm 379, by its variable": Case(
        xterm(379, SHIPPED_OPS), REFUSED, NEEDS, RESOURCE,
        (("XTERM_VERSION", "XTerm(379)"),)),
    "xterm 412": Case(xterm(412, SHIPPED_OPS), REFUSED, NEEDS, RESOURCE),
    "xterm 379, nothing disallowed": Case(xterm(379, b""), SILENT, YES),
    "xterm, window operations allowed": Case(
        xterm(412, SHIPPED_OPS, b",allowWindowOps"), SILENT, YES),
    "xterm that does not tell": Case(SILENT_XTERM, WARNED, NEEDS, RESOURCE),
    # 52 in DA1, since a version; the others are in unit/test_terminal.c.
    "kitty, copying not allowed": Case({**KITTY, DA1: b"\x1b[?62;c"}, REFUSED, NEEDS, KITTY_CONF),
    "foot, copying disabled": Case(
        {**FOOT, DA1: b"\x1b[?62;4;22;28c"}, REFUSED, NEEDS, "foot.ini, under [security]:\n  osc52=enabled"),
    # As a VT100 it has no extensions to list.
    "iTerm2 as a VT100": Case(
        said(b"iTerm2 3.6.11", b"1;2"), WARNED, NEEDS, "Applications in terminal may access clipboard"),
    "mlterm 3.9.0": Case(
        {DA2: b"\x1b[>24;279;0c", DA1: b"\x1b[?63;1;2;22;29c"}, WARNED, NEEDS, "allow_osc52 = true",
        (("MLTERM", "3.9.0"),), "mlterm"),
    # Neither tells anything.
    "st": Case(PLAIN, WARNED, NEEDS, "int allowwindowops = 1", term="st-256color"),
    # No version tells whether it would list 52.
    "Windows Terminal": Case({DA2: b"\x1b[>0;10;1c", DA1: b"\x1b[?61;4;52c"}, SILENT, YES),
    "Windows Terminal without 52": Case(
        {DA2: b"\x1b[>0;10;1c", DA1: b"\x1b[?61;4;42c"}, SILENT, UNKNOWN,
        "compatibility.allowOSC52"),
}


def copy(shell, *options, data=DATA, **how):
    outcome = shell.run(["viatty", "copy", *options], stdin=data, **how)
    shell.terminal.settle()
    return outcome


def arrived(shell, data=DATA, letters="c"):
    assert expect.brief(shell.terminal.clipboard()) == expect.brief([(letters, data)])


def is_refused(shell, outcome, setting):
    fails(outcome, 4, "do not allow setting the clipboard")
    assert "\nhint: set in " in outcome.said and setting in outcome.said
    assert sequences.osc(shell.terminal.recorded(), 52) == []


def is_warned(outcome, setting):
    """What happened, where to change it, and a line that can be copied."""
    assert outcome.status == 7, outcome.said
    warning, hint, line = outcome.said.splitlines()
    assert re.fullmatch("viatty copy: warning: sent, but .* ignores it unless .*", warning)
    assert hint.startswith("hint: set in ") and hint.endswith(":")
    assert line.startswith("  ") and setting in f"{hint}\n{line}"


def doctor(shell, feature, **how):
    text = shell.run(["viatty", "doctor", feature], **how)
    (finding,) = json.loads(shell.run(
        ["viatty", "doctor", "--json", feature], **how).stdout)["features"]
    return text, finding


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_copy_arrives_or_the_setting_is_named(at, case):
    shell = case.shell(at)
    doctor_agrees(shell, case)
    shell.terminal.forget()
    outcome = copy(shell)
    if case.copy == REFUSED:
        is_refused(shell, outcome, case.setting)
        return
    arrived(shell)
    if case.copy == WARNED:
        is_warned(outcome, case.setting)
    else:
        assert (outcome.status, outcome.said) == (0, "")


def doctor_agrees(shell, case):
    text, finding = doctor(shell, "copy")
    assert text.status == {SILENT: 0, WARNED: 7, REFUSED: 4}[case.copy]
    assert text.stdout.startswith(b"copy: " + case.doctor.encode())
    assert finding["works"] == case.doctor
    if case.setting:
        file, line = finding["setting"].split(": ", 1)
        assert f"\n  hint: set in {file}:\n    {line}\n" in text.stdout.decode()
        assert case.setting in f"{file}:\n  {line}"
    else:
        assert finding["setting"] is None
    assert (case.doctor == NEEDS) == (case.copy != SILENT)


# ---- who is asked ------------------------------------------------------------------


def test_only_xterm_is_asked_by_osc_60_and_61_and_only_once(at):
    asked = {}
    for script in (xterm(379, COPYING_OPS), KITTY, PLAIN):
        shell = at(script)
        copy(shell)
        copy(shell)
        asked[script.get(NAME)] = shell.terminal.asked()
    assert list(asked.values()) == [IDENTITY + SETTINGS, IDENTITY, IDENTITY]


def test_xterm_is_asked_although_nobody_has_typed_for_long(at):
    """In a script that has run for a while, the last key is old."""
    shell = at(xterm(379, SHIPPED_OPS))
    os.utime(shell.terminal.device, (0, 0))
    is_refused(shell, copy(shell), RESOURCE)


def test_a_paste_does_not_ask_whether_copies_are_allowed(at):
    shell = at({**xterm(379, b""), CLIPBOARD: clipboard(b"text")})
    outcome = shell.run(["viatty", "paste"])
    assert outcome.stdout == b"text", outcome.said
    assert ALLOWED not in shell.terminal.asked()


def test_one_that_copies_as_shipped_is_not_asked_by_a_copy(at):
    """The limit that viatty-copy(1) names: doctor says what the copy did not find out."""
    shell = at({**FOOT, DA1: b"\x1b[?62;c"}, term="foot")
    outcome = copy(shell)
    assert (outcome.status, outcome.said) == (0, "")
    arrived(shell)
    assert shell.terminal.asked() == []
    assert doctor(shell, "copy")[0].stdout.startswith(b"copy: needs a setting")


# ---- reading -----------------------------------------------------------------------


@pytest.mark.parametrize("script, works", [
    (FOOT, "yes"),
    # disabled, or paste-enabled: the reply is the same.
    ({**FOOT, DA1: b"\x1b[?62;4;22;28c"}, "unknown"),
])
def test_doctor_paste_promises_nothing_where_the_settings_are_other_ones(at, script, works):
    text, finding = doctor(at(script), "paste")
    assert (finding["works"], finding["setting"]) == (works, None)
    assert text.stdout.startswith(b"paste: " + works.encode())


# ---- titles ------------------------------------------------------------------------

# Debian's xterm disallows every window operation since 403-1, xterm's own only some.
DEBIANS_OPS = SHIPPED_OPS + b",PushTitle,PopTitle"
KEPT, BUSY, RESTORED = b"\x1b[22;0t", b"\x1b]0;busy\x1b\\", b"\x1b[23;0t"
EMPTY = b"\x1b]0;\x1b\\"
STACKS = {
    "Debian's, by its variable": (xterm(412, DEBIANS_OPS), {"XTERM_VERSION": "XTerm(412)"}, NEEDS),
    "Debian's, all allowed": (xterm(412, DEBIANS_OPS, b",allowWindowOps"), {}, YES),
    "one that does not tell": (
        {**SILENT_XTERM, NAME: name(b"XTerm(403)")}, {}, UNKNOWN),
    "one before 403 that was changed": (xterm(402, DEBIANS_OPS), {}, NEEDS),
}


@pytest.mark.parametrize("script, environment, doctor", STACKS.values(), ids=STACKS)
def test_a_title_is_saved_where_that_is_allowed(at, script, environment, doctor):
    shell = at(script, environment=environment)
    found = shell.run(["viatty", "doctor", "title-stack"])
    assert found.stdout.decode().startswith(f"title-stack: {doctor}")
    assert ("hint: set in ~/.Xresources" in found.stdout.decode()) == (doctor == NEEDS)
    shell.terminal.forget()
    assert shell.run(["viatty", "title", "--while", "busy", "--", "true"]).status == 0
    shell.terminal.settle()
    written = KEPT + BUSY + RESTORED if doctor == YES else BUSY + EMPTY
    assert shell.terminal.recorded().endswith(written)
    assert (KEPT in shell.terminal.recorded()) == (doctor == YES)


def test_a_version_with_the_old_default_is_not_asked(at):
    shell = at(xterm(379, SHIPPED_OPS), environment={"XTERM_VERSION": "XTerm(379)"})
    assert shell.run(["viatty", "title", "--while", "busy", "--", "true"]).status == 0
    shell.terminal.settle()
    assert shell.terminal.recorded() == KEPT + BUSY + RESTORED
