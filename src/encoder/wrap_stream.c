/* SPDX-License-Identifier: MIT */
/* Wraps the sequences of a stream; the contract is in wrap_stream.h. */
#include "encoder/wrap_stream.h"

#include <string.h>

enum { BEL = 0x07, CAN = 0x18, SUB = 0x1a, ESC = 0x1b };

/* Where the parser is. */
enum {
	AT_TEXT,
	AT_ESCAPE,       /* behind an ESC outside strings */
	AT_STRING,
	AT_STRING_ESCAPE /* behind an ESC in a string */
};

/* What becomes of the present string. */
enum {
	WAY_OPEN,   /* too few bytes to tell, which are held */
	WAY_KEPT,   /* passes unchanged, as it comes */
	WAY_NESTED, /* the same, for one that is wrapped already: it has ESC in it */
	WAY_TMUX,   /* the same, wrapped for tmux: an ESC takes the next byte with it */
	WAY_HELD,   /* held until its end */
	WAY_PARTS,  /* too long to be held: wrapped as it comes */
	WAY_LEFT    /* too long for the chain: left out */
};

/* Enough to tell: ESC P tmux; and no more, for an ESC may follow. */
enum { HEAD = 7 };

/* ---- which are wrapped ---------------------------------------------------- */

enum { BY_TMUX = 1 << LAYER_TMUX, BY_SCREEN = 1 << LAYER_SCREEN,
	BY_BOTH = BY_TMUX | BY_SCREEN };

/*
 * How the strings begin that the nearest multiplexer interprets, or that belong to the
 * text it draws: wrapped, they would act on the terminal behind its back. tmux 3.3 to
 * 3.7 input.c, input_exit_osc() and input_exit_rename(); Screen 4.9 and 5.0 ansi.c,
 * StringEnd(). APC is not here: tmux and Screen take it for a title, so kitty's
 * graphics must not reach them.
 */
static const struct {
	char head[6];
	unsigned char by; /* of the layers, by bits */
} interpreted[] = {
	{ "]0;", BY_BOTH }, { "]1;", BY_BOTH }, { "]2;", BY_BOTH }, /* the pane's title */
	{ "k", BY_BOTH },       /* the window's name; terminals print it */
	{ "]8;", BY_BOTH },     /* a hyperlink: it belongs to the text around it */
	{ "]133;", BY_BOTH },   /* marks a row, which only the multiplexer can place */
	{ "]4;", BY_TMUX }, { "]104", BY_TMUX }, /* colors, of which tmux has its own */
	{ "]10;", BY_TMUX }, { "]11;", BY_TMUX }, { "]12;", BY_TMUX },
	{ "]110", BY_TMUX }, { "]111", BY_TMUX }, { "]112", BY_TMUX },
	{ "]7;", BY_TMUX },     /* the pane's directory */
	{ "]83;", BY_SCREEN },  /* a command for Screen */
	{ "^", BY_SCREEN },     /* a message in its status line */
};

static bool
begins_with(const struct buf *held, const char *head)
{
	size_t n = strlen(head);

	return held->len > n && memcmp(held->data + 1, head, n) == 0;
}

static bool
is_interpreted(const struct wrap_stream *w)
{
	unsigned nearest = 1u << w->settings.chain.layer[0];
	size_t i;

	for (i = 0; i < sizeof(interpreted) / sizeof(interpreted[0]); i++)
		if ((interpreted[i].by & nearest) != 0 &&
		    begins_with(&w->held, interpreted[i].head))
			return true;
	return (w->settings.tmux_copies && begins_with(&w->held, "]52;")) ||
	    (w->settings.tmux_progress && begins_with(&w->held, "]9;4;"));
}

/* ESC P, parameters, q: tmux next-3.8 input.c, input_dcs_dispatch(). */
static bool
is_sixel(const struct buf *held)
{
	size_t at = 2;

	while (at < held->len && (held->data[at] == ';' ||
	    (held->data[at] >= '0' && held->data[at] <= '9')))
		at++;
	return at < held->len && held->data[1] == 'P' && held->data[at] == 'q';
}

/* By the beginning of the string, or all of it. */
static void
choose_way(struct wrap_stream *w)
{
	if (begins_with(&w->held, "Ptmux;"))
		w->way = WAY_TMUX;
	else
		w->way = is_interpreted(w) ? WAY_KEPT : WAY_HELD;
}

/* ---- what becomes of them -------------------------------------------------- */

static bool
pass_held(struct wrap_stream *w, struct buf *out)
{
	bool fine = w->held.len == 0 || buf_add(out, w->held.data, w->held.len);

	w->held.len = 0;
	return fine;
}

