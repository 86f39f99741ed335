"""A paste by the terminal's own key: who is asked for it, and what is read."""

import fcntl
import os
import signal
import struct
import termios
import time

import pytest

from lib import expect
from lib.answering import (
    DA1,
    FENCE,
    FOOT,
    KITTY,
    KONSOLE,
    NAME,
    AnsweringTerminal,
    Aside,
    Hold,
    clipboard,
    name,
)
from lib.faults import fails, is_waiting
from lib.left import left_for_the_shell
from lib.processes import until

BEGIN, END = b"\x1b[200~", b"\x1b[201~"
ON, OFF = b"\x1b[?2004h", b"\x1b[?2004l"
LINE = b"viatty: paste now (Ctrl+Shift+V, Cmd+V); Ctrl+C cancels"
THEN = b"viatty: paste now (Ctrl+Shift+V, Cmd+V), then Ctrl+D; Ctrl+C cancels"
ERASED = b"\r\x1b[K"
TEXT = "ein Satz, grün ✓\n\tund ein zweiter".encode()
# Known by what it replies, and never asked for its clipboard.
WEZTERM = {NAME: name(b"WezTerm 20240203"), DA1: b"\x1b[?65;4;6;18;22c"}
LONG_AGO = 9


class Asking:
    """A paste whose standard error is the terminal, that is asking for the key."""

    def __init__(self, shell, *options, line=LINE, to=2, group="foreground", **how):
        self.shell, self.terminal = shell, shell.terminal
        self.before = self.terminal.modes()
        descriptors = {to: (self.terminal.device, "w")}
        self.started = shell.start(["viatty", "paste", *options], descriptors=descriptors,
                                   group=group, **how)
        self.line = line
        self.asked()

    def asked(self, times=1):
        said = lambda: self.terminal.recorded().count(self.line + ON) >= times
        until(said, "it asks for the key")

    def push(self, data):
        self.terminal.push(data)
        return self

    def wait(self, restored=True):
        outcome = self.started.wait()
        self.terminal.settle()
        if restored:
            assert self.terminal.modes() == self.before
            record = self.terminal.recorded()
            assert record.count(ON) == record.count(OFF)
            assert record.rindex(ON) < record.rindex(OFF)
        return outcome

    def gives(self, text, status=0, said="", rows=1):
        outcome = self.wait()
        assert outcome.status == status
        assert expect.brief([("", outcome.stdout)]) == expect.brief([("", text)])
        erased = OFF + ERASED + b"\x1b[A\x1b[K" * (rows - 1)
        assert erased in self.terminal.recorded()
        assert left_for_the_shell(self.terminal) == 0
        after = self.terminal.recorded().rpartition(erased)[2].decode()
        assert said in after if said else not after, after


def asking(at, *options, script=WEZTERM, answer=None, environment=None, term="xterm-256color",
           **how):
    return Asking(at(script, answer, term=term, environment=environment), *options, **how)


def never_asks(shell, *options, argv=("viatty", "paste"), to=2, **how):
    """It ends by itself, with its usual words on the terminal."""
    descriptors = {to: (shell.terminal.device, "w")}
    outcome = shell.run([*argv, *options], descriptors=descriptors, **how)
    shell.terminal.settle()
    assert ON not in shell.terminal.recorded()
    assert b"paste now" not in shell.terminal.recorded()
    return outcome


# ---- what is read ------------------------------------------------------------------


def test_what_the_user_pastes_is_printed_and_the_line_is_erased(at):
    asking(at).push(BEGIN + TEXT + END).gives(TEXT)


def test_lines_end_in_lf_and_nothing_else_is_changed(at):
    odd = bytes(c for c in range(256) if c not in b"\r\x1b")
    data = b"a\rb\r\nc\n\rd\r\r\n" + odd + b"\x1b[31m\x1b[201\x1b\x1b[20\x1b[200~" + b"e\r"
    wanted = b"a\nb\nc\n\nd\n\n" + odd + b"\x1b[31m\x1b[201\x1b\x1b[20\x1b[200~" + b"e\n"
    asking(at).push(BEGIN + data + END).gives(wanted)


