"""What callers that nobody watches show on another machine, behind a default tmux.

ssh runs in a pane here, and its server in namespaces of its own: over there nothing but
TERM tells of this tmux, which drops every copy.
"""

import time

import pytest

from lib import expect, sequences
from lib.processes import until
from lib.runner import Runner
from lib.snippets import hooks, recipe
from lib.sshd import Sshd
from lib.terminal import XTERM_ANSWERS

pytestmark = [
    pytest.mark.root,
    pytest.mark.needs("ssh", "ssh-keygen", "tmux"),
    pytest.mark.works("unshare", "--pid", "--fork", "--mount", "--mount-proc", "--uts", "true"),
]

LOST = "probably lost: the outer tmux drops copies by default"
OPENS = "tmux set -g set-clipboard on"


@pytest.fixture
def pane(tmux):
    pane = tmux.session()
    tmux.attach(answers=XTERM_ANSWERS)
    return pane


@pytest.fixture
def far(sandbox, pane):
    """A login on the other machine from that pane, with a terminal of the same size."""
    return Sshd(sandbox, apart=True).login(pane)


def test_the_other_machine_is_apart(far, pane):
    """What the other tests rest on."""
    seen = far.run(["sh", "-c", "ps -e -o comm=; ls $TMUX_TMPDIR; echo $TERM; hostname"])
    processes = seen.stdout.decode().split()
    assert "sshd" in processes and "ssh" not in processes
    assert not [name for name in processes if name.startswith("tmux:")]
    assert processes[-2:] == [pane.server.ask("#{default-terminal}") or "tmux-256color", "far"]


def test_a_shell_is_refused(far, pane):
    """It can ask the terminal, and this tmux replies."""
    expect.refused(far.run(["viatty", "copy"], stdin=b"x"), naming=["outer tmux drops", OPENS])
    all_is_shown(far, pane)
    expect.nothing_arrived(pane.terminal)


def all_is_shown(far, pane):
    """What was sent before has been drawn here, or was dropped."""
    far.run(["sh", "-c", "echo the-end >/dev/tty"])
    pane.terminal.see("the-end")


def test_a_hook_rings_the_bell(sandbox, far, pane):
    """It runs in a session of its own, and nobody sees what it prints."""
    window = pane.server.run("new-window", "-d", "-P", "-F", "#{window_id}", "cat")
    pane.server.run("select-window", "-t", window)
    hook = hooks(recipe("viatty-setup.1", '"PermissionRequest"'))["Stop"]
    result = far.run(["setsid", "-w", "sh", "-c", hook], stdin=b"{}")
    until(lambda: pane.server.ask("#{window_bell_flag}", pane.id) == "1", "the window is flagged")
    # The agent shows what a hook says that fails.
    assert result.status == 1 and "probably lost: the outer tmux drops this" in result.stderr
    assert "allow-passthrough on" in result.stderr
    assert sequences.osc(pane.terminal.recorded(), 9) == []
    said = far.run(["setsid", "-w", "sh", "-c", hook], environment={"VIATTY_OUTER_TMUX": "all"})
    assert (said.status, said.stdout) == (0, b"") and "lost" not in said.stderr


def inside_tmux(sandbox, far, **how):
    """A runner in a tmux over there, whose client is on the terminal of the login."""
    runner = Runner(sandbox, apart=True)
    far.open(["tmux", "new-session", runner.command], **how)
    return runner.ready()


def attach_again(far, pane, **how):
    pane.terminal.type("\x02\x02d")
    until(lambda: "[detached" in pane.text(), "it is detached")
    far.open(["tmux", "attach"], **how)
    until(lambda: "[0]" in pane.text(), "it is shown again")


@pytest.mark.parametrize("runtime", [True, False], ids=["runtime directory", "without"])
def test_a_tmux_over_there_knows_what_the_login_has_learned(sandbox, far, pane, runtime):
    folder = {"XDG_RUNTIME_DIR": str(sandbox.folder("runtime", 0o700))} if runtime else {}
    pane.server.option("-g", "set-clipboard", "on")
    expect.sent(far.run(["viatty", "copy"], stdin=b"login", environment=folder))
    runner = inside_tmux(sandbox, far, environment=folder)
    for attached in ("at first", "again"):
        result = runner.run(["viatty", "copy"], stdin=attached.encode(), environment=folder)
        assert (result.status, result.stderr) == (0, "")
        # The outer tmux drops the letter.
        until(lambda: attached.encode() in dict(pane.terminal.clipboard_so_far()).values(),
              "it arrives")
        report = runner.run(["viatty", "doctor", "--json", "copy"], environment=folder)
        # The terminal beyond the outer tmux is not known.
        assert report.status == 0 and b'"arrives":"unknown"' in report.stdout
        if attached == "at first":
            attach_again(far, pane, environment=folder)


@pytest.mark.parametrize("learned", [False, True], ids=["unknown", "closed"])
def test_where_nothing_open_is_known_it_is_probably_lost(sandbox, far, pane, learned):
    """Until the login that shows it says that the outer tmux passes copies."""
    if learned:
        # open at first
        for value, status in (("on", 0), ("off", 4)):
            pane.server.option("-g", "set-clipboard", value)
            assert far.run(["viatty", "copy"], stdin=b"x").status == status
    runner = inside_tmux(sandbox, far)
    result = runner.run(["viatty", "copy", "-q"], stdin=b"x")
    assert result.status == 7 and LOST in result.stderr
    attach_again(far, pane, environment={"VIATTY_OUTER_TMUX": "copies"})
    assert runner.run(["viatty", "copy"], stdin=b"x").status == 0


def test_the_start_of_a_login_learns_it_too(sandbox, far, pane):
    pane.server.option("-g", "set-clipboard", "on")
    far.run(["viatty", "notify", "--from-hook"])
    result = inside_tmux(sandbox, far).run(["viatty", "copy"], stdin=b"x")
    assert (result.status, result.stderr) == (0, "")


def test_passthrough_that_was_off_is_not_waited_for_as_long(far, pane):
    """Once it is on, that is found out at once."""
    took = {}
    for passes, status in (("off", 4), ("off", 4), ("on", 0)):
        pane.server.option("-g", "allow-passthrough", passes)
        far.run(["touch", "-a", far.runner.device])  # as if a key had been typed
        began = time.monotonic()
        result = far.run(["viatty", "notify", "--term", "iterm2", "built"])
        took.setdefault(status, []).append(time.monotonic() - began)
        assert result.status == status, result.stderr
    first, again = took[4]
    assert again < first - 0.4
