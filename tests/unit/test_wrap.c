/* SPDX-License-Identifier: MIT */
/*
 * encoder/wrap: its bytes, its limits, and that a copy cut off at any byte leaves no terminal
 * with half of it behind models of tmux and Screen (mux.h). Whatever goes in comes out behind
 * them in fuzz/fuzz_wrap.c, and behind the programs in tests/real.
 */
#include "encoder/encoder.h"
#include "mux.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))
#define TEXT(text) text, sizeof(text) - 1

static struct chain
parsed(const char *words)
{
	struct chain chain;

	cr_assert(chain_parse(&chain, words), "%s", words);
	return chain;
}

static struct buf
wrapped(const struct chain *chain, const void *bytes, size_t n)
{
	struct buf b = BUF_EMPTY;

	buf_add(&b, bytes, n);
	wrap(&b, chain);
	return b;
}

/* ---- the drawings of encoder.h ------------------------------------------ */

Test(wrap, drawings)
{
	static const struct {
		const char *what, *chain, *in;
		size_t in_n;
		const char *out;
		size_t out_n;
	} rows[] = {
		{ "no layer", "none", TEXT("\x1b]0;t\x1b\\"),
		    TEXT("\x1b]0;t\x1b\\") },
		{ "nothing", "tmux,screen,tmux?", TEXT(""), TEXT("") },
		{ "tmux doubles every ESC", "tmux", TEXT("\x1b]0;t\x1b\\"),
		    TEXT("\x1bPtmux;\x1b\x1b]0;t\x1b\x1b\\\x1b\\") },
		{ "tmux leaves BEL alone", "tmux", TEXT("\x1b]0;t\a"),
		    TEXT("\x1bPtmux;\x1b\x1b]0;t\a\x1b\\") },
		{ "tmux: one DCS for each sequence", "tmux",
		    TEXT("\x1b[m\x1b]0;t\atext\x1b(B"),
		    TEXT("\x1bPtmux;\x1b\x1b[m\x1b\\"
		        "\x1bPtmux;\x1b\x1b]0;t\a\x1b\\"
		        "\x1bPtmux;text\x1b\\"
		        "\x1bPtmux;\x1b\x1b(B\x1b\\") },
		{ "tmux in tmux", "tmux,tmux", TEXT("\x1b]0;t\a"),
		    TEXT("\x1bPtmux;\x1b\x1bPtmux;\x1b\x1b\x1b\x1b]0;t\a"
		        "\x1b\x1b\\\x1b\\") },
		{ "Screen: an OSC gets BEL", "screen", TEXT("\x1b]0;t\x1b\\"),
		    TEXT("\x1bP\x1b]0;t\a\x1b\\") },
		{ "Screen: an OSC of nothing", "screen", TEXT("\x1b]\x1b\\"),
		    TEXT("\x1bP\x1b]\a\x1b\\") },
		{ "Screen: ST of another string is cut", "screen",
		    TEXT("\x1bPq\x1b\\"),
		    TEXT("\x1bP\x1bPq\x1b\x1b\\" "\x1bP\\\x1b\\") },
		{ "Screen: several sequences", "screen",
		    TEXT("\x1b]0;t\x1b\\\x1b]0;u\a"),
		    TEXT("\x1bP\x1b]0;t\a\x1b\\" "\x1bP\x1b]0;u\a\x1b\\") },
		{ "Screen around tmux, the program in tmux", "tmux,screen",
		    TEXT("\x1b]0;t\x1b\\"),
		    TEXT("\x1bPtmux;\x1b\x1bP\x1b\x1b]0;t\a\x1b\x1b\\\x1b\\") },
		{ "tmux around Screen, the program in Screen", "screen,tmux",
		    TEXT("\x1b]0;t\a"),
		    TEXT("\x1bP\x1bPtmux;\x1b\x1b]0;t\a\x1b\x1b\\"
		        "\x1bP\\\x1b\\") },
		{ "Screen in Screen", "screen,screen", TEXT("\x1b]0;t\a"),
		    TEXT("\x1bP\x1bP\x1b]0;t\a\x1b\x1b\\" "\x1bP\\\x1b\\") },
		{ "tmux that cannot be asked", "tmux?", TEXT("\x1b]0;t\x1b\\"),
		    TEXT("\x1b]0;t\x1b\\"
		        "\x1bPtmux;\x1b\x1b]0;t\x1b\x1b\\\x1b\\") },
		{ "the same for two sequences", "tmux?", TEXT("\x1b[m\x1b]0;t\a"),
		    TEXT("\x1b[m\x1b]0;t\a" "\x1bPtmux;\x1b\x1b[m\x1b\\"
		        "\x1bPtmux;\x1b\x1b]0;t\a\x1b\\") },
		{ "bytes that mean nothing to tmux", "tmux",
		    TEXT("\0\x18\x9c\xff\\"),
		    TEXT("\x1bPtmux;\0\x18\x9c\xff\\\x1b\\") },
	};
	struct chain chain;
	struct buf b;
	size_t i;

	for (i = 0; i < LEN(rows); i++) {
		chain = parsed(rows[i].chain);
		b = wrapped(&chain, rows[i].in, rows[i].in_n);
		cr_expect(b.len == rows[i].out_n && (b.len == 0 ||
		    memcmp(b.data, rows[i].out, b.len) == 0), "%s: %.*s",
		    rows[i].what, (int)b.len, (char *)b.data);
		buf_free(&b);
	}
}

