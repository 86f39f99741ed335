"""Runs a program again and again, and lets a system call of it go wrong.

    inject.py JOBS REPORTS STEM PROGRAM [ARGUMENT...]
"""

# Each line of JOBS (a FIFO) is one run:
#
#     NUMBER FAULTS CALLS
#
# The NUMBERth call that is among CALLS meets the first of FAULTS, the next one the second, and so
# on; a `+` behind the last lets it go on for ever. Number 0 is a run without a fault. CALLS are
# names joined by commas; `all` is every call, some of ioctl's requests count as names. FAULTS are
#
#     EIO ...       the call does nothing and fails with this error
#     likely        with the error that this call is most likely to meet; a call for which that is
#                   not known is left alone
#     short         it is asked for half the bytes
#     pause         it begins 5 ms late
#     SIGINT ...    the signal comes as the call begins; a program that stops is continued
#
# Calls are counted from where main() begins, for what goes wrong in the loader is not the
# program's: from the first fcntl(0, F_GETFD), with which viatty begins, to the next, which
# tests/coverage/dump.c adds. A child that PROGRAM starts from then on is followed until it is
# another program.
#
# Every run has the terminal for itself, in the foreground; stdin is STEM.in, stdout and stderr go
# to STEM.out and STEM.err. To REPORTS goes one line of JSON, see Run in injector.py: `call` is the
# first that was hit, with its first argument; modes are `same` or `changed` after the run (and put
# right again); so are those during a stop, or `none`; `front` is `same` if the foreground of the
# terminal is still PROGRAM's process group; `left` is whether it left a process. Where nothing can
# be traced the line is the reason, a string.

import ctypes
import errno
import fcntl
import json
import os
import re
import signal
import struct
import subprocess
import sys
import termios
import time

SETOPTIONS, GETEVENTMSG, GETSIGINFO, GET_SYSCALL_INFO = 0x4200, 0x4201, 0x4202, 0x420E
TRACEME, POKEUSER, SYSCALL, DETACH = 0, 6, 24, 17
# PTRACE_O_TRACESYSGOOD, FORK, VFORK, CLONE, EXEC, EXITKILL
OPTIONS = 1 | 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 20
EVENT_EXEC, CALL_BEGINS, WALL = 4, 1, 0x40000000
# sys/user.h of x86_64, in words: of a call that begins its number, its third argument; its result.
NUMBER, THIRD, RESULT = 15, 12, 10
# How a child that may not be traced says so.
NOT_TRACED = 124
HANG_SECONDS, LEFT_SECONDS = 20, 5

REQUESTS = {getattr(termios, name): name
            for name in ("TCGETS", "TCSETS", "TIOCGPGRP", "TCFLSH", "FIONREAD")}
LIKELY = {call: getattr(errno, name) for name, calls in {
    "EIO": "read write writev close ioctl getdents64 TCGETS TIOCGPGRP TCFLSH FIONREAD",
    "EMFILE": "openat open pipe2 dup2 dup3 socket",
    "ENOMEM": "mmap brk execve readlinkat readlink newfstatat fstat stat lstat statx statfs",
    "EINTR": "ppoll poll pselect6 select wait4 rt_sigtimedwait getrandom flock TCSETS",
    "EAGAIN": "clone clone3 fork vfork", "EACCES": "faccessat faccessat2 access",
    "ECONNREFUSED": "connect", "EPERM": "kill utimensat setpgid",
}.items() for call in calls.split()}

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
ptrace = libc.ptrace
info = ctypes.create_string_buffer(88)


def names_of_calls():
    command = ["gcc", "-E", "-dM", "-include", "sys/syscall.h", "-x", "c", os.devnull]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return {int(number): name for name, number in re.findall(r"#define __NR_(\w+) (\d+)", said)}


class Traced:
    """A process: the call that has begun, and what it is to give instead."""

    def __init__(self):
        self.call, self.result = None, None
        # Than main(): none of its children.
        self.is_older = False


