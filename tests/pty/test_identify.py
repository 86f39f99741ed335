"""Who the terminal is, asked where the environment does not say, and by everybody alike."""

import json
import shutil
import time

import pytest

from lib import expect, sequences
from lib.answering import (
    CLIPBOARD,
    DA1,
    DA2,
    DA3,
    FOOT,
    IDENTITY,
    KITTY,
    NAME,
    PLAIN,
    VTE,
    XTERM,
    Hold,
    Pause,
    clipboard,
    color,
    colored,
    name,
)
from lib.faults import fails, nothing_at

# As it replies with set-clipboard on, and with allow-passthrough on as well.
TMUX_37 = {NAME: name(b"tmux 3.7c"), DA2: b"\x1b[>84;0;0c", DA1: b"\x1b[?1;2;4c"}
OLD = clipboard(b"old")
TMUX_33 = {**TMUX_37, NAME: name(b"tmux 3.3a"), DA1: b"\x1b[?1;2c", CLIPBOARD: OLD}
TMUX_33_EXTERNAL = {query: TMUX_33[query] for query in (NAME, DA2, DA1)}
DATA = b"for the clipboard"
# The identification has a second; doctor, which is asked for it, has two.
TWO_SECONDS = 2.9


def copy(shell, *options, data=DATA, **how):
    return shell.run(["viatty", "copy", *options], stdin=data, **how)


def arrives(shell, outcome, data=DATA, status=0):
    """7: it is sent, and probably lost for all that viatty knows."""
    assert outcome.status == status, outcome.said
    shell.terminal.settle()
    assert expect.brief(shell.terminal.clipboard()) == expect.brief([("c", data)])


def arrives_unasked(shell, outcome):
    arrives(shell, outcome)
    assert shell.terminal.asked() == []


def notifies(shell):
    outcome = shell.run(["viatty", "notify", "--no-bell", "Done"])
    assert (outcome.status, outcome.said) == (0, "")


def is_refused(shell, outcome, naming):
    fails(outcome, 4, naming)
    shell.terminal.settle()
    assert b"\x1b]52" not in shell.terminal.recorded()


def doctor(shell, feature, **how):
    outcome = shell.run(["viatty", "doctor", "--json", feature], **how)
    (finding,) = json.loads(outcome.stdout)["features"]
    arrives_not = finding["works"] in ("no", "needs a setting", "unlikely")
    assert arrives_not == (outcome.status in (4, 7))
    return finding


# ---- what a copy learns ------------------------------------------------------------


def only(script, *kept):
    return {question: script[question] for question in (*kept, DA1)}


@pytest.mark.parametrize("how", [NAME, DA2, DA3], ids=["name", "DA2", "DA3"])
def test_a_terminal_known_by_its_reply_alone_is_known_to_a_copy(at, how):
    shell = at(only(VTE, how))
    is_refused(shell, copy(shell), "VTE")
    assert doctor(shell, "copy")["works"] == "no"


def test_it_costs_one_round_trip_before_the_copy(at):
    shell = at(FOOT)
    arrives(shell, copy(shell))
    assert shell.terminal.asked() == IDENTITY
    record = shell.terminal.recorded()
    assert record.startswith(b"".join(IDENTITY) + b"\x1b]52;c;")


def test_a_limit_that_is_learned_from_a_reply_holds(at):
    shell = at(XTERM)
    is_refused(shell, copy(shell, data=b"x" * 675_000), ["xterm", "too large"])
    fits = b"x" * 449_000
    arrives(shell, copy(shell, data=fits), fits, status=7)


def test_a_terminal_without_a_name_stays_unknown(at):
    shell = at(PLAIN)
    outcome = copy(shell, "--json")
    arrives(shell, outcome)
    assert json.loads(outcome.stdout)["known"] is False
    assert doctor(shell, "copy")["works"] == "unknown"


# ---- where nobody is asked ---------------------------------------------------------

UNASKED = {
    "--term": (["--term", "foot"], {}),
    "VIATTY_TERM": ([], {"VIATTY_TERM": "foot"}),
    "--no-probe": (["--no-probe"], {}),
    "VIATTY_PROBE": ([], {"VIATTY_PROBE": "never"}),
    "layers that were given": (["--wrap", "none"], {}),
    "TERM tells": ([], {"TERM": "foot"}),
    "a variable tells": ([], {"KITTY_WINDOW_ID": "1"}),
}


