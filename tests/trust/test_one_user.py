"""viatty acts as one user: root as the one who called it, and as nobody where that is not known.

A set-user-ID program leaves its caller's environment to what it runs, and the caller may be gone
before viatty looks. Then no server, tool or terminal that a variable names is used; the
controlling terminal is.
"""

import os
import re
import shutil

import pytest
from test_displays import Display
from test_other_users import arrives, at, below

from lib import expect
from lib.answering import IDENTITY, KITTY, AnsweringTerminal
from lib.processes import until
from lib.program import Inside
from lib.users import PEOPLE, Trap

pytestmark = [*PEOPLE, pytest.mark.needs("doas", "sudo")]


def orphan(*launcher, script='"$0" copy -s text', killed=True):
    """A command line whose last words are the program and a file that is written at the end.

    The shell that calls the launcher ends, and with `killed` the launcher, too, which has the
    real user ID of its caller: what is left belongs to whoever adopts it.
    """
    child, parent = ("$$", "$PPID") if killed else ("$PPID", "$1")
    wait = f'[ "$(ps -o ppid= -p {child} | tr -d " ")" = "{parent}" ]'
    job = f'echo >"$2.begun"; while {wait}; do sleep 0.05; done; {script}; echo done >"$2"'
    end = 'until [ -e "$FILE.begun" ]; do sleep 0.05; done; kill -9 $!;' if killed else ""
    call = f'"$@" sh -c "$JOB" "$PROGRAM" $$ "$FILE" & {end} exit 0'
    return lambda program, file: [
        "env", f"JOB={job}", f"PROGRAM={program}", f"FILE={file}", "sh", "-c", call, "sh", *launcher]


def leave(place, command, program, person, **environment):
    """Runs it, and waits for its end, which is not that of its caller."""
    file = person.home / "done"
    place.run(command(program, file), environment=environment)
    until(lambda: file.exists() and file.read_text(), "it has ended", timeout=30)


@pytest.fixture
def display(sandbox):
    return sandbox.adopt(Display())


@pytest.fixture
def tools(sandbox):
    """A directory with desktop tools, and tmux, that note who runs them."""
    folder, ran = sandbox.folder("tools"), sandbox.fresh("ran")
    folder.chmod(0o755)
    ran.touch()
    ran.chmod(0o666)
    for name in ("xclip", "xsel", "wl-copy", "wl-paste", "notify-send", "tmux"):
        sandbox.script(folder / name, f"id -u >>{ran}\ncat >/dev/null")
    return folder, ran


def strace(log, *calls, options=()):
    return ["strace", "-f", "-qq", "-o", str(log), "-e", f"trace={','.join(calls)}", *options]


# ---- root that nobody has called ---------------------------------------------------------


def test_nothing_is_asked_or_run_for_a_caller_who_has_gone(alice, root, display, tools, program):
    trap, (folder, ran) = Trap(root), tools
    # doas sets PATH, whatever it keeps.
    script = 'PATH=$TOOLS:$PATH; "$0" copy -s text; "$0" copy -s text --route native'
    leave(at(alice), orphan("doas", "-n", "env", script=script), program, alice,
          TMUX=trap.address, TMUX_PANE="%0", TOOLS=str(folder), DISPLAY=f":{display.number}")
    assert (trap.peers, ran.read_text()) == ([], "")


def test_a_variable_leads_root_nowhere(alice, bob, root, tools, display, program):
    """Who set it cannot be known."""
    theirs, trap, (folder, ran) = bob.terminal(), Trap(root), tools
    place = at(root)
    call = ["env", f"PATH={folder}:/usr/bin:/bin", program, "copy", "-s", "text"]
    result = arrives(place, call, environment={
        "VIATTY_TTY": theirs.device, "TMUX": trap.address, "TMUX_PANE": "%0",
        "DISPLAY": f":{display.number}"})
    expect.nothing_arrived(theirs)
    assert (trap.peers, ran.read_text()) == ([], "")
    assert "VIATTY_TTY is ignored: as root, viatty uses only this terminal" in result.stderr
    assert "another user" not in result.stderr
    result = place.run([program, "copy", "--route", "native", "-s", "text"],
                       environment={"DISPLAY": f":{display.number}"})
    assert "no desktop tool is used: as root, viatty uses only this terminal" in result.stderr
    result = place.run(["setsid", "-w", program, "copy", "-s", "text"])
    assert "VIATTY_TTY" not in result.stderr
    # But an option does.
    expect.sent(place.run([program, "copy", "-s", "text", "--tty", theirs.device]))
    theirs.settle()
    expect.arrived(theirs, b"text")


