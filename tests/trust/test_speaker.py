"""Whose word a variable is: of whoever started the program, or of nobody that is known.

A set-user-ID program leaves its caller's environment to what it runs, and the caller may
be gone before viatty looks. Then no server, tool or terminal that a variable names is
used; the controlling terminal is.
"""

import os
import shlex
import shutil
import subprocess

import pytest
from test_displays import Display
from test_other_users import at

from lib import expect
from lib.processes import until
from lib.users import PEOPLE, Trap

pytestmark = [*PEOPLE, pytest.mark.needs("doas", "sudo")]

def orphan(*launcher, script='"$0" copy -s text', killed=False):
    """A command line whose last words are the program and a file that is written at the end.

    The shell that calls the launcher ends, so that the launcher is another process's child;
    `killed`: the launcher, too, which has the real user ID of its caller.
    """
    # With `killed` the job is left to whoever adopts it, else the launcher is.
    wait = '[ "$(ps -o ppid= -p $$ | tr -d \' \')" = "$PPID" ]' if killed else \
        '[ "$(ps -o ppid= -p $PPID | tr -d \' \')" = "$1" ]'
    job = f'while {wait}; do sleep 0.05; done; {script}; echo done >"$2"'
    end = 'sleep 1; kill -9 $!;' if killed else ""
    call = f'"$@" sh -c "$JOB" "$PROGRAM" $$ "$FILE" & {end} exit 0'
    return lambda program, file: [
        "env", f"JOB={job}", f"PROGRAM={program}", f"FILE={file}", "sh", "-c", call, "sh", *launcher]


ORPHANS = {
    "doas": orphan("doas", "-n", "env"),
    "doas, which has gone": orphan("doas", "-n", "env", killed=True),
    "a job that clears it and passes TMUX on":
        orphan("doas", "-n", "env", killed=True, script='env -i TMUX="$TMUX" TERM=xterm "$0" copy -s text'),
    "sudo": orphan("sudo", "-n", "-E"),
    "sudo by the job of doas": orphan("doas", "-n", "env", script='sudo -n -E "$0" copy -s text'),
    "sudo by the job of doas, which has gone":
        orphan("doas", "-n", "env", killed=True, script='sudo -n -E "$0" copy -s text'),
    "sudo in an environment that is cleared":
        orphan("doas", "-n", "env", script='env -i TMUX="$TMUX" sudo -n -E "$0" copy -s text'),
}


def leave(place, command, program, person, **environment):
    """Runs it, and waits for its end, which is not that of its caller."""
    file = person.home / "done"
    place.run(command(program, file), environment=environment)
    until(lambda: file.exists() and file.read_text(), "it has ended", timeout=30)


@pytest.mark.parametrize("command", ORPHANS.values(), ids=ORPHANS)
def test_no_server_of_root_is_asked_for_a_caller_who_has_gone(alice, root, program, command):
    trap = Trap(root)
    place = at(alice)
    leave(place, command, program, alice, TMUX=trap.address, TMUX_PANE="%0")
    assert trap.peers == []


def test_nor_gets_its_client_a_text(alice, root, program):
    server = root.tmux()
    pane = server.session()
    theirs = server.attach()
    place = at(alice)
    root.home.chmod(0o700)
    leave(place, ORPHANS["doas"], program, alice,
          TMUX=f"{server.socket},{server.ask('#{pid}')},0", TMUX_PANE="%0")
    pane.settle()
    expect.nothing_arrived(theirs)
    # The terminal of both is as good as before.
    place.settle()
    expect.arrived(place.terminal, b"text")


@pytest.fixture
def display(sandbox):
    return sandbox.adopt(Display())


@pytest.fixture
def tools(sandbox):
    """A directory with desktop tools that note who runs them."""
    folder, ran = sandbox.folder("tools"), sandbox.fresh("ran")
    folder.chmod(0o755)
    ran.touch()
    ran.chmod(0o666)
    for name in ("xclip", "xsel", "wl-copy", "wl-paste", "notify-send"):
        sandbox.script(folder / name, f"id -u >>{ran}\ncat >/dev/null")
    return folder, ran


# doas sets PATH, whatever it keeps.
PATHED = 'PATH=$TOOLS:$PATH "$0" copy -s text'


