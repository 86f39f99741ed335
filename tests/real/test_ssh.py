"""Logins by ssh and mosh with their real programs: what of it gets home."""

import os
import pwd
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from lib import expect
from lib.desktop import SilentTerminal
from lib.mux import TmuxServer
from lib.processes import until
from lib.sshd import MoshLogin, Sshd
from lib.surroundings import USER
from lib.terminal import FENCE, XTERM_ANSWERS, OuterTerminal

pytestmark = pytest.mark.needs("ssh", "ssh-keygen")


@pytest.fixture
def sshd(sandbox):
    return Sshd(sandbox)


# ---- ssh -----------------------------------------------------------------------


@pytest.mark.parametrize("size", [100, 1_000_000])
def test_from_a_terminal_it_arrives(sshd, plain, size):
    expect.copy_arrives(sshd.login(plain), expect.sample(size))


@pytest.mark.parametrize("options", [[], ["-T"]], ids=["a command", "-T"])
def test_without_a_terminal_over_there_it_says_so(sshd, plain, options):
    remote = "PATH=%s:$PATH viatty copy" % (sshd.sandbox.path / "bin")
    argv = sshd.argv(*options, "far", remote)
    result = plain.run(argv, stdin=expect.DATA)
    expect.refused(result, status=3, naming="--tty")
    plain.settle()
    expect.nothing_arrived(plain.terminal)


def test_without_a_terminal_over_there_standard_output_will_do(sshd, plain):
    remote = "PATH=%s:$PATH viatty copy --tty stdout" % (sshd.sandbox.path / "bin")
    command = f"printf hello | {shlex.join(sshd.argv('far', remote))} >/dev/tty"
    assert plain.run(["sh", "-c", command]).status == 0
    plain.settle()
    expect.arrived(plain.terminal, b"hello")


# ---- viatty ssh ----------------------------------------------------------------

# Each is a command line of ssh, and of viatty ssh.
FORMS = [
    *("", "-V", "-Q mac", "-G far", "-O check far", "-S none far", "-N far", "-T far", "-t far tty"),
    *("-tt far", "-n far true", "-W [::1]:22 far", "-s far sftp", "-o SessionType=none far"),
    *("-vE {log} -q far", "-AXC -i {log} far", "-J one,two far", "-L 1:b:2 -NR 3:d:4 -D 5 far"),
    *("far echo 'a  b' '$HOME' \\'", "far -- ls -f", "-p 22 -- far -t ls -f", "ssh://far:22/", "-"),
    *("-oProxyCommand='nc -f %h' far", "-l f far", "-F f far", "-e f far", "-v"),
]
FORKED = ["-f far true", "-fN far", "-nNfL 1:b:2 far", "-qp 22 -f far true", "far -f true"]

# Writes down each word of each call.
LOGGED = "{{ printf '%s\\n' \"$#\" \"$@\"; }} >>{calls}"


