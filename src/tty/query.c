/* SPDX-License-Identifier: MIT */
/* Questions to the terminal; the contract is in query.h. */
#include "tty/query.h"

#include "base/clock.h"
#include "base/text.h"
#include "base/wait.h"
#include "tty/device.h"
#include "tty/reading_time.h"
#include "tty/signals.h"
#include "tty/termios.h"
#include "tty/tty.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* A terminal that does not take a question in this time will not answer it. */
enum { WRITE_MS = 2000 };

/* Who was found to read the terminal, or "". */
static char other_reader[QUERY_READER];

/* Whether only a terminal that reads lines is asked. */
static bool lines_only;

/* Whether a reply may still come to what this process has asked. */
static bool unanswered;

/* The state of one query. */
struct conversation {
	const struct query *question;
	unsigned timeout_ms;
	long long begun, deadline;
	size_t grown; /* bytes of strings so far */
	bool done;
	bool heard;    /* a sequence has come, or a part of one */
	bool over;     /* nothing more is of interest after a stop */
	bool fenced;   /* a DA1 among them */
	bool given_up; /* only the fence is still of interest */
	long long last; /* then: the latest end */
};

static void
on_reply(void *context, const struct reply *reply)
{
	struct conversation *c = context;
	unsigned timeout_ms = 0;

	if (reply->kind == REPLY_DA1)
		c->fenced = true;
	if (c->given_up)
		c->done = reply->kind == REPLY_DA1;
	if (c->done || c->given_up)
		return;
	c->done = !c->question->receive(c->question->context, reply,
	    &timeout_ms);
	if (timeout_ms == 0)
		return;
	c->timeout_ms = timeout_ms;
	c->deadline = clock_ms() + timeout_ms;
}

static bool
build_question(struct buf *bytes, const struct query *q)
{
	bool fine = (q->text == NULL || buf_add_string(bytes, q->text)) &&
	    (q->encode == NULL || q->encode(bytes, q->context)) &&
	    (q->fence != FENCE_WRAPPED || buf_add_string(bytes, QUERY_DA1)) &&
	    (q->chain == NULL || wrap(bytes, q->chain)) &&
	    (q->fence != FENCE_NEAREST || buf_add_string(bytes, QUERY_DA1));

	if (!fine)
		errno = ENOMEM;
	return fine;
}

static const struct chain no_layers = { .count = 0 };

/* Half a question would swallow what is printed next. */
static void
close_question(int fd, const struct query *q)
{
	struct buf stop;

	buf_init(&stop, 4096);
	if (wrap_abort(&stop, q->abort != NULL ? q->abort : SEQUENCE_ABORT,
	    q->chain != NULL ? q->chain : &no_layers))
		tty_close_sequence(fd, stop.data, stop.len);
	buf_free(&stop);
}

/* False: errno; what was begun may have to be closed. */
static bool
write_bytes(int fd, const unsigned char *at, size_t left, bool *begun)
{
	ssize_t n;

	for (; left > 0; at += n, left -= (size_t)n) {
		n = write(fd, at, left);
		if (n < 0)
			return false;
		*begun = true;
		/* a long one is not waited for */
		if ((size_t)n < left && signals_signal() != 0) {
			errno = EINTR;
			return false;
		}
	}
	return true;
}

static enum query_end
write_question(int fd, const struct query *q, const struct buf *bytes)
{
	static const enum query_end ends[] = {
		[TTY_WRITTEN] = QUERY_DONE,
		[TTY_STALLED] = QUERY_SILENT,
		[TTY_SIGNALLED] = QUERY_SIGNALLED,
		[TTY_FAILED] = QUERY_FAILED,
	};
	enum query_end end = QUERY_DONE;
	size_t written = 0;
	bool begun;
	int failure;

	if (q->source != NULL) {
		source_wrap(q->source, q->chain != NULL ? q->chain : &no_layers);
		end = ends[tty_write_ahead(fd, q->source, &written)];
	}
	begun = written > 0;
	if (end == QUERY_DONE && !write_bytes(fd, bytes->data, bytes->len, &begun))
		end = signals_signal() != 0 ? QUERY_SIGNALLED :
		    errno == EINTR ? QUERY_SILENT : QUERY_FAILED;
	failure = errno;
	if (end != QUERY_DONE && begun)
		close_question(fd, q);
	errno = failure;
	return end;
}

/*
 * The person wants the shell back: it gets the terminal as it was, and we go
 * on asking when we are in the foreground again.
 */
static bool
stop_for_a_while(int fd)
{
	termios_end(fd);
	signals_stop(WRITE_MS);
	return termios_foreground(fd) && termios_lock(fd, QUERY_LOCK_MS) &&
	    termios_begin(fd, TERMIOS_RAW);
}

/* The rest of a reply joined to its beginning would pass for a whole one. */
static void
expect_gap(struct conversation *c, struct reply_reader *reader)
{
	const struct query *q = c->question;
	bool cut = reply_unfinished(reader);

	reply_drop(reader);
	if (!c->given_up && q->on_stop != NULL && !q->on_stop(q->context, cut))
		c->over = true;
}

