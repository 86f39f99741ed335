"""What is said: hostile text in every place, the JSON reports, -v and -q."""

import json
import re

import pytest

from lib.faults import JSON_REFUSED, JSON_SENT, arrives, fails, nothing_at, well_said

COPY = ("viatty", "copy")
DATA = b"data"

HOSTILE = {
    "a title": b"\x1b]0;owned\x07",
    "a color, 8-bit": b"\x9b31m",
    "a color, C1 in UTF-8": b"\xc2\x9b31m",
    "delete and backspace": b"a\x7f\x08\x7f",
    "a line of its own": b"a\nviatty: all is well\nhint: no\r\n",
    "every control": bytes(set(range(1, 32)) | {127}),
    "broken UTF-8": b"\xff\xfe\xc3(\xe2\x82\xf0\x9f\x92",
    "a surrogate in UTF-8": b"\xed\xa0\x80\xed\xb0\x80",
    "10 kB": b"A" * 10240,
    "10 kB of escapes": b"\x1b" * 10240,
    "wide characters": "✓".encode() * 500,
    "wide characters, shifted": b"a" + "✓".encode() * 500,
    "formats": b"%s%n%x%d%*d",
    "quotes": b"\"'\\\\\"`$(id)",
    "an OSC in the middle": b"before\x1b]52;c;aGk=\x1b\\after",
}

# Other places than these are in golden/.
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_cannot_write_to_the_terminal_through_a_message(shell, text):
    for words, environment, status in (
        ([*COPY, text], {}, 1), ([*COPY, "--tty", text], {}, 3), (COPY, {"VIATTY_TTY": text}, 3),
    ):
        outcome = shell.run(words, stdin=DATA, environment=environment)
        fails(outcome, status)
        assert b"viatty: all is well\n" not in outcome.stderr.replace(b"\\n", b"")
        assert len(outcome.stderr) < 2048
    nothing_at(shell.terminal)


@pytest.mark.needs("bash")
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_the_name_of_the_program_cannot_either(shell, text):
    line = 'exec -a "$1" viatty copy --bogus'
    argv = ["bash", "-c", line, "bash", text]
    outcome = shell.run(argv, stdin=DATA)
    fails(outcome, 2, '"--bogus"')


def test_what_is_copied_is_never_shown(shell):
    for options in ([], ["-v"], ["--json"], ["--max", "3"], ["--term", "vte"]):
        outcome = shell.run([*COPY, *options], stdin=b"my secret \x1b]0;x\x07")
        well_said(outcome)
        assert b"secret" not in outcome.stderr + outcome.stdout
        assert b"\x1b" not in outcome.stdout


# ---- --json ------------------------------------------------------------------------


def report(outcome):
    """One JSON object on one line, without a control byte."""
    text = outcome.stdout.decode("utf-8")
    assert text.endswith("}\n") and text.count("\n") == 1
    assert not [c for c in text[:-1] if c < " " or "\x7f" <= c <= "\x9f"]
    return json.loads(text)


def test_the_report_of_what_was_sent_has_its_members(shell):
    outcome = shell.run([*COPY, "--json"], stdin=DATA)
    arrives(outcome, shell.terminal, DATA)
    assert outcome.stderr == b""
    got = report(outcome)
    assert set(got) >= JSON_SENT
    expected = {
        "command": "copy",
        "sent": True,
        "route": "direct",
        "device": shell.terminal.device,
        "layers": "none",
        "terminal": None,
        "payload_bytes": len(DATA),
        "sent_bytes": len(shell.terminal.recorded()),
        "warning": None,
        "hint": None,
    }
    assert {name: got[name] for name in expected} == expected
    assert isinstance(got["known"], bool) and got["reason"]


@pytest.mark.parametrize("options, member, value", [
    (["--wrap", "tmux"], "layers", "tmux"),
    (["--term", "kitty"], "terminal", "kitty"),
    (["-S", "cp"], "sent_bytes", 2 * len("..52;c;ZGF0YQ==..")),
])
def test_the_report_says_what_was_done(shell, options, member, value):
    outcome = shell.run([*COPY, "--json", *options], stdin=DATA)
    assert outcome.status == 0
    assert report(outcome)[member] == value


REFUSALS = {
    "a missing file": (["no such file"], 1),
    "too large": (["--max", "1"], 4),
    "no terminal": (["--tty", "/dev/null"], 3),
}


