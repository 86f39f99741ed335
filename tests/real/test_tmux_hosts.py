"""What may sit between the program and the terminal: editors, logins, nesting."""

import os
import pwd

import pytest

from lib import expect
from lib.mux import TmuxServer
from lib.program import Inside
from lib.runner import Job, Runner

pytestmark = pytest.mark.usefixtures("second_opinion")

NEEDS_TMUX = pytest.mark.needs("tmux")
VIM = ["vim", "-Nu", "NONE", "-i", "NONE", "-n"]
NEOVIM = ["nvim", "-u", "NONE", "-i", "NONE", "-n"]


def inside(place, sandbox, program):
    """A runner inside a program that is started in a place."""
    runner = Runner(sandbox)
    place.open(program(runner.command))
    return Inside(runner.ready(), place, relayed=program not in EDITOR_TERMINALS)


def vim_terminal(command):
    return [*VIM, "-c", f"terminal ++curwin {command}"]


def neovim_terminal(command):
    return [*NEOVIM, "-c", f"terminal {command}"]


# These interpret what is written to them, and pass on little of it.
EDITOR_TERMINALS = [vim_terminal, neovim_terminal]


def script(command):
    return ["script", "-qc", command, "/dev/null"]


def su(*options):
    user = pwd.getpwuid(os.geteuid()).pw_name
    return lambda command: ["su", *options, user, "--session-command", command]


def su_in_a_new_session(*options):
    user = pwd.getpwuid(os.geteuid()).pw_name
    return lambda command: ["su", *options, user, "-c", command]


def sudo(command):
    return ["sudo", "-n", "sh", "-c", command]


def host(program, *needs, root=False, id):
    marks = [pytest.mark.needs(*needs)] + [pytest.mark.root] * root
    return pytest.param(program, marks=marks, id=id)


EDITORS = [
    host(vim_terminal, "vim", id="vim :terminal"),
    host(neovim_terminal, "nvim", id="neovim :terminal"),
]
LOGINS = [
    host(script, "script", id="script"),
    host(su(), "su", root=True, id="su"),
    host(su("-"), "su", root=True, id="su -"),
    host(su_in_a_new_session(), "su", root=True, id="su -c"),
    host(su_in_a_new_session("-"), "su", root=True, id="su - -c"),
    host(su_in_a_new_session("--pty"), "su", root=True, id="su --pty"),
    host(sudo, "sudo", root=True, id="sudo"),
]


@NEEDS_TMUX
@pytest.mark.parametrize("program", EDITORS + LOGINS)
def test_from_inside_a_program_in_a_pane_it_arrives(pane, sandbox, program):
    expect.copy_arrives(inside(pane, sandbox, program), expect.DATA)


@pytest.mark.parametrize("program", LOGINS)
def test_from_inside_a_login_in_a_terminal_it_arrives(plain, sandbox, program):
    expect.copy_arrives(inside(plain, sandbox, program), expect.DATA)


@pytest.mark.parametrize("program", EDITORS)
def test_from_inside_an_editor_in_a_terminal_it_arrives(plain, sandbox, program):
    expect.copy_arrives(inside(plain, sandbox, program), expect.DATA)


def vim_does(command):
    return lambda job: [*VIM, "-c", command.format(job=job)]


def neovim_does(command):
    return lambda job: [*NEOVIM, "-c", command.format(job=job)]


EDITOR_JOBS = [
    host(vim_does("call system('{job}')"), "vim", id="vim system()"),
    host(vim_does("silent !{job}"), "vim", id="vim :!"),
    host(vim_does("call job_start(['{job}'])"), "vim", id="vim job_start()"),
    host(neovim_does("call system('{job}')"), "nvim", id="neovim system()"),
    host(neovim_does("silent !{job}"), "nvim", id="neovim :!"),
    host(neovim_does("call jobstart(['{job}'])"), "nvim", id="neovim jobstart()"),
]


@NEEDS_TMUX
@pytest.mark.parametrize("editor", EDITOR_JOBS)
def test_a_job_of_an_editor_arrives(pane, sandbox, editor):
    job = Job(sandbox, ["viatty", "copy"], stdin=expect.DATA)
    pane.open(editor(job.script))
    expect.sent(job.wait())
    pane.settle()
    expect.arrived(pane.terminal, expect.DATA)


@NEEDS_TMUX
@pytest.mark.parametrize("size, forgotten", [(100, True), (1_000_000, False)],
                         ids=["TMUX unset", "TMUX kept"])
def test_tmux_in_tmux_arrives_at_the_real_terminal(sandbox, pane, size, forgotten):
    inner = TmuxServer(sandbox)
    innermost = inner.session()
    unset = {"TMUX": None, "TMUX_PANE": None} if forgotten else {}
    inner.attach_inside(pane, pane.device, environment=unset)
    expect.copy_arrives(innermost, expect.sample(size))
    assert innermost.text() == ""
