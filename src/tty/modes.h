/* SPDX-License-Identifier: MIT */
/*
 * The modes of a terminal, changed for a moment; the only file that knows
 * termios. Tty layer. One terminal at a time.
 */
#ifndef TTY_MODES_H
#define TTY_MODES_H

#include <stdbool.h>

enum modes {
	MODES_SILENT, /* no echo: keys would land in the middle of a sequence */
	MODES_RAW     /* no lines and no echo either; Control-C still interrupts */
};

/*
 * Whether this process may change the modes of `fd`: it is our controlling
 * terminal and we are its foreground.
 */
bool modes_foreground(int fd);

/* Whether lines are read there, not keys. False, too, where nobody can tell. */
bool modes_canonical(int fd);

/*
 * Changes them, unless they are so already. False, with nothing to restore and
 * errno: not in the foreground, no terminal, or one that does not do it.
 */
bool modes_begin(int fd, enum modes modes);

/* As they were before modes_begin(); harmless without one. */
void modes_end(int fd);

/* Throws away what was written but not yet read by the terminal. */
void modes_drop_output(int fd);

/*
 * Whether something waits to be read. With MODES_RAW only: in canonical mode a
 * line that is not complete does not count (n_tty_ioctl() of Linux).
 */
bool modes_input_waits(int fd);

/* Throws away what the terminal has sent and nobody has read. */
void modes_drop_input(int fd);

#endif
