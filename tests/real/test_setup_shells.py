"""The hooks of `setup bash`, `zsh` and `fish` in the shells themselves."""

import base64
import os
import re
import shlex
import time

import pytest

from lib import sequences
from lib.answering import DA1, IDENTITY, KITTY, NAME, PLAIN, AnsweringTerminal, name
from lib.processes import until
from lib.snippets import StandIn, snippet
from lib.terminal import OuterTerminal

# A person's own settings: a prompt that shows $?, and all that hooks could break.
BASH = """\
PS1='<$?>'
PROMPT_COMMAND='echo "[prompt $?]"'
trap 'debugged=yes' DEBUG
"""
ZSH = """\
PROMPT='<%?>'
setopt ksh_arrays sh_word_split no_unset
precmd() { echo "[prompt $?]" }
their_preexec() { seen=$1 }
preexec_functions=(their_preexec)
"""
FISH = """\
function fish_prompt; echo -n "<$status>"; end
function fish_greeting; end
function their_postexec --on-event fish_postexec; echo "[prompt $status]"; end
"""
# As the page has it: a shell without viatty says nothing.
IF_THERE = "command -v viatty >/dev/null && "


class Person:
    """Somebody at a shell with the snippet, whose prompt shows the status."""

    SETTINGS = {"bash": BASH, "zsh": ZSH, "fish": FISH}
    LOAD = {
        "bash": f"{IF_THERE}source <(viatty setup bash)\n",
        "zsh": f"{IF_THERE}source <(viatty setup zsh)\n",
        "fish": f"{IF_THERE}viatty setup fish | source\n",
    }
    FILES = {
        "bash": ".bashrc",
        "zsh": ".zshrc",
        "fish": ".config/fish/config.fish",
    }
    ARGV = {
        "bash": ["bash", "--noprofile", "-i"],
        "zsh": ["zsh", "-d", "-i"],
        "fish": ["fish", "-i"],
    }

    def __init__(self, sandbox, shell, settings="", after="3", terminal=None):
        sandbox.at_home(self.FILES[shell], self.SETTINGS[shell] + settings + self.LOAD[shell])
        self.terminal = terminal or OuterTerminal(sandbox, size=(200, 24))
        environment = {"SHELL": shell, "VIATTY_NOTIFY_AFTER": after}
        self.terminal.start(self.ARGV[shell], **environment)
        self.terminal.wait_for(b"<0>")

    def does(self, line, status=0):
        """Type a line and wait for the next prompt; what came in between."""
        self.terminal.forget()
        self.terminal.type(f"{line}\r")
        self.terminal.wait_for(f"[prompt {status}]".encode())
        self.terminal.wait_for(lambda record: self._prompt_is_back(record, status))
        return self.terminal.recorded().decode()

    def interrupts(self, line, key, status):
        """The same for a command that is ended with a key once it says that it runs."""
        self.terminal.forget()
        self.terminal.type(f"{line}\r")
        self.terminal.wait_for(b"running\r\n")
        self.terminal.type(key)
        self.terminal.wait_for(lambda record: self._prompt_is_back(record, status))

    def tells(self, line):
        """What a line prints between two brackets."""
        # The first brackets are those that were typed.
        return self.does(line).rpartition("((")[2].partition("))")[0]

    @staticmethod
    def _prompt_is_back(record, status):
        after = record.partition(b"[prompt ")[2]
        return bool(re.search(b"<%s>" % (b"%d" % status if status is not None else rb"\d+"), after))


def each(*names):
    cases = [pytest.param(name, marks=pytest.mark.needs(name)) for name in names]
    return pytest.mark.parametrize("shell", cases)


shells = each(*Person.SETTINGS)


@pytest.mark.slow
@shells
def test_a_slow_command_notifies_once_and_fast_ones_never(sandbox, shell):
    viatty = StandIn(sandbox)
    person = Person(sandbox, shell, after="2")
    person.does("true")
    person.does("sh -c 'exit 7'", status=7)
    person.does("sleep 2.2")
    assert len(viatty.calls()) == 1
    person.does("sh -c 'sleep 2.2; exit 7'", status=7)
    person.does("true")
    assert [call[0] for call in viatty.calls()] == ["notify"] * 2
    (done, seconds), (failed, again) = map(told, viatty.calls())
    where = sandbox.path
    assert done == ["sleep 2.2", f"done after {seconds} s in {where}"]
    assert failed == [
        "sh -c 'sleep 2.2; exit 7'", f"failed with status 7 after {again} s in {where}"]
    assert 2 <= seconds < 100 and 2 <= again < 100


