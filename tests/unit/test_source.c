/* SPDX-License-Identifier: MIT */
/*
 * encoder/source: sequences built and wrapped part by part are, byte for byte, those
 * that the reference below makes of the whole, for every chain of up to three layers
 * and payloads of all sizes around the ends of parts and of Screen's strings.
 */
#include "encoder/encoder.h"
#include "mux.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

/* ---- the reference: whole sequences in, whole sequences out --------------- */

enum { STRINGS_MAX = 4096 };

struct strings {
	struct bytes at[STRINGS_MAX];
	size_t count;
};

static struct strings before, after;

static struct bytes *
add_string(struct strings *to)
{
	cr_assert(to->count < STRINGS_MAX);
	to->at[to->count] = (struct bytes){ .n = 0 };
	return &to->at[to->count++];
}

static void
release_strings(struct strings *strings)
{
	while (strings->count > 0)
		release(&strings->at[--strings->count]);
}

static void
reference_tmux(struct strings *to, const struct bytes *one)
{
	struct bytes *out = add_string(to);
	size_t i;

	put(out, "\x1bPtmux;", 7);
	for (i = 0; i < one->n; i++) {
		if (one->at[i] == 0x1b)
			put_byte(out, 0x1b);
		put_byte(out, one->at[i]);
	}
	put(out, "\x1b\\", 2);
}

static void
reference_screen(struct strings *to, const struct bytes *one)
{
	struct bytes *out, bare = { .n = 0 };
	size_t i, used;

	put(&bare, one->at, one->n);
	if (bare.n >= 4 && memcmp(bare.at, "\x1b]", 2) == 0 &&
	    memcmp(bare.at + bare.n - 2, "\x1b\\", 2) == 0)
		bare.at[--bare.n - 1] = '\a';
	for (i = 0; i < bare.n;) {
		out = add_string(to);
		put(out, "\x1bP", 2);
		used = 0;
		do {
			put_byte(out, bare.at[i++]);
			used++;
		} while (i < bare.n && used < SCREEN_STRING_MAX &&
		    (bare.at[i - 1] != 0x1b || bare.at[i] != '\\'));
		put(out, "\x1b\\", 2);
	}
	release(&bare);
}

static void
reference_layer(enum layer layer)
{
	size_t i;

	if (layer == LAYER_TMUX_MAYBE)
		for (i = 0; i < before.count; i++)
			put(add_string(&after), before.at[i].at, before.at[i].n);
	for (i = 0; i < before.count; i++)
		(layer == LAYER_SCREEN ? reference_screen : reference_tmux)(&after,
		    &before.at[i]);
	release_strings(&before);
	before = after;
	after.count = 0;
}

/* What the chain makes of the sequences in `before`. */
static struct bytes
reference_wrap(const struct chain *chain)
{
	struct bytes all = { .n = 0 };
	size_t i;

	for (i = chain->count; i-- > 0;)
		reference_layer(chain->layer[i]);
	for (i = 0; i < before.count; i++)
		put(&all, before.at[i].at, before.at[i].n);
	release_strings(&before);
	return all;
}

/* ---- chains ---------------------------------------------------------------- */

/* The n-th of the chains of up to three layers of three kinds: 1 + 3 + 9 + 27. */
static bool
nth_chain(struct chain *chain, size_t number)
{
	size_t length, of_length = 1;

	*chain = (struct chain){ .count = 0 };
	for (length = 0; length <= 3; length++, of_length *= 3) {
		if (number < of_length) {
			for (; chain->count < length; number /= 3)
				chain_add(chain, (enum layer)(number % 3));
			return true;
		}
		number -= of_length;
	}
	return false;
}

static void
expect_same(const struct buf *got, const struct bytes *wanted,
    const struct chain *chain, size_t size)
{
	char words[CHAIN_TEXT];
	size_t i;

	chain_format(chain, words);
	cr_assert_eq(got->fault, BUF_FINE);
	for (i = 0; i < got->len && i < wanted->n; i++)
		if (got->data[i] != wanted->at[i])
			break;
	cr_expect(got->len == wanted->n && i == wanted->n,
	    "%s, %zu bytes: %zu instead of %zu, the first difference at %zu", words,
	    size, got->len, wanted->n, i);
}