/* ---- through the models ------------------------------------------------- */

/*
 * What comes out behind all layers, nearest first. Whether each tmux writes sequences of its
 * own in between, knows OSC 52 itself, and passes nothing.
 */
struct way {
	bool redraws, copies, drops;
	size_t faults; /* out: printed, over a limit, or not at an end */
	size_t open;   /* out: of these the last */
};

static void
through_all(struct way *way, const struct chain *chain, struct bytes *bytes)
{
	struct tmux_like tmux;
	struct screen_like screen;
	struct bytes next;
	size_t i;

	way->faults = way->open = 0;
	for (i = 0; i < chain->count; i++) {
		next = (struct bytes){ .n = 0 };
		if (chain->layer[i] == LAYER_SCREEN) {
			through_screen(&screen, bytes->at, bytes->n, &next);
			way->faults += screen.printed + screen.overflows;
			way->open += screen.ends != GROUND;
		} else {
			tmux = (struct tmux_like){ .passes = !way->drops,
			    .copies = way->copies, .redraws = way->redraws };
			through_tmux(&tmux, bytes->at, bytes->n, &next);
			way->faults += tmux.printed + tmux.dropped;
			way->open += tmux.ends != GROUND;
		}
		release(bytes);
		*bytes = next;
	}
	way->faults += way->open;
}

/* What comes out of it behind all layers, which is released by the caller. */
static struct bytes
wrapped_through(struct way *way, const struct chain *chain, const char *in, size_t n)
{
	struct bytes bytes = { .n = 0 };
	struct buf b;

	b = wrapped(chain, in, n);
	put(&bytes, b.data, b.len);
	through_all(way, chain, &bytes);
	buf_free(&b);
	return bytes;
}

/* OSC 52 with `n` characters of data, ended as Screen needs it. */
static size_t
sequence_of(char *to, size_t n, const char *end)
{
	size_t i;

	strcpy(to, "\x1b]52;c;");
	for (i = 0; i < n; i++)
		to[7 + i] = reference_alphabet[(i * 7 + i / 64) % 64];
	strcpy(to + 7 + n, end);
	return 7 + n + strlen(end);
}

/* ---- room ---------------------------------------------------------------- */

/* The largest OSC comes through every tmux, one byte more through none. */
Test(wrap, limits)
{
	static const char *const chains[] = {
		"tmux", "tmux?", "tmux,tmux", "tmux,tmux,tmux", "screen,tmux",
		"screen,tmux,tmux",
	};
	static const char *const without[] = {
		"none", "screen", "tmux,screen", "tmux,tmux,screen",
		"screen,screen",
	};
	static char in[1 << 21];
	struct way way = { .redraws = false };
	struct bytes bytes;
	struct chain chain;
	size_t i, limit, size, over;

	for (i = 0; i < LEN(without); i++) {
		chain = parsed(without[i]);
		cr_expect_eq(wrap_limit(&chain), 0, "%s", without[i]);
	}
	for (i = 0; i < LEN(chains); i++)
		for (over = 0; over < 2; over++) {
			chain = parsed(chains[i]);
			limit = wrap_limit(&chain);
			cr_assert(limit > 1000000 && limit < sizeof(in), "%s: %zu",
			    chains[i], limit);
			size = sequence_of(in, limit + over - 9, "\x1b\\");
			cr_assert_eq(size, limit + over);
			/* of the two forms only the wrapped one has the limit */
			bytes = wrapped_through(&way, &chain, in, size);
			cr_expect_eq(way.faults != 0, over == 1, "%s, %zu bytes",
			    chains[i], size);
			release(&bytes);
		}
}

/* ---- stopping half way -------------------------------------------------- */