def told(call):
    """The lines of a notification of the hook, and its seconds."""
    command, option, dash, *lines = call
    assert (command, option[:12], dash) == ("notify", "--from-hook=", "-")
    return lines, int(option[12:])


def titles(viatty):
    return [told(call)[0][0] for call in viatty.calls()]


HIDING = {"bash": "HISTCONTROL=ignorespace\n", "zsh": "setopt hist_ignore_space\n", "fish": ""}


@pytest.mark.slow
@shells
def test_the_line_is_the_title(sandbox, shell):
    """As it was typed; of one that is hidden from the history, only its program."""
    viatty = StandIn(sandbox)
    person = Person(sandbox, shell, HIDING[shell], after="1")
    block = "begin; sleep 1.2; end" if shell == "fish" else "(sleep 1.2)"
    for line in (
        "sleep 1.2 && true",
        " sh -c 'sleep 1.2' secret",
        " /usr/bin/sleep 1.2",
        " A=se/cret sleep 1.2",
        block,
        "echo 'a\nb'; sleep 1.2",
    ):
        person.does(line)
    assert titles(viatty) == [
        "sleep 1.2 && true", "sh", "sleep", "a command", block, "echo 'a b'; sleep 1.2"]


# The clocks of the hooks, put back by 125 seconds, and by 3605.
LONG = {
    "bash": "SECONDS=$((SECONDS + %d))",
    "zsh": "(( _viatty_began -= %d ))",
    "fish": "set -g CMD_DURATION %d000; __viatty_postexec long",
}


@shells
def test_from_a_minute_on_minutes_are_told(sandbox, shell):
    viatty = StandIn(sandbox)
    person = Person(sandbox, shell, after="60")
    for seconds in (125, 3605):
        person.does(LONG[shell] % seconds)
    bodies = [told(call)[0][1] for call in viatty.calls()]
    assert [body.partition(" in ")[0] for body in bodies] == [
        "done after 2 min 5 s", "done after 60 min 5 s"]


@pytest.mark.slow
@pytest.mark.needs("fish")
def test_fish_with_an_empty_environment_notifies(sandbox):
    """Without TERM, say; its home and PATH are those of the sandbox."""
    settings = FISH + "set -g VIATTY_NOTIFY_AFTER 1\n"
    sandbox.at_home(Person.FILES["fish"], settings + Person.LOAD["fish"])
    terminal = AnsweringTerminal(sandbox, PLAIN, size=(200, 24))
    known = [f"HOME={sandbox.path}/home", f"PATH={sandbox.path}/bin:{os.environ['PATH']}"]
    terminal.start(["env", "-i", *known, "fish", "-i"])
    terminal.wait_for(b"<0>")
    terminal.forget()
    terminal.type(f"{SLOW % 0}\r")
    terminal.wait_for(b"[prompt 0]")
    terminal.wait_for(b"<0>")
    terminal.settle()
    assert b"\a" in terminal.recorded() and terminal.asked() == IDENTITY


@pytest.mark.slow
@shells
def test_a_pattern_of_the_person_names_what_never_notifies(sandbox, shell):
    viatty = StandIn(sandbox)
    person = Person(sandbox, shell, after="1")
    pattern = {"bash": "='@(sleep 1.2|true)*'", "zsh": "='(sleep 1.2|true)*'",
               "fish": " 'sleep 1.2*' 'true*'"}[shell]
    person.does("sleep 1.2")
    person.does(f"{'set -g ' if shell == 'fish' else ''}VIATTY_NOTIFY_IGNORE{pattern}")
    for line in ("sleep 1.2", "sleep 1.2 && true", "true && sleep 1.2", "sleep 1.3"):
        person.does(line)
    assert titles(viatty) == ["sleep 1.2", "sleep 1.3"]


