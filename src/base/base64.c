/* SPDX-License-Identifier: MIT */
/*
 * Base64; the only file that includes libb64.
 *
 * The versions of libb64 differ (cencode.c of each). 1.2 and 1.2.1 add a newline after 72
 * characters and at the end, and 1.3 to 1.4.1 never do. In 2.0 a field of the state decides, and
 * lengths are size_t instead of int. So only functions that all versions have are called, with
 * less than a line and a new state each time. Newlines are removed from the result.
 *
 * The decoder of libb64 silently skips every unknown byte, so it is not used. Checking each
 * character first is most of a decoder, and the two together took longer than reading a large
 * clipboard from a terminal.
 */
#include "base/base.h"

#include <string.h>
/* 2.0.0 uses size_t without declaring it */
#include <b64/cencode.h>

enum {
	/* input and output of one call: whole groups, less than a line */
	RAW_LINE = 48, TEXT_LINE = RAW_LINE / 3 * 4
};

size_t
base64_encoded_size(size_t n)
{
	return (n / 3 + (n % 3 != 0)) * 4;
}

bool
base64_encode(struct buf *out, const void *raw, size_t n)
{
	/* room for a newline after each character and one at the end */
	char line[2 * TEXT_LINE + 2];
	base64_encodestate state;
	const char *from = raw;
	size_t at, i, size, part;
	unsigned char *to;

	if (!buf_reserve(out, base64_encoded_size(n)))
		return false;
	/* backwards, because `raw` may begin in front of it in the same buffer */
	for (at = n; at > 0; at -= part) {
		part = at % RAW_LINE != 0 ? at % RAW_LINE : RAW_LINE;
		to = out->data + out->len + (at - part) / 3 * 4;
		base64_init_encodestate(&state);
		size = (size_t)base64_encode_block(from + at - part, (int)part, line, &state);
		if (part < RAW_LINE)
			size += (size_t)base64_encode_blockend(line + size, &state);
		/* with a constant size, this is as fast as one call for all lines */
		if (size == TEXT_LINE) {
			memcpy(to, line, TEXT_LINE);
			continue;
		}
		for (i = 0; i < size; i++)
			if (line[i] != '\n')
				*to++ = (unsigned char)line[i];
	}
	out->len += base64_encoded_size(n);
	return true;
}

/* Marks invalid characters: four values have 24 bits, and this one survives the OR. */
static const uint32_t NO_VALUE = UINT32_C(1) << 31;

/* The values of all bytes, shifted for each of the four places of a group. */
static const uint32_t (*
all_values(void))[256]
{
	static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				       "abcdefghijklmnopqrstuvwxyz0123456789+/";
	static uint32_t value[4][256];
	size_t i, place;

	for (place = 0; place < 4 && value[place][0] == 0; place++) {
		for (i = 0; i < 256; i++)
			value[place][i] = NO_VALUE;
		for (i = 0; i < sizeof(alphabet) - 1; i++)
			value[place][(unsigned char)alphabet[i]] = (uint32_t)(i << 6 * (3 - place));
	}
	return (const uint32_t (*)[256])value;
}

bool
base64_decode(struct buf *out, const char *text, size_t n)
{
	const uint32_t (*const value)[256] = all_values();
	const unsigned char *at = (const unsigned char *)text;
	size_t whole = n, size;
	uint32_t bits, seen = 0;
	unsigned char *raw;

	while (n > 0 && whole - n < 2 && text[n - 1] == '=')
		n--;
	size = n / 4 * 3 + n % 4 * 3 / 4;
	if (n % 4 == 1 || (n < whole && whole % 4 != 0) || !buf_reserve(out, size))
		return false;
	raw = out->data + out->len;
	/* checked once, at the end: a branch for each character takes longer than decoding */
	for (; n >= 4; n -= 4, at += 4, raw += 3) {
		bits = value[0][at[0]] | value[1][at[1]] | value[2][at[2]] | value[3][at[3]];
		seen |= bits;
		raw[0] = (unsigned char)(bits >> 16);
		raw[1] = (unsigned char)(bits >> 8);
		raw[2] = (unsigned char)bits;
	}
	if (n >= 2) {
		bits = value[0][at[0]] | value[1][at[1]] | (n == 3 ? value[2][at[2]] : 0);
		seen |= bits;
		raw[0] = (unsigned char)(bits >> 16);
		if (n == 3)
			raw[1] = (unsigned char)(bits >> 8);
	}
	if ((seen & NO_VALUE) != 0)
		return false;
	out->len += size;
	return true;
}
