"""Terminals that do not copy, on the desktop whose clipboard is meant.

A program of the desktop sets and tells it; what it did is read back with another one.
In each place a copy goes where tests/unit/test_plan.c says.
"""

import json
import os
import pwd
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from makes import ON_WAYLAND, ON_X, ST

from lib import doctor, expect, program, surroundings
from lib.desktop import PATIENCE, Background, eventually
from lib.mux import ScreenSession, TmuxServer
from lib.runner import Runner
from lib.sandbox import Sandbox
from lib.sshd import Sshd
from lib.users import UIDS, Accounts

TEXT = "zwei Zeilen: grün,\n\tund ein ✓ 漢字 🙂\n".encode()
LARGE = b"".join(b"%07d of many lines\n" % number for number in range(40_000))
USER = pwd.getpwnam(surroundings.USER)
BECOME_USER = ["setpriv", f"--reuid={USER.pw_uid}", f"--regid={USER.pw_gid}"]
BECOME_USER.append("--clear-groups")

TERMINALS = {
    "xfce4-terminal": ["--disable-server", "-x"],
    "lxterminal": ["--no-remote", "-e"],
    "gnome-terminal": ["--wait", "--"],
    "urxvt": ["-e"],
    # These copy only with a setting.
    "xterm": ["-e"],
    ST.program: ["-e"],
    "mlterm": ["-e"],
    "alacritty": ["-e"],
    "kitty": [],
}
READS = {
    "xclip": ["xclip", "-o", "-selection", "clipboard", "-t", "UTF8_STRING"],
    "xsel": ["xsel", "-o", "--clipboard"],
}

pytestmark = pytest.mark.needs(*ON_X, "xsel", "xfce4-terminal", "tmux", "screen", "vim")


class Window:
    """A terminal on a seat, with a runner in it; `become` comes before the command."""

    def __init__(self, desktop, name="xfce4-terminal", seat=None, become=list, **variables):
        self.sandbox, self.seat = Sandbox(), seat or desktop.x
        try:
            program.install(self.sandbox)
            self.runner = Runner(self.sandbox, for_everybody=True)
            self._start(desktop, name, become, variables)
        except BaseException:
            self.close()
            raise
        self.run, self.start, self.open = (
            self.runner.run, self.runner.start, self.runner.open)

    def _start(self, desktop, name, become, variables):
        home = self.sandbox.folder("desk", 0o777)
        home.chmod(0o777)
        known = {**self.seat.variables, **desktop.bus.variables, "HOME": str(home)}
        known = self.sandbox.environment(**{**known, **variables})
        command = [*self.runner.argv] if name != "lxterminal" else [self.runner.command]
        shown = Background(self.sandbox, [*become(), name, *TERMINALS[name], *command], known)
        if name == "gnome-terminal":
            # Its client may wait for a server that is slow to start.
            self.runner.ready(PATIENCE)
        else:
            shown.await_sign((self.runner.path / "pid").exists, "runs its program")

    def path(self, *programs):
        """A folder with viatty, these, and what the runner needs."""
        folder = self.sandbox.folder("only")
        for name in ("tmux", "screen", "vim", "sh", "mv", "cat", "sleep", *programs):
            (folder / name).symlink_to(shutil.which(name))
        shutil.copy(program.path(), folder / "viatty")
        return str(folder)

    def close(self):
        self.sandbox.close()


@pytest.fixture
def opened(stage):
    """Opens windows on the desktop, and closes them in the end."""
    stage.clear()
    windows = []

    def opened(*words, **how):
        windows.append(Window(stage.desktop, *words, **how))
        return windows[-1]

    yield opened
    for window in windows:
        window.close()


@pytest.fixture
def window(opened, request):
    return opened(*getattr(request, "param", ()))


def in_window_of(*names):
    """Tests in windows of these terminals."""
    cases = [pytest.param((name,), marks=pytest.mark.needs(name)) for name in names]
    return pytest.mark.parametrize("window", cases, indirect=True)


def in_tmux(window):
    return TmuxServer(window.sandbox).session_in(window)