class TestViattySsh:
    @pytest.fixture
    def calls(self, sandbox):
        return sandbox.path / "calls"

    @pytest.fixture
    def stub(self, sandbox, calls):
        """A program in the place of ssh, which tells whether it has a terminal of a relay."""
        logged = LOGGED.format(calls=calls)
        sandbox.script("ssh", f"{logged}; tty <&1 >{calls}.tty; exit 9")

    @pytest.fixture
    def person(self, sandbox, sshd, calls):
        """Somebody who has the sshd in the configuration of ssh, and a key there."""
        folder = sandbox.path / "home" / ".ssh"
        folder.mkdir(mode=0o700)
        (folder / "mine").write_text("mine")
        logged = LOGGED.format(calls=calls)
        ssh = shutil.which("ssh")
        sandbox.script("ssh", f'{logged}; exec {ssh} -F {sshd.client} "$@"')
        yield
        # nothing is asked there, and nothing is changed here or there
        assert [path.name for path in folder.iterdir()] == ["mine"]
        assert list(sshd.home.iterdir()) == []

    @pytest.fixture
    def pane(self, tmux):
        """Where a relay has something to do: the terminal takes copies, and tmux drops them."""
        pane = tmux.session()
        tmux.attach(answers={**FENCE, b"\x1b[>q": b"\x1bP>|foot(1.20.2)\x1b\\"})
        return pane

    @pytest.mark.needs("tmux")
    @pytest.mark.parametrize("where", ["at a terminal", "in a pipe"])
    def test_ssh_gets_these_words_in_one_call(self, sandbox, pane, stub, calls, where):
        """What goes to the background has no relay."""
        for words in FORMS + FORKED:
            calls.write_text("")
            line = words.format(log=sandbox.path / "log")
            start = pane.open if where == "at a terminal" else pane.start
            assert start(["sh", "-c", f"viatty ssh {line}"]).wait().status == 9
            wanted = shlex.split(line)
            assert calls.read_text().splitlines() == [str(len(wanted)), *wanted]
            if where == "at a terminal":
                terminal = (calls.parent / "calls.tty").read_text().strip()
                assert (terminal == pane.device) == (words in FORKED), words

    @pytest.mark.needs("tmux")
    def test_its_job_stays_when_ssh_has_gone(self, sshd, pane, person):
        ended = pane.open(["viatty", "ssh", "-f", "far", "sleep 1; echo still there"]).wait()
        assert ended.status == 0 and "still there" not in pane.text()
        pane.see("still there")

    @pytest.mark.needs("vim")
    def test_the_reason_of_a_lost_connection_is_seen(self, sandbox, sshd):
        """ssh writes it on the screen of vim, which the relay leaves."""
        sshd.has_terminals()
        terminal = OuterTerminal(sandbox, answers=XTERM_ANSWERS)
        job = terminal.inside().open(["viatty", "ssh", *sshd.argv("-t", "far", "vim --clean")[1:]])
        terminal.see("IMproved")
        sshd.lose()
        assert job.wait().status == 255
        terminal.settle()
        left = terminal.recorded().rpartition(b"\x1b[?1049l")[2]
        assert re.search(b"closed by remote host|Broken pipe", left)

    @pytest.mark.parametrize("line", ["-t far tty", "far -t tty"])
    def test_a_terminal_is_allocated_when_it_is_asked_for(self, sshd, plain, person, line):
        sshd.has_terminals()
        result = plain.run(["sh", "-c", f"viatty ssh {line} </dev/tty"])
        assert result.stdout.startswith(b"/dev/pts/")

    def test_the_status_and_the_streams_are_those_of_the_command(self, plain, person):
        data = expect.sample(100_000)
        result = plain.run(["viatty", "ssh", "far", "cat; exit 7"], stdin=data)
        assert (result.status, result.stdout) == (7, data)
        assert plain.run(["viatty", "ssh", "-o", "ProxyCommand=false", "far"]).status == 255

    @pytest.mark.needs("tmux")
    def test_the_hint_for_a_command_without_a_terminal_works(self, sandbox, pane, person):
        """Also where a tmux around ssh drops copies."""
        command = f"printf hello | PATH={sandbox.path / 'bin'}:$PATH osc52"
        said = pane.run(["ssh", "far", command])
        hint = re.search(r"desk: (viatty ssh -t) HOST COMMAND;", said.stderr)[1]
        assert pane.open([*hint.split(), "far", command]).wait().status == 0
        pane.settle()
        expect.arrived_somehow(pane.terminal, b"hello")

    OTHERS = {
        "scp": "scp -O -S {wrapper} {here} far:{there}",
        "rsync": "rsync -e 'viatty ssh' {here} far:{there}",
        "git": "cd {folder} && git init -q a && git -C a -c user.name=a -c user.email=a commit "
               "-q --allow-empty -m a && GIT_SSH_COMMAND='viatty ssh' git clone -q far:{folder}/a b "
               "&& cp {here} {there}",
        "sshpass": "sshpass -p word viatty ssh far 'cat >{there}' <{here}",
    }

    @pytest.mark.parametrize(
        "program", [pytest.param(name, marks=pytest.mark.needs(name)) for name in OTHERS]
    )
    def test_others_call_it_in_the_place_of_ssh(self, sandbox, plain, person, calls, program):
        wrapper = sandbox.script("wrapper", 'exec viatty ssh "$@"')
        folder = sandbox.folder("others")
        here, there = folder / "here", folder / "there"
        here.write_bytes(expect.sample(10_000))
        line = self.OTHERS[program].format(wrapper=wrapper, folder=folder, here=here, there=there)
        result = plain.run(["sh", "-c", line])
        assert (result.status, result.stderr) == (0, "")
        assert there.read_bytes() == here.read_bytes() and calls.exists()

    @pytest.mark.needs("mosh", "mosh-server")
    def test_mosh_calls_it_in_the_place_of_ssh(self, plain, person, calls):
        line = "mosh --ssh='viatty ssh' --bind-server=any far -- sh -c 'exit 0'"
        assert plain.open(["sh", "-c", line]).wait().status == 0
        assert "mosh-server" in calls.read_text()


