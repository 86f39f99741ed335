"""Every system call of every command goes wrong, each time it is made, in turn.

A run then either does its work or says why not: the whole sequence and status 0, or no
sequence or a closed one, a message and a status of the manual's. The terminal is as
before, no process is left, and it never hangs.

By default every call meets its most likely failures; with FULL=1 (make check-faults
FULL=1) it meets all that are listed.
"""

import base64
import json
import os
import re
import termios
from dataclasses import dataclass

import pytest
from faults import is_closed, well_said
from injector import Injector, is_sanitized
from test_terminal_faults import WRAPS

from lib import expect, program, sequences
from lib.answering import CLIPBOARD, FOOT, AnsweringTerminal, clipboard
from lib.processes import until
from lib.terminal import OuterTerminal

FULL = os.environ.get("FULL", "") not in ("", "0")
# More calls than any of the commands makes.
ENOUGH = 3000

TEXT = expect.sample(1000)
LONG = expect.sample(100_000)


# ---- places --------------------------------------------------------------------------


class Plain:
    """A terminal that records and says nothing."""

    def __init__(self, sandbox):
        self.terminal = OuterTerminal(sandbox)
        self.start = self.terminal.start

    def take(self, run):
        """What has come to the terminal since the run before this."""
        self.terminal.settle()
        return self._record()

    def _record(self):
        record = self.terminal.recorded()
        self.terminal.forget()
        return record


class Answering(Plain):
    def __init__(self, sandbox):
        script = {**FOOT, CLIPBOARD: clipboard(TEXT)}
        self.terminal = AnsweringTerminal(sandbox, script)
        self.start = self.terminal.start

    def take(self, run):
        # What a run that was ended has not read is not for the next one.
        record = super().take(run)
        until(self.terminal.has_said_all, "the terminal has said all")
        termios.tcflush(self.terminal.slave, termios.TCIFLUSH)
        return record


class Tmux(Plain):
    """A pane of tmux with its default settings, shown in one terminal."""

    def __init__(self, sandbox):
        # Imported where it is needed: tmux may not be installed.
        from lib.mux import TmuxServer

        server = TmuxServer(sandbox)
        self.pane = server.session()
        self.terminal = server.attach()
        self.terminal.forget()
        self.start = self.pane.open

    def take(self, run):
        record = super().take(run)
        # What came by another way than straight to the terminal comes later.
        if run.how == "exit" and run.status == 0 and not record:
            self.pane.settle()
            record += self._record()
        return record


# ---- commands ------------------------------------------------------------------------


def copied(text, unwrap=WRAPS["none"]):
    def check(run, stream):
        assert sequences.clipboard_writes(unwrap(stream)) == [("c", text)]

    return check


def copied_or_warned(run, stream):
    """Where tmux cannot be asked the way is not known, and that is said."""
    if "warning: " not in run.said:
        copied(TEXT)(run, stream)


def reported(run, stream):
    copied(TEXT)(run, stream)
    assert json.loads(run.stdout)["sent"] is True


def pasted(run, stream):
    assert run.stdout == TEXT


def printed(pattern):
    def check(run, stream):
        assert re.search(pattern, run.stdout), run.stdout
        assert stream == b""

    return check


def explained(run, stream):
    assert b"copy" in run.stdout


def drawn(sequence):
    def check(run, stream):
        assert stream == sequence

    return check


def titled(run, stream):
    assert b";text" in stream


def notified(run, stream):
    assert b"text" in stream


def passed_on(run, stream):
    assert run.stdout == b"50%\n"


@dataclass(frozen=True)
class Command:
    """succeeds: what status 0 means; unwrap: what the layers around it do."""

    place: type
    line: str
    stdin: bytes
    succeeds: object
    unwrap: object = WRAPS["none"]


def copy_for(wrap, text):
    unwrap = WRAPS[wrap]
    line = f"viatty copy --wrap {wrap}"
    return Command(Plain, line, text, copied(text, unwrap), unwrap)


TITLE = b"\x1b]2;title\x07"
ASK = "viatty copy --no-probe"
COMMANDS = {
    "copy": Command(Plain, "viatty copy", TEXT, copied(TEXT)),
    "copy-long": Command(Plain, "viatty copy", LONG, copied(LONG)),
    "copy-json": Command(Plain, "viatty copy --json -v", TEXT, reported),
    "copy-for-tmux": copy_for("tmux", LONG),
    "copy-for-screen": copy_for("screen", TEXT),
    "copy-in-tmux": Command(Tmux, ASK, TEXT, copied_or_warned),
    "paste": Command(Answering, "viatty paste --timeout 3", b"", pasted),
    "doctor": Command(Answering, "viatty doctor --timeout 0.5", b"", explained),
    "doctor-json": Command(
        *(Answering, "viatty doctor --json --timeout 0.5", b"", explained)
    ),
    "raw": Command(Plain, "viatty raw --no-probe", TITLE, drawn(TITLE)),
    "title": Command(Plain, "viatty title --no-probe text", b"", titled),
    "notify": Command(Plain, "viatty notify --no-probe text", b"", notified),
    "progress": Command(
        *(Plain, "viatty progress --scan --no-probe", b"50%\n", passed_on)
    ),

    "print": Command(Plain, "viatty copy -Pesc -s text", b"", printed(rb"52;c;")),
    "help": Command(Plain, "viatty --help", b"", printed(rb"usage: viatty")),
}