def test_a_listener_that_is_no_ancestor_is_told_nothing(root, tools, program):
    """TMUX names an ancestor, as whose server another process listens."""
    trap, (folder, ran) = Trap(root), tools
    call = ["env", f"PATH={folder}:/usr/bin:/bin", program, "copy", "-s", "text"]
    environment = {"TMUX": f"{trap.path},{os.getpid()},0", "TMUX_PANE": "%0"}
    expect.sent(at(root).run(call, environment=environment))
    assert (trap.heard, ran.read_text()) == (b"", "")


@pytest.mark.parametrize("launcher", [[], ["sudo", "-n"], ["su", "root", "-c", 'exec "$0" "$@"', "--"]], ids=str)
def test_root_s_own_tmux_is_asked(root, program, launcher):
    pane = root.tmux().session()
    pane.server.attach()
    arrives(pane, [*launcher, program, "copy"], stdin=expect.DATA, data=expect.DATA)


# ---- root below a user's shell -----------------------------------------------------------


@pytest.mark.needs("strace")
@pytest.mark.unsanitized
def test_before_it_is_that_user_it_opens_only_numbers_and_the_input(alice, root, sandbox, program):
    trap, log, file = Trap(alice), sandbox.fresh("strace"), root.home / "file"
    root.home.chmod(0o700)
    file.write_text("text")
    place = at(alice, TMUX=trap.address, TMUX_PANE="%0")
    calls = strace(log, "open", "openat", "connect", "setuid", "setgid", "setgroups", "ioctl")
    place.run(["sudo", "-n", *calls, program, "copy", "--timeout", "1", str(file)])
    lines = re.sub(r" += ", " = ", log.read_text()).splitlines()
    became = next(i for i, line in enumerate(lines) if f"setuid({alice.uid}) = 0" in line)
    opened = [re.search(r'"([^"]*)"', line)[1] for line in lines[:became] if "open" in line]
    numbers = re.compile(r"/proc/(self|\d+)/(stat|status)")
    library = ("/etc/ld.so", "/lib", "/usr/lib", "/proc/self/exe")
    assert [f for f in opened if not numbers.fullmatch(f) and not f.startswith(library)] == [str(file)]
    assert not [line for line in lines[:became] if "connect" in line or "TIOC" in line]
    order = [name for line in lines[:became + 1] for name in re.findall(r"(setgroups|setgid|setuid)\(", line)]
    assert order[:3] == ["setgroups", "setgid", "setuid"]
    # Whoever may be root again has not become that user.
    assert any("setuid(0) = -1" in line for line in lines) and any("setgid(0) = -1" in line for line in lines)
    assert set(trap.peers) == {alice.uid}


@pytest.mark.parametrize("words", ["copy <FILE", "copy FILE", "copy - <FILE"])
def test_what_only_root_may_read_is_copied(alice, root, program, words):
    (root.home / "file").write_text("text")
    place = at(alice)
    call = words.replace("FILE", str(root.home / "file"))
    arrives(place, ["sudo", "-n", "sh", "-c", f"{program} {call}"])


@pytest.mark.needs("setpriv")
def test_its_shell_s_group_is_not_that_of_root(alice, program):
    pane = alice.tmux().session()
    pane.server.attach()
    call = ["sudo", "-n", "setpriv", "--reuid", str(alice.uid), "--regid", "0", "--clear-groups",
            "sh", "-c", f"sudo -n {program} copy -s text; exit $?"]
    # It is the user without that group, who may not read that shell's environment.
    expect.refused(pane.run(call), naming="TMUX is not set")


# ---- a command that root runs ------------------------------------------------------------


def test_run_ends_as_the_command_does(alice, program):
    place = at(alice)
    for words, status in (["/nonexistent"], 127), ([], 2), (["sh", "-c", "exit 3"], 3):
        result = place.run(["sudo", "-n", program, "run", "--term", "iterm2", *words])
        assert (result.status, result.stderr.count("cannot run")) == (status, status == 127)
        place.settle()
        assert (b"\x1b]9;" in place.terminal.recorded()) == (status == 3)


def test_the_user_is_notified_by_what_the_terminal_replied_before(alice, program, sandbox):
    """It is not asked then, as the user may be typing."""
    terminal = AnsweringTerminal(sandbox, KITTY, environment=alice.variables)
    os.chown(terminal.device, alice.uid, 5)
    place = Inside(alice.shell(terminal), terminal)
    for asked, shown in ([], b"\x1b]9;"), (IDENTITY, b""), ([], b"\x1b]99;"):
        terminal.forget()
        before = len(terminal.asked())
        words = [program, "copy", "-s", "x"] if asked else ["sudo", "-n", program, "run", "id", "-u"]
        result = place.run(words)
        place.settle()
        assert (result.status, result.stdout) == (0, b"" if asked else b"0\n")
        assert terminal.asked()[before:] == asked
        assert shown in terminal.recorded()


