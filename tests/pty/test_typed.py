"""MIME types: OSC 5522 with a terminal that plays by a script."""

import base64
import json
import os
import signal
import termios

import pytest

from lib import program, sequences
from lib.answering import (
    CLIPBOARD,
    DA1,
    DA2,
    FOOT,
    KITTY,
    MODE,
    NAME,
    PLAIN,
    ST,
    TYPED,
    Aside,
    Hold,
    Pause,
    clipboard,
    name,
)
from lib.faults import Beside, Launcher, fails, is_waiting, nothing_at
from lib.left import left_for_the_shell
from lib.processes import until
from lib.typed import KNOWN, UNKNOWN, Clipboard, keys_of, reply

KITTY_027 = {**KITTY, NAME: name(b"kitty(0.27.0)")}
KITTY_026 = {**KITTY, NAME: name(b"kitty(0.26.5)")}
# One that the table does not know: only its mode tells.
STRANGER = {DA1: b"\x1b[?62;22c", NAME: name(b"newterm 1.0")}
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 64
# Every refusal of the protocol, and one of tomorrow.
REFUSALS = {
    b"EPERM": "allow",
    b"EIO": "I/O error",
    b"EINVAL": "invalid",
    b"EBUSY": "another program",
    b"ENOSYS": "type",
    b"ENEW": "ENEW",
}


@pytest.fixture
def at(at):
    """A shell at a terminal with this clipboard."""
    script_of = lambda held, script: {**script, TYPED: held} if held is not None else script
    return lambda held=None, script=KITTY, **how: at(script_of(held, script), **how)


def file(shell, name, data):
    path = shell.sandbox.path / name
    path.write_bytes(data)
    return str(path)


def copy(shell, *options, data=b"", **how):
    return shell.run(["viatty", "copy", *options], stdin=data, **how)


def paste(shell, *options, **how):
    return shell.run(["viatty", "paste", *options], **how)


def done(outcome, printed=b""):
    assert (outcome.status, outcome.stderr) == (0, b""), outcome.said
    assert outcome.stdout == printed


def never_sent(shell):
    shell.terminal.settle()
    assert b"]5522" not in shell.terminal.recorded()
    assert base64.b64encode(b"hello")[:7] not in shell.terminal.recorded()


def round_trips(shell):
    return shell.terminal.asked().count(DA1)


# ---- copies with a type --------------------------------------------------------------


@pytest.mark.parametrize("script", [KITTY, KITTY_027], ids=["kitty", "kitty 0.27"])
def test_a_confirmed_copy_ends_with_0_and_is_there(at, script):
    held = Clipboard({b"image/png": b"old"})
    shell = at(held, script)
    before = shell.terminal.modes()
    done(copy(shell, "-t", "image/png", data=b"hello\n"))
    assert held.holds == {b"image/png": b"hello\n"}
    assert shell.terminal.modes() == before


def test_a_terminal_that_is_known_takes_one_round_trip(at):
    shell = at(Clipboard())
    done(copy(shell, "-t", "image/png", "--term", "kitty", data=b"x" * 1000))
    assert round_trips(shell) == 1


def test_a_terminal_that_is_not_known_is_asked_for_the_mode(at):
    held = Clipboard()
    done(copy(at(held, {**STRANGER, MODE: KNOWN}), "-t", "image/png", data=b"hello"))
    assert held.holds == {b"image/png": b"hello"}


NOT_HERE = {
    "foot": (FOOT, "foot"),
    "kitty 0.26": (KITTY_026, "0.27"),
    "a stranger without the mode": ({**STRANGER, MODE: UNKNOWN}, "newterm"),
    "a mode that is off for good": ({**STRANGER, MODE: b"\x1b[?5522;4$y"}, "newterm"),
    "another mode": ({**STRANGER, MODE: b"\x1b[?2026;2$y"}, "newterm"),
    "a stranger that answers no mode": (STRANGER, "newterm"),
    "no name": (PLAIN, "terminal"),
}