@shells
def test_the_notification_reaches_the_terminal(sandbox, shell):
    terminal = AnsweringTerminal(sandbox, KITTY, size=(200, 24), term="xterm-kitty")
    person = Person(sandbox, shell, after="1", terminal=terminal)
    person.does(SLOW % 0)
    terminal.settle()
    assert terminal.asked() == []
    sent = b"".join(token.raw for token in sequences.osc(terminal.recorded(), 99))
    assert b"o=unfocused" in sent


@pytest.mark.slow
@shells
def test_a_terminal_without_a_name_is_asked_as_the_login_begins_and_never_again(sandbox, shell):
    terminal = AnsweringTerminal(sandbox, PLAIN, size=(200, 24))
    person = Person(sandbox, shell, after="1", terminal=terminal)
    person.does(SLOW % 0)
    person.does(SLOW % 0)
    terminal.settle()
    assert terminal.asked() == IDENTITY
    assert b"\a" in terminal.recorded() and sequences.osc(terminal.recorded(), 9) == []


@pytest.mark.slow
@shells
class TestKeys:
    """A slow command that somebody uses, or not; the access time has steps of 8 seconds."""

    # In raw mode, by /dev/tty, by readline, and a line of the kernel's.
    @pytest.mark.parametrize("line, keys", [
        pytest.param("vim -u NONE", ":q!\r", marks=pytest.mark.needs("vim")),
        pytest.param("less /etc/passwd", "q", marks=pytest.mark.needs("less")),
        ("python3 -q", "exit()\r"),
        ("cat", "text\r\x04"),
    ])
    def test_what_somebody_has_used_does_not_notify(self, sandbox, shell, line, keys):
        person = Person(sandbox, shell, after="2")
        person.terminal.forget()
        person.terminal.type(f"{line}\r")
        time.sleep(2.5)  # how long the command takes
        # The next key is the first in its eight seconds.
        os.utime(person.terminal.device, (1000, 0))
        person.terminal.type(keys)
        person.terminal.wait_for(lambda record: b"[prompt 0]" in record and b"<0>" in record)
        person.terminal.settle()
        assert rings(person) == 0

    def test_what_nobody_has_used_notifies(self, sandbox, shell):
        person = Person(sandbox, shell, after="1")
        person.does("sleep 1.2")
        person.does("sh -c 'sleep 1.2'")
        # Read before, and long ago.
        for seconds in (5, 17):
            person.does(read_so_long_ago(seconds))
        person.terminal.settle()
        assert rings(person) == 1

    @pytest.mark.parametrize("line", ["viatty run sleep 1.2", "time viatty run sleep 1.2"])
    def test_viatty_run_notifies_once(self, sandbox, shell, line):
        terminal = OuterTerminal(sandbox, term="xterm-kitty", size=(200, 24))
        person = Person(sandbox, shell, after="1", terminal=terminal)
        person.does(line)
        terminal.settle()
        titles = [token for token in sequences.osc(terminal.recorded(), 99)
                  if b"p=title" in token.payload]
        assert len(titles) == 1


def read_so_long_ago(seconds):
    """A slow command at whose end the terminal was read so many seconds ago."""
    return f"sh -c 'sleep 1.2; touch -a -d \"{seconds} seconds ago\" $(tty)'"


def rings(person):
    """The bells, without those that end a title."""
    record = person.terminal.recorded()
    return re.sub(rb"\x1b\][^\a\x1b]*(\a|\x1b\\)", b"", record).count(b"\a")


@shells
@pytest.mark.parametrize("after", ["0", "soon", "a[$(false)]", "-1", "08"])
def test_without_a_number_of_seconds_there_are_no_notifications(sandbox, shell, after):
    viatty = StandIn(sandbox)
    person = Person(sandbox, shell, after=after)
    shown = person.does("sleep 1" if after == "0" else "true")
    assert not re.search("error|invalid|too great|bad", shown)
    assert viatty.calls() == []