/* ---- a clipboard ----------------------------------------------------------- */

enum { LARGEST = 4 * SOURCE_PART };

static const unsigned char *
payload(void)
{
	static unsigned char raw[LARGEST];
	size_t i;

	for (i = 0; i < LARGEST; i++)
		raw[i] = (unsigned char)(i * 151 >> 2);
	return raw;
}

static void
check_clipboard(const struct chain *chain, size_t n, const char *letters)
{
	static char text[LARGEST * 2];
	struct source source;
	struct bytes *one, wanted;
	struct buf got;
	size_t i;

	for (i = 0; letters[i] != '\0'; i++) {
		one = add_string(&before);
		put(one, "\x1b]52;", 5);
		put_byte(one, (unsigned char)letters[i]);
		put_byte(one, ';');
		put(one, text, reference_encode(text, payload(), n));
		put(one, "\x1b\\", 2);
	}
	wanted = reference_wrap(chain);
	buf_init(&got, (size_t)1 << 28);
	encode_clipboard_write(&source, payload(), n, letters);
	source_wrap(&source, chain);
	while (source_next(&source, &got))
		continue;
	expect_same(&got, &wanted, chain, n);
	cr_expect_not(source_next(&source, &got), "nothing follows the end");
	cr_expect_eq(got.len, wanted.n);
	source_free(&source);
	buf_free(&got);
	release(&wanted);
}

Test(source, a_clipboard_in_parts_is_the_whole)
{
	static const size_t around[] = {
		1, SOURCE_PART, 2 * SOURCE_PART, 3 * SOURCE_PART,
		/* the text ends with a string of Screen: 767, 2 * 767 and so on */
		568, 1143, 1719, SOURCE_PART + 568, SOURCE_PART + 47,
	};
	struct chain chain;
	size_t number, i, d;

	for (number = 0; nth_chain(&chain, number); number++)
		for (i = 0; i < LEN(around); i++)
			for (d = 0; d < 7; d++)
				if (around[i] + d >= 3)
					check_clipboard(&chain, around[i] + d - 3,
					    d % 2 == 0 ? "c" : "cp");
	check_clipboard(&chain, 0, "c");
}

/* What does not fit into one piece need not be in memory at once. */
Test(source, a_part_is_small_whatever_the_payload)
{
	struct chain chain;
	struct source source;
	size_t number, largest;
	struct buf part;

	for (number = 0; nth_chain(&chain, number); number++) {
		buf_init(&part, (size_t)1 << 28);
		encode_clipboard_write(&source, payload(), LARGEST, "c");
		source_wrap(&source, &chain);
		for (largest = 0; source_next(&source, &part); part.len = 0)
			if (part.len > largest)
				largest = part.len;
		cr_expect_geq(largest, SOURCE_PART, "chain %zu", number);
		cr_expect_leq(largest, 2 * SOURCE_PART, "chain %zu: %zu", number,
		    largest);
		source_free(&source);
		buf_free(&part);
	}
}

Test(source, an_end_that_was_reached_stays)
{
	const struct chain chain = { 1, { LAYER_TMUX_MAYBE } };
	struct source source;
	struct buf got;
	int i;

	buf_init(&got, 1000);
	source_bytes(&source, "", 0);
	cr_expect_not(source_next(&source, &got), "nothing in it");
	source_wrap(&source, &chain);
	for (i = 0; i < 5; i++)
		cr_expect_not(source_next(&source, &got), "nothing in it");
	cr_expect(source_all(&source, &got));
	cr_expect_eq(got.len, 0);
	source_free(&source);
}