@pytest.mark.parametrize("options", [["--type", "text/html"], ["--type", "image/png"]])
@pytest.mark.parametrize("script, naming", NOT_HERE.values(), ids=NOT_HERE)
def test_where_it_is_not_supported_nothing_is_sent(at, script, naming, options):
    shell = at(Clipboard(), script)
    fails(copy(shell, *options, data=b"hello"), 4, ["not copied: ", "5522", naming])
    never_sent(shell)


def test_forced_it_is_sent_to_one_that_is_not_known(at):
    held = Clipboard()
    shell = at(held, STRANGER)
    done(copy(shell, "-t", "image/png", "--force", data=b"hello"))
    assert held.holds == {b"image/png": b"hello"}


@pytest.mark.parametrize("status, naming", REFUSALS.items())
def test_a_refusal_ends_with_6_and_its_reason(at, status, naming):
    shell = at(Clipboard(refuses=status))
    fails(copy(shell, "-t", "image/png", data=b"hello"), 6, ["refused", naming, status.decode()])


def test_a_refusal_for_want_of_a_primary_selection_says_so(at):
    held = Clipboard(refuses=b"ENOSYS")
    fails(copy(at(held), "-t", "image/png", "-p", data=b"hello"), 6, "primary selection")


def test_kitty_is_told_its_own_setting(at):
    outcome = copy(at(Clipboard(refuses=b"EPERM")), "-t", "image/png", data=b"hello")
    fails(outcome, 6, "clipboard_control")
    assert "write-clipboard" in outcome.said


def test_no_reply_is_5_and_says_that_nothing_is_known(at):
    shell = at(lambda packet: b"")
    outcome = copy(shell, "-t", "image/png", "--timeout", "0.3", data=b"hello")
    fails(outcome, 5, ["not confirmed: the terminal did not reply", "may or may not"])
    assert "not copied" not in outcome.said
    outcome = copy(shell, "-t", "image/png", "--timeout", "0.3", data=b"hello")
    fails(outcome, 5, "not confirmed: the terminal did not reply")


def test_where_nothing_was_sent_it_is_not_copied(at):
    shell = at(script={})
    outcome = copy(shell, "-t", "image/png", "--timeout", "0.3", data=b"hello")
    fails(outcome, 5, "not copied: the terminal does not reply to queries")
    never_sent(shell)


def test_a_reply_behind_the_fence_counts(at):
    """As of a terminal that asks its person, or another program."""
    held = Clipboard()
    late = lambda packet: Aside([Pause(0.3), held(packet)])
    done(copy(at(late), "-t", "image/png", data=b"hello"))
    assert held.holds == {b"image/png": b"hello"}


FOREIGN = {
    "the id of another": reply(b"write", b"EPERM", b"other"),
    "of a read": reply(b"read", b"DONE", b"other"),
    "a beginning of our id": reply(b"write", b"EPERM", b"v"),
    "no reply at all": b"\x1b]5522;nonsense\x1b\\",
    "no status": b"\x1b]5522;type=write\x1b\\",
}


@pytest.mark.parametrize("stray", FOREIGN.values(), ids=FOREIGN)
def test_replies_that_are_not_ours_are_ignored(at, stray):
    held = Clipboard()
    done(copy(at(lambda packet: stray + held(packet)), "-t", "image/png", data=b"hello"))
    assert held.holds == {b"image/png": b"hello"}


@pytest.mark.parametrize("stray", FOREIGN.values(), ids=FOREIGN)
def test_replies_of_another_confirm_nothing(at, stray):
    answer = lambda packet: stray if packet == b"type=wdata" else b""
    fails(copy(at(answer), "-t", "image/png", "--timeout", "0.3", data=b"hello"), 5)


def test_two_transfers_have_two_ids_and_each_gets_its_own_reply(at):
    held = Clipboard()
    shell = at(held)
    running = [
        shell.start(["viatty", "copy", "-t", "image/png"], stdin=b"number %d" % i)
        for i in range(4)
    ]
    for launched in running:
        done(launched.wait())
    assert len(set(held.names)) == 4
    assert held.holds[b"image/png"] in [b"number %d" % i for i in range(4)]