@pytest.mark.parametrize("killed", [False, True])
@pytest.mark.parametrize("typed", [False, True])
def test_no_tool_is_run_for_a_caller_who_has_gone(alice, display, tools, program, typed, killed):
    folder, ran = tools
    variables = {"DISPLAY": f":{display.number}", "TOOLS": str(folder),
                 **({} if typed else {"VIATTY_ROUTE": "native"})}
    script = PATHED + (" --route native" if typed else "")
    command = orphan("doas", "-n", "env", script=script, killed=killed)
    leave(at(alice), command, program, alice, **variables)
    # In its caller's name it may.
    assert set(ran.read_text().split()) <= {str(alice.uid)}


@pytest.mark.needs("xclip")
@pytest.mark.parametrize("killed", [False, True])
def test_nor_as_a_third_user_whom_the_caller_names(alice, bob, display, program, killed):
    os.chown(display.path, bob.uid, bob.uid)
    command = orphan("doas", "-n", "env", script='timeout 5 "$0" copy -s text --route native',
                     killed=killed)
    leave(at(alice), command, program, alice, DISPLAY=f":{display.number}", SUDO_UID=str(bob.uid))
    assert set(display.peers()) <= {alice.uid}


@pytest.fixture
def upgraded(alice, program):
    """Runs a job by a doas of another name, which dpkg replaces meanwhile.

    It takes the mode from a file that it removes.
    """

    def run(name, call, script, **environment):
        named, begun, gone, file = (alice.home / n for n in (name, "begun", "gone", "done"))
        alice.home.chmod(0o711)
        shutil.copy("/usr/bin/doas", named)
        named.chmod(0o4755)
        job = f'touch {begun}; until [ -e {gone} ]; do sleep 0.05; done; {script}; echo done >"$1"'
        words = [*call, str(named), "-n", "env", "sh", "-c", job, program, str(file)]
        at(alice).run(words, environment=environment)
        until(begun.exists, "it runs")
        named.chmod(0o600)
        named.unlink()
        gone.touch()
        until(lambda: file.exists() and file.read_text(), "it has ended")

    return run


def test_nor_where_the_program_in_between_was_upgraded(upgraded, display, tools):
    folder, ran = tools
    upgraded("gnome-terminal-", ["sh", "-c", '"$@" & exit 0', "sh"], PATHED,
             TOOLS=str(folder), DISPLAY=f":{display.number}")
    assert ran.read_text() == ""


def test_which_is_no_server_of_root_either(upgraded, root):
    trap = Trap(root)
    call = f'TMUX={trap.path},$$,0 TMUX_PANE=%0 exec "$@"'
    upgraded("tmux: server", ["sh", "-c", 'setsid "$@" & exit 0', "sh", "sh", "-c", call, "sh"],
             '"$0" copy -s text')
    assert trap.peers == []


# ---- pkexec leaves no process, only its variable ---------------------------------------


@pytest.mark.parametrize("variable", ["PKEXEC_UID", "SUDO_UID", "DOAS_USER"])
def test_a_variable_of_theirs_alone_is_no_word_of_ours(alice, root, program, variable):
    trap = Trap(root)
    value = "alice" if variable == "DOAS_USER" else str(alice.uid)
    place = at(root)
    environment = {variable: value, "TMUX": trap.address, "TMUX_PANE": "%0"}
    expect.sent(place.run([program, "copy"], stdin=b"text", environment=environment))
    place.settle()
    assert trap.peers == []
    expect.arrived(place.terminal, b"text")


# ---- a terminal that a variable names --------------------------------------------------


def kept(*words):
    return ["doas", "-n", *words, "env"]


@pytest.mark.parametrize("launcher", [kept(), kept("-u", "bob"), ["sudo", "-n", "-E"]], ids=" ".join)
def test_a_terminal_of_a_third_user_is_not_written(alice, bob, program, launcher):
    theirs = bob.terminal()
    os.chmod(theirs.device, 0o620)
    place = at(alice)
    # So that bob has one to fall back on.
    os.chmod(place.terminal.device, 0o666)
    result = place.run([*launcher, program, "copy"], stdin=b"text",
                       environment={"VIATTY_TTY": theirs.device})
    place.settle()
    expect.nothing_arrived(theirs)
    expect.sent(result)
    expect.arrived(place.terminal, b"text")
    assert f"VIATTY_TTY is ignored: it was set by user {alice.uid}, and names no terminal of " \
        "that user" in result.stderr