static void
count_left_out(struct wrap_stream *w)
{
	w->left_out++;
	if (w->size > w->longest)
		w->longest = w->size;
	w->held.len = 0;
}

static bool
wrap_held(struct wrap_stream *w, enum part part, struct buf *out)
{
	bool fine = wrap_part(&w->source, w->held.data, w->held.len, part, out);

	w->held.len = 0;
	return fine;
}

/* What would be too long with `n` bytes more is held no longer. */
static bool
make_room(struct wrap_stream *w, size_t n, struct buf *out)
{
	if (w->way != WAY_HELD || w->held.len + n <= WRAP_STREAM_HELD)
		return true;
	if (w->settings.drops || w->settings.limit != 0) {
		w->held.len = 0;
		w->way = WAY_LEFT;
		return true;
	}
	w->way = WAY_PARTS;
	return wrap_held(w, PART_GOES_ON, out);
}

/* Adds bytes of the string, its end not among them. */
static bool
add_to_string(struct wrap_stream *w, const unsigned char *bytes, size_t n, struct buf *out)
{
	if (n == 0)
		return true;
	w->size += n;
	if (!make_room(w, n, out))
		return false;
	switch (w->way) {
	case WAY_OPEN:
	case WAY_HELD:
		return buf_add(&w->held, bytes, n);
	case WAY_PARTS:
		return wrap_part(&w->source, bytes, n, PART_GOES_ON, out);
	case WAY_LEFT:
		return true;
	default:
		return buf_add(out, bytes, n);
	}
}

/* A string that was held, or left out, has ended. */
static bool
pass_complete(struct wrap_stream *w, struct buf *out)
{
	bool fits = w->way != WAY_LEFT &&
	    (w->settings.limit == 0 || w->size <= w->settings.limit);

	if (fits && w->settings.tmux_sixel && is_sixel(&w->held))
		return pass_held(w, out);
	if (fits && !w->settings.drops)
		return wrap_held(w, PART_ENDS, out);
	count_left_out(w);
	return true;
}

static bool
end_string(struct wrap_stream *w, const char *end, size_t n, struct buf *out)
{
	w->state = AT_TEXT;
	w->size += n;
	if (w->way == WAY_PARTS)
		return wrap_part(&w->source, end, n, PART_ENDS, out);
	if (w->way <= WAY_TMUX && w->way != WAY_OPEN)
		return buf_add(out, end, n);
	if (w->way != WAY_LEFT && !buf_add(&w->held, end, n))
		return false;
	if (w->way == WAY_OPEN) {
		choose_way(w);
		if (w->way != WAY_HELD)
			return pass_held(w, out);
	}
	return pass_complete(w, out);
}

/* It has no end: what is held passes, what was wrapped so far is aborted. */
static bool
cut_string(struct wrap_stream *w, struct buf *out)
{
	w->state = AT_TEXT;
	if (w->way == WAY_LEFT)
		count_left_out(w);
	if (w->way == WAY_PARTS)
		return wrap_part(&w->source, SEQUENCE_ABORT, strlen(SEQUENCE_ABORT),
		    PART_ENDS, out);
	return pass_held(w, out);
}

/* ---- the parser ------------------------------------------------------------- */

static size_t
find_escape(const unsigned char *bytes, size_t n)
{
	const unsigned char *escape = memchr(bytes, ESC, n);

	return escape != NULL ? (size_t)(escape - bytes) : n;
}

static bool
begin_string(struct wrap_stream *w, unsigned char introducer)
{
	const unsigned char head[] = { ESC, introducer };

	w->state = AT_STRING;
	w->way = WAY_OPEN;
	w->introducer = introducer;
	w->size = sizeof(head);
	return buf_add(&w->held, head, sizeof(head));
}

/* The byte behind an ESC. */
static bool
parse_after_escape(struct wrap_stream *w, unsigned char c, struct buf *out)
{
	static const char strings[] = "]PX^_k";

	if (memchr(strings, c, sizeof(strings) - 1) != NULL)
		return begin_string(w, c);
	w->state = c == ESC ? AT_ESCAPE : AT_TEXT;
	return buf_add(out, "\x1b", 1) && (c == ESC || buf_add(out, &c, 1));
}

static bool
has_escapes(const struct wrap_stream *w)
{
	return w->way == WAY_NESTED || w->way == WAY_TMUX;
}

static bool
ends_run(const struct wrap_stream *w, unsigned char c, bool osc)
{
	return c == ESC || (c == BEL && osc) ||
	    ((c == CAN || c == SUB) && !has_escapes(w));
}

