"""What a terminal replied is kept for the login by ssh, and by whom and where it is not."""

import contextlib
import os
import shutil
import time
from pathlib import Path

import pytest

from lib import expect
from lib.answering import (
    CLIPBOARD,
    DA1,
    DA2,
    FOOT,
    IDENTITY,
    KITTY,
    NAME,
    PLAIN,
    AnsweringTerminal,
    Pause,
    clipboard,
    name,
)
from lib.mux import ScreenSession
from lib.processes import Orphan, family, until
from lib.runner import Runner
from lib.sshd import Sshd

pytestmark = pytest.mark.needs("ssh", "ssh-keygen")

DATA = b"for the clipboard"
TMUX = {NAME: name(b"tmux 3.3a"), DA2: b"\x1b[>84;0;0c", DA1: b"\x1b[?1;2c", CLIPBOARD: clipboard(b"old")}


class Far:
    """A login at a terminal that answers by a script, and where its replies are kept."""

    def __init__(self, sandbox, script):
        self.sandbox = sandbox
        self.terminal = AnsweringTerminal(sandbox, script)
        self.runtime = sandbox.folder("runtime", 0o700)
        self.place = Sshd(sandbox).login(self.terminal)

    def run(self, *argv, runtime=None, **how):
        before = len(self.terminal.asked())
        environment = {"XDG_RUNTIME_DIR": str(runtime or self.runtime)}
        result = self.place.run(argv, environment=environment, **how)
        self.place.settle()
        return result, self.terminal.asked()[before:]

    def copy(self, *options, **how):
        return self.run("viatty", "copy", *options, stdin=DATA, **how)

    def asked_by_copy(self, **how):
        result, asked = self.copy(**how)
        expect.sent(result)
        return asked

    @property
    def file(self):
        (file,) = (self.runtime / "viatty").iterdir()
        return file


@pytest.fixture
def far(sandbox):
    return lambda script: Far(sandbox, script)


def test_the_second_copy_asks_nothing(far):
    far = far(FOOT)
    assert far.asked_by_copy() == IDENTITY
    assert far.asked_by_copy() == []
    assert [data for _, data in far.terminal.clipboard()] == [DATA, DATA]
    assert far.file.stat().st_mode & 0o777 == 0o600
    assert far.file.parent.stat().st_mode & 0o777 == 0o700


class TestTheStartOfALogin:
    """What the hooks of shells do then: they ask for later, when they ask nothing."""

    BEGINS = ("viatty", "notify", "--from-hook")

    def test_it_asks_once_for_all(self, far):
        far = far(KITTY)
        assert far.run(*self.BEGINS)[1] == IDENTITY
        assert far.run(*self.BEGINS)[1] == []
        far.terminal.forget()
        # Nobody has read it since.
        os.utime(far.place.runner.device, (1000, 0))
        result, asked = far.run("viatty", "notify", "--from-hook=12", "make")
        assert (result.status, asked) == (0, [])
        assert b"]99;" in far.terminal.recorded()

    @pytest.mark.parametrize("term, probe", [("xterm-kitty", ""), ("xterm-256color", "never")])
    def test_it_asks_nothing_that_is_known_or_unwanted(self, far, term, probe):
        asked = far(KITTY).run("env", f"TERM={term}", f"VIATTY_PROBE={probe}", *self.BEGINS)[1]
        assert asked == []

    def test_it_takes_no_key(self, far):
        far = far(KITTY)
        far.terminal.type("ls\r")
        far.terminal.wait_for(b"ls")
        far.place.settle()
        assert far.run(*self.BEGINS)[1] == []
        assert far.run("head", "-n1", stdin=None)[0].stdout == b"ls\n"

    def test_a_silent_terminal_costs_a_moment_once(self, far):
        far = far({})
        took = []
        for _ in range(2):
            began = time.monotonic()
            far.run(*self.BEGINS)
            took.append(time.monotonic() - began)
        assert took[0] < 2 and took[1] < 0.3
        assert far.terminal.asked() == IDENTITY


def test_another_term_is_no_other_terminal(far):
    far = far(FOOT)
    far.asked_by_copy()
    result, asked = far.run("env", "TERM=xterm", "viatty", "copy", stdin=DATA)
    assert (result.status, asked) == (0, [])


