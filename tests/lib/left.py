"""Input left in a terminal, which the shell would read."""

import array
import fcntl
import termios


def left_for_the_shell(terminal):
    """The number of bytes that wait to be read, with and without a newline."""
    modes = terminal.modes()
    keys = terminal.modes()
    keys[3] &= ~termios.ICANON
    termios.tcsetattr(terminal.slave, termios.TCSANOW, keys)
    waiting = array.array("i", [0])
    fcntl.ioctl(terminal.slave, termios.FIONREAD, waiting)
    termios.tcsetattr(terminal.slave, termios.TCSANOW, modes)
    return waiting[0]
