"""Where the tests run: apart from the terminal and session that start them.

viatty examines the controlling terminal, the environment and the ancestors of its
process. A test that starts it must not have those of a developer: no terminal, no TMUX,
no DISPLAY, no ignored signals. So pytest and tests/check start themselves again
(run_again) as an orphan in a new session, and wait for it to exit. If the waiting
process ends first, for any reason, the other ends too.
"""

import contextlib
import ctypes
import os
import pwd
import select
import shlex
import shutil
import signal
import site
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from lib.processes import Orphan, family, is_alive, keeper

# The variables that are kept, including all that the Makefile passes to the tests.
KEPT = (
    *("CI", "FULL", "RESULTS", "VIATTY", "VIATTY_GENERATOR"),
    *("VIATTY_LAUNCH", "VIATTY_LIBB64", "VIATTY_LOGS", "VIATTY_NPM", "VIATTY_REPLAY"),
    *("VIATTY_STATIC", "VIATTY_UNIT", "VIATTY_WORLD", "TESTS_AS"),
    *("ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS", "GCOV_PREFIX"),
    *("PYTHONPATH", "PYTHONUSERBASE", "PYTEST_ADDOPTS", "PYTEST_PLUGINS"),
)

ROOT = Path(__file__).resolve().parent.parent.parent

# Marks that this was done, and by which process. viatty does not read this name.
MARK = "TESTS_APART"

# Whose tests are run: "user" or "root"; not set, both.
WHO = "TESTS_AS"
# Root has no desktop and trusts no environment: all tests but those of root are a user's. An
# account that every system has, which is not nobody: the kernel shows that for unknown users.
USER = "daemon"
# Names a file where the run as that user writes if some of the tests are root's.
ROOT_TOO = "TESTS_ROOT_TOO"
# Of what a user has not.
NOWHERE = "/nonexistent"

# Python handles these itself; none of the others may be ignored.
OF_PYTHON = {signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ}
FIXED = {signal.SIGKILL, signal.SIGSTOP}

# How long a program may take to exit, on a busy machine.
_PATIENCE = 5.0

_PR_SET_CHILD_SUBREAPER = 36


def are_apart():
    return os.environ.get(MARK) is not None and not _has_terminal()


def run_again():
    """Start this program again, apart; returns its exit status."""
    # Short, because a socket's path must fit into 108 bytes, and without spaces.
    with tempfile.TemporaryDirectory(prefix="vthome", dir="/tmp") as home:
        sys.stdout.flush()
        argv = [sys.executable, *sys.orig_argv[1:]]
        program = Orphan(argv, environment(home), (0, 1, 2), directory=os.getcwd())
        # Ctrl-C is for pytest, which cleans up; the other signals end both.
        hand_on = lambda number, _: _tell(program.pid, number, os.killpg)
        _unless_ignored(signal.SIGINT, hand_on)
        for number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM):
            _unless_ignored(number, lambda number, _: sys.exit(128 + number))
        status = program.wait(timeout=None)
    return status if status >= 0 else 128 - status


def _is_open(folder):
    """Whether every user can reach it."""
    return all(place.stat().st_mode & 0o001 for place in (folder, *folder.parents))


def want_root(tests):
    """Called by the user's run: these tests are root's."""
    with open(os.environ[ROOT_TOO], "r+") as file:
        file.write("\0".join(tests))


def run_as_both(arguments, selected=(), folders=()):
    """Runs this program again as a user, and then as root with the tests that are root's, if
    there are any; returns the exit status.

    selected: the tests among the arguments. folders: where both write.
    """
    user = pwd.getpwnam(USER)
    # The sockets of X servers are anybody's.
    for folder in ("/tmp/.X11-unix", *folders):
        os.makedirs(folder, exist_ok=True)
        os.chmod(folder, 0o1777)
    results = []
    for who, how in (("user", {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}), ("root", {})):
        with (tempfile.TemporaryDirectory(prefix="vthome", dir="/tmp") as home,
              tempfile.NamedTemporaryFile(dir="/tmp") as told):
            os.chown(home, how.get("user", 0), -1)
            known = {**os.environ, WHO: who, MARK: str(os.getpid()), "HOME": home}
            argv, directory, copy = [sys.executable, *arguments], os.getcwd(), ROOT
            if how:
                known |= {"VIATTY_NPM": NOWHERE, ROOT_TOO: told.name}
                os.chown(told.name, user.pw_uid, -1)
            if how and not _is_open(ROOT):
                # As in /root, which is for root alone: a copy.
                copy = shutil.copytree(ROOT, Path(home, "viatty"), symlinks=True)
                move = lambda text: text.replace(str(ROOT), str(copy))
                argv, directory = [*map(move, argv)], move(directory)
                known = {name: move(value) for name, value in known.items()}
            program = subprocess.Popen(argv, env=known, cwd=directory, **how)
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, lambda number, _: _tell(program.pid, number))
            results.append(program.wait())
            wanted = Path(told.name).read_text()
        if not wanted:
            break
        if how:
            # To collect all others takes longer than to run these.
            arguments = [word for word in arguments if word not in selected]
            arguments += wanted.replace(str(copy), str(ROOT)).split("\0")
    # 5: pytest has found no tests of these.
    return next((result for result in results if result not in (0, 5)), min(results))


