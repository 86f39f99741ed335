"""The terminals under test, their settings, and what is known of these versions.

A setting that viatty advises is taken from the table of terminals word for word: that
it works is tested with the rest.
"""

import ast
import re
import shutil
import socket
from dataclasses import dataclass

import pytest

from lib.emulator import Make
from lib.program import REPOSITORY, is_there
from lib.versions import ABSENT, NOT_MEASURED, codename, has
from lib.web import VSCODE_CLIPBOARD, needed

SHIPPED = "as shipped"
ON_X = ("Xvfb", "xclip", "xdotool", "dbus-daemon", "dbus-send", "dunst", "notify-send")
ON_WAYLAND = (*ON_X, "sway", "swaymsg", "wl-copy", "wl-paste")
PLACES = ("alone", "tmux", "Screen")

# More than any terminal here takes in one piece.
LARGE = 1 << 20


def advised(terminal, feature):
    """The line that settings.def advises, below the section that it names, if any."""
    table = (REPOSITORY / "src" / "terminal" / "settings.def").read_text()
    # A text may go on in another literal.
    strings = re.search(rf'SETTING\("{terminal}", {feature},((?:\s*"(?:[^"\\]|\\.)*")+)\)', table)
    setting = "".join(ast.literal_eval(text) for text in re.findall(r'"(?:[^"\\]|\\.)*"', strings[1]))
    file, line = setting.split(": ", 1)
    section = re.search(r"under (\[.+\])$", file)
    return f"{section[1]}\n{line}" if section else line


def configured(path, *parts):
    """A file in the home directory: what is advised, and another setting beside it."""
    return ((path, "\n".join(parts)),)


# Xlib reads it on this machine, whatever resources the display has.
XDEFAULTS = f".Xdefaults-{socket.gethostname()}"


@dataclass(frozen=True)
class Subject(Make):
    """A terminal as it stands in the results.

    keeps: what is on the clipboard after bytes that are no text, of (data, before);
    kept: the word for that. limit: the longest OSC 52 in bytes, without its ends.
    clears: of its own copies, of all, or not. notifies: the OSC numbers it shows;
    chosen: the one that viatty takes unasked. shows_progress: somewhere in its window.
    opens: the keys, or the pointer's place from the corner, that
    open the one link there is, at the beginning of the first line.
    """

    keeps: object = None
    kept: str = ""
    limit: int = 0
    clears: str = "works"
    notifies: tuple = ()
    chosen: str = ""
    shows_progress: bool = False
    opens: tuple = ()

    @property
    def largest(self):
        """The most data whose OSC 52 the limit lets pass."""
        return (self.limit - len("52;c;")) // 4 * 3 if self.limit else LARGE


def _all(data, before):
    return data


def _before_nul(data, before):
    return data.partition(b"\0")[0]


XTERM = Subject(
    "xterm",
    ("xterm", "-e"),
    "reading allowed",
    files=configured(XDEFAULTS, advised("xterm", "PASTE"), "XTerm*foreground: #123456"),
    needs=(*ON_X, "xterm"),
    # Converted to UTF8_STRING; what is none is left out.
    keeps=lambda data, before: data.decode("utf-8", "ignore").encode(),
    kept="UTF-8 only",
    limit=600_000,
    # An X program can give up what it owns, and nothing else.
    clears="its own",
)
XTERM_COPY = Subject(
    "xterm",
    # The line that viatty advises also allows reading.
    ("xterm", "-xrm", advised("xterm", "COPY") + ",GetSelection", "-e"),
    "copying allowed",
    needs=(*ON_X, "xterm"),
)
XTERM_SHIPPED = Subject("xterm", ("xterm", "-e"), SHIPPED, needs=(*ON_X, "xterm"))

