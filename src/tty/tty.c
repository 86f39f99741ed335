/* SPDX-License-Identifier: MIT */
/* A terminal that is open: its modes, its lock, and writing to it. */
#include "tty/tty.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/param.h>
#include <termios.h>
#include <unistd.h>

/* How often to check whether another viatty has unlocked the terminal. */
enum { LOCK_STEP_MS = 20 };

static struct {
	int fd;                /* the terminal */
	tcflag_t off;          /* the local modes that were turned off, or 0 */
	tcflag_t off_input;    /* with TTY_KEYS, the input modes that were turned off */
	struct termios before;
	int lock; /* a descriptor of the device, or -1 */
} state = { .lock = -1 };

bool
tty_foreground(int fd)
{
	return tcgetpgrp(fd) == getpgrp();
}

/* The local modes, or `unknown`. */
static tcflag_t
local_modes(int fd, tcflag_t unknown)
{
	struct termios now;

	return tcgetattr(fd, &now) == 0 ? now.c_lflag : unknown;
}

bool
tty_canonical(int fd)
{
	return (local_modes(fd, 0) & ICANON) != 0;
}

bool
tty_is_raw(int fd)
{
	return (local_modes(fd, 0) & (ICANON | ISIG)) == 0;
}

/* ---- the lock ----------------------------------------------------------- */

/*
 * Opens the device by its real name, because a lock on /dev/tty would apply to all terminals.
 * Returns -1 on failure.
 */
static int
open_to_lock(int fd)
{
	struct tty_device device = { .owned = false };

	if (!device_name(device.name, fd) || strcmp(device.name, "/dev/tty") == 0)
		return -1;
	return device_open(&device, O_WRONLY);
}

/* A lock of fcntl(), which ends with its process even if descriptors were inherited. */
bool
tty_lock(int fd)
{
	static int left_ms = TTY_LOCK_MS;
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1 };
	int device = open_to_lock(fd);

	/* with another error it cannot be locked at all */
	while (device >= 0 && fcntl(device, F_SETLK, &lock) != 0 &&
	    (errno == EAGAIN || errno == EACCES)) {
		if (left_ms <= 0 || signal_caught != 0) {
			close(device);
			return false;
		}
		wait_on(NULL, 0, LOCK_STEP_MS);
		left_ms -= LOCK_STEP_MS;
	}
	state.lock = device;
	return true;
}

/* ---- changing them ------------------------------------------------------ */

/* tcsetattr() that a signal or a tick cannot interrupt. */
static bool
set_modes(int fd, const struct termios *modes)
{
	while (tcsetattr(fd, TCSANOW, modes) != 0)
		if (errno != EINTR)
			return false;
	return true;
}

int
tty_change_modes(int fd, enum tty_mode modes)
{
	static bool registered;
	struct termios now;

	if (!tty_foreground(fd))
		return EIO; /* as for reading: POSIX, XBD 11.1.4 */
	if (tcgetattr(fd, &now) != 0)
		return errno;
	state.fd = fd;
	state.before = now;
	state.off = now.c_lflag & (ECHO | ECHONL | (modes != TTY_SILENT ? ICANON : 0) |
	    (modes == TTY_KEYS ? ISIG | IEXTEN : 0));
	state.off_input = modes == TTY_KEYS ? now.c_iflag & (tcflag_t)(BRKINT | INPCK | ISTRIP |
	    INLCR | IGNCR | ICRNL | IXON) : 0;
	if (state.off == 0 && state.off_input == 0)
		return 0;
	if (!registered)
		registered = atexit(tty_restore_modes) == 0;
	now.c_lflag &= ~state.off;
	now.c_iflag &= ~state.off_input;
	/* reads return after one byte */
	if ((state.off & ICANON) != 0) {
		now.c_cc[VMIN] = 1;
		now.c_cc[VTIME] = 0;
	}
	if (set_modes(fd, &now))
		return 0;
	state.off = state.off_input = 0;
	return errno;
}

/*
 * Keeps changes by other programs: VMIN and VTIME, for example, are restored only if they
 * still have our values.
 */
void
tty_restore_modes(void)
{
	struct termios now;

	if (state.off == 0 && state.off_input == 0)
		return;
	if (tcgetattr(state.fd, &now) != 0)
		now = state.before;
	now.c_lflag |= state.off;
	now.c_iflag |= state.off_input;
	if ((state.off & ICANON) != 0 && now.c_cc[VMIN] == 1 && now.c_cc[VTIME] == 0) {
		now.c_cc[VMIN] = state.before.c_cc[VMIN];
		now.c_cc[VTIME] = state.before.c_cc[VTIME];
	}
	set_modes(state.fd, &now);
	state.off = state.off_input = 0;
}

