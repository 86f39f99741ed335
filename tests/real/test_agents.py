"""The recipes of viatty-setup(1) for coding agents: hooks, run as the agents run them, and the
plugin of OpenCode, in node."""

import base64
import json

import pytest

from lib import sequences
from lib.answering import KITTY, AnsweringTerminal
from lib.mux import TmuxServer
from lib.processes import until
from lib.snippets import hooks, orphan, recipe

# Of Claude Code and Codex, and of Gemini CLI: what they show at which event.
CLAUDE = recipe("viatty-setup.1", '"PermissionRequest"')
GEMINI = recipe("viatty-setup.1", '"AfterAgent"')
SHOWN = [(CLAUDE, {"Stop": "done: ", "PermissionRequest": "waits: "}),
         (GEMINI, {"AfterAgent": "done: ", "Notification": "waits: "})]
agents = pytest.mark.parametrize("lines, events", SHOWN, ids=["claude", "gemini"])


def shown(terminal):
    """The text of the notifications so far; that of OSC 99 is in base64."""
    text = b""
    for token in sequences.parse(terminal.recorded()):
        if token.kind == "osc" and token.payload.startswith(b"99;") and b"p=?" not in token.payload:
            text += base64.b64decode(token.payload.rpartition(b";")[2]) + b" "
    return text.decode()


@pytest.fixture
def kitty(sandbox):
    return AnsweringTerminal(sandbox, KITTY, term="xterm-kitty").inside()


def hooked(place, command):
    """As agents start it: sh -c in a session of its own, the event on standard input."""
    line = "exec setsid --wait sh -c \"$0\""
    return place.start(["sh", "-c", line, command], stdin=b'{"session_id": "x"}').wait()


@agents
def test_hooks_without_a_terminal_notify(sandbox, kitty, lines, events):
    """By the terminal of their agent, and with the folder that it works in."""
    work = sandbox.folder("my project $(x)")
    assert set(hooks(lines)) == set(events)
    for event, text in events.items():
        kitty.terminal.forget()
        result = hooked(kitty, f"cd '{work}'; {hooks(lines)[event]}")
        assert (result.status, result.stdout, result.stderr) == (0, b"", "")
        kitty.settle()
        assert f"{text}{work.name}" in shown(kitty.terminal)


@pytest.mark.needs("tmux")
def test_a_hook_without_ancestors_uses_the_pane(sandbox):
    server = TmuxServer(sandbox)
    pane = server.session()
    server.attach(terminal=AnsweringTerminal(sandbox, KITTY))
    known = lambda: server.run("list-clients", "-F", "#{client_termtype}")
    until(lambda: "kitty" in known(), "tmux knows the terminal")
    command = hooks(CLAUDE)["Stop"]
    here = {"TMUX": f"{server.socket},1,0", "TMUX_PANE": pane.id}
    assert orphan(sandbox, command, **here) == (0, "")
    until(lambda: "done: home" in shown(server.terminal), "it is shown")
    # Kitty shows it if nobody looks at it; of a hidden pane the window is named.
    assert b"o=unfocused" in server.terminal.recorded()
    server.window()
    server.terminal.forget()
    assert orphan(sandbox, command, **here) == (0, "")
    until(lambda: "[0:" in shown(server.terminal), "it is shown")
    assert b"o=unfocused" not in server.terminal.recorded()


@agents
def test_a_hook_that_fails_says_so_and_blocks_nothing(sandbox, lines, events):
    """2 would make the agent go on, or refuse."""
    lost = AnsweringTerminal(sandbox, {}, term="tmux-256color").inside()
    for command in hooks(lines).values():
        status, message = orphan(sandbox, command)
        assert status == 1 and message.startswith("viatty notify: ")
        assert "no terminal can be reached" in message.splitlines()[0]
        assert hooked(lost, command.replace(" notify", " notify --unknown")).status == 1
        result = hooked(lost, command)
        assert (result.status, result.stdout) == (1, b"")
        assert result.stderr.count("probably lost") == 1


@pytest.mark.needs("node")
@pytest.mark.parametrize("event, text", [
    ("session.idle", "done"), ("permission.asked", "waits"), ("question.asked", "waits"),
    ("session.updated", None),
])
def test_the_plugin_of_opencode_notifies(sandbox, kitty, event, text):
    plugin, main = sandbox.path / "viatty.mjs", sandbox.path / "main.mjs"
    plugin.write_text(recipe("viatty-setup.1", "export const Viatty"))
    main.write_text(
        f"import {{ Viatty }} from {json.dumps(str(plugin))}\n"
        "const hooks = await Viatty({})\n"
        f'await hooks.event({{ event: {{ type: "{event}", properties: {{}} }} }})\n'
    )
    result = kitty.run(["node", str(main)])
    assert (result.status, result.stdout, result.stderr) == (0, b"", "")
    kitty.settle()
    assert shown(kitty.terminal).split() == (["OpenCode", text] if text else [])
