"""tmux as it is installed: no option set, one client attached."""

import base64
import os
import shlex
import shutil
import subprocess

import pytest

from lib import expect
from lib.mux import Pane, TmuxServer
from lib.processes import family, until
from lib.program import Inside
from lib.runner import Job, Runner
from lib.versions import has

pytestmark = [pytest.mark.needs("tmux"), pytest.mark.usefixtures("second_opinion")]

PREFIX = "\x02"


@pytest.fixture
def job(sandbox):
    """A copy as a script, to be run by tmux and not by us."""
    return Job(sandbox, ["viatty", "copy"], stdin=expect.DATA)


def arrived_from(job, pane):
    """The job is done, it reached the terminal, and nobody sees it in the pane."""
    result = job.wait()
    pane.settle()
    expect.sent(result)
    expect.arrived(pane.terminal, expect.DATA)
    assert (pane.text(), pane.mode()) == ("", "")


@pytest.mark.parametrize("size", [1, 1_000, 100_000, 8_000_000])
def test_any_amount_arrives_from_a_pane(pane, size):
    expect.copy_arrives(pane, expect.sample(size))
    assert pane.text() == ""


def test_tmux_is_asked_once(pane, sandbox):
    """Starting it is what a copy in tmux takes longest for."""
    calls, folder = sandbox.fresh("calls"), sandbox.folder("logged")
    sandbox.script(folder / "tmux", f"echo \"$1\" >>{calls}\nexec {shutil.which('tmux')} \"$@\"")
    path = f"{folder}:{sandbox.environment()['PATH']}"
    expect.sent(pane.run(["viatty", "copy"], stdin=b"text", environment={"PATH": path}))
    assert len(calls.read_text().splitlines()) == 1


def test_output_that_stays_in_the_pane_is_silent(pane):
    expect.sent(pane.run(["viatty", "copy"], stdin=expect.DATA, on_terminal=True))
    pane.settle()
    expect.arrived(pane.terminal, expect.DATA)
    assert pane.text() == ""


def test_no_paste_buffer_and_no_option_is_left_behind(pane):
    state = lambda: [
        pane.server.run("list-buffers"),
        pane.server.run("show-options", "-s"),
        pane.server.run("show-options", "-w", "-t", pane.id),
        pane.server.run("show-options", "-p", "-t", pane.id),
    ]
    before = state()
    expect.copy_arrives(pane, expect.DATA)
    assert state() == before


def test_run_shell_arrives(pane, job):
    pane.server.run("run-shell", "-t", pane.id, str(job.script))
    arrived_from(job, pane)


@pytest.mark.parametrize(
    "binding, keys",
    [(("-n", "M-y"), "\x1by"), (("g",), PREFIX + "g")],
    ids=["without prefix", "after prefix"],
)
def test_a_key_binding_arrives(pane, job, binding, keys):
    pane.server.run("bind-key", *binding, "run-shell", str(job.script))
    pane.terminal.type(keys)
    arrived_from(job, pane)


def test_if_shell_arrives_and_sees_success(pane, job):
    condition = f"{job.script} && test -e {job.script}"
    pane.server.run("if-shell", condition, "set-option -g @said yes")
    arrived_from(job, pane)
    assert pane.server.ask("#{@said}") == "yes"


def test_a_hook_arrives(pane, job):
    pane.server.run("set-hook", "-g", "window-renamed", f"run-shell {job.script}")
    pane.server.run("rename-window", "renamed")
    arrived_from(job, pane)


def test_a_popup_arrives(pane, sandbox):
    runner = Runner(sandbox)
    pane.server.run("bind-key", "g", "display-popup", runner.command)
    pane.terminal.type(PREFIX + "g")
    popup = Inside(runner.ready(), pane)
    expect.copy_arrives(popup, expect.DATA)


@pytest.mark.parametrize("creates, again", [(False, True), (True, False)],
                         ids=["there, opened again", "created by it"])
@pytest.mark.parametrize("way", ["run-shell", "run-shell -b", "display-popup"])
def test_a_popup_that_shows_a_session_of_the_same_server_arrives(pane, sandbox, way, creates, again):
    """As plugins open it: the script of the key creates the session, too."""
    runner, server = Runner(sandbox), pane.server
    call = shlex.join(server.argv())
    create = f"{call} new-session -d -s scratch {shlex.quote(runner.command)}; "
    attach = f"{call} attach -t scratch"
    popup = f"{call} display-popup -E {shlex.quote(attach)}"
    if not creates:
        server.run("new-session", "-d", "-s", "scratch", runner.command)
    script = (create if creates else "") + (attach if way == "display-popup" else popup)
    options = ["-E"] if way == "display-popup" else way.split()[1:]
    server.run("bind-key", "g", way.split()[0], *options, script)
    server.run("bind-key", "h", "run-shell", "-b", popup)
    pane.terminal.type(PREFIX + "g")
    runner.ready()
    until(lambda: len(server.clients()) == 2, "the popup is there")
    if again:
        client = int(server.run("list-clients", "-t", "scratch", "-F", "#{client_pid}"))
        opened = [pid for pid in family(int(server.ask("#{pid}")))[1:] if client in family(pid)]
        server.run("detach-client", "-s", "scratch")
        # tmux closes it when it has seen the end of what ran in it.
        until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in opened), "it has ended")
        until(lambda: len(server.clients()) == 1, "the popup is closed")
        pane.terminal.type(PREFIX + "h")
        until(lambda: len(server.clients()) == 2, "the popup is there again")
    assert runner.run(["viatty", "copy"], stdin=expect.DATA).status == 0
    until(lambda: pane.terminal.clipboard_so_far(), "the copy arrives")
    expect.arrived_somehow(pane.terminal, expect.DATA)


