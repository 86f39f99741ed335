/* SPDX-License-Identifier: MIT */
/*
 * Passthrough of tmux and Screen; the bytes are drawn in encoder.h.
 *
 * The bytes are held as pieces: at first one for each sequence, and each layer
 * makes of every piece one or more strings that are the pieces of the next
 * layer inwards. So no layer has to find out again where the other's strings
 * end, and all of it happens in the one buf.
 */
#include "encoder/encoder.h"

#include <stdlib.h>
#include <string.h>

enum { BEL = 0x07, ESC = 0x1b };

struct pieces {
	struct buf *bytes;
	/* where each piece ends; a buf of size_t */
	struct buf ends;
};

/* What a layer puts around each piece. */
struct wrapping {
	const char *prefix, *suffix;
	bool doubles_escapes;
};

static const struct wrapping tmux = { "\x1bPtmux;", "\x1b\\", true };
static const struct wrapping screen = { "\x1bP", "\x1b\\", false };

static size_t
piece_count(const struct pieces *p)
{
	return p->ends.len / sizeof(size_t);
}

static size_t *
piece_ends(const struct pieces *p)
{
	return (size_t *)(void *)p->ends.data;
}

static size_t
piece_start(const struct pieces *p, size_t i)
{
	return i == 0 ? 0 : piece_ends(p)[i - 1];
}

static bool
add_end(struct buf *ends, size_t end)
{
	return buf_add(ends, &end, sizeof(end));
}

/* Running out of memory for the ends is running out of it for the bytes. */
static bool
settle(struct pieces *p, bool fine)
{
	if (!fine && p->bytes->fault == BUF_FINE)
		p->bytes->fault = BUF_NO_MEMORY;
	return fine;
}

static bool
split(struct pieces *p)
{
	enum sequence_kind kind;
	size_t at = 0;

	while (at < p->bytes->len) {
		at += sequence_next(p->bytes->data + at, p->bytes->len - at, &kind);
		if (!add_end(&p->ends, at))
			return false;
	}
	return true;
}

static size_t
count_escapes(const unsigned char *bytes, size_t n)
{
	const unsigned char *end = bytes + n, *at = bytes;
	size_t count = 0;

	while ((at = memchr(at, ESC, (size_t)(end - at))) != NULL) {
		count++;
		if (++at == end)
			break;
	}
	return count;
}

/*
 * Moves the `n` bytes that end at `from_end` so that they end at `to_end`,
 * every ESC twice. The target lies behind: from the back to the front.
 */
static void
move_doubling(unsigned char *data, size_t from_end, size_t to_end, size_t n)
{
	while (n-- > 0) {
		data[--to_end] = data[--from_end];
		if (data[to_end] == ESC)
			data[--to_end] = ESC;
	}
}

/* Puts `w` around every piece from number `first` on. */
static bool
enclose(struct pieces *p, size_t first, const struct wrapping *w)
{
	size_t prefix = strlen(w->prefix), suffix = strlen(w->suffix);
	size_t i, start, length, grown, to, count = piece_count(p);
	size_t from = first < count ? piece_start(p, first) : p->bytes->len;
	size_t growth = (count - first) * (prefix + suffix);
	unsigned char *data;

	if (w->doubles_escapes && from < p->bytes->len)
		growth += count_escapes(p->bytes->data + from, p->bytes->len - from);
	if (!buf_reserve(p->bytes, growth))
		return false;
	data = p->bytes->data;
	to = p->bytes->len += growth;
	for (i = count; i-- > first;) {
		start = piece_start(p, i);
		length = grown = piece_ends(p)[i] - start;
		if (w->doubles_escapes && length > 0)
			grown += count_escapes(data + start, length);
		piece_ends(p)[i] = to;
		to -= suffix;
		memcpy(data + to, w->suffix, suffix);
		if (grown == length)
			memmove(data + to - length, data + start, length);
		else
			move_doubling(data, start + length, to, length);
		to -= grown + prefix;
		memcpy(data + to, w->prefix, prefix);
	}
	return true;
}

/* ST of an OSC becomes BEL, so that Screen need not cut it in two. */
static void
end_osc_with_bell(struct pieces *p)
{
	unsigned char *data = p->bytes->data;
	size_t i, length, from = 0, to = 0, end;

	for (i = 0; i < piece_count(p); i++, from = end) {
		end = piece_ends(p)[i];
		length = end - from;
		memmove(data + to, data + from, length);
		if (length >= 4 && data[to + 1] == ']' &&
		    memcmp(data + to + length - 2, "\x1b\\", 2) == 0) {
			length--;
			data[to + length - 1] = BEL;
		}
		to += length;
		piece_ends(p)[i] = to;
	}
	p->bytes->len = to;
}

/* How much of what is left of a piece fits into one string of Screen. */
static size_t
screen_cut(const unsigned char *bytes, size_t n)
{
	size_t i, limit = n < SCREEN_STRING_MAX ? n : SCREEN_STRING_MAX;

	for (i = 0; i + 1 < n && i < limit; i++)
		if (bytes[i] == ESC && bytes[i + 1] == '\\')
			return i + 1;
	return limit;
}

