/* SPDX-License-Identifier: MIT */
/*
 * Passthrough of tmux and Screen; the bytes are drawn in encoder.h.
 *
 * A part of a sequence goes through the layers from the outermost to the
 * nearest. Each makes of a sequence one or more strings, which are the sequences of
 * the next layer inwards, and remembers how far it is in them: no layer has to find
 * out again where the other's strings end, and none holds more than a part.
 */
#include "encoder/encoder.h"

#include <string.h>

enum { BEL = 0x07, ESC = 0x1b };

static const char tmux_prefix[] = "\x1bPtmux;", screen_prefix[] = "\x1bP",
		  suffix[] = "\x1b\\";

enum {
	TMUX_PREFIX = sizeof(tmux_prefix) - 1,
	SCREEN_PREFIX = sizeof(screen_prefix) - 1,
	SUFFIX = sizeof(suffix) - 1
};

/* A part of a sequence on its way; `ends`: the sequence ends with it. */
struct run {
	const unsigned char *bytes;
	size_t n;
	bool ends;
};

/* Hands a run to the layer in front of layer[outer]; behind the last is `out`. */
static bool push(struct source *s, size_t outer, struct run run, struct buf *out);

static bool
push_bytes(struct source *s, size_t outer, const void *bytes, size_t n, bool ends,
    struct buf *out)
{
	return push(s, outer, (struct run){ bytes, n, ends }, out);
}

static bool
close_string(struct source *s, size_t i, struct buf *out)
{
	struct layer_state *state = &s->layer[i];

	state->open = state->escape = false;
	state->used = 0;
	return push_bytes(s, i, suffix, SUFFIX, true, out);
}

static bool
push_to_tmux(struct source *s, size_t i, struct run run, struct buf *out)
{
	struct layer_state *state = &s->layer[i];
	const unsigned char *escape;
	size_t n;

	if (!state->open &&
	    !push_bytes(s, i, tmux_prefix, TMUX_PREFIX, false, out))
		return false;
	state->open = true;
	for (; run.n > 0; run.bytes += n, run.n -= n) {
		escape = memchr(run.bytes, ESC, run.n);
		n = escape != NULL ? (size_t)(escape - run.bytes) + 1 : run.n;
		if (!push_bytes(s, i, run.bytes, n, false, out) ||
		    (escape != NULL && !push_bytes(s, i, escape, 1, false, out)))
			return false;
	}
	return !run.ends || close_string(s, i, out);
}

/* How much of it the string takes; 0: the string has to end in front of it. */
static size_t
screen_takes(const struct layer_state *state, const struct run *run)
{
	size_t room = SCREEN_STRING_MAX - state->used;
	size_t n = run->n < room ? run->n : room;
	const unsigned char *escape = memchr(run->bytes, ESC, n);

	if (state->escape && run->bytes[0] == '\\')
		return 0;
	/* what is behind an ESC is seen to in the next step */
	return escape != NULL ? (size_t)(escape - run->bytes) + 1 : n;
}

static bool
fill_strings(struct source *s, size_t i, struct run run, struct buf *out)
{
	struct layer_state *state = &s->layer[i];
	size_t n;

	for (; run.n > 0; run.bytes += n, run.n -= n) {
		if (!state->open && !push_bytes(s, i, screen_prefix,
		    SCREEN_PREFIX, false, out))
			return false;
		state->open = true;
		n = screen_takes(state, &run);
		if (n > 0 && !push_bytes(s, i, run.bytes, n, false, out))
			return false;
		state->used += n;
		state->escape = n > 0 && run.bytes[n - 1] == ESC;
		if ((n == 0 || state->used == SCREEN_STRING_MAX) &&
		    !close_string(s, i, out))
			return false;
	}
	return true;
}

/* ST of an OSC becomes BEL, so that Screen need not cut it in two. */
static bool
push_to_screen(struct source *s, size_t i, struct run run, struct buf *out)
{
	static const unsigned char bell = BEL;
	struct layer_state *state = &s->layer[i];
	bool ends = run.ends, rings;

	if (!state->begun)
		state->osc = run.n >= 2 && run.bytes[0] == ESC && run.bytes[1] == ']';
	state->begun = !ends;
	rings = ends && state->osc && run.n >= SUFFIX &&
	    memcmp(run.bytes + run.n - SUFFIX, suffix, SUFFIX) == 0;
	if (rings)
		run.n -= SUFFIX;
	return fill_strings(s, i, run, out) &&
	    (!rings || fill_strings(s, i, (struct run){ &bell, 1, ends }, out)) &&
	    (!ends || !state->open || close_string(s, i, out));
}

