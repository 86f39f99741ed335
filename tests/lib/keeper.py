"""keeper.py REPORT_FD TTY_FD|- PROGRAM [ARGUMENT...]

Run as a separate program: becomes an orphan without a terminal, starts PROGRAM
in a new session (with the terminal TTY_FD, if any, as the controlling one), and
writes its pid and then its exit status, one a line, to REPORT_FD.

launch.py, which most tests start, is run by the Python that is here already.
"""

import fcntl
import os
import sys
import termios

LAUNCH = os.path.join(os.path.dirname(__file__), "launch.py")


def main(report, tty, argv):
    if os.fork():
        os._exit(0)
    # In a new session, so that a Ctrl-C for the tests does not end the keeper first.
    os.setsid()
    pid = os.fork()
    if pid == 0:
        start(report, tty, argv)
    os.write(report, b"%d\n" % pid)
    let_go_of_terminals()
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    try:
        os.write(report, b"%d\n" % status)
    except BrokenPipeError:
        pass


def start(report, tty, argv):
    os.close(report)
    os.setsid()
    if tty is not None:
        fcntl.ioctl(tty, termios.TIOCSCTTY, 0)
        os.close(tty)
    if argv[-2:-1] == [LAUNCH]:
        sys.path.insert(0, os.path.dirname(LAUNCH))
        sys.dont_write_bytecode = True
        import launch

        launch.main(argv[-1])
        os._exit(0)
    try:
        os.execvp(argv[0], argv)
    except OSError as error:
        os.write(2, f"{argv[0]}: {error.strerror}\n".encode())
        os._exit(127)


def let_go_of_terminals():
    """Closes all descriptors: one left open here would keep a terminal open."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(nothing, fd)


if __name__ == "__main__":
    terminal = None if sys.argv[2] == "-" else int(sys.argv[2])
    main(int(sys.argv[1]), terminal, sys.argv[3:])
