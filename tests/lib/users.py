"""Users for a machine without any: accounts, logins, sockets.

The machine's own accounts stay as they are. Programs run behind a mount of a copy
of /etc, invisible outside; user IDs are the same everywhere.
"""

import os
import shlex
import socket
import struct
import subprocess
import threading

import pytest

from lib.mux import Pane, TmuxServer
from lib.runner import Runner
from lib.terminal import OuterTerminal

# Above the IDs that distributions assign to people and services.
UIDS = {"root": 0, "alice": 47001, "bob": 47002}
# A group that alice may change to.
CREW = 47003

# No passwords: the tests are about whom viatty trusts, not about logins.
# Without use_pty for alice, as up to sudo 1.9.13, and with it for bob, as since 1.9.14.
SUDOERS = """\
Defaults env_reset
Defaults secure_path="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
Defaults !use_pty
Defaults:bob use_pty
ALL ALL=(ALL:ALL) NOPASSWD: SETENV: ALL
"""
# With `env` it keeps the environment, as many sites have it for all commands.
DOAS = """\
permit nopass alice
permit nopass bob
permit nopass keepenv alice cmd env
"""

# asm-generic/socket.h; the module does not have it.
SO_PEERGROUPS = 59

# A Screen for several users keeps its sockets in a directory owned by root.
BEHIND_MOUNT = """\
mount --bind "$1" /etc && { ! [ -d /run/screen ] || mount --bind "$2" /run/screen; } &&
shift 2 && exec "$@"
"""
# The same calls as in the tests, to find out whether they are allowed here.
MOUNTING = ("unshare", "-m", "sh", "-c", "mount --bind /etc /etc")
PEOPLE = [
    pytest.mark.root,
    pytest.mark.works(*MOUNTING),
    pytest.mark.needs("setpriv", "tmux"),
]


class Accounts:
    """A copy of /etc with alice and bob, and with the rules for sudo."""

    def __init__(self, path):
        self.etc, self.screens = path / "etc", path / "screens"
        self.screens.mkdir(mode=0o755)
        self.screens.chmod(0o755)
        subprocess.run(["cp", "-a", "/etc", str(self.etc)], check=True)
        for name, uid in UIDS.items():
            if uid:
                self._add(name, uid)
        with open(self.etc / "group", "a") as groups:
            groups.write(f"crew:x:{CREW}:alice\n")
        shadow = self.etc / "shadow"
        lines = [_without_password(line) for line in shadow.read_text().splitlines()]
        shadow.write_text("\n".join(lines) + "\n")
        self._write("sudoers", SUDOERS, 0o440)
        self._write("doas.conf", DOAS, 0o600)
        # sudo prints an error if the host name has no address.
        with open(self.etc / "hosts", "a") as hosts:
            hosts.write(f"127.0.0.1 {socket.gethostname()}\n")
        for extra in (self.etc / "sudoers.d").glob("*"):
            extra.unlink()

    def command(self, user, argv):
        """The command line that runs argv as this user, after a login."""
        become = ["setpriv", "--reuid", user, "--regid", user, "--init-groups"]
        mount = ["unshare", "-m", "sh", "-c", BEHIND_MOUNT, "sh"]
        mount += [str(self.etc), str(self.screens)]
        return [*mount, *(become if user != "root" else []), *argv]

    def _add(self, name, uid):
        for file, line in {
            "passwd": f"{name}:x:{uid}:{uid}::/nonexistent/{name}:/bin/sh",
            "group": f"{name}:x:{uid}:",
            "shadow": f"{name}::19000:0:99999:7:::",
        }.items():
            with open(self.etc / file, "a") as accounts:
                accounts.write(line + "\n")

    def _write(self, name, text, mode):
        path = self.etc / name
        path.unlink(missing_ok=True)
        path.write_text(text)
        path.chmod(mode)


def _without_password(line):
    name, _, rest = line.split(":", 2)
    return f"{name}::{rest}" if name in UIDS else line


class Person:
    """A user in a sandbox: a home, terminals, a tmux server."""

    def __init__(self, accounts, sandbox, name):
        self.name, self.uid = name, UIDS[name]
        self.accounts, self.sandbox = accounts, sandbox
        self.home = sandbox.path / name
        self.home.mkdir(mode=0o700)
        os.chown(self.home, self.uid, self.uid)
        self.variables = {"HOME": str(self.home), "TMUX_TMPDIR": str(self.home), "USER": name}

    def terminal(self):
        """A terminal owned by the user, as after a login."""
        terminal = OuterTerminal(self.sandbox, environment=self.variables)
        os.chown(terminal.device, self.uid, 5)
        return terminal

    def shell(self, terminal, **environment):
        """A runner at this terminal, as this user."""
        runner = Runner(self.sandbox, for_everybody=True)
        terminal.start(self.accounts.command(self.name, runner.argv), **environment)
        return runner.ready()

    def tmux(self):
        return PersonsTmux(self)


class PersonsTmux(TmuxServer):
    """A tmux server of one user, with clients of any."""

    def __init__(self, person):
        super().__init__(person.sandbox, **person.variables)
        self.person = person
        self.socket = person.home / "sock"

    def argv(self, *arguments, user=None):
        call = ["tmux", "-S", str(self.socket), "-f", "/dev/null"]
        return self.person.accounts.command(
            user or self.person.name, [*call, *arguments]
        )

    def session(self, name="main"):
        runner = Runner(self.sandbox, for_everybody=True)
        shown = ["-P", "-F", "#{pane_id} #{pane_tty}"]
        start = ["new-session", "-d", "-s", name, *shown, shlex.join(runner.argv)]
        where = self.run(*start)
        self._pid = int(self.ask("#{pid}"))
        return Pane(self, where, runner)

    def attach(self, session="main", person=None):
        person = person or self.person
        terminal = person.terminal()
        terminal.start(self.argv("attach-session", "-t", session, user=person.name))
        self.shown_in(terminal, terminal.device)
        return terminal

    def admit(self, guest, *flags):
        """Gives another user access to the server."""
        self.person.home.chmod(0o711)
        self.socket.chmod(0o777)
        self.run("server-access", *flags, "-a", guest.name)


class Trap:
    """A socket of another user in place of a server; it reports who connects.

    It reads the identification of a client and hangs up.
    """

    def __init__(self, person):
        self.path = person.home / "trap"
        self.peers, self.heard = [], b""
        # Of each peer: its groups, and whether it leads a session of its own.
        self.groups, self.alone = [], []
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(str(self.path))
        os.chown(self.path, person.uid, person.uid)
        self.path.chmod(0o777)
        person.home.chmod(0o711)
        self._listen()
        threading.Thread(target=self._serve, daemon=True).start()
        person.sandbox.adopt(self)

    @property
    def address(self):
        return f"{self.path},{self._pid},0"

    def _listen(self):
        """By a process that has ended: this one is an ancestor of every viatty."""
        self._pid = os.fork()
        if self._pid == 0:
            self._server.listen()
            os._exit(0)
        os.waitpid(self._pid, 0)

    def close(self):
        self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()

    def _serve(self):
        while True:
            try:
                client, _ = self._server.accept()
            except OSError:
                return
            who = client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
            pid, uid, group = struct.unpack("3i", who)
            self.peers.append(uid)
            groups = client.getsockopt(socket.SOL_SOCKET, SO_PEERGROUPS, 1024)
            self.groups.append({group, *struct.unpack(f"{len(groups) // 4}i", groups)})
            self.alone.append(os.getsid(pid) == pid)
            client.settimeout(0.3)
            try:
                self.heard += client.recv(65536)
            except OSError:
                pass
            client.close()