@pytest.mark.root
@pytest.mark.needs("setpriv")
class TestPictures:
    # from the desk of a user, since root has none
    @pytest.fixture
    def desk(self, sandbox, sshd):
        person = pwd.getpwnam(USER)
        desk = SilentTerminal(sandbox)
        sandbox.script("ssh", f'exec {shutil.which("ssh")} -F {sshd.client} "$@"')
        for path in (desk.hold("image/png", b"picture"), desk.device, sandbox.path / "home",
                     *sshd.client.parent.iterdir(), sshd.client.parent):
            os.chown(path, person.pw_uid, person.pw_gid)
        desk.by = ["setpriv", f"--reuid={person.pw_uid}", f"--regid={person.pw_gid}", "--clear-groups"]
        return desk

    def press(self, desk, *options):
        # the host gets what is typed at once
        keys = desk.sandbox.fresh("keys")
        command = f"stty raw -echo; printf '\\033[?2004hready'; dd bs=1000 count=1 of={keys}"
        program = desk.start(["viatty", "ssh", "--pictures", "-tt", *options, "far", command], by=desk.by)
        desk.wait_for(b"ready")
        desk.type(b"\x16")
        program.wait()
        return keys.read_bytes()

    def test_a_picture_goes_over_the_connection_of_the_session(self, sshd, desk):
        keys = self.press(desk)
        path = re.fullmatch(rb"\x1b\[200~(/.*/picture-.*\.png)\x1b\[201~", keys)[1]
        assert Path(os.fsdecode(path)).read_bytes() == b"picture"
        desk.see("viatty ssh: sent 1 picture\r\n")
        assert len(sshd._sessions) == 1

    def test_where_there_is_one_session_it_makes_no_other_connection(self, sshd, desk):
        with open(sshd.settings, "a") as settings:
            settings.write("MaxSessions 1\n")
        assert self.press(desk) == b"\x16"
        desk.see("1 of 1 pictures were not sent, the first because: the connection of ssh took no")
        assert len(sshd._sessions) == 1

    def test_it_goes_over_that_of_the_user(self, sandbox, sshd, desk):
        with open(sshd.client, "a") as settings:
            settings.write(f"ControlPath {sandbox.path}/control\nControlMaster auto\nControlPersist 9\n")
        (sandbox.path).chmod(0o777)
        assert b"/picture-" in self.press(desk)
        assert (sandbox.path / "control").is_socket()
        subprocess.run(sshd.argv("-O", "exit", "far"), check=True, capture_output=True)

    @pytest.mark.parametrize("shell", [pytest.param(name, marks=pytest.mark.needs(name)) for name in (
        "dash", "fish", "tcsh")])
    def test_any_login_shell_stores_it(self, sshd, desk, shell):
        sshd.account(shutil.which(shell))
        assert b"/picture-" in self.press(desk)