@pytest.mark.parametrize("options, environment", UNASKED.values(), ids=UNASKED)
def test_a_copy_that_need_not_ask_does_not(at, options, environment):
    shell = at(VTE)
    arrives_unasked(shell, copy(shell, *options, environment=environment))


def test_in_the_background_nothing_is_asked(at):
    shell = at(VTE)
    arrives_unasked(shell, copy(shell, group="background"))


def test_a_title_from_a_prompt_costs_no_round_trip(at):
    shell = at(FOOT)
    assert shell.run(["viatty", "title", "a title"]).status == 0
    assert shell.terminal.asked() == []


# ---- a terminal that never replies -------------------------------------------------

@pytest.mark.slow
@pytest.mark.parametrize("command, status", [("copy", 0), ("paste", 5), ("doctor", 0)])
def test_a_terminal_that_never_replies_costs_two_seconds(at, command, status):
    shell = at({})
    started = shell.start(["viatty", command], stdin=DATA)
    shell.terminal.wait_until_asked(DA1)
    began = time.monotonic()
    outcome = started.wait()
    assert time.monotonic() - began < TWO_SECONDS
    assert outcome.status == status, outcome.said
    shell.terminal.settle()
    assert shell.terminal.recorded().count(DA1) == 1


def test_a_reply_within_the_second_counts(at):
    shell = at({**VTE, NAME: [Pause(0.6), VTE[NAME]]})
    is_refused(shell, copy(shell), "VTE")


# ---- one decision for doctor and notify --------------------------------------------


class ShowsOsc99(dict):
    """A script that answers the question for OSC 99 as VS Code does, whatever its name is."""

    def get(self, question, default=None):
        if question.startswith(b"\x1b]99;i=") and question.endswith(b":p=?;\x1b\\"):
            which = question[len(b"\x1b]99;i=") : -len(b":p=?;\x1b\\")]
            return b"\x1b]99;i=%s:p=?:a=report,focus:p=title,body:w=1;;p=title,body\x1b\\" % which
        return super().get(question, default)


NOTIFYING = {
    "one without a name": PLAIN,
    "one that knows OSC 99": ShowsOsc99(PLAIN),
    "foot": FOOT,
    "Ghostty": {**PLAIN, NAME: name(b"ghostty 1.3.1")},
    "iTerm2": {**PLAIN, NAME: name(b"iTerm2 3.6.11")},
}
BEST = {"foot": "OSC 99", "Ghostty": "OSC 777", "iTerm2": "OSC 9"}


@pytest.mark.parametrize("terminal", NOTIFYING)
def test_notify_sends_what_doctor_names(at, terminal):
    shell = at(NOTIFYING[terminal])
    promised = doctor(shell, "notify")["as"]
    assert promised == BEST.get(terminal, promised)
    shell.terminal.settle()
    shell.terminal.forget()
    assert shell.run(["viatty", "notify", "--no-bell", "hello"]).status == 0
    shell.terminal.settle()
    record = shell.terminal.recorded()
    sent = [n for n in (99, 777, 9) if any(
        not token.payload.endswith(b":p=?;") for token in sequences.osc(record, n)
    )]
    assert [f"OSC {n}" for n in sent] == [promised]


# ---- programs that embed xterm.js --------------------------------------------------

XTERMJS = {NAME: name(b"xterm.js(6.1.0-beta.304)"), DA2: b"\x1b[>0;276;0c", DA1: b"\x1b[?1;2c"}
OLD_XTERMJS = {question: XTERMJS[question] for question in (DA2, DA1)}
VSCODE = {"TERM_PROGRAM": "vscode", "TERM_PROGRAM_VERSION": "1.139.1"}


@pytest.mark.parametrize("left_over, script", [
    ("KITTY_WINDOW_ID", XTERMJS), ("WT_SESSION", OLD_XTERMJS)])
def test_vs_code_that_was_started_in_another_terminal_stays_vs_code(at, left_over, script):
    """TERM_PROGRAM is that of the program that was started last; the rest is left over."""
    shell = at(ShowsOsc99(script), environment={**VSCODE, left_over: "8401"})
    arrives(shell, copy(shell))
    shell.terminal.forget()
    assert copy(shell, "-p").status == 0
    assert [doctor(shell, what)["works"] for what in ("copy", "notify")] == ["yes", "yes"]
    notifies(shell)
    shell.terminal.settle()
    assert b"]99;i=" in shell.terminal.recorded()