def test_contour_does_not_send_the_id_back(at):
    """Contour 0.7, Screen.cpp, processKittyClipboard()."""
    held = Clipboard(name=lambda name: None)
    done(copy(at(held), "-t", "image/png", data=b"hello"))
    assert held.holds == {b"image/png": b"hello"}


@pytest.mark.parametrize("end", [b"\x1b\\", b"\x07"], ids=["ST", "BEL"])
def test_a_reply_cut_anywhere_is_one(at, end):
    """Each byte in a read of its own: the terminal pauses behind each."""

    def answer(packet):
        keys, _ = keys_of(packet)
        if packet != b"type=wdata":
            answer.id = keys.get(b"id", getattr(answer, "id", None))
            return b""
        said = reply(b"write", b"DONE", answer.id, end=end)
        cut = [step for i in range(len(said)) for step in (said[i : i + 1], Pause(0.001))]
        return cut

    done(copy(at(answer), "-t", "image/png", "--term", "kitty", data=b"hello"))


def test_empty_input_is_refused_and_clears_if_it_may(at):
    held = Clipboard({b"text/plain": b"old"})
    shell = at(held)
    fails(copy(shell, "-t", "image/png"), 4, "empty")
    assert held.holds == {b"text/plain": b"old"}
    done(copy(shell, "-t", "image/png", "--allow-empty"))
    assert held.holds == {}


def test_the_primary_selection_is_its_own(at):
    held = Clipboard()
    shell = at(held)
    done(copy(shell, "-t", "image/png", "--primary", data=b"hello"))
    assert (held.holds, held.primary) == ({}, {b"image/png": b"hello"})
    fails(copy(shell, "-t", "image/png", "-S", "cp", data=b"x"), 2, "one selection")


@pytest.mark.slow
def test_20_mb_arrive_whole_in_chunks_of_the_protocol(at):
    data = os.urandom(20_000_000)
    held = Clipboard()
    shell = at(held)
    source = file(shell, "large", data)
    outcome = copy(shell, "-t", "application/octet-stream", source, timeout=120)
    done(outcome)
    assert held.holds == {b"application/octet-stream": data}
    assert 4000 < held.longest_chunk <= 4096
    # the data and its packets; the program with its libraries is less than 10 MB
    assert program.is_sanitized() or outcome.peak < len(data) * 7 / 3 + (10 << 20)


def test_the_report_says_that_it_is_confirmed(at):
    outcome = copy(at(Clipboard()), "-t", "image/png", "--json", data=b"hello")
    said = json.loads(outcome.stdout)
    assert said["sent"] and said["confirmed"] is True
    assert (said["route"], said["terminal"]) == ("direct", "kitty")
    assert (said["payload_bytes"], said["sent_bytes"] > 60) == (5, True)
    assert "confirmed" in said["reason"]


UNCONFIRMED = {"no reply": (lambda packet: b"", 5), "EPERM": (Clipboard(refuses=b"EPERM"), 6)}


@pytest.mark.parametrize("held, status", UNCONFIRMED.values(), ids=UNCONFIRMED)
def test_the_report_says_that_what_is_not_confirmed_was_sent(at, held, status):
    shell = at(held)
    outcome = copy(shell, "-t", "image/png", "--json", "--timeout", "0.3", data=b"hello")
    said = json.loads(outcome.stdout)
    assert (said["status"], said["sent"], said["confirmed"]) == (status, True, False)


def test_an_interrupted_copy_sets_nothing(at):
    held = Clipboard()
    shell = at(lambda packet: held(packet) and b"")
    launched = shell.start(["viatty", "copy", "-t", "image/png"], stdin=b"hello")
    shell.terminal.wait_for(b"type=wdata\x1b\\")
    shell.terminal.type("\x03")
    assert launched.wait().status == -2


