"""The snippets of `setup tmux` and `setup screen`, used with keys and the mouse."""

import os
import shutil
import subprocess

import pytest

from lib.answering import KITTY, AnsweringTerminal
from lib.beside import BusyTerminal
from lib.mux import ScreenSession, TmuxServer
from lib.processes import family, until
from lib.snippets import snippet
from lib.sshd import MoshLogin, Sshd
from lib.versions import has

PREFIX = "\x02"
# What a selection with $ of vi ends with.
END_OF_LINE = b"" if has("tmux", "no newline at the end of a line") else b"\n"


def read(sandbox, server, text):
    """Has the server read a snippet."""
    settings = sandbox.path / "tmux.conf"
    settings.write_text(text)
    server.run("source-file", str(settings))
    # Nobody types so fast, and tmux would take it for text that is pasted.
    server.option("-g", "assume-paste-time", "0")


@pytest.fixture
def pane(sandbox, tmux):
    """A pane with three lines of text, in a tmux that has read the snippet and copies nothing."""
    pane = tmux.session()
    tmux.option("-s", "set-clipboard", "off")
    tmux.attach()
    read(sandbox, tmux, snippet(sandbox, "tmux"))
    text = "first line\\nsecond wörld\\nthird\\n"
    pane.run(["sh", "-c", f"printf '{text}' >/dev/tty"])
    pane.settle()
    pane.terminal.forget()
    return pane


def selects(pane, keys):
    """Type keys in copy mode, which begins above the text on the left."""
    pane.terminal.type(f"{PREFIX}[")
    until(lambda: pane.mode() == "copy-mode", "copy mode begins")
    for key in keys:
        pane.terminal.type(key)


def selects_to_the_end(pane, keys):
    """The same, until the command that tmux started for the selection has ended."""
    processes = lambda: set(family(int(pane.server.ask("#{pid}"))))
    before = processes()
    selects(pane, keys)
    until(lambda: pane.mode() == "", "copy mode is left")
    until(lambda: processes() <= before, "the command of the selection has ended")


def viatty_copied(pane, text):
    """It came from viatty, which keeps the letter, and tmux said nothing else."""
    sequence = lambda: ("c", text) in pane.terminal.clipboard_so_far()
    until(sequence, f"{text!r} is on the clipboard")
    pane.settle()
    assert {data for _, data in pane.terminal.clipboard()} == {text}


def fails(pane, reason):
    """Has viatty copy fail with a message that names this."""
    pane.server.run("set-environment", "-g", "VIATTY_TERM", reason)


def messages(pane):
    """What the status line has shown."""
    log = pane.server.run("show-messages", "-t", pane.terminal.device).splitlines()
    return "\n".join(line for line in log if " message: " in line)


def before_3_2(sandbox, case):
    """Has viatty find a tmux that says so, which does this with a command."""
    tmux = shutil.which("tmux")
    sandbox.script("tmux", f"""\
case $* in
*list-clients*) {tmux} "$@" | sed -u 's/ V3[^ ]*/ V3.1c/' ;;
{case}
*) exec {tmux} "$@" ;;
esac""")