def test_xterm_that_was_started_in_vs_code_is_xterm(at):
    shell = at(XTERM, environment={**VSCODE, "XTERM_VERSION": "XTerm(370)"})
    is_refused(shell, copy(shell, data=b"x" * 675_000), ["xterm", "too large"])


def test_an_unknown_program_with_xterm_js_may_do_what_vs_code_does(at):
    """As over ssh or in a container, where no variable names it."""
    shell = at(ShowsOsc99(XTERMJS))
    notifies(shell)
    assert copy(shell, "-p").status == 0
    shell.terminal.settle()
    assert shell.terminal.clipboard() == [("p", DATA)]
    assert [doctor(shell, what)["works"] for what in ("copy", "primary")] == ["unknown"] * 2


def test_a_reply_to_the_query_of_osc_99_overrules_the_version(at):
    older = {**VSCODE, "TERM_PROGRAM_VERSION": "1.105.1"}
    shell = at(ShowsOsc99(OLD_XTERMJS), environment=older)
    notifies(shell)
    assert doctor(shell, "notify")["works"] == "yes"
    shell = at(OLD_XTERMJS, environment=older)
    fails(shell.run(["viatty", "notify", "--no-bell", "Done"]), 4, "notifications in VS Code")
    assert doctor(shell, "notify")["works"] == "no"


def test_the_version_of_a_fork_is_not_compared_with_that_of_vs_code(at):
    """It is asked for OSC 99 then, and neither refused nor sent what it drops."""
    environment = {**VSCODE, "TERM_PROGRAM_VERSION": "2.4.21"}
    shell = at(OLD_XTERMJS, environment=environment)
    outcome = shell.run(["viatty", "notify", "--no-bell", "Done"])
    assert outcome.status == 0 and "it is unknown whether" in outcome.said
    assert shell.run(["viatty", "progress", "40"]).status == 7
    shell = at(ShowsOsc99(OLD_XTERMJS), environment=environment)
    notifies(shell)


def test_the_clipboard_of_vs_code_in_a_browser_is_not_promised(at):
    environment = {**VSCODE, "CODESPACES": "true", "VSCODE_IPC_HOOK_CLI": "/tmp/x.sock"}
    shell = at(ShowsOsc99(XTERMJS), answer=clipboard(b"old"), environment=environment)
    for outcome in (copy(shell), shell.run(["viatty", "paste"])):
        assert outcome.status == 0
        (line,) = outcome.said.splitlines()
        assert "warning: VS Code in a browser has a clipboard of its own" in line
    assert [doctor(shell, what)["works"] for what in ("copy", "paste")] == ["unknown"] * 2
    assert doctor(shell, "notify")["works"] == "yes"


def test_vs_code_shows_titles_and_progress_only_with_a_setting(at):
    shell = at(ShowsOsc99(XTERMJS), environment=VSCODE)
    found = [doctor(shell, feature)["setting"] for feature in ("title", "progress")]
    assert found[0] == found[1] and "${progress}${sequence}" in found[0]
    for command in (["title", "text"], ["progress", "40"]):
        outcome = shell.run(["viatty", *command])
        assert outcome.status == 7 and "${progress}${sequence}" in outcome.said


def test_a_process_names_the_program_where_a_reply_names_a_library(sandbox, at):
    """As under sudo, which removes the variables."""
    cursor = sandbox.path / "bin" / "cursor"
    shutil.copy(shutil.which("sh"), cursor)
    shell = at(ShowsOsc99(XTERMJS))
    run = lambda *words: shell.run([str(cursor), "-c", 'viatty "$@"; exit $?', "sh", *words])
    assert json.loads(run("doctor", "--json").stdout)["terminal"] == "vscode"
    assert "  terminal    Cursor\n" in run("doctor").stdout.decode()
    outcome = run("copy", "-p", "-s", "text")
    assert (outcome.status, outcome.said) == (0, "")


# ---- a TERM that is wrong ----------------------------------------------------------


@pytest.mark.parametrize("term", ["linux", "putty-256color"])
def test_nothing_is_refused_on_the_word_of_term_alone(at, term):
    shell = at(KITTY, term=term)
    arrives(shell, copy(shell))
    assert shell.terminal.asked() == IDENTITY
    assert doctor(shell, "copy")["works"] == "yes"
    for command in (["notify", "--no-bell", "Done"], ["progress", "40"], ["title", "text"]):
        outcome = shell.run(["viatty", *command])
        assert (outcome.status, outcome.said) == (0, ""), command


