"""Nothing is run, connected to or written on the word of another user."""

import pytest

from lib import expect
from lib.program import Inside
from lib.users import PEOPLE, Trap

pytestmark = PEOPLE
SECRET = "for-nobody-else"


def via(*launcher, needs=None, id=None, marks=()):
    marks = [pytest.mark.needs(needs or launcher[0]), *marks]
    return pytest.param(list(launcher), marks=marks, id=id or " ".join(launcher))


def shell(user, *options):
    """su hands its command to a shell."""
    return via("su", *options, user, "-c", 'exec "$0" "$@"', "--", id=" ".join(["su", *options, user]))


TO_ROOT = [
    via("sudo", "-n", "-E"),
    via("sudo", "-n", "-i"),
    shell("root", "-"),
    via("doas", "-n"),
    via("sudo", "-n", "sudo", "-n"),
]
HIDDEN = "mount --make-rprivate / && mount -t proc -o hidepid=2 proc /proc && exec"
IN_A_PANE = [
    # As after newgrp: with another group, the environment of that shell could not be read.
    via("sh", "-c", 'exec sg crew "sudo -n $*; exit \\$?"', "sh", needs="sg", id="sg"),
    # Processes that are hidden from the user were seen before.
    via("sudo", "-n", "unshare", "-m", "sh", "-c", f'{HIDDEN} "$@"', "sh", id="hidepid",
        marks=[pytest.mark.works("unshare", "-m", "sh", "-c", f"{HIDDEN} true")]),
    # With a terminal of their own.
    via("sudo", "-n"),
    shell("root", "--pty"),
    via("sudo", "-n", "su", "-", "root", "-c", 'exec "$0" "$@"', "--", id="sudo su -"),
    via("sudo", "-n", "runuser", "--pty", "-u", "root", "--", id="sudo runuser --pty"),
    via("sudo", "-n", "sh", "-c", 'exec script -qec "$*" /dev/null', "sh", needs="script", id="sudo script"),
    via("sh", "-c", 'exec script -qec "exec sudo -n $*" /dev/null', "sh", needs="script", id="script"),
]
TO_BOB = [
    via("sudo", "-n", "-E", "-u", "bob"),
    shell("bob", "-"),
    via("doas", "-n", "-u", "bob"),
]


def at(person, **environment):
    """A shell of this person in a terminal of their own."""
    terminal = person.terminal()
    return Inside(person.shell(terminal, **environment), terminal)


def below(words, **environment):
    """A command line with a shell above it that has this environment."""
    variables = [f"{name}={value}" for name, value in environment.items()]
    return ["env", *variables, "sh", "-c", '"$@"; exit $?', "sh", *words]


def arrives(place, words, data=b"text", **how):
    """The command ends well, and what it copied is at the terminal of the place."""
    result = place.run(words, **how)
    place.settle()
    expect.sent(result)
    expect.arrived(place.terminal, data)
    return result


# ---- a server that somebody wants to be asked -----------------------------------------


# A socket need not be of a tmux: what a client says of itself may be a command there.
@pytest.mark.parametrize("launcher", TO_ROOT)
def test_root_asks_a_server_of_its_caller_only_and_as_that_user(alice, bob, root, program, launcher):
    place = at(alice)
    for person in (alice, bob, root):
        trap = Trap(person)
        result = place.run(below([*launcher, program, "copy", "-s", "text", "--timeout", "1"],
                                 TMUX=trap.address, TMUX_PANE="%0", SECRET=SECRET))
        place.settle()
        assert set(trap.peers) <= ({alice.uid} if person is alice else set())
        assert SECRET.encode() not in trap.heard
        assert result.status == 0, result.stderr
        expect.arrived(place.terminal, b"text")
        # In our session tmux could type commands there (TIOCSTI).
        assert all(trap.alone) and set().union(*trap.groups) <= {person.uid}
        assert trap.alone or person is not alice
        place.terminal.forget()


