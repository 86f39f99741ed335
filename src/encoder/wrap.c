/* SPDX-License-Identifier: MIT */
/*
 * Passthrough of tmux and Screen; encoder.h shows the bytes.
 *
 * Each part of a sequence passes the layers from the outermost to the nearest. A layer
 * splits a sequence into one or more strings, which are the sequences of the next inner
 * layer, and keeps the state of its string, so that no layer parses or buffers the output
 * of another.
 */
#include "encoder/encoder.h"

#include <string.h>

static const char tmux_prefix[] = "\x1bPtmux;", screen_prefix[] = "\x1bP";

enum {
	TMUX_PREFIX = sizeof(tmux_prefix) - 1,
	SCREEN_PREFIX = sizeof(screen_prefix) - 1,
	SUFFIX = sizeof(ST) - 1
};

/*
 * Bytes of Screen's strings that share one string of tmux. After each of its strings tmux
 * resets the modes of its client, and Screen 5 passes some of that into the open sequence.
 * At 400 kbit/s, more would exceed the 5 seconds that tmux allows for a string.
 */
enum { SHARED_MAX = 256 * 1024 };

/* Passes bytes to the layer inside layer[outer], or to `out` if there is none. */
static void push(struct source *s, size_t outer, const void *bytes, size_t n, enum part part,
    struct buf *out);

static void
close_string(struct source *s, size_t i, enum part part, struct buf *out)
{
	s->layer[i].escape = false;
	s->layer[i].used = 0;
	push(s, i, ST, SUFFIX, part, out);
}

static void
push_to_tmux(struct source *s, size_t i, const unsigned char *bytes, size_t n, enum part part,
    struct buf *out)
{
	struct layer_state *state = &s->layer[i];
	const unsigned char *escape;
	size_t run;

	if (n == 0 && state->used == 0)
		return;
	if (state->used == 0)
		push(s, i, tmux_prefix, TMUX_PREFIX, PART_GOES_ON, out);
	state->used += n;
	for (; n > 0; bytes += run, n -= run) {
		escape = memchr(bytes, ESC, n);
		run = escape != NULL ? (size_t)(escape - bytes) + 1 : n;
		push(s, i, bytes, run, PART_GOES_ON, out);
		if (escape != NULL)
			push(s, i, escape, 1, PART_GOES_ON, out);
	}
	if (part == PART_ENDS || (part == PART_SPLIT && state->used >= SHARED_MAX))
		close_string(s, i, part, out);
}

static void
fill_strings(struct source *s, size_t i, const unsigned char *bytes, size_t n, enum part part,
    struct buf *out)
{
	struct layer_state *state = &s->layer[i];
	const unsigned char *escape;
	size_t run;

	for (; n > 0; bytes += run, n -= run) {
		if (state->used == 0)
			push(s, i, screen_prefix, SCREEN_PREFIX, PART_GOES_ON, out);
		run = SCREEN_STRING_MAX - state->used;
		run = n < run ? n : run;
		escape = memchr(bytes, ESC, run);
		/* stop after an ESC, to check the next byte */
		if (escape != NULL)
			run = (size_t)(escape - bytes) + 1;
		/* a string must not contain ST: end it before the backslash */
		if (state->escape && bytes[0] == '\\')
			run = 0;
		if (run > 0)
			push(s, i, bytes, run, PART_GOES_ON, out);
		state->used += run;
		state->escape = run > 0 && bytes[run - 1] == ESC;
		if (run == 0 || state->used == SCREEN_STRING_MAX)
			close_string(s, i, run < n || part != PART_ENDS ? PART_SPLIT : PART_ENDS,
			    out);
	}
}

/* The ST of an OSC becomes BEL, which need not be split. */
static void
push_to_screen(struct source *s, size_t i, const unsigned char *bytes, size_t n, enum part part,
    struct buf *out)
{
	static const unsigned char bell = BEL;
	struct layer_state *state = &s->layer[i];
	bool ends = part != PART_GOES_ON, rings;