@pytest.mark.parametrize("columns, above", [(19, 2), (54, 1), (55, 0)])
def test_each_row_of_the_line_is_erased(at, columns, above):
    ask = Asking(at(WEZTERM, size=(columns, 24))).push(b"t")
    rows = b"\x1b[A\x1b[K" * above
    ask.terminal.wait_for(ON + ERASED + rows + THEN)
    ask.push(BEGIN + TEXT + END).gives(TEXT, rows=-(-len(THEN) // columns))


@pytest.mark.parametrize("reply, key", [
    (b"XTerm(379)", b"Shift+Insert, which pastes the primary selection"),
    (b"MyTerm(1.0)", b"Ctrl+Shift+V, Cmd+V"),
], ids=ascii)
def test_the_key_is_that_of_the_terminal(at, reply, key):
    line = b"viatty: paste now (" + key + b"); Ctrl+C cancels"
    asking(at, script={**WEZTERM, NAME: name(reply)}, answer=[], line=line).push(
        BEGIN + TEXT + END).gives(TEXT, rows=-(-len(line) // 80))


@pytest.mark.parametrize("options, pasted, wanted", [
    (["-n"], b"a\r\r", b"a\n"), (["-n"], b"\ra", b"\na"), (["--add-newline"], b"a\r", b"a\n\n"),
    (["--max", "2"], b"a\r", b"a\n"), ([], b"", b""),
])
def test_the_options_of_a_reply_act_on_it(at, options, pasted, wanted):
    asking(at, *options).push(BEGIN + pasted + END).gives(wanted)


def test_split_at_every_byte_it_is_the_same(at):
    shell = at(WEZTERM)
    data = b"x\r\ny\x1b[2"
    for cut in range(1, len(BEGIN + data + END)):
        ask = Asking(shell)
        sent = BEGIN + data + END
        ask.push(sent[:cut])
        until(lambda: left_for_the_shell_raw(shell.terminal) == 0, "the first part is read")
        ask.push(sent[cut:]).gives(b"x\ny\x1b[2")
        shell.terminal.forget()


def left_for_the_shell_raw(terminal):
    return struct.unpack("i", fcntl.ioctl(terminal.slave, termios.FIONREAD, b"\0" * 4))[0]


@pytest.mark.slow
@pytest.mark.unsanitized
def test_64_mib_come_whole_and_one_byte_more_is_refused(at):
    data = b"0123456789abcde\n" * (4 << 20)
    shell = at(WEZTERM)
    Asking(shell).push(BEGIN + data + END).gives(data)
    shell.terminal.forget()
    Asking(shell).push(BEGIN + data + b"x" + END).gives(b"", status=4, said="67108864 bytes")


def test_more_than_max_is_refused_and_the_rest_is_dropped(at):
    ask = asking(at, "--max", "1000").push(BEGIN + bytes(50_000))
    ask.push(END).gives(b"", status=4, said="hint: --max BYTES raises the limit")


@pytest.mark.parametrize("after", [
    b"; rm -rf x\r" + END, b"\x03\x1a\r", BEGIN + b"two" + END], ids=ascii)
def test_what_follows_the_end_mark_is_dropped(at, after):
    """st and mlterm leave an end mark in the text as it is."""
    ask = asking(at).push(BEGIN + b"one" + END + after)
    ask.gives(b"one", said="are lost")


def test_st_marks_each_part_of_a_text(at):
    ask = asking(at, script={DA1: FENCE}, term="st-256color")
    ask.push(BEGIN + b"one\r" + END).push(BEGIN + b"\ntwo" + END)
    until(lambda: left_for_the_shell_raw(ask.terminal) == 0, "these parts are read")
    ask.push(BEGIN + b"three" + END).gives(b"one\ntwothree")


@pytest.mark.slow
def test_a_text_that_stops_before_its_end_is_incomplete(at):
    began = time.monotonic()
    ask = asking(at, "--timeout", "30").push(BEGIN + b"half\r")
    ask.gives(b"half\n", status=1, said="not pasted: incomplete: ")
    assert 5 <= time.monotonic() - began < 5 + LONG_AGO


# ---- keys --------------------------------------------------------------------------


def test_keys_before_the_mark_are_ignored(at):
    ask = asking(at).push(b"ls -l\r\x1b[A\x1bOP\t").push(BEGIN + TEXT + END)
    ask.gives(TEXT)


def test_text_without_marks_ends_with_control_d(at):
    """The line then names that key; as on the Linux console, where it does from the start."""
    ask = asking(at).push(b"a\r\nb")
    ask.terminal.wait_for(ERASED + THEN)
    ask.push(b"c\r\x04").gives(b"a\nbc\n")


def test_what_follows_control_d_is_dropped(at):
    """A text without marks may contain that key."""
    ask = asking(at).push(b"one\x04\r")
    until(lambda: left_for_the_shell_raw(ask.terminal) == 0, "it is read")
    ask.push(b"rm -rf x\r").gives(b"one", said="are lost")


def test_the_linux_console_has_no_marks(at):
    ask = asking(at, script={DA1: b"\x1b[?6c"}, term="linux", line=THEN)
    ask.push(b"one\rtwo\r\x04").gives(b"one\ntwo\n")


@pytest.mark.parametrize("before", [b"", b"text", b"\x1b["], ids=ascii)
def test_control_c_cancels(at, before):
    ask = asking(at).push(before + b"\x03")
    assert ask.wait().status == -signal.SIGINT
    assert ask.terminal.recorded().rstrip().count(ERASED) >= 1


def test_control_z_stops_and_asks_again(at):
    ask = asking(at)
    for times in (1, 2):
        ask.push(b"\x1a")
        assert ask.started.wait_stopped() == signal.SIGTSTP
        assert ask.terminal.modes() == ask.before
        ask.terminal.wait_for(OFF + ERASED)
        os.unlink(ask.started._file("stopped"))
        ask.started.signal(signal.SIGCONT)
        ask.asked(times + 1)
    ask.push(BEGIN + TEXT + END).gives(TEXT)


def test_stopped_in_the_middle_it_asks_for_the_whole_text_again(at):
    ask = asking(at).push(BEGIN + b"half")
    until(lambda: left_for_the_shell_raw(ask.terminal) == 0, "it is read")
    ask.started.signal(signal.SIGTSTP)
    ask.started.wait_stopped()
    ask.push(b"more" + END)
    termios.tcflush(ask.terminal.slave, termios.TCIFLUSH)
    ask.started.signal(signal.SIGCONT)
    ask.asked(2)
    ask.push(BEGIN + TEXT + END).gives(TEXT)


@pytest.mark.parametrize("sent", [b"", BEGIN[:3], BEGIN + b"half\x1b[2"], ids=ascii)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGUSR1])
def test_a_signal_at_each_moment_leaves_the_terminal_as_it_was(at, number, sent):
    ask = asking(at).push(sent)
    until(lambda: is_waiting(ask.started.pid), "it waits")
    ask.started.signal(number)
    outcome = ask.wait()
    assert (outcome.status, outcome.stdout) == (-number, b"")


def test_a_terminal_that_hangs_up_ends_it(at):
    ask = asking(at).push(BEGIN + b"half")
    ask.terminal.hang_up()
    outcome = ask.started.wait()
    assert (outcome.status, outcome.stdout) in [(-signal.SIGHUP, b""), (1, b"")]


def test_a_limit_of_time_is_no_reply(at):
    began = time.monotonic()
    ask = asking(at, "--timeout", "0.3")
    ask.gives(b"", status=5, said="nothing was pasted")
    assert time.monotonic() - began < LONG_AGO


# ---- a query before it -------------------------------------------------------------


def test_one_that_does_not_tell_is_asked_first_and_then_its_user(at):
    line = LINE.replace(b", Cmd+V", b"")
    ask = asking(at, script=FOOT, answer=[], line=line).push(BEGIN + TEXT + END)
    ask.gives(TEXT)
    assert b"52 c" in ask.terminal.asked()


def test_one_that_is_known_not_to_tell_is_not_asked(at):
    line = LINE.replace(b", Cmd+V", b"")
    ask = asking(at, script=KONSOLE, answer=clipboard(b"asked"), line=line)
    ask.push(BEGIN + TEXT + END)
    ask.gives(TEXT)
    assert b"52;" not in ask.terminal.recorded()


@pytest.mark.slow
def test_a_reply_that_comes_while_the_key_is_asked_for_is_the_clipboard(at):
    """kitty asks its user, who takes longer."""
    script = KITTY
    ask = asking(at, script=script, answer=Aside([Hold, clipboard(TEXT)]))
    ask.push(b"keys")
    ask.terminal.go_on()
    ask.gives(TEXT)


def test_a_user_who_does_not_allow_it_is_asked_for_the_key(at):
    ask = asking(at, script=KITTY, answer=Aside([clipboard(b"")]))
    ask.push(BEGIN + TEXT + END).gives(TEXT)


@pytest.mark.parametrize("text", [b"", TEXT])
def test_one_that_tells_is_not_asked_for_its_key(at, text):
    outcome = never_asks(at(FOOT, clipboard(text)))
    assert (outcome.status, outcome.stdout) == (0, text)


# ---- who is asked ------------------------------------------------------------------


def test_prompt_asks_at_once_without_a_query(at):
    ask = asking(at, "--prompt", script=FOOT, answer=clipboard(b"asked"),
                 environment={"VIATTY_PROMPT": "never", "CI": "true"})
    ask.push(BEGIN + TEXT + END).gives(TEXT)
    assert ask.terminal.asked() == []


def test_standard_output_on_the_terminal_is_enough(at):
    ask = asking(at, to=1).push(BEGIN + b"one\x07\rtwo\r" + END)
    assert ask.wait().status == 0
    assert ask.terminal.recorded().endswith(LINE + ON + OFF + b"\r\none\\a\r\ntwo\r\n")


@pytest.mark.parametrize("options, environment", [
    (["--no-prompt"], {}),
    ([], {"VIATTY_PROMPT": "never"}),
    ([], {"CI": "true"}),
    ([], {"TERM": "dumb"}),
    (["-S", "s"], {}),
    (["-l"], {}),
])
def test_nobody_is_asked(at, options, environment):
    assert never_asks(at(WEZTERM), *options, environment=environment).status == 4


def test_nobody_is_asked_by_another_name(at, sandbox):
    (sandbox.path / "bin" / "wl-paste").symlink_to("viatty")
    assert never_asks(at(WEZTERM), argv=["wl-paste"]).status == 4


def test_nobody_is_asked_who_does_not_see_it(at):
    shell = at(WEZTERM)
    outcome = shell.run(["viatty", "paste"])
    fails(outcome, 4, ["WezTerm"])
    assert ON not in shell.terminal.recorded()


def test_nobody_is_asked_in_the_background(at):
    assert never_asks(at(FOOT), group="background").status == 3


@pytest.mark.parametrize("script, to, words, status", [
    (WEZTERM, 2, "by your terminal's paste key", 0),
    (FOOT, 2, "yes", 0),
    (WEZTERM, None, "no", 4),
], ids=["refused", "replies", "nobody sees it"])
def test_doctor_says_so(at, script, to, words, status):
    shell = at(script)
    seen = {to: (shell.terminal.device, "w")} if to else {}
    outcome = shell.run(["viatty", "doctor", "paste", "--timeout", "0.3"], descriptors=seen)
    assert outcome.status == status
    assert outcome.stdout.startswith(f"paste: {words}\n".encode())


def test_prompt_where_nobody_sees_it_is_an_error(at):
    fails(at(FOOT).run(["viatty", "paste", "--prompt"]), 3, ["--prompt: ", "at a shell prompt"])


# ---- the shell afterwards ----------------------------------------------------------


@pytest.mark.needs("bash")
def test_a_shell_has_its_own_marks_again(sandbox):
    """readline turns them on for each prompt."""
    terminal = AnsweringTerminal(sandbox, WEZTERM)
    terminal.start(["bash", "--norc", "--noprofile", "-i"], PS1="ready> ", HISTFILE="/dev/null")
    terminal.see("ready> ")
    terminal.type(f"viatty paste >{sandbox.path}/out; echo status $?.\r")
    terminal.wait_for(LINE + ON)
    terminal.type(BEGIN + b"echo no\r" + END)
    terminal.wait_for(lambda record: b"status 0." in record and
                      record.rstrip().endswith(b"ready>"), what="the next prompt")
    record = terminal.recorded()
    assert record.rindex(ON) > record.rindex(OFF)
    assert (sandbox.path / "out").read_bytes() == b"echo no\n"
    assert b"\nno\r" not in record
