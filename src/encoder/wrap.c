/* SPDX-License-Identifier: MIT */
/*
 * Passthrough of tmux and Screen; encoder.h shows the bytes.
 *
 * A sequence is wrapped for the outermost layer first. The result is one sequence for the next
 * inner layer, so the output of a layer is never parsed again.
 */
#include "encoder/encoder.h"

#include <string.h>

static const char tmux_prefix[] = TMUX_OPENS, screen_prefix[] = SCREEN_OPENS;

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

/* Adds a string of tmux, which takes all `n` bytes. */
static size_t
add_tmux_string(struct buf *out, const unsigned char *bytes, size_t n)
{
	const unsigned char *at = bytes, *end = bytes + n, *escape;

	buf_add(out, tmux_prefix, TMUX_PREFIX);
	for (; (escape = memchr(at, ESC, (size_t)(end - at))) != NULL; at = escape + 1) {
		buf_add(out, at, (size_t)(escape - at) + 1);
		buf_add(out, escape, 1);
	}
	buf_add(out, at, (size_t)(end - at));
	buf_add(out, ST, SUFFIX);
	return n;
}

/* Adds a string of Screen. Returns how many of the `n` bytes it takes. */
static size_t
add_screen_string(struct buf *out, const unsigned char *bytes, size_t n)
{
	size_t size = n < SCREEN_STRING_MAX ? n : SCREEN_STRING_MAX;
	const unsigned char *at = bytes, *end = bytes + size;

	/* it must not contain ST, so it ends before the backslash */
	while ((at = memchr(at, ESC, (size_t)(end - at))) != NULL)
		if (++at < end && *at == '\\')
			end = at;
	size = (size_t)(end - bytes);
	buf_add(out, screen_prefix, SCREEN_PREFIX);
	buf_add(out, bytes, size);
	buf_add(out, ST, SUFFIX);
	return size;
}

/* Wraps one sequence in `count` layers, at least one, of which layer[0] is the outermost. */
static void
wrap_sequence(struct buf *out, const enum layer *layer, size_t count, const unsigned char *bytes,
    size_t n)
{
	struct buf strings = BUF_EMPTY, *to = count > 1 ? &strings : out;
	bool rings = layer[0] == LAYER_SCREEN && n >= 2 + SUFFIX && bytes[0] == ESC &&
	    bytes[1] == ']' && memcmp(bytes + n - SUFFIX, ST, SUFFIX) == 0;
	size_t size;

	/* the ST of an OSC becomes BEL, which need not be split */
	if (rings)
		n--;
	for (; n > 0; bytes += size, n -= size) {
		size = layer[0] == LAYER_SCREEN ? add_screen_string(to, bytes, n) :
		    add_tmux_string(to, bytes, n);
		if (rings && size == n)
			to->data[to->len - SUFFIX - 1] = BEL;
		if (count > 1 && (size == n || strings.len >= SHARED_MAX)) {
			wrap_sequence(out, layer + 1, count - 1, strings.data, strings.len);
			strings.len = 0;
		}
	}
	buf_free(&strings);
}

/*
 * Fills in the layers of a pass, the outermost first. Each tmux with unknown options doubles
 * the passes, of which every other skips it; the nearest one changes least often. Returns
 * false after the last pass.
 */
static bool
layers_of_pass(enum layer layer[CHAIN_MAX], size_t *count, const struct chain *chain,
    unsigned pass)
{
	size_t i;
	bool maybe;

	*count = 0;
	for (i = chain->count; i-- > 0;) {
		maybe = chain->layer[i] == LAYER_TMUX_MAYBE;
		if (!maybe || (pass & 1) != 0)
			layer[(*count)++] = chain->layer[i];
		pass >>= maybe;
	}
	return pass == 0;
}

void
wrap(struct buf *bytes, const struct chain *chain)
{
	const unsigned char *at, *end;
	struct buf out = BUF_EMPTY;
	enum layer layer[CHAIN_MAX];
	enum sequence_kind kind;
	size_t count, size;
	unsigned pass;

	if (chain == NULL || chain->count == 0 || bytes->len == 0)
		return;
	end = bytes->data + bytes->len;
	for (pass = 0; layers_of_pass(layer, &count, chain, pass); pass++) {
		if (count == 0)
			buf_add(&out, bytes->data, bytes->len);
		for (at = bytes->data; count > 0 && at < end; at += size) {
			size = sequence_next(at, (size_t)(end - at), &kind);
			wrap_sequence(&out, layer, count, at, size);
		}
	}
	buf_free(bytes);
	*bytes = out;
}

size_t
wrap_limit(const struct chain *chain)
{
	/* an OSC has two ESC; a layer of tmux doubles them and adds two more; Screen splits it */
	size_t i, limit = 0, grown = 0, escapes = 2;

	for (i = chain->count; i-- > 0 && chain->layer[i] != LAYER_SCREEN;) {
		limit = TMUX_SEQUENCE_MAX - grown;
		grown += TMUX_PREFIX + SUFFIX + escapes;
		escapes = 2 * escapes + 2;
	}
	return limit;
}

/* ---- aborting a sequence ---------------------------------------------------- */

/* Wraps all of `b` in one layer, and replaces the first `skip` bytes of that with `lead`. */
static void
enclose(struct buf *b, enum layer layer, size_t skip, const char *lead)
{
	struct buf out = BUF_EMPTY;

	wrap_sequence(&out, &layer, 1, b->data, b->len);
	b->len = 0;
	buf_add_string(b, lead);
	buf_add(b, out.data + skip, out.len - skip);
	buf_free(&out);
}

/*
 * Builds two forms from the outermost layer inwards: `out` for a string that was cut off, `behind`
 * for a complete one. With the right form, nothing is printed. For Screen, the backslash completes
 * an ST or makes the base64 invalid. For tmux, the rest of the string suffices. If tmux is between
 * two strings, it interprets the first form itself, so the second follows.
 */
void
wrap_abort(struct buf *out, const char *abort, const struct chain *chain)
{
	struct buf behind = BUF_EMPTY;
	size_t i;

	buf_add_string(out, abort);
	buf_add_string(&behind, abort);
	for (i = chain != NULL ? chain->count : 0; i-- > 0;) {
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