/* The bytes of a string up to one that may end it, or up to `n`; at least one. */
static size_t
string_run(const struct wrap_stream *w, const unsigned char *bytes, size_t n)
{
	size_t at = 0;

	if (w->way == WAY_OPEN && n > HEAD - w->held.len)
		n = HEAD - w->held.len;
	if (w->introducer != ']' && !has_escapes(w))
		while (at < n && bytes[at] != ESC && bytes[at] != CAN && bytes[at] != SUB)
			at++;
	else
		while (at < n && !ends_run(w, bytes[at], w->introducer == ']'))
			at++;
	return at;
}

/* What is wrapped for Screen begins with ESC, which no other DCS does. */
static bool
note_escape(struct wrap_stream *w, struct buf *out)
{
	w->state = AT_STRING_ESCAPE;
	if (w->way != WAY_OPEN || w->held.len != 2 || w->introducer != 'P')
		return true;
	w->way = WAY_NESTED;
	return pass_held(w, out);
}

/* Parses bytes in a string and moves `*at` behind them. */
static bool
parse_string(struct wrap_stream *w, const unsigned char *bytes, size_t n, size_t *at,
    struct buf *out)
{
	size_t run = string_run(w, bytes + *at, n - *at);
	unsigned char c;

	if (!add_to_string(w, bytes + *at, run, out))
		return false;
	*at += run;
	if (w->way == WAY_OPEN && w->held.len == HEAD) {
		choose_way(w);
		return w->way == WAY_HELD || pass_held(w, out);
	}
	if (*at == n)
		return true;
	c = bytes[(*at)++];
	if (c == ESC)
		return note_escape(w, out);
	if (c == BEL)
		return end_string(w, "\a", 1, out);
	return cut_string(w, out) && buf_add(out, &c, 1);
}

/* The byte behind an ESC in a string. */
static bool
parse_string_escape(struct wrap_stream *w, unsigned char c, struct buf *out)
{
	const unsigned char pair[] = { ESC, c };

	if (c == '\\')
		return end_string(w, "\x1b\\", 2, out);
	if (!has_escapes(w))
		return cut_string(w, out) && parse_after_escape(w, c, out);
	/* for Screen the second ESC of a pair may begin an ST */
	w->state = c == ESC && w->way == WAY_NESTED ? AT_STRING_ESCAPE : AT_STRING;
	return add_to_string(w, pair, w->state == AT_STRING ? 2 : 1, out);
}

/* ---- the stream ------------------------------------------------------------- */

void
wrap_stream_init(struct wrap_stream *w, const struct wrap_stream_settings *settings)
{
	size_t i;

	*w = (struct wrap_stream){ .settings = *settings };
	for (i = 0; i < w->settings.chain.count; i++)
		if (w->settings.chain.layer[i] == LAYER_TMUX_MAYBE)
			w->settings.chain.layer[i] = LAYER_TMUX;
	source_bytes(&w->source, "", 0);
	source_wrap(&w->source, &w->settings.chain);
	/* the end of a sequence comes on top */
	buf_init(&w->held, WRAP_STREAM_HELD + 2);
}

void
wrap_stream_free(struct wrap_stream *w)
{
	source_free(&w->source);
	buf_free(&w->held);
}

bool
wrap_stream_feed(struct wrap_stream *w, const void *bytes, size_t n, struct buf *out)
{
	const unsigned char *from = bytes;
	size_t at = 0, run;
	bool fine = true;

	if (w->settings.chain.count == 0)
		return n == 0 || buf_add(out, bytes, n);
	while (fine && at < n) {
		switch (w->state) {
		case AT_TEXT:
			run = find_escape(from + at, n - at);
			fine = run == 0 || buf_add(out, from + at, run);
			at += run;
			if (at < n) {
				w->state = AT_ESCAPE;
				at++;
			}
			break;
		case AT_ESCAPE:
			fine = parse_after_escape(w, from[at++], out);
			break;
		case AT_STRING:
			fine = parse_string(w, from, n, &at, out);
			break;
		default:
			fine = parse_string_escape(w, from[at++], out);
		}
	}
	return fine;
}

bool
wrap_stream_end(struct wrap_stream *w, struct buf *out)
{
	bool escape = w->state == AT_ESCAPE || w->state == AT_STRING_ESCAPE;
	bool gone = w->way == WAY_PARTS || w->way == WAY_LEFT, fine = true;

	if (w->state == AT_STRING || w->state == AT_STRING_ESCAPE)
		fine = cut_string(w, out);
	else
		gone = false;
	w->state = AT_TEXT;
	return fine && (!escape || gone || buf_add(out, "\x1b", 1));
}