@pytest.mark.needs("strace")
@pytest.mark.unsanitized
def test_nothing_is_opened_before_the_command_has_ended(alice, sandbox, program):
    trap, log = Trap(alice), sandbox.fresh("strace")
    place = at(alice, TMUX=trap.address, TMUX_PANE="%0")
    calls = strace(log, "open", "openat", "connect", "setuid", "ioctl", "execve")
    result = place.run(["sudo", "-n", *calls, program, "run", "--timeout", "1", "env", "id", "-u"])
    assert result.stdout == b"0\n"
    lines = log.read_text().splitlines()
    ended = max(i for i, line in enumerate(lines) if "execve(" in line and '["id", "-u"]' in line)
    became = next(i for i, line in enumerate(lines) if f"setuid({alice.uid})" in line)
    assert ended < became
    assert not [line for line in lines[:became] if "/dev/" in line or "connect" in line or "TIOC" in line]
    assert set(trap.peers) == {alice.uid}


def test_a_command_of_root_has_no_title_and_how_it_gets_one_is_said(alice, program):
    place = at(alice)
    words = ["title", "--while", "busy", "--", "sh", "-c", "id -u; exit 3"]
    result = place.run(["sudo", "-n", program, *words])
    assert (result.status, result.stdout) == (3, b"0\n")
    assert "viatty title --while TEXT -- sudo" in result.stderr
    place.settle()
    assert b"busy" not in place.terminal.recorded()
    result = place.run([program, *words[:4], "sudo", "-n", *words[4:]])
    assert (result.status, result.stdout) == (3, b"0\n")
    place.settle()
    assert b"busy" in place.terminal.recorded()


def test_who_would_keep_a_privilege_sends_nothing(alice, program):
    """The capabilities of root stay."""
    place = at(alice)
    keeping = ["setpriv", "--securebits", "+no_setuid_fixup"]
    result = place.run(["sudo", "-n", *keeping, program, "copy", "-s", "text"])
    place.settle()
    expect.nothing_arrived(place.terminal)
    assert result.status == 1
    assert "cannot become the user who called root" in result.stderr


# What strace(1) lets fail: each call of becoming that user, then the checks that follow.
FAILING = ["setgid:error=EAGAIN", "setuid:error=EAGAIN", "prctl:error=EPERM", "capget:error=EPERM",
           "setuid:retval=0:when=2", "setgid:retval=0:when=2"]


@pytest.mark.needs("strace")
@pytest.mark.unsanitized
def test_who_becomes_that_user_in_part_sends_nothing(alice, root, sandbox, program):
    trap = Trap(root)
    place = at(alice, TMUX=trap.address, TMUX_PANE="%0")
    call = lambda how: ["sudo", "-n", "-E", *strace(
        sandbox.fresh("log"), how.partition(":")[0], options=["-e", f"inject={how}"]), program, "copy", "-s", "x"]
    for how in FAILING:
        result = place.run(call(how))
        assert (result.status, "cannot become the user who called root" in result.stderr) == (1, True), how
    place.settle()
    expect.nothing_arrived(place.terminal)
    # Where not even the first call is allowed, root acts for nobody.
    arrives(place, call("setgroups:error=EPERM"), data=b"x")
    assert trap.peers == []


@pytest.mark.works("unshare", "-r", "true")
def test_root_of_a_user_namespace_is_its_user(alice, program):
    arrives(at(alice), ["unshare", "-r", program, "copy", "-s", "text"])


def test_a_set_user_id_viatty_opens_what_its_caller_may(alice, root, sandbox, program):
    root.home.chmod(0o710)
    (root.home / "file").write_text("text")
    (root.home / "file").chmod(0o640)
    own = sandbox.path / "own"
    shutil.copy(program, own)
    own.chmod(0o6755)
    place = at(alice)
    result = place.run([str(own), "copy", str(root.home / "file")])
    assert (result.status, "Permission denied" in result.stderr) == (1, True)
    place.settle()
    expect.nothing_arrived(place.terminal)
    expect.sent(place.run([str(own), "copy"], stdin=b"text"))


# ---- without /proc -----------------------------------------------------------------------

EMPTY = ["sudo", "-n", "-E", "unshare", "-m", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]
# Once more alice's, and nothing tells of sudo.
USERS = ["env", "-u", "SUDO_UID", "setpriv", "--reuid", "alice", "--regid", "alice", "--clear-groups"]


