"""keeper.py SOCKET_FD

Run as a separate program, which starts what the tests ask for over the socket: an orphan
without a terminal that starts a program in a new session (with a terminal, if one is
given, as the controlling one), and reports its pid and then its exit status, one a line.

It forks for each of them: to start Python each time would take longer than most tests.
It imports what is small: the kernel counts its memory as that of what it starts.
"""

import _socket
import array
import fcntl
import marshal
import os
import sys
import termios


def main(requests):
    while True:
        head, ancillary, _, _ = requests.recvmsg(8, _socket.CMSG_LEN(20))
        if not head:
            return
        fds = array.array("i", ancillary[0][2])
        data = b""
        while len(data) < int.from_bytes(head, "little"):
            # Who asks may be killed in the middle.
            data += requests.recv(1 << 20) or sys.exit()
        child = os.fork()
        if child == 0:
            requests.close()
            # In a new session, so that a Ctrl-C for the tests does not end the keeper first.
            if os.fork() == 0:
                os.setsid()
                keep(fds, *marshal.loads(data))
            os._exit(0)
        for fd in fds:
            os.close(fd)
        os.waitpid(child, 0)


def keep(fds, argv, environment, directory):
    report, *stdio = fds[:4]
    pid = os.fork()
    if pid == 0:
        os.close(report)
        for number, fd in enumerate(stdio):
            os.dup2(fd, number)
        os.setsid()
        for tty in fds[4:]:
            fcntl.ioctl(tty, termios.TIOCSCTTY, 0)
        for fd in fds[1:]:
            os.close(fd)
        os.chdir(directory)
        os.environ.clear()
        os.environ.update(environment)
        try:
            os.execvp(argv[0], argv)
        except OSError as error:
            os.write(2, f"{argv[0]}: {error.strerror}\n".encode())
            os._exit(127)
    os.write(report, b"%d\n" % pid)
    # One left open here would keep a terminal open.
    for fd in fds[1:]:
        os.close(fd)
    nothing = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(nothing, fd)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    try:
        os.write(report, b"%d\n" % status)
    except BrokenPipeError:
        pass


if __name__ == "__main__":
    main(_socket.socket(fileno=int(sys.argv[1])))