@pytest.mark.slow
@shells
def test_a_viatty_that_is_gone_is_not_missed(sandbox, shell):
    viatty = StandIn(sandbox)
    person = Person(sandbox, shell)
    viatty.remove()
    assert "viatty" not in person.does("sleep 3.2")


@shells
def test_no_program_is_started_for_loading_and_for_a_fast_command(sandbox, shell):
    """It may be loaded twice, too."""
    StandIn(sandbox)
    person = Person(sandbox, shell)
    file = sandbox.path / "snippet"
    file.write_text(snippet(sandbox, shell))
    path = "set -gx PATH /nonexistent" if shell == "fish" else "PATH=/nonexistent"
    for line in (f"{path}; source {file}", "true"):
        shown = person.does(line)
        assert "not found" not in shown and "Unknown" not in shown
        assert shown.count("[prompt 0]") == 1


@shells
def test_a_shell_that_is_not_typed_into_is_left_alone(sandbox, shell):
    terminal = OuterTerminal(sandbox)
    file = sandbox.path / "snippet"
    file.write_text(snippet(sandbox, shell) + "\necho finished; exit 5\n")
    assert terminal.start([shell, str(file)]).wait() == 5
    terminal.settle()
    assert terminal.recorded() == b"finished\r\n"


# What is slow, a second after that was set to be so.
SLOW = "sh -c 'sleep 1.2; exit %d'"
# That of fish depends on its version.
STOPPED = {"bash": 148, "zsh": 148}
BY_KEY = "sh -c 'sleep 1.2; echo running; exec sleep 30'"


@pytest.mark.slow
@shells
def test_what_a_person_has_ended_does_not_notify(sandbox, shell):
    person = Person(sandbox, shell, after="1")
    person.does(SLOW % 0)
    person.interrupts(BY_KEY, "\x03", 130)
    person.interrupts(BY_KEY, "\x1a", STOPPED.get(shell))
    person.terminal.settle()
    assert rings(person) == 0
    # Waited for, and not asked about at the end.
    person.terminal.type("kill -9 %1\r")
    person.does(SLOW % 129, status=129)
    person.terminal.settle()
    assert rings(person) == 1


# WezTerm in a tmux that has asked it.
WEZTERM = {NAME: name(b"WezTerm 20240203-110809"), DA1: b"\x1b[?65;4;6;18;22c"}


@pytest.mark.needs("tmux")
class TestFocus:
    """A shell in tmux, in a kitty that has the focus or not."""

    def person(self, sandbox, tmux, shell, events, script):
        sandbox.at_home(Person.FILES[shell], Person.SETTINGS[shell] + Person.LOAD[shell])
        tmux.session()
        tmux.option("-g", "focus-events", events)
        tmux.option("-g", "default-command", shlex.join(Person.ARGV[shell]))
        self.terminal = tmux.attach(terminal=AnsweringTerminal(sandbox, script))
        known = lambda: tmux.run("list-clients", "-F", "#{client_termtype}")
        until(lambda: known() == script[NAME][4:-2].decode(), "tmux knows the terminal")
        self.tmux, self.prompts = tmux, 1
        self.window = tmux.run("new-window", "-n", "shell", "-P", "-F", "#{pane_id}",
                               "-e", "VIATTY_NOTIFY_AFTER=1", "-e", f"SHELL={shell}")
        self.is_back(1)

    def is_back(self, prompts):
        self.prompts = prompts
        text = lambda: self.tmux.run("capture-pane", "-p", "-t", self.window)
        until(lambda: text().count("<0>") == prompts, "the prompt is back")

    def notified(self, away=lambda: None):
        """A slow command while the user looks, or is away: what comes, and if unfocused."""
        self.terminal.forget()
        self.terminal.type("sleep 1.2\r")
        away()
        self.is_back(self.prompts + 1)
        self.tmux.settle()
        record = self.terminal.recorded()
        for token in sequences.osc(record, 99):
            about, _, text = token.payload.removeprefix(b"99;").partition(b";")
            if b"p=title" in about:
                return base64.b64decode(text).decode(), b"o=unfocused" in about
        return [token.payload.decode() for token in sequences.osc(record, 777)]

    def focus(self, key, has):
        self.terminal.type(key)
        flags = lambda: self.tmux.run("list-clients", "-F", "#{client_flags}").split(",")
        until(lambda: ("focused" in flags()) == has, "tmux knows about the focus")

    def other_window(self):
        self.tmux.run("select-window", "-t", ":0")

    @pytest.mark.slow
    @shells
    def test_one_that_nobody_looks_at_notifies(self, sandbox, tmux, shell):
        self.person(sandbox, tmux, shell, "on", KITTY)
        # The terminal, which has the focus, does not show what it gets.
        assert self.notified() == ("sleep 1.2", True)
        assert self.notified(self.other_window) == ("sleep 1.2 [1:shell]", False)
        self.tmux.run("select-window", "-t", ":1")
        self.focus("\x1b[O", has=False)
        assert self.notified() == ("sleep 1.2", False)

    @pytest.mark.slow
    @shells
    def test_a_terminal_that_does_not_know_leaves_it_to_tmux(self, sandbox, tmux, shell):
        self.person(sandbox, tmux, shell, "on", WEZTERM)
        assert self.notified() == []
        self.focus("\x1b[O", has=False)
        (sent,) = self.notified()
        assert sent.startswith("777;notify;sleep 1.2;done after")

    @shells
    def test_where_neither_knows_it_notifies(self, sandbox, tmux, shell):
        self.person(sandbox, tmux, shell, "off", WEZTERM)
        (sent,) = self.notified()
        assert sent.startswith("777;notify;sleep 1.2;done after")