/*
 * A long reply over a slow line has the time it needs, but nobody keeps us by
 * sending for ever.
 */
static void
extend_deadline(struct conversation *c, size_t n)
{
	c->grown += n;
	if (c->grown <= c->question->reply_max && !c->given_up)
		c->deadline = clock_ms() + c->timeout_ms;
}

/* While a sequence goes on it would end in the shell. */
static void
put_off(struct conversation *c)
{
	c->deadline = clock_ms() + QUERY_LINGER_MS;
	if (c->deadline > c->last)
		c->deadline = c->last;
}

/* Waits for bytes and reads them. False: `*end` says why there are none. */
static bool
read_some(int fd, struct conversation *c, struct reply_reader *reader,
    enum query_end *end)
{
	/* a terminal that has more to say is not read in small pieces */
	static char bytes[1 << 16];
	/* SIGTSTP is only looked at between waits: none may be long */
	enum { WAIT_MS = 100 };
	struct pollfd p = { .fd = fd, .events = POLLIN };
	long long left = c->deadline - clock_ms();
	size_t pending = reply_pending(reader);
	ssize_t n;
	/* it ends the asking, not the short wait for what that leaves behind */
	bool signalled = signals_signal() != 0 && !c->given_up, ours;
	int ready;

	if (signalled || left <= 0) {
		*end = signalled ? QUERY_SIGNALLED : QUERY_SILENT;
		return false;
	}
	if (signals_stop_wanted()) {
		expect_gap(c, reader);
		ours = stop_for_a_while(fd);
		if (ours && (c->given_up || !c->over))
			return true;
		*end = ours ? QUERY_SILENT : QUERY_BACKGROUND;
		return false;
	}
	ready = wait_on(&p, 1, left < WAIT_MS ? (int)left : WAIT_MS);
	if (ready == 0 || (ready < 0 && errno == EINTR))
		return true;
	n = ready > 0 ? read(fd, bytes, sizeof(bytes)) : -1;
	if (n < 0 && errno == EINTR)
		return true;
	if (n > 0 && signals_stop_wanted())
		expect_gap(c, reader);
	if (n == 0)
		errno = EIO;
	if (n <= 0 || !reply_feed(reader, bytes, (size_t)n)) {
		*end = QUERY_FAILED;
		return false;
	}
	c->heard = c->heard || c->fenced || reply_unfinished(reader);
	if (c->given_up && reply_unfinished(reader))
		put_off(c);
	else if (reply_pending(reader) > pending)
		extend_deadline(c, reply_pending(reader) - pending);
	return true;
}

/*
 * What still comes would be typed into the shell: the rest of a reply that was
 * too large, or a late one up to the fence.
 */
static void
linger(int fd, struct conversation *c, struct reply_reader *reader, bool late)
{
	long long now = clock_ms();
	enum query_end end;

	late = late || !c->fenced;
	c->given_up = true;
	c->done = false;
	c->last = now + QUERY_DRAIN_MS;
	c->deadline = now + QUERY_LINGER_MS;
	/* nobody may be there at all, and nothing depends on the answer */
	if (c->question->optional && !c->heard)
		c->deadline = c->begun + QUERY_OPTIONAL_MS;
	if (c->question->strict && !c->heard)
		c->deadline = now;
	while (((late && !c->done) || reply_unfinished(reader)) &&
	    read_some(fd, c, reader, &end))
		continue;
}

static enum query_end
exchange(int fd, const struct buf *bytes, struct reply_reader *reader,
    struct conversation *c)
{
	const struct query *q = c->question;
	enum query_end end;

	if (q->start != NULL && !q->start(q->context))
		return QUERY_DONE;
	end = write_question(fd, q, bytes);
	if (end != QUERY_DONE && q->source == NULL)
		return end;
	c->deadline = clock_ms() + c->timeout_ms;
	while (end == QUERY_DONE && !c->done && read_some(fd, c, reader, &end))
		continue;
	if (end == QUERY_SILENT || end == QUERY_SIGNALLED ||
	    (end == QUERY_DONE && reply_unfinished(reader)))
		linger(fd, c, reader, end != QUERY_DONE);
	return end;
}

/* What another program reads in lines it reads when we have ended. */
static bool
is_free(int fd, query_reader *is_read)
{
	other_reader[0] = '\0';
	return termios_canonical(fd) ||
	    (!lines_only && is_read != NULL && !is_read(fd, other_reader));
}

/*
 * Only under the lock is it known who else reads: the modes of another viatty are
 * no sign of a reader. What was locked is to be unlocked in any case.
 */
static enum query_end
take_terminal(int fd, query_reader *is_read, unsigned wait_ms)
{
	if (!termios_foreground(fd))
		return QUERY_BACKGROUND;
	text_copy(other_reader, sizeof(other_reader), "another viatty");
	if (!termios_lock(fd, wait_ms))
		return signals_signal() != 0 ? QUERY_SIGNALLED : QUERY_BUSY;
	return is_free(fd, is_read) ? QUERY_DONE : QUERY_BUSY;
}

