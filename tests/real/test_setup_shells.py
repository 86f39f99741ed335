"""The hooks of `setup bash`, `zsh` and `fish` in the shells themselves."""

import re

import pytest

from lib import sequences
from lib.answering import KITTY, AnsweringTerminal
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


class Person:
    """Somebody at a shell with the snippet, whose prompt shows the status."""

    SETTINGS = {"bash": BASH, "zsh": ZSH, "fish": FISH}
    LOAD = {
        "bash": "source <(viatty setup bash)\n",
        "zsh": "source <(viatty setup zsh)\n",
        "fish": "viatty setup fish | source\n",
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
        file = sandbox.path / "home" / self.FILES[shell]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(self.SETTINGS[shell] + settings + self.LOAD[shell])
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

    def tells(self, line):
        """What a line prints between two brackets."""
        # The first brackets are those that were typed.
        return self.does(line).rpartition("((")[2].partition("))")[0]

    @staticmethod
    def _prompt_is_back(record, status):
        return b"<%d>" % status in record.partition(b"[prompt ")[2]


def shells(function):
    cases = [
        pytest.param(name, marks=pytest.mark.needs(name)) for name in Person.SETTINGS
    ]
    return pytest.mark.parametrize("shell", cases)(function)


@shells
def test_a_slow_command_notifies_once_and_fast_ones_never(sandbox, shell):
    viatty = StandIn(sandbox)
    person = Person(sandbox, shell)
    person.does("true")
    person.does("sh -c 'exit 7'", status=7)
    person.does("sleep 3.2")
    assert len(viatty.calls()) == 1
    person.does("sh -c 'sleep 3.2; exit 7'", status=7)
    person.does("true")
    done, failed = viatty.calls()
    assert done[:4] == failed[:4] == ["notify", "--when", "unfocused", "--"]
    assert done[4].startswith("sleep 3.2")
    assert re.fullmatch(r"done after ([3-9]|\d\d) s", done[5])
    assert failed[4].startswith("sh -c 'sleep 3.2; exit 7'")
    assert re.fullmatch(r"status 7 after ([3-9]|\d\d) s", failed[5])


@shells
def test_the_notification_reaches_the_terminal(sandbox, shell):
    terminal = AnsweringTerminal(sandbox, KITTY, size=(200, 24))
    person = Person(sandbox, shell, terminal=terminal)
    person.does("sleep 3.2")
    terminal.settle()
    sent = b"".join(token.raw for token in sequences.osc(terminal.recorded(), 99))
    assert b"o=unfocused" in sent


@shells
def test_zero_seconds_are_no_notifications(sandbox, shell):
    viatty = StandIn(sandbox)
    person = Person(sandbox, shell, after="0")
    person.does("sleep 1")
    person.does("true")
    assert viatty.calls() == []


@shells
@pytest.mark.parametrize("after", ["soon", "a[$(false)]", "-1", "08"])
def test_nonsense_for_seconds_does_no_harm(sandbox, shell, after):
    viatty = StandIn(sandbox)
    person = Person(sandbox, shell, after=after)
    shown = person.does("true")
    assert not re.search("error|invalid|too great|bad", shown)
    assert viatty.calls() == []


@shells
def test_a_viatty_that_is_gone_is_not_missed(sandbox, shell):
    viatty = StandIn(sandbox)
    person = Person(sandbox, shell)
    viatty.remove()
    assert "viatty" not in person.does("sleep 3.2")


@shells
def test_no_program_is_started_for_a_fast_command(sandbox, shell):
    StandIn(sandbox)
    person = Person(sandbox, shell)
    path = "set -gx PATH /nonexistent" if shell == "fish" else "PATH=/nonexistent"
    person.does(path)
    shown = person.does("true")
    assert "not found" not in shown and "Unknown" not in shown


@shells
def test_it_is_loaded_without_a_program_and_may_be_loaded_twice(sandbox, shell):
    StandIn(sandbox)
    person = Person(sandbox, shell)
    file = sandbox.path / "snippet"
    file.write_text(snippet(sandbox, shell))
    path = "set -gx PATH /nonexistent;" if shell == "fish" else "PATH=/nonexistent;"
    shown = person.does(f"{path} source {file}")
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


@pytest.mark.needs("bash")
class TestBash:
    def test_the_persons_own_hooks_are_as_they_were(self, sandbox):
        person = Person(sandbox, "bash")
        person.does("true")
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
        assert person.tells("echo \"((${#PROMPT_COMMAND[@]}))\"") == "3"

    def test_a_ps0_of_the_person_is_still_shown(self, sandbox):
        person = Person(sandbox, "bash", "PS0='(starts)'\n")
        assert "(starts)" in person.does("true")

    def test_it_lives_with_set_u(self, sandbox):
        person = Person(sandbox, "bash", "set -u\n")
        assert "unbound" not in person.does("true")

    def test_a_command_hidden_from_history_does_not_show(self, sandbox):
        viatty = StandIn(sandbox)
        person = Person(sandbox, "bash", "HISTCONTROL=ignorespace\n")
        person.does(" sleep 3.2; : secret")
        assert not [call for call in viatty.wait_for_call() if "secret" in call[-2]]


@pytest.mark.needs("zsh")
class TestZsh:
    def test_the_persons_own_hooks_are_as_they_were(self, sandbox):
        person = Person(sandbox, "zsh")
        person.does("true")
        assert person.tells("echo \"((${seen%% *}))\"") == "echo"
        assert person.tells("print -r -- \"(($PROMPT))\"") == "<%?>"


TITLED = {
    "bash": "export VIATTY_TITLE=yes\n",
    "zsh": "export VIATTY_TITLE=yes\n",
}


@pytest.mark.parametrize(
    "shell", [pytest.param(name, marks=pytest.mark.needs(name)) for name in TITLED]
)
def test_the_title_names_the_command_while_it_runs(sandbox, shell):
    viatty = StandIn(sandbox)
    person = Person(sandbox, shell, TITLED[shell])
    before = len(viatty.calls())
    person.does("true")
    pushed, popped = viatty.calls()[before : before + 2]
    assert pushed[:3] == ["title", "--push", "--"] and pushed[3].startswith("true")
    assert popped == ["title", "--pop"]


@pytest.mark.parametrize(
    "shell", [pytest.param(name, marks=pytest.mark.needs(name)) for name in TITLED]
)
def test_the_title_reaches_the_terminal_and_goes_again(sandbox, shell):
    terminal = AnsweringTerminal(sandbox, KITTY, size=(200, 24))
    person = Person(sandbox, shell, TITLED[shell], terminal=terminal)
    person.does("true")
    terminal.settle()
    record = terminal.recorded()
    pushed = re.search(rb"\x1b\[22[;\d]*t", record)
    named = re.search(rb"\x1b\][02];true", record)
    popped = re.search(rb"\x1b\[23[;\d]*t", record)
    assert pushed.start() < named.start() < popped.start()