@pytest.mark.slow
def test_control_c_in_the_middle_of_a_large_copy_ends_it(at):
    """What has come is never committed, and nothing is printed behind it."""
    held = Clipboard({b"text/plain": b"old"})
    shell = at(held)
    source = file(shell, "large", os.urandom(8_000_000))
    shell.terminal.pause()
    launched = shell.start(["viatty", "copy", "-t", "image/png", "--term", "kitty", source])
    until(lambda: is_waiting(launched.pid), "it waits for the terminal")
    launched.signal(signal.SIGINT)
    shell.terminal.resume()
    assert launched.wait().status == -signal.SIGINT
    shell.terminal.settle()
    assert held.holds == {b"text/plain": b"old"}
    assert is_left_closed(shell.terminal.recorded())


@pytest.mark.slow
def test_what_another_viatty_writes_does_not_get_into_a_packet(at):
    held, data = Clipboard(), os.urandom(8_000_000)
    shell = at(held)
    both = Launcher(shell.sandbox, Beside(shell.place))
    shell.terminal.pause()
    options = ["-t", "image/png", "--term", "kitty", "--timeout", "60"]
    first = both.start(["viatty", "copy", *options, file(shell, "large", data)])
    until(lambda: is_waiting(first.pid), "it waits for the terminal")
    second = both.start(["viatty", "title", "--timeout", "60", "Done"])
    until(lambda: is_waiting(second.pid), "the other waits")
    shell.terminal.resume()
    assert [first.wait().status, second.wait().status] == [0, 0]
    assert held.holds == {b"image/png": data}


def is_left_closed(stream):
    tokens = sequences.parse(stream + b"end")
    return tokens[-1].kind == "text" and tokens[-1].payload.endswith(b"end")


def test_in_the_background_nothing_is_sent(at):
    shell = at(Clipboard())
    fails(copy(shell, "-t", "image/png", data=b"hello", group="background"), 3, "foreground")
    never_sent(shell)


# ---- types -------------------------------------------------------------------------


def test_one_type_of_a_file_or_of_standard_input(at):
    held = Clipboard()
    shell = at(held)
    done(copy(shell, "-t", "image/png", file(shell, "shot.png", PNG)))
    assert held.holds == {b"image/png": PNG}
    done(copy(shell, "--type=image/jpeg", data=PNG))
    never = {"VIATTY_NATIVE": "never", "TERM": "xterm-kitty"}
    fails(copy(shell, "--route=native", data=PNG, environment=never), 4, "VIATTY_NATIVE")
    assert held.holds == {b"image/jpeg": PNG}


SVG = b"<?xml version='1.0'?>\n<svg xmlns='http://www.w3.org/2000/svg'/>\n"
RECOGNIZED = {
    "image/png": PNG,
    "image/jpeg": b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1",
    "image/gif": b"GIF89a\1\0\1\0\x80\0\0\0",
    "image/webp": b"RIFF\x1a\0\0\0WEBPVP8L\0",
    "application/pdf": b"%PDF-1.7\n%\xb5\xb5\xb5\xb5\n",
}


@pytest.mark.parametrize("mime, data", RECOGNIZED.items(), ids=RECOGNIZED)
def test_what_is_no_text_is_recognized(at, mime, data):
    held = Clipboard()
    done(copy(at(held), data=data))
    assert held.holds == {mime.encode(): data}


def test_a_text_is_a_text(at):
    """An editor that copies a line of an SVG wants to paste it."""
    held = Clipboard()
    shell = at(held)
    for text in (SVG, b"GIF89a is a format\n", b"%PDF-1.7\n is its first line"):
        done(copy(shell, data=text))
    done(copy(shell, "-t", "text/plain", data=PNG))
    shell.terminal.settle()
    assert shell.terminal.clipboard()[0] == ("c", SVG)
    assert shell.terminal.clipboard()[-1] == ("c", PNG)
    assert held.holds == {}