/*
 * Whether this pass goes through a tmux that cannot be asked as if it were none. All
 * sequences go by it twice for each, so the nearest changes least often.
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

static bool
push(struct source *s, size_t outer, struct run run, struct buf *out)
{
	size_t i;

	for (i = outer; i > 0 && is_stepped_over(s, i - 1);)
		i--;
	if (i == 0)
		return buf_add(out, run.bytes, run.n);
	return (s->chain->layer[i - 1] == LAYER_SCREEN ? push_to_screen :
	    push_to_tmux)(s, i - 1, run, out);
}

bool
wrap_part(struct source *s, const void *bytes, size_t n, enum part part,
    struct buf *out)
{
	return push_bytes(s, s->chain->count, bytes, n, part == PART_ENDS, out);
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
	/* an OSC has two ESC; a layer doubles them and adds two of its own */
	size_t i, limit = 0, grown = 0, escapes = 2;

	for (i = chain->count; i-- > 0 && chain->layer[i] != LAYER_SCREEN;) {
		limit = TMUX_SEQUENCE_MAX - grown;
		grown += TMUX_PREFIX + SUFFIX + escapes;
		escapes = 2 * escapes + 2;
	}
	return limit;
}

/* ---- what stops a sequence ------------------------------------------------- */

/* Puts one layer around all of `b`, without the first `skip` bytes of what it makes. */
static bool
enclose(struct buf *b, enum layer layer, size_t skip)
{
	const struct chain chain = { 1, { layer } };
	struct source source = { .chain = &chain };
	struct buf out;
	bool fine;

	buf_init(&out, b->max);
	fine = wrap_part(&source, b->data, b->len, PART_ENDS, &out);
	b->len = 0;
	fine = fine && (out.len == skip || buf_add(b, out.data + skip, out.len - skip));
	if (!fine && b->fault == BUF_FINE)
		b->fault = out.fault;
	buf_free(&out);
	return fine;
}

static bool
begin_with(struct buf *b, const char *lead)
{
	size_t n = strlen(lead);

	if (!buf_open_front(b, n))
		return false;
	memcpy(b->data, lead, n);
	return true;
}

/*
 * One layer more around the bytes that stop a sequence cut off within it. The
 * backslash completes an ST that was begun, or spoils the base64; of a string of
 * tmux the rest is enough.
 */
static bool
stop_within(struct buf *b, enum layer layer)
{
	return layer == LAYER_SCREEN ? enclose(b, layer, 0) &&
	    begin_with(b, "\\\x1b\\") : enclose(b, LAYER_TMUX, TMUX_PREFIX);
}

/* The same for a layer whose own string has ended: nothing of it may show. */
static bool
stop_behind(struct buf *b, enum layer layer)
{
	return layer == LAYER_SCREEN ? enclose(b, layer, 0) &&
	    begin_with(b, "\x1b\\") : enclose(b, LAYER_TMUX, 0);
}

/*
 * From the outside inwards, in two forms at once: `within` for strings that
 * were cut off, `behind` for strings that have ended. Between two strings tmux
 * takes the first form for its own, so the second follows it.
 */
static bool
stop(struct buf *within, struct buf *behind, const struct chain *chain)
{
	size_t i;
	bool tells_twice;

	for (i = chain->count; i-- > 0;) {
		tells_twice = i + 1 < chain->count &&
		    chain->layer[i] != LAYER_SCREEN;
		if (!stop_within(within, chain->layer[i]) ||
		    !stop_behind(behind, chain->layer[i]) ||
		    (tells_twice && !buf_add(within, behind->data, behind->len)))
			return false;
	}
	return true;
}

bool
wrap_abort(struct buf *out, const char *abort, const struct chain *chain)
{
	struct buf ended;
	bool fine;

	buf_init(&ended, out->max);
	fine = buf_add_string(out, abort) && buf_add_string(&ended, abort) &&
	    stop(out, &ended, chain);
	if (!fine && out->fault == BUF_FINE)
		out->fault = ended.fault;
	buf_free(&ended);
	return fine;
}

/* ---- the words of a chain ----------------------------------------------- */

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

static bool
add_layer(struct chain *chain, const char *word, size_t n)
{
	size_t i;

	for (i = 0; i < LAYERS; i++)
		if (strlen(layer_words[i]) == n &&
		    memcmp(layer_words[i], word, n) == 0)
			return chain_add(chain, (enum layer)i);
	return false;
}

bool
chain_parse(struct chain *chain, const char *text)
{
	size_t n;

	chain->count = 0;
	if (strcmp(text, "none") == 0)
		return true;
	for (;; text += n + 1) {
		n = strcspn(text, ",");
		if (!add_layer(chain, text, n))
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
