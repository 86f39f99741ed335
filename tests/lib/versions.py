"""Differences between versions of programs: one table.

A test calls `has("foot", "OSC 99")`, which compares the version of the installed program.
Each entry is the first version that behaves so, with its source.
"""

import functools
import os
import platform
import re
import shutil
import subprocess

from lib import web

SINCE = {
    # CHANGELOG.md: "OSC 52 paste ability is now disabled by default".
    ("alacritty", "no reading as shipped"): "0.13",
    # ColorRequest of alacritty/src/event.rs. Seen in 0.15.1, and not in 0.11.
    ("alacritty", "hidden cursor"): "0.13",
    # CHANGELOG.md: "`ctrl+shift+u` binding to open links to `ctrl+shift+o`".
    ("alacritty", "links by ctrl+shift+o"): "0.14",
    # CHANGELOG.md, 1.20.0: the section [security] with osc52.
    ("foot", "a setting for the clipboard"): "1.20",
    # CHANGELOG.md, 0.13.0: the file is TOML, and has terminal.osc52.
    ("alacritty", "a setting for the clipboard"): "0.13",
    # CHANGELOG.md, 1.15.0: `show-urls-launch` now bound to `Control+Shift+o`.
    ("foot", "links by ctrl+shift+o"): "1.15",
    # CHANGELOG.md, 1.18.0, which also renames notify-focus-inhibit.
    ("foot", "OSC 99"): "1.18",
    # Session.cpp and Vt102Emulation.cpp: 3389c39c9, fc772e420.
    ("konsole", "colors are reset"): "25.11.80",
    # CHANGELOG.md, 1.23.0: 52 in the reply to DA1 if programs may copy.
    ("foot", "settings told"): "1.23",
    # docs/changelog.rst: 0.27.0 copies data of any type. Seen in 0.41.1.
    ("kitty", "any bytes"): "0.27",
    # docs/changelog.rst, 0.42.2: 52 in the reply to DA1 if programs may copy.
    ("kitty", "settings told"): "0.42.2",
    # docs/changelog.rst: 0.39.0 shows a percentage in the title of the tab,
    ("kitty", "progress in the tab"): "0.39",
    # and 0.47.0 a bar at the top of the window.
    ("kitty", "progress in the window"): "0.47",
    # tty.c, tty_set_selection: up to 3.3a a copy from a pane loses its letter.
    ("tmux", "selections"): "3.4",
    # debian/changelog, 403-1: disallowedWindowOps is "*". Seen in 412.
    ("xterm", "no title stack"): "403",
    # CHANGES, 3.4: "Add support for OSC 8 hyperlinks."
    ("tmux", "links"): "3.4",
    # CHANGES, 3.7: the option get-clipboard, which is buffer as shipped.
    ("tmux", "get-clipboard"): "3.7",
    # window-copy.c: $ and D of the vi keys stop at the last letter since 3.7; before, they
    # included the newline.
    ("tmux", "no newline at the end of a line"): "3.7",
    # Seen in 3.8, and not in 3.5a.
    ("tmux", "suspended clients are not listed"): "3.8",
    # Seen in 3.8: a reply after 0.4 s is passed on, one after 0.6 s is dropped.
    ("tmux", "half a second"): "3.7",
}

# (program, release) that .ci/deps does not install: there is no package, or newer
# releases are enough. Tests that need one are deselected there.
ABSENT = {("mlterm", "trixie")}
ABSENT |= {("abduco", name) for name in ("bookworm", "trixie", "forky", "sid")}
ABSENT |= {(name, "bookworm") for name in ("hx", "konsole", "lazygit", "zutty")}

# (terminal, release) that is there for other tests; what it supports is measured with a newer one.
NOT_MEASURED = {("xfce4-terminal", "bookworm")}

# The option that prints the version, if not --version.
ASKED = {"xterm": "-version", "stterm": "-v", "st": "-v", "urxvt": "-help", "tmux": "-V"}

# Those that print no version without a display, or not their own: the version of VTE
# matters, and the package has it.
PACKAGES = {"konsole": "konsole", "xfce4-terminal": "libvte-2.91-0", "zutty": "zutty"}


def has(program, behaviour):
    """Whether the installed version behaves so; false if none is installed."""
    return number(installed(program)) >= number(SINCE[program, behaviour])


def codename():
    """The codename of this system's release, such as trixie, or empty."""
    return platform.freedesktop_os_release().get("VERSION_CODENAME", "")


@functools.cache
def installed(program):
    """The version that the program prints, or ? if it prints none or is missing."""
    if program == "xterm.js":
        return web.version()
    if not shutil.which(program):
        return "?"
    ask = [program, ASKED.get(program, "--version")]
    if program in PACKAGES and shutil.which("dpkg-query"):
        ask = ["dpkg-query", "-W", "-f", "${source:Upstream-Version}", PACKAGES[program]]
    # neovim leaves its log in the cache of the one who asks.
    known = {**os.environ, "NVIM_LOG_FILE": os.devnull}
    done = subprocess.run(ask, env=known, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    words = re.sub(r"[()]", " ", done.stdout + done.stderr).split()
    numbers = [word.strip("v") for word in words if word.strip("v")[:1].isdigit()]
    return numbers[0] if numbers else "?"


def number(version):
    """For comparisons: 1.13.1 is (1, 13, 1), and ? is the lowest."""
    return tuple(map(int, re.findall(r"\d+", version)))