def test_a_terminal_without_types_says_what_it_was_given(at):
    fails(copy(at(None, FOOT), data=PNG), 4, ["NUL", "it is image/png, which kitty", "encode"])
    nothing = copy(at(None, FOOT), "-t", "image/png", "--allow-empty", data=b"")
    fails(nothing, 4, ["no support for OSC 5522 in", "foot", "which is needed to clear the clipboard"])


def test_a_clipboard_with_an_image_only_is_named(at):
    shell = at(Clipboard({b"image/png": PNG}), {**KITTY, CLIPBOARD: clipboard(b"")})
    fails(paste(shell), 1, ["no plain text, but image/png", "--type image/png"])


@pytest.mark.parametrize("kind", ["x/$(touch${IFS}here)", "x/`touch`", "x/a&b", "x/!1", "x/a#b"])
def test_a_hint_is_safe_to_type_whatever_the_clipboard_names(at, kind):
    """Whoever copied chose the name, and a shell would run it."""
    shell = at(Clipboard({kind.encode(): PNG}), {**KITTY, CLIPBOARD: clipboard(b"")})
    outcome = paste(shell)
    fails(outcome, 1, [f"no plain text, but {kind}", "hint: --type TYPE prints it"])


WRONG = {
    "a blank in it": (["-t", "image/png x"], "MIME"),
    "a selection of X11": (["-t", "a/b", "-S", "q"], "selection"),
    "another terminal": (["-t", "a/b", "--tty", "/dev/null"], "--tty"),
    "layers": (["-t", "image/png", "--wrap", "tmux"], "--wrap"),
}


@pytest.mark.parametrize("options, naming", WRONG.values(), ids=WRONG)
def test_a_wrong_command_line_sends_nothing(at, options, naming):
    shell = at(Clipboard())
    fails(copy(shell, *options, data=b"hello"), 2, naming)
    nothing_at(shell.terminal)


def test_no_terminal_no_copy(nowhere):
    fails(nowhere.run(["viatty", "copy", "-t", "image/png"], stdin=b"x"), 3, "terminal")


# ---- through others ----------------------------------------------------------------


def test_in_tmux_nothing_is_sent_for_it_would_type_the_reply(at):
    """A tmux that cannot be asked otherwise; tests/real has one that can."""
    tmux = {DA1: b"\x1b[?1;2;4c", DA2: b"\x1b[>84;0;0c", NAME: name(b"tmux 3.5a")}
    shell = at(Clipboard(), tmux, term="tmux-256color")
    for options in (["-t", "image/png"], ["-t", "text/html"]):
        fails(copy(shell, *options, data=b"hello"), 4, "tmux")
    fails(paste(shell, "-t", "image/png"), 4, "tmux")
    never_sent(shell)


# ---- paste -------------------------------------------------------------------------


def test_data_of_a_type_are_printed_exactly(at):
    shell = at(Clipboard({b"text/plain": b"no", b"image/png": PNG}))
    done(paste(shell, "-t", "image/png"), PNG)


@pytest.mark.parametrize("size", [1, 4095, 4096, 4097, 300_000])
def test_every_size_arrives(at, size):
    data = os.urandom(size)
    done(paste(at(Clipboard({b"a/b": data})), "-t", "a/b"), data)


