"""Variables that are wrong, a tmux that misbehaves, and no terminal at all."""

import os
import signal
import socket
import time

import pytest

from lib import faults
from lib.faults import arrives, fails, nothing_at, well_said
from lib.terminal import OuterTerminal

COPY = ("viatty", "copy")
DATA = b"data"


def copies(shell, *options, **how):
    return shell.run([*COPY, *options], stdin=DATA, **how)


# ---- TMUX --------------------------------------------------------------------------

# What is no address is in unit/test_tmux.c.
NONSENSE = [
    "", ",,,,", "/tmp/nowhere,one,two", "/" + "x" * 10240 + ",1,0", "," * 10240,
    "/tmp/\x1b]0;x\x07\r\n\x7f,1,0", b"/tmp/\x9b31m\xff\xfe\xc2\x9b,1,0", "/tmp,1,0", "/dev/null,1,0",
    "/tmp/#{pane_tty}%s%n,1,0",
]


@pytest.mark.needs("tmux")
def test_nonsense_in_tmux_does_not_stop_a_copy(shell, nowhere):
    """It is refused where there is no terminal."""
    for value in NONSENSE:
        environment = {"TMUX": value, "TMUX_PANE": "%0"}
        arrives(copies(shell, environment=environment), shell.terminal, DATA)
        fails(copies(nowhere, environment=environment), 3, "no terminal can be reached")
        shell.terminal.forget()


@pytest.mark.needs("tmux")
@pytest.mark.parametrize("pane", ["", "%", "0", "-h", "%\x1b[2J", "%" + "9" * 999])
def test_nonsense_in_tmux_pane_does_not_stop_a_copy(shell, tmux, pane):
    tmux.session()
    environment = {"TMUX": f"{tmux.socket},1,0", "TMUX_PANE": pane}
    outcome = copies(shell, environment=environment)
    well_said(outcome)
    # Refused where tmux takes the word for a pane of its own and nobody looks at it.
    if outcome.status == 0:
        arrives(outcome, shell.terminal, DATA)
    else:
        fails(outcome, 4, "is detached")
        nothing_at(shell.terminal)


@pytest.mark.needs("tmux")
@pytest.mark.parametrize("path", ["missing", "dead"])
def test_a_tmux_that_is_gone_is_a_remark_and_the_copy_arrives(shell, path):
    path = shell.sandbox.path / path
    if path.name == "dead":
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(path))
    environment = {"TMUX": f"{path},4321,0", "TMUX_PANE": "%0"}
    outcome = copies(shell, environment=environment)
    arrives(outcome, shell.terminal, DATA)
    assert "viatty copy: warning: TMUX is ignored: its server does not reply" in outcome.said
    outcome = copies(shell, "--quiet", environment=environment)
    assert (outcome.status, outcome.stderr) == (0, b"")


@pytest.mark.needs("tmux")
@pytest.mark.root
def test_a_socket_of_somebody_else_is_a_remark_and_the_copy_arrives(shell, tmux):
    tmux.session()
    environment = {"TMUX": f"{tmux.socket},1,0", "TMUX_PANE": "%0"}
    os.chmod(tmux.socket, 0o600)
    outcome = copies(shell, environment=environment, user=faults.NOBODY)
    arrives(outcome, shell.terminal, DATA)
    assert "warning: TMUX names a server that must not be queried" in outcome.said


@pytest.mark.needs("tmux")
@pytest.mark.parametrize("where", ["shell", "nowhere"])
def test_a_server_that_never_answers_is_given_up_in_time(request, sandbox, where):
    place = request.getfixturevalue(where)
    with socket.socket(socket.AF_UNIX) as server:
        path = sandbox.fresh("silent")
        server.bind(str(path))
        server.listen()
        environment = {"TMUX": f"{path},4321,0"}
        outcome = in_time(place, "--timeout", "0.5", environment=environment)
    assert "did not reply within 0.5 s" in outcome.said
    assert outcome.status == (0 if where == "shell" else 3)


def in_time(place, *options, **how):
    began = time.monotonic()
    # Generous: with nobody to stop it, it would be a minute or for ever.
    outcome = copies(place, *options, timeout=6, **how)
    assert time.monotonic() - began < 6
    well_said(outcome)
    return outcome


# ---- a tmux in PATH that is none ---------------------------------------------------

