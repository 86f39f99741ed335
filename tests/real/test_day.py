"""A day at a terminal: what a person sets up, types and starts, and what arrives.

Bash, tmux, ssh and vim read the files of a home of their own, as `viatty setup`
has written them. The terminal answers as iTerm2 does, which knows program status.
"""

import itertools
import os
import re
import shlex
import shutil
import subprocess

import pytest

from lib import expect, sequences
from lib.answering import DA1, DA2, FENCE, NAME, AnsweringTerminal, name
from lib.mux import TmuxServer
from lib.processes import until
from lib.snippets import hooks, orphan, recipe
from lib.sshd import Sshd
from lib.terminal import write_to_terminal

pytestmark = pytest.mark.needs("bash", "ssh", "ssh-keygen", "tmux", "vim")

ITERM2 = {DA1: FENCE, DA2: b"\x1b[>64;2500;0c", NAME: name(b"iTerm2 3.7.5")}
# Its reply to DA1 tells that the setting is on; through tmux it does not come back.
HINT = ["hint: set in Settings > General > Selection:", "Applications in terminal may access clipboard"]

# Each prompt is counted, so that the next line is typed in time.
BASHRC = """\
PATH={bin}:$PATH
PS1='$ '
PROMPT_COMMAND='echo >>~/prompts'
tty >~/tty
VIATTY_NOTIFY_AFTER=1
"""
# The program over there is found as here.
FAR_BASHRC = BASHRC.replace("VIATTY_NOTIFY_AFTER=1\n", "")

# The last option is for whoever types faster than a person.
TMUX_CONF = """\
set -g default-command bash
set -g mode-keys vi
set -g assume-paste-time 0
"""

# As the snippets themselves say.
SET_UP = [
    "echo 'source <(viatty setup bash)' >>~/.bashrc",
    "mkdir -p ~/.vim/plugin && viatty setup vim >~/.vim/plugin/viatty.vim",
    "mkdir -p ~/.config/tmux && viatty setup tmux >~/.config/tmux/viatty.conf",
    "echo 'source-file ~/.config/tmux/viatty.conf' >>~/.tmux.conf",
]

SSH = "exec {ssh} -F {client} \"$@\""

_markers = itertools.count(1)

# Debian's vim.basic has no clipboard of its own.
VIM = "vim.basic" if shutil.which("vim.basic") else "vim"


class Shells:
    """The interactive shells of one home: their prompts, and what a line has said."""

    def __init__(self, home, bashrc):
        self.home = home
        self._prompts = home / "prompts"
        (home / ".bashrc").write_text(bashrc)

    def prompts(self):
        return self._prompts.stat().st_size if self._prompts.exists() else 0

    def await_prompt(self, after, what):
        until(lambda: self.prompts() > after, f"the prompt after {what!r}")

    def device(self):
        """The terminal of the shell that was started last."""
        return (self.home / "tty").read_text().strip()


class Person:
    """Somebody at a terminal, who types into whatever shell is in front."""

    def __init__(self, sandbox):
        self.sandbox = sandbox
        self.here = self.front = Shells(
            sandbox.path / "home", BASHRC.format(bin=sandbox.path / "bin"))
        self.home = self.here.home
        (self.home / ".tmux.conf").write_text(TMUX_CONF)
        self.tmux = None
        self.sits_down()
        for line in SET_UP:
            self.types(line)

    def sits_down(self):
        """At a new terminal, with a shell in it."""
        self.terminal = AnsweringTerminal(
            self.sandbox, ITERM2, size=(100, 40),
            environment={"SHELL": shutil.which("bash")})
        before = self.here.prompts()
        self.terminal.start(["bash", "-i"])
        self.here.await_prompt(before, "bash")

    def types(self, line, shells=None):
        """A line, and what the terminal has received until the next prompt."""
        self.front = shells or self.front
        before = self.front.prompts()
        self.terminal.forget()
        self.terminal.type(f"{line}\r")
        self.front.await_prompt(before, line)
        self.settle()

    def asks(self, line):
        """What it prints, and its exit status."""
        self.types(f"{{ {line}; echo $?; }} >~/said 2>&1")
        *said, status = (self.front.home / "said").read_text().splitlines()
        return int(status), said

    def settle(self):
        """All that was written to the terminal of the shell has arrived."""
        if self.tmux and self.terminal.device in self.tmux.clients():
            device = None if self.front is self.here else self.front.device()
            self.tmux.settle_pane(device)
        self.terminal.settle()

    def opens_tmux(self, line="tmux"):
        """By its name, with the configuration that is in the home."""
        before = self.here.prompts()
        self.terminal.type(f"{line}\r")
        if not self.tmux:
            self.here.await_prompt(before, line)
            self.tmux = Tmux(self.sandbox)
        self.tmux.shown_in(self.terminal, self.terminal.device)
        self.settle()
        self.terminal.forget()


