"""Colors: what a terminal that is asked can do to us, and what is set."""

import signal

import pytest

from lib.answering import BEL, DA1, NAME, XTERM, Hold, Pause, color, colored
from lib.faults import fails, is_waiting, nothing_at
from lib.processes import until

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


VALUES = {
    "one digit": (b"rgb:1/2/f", b"#1122ff\n"),
    "two digits": (b"rgb:12/34/ff", b"#1234ff\n"),
    "three digits": (b"rgb:123/345/fff", b"#1234ff\n"),
    "four digits": (b"rgb:1212/3434/ffff", b"#1234ff\n"),
    "an alpha": (b"rgba:1212/3434/ffff/cccc", b"#1234ff\n"),
    "a number": (b"#1234ff", b"#1234ff\n"),
}


def test_one_color_is_printed(at):
    shell = at({number: value for number, (value, _) in enumerate(VALUES.values(), 200)})
    for number, (_, text) in enumerate(VALUES.values(), 200):
        gives(shell.run([*COLOR, str(number)]), text)


def test_a_reply_that_ends_in_bel_is_taken(at):
    shell = answering(at, "cursor", colored("cursor", b"rgb:1/2/3", BEL))
    gives(shell.run([*COLOR, "cursor"]), b"#112233\n")


@pytest.mark.slow
def test_a_color_that_comes_late_counts(at):
    shell = answering(at, "cursor", [Pause(1.2), colored("cursor", b"rgb:1/2/3")])
    gives(shell.run([*COLOR, "cursor"]), b"#112233\n")


ANSWERS_THAT_ARE_NONE = {
    "another color": colored("foreground", b"rgb:1/2/3"),
    "of the palette": colored(11, b"rgb:1/2/3"),
    "the question": color("background"),
    "nothing": colored("background", b""),
    "a name": colored("background", b"red"),
    "two channels": colored("background", b"rgb:1/2"),
    "five digits": colored("background", b"rgb:11111/2/3"),
    "more behind it": colored("background", b"rgb:1/2/3;rgb:4/5/6"),
    "a sequence": colored("background", b"rgb:1/2/\x1b[31m3"),
    "cut off by CAN": b"\x1b]11;rgb:1/2/3\x18",
    "a NUL": colored("background", b"rgb:1/2/3\0"),
    "100 kB": colored("background", b"f" * 100_000),
    "keys": b"ls\r",
}


@pytest.mark.parametrize("answer", ANSWERS_THAT_ARE_NONE.values(), ids=ANSWERS_THAT_ARE_NONE)
def test_what_is_no_color_is_not_printed(at, answer):
    shell = answering(at, "background", answer)
    outcome = shell.run([*COLOR, "background", "--timeout", "20"])
    fails(outcome, 5, ("color not read", "does not report its colors"))
    assert outcome.stdout == b""


PALETTES_THAT_ARE_NONE = {
    "no number": b"\x1b]4;;rgb:1/2/3\x1b\\",
    "a number too large": b"\x1b]4;256;rgb:1/2/3\x1b\\",
    "digits without an end": b"\x1b]4;%s;rgb:1/2/3\x1b\\" % (b"1" * 1000),
    "a sign": b"\x1b]4;-1;rgb:1/2/3\x1b\\",
    "a number alone": b"\x1b]4;1\x1b\\",
    "semicolons": b"\x1b]4;;;;;;;\x1b\\",
}


@pytest.mark.parametrize(
    "answer", PALETTES_THAT_ARE_NONE.values(), ids=PALETTES_THAT_ARE_NONE
)
def test_what_is_no_color_of_the_palette_is_not_printed(at, answer):
    shell = answering(at, 1, answer)
    fails(shell.run([*COLOR, "1", "--timeout", "20"]), 5, "does not report")


def test_a_hidden_color_of_the_cursor_is_told_from_a_silent_terminal(at):
    outcome = at(script={**XTERM, color("cursor"): b""}).run([*COLOR, "cursor"])
    fails(outcome, 5, ("color of its cursor", "hint: ", "Alacritty"))


def test_the_first_of_two_replies_is_taken(at):
    answer = colored("cursor", b"rgb:1/1/1") + colored("cursor", b"rgb:2/2/2")
    gives(answering(at, "cursor", answer).run([*COLOR, "cursor"]), b"#111111\n")


@pytest.mark.slow
def test_a_terminal_that_says_nothing_is_not_waited_for(at):
    outcome = at(script={}).run([*COLOR, "background", "--timeout", "0.2"])
    fails(outcome, 5, ("does not report its colors", "hint: "))


@pytest.mark.parametrize("which", ["background", "cursor"])
def test_a_tmux_on_the_other_side_of_ssh_is_named(at, which):
    shell = at(script={NAME: b"\x1bP>|tmux 3.3a\x1b\\", DA1: b"\x1b[?1;2c"})
    outcome = shell.run([*COLOR, which], environment={"TERM": "tmux-256color"})
    fails(outcome, 5, ("tmux does not report this color", "hint: run it outside tmux; "))


def test_control_c_ends_the_waiting(at):
    shell = at(script={**XTERM, color("cursor"): [Hold]})
    before = shell.terminal.modes()
    running = shell.start([*COLOR, "cursor", "--timeout", "60"], group="foreground")
    shell.terminal.wait_until_asked(DA1)
    until(lambda: is_waiting(running.pid), "it waits")
    running.signal(signal.SIGINT)
    assert running.wait().status == -signal.SIGINT
    assert shell.terminal.modes() == before


def test_in_the_background_nobody_is_asked(at):
    shell = at({"cursor": b"rgb:1/1/1"})
    fails(shell.run([*COLOR, "cursor"], group="background"), 3, ("foreground", "hint: "))
    nothing_at(shell.terminal)


# ---- dark or light -----------------------------------------------------------------

THEMES = {
    "black": (b"rgb:0000/0000/0000", b"dark\n"),
    "white": (b"rgb:ffff/ffff/ffff", b"light\n"),
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


# ---- set ---------------------------------------------------------------------------


def test_one_that_only_reports_its_colors_is_read(at):
    shell = at({"background": b"rgb:1/2/3"})
    gives(shell.run([*COLOR, "background", "--term", "zutty"]), b"#112233\n")
