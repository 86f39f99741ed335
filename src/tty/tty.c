/* SPDX-License-Identifier: MIT */
/*
 * Writing to a terminal; the contract is in tty.h.
 *
 * A write that is to stay whole blocks, for only such a write is kept whole by the
 * kernel. It tells what the terminal took only when a signal cuts it short, and between
 * two writes another program can get in. Where one is expected to, a child looks for a
 * stall; elsewhere a timer cuts the write short several times within the limit: the more
 * often, the better is known when the terminal stopped.
 */
#include "tty/tty.h"

#include "base/clock.h"
#include "base/wait.h"
#include "tty/device.h"
#include "tty/signals.h"
#include "tty/stall_watch.h"
#include "tty/termios.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/*
 * A sequence up to this size went through a pty without an echoed key in its
 * middle; it is what n_tty holds of a line.
 */
enum { ECHO_SAFE = 4096 };

/* The first look at what was taken comes after this part of the limit. */
enum { FIRST_LOOK = 10 };

enum {
	/* for the one who asks a question meanwhile, and has switched the echo off */
	LOCK_MS = 1000,
	/* for the one who writes in pieces, which takes long over a slow line */
	TURN_MS = 60000
};

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

	return wait_on(&p, 1, -1) >= 0 && wait_on(NULL, 0, 1) >= 0;
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

/* Takes what there is room for, without waiting, on a descriptor that may block. */
static ssize_t
write_at_once(int fd, const void *bytes, size_t n)
{
	int flags = fcntl(fd, F_GETFL);
	ssize_t got;

	fcntl(fd, F_SETFL, flags | O_NONBLOCK);
	got = write(fd, bytes, n);
	fcntl(fd, F_SETFL, flags);
	return got;
}

/* How long a terminal that takes nothing is waited for, in milliseconds. */
struct patience {
	unsigned limit;
	unsigned tick;  /* until the next look */
	unsigned quiet; /* without a byte, at the last look */
};

static struct patience
patience_of(unsigned limit)
{
	unsigned tick = limit / FIRST_LOOK;

	return (struct patience){ limit, tick > 0 ? tick : 1, 0 };
}

/*
 * After a look: false when the limit is reached. A terminal that takes bytes is looked at
 * less and less often, for each look divides what is to stay whole.
 */
static bool
keep_waiting(struct patience *p, bool taken)
{
	if (!taken)
		p->quiet += p->tick;
	else {
		p->quiet = 0;
		p->tick = p->tick < p->limit / 4 ? 2 * p->tick : p->limit / 2 + 1;
	}
	if (p->quiet >= p->limit)
		return false;
	if (p->tick > p->limit - p->quiet)
		p->tick = p->limit - p->quiet;
	signals_tick(p->tick);
	return true;
}

/* What is encoded and not yet written: data[from .. len - 1]. */
struct ahead {
	struct source *source;
	struct patience patience;
	struct buf bytes;
	size_t from, written;
	bool more; /* the source has more */
	bool watched; /* there are no ticks */
};

static size_t
encoded(const struct ahead *a)
{
	return a->bytes.len - a->from;
}

static void
took(struct ahead *a, size_t n)
{
	a->from += n;
	a->written += n;
}

/*
 * A pty has room again that its writer is not woken for, when the kernel has moved on what
 * was written: a terminal that reads nothing would seem to take it. The bytes taken.
 */
static size_t
fill_room(int fd, struct ahead *a, size_t n)
{
	ssize_t got = write_at_once(fd, a->bytes.data + a->from, n);

	if (got <= 0)
		return 0;
	took(a, (size_t)got);
	return (size_t)got;
}

/* Whether to go on after a write that was cut short. */
static bool
may_go_on(int fd, struct ahead *a, struct patience *patience, size_t *n, bool taken)
{
	if (a->watched)
		return !stall_watch_found();
	if (taken)
		*n -= fill_room(fd, a, *n);
	return *n == 0 || keep_waiting(patience, taken);
}

/* Writes `n` of them, and waits for that; the timer runs, or a child watches. */
static enum tty_end
write_all(int fd, struct ahead *a, size_t n)
{
	struct patience patience = a->patience;
	ssize_t got;

	while (n > 0) {
		got = write_some(fd, (char *)a->bytes.data + a->from, n);
		if (got < 0)
			return TTY_FAILED;
		took(a, (size_t)got);
		n -= (size_t)got;
		if (signals_signal() != 0 && (n > 0 || encoded(a) > 0 || a->more))
			return TTY_SIGNALLED;
		if (n > 0 && !may_go_on(fd, a, &patience, &n, got > 0))
			return TTY_STALLED;
	}
	return TTY_WRITTEN;
}

/* Encodes one part more; the buffer stays small where what is written is dropped. */
static bool
encode_part(struct ahead *a)
{
	if (a->from >= TTY_WHOLE) {
		memmove(a->bytes.data, a->bytes.data + a->from, encoded(a));
		a->bytes.len -= a->from;
		a->from = 0;
	}
	a->more = source_next(a->source, &a->bytes);
	return a->bytes.fault == BUF_FINE;
}

static bool
encode_until(struct ahead *a, size_t n)
{
	while (a->more && encoded(a) < n)
		if (!encode_part(a))
			return false;
	return true;
}

/*
 * Writes what the terminal takes at once, and encodes while it takes nothing. Packets of
 * OSC 5522 have 5 kB: writing each by itself takes longer than the terminal.
 */
