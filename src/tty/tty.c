/* SPDX-License-Identifier: MIT */
/* Writes to a terminal. */
#include "tty/tty.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/param.h>
#include <unistd.h>

/*
 * Sequences up to this size, the line buffer of n_tty, were observed to pass a pty without an
 * echoed key in the middle.
 */
enum { ECHO_SAFE = 4096 };

/* The slowest supported line for a single write, and the longest wait. */
enum { SLOWEST_BYTES_PER_MS = 20, LONGEST_MS = 60000 };

/*
 * When writing in pieces, the size of one: large, because packets of OSC 5522 have 5 kB, and
 * writing each one separately would be slower than the terminal. The next is encoded while the
 * terminal reads what the kernel still holds of this one.
 */
enum { PIECE = 256 * 1024 };

/* How often to check whether another viatty is inside a sequence. */
enum { TURN_TICK_MS = 20 };

/* The output buffer; data[from .. len - 1] is not written yet. */
struct ahead {
	struct source *source;
	struct buf bytes;
	size_t from, written;
	bool more; /* the source has more */
};

static size_t
encoded(const struct ahead *a)
{
	return a->bytes.len - a->from;
}

static void
encode_until(struct ahead *a, size_t n)
{
	while (a->more && encoded(a) < n) {
		a->more = source_next(a->source, &a->bytes);
		if (a->bytes.full)
			die(STATUS_FAILED, NULL, "out of memory");
	}
}

/*
 * Writes what is encoded, and then the rest of the source in pieces. Blocks at most `limit_ms`
 * in all or, with `pieces`, since the terminal last accepted a byte.
 */
static enum tty_end
write_all(int fd, struct ahead *a, unsigned limit_ms, bool pieces)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	long long since = clock_ms();
	ssize_t got;

	while (encoded(a) > 0) {
		got = write(fd, a->bytes.data + a->from, encoded(a));
		/*
		 * For a descriptor that another program made non-blocking. Another writer may
		 * have locked the terminal although poll() reports it writable, so pauses
		 * briefly.
		 */
		if (got < 0 && errno == EAGAIN && wait_on(&p, 1, -1) >= 0 &&
		    wait_on(NULL, 0, 1) >= 0)
			continue;
		if (got < 0 && errno != EINTR)
			return TTY_FAILED;
		if (got > 0) {
			a->from += (size_t)got;
			a->written += (size_t)got;
			if (pieces)
				since = clock_ms();
		}
		if (signals_caught != 0 && (encoded(a) > 0 || a->more))
			return TTY_SIGNALLED;
		if (encoded(a) > 0 && clock_ms() - since >= limit_ms)
			return TTY_TIMED_OUT;
		if (encoded(a) == 0) {
			a->from = a->bytes.len = 0;
			encode_until(a, PIECE);
		}
	}
	return TTY_DONE;
}

/*
 * An open string would swallow all later output, so it must be closed even if the terminal
 * has stopped reading. The unread output is then part of our sequence, or older; discarding
 * it makes room.
 */
static bool
close_sequence(int fd, const struct tty_output *o)
{
	int flags = fcntl(fd, F_GETFL);
	struct buf abort;
	bool closed;

	buf_init(&abort, BUF_NO_LIMIT);
	wrap_abort(&abort, o->abort, o->chain);
	fcntl(fd, F_SETFL, flags | O_NONBLOCK);
	closed = write(fd, abort.data, abort.len) == (ssize_t)abort.len;
	if (!closed) {
		termios_drop_output(fd);
		closed = write(fd, abort.data, abort.len) == (ssize_t)abort.len;
	}
	fcntl(fd, F_SETFL, flags);
	buf_free(&abort);
	return closed;
}

/* Waits for another viatty inside a sequence; the timeout restarts afterwards. */
static enum tty_end
wait_for_turn(int fd, unsigned limit_ms)
{
	long long deadline = clock_ms() + limit_ms;

	while (termios_is_written(fd)) {
		if (signals_caught != 0)
			return TTY_SIGNALLED;
		if (clock_ms() >= deadline)
			return TTY_TIMED_OUT;
		wait_on(NULL, 0, TURN_TICK_MS);
		signals_tick(limit_ms);
	}
	return TTY_DONE;
}

struct tty_result
tty_write(int fd, const struct tty_output *o)
{
	struct tty_result result = { .closed = true };
	struct ahead a = { .source = o->source, .more = true };
	bool locked = o->locked, pieces = locked;
	size_t limit_ms;
	int failure;

	buf_init(&a.bytes, BUF_NO_LIMIT);
	encode_until(&a, o->locked ? PIECE : TTY_WHOLE);
	/* write in pieces only if no other writer is expected */
	if (a.more && !o->locked) {
		pieces = o->alone && termios_foreground(fd) && termios_canonical(fd);
		encode_until(&a, pieces ? 0 : (size_t)-1);
	}
	limit_ms = o->stall_ms + encoded(&a) / SLOWEST_BYTES_PER_MS;
	if (limit_ms > LONGEST_MS)
		limit_ms = MAX(o->stall_ms, (unsigned)LONGEST_MS);

	signals_begin((unsigned)limit_ms);
	result.end = o->locked ? TTY_DONE : wait_for_turn(fd, (unsigned)limit_ms);
	if (result.end == TTY_DONE && !o->locked && encoded(&a) > ECHO_SAFE &&
	    termios_foreground(fd)) {
		locked = termios_lock(fd);
		if (locked)
			termios_begin(fd, TERMIOS_SILENT);
		signals_tick((unsigned)limit_ms);
	}
	if (locked)
		termios_mark_writing(true);
	if (pieces) {
		limit_ms = o->stall_ms;
		signals_tick(o->stall_ms / 10 + 1);
	}
	if (result.end == TTY_DONE)
		result.end = write_all(fd, &a, (unsigned)limit_ms, pieces);
	failure = errno;
	if (a.written > 0 && result.end != TTY_DONE)
		result.closed = close_sequence(fd, o);
	if (o->locked)
		termios_mark_writing(false);
	else if (locked)
		termios_end();
	signals_end();

	result.written = a.written;
	result.size = a.written + encoded(&a);
	/* count the rest without keeping it */
	while (a.more) {
		a.bytes.len = 0;
		a.more = source_next(a.source, &a.bytes);
		result.size += a.bytes.len;
	}
	buf_free(&a.bytes);
	errno = failure;
	return result;
}