def test_a_linux_console_is_what_it_says(at):
    shell = at(PLAIN, term="linux")
    is_refused(shell, copy(shell), "programs may not set the clipboard of the Linux console")
    fails(copy(shell, "--no-probe"), 4, "Linux console")
    assert shell.terminal.asked() == IDENTITY


# ---- a tmux that only replies ------------------------------------------------------


@pytest.mark.parametrize("term", ["screen", "xterm"])
def test_tmux_37_is_not_asked_for_the_clipboard_and_gets_both_ways(at, term):
    """Its silence would prove nothing, and its terminal might be emptied by it."""
    shell = at(TMUX_37, term=term)
    outcome = copy(shell)
    assert outcome.status == 7, outcome.said
    assert "probably lost: the outer tmux" in outcome.said
    shell.terminal.settle()
    assert not [q for q in shell.terminal.asked() if q.startswith(CLIPBOARD)]
    record = shell.terminal.recorded()
    assert b"\x1bPtmux;" in record and record.count(b"\x1b]52;c;") == 2
    assert doctor(shell, "copy")["works"] == "unlikely"


@pytest.mark.parametrize("words, queries", [
    # The last two: one wrapped for the terminal, and its fence.
    (["copy"], [*IDENTITY, CLIPBOARD + b" c", DA1]), (["notify", "Done"], [*IDENTITY, DA1, DA1])])
def test_tmux_is_queried_in_two_round_trips(at, words, queries):
    shell = at(TMUX_33, term="tmux-256color")
    outcome = shell.run(["viatty", *words], stdin=DATA)
    assert outcome.status == 0, outcome.said
    shell.terminal.settle()
    assert shell.terminal.asked() == queries


def test_a_relay_in_tmux_that_shows_notifications_is_asked_nothing_else(at):
    named = {NAME: name(b"tmux 3.5a viatty-relay viatty-notify")}
    shell = at({**TMUX_33_EXTERNAL, **named}, term="tmux-256color")
    notifies(shell)
    assert shell.terminal.asked() == IDENTITY


@pytest.mark.parametrize("options", [["--force"], ["--route", "passthrough"]])
def test_what_is_forced_gets_the_layer_of_a_tmux_known_by_its_reply_alone(at, options):
    """In a container TERM is that of any terminal."""
    shell = at(TMUX_33_EXTERNAL, term="xterm-256color")
    outcome = copy(shell, *options)
    assert outcome.status == 0, outcome.said
    shell.terminal.settle()
    assert b"\x1bPtmux;\x1b\x1b]52;c;" in shell.terminal.recorded()


def test_behind_tmux_the_bell_marks_the_window_each_time(at):
    """The notification is probably lost there; the next one may be another one's."""
    shell = at(TMUX_33, term="tmux-256color")
    for _ in range(2):
        shell.terminal.forget()
        outcome = shell.run(["viatty", "notify", "--no-probe", "--term", "iterm2", "Done"])
        assert "probably lost" in outcome.said
        shell.terminal.settle()
        assert shell.terminal.recorded().endswith(b"\a")


@pytest.mark.slow
def test_a_tmux_that_stops_replying_is_waited_for_once(at):
    shell = at({**TMUX_33, CLIPBOARD: [Hold]}, term="tmux-256color")
    started = shell.start(["viatty", "copy", "-s", "text"])
    shell.terminal.wait_until_asked(CLIPBOARD)
    begin = time.monotonic()
    started.wait()
    assert time.monotonic() - begin < TWO_SECONDS


def test_paste_asks_what_term_leaves_open(at):
    """With the TERM of a tmux that is not on the path."""
    shell = at(PLAIN, answer=OLD, term="tmux-256color")
    assert doctor(shell, "paste")["works"] == "unknown"
    outcome = shell.run(["viatty", "paste"])
    assert (outcome.status, outcome.stdout) == (0, b"old"), outcome.said


# ---- progress, and versions -----------------------------------------------------------


def test_a_terminal_that_tells_no_name_gets_nothing(at):
    shell = at(PLAIN)
    fails(shell.run(["viatty", "progress", "45"]), 4, ("--term", "--force"))
    shell.terminal.settle()
    assert DA1 in shell.terminal.asked()
    assert sequences.osc(shell.terminal.recorded(), 9) == []


def test_what_is_printed_asks_nothing(at):
    shell = at(KITTY)
    fails(shell.run(["viatty", "progress", "45", "--print"]), 4)
    nothing_at(shell.terminal)


