"""A login on another machine from inside a pane, like one by ssh.

The remote terminal is another pty, whose output goes on into the pane, and whose
program is not a descendant of anything in the pane: it can find out where it runs only
from TERM and from replies.
"""

import os
import select
import termios
import threading
import tty

from lib.processes import PATIENCE
from lib.terminal import OuterTerminal


class RemoteLogin:
    """Joins a remote terminal to a pane, both ways."""

    SSH = {
        "SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22",
        "SSH_CLIENT": "192.0.2.1 50000 22",
    }

    def __init__(self, sandbox, pane, term="tmux-256color"):
        self.pane = pane
        self._near = os.open(pane.device, os.O_RDWR | os.O_NOCTTY)
        # As ssh does: keys and answers pass through, not edited, not echoed.
        tty.setraw(self._near)
        self._wake_out, self._wake_in = os.pipe()
        self._thread = threading.Thread(target=self._carry_keys, daemon=True)
        sandbox.adopt(self)
        self._far = OuterTerminal(sandbox, term=term, forward=self._carry_output)
        self.runner = self._far.runner(**self.SSH, SSH_TTY=self._far.device)
        self._thread.start()

        runner = self.runner
        self.run, self.start, self.open = runner.run, runner.start, runner.open

    @property
    def device(self):
        return self._far.device

    @property
    def terminal(self):
        return self.pane.terminal

    def see(self, text):
        self.pane.see(text)
        self.settle()

    def typed_before(self, mark):
        """The input left in the remote terminal for the next reader, before this key."""
        tty.setraw(self._far.slave, termios.TCSANOW)
        self.terminal.type(mark)
        typed = b""
        while not typed.endswith(mark):
            ready, _, _ = select.select([self._far.slave], [], [], PATIENCE)
            assert ready, f"{mark!r} was typed, but only {typed!r} came"
            typed += os.read(self._far.slave, 4096)
        return typed[: -len(mark)]

    def settle(self):
        self._far.settle()
        self.pane.settle()

    def close(self):
        os.write(self._wake_in, b"x")
        self._thread.join(PATIENCE)
        for fd in (self._near, self._wake_in, self._wake_out):
            os.close(fd)

    def _carry_output(self, chunk):
        while chunk:
            chunk = chunk[os.write(self._near, chunk) :]

    def _carry_keys(self):
        while True:
            ready, _, _ = select.select([self._near, self._wake_out], [], [])
            if self._wake_out in ready:
                return
            try:
                self._far.type(os.read(self._near, 4096))
            except OSError:
                return
