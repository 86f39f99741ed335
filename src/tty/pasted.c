/* SPDX-License-Identifier: MIT */
/* A paste by the terminal's own key. */
#include "tty/tty.h"

#include "base/base.h"
#include "encoder/encoder.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

/* A terminal that does not accept the line in this time is stopped (Ctrl-S). */
enum { LINE_MS = 2000 };

/* Whose line is on the terminal, where the marks are on, or NULL. */
static struct pasted *asking;

/* ---- on the terminal ---------------------------------------------------- */

/* Prints both texts. Between them, erases the line, which a narrow terminal shows in rows. */
static void
show(const char *before, bool erased, const char *after)
{
	struct winsize size = { .ws_col = 0 };
	struct buf bytes = BUF_EMPTY;
	size_t rows = 0;

	buf_add_string(&bytes, before);
	if (erased) {
		buf_add_string(&bytes, ERASE_LINE);
		if (ioctl(asking->fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
			rows = (strlen(asking->line) - 1) / size.ws_col;
		for (; rows > 0; rows--)
			buf_add_string(&bytes, ERASE_LINE_ABOVE);
	}
	buf_add_string(&bytes, after);
	tty_write(asking->fd, &(struct tty_output){ .bytes = bytes.data, .size = bytes.len,
		.abort = SEQUENCE_ABORT, .stall_ms = LINE_MS, .locked = true });
	buf_free(&bytes);
}

void
pasted_end(void)
{
	if (asking != NULL)
		show(PASTE_MARKS_OFF, asking->erases, asking->erases ? "" : "\n");
	asking = NULL;
}

void
pasted_begin(struct pasted *p, int fd)
{
	static bool registered;

	if (!registered)
		registered = atexit(pasted_end) == 0;
	p->fd = fd;
	p->state = PASTED_NOTHING;
	p->text->len = p->matched = 0;
	p->after_cr = false;
	asking = p;
	show(p->line, false, PASTE_MARKS_ON);
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
		if (p->text->len == 0) {
			show("", true, p->unmarked_line);
			p->line = p->unmarked_line;
		}
		add(p, c);
	}
}

/*
 * Marks are matched here, not by parse.c: in a paste, ESC may begin a mark or be data. A mark has
 * ESC only as its first byte, so a match that fails restarts at the byte that failed.
 */
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
		/* keys count only after the text: the shell would read those */
		if (p->state < PASTED_MARKED)
			reader->typed = typed;
	}
}