def in_nested_tmux(window):
    return TmuxServer(window.sandbox).session_in(in_tmux(window))


def in_screen(window):
    return ScreenSession(window.sandbox, window)


def in_vim(window):
    runner = Runner(window.sandbox)
    window.open(["vim", "-u", "NONE", "-c", f"terminal ++curwin {runner.command}"])
    return runner.ready()


# By the words of the manual.
PLACES = {
    "vim or neovim": in_vim,
    "a local terminal": lambda window: window,
    "tmux": in_tmux,
    "tmux in tmux": in_nested_tmux,
    "GNU Screen": in_screen,
}


def read_with(tool, seat):
    return subprocess.run(
        READS[tool], env=seat.environment, capture_output=True, timeout=PATIENCE).stdout


def copy(place, data, *options, **how):
    return place.run(["viatty", "copy", *options], stdin=data, **how)


def becomes(window, data, tool="xclip"):
    what = f"{len(data)} bytes on the clipboard"
    eventually(lambda: read_with(tool, window.seat) == data, what)


def stays(window, before, result, naming):
    expect.refused(result, naming=naming)
    assert window.seat.read() == before


# ---- it arrives ---------------------------------------------------------------------


@pytest.mark.parametrize("where, tool, other", [
    *((where, "xclip", "xsel") for where in PLACES), ("a local terminal", "xsel", "xclip")])
def test_text_arrives(window, where, tool, other):
    path = {"PATH": window.path(tool)}
    place = PLACES[where](window)
    window.seat.own(b"before")
    result = copy(place, TEXT, "-v", environment=path)
    assert result.status == 0, result.stderr
    assert re.search(f"to X11 display .* by --route native with {tool},", result.stderr)
    becomes(window, TEXT, other)


@in_window_of("gnome-terminal", "urxvt")
def test_it_does_so_in_other_terminals(window):
    window.seat.own(b"before")
    assert "by --route native with xclip," in copy(window, TEXT, "-v").stderr
    becomes(window, TEXT, "xsel")


@pytest.mark.parametrize("tool", ["xclip", "xsel"])
def test_large_binary_and_no_text(window, tool):
    path = {"PATH": window.path(tool)}
    for data in (LARGE, bytes(range(1, 256)) if tool == "xclip" else b"x"):
        expect.sent(copy(window, data, environment=path))
        kind = "UTF8_STRING" if tool == "xclip" or data == LARGE else "STRING"
        eventually(lambda: window.seat.read(kind=kind) == data, f"{len(data)} bytes")
    expect.sent(copy(window, b"", "--clear", environment=path))
    eventually(lambda: read_with("xclip", window.seat) == b"", "it is empty")


def test_text_arrives_from_a_job_without_a_terminal(window):
    window.seat.own(b"before")
    job = ["setsid", "-w", "viatty", "copy", "-v"]
    result = window.run(job, stdin=TEXT)
    assert "by --route native with xclip" in result.stderr
    becomes(window, TEXT)
    pane = in_tmux(window)
    viatty = window.sandbox.path / "bin" / "viatty"
    pane.server.run("run-shell", "-t", pane.id, f"{viatty} copy -s 'by a key'")
    becomes(window, b"by a key")


@pytest.mark.parametrize("tool", ["xclip", "xsel"])
def test_it_is_pasted(window, tool):
    path = {"PATH": window.path(tool)}
    paste = lambda *options: window.run(["viatty", "paste", *options], environment=path)
    for data in (TEXT, b"no newline", LARGE):
        window.seat.own(data)
        result = paste()
        assert (result.status, result.stdout, result.stderr) == (0, data, "")
    expect.refused(paste("--max", "100"), naming="larger than 100 bytes")
    window.seat.own(b"selected", "primary")
    assert paste("-p").stdout == b"selected"


PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR and more"


