/* SPDX-License-Identifier: MIT */
/*
 * base/base64 against the reference of RFC 4648 beside it: libb64 breaks
 * lines, skips what it does not know and writes past its end; none of that may
 * be seen from here.
 */
#include "base/base.h"
#include "reference.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTHS = 5000 };

/* Bytes without a pattern that a group of three could hide. */
static void
fill(unsigned char *bytes, size_t n, unsigned seed)
{
	size_t i;

	for (i = 0; i < n; i++) {
		seed = seed * 1103515245U + 12345U;
		bytes[i] = (unsigned char)(seed >> 16);
	}
}

Test(base64, every_length_is_what_the_reference_says)
{
	static unsigned char raw[LENGTHS];
	static char wanted[LENGTHS * 2];
	size_t n, size;
	struct buf b;

	for (n = 0; n <= LENGTHS; n++) {
		fill(raw, n, (unsigned)n);
		size = reference_encode(wanted, raw, n);
		b = (struct buf){ .max = LENGTHS * 2 };
		cr_expect_eq(base64_encoded_size(n), size, "%zu bytes", n);
		cr_assert(base64_encode(&b, raw, n), "%zu bytes", n);
		cr_assert(b.len == size && (n == 0 || memcmp(b.data, wanted, size) == 0),
		    "libb64 encodes incorrectly: %zu bytes became '%.*s'; "
		    "build with version 1.2, 1.2.1 or 2.0.0.1", n, (int)b.len,
		    n > 0 ? (char *)b.data : "");
		buf_free(&b);
	}
}

/* With room reserved, also of bytes in front of it in the same buffer. */
Test(base64, bytes_are_encoded_in_their_place)
{
	static unsigned char raw[LENGTHS];
	static char wanted[LENGTHS * 2];
	size_t n, size, before;
	struct buf b = BUF_EMPTY;

	buf_reserve(&b, LENGTHS * 2);
	for (n = 0; n <= LENGTHS; n += n < 200 ? 1 : 37)
		for (before = 0; before <= 7; before += 7) {
			fill(raw, n, (unsigned)n);
			size = reference_encode(wanted, raw, n);
			memcpy(b.data, raw, n);
			b.len = before;
			cr_assert(base64_encode(&b, b.data, n));
			cr_expect(b.len == before + size &&
			    memcmp(b.data + before, wanted, size) == 0, "%zu bytes", n);
		}
	buf_free(&b);
}

Test(base64, decoding_is_the_way_back)
{
	static unsigned char raw[LENGTHS];
	size_t n, unpadded;
	struct buf b, out;

	for (n = 0; n <= LENGTHS; n++) {
		fill(raw, n, ~(unsigned)n);
		b = (struct buf){ .max = LENGTHS * 2 };
		out = (struct buf){ .max = LENGTHS * 2 };
		cr_assert(base64_encode(&b, raw, n));
		cr_assert(base64_decode(&out, (char *)b.data, b.len), "%zu", n);
		cr_assert(out.len == n && (n == 0 ||
		    memcmp(out.data, raw, n) == 0), "%zu bytes", n);
		for (unpadded = b.len; unpadded > 0 &&
		    b.data[unpadded - 1] == '=';)
			unpadded--;
		out.len = 0;
		cr_assert(base64_decode(&out, (char *)b.data, unpadded),
		    "%zu bytes without padding", n);
		cr_assert(out.len == n && (n == 0 ||
		    memcmp(out.data, raw, n) == 0), "%zu, no padding", n);
		buf_free(&b);
		buf_free(&out);
	}
}

#define TEXT(text) text, sizeof(text) - 1

Test(base64, strictness)
{
	static const struct {
		const char *what, *text;
		size_t n;
		const char *raw; /* NULL: refused */
	} rows[] = {
		{ "nothing", TEXT(""), "" },
		{ "one padded", TEXT("YQ=="), "a" },
		{ "one unpadded", TEXT("YQ"), "a" },
		{ "a lone character", TEXT("A"), NULL },
		{ "one too many", TEXT("YWJjZ"), NULL },
		{ "a group of padding", TEXT("===="), NULL },
		{ "three of padding", TEXT("A==="), NULL },
		{ "a group too much of padding", TEXT("YWJj===="), NULL },
		{ "too much padding", TEXT("YWI=="), NULL },
		{ "padding of a whole group", TEXT("YWJj="), NULL },
		{ "padding in the middle", TEXT("YQ==Yg=="), NULL },
		{ "padding first", TEXT("=YWJ"), NULL },
		{ "a newline behind", TEXT("YWJj\n"), NULL },
		{ "a NUL behind", TEXT("YWJj\0"), NULL },
		{ "the question of OSC 52", TEXT("?"), NULL },
	};
	struct buf out;
	size_t i;
	bool fine;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		out = (struct buf){ .max = 100 };
		buf_add_string(&out, "kept");
		fine = base64_decode(&out, rows[i].text, rows[i].n);
		cr_expect_eq(fine, rows[i].raw != NULL, "%s", rows[i].what);
		cr_expect_not(out.full, "%s", rows[i].what);
		cr_expect_eq(out.len, 4 + (rows[i].raw == NULL ? 0 :
		    strlen(rows[i].raw)), "%s: %zu", rows[i].what, out.len);
		cr_expect(memcmp(out.data, "kept", 4) == 0, "%s", rows[i].what);
		if (fine && rows[i].raw != NULL)
			cr_expect(memcmp(out.data + 4, rows[i].raw,
			    out.len - 4) == 0, "%s", rows[i].what);
		buf_free(&out);
	}
}

/* All values of a byte in every place of a group, plain `char` or not. */
Test(base64, every_byte_value_in_every_place)
{
	unsigned char raw[8];
	char text[8];
	struct buf out;
	int place, value;
	long wanted;
	bool fine;

	for (place = 0; place < 8; place++)
		for (value = 0; value < 256; value++) {
			memcpy(text, "QUJDREVG", 8);
			text[place] = (char)value;
			wanted = reference_decode(raw, text, 8);
			out = (struct buf){ .max = 100 };
			fine = base64_decode(&out, text, 8);
			cr_expect_eq(fine, wanted >= 0, "0x%02x at %d", value,
			    place);
			cr_expect(!fine || (out.len == (size_t)wanted &&
			    memcmp(out.data, raw, out.len) == 0),
			    "0x%02x at %d", value, place);
			buf_free(&out);
		}
}
