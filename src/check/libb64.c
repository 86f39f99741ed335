/* SPDX-License-Identifier: MIT */
/*
 * A program of its own that the build runs: does the libb64 it has found encode as
 * RFC 4648 says? Status 1, with what is wrong: it does not.
 */
#include "base/base64.h"

#include <stdio.h>

/* More than two lines of 72 characters. */
enum { LENGTHS = 200 };

/* The character for the six bits from bit 6 * k on; bits behind the end are 0. */
static char
character(const unsigned char *raw, size_t n, size_t k)
{
	static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				       "abcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t at = k * 6 / 8;
	unsigned bits;

	if (at >= n)
		return '=';
	bits = (unsigned)raw[at] << 8 | (at + 1 < n ? raw[at + 1] : 0);
	return alphabet[bits >> (10 - k * 6 % 8) & 63];
}

static bool
encodes(const unsigned char *raw, size_t n)
{
	struct buf text;
	size_t i, size = (n + 2) / 3 * 4;
	bool fine;

	buf_init(&text, 2 * size);
	fine = base64_encode(&text, raw, n) && text.len == size;
	for (i = 0; fine && i < size; i++)
		fine = text.data[i] == (unsigned char)character(raw, n, i);
	if (!fine)
		fprintf(stderr, "libb64 encodes incorrectly: %zu bytes became '%.*s'\n"
		    "build with another version of it: 1.2, 1.2.1 or 2.0.0.1\n",
		    n, (int)text.len, text.len > 0 ? (const char *)text.data : "");
	buf_free(&text);
	return fine;
}

int
main(void)
{
	unsigned char raw[LENGTHS];
	size_t n;

	/* an odd factor: all values of a byte, and no pattern of three */
	for (n = 0; n < LENGTHS; n++)
		raw[n] = (unsigned char)(n * 167 + 13);
	for (n = 0; n <= LENGTHS; n++)
		if (!encodes(raw, n))
			return 1;
	return 0;
}
