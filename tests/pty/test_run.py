"""A command that runs as if nobody stood before it, and the notification behind it."""

import re
import signal
import socket
import sys

import pytest

from lib import sequences
from lib.answering import DA1, KITTY, NAME, XTERM, Hold, Pause
from lib.faults import nothing_at, well_said
from lib.processes import until

RUN = ("viatty", "run", "--term", "iterm2")
# A shell could lose a signal between fork and exec of what it starts.
PROGRAM = """\
import os, resource, signal
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
signal.signal(signal.SIGINT, signal.SIG_DFL)
{setup}
# Python loses none that comes before a call waits for it.
woken, wakes = os.pipe()
os.set_blocking(wakes, False)
signal.set_wakeup_fd(wakes)
open({ready!r}, "w").close()
while True:
    os.read(woken, 1)
"""


def notified(terminal):
    """The texts of the notifications that came, in OSC 9."""
    terminal.settle()
    tokens = sequences.parse_strictly(terminal.recorded())
    texts = [token.payload for token in tokens if token.payload.startswith(b"9;")]
    return [text[2:].decode() for text in texts if not text.startswith(b"9;4;")]


def started(shell, setup="", **how):
    """A program that has begun to run: it says so by a file."""
    ready = shell.sandbox.fresh("ready")
    text = PROGRAM.format(setup=setup, ready=str(ready))
    running = shell.start([*RUN, "--", sys.executable, "-I", "-S", "-c", text], **how)
    until(ready.exists, "the command runs")
    return running


def exits(status, name):
    """Sees to a signal itself, at once: it may come once more, in the handler too."""
    return f"signal.signal(signal.{name}, lambda *_: os._exit({status}))"


# ---- its end -----------------------------------------------------------------------


def test_its_status_is_ours_and_in_the_notification(shell):
    for script, status, how in [
        ("exit 0", 0, "done"),
        ("exit 1", 1, "failed with status 1"),
        ("kill -KILL $$", 137, "failed with status 137 (Killed)"),
        ("kill -TERM $$", 143, "failed with status 143 (Terminated)"),
    ]:
        shell.terminal.forget()
        outcome = shell.run([*RUN, "sh", "-c", script])
        assert (outcome.status, outcome.stdout, outcome.said) == (status, b"", "")
        (text,) = notified(shell.terminal)
        pattern = rf"sh: {re.escape(how)} after \d+(\.\d)? s in \S+: sh -c {re.escape(script)}"
        assert re.fullmatch(pattern, text), text


def test_what_cannot_be_run(shell):
    for name, status in [("no-such-program", 127), ("/nonexistent/program", 127), ("", 127),
                         ("/", 126), ("/etc/passwd", 126)]:
        outcome = shell.run([*RUN, name])
        assert outcome.status == status
        well_said(outcome)
        assert f'cannot run "{name}"' in outcome.said
    nothing_at(shell.terminal)


@pytest.mark.parametrize("ignored, script, status", [
    ("INT HUP", "kill -INT $$; kill -HUP $$; exit 4", 4), ("CHLD", "exit 3", 3),
])
def test_what_is_ignored_stays_ignored(shell, ignored, script, status):
    start = ["sh", "-c", f"trap '' {ignored}; exec \"$@\"", "sh"]
    assert shell.run([*start, *RUN, "sh", "-c", script]).status == status


def test_a_script_that_names_no_interpreter_is_run_by_a_shell(shell):
    script = shell.sandbox.path / "script"
    script.write_text("exit $(($# + $1))\n")
    script.chmod(0o755)
    assert shell.run([*RUN, str(script), "40", "x"]).status == 42


SHELL = "hint: a shell also runs lines, aliases and functions: %s -ic 'LINE'\n"


@pytest.mark.parametrize("words", [
    ["cd", "/"], ["ls|cat"], ["./x; y"], ["mkae", "-j4"], ["true --option ./x=1"]])