def environment(home):
    known = {name: os.environ[name] for name in KEPT if name in os.environ}
    # pytest may have been installed there by pip, for this user alone.
    known.setdefault("PYTHONUSERBASE", site.getuserbase())
    # Where .ci/deps puts what it fetches by npm.
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    known.setdefault("VIATTY_NPM", f"{cache}/viatty/npm")
    known.setdefault("VIATTY_WORLD", f"{cache}/viatty/world")
    return {**known, "PATH": path(), "HOME": home, "LANG": "C.UTF-8", MARK: str(os.getpid())}


def path():
    """PATH without directories that cannot be searched, and without relative ones.

    Also without those of /usr/local, where `make install` puts viatty: a test that
    removes it from PATH would find that one.
    """
    folders = os.environ.get("PATH", os.defpath).split(":")
    usable = lambda f: os.access(f, os.R_OK | os.X_OK) and not f.startswith("/usr/local/")
    return ":".join(f for f in folders if os.path.isabs(f) and usable(f))


def settle():
    """Resets other inherited state to that of a login.

    A shell's background job, nohup or tmux may have started us with signals ignored.
    """
    for number in signal.valid_signals() - OF_PYTHON - FIXED:
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    os.umask(0o022)
    # pytest has done so already; a test without pytest gets it here.
    os.environ.pop("TMPDIR", None)
    os.environ["PATH"] = path()
    # readline 8.3, which pytest loads, sets them without os.environ.
    for name in ("LINES", "COLUMNS"):
        os.environ.pop(name, None)
        os.unsetenv(name)
    tempfile.tempdir = "/tmp"


def answer_for_all():
    """From here on no descendant outlives the tests.

    Orphans become our children, not those of process 1. If the process that waits for
    the tests is gone, all end.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "PR_SET_CHILD_SUBREAPER")
    waiting = os.pidfd_open(int(os.environ[MARK]))
    threading.Thread(target=_end_after, args=(waiting,), daemon=True).start()


def end_what_is_left(patience=_PATIENCE):
    """Ends every descendant that still runs; returns their command lines."""
    deadline = time.monotonic() + patience
    while _descendants() and time.monotonic() < deadline:
        time.sleep(0.01)
    left = []
    # A killed one may have started another just before.
    while descendants := _descendants():
        for pid in descendants:
            left.append(f"{pid} {_command(pid)}")
            _tell(pid, signal.SIGKILL)
        while any(is_alive(pid) for pid in descendants):
            time.sleep(0.01)
    return left


def _end_after(process):
    select.select([process], [], [])
    with contextlib.suppress(OSError):
        # The process that waited would have done it, but was killed.
        os.rmdir(os.environ["HOME"])
    end_what_is_left(patience=0)
    os._exit(1)


def _descendants():
    """The running ones; reaps our children that have exited."""
    alive = []
    for pid in family(os.getpid())[1:]:
        if keeper.cache_info().currsize and pid == keeper()[0].pid:
            continue
        if is_alive(pid):
            alive.append(pid)
            continue
        try:
            os.waitpid(pid, os.WNOHANG)
        except ChildProcessError:
            pass
    return alive


def _command(pid):
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().rstrip(b"\0").split(b"\0")
    except OSError:
        return "?"
    return shlex.join(os.fsdecode(word) for word in words)


def _tell(pid, number, how=os.kill):
    try:
        how(pid, number)
    except ProcessLookupError:
        pass


def _unless_ignored(number, handler):
    if signal.getsignal(number) != signal.SIG_IGN:
        signal.signal(number, handler)


def _has_terminal():
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return False
    return True
