/* SPDX-License-Identifier: MIT */
/*
 * encoder/wrap: what goes in comes out behind models of tmux and Screen
 * (mux.h) for every chain of up to three layers; and a sequence cut off at any
 * byte leaves no terminal with half of it.
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

/* ---- identity ----------------------------------------------------------- */

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

/* The n-th of the chains of up to three layers of tmux and Screen. */
static bool
nth_chain(struct chain *chain, size_t number)
{
	static const enum layer kinds[] = { LAYER_TMUX, LAYER_SCREEN };
	size_t length, of_length = 1;

	*chain = (struct chain){ .count = 0 };
	for (length = 0; length <= 3; length++, of_length *= 2) {
		if (number < of_length) {
			for (; chain->count < length; number /= 2)
				chain_add(chain, kinds[number % 2]);
			return true;
		}
		number -= of_length;
	}
	return false;
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

/* No string more than it takes: ESC P and ESC \ around each 767 bytes. */
Test(wrap, strings_of_screen_are_full)
{
	static char in[5 * SCREEN_KEEPS];
	struct chain chain = parsed("screen");
	struct buf b;
	size_t n;

	memset(in, 'x', sizeof(in));
	for (n = 1; n <= sizeof(in); n += n % SCREEN_KEEPS < 2 ? 1 : SCREEN_KEEPS - 2) {
		b = wrapped(&chain, in, n);
		cr_expect_eq(b.len, n + 4 * ((n + SCREEN_KEEPS - 1) / SCREEN_KEEPS),
		    "%zu bytes: %zu", n, b.len);
		buf_free(&b);
	}
}

/* An ST at every distance from the place where Screen's string is full. */
Test(wrap, st_around_the_end_of_a_string_of_screen)
{
	static char in[2000];
	struct way way = { .redraws = false };
	struct chain chain = parsed("screen");
	struct bytes bytes;
	size_t fill;

	for (fill = 740; fill < 790; fill++) {
		memcpy(in, "\x1bP", 2);
		memset(in + 2, 'x', fill);
		memcpy(in + 2 + fill, "\x1b\\\x1b[m", 5);
		bytes = wrapped_through(&way, &chain, in, fill + 7);
		cr_expect_eq(way.faults, 0, "%zu", fill);
		cr_expect(bytes.n == fill + 7 &&
		    memcmp(bytes.at, in, bytes.n) == 0, "%zu", fill);
		release(&bytes);
	}
}

/* With the noise that a real tmux makes between two strings. */
Test(wrap, a_redrawing_tmux_does_not_cut_a_sequence)
{
	static char in[70000];
	char words[CHAIN_TEXT];
	struct way way = { .redraws = true };
	struct bytes bytes;
	struct heard heard;
	struct chain chain;
	size_t number, size = sequence_of(in, 65536, "\x1b\\");

	for (number = 0; nth_chain(&chain, number); number++) {
		chain_format(&chain, words);
		bytes = wrapped_through(&way, &chain, in, size);
		terminal_hears(&heard, bytes.at, bytes.n);
		cr_expect_eq(way.faults, 0, "%s", words);
		cr_expect_eq(heard.ends, GROUND, "%s", words);
		cr_expect_eq(heard.printed, 0, "%s", words);
		cr_expect(heard.count == 1 && !heard.osc[0].cut &&
		    heard.osc[0].body.n == size - 4 &&
		    memcmp(heard.osc[0].body.at, in + 2, size - 4) == 0,
		    "%s: heard %zu", words, heard.count);
		forget(&heard);
		release(&bytes);
	}
}

/*
 * Either switch of a tmux that cannot be asked is enough. Two of them fail
 * where the inner one makes a sequence of its own that the outer one drops.
 */
Test(wrap, tmux_maybe_arrives_by_either_switch)
{
	static const char sequence[] = "\x1b]52;c;Zm9vYmFy\x1b\\";
	static const char *const chains[] = { "tmux?", "tmux?,tmux?" };
	struct tmux_like tmux;
	struct bytes bytes, next;
	struct heard heard;
	struct chain chain;
	struct buf b;
	size_t i, layer, switches;

	for (i = 0; i < LEN(chains); i++)
		/* two bits a layer, passes and copies; at least one is on */
		for (switches = 0; switches < 16; switches++) {
			chain = parsed(chains[i]);
			if ((switches & 3) == 0 || (switches >> 2) == 0 ||
			    (chain.count == 2 && switches == (2 | 1 << 2)))
				continue;
			b = wrapped(&chain, sequence, sizeof(sequence) - 1);
			bytes = (struct bytes){ .n = 0 };
			put(&bytes, b.data, b.len);
			for (layer = 0; layer < chain.count; layer++) {
				size_t two = switches >> 2 * layer & 3;

				tmux = (struct tmux_like){ .passes = two & 1,
				    .copies = two & 2, .redraws = true };
				next = (struct bytes){ .n = 0 };
				through_tmux(&tmux, bytes.at, bytes.n, &next);
				cr_expect_eq(tmux.printed, 0, "%s", chains[i]);
				release(&bytes);
				bytes = next;
			}
			terminal_hears(&heard, bytes.at, bytes.n);
			cr_expect_geq(heard.count, 1, "%s, switches %zu: nothing",
			    chains[i], switches);
			for (layer = 0; layer < heard.count; layer++)
				cr_expect(heard.osc[layer].body.n == 13 &&
				    memcmp(heard.osc[layer].body.at,
				    "52;c;Zm9vYmFy", 13) == 0, "%s, %zu",
				    chains[i], switches);
			forget(&heard);
			release(&bytes);
			buf_free(&b);
		}
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
		buf_init(&b, 4096);
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
expect_no_harm(const char *words, struct way way, const char *whole, size_t size,
    const char *abort)
{
	struct chain chain = parsed(words);
	struct buf all, stop;
	struct bytes bytes;
	struct heard heard;
	size_t cut, i;

	all = wrapped(&chain, whole, size);
	buf_init(&stop, 4096);
	wrap_abort(&stop, abort, &chain);
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
		    whole, size, CLIPBOARD_ABORT);
}

/* Any other sequence: the terminal has to be back in its ground state. */
Test(wrap_abort, other_sequences_do_not_stay_open)
{
	static const char *const chains[] = {
		"none", "tmux", "tmux,tmux", "screen", "screen,tmux",
	};
	static const struct { const char *bytes; size_t n; } rows[] = {
		{ TEXT("\x1b]2;a title\x1b\\") }, { TEXT("\x1b]2;a title\a") },
		{ TEXT("\x1bPq#0;2;0;0;0~~\x1b\\") }, { TEXT("\x1b_G=1\x1b\\") },
		{ TEXT("\x1b[0;1;38;5;1m") }, { TEXT("\x1b(B") },
	};
	struct way way = { .redraws = false };
	size_t i, j;

	for (i = 0; i < LEN(chains); i++)
		for (j = 0; j < LEN(rows); j++)
			expect_no_harm(chains[i], way, rows[j].bytes, rows[j].n, SEQUENCE_ABORT);
}

/* ---- the words of a chain ----------------------------------------------- */

Test(chain, words)
{
	static const struct { const char *text; int count; } rows[] = {
		{ "none", 0 }, { "tmux", 1 }, { "screen", 1 }, { "tmux?", 1 },
		{ "tmux,tmux", 2 }, { "tmux,screen", 2 }, { "screen,tmux", 2 },
		{ "tmux?,screen,tmux", 3 },
		{ "tmux,tmux,tmux,tmux,tmux,tmux,tmux,tmux", 8 },
		{ "screen,screen,screen,screen,screen,screen,screen,screen", 8 },
		{ "tmux,tmux,tmux,tmux,tmux,tmux,tmux,tmux,tmux", -1 },
		{ "", -1 }, { ",", -1 }, { "tmux,", -1 }, { ",tmux", -1 },
		{ "tmux,,tmux", -1 }, { "tmux, screen", -1 }, { " tmux", -1 },
		{ "tmu", -1 }, { "tmuxx", -1 }, { "tmux??", -1 },
		{ "screen?", -1 }, { "Tmux", -1 }, { "none,tmux", -1 },
		{ "tmux,none", -1 }, { "auto", -1 }, { "tmux;screen", -1 },
	};
	char text[CHAIN_TEXT];
	struct chain chain;
	size_t i;
	bool fine;

	for (i = 0; i < LEN(rows); i++) {
		memset(&chain, 0x55, sizeof(chain));
		fine = chain_parse(&chain, rows[i].text);
		cr_expect_eq(fine, rows[i].count >= 0, "%s", rows[i].text);
		if (!fine || rows[i].count < 0)
			continue;
		cr_expect_eq(chain.count, (size_t)rows[i].count, "%s",
		    rows[i].text);
		memset(text, '#', sizeof(text));
		chain_format(&chain, text);
		cr_expect_str_eq(text, rows[i].text);
	}
}