@pytest.mark.parametrize("options, status", REFUSALS.values(), ids=REFUSALS)
def test_the_report_of_what_was_refused_has_its_members(shell, options, status):
    outcome = shell.run([*COPY, "--json", *options], stdin=DATA)
    fails(outcome, status)
    got = report(outcome)
    assert set(got) >= JSON_REFUSED
    assert (got["command"], got["sent"], got["status"]) == ("copy", False, status)
    message, _, hint = outcome.said.removeprefix("viatty copy: ").partition("\nhint: ")
    # The verdict is for people: "not copied: ...".
    assert message.strip() == "not copied: " + got["error"]
    assert (got["hint"] or "") == hint.strip()
    quiet = shell.run([*COPY, "-q", *options], stdin=DATA)
    assert (quiet.status, quiet.stderr) == (status, outcome.stderr)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_does_not_break_the_report(shell, text):
    outcome = shell.run([*COPY, "--json", text], stdin=DATA)
    assert set(report(outcome)) >= JSON_REFUSED


def test_the_report_carries_the_warning(shell):
    environment = {"TERM": "tmux-256color"}
    outcome = shell.run([*COPY, "--json"], stdin=DATA, environment=environment)
    got = report(outcome)
    assert set(got) >= JSON_SENT
    warning, _, hint = outcome.said.partition("\nhint: ")
    assert got["warning"] and got["warning"] in warning
    assert got["hint"] and got["hint"] == hint.strip()


def test_the_report_that_cannot_be_written_is_a_failure(shell):
    descriptors = {1: ("/dev/full", "w")}
    outcome = shell.run([*COPY, "--json"], stdin=DATA, descriptors=descriptors)
    fails(outcome, 1, "standard output")


# ---- -v and -q ---------------------------------------------------------------------


def test_verbose_says_route_device_layers_terminal_and_size(shell):
    outcome = shell.run([*COPY, "-v", "--term", "kitty"], stdin=DATA)
    arrives(outcome, shell.terminal, DATA)
    assert outcome.said.count("\n") == 1
    size = len(shell.terminal.recorded())
    sizes = f"sent {len(DATA)} bytes ({size} encoded)"
    route = f"to {shell.terminal.device} by --route direct"
    for word in (sizes, route, "--wrap none", "terminal kitty"):
        assert word in outcome.said
    found = shell.run(["viatty", "doctor", "-v", "--term", "kitty"])
    words = outcome.said + re.sub(r"\x1b\[\d*m", "", found.stdout.decode())
    assert "--route direct" in words
    # What only the sources call so; the options are named as they are typed.
    assert not re.search(r"\b(hop|layer)s?\b|(?<!--)\broutes?\b", words), words


def test_quiet_silences_the_warning_and_not_the_report_of_verbose(shell):
    environment = {"TMUX": "/nonexistent/socket,1,0"}
    loud = shell.run(COPY, stdin=DATA, environment=environment)
    assert "viatty copy: warning: TMUX is ignored" in loud.said
    quiet = shell.run([*COPY, "-q"], stdin=DATA, environment=environment)
    assert (quiet.status, quiet.stderr) == (loud.status, b"") == (0, b"")
    both = shell.run([*COPY, "-q", "-v"], stdin=DATA, environment=environment)
    assert "warning" not in both.said and "sent 4 bytes" in both.said


# A default tmux drops it; iTerm2 ignores it unless a setting is on.
LOST = {"tmux": ([], {"TERM": "tmux-256color"}), "iterm2": (["--term", "iterm2"], {})}


@pytest.mark.parametrize("options, environment", LOST.values(), ids=LOST)
def test_quiet_does_not_silence_a_probable_loss(shell, options, environment):
    loud = shell.run([*COPY, *options], stdin=DATA, environment=environment)
    assert loud.status == 7 and "viatty copy: warning: " in loud.said
    quiet = shell.run([*COPY, "-q", *options], stdin=DATA, environment=environment)
    assert (quiet.status, quiet.stderr) == (7, loud.stderr)
    report = shell.run([*COPY, "--json", *options], stdin=DATA, environment=environment)
    assert report.status == 7 and b'"arrives":"unlikely"' in report.stdout
    doctor = shell.run(["viatty", "doctor", "copy", *options], environment=environment)
    assert doctor.status == 7


BEHIND_TMUX = {"TERM": "tmux-256color"}
SENDERS = [["copy"], ["notify", "done"], ["title", "--outer", "x"], ["raw", "--filter"]]


