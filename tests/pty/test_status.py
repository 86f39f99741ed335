"""What a program reports of itself (OSC 7501), at terminals that know it and others."""

import pytest

from lib import sequences
from lib.answering import DA1, FENCE, FOOT, NAME, STATUS, AnsweringTerminal, name
from lib.faults import Launcher, fails
from lib.mux import TmuxServer

# Two that no table knows.
KNOWS = {DA1: FENCE, STATUS: STATUS}
LISTS = {DA1: FENCE, STATUS: b"\x1b]7501;?:states=idle,working,done\x07"}
# One that the table knows, if its name can be learned.
ITERM2 = {DA1: FENCE, NAME: name(b"iTerm2 3.7.5")}
OLDER = {"TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "3.6.11"}
NEWER = {"TERM_PROGRAM": "iTerm.app", "TERM_PROGRAM_VERSION": "3.7.5"}


def reports(terminal):
    """The reports that came, without the query."""
    terminal.settle()
    tokens = sequences.parse_strictly(terminal.recorded())
    texts = [token.payload for token in tokens if token.payload.startswith(b"7501;")]
    return [text[5:] for text in texts if text != b"7501;?"]


def status(shell, *words, **how):
    return shell.run(["viatty", "status", *words], **how)


def done(outcome):
    assert (outcome.status, outcome.stdout, outcome.said) == (0, b"", "")


@pytest.mark.parametrize("script", [KNOWS, LISTS], ids=["the same", "with its states"])
def test_one_round_trip_to_a_terminal_that_answers(at, script):
    shell = at(script)
    before = shell.terminal.modes()
    done(status(shell, "working", "--app", "cargo", "--progress", "40"))
    assert reports(shell.terminal) == [b"state=working:app=cargo:progress=40"]
    assert shell.terminal.asked() == [STATUS, DA1]
    assert shell.terminal.modes() == before


@pytest.mark.parametrize("script", [{DA1: FENCE}, FOOT], ids=["a stranger", "foot"])
def test_nothing_is_sent_to_one_that_answers_only_the_fence(at, script):
    shell = at(script)
    fails(status(shell, "done"), 4, ["does not support", "7501", "any terminal that answers the protocol's query"])
    assert reports(shell.terminal) == []


def test_behind_layers_that_are_given_nobody_is_asked(at):
    """The nearest program would reply, in place of the terminal behind the layers."""
    shell = at(KNOWS)
    fails(status(shell, "done", "--wrap", "tmux"), 4, ["not known to support", "7501", "--force"])
    assert shell.terminal.asked() == []
    assert shell.run(["viatty", "notify", "--wrap", "tmux", "done"]).status == 0
    assert shell.terminal.asked() == []


@pytest.mark.slow
def test_nothing_is_sent_to_one_that_answers_nothing(at):
    shell = at({})
    fails(status(shell, "done", "--timeout", "0.3"), 4, ["no query", "7501", "hint: "])
    assert reports(shell.terminal) == []


def test_forced_it_is_sent_without_a_query(at):
    shell = at({DA1: FENCE})
    done(status(shell, "done", "--force"))
    assert (reports(shell.terminal), shell.terminal.asked()) == ([b"state=done"], [])


def test_without_queries_only_the_table_decides(at):
    shell = at(KNOWS)
    fails(status(shell, "done", "--no-probe"), 4, ["not known to support", "--force"])
    done(status(shell, "done", "--no-probe", environment=NEWER))
    assert (reports(shell.terminal), shell.terminal.asked()) == ([b"state=done"], [])


def test_one_that_is_known_to_be_too_old_is_not_asked(at):
    shell = at(KNOWS)
    fails(status(shell, "done", environment=OLDER), 4, ["iTerm2", "3.7.5"])
    assert (reports(shell.terminal), shell.terminal.asked()) == ([], [])


@pytest.fixture
def pane(sandbox):
    """A pane of a tmux that the terminal of this script shows, and that terminal."""

    def pane(script, **how):
        server = TmuxServer(sandbox)
        server.session()
        where = server.split()
        terminal = server.attach(terminal=AnsweringTerminal(sandbox, script, **how))
        return Launcher(sandbox, where), where.id.lstrip("%"), terminal

    return pane


def test_in_tmux_the_record_is_that_of_the_pane(pane):
    shell, number, terminal = pane(ITERM2)
    for words, wanted in {
        ("working",): b"state=working:id=tmux-%s",
        ("working", "--id", "build"): b"state=working:id=tmux-%s/build",
        ("clear",): b"state=clear:id=tmux-%s",
    }.items():
        terminal.forget()
        done(status(shell, *words, "--term", "iterm2"))
        assert reports(terminal) == [wanted % number.encode()]


def test_in_tmux_the_limit_is_for_the_whole_id(pane):
    shell, _, terminal = pane(ITERM2)
    eight = "/".join("abcdefgh")
    fails(status(shell, "idle", "--id", eight, "--term", "iterm2"), 2, "8 names")
    assert reports(terminal) == []


def test_in_tmux_a_terminal_that_is_not_known_is_not_asked(pane):
    """tmux would type the reply into the pane."""
    shell, _, terminal = pane(KNOWS)
    fails(status(shell, "done"), 4, ["tmux", "7501", "--term"])
    assert reports(terminal) == []
    assert STATUS not in terminal.asked()


def test_in_screen_the_terminal_answers_and_the_record_is_that_of_the_window(at):
    """A Screen that is not there, as after ssh: its variables are, its replies come."""
    shell = at(KNOWS, term="screen.xterm-256color")
    terminal = shell.terminal
    outcome = status(shell, "done", environment={"STY": "1.x", "WINDOW": "2"})
    done(outcome)
    terminal.settle()
    assert b"\x1bP\x1b]7501;state=done:id=screen-2" in terminal.recorded()
