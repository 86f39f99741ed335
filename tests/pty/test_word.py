"""Whose word it is who the terminal is: a variable may be inherited, a reply is its own."""

import json
import shlex
import shutil

import pytest

from lib import sequences
from lib.answering import DA1, DA2, NAME, AnsweringTerminal, name
from lib.doctor import findings

DATA = b"for the clipboard"
INHERITED = {
    "kitty": {"KITTY_WINDOW_ID": "1", "KITTY_PID": "1"},
    "Konsole": {"KONSOLE_VERSION": "260800"},
    "iTerm2": {"TERM_PROGRAM": "iTerm.app", "ITERM_SESSION_ID": "w0t0p0"},
    "VTE": {"VTE_VERSION": "8401"},
    "Apple Terminal": {"TERM_PROGRAM": "Apple_Terminal"},
}
# Of a library that many programs embed, of a program without a row, and of one without a name.
REPLIES = {
    "a library": {NAME: name(b"libghostty"), DA2: b"\x1b[>1;0;0c", DA1: b"\x1b[?62;22c"},
    "a program": {NAME: name(b"NewTerm 2.0"), DA1: b"\x1b[?62;22c"},
    "silence": {DA1: b"\x1b[?62;22c"},
}
COMMANDS = {
    "copy": (["copy"], 0, b"\x1b]52;c;"),
    "notify": (["notify", "--no-bell", "Done"], 0, b"\x1b]9;Done"),
    "progress": (["progress", "40"], 4, None),
}


def said_of(shell, feature):
    outcome = shell.run(["viatty", "doctor", "--json", feature])
    report = json.loads(outcome.stdout)
    return report["terminal"], report["features"][0]["works"]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("variable", INHERITED)
def test_a_reply_that_contradicts_a_variable_is_believed(at, variable, command):
    """Nothing is refused, nor sent in a protocol of the terminal that the variable names."""
    reply = ["a library", "a program"][len(variable + command) % 2]
    shell = at(REPLIES[reply], environment=INHERITED[variable])
    assert said_of(shell, command) == (None, "unknown")
    shell.terminal.settle()
    shell.terminal.forget()
    argv, status, sent = COMMANDS[command]
    outcome = shell.run(["viatty", *argv], stdin=DATA)
    assert outcome.status == status, outcome.said
    assert variable not in outcome.said.partition("\nhint: ")[0]
    shell.terminal.settle()
    written = sequences.osc(shell.terminal.recorded(), 9) or shell.terminal.clipboard()
    assert bool(written) == bool(sent)
    assert not sent or sent in shell.terminal.recorded()


# What the row says in its current version: the verdict on a copy, and the protocol.
OWN = {
    "kitty": ("yes", b"]99;"), "iTerm2": ("needs a setting", b"]9;"), "VTE": ("no", None),
    "Apple Terminal": ("no", b"]9;"),
}

COPY_ENDS = {"yes": 0, "needs a setting": 7, "no": 4}


@pytest.mark.parametrize("variable", OWN)
def test_silence_disproves_nothing(at, variable):
    copies, protocol = OWN[variable]
    shell = at(REPLIES["silence"], environment=INHERITED[variable])
    assert said_of(shell, "copy")[1] == copies
    assert shell.run(["viatty", "copy"], stdin=DATA).status == COPY_ENDS[copies]
    shell.terminal.settle()
    shell.terminal.forget()
    outcome = shell.run(["viatty", "notify", "--no-bell", "Done"])
    assert outcome.status == (0 if protocol else 4), outcome.said
    shell.terminal.settle()
    assert protocol is None or protocol in shell.terminal.recorded()


def test_an_unknown_terminal_is_called_what_it_calls_itself(at):
    shell = at(REPLIES["a program"], environment=INHERITED["kitty"])
    outcome = shell.run(["viatty", "notify", "--no-bell", "Done"])
    assert 'warning: it is unknown whether "NewTerm 2.0" shows notifications' in outcome.said


@pytest.mark.needs("tmux")
def test_what_tmux_was_told_counts_as_well(sandbox, tmux):
    """tmux asks its terminal itself, and has the reply."""
    terminal = AnsweringTerminal(sandbox, REPLIES["a program"],
                                 environment={"KITTY_WINDOW_ID": "1"})
    pane = tmux.session()
    tmux.attach(terminal=terminal)
    assert findings(pane)["copy"]["works"] == "unknown"


# Without an environment, and without a terminal of its own as well.
CLEARED = {
    "env -i": ["env", "-i"],
    "env -i setsid": ["env", "-i", "setsid", "--fork", "--wait"],
}


@pytest.mark.parametrize("how", CLEARED)
def test_the_environment_of_the_process_whose_terminal_it_is_names_it(at, how):
    shell = at({}, term="xterm-kitty", environment={"KITTY_WINDOW_ID": "1"})
    program = str(shell.sandbox.path / "bin" / "viatty")
    run = lambda *words: shell.run([*CLEARED[how], program, *words], stdin=DATA)
    outcome = run("notify", "--no-bell", "Done")
    assert (outcome.status, outcome.said) == (0, "")
    shell.terminal.settle()
    assert b"]99;" in shell.terminal.recorded()
    (found,) = json.loads(run("doctor", "--json", "notify").stdout)["features"]
    assert (found["works"], found["as"]) == ("yes", "OSC 99")