_KITTY = ("kitty", "-o", "update_check_interval=0")
KITTY = Subject(
    "kitty",
    _KITTY,
    "reading allowed",
    files=configured(".config/kitty/kitty.conf", advised("kitty", "PASTE"), "foreground #123456"),
    needs=(*ON_X, "kitty"),
)
KITTY_SHIPPED = Subject(
    "kitty",
    _KITTY,
    SHIPPED,
    needs=(*ON_X, "kitty"),
    keeps=_all if has("kitty", "any bytes") else lambda data, before: b"",
    kept="works" if has("kitty", "any bytes") else "emptied",
    notifies=("9", "777", "99"),
    chosen="99",
    shows_progress=has("kitty", "progress in the window"),
    opens=(30, 8),
)
# The bar of tabs, which is not shown for a single one, has the progress in it.
KITTY_TABS = Subject(
    "kitty",
    (*_KITTY, "-o", "tab_bar_min_tabs=1"),
    "a bar of tabs",
    needs=(*ON_X, "kitty"),
    shows_progress=has("kitty", "progress in the tab"),
)
KITTY_COPY = Subject(
    "kitty",
    (*_KITTY, "-o", "clipboard_control=write-clipboard write-primary"),
    "copying allowed",
    needs=(*ON_X, "kitty"),
)
KITTY_READ = Subject(
    "kitty",
    (*_KITTY, "-o", "clipboard_control=read-clipboard read-primary"),
    "copying not allowed",
    needs=(*ON_X, "kitty"),
)


def _links_by(program, letter):
    """The keys that open a link, and the letter that names the first one."""
    new = has(program, "links by ctrl+shift+o")
    return ("ctrl+shift+o" if new else "ctrl+shift+u", letter)


ALACRITTY = Subject(
    "alacritty",
    ("alacritty", "-e"),
    SHIPPED,
    focus=True,
    needs=(*ON_X, "alacritty"),
    keeps=lambda data, before: before,
    kept="not",
    clears="a newline",
    opens=_links_by("alacritty", "j"),
)
ALACRITTY_READ = Subject(
    "alacritty",
    ("alacritty", "-e"),
    "reading allowed",
    files=configured(".config/alacritty/alacritty.toml", '[colors.primary]', 'foreground = "#123456"',
                     advised("alacritty", "PASTE")),
    focus=True,
    needs=(*ON_X, "alacritty"),
)
# As shipped the older ones may read, and know no such setting.
ALACRITTY_ASKED = ALACRITTY_READ if has("alacritty", "no reading as shipped") else ALACRITTY

_FOOT_NOTIFIES = (
    "desktop-notifications.inhibit-when-focused=no"
    if has("foot", "OSC 99")
    else "notify-focus-inhibit=no"
)
FOOT = Subject(
    "foot",
    # Shipped, it notifies only while another window has the keyboard.
    ("foot", "-o", _FOOT_NOTIFIES),
    SHIPPED,
    seat="wayland",
    focus=True,
    needs=(*ON_WAYLAND, "foot"),
    keeps=_before_nul,
    kept="up to NUL",
    notifies=("9", "777", "99") if has("foot", "OSC 99") else ("9", "777"),
    chosen="99" if has("foot", "OSC 99") else "777",
    opens=_links_by("foot", "s"),
)

# The setting came with 1.20: here only where its reply tells of it.
FOOT_DISABLED = Subject(
    "foot",
    ("foot", "-o", "security.osc52=disabled"),
    "the clipboard disabled",
    seat="wayland",
    needs=(*ON_WAYLAND, "foot"),
)

FOOT_ENABLED = Subject(
    "foot",
    ("foot",),
    "the clipboard enabled",
    seat="wayland",
    needs=(*ON_WAYLAND, "foot"),
    files=configured(".config/foot/foot.ini", "[colors]", "foreground=123456", advised("foot", "COPY")),
)

# Debian has called it stterm, and calls it st since 0.9.3.
_ST = "stterm" if shutil.which("stterm") or not shutil.which("st") else "st"
ST = Subject("st", (_ST, "-e"), SHIPPED, needs=(*ON_X, _ST))
URXVT = Subject(
    "rxvt-unicode",
    # Without a scroll bar the columns are where they are looked for.
    ("urxvt", "+sb", "-e"),
    SHIPPED,
    needs=(*ON_X, "urxvt"),
)
MLTERM = Subject(
    "mlterm", ("mlterm", "--sbmod=none", "-e"), SHIPPED, window="mlterm", needs=(*ON_X, "mlterm")
)
MLTERM_COPY = Subject(
    "mlterm",
    ("mlterm", "--sbmod=none", "-e"),
    "copying allowed",
    window="mlterm",
    files=configured(".mlterm/main", advised("mlterm", "COPY"), "termtype=xterm-256color"),
    needs=(*ON_X, "mlterm"),
)

