"""Lines typed ahead while slow commands run, in a shell with the hook, at the end of ssh."""

import os
import re
import shlex
import sys
import time

import pytest

from lib import sequences
from lib.answering import KITTY, NAME, AnsweringTerminal
from lib.processes import until
from lib.snippets import snippet
from lib.sshd import APART, Sshd
from lib.terminal import XTERM_ANSWERS

shells = pytest.mark.parametrize(
    "shell", [pytest.param(name, marks=pytest.mark.needs(name)) for name in ("bash", "zsh", "fish")])

FILES = {"bash": ".bashrc", "zsh": ".zshrc", "fish": ".config/fish/config.fish"}
PROMPTS = {"bash": "PS1='<$?>'\n", "zsh": "PROMPT='<%?>'\n",
           "fish": 'function fish_prompt; echo -n "<$status>"; end\n'
                   "function fish_greeting; end\nfunction fish_title; end\n"}
ARGV = {"bash": "bash --noprofile -i", "zsh": "zsh -d -i", "fish": "fish -i"}
# Shells count whole seconds: what takes no time may take one, and never two.
SLOW, TIMES = "sleep 2.2", 3


def command(sandbox, shell, home):
    """The shell with nothing but the snippet, as one word for ssh."""
    file = home / FILES[shell]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(PROMPTS[shell] + snippet(sandbox, shell))
    # Or fish writes into it in the background, also while the home is removed.
    (home / ".local/share/fish/generated_completions").mkdir(parents=True, exist_ok=True)
    runtime = sandbox.folder("runtime", 0o700)
    settings = [f"HOME={home}", f"SHELL={shell}", f"XDG_RUNTIME_DIR={runtime}",
                "VIATTY_NOTIFY_AFTER=2", f"PATH={sandbox.path}/bin:{os.environ['PATH']}"]
    return f"exec env {shlex.join(settings)} {ARGV[shell]}"


class Far:
    """A shell that was opened in a place, and the terminal where its output arrives."""

    def __init__(self, place, argv):
        self.terminal = place.terminal
        place.open(argv)
        until(lambda: b"<0>" in self.text(), "the prompt")

    def text(self):
        return re.sub(rb"\x1b\[[0-9;?]*[a-zA-Z]", b"", self.terminal.recorded())

    def wait_for_prompt(self, text):
        """The one behind the last output of this text: a shell may draw one twice."""
        until(lambda: b"<0>" in self.text().rpartition(text)[2], "the prompt")

    def types_ahead(self):
        """Each line that is typed while a slow command runs is executed."""
        for n in range(TIMES):
            self.terminal.type(f"sh -c 'echo be\"\"gun-{n}; {SLOW}'\r")
            until(lambda: b"begun-%d" % n in self.text(), "it runs")
            self.terminal.type(f"echo ahead-''{n}\r")
            until(lambda: b"ahead-%d" % n in self.text(), f"line {n} is executed")


def titles(terminal):
    return [token for token in sequences.osc(terminal.recorded(), 99)
            if b"p=title" in token.payload]


def bells(terminal):
    record = re.sub(rb"\x1b\][^\a\x1b]*(\a|\x1b\\)", b"", terminal.recorded())
    return record.count(b"\a")


@pytest.mark.slow
@shells
class TestEachLineIsExecuted:
    @pytest.fixture
    def kitty(self, sandbox):
        """Its TERM names no terminal: only its replies do."""
        return AnsweringTerminal(sandbox, KITTY, size=(200, 40))

    def test_at_the_terminal_itself(self, sandbox, kitty, shell):
        far = Far(kitty, ["sh", "-c", command(sandbox, shell, sandbox.path / "home")])
        asked = kitty.asked()
        far.types_ahead()
        assert kitty.asked() == asked
        # Nothing is remembered of a terminal that a test has opened.
        until(lambda: len(titles(kitty)) + bells(kitty) == TIMES, "each is told")

    @pytest.mark.needs("ssh", "ssh-keygen")
    def test_over_ssh(self, sandbox, kitty, shell):
        sshd = Sshd(sandbox)
        sshd.has_terminals()
        far = Far(kitty, sshd.argv("-t", "far", command(sandbox, shell, sshd.home)))
        asked = kitty.asked()
        assert asked.count(NAME) == 1
        far.types_ahead()
        assert kitty.asked() == asked
        until(lambda: len(titles(kitty)) == TIMES, "each is told")
        assert bells(kitty) == 0

    @pytest.mark.needs("ssh", "ssh-keygen", "tmux")
    @pytest.mark.parametrize("set_clipboard", ["external", "on"])
    def test_over_ssh_from_a_pane(self, sandbox, tmux, shell, set_clipboard):
        tmux.session()
        tmux.option("-s", "set-clipboard", set_clipboard)
        terminal = tmux.attach(answers=XTERM_ANSWERS)
        sshd = Sshd(sandbox)
        sshd.has_terminals()
        pane = tmux.window()
        far = Far(pane, sshd.argv("-t", "far", command(sandbox, shell, sshd.home)))
        far.types_ahead()
        until(lambda: bells(terminal) == TIMES, "each is told")

    @pytest.mark.works(*APART[:-4], "true")
    @pytest.mark.needs("tmux")
    def test_in_a_container_in_a_pane(self, sandbox, tmux, shell):
        """Which sees neither the tmux nor its processes."""
        tmux.session()
        terminal = tmux.attach(answers=XTERM_ANSWERS)
        pane = tmux.window()
        inner = command(sandbox, shell, sandbox.path / "home")
        # Not in script of util-linux 2.41: there fish 4.0 stops at the third line, by itself.
        own_terminal = [sys.executable, "-c", "import pty, sys; pty.spawn(sys.argv[1:])"]
        words = ["env", "-u", "TMUX", "TMUX_PANE=", "TERM=xterm", *own_terminal, "sh", "-c", inner]
        far = Far(pane, ["unshare", "--pid", "--fork", "--kill-child", "--mount", "--mount-proc", *words])
        far.types_ahead()
        until(lambda: bells(terminal) == TIMES, "each is told")


@pytest.mark.slow
@shells
@pytest.mark.needs("ssh", "ssh-keygen")
def test_the_prompt_is_not_late(sandbox, shell):
    """At most 50 ms later than without a notification."""
    terminal = AnsweringTerminal(sandbox, KITTY, size=(200, 40))
    sshd = Sshd(sandbox)
    sshd.has_terminals()
    far = Far(terminal, sshd.argv("-t", "far", command(sandbox, shell, sshd.home)))

    def took(after):
        line = "set -g VIATTY_NOTIFY_AFTER {}" if shell == "fish" else "VIATTY_NOTIFY_AFTER={}"
        terminal.type(line.format(after) + "; echo s''et\r")
        far.wait_for_prompt(b"set")
        terminal.type("sh -c 'sleep 1.1; echo en\"\"ded'\r")
        terminal.wait_for(b"ended")
        began = time.monotonic()
        far.wait_for_prompt(b"ended")
        ended = time.monotonic()
        terminal.forget()
        return ended - began

    with_hook = min(took(1) for _ in range(4))
    without = min(took(0) for _ in range(4))
    assert with_hook < without + 0.05
