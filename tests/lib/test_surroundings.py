"""The tests run in the same environment however they are started."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lib import surroundings
from lib.processes import is_alive, until
from lib.terminal import OuterTerminal

TESTS = Path(__file__).resolve().parents[1]

# Variables that a desktop, ssh, editor, tmux or Screen may have set.
FOREIGN = {
    "TMUX": "/tmp/tmux-1/foreign,1,0", "TMUX_PANE": "%7", "STY": "1.foreign",
    "WINDOW": "3", "SSH_TTY": "/dev/pts/99", "SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 2",
    "TERM_PROGRAM": "vscode", "DISPLAY": ":77", "WAYLAND_DISPLAY": "wayland-77",
    "VIATTY_TERM": "kitty", "VIATTY_TTY": "/dev/null", "VIATTY_MAX": "1",
    "KITTY_WINDOW_ID": "1", "VTE_VERSION": "7000", "LC_ALL": "C", "MAKEFLAGS": "n",
}


# ---- of this run ---------------------------------------------------------------


def test_no_variable_of_a_developer_is_seen():
    told = {name for name in os.environ if not name.startswith("PYTEST_")}
    own = {"PATH", "HOME", "LANG", surroundings.MARK, surroundings.ROOT_TOO}
    assert told <= {*surroundings.KEPT, *own}
    assert os.environ["LANG"] == "C.UTF-8"


def test_what_make_install_has_installed_is_not_found():
    folders = os.environ["PATH"].split(":")
    assert [folder for folder in folders if folder.startswith("/usr/local")] == []


def test_neither_this_process_nor_an_ancestor_has_a_terminal():
    pid = os.getpid()
    while pid > 1:
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        assert words[4] == "0", f"process {pid} has a terminal"
        # Where root runs the tests of a user, the others are root's.
        if not os.access(f"/proc/{pid}/environ", os.R_OK):
            break
        environment = Path(f"/proc/{pid}/environ").read_bytes()
        names = {entry.partition(b"=")[0] for entry in environment.split(b"\0")}
        # Orphans here go to a process outside the tests, if not to process 1.
        if b"TESTS_APART" in names:
            assert not names & {name.encode() for name in FOREIGN}, pid
        pid = int(words[1])


def test_no_signal_is_ignored_or_blocked():
    ended = subprocess.run(["grep", "^Sig[BI]", "/proc/self/status"], capture_output=True)
    masks = dict(line.split() for line in ended.stdout.decode().splitlines())
    assert list(masks) == ["SigBlk:", "SigIgn:"]
    # 32 and 33 belong to the C library and cannot be reset.
    assert {int(mask, 16) & ~(3 << 31) for mask in masks.values()} == {0}, masks


def test_the_makefile_tells_nothing_that_is_not_handed_on():
    told = re.findall(r"\b(FULL|VIATTY\w*)=", (TESTS.parent / "Makefile").read_text())
    assert set(told) <= set(surroundings.KEPT)


# ---- of one that is started elsewhere ------------------------------------------


def pytest_command(*words):
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:randomly"]
    return [sys.executable, "-m", "pytest", *options, *map(str, words)]


def outside(**changes):
    """An environment in which the tests have not been set apart yet."""
    known = {**os.environ, **changes}
    known.pop(surroundings.MARK)
    return {name: known[name] for name in known if not name.startswith("PYTEST_")}


def test_started_elsewhere_they_see_the_same(sandbox, tmp_path):
    """At a terminal, in tmux in Screen, by ssh, on a desktop, ignoring signals."""
    long = tmp_path / ("a blank and more than a socket's name may have " * 3)
    long.mkdir()
    log = sandbox.fresh("log")
    command = pytest_command("-n", "1", "-k", "not elsewhere", __file__)
    ignoring = "trap '' TTIN TTOU INT QUIT HUP TSTP; umask 077; unset HOME; "
    at_end = f'"$@" >"{log}.new" 2>&1; echo "exit $?" >>"{log}.new"; mv "{log}.new" "{log}"'
    terminal = OuterTerminal(sandbox)
    path = f"{tmp_path}/missing::.:/usr/local/bin:{os.environ['PATH']}"
    environment = outside(**FOREIGN, TMPDIR=str(long), PATH=path)
    terminal.environment = {}
    terminal.start(["/bin/sh", "-c", ignoring + at_end, "sh", *command], **environment)
    until(log.exists, "the tests end", 100)
    said = log.read_text()
    assert said.endswith("exit 0\n") and re.search(r"^5 passed", said, re.M), said


@pytest.fixture
def long(sandbox):
    """A slow test at a terminal: its pytest, its process, the terminal."""
    test, pid = sandbox.path / "test_long.py", sandbox.path / "pid"
    test.write_text(
        "import subprocess\n"
        "def test_long():\n"
        f"    subprocess.run(['setsid', '-w', 'sh', '-c', 'echo $$ >{pid}; sleep 1000'])\n"
    )
    terminal = OuterTerminal(sandbox)
    command = pytest_command("-n", "1", "-p", "conftest", test)
    started = terminal.start(command, **outside(PYTHONPATH=str(TESTS)))
    until(lambda: pid.exists() and pid.read_text(), "the test runs")
    return started, int(pid.read_text()), terminal


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_started_elsewhere_they_end_with_who_waits_for_them(long, number):
    started, pid, terminal = long
    if number == signal.SIGINT:
        terminal.type(b"\x03")
        assert started.wait() == pytest.ExitCode.INTERRUPTED
        assert not is_alive(pid)
    else:
        os.kill(started.pid, number)
        started.wait()
    until(lambda: not is_alive(pid), "what the test has started ends")


# ---- what is left behind -------------------------------------------------------

LEAVES = """\
import subprocess

def test_leaves():
    # Neither a child of the test nor in its session.
    subprocess.run(["setsid", "-f", "sh", "-c", "echo $$ >{pid}; exec sleep 1000"])
    while not open("{pid}", "a+").tell():
        pass
    assert {outcome}
"""


@pytest.mark.parametrize("outcome", ["True", "False"])
def test_a_process_that_a_test_leaves_elsewhere_is_ended(sandbox, outcome):
    """And is reported, whether the test passes or not."""
    test, pid = sandbox.path / "test_leaves.py", sandbox.path / "pid"
    test.write_text(LEAVES.format(pid=pid, outcome=outcome))
    done = subprocess.run(
        pytest_command("-p", "conftest", test),
        env={**os.environ, "PYTHONPATH": str(TESTS)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 1, done.stdout
    assert not is_alive(int(pid.read_text()))
    assert re.search(r"left behind:\n.* (sleep 1000)$", done.stdout, re.M), done.stdout
