/* SPDX-License-Identifier: MIT */
/*
 * The modes of a terminal; the contract is in termios.h.
 *
 * A process that is killed cannot restore the modes, so a child (the guardian) does:
 * it reads from a pipe that only we hold open and that ends with us. Normally we kill
 * the guardian. The lock belongs to the open file description that both share.
 */
#include "tty/termios.h"

#include "base/clock.h"
#include "base/compat.h"
#include "tty/device.h"
#include "tty/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

/* How often the time limit of the lock is checked. */
enum { LOCK_TICK_MS = 100 };

static struct {
	bool changed;
	tcflag_t off;          /* the local modes that were switched off */
	bool keys;             /* VMIN and VTIME were changed as well */
	struct termios before;
	int lock;              /* a descriptor of the device, or -1 */
	pid_t guardian;        /* or 0 */
	int alive;             /* our end of its pipe */
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

/*
 * Keeps what other programs have changed meanwhile: VMIN and VTIME, for example, are
 * restored only if they still have our values.
 */
static void
restore_modes(int fd)
{
	struct termios now;

	if (tcgetattr(fd, &now) != 0)
		now = state.before;
	now.c_lflag |= state.off;
	if (state.keys && now.c_cc[VMIN] == 1 && now.c_cc[VTIME] == 0) {
		now.c_cc[VMIN] = state.before.c_cc[VMIN];
		now.c_cc[VTIME] = state.before.c_cc[VTIME];
	}
	set_modes(fd, &now);
}

/* ---- the lock ----------------------------------------------------------- */

/*
 * Opens the device by its own name, because a lock on /dev/tty would hold for all
 * terminals. -1: not found, or not allowed.
 */
static int
open_to_lock(int fd)
{
	struct tty_device device = { .owned = false };

	if (!device_name(device.name, fd) || strcmp(device.name, "/dev/tty") == 0)
		return -1;
	return device_open(&device, false, NULL);
}

static bool
wait_for_lock(int lock, unsigned limit_ms)
{
	long long deadline = clock_ms() + limit_ms;
	bool locked;

	signals_begin(LOCK_TICK_MS); /* flock() has no time limit of its own */
	do {
		locked = flock(lock, LOCK_EX) == 0;
	} while (!locked && errno == EINTR && signals_signal() == 0 &&
	    clock_ms() < deadline);
	signals_end();
	return locked;
}

bool
termios_lock(int fd, unsigned wait_ms)
{
	int lock = open_to_lock(fd);

	if (lock < 0)
		return true;
	if (flock(lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK ||
	    (wait_ms > 0 && wait_for_lock(lock, wait_ms))) {
		state.lock = lock;
		return true;
	}
	close(lock);
	errno = EBUSY;
	return false;
}

/* Which of those that hold the lock writes: flock() does not tell, fcntl() does. */
void
termios_mark_writing(bool writes)
{
	struct flock mark = { .l_type = writes ? F_WRLCK : F_UNLCK, .l_whence = SEEK_SET };

	if (state.lock >= 0)
		(void)fcntl(state.lock, F_SETLK, &mark);
}

bool
termios_is_written(int fd)
{
	const tcflag_t usual = ICANON | ECHO;
	struct flock mark = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	struct termios now;
	bool written;
	int device;

	/* it has switched one of them off, or found it so */
	if (tcgetattr(fd, &now) != 0 || (now.c_lflag & usual) == usual)
		return false;
	device = open_to_lock(fd);
	if (device < 0)
		return false;
	written = fcntl(device, F_GETLK, &mark) == 0 && mark.l_type != F_UNLCK;
	close(device);
	return written;
}

static void
unlock_device(void)
{
	if (state.lock >= 0) {
		/* the guardian may hold the file a moment longer */
		flock(state.lock, LOCK_UN);
		close(state.lock);
	}
	state.lock = -1;
}

/* ---- the guardian ------------------------------------------------------- */

/* The guardian, with all signals blocked: SIGTTOU would stop it. */
static void
watch_over(int fd, int alive)
{
	ssize_t n;
	char byte;

	/* a signal to our group, even SIGKILL, must not reach it */
	setpgid(0, 0);
	do {
		n = read(alive, &byte, 1);
	} while (n < 0 && errno == EINTR);
	if (n == 0)
		restore_modes(fd);
	_exit(0);
}

/* If no process or descriptor is left, we go on without a guardian. */
static void
start_guardian(int fd)
{
	sigset_t all, before;
	int pipe_end[2];

	if (compat_pipe(pipe_end) != 0)
		return;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	state.guardian = fork();
	if (state.guardian == 0) {
		close(pipe_end[1]);
		watch_over(fd, pipe_end[0]);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(pipe_end[0]);
	state.alive = pipe_end[1];
	if (state.guardian > 0)
		return;
	close(state.alive);
	state.guardian = 0;
}

static void
dismiss_guardian(void)
{
	if (state.guardian == 0)
		return;
	/* it blocks all others, and writing to the pipe could raise SIGPIPE */
	kill(state.guardian, SIGKILL);
	close(state.alive);
	while (waitpid(state.guardian, NULL, 0) < 0 && errno == EINTR)
		continue;
	state.guardian = 0;
}

/* ---- changing them ------------------------------------------------------ */

/* Clears these modes; without ICANON a read returns after one byte. */
static bool
switch_off(int fd, tcflag_t off, struct termios *now)
{
	state.off = off;
	state.keys = (off & ICANON) != 0;
	state.before = *now;
	now->c_lflag &= ~off;
	if (state.keys) {
		now->c_cc[VMIN] = 1;
		now->c_cc[VTIME] = 0;
	}
	start_guardian(fd);
	state.changed = set_modes(fd, now);
	if (!state.changed)
		dismiss_guardian();
	return state.changed;
}

bool
termios_begin(int fd, enum termios_mode modes)
{
	tcflag_t off = ECHO | ECHONL | (modes == TERMIOS_RAW ? ICANON : 0);
	struct termios now;

	if (!termios_foreground(fd)) {
		errno = EIO; /* as for reading there: POSIX, XBD 11.1.4 */
		return false;
	}
	if (tcgetattr(fd, &now) != 0)
		return false;
	off &= now.c_lflag;
	return off == 0 || switch_off(fd, off, &now);
}

void
termios_restore(int fd)
{
	int failure = errno;

	if (state.changed) {
		restore_modes(fd);
		dismiss_guardian();
	}
	state.changed = false;
	errno = failure;
}

void
termios_end(int fd)
{
	int failure = errno;

	termios_restore(fd);
	unlock_device();
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

void
termios_drop_input(int fd)
{
	tcflush(fd, TCIFLUSH);
}