class Tmux(TmuxServer):
    """The server that somebody has started without naming a socket."""

    def __init__(self, sandbox):
        super().__init__(sandbox)
        self.socket = sandbox.path / "tmux" / f"tmux-{os.getuid()}" / "default"
        self._pid = int(self.ask("#{pid}"))

    def settle_pane(self, device=None):
        """The device is that of a login made from the pane."""
        device = device or self.ask("#{pane_tty}")
        marker = f"settled-{next(_markers)}"
        write_to_terminal(device, f"\x1b]2;{marker}\x1b\\".encode())
        until(lambda: self.ask("#{pane_title}") == marker, f"{device} is read by tmux")
        self.settle()

    def let_go(self, terminal):
        """It shows the session no more."""
        until(lambda: terminal.device not in self.clients(), "the client detaches")
        del self._places[terminal.device]


@pytest.fixture
def person(sandbox):
    return Person(sandbox)


def received(terminal, number):
    """What the terminal received by this OSC."""
    prefix = f"{number};"
    tokens = sequences.osc(terminal.recorded(), number)
    return [token.payload.decode().removeprefix(prefix) for token in tokens]


def answers(said):
    """What doctor says of each feature: the line of its answer and those below it."""
    found = {}
    for line in said[: said.index("")]:
        if not line.startswith(" "):
            name, _, line = line.partition(": ")
            found[name] = []
        found[name].append(line.strip())
    return found


def path(said):
    """The hops that doctor names, from the nearest one."""
    hops = said[said.index("path to the screen:") + 1 :]
    return [line[2:14].strip() for line in hops if not line.startswith("   ")]


HERE = ["here", "chosen as"]


# ---- at the terminal -----------------------------------------------------------


def test_at_the_terminal(person):
    status, said = person.asks("viatty doctor copy notify link")
    assert (status, path(said)) == (0, [*HERE, "terminal"])
    assert answers(said) == {"copy, notify, link": ["yes"]}
    person.types("printf 'made here' | osc52")
    expect.arrived(person.terminal, b"made here")


# ---- in tmux -------------------------------------------------------------------


def test_in_tmux(person):
    person.opens_tmux()
    status, said = person.asks("viatty doctor copy notify")
    assert (status, path(said)) == (7, [*HERE, f"tmux {version()}", "terminal"])
    assert answers(said) == {
        "copy": ["needs a setting", *HINT],
        "notify": ["yes"],
    }
    person.types("printf 'in a pane' | osc52")
    expect.arrived(person.terminal, b"in a pane", letters=[""])
    person.types("sleep 1.2")
    (shown,) = received(person.terminal, 9)
    assert re.fullmatch(r"sleep 1\.2: done after \d+ s in \S+", shown)
    person.types("clear; echo to select")
    for key in ("\x02[", "g", "0", " ", "e", "y"):
        person.terminal.type(key)
        # tmux omits its copy while it still has to redraw the window
        person.settle()
    # tmux sends it, without a letter, and viatty leaves it to tmux.
    selected = ("", b"to")
    until(lambda: selected in person.terminal.clipboard_so_far(), "the selection is copied")
    person.settle()
    expect.arrived(person.terminal, b"to", letters=[""])


def version():
    return subprocess.run(["tmux", "-V"], capture_output=True, text=True).stdout.split()[1]