def test_what_only_root_sees_is_not_told_by_it(alice, root, program):
    root.home.chmod(0o700)
    (root.home / "file").touch()
    said = set()
    for name in ("file", "missing", "file/below"):
        place = at(alice)
        said.add(place.run([*kept(), program, "copy"], stdin=b"text",
                           environment={"VIATTY_TTY": str(root.home / name)}).stderr)
    assert len(said) == 1


@pytest.mark.parametrize("launcher", [kept(), ["sudo", "-n", "-E"]], ids=" ".join)
def test_a_terminal_of_the_caller_is(alice, program, launcher):
    other, place = alice.terminal(), at(alice)
    result = place.run([*launcher, program, "copy"], stdin=b"text",
                       environment={"VIATTY_TTY": other.device})
    other.settle()
    expect.sent(result)
    expect.arrived(other, b"text")
    expect.nothing_arrived(place.terminal)


def test_an_option_is_whoever_types_it(alice, bob, program):
    theirs, place = bob.terminal(), at(alice)
    expect.sent(place.run([*kept(), program, "copy", "--tty", theirs.device], stdin=b"text"))
    theirs.settle()
    expect.arrived(theirs, b"text")


def test_root_s_own_word_is_root_s(bob, root, program):
    theirs, place = bob.terminal(), at(root)
    expect.sent(place.run([program, "copy"], stdin=b"text", environment={"VIATTY_TTY": theirs.device}))
    theirs.settle()
    expect.arrived(theirs, b"text")


# ---- as a user who is not root ---------------------------------------------------------


def test_a_user_s_own_server_is_not_asked_for_another(alice, bob, program):
    """doas -u bob: whatever alice could not do alone."""
    server = bob.tmux()
    pane = server.session()
    theirs = server.attach()
    place = at(alice)
    os.chmod(place.terminal.device, 0o666)
    tmux = {"TMUX": f"{server.socket},{server.ask('#{pid}')},0", "TMUX_PANE": "%0"}
    expect.sent(place.run([*kept("-u", "bob"), program, "copy"], stdin=b"text", environment=tmux))
    place.settle()
    pane.settle()
    expect.nothing_arrived(theirs)
    expect.arrived(place.terminal, b"text")


@pytest.mark.parametrize("killed", [False, True])
def test_nor_if_the_other_has_gone(alice, bob, program, killed):
    server = bob.tmux()
    pane = server.session()
    theirs = server.attach()
    place = at(alice)
    alice.home.chmod(0o777)
    tmux = {"TMUX": f"{server.socket},{server.ask('#{pid}')},0", "TMUX_PANE": "%0"}
    leave(place, orphan("doas", "-n", "-u", "bob", "env", killed=killed), program, alice, **tmux)
    pane.settle()
    expect.nothing_arrived(theirs)


# ---- whom a server of ours runs --------------------------------------------------------


def test_a_second_server_of_the_caller_does_not_intercept(alice, program):
    """It may be asked, as alice, but does not run the terminal that root is at."""
    server = alice.tmux()
    pane = server.session()
    elsewhere = server.attach()
    place = at(alice)
    tmux = {"TMUX": f"{server.socket},{server.ask('#{pid}')},0", "TMUX_PANE": "%0"}
    expect.sent(place.run(["sudo", "-n", "-E", program, "copy"], stdin=b"text", environment=tmux))
    place.settle()
    pane.settle()
    expect.nothing_arrived(elsewhere)
    expect.arrived(place.terminal, b"text")


def test_a_server_of_a_user_gets_that_user_s_groups_only(alice, root, program):
    trap = Trap(alice)
    call = ["setpriv", "--groups", "4,27", program, "copy", "--timeout", "1"]
    at(root).run(call, stdin=b"text",
                 environment={"TMUX": trap.address_with_process(), "TMUX_PANE": "%0"})
    assert trap.groups and set().union(*trap.groups) == {alice.uid}


def test_root_does_not_connect_where_no_process_shows_the_group(alice, root, program):
    trap = Trap(alice)
    result = at(root).run([program, "copy"], stdin=b"text",
                          environment={"TMUX": trap.address, "TMUX_PANE": "%0"})
    assert f"it is the server of user {alice.uid}, whose group is not known" in result.stderr
    assert trap.peers == []


def test_and_no_terminal_of_ours(alice, root, program):
    """In our session it could type commands there (TIOCSTI)."""
    trap = Trap(alice)
    at(root).run([program, "copy", "--timeout", "1"], stdin=b"text",
                 environment={"TMUX": trap.address_with_process(), "TMUX_PANE": "%0"})
    assert trap.alone and all(trap.alone)


