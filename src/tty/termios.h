/* SPDX-License-Identifier: MIT */
/*
 * Temporary changes to the modes of one terminal at a time; the only file that includes
 * <termios.h>. Tty layer.
 */
#ifndef TTY_TERMIOS_H
#define TTY_TERMIOS_H

#include <stdbool.h>

enum termios_mode {
	TERMIOS_SILENT, /* no echo, which would land in the middle of a sequence */
	TERMIOS_RAW     /* neither canonical mode nor echo; Control-C still interrupts */
};

/*
 * Whether this process may change the modes of `fd`: it is our controlling
 * terminal and we are its foreground.
 */
bool termios_foreground(int fd);

/* Whether the terminal is in canonical mode. False also on failure. */
bool termios_canonical(int fd);

/*
 * Locks the terminal against other viatty processes, which would otherwise restore
 * temporary modes. Waits at most `wait_ms` (0: not at all), or until a signal is noted
 * (tty/signals.h). False: another process holds the lock (errno EBUSY). A device that
 * cannot be locked counts as locked. termios_end() unlocks it.
 */
bool termios_lock(int fd, unsigned wait_ms);

/*
 * Tells others that who holds the lock is in the middle of a sequence, or no longer;
 * without the lock it does nothing. The mark ends with the process, and with the next
 * descriptor of the device by its own name that it closes (POSIX, fcntl).
 */
void termios_mark_writing(bool writes);

/* Whether another process has said so. The caller has not. */
bool termios_is_written(int fd);

/*
 * Switches the modes; the caller holds the lock. False, with errno and with only the
 * lock to release: in the background (EIO), not a terminal, or tcsetattr() failed.
 *
 * A child process restores the modes if we are killed meanwhile. termios_end() waits for
 * it, so the caller must not call waitpid(-1) in between.
 */
bool termios_begin(int fd, enum termios_mode modes);

/*
 * Restores only what termios_begin() has changed, and keeps the lock for what else is to
 * be done under it. Keeps errno.
 */
void termios_restore(int fd);

/* The same, and unlocks; does nothing without either. Keeps errno. */
void termios_end(int fd);

/* Discards output that the terminal has not read: tcflush(TCOFLUSH). */
void termios_drop_output(int fd);

/*
 * Whether input is pending. With TERMIOS_RAW only: in canonical mode Linux does not
 * count an incomplete line (n_tty_ioctl()).
 */
bool termios_input_waits(int fd);

/* Discards input that has not been read: tcflush(TCIFLUSH). */
void termios_drop_input(int fd);

#endif
