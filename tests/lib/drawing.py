"""A program that runs a command on a pty of its own and draws only its text, as agents do.

drawing.py raw|cooked RECORD COMMAND...: what the command wrote is the record."""

import os
import pty
import re
import sys
import termios
import tty

OSC = re.compile(rb"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")


def main(mode, record, *argv):
    own = os.open("/dev/tty", os.O_RDWR)
    before = termios.tcgetattr(own)
    if mode == "raw":
        tty.setraw(own)
    pid, fd = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execvp(argv[0], argv)
    written = b"".join(pieces(fd))
    with open(record, "wb") as file:
        file.write(written)
    os.write(own, OSC.sub(b"", written))
    if mode == "raw":
        termios.tcsetattr(own, termios.TCSANOW, before)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def pieces(fd):
    try:
        while piece := os.read(fd, 65536):
            yield piece
    except OSError:
        return


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
