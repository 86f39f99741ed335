/* SPDX-License-Identifier: MIT */
/* Queries of the terminal. */
#include "tty/tty.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A terminal that accepts no query in this time is stopped (Ctrl-S). */
enum { WRITE_MS = 2000 };

/* How long to wait for what follows the replies: see read_away(). */
enum { SILENCE_MS = 1000, COPY_MS = 200, LINE_MS = 3000, REST_MS = 10000 };

/* In seconds: the steps of a terminal's access time, and the limit for `typed_lately`. */
enum { READING_STEP = 8, LATELY = 5 };

/* The other program that reads the terminal, or "". */
static char other_reader[QUERY_READER];

static const struct tty_device own_terminal = { .name = "/dev/tty" };

/* The state of one query. */
struct conversation {
	const struct query *query;
	struct pasted *pasted; /* of the query, as soon as the user is asked to paste */
	int fd;
	char device[DEVICE_NAME]; /* its name, or "" */
	time_t last_read;         /* by another program, or -1 */
	struct reply_reader reader;
	unsigned timeout_ms;
	long long deadline;
	size_t grown;    /* bytes that came with a part of a reply */
	bool counts;     /* sent, and the last reply has not arrived */
	bool takes_late; /* after the timeout: replies count until the fence */
	unsigned fences; /* DA1 replies since it was sent */
	long long read;  /* when the last byte arrived */
	long long typed; /* when the first key of an incomplete line arrived, or 0 */
	struct replies replies;
};

/* The replies of the last query. */
static struct reply kept[REPLIES_MAX];
static size_t kept_count;

static void
on_reply(void *context, const struct reply *reply)
{
	struct conversation *c = context;
	const struct query *q = c->query;
	unsigned timeout_ms = 0;

	c->fences += reply->kind == REPLY_DA1;
	if (!c->counts && !c->takes_late)
		return;
	if (q->receive != NULL) {
		c->counts = q->receive(q->context, reply, &timeout_ms);
	} else {
		if (kept_count < REPLIES_MAX) {
			kept[kept_count] = *reply;
			kept[kept_count++].text = memcpy(xrealloc(NULL, reply->size + 1),
			    reply->text, reply->size + 1);
		}
		if (reply->kind == REPLY_DA1) {
			c->counts = c->fences == 1 && q->second_ms != 0;
			c->takes_late = false;
			timeout_ms = q->second_ms;
		}
	}
	if (timeout_ms != 0 && c->pasted == NULL) {
		c->timeout_ms = timeout_ms;
		c->deadline = clock_ms() + timeout_ms;
	}
}

static struct tty_result
write_query(int fd, const struct query *q)
{
	struct tty_output output = { .locked = true, .chain = q->chain,
		.abort = q->abort != NULL ? q->abort : SEQUENCE_ABORT,
		.stall_ms = WRITE_MS };
	struct buf bytes = BUF_EMPTY;
	struct tty_result result;

	buf_add_string(&bytes, q->text);
	buf_add_string(&bytes, q->no_fence ? "" : QUERY_DA1);
	wrap(&bytes, output.chain);
	output.bytes = bytes.data;
	output.size = bytes.len;
	result = tty_write(fd, &output);
	buf_free(&bytes);
	return result;
}

/*
 * Called before and after the job is stopped. Drops a partial reply: joined with the rest of
 * another it could look complete. The rest of a long reply is lost, because Ctrl-Z flushes the
 * input queue, and the shell reads what comes until the job continues.
 */
static void
expect_gap(struct conversation *c)
{
	c->replies.stopped = c->replies.stopped || c->counts;
	reply_drop(&c->reader);
}