@pytest.mark.parametrize("words", SENDERS, ids=" ".join)
def test_a_probable_loss_has_a_status_of_its_own_and_its_line(shell, words):
    stdin = DATA if words in (["copy"], ["raw", "--filter"]) else b""
    said = shell.run(["viatty", *words, "-q", "--no-probe"], stdin=stdin, environment=BEHIND_TMUX)
    assert (said.status, "probably lost: the outer tmux" in said.said) == (7, True)


def test_doctor_ends_with_the_worst_of_what_it_was_asked(shell):
    asks = lambda *words: shell.run(["viatty", "doctor", "--no-probe", *words],
                                    environment=BEHIND_TMUX).status
    assert [asks(), asks("copy"), asks("copy", "notify"), asks("paste", "copy"),
            asks("copy", "paste")] == [0, 7, 7, 4, 4]


FORESEEN = {
    "force": (["viatty", "copy", "--force"], {}),
    "a statement": (["viatty", "copy"], {"VIATTY_OUTER_TMUX": "copies"}),
    "another program": (["xclip", "-selection", "clipboard"], {}),
    "printed": (["viatty", "copy", "--print"], {}),
    "run": (["viatty", "run", "true"], {}),
    "title": (["viatty", "title", "--outer", "--while", "x", "true"], {}),
}


@pytest.mark.parametrize("words, environment", FORESEEN.values(), ids=FORESEEN)
def test_what_the_caller_foresees_or_cannot_know_ends_well(sandbox, shell, words, environment):
    (sandbox.path / "bin/xclip").symlink_to("viatty")
    variables = {**BEHIND_TMUX, "VIATTY_PROBE": "never", **environment}
    said = shell.run(words, stdin=DATA, environment=variables)
    assert said.status == 0


def test_doctor_says_that_a_copy_is_unlikely_to_arrive(shell):
    environment = {"TERM": "tmux-256color"}
    said = shell.run(["viatty", "doctor", "copy", "--no-probe"], environment=environment)
    first, reason, *fix = said.stdout.decode().partition("\n\n")[0].splitlines()
    assert first == "copy: unlikely"
    assert reason == "  probably lost: the outer tmux drops copies by default, and cannot be queried"
    assert fix[1:] == [
        "    tmux set -g set-clipboard on",
        "  then connect with:",
        "    ssh -t HOST 'VIATTY_OUTER_TMUX=copies exec $SHELL -l'",
    ]


PLAIN, WRAPPED = b"\x1b]52;c;ZGF0YQ==\x1b\\", b"\x1bPtmux;\x1b\x1b]52;c;ZGF0YQ==\x1b\x1b\\\x1b\\"
# What TERM says is on the path, what the variable states, and what is sent.
STATED = {
    "copies": ("tmux-256color", "copies", PLAIN),
    "all, tmux by the name of Screen": ("screen-256color", "all", WRAPPED),
    "no tmux": ("xterm-256color", "all", PLAIN),
}


@pytest.mark.parametrize("term, stated, sent", STATED.values(), ids=STATED)
def test_an_outer_tmux_that_is_stated_to_pass_copies_is_no_warning(shell, term, stated, sent):
    environment = {"TERM": term, "VIATTY_OUTER_TMUX": stated, "VIATTY_PROBE": "never"}
    outcome = shell.run(COPY, stdin=DATA, environment=environment)
    assert (outcome.status, outcome.stderr) == (0, b"")
    shell.terminal.wait_for(sent)
    assert shell.terminal.recorded() == sent
    doctor = shell.run(["viatty", "doctor", "copy"], environment=environment)
    assert doctor.status == 0
    assert (f"VIATTY_OUTER_TMUX={stated}" in doctor.stdout.decode()) == (term[0] != "x")


def test_the_statement_that_copies_pass_is_none_about_notifications(shell):
    environment = {"TERM": "tmux-256color", "VIATTY_OUTER_TMUX": "copies", "VIATTY_PROBE": "never"}
    outcome = shell.run(["viatty", "notify", "x"], environment=environment)
    assert "probably lost: the outer tmux drops this" in outcome.said


# ---- the next step -------------------------------------------------------------------


def test_who_wrote_escapes_is_told_what_writes_them(shell):
    hint = "hint: printf writes ESC as \\033; --force sends it anyway"
    fails(shell.run(["viatty", "raw"], stdin=b"\\e]2;x\\e\\\\\n"), 4, hint)
    nothing_at(shell.terminal)
