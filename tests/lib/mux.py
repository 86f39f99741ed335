"""Private tmux servers and GNU Screen sessions, and waiting until they are idle.

A place has run, settle, see and terminal. To settle is to wait until all that was
written in the place so far has reached the outer terminal or was dropped: only then
can a test claim that nothing arrived.
"""

import contextlib
import itertools
import os
import shlex
import signal
import subprocess

from lib.processes import PATIENCE, Orphan, kill_family, until
from lib.runner import Runner
from lib.terminal import OuterTerminal, write_to_terminal

_markers = itertools.count(1)


class TmuxServer:
    """A server with its own socket and without any configuration file."""

    def __init__(self, sandbox, **environment):
        self.sandbox = sandbox
        self.environment = sandbox.environment(**environment)
        self.socket = sandbox.fresh("sock")
        self._places = {}
        self._controls = []
        self._pid = None
        sandbox.adopt(self)

    def argv(self, *arguments):
        return ["tmux", "-S", str(self.socket), "-f", "/dev/null", *arguments]

    def run(self, *arguments, stdin=b""):
        """Run a tmux command from outside and return what it prints."""
        done = subprocess.run(
            self.argv(*arguments),
            env=self.environment,
            cwd=self.sandbox.path,
            input=stdin,
            capture_output=True,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, f"tmux {arguments}: {done.stderr.decode()}"
        return done.stdout.decode("utf-8", "replace").rstrip("\n")

    def ask(self, format, target=None):
        place = ["-t", target] if target else []
        return self.run("display-message", "-p", *place, format)

    def option(self, *words):
        self.run("set-option", *words)

    def session(self, name="main"):
        """A new session; its pane has a runner."""
        runner = Runner(self.sandbox)
        where = self.run(*_new("new-session", runner, "-d", "-s", name))
        self._pid = int(self.ask("#{pid}"))
        return Pane(self, where, runner)

    def session_in(self, place):
        """A new session, started and shown in a place."""
        runner = Runner(self.sandbox)
        place.open(self.argv("new-session", "-s", "main", _exec(runner)))
        runner.ready()
        self._pid = int(self.ask("#{pid}"))
        return Pane(self, self.ask("#{pane_id} #{pane_tty}"), runner)

    def window(self, target="main"):
        runner = Runner(self.sandbox)
        return Pane(self, self.run(*_new("new-window", runner, "-t", target)), runner)

    def split(self, target="main"):
        runner = Runner(self.sandbox)
        return Pane(self, self.run(*_new("split-window", runner, "-t", target)), runner)

    def attach(self, session="main", terminal=None, **how):
        """Attach a client in a new outer terminal."""
        terminal = terminal or OuterTerminal(self.sandbox, **how)
        terminal.start(self.argv("attach-session", "-t", session))
        self.shown_in(terminal, terminal.device)
        return terminal

    def attach_inside(self, place, device, **how):
        """Attach a client in a place: a pane of another tmux, a Screen window."""
        place.open(self.argv("attach-session", "-t", "main"), **how)
        self.shown_in(place, device)

    def shown_in(self, place, device):
        until(lambda: device in self.clients(), f"a client appears on {device}")
        self._places[device] = place
        self.settle()

    def attach_control(self):
        """A control-mode client, as a graphical front end starts it."""
        client = ControlClient(self)
        self._controls.append(client)
        return client

    def detach(self, terminal):
        self.run("detach-client", "-t", terminal.device)
        until(lambda: terminal.device not in self.clients(), "the client detaches")

    def clients(self):
        return self.run("list-clients", "-F", "#{client_tty}").splitlines()

    @property
    def terminal(self):
        """The outer terminal of the only place that shows this server."""
        (place,) = self._places.values()
        return place.terminal

    def settle(self):
        """Draw a marker into the status line and see it in all clients."""
        marker = f"settled-{next(_markers)}"
        self.option("-g", "status-right", marker)
        for device in self.clients():
            if device in self._places:
                self._places[device].see(marker)

    def close(self):
        for client in self._controls:
            client.close()
        if self._pid:
            kill_family(self._pid)


class Pane:
    """A pane of a tmux server with a runner in it."""

    def __init__(self, server, where, runner):
        self.server, self.runner = server, runner.ready()
        self.run, self.start, self.open = runner.run, runner.start, runner.open
        self.id, self.device = where.split()

    @property
    def terminal(self):
        return self.server.terminal

    def text(self):
        """The text of the pane."""
        return self.server.run("capture-pane", "-p", "-t", self.id).strip()

    def mode(self):
        return self.server.ask("#{pane_mode}", self.id)

    def settle(self, device=None):
        """Wait until the server has read all output of the pane and the clients drew it."""
        marker = f"settled-{next(_markers)}"
        title = f"\x1b]2;{marker}\x1b\\".encode()
        write_to_terminal(device or self.device, title)
        self.await_title(marker)
        self.server.settle()

    def await_title(self, title):
        ask = lambda: self.server.ask("#{pane_title}", self.id) == title
        until(ask, f"pane {self.id} has read all it was sent")

    def see(self, text):
        until(lambda: text in self.text(), f"{text} is in pane {self.id}")
        self.settle()


class ControlClient:
    """`tmux -C attach`: a client on pipes that gets the output of panes as text."""

    def __init__(self, server):
        self._output = server.sandbox.fresh("control")
        commands, self._commands = os.pipe()
        argv = server.argv("-C", "attach-session", "-t", "main")
        with open(commands, "rb") as stdin, open(self._output, "wb") as output:
            stdio = (stdin, output, output)
            self._program = Orphan(argv, server.environment, stdio)
        until(lambda: b"%session-changed" in self.output(), "the control client starts")

    def output(self):
        return self._output.read_bytes()

    def close(self):
        os.close(self._commands)
        self._program.kill()


class ScreenSession:
    """GNU Screen with one window and a runner in it, shown in a place."""

    def __init__(self, sandbox, place, lines=24, settings=""):
        self.place, self._lines, self._sandbox = place, lines, sandbox
        self.name = sandbox.fresh("screen").name
        self.environment = sandbox.environment()
        self._settings = sandbox.fresh("screenrc")
        # Without a utmp Screen shows an error, and delays output while it does.
        self._settings.write_text(f"startup_message off\ndeflogin off\n{settings}")
        self.runner = runner = Runner(sandbox)
        self.run, self.start, self.open = runner.run, runner.start, runner.open
        sandbox.adopt(self)
        place.open(["screen", "-c", str(self._settings), "-S", self.name, *runner.argv])
        runner.ready()
        self.device = self.runner.device

    @property
    def terminal(self):
        return self.place.terminal

    def command(self, *words):
        screen = ["screen", "-S", self.name, "-p", "0", "-X", *words]
        subprocess.run(
            screen,
            env=self.environment,
            timeout=PATIENCE,
            check=True,
            stdin=subprocess.DEVNULL,
        )

    def text(self):
        """The text of the window."""
        copy = self._sandbox.fresh("hardcopy")
        self.command("hardcopy", str(copy))
        whole = lambda: copy.exists() and copy.read_bytes().count(b"\n") >= self._lines
        until(whole, "Screen copies its window")
        return copy.read_text("latin-1").strip()

    def settle(self):
        """Send a marker through Screen."""
        number = next(_markers)
        if isinstance(self.place, Pane):
            # The title of the outer pane proves what it has read.
            marker = f"settled-{number}"
            write_to_terminal(self.device, f"\x1bP\x1b]2;{marker}\x07\x1b\\".encode())
            self.place.await_title(marker)
            self.place.settle()
            return
        marker = b"\x1b]7777;%d\x07" % number
        write_to_terminal(self.device, b"\x1bP" + marker + b"\x1b\\")
        self.terminal.wait_for(marker)

    def see(self, text):
        until(lambda: text in self.text(), f"{text} is in the Screen window")
        self.settle()

    @contextlib.contextmanager
    def stopped(self):
        """Stops Screen inside this context; its input waits."""
        for process in self._processes():
            os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            for process in self._processes():
                os.kill(process, signal.SIGCONT)

    def close(self):
        for process in self._processes():
            kill_family(process)

    def _processes(self):
        sockets = (self._sandbox.path / "screen").glob(f"*.{self.name}")
        return [int(socket.name.split(".")[0]) for socket in sockets]


def _new(command, runner, *options):
    where = ["-P", "-F", "#{pane_id} #{pane_tty}"]
    return [command, *options, *where, _exec(runner)]


def _exec(runner):
    return shlex.join(["exec", *runner.argv])