@pytest.mark.needs("tmux")
class TestTmux:
    @pytest.mark.parametrize("key", ["y", "\r"], ids=["y", "Enter"])
    def test_with_the_keys_of_vi(self, pane, key):
        pane.server.option("-g", "mode-keys", "vi")
        selects(pane, ["g", "j", "0", " ", "$", key])
        viatty_copied(pane, "second wörld".encode() + END_OF_LINE)
        until(lambda: pane.mode() == "", "copy mode is left")

    @pytest.mark.parametrize("key", ["\x1bw", "\x17"], ids=["M-w", "C-w"])
    def test_with_the_keys_of_emacs(self, pane, key):
        pane.server.option("-g", "mode-keys", "emacs")
        selects(pane, ["\x1b<", "\x00", "\x05", key])
        viatty_copied(pane, b"first line")
        until(lambda: pane.mode() == "", "copy mode is left")

    @pytest.mark.parametrize("keys", ["vi", "emacs"])
    def test_with_the_mouse(self, pane, keys):
        pane.server.option("-g", "mode-keys", keys)
        pane.server.option("-g", "mouse", "on")
        # SGR reports of xterm: press at column 1 of line 2, drag to 6, let go.
        pane.terminal.type("\x1b[<0;1;2M\x1b[<32;3;2M\x1b[<32;6;2M\x1b[<0;6;2m")
        # As emacs sees it, the cursor stands in front of its column.
        viatty_copied(pane, b"second" if keys == "vi" else b"secon")

    def test_a_key_of_tmux_that_names_no_command(self, pane):
        # C-k and D copy to the end of the line by copy-command.
        pane.server.option("-g", "mode-keys", "vi")
        selects(pane, ["g", "D"])
        viatty_copied(pane, b"first line" + END_OF_LINE)

    def test_no_option_but_copy_command_is_changed(self, sandbox, tmux):
        tmux.session()
        tmux.option("-g", "assume-paste-time", "0")
        options = lambda: [tmux.run("show-options", words) for words in ("-s", "-g")]
        before = options()
        read(sandbox, tmux, snippet(sandbox, "tmux"))
        changed = set("\n".join(options()).splitlines())
        changed -= set("\n".join(before).splitlines())
        (command,) = changed
        assert command.startswith("copy-command ")
        assert f"{sandbox.path}/bin/viatty" in command

    @pytest.mark.parametrize("key", ["y", "D"], ids=["bound", "copy-command"])
    def test_a_copy_that_fails_is_shown(self, sandbox, pane, key):
        # Nothing of it is a format, a command or a date.
        trap = sandbox.fresh("trap")
        fails(pane, f"100%H #{{pid}} #(touch {trap})")
        pane.server.option("-g", "mode-keys", "vi")
        for count in (1, 2):
            selects_to_the_end(pane, ["g", " ", "$", key])
            # In the log too there is one line for each, and no hint.
            log = pane.server.run("show-messages", "-t", pane.terminal.device)
            assert log.count("message: viatty copy: ") == count and "hint" not in log
        pane.terminal.see('"100%H #{pid} #(touch')
        assert not trap.exists()

    def test_a_tmux_before_3_2_is_told_no_time(self, sandbox, pane):
        """Its display-message takes only the text."""
        log = sandbox.fresh("log")
        before_3_2(sandbox, f"*'display-message -c'*) printf '%s\\n' \"$@\" >>{log} ;;")
        fails(pane, "nobody")
        pane.server.option("-g", "mode-keys", "vi")
        selects_to_the_end(pane, ["g", " ", "$", "y"])
        words = log.read_text().splitlines()
        assert words[2:4] == ["display-message", "-c"] and len(words) == 6
        assert words[5].startswith("viatty copy: ")

    def test_one_before_3_2_lists_the_terminals_of_all_clients(self, sandbox, pane):
        """So which of them gets copies of tmux is unknown, and viatty copies."""
        listed = "Terminal 0: x\\n 3: Ms: (string) x\\nTerminal 1: y\\n"
        before_3_2(sandbox, f"*show-messages*) printf '{listed}' ;;")
        pane.server.option("-s", "set-clipboard", "external")
        pane.server.option("-g", "mode-keys", "vi")
        selects_to_the_end(pane, ["g", " ", "$", "y"])
        until(lambda: "c" in dict(pane.terminal.clipboard_so_far()), "viatty copies")

    def test_a_warning_is_shown_once(self, sandbox):
        """In a tmux whose client runs in another one, which it cannot ask."""
        inner = TmuxServer(sandbox)
        pane = inner.session()
        terminal = inner.attach(term="screen-256color")
        read(sandbox, inner, snippet(sandbox, "tmux"))
        inner.option("-g", "mode-keys", "vi")
        pane.run(["sh", "-c", "printf 'first line\\n' >/dev/tty"])
        pane.settle()
        for count in (1, 2, 3):
            selects_to_the_end(pane, ["g", " ", "$", "y"])
            until(lambda: len(terminal.recorded().split(b"]52;")) > count, "it is sent")
            assert messages(pane).count("either tmux or Screen") == 1

    def test_an_empty_selection_is_no_failure(self, pane):
        pane.server.option("-g", "mode-keys", "vi")
        selects_to_the_end(pane, ["y"])
        fails(pane, "another reason")
        selects(pane, ["g", " ", "$", "y"])
        pane.terminal.see("another reason")
        assert messages(pane).count("viatty copy: ") == 1

    def test_a_selection_that_is_too_large_is_a_failure(self, pane):
        """For the limit of the terminal that the server's environment names."""
        fails(pane, "contour")
        pane.server.option("-g", "mode-keys", "vi")
        pane.server.option("-g", "history-limit", "9000")
        window = pane.server.window()
        window.run(["sh", "-c", "seq -f '%09g' 8000 >/dev/tty"])
        until(lambda: "000008000" in window.text(), "the lines are printed")
        selects_to_the_end(window, ["g", "V", "G", "y"])
        window.terminal.see("too large")
        assert ("c", b"") not in window.terminal.clipboard()