bool
tty_key_acts(unsigned char key)
{
	static const struct {
		int character, signal;
	} keys[] = { { VINTR, SIGINT }, { VQUIT, SIGQUIT }, { VSUSP, SIGTSTP } };
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (key != _POSIX_VDISABLE && key == state.before.c_cc[keys[i].character])
			return kill(0, keys[i].signal) == 0;
	return false;
}

bool
tty_key_ends(unsigned char key)
{
	return key != _POSIX_VDISABLE && key == state.before.c_cc[VEOF];
}

void
tty_unlock(void)
{
	tty_restore_modes();
	/* closed last, because closing any descriptor of the device ends the lock */
	if (state.lock >= 0)
		close(state.lock);
	state.lock = -1;
}

/* ---- for a relay ---------------------------------------------------------- */

static struct {
	int fd;
	pid_t by; /* the process that restores them at its exit, or 0 */
	struct termios before, raw;
} relayed;

/* Whether the terminal has the modes of tty_raw_begin(). */
static bool
is_raw(const struct termios *now)
{
	return now->c_lflag == relayed.raw.c_lflag && now->c_iflag == relayed.raw.c_iflag &&
	    now->c_oflag == relayed.raw.c_oflag;
}

bool
tty_raw_begin(int fd)
{
	static bool registered;
	struct termios now;

	if (!tty_foreground(fd) || tcgetattr(fd, &now) != 0)
		return false;
	/* these modes are ours already, not those of a shell that continued us */
	if (relayed.by == getpid() && is_raw(&now))
		return true;
	if (!registered)
		registered = atexit(tty_raw_end) == 0;
	relayed.fd = fd;
	relayed.by = getpid();
	relayed.before = relayed.raw = now;
	cfmakeraw(&relayed.raw);
	return set_modes(fd, &relayed.raw);
}

void
tty_raw_end(void)
{
	/* in the background the modes are those of the shell, and SIGTTOU would stop us */
	if (relayed.by == getpid() && tty_foreground(relayed.fd))
		set_modes(relayed.fd, &relayed.before);
	relayed.by = 0;
}

void
tty_raw_clean_up(void)
{
	struct termios now;

	if (tcgetattr(relayed.fd, &now) == 0 && is_raw(&now))
		set_modes(relayed.fd, &relayed.before);
}

unsigned
tty_copy_size(int to, int from)
{
	struct winsize size = { 0 };

	if (ioctl(from, TIOCGWINSZ, &size) == 0)
		ioctl(to, TIOCSWINSZ, &size);
	return size.ws_row;
}

bool
tty_copy_modes(int to, int from)
{
	struct termios modes;

	tty_copy_size(to, from);
	return tcgetattr(from, &modes) == 0 && set_modes(to, &modes);
}

/* ---- writing ------------------------------------------------------------ */

/*
 * Sequences up to this size, the line buffer of n_tty, were observed to pass a pty without an
 * echoed key in the middle.
 */
enum { ECHO_SAFE = 4096 };

/* The longest wait for a single write. */
enum { LONGEST_MS = 60000 };

/*
 * Blocks at most `limit_ms` in all or, in pieces, since the terminal last accepted a byte. A tick
 * ends each piece, and the next one begins with the first byte that is left.
 */
static enum tty_end
write_all(int fd, const struct tty_output *o, size_t *written, unsigned limit_ms, bool pieces)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	long long since = clock_ms();
	ssize_t got;

	while (*written < o->size) {
		got = write(fd, (const char *)o->bytes + *written, o->size - *written);
		/*
		 * Another program made the descriptor non-blocking. Pauses briefly, because
		 * poll() reports a terminal as writable while another writer has locked it.
		 */
		if (got < 0 && errno == EAGAIN && wait_on(&p, 1, -1) >= 0 &&
		    wait_on(NULL, 0, 1) >= 0)
			continue;
		if (got < 0 && errno != EINTR)
			return TTY_FAILED;
		if (got > 0) {
			*written += (size_t)got;
			if (pieces)
				since = clock_ms();
		}
		if (*written == o->size)
			break;
		if (signal_caught != 0)
			return TTY_SIGNALLED;
		if (clock_ms() - since >= limit_ms)
			return TTY_TIMED_OUT;
	}
	return TTY_DONE;
}