/* The bytes that encoder.h draws; "!" stands for the abort, which has an ST. */
Test(wrap_abort, drawings)
{
	static const struct { const char *chain, *bytes; } rows[] = {
		{ "none", "!\x1b\\" },
		{ "tmux", "!\x1b\x1b\\" "\x1b\\" },
		{ "tmux?", "!\x1b\x1b\\" "\x1b\\" },
		{ "screen", "\\\x1b\\" "\x1bP!\x1b\x1b\\" "\x1bP\\\x1b\\" },
		{ "tmux,tmux", "!\x1b\x1b\x1b\x1b\\" "\x1b\x1b\\" "\x1b\\"
		    "\x1bPtmux;\x1b\x1bPtmux;!\x1b\x1b\x1b\x1b\\"
		    "\x1b\x1b\\" "\x1b\\" },
		{ "tmux,screen", "\\\x1b\x1b\\" "\x1b\x1bP!\x1b\x1b\x1b\x1b\\"
		    "\x1b\x1bP\\\x1b\x1b\\" "\x1b\\"
		    "\x1bPtmux;\x1b\x1b\\\x1b\x1bP!\x1b\x1b\x1b\x1b\\"
		    "\x1b\x1bP\\\x1b\x1b\\" "\x1b\\" },
		{ "screen,tmux", "\\\x1b\\" "\x1bP!\x1b\x1b\x1b\\"
		    "\x1bP\\\x1b\x1b\\" "\x1bP\\\x1b\\" },
	};
	struct chain chain;
	struct buf b;
	size_t i;

	for (i = 0; i < LEN(rows); i++) {
		chain = parsed(rows[i].chain);
		b = (struct buf){ .max = 4096 };
		wrap_abort(&b, "!\x1b\\", &chain);
		cr_expect(b.len == strlen(rows[i].bytes) &&
		    memcmp(b.data, rows[i].bytes, b.len) == 0, "%s: %.*s",
		    rows[i].chain, (int)b.len, (char *)b.data);
		buf_free(&b);
	}
}

static bool
passes_for_text(const struct bytes *body, const char *whole, size_t size)
{
	unsigned char raw[4096];

	if (body->n < 5 || memcmp(body->at, "52;c;", 5) != 0)
		return false;
	/* all of it: from behind ESC ] up to the terminator */
	if (body->n == size - 4 && memcmp(body->at, whole + 2, body->n) == 0)
		return false;
	return reference_decode(raw, (const char *)body->at + 5,
	    body->n - 5) >= 0;
}

/* Wherever it is cut off, no string stays open, and no part of a text passes for all. */
static void
expect_no_harm(const char *words, struct way way, const char *whole, size_t size)
{
	struct chain chain = parsed(words);
	struct buf all, stop;
	struct bytes bytes;
	struct heard heard;
	size_t cut, i;

	all = wrapped(&chain, whole, size);
	stop = (struct buf){ .max = 4096 };
	wrap_abort(&stop, CLIPBOARD_ABORT, &chain);
	for (cut = 1; cut < all.len; cut++) {
		bytes = (struct bytes){ .n = 0 };
		put(&bytes, all.data, cut);
		put(&bytes, stop.data, stop.len);
		through_all(&way, &chain, &bytes);
		terminal_hears(&heard, bytes.at, bytes.n);
		cr_expect(way.open == 0 && heard.ends == GROUND,
		    "%s: a string stays open, cut behind byte %zu", words, cut);
		for (i = 0; i < heard.count && i < HEARD_MAX; i++)
			cr_expect_not(passes_for_text(&heard.osc[i].body, whole, size),
			    "%s: half a text passes, cut behind byte %zu", words, cut);
		forget(&heard);
		release(&bytes);
	}
	buf_free(&all);
	buf_free(&stop);
}

Test(wrap_abort, leaves_no_half_clipboard_wherever_it_was_cut)
{
	static const struct {
		const char *chain;
		bool passes, copies; /* the tmux in it */
	} rows[] = {
		{ "none", true, false }, { "tmux", true, false }, { "tmux", false, false },
		{ "tmux", true, true }, { "tmux,tmux", true, false },
		{ "tmux,tmux,tmux", true, false }, { "tmux?", true, false },
		{ "tmux?", false, true }, { "tmux?", true, true },
		{ "tmux?,tmux?", true, false }, { "tmux?,tmux?", true, true },
		{ "screen", true, false }, { "screen,screen", true, false },
		{ "tmux,screen", true, false }, { "screen,tmux", true, false },
		{ "tmux,screen,tmux", true, false }, { "screen,tmux,screen", true, false },
		{ "tmux,tmux,screen", true, false }, { "screen,tmux,tmux", true, false },
	};
	static char whole[2000];
	size_t i, size = sequence_of(whole, 1200, "\x1b\\");

	for (i = 0; i < LEN(rows); i++)
		expect_no_harm(rows[i].chain, (struct way){ .redraws = true,
		    .copies = rows[i].copies, .drops = !rows[i].passes },
		    whole, size);
}
