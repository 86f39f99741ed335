"""xterm.js in a page of headless Chromium, as another terminal, and its desktop.

The npm packages are those that .ci/deps has fetched. Everything is as the packages have
it, unless a terminal brings a script that its page runs first.
"""

import base64
import json
import os
import shutil
from pathlib import Path

from lib.browser import Browser
from lib.terminal import OuterTerminal

PACKAGES = ("xterm", "addon-clipboard", "addon-progress", "addon-web-links")
SIZE = (80, 24)

_INDEX = """\
<!doctype html>
<title>xterm.js</title>
<link rel="stylesheet" href="xterm.css">
<style>body { margin: 0 } #terminal { width: 800px }</style>
%s
<div id="terminal"></div>
<progress id="progress" max="100" hidden></progress>
<script src="page.js"></script>
"""

# typed and opened are bindings: they pass a text to the tests. A chunk counts as read when
# its effects are complete, including those on the clipboard. The addon's own provider has
# the clipboard, unless a script installs another.
_SCRIPT = """\
const terminal = new Terminal({
    cols: %d, rows: %d, scrollback: 0,
    linkHandler: { activate: (event, url) => opened(url) },
});
const progress = new ProgressAddon.ProgressAddon();
const bar = document.getElementById("progress");
terminal.loadAddon(new ClipboardAddon.ClipboardAddon(undefined, window.provider));
terminal.loadAddon(progress);
terminal.loadAddon(new WebLinksAddon.WebLinksAddon((event, url) => opened(url)));
progress.onChange(({ state, value }) => {
    bar.hidden = state === 0;
    bar.value = value;
    bar.className = ["", "normal", "error", "busy", "warning"][state];
});
terminal.onTitleChange(title => { document.title = title; });
terminal.onData(data => typed(data));
terminal.open(document.getElementById("terminal"));
terminal.focus();
function receive(coded) {
    const bytes = Uint8Array.from(atob(coded), letter => letter.charCodeAt(0));
    return new Promise(done => terminal.write(bytes, done));
}
function shown() {
    const buffer = terminal.buffer.active, lines = [];
    for (let y = 0; y < terminal.rows; y++)
        lines.push(buffer.getLine(buffer.baseY + y).translateToString(true));
    return lines;
}
function middle(column, line) {
    const box = document.querySelector(".xterm-screen").getBoundingClientRect();
    return [box.left + (column + 0.5) * box.width / terminal.cols,
            box.top + (line + 0.5) * box.height / terminal.rows];
}
"""


# VS Code main, xtermTerminal.ts: p is the selection of its clipboard service; any other
# letter, or none, is the clipboard.
VSCODE_CLIPBOARD = """\
var selection = "";
var provider = {
    readText: async letter =>
        letter === "p" ? selection : navigator.clipboard.readText(),
    writeText: async (letter, text) => {
        if (letter === "p")
            selection = text;
        else
            await navigator.clipboard.writeText(text);
    },
};
"""


def packages():
    """The directory with the npm packages."""
    return Path(os.environ.get("VIATTY_NPM", "/nonexistent"), "node_modules", "@xterm")


def needed():
    """The files that xterm.js needs."""
    return tuple(str(packages() / name / "package.json") for name in PACKAGES)


def version():
    """The version of xterm.js, or ? if it is missing."""
    file = Path(needed()[0])
    return json.loads(file.read_text())["version"] if file.exists() else "?"


class WebSeat:
    """The browser, and a page of another origin that reads the clipboard."""

    variables = {}

    def __init__(self, sandbox):
        self._sandbox, self._folder = sandbox, sandbox.folder("site")
        scripts = [self._add(f"{name}/lib/{name}.js") for name in PACKAGES]
        self._add("xterm/css/xterm.css")
        tags = (f'<script src="{name}"></script>' for name in scripts)
        (self._folder / "index.html").write_text(_INDEX % "\n".join(tags))
        (self._folder / "page.js").write_text(_SCRIPT % SIZE)
        self._browser = Browser(sandbox)
        empty = sandbox.folder("site")
        (empty / "index.html").write_text("<title>the desk</title>")
        self._desk = self._browser.page("desk", empty)
        self._terminal = None

    def show(self, script, typed, opened):
        """A page with a terminal; calls typed and opened with texts."""
        answers = {"typed": typed, "opened": opened}
        self._terminal = self._browser.page("terminal", self._folder, script, answers)
        return self._terminal

    def read(self, selection="clipboard"):
        """The bytes of the clipboard, or of another selection of the provider."""
        if selection == "clipboard":
            text = self._desk.evaluate("navigator.clipboard.readText()")
        else:
            text = self._terminal.evaluate("window.selection || ''")
        return text.encode()

    def own(self, data, selection="clipboard"):
        text = json.dumps(data.decode())
        if selection == "clipboard":
            self._desk.evaluate(f"navigator.clipboard.writeText({text})")
        else:
            self._terminal.evaluate(f"window.selection = {text}")
        assert self.read(selection) == data

    def title(self, window):
        return window.evaluate("document.title")

    def press(self, window, *keys):
        for key in keys:
            window.press(key)

    def click(self, column, line):
        """Clicks the middle of a cell, counted from 0; the pointer comes from another line.

        That is when xterm.js looks for the links of a line.
        """
        self._terminal.point(*self._middle(column, SIZE[1] - 1))
        self._terminal.click(*self._middle(column, line))

    def box(self, window):
        """The size in cells, the unit of click()."""
        return (0, 0, *SIZE)

    def focus(self, window):
        window.evaluate("terminal.focus()")

    def _middle(self, column, line):
        return self._terminal.evaluate(f"middle({column}, {line})")

    def _add(self, file):
        shutil.copy(packages() / file, self._folder)
        return Path(file).name


class WebTerminal(OuterTerminal):
    """The pty of a page: shows its output, and types the keys of the page."""

    def __init__(self, sandbox, seat, make):
        self.opened = []
        self.page = seat.show(make.script, self._typed, self.opened.append)
        environment = make.environment
        super().__init__(sandbox, size=SIZE, forward=self._show, environment=environment)

    def _typed(self, text):
        self.type(text)

    def _show(self, chunk):
        self.page.evaluate(f"receive('{base64.b64encode(chunk).decode()}')")

    def close(self):
        super().close()
        self.page.close()
