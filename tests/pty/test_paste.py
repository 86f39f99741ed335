"""Reading the clipboard: what terminals answer, what they don't, and who else talks."""

import base64
import contextlib
import os
import re
import signal
import termios
import time

import pytest

from lib import expect, faults, sequences
from lib.answering import (
    BEL,
    CLIPBOARD,
    DA1,
    DA2,
    DA3,
    FENCE,
    FOOT,
    KITTY,
    KONSOLE,
    NAME,
    PLAIN,
    XTERM,
    AnsweringTerminal,
    Aside,
    Hold,
    Pause,
    clipboard,
    name,
)
from lib.faults import fails, is_waiting
from lib.left import left_for_the_shell
from lib.processes import ENDING, until

PASTE = ("viatty", "paste")
DATA = expect.DATA
# Far longer than any round trip here, and shorter than the time limits given. A late
# answer is kept from the shell for a second.
SOON = 4
# And far from the 15 s that are given to what must not need them.
BEFORE_LONG = 9


def paste(shell, *options, **how):
    return shell.run([*PASTE, *options], **how)


KEYS_LOST = "viatty paste: warning: keys that were typed while the terminal was queried are lost\n"


def gives(outcome, data, said=""):
    """Exit 0, exactly these bytes, and not a word more than that."""
    assert outcome.status == 0, f"exit {outcome.status}: {outcome.said}"
    assert outcome.said == said
    assert expect.brief([("", outcome.stdout)]) == expect.brief([("", data)])


def gives_nothing(outcome, status, naming=()):
    fails(outcome, status, naming)
    assert outcome.stdout == b""


def never_asked(shell):
    shell.terminal.settle()
    assert b"52;" not in shell.terminal.recorded()


@contextlib.contextmanager
def took(seconds):
    """A moment that has to end in time."""
    began = time.monotonic()
    yield
    assert time.monotonic() - began < seconds


# ---- answers -----------------------------------------------------------------------


def test_a_terminal_that_answers_in_order_gives_its_clipboard(at):
    shell = at(FOOT, clipboard(DATA))
    before = shell.terminal.modes()
    gives(paste(shell), DATA)
    assert shell.terminal.modes() == before
    assert shell.terminal.asked() == [NAME, DA2, DA3, DA1, b"52 c", DA1]
    assert sequences.parse_strictly(shell.terminal.recorded())


@pytest.mark.parametrize("version, text", [(b"1.13.1", b"one\ntwo\n"), (b"1.26.1", b"one\ntwo\n"),
                                           (b"1.27.0", b"one\rtwo\r")], ids=ascii)
def test_foot_before_127_reports_newlines_as_the_key_would_type_them(at, version, text):
    foot = {**FOOT, NAME: name(b"foot(%s)" % version)}
    gives(paste(at(foot, clipboard(b"one\rtwo\r"))), text)


def test_foot_that_leaves_newlines_alone_is_not_corrected(at):
    foot = {**FOOT, NAME: name(b"foot(1.13.1)")}
    gives(paste(at(foot, clipboard(b"one\r\ntwo\r\n"))), b"one\r\ntwo\r\n")


ANSWERS = {
    "BEL": clipboard(DATA, end=BEL),
    "no letter": clipboard(DATA, b""),
    "no letter, BEL": clipboard(DATA, b"", BEL),
    "another letter": clipboard(DATA, b"p"),
    "several letters": clipboard(DATA, b"s0"),
    "a fence glued on": clipboard(DATA) + FENCE,
}


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
@pytest.mark.parametrize("script", [FOOT, PLAIN, XTERM], ids=["foot", "plain", "xterm"])
def test_every_form_of_the_answer_is_taken(at, script, answer):
    gives(paste(at(script, answer)), DATA)


@pytest.mark.slow
@pytest.mark.parametrize("end", [BEL, b"\x1b\\"], ids=["BEL", "ST"])
def test_5_mb_arrive_whole(at, end):
    data = expect.sample(5_000_000)
    gives(paste(at(FOOT, clipboard(data, end=end))), data)


@pytest.mark.slow
def test_an_answer_that_takes_long_but_goes_on_is_not_given_up(at):
    """As over a slow line: never half a second without a byte."""
    data = expect.sample(3000)
    answer = clipboard(data)
    size = len(answer) // 8
    steps = []
    for start in range(0, len(answer), size):
        steps += [answer[start : start + size], Pause(0.2)]
    gives(paste(at(FOOT, steps), "--timeout", "0.8"), data)