/* The terminal, open for both; -1 with errno if it has to be opened and cannot be. */
static int
open_terminal(int fd)
{
	return fd == QUERY_CONTROLLING ? tty_open("/dev/tty", true) : fd;
}

enum query_end
query_allowed(int fd, query_reader *is_read)
{
	int terminal = open_terminal(fd);
	enum query_end end;

	if (terminal < 0)
		return QUERY_NO_TERMINAL;
	end = take_terminal(terminal, is_read, QUERY_LOCK_MS);
	termios_end(terminal);
	if (terminal != fd)
		close(terminal);
	return end;
}

/* Another viatty changes the time of the last reading as well, but not under our lock. */
static enum query_end
begin_query(int fd, const struct query *q, struct reading_time *last, const char *device)
{
	enum query_end end = take_terminal(fd, q->is_read,
	    q->optional ? QUERY_OPTIONAL_MS : QUERY_LOCK_MS);

	if (end != QUERY_DONE)
		return end;
	*last = reading_time_of(device);
	if (q->lately && !reading_time_is_recent(last))
		return QUERY_BUSY;
	/* else a reply would be shown, and wait for the end of a line */
	if (!termios_begin(fd, TERMIOS_RAW))
		return QUERY_FAILED;
	return q->optional && termios_input_waits(fd) ? QUERY_BUSY : QUERY_DONE;
}

/* With the terminal open and the bytes built. */
static struct query_result
ask(int fd, const struct query *query, const struct buf *bytes,
    struct reply_reader *reader, struct conversation *c)
{
	struct reading_time last = { .known = false };
	struct query_result result;
	char device[DEVICE_NAME] = "";
	int failure;

	device_name(device, fd);
	signals_begin(WRITE_MS);
	result.end = begin_query(fd, query, &last, device);
	result.typed_lately = reading_time_is_recent(&last);
	if (result.end == QUERY_DONE) {
		/* a fence that somebody else asked for would pass for ours */
		termios_drop_input(fd);
		c->begun = clock_ms();
		c->deadline = c->begun + c->timeout_ms;
		result.end = exchange(fd, bytes, reader, c);
	}
	failure = errno;
	if (result.end == QUERY_SILENT || result.end == QUERY_SIGNALLED ||
	    reply_unfinished(reader))
		termios_drop_input(fd);
	unanswered = unanswered || result.end == QUERY_SILENT;
	/* first the modes: whoever ends us now shall find them as they were */
	termios_restore(fd);
	reading_time_restore(&last);
	termios_end(fd);
	signals_end();
	/* only now: one that came after a look before that would be lost */
	result.signal = signals_signal();
	errno = failure;
	return result;
}

struct query_result
tty_query(int fd, const struct query *query)
{
	struct conversation c = { .question = query, .timeout_ms = query->timeout_ms };
	struct query_result result = { .end = QUERY_NO_TERMINAL };
	struct reply_reader *reader;
	struct buf bytes;
	int terminal = open_terminal(fd), failure;

	if (terminal < 0)
		return result;
	result.end = QUERY_FAILED;
	buf_init(&bytes, BUF_NO_LIMIT);
	reader = reply_new(query->reply_max, on_reply, &c);
	if (reader != NULL && build_question(&bytes, query))
		result = ask(terminal, query, &bytes, reader, &c);
	failure = errno;
	reply_free(reader);
	buf_free(&bytes);
	if (terminal != fd)
		close(terminal);
	errno = failure;
	return result;
}

void
query_beside_others(void)
{
	lines_only = true;
}

void
query_drop_late(void)
{
	int fd = unanswered ? tty_open("/dev/tty", true) : -1;

	if (fd < 0)
		return;
	if (termios_foreground(fd))
		termios_drop_input(fd);
	close(fd);
}

bool
query_lost_reply(struct error *error)
{
	error_set(error, STATUS_NO_REPLY,
	    "the terminal's reply is lost: this was stopped meanwhile (Control-Z)");
	return error_hint(error, "run it again");
}

bool
query_failed(enum query_end end, struct error *error)
{
	switch (end) {
	case QUERY_BACKGROUND:
		error_set(error, STATUS_NO_TERMINAL, "only the program in the "
		    "foreground of a terminal can read from it");
		error_hint(error, "run it at a shell prompt, or in the foreground of a "
		    "script");
		return true;
	case QUERY_BUSY:
		error_set(error, STATUS_REFUSED, "%s is reading this terminal: it "
		    "would receive the reply as input",
		    other_reader[0] != '\0' ? other_reader : "another program");
		error_hint(error, "run it at a shell prompt, or use the terminal's own "
		    "key");
		return true;
	case QUERY_SIGNALLED:
		error_set(error, STATUS_FAILED, "interrupted");
		return true;
	case QUERY_NO_TERMINAL:
		error_set(error, STATUS_NO_TERMINAL, "no terminal to read from: "
		    "/dev/tty: %s", strerror(errno));
		return true;
	case QUERY_FAILED:
		error_system(error, "cannot query the terminal");
		return true;
	case QUERY_DONE:
	case QUERY_SILENT:
		break;
	}
	return false;
}
