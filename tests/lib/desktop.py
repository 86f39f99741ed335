"""A desktop without a screen: an X server, a Wayland compositor on it, a session bus.

All of it is private: the server chooses the display number, the other sockets are in
the sandbox, drawing is done in software, and every program is killed by its pid.

A seat shows a terminal: it has the clipboard, which is read and set as by another
program, and the titles of windows.
"""

import json
import os
import pwd
import shlex
import subprocess
import sys
import time

from lib import surroundings
from lib.picture import picture
from lib.processes import Orphan, is_alive, until
from lib.terminal import OuterTerminal

# Drawing without a GPU on a busy machine is slow.
PATIENCE = 60.0

# The name of the type of text, on both seats.
_X_TEXT, _WAYLAND_TEXT = "UTF8_STRING", "text/plain;charset=utf-8"

# Larger than any window here, including that of sway; and a position for the pointer outside
# all windows, since the server draws it into the picture.
_SCREEN = "1152x800x24"
_FAR = (1151, 799)

# Independent of the locale and the settings of the developer, and of the GPU.
SOFTWARE = {"LIBGL_ALWAYS_SOFTWARE": "1", "GALLIUM_DRIVER": "llvmpipe"}


def eventually(condition, what):
    return until(condition, what, PATIENCE)


class Background:
    """A program in the background, with its output in a file of the sandbox."""

    def __init__(self, sandbox, argv, environment):
        self.argv, self._log = argv, sandbox.fresh("log")
        with open(os.devnull, "rb") as stdin, open(self._log, "wb") as log:
            self._program = Orphan(argv, environment, (stdin, log, log))
        self.pid = self._program.pid
        sandbox.adopt(self)

    def await_sign(self, sign, what):
        """Wait until sign() is true; fails if the program exits first."""
        eventually(lambda: sign() or not is_alive(self.pid), f"{self.argv[0]}: {what}")
        assert sign() or is_alive(self.pid), f"{self.argv[0]} ended: {self.said()}"
        return sign()

    def said(self):
        return self._log.read_bytes()[-2000:].decode("utf-8", "replace")

    def close(self):
        """Terminate it, so that it removes its sockets and locks, then kill it."""
        self._program.terminate(10)
        self._program.kill()


class XSeat:
    """An X server that only the tests use."""

    def __init__(self, sandbox):
        self._sandbox = sandbox
        number, memory = sandbox.fresh("display"), sandbox.fresh("memory")
        memory.mkdir()
        self._screen = memory / "Xvfb_screen0"
        server = ["Xvfb", "-displayfd", "3", "-nolisten", "tcp", "-noreset"]
        server += ["-screen", "0", _SCREEN, "-fbdir", str(memory)]
        to_file = f"exec {shlex.join(server)} 3>{shlex.quote(str(number))}"
        environment = sandbox.environment(**SOFTWARE)
        program = Background(sandbox, ["sh", "-c", to_file], environment)
        ready = lambda: number.exists() and number.read_text().endswith("\n")
        program.await_sign(ready, "tells its display")
        self.variables = {"DISPLAY": f":{number.read_text().strip()}", **SOFTWARE}
        self.environment = sandbox.environment(**self.variables)
        self._point(*_FAR)

    def read(self, selection="clipboard", kind=_X_TEXT):
        """The bytes of the selection as text; None if it has no owner."""
        argv = self._xclip("-o", selection, kind)
        deadline = time.monotonic() + PATIENCE
        while True:
            # An owner that has just lost the selection may never reply: retry.
            try:
                return _output(argv, self.environment, 5)
            except subprocess.TimeoutExpired:
                if time.monotonic() > deadline:
                    raise

    def own(self, data, selection="clipboard"):
        """Own the selection until another program does."""
        source = self._sandbox.fresh("selection")
        source.write_bytes(data)
        argv = [*self._xclip("-i", selection, _X_TEXT), "-quiet", str(source)]
        Background(self._sandbox, argv, self.environment)
        what = f"xclip owns the {selection}"
        eventually(lambda: self.read(selection) == data, what)

    def title(self, window):
        name = _output(["xdotool", "getwindowname", window], self.environment)
        return (name or b"").decode("utf-8", "replace").rstrip("\n")

    def picture(self, box):
        """A picture of this part of the screen."""
        return picture(self._screen, box)

    def box(self, window):
        """Where the window is: left, top, width and height."""
        argv = ["xdotool", "getwindowgeometry", "--shell", window]
        said = (_output(argv, self.environment) or b"").decode()
        told = dict(line.split("=") for line in said.split())
        return tuple(int(told[name]) for name in ("X", "Y", "WIDTH", "HEIGHT"))

    def focus(self, window):
        """Focuses a window, since there is no window manager."""
        _output(["xdotool", "windowfocus", window], self.environment)

    def press(self, window, *keys):
        self.focus(window)
        _output(["xdotool", "key", *keys], self.environment)

    def click(self, x, y):
        self._point(x, y)
        _output(["xdotool", "click", "1"], self.environment)
        self._point(*_FAR)

    def window_of(self, name):
        """The window of this class, or None."""
        argv = ["xdotool", "search", "--class", f"^{name}$"]
        return (_output(argv, self.environment) or b"").decode().strip() or None

    def only_window(self):
        """The window of a program without a class; the root window has a lower number."""
        argv = ["xdotool", "search", "--onlyvisible", "--maxdepth", "1", "--name", ".*"]
        found = (_output(argv, self.environment) or b"").decode().split()
        return max(found, key=int) if len(found) > 1 else None

    def _point(self, x, y):
        _output(["xdotool", "mousemove", str(x), str(y)], self.environment)

    @staticmethod
    def _xclip(direction, selection, kind):
        return ["xclip", direction, "-selection", selection, "-t", kind]