static enum tty_end
write_and_encode(int fd, struct ahead *a)
{
	ssize_t got;

	while (a->more && encoded(a) < TTY_WHOLE) {
		if (signals_signal() != 0)
			return TTY_SIGNALLED;
		got = encoded(a) < TTY_WHOLE / 4 ? 0 :
		    write(fd, a->bytes.data + a->from, encoded(a));
		if (got > 0)
			took(a, (size_t)got);
		else if (got < 0 && errno != EAGAIN && errno != EINTR)
			return TTY_FAILED;
		if (!encode_part(a)) {
			errno = ENOMEM;
			return TTY_FAILED;
		}
	}
	return TTY_WRITTEN;
}

/*
 * The terminal takes some kilobytes at a time, and is slower than the encoder: that
 * gets as far ahead as it may, then half of that is written by a call that waits,
 * while the other half is there for what follows.
 */
static enum tty_end
write_ahead(int fd, struct ahead *a)
{
	int flags = fcntl(fd, F_GETFL);
	enum tty_end end = TTY_WRITTEN;

	while (end == TTY_WRITTEN && a->more) {
		end = write_all(fd, a, encoded(a) / 2);
		if (end != TTY_WRITTEN)
			return end;
		fcntl(fd, F_SETFL, flags | O_NONBLOCK);
		end = write_and_encode(fd, a);
		fcntl(fd, F_SETFL, flags);
		signals_tick(a->patience.tick);
	}
	return end == TTY_WRITTEN ? write_all(fd, a, encoded(a)) : end;
}

enum tty_end
tty_write_ahead(int fd, struct source *source, size_t *written)
{
	struct ahead a = { .source = source, .more = true,
	    .patience = patience_of(TTY_STALL_MS) };
	enum tty_end end = TTY_FAILED;
	int failure = ENOMEM;

	buf_init(&a.bytes, BUF_NO_LIMIT);
	if (encode_until(&a, TTY_WHOLE)) {
		signals_begin(a.patience.tick);
		termios_mark_writing(true);
		end = write_ahead(fd, &a);
		failure = errno;
		termios_mark_writing(false);
		signals_end();
	}
	*written = a.written;
	buf_free(&a.bytes);
	errno = failure;
	return end;
}

/* Whether all of it went at once, without waiting. */
static bool
write_now(int fd, const void *bytes, size_t n)
{
	return write_at_once(fd, bytes, n) == (ssize_t)n;
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

/* Counts what is left of the source without keeping it. */
static size_t
count_rest(struct ahead *a)
{
	size_t n = encoded(a);

	while (a->more) {
		a->bytes.len = 0;
		a->more = source_next(a->source, &a->bytes);
		n += a->bytes.len;
	}
	return n;
}

/* Whether nobody is expected to write between two pieces: see tty_write(). */
static bool
may_divide(int fd, const struct tty_output *o)
{
	return o->alone && termios_foreground(fd) && termios_canonical(fd);
}

/* Where others draw, a tick in the middle would let them in. */
static bool
is_to_watch(int fd, const struct tty_output *o, const struct ahead *a)
{
	return encoded(a) > ECHO_SAFE && !may_divide(fd, o) &&
	    (fcntl(fd, F_GETFL) & O_NONBLOCK) == 0;
}

/*
 * Locks the terminal for a long sequence, and waits for another viatty that writes one.
 * `*locked`: it is to be unlocked. TTY_WRITTEN: our turn has come.
 */
static enum tty_end
take_turn(int fd, bool is_long, bool *locked)
{
	long long deadline = clock_ms() + TURN_MS;

	*locked = false;
	while (!*locked && termios_is_written(fd)) {
		*locked = termios_lock(fd, LOCK_MS);
		if (signals_signal() != 0)
			return TTY_SIGNALLED;
		if (!*locked && clock_ms() >= deadline)
			return TTY_STALLED;
	}
	if (is_long && !*locked)
		*locked = termios_lock(fd, LOCK_MS);
	return TTY_WRITTEN;
}

/* What is encoded is more than nothing, and so far nothing of it is written. */
static void
write_encoded(int fd, const struct tty_output *o, struct ahead *a,
    struct tty_result *result)
{
	bool is_long = encoded(a) > ECHO_SAFE && termios_foreground(fd), locked;
	bool watch = is_to_watch(fd, o, a);
	int failure;

	signals_begin(a->patience.tick);
	result->end = take_turn(fd, is_long, &locked);
	if (is_long && locked) {
		termios_begin(fd, TERMIOS_SILENT);
		termios_mark_writing(true);
	}
	if (locked)
		/* the lock may have taken most of the first */
		signals_tick(a->patience.tick);
	a->watched = watch && stall_watch_begin(a->patience.limit);
	if (a->watched)
		signals_tick(0);
	if (result->end == TTY_WRITTEN)
		result->end = write_ahead(fd, a);
	failure = errno;
	if (a->watched)
		stall_watch_end();
	if (a->written > 0 && result->end != TTY_WRITTEN)
		result->closed = tty_close_sequence(fd, o->abort, o->abort_size);
	if (locked)
		termios_end(fd);
	signals_end();
	/* only now: one that came after a look before that would be lost */
	result->signal = signals_signal();
	errno = failure;
}

struct tty_result
tty_write(int fd, const struct tty_output *o)
{
	struct tty_result result = { .end = TTY_FAILED, .closed = true };
	struct ahead a = { .source = o->source, .more = true,
	    .patience = patience_of(o->stall_ms) };
	int failure = ENOMEM;

	buf_init(&a.bytes, BUF_NO_LIMIT);
	if (encode_until(&a, TTY_WHOLE) && (!a.more || may_divide(fd, o) ||
	    encode_until(&a, (size_t)-1))) {
		write_encoded(fd, o, &a, &result);
		failure = errno;
	}
	result.written = a.written;
	result.size = a.written + count_rest(&a);
	buf_free(&a.bytes);
	errno = failure;
	return result;
}

void
tty_die_of(int signal_number)
{
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}
