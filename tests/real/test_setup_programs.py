"""The copy commands of `setup fzf`, `lazygit`, `helix` and `tig`, and those of the manual for `mc`
and `yazi`, in the programs themselves; the browser, called by the programs that open
URLs; and the hooks of the agents, run as the agents run them."""

import base64
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from lib import sequences
from lib.answering import KITTY, AnsweringTerminal
from lib.mux import TmuxServer
from lib.processes import until
from lib.snippets import orphan, recipe, snippet


def copied(place, *texts):
    """One of these, as viatty sends it, and nothing else."""
    until(lambda: place.terminal.clipboard_so_far(), "it is copied")
    place.settle()
    # A program that is still drawing may be in the middle of a sequence.
    ((letter, text),) = until(place.terminal.clipboard_so_far, "the last sequence is whole")
    assert letter == "c" and text in texts


# ---- programs ------------------------------------------------------------------


def repository(sandbox):
    """A repository with one commit and a new file; gives where it is, and the commit."""
    place = sandbox.folder("repository")
    environment = sandbox.environment()
    git = lambda *words: subprocess.run(
        ["git", "-C", str(place), "-c", "user.name=A Person", "-c", "user.email=a@example.org",
         *words], env=environment, check=True, capture_output=True, text=True).stdout.strip()
    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "first")
    (place / "a new file").write_text("text\n")
    return place, git("rev-parse", "HEAD")


@pytest.mark.needs("fzf", "bash")
def test_fzf_copies_the_line(sandbox, plain):
    script = sandbox.fresh("script")
    script.write_text(snippet(sandbox, "fzf") +
                      "printf '%s\\n' \"it's one\" two | fzf --no-mouse\n")
    plain.open(["bash", str(script)], environment={"FZF_DEFAULT_OPTS": "--reverse"})
    plain.terminal.see("two")
    plain.terminal.type("\x1by")
    copied(plain, b"it's one")


@pytest.mark.needs("mcedit")
def test_mc_copies_what_its_editor_copies(sandbox, plain):
    sandbox.at_home(".config/mc/ini", recipe("viatty-setup.1", "clipboard_store"))
    text = sandbox.fresh("text")
    text.write_text("a line\nthe next\n")
    plain.open(["mcedit", "-u", str(text)])
    plain.terminal.see("the next")
    # F3, Down, Ctrl-Insert: from the start to the next line.
    plain.terminal.type("\x1bOR")
    plain.terminal.type("\x1bOB")
    plain.terminal.type("\x1b[2;5~")
    copied(plain, b"a line\n")


@pytest.mark.needs("tig", "git")
def test_tig_copies_the_commit(sandbox, plain):
    sandbox.at_home(".tigrc", snippet(sandbox, "tig"))
    place, commit = repository(sandbox)
    plain.open(["sh", "-c", f"cd '{place}' && exec tig"])
    plain.terminal.see("first")
    # It begins with the changes that are not committed.
    plain.terminal.type("jY")
    copied(plain, commit.encode())


def test_yazi_gets_a_key_that_copies_the_paths(plain):
    """Debian has no yazi: what it would run, with the paths as arguments."""
    (key,) = tomllib.loads(recipe("viatty-setup.1", "mgr.prepend_keymap"))["mgr"]["prepend_keymap"]
    command, _, line = key["run"].partition(" -- ")
    assert (key["on"], command) == ("<C-y>", "shell")
    assert plain.run(["sh", "-c", line, "yazi", "/a b", "/c'd"]).status == 0
    copied(plain, b"/a b\n/c'd")


@pytest.mark.needs("lazygit", "git")
def test_lazygit_copies_the_path(sandbox, plain):
    settings = snippet(sandbox, "lazygit") + "disableStartupPopups: true\n"
    sandbox.at_home(".config/lazygit/config.yml", settings)
    place, _ = repository(sandbox)
    plain.open(["lazygit", "-p", str(place)])
    plain.terminal.see("a new file")
    plain.terminal.type("\x0f")
    copied(plain, b"a new file")


@pytest.mark.needs("hx")
@pytest.mark.parametrize("keys, letter", [(" y", "c"), ('"+y', "c"), ('"*y', "p")])
def test_helix_copies_the_selection(sandbox, plain, keys, letter):
    sandbox.at_home(".config/helix/config.toml", snippet(sandbox, "helix"))
    text = sandbox.fresh("text")
    text.write_text("it's one\ntwo ✓\n")
    plain.open(["hx", str(text)])
    plain.terminal.see("two")
    plain.terminal.type("%" + keys)
    until(lambda: plain.terminal.clipboard_so_far(), "it is copied")
    plain.settle()
    assert plain.terminal.clipboard() == [(letter, "it's one\ntwo ✓\n".encode())]