BAD_TMUX = {
    "hangs": "exec sleep 60",
    "closes its output and hangs": "exec sleep 60 >&- 2>&-",
    "prints without end": "exec yes",
    "prints for ever, slowly": "while :; do echo C; command sleep 0.05; done",
    "prints 1 MB and fails": "head -c 1000000 /dev/urandom; exit 1",
    "prints garbage": "exec head -c 5000 /dev/urandom",
    "prints one long line": 'printf "P %05000d\\n" 1',
    "exits 1 with two lines": "echo no; echo and more; exit 1",
    "dies of a signal": "kill -9 $$",
}


def fake_tmux(sandbox, body):
    sandbox.script("tmux", body)
    return {"TMUX": f"{sandbox.socket()},4321,0", "TMUX_PANE": "%0"}


@pytest.mark.parametrize("where, name", [
    *(("shell", name) for name in BAD_TMUX), ("nowhere", "hangs"), ("nowhere", "prints garbage"),
])
def test_a_tmux_that_misbehaves_neither_stops_nor_fools(request, sandbox, where, name):
    """Nor is it left behind, which conftest.py sees."""
    place = request.getfixturevalue(where)
    environment = fake_tmux(sandbox, BAD_TMUX[name])
    outcome = in_time(place, "--timeout", "1", environment=environment)
    assert "and more" not in outcome.said
    # What begins as an answer is one, of a session that nobody is attached to.
    answers = name == "prints one long line"
    assert outcome.status == (4 if answers else 3 if where == "nowhere" else 0)
    assert ("is detached" in outcome.said) == answers
    if where == "shell":
        place.terminal.settle()
        assert place.terminal.clipboard() == ([] if answers else [("c", DATA)])


@pytest.mark.parametrize("mode, why", [(None, ""), (0o644, ": Permission denied")])
def test_without_a_tmux_to_ask_the_copy_arrives(shell, mode, why):
    environment = fake_tmux(shell.sandbox, "")
    tmux = shell.sandbox.path / "bin" / "tmux"
    tmux.chmod(mode) if mode else tmux.unlink()
    # Only viatty is in this PATH.
    outcome = copies(shell, environment={**environment, "PATH": str(tmux.parent)})
    arrives(outcome, shell.terminal, DATA)
    assert f"cannot run tmux{why}" in outcome.said


@pytest.mark.needs("tmux")
@pytest.mark.parametrize("how", ["ignored", "blocked"])
def test_in_a_pane_inherited_signals_do_no_harm(sandbox, pane, how):
    """A parent that reaps nothing leaves no status to wait for."""
    launcher = faults.Launcher(sandbox, pane)
    signals = [signal.SIGCHLD, signal.SIGALRM, signal.SIGPIPE]
    outcome = launcher.run(COPY, stdin=DATA, **{how: signals})
    pane.settle()
    arrives(outcome, pane.terminal, DATA)
    assert outcome.stderr == b""


# ---- viatty's own variables --------------------------------------------------------

# What is wrong is in golden/usage.tbl.
EMPTY = ["WRAP", "TERM", "PROBE", "OUTER_TMUX", "TIMEOUT", "TTY"]


@pytest.mark.parametrize("environment", [
    {f"VIATTY_{name}": "" for name in EMPTY}, {"VIATTY_WRAP": "auto"}])
def test_a_variable_that_is_empty_or_changes_nothing_is_taken(shell, environment):
    arrives(copies(shell, environment=environment), shell.terminal, DATA)


def test_what_excludes_each_other_does_so_on_the_command_line_only(shell):
    outcome = copies(shell, "--route=direct", environment={"VIATTY_WRAP": "tmux"})
    arrives(outcome, shell.terminal, DATA)


def test_viatty_tty_names_the_terminal(shell):
    other = OuterTerminal(shell.sandbox)
    outcome = copies(shell, environment={"VIATTY_TTY": other.device})
    arrives(outcome, other, DATA)
    nothing_at(shell.terminal)


@pytest.mark.parametrize("value", ["nowhere", "/" + "x" * 10240])
def test_viatty_tty_that_cannot_be_opened_is_no_terminal(shell, value):
    outcome = copies(shell, environment={"VIATTY_TTY": value})
    fails(outcome, 3, "VIATTY_TTY in the environment: cannot open the terminal")
    nothing_at(shell.terminal)


