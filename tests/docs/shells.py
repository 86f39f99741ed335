"""An interactive shell at a terminal of its own, and somebody who types."""

import os
import pty
import select
import time

PATIENCE = 30


class Shell:
    """Runs argv on a new terminal; what it prints is read by what is waited for."""

    def __init__(self, argv, environment):
        self._pid, self._master = pty.fork()
        if self._pid == 0:
            try:
                os.execvpe(argv[0], argv, environment)
            finally:
                os._exit(127)
        self._printed, self._status = "", None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # The terminal hangs up, which ends a shell that is still there.
        os.close(self._master)
        self._wait()

    def type(self, text):
        os.write(self._master, text.encode())

    def wait_for(self, text):
        """Everything up to and with this text, which has to come."""
        deadline = time.monotonic() + PATIENCE
        while text not in self._printed:
            left = deadline - time.monotonic()
            ready = left > 0 and select.select([self._master], [], [], left)[0]
            assert ready, f"{text!r} did not come: {self._printed[-2000:]!r}"
            self._printed += self._read()
        found, _, self._printed = self._printed.partition(text)
        return found

    def status(self):
        """How the shell ended; all it printed meanwhile is thrown away."""
        while self._read():
            pass
        return self._wait()

    def _wait(self):
        if self._status is None:
            self._status = os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
        return self._status

    def _read(self):
        try:
            return os.read(self._master, 65536).decode("utf-8", "replace")
        except OSError:
            return ""
