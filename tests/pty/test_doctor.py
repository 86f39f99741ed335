"""viatty doctor at a scripted terminal: what a person reads, and what scripts get.

What its verdicts are worth is tested in real/test_verdicts.py, beside what then happens.
"""

import json
import re

import pytest

from lib.answering import DA1, FOOT, KITTY, NAME, PLAIN, XTERM, AnsweringTerminal, name


def doctor(place, *options, **how):
    return place.run(["viatty", "doctor", *options], **how)


def test_without_a_terminal_it_says_what_was_tried_and_what_to_do(nowhere):
    for operands in ([], ["copy"], ["--json"]):
        result = doctor(nowhere, *operands)
        assert result.status == 3
        tried, fix = result.said.splitlines()
        assert tried.startswith("viatty doctor: no terminal") and "/dev/tty" in tried
        assert fix.startswith("hint: ") and "--tty" in fix
        assert result.stdout.count(b"no terminal can be reached") == len(result.stdout.splitlines())
    assert json.loads(result.stdout)["status"] == 3


def test_a_relay_in_a_tmux_is_no_part_of_its_version(place_at):
    """It adds its name to the reply of the tmux."""
    replies = {NAME: name(b"tmux 3.3a viatty-relay"), DA1: b"\x1b[?1;2;52c"}
    said = doctor(place_at(replies, term="tmux-256color"), "-v").stdout.decode()
    assert re.search(r"tmux 3\.3a +its server cannot be queried", said), said


def test_term_that_is_not_set_is_said_so(place_at):
    """Neither here nor in the shell that the terminal runs; env -u alone leaves it there."""
    found = place_at(KITTY, term="").run(["env", "-u", "TERM", "viatty", "doctor", "-v"])
    known = "  terminal    kitty\n  known by    reply\n  TERM        "
    assert re.search("  known by    reply\n(?!  TERM)", found.stdout.decode())
    assert known + "xterm-256color\n" in doctor(place_at(KITTY), "-v").stdout.decode()


def test_json_escapes_as_others_do(place_at):
    found = doctor(place_at(KITTY), "--json", environment={"TERM": 'a"b\\c'}).stdout
    assert json.loads(found)["term"] == 'a"b\\c'
    assert b'"term":"a\\"b\\\\c"' in found


def test_variables_and_replies_are_for_v(place_at):
    place = place_at(FOOT, environment={"KONSOLE_VERSION": "220400"})
    quiet, verbose = (doctor(place, *more).stdout.decode() for more in ([], ["-v"]))
    for words in ("variables   konsole\n", "XTVERSION   foot(1.27.0)\n", "DA1         62;",
                  f"color: yes, sent to {place.terminal.device} by --route direct, --wrap none, "
                  "terminal foot: no multiplexer on the path\n"):
        assert words in verbose
        assert words not in quiet


def test_what_a_hint_says_to_type_is_one_line_at_any_width(place_at):
    """So that it can be copied from the screen."""
    setting = "    XTerm*disallowedWindowOps: 20,21,SetXprop"
    shown = {}
    for columns in (40, 80):
        place = place_at(XTERM, size=(columns, 60))
        place.start(["viatty", "doctor", "copy"], on_terminal=True).wait()
        place.settle()
        (shown[columns],) = (line for line in place.terminal.recorded().decode().splitlines()
                             if "XTerm*" in line)
    assert shown[40] == shown[80] == setting and len(setting) > 40


@pytest.mark.parametrize("route", ["client-tty", "native"])
def test_a_route_that_does_not_exist_here_is_a_no(place_at, route):
    place = place_at(FOOT)
    copied = place.run(["viatty", "copy", "--route", route], stdin=b"text")
    found = doctor(place, "copy", "--route", route)
    assert (copied.status, found.status) == (2, 4)
    assert found.stdout.decode().startswith(f"copy: no\n  --route {route}: ")


# ---- what is not known ---------------------------------------------------------------

