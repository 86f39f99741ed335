"""--tty last: what has no terminal notifies on the one that its user used last.

The machine may have terminals of somebody else's tests, or of whoever runs these: those here
are used in the future, one test at a time.
"""

import fcntl
import os
import re
import shlex
import subprocess
import sys
import time

import pytest

from lib.answering import KITTY, AnsweringTerminal
from lib.desktop import SilentTerminal
from lib.faults import NOBODY, fails, nothing_at
from lib.mux import TmuxServer
from lib.processes import Orphan, until
from lib.snippets import orphan, recipe
from lib.terminal import OuterTerminal

LAST = ("viatty", "notify", "--tty", "last", "--term", "iterm2")
FUTURE = 10 * 365 * 86400


@pytest.fixture(autouse=True)
def turn():
    """For all runs of these tests that see these terminals."""
    lock = os.open("/dev/pts", os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    yield
    os.close(lock)


def used(terminal, order):
    """As if its user had typed at this time, which the kernel notes as that of access."""
    device = getattr(terminal, "device", terminal)
    os.utime(device, (time.time() + FUTURE + order * 60, os.stat(device).st_mtime))


@pytest.fixture
def two(sandbox):
    """Two terminals with a shell; the second one was used last."""
    terminals = [OuterTerminal(sandbox, term="xterm-kitty") for _ in range(2)]
    for order, terminal in enumerate(terminals):
        terminal.shell = terminal.runner()
        used(terminal, order)
    return terminals


def shown(terminal):
    terminal.settle()
    return re.findall(rb"\x1b\]9;(.*?)\x1b\\", terminal.recorded())


def said(result):
    """What -v says of a notification that was sent."""
    assert result.status == 0, result.stderr
    return result.said


# ---- which ---------------------------------------------------------------------------


def test_the_one_that_was_used_last(nowhere, two):
    first, second = two
    report = said(nowhere.run([*LAST, "-v", "done"]))
    assert f"the terminal used last is {second.device}\n" in report
    assert f" to {second.device} by --route " in report
    assert (shown(first), shown(second)) == ([], [b"done"])
    used(first, 2)
    outcome = nowhere.run([*LAST, "-v", "again"])
    assert f"the terminal used last is {first.device}\n" in outcome.said
    assert (shown(first), shown(second)) == ([b"again"], [b"done"])


@pytest.mark.parametrize("command, may", [
    ("notify done", True), ("run true", True),
    ("title new", False), ("copy -s text", False),
])
def test_where_there_is_no_terminal_it_is_named_to_what_may_use_it(nowhere, command, may):
    outcome = nowhere.run(["viatty", *command.split()])
    assert "run it in a terminal, or name one: " in outcome.said
    assert ("hint: --tty last is the terminal that you used last" in outcome.said) == may


@pytest.mark.parametrize("modes, taken", [
    (["raw"], False), (["-icanon", "-isig"], False),
    (["-icanon", "-echo"], True), (["-isig"], True),
])
def test_one_that_a_program_draws_on_is_left_alone(nowhere, two, modes, taken):
    """Line editors of shells leave ISIG on."""
    first, second = two
    second.shell.run(["stty", *modes], stdin=None, on_terminal=True)
    assert nowhere.run([*LAST, "done"]).status == 0
    assert (shown(first), shown(second)) == (([], [b"done"]) if taken else ([b"done"], []))


def test_one_without_a_session_is_none(sandbox, nowhere, two):
    used(OuterTerminal(sandbox), 3)
    assert nowhere.run([*LAST, "done"]).status == 0
    assert shown(two[1]) == [b"done"]


@pytest.mark.root
def test_those_of_other_users_are_none(nowhere, two):
    for terminal in two:
        os.chmod(terminal.device, 0o666)
    outcome = nowhere.run([*LAST, "done"], user=NOBODY)
    fails(outcome, 3, ["none of your terminals", "--tty last"])
    for terminal in two:
        nothing_at(terminal)


SOMEBODY = f"exec setpriv --reuid={NOBODY} --clear-groups sleep 1000"
# The owner of the terminal, and what the leader of its session does.
OTHERS = {
    "of another user": (NOBODY, SOMEBODY),
    "with a session of another user": (0, f"sleep 1000 & {SOMEBODY}"),
    "of another user, with a session of ours": (NOBODY, "exec sleep 1000"),
}


@pytest.mark.root
@pytest.mark.needs("setpriv", "ps")
@pytest.mark.parametrize("owner, script", OTHERS.values(), ids=OTHERS)
def test_terminal_and_session_have_to_be_ours(sandbox, nowhere, two, owner, script):
    terminal = OuterTerminal(sandbox)
    terminal.start(["sh", "-c", f"cd {sandbox.folder('work')}; {script}"])
    os.chown(terminal.device, owner, -1)
    used(terminal, 3)
    until(lambda: "sleep" in _leaders(terminal), "it runs")
    assert nowhere.run([*LAST, "done"]).status == 0
    assert (shown(two[1]), shown(terminal)) == ([b"done"], [])


def _leaders(terminal):
    """The programs that lead a session there, or in another mount on a terminal of that name."""
    name = terminal.device.removeprefix("/dev/")
    command = ["ps", "-t", name, "-o", "pid=,sid=,comm="]
    lines = subprocess.run(command, capture_output=True, text=True).stdout.splitlines()
    return [comm for pid, sid, comm in map(str.split, lines) if pid == sid]


# ---- through tmux --------------------------------------------------------------------


@pytest.mark.needs("tmux")
def test_a_pane_is_left_through_its_tmux(sandbox, nowhere, two):
    """The terminal of a client is in raw mode, and its pane was used as well."""
    server = TmuxServer(sandbox)
    pane = server.session()
    server.attach(terminal=AnsweringTerminal(sandbox, KITTY))
    until(lambda: "kitty" in server.run("list-clients", "-F", "#{client_termtype}"), "it is known")
    tty = server.ask("#{pane_tty}")
    used(server.terminal, 4)
    used(tty, 3)
    pane.open(["stty", "raw"])
    report = said(nowhere.run([*LAST, "-v", "done"]))
    assert f"the terminal used last is {tty}\n" in report
    assert f" to {server.terminal.device} by --route client-tty" in report
    assert shown(server.terminal) == [b"done"]


# ---- for what ------------------------------------------------------------------------


@pytest.mark.parametrize("words", [["copy", "-s", "x"], ["raw", "--filter"]])
def test_nothing_else_is_sent_there(nowhere, two, words):
    for environment, options in (({}, ["--tty", "last"]), ({"VIATTY_TTY": "last"}, ["--force"])):
        outcome = nowhere.run(["viatty", *words, *options], environment=environment)
        fails(outcome, 4, "the terminal used last gets only notifications\n")
    for terminal in two:
        nothing_at(terminal)


def test_the_notification_of_run(nowhere, two):
    outcome = nowhere.run(["viatty", "run", "--term", "iterm2", "sh", "-c", "exit 3"],
                          environment={"VIATTY_TTY": "last"})
    assert (outcome.status, outcome.said) == (3, "")
    (text,) = shown(two[1])
    assert text.startswith(b"sh: failed with status 3 after ")


def test_a_variable_of_somebody_else_does_not_count(nowhere, two):
    outcome = nowhere.run(["viatty", "notify", "--term", "iterm2", "done"],
                          environment={"VIATTY_TTY": "last", "SUDO_UID": "12345"})
    fails(outcome, 3, "VIATTY_TTY is ignored")
    for terminal in two:
        nothing_at(terminal)


# ---- the desktop ---------------------------------------------------------------------

@pytest.mark.needs("ps")
def test_a_terminal_without_notifications_has_a_desktop(sandbox, nowhere, two):
    terminal, record = OuterTerminal(sandbox), sandbox.fresh("record")
    sandbox.script("notify-send", f'printf "%s|" "$DBUS_SESSION_BUS_ADDRESS" "$@" >{record}')
    bus = f"unix:path={sandbox.socket()}"
    with open(os.devnull, "r+b") as nothing:
        environment = sandbox.environment(DBUS_SESSION_BUS_ADDRESS=bus, VTE_VERSION="7600",
                                          TERM="xterm-256color")
        argv = [sys.executable, "-I", "-S", "-c", SilentTerminal.SCRIPT, terminal.device]
        argv += ["sleep", "1000"]
        sandbox.adopt(Orphan(argv, environment, (nothing.fileno(),) * 3))
    until(lambda: "sleep" in _leaders(terminal), "it has a session")
    used(terminal, 3)
    report = said(nowhere.run(["viatty", "notify", "--tty", "last", "-v", "done", "ok"]))
    assert "by --route native with notify-send" in report
    assert record.read_text().startswith(f"{bus}|")
    assert "|done|ok|" in record.read_text()


# ---- the recipes of the manual -------------------------------------------------------


def test_the_line_for_cron(sandbox, two):
    """cron clears the environment, sets what crontab(5) says, and starts a session."""
    *settings, line = recipe("viatty-notify.1", "VIATTY_TTY=last").splitlines()
    command = line.split(None, 5)[5]
    values = " ".join(f"{s.replace('/usr/local/bin', str(sandbox.path / 'bin'))}" for s in settings)
    status, said = orphan(sandbox, f"exec env -i HOME=/ SHELL=/bin/sh {values} sh -c '{command}'")
    assert (status, said) == (0, "")
    two[1].settle()
    assert b"V3JpdGUgdGhlIHJlcG9ydA==" in two[1].recorded()


def test_the_line_for_systemd(sandbox, two):
    """systemd-run passes the words on; units have no terminal."""
    words = recipe("viatty-notify.1", "systemd-run").split()
    command = words[words.index("viatty"):]
    assert words[:2] == ["systemd-run", "--user"]
    status, said = orphan(sandbox, "exec " + " ".join(command))
    assert (status, said) == (0, "")
    two[1].settle()
    assert b"VGVh" in two[1].recorded()


def test_the_line_for_a_job_of_root(sandbox, two):
    """su runs it as the user, without a terminal of its own."""
    words = shlex.split(recipe("viatty-notify.1", "su -s"))
    assert words[:4] == ["su", "-s", "/bin/sh", "-c"] and len(words) == 6
    assert orphan(sandbox, "exec " + words[4]) == (0, "")
    two[1].settle()
    assert b"QmFja3Vw" in two[1].recorded()