class WaylandSeat:
    """sway in a separate X server, whose keyboard is that of the seat.

    sway refuses to run as root, so root runs it as another user; the socket is open to root.
    """

    def __init__(self, sandbox):
        self._sandbox, self._x = sandbox, XSeat(sandbox)
        runtime = sandbox.folder("wayland", 0o700)
        argv = ["sway", "-c", "/dev/null"]
        if os.geteuid() == 0:
            other = pwd.getpwnam(surroundings.USER)
            os.chown(runtime, other.pw_uid, other.pw_gid)
            user = [f"--reuid={other.pw_uid}", f"--regid={other.pw_gid}"]
            argv = ["setpriv", *user, "--clear-groups", *argv]
        environment = sandbox.environment(
            **self._x.variables,
            HOME=str(runtime),
            XDG_RUNTIME_DIR=str(runtime),
            WLR_BACKENDS="x11",
            WLR_RENDERER="pixman",
            WLR_LIBINPUT_NO_DEVICES="1",
        )
        program = Background(sandbox, argv, environment)
        control = program.await_sign(lambda: _first(runtime, "sway-ipc.*"), "listens")
        display = program.await_sign(lambda: _first(runtime, "wayland-?"), "shows")
        self.variables = {
            "XDG_RUNTIME_DIR": str(runtime),
            "WAYLAND_DISPLAY": display.name,
            "SWAYSOCK": str(control),
            **SOFTWARE,
        }
        self.environment = sandbox.environment(**self.variables)
        has_keyboard = lambda: b'"keyboard"' in (self._ask("get_inputs") or b"")
        program.await_sign(has_keyboard, "has a keyboard")
        self._frame = program.await_sign(self._x.only_window, "has a window")

    def read(self, selection="clipboard", kind=_WAYLAND_TEXT):
        """The bytes of the selection as text; None if it has no owner."""
        argv = ["wl-paste", "--no-newline", "--type", kind]
        return _output(argv + self._which(selection), self.environment)

    def own(self, data, selection="clipboard"):
        """Own the selection until another program does."""
        source = self._sandbox.fresh("selection")
        source.write_bytes(data)
        copy = ["wl-copy", "--foreground", "--type", _WAYLAND_TEXT]
        copy = shlex.join(copy + self._which(selection))
        argv = ["sh", "-c", f"exec {copy} <{shlex.quote(str(source))}"]
        Background(self._sandbox, argv, self.environment)
        what = f"wl-copy owns the {selection}"
        eventually(lambda: self.read(selection) == data, what)

    def title(self, window):
        """The title of the window of this application."""
        return self._node(window).get("name") or ""

    def picture(self, box):
        """A picture of this part of the screen."""
        return self._x.picture(box)

    def box(self, window):
        """Where the inside of the window is: left, top, width and height."""
        node = self._node(window)
        outer, inner = node["rect"], node["window_rect"]
        corner = (outer["x"] + inner["x"], outer["y"] + inner["y"])
        return (*corner, inner["width"], inner["height"])

    def focus(self, window):
        """Does nothing: sway focuses a new window itself."""

    def press(self, window, *keys):
        self._x.press(self._frame, *keys)

    def click(self, x, y):
        self._x.click(x, y)

    def _node(self, window):
        """sway's description of the window of this application, empty before it exists."""
        tree = json.loads(self._ask("get_tree") or b"{}")
        found = (node for node in _nodes(tree) if node.get("app_id") == window)
        return next(found, {})

    def _ask(self, question):
        return _output(["swaymsg", "--raw", "-t", question], self.environment)

    @staticmethod
    def _which(selection):
        return ["--primary"] if selection == "primary" else []