# ---- mosh ----------------------------------------------------------------------

# What a mosh server keeps of "52;c;" and the base64 is 16 KiB.
MOSH_MAX = 12_282


def mosh_version():
    try:
        said = subprocess.run(["mosh-server", "--version"], capture_output=True)
    except OSError:
        return (0, 0)
    found = re.search(rb"mosh (\d+)\.(\d+)", said.stdout + said.stderr)
    return tuple(int(number) for number in found.groups()) if found else (0, 0)


@pytest.mark.needs("mosh-server", "mosh-client")
@pytest.mark.skipif(mosh_version() < (1, 4), reason="mosh has OSC 52 since 1.4")
class TestMosh:
    @pytest.fixture
    def mosh(self, sshd, terminal):
        return MoshLogin(sshd, terminal)

    @pytest.mark.parametrize("size", [1, MOSH_MAX])
    def test_what_mosh_takes_arrives_whole(self, mosh, size):
        data = expect.sample(size)
        expect.sent(mosh.run(["viatty", "copy"], stdin=data))
        self.arrives_through(mosh, data)

    @pytest.mark.needs("tmux")
    def test_a_notification_is_refused_and_nothing_else_is_said(self, mosh):
        outcome = mosh.run(["viatty", "notify", "x"])
        expect.refused(outcome, naming="mosh")
        assert "warning" not in outcome.stderr

    def test_from_tmux_in_mosh(self, sandbox, sshd, mosh):
        server = TmuxServer(sandbox)
        there = server.session()
        mosh.runner.open(server.argv("attach-session", "-t", "main"))
        until(lambda: mosh.runner.device in server.clients(), "tmux is attached")
        data = expect.sample(MOSH_MAX)
        expect.sent(there.run(["viatty", "copy"], stdin=data))
        self.arrives_through(mosh, data)
        mosh.terminal.forget()
        data = expect.sample(MOSH_MAX + 1)
        expect.refused(there.run(["viatty", "copy"], stdin=data), naming="mosh")
        self.only_the_next_arrives(mosh, there)

    def test_pasting_is_refused_and_mosh_is_sent_no_query(self, mosh):
        """It would pass one on as a copy of a question mark."""
        self.refuses_to_paste(mosh)
        self.only_the_next_arrives(mosh, mosh)

    @staticmethod
    def refuses_to_paste(place):
        pasted = place.run(["viatty", "paste"])
        expect.refused(pasted, naming="mosh")
        assert place.run(["viatty", "doctor", "paste"]).status == 4

    def test_what_else_mosh_drops_is_refused(self, mosh):
        for image in (b"\x1b_Ga=T,f=24,s=1,v=1;/wAA\x1b\\", b"\x1b]1337;File=inline=1:AAAA\x07"):
            result = mosh.run(["viatty", "raw"], stdin=image)
            expect.refused(result, naming=["dropped by mosh", "use ssh"])
        told = mosh.run(["viatty", "doctor", "raw"])
        assert told.status == 4 and b"dropped by mosh" in told.stdout
        stream = b"before \x1b_Ga=T;AAAA\x1b\\after \x1b]2;a title\x07"
        result = mosh.run(["viatty", "raw", "--filter"], stdin=stream)
        expect.refused(result, naming="dropped by mosh")
        mosh.terminal.wait_for(b"after")
        mosh.terminal.wait_for(b"a title")
        assert b"Ga=T" not in mosh.terminal.recorded()

    @staticmethod
    def arrives_through(mosh, *texts):
        writes = [("c", text) for text in texts]
        arrived = lambda: len(mosh.terminal.clipboard_so_far()) >= len(writes)
        until(arrived, "it comes out of mosh")
        assert expect.brief(mosh.terminal.clipboard()) == expect.brief(writes)

    def only_the_next_arrives(self, mosh, place):
        """mosh keeps the order, so what it brings first is all there was."""
        expect.sent(place.run(["viatty", "copy"], stdin=b"next"))
        self.arrives_through(mosh, b"next")
