"""Starting orphans, waiting with a deadline, killing by pid."""

import functools
import marshal
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

KEEPER = Path(__file__).with_name("keeper.py")
# The signals that are sent to end a process, but for SIGALRM and SIGPIPE.
ENDING = [getattr(signal, f"SIG{name}") for name in "HUP INT QUIT USR1 USR2 TERM XCPU".split()]
# What never comes is given up then; on a busy machine all takes ten times as long.
PATIENCE = 60.0
# The server of a login starts it in a thread of its own.
_asking = threading.Lock()
# Runs a command in a terminal of its own, as a process with this name would.
EMULATOR = """\
import ctypes, os, pty, sys
ctypes.CDLL(None).prctl(15, sys.argv[1].encode(), 0, 0, 0)
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[2:])))
"""


def until(condition, what, timeout=PATIENCE):
    """Poll until condition() is true and return its value, or fail at the deadline."""
    deadline = time.monotonic() + timeout
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {timeout:g} s in vain: {what}")
        time.sleep(0.005)


def is_alive(pid):
    """True while the process runs; a zombie is dead."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def family(pid):
    """The process and all its descendants, parents first."""
    members = [pid]
    for member in members:
        members += _children(member)
    return members


def kill_family(pid):
    """Kill a process and its descendants, and wait until they are dead."""
    members = family(pid)
    for member in members:
        try:
            os.kill(member, signal.SIGKILL)
        except ProcessLookupError:
            pass
    for member in members:
        until(lambda: not is_alive(member), f"process {member} dies")


@functools.cache
def keeper():
    """The process that starts orphans for this one, and ends with it, and our end of its socket."""
    ours, its = socket.socketpair()
    with its:
        process = subprocess.Popen([sys.executable, "-I", "-S", str(KEEPER), str(its.fileno())],
                                   cwd="/", pass_fds=[its.fileno()],
                                   stdin=subprocess.DEVNULL, start_new_session=True)
    return process, ours


class Orphan:
    """A running program without a parent in the tests, in a new session.

    viatty examines its ancestors, their terminals and environments. A child of the
    test runner would inherit the terminal, tmux or ssh of the developer. pytest,
    which has none of these (see surroundings), adopts the orphans.
    """

    def __init__(self, argv, environment, stdio, terminal=None, directory="/"):
        report, report_end = os.pipe()
        files = stdio if terminal is None else (*stdio, terminal)
        fds = [report_end, *(file if isinstance(file, int) else file.fileno() for file in files)]
        data = marshal.dumps(([*map(str, argv)], environment, str(directory)))
        with _asking:
            socket.send_fds(keeper()[1], [len(data).to_bytes(8, "little")], fds)
            keeper()[1].sendall(data)
        os.close(report_end)
        self._report = os.fdopen(report, "rb", buffering=0)
        self.argv = argv
        self.pid = int(self._line())

    def wait(self, timeout=PATIENCE):
        """The exit status, or minus the signal that ended it."""
        return int(self._line(timeout))

    def kill(self):
        # After it has exited, another process may have its pid.
        if not self._has_reported():
            kill_family(self.pid)
        self._report.close()

    close = kill

    def terminate(self, patience):
        """Terminate it, and wait a while."""
        if self._has_reported():
            return
        try:
            os.kill(self.pid, signal.SIGTERM)
        except ProcessLookupError:
            # It has just exited, and its keeper has not reported it yet.
            pass
        self._has_reported(patience)

    def _has_reported(self, timeout=0):
        return bool(select.select([self._report], [], [], timeout)[0])

    def _line(self, timeout=PATIENCE):
        if not self._has_reported(timeout):
            raise AssertionError(f"{self.argv!r} still runs after {timeout:g} s")
        return self._report.readline()


def _children(pid):
    children = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            text = Path(f"/proc/{pid}/task/{task}/children").read_text()
            children += [int(child) for child in text.split()]
    except OSError:
        # It has died since, and its children have another parent.
        pass
    return children
