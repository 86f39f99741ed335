/* SPDX-License-Identifier: MIT */
/* A paste by the terminal's own key. */
#include "tty/tty.h"

#include "base/base.h"
#include "encoder/encoder.h"

#include <stdlib.h>

/* A terminal that does not accept the line in this time is stopped (Ctrl-S). */
enum { LINE_MS = 2000 };

/* The terminal whose marks are on, or -1. */
static int marked = -1;
static bool erases;

/* ---- on the terminal ---------------------------------------------------- */

static void
write_to(int fd, const struct buf *bytes)
{
	static const struct chain no_layers = { .count = 0 };
	const struct tty_output output = { .bytes = bytes->data, .size = bytes->len,
		.abort = SEQUENCE_ABORT, .chain = &no_layers, .stall_ms = LINE_MS,
		.locked = true };

	tty_write(fd, &output);
}

void
pasted_end(void)
{
	struct buf bytes = BUF_EMPTY;

	if (marked < 0)
		return;
	buf_add_string(&bytes, PASTE_MARKS_OFF);
	buf_add_string(&bytes, erases ? ERASE_LINE : "\n");
	write_to(marked, &bytes);
	marked = -1;
	buf_free(&bytes);
}

void
pasted_begin(struct pasted *p, int fd)
{
	static bool registered;
	struct buf bytes = BUF_EMPTY;

	if (!registered)
		registered = atexit(pasted_end) == 0;
	p->state = PASTED_NOTHING;
	p->text->len = p->matched = 0;
	p->after_cr = false;
	erases = p->erases;
	marked = fd;
	buf_add_string(&bytes, p->line);
	buf_add_string(&bytes, PASTE_MARKS_ON);
	write_to(fd, &bytes);
	buf_free(&bytes);
}

/* The first text without a mark: whoever pasted it has to end it. */
static void
ask_for_end(const struct pasted *p)
{
	struct buf bytes = BUF_EMPTY;

	buf_add_string(&bytes, ERASE_LINE);
	buf_add_string(&bytes, p->unmarked_line);
	write_to(marked, &bytes);
	buf_free(&bytes);
}

/* ---- the bytes ---------------------------------------------------------- */

static void
add(struct pasted *p, unsigned char c)
{
	const bool ends_cr = p->after_cr && c == '\n';

	p->after_cr = c == '\r';
	if (!ends_cr && !p->text->full)
		buf_add(p->text, c == '\r' ? "\n" : (const char *)&c, 1);
}

/* A byte that belongs to no mark. */
static void
take(struct pasted *p, struct reply_reader *reader, unsigned char c)
{
	if (p->state == PASTED_PART) {
		add(p, c);
	} else if (p->state == PASTED_NOTHING && c != ESC && tty_key_acts(c)) {
		reply_drop(reader);
	} else if (p->state != PASTED_NOTHING || c == ESC || reply_unfinished(reader)) {
		reply_feed(reader, &c, 1);
	} else if (tty_key_ends(c)) {
		p->state = PASTED_UNMARKED;
	} else {
		if (p->text->len == 0)
			ask_for_end(p);
		add(p, c);
	}
}

/* Both marks have the same length, and no other ESC than their first byte. */
void
pasted_feed(struct pasted *p, struct reply_reader *reader, const unsigned char *bytes, size_t n)
{
	const unsigned char *end = bytes + n;
	const size_t typed = reader->typed;
	const char *mark;
	bool counts;
	size_t i;

	for (; bytes < end; bytes++) {
		mark = p->state == PASTED_PART ? PASTE_ENDS : PASTE_BEGINS;
		counts = p->state < PASTED_MARKED || p->in_parts;
		if (counts && *bytes == (unsigned char)mark[p->matched]) {
			if (mark[++p->matched] != '\0')
				continue;
			p->matched = 0;
			if (p->state == PASTED_NOTHING)
				p->text->len = 0;
			p->after_cr = false;
			p->state = p->state == PASTED_PART ? PASTED_MARKED : PASTED_PART;
			continue;
		}
		for (i = 0; i < p->matched; i++)
			take(p, reader, (unsigned char)mark[i]);
		p->matched = counts && *bytes == ESC;
		if (p->matched == 0)
			take(p, reader, *bytes);
		/* only what follows the text would be typed into the shell */
		if (p->state < PASTED_MARKED)
			reader->typed = typed;
	}
}
