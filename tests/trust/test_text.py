"""No byte of somebody else's text acts on the person's terminal.

Control characters end or begin sequences; bidirectional controls and the separators
U+2028 and U+2029 make a message look like another one. Wherever such text is shown,
it is shown harmless: in messages, with -v, by doctor, in titles and notifications.
"""

import re
import socket
import sys

import pytest

from lib.answering import CLIPBOARD, FOOT, AnsweringTerminal, clipboard
from lib.sequences import parse
from lib.terminal import OuterTerminal

# A whole sequence in C0 and in C1, DEL, and what rearranges a line.
CONTROLS = "\x1b]2;owned\x07\x9d2;owned\x9c\x7f\r"
REARRANGING = "\u061c\u200e\u200f\u202a\u202e\u2066\u2069\u2028\u2029"
HOSTILE = "a" + CONTROLS + REARRANGING + "z"

_HARMFUL = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
)


def is_harmless(output):
    """UTF-8 throughout, and nothing in it but printable text and lines."""
    text = output.decode("utf-8") if isinstance(output, bytes) else output
    found = _HARMFUL.search(text)
    assert not found, f"{found.group()!r} in {text!r}"
    return text


def everything_said(place, *options, environment=None):
    """What a copy with -v and doctor in both forms say here."""
    said = []
    for argv in (
        ["viatty", "copy", "-v", *options],
        ["viatty", "doctor", "-v", *options],
        ["viatty", "doctor", "--json", *options],
    ):
        outcome = place.run(argv, stdin=b"data", environment=environment)
        said.append(is_harmless(outcome.stdout) + is_harmless(outcome.stderr))
    return said


# ---- names of devices ----------------------------------------------------------------


def test_the_name_of_a_device(shell):
    """The first works."""
    part = CONTROLS + REARRANGING
    folder = shell.sandbox.path / part
    folder.mkdir()
    (folder / "t").symlink_to(shell.terminal.device)
    said = everything_said(shell, "--tty", str(folder / "t"))
    assert shell.terminal.device in said[0]
    for name in (f"/nowhere/{part}", str(folder), f"pane:{part}", f"/dev/{part}"):
        everything_said(shell, "--tty", name)
        everything_said(shell, environment={"VIATTY_TTY": name})


# ---- names of processes --------------------------------------------------------------

NAMED = """
import ctypes, os, sys
ctypes.CDLL(None).prctl(15, os.fsencode(sys.argv[1])[:15], 0, 0, 0)
pid = os.fork()
if pid == 0:
    os.setsid()
    os.execvp(sys.argv[2], sys.argv[2:])
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"""


@pytest.mark.parametrize("name", ["\x1b]2;x\x07\x9b", "\u202e\u2066\u2028", "\x7f\r\n"])
def test_the_name_of_an_ancestor(shell, name):
    for command in (["copy", "-v"], ["doctor", "-v"], ["doctor", "--json"]):
        argv = [sys.executable, "-c", NAMED, name, "viatty", *command]
        outcome = shell.run(argv, stdin=b"data")
        text = is_harmless(outcome.stdout) + is_harmless(outcome.stderr)
        assert "?" in text and shell.terminal.device in text


# ---- variables -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["TERM", "SSH_CONNECTION", "SSH_TTY", "TMUX", "TMUX_PANE", "STY", "TERM_PROGRAM"]
    + ["TERM_PROGRAM_VERSION", "VTE_VERSION", "KONSOLE_VERSION", "COLORTERM"]
    + ["VIATTY_WRAP", "VIATTY_TERM", "VIATTY_TIMEOUT"],
)
def test_a_variable(shell, nowhere, name):
    """The value could be an address of tmux, or a path."""
    for place in (shell, nowhere):
        everything_said(place, environment={name: f"/tmp/{HOSTILE},1,0"})


# ---- what tmux says ------------------------------------------------------------------


def octal(text):
    return "".join(f"\\{byte:03o}" for byte in text.encode())


CLIENT = "C P1 A1 K0 I$0 W@0 G T{0} Nxterm{0} Fclipboard,{0} Y{0}"
PANE = "P V3.3a{0} Bon{0} Lon M0 Z0 A1 X1 I$0 W@0 G T{0} D%0 C{0} S{0}"
ANSWERS = {
    "an error": 'printf "%b\\n" "no {0}"; exit 1',
    "fields": f'printf "%b\\n" "{CLIENT}" "{PANE}"',
    "a pane": f'printf "%b\\n" "{PANE}"',
    "no answer at all": 'printf "%b\\n" "{0}"',
}


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_what_a_tmux_server_answers(shell, nowhere, answer):
    sandbox = shell.sandbox
    body = answer.replace("{0}", octal(CONTROLS[:-1] + REARRANGING))
    sandbox.script("tmux", f"touch {sandbox.path}/asked\n{body}")
    with socket.socket(socket.AF_UNIX) as server:
        path = sandbox.fresh("server")
        server.bind(str(path))
        environment = {"TMUX": f"{path},4321,0", "TMUX_PANE": "%0"}
        environment["PATH"] = f"{sandbox.path}/bin:/usr/bin:/bin"
        for place in (shell, nowhere):
            everything_said(place, environment=environment)
    assert (sandbox.path / "asked").exists()


# ---- what a terminal replies ---------------------------------------------------------


@pytest.mark.parametrize("text", ["\x9b31m\x7f", REARRANGING], ids=["control", "order"])
def test_what_a_terminal_replies(sandbox, text):
    name = f"\x1bP>|foot(1.2{text})\x1b\\".encode()
    answers = {b"\x1b[>q": name, b"\x1b[c": b"\x1b[?62;22c"}
    terminal = OuterTerminal(sandbox, term="xterm", answers=answers)
    runner = terminal.runner()
    for form in ("-v", "--json"):
        # Its questions are for the foreground, which has the terminal as input.
        result = runner.run(["viatty", "doctor", form], stdin=None)
        text = is_harmless(result.stdout) + is_harmless(result.stderr)
        assert "foot(1.2" in text


# ---- what is printed for a person ----------------------------------------------------


def test_a_clipboard_that_is_printed_on_a_terminal(sandbox):
    """Shown, not acted on: the order of a line is part of what a person reads."""
    script = {**FOOT, CLIPBOARD: clipboard(HOSTILE.encode())}
    terminal = AnsweringTerminal(sandbox, script)
    runner = terminal.runner()
    assert runner.open(["viatty", "paste"]).wait().status == 0
    terminal.settle()
    shown = b"".join(
        token.payload for token in parse(terminal.recorded()) if token.kind == "text"
    )
    text = is_harmless(shown.replace(b"\r\n", b"\n"))
    assert text.startswith("a") and "z" in text