# ---- the browser ---------------------------------------------------------------

URL = "https://a.example/b?c=d&e=f;g#h"
NPM = Path(os.environ.get("VIATTY_NPM", "/nonexistent"), "node_modules/npm/bin/npm-cli.js")
NPM_HOME = {"NPM_CONFIG_UPDATE_NOTIFIER": "false"}
GH = {"GH_TOKEN": "x", "GH_NO_UPDATE_NOTIFIER": "1"}
# The command, what else it needs, the URL that it opens, and whether the browser prints on the
# terminal: npm reads what it prints.
CALLERS = {
    "python": ([sys.executable, "-m", "webbrowser", URL], {}, URL, True),
    "xdg-open": (["xdg-open", URL], {}, URL, True),
    "git": (["git", "web--browse", URL], {"BROWSER": None}, URL, True),
    "gh": (["gh", "browse", "-R", "a/b"], GH, "https://github.com/a/b", True),
    "npm": (["node", str(NPM), "docs", "./package"], NPM_HOME, "https://a.example/#a", False),
}


# What each needs: the first is its program, but npm is a script that .ci/deps has fetched.
NEEDS = {"npm": [pytest.mark.needs("node", "xdg-open"),
                 pytest.mark.skipif(not NPM.is_file(), reason="npm is not fetched")]}


@pytest.fixture
def browser(sandbox):
    path = sandbox.at_home(".local/bin/viatty-browser", snippet(sandbox, "browser"))
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=NEEDS.get(name, pytest.mark.needs(call[0][0])))
    for name, call in CALLERS.items()
])
def test_what_opens_a_url_prints_and_copies_it(sandbox, plain, browser, name):
    argv, environment, url, prints = CALLERS[name]
    sandbox.at_home("package/package.json", '{"name": "a", "homepage": "https://a.example/#a"}')
    sandbox.at_home(".gitconfig", recipe("viatty-setup.1", "[web]"))
    line = f"cd ~ && {shlex.join(argv)}"
    result = plain.run(["sh", "-c", line], on_terminal=True,
                       environment={"BROWSER": browser, "DISPLAY": None, **environment})
    assert result.status == 0
    plain.settle()
    assert plain.terminal.clipboard() == [("c", url.encode())]
    links = [url for _, url, _ in sequences.links(plain.terminal.recorded())]
    assert links == ([url.encode()] if prints else [])


def test_a_url_is_encoded_before_it_is_printed_and_copied(plain, browser):
    hostile = "https://a.example/\n touch x\x1b]52;c;eA==\x07\u202e\x9b`\"<"
    encoded = (b"https://a.example/%0A%20touch%20x%1B]52;c;eA==%07%E2%80%AE%C2%9B%60%22%3C")
    plain.run([browser, hostile], on_terminal=True)
    plain.settle()
    assert plain.terminal.clipboard() == [("c", encoded)]
    assert [link[1:] for link in sequences.links(plain.terminal.recorded())] == [(encoded, encoded)]


def test_without_a_terminal_to_print_on_the_copy_decides(plain, browser):
    result = plain.run([browser, URL])
    assert (result.status, result.stdout, result.stderr) == (0, f"{URL}\n".encode(), "")
    plain.settle()
    assert plain.terminal.clipboard() == [("c", URL.encode())]
    refused = plain.run([browser, URL], environment={"VTE_VERSION": "7600"})
    assert (refused.status, refused.stdout) == (4, f"{URL}\n".encode())
    assert "not copied" in refused.stderr
    shown = plain.run([browser, URL], environment={"VTE_VERSION": "7600"}, on_terminal=True)
    assert shown.status == 0


def test_a_browser_without_any_terminal_fails(sandbox, browser):
    status, said = orphan(sandbox, shlex.join([browser, URL]))
    assert status == 3
    assert said.startswith(f"{URL}\nviatty copy: ")


def test_a_browser_takes_urls_only(plain, browser):
    for words in (["index.html"], ["-x"], [""], [URL, "/etc/passwd"]):
        result = plain.run([browser, *words])
        assert result.status == 2 and "not a URL" in result.stderr