# what goes wrong: the calls, what they are likely to meet, what else they may meet
UNCLOSABLE = "short,EIO,EIO,EIO"
READS, WRITES = "read", "write,writev"
OPENS = "open,openat"
MEMORY = "mmap,brk"
STARTS = "clone,clone3,fork,vfork"
LOOKS = "stat,lstat,fstat,newfstatat,statx,readlink,readlinkat"
MAY = "access,faccessat,faccessat2"
FAULTS = {
    OPENS: (["EMFILE"], ["EMFILE+", "ENFILE", "ENOMEM", "EACCES", "EINTR", "ENOENT"]),
    READS: (["EIO", "short,EINTR"], ["EIO+", "EINTR", "EAGAIN", "short", "short+"]),
    WRITES: (
        ["EIO", "short,EINTR", UNCLOSABLE],
        ["EINTR", "EAGAIN", "ENOSPC", "EPIPE", "ENOSPC+", "short", "short+"]
        + ["short,EIO", "short,SIGTERM", "short,SIGHUP", "short,EAGAIN"],
    ),
    MEMORY: (["ENOMEM", "ENOMEM+"], []),
    "ioctl": (["EIO", "EINTR"], ["ENOTTY", "EIO+", "ENOTTY+"]),
    "poll,ppoll": (["EINTR"], ["ENOMEM", "ENOMEM+"]),
    STARTS: (["EAGAIN"], ["ENOMEM", "EAGAIN+"]),
    "execve": (["ENOMEM"], ["EACCES", "ENOENT", "ENOENT+"]),
    "pipe2": (["EMFILE"], ["ENFILE", "ENFILE+"]),
    "dup2,dup3": (["EMFILE"], ["EMFILE+"]),
    "wait4,rt_sigtimedwait": (["EINTR"], []),
    LOOKS: (["ENOMEM"], ["EACCES", "EIO+"]),
    MAY: (["EACCES"], []),
    "close": (["EIO"], ["EINTR", "EIO+"]),
    "fcntl": ([], ["EINTR", "EPERM"]),
    "kill": ([], ["EPERM"]),
    "all": (
        ["SIGTERM", "SIGTSTP", "SIGKILL"],
        ["SIGINT", "SIGHUP", "SIGQUIT"],
    ),
}


def cases():
    for command in COMMANDS:
        for calls, (likely, other) in FAULTS.items():
            if calls == MEMORY and is_sanitized():
                continue
            for faults in likely + (other if FULL else []):
                what = calls.split(",")[0]
                yield pytest.param(command, calls, faults, id=f"{command}-{what}-{faults}")


# ---- what is expected ----------------------------------------------------------------


def judge(run, names, stream, command):
    """One run; says by AssertionError what is wrong."""
    killed = "SIGKILL" in names and run.is_ended_by(names)
    assert run.how != "hang", "it hangs"
    assert not run.left, "a process is left"
    assert run.modes == "same" or killed or is_excused(run, names), "modes changed"
    assert run.stop in ("none", "same"), "modes changed while it is stopped"
    if run.how == "signal":
        assert run.is_ended_by(names), f"ended by signal {run.status}"
    elif run.status == 0:
        command.succeeds(run, stream)
    else:
        assert 1 <= run.status <= 6, f"exit {run.status}"
        assert run.stderr or cannot_speak(run), "nothing was said"
    if not cannot_speak(run):
        well_said(run)
    if not killed and not cannot_close(run, names):
        is_closed(command.unwrap(stream), base64.b64encode(command.stdin))


def is_excused(run, names):
    """What restores the modes failed itself, as it never does."""
    return run.call in ("TCGETS", "TCSETS") and names[0] in ("EIO", "ENOTTY")


def cannot_speak(run):
    """The message itself, or a part of it, was not written."""
    return run.call in ("write", "writev") and not run.stderr.endswith(b"\n")


def cannot_close(run, names):
    """The write failed, and so did both attempts to close what it began."""
    return names == UNCLOSABLE.split(",") and run.hits == len(names)


@pytest.mark.parametrize("command, calls, faults", cases())
def test_it_works_or_says_why_not(sandbox, command, calls, faults):
    command = COMMANDS[command]
    place = command.place(sandbox)
    names = faults.rstrip("+").split(",")
    injector = Injector(sandbox, place.start, command.line.split(), command.stdin)
    findings = []
    for number in range(ENOUGH):
        run = injector.run(number, faults, calls)
        stream = place.take(run)
        try:
            if number and not run.hits:
                assert run.status == 0
            judge(run, names, stream, command)
        except (AssertionError, sequences.Malformed) as fault:
            findings.append(f"{number}: {fault}\n    {run}\n    {stream[-100:]!r}")
        if number and not run.hits:
            break
    assert not findings, "\n".join([f"{len(findings)} of {number}:", *findings])
    assert number < ENOUGH - 1