@pytest.mark.parametrize("before", [0, 2], ids=["before the first", "behind the second"])
def test_packets_that_the_shell_got_while_it_was_stopped_are_missed(at, before):
    """Those that come afterwards would pass for the whole."""
    held = Clipboard({b"image/png": PNG}, chunk=999)

    def answer(packet):
        packets = [part + ST for part in held(packet).split(ST)[:-1]]
        parts = [packets[:before], packets[before : before + 2], packets[before + 2 :]]
        first, second, rest = (b"".join(part) for part in parts)
        return [first, Hold, second, Hold, rest]

    shell = at(answer)
    modes = shell.terminal.modes()
    started = shell.start(["viatty", "paste", "-t", "image/png"], group="foreground")
    shell.terminal.wait_until_asked(TYPED)
    until(lambda: left_for_the_shell(shell.terminal) == 0, "the first packets are read")
    started.signal(signal.SIGTSTP)
    assert started.wait_stopped() == signal.SIGTSTP
    shell.terminal.go_on()
    until(lambda: left_for_the_shell(shell.terminal) > 999, "two packets came")
    termios.tcflush(shell.terminal.slave, termios.TCIFLUSH)
    started.signal(signal.SIGCONT)
    until(lambda: shell.terminal.modes() != modes, "it is there again")
    shell.terminal.go_on()
    outcome = started.wait()
    fails(outcome, 5, ["not pasted: the reply was lost", "hint: run it again"])
    assert outcome.stdout == b""


@pytest.mark.slow
def test_5_mb_are_pasted_whole(at):
    data = os.urandom(5_000_000)
    done(paste(at(Clipboard({b"a/b": data})), "-t", "a/b", timeout=60), data)


@pytest.mark.slow
def test_a_person_who_is_asked_first_has_the_time(at):
    held = Clipboard({b"image/png": PNG})
    slow = lambda packet: Aside([Pause(2.5), held(packet)])
    done(paste(at(slow), "-t", "image/png"), PNG)


@pytest.mark.parametrize("seconds, arrives", [("0.3", False), ("5", True)])
def test_a_timeout_counts_between_replies_too(at, seconds, arrives):
    """The program that owns the clipboard takes its time after the terminal has agreed."""
    held = Clipboard({b"image/png": PNG})

    def slow(packet):
        agreed, end, rest = held(packet).partition(ST)
        return Aside([agreed + end, Pause(2.3 if arrives else 1), rest])

    outcome = paste(at(slow), "-t", "image/png", "--timeout", seconds)
    if arrives:
        done(outcome, PNG)
    else:
        fails(outcome, 5, "--timeout")


@pytest.mark.parametrize("status, naming", REFUSALS.items())
def test_a_refusal_to_tell_ends_with_6(at, status, naming):
    shell = at(Clipboard(refuses=status))
    fails(paste(shell, "-t", "image/png"), 6, ["refused", naming, status.decode()])


def test_a_type_that_is_not_there_is_a_failure(at):
    shell = at(Clipboard({b"text/plain": b"x"}))
    fails(paste(shell, "-t", "image/png"), 1, ["image/png", "--list-types"])


def test_what_is_larger_than_max_is_refused(at):
    shell = at(Clipboard({b"a/b": b"x" * 9000}))
    fails(paste(shell, "-t", "a/b", "--max", "8999", "--timeout", "1"), 4, "8999")
    done(paste(shell, "-t", "a/b", "--max", "9000"), b"x" * 9000)


BROKEN = {
    "no base64": lambda name: b"\x1b]5522;type=read:status=DATA:id=%s:mime=YS9i;!\x1b\\"
    % name,
    "a group cut short": lambda name: b"\x1b]5522;type=read:status=DATA:id=%s:mime=YS9i;eHh4e"
    b"\x1b\\" % name,
    "a packet without an end in sight": lambda name: reply(
        b"read", b"DATA", name, b"a/b", b"x" * 70000
    ),
}


@pytest.mark.parametrize("packet", BROKEN.values(), ids=BROKEN)
def test_broken_data_are_a_failure(at, packet):
    def answer(question):
        ours = keys_of(question)[0][b"id"]
        return reply(b"read", b"OK", ours) + packet(ours) + reply(b"read", b"DONE", ours)

    outcome = paste(at(answer), "-t", "a/b")
    fails(outcome, 1, "reply")
    assert outcome.stdout == b""


def test_data_of_another_type_are_left_out(at):
    def answer(question):
        ours = keys_of(question)[0][b"id"]
        other = reply(b"read", b"DATA", ours, b"text/plain", b"no")
        own = reply(b"read", b"DATA", ours, b"a/b", b"yes")
        return reply(b"read", b"OK", ours) + other + own + reply(b"read", b"DONE", ours)

    done(paste(at(answer), "-t", "a/b"), b"yes")