class Run:
    """Traces the program once, with this job."""

    def __init__(self, line, calls, terminal):
        number, faults, wanted = line.split()
        self.at, self.for_ever, self.wanted = int(number), faults.endswith("+"), wanted.split(",")
        self.faults = faults.rstrip("+").split(",")
        self.calls, self.terminal = calls, terminal
        self.pid = 0
        # 1: main() runs
        self.marks = self.seen = self.hits = 0
        self.call, self.fd, self.stop, self.is_late = "-", 0, "none", False
        self.end_of_data, self.traced = 0, {}
        self.modes = termios.tcgetattr(terminal)

    def compare_modes(self):
        return "same" if termios.tcgetattr(self.terminal) == self.modes else "changed"

    def go_wrong(self, pid, names, arguments):
        """Applies the next fault to a call that has one of these names, if it is wanted."""
        fault, traced = self.faults[0], self.traced[pid]
        # A child that is not another program yet meets errors only.
        every = "all" in self.wanted and (pid == self.pid or fault == "likely")
        if fault == "likely" and names[-1] not in LIKELY:
            return
        if not every and not set(names) & set(self.wanted):
            return
        which = self.seen + 1 - self.at
        self.seen += 1
        if self.at == 0 or which < 0 or (which >= len(self.faults) and not self.for_ever):
            return
        fault = self.faults[min(which, len(self.faults) - 1)]
        if not self.hits:
            self.call, self.fd = names[-1], arguments[0]
        self.hits += 1
        if fault == "short":
            if arguments[2] > 1:
                ptrace(POKEUSER, pid, 8 * THIRD, arguments[2] // 2)
        elif fault == "pause":
            time.sleep(0.005)  # what the program is to be late by
        elif fault.startswith("SIG"):
            os.kill(pid, getattr(signal, fault))
        else:
            error = LIKELY[names[-1]] if fault == "likely" else getattr(errno, fault)
            ptrace(POKEUSER, pid, 8 * NUMBER, ctypes.c_void_p(-1))
            # This one fails by giving the end as it is.
            traced.result = self.end_of_data if names[0] == "brk" else -error

    def at_call(self, pid):
        traced = self.traced[pid]
        if ptrace(GET_SYSCALL_INFO, pid, len(info), info) <= 0:
            return
        if info.raw[0] == CALL_BEGINS:
            number, *arguments = struct.unpack_from("<7Q", info, 24)
            traced.call = self.calls.get(number, "another")
            names = [traced.call]
            if traced.call == "ioctl" and arguments[1] in REQUESTS:
                names.append(REQUESTS[arguments[1]])
            self.marks += traced.call == "fcntl" and arguments[:2] == [0, fcntl.F_GETFD]
            if self.marks == 1:
                self.go_wrong(pid, names, arguments)
            return
        if traced.result is not None:
            ptrace(POKEUSER, pid, 8 * RESULT, ctypes.c_void_p(traced.result))
        elif traced.call == "brk":
            (self.end_of_data,) = struct.unpack_from("<q", info, 24)
        traced.result = None

    def at_signal(self, pid, number):
        """A signal is on its way to it, or it has stopped. Gives what to pass on."""
        if ptrace(GETSIGINFO, pid, None, ctypes.create_string_buffer(128)) == 0:
            return number
        # Stopped by job control: a shell would have the terminal now.
        self.stop = self.compare_modes()
        os.kill(pid, signal.SIGCONT)
        return 0

    def resume(self, pid, status):
        """One stop of a process."""
        traced = self.traced.setdefault(pid, Traced())
        number, event, handed = os.WSTOPSIG(status), status >> 16, 0
        is_child, early = pid != self.pid, self.marks == 0
        if number == signal.SIGTRAP | 0x80:
            self.at_call(pid)
        elif is_child and (event == EVENT_EXEC or traced.is_older or
                           early and number == signal.SIGSTOP):
            del self.traced[pid]
            ptrace(DETACH, pid, None, None)
            return
        elif not event:
            if not (early and number == signal.SIGTRAP or is_child and number == signal.SIGSTOP):
                handed = self.at_signal(pid, number)
        elif event != EVENT_EXEC and early:
            child = ctypes.c_ulong()
            if ptrace(GETEVENTMSG, pid, None, ctypes.byref(child)) == 0:
                self.traced.setdefault(child.value, Traced()).is_older = True
        ptrace(SYSCALL, pid, None, handed)

    def kill(self, *_):
        self.is_late = True
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)

    def trace(self, stem, argv):
        """The status of its end; a string if there is none."""
        self.pid = os.fork()
        if self.pid == 0:
            become(self.terminal, stem, argv)
        signal.signal(signal.SIGALRM, self.kill)
        signal.alarm(HANG_SECONDS)
        _, status = os.waitpid(self.pid, 0)
        if not os.WIFSTOPPED(status) or ptrace(SETOPTIONS, self.pid, None, OPTIONS) != 0:
            return "ptrace is not permitted, or the program cannot be started"
        ptrace(SYSCALL, self.pid, None, None)
        while True:
            pid, status = os.waitpid(-1, WALL)
            if os.WIFSTOPPED(status):
                self.resume(pid, status)
            elif pid == self.pid:
                break
            else:
                self.traced.pop(pid, None)
        signal.alarm(0)
        return status

    def has_left_one(self):
        """Whether it has left a process behind that does not end in time."""
        deadline = time.monotonic() + LEFT_SECONDS
        try:
            while time.monotonic() < deadline:
                pid, status = os.waitpid(-1, os.WNOHANG | WALL)
                if pid and os.WIFSTOPPED(status):
                    self.resume(pid, status)
                elif not pid:
                    time.sleep(0.001)  # there is no event for a child of a child
        except ChildProcessError:
            return False
        return True

    def report(self, stem, argv):
        status = self.trace(stem, argv)
        if isinstance(status, str):
            return status
        ended = os.waitstatus_to_exitcode(status)
        front = os.tcgetpgrp(self.terminal) == self.pid
        self.pid = 0
        os.tcsetpgrp(self.terminal, os.getpgrp())
        after = self.compare_modes()
        termios.tcsetattr(self.terminal, termios.TCSANOW, self.modes)
        return {
            "how": "hang" if self.is_late else "signal" if ended < 0 else "exit",
            "status": abs(ended), "hits": self.hits, "call": self.call, "fd": self.fd,
            "modes": after, "stop": self.stop, "front": "same" if front else "changed",
            "left": self.has_left_one(),
        }