# ---- agents --------------------------------------------------------------------

AGENTS = {"claude": "Stop", "codex": "Stop", "gemini": "AfterAgent"}


def hooks(sandbox, agent):
    """The commands of a snippet, by event and matcher."""
    lines = snippet(sandbox, agent).splitlines()
    settings = json.loads("\n".join(line for line in lines if not line.startswith("#")))
    return {
        f"{event} {group.get('matcher', '')}".strip(): hook["command"]
        for event, groups in settings["hooks"].items()
        for group in groups
        for hook in group["hooks"]
    }


def shown(terminal):
    """The text of the notifications so far; that of OSC 99 is in base64."""
    text = b""
    for token in sequences.parse(terminal.recorded()):
        if token.kind == "osc" and token.payload.startswith(b"99;") and b"p=?" not in token.payload:
            text += base64.b64decode(token.payload.rpartition(b";")[2]) + b" "
        elif token.kind == "osc" and token.payload.startswith(b"9;"):
            text += token.payload[2:]
    return text.decode()


@pytest.fixture
def kitty(sandbox):
    return AnsweringTerminal(sandbox, KITTY, term="xterm-kitty").inside()


CLAUDE_WAITS = "_dialog$|_needs_input$|^worker_permission_prompt$"
CLAUDE_SAYS = (
    "^(?!permission_prompt$|idle_prompt$|worker_permission_prompt$)(?!.*(_dialog|_needs_input)$)"
)
# Of each event: what its notification says.
EVENTS = {
    "claude": {
        "SessionStart startup|resume": None,
        "PreToolUse AskUserQuestion": "waits for you in",
        "PermissionRequest ^(?!AskUserQuestion$)": "waits for you in",
        f"Notification {CLAUDE_WAITS}": "waits for you in",
        f"Notification {CLAUDE_SAYS}": "says in",
        "Stop": "finished in",
        "StopFailure": "failed in",
    },
    "codex": {
        "SessionStart startup|resume": None,
        "PreToolUse ^request_user_input$": "waits for you in",
        "PermissionRequest": "waits for you in",
        "Stop": "finished in",
    },
    "gemini": {
        "SessionStart": None,
        "Notification ToolPermission": "waits for you in",
        "AfterAgent": "finished in",
    },
}


def hooked(place, command, said='{"session_id": "x"}'):
    """As agents start it: sh -c in a session of its own, the event on standard input."""
    line = "exec setsid --wait sh -c \"$0\""
    return place.start(["sh", "-c", line, command], stdin=said.encode()).wait()


@pytest.mark.parametrize("agent", EVENTS)
def test_hooks_without_a_terminal_notify(sandbox, kitty, agent):
    """By the terminal of their agent, and with the folder that it works in."""
    work = sandbox.path / "my project"
    work.mkdir()
    commands = hooks(sandbox, agent)
    assert set(commands) == set(EVENTS[agent])
    for event, text in EVENTS[agent].items():
        kitty.terminal.forget()
        result = hooked(kitty, f"cd '{work}'; {commands[event]}")
        assert (result.status, result.stdout, result.stderr) == (0, b"", "")
        kitty.settle()
        assert f"{text} my project" in shown(kitty.terminal) if text else not shown(kitty.terminal)


# By what Claude Code 2.1.332 calls its notifications, and what it may call others.
NOTIFICATIONS = {
    CLAUDE_WAITS: ("elicitation_dialog", "elicitation_url_dialog", "agent_needs_input",
                   "worker_permission_prompt", "later_dialog"),
    CLAUDE_SAYS: ("agent_completed", "auth_success", "push_notification",
                  "quota_auto_resume_fired", "computer_use_enter", "elicitation_complete",
                  "plugin_notification", "later"),
    None: ("permission_prompt", "idle_prompt"),
}


def test_each_notification_of_claude_is_replaced_once(sandbox):
    events = [event.partition(" ") for event in hooks(sandbox, "claude")]
    groups = [matcher for event, _, matcher in events if event == "Notification"]
    for group, names in NOTIFICATIONS.items():
        for name in names:
            found = [matcher for matcher in groups if re.search(matcher, name)]
            assert found == ([group] if group else []), name