	if (!state->begun)
		state->osc = n >= 2 && bytes[0] == ESC && bytes[1] == ']';
	state->begun = !ends;
	rings = ends && state->osc && n >= SUFFIX &&
	    memcmp(bytes + n - SUFFIX, ST, SUFFIX) == 0;
	if (rings) {
		fill_strings(s, i, bytes, n - SUFFIX, PART_GOES_ON, out);
		fill_strings(s, i, &bell, 1, part, out);
	} else {
		fill_strings(s, i, bytes, n, part, out);
	}
	if (ends && state->used > 0)
		close_string(s, i, part, out);
	else if (ends)
		push(s, i, "", 0, part, out);
}

/*
 * Whether this pass skips the layer, a tmux with unknown options. Each such layer doubles
 * the passes; the nearest one changes least often.
 */
static bool
is_stepped_over(const struct source *s, size_t i)
{
	size_t outer, bit = 0;

	if (s->chain->layer[i] != LAYER_TMUX_MAYBE)
		return false;
	for (outer = i + 1; outer < s->chain->count; outer++)
		bit += s->chain->layer[outer] == LAYER_TMUX_MAYBE;
	return (s->pass >> bit & 1) == 0;
}

static void
push(struct source *s, size_t outer, const void *bytes, size_t n, enum part part,
    struct buf *out)
{
	size_t i = outer;

	while (i > 0 && is_stepped_over(s, i - 1))
		i--;
	if (i == 0)
		buf_add(out, bytes, n);
	else if (s->chain->layer[i - 1] == LAYER_SCREEN)
		push_to_screen(s, i - 1, bytes, n, part, out);
	else
		push_to_tmux(s, i - 1, bytes, n, part, out);
}

void
wrap_part(struct source *s, const void *bytes, size_t n, enum part part, struct buf *out)
{
	push(s, s->chain->count, bytes, n, part, out);
}

unsigned
wrap_passes(const struct chain *chain)
{
	unsigned passes = 1;
	size_t i;

	for (i = 0; i < chain->count; i++)
		passes <<= chain->layer[i] == LAYER_TMUX_MAYBE;
	return passes;
}

size_t
wrap_limit(const struct chain *chain)
{
	/* an OSC has two ESC; a layer doubles them and adds two more */
	size_t i, limit = 0, grown = 0, escapes = 2;

	for (i = chain->count; i-- > 0 && chain->layer[i] != LAYER_SCREEN;) {
		limit = TMUX_SEQUENCE_MAX - grown;
		grown += TMUX_PREFIX + SUFFIX + escapes;
		escapes = 2 * escapes + 2;
	}
	return limit;
}

/* ---- sequences in parts ----------------------------------------------------- */

void
source_init(struct source *s, source_part *part, const void *payload, size_t n)
{
	*s = (struct source){ .part = part, .payload = payload, .size = n };
	buf_init(&s->bare, BUF_NO_LIMIT);
}

void
source_wrap(struct source *s, const struct chain *chain)
{
	s->chain = chain->count > 0 ? chain : NULL;
}

/* Only layers need to know where sequences begin and end. */
static enum part
bytes_part(struct source *s, struct buf *out)
{
	struct source_position *p = &s->position;
	enum sequence_kind kind;
	size_t n;

	if (p->at == s->size)
		return PART_NONE;
	if (p->at == p->end)
		p->end = s->chain == NULL ? s->size : p->at +
		    sequence_next(s->payload + p->at, s->size - p->at, &kind);
	n = p->end - p->at;
	/* leave at least two bytes for the next part: an ST must not be split */
	if (n > SOURCE_PART)
		n = n == SOURCE_PART + 1 ? SOURCE_PART - 1 : SOURCE_PART;
	buf_add(out, s->payload + p->at, n);
	p->at += n;
	return p->at == p->end ? PART_ENDS : PART_GOES_ON;
}

void
source_bytes(struct source *s, const void *bytes, size_t n)
{
	source_init(s, bytes_part, bytes, n);
}