# ---- what root may not examine ---------------------------------------------------------

# As sudo and doas, but that it becomes root for good.
HELPER = """\
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv) {
	if (setuid(0) != 0) return 1;
	if (fork() == 0) return execv(argv[1], argv + 1);
	return wait(NULL) < 0;
}
"""
# A process of root that adopts the orphans below it, as some supervisors and containers have.
ADOPTING = """\
import ctypes, os, subprocess, sys
ctypes.CDLL(None).prctl(36, 1)
subprocess.run(sys.argv[1:])
try:
    while True:
        os.wait()
except ChildProcessError:
    pass
"""
BECOME_ALICE = ["setpriv", "--reuid", "alice", "--regid", "alice", "--init-groups"]


def adopted(command, trap):
    """The same where root adopts what alice leaves behind, who has set TMUX."""
    below = ["python3", "-c", ADOPTING, *BECOME_ALICE, "env", f"TMUX={trap.address}"]
    return lambda *words: [*below, *command(*words)]


@pytest.mark.needs("cc")
def test_a_program_that_became_root_and_is_adopted_by_root_speaks_for_its_caller(alice, root, program):
    helper = root.home / "helper"
    root.home.chmod(0o711)
    subprocess.run(["cc", "-x", "c", "-", "-o", str(helper)], input=HELPER.encode(), check=True)
    helper.chmod(0o4755)
    trap = Trap(root)
    command = orphan(str(helper), "/usr/bin/env", script='env -i TMUX="$TMUX" TERM=xterm "$0" copy -s text')
    leave(at(root), adopted(command, trap), program, alice)
    assert trap.peers == []


@pytest.mark.needs("script")
def test_a_job_of_root_in_the_session_of_another_user_speaks_for_that_user(alice, root, program):
    """doas has gone, and with it whatever it left in an environment."""
    trap = Trap(root)
    clear = 'env -i TMUX="$TMUX" TERM=xterm'
    end = f"""sh -c '"$0" copy -s text; echo done >"$1"' "$0" "$2" """
    script = f'exec {clear} PATH="$PATH" sudo -n {clear} {end}'
    command = orphan("doas", "-n", "env", script=script, killed=True)

    def in_session(program, file):
        words = shlex.join(command(program, file))
        return ["script", "-qec", f"{words}; until [ -s {file} ]; do sleep 0.1; done", "/dev/null"]

    leave(at(root), adopted(in_session, trap), program, alice)
    assert trap.peers == []


# A container's root has no more.
UNTRACED = ["setpriv", "--bounding-set", "-sys_ptrace", "--inh-caps", "-sys_ptrace"]


@pytest.mark.needs("cc")
@pytest.mark.works(*UNTRACED, "true")
def test_a_program_that_cannot_be_examined_is_no_server(alice, root, sandbox, program):
    helper = sandbox.path / "tmux: server"
    subprocess.run(["cc", "-x", "c", "-", "-o", str(helper)], input=HELPER.encode(), check=True)
    helper.chmod(0o4755)
    trap = Trap(root)
    place = at(root)
    call = f'TMUX={trap.path},$$,0 TMUX_PANE=%0 exec "$@"'
    place.run([*UNTRACED, *BECOME_ALICE, "setsid", "-w", "sh", "-c", call, "sh", str(helper), program,
               "copy", "-s", "x"])
    assert trap.peers == []


# ---- what is remembered ----------------------------------------------------------------


@pytest.mark.needs("setsid")
@pytest.mark.parametrize("launcher", [[], ["setpriv", "--reuid", "alice", "sudo", "-n", "-E"]])
def test_nothing_is_kept_where_sudo_leads_the_session(root, sandbox, program, launcher):
    """It would be where the caller of sudo wants it. Without sudo it is."""
    sshd, runtime = root.home / "sshd", sandbox.folder("runtime", 0o700)
    sshd.symlink_to(shutil.which("sh"))
    words = [str(sshd), "-c", '"$@"; exit $?', "sh", "setsid", "-c", *launcher]
    place = at(root)
    result = place.run([*words, program, "copy", "-s", "text"], stdin=None,
                       environment={"XDG_RUNTIME_DIR": str(runtime)})
    place.settle()
    expect.arrived(place.terminal, b"text")
    assert (runtime / "viatty").exists() == (launcher == []), result
