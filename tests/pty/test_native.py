"""Programs of desktops that are not here: what they are run with, and what of them is told.

Each is a script that writes down its words, its input and its environment.
"""

import json
import os
import shlex
import shutil

import pytest

from lib import expect, program

TEXT = "grün ✓\nand more\n".encode()
POWERSHELL = ["-NoLogo", "-NoProfile", "-NonInteractive", "-Command"]

# What names the desktop, the programs, and their words for copy, paste and clear.
WSL = {"WSL_DISTRO_NAME": "Debian", "WSL_INTEROP": "/run/WSL/1_interop"}
MACOS = {"__CFBundleIdentifier": "com.apple.Terminal"}
TERMUX = {"TERMUX_VERSION": "0.118.3"}

RECORD = """\
set -e
for word; do printf '%s\\0' "$word"; done >{0}/words
env >{0}/environment
cat >{0}/input
{1}
"""


@pytest.fixture
def desk(sandbox, plain):
    return Desk(sandbox, plain)


class Desk:
    def __init__(self, sandbox, place):
        self.place, self.sandbox = place, sandbox
        self.records, self.folder = sandbox.folder("records"), sandbox.folder("programs")
        self.path = f"{self.folder}:{sandbox.path / 'bin'}:{os.environ['PATH']}"

    def program(self, name, then=""):
        self.plain_program(name, RECORD.format(shlex.quote(str(self.records)), then))

    def plain_program(self, name, script):
        self.sandbox.script(self.folder / name, script)

    def run(self, command, variables, *options, stdin=b""):
        argv = ["viatty", command, "--route", "native", *options]
        return self.place.run(argv, stdin=stdin, environment={**variables, "PATH": self.path})

    def words(self):
        return (self.records / "words").read_bytes().decode().split("\0")[:-1]

    def input(self):
        return (self.records / "input").read_bytes()

    def environment(self):
        lines = (self.records / "environment").read_text().splitlines()
        return dict(line.partition("=")[::2] for line in lines)


@pytest.mark.parametrize(
    "name, variables, words",
    [
        ("powershell.exe", WSL, POWERSHELL),
        ("pbcopy", MACOS, []),
        ("termux-clipboard-set", TERMUX, []),
    ],
)
def test_a_copy_is_the_programs_input(desk, name, variables, words):
    desk.program(name)
    result = desk.run("copy", variables, "--json", stdin=TEXT)
    assert result.status == 0, result.stderr
    report = json.loads(result.stdout)
    assert (report["route"], report["tool"]) == ("native", name)
    assert desk.input() == TEXT
    assert desk.words()[: len(words)] == words
    # PowerShell gets one word more, its script, which reads the input as UTF-8.
    assert all("UTF8" in script for script in desk.words()[len(words) :])
    assert len(desk.words()) == len(words) + (name == "powershell.exe")


@pytest.mark.parametrize(
    "name, variables",
    [("powershell.exe", WSL), ("pbpaste", MACOS), ("termux-clipboard-get", TERMUX)],
)
def test_a_paste_is_the_programs_output(desk, name, variables):
    desk.program(name, "printf 'gr\\303\\274n\\n'; echo a remark >&2")
    result = desk.run("paste", variables)
    assert (result.status, result.stdout, result.stderr) == (0, "grün\n".encode(), "")


def test_a_paste_may_be_as_large_as_the_limit(desk):
    for size in (0, 1, 5, 4096, 5000):
        desk.program("pbpaste", f"printf '%{size}s' '' | cut -c 1-{max(size, 1)} | tr -d '\\n'")
        fits = desk.run("paste", MACOS, "--max", str(max(size, 1)))
        assert (fits.status, fits.stdout, fits.stderr) == (0, b" " * size, "")
        if size > 1:
            limit = str(size - 1)
            expect.refused(desk.run("paste", MACOS, "--max", limit), naming=f"than {limit} bytes")


def test_a_type_that_is_not_printable_is_not_listed(desk):
    """Any program that copies makes up names, and they are printed to a terminal."""
    desk.program("wl-paste", "printf 'text/plain\\na/\\033]0;title\\007\\na/\\2333\\na/b\\n'")
    result = desk.run("paste", {"WAYLAND_DISPLAY": str(desk.sandbox.socket())}, "--list-types")
    assert (result.status, result.stdout) == (0, b"text/plain\na/b\n"), result.stderr


def test_a_program_gets_the_type(desk):
    wayland = {"WAYLAND_DISPLAY": str(desk.sandbox.socket())}
    desk.program("wl-copy")
    result = desk.run("copy", wayland, "-t", "text/html", stdin=b"<b>x")
    assert (desk.words(), desk.input()) == (["--type", "text/html"], b"<b>x")
    assert (result.status, result.stderr) == (0, "")
    png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
    assert desk.run("copy", wayland, stdin=png).status == 0
    assert (desk.words(), desk.input()) == (["--type", "image/png"], png)
    desk.program("wl-paste", "case $* in -l*|--l*) echo image/png ;; *) exit 1 ;; esac")
    result = desk.run("paste", wayland)
    expect.refused(result, 1, naming="the clipboard has no plain text, but image/png")


