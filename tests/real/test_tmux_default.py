"""tmux as it is installed: no option set, one client attached."""

import os
import shlex
import subprocess

import pytest

from lib import expect
from lib.mux import Pane, TmuxServer
from lib.processes import family, until
from lib.runner import Job, Runner
from lib.versions import has

pytestmark = [pytest.mark.needs("tmux"), pytest.mark.usefixtures("second_opinion")]

PREFIX = "\x02"


@pytest.mark.parametrize("size", [1, 8_000_000])
def test_any_amount_arrives_from_a_pane(pane, size):
    expect.copy_arrives(pane, expect.sample(size))
    assert pane.text() == ""


def test_the_job_of_a_key_arrives_and_is_not_seen_in_the_pane(pane, sandbox):
    job = Job(sandbox, ["viatty", "copy"], stdin=expect.DATA)
    pane.server.run("bind-key", "g", "run-shell", str(job.script))
    pane.terminal.type(PREFIX + "g")
    expect.sent(job.wait())
    pane.settle()
    expect.arrived(pane.terminal, expect.DATA)
    assert (pane.text(), pane.mode()) == ("", "")


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
