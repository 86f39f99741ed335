/* SPDX-License-Identifier: MIT */
/* Wraps the sequences in a stream of output. */
#include "encoder/encoder.h"

#include <string.h>

/* How the current sequence is handled. */
enum {
	WAY_HELD,    /* buffered until its end */
	WAY_KEPT,    /* passed unchanged, if it is long as it arrives */
	WAY_WRAPPED,
	WAY_LEFT     /* too long: omitted */
};

/* ---- strings that are not wrapped ----------------------------------------- */

static const struct {
	char head[8];
	unsigned char by;
} interpreted[] = {
#define INTERPRETED(head, by) { head, by },
#include "encoder/interpreted.def"
};

static bool
begins_with(const unsigned char *string, size_t size, const char *head)
{
	size_t n = strlen(head);

	return size > n && memcmp(string + 1, head, n) == 0;
}

/* The multiplexers that interpret the string with this beginning. */
static unsigned
interpreters_of(const unsigned char *string, size_t size)
{
	unsigned by = 0;
	size_t i;

	for (i = 0; i < sizeof(interpreted) / sizeof(interpreted[0]); i++)
		if (begins_with(string, size, interpreted[i].head))
			by |= interpreted[i].by;
	return by;
}

/* Whether what is held passes unchanged: no string, already wrapped, or interpreted. */
static bool
is_kept(const struct wrap_stream *w)
{
	const unsigned char *held = w->held.data;
	size_t n = w->held.len;

	return w->parser.introducer == '\0' || w->parser.nested ||
	    (interpreters_of(held, n) & w->nearest) == w->nearest ||
	    (w->tmux_copies && begins_with(held, n, "]52;")) ||
	    (w->tmux_progress && begins_with(held, n, "]9;4;"));
}

/* ESC P, parameters, q: tmux next-3.8 input.c, input_dcs_dispatch(). */
static bool
is_sixel(const unsigned char *string, size_t size)
{
	size_t at = 2;

	while (at < size && (string[at] == ';' || (string[at] >= '0' && string[at] <= '9')))
		at++;
	return at < size && string[1] == 'P' && string[at] == 'q';
}

/*
 * CSI ? ... h or l with modes that tmux has for each pane: tmux 3.3 to 3.6, input.c,
 * input_csi_dispatch_sm_private() and input_csi_dispatch_rm_private().
 */
static bool
sets_modes_of_tmux(const unsigned char *csi, size_t size)
{
	static const char modes[] = "1 3 6 7 12 25 47 1000 1002 1003 1004 1005 1006 1047 1049 2004";
	const char *at = (const char *)csi + 3, *end = (const char *)csi + size - 1;
	size_t n;

	if (size < 5 || csi[1] != '[' || csi[2] != '?' || (*end != 'h' && *end != 'l'))
		return false;
	for (; at < end; at += n + 1) {
		n = strcspn(at, ";hl");
		if (!text_lists(modes, at, n))
			return false;
	}
	return true;
}

unsigned
wrap_stream_interpreters(const void *bytes, size_t n)
{
	const unsigned char *at = bytes;
	unsigned by = ~0U;
	enum sequence_kind kind;
	size_t size;

	for (; n > 0; at += size, n -= size) {
		size = sequence_next(at, n, &kind);
		if (kind != SEQUENCE_OSC && kind != SEQUENCE_STRING)
			by &= INTERPRETER_MOSH | INTERPRETER_ZELLIJ |
			    (sets_modes_of_tmux(at, size) ? INTERPRETER_TMUX : 0);
		else
			by &= interpreters_of(at, size) |
			    (is_sixel(at, size) ? INTERPRETER_ZELLIJ : 0);
	}
	return by;
}

/* ---- output ---------------------------------------------------------------- */

/* Handles bytes of the sequence in its way. */
static void
put(struct wrap_stream *w, const void *bytes, size_t n, struct buf *out)
{
	if (w->way == WAY_HELD)
		buf_add(&w->held, bytes, n);
	else if (w->way == WAY_KEPT)
		buf_add(out, bytes, n);
}

/* Chooses how to pass the sequence on, and does so with what was held back. */
static void
release(struct wrap_stream *w, unsigned char way, struct buf *out)
{
	w->way = way;
	if (way == WAY_WRAPPED)
		wrap(&w->held, &w->chain);
	if (way != WAY_LEFT)
		buf_add(out, w->held.data, w->held.len);
	w->held.len = 0;
}

