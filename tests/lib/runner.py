"""A shell loop that runs somewhere and executes the jobs it is given.

It prints nothing on its terminal, so all output there is from the program. It
outlives the programs it runs: when a session leader exits, the kernel discards what
the terminal has not read yet.
"""

import os
import shlex
from dataclasses import dataclass
from pathlib import Path

from lib.processes import PATIENCE, is_alive, kill_family, until

SCRIPT = """\
tty >"$1/tty"
exec 3<>"$1/jobs"
echo $$ >"$1/pid.new" && mv "$1/pid.new" "$1/pid"
while IFS= read -r job <&3; do
    sh "$job" 3<&-
done
"""


@dataclass(frozen=True)
class Result:
    """The result of a program."""

    status: int
    stdout: bytes
    stderr: str


class Job:
    """A command line as a script: input, output and status are files.

    The status appears last, whole, so that waiting for it is waiting for all.
    stdin None is the terminal; on_terminal leaves the output there.
    """

    def __init__(self, sandbox, argv, stdin=b"", environment=None, on_terminal=False):
        # The program may write there as another user.
        self._stem = sandbox.folder("job")
        self._stem.chmod(0o777)
        self.script = self._stem / "script"
        redirections = self._redirections(stdin, on_terminal)
        lines = ["#!/bin/sh", *_settings(sandbox, environment or {})]
        lines.append(f"{shlex.join(argv)} {redirections}")
        early, status = self._file("unfinished"), self._file("status")
        lines.append(f"echo $? >{early} && mv {early} {status}")
        self.script.write_text("\n".join(lines) + "\n")
        self.script.chmod(0o755)

    def wait(self, timeout=PATIENCE):
        status = self._file("status")
        until(status.exists, f"{self.script.read_text()} ends", timeout)
        stderr = self._read("err").decode("utf-8", "replace")
        return Result(int(status.read_text()), self._read("out"), stderr)

    def is_done(self):
        return self._file("status").exists()

    def _redirections(self, stdin, on_terminal):
        words = []
        if stdin is not None:
            self._file("in").write_bytes(stdin)
            words.append(f"<{self._file('in')}")
        if not on_terminal:
            words += [f">{self._file('out')}", f"2>{self._file('err')}"]
        return " ".join(words)

    def _file(self, kind):
        return self._stem / kind

    def _read(self, kind):
        path = self._file(kind)
        return path.read_bytes() if path.exists() else b""


class Runner:
    """The directory of one such loop, which also passes jobs to it."""

    def __init__(self, sandbox, for_everybody=False, apart=False):
        self._sandbox, self._apart = sandbox, apart
        self.path = sandbox.folder("runner")
        os.mkfifo(self.path / "jobs")
        (self.path / "loop.sh").write_text(SCRIPT)
        if for_everybody:
            self.path.chmod(0o777)
            (self.path / "jobs").chmod(0o666)
        self.argv = ["sh", str(self.path / "loop.sh"), str(self.path)]
        self.command = shlex.join(self.argv)
        sandbox.adopt(self)

    def ready(self, timeout=PATIENCE):
        until(self._pid_file.exists, f"the runner in {self.path} starts", timeout)
        return self

    @property
    def pid(self):
        return int(self._pid_file.read_text())

    @property
    def device(self):
        """The terminal of this shell."""
        return (self.path / "tty").read_text().strip()

    def start(self, argv, **how):
        job = Job(self._sandbox, argv, **how)
        with open(self.path / "jobs", "w", opener=_if_somebody_reads) as jobs:
            jobs.write(f"{job.script}\n")
        return job

    def run(self, argv, timeout=PATIENCE, **how):
        return self.start(argv, **how).wait(timeout)

    def open(self, argv, **how):
        """Start a program that takes the terminal over: an editor, a login."""
        return self.start(argv, stdin=None, on_terminal=True, **how)

    def close(self):
        # In another PID namespace the number is not one of ours.
        if not self._apart and self._pid_file.exists() and is_alive(self.pid):
            kill_family(self.pid)

    @property
    def _pid_file(self):
        return Path(self.path, "pid")


def _settings(sandbox, environment):
    # A login may have reset PATH.
    yield f"PATH={sandbox.path / 'bin'}:$PATH"
    for name, value in environment.items():
        set_to = f"export {name}={shlex.quote(value or '')}"
        yield f"unset {name}" if value is None else set_to


def _if_somebody_reads(path, flags):
    # Non-blocking: an error, not a wait without end, when the loop is gone.
    return os.open(path, os.O_WRONLY | os.O_NONBLOCK)