def test_an_image_is_copied_and_pasted_as_what_it_is(window):
    image = window.sandbox.fresh("image")
    image.write_bytes(PNG)
    result = window.run(["viatty", "copy", "-t", "image/png", str(image)])
    expect.sent(result)
    eventually(lambda: window.seat.read(kind="image/png") == PNG, "an image")
    assert window.run(["viatty", "paste", "-t", "image/png"]).stdout == PNG
    assert window.run(["viatty", "paste", "--list-types"]).stdout == b"image/png\n"
    missing = window.run(["viatty", "paste", "-t", "text/html"])
    assert missing.status == 1 and 'no data of type "text/html"' in missing.stderr
    result = window.run(["viatty", "copy", "-t", "text/html"], stdin=b"<b>bold</b>")
    assert (result.status, result.stderr) == (0, "")
    assert window.run(["viatty", "paste", "-t", "text/html"]).stdout == b"<b>bold</b>"
    window.seat.own(TEXT)
    assert window.run(["viatty", "paste", "--list-types"]).stdout == b"text/plain\n"
    only_text = {"PATH": window.path("xsel")}
    result = window.run(["viatty", "copy", "-t", "image/png", str(image)], environment=only_text)
    stays(window, TEXT, result, naming='only text is supported by xsel, not "image/png"')


@in_window_of("xterm")
def test_a_terminal_for_text_leaves_the_rest_to_the_desktop(window):
    """Of bytes that are no text xterm drops what is not UTF-8. No reply is needed, so tmux
    does not matter."""
    place = in_tmux(window)
    window.seat.own(b"before")
    for data in (b"no text: \xff\xfe\n", b"a\0b\xffc"):
        result = copy(place, data, "-v")
        assert result.status == 0 and "by --route native with xclip" in result.stderr
        eventually(lambda: window.seat.read(kind="UTF8_STRING") == data, "these bytes")
    expect.sent(copy(place, PNG, "--type", "image/png"))
    eventually(lambda: window.seat.read(kind="image/png") == PNG, "an image")
    assert place.run(["viatty", "paste", "-t", "image/png"]).stdout == PNG
    found = doctor.findings(place, "types")
    assert found["types"]["works"] == "yes"
    assert (found["types"]["route"], found["types"]["tool"]) == ("native", "xclip")


def test_notifications_are_shown(window, stage):
    bus = stage.desktop.bus
    before = len(bus.shown())
    expect.sent(window.run(["viatty", "notify", "Title <1>", "a body"]))
    eventually(lambda: len(bus.shown()) > before, "a notification")
    assert bus.shown()[-1] == ("Title <1>", "a body")


def desktop_told(place, **how):
    return json.loads(place.run(["viatty", "doctor", "--json"], **how).stdout)["desktop"]


def test_doctor_names_the_desktop_or_says_why_it_is_not_used(window):
    told = desktop_told(window)
    assert re.fullmatch(
        r"X11 display :\d+, session bus of xfce4-terminal, process \d+(; /\S+)+", told)
    verbose = window.run(["viatty", "doctor", "-v"]).stdout.decode()
    assert "of xfce4-terminal, process" in " ".join(verbose.split())
    never = desktop_told(window, environment={"VIATTY_NATIVE": "never"})
    assert never == "not used: VIATTY_NATIVE=never"


def test_a_display_of_our_own_environment_does_not_matter(window):
    expect.sent(copy(window, TEXT, environment={"DISPLAY": ":4711", "WAYLAND_DISPLAY": "x"}))
    becomes(window, TEXT)
    expect.sent(copy(window, b"again", environment={"DISPLAY": None}))
    becomes(window, b"again")


def test_links_to_another_viatty_are_passed_over(window):
    links = window.sandbox.folder("links")
    for name in ("xclip", "xsel"):
        (links / name).symlink_to(window.sandbox.path / "bin" / "viatty")
    expect.sent(copy(window, TEXT, environment={"PATH": f"{links}:{window.path('xclip')}"}))
    becomes(window, TEXT)


# ---- where it is not chosen ---------------------------------------------------------