class Bus:
    """A session bus with a notification daemon that records what it shows."""

    def __init__(self, sandbox, x):
        socket = sandbox.fresh("bus")
        self.variables = {"DBUS_SESSION_BUS_ADDRESS": f"unix:path={socket}"}
        self.environment = sandbox.environment(**x.variables, **self.variables)
        self._shown = sandbox.folder("shown")
        daemon = ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--nosyslog"]
        daemon.append(f"--address=unix:path={socket}")
        program = Background(sandbox, daemon, self.environment)
        program.await_sign(socket.exists, "listens")
        settings = sandbox.fresh("dunstrc")
        settings.write_text(self._settings(sandbox))
        dunst = ["dunst", "-config", str(settings)]
        self._dunst = Background(sandbox, dunst, self.environment)
        self._dunst.await_sign(self._is_served, "serves notifications")

    def shown(self):
        """Title and body of each notification so far."""
        files = sorted(self._shown.glob("*.shown"), key=lambda path: path.stat().st_mtime)
        return [tuple(path.read_text().split("\0")[:2]) for path in files]

    def _settings(self, sandbox):
        """The rule for every notification runs a script, as dunst shows it."""
        script = sandbox.script(
            sandbox.fresh("script"),
            f"file={self._shown}/$DUNST_ID\n"
            'printf "%s\\0%s\\0" "$DUNST_SUMMARY" "$DUNST_BODY" >"$file"\n'
            'mv "$file" "$file.shown"',
        )
        return (
            # Narrow, so that none covers a window.
            "[global]\nfont = Monospace 8\nalways_run_script = true\nwidth = (0, 150)\n"
            f'[all]\nsummary = "*"\nscript = {script}\ntimeout = 1\n'
        )

    def _is_served(self):
        ask = "dbus-send --session --print-reply --dest=org.freedesktop.DBus / "
        ask += "org.freedesktop.DBus.NameHasOwner string:org.freedesktop.Notifications"
        return b"boolean true" in (_output(ask.split(), self.environment) or b"")


class SilentTerminal(OuterTerminal):
    """A GNOME Terminal, which shows no notifications; a script that stands for notify-send does."""

    SCRIPT = """\
import os, sys
open("/proc/self/comm", "w").write("gnome-terminal-")
child = os.fork()
if child == 0:
    os.setsid()
    fd = os.open(sys.argv[1], os.O_RDWR)
    for number in range(3):
        os.dup2(fd, number)
    os.execvp(sys.argv[2], sys.argv[2:])
os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""

    def __init__(self, sandbox, answers=None, then=""):
        self._shown = sandbox.fresh("shown")
        sandbox.script("notify-send", f"printf '%s\\0' \"$@\" END >>{self._shown}\n{then}")
        super().__init__(sandbox, answers=answers, environment={
            "VIATTY_PROBE": "never", "VTE_VERSION": "7006",
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={sandbox.socket()}"})

    def shown(self):
        """The words of each call so far."""
        text = self._shown.read_bytes().decode() if self._shown.exists() else ""
        return [call.split("\0")[:-1] for call in text.split("END\0")[:-1]]

    def hold(self, types, data, tool=""):
        """The clipboard has this data: `tool` is run first by what stands for wl-paste."""
        clipboard, display = self.sandbox.fresh("clipboard"), self.sandbox.socket()
        clipboard.write_bytes(data)
        self.sandbox.script("wl-paste", f"{tool}\ncase $1 in\n--list-types) printf '{types}\\n';;\n"
                            f"*) cat {clipboard};;\nesac")
        self.environment["WAYLAND_DISPLAY"] = str(display)
        return display

    def start(self, argv, stdio=None, by=(), **environment):
        """Start a program in its window."""
        argv = [*by, sys.executable, "-I", "-S", "-c", self.SCRIPT, self.device, *argv]
        with open(os.devnull, "r+b") as nothing:
            program = Orphan(argv, {**self.environment, **environment}, (nothing.fileno(),) * 3,
                             directory=self.sandbox.path)
        self._programs.append(program)
        return program


class Desktop:
    """All of the above, each started when first needed."""

    def __init__(self, sandbox):
        self.sandbox = sandbox
        self._parts = {}

    @property
    def x(self):
        return self._part("x", lambda: XSeat(self.sandbox))

    @property
    def wayland(self):
        return self._part("wayland", lambda: WaylandSeat(self.sandbox))

    @property
    def web(self):
        # Its modules need this one.
        from lib.web import WebSeat

        return self._part("web", lambda: WebSeat(self.sandbox))

    @property
    def bus(self):
        return self._part("bus", lambda: Bus(self.sandbox, self.x))

    def _part(self, name, start):
        if name not in self._parts:
            self._parts[name] = start()
        return self._parts[name]


def _output(argv, environment, timeout=PATIENCE):
    """The output of the program, or None if it fails."""
    done = subprocess.run(
        argv,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=timeout,
    )
    return done.stdout if done.returncode == 0 else None


def _first(folder, pattern):
    return next(iter(sorted(folder.glob(pattern))), None)


def _nodes(node):
    yield node
    for child in node.get("nodes", []) + node.get("floating_nodes", []):
        yield from _nodes(child)
