"""The hooks of `setup bash`, `zsh` and `fish` in the shells themselves."""

import os
import re
import shlex

import pytest

from lib import sequences
from lib.answering import IDENTITY, KITTY, PLAIN, AnsweringTerminal
from lib.processes import until
from lib.snippets import StandIn, snippet
from lib.sshd import Sshd
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


# What hides a line from the history, and what names lines that never notify.
HIDING = {"bash": "HISTCONTROL=ignorespace\n", "zsh": "setopt hist_ignore_space\n", "fish": ""}
IGNORE = {"bash": "VIATTY_NOTIFY_IGNORE='@(sleep 1.2|true)*'",
          "zsh": "VIATTY_NOTIFY_IGNORE='(sleep 1.2|true)*'",
          "fish": "set -g VIATTY_NOTIFY_IGNORE 'sleep 1.2*' 'true*'"}
FAILING = "sh -c 'sleep 1.2; exit 7'"


@pytest.mark.slow
@shells
def test_a_slow_command_notifies_once_and_others_never(sandbox, shell):
    """By its line as it was typed; of one that is hidden from the history, only its program."""
    viatty = StandIn(sandbox)
    person = Person(sandbox, shell, HIDING[shell], after="1")
    person.does("true")
    person.does("sh -c 'exit 7'", status=7)
    assert viatty.calls() == []
    person.does(FAILING, status=7)
    block = "begin; sleep 1.2; end" if shell == "fish" else "(sleep 1.2)"
    lines = " /bin/sh -c 'sleep 1.2' secret", " A=se/cret sleep 1.2", block, "echo 'a\nb'; sleep 1.2"
    for line in (*lines, IGNORE[shell], "sleep 1.2 && true", "sleep 1.3"):
        person.does(line)
    assert titles(viatty) == [FAILING, "sh", "a command", block, "echo 'a b'; sleep 1.2", "sleep 1.3"]
    first, last = told(viatty.calls()[0]), told(viatty.calls()[-1])
    assert first[0][1] == f"failed with status 7 after {first[1]} s in {sandbox.path}"
    assert last[0][1] == f"done after {last[1]} s in {sandbox.path}" and 1 <= last[1] < 100


def told(call):
    """The lines of a notification of the hook, and its seconds."""
    command, option, dash, *lines = call
    assert (command, option[:12], dash) == ("notify", "--from-hook=", "-")
    return lines, int(option[12:])


def titles(viatty):
    return [told(call)[0][0] for call in viatty.calls()]


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
@shells
@pytest.mark.parametrize("script, term", [(KITTY, "xterm-kitty"), (PLAIN, "xterm-256color")],
                         ids=["known", "unknown"])
def test_the_notification_reaches_the_terminal(sandbox, shell, script, term):
    """One without a name is asked as the login begins, and never again."""
    terminal = AnsweringTerminal(sandbox, script, size=(200, 24), term=term)
    person = Person(sandbox, shell, after="1", terminal=terminal)
    person.does("sleep 1.2")
    terminal.settle()
    assert terminal.asked() == ([] if script is KITTY else IDENTITY)
    sent = b"".join(token.raw for token in sequences.osc(terminal.recorded(), 99))
    assert (b"o=unfocused" in sent) == (script is KITTY)
    assert script is KITTY or b"\a" in terminal.recorded()


@pytest.mark.slow
@shells
def test_viatty_run_notifies_once(sandbox, shell):
    terminal = OuterTerminal(sandbox, term="xterm-kitty", size=(200, 24))
    person = Person(sandbox, shell, after="1", terminal=terminal)
    person.does("time viatty run sleep 1.2")
    terminal.settle()
    assert len(notifications(terminal)) == 1


def notifications(terminal):
    return [token for token in sequences.osc(terminal.recorded(), 99) if b"p=title" in token.payload]


@shells
def test_without_a_number_of_seconds_there_are_no_notifications(sandbox, shell):
    viatty = StandIn(sandbox)
    person = Person(sandbox, shell)
    name = "set -g VIATTY_NOTIFY_AFTER " if shell == "fish" else "VIATTY_NOTIFY_AFTER="
    for after in ("0", "soon", "a[$(false)]", "-1", "08"):
        shown = person.does(f"{name}'{after}'") + person.does("sleep 1" if after == "0" else "true")
        assert not re.search("error|invalid|too great|bad", shown)
    assert viatty.calls() == []


@pytest.mark.slow
@shells
def test_a_viatty_that_is_gone_is_not_missed(sandbox, shell):
    viatty = StandIn(sandbox)
    person = Person(sandbox, shell, after="1")
    viatty.remove()
    assert "viatty" not in person.does("sleep 1.2")


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


# That of fish depends on its version.
STOPPED = {"bash": 148, "zsh": 148}
BY_KEY = "sh -c 'sleep 1.2; echo running; exec sleep 30'"


@pytest.mark.slow
@shells
def test_what_a_person_has_ended_does_not_notify(sandbox, shell):
    viatty = StandIn(sandbox)
    person = Person(sandbox, shell, after="1")
    person.interrupts(BY_KEY, "\x03", 130)
    person.interrupts(BY_KEY, "\x1a", STOPPED.get(shell))
    person.does("kill -9 %1")
    assert viatty.calls() == []


@pytest.mark.slow
@pytest.mark.needs("ssh", "ssh-keygen")
@shells
def test_a_line_that_is_typed_ahead_over_ssh_is_executed(sandbox, shell):
    """A slow command notifies meanwhile; the terminal was asked as the login began."""
    sshd = Sshd(sandbox)
    sshd.has_terminals()
    # Or fish writes into it in the background, also while the home is removed.
    (sshd.home / ".local/share/fish/generated_completions").mkdir(parents=True)
    file = sshd.home / Person.FILES[shell]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(Person.SETTINGS[shell] + Person.LOAD[shell])
    known = [f"HOME={sshd.home}", f"SHELL={shell}", f"XDG_RUNTIME_DIR={sandbox.folder('runtime', 0o700)}",
             "VIATTY_NOTIFY_AFTER=1", f"PATH={sandbox.path}/bin:{os.environ['PATH']}"]
    line = shlex.join(["exec", "env", *known, *Person.ARGV[shell]])
    terminal = AnsweringTerminal(sandbox, KITTY, size=(200, 40))
    terminal.start(sshd.argv("-t", "far", line))
    terminal.wait_for(b"<0>")
    terminal.type("sh -c 'echo run\"\"ning; sleep 1.2'\r")
    terminal.wait_for(b"running")
    terminal.type("echo typed-''ahead\r")
    terminal.wait_for(b"typed-ahead")
    until(lambda: len(notifications(terminal)) == 1, "it is told")
    assert terminal.asked() == IDENTITY


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
        for _ in range(2):
            person.does("sleep 1.3 && true")
        person.does(" sleep 1.2 secret || true")
        assert titles(viatty) == ["sleep 1.3 && true"] * 2

    @pytest.mark.slow
    def test_a_space_hides_a_line_that_the_history_has(self, sandbox):
        viatty = StandIn(sandbox)
        Person(sandbox, "bash", "HISTCONTROL=\n", after="1").does(" sleep 1.2; : secret")
        assert titles(viatty) == ["sleep"]


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
