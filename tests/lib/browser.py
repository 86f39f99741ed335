"""Headless Chromium, driven by the DevTools protocol: pages, keys, a clipboard.

The protocol uses two named pipes with messages that end with NUL
(--remote-debugging-pipe); each page is a session. Requests of a page are served from a
folder, so no port is opened and nothing leaves the machine.
"""

import base64
import json
import mimetypes
import os
import select
import threading
from pathlib import Path
from urllib.parse import urlsplit

from lib.desktop import PATIENCE, Background, eventually

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-breakpad",
    "--no-first-run",
    "--no-default-browser-check",
    # No other host names are looked up.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--remote-debugging-pipe",
)
# Only pages from a secure origin, such as https, have the clipboard.
ORIGIN = "https://%s.test"
_ENTER = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"}
KEYS = {
    "Return": _ENTER,
    "Ctrl+`": {"key": "`", "code": "Backquote", "windowsVirtualKeyCode": 192, "modifiers": 2},
}


class Failed(AssertionError):
    """The browser refused a command, or a script on a page threw."""


class Browser:
    """One Chromium with an empty profile."""

    def __init__(self, sandbox):
        commands, replies = sandbox.fresh("commands"), sandbox.fresh("replies")
        os.mkfifo(commands)
        os.mkfifo(replies)
        # Opening does not wait for the browser to open the other end.
        self._commands = os.open(commands, os.O_RDWR)
        self._replies = os.open(replies, os.O_RDONLY | os.O_NONBLOCK)
        os.set_blocking(self._replies, True)
        self._news, self._lock = threading.Condition(), threading.Lock()
        self._number, self._awaited, self._results = 0, set(), {}
        self._pages, self._ended = {}, False
        argv = ["chromium", *FLAGS, f"--user-data-dir={sandbox.fresh('profile')}"]
        script = 'in=$1 out=$2; shift 2; exec "$@" 3<"$in" 4>"$out"'
        argv = ["sh", "-c", script, "sh", str(commands), str(replies), *argv]
        self._program = Background(sandbox, argv, sandbox.environment())
        self._thread = threading.Thread(target=self._read_on, daemon=True)
        self._thread.start()
        sandbox.adopt(self)
        self.call("Browser.getVersion")

    def page(self, name, folder, script="", answers=None):
        """A new page with its own origin, which runs a script before the scripts of the page.

        answers: binding -> function of a text.
        """
        page = self._blank(Path(folder), answers or {})
        page.open(ORIGIN % name, script)
        return page

    def visit(self, url):
        """A new page of a server on this machine, which may use the clipboard."""
        page = self._blank(None, {})
        page.go(url)
        return page

    def _blank(self, folder, answers):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        page = Page(self, target, attached["sessionId"], folder, answers)
        self._pages[page.session] = page
        return page

    def call(self, method, session=None, **parameters):
        """Sends a command and waits for the result."""
        number = self.send(method, session, awaited=True, **parameters)
        with self._news:
            there = lambda: number in self._results or self._ended
            if not self._news.wait_for(there, PATIENCE) or number not in self._results:
                raise Failed(f"no reply to {method}; Chromium said: {self._program.said()}")
            answer = self._results.pop(number)
        if "error" in answer:
            raise Failed(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def send(self, method, session=None, awaited=False, **parameters):
        """The same without waiting; returns the ID of the reply."""
        with self._lock:
            self._number += 1
            if awaited:
                self._awaited.add(self._number)
            message = {"id": self._number, "method": method, "params": parameters}
            if session:
                message["sessionId"] = session
            data = json.dumps(message).encode() + b"\0"
            while data:
                data = data[os.write(self._commands, data) :]
            return self._number

    def forget(self, page):
        self._pages.pop(page.session, None)

    def close(self):
        """Quits, so that it cleans up; a browser that does not is killed."""
        if not self._ended:
            self.send("Browser.close")
            self._thread.join(10)
        os.close(self._commands)

    def _read_on(self):
        # A pipe that has no writer yet reads as at its end.
        select.select([self._replies], [], [])
        rest = b""
        while chunk := os.read(self._replies, 1 << 16):
            *messages, rest = (rest + chunk).split(b"\0")
            for message in messages:
                self._take(json.loads(message))
        with self._news:
            self._ended = True
            self._news.notify_all()

    def _take(self, message):
        if "id" in message:
            if message["id"] not in self._awaited:
                return
            self._awaited.remove(message["id"])
            with self._news:
                self._results[message["id"]] = message
                self._news.notify_all()
        elif message.get("sessionId") in self._pages:
            self._pages[message["sessionId"]].take(message["method"], message["params"])


class Page:
    """A page whose requests are served from a folder, or by a server."""

    def __init__(self, browser, target, session, folder, answers):
        self.browser, self.target, self.session = browser, target, session
        self._folder, self._answers = folder, answers

    def go(self, url):
        """Loads a page of a server."""
        self._permit(url.partition("/?")[0])
        self.call("Runtime.enable")
        self.call("Page.enable")
        self.call("Page.navigate", url=url)

    def open(self, origin, script):
        for name in self._answers:
            self.call("Runtime.addBinding", name=name)
        self.call("Page.enable")
        self.call("Page.addScriptToEvaluateOnNewDocument", source=script)
        self.call("Runtime.enable")
        self.call("Fetch.enable", patterns=[{"urlPattern": "*"}])
        self._permit(origin)
        self.call("Page.navigate", url=origin + "/")
        loaded = f"location.origin === '{origin}' && document.readyState === 'complete'"
        eventually(lambda: self.evaluate(loaded), f"{origin} is loaded")

    def _permit(self, origin):
        """Only the focused page may use the clipboard, so each acts as focused."""
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)
        allowed = ["clipboardReadWrite", "clipboardSanitizedWrite"]
        self.browser.call("Browser.grantPermissions", origin=origin, permissions=allowed)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def evaluate(self, expression):
        """The value of a script, or of the promise that it returns."""
        done = self.call(
            "Runtime.evaluate",
            expression=expression,
            awaitPromise=True,
            returnByValue=True,
            userGesture=True,
        )
        if "exceptionDetails" in done:
            raise Failed(json.dumps(done["exceptionDetails"]))
        return done["result"].get("value")

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, **KEYS[key])

    def type(self, text):
        """Types it, and then Return."""
        self.call("Input.insertText", text=text)
        self.press("Return")

    def point(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, x, y):
        at = {"x": x, "y": y}
        self.point(x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **at)

    def close(self):
        self.browser.forget(self)
        self.browser.call("Target.closeTarget", targetId=self.target)

    def take(self, method, told):
        """Handles an event; must not wait for a reply."""
        if method == "Runtime.bindingCalled":
            self._answers[told["name"]](told["payload"])
        elif method == "Fetch.requestPaused":
            self._answer(told["requestId"], urlsplit(told["request"]["url"]).path)

    def _answer(self, request, path):
        file = self._folder / (path.strip("/") or "index.html")
        there = file.is_file()
        kind = mimetypes.guess_type(file.name)[0] or "text/plain"
        self.browser.send(
            "Fetch.fulfillRequest",
            self.session,
            requestId=request,
            responseCode=200 if there else 404,
            responseHeaders=[{"name": "Content-Type", "value": f"{kind}; charset=utf-8"}],
            body=base64.b64encode(file.read_bytes() if there else b"").decode(),
        )
