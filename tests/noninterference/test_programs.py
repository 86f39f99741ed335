"""Real programs that own the screen call viatty, by its own name and by others.

It pastes, or ends at once with the reason. The program reads not one byte of a reply,
neither as keys nor into its file.
"""

from collections import namedtuple

import pytest
from place import COMMANDS

from lib.processes import until

CONTROL_S, CONTROL_X = "\x13", "\x18"
ESCAPE = "\x1b"
# in each mode of vim
TO_NORMAL = "\x1c\x0e"

# How the call ends: its status, and part of its message.
PASTES = (0, "")
READS = (4, "which is reading this terminal")
INSIDE = (4, "cannot be read through")
NO_TERMINAL = (3, "no terminal to read from")
# Whether the fork that called it is still there decides how far it comes.
NONE_FOUND = (3, "no terminal ")
BACKGROUND = (3, "a background job cannot read")

# The program, what it shows when it is ready, and what to type for viatty to be called:
# keys, or text to wait for (a tuple of one). Behind the call `save` is typed: what the
# file holds then is what it held before, and x where that is among the keys.
Program = namedtuple("Program", "argv seen calls save text", defaults=[(), None])
FILE = "first line"

VIM = {
    "a filter": (":!ask\r", PASTES),
    "silent": (":silent !ask\r", PASTES),
    "system()": (":call system('ask')\r", PASTES),
    "a job": (":call job_start('ask')\r", NO_TERMINAL),
    "a terminal": (":terminal ask\r", INSIDE),
}
# It starts each of them in a session of its own.
NEOVIM = {how: (keys, NO_TERMINAL) for how, (keys, _) in VIM.items()} | {
    "a job": (":call jobstart('ask')\r", NO_TERMINAL),
    "a terminal": (":terminal ask\r", INSIDE),
}
# The same as a table of bindings: the action stands on its command line.
FZF = {
    "execute": PASTES,
    "execute-silent": READS,
    "become": PASTES,
    "preview": BACKGROUND,
}
RANGER = {
    "shell ask": PASTES,
    "shell -s ask": READS,
    "shell -f ask": NONE_FOUND,
}

PROGRAMS = {
    "micro": Program(["micro", "TEXT"], FILE, {"run": ("\x05run ask\r", READS)},
                     ["x", CONTROL_S], "x" + FILE),
    "kak": Program(["kak", "-n", "TEXT"], FILE[1:], {"nop": (":nop %sh{ask}\r", READS)},
                   [":write\r:quit\r"], FILE),
    "vim": Program(["vim", "-Nu", "NONE", "-n", "TEXT"], FILE, VIM,
                   ["\r", TO_NORMAL, ":wqa!\r"], FILE),
    "nvim": Program(["nvim", "-u", "NONE", "-n", "TEXT"], FILE, NEOVIM),
    "emacs": Program(["emacs", "-nw", "-Q", "TEXT"], FILE,
                     {"shell-command": ([ESCAPE + "!", ("Shell command",), "ask\r"], NO_TERMINAL)},
                     ["x", CONTROL_X + CONTROL_S], "x" + FILE),
    # It starts the command of a pipe before it leaves raw mode, and sends the text after that.
    "less": Program(["less", "TEXT"], FILE,
                    {"a command": ("!ask\r", PASTES),
                     "a pipe": ("|$cat >/dev/null; ask\r", PASTES)},
                    [("press RETURN",), "\r", "q"], FILE),
    "mc": Program(["mc", "FOLDER"], "Quit", {"subshell": ("ask\r", PASTES)}),
    "mc -u": Program(["mc", "-u", "FOLDER"], "Quit", {"no subshell": ("ask\r", PASTES)}),
    "ranger": Program(["ranger", "--clean", "FOLDER"], "osc52",
                      {command: ([":", ("\x1b[24d:",), command + "\r"], outcome)
                       for command, outcome in RANGER.items()}),
    "nnn": Program(["nnn", "FOLDER"], "text", {"prompt": (["]", (">>> ",), "ask\r"], PASTES)}),
} | {
    f"fzf {action}": Program(["fzf", "--bind", f"ctrl-x:{action}(ask)"], FILE,
                             {"a key": (CONTROL_X, outcome)})
    for action, outcome in FZF.items()
}

# Under other names viatty differs in what it says where nothing can be asked.
CALLS = [
    pytest.param(program, keys, outcome, command, id=f"{name}-{how}-{command}",
                 marks=pytest.mark.needs(program.argv[0]))
    for name, program in PROGRAMS.items()
    for how, (keys, outcome) in program.calls.items()
    for command in (COMMANDS if how in ("system()", "silent") else ["viatty"])
]


def type_all(place, keys):
    """Text in a tuple is waited for."""
    for key in [keys] if isinstance(keys, str) else keys:
        if isinstance(key, tuple):
            place.see(*key)
        else:
            place.type(key)


@pytest.mark.parametrize("program, keys, outcome, name", CALLS)
def test_what_a_program_calls_takes_none_of_its_keys(place, program, keys, outcome, name):
    place.prepare(name)
    put = {"TEXT": place.text, "FOLDER": place.sandbox.path}
    shell = "/bin/bash" if program.argv[0] == "mc" else "/bin/sh"
    place.open([put.get(word, word) for word in program.argv], SHELL=shell,
               FZF_DEFAULT_COMMAND=f"cat {place.text}")
    place.see(program.seen)
    type_all(place, keys)
    if outcome in (NO_TERMINAL, NONE_FOUND) and name != "viatty":
        # There what they print is taken for the clipboard; neovim tries this line of xsel.
        place.ends_silently(0 if name == "xsel" else 1)
    else:
        place.ends_with(*outcome)
    if program.argv[0] == "vim" and "terminal" in keys:
        # Until then it passes on what is typed.
        place.see("finished")
    type_all(place, program.save)
    if program.text:
        until(lambda: place.text.read_text() == program.text + "\n", "the file is saved")
    if program.save and "x" not in program.save:
        place.program.wait()
        assert place.text.read_text() == program.text + "\n"