ANSWER = clipboard(DATA)
CUTS = [1, 2, 4, 6, 7, 11, len(ANSWER) // 2, len(ANSWER) - 2, len(ANSWER) - 1]


def test_an_answer_cut_anywhere_is_one(at):
    shell = at(FOOT, [])
    for cut in CUTS:
        # Longer than the 50 ms after which libtermkey alone breaks a string up.
        shell.terminal._script[CLIPBOARD] = [ANSWER[:cut], Pause(0.07), ANSWER[cut:]]
        gives(paste(shell), DATA)


def test_answers_byte_by_byte_are_the_same(at):
    script = {
        question: [step for at in range(len(answer)) for step in (
            answer[at : at + 1], Pause(0.001))]
        for question, answer in {**FOOT, CLIPBOARD: ANSWER}.items()
    }
    gives(paste(at(script)), DATA)


OTHERS = {
    "a focus report": b"\x1b[I",
    "a cursor report": b"\x1b[24;80R",
    "a bracketed paste": b"\x1b[200~pasted\x1b[201~",
    "an answer cut off": b"\x1b]52;c;aGVs",
    "cancelled ones": b"\x1b]52;c;aGVs\x18\x1bP>|fo\x1a",
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_another_answer_first_does_not_matter(at, other):
    said = KEYS_LOST if other.startswith(b"\x1b[200~") else ""
    gives(paste(at(FOOT, other + ANSWER)), DATA, said)
    script = {**FOOT, DA2: other + FOOT[DA2], CLIPBOARD: ANSWER}
    gives(paste(at(script)), DATA, said)


def test_only_the_first_of_two_answers_counts(at):
    gives(paste(at(FOOT, ANSWER + clipboard(b"another"))), DATA)


# What another program asked for and did not wait for.
STRAYS = {
    "a fence": FENCE,
    "half a fence": FENCE[:4],
    "an identity": b"".join(XTERM.values()),
    "a clipboard": clipboard(b"an old one"),
    "keys": b"ls -l\r",
}


@pytest.mark.parametrize("stray", STRAYS.values(), ids=STRAYS)
def test_what_waits_to_be_read_is_no_answer(at, stray):
    # One that would be taken for the fence ends the waiting before the answer.
    shell = at({**FOOT, NAME: [Pause(0.1), FOOT[NAME]]}, [Pause(0.1), ANSWER])
    shell.terminal.type(stray + b"Z")
    shell.terminal.wait_for(b"Z", what="the echo of the last key")
    # With half a fence that key makes a sequence.
    gives(paste(shell), DATA, "" if stray == STRAYS["half a fence"] else KEYS_LOST)


KEYS = ["ls -l", "\r", "\x1b[A", "\x1bOP", "ä", "\x1b", "\t\x7f"]


@pytest.mark.parametrize("keys", KEYS, ids=ascii)
def test_keys_typed_meanwhile_are_neither_echoed_nor_pasted(at, keys):
    shell = at({**FOOT, NAME: [Hold, FOOT[NAME]]}, [Hold, ANSWER])
    started = shell.start(PASTE)
    for question in (NAME, CLIPBOARD):
        shell.terminal.wait_until_asked(question)
        shell.terminal.type(keys)
        shell.terminal.go_on()
    gives(started.wait(), DATA, "" if keys == "\x1b" else KEYS_LOST)
    shell.terminal.settle()
    recorded = shell.terminal.recorded()
    assert sequences.printed_text(recorded) == b""
    kinds = {token.kind for token in sequences.parse_strictly(recorded)}
    assert kinds == {"csi", "osc"}


# ---- no answer ---------------------------------------------------------------------


@pytest.mark.parametrize("seconds", ["0.3", "1"])
def test_silence_to_everything_is_no_reply_in_time(at, seconds):
    shell = at({})
    before = shell.terminal.modes()
    began = time.monotonic()
    outcome = paste(shell, "--timeout", seconds)
    gives_nothing(outcome, 5)
    assert float(seconds) <= time.monotonic() - began < float(seconds) + SOON
    assert shell.terminal.modes() == before
    never_asked(shell)


@pytest.mark.parametrize("options", [[], ["-t", "text/plain;charset=utf-8"]])
def test_another_terminal_is_for_what_is_sent(at, options):
    """VIATTY_TTY is for the commands that have --tty."""
    outcome = paste(at(FOOT, clipboard(DATA)), *options, environment={"VIATTY_TTY": "/dev/null"})
    gives(outcome, DATA)


def test_one_that_is_known_to_reply_may_lack_the_focus(at):
    """foot drops the query then, with no word."""
    said = "no reply from foot, which reports the clipboard\nhint: click into its window"
    gives_nothing(paste(at(FOOT), "--timeout", "0.5"), 5, said)
    gives_nothing(paste(at(PLAIN), "--timeout", "0.5"), 5, "most terminals never do")


def test_verbose_says_where_it_was_read(at):
    shell = at(FOOT, clipboard(DATA))
    gives(paste(shell, "-v"), DATA, f"viatty paste: read {len(DATA)} bytes from foot, by a query\n")


@pytest.mark.parametrize("script", [FOOT, PLAIN, XTERM], ids=["foot", "plain", "xterm"])
def test_a_fence_and_no_clipboard_is_known_at_once(at, script):
    shell = at(script)
    with took(BEFORE_LONG):
        gives_nothing(paste(shell, "--timeout", "15"), 5, "hint: ")
    assert shell.terminal.asked()[-2:] == [b"52 c", DA1]


def test_xterm_is_told_its_own_setting(at):
    gives_nothing(paste(at(XTERM)), 5, ["disallowedWindowOps"])


# ---- terminals that ask their person -----------------------------------------------


@pytest.mark.slow
def test_a_person_who_takes_longer_than_any_other_terminal_may(at):
    shell = at(KITTY, Aside([Pause(2.5), ANSWER]))
    gives(paste(shell), DATA)


@pytest.mark.slow
def test_a_person_who_says_no_gives_an_empty_clipboard_and_a_warning(at):
    """kitty 0.26.5 replies to both alike, as seen in its window."""
    outcome = paste(at(KITTY, Aside([Pause(0.1), clipboard(b"")])))
    assert (outcome.status, outcome.stdout) == (0, b"")
    assert outcome.said == (
        "viatty paste: warning: the clipboard is empty, or kitty was told not to show it\n"
    )
    gives(paste(at(KITTY, Aside([clipboard(b"")])), "-q"), b"")


def test_a_person_who_does_not_answer_is_given_up_in_time(at):
    shell = at(KITTY)
    with took(SOON):
        outcome = paste(shell, "--timeout", "0.3")
    gives_nothing(outcome, 5, ["no reply from kitty, which asks you before it replies", "hint: answer in time"])
    assert shell.terminal.asked()[-2:] == [b"52 c", DA1]


# ---- terminals that must not or need not be asked ----------------------------------


def test_konsole_would_lose_its_clipboard_and_is_never_asked(at):
    for options in ([], ["--force"], ["--no-probe"]):
        shell = at(KONSOLE, clipboard(b"asked"))
        gives_nothing(paste(shell, *options), 4, ["Konsole", "hint: "])
        never_asked(shell)


def test_a_terminal_that_is_given_is_believed(at):
    shell = at({DA1: FENCE}, ANSWER)
    gives(paste(shell, "--term", "foot"), DATA)
    assert shell.terminal.asked() == [b"52 c", DA1]
    gives_nothing(paste(at(FOOT, ANSWER), "--term", "konsole"), 4, "Konsole")


# ---- answers that cannot be used ---------------------------------------------------

BROKEN = {
    "no base64": b"\x1b]52;c;####\x1b\\",
    "the question": b"\x1b]52;c;?\x1b\\",
    "no second semicolon": b"\x1b]52;aGVsbG8=\x1b\\",
}


@pytest.mark.parametrize("answer", BROKEN.values(), ids=BROKEN)
def test_what_is_not_base64_is_a_failure(at, answer):
    gives_nothing(paste(at(FOOT, answer)), 1, "not base64")


@pytest.mark.parametrize("script", [FOOT, KITTY], ids=["in order", "fence first"])
@pytest.mark.parametrize("more", [1, 2, 3, 4, 100, 100_000])
def test_what_is_larger_than_max_is_refused_at_once(at, script, more):
    answer = Aside([clipboard(bytes(1000 + more))])
    shell = at(script, answer if script is KITTY else answer[0])
    with took(BEFORE_LONG):
        outcome = paste(shell, "--max", "1000", "--timeout", "15")
    gives_nothing(outcome, 4, "--max")


@pytest.mark.parametrize("less", [0, 1, 2, 3, 1000])
def test_what_is_not_larger_is_given(at, less):
    gives(paste(at(FOOT, clipboard(bytes(1000 - less))), "--max", "1000"),
          bytes(1000 - less))


# What xterm says with all of its parts built in.
LONG_FENCE = b"\x1b[?64;1;2;6;9;15;16;17;18;21;22;28c"


@pytest.mark.parametrize("size", ["1", "10", "1000"])
def test_a_small_max_is_no_limit_of_the_fence(at, size):
    shell = at({**XTERM, DA1: LONG_FENCE})
    with took(BEFORE_LONG):
        outcome = paste(shell, "--max", size, "--timeout", "15")
    gives_nothing(outcome, 5)


def test_an_output_that_is_full_is_a_failure(at):
    outcome = paste(at(FOOT, ANSWER), descriptors={1: ("/dev/full", "w")})
    fails(outcome, 1, "standard output")


# ---- options -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "data, expected",
    [(b"a\n", b"a"), (b"a\n\n", b"a\n"), (b"a", b"a"), (b"\n", b""), (b"", b""),
     (b"a\r\n", b"a\r"), (b"\na", b"\na")],
)
@pytest.mark.parametrize("option", ["-n", "--trim-newline"])
def test_one_newline_at_the_end_is_left_out(at, data, expected, option):
    gives(paste(at(FOOT, clipboard(data)), option), expected)


@pytest.mark.parametrize(
    "options, letter",
    [(["-p"], "p"), (["--primary"], "p")]
    + [(["-S", letter], letter) for letter in "cpqs01234567"],
)
def test_the_letter_is_in_the_question(at, options, letter):
    shell = at(FOOT, clipboard(DATA, letter.encode()))
    gives(paste(shell, *options), DATA)
    shell.terminal.settle()
    asked = re.findall(rb"\x1b\](.*?)\x1b\\", shell.terminal.recorded())
    assert asked == [b"52;%s;?" % letter.encode()]


HOSTILE = b"a\x1b[31mb\x1b]0;owned\x07\x00\x7f\r\x08\xc2\x9b1m\x9b1m\xff"
HOSTILE += b"\xe2\x9c\x93\tc\\e\n"
SHOWN = rb"a\e[31mb\e]0;owned\a\x00\x7f\x0d\x08\xc2\x9b1m\x9b1m\xff"


def on_a_terminal(at, *options):
    """What a terminal gets that is standard output."""
    shell = at(FOOT, clipboard(HOSTILE))
    descriptors = {1: (shell.terminal.device, "w")}
    outcome = paste(shell, *options, descriptors=descriptors)
    assert (outcome.status, outcome.stderr) == (0, b"")
    shell.terminal.settle()
    return shell.terminal.recorded().rpartition(b"\x1b[c")[2]


def test_control_characters_are_shown_to_a_terminal_as_text(at):
    shown = on_a_terminal(at)
    assert {token.raw for token in sequences.parse(shown) if token.kind != "text"} == {
        b"\t", b"\r", b"\n"
    }
    assert shown.endswith(b"\xe2\x9c\x93\tc\\e\r\n")
    assert shown.startswith(SHOWN)


def test_raw_output_passes_them_on(at):
    assert on_a_terminal(at, "--raw-output") == HOSTILE.replace(b"\n", b"\r\n")


# ---- signals, stops, hang-ups ------------------------------------------------------

# Where the terminal falls silent: while it is identified, or asked for the clipboard.
SILENCES = {
    "nobody yet": ({**FOOT, NAME: [Hold, FOOT[NAME]]}, ANSWER, NAME),
    "the question": (FOOT, [Hold, ANSWER], CLIPBOARD),
    "half an answer": (FOOT, [ANSWER[:20], Hold, ANSWER[20:]], CLIPBOARD),
}
SILENT = pytest.mark.parametrize("silence", SILENCES.values(), ids=SILENCES)


def waiting(at, silence, *options, **how):
    """A paste that waits for a terminal that has fallen silent."""
    script, answer, question = silence
    shell = at(script, answer)
    before = shell.terminal.modes()
    started = shell.start([*PASTE, "--timeout", "15", *options], **how)
    shell.terminal.wait_until_asked(question)
    echo = lambda: shell.terminal.modes()[3] & (termios.ECHO | termios.ICANON)
    until(lambda: not echo(), "the echo is off")
    until(lambda: is_waiting(started.pid), "viatty waits")
    return shell, started, before


@pytest.mark.parametrize("number", [*ENDING, signal.SIGALRM], ids=lambda number: number.name)
def test_a_signal_ends_it_and_the_modes_are_as_before(at, number):
    shell, started, before = waiting(at, [*SILENCES.values()][number % len(SILENCES)])
    with took(BEFORE_LONG):
        started.signal(number)
        outcome = started.wait()
    assert outcome.status == -number
    assert outcome.stdout == b""
    assert shell.terminal.modes() == before


def fits(terminal):
    """Fills it, as far as there is room."""
    device = os.open(terminal.device, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
    written = 0
    with contextlib.suppress(BlockingIOError):
        while True:
            written += os.write(device, b"-" * 4096)
    os.close(device)
    return written


@pytest.mark.parametrize("full", [False, True], ids=["silent", "full"])
def test_it_is_given_up_where_the_caller_blocks_the_signal_of_timers(at, full):
    shell = at({})
    if full:
        shell.terminal.pause()
        until(lambda: not fits(shell.terminal), "it takes no more")
    with took(BEFORE_LONG):
        outcome = shell.run(PASTE, blocked=[signal.SIGALRM])
    fails(outcome, 5, "reply")


@SILENT
def test_control_c_is_a_signal_all_the_time(at, silence):
    shell, started, before = waiting(at, silence, group="foreground")
    shell.terminal.type("\x03")
    assert started.wait().status == -signal.SIGINT
    assert shell.terminal.modes() == before


def test_a_signal_that_is_ignored_ends_nothing(at):
    shell, started, _ = waiting(at, SILENCES["the question"], ignored=[signal.SIGINT])
    started.signal(signal.SIGINT)
    shell.terminal.go_on()
    gives(started.wait(), DATA)


STOPPED = pytest.mark.parametrize("by", ["signal", "key"])


def stop(shell, started, by):
    if by == "signal":
        started.signal(signal.SIGTSTP)
    else:
        shell.terminal.type("\x1a")
    assert started.wait_stopped() == signal.SIGTSTP


@pytest.mark.parametrize("silence", ["nobody yet", "the question"])
@STOPPED
def test_stopped_it_gives_the_terminal_back_and_goes_on_afterwards(at, silence, by):
    shell, started, before = waiting(at, SILENCES[silence], group="foreground")
    stop(shell, started, by)
    assert shell.terminal.modes() == before
    started.signal(signal.SIGCONT)
    until(lambda: shell.terminal.modes() != before, "it asks on")
    shell.terminal.go_on()
    gives(started.wait(), DATA)
    assert shell.terminal.modes() == before


LOST = ["not pasted: the reply was lost", "Ctrl-Z", "hint: run it again"]


@STOPPED
@pytest.mark.parametrize("taken", [0, 400, 404])
def test_a_reply_that_was_cut_in_two_by_a_stop_is_not_joined(at, by, taken):
    """The shell reads what comes in between: base64 tells nothing of a hole."""
    said = clipboard(expect.sample(3_000))
    parts = [said[:1007], Hold, said[1007 : 1007 + taken], Hold, said[1007 + taken :]]
    shell, started, before = waiting(at, (FOOT, parts, CLIPBOARD), group="foreground")
    until(lambda: left_for_the_shell(shell.terminal) == 0, "the first part is read")
    stop(shell, started, by)
    shell.terminal.go_on()
    until(lambda: left_for_the_shell(shell.terminal) == taken, "the second part came")
    termios.tcflush(shell.terminal.slave, termios.TCIFLUSH)
    started.signal(signal.SIGCONT)
    until(lambda: shell.terminal.modes() != before, "it is there again")
    shell.terminal.go_on()
    outcome = started.wait()
    fails(outcome, 5, LOST)
    assert outcome.stdout == b""
    assert shell.terminal.modes() == before
    assert left_for_the_shell(shell.terminal) == 0


@pytest.mark.slow
def test_a_reply_that_the_shell_got_while_it_was_stopped_is_lost(at):
    """Not one that the terminal does not give."""
    silence = SILENCES["the question"]
    shell, started, _ = waiting(at, silence, "--timeout", "2", group="foreground")
    stop(shell, started, "signal")
    shell.terminal.go_on()
    until(lambda: left_for_the_shell(shell.terminal) > 0, "the reply came")
    termios.tcflush(shell.terminal.slave, termios.TCIFLUSH)
    started.signal(signal.SIGCONT)
    fails(started.wait(), 5, LOST)


# ---- a version of tmux that is not installed ----------------------------------------

FAKE_TMUX = """\
echo "C P1 A1 K0 I\\$0 W@0 G U$(id -u) T{device} Nxterm-256color Fclipboard Y"
echo "P V3.7c Bon L0 Q{get} M0 Z0 A1 X1 I\\$0 W@0 G T{device} D%0 C{device} Smain"
"""


@pytest.fixture
def pane_of(at, sandbox):
    """A pane of tmux 3.7: a terminal and a program called tmux."""

    def pane_of(get, answer):
        environment = {"TMUX": f"{sandbox.socket()},1,0", "TMUX_PANE": "%0"}
        shell = at({}, answer, environment=environment, term="tmux-256color")
        text = FAKE_TMUX.format(device=shell.terminal.device, get=get)
        sandbox.script("tmux", text)
        return shell

    return pane_of


@pytest.mark.parametrize("get", ["request", "both"])
def test_tmux_37_that_hands_the_question_on_gives_the_terminals_clipboard(pane_of, get):
    # Its own fence would come first: none is sent.
    shell = pane_of(get, [Pause(0.2), clipboard(DATA, b"")])
    gives(paste(shell), DATA)
    assert shell.terminal.asked() == [b"52 c"]


# ---- where nothing can be read -----------------------------------------------------


def test_in_the_background_it_ends_at_once_and_touches_nothing(at):
    shell = at(FOOT, ANSWER)
    before = shell.terminal.modes()
    with took(BEFORE_LONG):
        outcome = paste(shell, "--timeout", "15", group="background")
    gives_nothing(outcome, 3, ["foreground", "hint: "])
    assert shell.terminal.modes() == before
    faults.nothing_at(shell.terminal)


def test_without_a_terminal_it_says_so(nowhere):
    with took(BEFORE_LONG):
        outcome = paste(nowhere, "--timeout", "15")
    gives_nothing(outcome, 3, "terminal")


# ---- the shell afterwards ----------------------------------------------------------

SHELLS = {
    "readline": ["bash", "--norc", "--noprofile", "-i"],
    "no readline": ["bash", "--norc", "--noprofile", "--noediting", "-i"],
}


class Prompt:
    """A person at a shell."""

    def __init__(self, sandbox, script, argv):
        self.terminal = AnsweringTerminal(sandbox, script)
        self.terminal.start(argv, PS1="ready> ", HISTFILE="/dev/null")
        self.terminal.see("ready> ")

    def type(self, line):
        self.terminal.type(line + "\r")

    def shown_after(self, line):
        """The status of a command, and what is on the screen from its end on.

        Keys that somebody else typed would stand in the way of the question.
        """
        self.type(line + "; echo status $?.")
        self._see(rb"status \d+\..*ready> ")
        until(self.terminal.has_said_all, "the terminal has said all")
        self.type("echo $((40 + 2)) is right")
        self._see(rb"42 is right.*ready> ")
        text = sequences.printed_text(self.terminal.recorded())
        status = re.search(rb"status (\d+)\.", text)
        return int(status[1]), text[status.end() :]

    def _see(self, pattern):
        found = lambda record: re.search(pattern, record, re.DOTALL)
        self.terminal.wait_for(found, what=pattern)


@pytest.fixture(params=SHELLS.values(), ids=SHELLS)
def prompt(request, sandbox):
    def prompt(script, answer):
        return Prompt(sandbox, {**script, CLIPBOARD: answer}, request.param)

    return prompt


LONG, HUGE = clipboard(expect.sample(2000)), clipboard(expect.sample(500_000))
LEFT = {
    "an answer": (FOOT, ANSWER, "", 0),
    "a long answer": (FOOT, HUGE, "", 0),
    "two answers": (FOOT, ANSWER + ANSWER, "", 0),
    "a terminal that asks": (KITTY, Aside([Pause(0.3), ANSWER]), "", 0),
    "too large": (FOOT, HUGE, "--max 10", 4),
    "too large, fence late": (FOOT, [HUGE, Pause(0.5)], "--max 10", 4),
    "too large and slow, fence late": (
        FOOT, [LONG[:-1], *[Pause(0.7), b"A"] * 5, LONG[-1:], Pause(0.2)], "--max 10", 4,
    ),
    "too large, fence first": (KITTY, Aside([HUGE]), "--max 10", 4),
    "no base64": (FOOT, b"\x1b]52;c;####\x07", "", 1),
    "nothing": (FOOT, b"", "", 5),
    "Konsole": (KONSOLE, b"", "", 4),
    "half an answer, fence": (FOOT, ANSWER[:20], "", 5),
    "half an answer": (FOOT, [ANSWER[:20], Hold], "--timeout 0.3", 5),
    "an answer after the deadline": (
        FOOT, [Pause(0.45), ANSWER], "--timeout 0.3", 5,
    ),
    "half of it after the deadline": (
        FOOT, [LONG[:900], Pause(0.45), LONG[900:]], "--timeout 0.3", 5,
    ),
    "an identity after the deadline": (
        {**FOOT, NAME: [Pause(0.45), FOOT[NAME]]}, ANSWER, "--timeout 0.3", 0,
    ),
}


@pytest.mark.needs("bash")
@pytest.mark.parametrize("script, answer, options, status", LEFT.values(), ids=LEFT)
def test_nothing_of_an_answer_is_typed_into_the_shell(
    prompt, script, answer, options, status
):
    person = prompt(script, answer)
    got, shown = person.shown_after(f"viatty paste {options} >/dev/null 2>&1")
    assert got == status
    # The prompt, the question and its answer: no byte between that nobody typed.
    assert shown == b"ready> echo $((40 + 2)) is right42 is rightready> "


@pytest.mark.needs("bash")
@pytest.mark.parametrize("shell", SHELLS.values(), ids=SHELLS)
def test_nothing_of_an_answer_is_typed_after_control_c(sandbox, shell):
    person = Prompt(sandbox, {**FOOT, CLIPBOARD: [Pause(0.3), ANSWER]}, shell)
    before = person.terminal.modes()
    person.type("viatty paste >/dev/null 2>&1")
    person.terminal.wait_until_asked(CLIPBOARD)
    person.terminal.type("\x03")
    until(person.terminal.has_said_all, "the terminal has said all")
    until(lambda: person.terminal.modes() == before, "the modes are as before")
    person.type("echo $((40 + 2)) is right")
    person.terminal.see("42 is right")
    text = sequences.printed_text(person.terminal.recorded())
    assert b"52;c" not in text and base64.b64encode(DATA) not in text


def stopped(sandbox, line):
    """A person who has stopped this paste, and the modes from before."""
    person = Prompt(sandbox, {**FOOT, CLIPBOARD: [Hold, ANSWER]}, SHELLS["no readline"])
    before = person.terminal.modes()
    person.type(line)
    person.terminal.wait_until_asked(CLIPBOARD)
    until(lambda: person.terminal.modes() != before, "the echo is off")
    person.terminal.type("\x1a")
    person.terminal.see("Stopped")
    return person, before


@pytest.mark.needs("bash")
def test_continued_in_the_background_it_reads_no_more(sandbox):
    person, _ = stopped(sandbox, "viatty paste --timeout 15")
    person.type("bg; wait $!; echo status $?.")
    person.terminal.see("status 3.", timeout=10)
    person.terminal.see("foreground")


@pytest.mark.needs("timeout")
def test_a_limit_of_time_that_puts_it_in_the_background_is_named(shell):
    outcome = shell.run(["sh", "-c", "timeout 5 viatty paste; exit $?"], group="foreground")
    fails(outcome, 3, "a background job cannot read from the terminal")
    assert "use --timeout, or timeout --foreground" in outcome.said