@pytest.mark.parametrize("launcher", TO_BOB)
def test_another_user_does_not_ask_it(alice, program, launcher):
    trap = Trap(alice)
    place = at(alice, TMUX=trap.address, TMUX_PANE="%0")
    place.run([*launcher, program, "copy", "--timeout", "1"], stdin=b"text")
    assert trap.peers == []


@pytest.mark.needs("runuser")
def test_runuser_asks_only_that_users_own(alice, root, program):
    trap = Trap(alice)
    place = at(root, TMUX=trap.address, TMUX_PANE="%0")
    for user, asked in ("bob", set()), ("alice", {alice.uid}):
        place.run(["runuser", "-u", user, "--", program, "copy", "-s", "x", "--timeout", "1"])
        assert set(trap.peers) == asked


def test_a_link_to_a_socket_lends_no_owner(alice, program):
    trap = Trap(alice)
    link = trap.path.with_name("link")
    link.symlink_to(trap.path)
    place = at(alice)
    result = place.run(
        [program, "copy"], stdin=b"text", environment={"TMUX": f"{link},1,0"}
    )
    assert trap.peers == []
    assert "not a socket" in result.stderr


# ---- what those get that are started --------------------------------------------------

LISTENING = """\
env >{said}
for fd in /proc/$$/fd/*; do echo "fd ${{fd##*/}}." >>{said}; done
echo "in $(readlink /proc/$$/cwd)" >>{said}
exit 1
"""
NEEDED = {
    *("PATH", "HOME", "TERM", "LANG", "TMUX_TMPDIR", "SHELL"),
    *("PWD", "_", "SHLVL", "OLDPWD"),
}


@pytest.mark.parametrize("launcher", [[], ["sudo", "-n"]], ids=["user", "root"])
def test_a_program_that_is_asked_learns_little(alice, root, sandbox, program, launcher):
    """What only root may reach from above is not opened to the user's tmux from within."""
    said, inner = sandbox.fresh("said"), root.home / "inner"
    said.touch()
    said.chmod(0o666)
    sandbox.script("tmux", LISTENING.format(said=said))
    inner.mkdir(mode=0o755)
    secrets = {"TMUX": Trap(alice).address, "SECRET": SECRET, "LC_ALL": "C.UTF-8"}
    enter = f"cd {inner}; exec 8<.;" if launcher else ""
    call = [*launcher, "sh", "-c", f'{enter} exec 7</dev/null; exec "$0" copy -s text', program]
    at(alice).run(below(call, **secrets))
    lines = said.read_text().splitlines()
    names = {line.partition("=")[0] for line in lines if "=" in line}
    assert "PATH" in names and "LC_ALL" in names
    assert {name for name in names if not name.startswith("LC_")} <= NEEDED
    # Nobody's: without it tmux would look into the user database.
    assert "SHELL=/bin/sh" in lines
    assert "fd 2." in lines and not {"fd 7.", "fd 8."} & set(lines)
    assert launcher == [] or "in /" in lines


# ---- what must go on working ----------------------------------------------------------


@pytest.fixture
def pane(alice):
    """Of alice's tmux, shown in alice's terminal."""
    pane = alice.tmux().session()
    pane.server.attach()
    return pane


@pytest.mark.parametrize("launcher", IN_A_PANE)
def test_root_in_a_users_pane_reaches_that_users_terminal(pane, program, launcher):
    arrives(pane, [*launcher, program, "copy", "-s", "text"])
    assert pane.text() == ""


@pytest.mark.parametrize("launcher", TO_BOB)
def test_another_user_in_the_pane_is_told_whose_it_is(pane, alice, program, launcher):
    result = pane.run([*launcher, program, "doctor", "copy", "--no-probe"])
    said = result.stdout.decode() + result.stderr
    assert f"the server of another user (UID {alice.uid})" in " ".join(said.split())
    assert "another machine" not in said
