"""Colors: what a terminal that is asked can do to us, and what is set."""

import pytest

from lib.answering import BEL, DA1, NAME, XTERM, Pause, color, colored
from lib.faults import fails

COLOR = ("viatty", "color")


@pytest.fixture
def at(at):
    """Starts programs at a terminal with these colors."""
    told = lambda colors: {color(which): colored(which, v) for which, v in dict(colors).items()}
    return lambda colors=(), script=XTERM, **answers: at({**script, **told(colors), **answers})


def answering(at, which, answer, **how):
    """The same, with any bytes for an answer to the question for this color."""
    return at(script={**XTERM, color(which): answer}, **how)


def gives(outcome, text):
    assert (outcome.status, outcome.said) == (0, "")
    assert outcome.stdout == text


# ---- what is reported --------------------------------------------------------------


def test_only_the_color_is_queried_and_no_key_is_taken(at):
    shell = at({"background": b"rgb:12/34/ff"})
    before = shell.terminal.modes()
    gives(shell.run([*COLOR, "background"]), b"#1234ff\n")
    assert shell.terminal.modes() == before
    assert shell.terminal.asked() == [color("background"), DA1]


TAKEN = {
    "ends in BEL": colored("cursor", b"rgb:1/2/3", BEL),
    "comes late": [Pause(1.2), colored("cursor", b"rgb:1/2/3")],
    "is the first of two": colored("cursor", b"rgb:1/2/3") + colored("cursor", b"rgb:4/5/6"),
}


@pytest.mark.parametrize("answer", TAKEN.values(), ids=TAKEN)
def test_a_reply_is_taken_that(at, answer):
    gives(answering(at, "cursor", answer).run([*COLOR, "cursor"]), b"#112233\n")


ANSWERS_THAT_ARE_NONE = {
    "another color": colored("foreground", b"rgb:1/2/3"),
    "of the palette": colored(11, b"rgb:1/2/3"),
    "digits without an end": b"\x1b]4;%s;rgb:1/2/3\x1b\\" % (b"1" * 1000),
    "a number alone": b"\x1b]4;1\x1b\\",
    "the question": color("background"),
    "nothing": colored("background", b""),
    "more behind it": colored("background", b"rgb:1/2/3;rgb:4/5/6"),
    "cut off by CAN": b"\x1b]11;rgb:1/2/3\x18",
    "a NUL": colored("background", b"rgb:1/2/3\0"),
    "100 kB": colored("background", b"f" * 100_000),
    "keys": b"ls\r",
}


@pytest.mark.parametrize("answer", ANSWERS_THAT_ARE_NONE.values(), ids=ANSWERS_THAT_ARE_NONE)
def test_what_is_no_color_is_not_printed(at, answer):
    which = 1 if answer.startswith(b"\x1b]4;") else "background"
    outcome = answering(at, which, answer).run([*COLOR, str(which), "--timeout", "20"])
    fails(outcome, 5, ("color not read", "does not report its colors"))
    assert outcome.stdout == b""


def test_a_hidden_color_of_the_cursor_is_told_from_a_silent_terminal(at):
    outcome = at(script={**XTERM, color("cursor"): b""}).run([*COLOR, "cursor"])
    fails(outcome, 5, ("color of its cursor", "hint: ", "Alacritty"))


@pytest.mark.slow
def test_a_terminal_that_says_nothing_is_not_waited_for(at):
    outcome = at(script={}).run([*COLOR, "background", "--timeout", "0.2"])
    fails(outcome, 5, ("does not report its colors", "hint: "))


@pytest.mark.parametrize("which", ["background", "cursor"])
def test_a_tmux_on_the_other_side_of_ssh_is_named(at, which):
    shell = at(script={NAME: b"\x1bP>|tmux 3.3a\x1b\\", DA1: b"\x1b[?1;2c"})
    outcome = shell.run([*COLOR, which], environment={"TERM": "tmux-256color"})
    fails(outcome, 5, ("tmux does not report this color", "hint: run it outside tmux; "))


# ---- dark or light -----------------------------------------------------------------

THEMES = {
    "blue": (b"rgb:0000/0000/ffff", b"dark\n"),
    "green": (b"rgb:0000/ffff/0000", b"light\n"),
}


@pytest.mark.parametrize("background, theme", THEMES.values(), ids=THEMES)
def test_the_theme(at, background, theme):
    shell = at({"background": background})
    gives(shell.run([*COLOR, "--theme"]), theme)
    assert shell.terminal.asked() == [color("background"), DA1]


def test_no_theme_is_guessed(at):
    fails(at().run([*COLOR, "--theme", "--timeout", "20"]), 5, "does not report")
