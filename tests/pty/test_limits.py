"""What is refused because it is known not to work, and how that is said."""

import pytest

from lib.faults import Launcher, arrives, fails, nothing_at
from lib.terminal import FENCE, OuterTerminal

COPY = ("viatty", "copy")

# Many programs have this library, and nothing tells which one it is.
UNNAMED = "a VTE terminal such as GNOME Terminal"


# What people call it, and how the message names it.
NAMES = {
    "vte": UNNAMED,
    "linux": "the Linux console",
    "ptyxis": "Ptyxis (like every VTE terminal)",
    "urxvt": "rxvt-unicode",
}


@pytest.mark.parametrize("word, name", NAMES.items(), ids=NAMES)
def test_a_terminal_that_cannot_copy_is_refused_by_name(shell, word, name):
    outcome = shell.run([*COPY, "--term", word], stdin=b"data")
    fails(outcome, 4, [f"programs may not set the clipboard of {name}", "hint: "])
    # who has named it is not told how
    assert "--term" not in outcome.said
    # what cannot help is not advised, and what to do instead is on one line
    assert "--force" not in outcome.said
    assert "use foot, kitty, Alacritty, Ghostty or WezTerm" in outcome.said
    nothing_at(shell.terminal)
    outcome = shell.run([*COPY, "--term", word, "-f"], stdin=b"data")
    arrives(outcome, shell.terminal, b"data")


@pytest.mark.parametrize(
    "environment, name",
    [
        ({"GNOME_TERMINAL_SCREEN": "/org/gnome/Terminal/screen/0"}, "GNOME Terminal"),
        ({"TILIX_ID": "1", "PTYXIS_VERSION": "48.1"}, ""),
    ],
)
def test_a_variable_tells_which_vte_terminal_it_is(shell, environment, name):
    environment = {"VTE_VERSION": "8401", **environment}
    outcome = shell.run(COPY, stdin=b"data", environment=environment)
    named = f"{name} (like every VTE terminal)" if name else UNNAMED
    fails(outcome, 4, f": programs may not set the clipboard of {named}")
    nothing_at(shell.terminal)


# ---- the terminal is known by the environment --------------------------------------


def inside(sandbox, **how):
    return Launcher(sandbox, OuterTerminal(sandbox, answers=FENCE, **how).inside())


@pytest.fixture
def dumb(sandbox):
    """As in a buffer of M-x shell: whatever runs there has this TERM."""
    return inside(sandbox, term="dumb")


def test_a_dumb_terminal_is_refused_and_not_asked(dumb):
    for argv in (COPY, ["viatty", "notify", "text"], ["viatty", "title", "text"]):
        outcome = dumb.run(argv, stdin=b"data")
        fails(outcome, 4, ["TERM=dumb", "hint: ", "--term", "--force"])
    fails(dumb.run(["viatty", "paste"]), 4, ["TERM=dumb", "hint: ", "--term"])
    doctor = dumb.run(["viatty", "doctor", "copy", "notify", "title", "paste"])
    assert doctor.status == 4
    assert doctor.stdout.startswith(
        b"copy, title, notify: no\n  TERM=dumb: the terminal would show the sequence as text\n")
    nothing_at(dumb.terminal)
    for option in ("--force", "--term=xterm"):
        arrives(dumb.run([*COPY, option], stdin=b"data"), dumb.terminal, b"data")
        dumb.terminal.forget()


KITTYS = {"term": "xterm-kitty", "environment": {"KITTY_WINDOW_ID": "1"}}
ONE_OF_MANY = {"environment": {"VIATTY_PROBE": "never"}}


@pytest.mark.parametrize("start", [[], ["setsid", "--fork", "--wait"]], ids=["there", "setsid"])
@pytest.mark.parametrize("how", [KITTYS, ONE_OF_MANY], ids=["kitty", "not named"])
def test_a_term_for_one_program_says_nothing_of_the_terminal(sandbox, how, start):
    """Codex sets it for each command, and vim for :w !command."""
    shell = inside(sandbox, **how)
    for command in ("copy", "notify", "title"):
        doctor = shell.run([*start, "viatty", "doctor", command], environment={"TERM": "dumb"})
        as_ever = shell.run(["viatty", "doctor", command])
        assert doctor.status == as_ever.status == 0
        assert doctor.stdout.splitlines()[0] == as_ever.stdout.splitlines()[0]
    outcome = shell.run([*start, *COPY], stdin=b"data", environment={"TERM": "dumb"})
    arrives(outcome, shell.terminal, b"data")
    shell.terminal.forget()
    notify = [*start, "viatty", "notify", "--term", "iterm2", "text"]
    assert shell.run(notify, environment={"TERM": "dumb"}).status == 0
    shell.terminal.wait_for(b"\x1b]9;text\x1b\\")


@pytest.mark.parametrize(
    "term", [None, "", "xterm", "no-such-terminal", "x" * 10240, "\x1b]0;x\x07"]
)
def test_whatever_else_term_is_the_copy_arrives(shell, term):
    outcome = shell.run(COPY, stdin=b"data", environment={"TERM": term})
    arrives(outcome, shell.terminal, b"data")
