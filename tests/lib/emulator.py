"""Real terminals on the desktop, and places in them: alone, in tmux, in Screen.

A place has run and settle as elsewhere, and its emulator, which has the clipboard and
the title. To settle is to wait for a title that was written last: what has not happened
by then will not.
"""

import contextlib
import itertools
import sys
from dataclasses import dataclass, field

from lib import program
from lib.desktop import PATIENCE, Background, eventually
from lib.mux import ScreenSession, TmuxServer
from lib.runner import Runner
from lib.sandbox import Sandbox
from lib.terminal import write_to_terminal
from lib.versions import has
from lib.web import WebTerminal

_markers = itertools.count(1)

CORNER = b"\x1b[1;1R"

# The position of the cursor, which moves when anything is printed. The reply also proves
# that all output before the query has been read.
CURSOR = """\
import os, select, termios, tty
fd = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY)
modes = termios.tcgetattr(fd)
tty.setraw(fd)
reply = b""
try:
    os.write(fd, b"\\x1b[6n")
    while not reply.endswith(b"R") and select.select([fd], [], [], 20)[0]:
        reply += os.read(fd, 64)
finally:
    termios.tcsetattr(fd, termios.TCSANOW, modes)
os.write(1, reply)
"""


@dataclass(frozen=True)
class Make:
    """A terminal with its settings.

    id: its row in terminals.def. settings: their description in the table of results.
    focus: whether the clipboard is set only in the window with the keyboard.
    window: the class of the window with the title, if WINDOWID is another.
    suffix: what it appends to each title.
    files: those in its home, as (path, text). script: run by a page first.
    """

    id: str
    argv: tuple
    settings: str
    seat: str = "x"
    focus: bool = False
    window: str = ""
    suffix: str = ""
    files: tuple = ()
    script: str = ""
    needs: tuple = ()
    environment: dict = field(default_factory=dict, hash=False)

    def __str__(self):
        return f"{self.id}, {self.settings}"

    @property
    def program(self):
        return self.argv[0]


class Place:
    """A runner in a terminal, and the path of a title from there to the window."""

    def __init__(self, emulator, runner, title):
        self.emulator, self.runner, self._title = emulator, runner, title
        self.start = runner.start

    def run(self, argv, timeout=PATIENCE, **how):
        return self.runner.run(argv, timeout, **how)

    def stand_still(self):
        """Stop everything that changes by itself, until move_again()."""

    def move_again(self):
        """Undo stand_still()."""

    def settle(self):
        marker = f"settled-{next(_markers)}"
        self.print(self._title % marker.encode())
        shown = lambda: self.emulator.title() == marker
        eventually(shown, f"{self} has read all it was sent")

    def press_return(self):
        """Press Return, as a user does before a command: later events are newer than it."""
        reading = self.start(["sh", "-c", "read line"], stdin=None)
        self.emulator.seat.press(self.emulator.window, "Return")
        eventually(reading.is_done, f"{self} reads the key")

    def print(self, data):
        write_to_terminal(self.runner.device, data)

    def clear(self):
        """Clear the screen and home the cursor."""
        self.print(b"\x1b[2J\x1b[H")
        assert self.cursor() == CORNER

    def cursor(self):
        """The position of the cursor, as the terminal reports it."""
        asking = [sys.executable, "-I", "-S", "-c", CURSOR]
        return self.run(asking).stdout

    def __str__(self):
        return f"{self.emulator.make}, {self.name}"