/* Asks the user to paste, with the lock. Returns TTY_DONE, or why that is not possible. */
static enum tty_end
ask_to_paste(struct conversation *c)
{
	if (tty_change_modes(c->fd, TTY_KEYS) != 0)
		return TTY_BACKGROUND;
	c->pasted = c->query->pasted;
	c->timeout_ms = c->pasted->timeout_ms;
	c->deadline = clock_ms() + c->timeout_ms;
	pasted_begin(c->pasted, c->fd);
	return TTY_DONE;
}

/*
 * Restores the terminal for the shell until we are in the foreground again. Returns TTY_DONE, or
 * why nothing more is read.
 */
static enum tty_end
let_stop(struct conversation *c)
{
	expect_gap(c);
	pasted_end();
	tty_unlock();
	/* in between, a pending SIGTSTP stops the job */
	signals_end();
	signals_begin();
	if (!tty_foreground(c->fd) || !tty_lock(c->fd))
		return TTY_BACKGROUND;
	if (c->pasted != NULL && c->counts)
		return ask_to_paste(c);
	return tty_change_modes(c->fd, TTY_RAW) == 0 ? TTY_DONE : TTY_BACKGROUND;
}

/* The bytes that were read. */
static void
take(struct conversation *c, const unsigned char *bytes, size_t n)
{
	const size_t keys = c->reader.typed;

	c->read = clock_ms();
	if (c->pasted == NULL)
		reply_feed(&c->reader, bytes, n);
	else
		pasted_feed(c->pasted, &c->reader, bytes, n);
	if (c->pasted != NULL && c->pasted->state == PASTED_PART && c->counts)
		c->deadline = c->read + PASTED_STALL_MS;
	/* allow a long reply on a slow line, but not an endless one */
	if (c->counts && reply_unfinished(&c->reader)) {
		c->grown += n;
		if (c->grown <= c->query->reply_max)
			c->deadline = c->read + c->timeout_ms;
	}
	/* keys are dropped by whole lines, or the shell would run the rest of a line */
	if (c->reader.typed > keys && (c->typed == 0 || !c->reader.typed_open))
		c->typed = c->reader.typed_open ? c->read : 0;
}

/* Waits for bytes and reads them. Returns TTY_DONE, or why there are none. */
static enum tty_end
read_some(struct conversation *c)
{
	/* large, for long replies */
	static unsigned char bytes[1 << 16];
	/* a stop is seen only between waits; with TTY_KEYS its key ends the wait */
	const long long wait_ms = c->pasted != NULL ? 2000 : 100;
	struct pollfd p = { .fd = c->fd, .events = POLLIN };
	long long left = c->deadline - clock_ms();
	ssize_t n;

	/* a signal ends the query, but not the short wait for its remaining replies */
	if (c->counts && signal_caught != 0)
		return TTY_SIGNALLED;
	if (left <= 0)
		return TTY_TIMED_OUT;
	if (signals_stop_wanted())
		return let_stop(c);
	n = wait_on(&p, 1, (int)MIN(left, wait_ms));
	if (n == 0)
		return TTY_DONE;
	if (n > 0)
		n = read(c->fd, bytes, sizeof(bytes));
	if (n < 0 && errno == EINTR)
		return TTY_DONE;
	if (n <= 0) {
		c->replies.failure = n == 0 ? EIO : errno;
		return TTY_FAILED;
	}
	if (signals_stop_wanted())
		expect_gap(c);
	take(c, bytes, (size_t)n);
	return TTY_DONE;
}

/*
 * Reads what the shell would otherwise read as typed. How long depends on what may still come:
 *
 *   may come                      until a silence of    at most
 *   rest of a reply, fence        SILENCE_MS            REST_MS
 *   rest of a typed line          SILENCE_MS            LINE_MS after its first key
 *   second copy of the replies    COPY_MS               REST_MS
 *
 * Before the first fence it also waits for `late_ms` of the query. `late`: replies are missing.
 */
