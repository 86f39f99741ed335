"""A set-user-ID program speaks for its caller, whatever its name."""

import pytest
from test_displays import Display

from lib import expect
from lib.processes import until
from lib.users import PEOPLE, Trap

pytestmark = [*PEOPLE, pytest.mark.needs("sudo")]


@pytest.fixture
def display(sandbox):
    return sandbox.adopt(Display())


def under_another_name(user, name):
    link = user.home / name
    link.symlink_to("/usr/bin/sudo")
    return str(link)


@pytest.fixture
def tools(sandbox):
    """A directory with desktop tools that note who runs them."""
    folder, ran = sandbox.folder("tools"), sandbox.fresh("ran")
    ran.touch()
    ran.chmod(0o666)
    for name in ("xclip", "xsel", "wl-copy", "wl-paste", "notify-send"):
        sandbox.script(folder / name, f"id -u >>{ran}\ncat >/dev/null")
    return folder, ran


COMMANDS = {"copy": ["copy", "-s", "text"], "paste": ["paste"], "notify": ["notify", "text"]}


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.parametrize("name", ["gnome-terminal-", "konsole"])
def test_sudo_is_no_terminal_on_root_s_desktop(alice, display, tools, program, name, words):
    folder, ran = tools
    terminal = alice.terminal()
    place = alice.shell(terminal, DISPLAY=f":{display.number}")
    sudo = under_another_name(alice, name)
    path = f"PATH={folder}:/usr/bin:/bin"
    place.run([sudo, "-n", "env", path, program, *words])
    assert ran.read_text() == ""


def test_a_desktop_tool_is_not_run_by_root_for_its_caller(alice, display, tools, program):
    """By force it runs, as the caller who names the display."""
    folder, ran = tools
    place = alice.shell(alice.terminal(), DISPLAY=f":{display.number}")
    call = ["sudo", "-n", "env", f"PATH={folder}:/usr/bin:/bin", f"DISPLAY=:{display.number}"]
    place.run([*call, program, "copy", "-s", "text", "--route", "native"])
    assert set(ran.read_text().split()) <= {str(alice.uid)}


@pytest.mark.parametrize("name", ["tmux: server", "tmux"])
def test_sudo_is_no_tmux_server_of_root(alice, root, program, name):
    trap = Trap(root)
    place = alice.shell(alice.terminal())
    sudo = under_another_name(alice, name)
    call = f'TMUX={trap.path},$$,0 TMUX_PANE=%0 exec "$@"'
    place.run(["setsid", "-w", "sh", "-c", call, "sh", sudo, "-n", "-E", program, "copy", "-s", "x"])
    assert trap.peers == []


def test_nor_is_an_orphan_s(alice, root, program):
    """Its caller has gone: SUDO_UID alone tells whose word it is."""
    trap = Trap(root)
    done = alice.home / "done"
    place = alice.shell(alice.terminal())
    sudo = under_another_name(alice, "tmux: server")
    call = f'(TMUX={trap.path},$(sh -c "echo \\$PPID"),0 exec "$@") & exit 0'
    script = f'{program} copy -s x; echo done >{done}'
    place.run(["setsid", "-w", "sh", "-c", call, "sh", sudo, "-n", "-E", "sh", "-c", script])
    until(lambda: done.exists() and done.read_text(), "it has ended")
    assert trap.peers == []


def test_root_s_own_tmux_is_still_asked(root, program):
    """A server that root runs is no program of a caller's."""
    pane = root.tmux().session()
    pane.server.attach()
    expect.sent(pane.run([program, "copy"], stdin=expect.DATA))
    pane.settle()
    expect.arrived(pane.terminal, expect.DATA)


def test_also_after_sudo(alice, root, program, sandbox):
    """Whoever became root by sudo runs a tmux of root's."""
    pane = root.tmux().session()
    pane.server.attach()
    environment = {"SUDO_UID": str(alice.uid), "SUDO_USER": "alice"}
    expect.sent(pane.run([program, "copy"], stdin=expect.DATA, environment=environment))
    pane.settle()
    expect.arrived(pane.terminal, expect.DATA)