def test_what_only_a_shell_can_run_is_said_so(shell, words):
    """Some systems have a program of the name of each builtin."""
    program = str(shell.sandbox.path / "bin" / "viatty")
    outcome = shell.run([program, *RUN[1:], *words],
                        environment={"PATH": "/nowhere", "SHELL": "/usr/local/bin/fish"})
    assert outcome.status == 127
    assert outcome.said.endswith(
        ": No such file or directory\n" + SHELL % "/usr/local/bin/fish")
    nothing_at(shell.terminal)


@pytest.mark.parametrize("path", [None, "", "x;y"])
def test_no_shell_is_said_that_a_shell_would_read_as_more(shell, path):
    outcome = shell.run([*RUN, "mkae"], environment={"SHELL": path})
    assert outcome.said == (
        'viatty run: cannot run "mkae": No such file or directory\n' + SHELL % "sh")
    assert "-ic" not in shell.run([*RUN, "./mkae"]).said


def test_the_directory_is_in_the_notification(shell):
    folder = shell.sandbox.at_home("my project/\x1b]0;x/file").parent
    for place, name in ((folder, "\ufffd]0\u037ex"), (folder.parent, "my project"), ("/", "/"),
                        (shell.sandbox.path / "home", "~")):
        shell.terminal.forget()
        shell.run(["sh", "-c", 'cd "$0" && exec "$@"', str(place), *RUN, "true"])
        (text,) = notified(shell.terminal)
        assert re.fullmatch(rf"true: done after \d\.\d s in {re.escape(name)}: true", text), text


def test_over_ssh_the_machine_is_in_the_notification(shell):
    host = socket.gethostname().partition(".")[0]
    for environment, place in ({"SSH_CONNECTION": "::1 1 ::1 2"}, f" on {host}"), ({}, ""):
        shell.terminal.forget()
        shell.run([*RUN, "true"], environment=environment)
        (text,) = notified(shell.terminal)
        assert re.fullmatch(rf"true: done after \d\.\d s in \S+{place}: true", text), text


def test_its_input_and_output_are_ours(shell):
    data = bytes(range(256)) * 1000
    outcome = shell.run([*RUN, "cat"], stdin=data)
    assert (outcome.status, outcome.stdout, outcome.said) == (0, data, "")


def test_its_words_are_its_own(shell):
    words = ["--wait", "-q", "--", "a  b", "", "*", "--term"]
    outcome = shell.run([*RUN, "printf", "%s|", *words])
    assert outcome.stdout.decode() == "".join(f"{word}|" for word in words)


def test_when_it_is_said(shell):
    for options, status, wanted in [
        ("--on always", 1, True), ("--on fail", 0, False),
        ("--on fail", 1, True), ("--on ok", 0, True), ("--on ok", 1, False),
        ("--min 3600", 0, False), ("--min 0.001", 0, True), ("--min 3600 --on fail", 1, False),
        ("--min 0", 0, True),
    ]:
        shell.terminal.forget()
        outcome = shell.run([*RUN, *options.split(), "sh", "-c", f"sleep 0.01; exit {status}"])
        assert (outcome.status, outcome.said) == (status, "")
        assert len(notified(shell.terminal)) == wanted, options


@pytest.mark.slow
def test_the_time_that_the_terminal_is_asked_is_not_the_command_s(at):
    """The pause is one that a terminal far away may take, and longer than any load."""
    shell = at({**KITTY, NAME: [Pause(3), KITTY[NAME]]})
    outcome = shell.run(["viatty", "run", "--timeout", "30", "--min", "2", "true"])
    assert (outcome.status, outcome.said) == (0, "")
    assert NAME in shell.terminal.asked()
    assert notified(shell.terminal) == []


def test_a_signal_while_the_terminal_is_asked_runs_nothing(at, sandbox):
    shell = at({**KITTY, NAME: [Hold], DA1: [Hold]})
    mark = sandbox.fresh("mark")
    running = shell.start(["viatty", "run", "touch", str(mark)])
    shell.terminal.wait_until_asked(DA1)
    running.signal(signal.SIGTERM)
    shell.terminal.go_on()
    shell.terminal.go_on()
    assert running.wait().status == -signal.SIGTERM
    assert not mark.exists()