# kitty shows progress since 0.39; before 0.38 it popped each step up.
@pytest.mark.parametrize("version, status, sent", [
    (b"0.39.1", 0, [b"9;4;1;45"]), (b"0.26.5", 4, [])])
def test_kitty_is_asked_for_its_version(at, version, status, sent):
    shell = at({**PLAIN, NAME: name(b"kitty(%s)" % version)}, term="xterm-kitty")
    outcome = shell.run(["viatty", "progress", "45"])
    assert outcome.status == status
    assert ("before version 0.39; this is \"kitty(0.26.5)\"" in outcome.said) == (not sent)
    shell.terminal.settle()
    assert [token.payload for token in sequences.osc(shell.terminal.recorded(), 9)] == sent


def test_the_version_counts_too_where_the_user_names_the_terminal(shell):
    argv = ["viatty", "progress", "--term", "konsole", "45"]
    fails(shell.run(argv, environment={"KONSOLE_VERSION": "250400"}), 4, "before version")
    nothing_at(shell.terminal)
    for environment in ({}, {"VTE_VERSION": "7000"}):
        assert shell.run(argv, environment=environment).status == 0
        shell.terminal.settle()
        assert shell.terminal.recorded() == b"\x1b]9;4;1;45\x1b\\"
        shell.terminal.forget()


def test_the_version_of_another_terminal_does_not_count(shell):
    """Contour knows OSC 99 since 0.6.3, and 26.04 is a Konsole."""
    argv = ["viatty", "notify", "--term", "contour", "text"]
    assert shell.run(argv, environment={"KONSOLE_VERSION": "260400"}).status == 0
    shell.terminal.settle()
    assert b"]777;" in shell.terminal.recorded()


# ---- Zellij ------------------------------------------------------------------------

# Its version as a number, the command, and what becomes of it.
ZELLIJS = {
    "a color in 0.43.1": (4301, ["color", "background", "#f00"], "this version of Zellij"),
    "a color in one that does not tell": (None, ["color", "background", "#f00"], None),
    "a color that it reads in every version": (4301, ["color", "background"], None),
    "a notification in 0.43.1": (4301, ["notify", "Done"], "this sequence is dropped by Zellij"),
    "a notification in 0.45.0": (4500, ["notify", "Done"], None),
}


@pytest.fixture
def zellij(sandbox, at):
    """Runs commands as in a pane of Zellij, which replies itself."""
    program = sandbox.path / "bin" / "zellij"
    shutil.copy(shutil.which("sh"), program)

    def zellij(version):
        script = {DA1: b"\x1b[?62;4c", **({NAME: name(b"Zellij(%d)" % version)} if version else {})}
        shell = at({**script, color("background"): colored("background", b"rgb:1/2/3")})
        run = lambda *words: shell.run(
            [str(program), "-c", 'viatty "$@"; exit $?', "sh", *words], environment={"ZELLIJ": "0"})
        return shell, run

    return zellij


@pytest.mark.parametrize("version, words, why", ZELLIJS.values(), ids=ZELLIJS)
def test_what_a_version_of_zellij_does_not_do_is_refused(zellij, version, words, why):
    shell, run = zellij(version)
    outcome = run(*words)
    if why:
        fails(outcome, 4, why)
    else:
        assert outcome.status == 0, outcome.said
    shell.terminal.settle()
    sent = [token for token in sequences.parse(shell.terminal.recorded())
            if token.kind == "osc" and not token.payload.endswith(b"?")]
    assert bool(sent) == (not why and words != ["color", "background"])


def test_a_copy_does_not_ask_zellij(zellij):
    shell, run = zellij(4301)
    assert run("copy", "-s", "text").status == 0
    assert shell.terminal.asked() == []


def test_zellij_is_known_by_its_reply(at):
    """Over ssh, or in a container."""
    shell = at({NAME: name(b"Zellij(4500)"), DA1: b"\x1b[?62;4;52c"})
    outcome = shell.run(["viatty", "raw", "\x1b]1337;x\x1b\\"])
    fails(outcome, 4, "wrapped sequences are dropped by Zellij")
    shell.terminal.settle()
    assert b"1337" not in shell.terminal.recorded()
    report = json.loads(shell.run(["viatty", "doctor", "--json"]).stdout)
    assert [(hop["hop"], hop["version"]) for hop in report["hops"]] == [("zellij", "0.45.0")]