@pytest.mark.needs("sshd", "ssh")
def test_not_behind_ssh_to_this_machine(window):
    window.seat.own(b"before")
    far = Sshd(window.sandbox).login(window)
    here = {"PATH": f"{window.sandbox.path / 'bin'}:{os.environ['PATH']}"}
    why = "as root, viatty uses only" if os.geteuid() == 0 else "the terminal is not a"
    assert desktop_told(far, environment=here).startswith(f"not used: {why}")
    result = copy(far, TEXT, environment={**here, **window.seat.variables})
    stays(window, b"before", result, naming="programs may not set the clipboard of")


COPIES = "printf '\\033]52;c;aGVsbG8=\\007'"
LARGE_COPY = "head -c 8000000 /dev/zero | tr '\\0' x | {viatty} copy -q --tty stdout"
# There, as those have it who copy over ssh; and here, as it comes.
IN_TMUX_THERE = "tmux -L there -f /dev/null start \\; set -g set-clipboard on \\; new {}"
IN_TMUX_HERE = "tmux -S {}/here -f /dev/null new {}"


@pytest.mark.needs("sshd", "ssh", "setpriv")
@pytest.mark.parametrize("name, where", [
    pytest.param(name, where, marks=pytest.mark.needs(name)) for name, where in (
        ("xfce4-terminal", "a terminal"), ("xterm", "a terminal"), ("kitty", "a terminal"),
        ("xfce4-terminal", "tmux there"), ("alacritty", "tmux here"))
])
def test_what_a_host_sends_arrives_by_viatty_ssh(opened, name, where):
    """Where no terminal copies for a program, and where it may; once, eight million bytes."""
    window = opened(name, become=lambda: BECOME_USER)
    sshd, folder = Sshd(window.sandbox), window.sandbox.folder("users")
    for path in folder, sshd.client.parent, *sshd.client.parent.iterdir():
        os.chown(path, USER.pw_uid, USER.pw_gid)

    def there(command):
        line = IN_TMUX_THERE.format(shlex.quote(command)) if where == "tmux there" else command
        line = shlex.join(["viatty", "ssh", *sshd.argv("-t", "far", line)[1:]])
        line = IN_TMUX_HERE.format(folder, shlex.quote(line)) if where == "tmux here" else line
        return window.open(["sh", "-c", line])

    if name == "xfce4-terminal" and where == "a terminal":
        assert there(LARGE_COPY.format(viatty=window.sandbox.path / "bin" / "viatty")).wait().status == 0
        becomes(window, b"x" * 8_000_000)
    window.seat.own(b"before")
    # A tmux that is just drawing its window for the first time forwards nothing.
    copying = there(f"until [ -e {folder}/read ]; do {COPIES}; sleep 0.2; done")
    becomes(window, b"hello")
    (folder / "read").touch()
    assert copying.wait().status == 0


@pytest.mark.root
@pytest.mark.works("unshare", "-m", "true")
def test_not_in_another_root(window):
    """All that the desktop's programs need is there, and yet it is another place."""
    root = window.sandbox.folder("root")
    inside = Runner(window.sandbox)
    mount = f"mount --rbind / {root} && exec chroot {root} {inside.command}"
    window.open(["unshare", "-m", "sh", "-c", mount])
    inside.ready()
    window.seat.own(b"before")
    stays(window, b"before", copy(inside, TEXT), naming="programs may not set the clipboard of")
    assert desktop_told(inside) == "not used: as root, viatty uses only this terminal"


def test_not_on_a_display_of_another_machine(stage, opened, monkeypatch):
    """The terminal was told its display by an option; its environment names another."""
    seat = stage.desktop.x
    display = f"--display={seat.variables['DISPLAY']}"
    shown = ["DISPLAY=elsewhere:0", "xfce4-terminal", display, "--disable-server", "-x"]
    monkeypatch.setitem(TERMINALS, "env", shown)
    window = opened("env", DBUS_SESSION_BUS_ADDRESS=None)
    seat.own(b"before")
    stays(window, b"before", copy(window, TEXT), naming="programs may not set the clipboard of")
    assert "names no display" in desktop_told(window)


# ---- other users --------------------------------------------------------------------


