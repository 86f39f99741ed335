"""Little is left around the program: no environment, no /proc, no room, no streams."""

import json

import pytest

from lib import expect

NEEDS_TMUX = pytest.mark.needs("tmux")


@pytest.fixture
def viatty(sandbox):
    """The program by its path, for where there is no PATH."""
    return str(sandbox.path / "bin" / "viatty")


def arrives(place, argv, letters="c", **how):
    expect.sent(place.run(argv, stdin=expect.DATA, **how))
    place.settle()
    expect.arrived(place.terminal, expect.DATA, letters)


# ---- no environment ------------------------------------------------------------

CLEANERS = {
    "env -i": ["env", "-i"],
    "env -i setsid": ["env", "-i", "setsid", "--wait"],
    "sudo": pytest.param(["sudo", "-n"], marks=pytest.mark.needs("sudo")),
    "sudo -i": pytest.param(["sudo", "-n", "-i"], marks=pytest.mark.needs("sudo")),
    "sudo env -i": pytest.param(
        ["sudo", "-n", "env", "-i"], marks=pytest.mark.needs("sudo")
    ),
    "doas": ["env", "-u", "TMUX", "-u", "TMUX_PANE", "DOAS_USER=somebody"],
}


@pytest.mark.root
@pytest.mark.parametrize("cleaner", CLEANERS.values(), ids=CLEANERS)
def test_a_cleaned_environment_is_enough(plain, viatty, cleaner):
    arrives(plain, [*cleaner, viatty, "copy"])


@NEEDS_TMUX
@pytest.mark.root
@pytest.mark.parametrize("cleaner", CLEANERS.values(), ids=CLEANERS)
def test_a_cleaned_environment_does_not_hide_tmux(pane, viatty, cleaner):
    """Nor does what a tmux calls itself most often when it lies."""
    arrives(pane, [*cleaner, viatty, "copy"], environment={"TERM": "xterm-256color"})


@pytest.mark.needs("screen")
def test_a_cleaned_environment_does_not_hide_screen(screen, viatty):
    arrives(screen, ["env", "-i", viatty, "copy"])


# ---- no terminal but what the caller handed over ---------------------------------

APART = {
    "su -c": ["su", "-s", "/bin/sh", "-c", 'exec "$0" "$@"', "nobody", "--"],
    "no /dev": ["unshare", "-m", "sh", "-c", 'mount -t tmpfs none /dev && exec "$@"', "sh"],
    "no ancestors": ["unshare", "-pf", "--mount-proc", "setsid", "-w"],
    "bwrap": ["bwrap", "--dev-bind", "/", "/", "--unshare-pid", "--proc", "/proc", "--new-session"],
}


def apart(name):
    marks = [pytest.mark.needs(APART[name][0]), pytest.mark.works(*APART[name], "true")]
    return pytest.param(APART[name], id=name, marks=[pytest.mark.root, *marks])


@pytest.mark.parametrize("argv", [apart(name) for name in APART])
def test_standard_error_is_a_terminal_where_no_other_is_found(plain, viatty, argv):
    assert plain.run([*argv, viatty, "copy"], stdin=expect.DATA, on_terminal=True).status == 0
    plain.settle()
    expect.arrived(plain.terminal, expect.DATA)
    plain.terminal.forget()
    plain.run([*argv, viatty, "doctor"], on_terminal=True)
    plain.terminal.wait_for(b"here        stderr")


# ---- no /proc, nothing to write to ---------------------------------------------

NO_PROC = ["unshare", "-m", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]
READ_ONLY = ["unshare", "-m", "sh", "-c", 'mount -o remount,ro,bind / && exec "$@"', "sh"]


# Containers differ in what they let root do, and sanitizers need /proc.
read_only = pytest.mark.works(*READ_ONLY, "true")


def without_proc(test):
    return pytest.mark.unsanitized(pytest.mark.works(*NO_PROC, "true")(test))


@without_proc
def test_without_proc_it_arrives(plain):
    arrives(plain, [*NO_PROC, "viatty", "copy"])


@without_proc
def test_without_proc_and_terminal_it_says_what_was_tried(plain):
    argv = [*NO_PROC, "setsid", "--wait", "viatty", "copy"]
    result = plain.run(argv, stdin=expect.DATA)
    expect.refused(result, status=3, naming=["/dev/tty", "--tty"])


@without_proc
def test_without_proc_doctor_says_what_it_sees(place):
    result = place.run([*NO_PROC, "viatty", "doctor"])
    assert (result.status, result.stderr) == (0, "")
    assert b"processes   cannot inspect processes" in result.stdout


# a /proc of its own, in which another user sees nothing of ours
HIDING_PROC = ["unshare", "-m", "sh", "-c",
               'mount -t proc -o hidepid=2 none /proc && exec "$@"', "sh",
               "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]


@pytest.mark.works(*HIDING_PROC, "sh", "-c", "! test -e /proc/1")
@pytest.mark.unsanitized
def test_doctor_tells_of_an_ancestor_that_is_hidden(plain):
    result = plain.run([*HIDING_PROC, "viatty", "doctor", "--json"])
    assert "is hidden" in json.loads(result.stdout)["processes"]


@read_only
def test_on_a_file_system_that_cannot_be_written_it_arrives(place):
    arrives(place, [*READ_ONLY, "viatty", "copy"])


# ---- no room -------------------------------------------------------------------


# ---- no streams ----------------------------------------------------------------


@pytest.mark.parametrize("closing", ["<&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_do_not_stop_a_copy(place, closing):
    copy = f'exec "$@" {closing}'
    argv = ["sh", "-c", copy, "sh", "viatty", "copy", "--string", "text"]
    expect.sent(place.run(argv))
    place.settle()
    expect.arrived(place.terminal, b"text")