def test_clearing_takes_no_text(desk):
    desk.program("powershell.exe")
    assert desk.run("copy", WSL, "--clear").status == 0
    assert "Clear()" in desk.words()[-1]
    assert desk.input() == b""


def test_a_notification_is_two_words(desk):
    desk.program("osascript")
    result = desk.run("notify", MACOS, "--", 'say "hi"', "-- and; $(more)\nlines")
    assert result.status == 0, result.stderr
    assert desk.words()[-3:] == ["--", 'say "hi"', "-- and; $(more)\nlines"]
    # notify-send refuses an empty title.
    assert desk.run("notify", MACOS, "", "body").status == 0
    assert desk.words()[-3:] == ["--", "body", ""]


def test_it_gets_the_display_and_hardly_more(desk):
    desk.program("pbcopy")
    secret = {**MACOS, "SECRET": "1", "DISPLAY": ":59999", "LC_ALL": "C.UTF-8"}
    assert desk.run("copy", secret, stdin=TEXT).status == 0
    known = desk.environment()
    assert known["VIATTY_NATIVE"] == "never"
    assert known["__CFBundleIdentifier"] == "com.apple.Terminal"
    assert known["LC_ALL"] == "C.UTF-8"
    assert not {"SECRET", "DISPLAY"} & set(known)


def test_no_terminal_is_needed(desk):
    desk.program("pbcopy")
    argv = ["setsid", "-w", "viatty", "copy", "--route", "native"]
    result = desk.place.run(argv, stdin=TEXT, environment={**MACOS, "PATH": desk.path})
    assert (result.status, result.stderr, desk.input()) == (0, "", TEXT)
    desk.program("pbpaste", "echo pasted")
    paste = ["setsid", "-w", "viatty", "paste", "--route", "native"]
    known = {**MACOS, "PATH": desk.path}
    assert desk.place.run(paste, environment=known).stdout == b"pasted\n"
    result = desk.place.run([*paste, "-t", "image/png"], environment=known)
    expect.refused(result, naming='only text is supported by pbpaste, not "image/png"')


LARGE = b"a line of many\n" * 70_000


@pytest.mark.parametrize(
    "script", ["exit 0", "head -c 100000 >/dev/null"], ids=["not at all", "in part"]
)
def test_a_program_that_does_not_read_all_has_not_copied(desk, script):
    """Whatever its status is."""
    desk.plain_program("pbcopy", script)
    result = desk.run("copy", MACOS, stdin=LARGE)
    assert (result.status, result.stdout) == (1, b"")
    assert result.stderr == "viatty copy: not copied: the tool pbcopy exited before reading all input\n"


def test_a_program_that_closes_its_output_first_gets_everything(desk):
    desk.plain_program("pbcopy", f"exec >&- 2>&-; sleep 0.3; cat >{desk.records}/input")
    result = desk.run("copy", MACOS, stdin=LARGE)
    assert (result.status, result.stderr) == (0, "")
    assert desk.input() == LARGE


def test_its_failure_is_told_in_one_line(desk):
    desk.program("pbcopy", "printf 'no \\033[31mboard\\033[m\\nusage: ...\\n' >&2; exit 3")
    result = desk.run("copy", MACOS, stdin=TEXT)
    assert result.status == 1
    assert result.stderr == "viatty copy: not copied: the tool pbcopy failed: no ?[31mboard?[m\n"
    desk.program("pbcopy", "exit 3")
    assert "the tool pbcopy failed with status 3" in desk.run("copy", MACOS, stdin=TEXT).stderr


# ---- notifications -----------------------------------------------------------------


@pytest.fixture
def bus(desk, sandbox):
    """On the bus is a desktop."""
    desk.path = f"{sandbox.path / 'bin'}:{desk.folder}:/usr/bin:/bin"
    return {"DBUS_SESSION_BUS_ADDRESS": f"unix:path={sandbox.socket()}"}


@pytest.mark.parametrize("more, status", [
    (",guid=0123", 0), (",guid=0123;unix:abstract=x", 2), (",runtime=yes", 2)], ids=ascii)
def test_a_bus_has_one_address(desk, bus, more, status):
    """The program would try the others too, and of those nothing is known."""
    desk.program("notify-send")
    bus["DBUS_SESSION_BUS_ADDRESS"] += more
    result = desk.run("notify", bus, "t")
    assert result.status == status, result.stderr
    assert (desk.records / "words").exists() == (status == 0)


def test_viatty_never_runs_itself_for_notify_send(desk, bus, sandbox):
    """A link to it is no desktop tool, and a copy of the program ends at the terminal."""
    (desk.folder / "mv").symlink_to(shutil.which("mv"))
    (desk.folder / "notify-send").symlink_to(sandbox.path / "bin" / "viatty")
    desk.path = f"{sandbox.path / 'bin'}:{desk.folder}"
    result = desk.run("notify", bus, "t")
    assert (result.status, result.stdout) == (4, b"")
    assert "no notification tool for D-Bus is installed" in result.stderr
    (desk.folder / "notify-send").unlink()
    shutil.copy(program.path(), desk.folder / "notify-send")
    result = desk.run("notify", bus, "t")
    assert (result.status, result.stdout, result.stderr) == (0, b"", "")
    desk.place.settle()
    assert desk.place.terminal.recorded().count(b"\x1b]9;t\x1b\\") == 1