# What the client's terminal says of itself, and its TERM.
FOOT = {"term": "foot", "answers": {b"\x1b[c": b"\x1b[?62;22c",
                                    b"\x1b[>q": b"\x1bP>|foot(1.27.0)\x1b\\"}}
XTERM = {"term": "xterm-256color", "answers": {b"\x1b[c": b"\x1b[?62;22c",
                                               b"\x1b[>q": b"\x1bP>|XTerm(379)\x1b\\"}}


def lines_selected(sandbox, tmux, count, set_clipboard="external", **how):
    """Select that many lines with V and y; the terminal, when tmux has sent what it has."""
    terminal = BusyTerminal(sandbox, **how)
    tmux.session()
    tmux.option("-g", "history-limit", "70000")
    tmux.option("-g", "mode-keys", "vi")
    tmux.option("-s", "set-clipboard", set_clipboard)
    tmux.attach(terminal=terminal)
    read(sandbox, tmux, snippet(sandbox, "tmux"))
    pane = tmux.window()
    pane.run(["sh", "-c", f"seq -f 'a line, number %g' {count} >/dev/tty"])
    until(lambda: f"number {count}" in pane.text(), "the lines are printed")
    tmux.run("copy-mode", "-t", pane.id)
    for command in ("history-top", "select-line", "history-bottom"):
        tmux.run("send-keys", "-t", pane.id, "-X", command)
    # As a person does, who sees what is selected: until then tmux discards its own copy, too.
    terminal.judge.wait_until_quiet(1)
    terminal.type("y")
    until(lambda: pane.mode() == "", "copy mode is left")
    until(lambda: terminal.judge.strings, "the selection arrives")
    terminal.judge.wait_until_quiet(1)
    return terminal, tmux.run("show-buffer")


