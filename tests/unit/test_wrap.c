/* SPDX-License-Identifier: MIT */
/*
 * encoder/wrap: its bytes and its limits. That whatever goes in comes out behind models of tmux
 * and Screen, and that a copy cut off at any byte leaves no terminal with half of it, is for
 * fuzz/fuzz_wrap.c, and the programs themselves for tests/real.
 */
#include "base/base.h"
#include "encoder/encoder.h"

#include <criterion/criterion.h>
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
	struct buf b = BUF_EMPTY;
	size_t i;

	for (i = 0; i < LEN(rows); i++) {
		chain = parsed(rows[i].chain);
		buf_add(&b, rows[i].in, rows[i].in_n);
		wrap(&b, &chain);
		cr_expect(b.len == rows[i].out_n && (b.len == 0 ||
		    memcmp(b.data, rows[i].out, b.len) == 0), "%s: %.*s",
		    rows[i].what, (int)b.len, (char *)b.data);
		buf_free(&b);
	}
}

/* ---- room ---------------------------------------------------------------- */

/* tmux keeps 1048575 bytes of a DCS, "tmux;" and the layers inside among them. */
Test(wrap, limits)
{
	static const struct {
		const char *chain;
		size_t limit;
	} rows[] = {
		{ "none", 0 }, { "screen", 0 }, { "tmux,screen", 0 }, { "tmux,tmux,screen", 0 },
		{ "tmux", 1048575 - 5 }, { "tmux?", 1048575 - 5 }, { "screen,tmux", 1048575 - 5 },
		/* ESC Ptmux; and ESC backslash, and of the two ESC inside two more */
		{ "tmux,tmux", 1048575 - 5 - 11 },
		/* and of the six inside that six more */
		{ "tmux,tmux,tmux", 1048575 - 5 - 11 - 15 },
	};
	struct chain chain;
	size_t i;

	for (i = 0; i < LEN(rows); i++) {
		chain = parsed(rows[i].chain);
		cr_expect_eq(wrap_limit(&chain), rows[i].limit, "%s: %zu", rows[i].chain,
		    wrap_limit(&chain));
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
