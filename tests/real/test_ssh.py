"""Logins by ssh and mosh with their real programs: what of it gets home."""

import io
import os
import re
import shlex
import shutil
import subprocess
import tarfile
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from lib import expect
from lib.mux import TmuxServer
from lib.processes import until
from lib.sshd import MoshLogin, Sshd
from lib.terminal import XTERM_ANSWERS
from lib.versions import has

pytestmark = pytest.mark.needs("ssh", "ssh-keygen")


@pytest.fixture
def sshd(sandbox):
    return Sshd(sandbox)


@pytest.fixture
def pane(tmux):
    """A pane of a default tmux in a terminal that answers, as real ones do."""
    pane = tmux.session()
    tmux.attach(answers=XTERM_ANSWERS)
    return pane


# ---- ssh -----------------------------------------------------------------------


@pytest.mark.parametrize("size", [100, 1_000_000])
def test_from_a_terminal_it_arrives(sshd, plain, size):
    expect.copy_arrives(sshd.login(plain), expect.sample(size))


def test_over_two_machines_it_arrives(sandbox, sshd, plain):
    first = sshd.login(plain)
    second = sshd.login(first)
    expect.copy_arrives(second, expect.sample(100_000))


@pytest.mark.needs("tmux")
class TestFromAPane:
    @pytest.mark.parametrize("size", [100, 100_000])
    @pytest.mark.parametrize("setting", ["set-clipboard", "allow-passthrough"])
    def test_that_lets_it_through_it_arrives(self, sshd, pane, setting, size):
        pane.server.option("-g", "set-clipboard", "off")
        pane.server.option("-g", setting, "on")
        place, data = sshd.login(pane), expect.sample(size)
        expect.sent(expect.copy(place, data))
        expect.arrived_somehow(pane.terminal, data)

    def test_of_a_default_tmux_it_tells_the_truth(self, sshd, pane):
        status = 0 if has("tmux", "get-clipboard") else 4
        expect.copy_is_doubted(sshd.login(pane), pane.terminal, expect.DATA, status)


@pytest.mark.needs("tmux")
class TestTmuxOverThere:
    @pytest.mark.parametrize("size", [100, 1_000_000])
    def test_from_a_terminal_it_arrives(self, sandbox, sshd, plain, size):
        there = self.tmux_in(sandbox, sshd.login(plain))
        expect.copy_arrives(there, expect.sample(size))

    @pytest.mark.parametrize("setting", ["set-clipboard", "allow-passthrough"])
    def test_and_here_it_arrives_if_let_through(self, sandbox, sshd, pane, setting):
        pane.server.option("-g", setting, "on")
        there = self.tmux_in(sandbox, sshd.login(pane))
        expect.sent(expect.copy(there, expect.DATA))
        expect.arrived_somehow(pane.terminal, expect.DATA)

    def test_and_a_default_tmux_here_it_tells_the_truth(self, sandbox, sshd, pane):
        there = self.tmux_in(sandbox, sshd.login(pane))
        expect.copy_is_doubted(there, pane.terminal, expect.DATA, 7)

    @staticmethod
    def tmux_in(sandbox, login):
        server = TmuxServer(sandbox)
        there = server.session()
        server.attach_inside(_Seen(login), login.runner.device)
        return there


class _Seen:
    """A login where a text is seen when the terminal here has drawn it."""

    def __init__(self, login):
        self.login, self.open, self.terminal = login, login.open, login.terminal

    def see(self, text):
        if hasattr(self.login.place, "see"):
            self.login.place.see(text)
        else:
            self.terminal.see(text)
        self.login.settle()


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

# ssh with the sandbox's own settings, which writes down its arguments.
SSH = """\
{{ printf '%s|' "$@" | tr '\\n' ' '; echo; }} >>{calls}
exec {ssh} -F {client} "$@"
"""

# What a host prints that wants to get at the terminal here: at what viatty ssh asks
# and installs, not at COMMAND, whose output is its own.
HOSTILE = r"""
case $BASH_EXECUTION_STRING in
*sh\ -c*) PATH=$HOME/evil:$PATH; printf '\033]52;c;ZXZpbA==\a'
	printf '\033]2;evil\a' >&2 ;;
esac
"""


# The rows of .packaging/releases, and those of other systems.
RELEASES = (
    "linux-x86_64", "linux-aarch64", "linux-armv7", "linux-i686", "linux-riscv64",
    "macos-aarch64", "macos-x86_64", "freebsd-x86_64",
)


