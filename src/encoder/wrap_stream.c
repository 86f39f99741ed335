/* SPDX-License-Identifier: MIT */
/* Wraps the pictures in a stream of output. */
#include "encoder/encoder.h"

#include <string.h>

/* How the current sequence is handled. */
enum {
	WAY_HELD,    /* buffered until its end */
	WAY_KEPT,    /* passed unchanged, if it is long as it arrives */
	WAY_WRAPPED,
	WAY_LEFT     /* too long: omitted */
};

/* ESC P, parameters, q */
static bool
is_sixel(const unsigned char *string, size_t size)
{
	size_t at = 2;

	while (at < size && (string[at] == ';' || isdigit(string[at])))
		at++;
	return at < size && string[1] == 'P' && string[at] == 'q';
}

/* Whether what is held begins an image of kitty, a sixel image or one of iTerm2. */
static bool
is_picture(const struct wrap_stream *w)
{
	static const char iterm2[] = "\x1b]1337;";
	const struct buf *held = &w->held;

	return w->parser.introducer == '_' || is_sixel(held->data, held->len) ||
	    (held->len >= sizeof(iterm2) - 1 &&
	    memcmp(held->data, iterm2, sizeof(iterm2) - 1) == 0);
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
	    (w->held.len + n > TMUX_SEQUENCE_MAX && !is_picture(w))))
		release(w, WAY_KEPT, out);
	else if (w->way == WAY_HELD && w->held.len + n > w->limit && is_picture(w))
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

/* Ends the sequence with the byte `c`, or if `escape` with a pending ESC and `c`. */
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
		release(w, !is_picture(w) ? WAY_KEPT : fits && !w->drops ? WAY_WRAPPED :
		    WAY_LEFT, out);
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
	if (w->limit == 0)
		w->limit = WRAP_STREAM_MAX;
	w->held = (struct buf)BUF_EMPTY;
}

void
wrap_stream_feed(struct wrap_stream *w, const void *bytes, size_t n, struct buf *out)
{
	static const unsigned char start[] = { ESC };
	const unsigned char *at = bytes, *end = at + n, *next;
	enum parsed parsed;
	bool escape;
	size_t run;

	if (w->chain.count == 0 && !w->drops) {
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