@pytest.mark.parametrize("options, status, urgency", [
    ((), 1, ":u=2"), ((), 0, ""), (("-u", "low"), 1, ":u=0")])
def test_a_failure_is_urgent(shell, options, status, urgency):
    outcome = shell.run(["viatty", "run", "--term", "kitty", *options, "sh", "-c", f"exit {status}"])
    shell.terminal.settle()
    assert outcome.status == status
    assert re.findall(":u=.", shell.terminal.recorded().decode()) == ([urgency] if urgency else [])


def test_a_title_of_its_own_and_a_hostile_command_line(shell):
    shell.run([*RUN, "--title", "the build", "true", "\x1b]0;x\x07;\x1b\\"])
    (text,) = notified(shell.terminal)
    assert text.startswith("the build: done after")
    assert text.endswith(": true \ufffd]0\u037ex\ufffd\u037e\ufffd\\")


# ---- a notification that fails -----------------------------------------------------


def test_without_a_terminal_only_a_warning_is_different(nowhere):
    outcome = nowhere.run([*RUN, "sh", "-c", "exit 3"])
    assert outcome.status == 3
    well_said(outcome)
    assert outcome.said.startswith("viatty run: warning: no terminal")
    outcome = nowhere.run([*RUN, "-q", "sh", "-c", "exit 3"])
    assert (outcome.status, outcome.said) == (3, "")


def test_a_terminal_that_shows_none_is_a_warning(at):
    outcome = at(XTERM).run(["viatty", "run", "sh", "-c", "exit 3"])
    assert outcome.status == 3
    assert "warning: no support for notifications in xterm" in outcome.said


# ---- keys and signals --------------------------------------------------------------

FRONT = {"group": "foreground"}


# Ctrl+C ends both, unless the command lives through it.
@pytest.mark.parametrize("key, setup, status, notifications", [
    ("\x03", "", -signal.SIGINT, 0), ("\x03", exits(7, "SIGINT"), 7, 1),
    ("\x1c", "", 128 + signal.SIGQUIT, 1)])
def test_a_key_that_interrupts_is_for_the_command(shell, key, setup, status, notifications):
    running = started(shell, setup, **FRONT)
    shell.terminal.type(key)
    assert running.wait().status == status
    assert len(notified(shell.terminal)) == notifications


@pytest.mark.parametrize("number, setup, status", [
    (signal.SIGTERM, "", 143), (signal.SIGHUP, "", 129), (signal.SIGTERM, exits(9, "SIGTERM"), 9)])
def test_a_signal_for_us_is_one_for_the_command(shell, number, setup, status):
    running = started(shell, setup)
    running.signal(number)
    assert running.wait().status == status
    assert len(notified(shell.terminal)) == 1


def test_a_hang_up_reaches_the_command(shell):
    running = started(shell, exits(4, "SIGHUP"), **FRONT)
    shell.terminal.hang_up()
    # The kernel tells the foreground when the leader of the session has gone, which it
    # need not; a second signal would be for what is done after the command's end.
    try:
        until(running.has_ended, "the hang-up arrives", 2)
    except AssertionError:
        running.signal(signal.SIGHUP)
    assert running.wait().status == 4


def test_control_z_stops_both_and_both_go_on(shell):
    running = started(shell, exits(5, "SIGCONT"), **FRONT)
    shell.terminal.type("\x1a")
    assert running.wait_stopped() == signal.SIGTSTP
    assert notified(shell.terminal) == []
    running.signal(signal.SIGCONT)
    assert running.wait().status == 5
    assert len(notified(shell.terminal)) == 1


def test_a_command_that_reads_in_the_background_stops_both(shell):
    running = shell.start([*RUN, "sh", "-c", "read line </dev/tty"], group="background")
    assert running.wait_stopped() == signal.SIGTTIN
    running.signal(signal.SIGKILL)
