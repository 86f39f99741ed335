/* SPDX-License-Identifier: MIT */
/*
 * The modes of a terminal, changed for a moment; the only file that knows
 * termios. Tty layer. One terminal at a time.
 */
#ifndef TTY_TERMIOS_H
#define TTY_TERMIOS_H

#include <stdbool.h>

enum termios_mode {
	TERMIOS_SILENT, /* no echo: keys would land in the middle of a sequence */
	TERMIOS_RAW     /* no lines and no echo either; Control-C still interrupts */
};

/*
 * Whether this process may change the modes of `fd`: it is our controlling
 * terminal and we are its foreground.
 */
bool termios_foreground(int fd);

/* Whether lines are read there, not keys. False, too, where nobody can tell. */
bool termios_canonical(int fd);

/*
 * Locks the terminal against every other viatty, so that none takes temporary modes
 * for the usual ones. Waits for it `wait_ms` at most (0: not at all), or until a
 * signal is noted (tty/signals.h). False: somebody else holds it (errno EBUSY). A
 * device that cannot be locked counts as locked. termios_end() unlocks it.
 */
bool termios_lock(int fd, unsigned wait_ms);

/*
 * Changes them, unless they are so already; the lock is ours. False, with nothing
 * to restore but the lock, and errno: not in the foreground, no terminal, or one
 * that does not do it.
 *
 * A child process puts them back if we are killed meanwhile; termios_end() collects
 * it. waitpid(-1) in between would take its end away.
 */
bool termios_begin(int fd, enum termios_mode modes);

/*
 * Puts back what termios_begin() has changed, and nothing else, and unlocks;
 * harmless without either. Keeps errno.
 */
void termios_end(int fd);

/* Throws away what was written but not yet read by the terminal. */
void termios_drop_output(int fd);

/*
 * Whether something waits to be read. With TERMIOS_RAW only: in canonical mode a
 * line that is not complete does not count (n_tty_ioctl() of Linux).
 */
bool termios_input_waits(int fd);

/* Throws away what the terminal has sent and nobody has read. */
void termios_drop_input(int fd);

#endif