SELECTED = "a line to select"


def select_by_hand(pane):
    """Print a line in the pane, go to it in copy mode, and mark it."""
    pane.run(["printf", SELECTED], on_terminal=True)
    pane.server.option("-g", "mode-keys", "vi")
    # Our typing is faster than any hand: tmux would take it for a paste.
    pane.server.option("-g", "assume-paste-time", "0")
    copies = "send-keys -X copy-pipe-and-cancel osc52"
    pane.server.run("bind-key", "-T", "copy-mode-vi", "y", copies)
    until(lambda: SELECTED in pane.text(), "the line is printed")
    pane.terminal.type(PREFIX + "[")
    until(lambda: pane.mode() == "copy-mode", "copy mode begins")
    pane.terminal.type("g0 $")
    if not has("tmux", "no newline at the end of a line"):
        pane.terminal.type("h")


@pytest.mark.parametrize("set_clipboard", [None, "off"])
def test_copy_pipe_and_cancel_osc52_arrives(pane, set_clipboard):
    if set_clipboard:
        pane.server.option("-s", "set-clipboard", set_clipboard)
    select_by_hand(pane)
    pane.terminal.type("y")
    pane.terminal.wait_for(b"\x1b]52;c;" + base64.b64encode(SELECTED.encode()))
    pane.settle()
    # By default tmux sends a selection as well, and in this version without letter.
    writes = [("", SELECTED.encode())] if set_clipboard is None else []
    assert sorted(pane.terminal.clipboard()) == writes + [("c", SELECTED.encode())]
    assert (pane.text(), pane.mode()) == (SELECTED, "")


# ---- a TMUX that is not this server's ------------------------------------------------


def stale(address):
    return {"TMUX": address, "TMUX_PANE": "%99"}


def test_a_tmux_left_over_does_not_hide_the_one_around_us(pane):
    expect.copy_arrives(pane, expect.DATA, environment=stale("/nonexistent,1,0"))


def test_nor_does_the_tmux_of_another_server_that_runs(sandbox, pane):
    other = TmuxServer(sandbox)
    other.session()
    theirs = other.attach()
    address = stale(f"{other.socket},{other.ask('#{pid}')},0")
    expect.copy_arrives(pane, expect.DATA, environment=address)
    other.settle()
    expect.nothing_arrived(theirs)


def window_with(pane, *settings):
    """All that runs in it is started with these settings, from its first process on."""
    runner = Runner(pane.server.sandbox)
    line = shlex.join(["exec", "env", *settings, *runner.argv])
    where = ["-P", "-F", "#{pane_id} #{pane_tty}", "-t", "main"]
    return Pane(pane.server, pane.server.run("new-window", *where, line), runner)


NEW_PANE = "open a new pane in that tmux and run it there"
WRONG = {
    "of another": (["TMUX=/nonexistent,1,0"], "TMUX names another server", NEW_PANE),
    "none": (["-u", "TMUX"], "TMUX is not set", NEW_PANE),
    # as after `tmux -S here`
    "relative": (["TMUX=here,1,0"], "TMUX lacks the whole path of its socket",
                 "start that tmux with the whole path: tmux -S /PATH/OF/SOCKET"),
}


def copy_is_dropped_or_doubted(place, why, hint):
    """Since 3.7 tmux does not tell by a query whether set-clipboard is on."""
    result = place.run(["viatty", "copy"], stdin=expect.DATA)
    tells = not has("tmux", "get-clipboard")
    said = (
        f"the outer tmux drops it, and cannot be queried: {why}"
        if tells
        else f"the outer tmux drops copies by default, and cannot be queried ({why})"
    )
    expect.refused(result, status=4 if tells else 0, naming=said)
    assert f"hint: {hint}" in result.stderr


@pytest.mark.slow
@pytest.mark.parametrize("settings, why, hint", WRONG.values(), ids=WRONG)
def test_where_nothing_names_the_server_that_is_the_reason(pane, settings, why, hint):
    window = window_with(pane, *settings)
    copy_is_dropped_or_doubted(window, why, hint)
    result = window.run(["viatty", "notify", "--term", "iterm2", "text"])
    expect.refused(result, naming=f"the outer tmux drops it, and cannot be queried: {why}")
    assert f"hint: {hint}" in result.stderr
    pane.settle()
    expect.nothing_arrived(pane.terminal)
    # The way out that is advised is one.
    expect.copy_arrives(pane.server.window(), expect.DATA)


def test_without_its_socket_that_is_the_reason_and_the_hint_restores_it(pane):
    server = pane.server
    pid = server.ask("#{pid}")
    server.socket.rename(server.socket.with_name("moved"))
    hint = f"kill -USR1 {pid}"
    why = f'cannot access the socket "{server.socket}": No such file or directory'
    copy_is_dropped_or_doubted(pane, why, f"{hint} makes tmux create its socket again")
    subprocess.run(["sh", "-c", hint], check=True)
    until(server.socket.exists, "tmux creates its socket")
    expect.copy_arrives(pane, expect.DATA)