SAID = {
    "claude": {
        "PreToolUse AskUserQuestion": ({"tool_input": {"questions": [{"question": "Which\tone?"}]}},
                                       "waits for you in home: Which one?"),
        "PermissionRequest ^(?!AskUserQuestion$)": (
            {"tool_name": "Bash", "tool_input": {"command": "rm \x1b]0!x\x07-r\nbuild"}},
            "waits for you in home: Bash: rm �]0!x�-r build"),
        f"Notification {CLAUDE_WAITS}": ({"message": "needs input"},
                                         "waits for you in home: needs input"),
        f"Notification {CLAUDE_SAYS}": ({"message": "agent done"}, "says in home: agent done"),
        "Stop": ({"last_assistant_message": "a" * 400}, "finished in home: " + "a" * 300),
        "StopFailure": ({"error": "rate_limit"}, "failed in home: rate_limit"),
    },
    "codex": {
        "PermissionRequest": ({"tool_name": "Bash", "tool_input": {"command": "make"}},
                              "waits for you in home: Bash: make"),
        "Stop": ({"last_assistant_message": None}, "finished in home"),
    },
    "gemini": {
        "Notification ToolPermission": ({"message": "Tool Edit"},
                                        "waits for you in home: Tool Edit"),
        "AfterAgent": ({"prompt_response": "Done."}, "finished in home: Done."),
    },
}


@pytest.mark.parametrize("agent", SAID)
@pytest.mark.needs("jq")
def test_a_notification_has_what_was_said(sandbox, kitty, agent):
    commands = hooks(sandbox, agent)
    (sandbox.path / "home").mkdir(exist_ok=True)
    for event, (said, text) in SAID[agent].items():
        kitty.terminal.forget()
        result = hooked(kitty, f"cd {sandbox.path}/home; {commands[event]}", json.dumps(said))
        assert (result.status, result.stdout) == (0, b"")
        kitty.settle()
        name = "(Claude Code|Codex|Gemini CLI):?"
        assert re.fullmatch(f"{name} {re.escape(text)}", shown(kitty.terminal).strip())


def test_without_what_was_said_a_notification_says_where(sandbox, kitty):
    (sandbox.path / "home").mkdir(exist_ok=True)
    for said in ("", "not JSON", "[]", '{"last_assistant_message": 5}'):
        kitty.terminal.forget()
        result = hooked(kitty, f"cd {sandbox.path}/home; {hooks(sandbox, 'claude')['Stop']}", said)
        assert (result.status, result.stdout) == (0, b"")
        kitty.settle()
        assert shown(kitty.terminal).replace(":", "").strip() == "Claude Code finished in home"


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.needs("tmux")
def test_a_hook_without_ancestors_uses_the_pane(sandbox, agent):
    server = TmuxServer(sandbox)
    pane = server.session()
    server.attach(terminal=AnsweringTerminal(sandbox, KITTY))
    known = lambda: server.run("list-clients", "-F", "#{client_termtype}")
    until(lambda: "kitty" in known(), "tmux knows the terminal")
    command = hooks(sandbox, agent)[AGENTS[agent]]
    here = {"TMUX": f"{server.socket},1,0", "TMUX_PANE": pane.id}
    status, message = orphan(sandbox, command, **here)
    assert (status, message) == (0, "")
    until(lambda: "finished in" in shown(server.terminal), "it is shown")
    # Kitty shows it if nobody looks at it; of a hidden pane the window is named.
    assert b"o=unfocused" in server.terminal.recorded()
    server.window()
    server.terminal.forget()
    assert orphan(sandbox, command, **here) == (0, "")
    until(lambda: "[0:" in shown(server.terminal), "it is shown")
    assert b"o=unfocused" not in server.terminal.recorded()


@pytest.mark.parametrize("agent", AGENTS)
def test_a_hook_with_neither_says_so_and_blocks_nothing(sandbox, agent):
    for event, command in hooks(sandbox, agent).items():
        status, message = orphan(sandbox, command)
        if EVENTS[agent][event] is None:
            assert (status, message) == (0, "")
            continue
        # 2 would make the agent go on, or refuse.
        assert status == 1
        assert message.startswith("viatty notify: ")
        assert "no terminal can be reached" in message.splitlines()[0]


BUSY, IDLE = {"type": "busy"}, {"type": "idle"}


def session(status, name="a"):
    return {"type": "session.status", "properties": {"sessionID": name, "status": status}}


def event(name, **properties):
    return {"type": name, "properties": {"sessionID": "a", **properties}}


ABORTED = {"name": "MessageAbortedError", "data": {}}