bool
source_next(struct source *s, struct buf *out)
{
	enum part part;

	if (s->chain == NULL)
		return s->part(s, out) != PART_NONE;
	s->bare.len = 0;
	/* LAYER_TMUX_MAYBE: start over for the next pass */
	while ((part = s->part(s, &s->bare)) == PART_NONE) {
		if (++s->pass >= wrap_passes(s->chain))
			return false;
		s->position = (struct source_position){ .at = 0 };
	}
	wrap_part(s, s->bare.data, s->bare.len, part, out);
	return true;
}

void
source_all(struct source *s, struct buf *out)
{
	while (source_next(s, out))
		continue;
}

void
source_free(struct source *s)
{
	buf_free(&s->bare);
}

/* ---- aborting a sequence ---------------------------------------------------- */

/* Wraps all of `b` in one layer, and replaces the first `skip` bytes of that with `lead`. */
static void
enclose(struct buf *b, enum layer layer, size_t skip, const char *lead)
{
	const struct chain chain = { 1, { layer } };
	struct source source = { .chain = &chain };
	struct buf out = BUF_EMPTY;

	wrap_part(&source, b->data, b->len, PART_ENDS, &out);
	b->len = 0;
	buf_add_string(b, lead);
	buf_add(b, out.data + skip, out.len - skip);
	buf_free(&out);
}

/*
 * Builds two forms from the outermost layer inwards: `out` for a string that was cut off,
 * `behind` for one that is complete, so that nothing is printed. For Screen, the backslash
 * completes an ST or makes the base64 invalid; for tmux, the rest of the string suffices.
 * Between two strings, tmux interprets the first form itself, so the second follows it.
 */
void
wrap_abort(struct buf *out, const char *abort, const struct chain *chain)
{
	struct buf behind = BUF_EMPTY;
	size_t i;

	buf_add_string(out, abort);
	buf_add_string(&behind, abort);
	for (i = chain->count; i-- > 0;) {
		if (chain->layer[i] == LAYER_SCREEN) {
			enclose(out, LAYER_SCREEN, 0, "\\\x1b\\");
			enclose(&behind, LAYER_SCREEN, 0, "\x1b\\");
			continue;
		}
		enclose(out, LAYER_TMUX, TMUX_PREFIX, "");
		enclose(&behind, LAYER_TMUX, 0, "");
		if (i + 1 < chain->count)
			buf_add(out, behind.data, behind.len);
	}
	buf_free(&behind);
}

/* ---- chains -------------------------------------------------------------- */

static const char *const layer_words[] = {
	[LAYER_TMUX] = "tmux",
	[LAYER_SCREEN] = "screen",
	[LAYER_TMUX_MAYBE] = "tmux?",
};

enum { LAYERS = sizeof(layer_words) / sizeof(layer_words[0]) };

bool
chain_add(struct chain *chain, enum layer layer)
{
	if (chain->count == CHAIN_MAX)
		return false;
	chain->layer[chain->count++] = layer;
	return true;
}

bool
chain_has(const struct chain *chain, enum layer layer)
{
	size_t i;

	for (i = 0; i < chain->count; i++)
		if (chain->layer[i] == layer)
			return true;
	return false;
}

bool
chain_parse(struct chain *chain, const char *text)
{
	size_t n, i;

	chain->count = 0;
	if (strcmp(text, "none") == 0)
		return true;
	for (;; text += n + 1) {
		n = strcspn(text, ",");
		for (i = 0; i < LAYERS; i++)
			if (strlen(layer_words[i]) == n && memcmp(layer_words[i], text, n) == 0)
				break;
		if (i == LAYERS || !chain_add(chain, (enum layer)i))
			return false;
		if (text[n] == '\0')
			return true;
	}
}

void
chain_format(const struct chain *chain, char *text)
{
	size_t i;

	strcpy(text, chain->count == 0 ? "none" : "");
	for (i = 0; i < chain->count; i++) {
		if (i > 0)
			strcat(text, ",");
		strcat(text, layer_words[chain->layer[i]]);
	}
}