class Emulator(Place):
    """A terminal with a runner in it: the place `alone`."""

    name = "alone"

    def __init__(self, desktop, make):
        self.make, self.sandbox = make, Sandbox()
        self.seat = getattr(desktop, make.seat)
        super().__init__(self, Runner(self.sandbox), b"\x1b]2;%s\x1b\\")
        try:
            program.install(self.sandbox)
            self._install_opener()
            self._furnish()
            self._start(desktop)
        except BaseException:
            self.close()
            raise

    def open(self, argv):
        """Start a program that takes the terminal over: a multiplexer."""
        self.guest = self.runner.open(argv)

    def title(self):
        return self.seat.title(self.window).removesuffix(self.make.suffix)

    def focus(self):
        self.seat.focus(self.window)

    def opened(self):
        """The URLs that the terminal has opened so far."""
        return self._opened.read_text().splitlines() if self._opened.exists() else []

    def close(self):
        self.sandbox.close()

    def _install_opener(self):
        """Installs an xdg-open that records the URL."""
        self._opened = self.sandbox.fresh("opened")
        self.sandbox.script("xdg-open", f'printf "%s\\n" "$1" >>{self._opened}')

    def _furnish(self):
        for name, text in self.make.files:
            self.sandbox.at_home(name, f"{text}\n")

    def _start(self, desktop):
        # This tests the terminal, not the desktop around it.
        variables = {"VIATTY_NATIVE": "never"}
        variables.update({**self.seat.variables, **desktop.bus.variables})
        environment = self.sandbox.environment(**variables, **self.make.environment)
        argv = [*self.make.argv, *self.runner.argv]
        shown = Background(self.sandbox, argv, environment)
        shown.await_sign((self.runner.path / "pid").exists, "runs its program")
        self.window = self._find_window()
        self.settle()
        if self.make.focus:
            self._await_focus()

    def _find_window(self):
        if self.make.seat == "wayland":
            return self.make.id
        if self.make.window:
            return eventually(lambda: self.seat.window_of(self.make.window), "a window")
        return self.run(["sh", "-c", "echo $WINDOWID"]).stdout.decode().strip()

    def _await_focus(self):
        """Retry, because the keyboard focus follows some time after the window."""

        def taken():
            self.focus()
            self.print(b"\x1b]52;c;Zm9jdXM=\x1b\\")
            return self.seat.read() == b"focus"

        eventually(taken, f"{self.make.id} has the keyboard")


class WebEmulator(Emulator):
    """A page with xterm.js."""

    def opened(self):
        return self._terminal.opened

    def _start(self, desktop):
        self._terminal = WebTerminal(self.sandbox, self.seat, self.make)
        self.window = self._terminal.page
        self._terminal.start(self.runner.argv)
        self.runner.ready()
        self.settle()


class InTmux(Place):
    """A tmux with default options, started in the terminal."""

    name = "tmux"

    def __init__(self, emulator):
        self._server = TmuxServer(emulator.sandbox)
        self._pane = self._server.session_in(emulator)
        super().__init__(emulator, self._pane.runner, b"\x1b]2;%s\x1b\\")

    def settle(self):
        """Waits with set-titles on: tmux passes on the title of the pane only then."""
        self._server.option("-g", "set-titles-string", "#T")
        self._server.option("-g", "set-titles", "on")
        super().settle()
        self._server.option("-g", "set-titles", "off")

    @contextlib.contextmanager
    def asking_the_terminal(self):
        """Configures tmux to pass on clipboard queries, if this version needs it."""
        settings = {"get-clipboard": "request", "set-clipboard": "on"}
        if not has("tmux", "get-clipboard"):
            settings = {}
        for name, value in settings.items():
            self._server.option("-s", name, value)
        yield
        for name in settings:
            self._server.option("-su", name)

    def stand_still(self):
        """Hides the status line, which has a clock and the names of programs."""
        self._server.option("-g", "status", "off")

    def move_again(self):
        self._server.option("-g", "status", "on")

    def close(self):
        self._server.run("kill-server")
        self.emulator.guest.wait(PATIENCE)


class InScreen(Place):
    """GNU Screen, started in the terminal."""

    name = "Screen"

    def __init__(self, emulator):
        self._session = ScreenSession(emulator.sandbox, emulator)
        super().__init__(emulator, self._session.runner, b"\x1bP\x1b]2;%s\x07\x1b\\")

    def close(self):
        self._session.command("quit")
        self.emulator.guest.wait(PATIENCE)