/* Adds bytes of the sequence that are not its end. */
static void
add_bytes(struct wrap_stream *w, const unsigned char *bytes, size_t n, struct buf *out)
{
	/* the bytes of a CSI may come with pauses, and nothing is decided at its end */
	if (w->way == WAY_HELD && (w->parser.introducer == '[' ||
	    (w->held.len + n > TMUX_SEQUENCE_MAX && is_kept(w))))
		release(w, WAY_KEPT, out);
	else if (w->way == WAY_HELD && w->held.len + n > w->limit)
		release(w, WAY_LEFT, out);
	w->size += n;
	put(w, bytes, n, out);
}

/* Prepares for the next sequence. */
static void
forget(struct wrap_stream *w)
{
	if (w->way == WAY_LEFT) {
		w->left_out++;
		w->longest = w->size > w->longest ? w->size : w->longest;
	}
	w->way = WAY_HELD;
	w->size = 0;
}

/* Ends the sequence with the byte `c`; `escape`: an ESC before it is pending. */
static void
end_sequence(struct wrap_stream *w, unsigned char c, bool escape, struct buf *out)
{
	const unsigned char pair[] = { ESC, c };
	const size_t n = escape ? 2 : 1;
	bool fits;

	w->size += n;
	fits = w->size <= w->limit;
	put(w, pair + 2 - n, n, out);
	if (w->way == WAY_HELD)
		release(w, is_kept(w) || (fits && w->draws_sixel &&
		    is_sixel(w->held.data, w->held.len)) ? WAY_KEPT :
		    fits && !w->drops ? WAY_WRAPPED : WAY_LEFT, out);
	forget(w);
}

/* The sequence has no end: passes the buffered bytes. */
static void
cut_sequence(struct wrap_stream *w, struct buf *out)
{
	if (w->way == WAY_HELD)
		release(w, WAY_KEPT, out);
	forget(w);
}

/* ---- the stream ------------------------------------------------------------- */

void
wrap_stream_begin(struct wrap_stream *w)
{
	size_t i;

	for (i = 0; i < w->chain.count; i++)
		if (w->chain.layer[i] == LAYER_TMUX_MAYBE)
			w->chain.layer[i] = LAYER_TMUX;
	if (w->nearest == 0 && w->chain.count > 0)
		w->nearest = 1u << w->chain.layer[0];
	if (w->limit == 0)
		w->limit = WRAP_STREAM_MAX;
	buf_init(&w->held, BUF_NO_LIMIT);
}

void
wrap_stream_feed(struct wrap_stream *w, const void *bytes, size_t n, struct buf *out)
{
	static const unsigned char start[] = { ESC };
	const unsigned char *at = bytes, *end = at + n, *next;
	enum parsed parsed;
	bool escape;
	size_t run;

	if (w->nearest == 0) {
		buf_add(out, bytes, n);
		return;
	}
	while (at < end) {
		run = parse_run(&w->parser, at, (size_t)(end - at));
		if (run > 0) {
			add_bytes(w, at, run, out);
			at += run;
			continue;
		}
		if (w->parser.state == PARSER_TEXT && *at != ESC) {
			next = memchr(at, ESC, (size_t)(end - at));
			run = (size_t)((next != NULL ? next : end) - at);
			buf_add(out, at, run);
			at += run;
			continue;
		}
		/* pending until the next byte: it may end the string or begin a sequence */
		escape = w->parser.state == PARSER_STRING_ESCAPE;
		parsed = parse_byte(&w->parser, *at);
		if (parsed == PARSED_END) {
			end_sequence(w, *at++, escape, out);
		} else if (parsed == PARSED_MORE) {
			if (escape)
				add_bytes(w, start, 1, out);
			if (w->parser.state != PARSER_STRING_ESCAPE)
				add_bytes(w, at, 1, out);
			at++;
		} else {
			cut_sequence(w, out);
			if (parsed == PARSED_CUT_BY_ESCAPE)
				add_bytes(w, start, 1, out);
		}
	}
}

void
wrap_stream_end(struct wrap_stream *w, struct buf *out)
{
	bool escape = w->parser.state == PARSER_STRING_ESCAPE &&
	    (w->way == WAY_HELD || w->way == WAY_KEPT);

	cut_sequence(w, out);
	if (escape)
		buf_add_string(out, "\x1b");
	buf_free(&w->held);
}
