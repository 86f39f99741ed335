"""Reading the clipboard: what terminals answer, what they don't, and who else talks."""

import contextlib
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


# foot before 1.27 reports newlines as the key would type them, where pastes are not bracketed.
@pytest.mark.parametrize("version, reported, text", [
    (b"1.26.1", b"one\rtwo\r", b"one\ntwo\n"), (b"1.27.0", b"one\rtwo\r", b"one\rtwo\r"),
    (b"1.13.1", b"one\r\ntwo\r\n", b"one\r\ntwo\r\n")])
def test_an_old_foot_is_corrected(at, version, reported, text):
    foot = {**FOOT, NAME: name(b"foot(%s)" % version)}
    gives(paste(at(foot, clipboard(reported))), text)


ANSWERS = {
    "BEL": clipboard(DATA, end=BEL),
    "no letter": clipboard(DATA, b""),
    "another letter": clipboard(DATA, b"p"),
    "several letters": clipboard(DATA, b"s0"),
    "a fence glued on": clipboard(DATA) + FENCE,
    "the first of two": clipboard(DATA) + clipboard(b"another"),
}


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_every_form_of_the_answer_is_taken(at, answer):
    gives(paste(at(PLAIN, answer)), DATA)


@pytest.mark.slow
def test_5_mb_arrive_whole(at):
    data = expect.sample(5_000_000)
    gives(paste(at(FOOT, clipboard(data))), data)


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