@pytest.mark.needs("bash")
class TestBash:
    def test_it_can_be_loaded_with_set_u_and_nothing_set(self, sandbox):
        viatty = StandIn(sandbox)
        own = "set -u\nunset PROMPT_COMMAND PS0\nPS1='[prompt $?]<$?>'\n"
        person = Person(sandbox, "bash", own, after="1")
        assert "unbound" not in person.does("sleep 1.2")
        assert titles(viatty) == ["sleep 1.2"]

    def test_the_persons_own_hooks_are_as_they_were(self, sandbox):
        person = Person(sandbox, "bash", "PS0='(starts)'\nset -u\n")
        shown = person.does("true")
        assert "(starts)" in shown and "unbound" not in shown
        assert person.tells("echo \"(($debugged))\"") == "yes"
        assert person.tells("echo \"((${PS1@Q}))\"") == "'<$?>'"
        assert person.tells("echo \"(($(trap -p DEBUG)))\"") == (
            "trap -- 'debugged=yes' DEBUG"
        )

    def test_prompt_commands_that_are_an_array_stay_one(self, sandbox):
        own = "PROMPT_COMMAND=('echo \"[prompt $?]\"' 'second=$?')\n"
        person = Person(sandbox, "bash", own)
        person.does("sh -c 'exit 7'", status=7)
        assert person.tells("echo \"(($second))\"") == "7"
        assert person.tells("echo \"((${#PROMPT_COMMAND[@]}))\"") == "2"

    @pytest.mark.slow
    def test_a_repetition_is_no_hidden_line(self, sandbox):
        viatty = StandIn(sandbox)
        person = Person(sandbox, "bash", "HISTCONTROL=ignoreboth\n", after="1")
        person.does("sleep 1.3 && true")
        person.does("sleep 1.3 && true")
        person.does(" sleep 1.2 secret || true")
        assert titles(viatty) == ["sleep 1.3 && true"] * 2


@pytest.mark.needs("zsh")
def test_the_persons_own_hooks_of_zsh_are_as_they_were(sandbox):
    person = Person(sandbox, "zsh")
    person.does("true")
    assert person.tells("echo \"((${seen%% *}))\"") == "echo"
    assert person.tells("print -r -- \"(($PROMPT))\"") == "<%?>"


@pytest.mark.needs("zsh")
@pytest.mark.parametrize("shell", ["sh", "ksh"])
def test_zsh_that_emulates_another_shell_loads_it(sandbox, shell):
    viatty = StandIn(sandbox)
    person = Person(sandbox, "zsh", f"emulate {shell}\n", after="1")
    assert "parse error" not in person.does("(sleep 1.2)")
    assert titles(viatty) == ["(sleep 1.2)"]