def test_detached_and_attached_elsewhere(person):
    person.opens_tmux()
    before = person.here.prompts()
    person.terminal.type("\x02d")
    person.here.await_prompt(before, "detaching")
    person.tmux.let_go(person.terminal)
    # The pane's shell goes on.
    before = person.here.prompts()
    line = "{ printf 'to nobody' | osc52; echo $?; viatty doctor copy; echo $?; } >~/said 2>&1"
    person.tmux.run("send-keys", line, "Enter")
    person.here.await_prompt(before, line)
    said = (person.home / "said").read_text().splitlines()
    assert said[:3] == [
        'osc52: not copied: tmux session "0" is detached',
        "hint: attach to it (tmux attach -t 0), or store the text in a tmux buffer: --route tmux-buffer",
        "4",
    ]
    assert answers(said[3:])["copy"][0] == "no" and said[-1] == "4"
    person.settle()
    first = person.terminal
    expect.nothing_arrived(first)
    person.sits_down()
    person.opens_tmux("tmux attach -t 0")
    first.forget()
    person.types("printf 'over here' | osc52")
    expect.arrived(person.terminal, b"over here", letters=[""])
    first.settle()
    expect.nothing_arrived(first)


# ---- on another machine --------------------------------------------------------


@pytest.fixture
def far(sandbox, person):
    """Logged in there, from a pane."""
    sshd = Sshd(sandbox)
    sshd.has_terminals()
    sandbox.script("ssh", SSH.format(ssh=shutil.which("ssh"), client=sshd.client))
    person.opens_tmux()
    there = Shells(sshd.home, FAR_BASHRC.format(bin=sandbox.path / "bin"))
    person.types("ssh -t far exec bash -i", there)
    return sshd.home


def does_what_is_hinted(person, answer):
    """The command for tmux, which is the last line of an answer."""
    hint, line = answer[-2:]
    assert re.match(r"(hint: |or )where that tmux runs, run this; .* ~/\.tmux\.conf .*:$", hint), answer
    assert line.startswith("tmux set -g "), answer
    person.tmux.run(*shlex.split(line)[1:])


def test_over_ssh_from_tmux(person, far):
    for name in ("copy", "notify"):
        _, said = person.asks(f"viatty doctor {name}")
        does_what_is_hinted(person, answers(said)[name])
    status, said = person.asks("viatty doctor copy notify")
    assert (status, path(said)) == (0, [
        *HERE, f"tmux {version()}", "started by", "ssh from", "terminal"])
    person.types("printf 'from there' | osc52")
    expect.arrived_somehow(person.terminal, b"from there")
    person.types("viatty notify --term iterm2 Done 'over there'")
    assert received(person.terminal, 9) == ["Done: over there"]
    # No reply of a terminal has become a part of the next line.
    assert person.asks("echo fine") == (0, ["fine"])


def test_vim_over_ssh_in_tmux(person, far):
    person.tmux.option("-s", "set-clipboard", "on")
    person.types("viatty setup vim >>~/.vimrc; printf 'one\\ntwo\\n' >text")
    before = person.front.prompts()
    person.terminal.type(f"{VIM} -i NONE -n text\r")
    until(lambda: '"text" ' in person.tmux.run("capture-pane", "-p"), "vim shows the text")
    person.settle()
    person.terminal.forget()
    person.terminal.type('j"+yy')
    until(lambda: person.terminal.clipboard_so_far(), "vim copies the line")
    person.terminal.type(":q\r")
    person.front.await_prompt(before, "vim")
    person.settle()
    expect.arrived_somehow(person.terminal, b"two\n")


# ---- an agent ------------------------------------------------------------------


class Agent:
    """Something without a terminal, in a session of its own, whose parent is gone."""

    def __init__(self, person):
        self.person = person
        self.pane = {"TMUX": f"{person.tmux.socket},1,0",
                     "TMUX_PANE": person.tmux.ask("#{pane_id}")}

    def event(self, name):
        assert self.runs(hooks(recipe("viatty-setup.1", '"PermissionRequest"'))[name]) == (0, "")

    def runs(self, command, **changes):
        """The status, and what it says."""
        return orphan(self.person.sandbox, command, **{**self.pane, **changes})


@pytest.mark.user
def test_an_agent_without_a_terminal(person):
    person.opens_tmux()
    agent = Agent(person)
    agent.event("Stop")
    agent.event("PermissionRequest")
    person.settle()
    assert received(person.terminal, 9) == ["Agent: done: home", "Agent: waits: home"]
    status, said = agent.runs("viatty doctor notify")
    assert status == 0
    assert answers(said.splitlines()) == {"notify": ["yes"]}
    person.terminal.forget()
    status, said = agent.runs("viatty notify Done", TMUX=None, TMUX_PANE=None)
    assert status == 3
    assert said.startswith("viatty notify: not shown: no terminal can be reached")
    person.settle()
    assert received(person.terminal, 9) == []
