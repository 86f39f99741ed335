/* SPDX-License-Identifier: MIT */
/* Line input; the contract is in line.h. */
#include "tty/line.h"

#include "base/clock.h"
#include "base/stream.h"
#include "base/wait.h"
#include "tty/termios.h"
#include "tty/signals.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* how the terminal marks a paste: see BRACKETED_PASTE_ON */
#define PASTE_BEGINS "\x1b[200~"
#define PASTE_ENDS "\x1b[201~"

enum {
	END_OF_INPUT = 0x04, BACKSPACE = 0x08, ESCAPE = 0x1b, DELETE = 0x7f,
	MARK = sizeof(PASTE_BEGINS) - 1,
	/* SIGTSTP is only looked at between waits: none may be long */
	WAIT_MS = 100
};

struct typing {
	int fd;
	struct buf *line;
	char mark[MARK];   /* the beginning of a sequence */
	size_t mark_len;
	bool pasted;       /* between the marks */
	bool entered, over;
};

/* ---- what is typed ------------------------------------------------------ */

static void
keep_key(struct typing *t, char c)
{
	size_t before = t->line->len;

	if (before >= t->line->max || !buf_add(t->line, &c, 1))
		return;
	if (c >= 0x20 && c < DELETE)
		stream_write(t->fd, &c, 1);
}

static void
erase_key(struct typing *t)
{
	if (t->line->len == 0)
		return;
	t->line->len--;
	stream_write(t->fd, "\b \b", 3);
}

static void
take_key(struct typing *t, char c)
{
	bool key = !t->pasted;

	if (key && (c == '\n' || c == '\r'))
		t->entered = true;
	else if (key && c == END_OF_INPUT && t->line->len == 0)
		t->over = true;
	else if (key && (c == BACKSPACE || c == DELETE))
		erase_key(t);
	else
		keep_key(t, c);
}

/* Whether the byte is part of a mark, or may be. Other sequences are keys. */
static bool
take_mark(struct typing *t, char c)
{
	bool begins, ends;

	if (t->mark_len == 0 && c != ESCAPE)
		return false;
	t->mark[t->mark_len++] = c;
	begins = memcmp(t->mark, PASTE_BEGINS, t->mark_len) == 0;
	ends = memcmp(t->mark, PASTE_ENDS, t->mark_len) == 0;
	if (!begins && !ends) {
		t->mark_len = 0;
		return c == ESCAPE && take_mark(t, c);
	}
	if (t->mark_len == MARK) {
		t->pasted = begins;
		t->mark_len = 0;
	}
	return true;
}

static void
take_keys(struct typing *t, const char *bytes, size_t n)
{
	size_t i;

	for (i = 0; i < n && !t->entered && !t->over; i++)
		if (!take_mark(t, bytes[i]))
			take_key(t, bytes[i]);
}

/* ---- the terminal ------------------------------------------------------- */

static enum query_end
begin_line(int fd, query_reader *is_read)
{
	enum query_end end = query_allowed(fd, is_read);

	if (end != QUERY_DONE)
		return end;
	if (!termios_lock(fd, QUERY_LOCK_MS))
		return QUERY_BUSY;
	return termios_begin(fd, TERMIOS_RAW) &&
	    stream_write(fd, BRACKETED_PASTE_ON, strlen(BRACKETED_PASTE_ON)) ?
	    QUERY_DONE : QUERY_FAILED;
}

static void
end_modes(int fd)
{
	stream_write(fd, BRACKETED_PASTE_OFF, strlen(BRACKETED_PASTE_OFF));
	termios_end(fd);
}

/* Input that is still arriving would go to the shell. */
static void
drop_rest(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	long long last = clock_ms() + QUERY_DRAIN_MS;
	char bytes[4096];
	int ready = 1;

	while (clock_ms() < last && (ready > 0 || errno == EINTR)) {
		errno = 0;
		ready = wait_on(&p, 1, LINE_QUIET_MS);
		if (ready == 0 || (ready > 0 &&
		    read(fd, bytes, sizeof(bytes)) <= 0))
			break;
	}
	termios_drop_input(fd);
}

/* Control-Z: stops the job, and begins again when it is continued. */
static enum query_end
stop_job(int fd, query_reader *is_read)
{
	end_modes(fd);
	signals_stop(0);
	return begin_line(fd, is_read);
}

static enum query_end
read_keys(struct typing *t, query_reader *is_read)
{
	struct pollfd p = { .fd = t->fd, .events = POLLIN };
	enum query_end end = QUERY_DONE;
	char bytes[4096];
	ssize_t n;

	while (end == QUERY_DONE && !t->entered && !t->over) {
		if (signals_signal() != 0)
			return QUERY_SIGNALLED;
		if (signals_stop_wanted())
			end = stop_job(t->fd, is_read);
		if (end != QUERY_DONE || wait_on(&p, 1, WAIT_MS) <= 0)
			continue;
		n = read(t->fd, bytes, sizeof(bytes));
		if (n == 0 || (n < 0 && errno != EINTR))
			t->over = true;
		if (n > 0)
			take_keys(t, bytes, (size_t)n);
	}
	return end == QUERY_DONE && t->over ? QUERY_SILENT : end;
}

enum query_end
line_read(int fd, query_reader *is_read, struct buf *line, int *signal)
{
	struct typing typing = { .fd = fd, .line = line };
	enum query_end end;

	line->len = 0;
	signals_begin(0);
	end = begin_line(fd, is_read);
	if (end == QUERY_DONE) {
		end = read_keys(&typing, is_read);
		drop_rest(fd);
		stream_write(fd, "\n", 1);
	}
	end_modes(fd);
	signals_end();
	*signal = signals_signal();
	return end;
}