# ---- which types there are ---------------------------------------------------------


def test_the_types_are_listed_one_a_line(at):
    shell = at(Clipboard({b"text/plain": b"x", b"image/png": PNG, b"TEXT": b"x"}))
    done(paste(shell, "--list-types"), b"text/plain\nimage/png\nTEXT\n")


@pytest.mark.parametrize("one_packet_each", [False, True], ids=["a list", "one a packet"])
def test_a_type_that_is_not_printable_is_not_listed(at, one_packet_each):
    """Any program that copies makes up names, and they are printed to a terminal."""
    held = [b"text/plain", b"a/\x1b]0;title\x07", b"a/\xe2\x80\xaeb", b"a/\x9b31m", b"a/b"]

    def contour(packet):
        name = keys_of(packet)[0][b"id"]
        said = [reply(b"read", b"DATA", name, mime, b"") for mime in held]
        return b"".join([reply(b"read", b"OK", name), *said, reply(b"read", b"DONE", name)])

    shell = at(contour if one_packet_each else Clipboard(dict.fromkeys(held, b"x")))
    done(paste(shell, "--list-types"), b"text/plain\na/b\n")


def test_an_empty_clipboard_has_no_types(at):
    done(paste(at(Clipboard()), "--list-types"), b"")
    fails(run_as(at(Clipboard()), "wl-paste", "--list-types"), 1, ["nothing is copied"])


def test_contour_names_its_types_without_a_list(at):
    packet = reply(b"read", b"OK") + reply(b"read", b"DATA", None, b"text/plain", b"")
    answer = lambda question: packet + reply(b"read", b"DONE")
    done(paste(at(answer), "--list-types"), b"text/plain\n")


def test_with_osc_52_only_there_is_plain_text(at):
    shell = at(None, {**FOOT, CLIPBOARD: clipboard(b"hello")})
    done(paste(shell, "--list-types", "--max", "5"), b"text/plain\n")
    done(paste(shell, "-t", "text/plain"), b"hello")
    fails(paste(shell, "-t", "image/png"), 4, ["foot", "5522"])


def test_where_nothing_is_told_there_are_no_types(at):
    konsole = {**FOOT, NAME: name(b"Konsole 26.08.0")}
    fails(paste(at(None, konsole), "--list-types"), 4, "Konsole")


# ---- other names -------------------------------------------------------------------


def run_as(shell, name, *words, data=b""):
    path = shell.sandbox.path / "bin" / name
    if not path.exists():
        path.symlink_to("viatty")
    return shell.run([name, *words], stdin=data)


def test_the_other_programs_take_types(at):
    held = Clipboard()
    shell = at(held)
    done(run_as(shell, "xclip", "-selection", "c", "-t", "image/png", data=PNG))
    assert held.holds == {b"image/png": PNG}
    done(run_as(shell, "xclip", "-sel", "c", "-t", "image/png", "-o"), PNG)
    done(run_as(shell, "xclip", "-sel", "c", "-o", "-t", "TARGETS"), b"image/png\n")
    done(run_as(shell, "wl-copy", "-t", "image/jpeg", data=PNG))
    assert held.holds == {b"image/jpeg": PNG}
    done(run_as(shell, "wl-paste", "-t", "image/jpeg"), PNG)
    done(run_as(shell, "wl-paste", "--list-types"), b"image/jpeg\n")
    done(run_as(shell, "wl-copy", data=PNG))
    assert held.holds == {b"image/png": PNG}
    done(run_as(shell, "wl-copy", "--type", "text/html", "<b>hi</b>"))
    assert held.holds == {b"text/html": b"<b>hi</b>"}
    done(run_as(shell, "wl-paste", "-nt", "text/html"), b"<b>hi</b>")
    done(run_as(shell, "wl-paste", "-t", "text/html"), b"<b>hi</b>\n")