/*
 * Closes an open string, which would swallow all later output, even if the terminal has stopped
 * reading. The output that waits is then part of our sequence, or older. Discarding it makes room.
 */
static bool
close_sequence(int fd, const struct tty_output *o)
{
	int flags = fcntl(fd, F_GETFL);
	struct buf abort = BUF_EMPTY;
	bool closed;

	wrap_abort(&abort, o->abort, o->chain);
	fcntl(fd, F_SETFL, flags | O_NONBLOCK);
	closed = write(fd, abort.data, abort.len) == (ssize_t)abort.len;
	if (!closed) {
		tcflush(fd, TCOFLUSH);
		closed = write(fd, abort.data, abort.len) == (ssize_t)abort.len;
	}
	fcntl(fd, F_SETFL, flags);
	buf_free(&abort);
	return closed;
}

/*
 * Waits for the last part of what the program writes, or until it writes nothing for TTY_CALM_MS.
 * The program writes all it has at once. If the pty lacks room, that fills it, and the rest follows
 * when all is read. So a small write that leaves room is the last part. Does not sleep, because
 * the next write may follow at once.
 */
static void
wait_until_written(int fd, pid_t program, long long deadline)
{
	enum { SMALL = 2048 };
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	unsigned long long last = compat_written(program), now;
	long long grown = clock_ms(), at;

	do {
		/* before the look, which may be late */
		at = clock_ms();
		now = compat_written(program);
		if (now > last && now - last <= SMALL && wait_on(&p, 1, 0) > 0)
			return;
		grown = now != last ? at : grown;
		last = now;
	} while (at < deadline && at < grown + TTY_CALM_MS && signal_caught == 0);
}

/*
 * Whether the terminal becomes calm; see tty_write(). Looks once in a millisecond.
 *
 * The pause of a slow reader may look calm. poll() reports a pty as writable as soon as it has any
 * room. But a program that waits for room is woken only when all of it is free again
 * (n_tty_check_unthrottle() in n_tty.c).
 */
static void
wait_for_calm(int fd, unsigned limit_ms, pid_t draws)
{
	const unsigned long long before = draws > 0 ? compat_written(draws) : 0;
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	long long deadline = clock_ms() + limit_ms, left = limit_ms;
	int calm = 0;

	while (calm < TTY_CALM_MS && left > 0 && signal_caught == 0) {
		if (wait_on(&p, 1, 0) == 0) {
			calm = 0;
			wait_on(&p, 1, (int)left);
		} else {
			calm++;
			wait_on(NULL, 0, 1);
		}
		left = deadline - clock_ms();
	}
	if (before != 0 && left > 0 && compat_written(draws) != before)
		wait_until_written(fd, draws, deadline);
}

struct tty_result
tty_write(int fd, const struct tty_output *o)
{
	struct tty_result result = { .size = o->size, .closed = true };
	/* in pieces only if no other writer is expected */
	const bool pieces = o->locked || (o->size > TTY_WHOLE && o->alone &&
	    tty_foreground(fd) && tty_canonical(fd));
	bool locked = false;
	size_t limit_ms = o->stall_ms + o->size / TTY_BYTES_PER_MS;

	if (limit_ms > LONGEST_MS)
		limit_ms = MAX(o->stall_ms, (unsigned)LONGEST_MS);

	signals_begin();
	if (o->calm_ms != 0)
		wait_for_calm(fd, o->calm_ms, o->draws);
	/* without echo a program or another viatty may use it */
	if (!o->locked && (o->size > ECHO_SAFE || (local_modes(fd, ECHO) & ECHO) == 0))
		locked = tty_lock(fd);
	if (locked && o->size > ECHO_SAFE && tty_foreground(fd))
		tty_change_modes(fd, TTY_SILENT);
	if (pieces)
		limit_ms = o->stall_ms;
	signals_tick((unsigned)(pieces ? limit_ms / 10 + 1 : limit_ms));
	result.end = write_all(fd, o, &result.written, (unsigned)limit_ms, pieces);
	result.failure = result.end == TTY_FAILED ? errno : 0;
	if (result.written > 0 && result.end != TTY_DONE)
		result.closed = close_sequence(fd, o);
	if (locked)
		tty_unlock();
	signals_end();
	return result;
}
