/* SPDX-License-Identifier: MIT */
/*
 * Writing to a terminal; the contract is in tty.h.
 *
 * The write blocks, for only a blocking write is kept whole by the kernel. The
 * deadline is an interval timer whose signal cuts it short: a tick that finds
 * bytes written goes on with the rest, one that finds none gives up.
 */
#include "tty/tty.h"

#include "tty/device.h"
#include "tty/termios.h"
#include "tty/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

/*
 * A sequence up to this size went through a pty without an echoed key in its
 * middle; it is what n_tty holds of a line.
 */
enum { ECHO_SAFE = 4096 };

/* For the one who asks a question meanwhile, and has switched the echo off. */
enum { LOCK_MS = 1000 };

int
tty_open(const char *path, bool reading)
{
	struct tty_device device;

	if (!device_named(&device, path, NULL))
		return -1;
	return device_open(&device, reading, NULL);
}

size_t
tty_columns(int fd)
{
	struct winsize window;

	return ioctl(fd, TIOCGWINSZ, &window) == 0 ? window.ws_col : 0;
}

/*
 * For a descriptor that another program made non-blocking. Another writer may
 * hold the terminal although poll finds it writable: hence the short pause.
 * False once the timer ticks or a signal comes.
 */
static bool
wait_writable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };

	return poll(&p, 1, -1) >= 0 && poll(NULL, 0, 1) >= 0;
}

/* The bytes taken, 0 for none before a tick or a signal, -1 for a failure. */
static ssize_t
write_some(int fd, const char *bytes, size_t n)
{
	ssize_t got;

	do {
		got = write(fd, bytes, n);
	} while (got < 0 && errno == EAGAIN && wait_writable(fd));
	return got < 0 && errno == EINTR ? 0 : got;
}

static enum tty_end
write_all(int fd, const char *bytes, size_t n, size_t *written)
{
	ssize_t got;

	*written = 0;
	while (*written < n) {
		got = write_some(fd, bytes + *written, n - *written);
		if (got < 0)
			return TTY_FAILED;
		if (got == 0)
			return signals_signal() != 0 ? TTY_SIGNALLED : TTY_STALLED;
		*written += (size_t)got;
		if (signals_signal() != 0 && *written < n)
			return TTY_SIGNALLED;
	}
	return TTY_WRITTEN;
}

/* Whether all of it went at once, without waiting. */
static bool
write_now(int fd, const void *bytes, size_t n)
{
	int flags = fcntl(fd, F_GETFL);
	ssize_t got;

	fcntl(fd, F_SETFL, flags | O_NONBLOCK);
	got = write(fd, bytes, n);
	fcntl(fd, F_SETFL, flags);
	return got == (ssize_t)n;
}

/*
 * An open string would swallow whatever is printed next, so it must end even
 * if the terminal has stopped reading. What lies unread then is our own half
 * sequence, or what came before it; dropping it makes room.
 */
bool
tty_close_sequence(int fd, const void *abort, size_t n)
{
	if (write_now(fd, abort, n))
		return true;
	termios_drop_output(fd);
	return write_now(fd, abort, n);
}

struct tty_result
tty_write(int fd, const void *bytes, size_t n, const void *abort,
    size_t abort_size, unsigned stall_ms)
{
	struct tty_result result = { .closed = true };
	int failure;

	signals_begin(stall_ms);
	if (n > ECHO_SAFE && termios_foreground(fd) && termios_lock(fd, LOCK_MS))
		termios_begin(fd, TERMIOS_SILENT);
	result.end = write_all(fd, bytes, n, &result.written);
	failure = errno;
	if (result.written > 0 && result.written < n)
		result.closed = tty_close_sequence(fd, abort, abort_size);
	termios_end(fd);
	signals_end();
	/* only now: one that came after a look before that would be lost */
	result.signal = signals_signal();
	errno = failure;
	return result;
}

void
tty_die_of(int signal_number)
{
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}