@pytest.mark.unsanitized
@pytest.mark.works("unshare", "-m", "sh", "-c", "mount -t tmpfs none /proc")
@pytest.mark.parametrize("alone", [[], ["setsid", "-w"]], ids=["terminal", "none"])
def test_without_processes_a_user_s_server_is_asked_and_root_s_is_not(alice, root, program, alone):
    pane = alice.tmux().session()
    pane.server.attach()
    expect.sent(pane.run([*EMPTY, *USERS, *alone, program, "copy"], stdin=b"text"))
    pane.settle()
    # Whether the terminal of its client is in our devpts is not known then: tmux writes there.
    expect.arrived(pane.terminal, b"text", letters=[""])
    result = pane.run([*EMPTY, *USERS, program, "notify", "--term", "iterm2", "text"])
    assert (result.status, "no /proc is mounted" in result.stderr) == (4, True)
    pane = root.tmux().session()
    pane.server.attach()
    result = pane.run([*EMPTY, program, "copy"], stdin=b"text")
    expect.refused(result, naming="the outer tmux drops it")


# ---- from one user to another ------------------------------------------------------------


def kept(*words):
    return ["doas", "-n", *words, "env"]


@pytest.mark.parametrize("launcher", [kept(), kept("-u", "bob"), ["sudo", "-n", "-E"]], ids=" ".join)
def test_a_terminal_of_the_caller_is_written_and_of_a_third_user_not(alice, bob, program, launcher):
    ours, theirs, place = alice.terminal(), bob.terminal(), at(alice)
    os.chmod(theirs.device, 0o620)
    # So that bob has one to fall back on.
    os.chmod(place.terminal.device, 0o666)
    call = [*launcher, program, "copy", "-s", "text"]
    result = arrives(place, call, environment={"VIATTY_TTY": theirs.device})
    assert ("VIATTY_TTY is ignored: another user may have set it" in result.stderr) == ("bob" in launcher)
    if "bob" not in launcher:
        # An option is the caller's word, and so is what the shell has set.
        result = place.run([*call, "--tty", theirs.device])
        assert (result.status, "Permission denied" in result.stderr) == (3, True)
        expect.sent(place.run(below(call, VIATTY_TTY=ours.device)))
        ours.settle()
        expect.arrived(ours, b"text")
    theirs.settle()
    expect.nothing_arrived(theirs)


def test_nor_by_root_below_that_user(alice, bob, program):
    """Its environment is that of a shell of bob's, which alice has set."""
    trap, theirs = Trap(bob), bob.terminal()
    shell = [*kept("-u", "bob"), "sh", "-c", 'sudo -n "$@"; exit $?', "sh"]
    place = at(alice)
    # The nearest user counts, whose terminal this is.
    os.chmod(theirs.device, 0o600)
    expect.sent(place.run([*shell, program, "copy", "-s", "text", "--tty", theirs.device]))
    theirs.settle()
    expect.arrived(theirs, b"text")
    arrives(place, [*shell, program, "copy", "-s", "text", "--timeout", "1"],
            environment={"TMUX": trap.address, "TMUX_PANE": "%0"})
    assert trap.peers == []


BOB = ["doas", "-n", "-u", "bob", "env"]
ALONE = 'setsid -w "$0" copy -s text'
# What alone tells of the caller.
TOLD = {
    "variables": orphan(*BOB, script=ALONE),
    "session": orphan(*BOB, "-u", "DOAS_USER"),
    "ancestor": lambda program, file: [
        *BOB, "-u", "DOAS_USER", "sh", "-c", f'{ALONE}; echo done >"$1"', program, str(file)],
}


@pytest.mark.parametrize("command", TOLD.values(), ids=TOLD)
def test_each_sign_of_a_caller_is_enough(alice, bob, program, command):
    trap = Trap(bob)
    alice.home.chmod(0o777)
    leave(at(alice), command, program, alice, TMUX=trap.address, TMUX_PANE="%0")
    assert trap.peers == []


def test_su_acts_for_a_caller_who_has_gone(alice, bob, program):
    """Its real user ID is the caller's."""
    theirs = bob.terminal()
    os.chmod(theirs.device, 0o600)
    su = orphan("su", "root", "-c", 'exec "$0" "$@"', "--",
                script=f'"$0" copy -s text --tty {theirs.device}', killed=False)
    leave(at(alice), su, program, alice)
    theirs.settle()
    expect.nothing_arrived(theirs)


# ---- what is remembered ------------------------------------------------------------------


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


@pytest.mark.parametrize("words", [["relay", "ssh", "far"], ["ssh", "far"]])
def test_root_relays_for_no_user_and_installs_nothing(alice, sandbox, program, words):
    """It runs the one command that was given, as root."""
    tools = sandbox.folder("tools")
    tools.chmod(0o755)
    sandbox.script(tools / "ssh", 'id -u; echo "called with $*"')
    place = at(alice)
    path = f"PATH={tools}:{os.environ['PATH']}"
    job = place.start(["sudo", "-n", "env", path, program, *words], stdin=None, on_terminal=True)
    assert job.wait().status == 0
    place.terminal.wait_for(b"called with far\r\n")
    place.terminal.see("no relay, because this is root")
    assert place.terminal.recorded().endswith(b"\r\n0\r\ncalled with far\r\n")