def test_an_identity_that_comes_late_counts_and_is_kept(far):
    far = far({**KITTY, NAME: [Pause(1.2), KITTY[NAME]]})
    for asked in (IDENTITY, []):
        far.terminal.forget()
        result, now = far.run("viatty", "notify", "Done", on_terminal=True)
        assert (result.status, now) == (0, asked)
        assert b"]99;" in far.terminal.recorded()


def test_a_query_for_the_clipboard_identifies_afresh(far):
    far = far({**FOOT, CLIPBOARD: clipboard(DATA)})
    far.asked_by_copy()
    result, asked = far.run("viatty", "paste")
    assert (result.status, result.stdout) == (0, DATA)
    assert asked[: len(IDENTITY)] == IDENTITY


def test_an_unknown_terminal_that_replies_is_not_asked_again(far):
    far = far(PLAIN)
    assert far.asked_by_copy() == IDENTITY
    assert far.asked_by_copy() == []


def test_that_copying_is_off_is_not_kept(far):
    script = {**KITTY, NAME: name(b"kitty(0.44.0)"), DA1: b"\x1b[?62;c"}
    far = far(script)
    for _ in range(2):
        result, asked = far.copy()
        expect.refused(result, naming="clipboard_control")
        assert asked == IDENTITY
    script[DA1] = b"\x1b[?62;52;c"
    assert far.asked_by_copy() == IDENTITY
    assert far.asked_by_copy() == []


def test_a_multiplexer_is_asked_each_time(far):
    far = far(TMUX)
    for _ in range(2):
        _, asked = far.copy()
        assert asked[: len(IDENTITY)] == IDENTITY
    # For a tmux over there, whose client is on this terminal.
    lines = far.file.read_text().splitlines()
    assert lines[1] == "3.3a" and int(lines[5]) & 64


def test_a_relay_is_asked_through_each_time(far):
    far = far(FOOT)
    far.asked_by_copy()
    environment = {"XDG_RUNTIME_DIR": str(far.runtime)}
    for _ in range(2):
        before = len(far.terminal.asked())
        words = ["script", "-qec", "echo x | viatty copy", "/dev/null"]
        far.place.run(words, stdin=None, on_terminal=True, environment=environment)
        far.place.settle()
        assert far.terminal.asked()[before:] == IDENTITY


# ---- a terminal that never replies ---------------------------------------------------


@pytest.mark.slow
def test_silence_is_said_once_and_kept_for_the_login(far):
    far = far({})
    result, asked = far.copy("-v")
    assert asked == IDENTITY
    assert "export VIATTY_TERM=NAME" in result.stderr and "VIATTY_PROBE=never" in result.stderr
    then = far.file.stat().st_mtime - 3600
    os.utime(far.file, (then, then))
    result, asked = far.copy()
    assert (asked, result.stderr) == ([], "")
    result, asked = far.run("viatty", "doctor", "copy")
    assert asked != [] and b"VIATTY_PROBE=never" in result.stdout


@pytest.mark.slow
def test_a_color_that_does_not_come_is_silence(far):
    far = far({})
    began = time.monotonic()
    expect.refused(far.run("viatty", "color", "background")[0], status=5)
    assert time.monotonic() - began < 5.5
    assert far.copy()[1] == []


def costs_its_wait_once(run, terminal):
    took = []
    for asked in (IDENTITY, []):
        before, began = len(terminal.asked()), time.monotonic()
        expect.sent(run(["viatty", "copy"], stdin=DATA))
        took.append(time.monotonic() - began)
        assert terminal.asked()[before:] == asked
    assert took[0] > 1.9 and took[1] < 1, took


def test_silence_is_kept_whatever_the_terminal_and_the_shell_are_called(sandbox):
    terminal, runner = AnsweringTerminal(sandbox, {}), Runner(sandbox)
    leader = sandbox.path / "bin" / "anything"
    shutil.copy("/bin/sh", leader)
    terminal.start([str(leader), *runner.argv[1:]])
    runner.ready()
    costs_its_wait_once(runner.run, terminal)


@pytest.mark.needs("screen")
def test_silence_is_kept_behind_screen(sandbox):
    screen = ScreenSession(sandbox, AnsweringTerminal(sandbox, {}))
    costs_its_wait_once(screen.run, screen.terminal)


# A container: its first process, and an empty /tmp but for the sandbox.
CONTAINER = """\
mount --bind "$1" /mnt
mount -t tmpfs tmpfs /tmp
mkdir "$1"
mount --bind /mnt "$1"
exec sleep 1000
"""