OTHERS = {
    "a focus report": b"\x1b[I",
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


# What another program asked for and did not wait for.
STRAYS = {
    "a fence": FENCE,
    "half a fence": FENCE[:4],
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


KEYS = ["ls -l", "\r", "\x1b[A", "ä", "\x1b"]


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


def test_silence_to_everything_is_no_reply_in_time(at):
    shell = at({})
    before = shell.terminal.modes()
    began = time.monotonic()
    gives_nothing(paste(shell, "--timeout", "0.3"), 5)
    assert 0.3 <= time.monotonic() - began < 0.3 + SOON
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
    gives_nothing(paste(at(XTERM)), 5, "disallowedWindowOps")


def test_verbose_says_where_it_was_read(at):
    shell = at(FOOT, clipboard(DATA))
    gives(paste(shell, "-v"), DATA, f"viatty paste: read {len(DATA)} bytes from foot, by a query\n")


def test_a_fence_and_no_clipboard_is_known_at_once(at):
    shell = at(PLAIN)
    with took(BEFORE_LONG):
        gives_nothing(paste(shell, "--timeout", "15"), 5, "hint: ")
    assert shell.terminal.asked()[-2:] == [b"52 c", DA1]


# ---- terminals that ask their person -----------------------------------------------


@pytest.mark.slow
def test_a_person_who_takes_longer_than_any_other_terminal_may(at):
    gives(paste(at(KITTY, Aside([Pause(2.5), ANSWER]))), DATA)


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


def test_a_terminal_that_is_given_is_believed(at):
    shell = at({DA1: FENCE}, ANSWER)
    gives(paste(shell, "--term", "foot"), DATA)
    assert shell.terminal.asked() == [b"52 c", DA1]
    gives_nothing(paste(at(FOOT, ANSWER), "--term", "konsole"), 4, "Konsole")


# ---- answers that cannot be used ---------------------------------------------------

BROKEN = {
    "no base64": b"\x1b]52;c;####\x1b\\",
    "no second semicolon": b"\x1b]52;aGVsbG8=\x1b\\",
}


@pytest.mark.parametrize("answer", BROKEN.values(), ids=BROKEN)
def test_what_is_not_base64_is_a_failure(at, answer):
    gives_nothing(paste(at(FOOT, answer)), 1, "not base64")


@pytest.mark.parametrize("script", [FOOT, KITTY], ids=["in order", "fence first"])
@pytest.mark.parametrize("size", [998, 999, 1000, 1001, 1002, 1003, 101_000])
def test_what_is_larger_than_max_is_refused_at_once(at, script, size):
    answer = Aside([clipboard(bytes(size))])
    shell = at(script, answer if script is KITTY else answer[0])
    with took(BEFORE_LONG):
        outcome = paste(shell, "--max", "1000", "--timeout", "15")
    if size > 1000:
        gives_nothing(outcome, 4, "--max")
    else:
        gives(outcome, bytes(size))


def test_a_small_max_is_no_limit_of_the_fence(at):
    shell = at({**XTERM, DA1: b"\x1b[?64;1;2;6;9;15;16;17;18;21;22;28c"})
    with took(BEFORE_LONG):
        outcome = paste(shell, "--max", "1", "--timeout", "15")
    gives_nothing(outcome, 5)


def test_an_output_that_is_full_is_a_failure(at):
    outcome = paste(at(FOOT, ANSWER), descriptors={1: ("/dev/full", "w")})
    fails(outcome, 1, "standard output")


# ---- options -----------------------------------------------------------------------


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


def test_it_is_given_up_where_the_caller_blocks_the_signal_of_timers(at):
    shell = at({})
    shell.terminal.pause()
    faults.fill(shell.terminal)
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
echo "P V3.7c Bon L0 Qrequest M0 Z0 A1 X1 I\\$0 W@0 G T{device} D%0 C{device} Smain"
"""


def test_tmux_37_that_hands_the_question_on_gives_the_terminals_clipboard(at, sandbox):
    """A pane of it: a terminal and a program called tmux."""
    environment = {"TMUX": f"{sandbox.socket()},1,0", "TMUX_PANE": "%0"}
    # Its own fence would come first: none is sent.
    answer = [Pause(0.2), clipboard(DATA, b"")]
    shell = at({}, answer, environment=environment, term="tmux-256color")
    sandbox.script("tmux", FAKE_TMUX.format(device=shell.terminal.device))
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


# ---- the shell afterwards ----------------------------------------------------------

LONG, HUGE = clipboard(expect.sample(2000)), clipboard(expect.sample(500_000))
LEFT = {
    "a long answer": (FOOT, HUGE, "", 0),
    "a terminal that asks": (KITTY, Aside([Pause(0.3), ANSWER]), "", 0),
    "too large, fence late": (FOOT, [HUGE, Pause(0.5)], "--max 10", 4),
    "too large and slow, fence late": (
        FOOT, [LONG[:-1], *[Pause(0.7), b"A"] * 5, LONG[-1:], Pause(0.2)], "--max 10", 4,
    ),
    "too large, fence first": (KITTY, Aside([HUGE]), "--max 10", 4),
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


def nothing_is_left(terminal):
    """Neither to be read, nor shown: no byte that nobody typed."""
    until(terminal.has_said_all, "the terminal has said all")
    terminal.settle()
    assert left_for_the_shell(terminal) == 0
    assert sequences.printed_text(terminal.recorded()) == b""


@pytest.mark.parametrize("script, answer, options, status", LEFT.values(), ids=LEFT)
def test_nothing_of_an_answer_is_left_for_the_shell(at, script, answer, options, status):
    shell = at(script, answer)
    assert paste(shell, *options.split()).status == status
    nothing_is_left(shell.terminal)


def test_nothing_of_an_answer_is_left_after_control_c(at):
    shell = at(FOOT, [Pause(0.3), ANSWER])
    before = shell.terminal.modes()
    started = shell.start(PASTE, group="foreground")
    shell.terminal.wait_until_asked(CLIPBOARD)
    shell.terminal.type("\x03")
    assert started.wait().status == -signal.SIGINT
    nothing_is_left(shell.terminal)
    assert shell.terminal.modes() == before


@pytest.mark.needs("bash")
def test_continued_in_the_background_it_reads_no_more(sandbox):
    terminal = AnsweringTerminal(sandbox, {**FOOT, CLIPBOARD: [Hold, ANSWER]})
    terminal.start(["bash", "--norc", "--noprofile", "--noediting", "-i"], PS1="ready> ")
    terminal.see("ready> ")
    before = terminal.modes()
    terminal.type("viatty paste --timeout 15\r")
    terminal.wait_until_asked(CLIPBOARD)
    until(lambda: terminal.modes() != before, "the echo is off")
    terminal.type("\x1a")
    terminal.see("Stopped")
    terminal.type("bg; wait $!; echo status $?.\r")
    terminal.see("status 3.", timeout=10)
    terminal.see("foreground")


@pytest.mark.needs("timeout")
def test_a_limit_of_time_that_puts_it_in_the_background_is_named(shell):
    outcome = shell.run(["sh", "-c", "timeout 5 viatty paste; exit $?"], group="foreground")
    fails(outcome, 3, "a background job cannot read from the terminal")
    assert "use --timeout, or timeout --foreground" in outcome.said
