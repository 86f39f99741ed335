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
show(int fd, const char *text, const char *more)
{
	struct buf bytes = BUF_EMPTY;
	struct tty_output output = { .abort = SEQUENCE_ABORT, .stall_ms = LINE_MS,
		.locked = true };

	buf_add_string(&bytes, text);
	buf_add_string(&bytes, more);
	output.bytes = bytes.data;
	output.size = bytes.len;
	tty_write(fd, &output);
	buf_free(&bytes);
}

void
pasted_end(void)
{
	if (marked >= 0)
		show(marked, PASTE_MARKS_OFF, erases ? ERASE_LINE : "\n");
	marked = -1;
}

void
pasted_begin(struct pasted *p, int fd)
{
	static bool registered;

	if (!registered)
		registered = atexit(pasted_end) == 0;
	p->state = PASTED_NOTHING;
	p->text->len = p->matched = 0;
	p->after_cr = false;
	erases = p->erases;
	marked = fd;
	show(fd, p->line, PASTE_MARKS_ON);
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
		/* the first text without a mark: whoever pasted it has to end it */
		if (p->text->len == 0)
			show(marked, ERASE_LINE, p->unmarked_line);
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
			if (p->state == PASTED_NOTHING) {
				p->text->len = 0;
				p->after_cr = false;
			}
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