def plugged(sandbox, events):
    """A program that gives the events to the plugin, as OpenCode does."""
    plugin, main = sandbox.path / "viatty.mjs", sandbox.path / "main.mjs"
    plugin.write_text(snippet(sandbox, "opencode"))
    main.write_text(
        f"import {{ Viatty }} from {json.dumps(str(plugin))}\n"
        "const client = { app: { log: async (entry) => console.log(JSON.stringify(entry)) } }\n"
        'const hooks = await Viatty({ client, directory: "/home/a/my project" })\n'
        f"for (const event of {json.dumps(events)}) await hooks.event({{ event }})\n"
    )
    return ["node", str(main)]


A_TURN = [session(BUSY), session(IDLE), event("session.idle")]


# Events, and what is notified.
TURNS = {
    "a turn": (A_TURN, ["finished in"]),
    "busy twice": ([session(BUSY), session(BUSY), session(IDLE)], ["finished in"]),
    "a subagent": (
        [session(BUSY), session(BUSY, "b"), session(IDLE, "b"),
         {"type": "session.idle", "properties": {"sessionID": "b"}}], []),
    "both end": (
        [session(BUSY), session(BUSY, "b"), session(IDLE, "b"), session(IDLE)], ["finished in"]),
    "permission": (
        [event("permission.asked", permission="bash"), event("permission.replied")],
        ["waits for you in"]),
    "question": (
        [event("question.asked", questions=[]), event("question.replied", answers=[])],
        ["waits for you in"]),
    "no answer": (
        [event("question.asked", questions=[]), event("question.rejected")],
        ["waits for you in"]),
    "error": ([session(BUSY), event("session.error"), session(IDLE)], ["failed in"]),
    "aborted": ([session(BUSY), event("session.error", error=ABORTED), session(IDLE)], []),
    "nothing": ([session(IDLE), event("session.updated")], []),
}


@pytest.mark.needs("node")
@pytest.mark.parametrize("events, texts", TURNS.values(), ids=TURNS)
def test_the_plugin_of_opencode_notifies(sandbox, kitty, events, texts):
    result = kitty.run(plugged(sandbox, events))
    assert (result.status, result.stdout) == (0, b"")
    kitty.settle()
    text = shown(kitty.terminal)
    assert text.count("my project") == text.count("OpenCode") == len(texts)
    assert all(f"{words} my project" in text for words in texts)


@pytest.mark.needs("node")
@pytest.mark.parametrize("asked, said", [
    (event("permission.asked", permission="bash", patterns=["rm -rf build"]), "bash rm -rf build"),
    (event("question.asked", questions=[{"question": "Which\none?"}]), "Which one?"),
    (event("session.error", error={"name": "APIError", "data": {"message": "overloaded"}}),
     "overloaded"),
])
def test_the_plugin_of_opencode_says_what_it_was_asked(sandbox, kitty, asked, said):
    kitty.run(plugged(sandbox, [asked]))
    kitty.settle()
    assert f" my project: {said}" in shown(kitty.terminal).replace("\n", " ")


@pytest.mark.parametrize("agent", EVENTS)
def test_a_notification_that_is_probably_lost_warns_once(sandbox, agent):
    lost = AnsweringTerminal(sandbox, {}, term="tmux-256color").inside()
    for event, command in hooks(sandbox, agent).items():
        result = hooked(lost, command)
        if EVENTS[agent][event] is not None:
            assert (result.status, result.stdout) == (0, b"")
        elif agent == "codex":
            assert (result.status, result.stderr) == (0, "")
            assert "probably lost" in json.loads(result.stdout)["systemMessage"]
        else:
            assert (result.status, result.stdout) == (1, b"")
            assert result.stderr.count("probably lost") == 1


@pytest.mark.needs("node")
def test_the_plugin_of_opencode_logs_a_probable_loss_once(sandbox):
    lost = AnsweringTerminal(sandbox, {}, term="tmux-256color").inside()
    result = lost.run(plugged(sandbox, A_TURN + A_TURN))
    (entry,) = map(json.loads, result.stdout.splitlines())
    assert entry["body"]["level"] == "warn" and "probably lost" in entry["body"]["message"]


@pytest.mark.needs("node")
def test_the_plugin_of_opencode_logs_what_fails(sandbox):
    status, message = orphan(sandbox, shlex.join(plugged(sandbox, A_TURN)))
    assert status == 0
    entry = json.loads(message)["body"]
    assert entry["level"] == "error" and "no terminal can be reached" in entry["message"]