static bool
cut_for_screen(struct pieces *p)
{
	struct buf ends;
	size_t i, at = 0;

	buf_init(&ends, p->ends.max);
	for (i = 0; i < piece_count(p); i++)
		while (at < piece_ends(p)[i]) {
			at += screen_cut(p->bytes->data + at,
			    piece_ends(p)[i] - at);
			if (!add_end(&ends, at)) {
				buf_free(&ends);
				return false;
			}
		}
	buf_free(&p->ends);
	p->ends = ends;
	return true;
}

/* All pieces once more, behind the others. */
static bool
duplicate(struct pieces *p)
{
	size_t i, size = p->bytes->len, count = piece_count(p);

	if (!buf_reserve(p->bytes, size) ||
	    !buf_reserve(&p->ends, p->ends.len))
		return false;
	memcpy(p->bytes->data + size, p->bytes->data, size);
	p->bytes->len = 2 * size;
	for (i = 0; i < count; i++)
		piece_ends(p)[count + i] = size + piece_ends(p)[i];
	p->ends.len *= 2;
	return true;
}

static bool
put_on(struct pieces *p, enum layer layer)
{
	size_t count = piece_count(p);

	switch (layer) {
	case LAYER_TMUX:
		return enclose(p, 0, &tmux);
	case LAYER_TMUX_MAYBE:
		return duplicate(p) && enclose(p, count, &tmux);
	case LAYER_SCREEN:
		end_osc_with_bell(p);
		return cut_for_screen(p) && enclose(p, 0, &screen);
	}
	abort();
}

bool
wrap(struct buf *b, const struct chain *chain)
{
	struct pieces p = { .bytes = b };
	size_t i;
	bool fine;

	if (chain->count == 0 || b->len == 0)
		return true;
	buf_init(&p.ends, (size_t)-1 / 2);
	fine = split(&p);
	for (i = chain->count; fine && i-- > 0;)
		fine = put_on(&p, chain->layer[i]);
	buf_free(&p.ends);
	return settle(&p, fine);
}

size_t
wrap_limit(const struct chain *chain)
{
	/* an OSC has two ESC; a layer doubles them and adds two of its own */
	size_t i, limit = 0, grown = 0, escapes = 2;

	for (i = chain->count; i-- > 0 && chain->layer[i] != LAYER_SCREEN;) {
		limit = TMUX_SEQUENCE_MAX - grown;
		grown += strlen(tmux.prefix) + strlen(tmux.suffix) + escapes;
		escapes = 2 * escapes + 2;
	}
	return limit;
}

/* Puts the bytes of a string before all that is there. */
static bool
begin_with(struct buf *b, const char *lead)
{
	size_t n = strlen(lead);

	if (!buf_open_front(b, n))
		return false;
	memcpy(b->data, lead, n);
	return true;
}

/* All that is there becomes one piece. */
static bool
join(struct pieces *p)
{
	p->ends.len = 0;
	return add_end(&p->ends, p->bytes->len);
}

/*
 * One layer more around the bytes that stop a sequence cut off within it. The
 * backslash completes an ST that was begun, or spoils the base64.
 */
static bool
stop_within(struct pieces *p, enum layer layer)
{
	static const struct wrapping rest_of_tmux = { "", "\x1b\\", true };

	if (!join(p))
		return false;
	return layer == LAYER_SCREEN ? cut_for_screen(p) &&
	    enclose(p, 0, &screen) && begin_with(p->bytes, "\\\x1b\\") :
	    enclose(p, 0, &rest_of_tmux);
}

/* The same for a layer whose own string has ended: nothing of it may show. */
static bool
stop_behind(struct pieces *p, enum layer layer)
{
	if (!join(p))
		return false;
	return layer == LAYER_SCREEN ? cut_for_screen(p) &&
	    enclose(p, 0, &screen) && begin_with(p->bytes, "\x1b\\") :
	    enclose(p, 0, &tmux);
}

/*
 * From the outside inwards, in two forms at once: `within` for strings that
 * were cut off, `behind` for strings that have ended. Between two strings tmux
 * takes the first form for its own, so the second follows it.
 */
static bool
stop(struct pieces *within, struct pieces *behind, const struct chain *chain)
{
	size_t i;
	bool tells_twice;

	for (i = chain->count; i-- > 0;) {
		tells_twice = i + 1 < chain->count &&
		    chain->layer[i] != LAYER_SCREEN;
		if (!stop_within(within, chain->layer[i]) ||
		    !stop_behind(behind, chain->layer[i]) ||
		    (tells_twice && !buf_add(within->bytes, behind->bytes->data,
		        behind->bytes->len)))
			return false;
	}
	return true;
}

bool
wrap_abort(struct buf *out, const char *abort, const struct chain *chain)
{
	struct buf ended;
	struct pieces within = { .bytes = out }, behind = { .bytes = &ended };
	bool fine;

	buf_init(&ended, out->max);
	buf_init(&within.ends, (size_t)-1 / 2);
	buf_init(&behind.ends, (size_t)-1 / 2);
	fine = buf_add_string(out, abort) && buf_add_string(&ended, abort) &&
	    stop(&within, &behind, chain);
	buf_free(&within.ends);
	buf_free(&behind.ends);
	buf_free(&ended);
	return settle(&within, fine);
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
add_word(struct chain *chain, const char *word, size_t n)
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
		if (!add_word(chain, text, n))
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