static void
read_away(struct conversation *c, bool late)
{
	const struct query *q = c->query;
	const struct pasted *pasted = c->pasted;
	const long long begun = clock_ms();
	unsigned late_ms = late || !q->no_fence ? q->late_ms : 0;
	bool no_fence_yet;

	c->counts = false;
	do {
		no_fence_yet = c->fences == 0 && pasted == NULL;
		/* after Ctrl-C the user no longer wants to wait */
		if (signal_caught != 0)
			late_ms = MIN(late_ms, (unsigned)QUERY_LATE_MS);
		if (reply_unfinished(&c->reader) || (no_fence_yet && !q->no_fence) ||
		    (pasted != NULL && pasted->state == PASTED_PART))
			c->deadline = MIN(c->read + SILENCE_MS, begun + REST_MS);
		else if (c->typed != 0)
			c->deadline = MIN(c->read + SILENCE_MS, c->typed + LINE_MS);
		/* Screen forwards the replies of all terminals that show it */
		else if ((q->chain != NULL && chain_has(q->chain, LAYER_SCREEN)) ||
		    (late && c->fences > 0) ||
		    (pasted != NULL && pasted->state >= PASTED_MARKED))
			c->deadline = MIN(c->read + COPY_MS, begun + REST_MS);
		else
			c->deadline = 0;
		if (no_fence_yet)
			c->deadline = MAX(c->deadline, begun + late_ms);
	} while (read_some(c) == TTY_DONE);
}

/* Call this in raw mode: in canonical mode Linux omits an incomplete line (n_tty_ioctl()). */
static bool
input_waits(int fd)
{
	int waiting;

	return ioctl(fd, FIONREAD, &waiting) == 0 && waiting > 0;
}

/* Until the user has pasted, or a reply has come after all. */
static enum tty_end
read_pasted(struct conversation *c)
{
	const struct pasted *pasted = c->query->pasted;
	enum tty_end end;

	tty_restore_modes();
	end = ask_to_paste(c);
	while (end == TTY_DONE && !pasted->answered && !pasted->text->full &&
	    pasted->state != PASTED_UNMARKED) {
		if (pasted->state == PASTED_MARKED)
			c->deadline = c->read + (pasted->in_parts ? PASTED_PART_MS : 0);
		c->counts = true;
		end = read_some(c);
	}
	pasted_end();
	return end == TTY_TIMED_OUT && pasted->state == PASTED_MARKED ? TTY_DONE : end;
}

static enum tty_end
exchange(struct conversation *c)
{
	const struct query *q = c->query;
	enum tty_end end = TTY_DONE;
	struct tty_result written;
	bool late;

	/* type-ahead, and the reply to another program's fence, which would pass for ours */
	while (end == TTY_DONE && signal_caught == 0 && input_waits(c->fd)) {
		c->deadline = clock_ms() + SILENCE_MS;
		end = read_some(c);
	}
	if (end == TTY_BACKGROUND)
		return end;
	reply_drop(&c->reader);
	c->fences = 0;
	c->counts = true;
	if (q->start != NULL && !q->start(q->context))
		return TTY_DONE;
	written = write_query(c->fd, q);
	end = written.end;
	c->replies.failure = written.failure;
	if (end != TTY_DONE && written.written == 0)
		return end;
	c->deadline = clock_ms() + c->timeout_ms;
	while (end == TTY_DONE && c->counts)
		end = read_some(c);
	if (q->pasted != NULL && !q->pasted->answered && (end == TTY_DONE || end == TTY_TIMED_OUT))
		end = read_pasted(c);
	late = end == TTY_TIMED_OUT && q->receive == NULL && q->second_ms == 0;
	c->takes_late = late;
	if (end == TTY_DONE || end == TTY_TIMED_OUT || end == TTY_SIGNALLED)
		read_away(c, end != TTY_DONE);
	return late && !c->takes_late ? TTY_DONE : end;
}

/*
 * Sets raw mode. Returns TTY_DONE, or why no query may be sent; the caller always unlocks. Checks
 * for another reader under the lock, because raw mode may come from another viatty.
 */
