/* SPDX-License-Identifier: MIT */
/* The modes of a terminal. */
#include "tty/tty.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* How often to retry a lock that another process has. */
enum { LOCK_TICK_MS = 20 };

static struct {
	int fd;                /* the terminal */
	tcflag_t off;          /* the local modes that were turned off; 0: nothing to undo */
	struct termios before;
	int lock; /* a descriptor of the device, or -1 */
} state = { .lock = -1 };

bool
termios_foreground(int fd)
{
	pid_t group = tcgetpgrp(fd);

	return group != -1 && group == getpgrp();
}

bool
termios_canonical(int fd)
{
	struct termios now;

	return tcgetattr(fd, &now) == 0 && (now.c_lflag & ICANON) != 0;
}

/* ---- the lock ----------------------------------------------------------- */

/*
 * A lock of fcntl(), which ends with its process even if descriptors were inherited. The
 * second byte marks a process inside a sequence.
 */
enum lock_part { PART_MODES, PART_SEQUENCE };

static struct flock
lock_of(short type, enum lock_part part)
{
	return (struct flock){ .l_type = type, .l_whence = SEEK_SET,
		.l_start = (off_t)part, .l_len = 1 };
}

/*
 * Opens the device by its real name, because a lock on /dev/tty would apply to all terminals.
 * -1: not found, or not permitted.
 */
static int
open_to_lock(int fd)
{
	struct tty_device device = { .owned = false };

	if (!device_name(device.name, fd) || strcmp(device.name, "/dev/tty") == 0)
		return -1;
	return device_open(&device, false, NULL);
}

bool
termios_lock(int fd)
{
	static int left_ms = TERMIOS_LOCK_MS;
	struct flock lock = lock_of(F_WRLCK, PART_MODES);
	int device = open_to_lock(fd);

	while (device >= 0 && fcntl(device, F_SETLK, &lock) != 0) {
		if (errno != EAGAIN && errno != EACCES) {
			/* a device that cannot be locked at all counts as locked */
			close(device);
			return true;
		}
		if (left_ms <= 0 || signals_caught != 0) {
			close(device);
			errno = EBUSY;
			return false;
		}
		wait_on(NULL, 0, LOCK_TICK_MS);
		left_ms -= LOCK_TICK_MS;
	}
	state.lock = device;
	return true;
}

void
termios_mark_writing(bool writes)
{
	struct flock mark = lock_of(writes ? F_WRLCK : F_UNLCK, PART_SEQUENCE);

	if (state.lock >= 0)
		(void)fcntl(state.lock, F_SETLK, &mark);
}

bool
termios_is_written(int fd)
{
	const tcflag_t usual = ICANON | ECHO;
	struct flock mark = lock_of(F_WRLCK, PART_SEQUENCE);
	struct termios now;
	bool written;
	int device;

	/* a process inside a sequence has turned one of them off */
	if (tcgetattr(fd, &now) != 0 || (now.c_lflag & usual) == usual)
		return false;
	device = open_to_lock(fd);
	if (device < 0)
		return false;
	written = fcntl(device, F_GETLK, &mark) == 0 && mark.l_type != F_UNLCK;
	close(device);
	return written;
}

/* ---- changing them ------------------------------------------------------ */

/* tcsetattr() that a signal or a tick cannot interrupt. */
static bool
set_modes(int fd, const struct termios *modes)
{
	int failed;

	do {
		failed = tcsetattr(fd, TCSANOW, modes);
	} while (failed != 0 && errno == EINTR);
	return failed == 0;
}

bool
termios_begin(int fd, enum termios_mode modes)
{
	static bool registered;
	struct termios now;

	if (!termios_foreground(fd)) {
		errno = EIO; /* as for reading: POSIX, XBD 11.1.4 */
		return false;
	}
	if (tcgetattr(fd, &now) != 0)
		return false;
	state.fd = fd;
	state.before = now;
	state.off = now.c_lflag & (ECHO | ECHONL | (modes == TERMIOS_RAW ? ICANON : 0));
	if (state.off == 0)
		return true;
	if (!registered)
		registered = atexit(termios_restore) == 0;
	now.c_lflag &= ~state.off;
	/* reads return after one byte */
	if ((state.off & ICANON) != 0) {
		now.c_cc[VMIN] = 1;
		now.c_cc[VTIME] = 0;
	}
	if (set_modes(fd, &now))
		return true;
	state.off = 0;
	return false;
}

/*
 * Keeps changes by other programs: VMIN and VTIME, for example, are restored only if they
 * still have our values.
 */
void
termios_restore(void)
{
	int failure = errno;
	struct termios now;

	if (state.off == 0)
		return;
	if (tcgetattr(state.fd, &now) != 0)
		now = state.before;
	now.c_lflag |= state.off;
	if ((state.off & ICANON) != 0 && now.c_cc[VMIN] == 1 && now.c_cc[VTIME] == 0) {
		now.c_cc[VMIN] = state.before.c_cc[VMIN];
		now.c_cc[VTIME] = state.before.c_cc[VTIME];
	}
	set_modes(state.fd, &now);
	state.off = 0;
	errno = failure;
}

void
termios_end(void)
{
	int failure = errno;

	termios_restore();
	/* closed last, because closing any descriptor of the device ends the lock */
	if (state.lock >= 0)
		close(state.lock);
	state.lock = -1;
	errno = failure;
}

bool
termios_input_waits(int fd)
{
	int waiting;

	return ioctl(fd, FIONREAD, &waiting) == 0 && waiting > 0;
}

void
termios_drop_output(int fd)
{
	tcflush(fd, TCOFLUSH);
}
