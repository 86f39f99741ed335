"""Which terminal is shown progress, and by what name it is called."""

import re

import pytest

from lib import sequences
from lib.faults import fails, nothing_at


def test_a_terminal_of_which_it_is_not_known_is_named(shell):
    outcome = shell.run(["viatty", "progress", "--term", "termius", "40"])
    fails(outcome, 4, "not shown: progress may not be supported by Termius")
    assert "--term" not in outcome.said
    nothing_at(shell.terminal)


def test_a_terminal_that_does_not_show_it_gets_nothing(shell):
    outcome = shell.run(["viatty", "progress", "--term", "xterm", "45"])
    fails(outcome, 4, "not shown: no support for progress")
    nothing_at(shell.terminal)


def test_an_unknown_terminal_gets_nothing(shell):
    outcome = shell.run(["viatty", "progress", "45"])
    fails(outcome, 4, "not shown: ")
    assert "--term" in outcome.said
    shell.terminal.settle()
    assert sequences.osc(shell.terminal.recorded(), 9) == []


@pytest.mark.parametrize("words", [["progress", "40"], ["title", "text"]], ids=" ".join)
def test_in_a_loop_a_quiet_one_says_nothing(shell, nowhere, words):
    """It decorates what a script does; the status is for whoever asks."""
    for place, term, status in (shell, "linux", 4), (nowhere, "xterm", 3):
        loud = place.run(["viatty", *words, "--term", term])
        fails(loud, status, "hint: ")
        quiet = place.run(["viatty", *words, "--term", term, "-q"])
        assert (quiet.status, quiet.said) == (loud.status, "")
    fails(shell.run(["viatty", *words, "-q", "--frob"]), 2, "unknown option")


# Runs a command in a terminal of its own, as a process with this name would.
EMULATOR = """\
import ctypes, os, pty, sys
ctypes.CDLL(None).prctl(15, sys.argv[1].encode(), 0, 0, 0)
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[2:])))
"""

# The library has it since 0.80, and most programs around it do not show it.
PROGRAMS = {
    "gnome-terminal-": ("8400", "yes"),
    "ptyxis-agent": ("8400", "yes"),
    "xfce4-terminal": ("8400", "no"),
    "lxterminal": ("8400", "no"),
    "another": ("8400", "unknown"),
    "gnome-terminal- of an old library": ("7000", "no"),
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_program_around_the_library_decides(shell, program):
    version, shows = PROGRAMS[program]
    around = ["python3", "-c", EMULATOR, program.partition(" ")[0]]
    how = {"environment": {"VTE_VERSION": version, "PYTHONPATH": ""}}
    outcome = shell.run([*around, "viatty", "progress", "--no-probe", "40"], **how)
    assert outcome.status == (4 if shows == "no" else 0), outcome.stdout
    assert (b"\x1b]9;4;1;40\x1b\\" in outcome.stdout) == (shows != "no")
    if shows == "no" and version == "8400":
        assert f"no progress is shown by {program}".encode() in outcome.stdout
    found = shell.run([*around, "viatty", "doctor", "progress"], **how)
    assert f"progress: {shows}".encode() in re.sub(rb"\x1b\[[0-9]*m", b"", found.stdout)


NAMED = {"gnome-terminal-": "GNOME Terminal", "ptyxis-agent": "Ptyxis", "lxterminal": "LXTerminal",
         "xfce4-terminal": "Xfce Terminal", "another": "a VTE terminal such as GNOME Terminal"}


@pytest.mark.parametrize("program", NAMED)
def test_the_program_around_the_library_is_named(shell, program):
    """Also one that was started in GNOME Terminal, which left its variable."""
    inherited = {"GNOME_TERMINAL_SCREEN": "/org/gnome"} if program == "lxterminal" else {}
    how = {"environment": {"VTE_VERSION": "8400", "VIATTY_NATIVE": "never", **inherited}}
    around = ["python3", "-c", EMULATOR, program]
    copied = shell.run([*around, "viatty", "copy", "--no-probe", "-s", "x"], **how)
    family = "" if program == "another" else " (like every VTE terminal)"
    said = f"not copied: programs may not set the clipboard of {NAMED[program]}{family}"
    assert said.encode() in copied.stdout
    found = shell.run([*around, "viatty", "doctor", "copy", "--no-probe"], **how)
    assert f"terminal    {NAMED[program]} (from the environment".encode() in found.stdout
