"""What callers that nobody watches show on another machine, behind a default tmux.

ssh runs in a pane here, and its server in namespaces of its own: over there nothing but
TERM tells of this tmux, which drops every copy.
"""

import shlex
import time

import pytest

from lib import expect, sequences
from lib.processes import until
from lib.runner import Runner
from lib.snippets import hooks, recipe, snippet
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


class TestEditors:
    ARGV = {
        "vim": "vim -N -i NONE -n -u {settings} {text}",
        "neovim": "nvim -i NONE -n -u {settings} {text}",
        "emacs": "emacs -nw -Q -l {settings} {text}",
    }
    YANK = {"vim": "gg\"+yG", "neovim": "gg\"+yG", "emacs": "\x18h\x1bw"}

    @pytest.mark.parametrize(
        "name", [pytest.param(n, marks=pytest.mark.needs(p)) for n, p in
                 (("vim", "vim"), ("neovim", "nvim"), ("emacs", "emacs"))]
    )
    @pytest.mark.parametrize("stated", [None, "copies"])
    def test_it_shows_the_loss_once(self, sandbox, far, pane, name, stated):
        settings, text = sandbox.fresh("settings"), sandbox.fresh("text")
        first = "" if name == "emacs" else "set nomore\n"
        settings.write_text(first + snippet(sandbox, name))
        text.write_text("first line\nsecond line\n")
        argv = shlex.split(self.ARGV[name].format(settings=settings, text=text))
        far.open(argv, environment={"VIATTY_OUTER_TMUX": stated, "VIATTY_TIMEOUT": "60"})
        until(lambda: "second line" in pane.text(), "the editor shows the text")
        if name == "emacs":
            self.messages(sandbox, pane, name)
        if stated:
            pane.server.option("-g", "set-clipboard", "on")
        self.yank(pane, name)
        if not stated:
            until(lambda: LOST[:40] in pane.text(), "the loss is shown")
        for _ in range(2):
            self.yank(pane, name)
        said = self.messages(sandbox, pane, name)
        if name == "emacs":
            pane.terminal.type("\x18\x03")
        all_is_shown(far, pane)
        if stated:
            writes = pane.terminal.clipboard()
            assert writes and {data for _, data in writes} == {b"first line\nsecond line\n"}
            assert "viatty" not in said
        else:
            expect.nothing_arrived(pane.terminal)
            assert (said.count(LOST), said.count(OPENS)) == (1, 1)

    def yank(self, pane, name):
        pane.terminal.type(self.YANK[name])

    def messages(self, sandbox, pane, name):
        """All of them, after the copies so far have ended; vim and neovim end too."""
        file = sandbox.fresh("messages")
        if name == "emacs":
            keys = "\x1b:(progn (viatty--wait) (with-current-buffer \"*Messages*\" " \
                f'(write-region nil nil "{file}.new" nil 0)) ' \
                f'(rename-file "{file}.new" "{file}"))\r'
        else:
            write = f"call writefile(split(execute('messages'), '\\n'), '{file}.new') | " \
                f"call rename('{file}.new', '{file}')"
            keys = f"\x1b:autocmd VimLeave * {write}\r:qa!\r"
        pane.terminal.type(keys)
        until(file.exists, "the editor writes its messages")
        return file.read_text()


def test_a_tmux_over_there_shows_it_in_its_status_line(sandbox, far, pane):
    settings = sandbox.fresh("tmux.conf")
    settings.write_text(snippet(sandbox, "tmux") + "set -g mode-keys vi\nset -g assume-paste-time 0\n")
    far.open(["tmux", "-f", str(settings), "new-session", "printf 'a line\\n'; exec cat"])
    until(lambda: "a line" in pane.text(), "the inner tmux is shown")
    # The prefix of the inner one: the outer sends it on when it is typed twice.
    for key in ("\x02\x02[", "g", " ", "$", "y"):
        pane.terminal.type(key)
    until(lambda: LOST[:30] in pane.text(), "the loss is shown")
    expect.nothing_arrived(pane.terminal)


@pytest.mark.needs("nvim")
def test_neovim_in_a_tmux_over_there_shows_it_too(sandbox, far, pane):
    """Until the client that shows this tmux says that the outer one passes copies."""
    settings, text = sandbox.fresh("settings"), sandbox.fresh("text")
    settings.write_text(snippet(sandbox, "neovim"))
    text.write_text("first line\n")
    editor = shlex.join(["nvim", "-i", "NONE", "-n", "-u", str(settings), str(text)])
    tmux = ["tmux", "-f", "/dev/null"]
    far.open([*tmux, "new-session", editor])
    until(lambda: "first line" in pane.text(), "neovim is shown")
    pane.terminal.type("\"+yy")
    until(lambda: LOST[:30] in pane.text(), "the loss is shown")
    expect.nothing_arrived(pane.terminal)
    # detached, and attached by a login that has the variable
    pane.terminal.type("\x02\x02d")
    until(lambda: "first line" not in pane.text(), "it is detached")
    pane.server.option("-g", "set-clipboard", "on")
    far.open([*tmux, "attach"], environment={"VIATTY_OUTER_TMUX": "copies"})
    until(lambda: "first line" in pane.text(), "neovim is shown again")
    pane.terminal.type(":messages clear\r\"+yy")
    until(lambda: pane.terminal.clipboard_so_far(), "it is copied")
    assert {data for _, data in pane.terminal.clipboard()} == {b"first line\n"}
    assert "lost" not in pane.text()


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
            pane.terminal.type("\x02\x02d")
            until(lambda: "[detached" in pane.text(), "it is detached")
            far.open(["tmux", "attach"], environment=folder)
            until(lambda: "[0]" in pane.text(), "it is shown again")


@pytest.mark.parametrize("learned", [False, True], ids=["unknown", "closed"])
def test_where_nothing_open_is_known_it_is_probably_lost(sandbox, far, pane, learned):
    if learned:
        expect.refused(far.run(["viatty", "copy"], stdin=b"x"), naming="outer tmux drops")
    runner = inside_tmux(sandbox, far)
    result = runner.run(["viatty", "copy", "-q"], stdin=b"x")
    assert result.status == 7 and LOST in result.stderr


def test_what_is_closed_later_is_not_remembered_as_open(sandbox, far, pane):
    for value, status in (("on", 0), ("off", 4)):
        pane.server.option("-g", "set-clipboard", value)
        assert far.run(["viatty", "copy"], stdin=b"x").status == status
    assert inside_tmux(sandbox, far).run(["viatty", "copy"], stdin=b"x").status == 7


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