def become(terminal, stem, argv):
    try:
        os.setpgid(0, 0)
        os.tcsetpgrp(terminal, os.getpid())
        os.close(terminal)
        for number in (*SURVIVED, signal.SIGTERM, signal.SIGPIPE, signal.SIGXFSZ, signal.SIGALRM):
            signal.signal(number, signal.SIG_DFL)
        for fd, (kind, flags) in enumerate([(".in", os.O_RDONLY), *[
                (kind, os.O_WRONLY | os.O_TRUNC | os.O_CREAT) for kind in (".out", ".err")]]):
            os.dup2(os.open(stem + kind, flags, 0o600), fd)
        if ptrace(TRACEME, 0, None, None) == 0:
            os.execvp(argv[0], argv)
    finally:
        os._exit(NOT_TRACED)


SURVIVED = [signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTTOU, signal.SIGTSTP]


def main(jobs, reports, stem, *argv):
    for number in SURVIVED:
        signal.signal(number, signal.SIG_IGN)
    libc.prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
    terminal, calls = os.open("/dev/tty", os.O_RDWR), names_of_calls()
    with open(jobs) as lines, open(reports, "w", buffering=1) as told:
        for line in lines:
            told.write(json.dumps(Run(line, calls, terminal).report(stem, argv)) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