KONSOLE = Subject(
    "konsole",
    # Its window has the title that programs set only where the profile says so.
    ("konsole", "--nofork", "-p", "LocalTabTitleFormat=%w", "-p", "RemoteTabTitleFormat=%w", "-e"),
    SHIPPED,
    window="konsole",
    suffix=" — Konsole",
    focus=True,
    needs=(*ON_X, "konsole"),
)
KONSOLE_LINKS = Subject(
    "konsole",
    ("konsole", "--nofork", "--profile", "Links", "-e"),
    "links allowed",
    window="konsole",
    suffix=" — Konsole",
    focus=True,
    needs=(*ON_X, "konsole"),
    files=configured(".local/share/konsole/Links.profile", "[General]", "Name=Links", "Parent=FALLBACK/",
                     "LocalTabTitleFormat=%w", "RemoteTabTitleFormat=%w",
                     "Environment=TERM=xterm-256color,KEPT=kept", advised("konsole", "LINK")),
)
VTE = Subject(
    "vte",
    ("xfce4-terminal", "--disable-server", "--dynamic-title-mode=replace", "-x"),
    SHIPPED,
    needs=(*ON_X, "xfce4-terminal"),
)
ZUTTY = Subject(
    "zutty",
    # It looks for a bitmap font otherwise, which few systems have.
    ("zutty", "-font", "DejaVuSansMono", "-e"),
    SHIPPED,
    needs=(*ON_X, "zutty"),
)

# The addons as they are. Links are opened by a click into a cell: column and line.
XTERMJS = Subject(
    "xtermjs",
    ("xterm.js",),
    "with its addons",
    seat="web",
    needs=("chromium", *needed()),
    keeps=lambda data, before: b"",
    kept="emptied",
    # xterm.js 6.0.0, PAYLOAD_LIMIT: 10,000,000 after "52;".
    limit=10_000_003,
    opens=(2, 0),
    environment={"COLORTERM": "truecolor"},
)
# What names VS Code are its variables alone.
XTERMJS_VSCODE = Subject(
    "xtermjs",
    ("xterm.js",),
    "as in VS Code",
    seat="web",
    script=VSCODE_CLIPBOARD,
    needs=("chromium", *needed()),
    keeps=lambda data, before: b"",
    kept="emptied",
    # xterm.js 6.0.0, PAYLOAD_LIMIT: 10,000,000 after "52;".
    limit=10_000_003,
    opens=(2, 0),
    environment={
        "COLORTERM": "truecolor",
        "TERM_PROGRAM": "vscode",
        "TERM_PROGRAM_VERSION": "1.125.0",
    },
)

WEB = (XTERMJS, XTERMJS_VSCODE)
COPYING = (XTERM, KITTY_SHIPPED, ALACRITTY, FOOT)
EVERY_SHIPPED = (XTERM_SHIPPED, KITTY_SHIPPED, ALACRITTY, FOOT, ST, URXVT, MLTERM)
ORDER = (XTERM_SHIPPED, XTERM_COPY, XTERM, KITTY_SHIPPED, KITTY_COPY, KITTY, KITTY_TABS)
ORDER += (KITTY_READ,)
ORDER += (ALACRITTY, ALACRITTY_READ, FOOT, FOOT_DISABLED, FOOT_ENABLED, ST, URXVT, MLTERM, MLTERM_COPY)
ORDER += (KONSOLE, KONSOLE_LINKS, VTE, ZUTTY, *WEB)


_INNER = {"tmux": ("tmux",), "Screen": ("screen",), "alone": ()}


def are_there(name, settings, place):
    """Whether this machine has all for a row of the results."""
    for subject in ORDER:
        if (subject.id, subject.settings) == (name, settings):
            return all(map(is_there, (*subject.needs, *_INNER[place])))
    raise AssertionError(f"no test is about {name}, {settings}")


def on(*subjects, places=PLACES):
    """The test is run in each of these terminals, alone, in tmux and in Screen.

    In none that this release of the system does not have.
    """
    cases = [
        pytest.param(
            (subject, place),
            id=f"{subject.id}, {subject.settings}, {place}",
            marks=pytest.mark.needs(*subject.needs, *_INNER[place]),
        )
        for subject in subjects
        if (subject.program, codename()) not in ABSENT | NOT_MEASURED
        for place in places
    ]
    return pytest.mark.parametrize("place", cases, indirect=True)