static enum tty_end
take_terminal(struct conversation *c)
{
	const struct query *q = c->query;
	struct replies *replies = &c->replies;

	/* after an interrupted query, do not start another */
	if (signal_caught != 0)
		return TTY_SIGNALLED;
	if (!tty_foreground(c->fd))
		return TTY_BACKGROUND;
	text_copy(other_reader, sizeof(other_reader), "another viatty");
	if (!tty_lock(c->fd))
		return signal_caught != 0 ? TTY_SIGNALLED : TTY_BUSY;
	other_reader[0] = '\0';
	if (q->reader_is_another(c->fd, other_reader))
		return TTY_BUSY;
	/* another viatty also changes that time, but not under our lock */
	c->last_read = device_read_time(c->device);
	replies->typed_lately = time(NULL) - c->last_read < READING_STEP + LATELY;
	if (q->optional && q->chain != NULL && q->chain->count > 0 && !replies->typed_lately)
		return TTY_BUSY;
	/* in other modes a reply would be echoed, and wait for the end of a line */
	replies->failure = tty_change_modes(c->fd, TTY_RAW);
	if (replies->failure != 0)
		return TTY_FAILED;
	replies->keys_pending = q->optional && input_waits(c->fd);
	return replies->keys_pending ? TTY_BUSY : TTY_DONE;
}

struct replies
query(const struct query *q)
{
	static bool reported;
	struct conversation c = { .query = q, .timeout_ms = q->timeout_ms, .last_read = -1,
		.fd = device_open(&own_terminal, O_RDWR), .replies = { .reply = kept } };
	struct replies *replies = &c.replies;

	while (kept_count > 0)
		free((char *)kept[--kept_count].text);
	if (c.fd < 0)
		return (struct replies){ .end = TTY_NOT_OPENED, .failure = -c.fd };
	reply_begin(&c.reader, q->reply_max, on_reply, &c);
	device_name(c.device, c.fd);

	signals_begin();
	replies->end = take_terminal(&c);
	if (replies->end == TTY_DONE)
		replies->end = exchange(&c);
	replies->count = kept_count;
	/* the modes first, in case we are killed */
	tty_restore_modes();
	/*
	 * A reply is no key. If it counted, the next viatty would send a query whose reply
	 * tmux types into another pane. And a shell's hook would take the command for used.
	 */
	if (c.last_read >= 0 && c.pasted == NULL)
		device_set_read_time(c.device, c.last_read);
	tty_unlock();
	signals_end();
	reply_end(&c.reader);
	close(c.fd);
	if (c.reader.typed > 0 && !reported) {
		message_warn("keys that were typed while the terminal was queried are lost");
		reported = true;
	}
	return *replies;
}

bool
query_failed(struct replies replies, struct error *error)
{
	switch (replies.end) {
	case TTY_BACKGROUND:
		return !fail(error, STATUS_NO_TERMINAL,
		    "a background job cannot read from the terminal\n"
		    "run it at a shell prompt, or in the foreground of a script; for a limit "
		    "of time use --timeout, or timeout --foreground");
	case TTY_BUSY:
		return !fail(error, STATUS_REFUSED,
		    "the reply would be input of %s, which is reading this terminal\n"
		    "run it at a shell prompt, or use the terminal's own key",
		    other_reader[0] != '\0' ? other_reader : "another program");
	case TTY_SIGNALLED:
		return !fail(error, STATUS_FAILED, "interrupted");
	case TTY_NOT_OPENED:
		return !fail(error, STATUS_NO_TERMINAL,
		    NO_TERMINAL_TO_READ, strerror(replies.failure));
	case TTY_FAILED:
		return !fail(error, STATUS_FAILED, "cannot query the terminal: %s",
		    strerror(replies.failure));
	case TTY_DONE:
	case TTY_TIMED_OUT:
		break;
	}
	return false;
}