LOGIN_SHELLS = ("bash", "dash", "zsh", "fish", "tcsh")
# For a shell of sh's kind, which the login shell is here.
PREFIX = "PATH=$PATH:$HOME/.local/bin;"
INSTALLED = "viatty ssh: installed viatty on \"far\", in ~/.local/bin\n"


class TestViattySsh:
    @pytest.fixture
    def calls(self, sandbox):
        return sandbox.path / "calls"

    @pytest.fixture
    def person(self, sandbox, sshd, plain, calls):
        """Somebody who calls it in a shell."""
        (sandbox.path / "home" / ".ssh").mkdir(mode=0o700)
        sandbox.script("ssh", SSH.format(calls=calls, ssh=shutil.which("ssh"), client=sshd.client))

        def types(line, stdin=b"", **environment):
            return plain.run(["sh", "-c", line], stdin=stdin, environment=environment)

        return types

    @pytest.fixture
    def folder(self, sshd):
        return sshd.home / ".local" / "bin"

    def test_a_host_without_viatty_gets_it_once(self, sandbox, folder, person):
        first = person("viatty ssh far")
        assert (first.status, first.stderr) == (0, INSTALLED)
        program = folder / "viatty"
        ours = sandbox.path / "bin" / "viatty"
        assert program.read_bytes() == ours.read_bytes()
        assert program.stat().st_mode & 0o777 == 0o755
        copied = program.stat().st_mtime_ns
        second = person("viatty ssh far")
        assert (second.status, second.stderr) == (0, "")
        assert program.stat().st_mtime_ns == copied
        assert {path.name for path in folder.iterdir()} == {"viatty", "osc52"}
        assert (folder / "osc52").readlink() == Path("viatty")

    def test_the_command_runs_once_over_there_when_viatty_is_there(
        self, sshd, folder, person
    ):
        line = "viatty ssh far 'echo ran >>~/ran; ls ~/.local/bin; exit 7'"
        result = person(line)
        assert (result.status, result.stderr) == (7, INSTALLED)
        assert result.stdout.split() == [b"osc52", b"viatty"]
        assert (sshd.home / "ran").read_text() == "ran\n"
        assert person(line).status == 7
        assert (sshd.home / "ran").read_text() == "ran\n" * 2

    @pytest.mark.parametrize("words", ["", "-p 22", "-v", "--", "-o BatchMode=yes"])
    def test_without_a_host_it_says_how_it_is_called(self, person, calls, words):
        result = person(f"viatty ssh {words}")
        assert (result.status, result.stdout) == (2, b"")
        assert "no host given" in result.stderr
        assert not calls.exists()

    @pytest.mark.parametrize(
        "before, behind",
        [
            ("", "-- echo far -t -p 1"),
            ("-i {key} -4", "-o BatchMode=yes echo x"),
            ("-Cqi{key}", "-a echo 'a  b' '$HOME'"),
            ("-aR 0:127.0.0.1:1 -qCe none -oBatchMode=yes --", "echo --"),
        ],
    )
    def test_it_takes_the_options_of_ssh(
        self, sshd, person, calls, before, behind
    ):
        line = f"{before.format(key=sshd.client.parent / 'person')} far {behind}"
        plainly = person(f"ssh {line}")
        assert plainly.status == 0 and plainly.stdout
        wanted = calls.read_text()
        calls.unlink()
        result = person(f"viatty ssh {line}")
        assert (result.status, result.stdout) == (0, plainly.stdout)
        *asked, last = calls.read_text().splitlines(keepends=True)
        before_command, added, command = last.partition(f"{PREFIX}|")
        assert added and (before_command + command).endswith(f"|{wanted}")
        # What is in the PATH of the host needs nothing.
        (sshd.home / ".bashrc").write_text("PATH=$PATH:$HOME/.local/bin\n")
        calls.unlink()
        assert person(f"viatty ssh {line}").stdout == plainly.stdout
        assert calls.read_text().endswith(f"|{wanted}")
        assert asked and not any("|echo|" in call for call in asked)

    @pytest.mark.parametrize("words", ["-V", "-G far", "-Q mac", "-N -O check far"])
    def test_what_opens_no_session_is_left_to_ssh(self, person, calls, folder, words):
        plainly, result = person(f"ssh {words}"), person(f"viatty ssh {words}")
        assert (result.status, result.stdout) == (plainly.status, plainly.stdout)
        first, second = calls.read_text().splitlines()
        assert first == second and not folder.exists()

    @pytest.mark.parametrize("line", ["-t far tty", "far -t tty"])
    def test_a_terminal_is_allocated_when_it_is_asked_for(self, sshd, person, line):
        sshd.has_terminals()
        assert person(f"viatty ssh {line} <>/dev/tty").stdout.startswith(b"/dev/pts/")

    def test_without_a_terminal_none_is(self, person):
        assert person("viatty ssh far tty </dev/tty").stdout == b"not a tty\n"

    def test_the_command_gets_standard_input_whole(self, person):
        data = expect.sample(100_000)
        assert person("viatty ssh far cat", stdin=data).stdout == data

    def test_nothing_that_the_host_says_reaches_the_terminal(
        self, sandbox, sshd, folder, person, plain
    ):
        (sshd.home / ".bashrc").write_text(HOSTILE)
        (sshd.home / "evil").mkdir()
        sends = "printf '\\033]52;c;ZXZpbA==\\a\\233m'"
        evil = sandbox.script(sshd.home / "evil" / "uname", sends)
        result = person("viatty ssh far 'echo $HOME'")
        assert (result.status, result.stdout) == (0, f"{sshd.home}\n".encode())
        assert result.stderr.startswith("viatty ssh: warning: viatty was not installed: ")
        assert "\x1b" not in result.stderr and result.stderr.isascii()
        evil.write_text("#!/bin/sh\necho Plan9 mips\n")
        result = person("viatty ssh far true >/dev/tty 2>/dev/tty")
        plain.terminal.see('"far" is Plan9 mips')
        expect.nothing_arrived(plain.terminal)
        # What comes with the installing is not shown either.
        evil.unlink()
        result = person("viatty ssh far 'echo $HOME'")
        assert (result.stderr, result.stdout) == (INSTALLED, f"{sshd.home}\n".encode())
        assert (folder / "viatty").exists()

    def test_one_that_is_there_stays(self, sandbox, folder, person):
        folder.mkdir(parents=True)
        sandbox.script(folder / "viatty", ": mine")
        assert person("viatty ssh far").status == 0
        assert (folder / "viatty").read_text() == "#!/bin/sh\n: mine\n"

    @pytest.mark.parametrize("what", ["no program", "a link that leads nowhere", "a folder"])
    def test_nor_is_anything_else_replaced(self, folder, person, what):
        folder.mkdir(parents=True)
        there = folder / "viatty"
        if what == "no program":
            there.write_text("mine")
        elif what == "a folder":
            there.mkdir()
            there.chmod(0o600)
        else:
            there.symlink_to("elsewhere")
        # An ordinary user may not enter it; root may.
        kept = what == "a folder" and os.geteuid() == 0
        result = person("viatty ssh far 'echo there'")
        assert (result.status, result.stdout) == (0, b"there\n")
        assert kept or "~/.local/bin/viatty on \"far\" is no program, and is not replaced" in result.stderr
        assert [path.name for path in folder.iterdir()] == ["viatty"]
        assert there.is_dir() or there.is_symlink() or there.read_text() == "mine"

    @pytest.mark.parametrize("shell", ["bash", "tcsh", "fish"])
    def test_nor_in_a_home_with_a_blank(self, sandbox, sshd, person, shell):
        if not shutil.which(shell):
            pytest.skip(f"{shell} is not installed")
        sshd.login_shell(shutil.which(shell))
        home = sshd.move_home("a home")
        (home / ".local/bin").mkdir(parents=True)
        sandbox.script(home / ".local/bin/viatty", "echo mine")
        result = person("viatty ssh far viatty")
        assert (result.status, result.stderr, result.stdout) == (0, "", b"mine\n")

    def test_another_osc52_stays(self, folder, person):
        folder.mkdir(parents=True)
        (folder / "osc52").write_text("mine")
        result = person("viatty ssh far")
        assert (result.status, result.stderr) == (0, INSTALLED)
        assert (folder / "osc52").read_text() == "mine"

    def test_what_does_not_run_over_there_is_not_left_there(
        self, sandbox, folder, person
    ):
        broken = sandbox.path / "broken"
        broken.write_text("#!/bin/sh\nexit 1\n")
        result = person("viatty ssh far", VIATTY_STATIC=str(broken))
        assert result.status == 0
        assert 'does not run on "far"' in result.stderr
        assert list(folder.iterdir()) == []

    def test_another_kind_of_machine_gets_only_what_was_named(
        self, sandbox, folder, person, releases
    ):
        releases.host_is("Plan9 mips")
        result = person("viatty ssh far")
        assert (result.status, folder.exists()) == (0, False)
        assert "VIATTY_STATIC" in result.stderr
        program = sandbox.path / "bin" / "viatty"
        assert person("viatty ssh far", VIATTY_STATIC=str(program)).stderr == INSTALLED
        assert (folder / "viatty").exists()

    @pytest.fixture
    def releases(self, sandbox, sshd):
        """
        A folder of what `make release` makes, with programs that print the name of
        their archive, and a stand-in for `uname -sm` on the host.
        """
        folder = sandbox.path / "the releases"
        folder.mkdir()
        tools = sshd.home / "tools"
        tools.mkdir()
        (sshd.home / ".bashrc").write_text("PATH=$HOME/tools:$PATH\n")

        def release(name, version="1.2", age=0, content=None):
            name = f"viatty-{version}-{name}"
            program = f"#!/bin/sh\necho {name}\n".encode() if content is None else content
            member = tarfile.TarInfo(f"{name}/bin/viatty")
            member.size = len(program)
            with tarfile.open(folder / f"{name}.tar.gz", "w:gz") as archive:
                archive.addfile(member, io.BytesIO(program))
            then = time.time() - age
            os.utime(folder / f"{name}.tar.gz", (then, then))

        def host_is(words):
            sandbox.script(tools / "uname", f"[ \"$*\" = -sm ] && echo '{words}'")

        return SimpleNamespace(folder=folder, release=release, host_is=host_is)

    @pytest.mark.parametrize(
        "words, name",
        [
            ("Linux x86_64", "linux-x86_64"),
            ("Linux aarch64", "linux-aarch64"),
            ("Linux armv7l", "linux-armv7"),
            ("Linux armv8l", "linux-armv7"),
            ("Linux i686", "linux-i686"),
            ("Linux riscv64", "linux-riscv64"),
            ("Darwin arm64", "macos-aarch64"),
            ("Darwin x86_64", "macos-x86_64"),
            ("FreeBSD amd64", "freebsd-x86_64"),
        ],
    )
    def test_of_a_folder_of_releases_the_host_gets_its_own(
        self, folder, person, releases, words, name
    ):
        for row in RELEASES:
            releases.release(row)
        releases.host_is(words)
        result = person("viatty ssh far", VIATTY_STATIC=str(releases.folder))
        assert (result.status, result.stderr) == (0, INSTALLED)
        assert (folder / "viatty").read_text() == f"#!/bin/sh\necho viatty-1.2-{name}\n"
        assert (folder / "osc52").readlink() == Path("viatty")

    def test_of_several_releases_the_newest_is_taken(self, folder, person, releases):
        for version, age in (("1.9", 50), ("1.10", 0), ("1.8", 100)):
            releases.release("linux-riscv64", version, age)
        releases.host_is("Linux riscv64")
        result = person("viatty ssh far", VIATTY_STATIC=str(releases.folder))
        assert result.stderr == INSTALLED
        assert "viatty-1.10-linux-riscv64" in (folder / "viatty").read_text()

    def test_a_host_without_a_release_is_told(self, folder, person, releases):
        releases.release("linux-x86_64")
        for words in ("Linux mips", "Linux aarch64", "Darwin x86_64"):
            releases.host_is(words)
            result = person("viatty ssh far", VIATTY_STATIC=str(releases.folder))
            assert f'no archive in "{releases.folder}" is for {words}\n' in result.stderr
            assert (result.status, folder.exists()) == (0, False)

    @pytest.mark.parametrize("damage", ["empty", "cut"])
    def test_a_damaged_release_leaves_nothing_there(self, folder, person, releases, damage):
        releases.release("linux-x86_64", content=b"" if damage == "empty" else None)
        archive = releases.folder / "viatty-1.2-linux-x86_64.tar.gz"
        if damage == "cut":
            archive.write_bytes(archive.read_bytes()[:30])
        releases.host_is("Linux x86_64")
        result = person("viatty ssh far", VIATTY_STATIC=str(releases.folder))
        assert f'"{archive}" does not run on "far"' in result.stderr
        assert list(folder.iterdir()) == []

    def test_a_host_that_cannot_be_reached_is_one_error(self, person, calls):
        result = person("viatty ssh -o ProxyCommand=false far")
        assert result.status == 255
        assert calls.read_text().count("exec sh -c") == 0

    @pytest.mark.parametrize("home", ["a home, 100%C", "h" * 80])
    def test_any_home_will_do(self, sandbox, folder, person, home):
        (sandbox.path / home / ".ssh").mkdir(parents=True, mode=0o700)
        for where, said in ((home, INSTALLED), ("temporary", "")):
            result = person("viatty ssh far echo x", HOME=str(sandbox.path / where))
            assert (result.status, result.stdout, result.stderr) == (0, b"x\n", said)
        assert (folder / "viatty").exists()

    @pytest.mark.parametrize(
        "login", [pytest.param(n, marks=pytest.mark.needs(n)) for n in LOGIN_SHELLS]
    )
    def test_the_command_finds_osc52_from_the_call_on_that_installs_it(
        self, sshd, person, login
    ):
        sshd.login_shell(shutil.which(login))
        line = "viatty ssh far 'osc52 --version | cat; osc52 --version'"
        for said in (INSTALLED, ""):
            result = person(line)
            assert (result.status, result.stderr) == (0, said)
            assert result.stdout.startswith(b"viatty ") and result.stdout.count(b"\n") == 2

    @pytest.fixture
    def unknown(self, sandbox):
        """A terminal that only this side knows, called by its name."""
        source = sandbox.path / "viatty-new.src"
        source.write_text("viatty-new|a new terminal,\n\tam, cols#80, lines#24,\n\tcr=\\r, ind=\\n,\n")
        folder = sandbox.path / "home" / ".terminfo"
        subprocess.run(["tic", "-x", "-o", folder, source], check=True)
        return {"TERM": "viatty-new"}

    @pytest.mark.needs("tic", "infocmp")
    def test_the_host_gets_the_description_of_the_terminal(self, sshd, person, calls, unknown):
        sshd.has_terminals()
        line = "viatty ssh -t far 'echo $TERM; infocmp | grep -c ^viatty-new' <>/dev/tty"
        # the question, viatty and the description; then the question alone
        for times in 3, 1:
            assert person(line, **unknown).stdout.split() == [b"viatty-new", b"1"]
            assert calls.read_text().count("exec sh -c") == times
            calls.unlink()
        # nothing is replaced, and without tic it has a name that all know
        shutil.rmtree(sshd.home / ".terminfo")
        (sshd.home / ".terminfo").write_text("mine")
        result = person(line, **unknown)
        assert result.stdout.split()[0] == b"xterm-256color"
        assert ', which has no description of the terminal "viatty-new"' in result.stderr
        assert (sshd.home / ".terminfo").read_text() == "mine"

    @pytest.mark.needs("tic", "infocmp")
    def test_with_no_install_the_host_stays_as_it_is(self, sshd, person, calls, unknown):
        sshd.has_terminals()
        line = "viatty ssh --no-install -t far 'echo $TERM' <>/dev/tty"
        assert person(line, **unknown).stdout.split()[-1:] == [b"viatty-new"]
        assert list(sshd.home.iterdir()) == [] and calls.read_text().count("\n") == 1

    def test_what_it_brought_copies_from_there(self, sshd, folder, person, plain):
        assert person("viatty ssh far").status == 0
        place = sshd.login(plain)
        for name in (["viatty", "copy"], ["osc52"]):
            plain.terminal.forget()
            argv = [str(folder / name[0]), *name[1:]]
            expect.sent(place.run(argv, stdin=expect.DATA))
            place.settle()
            expect.arrived(plain.terminal, expect.DATA)


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

    @pytest.mark.parametrize("size", [1, 100, MOSH_MAX])
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

    @pytest.mark.needs("tmux")
    def test_nor_does_tmux_in_mosh_put_one(self, sandbox, sshd, mosh):
        server = TmuxServer(sandbox)
        there = server.session()
        mosh.runner.open(server.argv("attach-session", "-t", "main"))
        until(lambda: mosh.runner.device in server.clients(), "tmux is attached")
        self.refuses_to_paste(there)
        self.only_the_next_arrives(mosh, there)

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

    def test_doctor_names_it(self, mosh):
        told = mosh.run(["viatty", "doctor", "copy"])
        assert told.status == 0
        assert b"mosh" in told.stdout and b"limit" in told.stdout

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