Test(source, no_room_ends_it)
{
	const struct chain none = { .count = 0 }, screen = { 1, { LAYER_SCREEN } };
	const struct chain *chains[] = { &none, &screen };
	struct source source;
	struct buf got;
	size_t i;

	for (i = 0; i < LEN(chains); i++) {
		buf_init(&got, 10000);
		encode_clipboard_write(&source, payload(), LARGEST, "c");
		source_wrap(&source, chains[i]);
		cr_expect_not(source_all(&source, &got));
		cr_expect_eq(got.fault, BUF_TOO_LARGE);
		cr_expect_not(source_next(&source, &got));
		source_free(&source);
		buf_free(&got);
	}
}

/* ---- bytes ----------------------------------------------------------------- */

static void
check_bytes(const struct chain *chain, const unsigned char *bytes, size_t n)
{
	enum sequence_kind kind;
	struct source source;
	struct bytes wanted;
	size_t at, length;
	struct buf got;

	for (at = 0; at < n; at += length) {
		length = sequence_next(bytes + at, n - at, &kind);
		put(add_string(&before), bytes + at, length);
	}
	wanted = reference_wrap(chain);
	buf_init(&got, (size_t)1 << 28);
	source_bytes(&source, bytes, n);
	source_wrap(&source, chain);
	cr_expect(source_all(&source, &got));
	expect_same(&got, &wanted, chain, n);
	source_free(&source);
	buf_free(&got);
	release(&wanted);
}

/* Ends, ESC and ST at every place around the end of a part. */
Test(source, sequences_that_are_larger_than_a_part)
{
	static const char *const ends[] = {
		"\x1b\\", "\a", "\x1b[m", "\x1b\x1b\\", "\\\x1b\\", "",
	};
	static const char *const begins[] = { "\x1b]0;", "\x1bP", "text " };
	static unsigned char bytes[SOURCE_PART + 100];
	struct chain chain;
	size_t number, i, j, n, size;

	for (number = 0; nth_chain(&chain, number); number++)
		for (i = 0; i < LEN(begins); i++)
			for (j = 0; j < LEN(ends); j++)
				for (n = SOURCE_PART - 4; n < SOURCE_PART + 4; n++) {
					memset(bytes, 'x', sizeof(bytes));
					memcpy(bytes, begins[i], strlen(begins[i]));
					size = strlen(ends[j]);
					memcpy(bytes + n - size, ends[j], size);
					check_bytes(&chain, bytes, n);
				}
}

/* ---- layers ---------------------------------------------------------------- */

/* A sequence in two runs, wherever it is divided but for its ST. */
Test(source, layers_do_not_mind_where_a_sequence_is_divided)
{
	static const char *const rows[] = {
		"\x1b]52;c;Zm9vYmFy\x1b\\", "\x1b]0;t\a",
		"\x1bPtmux;\x1b\x1b]0;t\x1b\x1b\\\x1b\\", "\x1bPq\x1b\x1b\x1b\\",
		"\x1b_G\x1b[m\x1b\\", "text", "\x1b]0;half\x1b", "\x1b\x1b\x1b\\\\",
	};
	struct source source;
	struct bytes wanted;
	struct chain chain;
	struct buf got;
	size_t number, i, n, cut;

	for (number = 0; nth_chain(&chain, number); number++)
		for (i = 0; i < LEN(rows); i++)
			for (n = strlen(rows[i]), cut = 2; cut + 2 <= n; cut++) {
				put(add_string(&before), rows[i], n);
				wanted = reference_wrap(&chain);
				buf_init(&got, 10000);
				source_init(&source, NULL, NULL, 0);
				source.chain = &chain;
				for (; source.pass < wrap_passes(&chain);
				    source.pass++)
					cr_expect(wrap_part(&source, rows[i], cut,
					    PART_GOES_ON, &got) &&
					    wrap_part(&source, rows[i] + cut,
					        n - cut, PART_ENDS, &got));
				expect_same(&got, &wanted, &chain, cut);
				source_free(&source);
				buf_free(&got);
				release(&wanted);
			}
}
