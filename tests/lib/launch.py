"""launch.py SPECIFICATION.spec

Run as a separate program in the place where a test needs viatty: starts it with the
descriptors, signals, limits, user and process group of the specification, and records
its state in files beside it: .pid, .stopped, .ended.

Thousands are started, so it imports what is built in or small: json and signal would take
longer than Python itself.
"""

import _signal as signal
import marshal
import os
import resource
import sys

# This process survives anything that happens to the terminal.
SURVIVED = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTTOU)

MODES = {"r": os.O_RDONLY, "w": os.O_WRONLY, "n": os.O_WRONLY | os.O_NONBLOCK}


def main(path):
    with open(path, "rb") as file:
        spec = marshal.load(file)
    for number in SURVIVED:
        signal.signal(number, signal.SIG_IGN)
    damaged = memory_with_an_end() if "memory" in spec["descriptors"].values() else None
    pid = os.fork()
    if pid == 0:
        try:
            become(spec, damaged)
        except BaseException as error:
            os.write(2, f"launch.py: {error!r}\n".encode())
            os._exit(127)
    report(path, "pid", pid)
    report(path, "ended", *wait_for(pid, path))


def wait_for(pid, path):
    while True:
        _, status, usage = os.wait4(pid, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            return os.waitstatus_to_exitcode(status), usage.ru_maxrss * 1024
        report(path, "stopped", os.WSTOPSIG(status))


def report(path, name, *values):
    """Creates the file atomically."""
    end = path.removesuffix("spec") + name
    with open(end + ".new", "w") as file:
        print(*values, file=file)
    os.rename(end + ".new", end)


def become(spec, damaged):
    join_group(spec["group"])
    for number in (*SURVIVED, signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    for number in spec["ignored"]:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, spec["blocked"])
    for fd, file in spec["descriptors"].items():
        give(int(fd), file, damaged)
    for name, value in spec["environment"].items():
        os.environ[name] = value or ""
        if value is None:
            del os.environ[name]
    if spec["memory"]:
        resource.setrlimit(resource.RLIMIT_AS, (spec["memory"],) * 2)
    if spec["user"]:
        os.setgroups([])
        os.setgid(spec["user"])
        os.setuid(spec["user"])
    execute(spec["argv"])


def execute(argv):
    """Like execvp(), whose imports in Python 3.14 would dominate the memory peak."""
    for folder in os.environ.get("PATH", os.defpath).split(":"):
        try:
            os.execv(os.path.join(folder, argv[0]), argv)
        except (FileNotFoundError, NotADirectoryError, PermissionError) as error:
            missing = error
    raise missing


def join_group(group):
    """Creates a process group, as a shell with job control does."""
    if group is None:
        return
    os.setpgid(0, 0)
    if group == "foreground":
        terminal = os.open("/dev/tty", os.O_RDWR)
        os.tcsetpgrp(terminal, os.getpgrp())
        os.close(terminal)


def give(fd, file, damaged):
    """None: closed; "memory": a file that fails in the middle; else (path, mode)."""
    if file is None:
        os.close(fd)
    elif file == "memory":
        os.dup2(damaged, fd)
    else:
        path, mode = file
        opened = os.open(path, MODES[mode] | os.O_NOCTTY)
        if opened != fd:
            os.dup2(opened, fd)
            os.close(opened)


def memory_with_an_end():
    """A file with 5,000 bytes and then EIO: the memory of this process before a hole."""
    with open("/proc/self/maps") as file:
        lines = [line.split() for line in file]
    areas = [[int(end, 16) for end in line[0].split("-")] for line in lines]
    for line, (_, end), (start, _) in zip(lines, areas, areas[1:]):
        if line[1].startswith("rw") and start > end + (1 << 20):
            fd = os.open("/proc/self/mem", os.O_RDONLY)
            os.lseek(fd, end - 5000, os.SEEK_SET)
            return fd
    raise RuntimeError("no hole in the memory")


if __name__ == "__main__":
    main(sys.argv[1])
