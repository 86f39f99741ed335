"""Which terminal is shown progress, and by what name it is called."""

import re

import pytest

from lib.faults import fails, nothing_at
from lib.processes import EMULATOR


def test_a_terminal_of_which_it_is_not_known_is_named(shell):
    outcome = shell.run(["viatty", "progress", "--term", "termius", "40"])
    fails(outcome, 4, "not shown: progress may not be supported by Termius")
    assert "--term" not in outcome.said
    nothing_at(shell.terminal)


@pytest.mark.parametrize("words", [["progress", "40"], ["title", "text"]], ids=" ".join)
def test_in_a_loop_a_quiet_one_says_nothing(shell, nowhere, words):
    """It decorates what a script does; the status is for whoever asks."""
    for place, term, status in (shell, "linux", 4), (nowhere, "xterm", 3):
        loud = place.run(["viatty", *words, "--term", term])
        fails(loud, status, "hint: ")
        quiet = place.run(["viatty", *words, "--term", term, "-q"])
        assert (quiet.status, quiet.said) == (loud.status, "")
    fails(shell.run(["viatty", *words, "-q", "--frob"]), 2, "unknown option")


# The library has it since 0.80, and most programs around it do not show it.
PROGRAMS = {
    "gnome-terminal-": ("8400", "yes", "GNOME Terminal"),
    "xfce4-terminal": ("8400", "no", "Xfce Terminal"),
    "another": ("8400", "unknown", "a VTE terminal such as GNOME Terminal"),
    "gnome-terminal- of an old library": ("7000", "no", "GNOME Terminal"),
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_program_around_the_library_decides_and_is_named(shell, program):
    version, shows, named = PROGRAMS[program]
    around = ["python3", "-c", EMULATOR, program.partition(" ")[0], "viatty"]
    # as started in GNOME Terminal, which left its variable
    inherited = {"GNOME_TERMINAL_SCREEN": "/org/gnome"} if program[0] == "x" else {}
    how = {"environment": {
        "VTE_VERSION": version, "PYTHONPATH": "", "VIATTY_NATIVE": "never", **inherited}}
    outcome = shell.run([*around, "progress", "--no-probe", "40"], **how)
    assert outcome.status == (4 if shows == "no" else 0), outcome.stdout
    assert (b"\x1b]9;4;1;40\x1b\\" in outcome.stdout) == (shows != "no")
    if shows == "no" and version == "8400":
        assert f"no progress is shown by {program}".encode() in outcome.stdout
    family = "" if program == "another" else " (like every VTE terminal)"
    copied = shell.run([*around, "copy", "--no-probe", "-s", "x"], **how).stdout
    said = f"not copied: programs may not set the clipboard of {named}{family}"
    assert said.encode() in copied
    found = shell.run([*around, "doctor", "progress", "--no-probe"], **how).stdout
    assert f"progress: {shows}".encode() in re.sub(rb"\x1b\[[0-9]*m", b"", found)
    assert f"terminal    {named}{family}\n".encode() in found.replace(b"\r", b"")