@pytest.mark.root
@pytest.mark.works("unshare", "--pid", "--fork", "--mount", "--mount-proc", "true")
def test_silence_is_kept_for_a_shell_that_was_started_in_a_container(sandbox):
    """As by docker exec, where XDG_RUNTIME_DIR is not set."""
    # The container ends first: it waits until the parents outside have seen its ends.
    terminal, runner = AnsweringTerminal(sandbox, {}), Runner(sandbox, apart=True)
    with open(os.devnull, "r+b") as nothing:
        words = ["unshare", "--pid", "--fork", "--kill-child", "--mount", "--mount-proc"]
        argv = [*words, "sh", "-ec", CONTAINER, "sh", str(sandbox.path)]
        stdio = (nothing.fileno(),) * 3
        container = sandbox.adopt(Orphan(argv, sandbox.environment(), stdio))

    def named(pid):
        with contextlib.suppress(OSError):  # one that ends meanwhile
            return Path(f"/proc/{pid}/comm").read_text() == "sleep\n"

    first = until(lambda: [p for p in family(container.pid) if named(p)], "it runs")[0]
    terminal.start(["nsenter", "-t", str(first), "-p", "-m", "-r", "setsid", "-c", *runner.argv])
    runner.ready()
    costs_its_wait_once(runner.run, terminal)
    mode = runner.run(["stat", "-c", "%a %a", "/tmp/viatty-0"]).stdout
    assert mode == b"700 700\n"


# ---- where nothing can be kept ---------------------------------------------------------


def linked_folder(far):
    far.file.parent.rename(far.runtime / "elsewhere")
    (far.runtime / "viatty").symlink_to("elsewhere")


def linked_file(far):
    file, there = far.file, far.runtime / "there"
    file.rename(there)
    file.symlink_to(there)


def damaged(content):
    return lambda far: far.file.write_bytes(content(far.file.read_bytes()))


SPOILT = {
    "another process led the session": damaged(lambda text: text.replace(b"2 ", b"2 9", 1)),
    "it began at another time": damaged(lambda text: text.replace(b"\n", b"9\n", 1)),
    "others may enter the folder": lambda far: far.file.parent.chmod(0o755),
    "the folder is a link": linked_folder,
    "others may read the file": lambda far: far.file.chmod(0o644),
    "the file is a link": linked_file,
    "it is empty": damaged(lambda text: b""),
    "it has ended early": damaged(lambda text: text[: len(text) // 2]),
    "it goes on": damaged(lambda text: text + b"more\n"),
    "it has a NUL": damaged(lambda text: text.replace(b"foot", b"f\0ot")),
    "a line is long": damaged(lambda text: text.replace(b"foot", b"f" * 200)),
}


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT)
def test_what_is_damaged_or_not_ours_alone_counts_for_nothing(far, spoil):
    far = far(FOOT)
    far.asked_by_copy()
    spoil(far)
    assert far.asked_by_copy() == IDENTITY


@pytest.mark.root
def test_a_folder_of_somebody_else_counts_for_nothing(far):
    far = far(FOOT)
    far.asked_by_copy()
    os.chown(far.file.parent, 65534, 65534)
    assert far.asked_by_copy() == IDENTITY


@pytest.mark.parametrize("place", ["/nonexistent", "/dev/null", "relative"])
def test_without_the_directory_it_is_kept_in_tmp(far, place):
    far = far(FOOT)
    assert far.asked_by_copy(runtime=place) == IDENTITY
    assert far.asked_by_copy(runtime=place) == []
    folder = os.stat(f"/tmp/viatty-{os.geteuid()}")
    assert (folder.st_mode & 0o777, folder.st_uid) == (0o700, os.geteuid())


@pytest.mark.root
@pytest.mark.needs("setpriv")
def test_each_user_keeps_what_that_user_was_told(far):
    """As by su."""
    far = far(FOOT)
    far.asked_by_copy()
    os.chown(far.runtime, 65534, 65534)
    far.file.parent.rename(far.runtime / "of_the_first")
    for expected in (IDENTITY, []):
        result, asked = far.run("setpriv", "--reuid", "65534", "--clear-groups", "viatty", "copy",
                                stdin=DATA)
        expect.sent(result)
        assert asked == expected
    assert far.file.stat().st_uid == 65534
