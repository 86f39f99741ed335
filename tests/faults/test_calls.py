"""Every system call of every command goes wrong, each time it is made, in turn.

A run then either does its work or says why not: the whole sequence and status 0, or no
sequence or a closed one, a message and a status of the manual's. The terminal is as
before, no process is left, and it never hangs.

The calls of a row that is tried thoroughly meet their likely failures in several ways,
those of the others the most likely one.
"""

import base64
import re

import pytest
from injector import Injector
from table import COMMANDS

from lib import program, sequences
from lib.faults import is_closed, well_said

# More calls than any of the commands makes.
ENOUGH = 3000

# What goes wrong: the calls, and what they are likely to meet.
UNCLOSABLE = "short,EIO,EIO,EIO,EIO"
MEMORY = "mmap,brk"
FAULTS = {
    "open,openat": ["EMFILE"],
    "read": ["EIO", "short,EINTR"],
    "write,writev": ["EIO", "short,EINTR", "short,SIGTERM", UNCLOSABLE],
    MEMORY: ["ENOMEM", "ENOMEM+"],
    "ioctl": ["EIO", "EINTR"],
    "poll,ppoll": ["EINTR"],
    "clone,clone3,fork,vfork": ["EAGAIN"],
    "execve": ["ENOMEM"],
    "pipe2": ["EMFILE"],
    "dup2,dup3": ["EMFILE"],
    "wait4,rt_sigtimedwait": ["EINTR"],
    "stat,lstat,fstat,newfstatat,statx,readlink,readlinkat": ["ENOMEM"],
    "access,faccessat,faccessat2": ["EACCES"],
    "close": ["EIO"],
    "all": ["SIGTERM", "SIGTSTP", "SIGKILL"],
}
SIGNALS = ["SIGTERM", "SIGTSTP", "SIGKILL"]
BRIEFLY = {"all": ["likely", *SIGNALS]}
# A relay that cannot write to its terminal ends as one whose terminal is gone.
TRIED = {"thoroughly": FAULTS, "briefly": BRIEFLY, "by signals": {"all": SIGNALS}}


def cases():
    for name, command in COMMANDS.items():
        for calls, listed in TRIED[command.tried].items():
            for faults in listed:
                # A sanitizer ends a program that lacks memory.
                if program.is_sanitized() and (calls == MEMORY or faults == "likely"):
                    continue
                what = calls.split(",")[0]
                yield pytest.param(command, calls, faults, id=f"{name}-{what}-{faults}")


def words(file, pattern):
    """What the pattern captures in a source file."""
    return set(re.findall(pattern, (program.REPOSITORY / "src" / file).read_text(), re.M))


def test_every_command_has_a_row():
    commands = words("commands/commands.def", r"^COMMAND\((\w+)\)")
    assert len(commands) > 10
    # ssh runs another program, in a relay: tests/real/test_ssh.py.
    assert {command.called for command in COMMANDS.values()} >= commands - {"ssh"}


# ---- what is expected ----------------------------------------------------------------


def judge(run, faults, stream, command, whole):
    """One run; says by AssertionError what is wrong.

    whole: what comes to the terminal when nothing goes wrong.
    """
    names = faults.rstrip("+").split(",")
    killed = "SIGKILL" in names and run.is_ended_by(names)
    assert run.how != "hang", "it hangs"
    assert not run.left, "a process is left"
    assert run.modes == "same" or killed or is_excused(run, faults), "modes changed"
    assert run.stop in ("none", "same"), "modes changed while it is stopped"
    assert run.front == "same", "another program is in the foreground"
    if run.how == "signal":
        assert run.is_ended_by(names), f"ended by signal {run.status}"
    elif run.status == command.status:
        command.succeeds(run, stream)
    elif not (command.of_child and run.is_child_ended_by(names)):
        assert run.status in command.fails, f"exit {run.status}"
        told = run.stderr or run.is_mute
        assert told, "nothing was said"
    if command.restored is not None and not killed and "warning: " not in run.said:
        assert run.is_mute or command.restored(stream), "what was set is left"
    if not run.is_mute:
        well_said(run)
    if killed:
        # Nobody is left who could close it, and nothing else may come.
        assert timeless(whole).startswith(timeless(stream)), "another stream"
    elif not cannot_close(run, names):
        is_closed(command.unwrap(stream), base64.b64encode(command.stdin))


def timeless(stream):
    """Without how long a command took, and without the ID of a notification."""
    times = rb"\x1b\]9;[\w ]+: done after \d+\.\d s in \w+|i=viatty-[0-9a-f-]+"
    return re.sub(times, b"", stream)


def is_excused(run, faults):
    """What restores the modes failed itself, as it never does."""
    if not faults.startswith(("EIO", "ENOTTY")):
        return False
    return run.call in ("TCGETS", "TCSETS") or (run.is_about_modes and faults[-1] == "+")


def cannot_close(run, names):
    """The write failed, and so did both attempts to close what it began."""
    return names == UNCLOSABLE.split(",") and run.hits == len(names)


@pytest.mark.parametrize("command, calls, faults", cases())
def test_it_works_or_says_why_not(sandbox, command, calls, faults):
    place = command.place(sandbox)
    injector = Injector(sandbox, place.start, command.argv, command.stdin)
    findings, whole = [], b""
    for number in range(ENOUGH):
        run = injector.run(number, faults, calls)
        stream = place.take(run)
        if number == 0 and place.is_alone:
            whole = stream
        try:
            if not run.hits:
                assert (run.how, run.status) == ("exit", command.status)
            judge(run, faults, stream, command, whole if place.is_alone else stream)
        except (AssertionError, sequences.Malformed) as fault:
            findings.append(f"{number}: {fault}\n    {run}\n    {stream[-100:]!r}")
        if number and not run.hits:
            break
    assert not findings, "\n".join([f"{len(findings)} of {number}:", *findings])
    assert number < ENOUGH - 1
    assert number > 1 or calls != "all", "no call was met"