@pytest.mark.root
@pytest.mark.needs(*ON_WAYLAND, "setpriv")
def test_text_arrives_in_wayland(stage, opened):
    seat = stage.desktop.wayland
    window = opened(seat=seat, become=lambda: BECOME_USER)
    result = copy(window, TEXT, "-v")
    assert result.status == 0, result.stderr
    assert re.search("to Wayland display .* by --route native with wl-copy,", result.stderr)
    eventually(lambda: seat.read() == TEXT, "it is on the clipboard")
    expect.sent(copy(window, b"selected", "-p"))
    eventually(lambda: seat.read("primary") == b"selected", "it is selected")
    seat.own(b"from another program")
    result = window.run(["viatty", "paste"])
    assert (result.stdout, result.stderr) == (b"from another program", "")
    expect.sent(copy(window, b"", "--clear"))
    eventually(lambda: not seat.read(), "it is empty")
    assert window.run(["viatty", "paste"]).stdout == b""
    expect.sent(window.run(["viatty", "copy", "-t", "image/png"], stdin=PNG))
    paste = ["viatty", "paste", "-t", "image/png"]
    eventually(lambda: window.run(paste).stdout == PNG, "an image")
    assert window.run(["viatty", "paste", "-l"]).stdout == b"image/png\n"
    result = window.run(["viatty", "paste", "-t", "text/html"])
    assert result.status == 1 and 'no data of type "text/html"' in result.stderr
    # wl-copy offers text as plain text, too
    page = ["viatty", "copy", "-t", "text/html"]
    expect.sent(window.run(page, stdin=b"<b>bold</b>"))
    eventually(lambda: window.run(["viatty", "paste"]).stdout == b"<b>bold</b>", "a page")
    listed = window.run(["viatty", "paste", "-l"]).stdout.split(b"\n")
    assert b"text/html" in listed and b"text/plain" in listed


@pytest.fixture(params=["alice", "bob"])
def person(opened, request, tmp_path_factory):
    """Someone's terminal; sudo gives a terminal of their own to what bob starts with it."""
    accounts = Accounts(tmp_path_factory.mktemp("accounts"))
    become = lambda: accounts.command(request.param, [])
    window = opened(become=become, DBUS_SESSION_BUS_ADDRESS=None)
    window.name = request.param
    return window


def serving(name, window):
    """The processes that serve the selections there, each with its user ids."""
    here, found = f"DISPLAY={window.seat.variables['DISPLAY']}".encode(), {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if (folder / "comm").read_text() != f"{name}\n":
                continue
            environ = (folder / "environ").read_bytes().split(b"\0")
            users = (folder / "status").read_text().split("\nUid:")[1].split()[:4]
        except OSError:
            # It has ended meanwhile.
            continue
        if b"VIATTY_NATIVE=never" in environ and here in environ:
            found[folder.name] = users
    return found


@pytest.mark.root
@pytest.mark.needs("sudo", "setpriv")
@pytest.mark.works("unshare", "-m", "sh", "-c", "mount --bind /etc /etc")
def test_root_works_for_who_called_sudo(person):
    person.seat.own(b"before")
    before = serving("xclip", person)
    viatty = str(person.sandbox.path / "bin" / "viatty")
    result = person.run(["sudo", "env", "DISPLAY=:4711", viatty, "copy", "-v"], stdin=TEXT)
    assert result.status == 0, result.stderr
    assert "by --route native with xclip" in result.stderr
    becomes(person, TEXT, "xsel")
    new = [users for pid, users in serving("xclip", person).items() if pid not in before]
    assert new == [[str(UIDS[person.name])] * 4]


@pytest.mark.root
@pytest.mark.needs("sudo", "setpriv")
@pytest.mark.works("unshare", "-m", "sh", "-c", "mount --bind /etc /etc")
def test_not_for_another_user_in_the_terminal(person):
    person.seat.own(b"before")
    viatty = str(person.sandbox.path / "bin" / "viatty")
    other = "bob" if person.name == "alice" else "alice"
    result = person.run(["sudo", "-u", other, viatty, "copy"], stdin=TEXT)
    stays(person, b"before", result, naming="programs may not set the clipboard of")