def test_an_option_is_not_called_a_variable(shell):
    outcome = copies(shell, "--tty", "/nowhere", environment={"VIATTY_TTY": "/nowhere"})
    fails(outcome, 3, "not copied: cannot open the terminal")


@pytest.mark.slow
def test_viatty_timeout_is_the_deadline(shell):
    shell.terminal.pause()
    began = time.monotonic()
    outcome = shell.run(COPY, stdin=b"x" * 30_000, environment={"VIATTY_TIMEOUT": ".2"})
    # 2 s are for the bytes; without it, it would be 7 s.
    assert time.monotonic() - began < 5
    fails(outcome, 1, "has stopped accepting output")


# Other devices that are named stand in tests/trust/test_devices.py.
# ---- --tty -------------------------------------------------------------------------


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_stream_may_be_a_pipe(shell, stream):
    outcome = copies(shell, "--tty", stream)
    assert outcome.status == 0
    assert getattr(outcome, stream) == b"\x1b]52;c;ZGF0YQ==\x1b\\"
    nothing_at(shell.terminal)


def test_a_pipe_whose_reader_has_gone_ends_it_as_every_filter(shell):
    line = "{ viatty copy --tty stdout; echo $? >&2; } | true"
    outcome = shell.run(["sh", "-c", line], stdin=b"x" * 500_000)
    assert outcome.stderr == b"141\n"
    nothing_at(shell.terminal)


def test_a_closed_standard_output_is_no_terminal(shell):
    outcome = copies(shell, "--tty", "stdout", descriptors={1: None})
    fails(outcome, 1, "stdout")
    nothing_at(shell.terminal)


# ---- no terminal -------------------------------------------------------------------


def test_without_any_terminal_it_says_what_was_tried(nowhere):
    outcome = copies(nowhere)
    tried = ["/dev/tty", "TMUX is not set", "all parent processes"]
    fails(outcome, 3, [*tried, "hint: ", "--tty", "VIATTY_TTY"])
    assert outcome.stdout == b""


def test_ssh_without_a_terminal_is_told_how_to_get_one(nowhere):
    over_ssh = {"SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 2"}
    hint = ("\nhint: on the machine at the desk: viatty ssh -t HOST COMMAND; "
            "or, with a pipe into ssh, --tty stdout here\n")
    fails(copies(nowhere, environment=over_ssh), 3, hint)
    with_terminal = {**over_ssh, "SSH_TTY": "/dev/pts/9999"}
    hint = "\nhint: run it in a terminal, or name one: --tty DEVICE or VIATTY_TTY; "
    fails(copies(nowhere, environment=with_terminal), 3, hint)
    pasted = nowhere.run(["viatty", "paste"], environment=over_ssh)
    desk = "\nhint: on the machine at the desk: ssh -t HOST viatty "
    fails(pasted, 3, desk + "paste; it reads from the terminal in which it is called\n")
    for words in "background", "--theme":
        outcome = nowhere.run(["viatty", "color", words], environment=over_ssh)
        fails(outcome, 3, f"{desk}color {words}; it reads from ")


@pytest.mark.parametrize("command", ["color background", "color --theme", "paste"])
def test_what_only_its_own_terminal_can_tell_does_not_name_tty(nowhere, command):
    outcome = nowhere.run(["viatty", *command.split()])
    fails(outcome, 3, "\nhint: run it in a terminal: ")


# ---- SSH_TTY -----------------------------------------------------------------------


@pytest.mark.parametrize("how", [[], ["setsid", "--wait"]], ids=["controlling", "ancestor's"])
def test_another_terminal_goes_before_ssh_tty(shell, how):
    stranger = OuterTerminal(shell.sandbox)
    outcome = shell.run([*how, *COPY], stdin=DATA, environment={"SSH_TTY": stranger.device})
    arrives(outcome, shell.terminal, DATA)
    nothing_at(stranger)


# ---- all the others ----------------------------------------------------------------


@pytest.mark.parametrize("name", [
    "STY", "ZELLIJ", "NVIM", "VIM_TERMINAL", "INSIDE_EMACS", "DVTM", "HOME"])
def test_a_variable_left_over_from_elsewhere_does_not_stop_a_copy(shell, name):
    for value in ("", "1", "x" * 10240, b"\xff\x9b"):
        shell.terminal.forget()
        outcome = copies(shell, environment={name: value})
        arrives(outcome, shell.terminal, DATA)