@pytest.mark.parametrize("feature, term, why", [
    ("progress", "xterm-256color", b"the terminal is unknown, and some show OSC 9;4"),
    ("progress", "xterm-kitty", b"its version is unknown"),
])
def test_what_is_not_known_is_called_unknown(place_at, feature, term, why):
    place = place_at({})
    result = doctor(place, feature, "--timeout", "0.1", environment={"TERM": term})
    assert result.status == 0
    said = result.stdout.partition(b"\n\n")[0]
    assert said.startswith(f"{feature}: unknown\n".encode())
    assert why in b" ".join(said.split())


@pytest.mark.slow
def test_paste_is_as_paste_says_where_the_terminal_says_nothing(place_at):
    place = place_at({})
    found = doctor(place, "paste", "--timeout", "0.1")
    assert (found.status, found.stdout.partition(b"\n\n")[0]) == (0, (
        b"paste: unknown\n  the terminal does not reply to queries\n"
        b"  hint: paste with the terminal's own key"))
    pasted = place.run(["viatty", "paste", "--timeout", "0.1"])
    assert (pasted.status, pasted.stdout) == (5, b"")
    assert pasted.stderr.splitlines()[0] == (
        "viatty paste: not pasted: the terminal does not reply to queries")


def test_the_limit_of_a_copy_is_that_of_its_text(place_at):
    """xterm takes 600,000 bytes of sequence."""
    place, xterm = place_at({}), ["--term", "xterm", "--no-probe"]
    assert b"limit 449994 bytes" in doctor(place, "copy", "-v", *xterm).stdout
    found = json.loads(doctor(place, "copy", "--json", *xterm).stdout)
    assert found["features"][0]["limit_bytes"] == 449994
    copied = place.run(["viatty", "copy", *xterm], stdin=b"x" * 449_995)
    assert (copied.status, "the limit is 449994\n" in copied.stderr) == (4, True)


@pytest.mark.unsanitized
@pytest.mark.parametrize("options", [["-v"], ["--json"]], ids=str)
def test_a_small_stack_is_enough(place_at, options):
    """Threads and containers have less than the usual 8 MB."""
    place = place_at(FOOT)
    for word in (["doctor", *options], ["copy", "-s", "text"]):
        outcome = place.run(["sh", "-c", 'ulimit -s 64; exec "$@"', "sh", "viatty", *word])
        assert outcome.status == 0, outcome


@pytest.mark.needs("strace")
@pytest.mark.unsanitized
def test_without_queries_it_only_looks(at, sandbox):
    """No terminal is opened for writing, and none is locked. A copy does open it."""
    log = sandbox.fresh("calls")
    strace = ["strace", "-f", "-o", str(log), "-e", "trace=open,openat,fcntl,flock"]
    shell = at(KITTY)

    def calls(*argv):
        shell.run([*strace, "viatty", *argv])
        lines = log.read_text().splitlines()
        writing = [line for line in lines
                   if ("/dev/tty" in line or "/dev/pts/" in line) and "O_RDONLY" not in line]
        return writing, [line for line in lines if "SETLK" in line or "flock(" in line]

    assert calls("doctor", "--no-probe") == ([], [])
    assert shell.terminal.asked() == []
    writing, locks = calls("copy", "-s", "text")
    assert writing and locks


@pytest.mark.parametrize("how", ["option", "variable"])
def test_what_reads_is_judged_by_the_terminal_it_is_called_in(at, sandbox, how):
    """As paste does, whatever --tty or VIATTY_TTY names."""
    shell, other = at(KITTY), AnsweringTerminal(sandbox, PLAIN)
    options = ["--tty", other.device] if how == "option" else []
    environment = {} if options else {"VIATTY_TTY": other.device}
    result = shell.run(["viatty", "doctor", "--json", "paste", *options],
                       environment=environment)
    (finding,) = json.loads(result.stdout)["features"]
    assert finding["works"] == "yes"
