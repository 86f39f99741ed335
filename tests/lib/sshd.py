"""Logins by ssh and mosh, over sockets of this machine.

A login is not a descendant of its terminal, as on another machine: it gets only TERM
and the bytes. Each connection has its own sshd, so that the kernel can choose the
port.
"""

import getpass
import grp
import os
import shlex
import shutil
import socket
import subprocess
import threading
from pathlib import Path

import pytest

from lib.processes import PATIENCE, Orphan, is_alive, kill_family
from lib.program import Inside
from lib.runner import Runner

SERVER = """\
HostKey {keys}/host
AuthorizedKeysFile {keys}/person.pub
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin yes
PrintMotd no
PrintLastLog no
SetEnv {environment}
"""

CLIENT = """\
Host far
    HostName 127.0.0.1
    Port {port}
    User {user}
    IdentityFile {keys}/person
    IdentitiesOnly yes
    StrictHostKeyChecking no
    UserKnownHostsFile {keys}/known
    LogLevel ERROR
"""

# The rest is up to sshd.
TAKEN_ALONG = ("LANG", "TMPDIR", "TMUX_TMPDIR", "SCREENDIR")
SANITIZERS = ("ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS")


# Namespaces of its own for one connection: its processes cannot see those of this
# machine, its terminals are others, and the sockets of tmux are not there, nor what other
# logins have stored under the names of such terminals. Without them
# viatty finds the tmux around the ssh client in /proc.
APART = (
    *("unshare", "--pid", "--fork", "--kill-child", "--mount", "--mount-proc", "--uts"),
    *("sh", "-ec"),
    """\
mount -t devpts -o newinstance,ptmxmode=0666,mode=0620,gid=5 devpts /dev/pts
mount --bind /dev/pts/ptmx /dev/ptmx
for sockets in "$1/tmux" "$1/screen"; do mount -t tmpfs -o mode=0700 tmpfs "$sockets"; done
mkdir -p -m 0700 "/tmp/viatty-$(id -u)"
mount -t tmpfs -o mode=0700 tmpfs "/tmp/viatty-$(id -u)"
hostname far
shift
# Not as the first process, of which viatty believes nothing.
"$@"
exit
""",
    "sh",
)


class Sshd:
    """The other machine, reached by `ssh -F CONFIG far`.

    apart: in namespaces of its own, as on another machine; needs root.
    """

    def __init__(self, sandbox, apart=False):
        self.sandbox, self._apart = sandbox, apart
        self.home = sandbox.folder("far")
        self._sessions = []
        self._path = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
        self._listener = socket.create_server(("127.0.0.1", 0))
        keys = sandbox.folder("keys", 0o700)
        for key in ("host", "person"):
            words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", keys / key]
            subprocess.run(words, check=True, timeout=PATIENCE)
        self.settings = keys / "server"
        self.settings.write_text(
            SERVER.format(keys=keys, environment=self._environment())
        )
        self.client = keys / "client"
        port = self._listener.getsockname()[1]
        settings = CLIENT.format(keys=keys, port=port, user=getpass.getuser())
        self.client.write_text(settings)
        if os.geteuid() == 0:
            # sshd needs it, and Debian creates it only when the service starts.
            Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        sandbox.adopt(self)

    def argv(self, *words):
        return ["ssh", "-F", str(self.client), *words]

    def account(self, shell="/bin/sh", within=(), body='exec {shell} -c "$SSH_ORIGINAL_COMMAND"'):
        """Log in to an account with this shell, and behind these words of a command line."""
        login = self.sandbox.script(f"login-{self.home.name}", "\n".join([
            f"SHELL={shell}; export SHELL; cd 2>/dev/null",
            f'[ -n "$SSH_ORIGINAL_COMMAND" ] || exec {shell} -l',
            body.format(shell=shell)]))
        with open(self.settings, "a") as settings:
            settings.write(f"ForceCommand {shlex.join([*within, str(login)])}\n")

    def login(self, place, *options, by=()):
        """ssh from a place, or the words of another program for it, with a remote terminal."""
        self.has_terminals()
        runner = Runner(self.sandbox, apart=self._apart)
        argv = self.argv("-t", *options, "far", runner.command)
        place.open([*(by or argv[:1]), *argv[1:]])
        # The name of a terminal over there is that of another one here.
        return Inside(runner.ready(), place, relayed=not self._apart)

    @staticmethod
    def has_terminals():
        """Skips a test that needs a remote terminal, if there is none."""
        if not _may_give_terminals():
            pytest.skip("sshd of a user needs /dev/pts mounted with the gid of group tty")

    def close(self):
        # Wakes the thread; no more logins.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join(PATIENCE)
        self._listener.close()
        self.lose()

    def lose(self):
        """All connections."""
        while self._sessions:
            self._sessions.pop().kill()

    def _environment(self):
        known = self.sandbox.environment(HOME=str(self.home))
        names = [name for name in (*TAKEN_ALONG, *SANITIZERS, "HOME") if name in known]
        known["PATH"] = self._path_without_viatty()
        return " ".join(f'"{name}={known[name]}"' for name in [*names, "PATH"])

    def _path_without_viatty(self):
        """Hides a program there that may be installed on this machine."""
        folders = os.environ["PATH"].split(":")
        return ":".join(self._without_viatty(Path(folder)) for folder in folders)

    def _without_viatty(self, folder):
        if not (folder / "viatty").exists():
            return str(folder)
        copy = self.sandbox.folder("programs")
        for program in folder.iterdir():
            if program.name != "viatty":
                (copy / program.name).symlink_to(program)
        return str(copy)

    def _serve(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with connection, open(os.devnull, "wb") as nothing:
                argv = [self._path, "-i", "-f", str(self.settings)]
                if self._apart:
                    argv = [*APART, str(self.sandbox.path), *argv]
                environment = {"PATH": os.environ["PATH"]}
                stdio = (connection.fileno(), connection.fileno(), nothing)
                self._sessions.append(Orphan(argv, environment, stdio))


def _may_give_terminals():
    """If there is a group tty, sshd sets it on the terminal, or exits (pty_setowner)."""
    if os.geteuid() == 0:
        return True
    master, slave = os.openpty()
    try:
        group = os.fstat(slave).st_gid
        return group == grp.getgrnam("tty").gr_gid
    except KeyError:
        return True
    finally:
        os.close(master)
        os.close(slave)


class MoshLogin:
    """mosh from a terminal, started over ssh as its script does.

    This place cannot settle, because mosh sends the state of the screen, not bytes.
    """

    def __init__(self, sshd, terminal, by=()):
        self.terminal = terminal
        runner = Runner(sshd.sandbox)
        server = ["mosh-server", "new", "-i", "127.0.0.1", "--", *runner.argv]
        started = subprocess.run(
            sshd.argv("far", shlex.join(server)),
            env=sshd.sandbox.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=True,
        )
        said = started.stdout + started.stderr
        connect = said.partition("MOSH CONNECT ")[2].split()
        self._server = int(said.partition("pid = ")[2].partition("]")[0])
        sshd.sandbox.adopt(self)
        port, key = connect[:2]
        terminal.start([*by, "mosh-client", "127.0.0.1", port], MOSH_KEY=key)
        self.runner = runner.ready()
        self.run, self.start = runner.run, runner.start

    def close(self):
        # After it has exited, another process may have its pid.
        name = Path(f"/proc/{self._server}/comm")
        if is_alive(self._server) and name.read_text() == "mosh-server\n":
            kill_family(self._server)
