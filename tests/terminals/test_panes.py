"""Whether the user looks at a pane of tmux: what a real kitty shows on the desktop."""

import json
import os

import pytest
from makes import KITTY_SHIPPED, on
from test_notify import a_title, await_it, shown

from lib.desktop import PATIENCE, eventually
from lib.mux import TmuxServer
from lib.processes import Orphan
from lib.snippets import snippet

NOTIFY = ["viatty", "notify", "--when", "unfocused"]
in_kitty = on(KITTY_SHIPPED, places=("alone",))
NOBODY = "0"

SHELLS = {
    "bash": ("--noprofile -i", ".bashrc", "PS1='<%s>'"),
    "zsh": ("-d -i", ".zshrc", "PROMPT='<%s>'"),
    "fish": ("-i", ".config/fish/config.fish", "function fish_prompt; echo -n '<%s>'; end"),
}
AGENTS = {"claude": "Stop", "codex": "Stop", "gemini": "AfterAgent"}
SAYS = {"claude": "Claude Code", "codex": "Codex", "gemini": "Gemini CLI"}


class Desk:
    """A tmux in the kitty, with the pane of a program in its only window."""

    def __init__(self, kitty, bus, events):
        self.kitty, self.bus = kitty, bus
        self.tmux = TmuxServer(kitty.sandbox)
        self.pane = self.tmux.session()
        self.tmux.option("-g", "focus-events", events)
        self.tmux.run("rename-window", "-t", "main", "api")
        kitty.open(self.tmux.argv("attach-session", "-t", "main"))
        eventually(lambda: "kitty" in self.client("#{client_termtype}"), "tmux knows the kitty")

    def client(self, what):
        return self.tmux.run("list-clients", "-F", what)

    def focus(self, window, known=True):
        self.kitty.seat.focus(window)
        focused = lambda: "focused" in self.client("#{client_flags}").split(",")
        if known:
            eventually(lambda: focused() == (window != NOBODY), "tmux knows about the focus")

    def shows(self, title, pane=None):
        """Of a notification and one without a condition, which comes after it."""
        pane, last = pane or self.pane, a_title(self.kitty, "last")
        for argv in ([*NOTIFY, title], ["viatty", "notify", last]):
            assert pane.run(argv).status == 0
        await_it(self.bus, last)
        return [told[0] for told in shown(self.bus, title)]

    def runs_hook(self, agent):
        """As an agent starts it: without a terminal, in a session of its own."""
        sandbox = self.kitty.sandbox
        lines = snippet(sandbox, agent).splitlines()
        hooks = json.loads("\n".join(line for line in lines if line[:1] != "#"))["hooks"]
        (group,) = hooks[AGENTS[agent]]
        pane = {"TMUX": f"{self.tmux.socket},1,0", "TMUX_PANE": self.pane.id}
        with open(os.devnull, "r+b") as nothing:
            for hook in group["hooks"]:
                argv = ["sh", "-c", hook["command"]]
                program = Orphan(argv, sandbox.environment(**pane), (nothing,) * 3,
                                 directory=sandbox.path / "home")
                assert program.wait() == 0

    def close(self):
        self.tmux.run("kill-server")
        self.kitty.guest.wait(PATIENCE)
        self.kitty.focus()


@pytest.fixture
def desk(place, stage):
    desks = []

    def sit_down(events="on"):
        desks.append(Desk(place, stage.desktop.bus, events))
        return desks[0]

    yield sit_down
    for desk in desks:
        desk.close()


@in_kitty
def test_a_hidden_window(desk, place):
    desk = desk()
    title = a_title(place, "hidden")
    desk.tmux.window()
    assert desk.shows(title) == [f"{title} [0:api]"]


@in_kitty
def test_the_pane_with_the_keyboard(desk, place):
    desk = desk()
    assert desk.shows(a_title(place, "seen")) == []
    desk.focus(NOBODY)
    title = a_title(place, "away")
    assert desk.shows(title) == [title]
    desk.focus(place.window)
    assert desk.shows(a_title(place, "back")) == []


@in_kitty
def test_a_tmux_that_does_not_know_the_focus(desk, place):
    desk = desk("off")
    desk.focus(NOBODY, known=False)
    title = a_title(place, "away")
    assert desk.shows(title) == [title]


@in_kitty
def test_a_detached_session(desk, place):
    desk = desk()
    other = desk.tmux.session("other")
    desk.tmux.run("rename-window", "-t", "other", "task")
    title = a_title(place, "detached")
    assert desk.shows(title, other) == [f"{title} [other 0:task]"]


@in_kitty
@pytest.mark.parametrize("agent", AGENTS)
def test_an_agent(desk, place, agent):
    desk = desk()
    before = len(desk.bus.shown())
    desk.runs_hook(agent)
    last = a_title(place, "last")
    assert desk.pane.run(["viatty", "notify", last]).status == 0
    await_it(desk.bus, last)
    assert not [told for told in desk.bus.shown()[before:] if SAYS[agent] in told[0]]
    desk.tmux.window()
    desk.runs_hook(agent)
    await_it(desk.bus, f"{SAYS[agent]} [0:api]")


@in_kitty
@pytest.mark.parametrize(
    "shell", [pytest.param(name, marks=pytest.mark.needs(name)) for name in SHELLS]
)
def test_a_slow_command_of_a_shell(desk, place, shell):
    desk = desk()
    options, file, prompt = SHELLS[shell]
    load = "viatty setup fish | source" if shell == "fish" else f"source <(viatty setup {shell})"
    place.sandbox.at_home(file, f"{prompt % shell}\n{load}\n")
    window = desk.tmux.run("new-window", "-P", "-F", "#{pane_id}", "-n", "shell",
                           "-e", "VIATTY_NOTIFY_AFTER=1", f"{shell} {options}")
    prompts = lambda: desk.tmux.run("capture-pane", "-p", "-t", window).count(f"<{shell}>")
    eventually(lambda: prompts() == 1, "the shell is ready")

    def types(line, number):
        desk.tmux.run("send-keys", "-t", window, line, "Enter")
        eventually(lambda: prompts() == number, "the prompt is back")

    seen, hidden = f"sleep 1.2; : {shell} seen", f"sleep 1.2; : {shell} hidden"
    types(seen, 2)
    desk.tmux.run("select-window", "-t", ":0")
    types(hidden, 3)
    await_it(desk.bus, f"{hidden} [1:shell]")
    assert not shown(desk.bus, seen)