@pytest.mark.needs("tmux", "/usr/share/terminfo/f/foot")
class TestOnce:
    @pytest.mark.parametrize("set_clipboard, count, rate", [
        ("external", 100, None), ("off", 2000, 500_000), ("external", 20_000, 1_000_000),
    ])
    def test_a_selection_arrives_once(self, sandbox, tmux, set_clipboard, count, rate):
        """Of tmux, or with set-clipboard off of viatty."""
        terminal, selected = lines_selected(
            sandbox, tmux, count, set_clipboard, rate=rate, **FOOT)
        assert selected.count("\n") > count - 50
        (copied,) = terminal.judge.copies()
        assert copied.decode().rstrip("\n") == selected
        assert terminal.judge.cuts() == []

    @pytest.mark.parametrize("term", ["foot", "vt220"])
    def test_it_arrives_once_where_tmux_does_not_know_the_name(self, sandbox, tmux, term):
        """Of tmux, if that knows how TERM copies; else of viatty."""
        terminal, selected = lines_selected(
            sandbox, tmux, 100, term=term, answers={b"\x1b[c": b"\x1b[?62;22c"})
        assert tmux.run("list-clients", "-F", "#{client_termtype}") == ""
        (copied,) = terminal.judge.copies()
        assert copied.decode().rstrip("\n") == selected

    def test_xterm_gets_both_and_neither_cuts_the_other(self, sandbox, tmux):
        """What tmux sends becomes its primary selection only."""
        terminal, selected = lines_selected(sandbox, tmux, 10_000, rate=1_000_000, **XTERM)
        until(lambda: len(terminal.judge.strings) == 2, "both arrive")
        assert {copy.decode().rstrip("\n") for copy in terminal.judge.copies()} == {selected}
        assert terminal.judge.cuts() == []


@pytest.mark.needs("tmux", "ssh", "ssh-keygen", "mosh-server", "mosh-client")
def test_behind_mosh_which_drops_what_tmux_copies_it_arrives(sandbox, tmux):
    there = MoshLogin(Sshd(sandbox), AnsweringTerminal(sandbox, KITTY))
    pane = tmux.session()
    tmux.option("-g", "mode-keys", "vi")
    there.start(tmux.argv("attach-session"), stdin=None, on_terminal=True)
    until(tmux.clients, "the client appears")
    read(sandbox, tmux, snippet(sandbox, "tmux"))
    pane.run(["sh", "-c", "printf 'first line\\n' >/dev/tty"])
    until(lambda: "first line" in pane.text(), "the line is printed")
    tmux.run("copy-mode", "-t", pane.id)
    for command in ("history-top", "select-line"):
        tmux.run("send-keys", "-t", pane.id, "-X", command)
    there.terminal.type("y")
    until(lambda: there.terminal.clipboard_so_far() == [("c", b"first line\n")], "it arrives")


@pytest.mark.needs("tmux")
def test_the_server_may_have_another_path(sandbox, tmux):
    """viatty is in none of the folders that the server knows."""
    bin, tools = sandbox.path / "bin", sandbox.path / "my tools, ö"
    bin.rename(tools)
    words = [str(tools / "viatty"), "setup", "tmux"]
    environment = sandbox.environment(PATH=f"{tools}:{os.environ['PATH']}")
    done = subprocess.run(words, env=environment, capture_output=True, check=True)
    pane = tmux.session()
    tmux.option("-s", "set-clipboard", "off")
    tmux.attach()
    read(sandbox, tmux, done.stdout.decode())
    tmux.option("-g", "mode-keys", "vi")
    pane.run(["sh", "-c", "printf 'first line\\n' >/dev/tty"])
    pane.settle()
    pane.terminal.forget()
    selects(pane, ["g", "0", " ", "e", "y"])
    viatty_copied(pane, b"first")
    pane.terminal.forget()
    selects(pane, ["g", "0", "D"])
    viatty_copied(pane, b"first line" + END_OF_LINE)


@pytest.mark.needs("screen")
def test_screen_sends_what_was_copied(sandbox, terminal):
    home = sandbox.folder("a home")
    terminal.environment["HOME"] = str(home)
    session = ScreenSession(sandbox, terminal, settings=snippet(sandbox, "screen"))
    session.run(["sh", "-c", "printf 'first line\\nsecond\\n' >/dev/tty"])
    session.settle()
    terminal.forget()
    # The copy mode, up to the first line, from its start to its end.
    terminal.type("\x01[")
    terminal.wait_for(b"Copy mode")
    for key in ["g", "0", " ", "$", " "]:
        terminal.type(key)
    terminal.wait_for(b"Copied")
    terminal.type("\x01y")
    until(lambda: terminal.clipboard_so_far() == [("c", b"first line")], "it is copied")
    until(lambda: not list(home.glob(".screen-copied*")), "the file is taken away")