# ---- Apple Terminal by one reply ------------------------------------------------------

APPLE = {DA2: b"\x1b[>1;95;0c", DA1: b"\x1b[?1;2c"}


def test_what_replies_like_apple_terminal_is_warned_about(at):
    """Vim's word alone: nothing is refused, and nothing lost without a word."""
    shell = at(APPLE)
    outcome = shell.run(["viatty", "copy"], stdin=DATA)
    assert outcome.status == 0
    warning, hint = outcome.said.splitlines()
    assert "Apple Terminal, which ignores copies, replies like this terminal" in warning
    assert hint == "hint: use iTerm2, kitty or Ghostty there"
    shell.terminal.settle()
    assert shell.terminal.clipboard() == [("c", DATA)]
    assert said_of(shell, "copy") == ("apple", "unknown")


def test_its_variable_and_its_reply_together_are_certain(at):
    shell = at(APPLE, environment=INHERITED["Apple Terminal"])
    assert shell.run(["viatty", "copy"], stdin=DATA).status == 4
    assert said_of(shell, "copy") == ("apple-terminal", "no")


# ---- terminals inside other programs ---------------------------------------------------


@pytest.fixture
def inside(sandbox, shell):
    """Runs viatty on a pty of a program that has no terminal itself, and has what it wrote."""

    def inside(program, words, data=b"", **environment):
        stand_in = sandbox.path / "bin" / program
        if not stand_in.exists():
            shutil.copy(shutil.which("sh"), stand_in)
        text = sandbox.fresh("text")
        text.write_bytes(data)
        line = f"viatty {shlex.join(words)} <{text}; exit $?"
        line = f"script -qec {shlex.quote(line)} /dev/null; exit $?"
        argv = ["setsid", "--wait", str(stand_in), "-c", line]
        outcome = shell.run(argv, environment={"VIATTY_PROBE": None, **environment})
        return outcome.status, outcome.stdout

    return inside


def test_herdr_takes_a_copy_and_nothing_larger_than_it_keeps(inside):
    herdr = {"HERDR_ENV": "1", "KITTY_WINDOW_ID": "1"}
    status, written = inside("herdr", ["copy"], DATA, **herdr)
    assert (status, sequences.clipboard_writes(written)) == (0, [("c", DATA)])
    status, written = inside("herdr", ["copy"], b"x" * (192 * 1024 + 1), **herdr)
    assert (status, b"too large for herdr" in written) == (4, True)


def test_herdr_drops_a_notification_and_has_a_command_for_it(inside):
    status, written = inside("herdr", ["notify", "--no-bell", "Done"], HERDR_ENV="1")
    assert status == 4 and b"\x1b]9" not in written
    assert b"hint: herdr notification show TITLE --body TEXT" in written
    assert inside("herdr", ["progress", "40"], HERDR_ENV="1")[0] == 4
    status, written = inside("herdr", ["link", "https://a.example/", "text"], HERDR_ENV="1")
    assert status == 0 and b"\x1b]8;;https://a.example/" in written


# INSIDE_EMACS and TERM, what is said, and whether the copy is sent.
EMACS = {
    "eat": ("29.4,eat", "eat-truecolor", None, True),
    "vterm": ("vterm", "xterm-256color", b"vterm-enable-manipulate-selection-data", True),
    "ghostel": ("ghostel", "xterm-ghostty", b"(setq ghostel-enable-osc52 t)", True),
    "term": ("29.4,term:0.96", "eterm-color", b"the sequence is dropped by emacs", False),
}


@pytest.mark.parametrize("which", EMACS)
def test_each_terminal_of_emacs_has_its_own_word(inside, which):
    """Whatever terminal Emacs was started in."""
    value, term, said, sent = EMACS[which]
    environment = {"INSIDE_EMACS": value, "TERM": term, "VTE_VERSION": "8400"}
    status, written = inside("emacs", ["copy"], DATA, **environment)
    assert status == (4 if not sent else 7 if said else 0)
    assert said is None or said in written
    start = written.find(b"\x1b]52;c;")
    assert (start >= 0) == sent
    if said is None:
        assert sequences.clipboard_writes(written) == [("c", DATA)]
    status, written = inside("emacs", ["doctor", "--json", "copy"], **environment)
    works = json.loads(written)["features"][0]["works"]
    assert works == {"eat": "unknown", "term": "no"}.get(which, "needs a setting")


@pytest.mark.needs("screen")
def test_screen_drops_links_whatever_is_set(screen):
    assert screen.run(["viatty", "link", "-v", "https://a.example/", "text"],
                      on_terminal=True).status == 0
    screen.see("run it outside Screen")
    assert "FORCE_HYPERLINK" not in screen.text()
