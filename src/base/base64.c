/* SPDX-License-Identifier: MIT */
/*
 * Base64; the only file that includes libb64.
 *
 * Its versions differ: 1.2 and 1.2.1 end a line after 72 characters and the text
 * with a newline, 1.3 to 1.4.1 never, and 2.0 does as a field of its state says
 * (cencode.c of each); lengths are int, and size_t since 2.0. So each call is given
 * less than a line, with a new state, by the functions that all of them have. A
 * newline that comes all the same is taken out.
 *
 * Its decoder is not used: it skips every byte it does not know, padding
 * included, and reports nothing. A check of every character before it is most
 * of a decoder, and both took longer than reading a large clipboard from a
 * terminal does.
 */
#include "base/base64.h"

#include <string.h>
/* 2.0.0 takes size_t for known: behind the others */
#include <b64/cencode.h>

/* What a call is given, and what that becomes: whole groups, less than a line. */
enum { RAW_LINE = 48, TEXT_LINE = RAW_LINE / 3 * 4 };

/* With a newline behind each character, and one that ends the text. */
typedef char line_text[2 * TEXT_LINE + 2];

size_t
base64_encoded_size(size_t n)
{
	return (n / 3 + (n % 3 != 0)) * 4;
}

/* The characters in front, without the newlines between them. */
static void
drop_newlines(char *text, size_t n)
{
	size_t i, kept = 0;

	for (i = 0; i < n; i++)
		if (text[i] != '\n')
			text[kept++] = text[i];
}

/* At most RAW_LINE bytes; fewer are the last. */
static void
encode_line(line_text line, const char *raw, size_t n)
{
	base64_encodestate state;
	size_t size;

	base64_init_encodestate(&state);
	size = (size_t)base64_encode_block(raw, (int)n, line, &state);
	if (n < RAW_LINE)
		size += (size_t)base64_encode_blockend(line + size, &state);
	if (size != base64_encoded_size(n))
		drop_newlines(line, size);
}

/*
 * `text` has room for base64_encoded_size(n) and may begin in front of `raw` in the
 * same memory, as long as the text does not overtake: a line's bytes are read before
 * its characters are stored. Copies of a constant size are what makes it as fast as
 * one call for all.
 */
static void
encode(char *text, const char *raw, size_t n)
{
	line_text line;

	for (; n >= RAW_LINE; n -= RAW_LINE, raw += RAW_LINE, text += TEXT_LINE) {
		encode_line(line, raw, RAW_LINE);
		memcpy(text, line, TEXT_LINE);
	}
	if (n > 0) {
		encode_line(line, raw, n);
		memcpy(text, line, base64_encoded_size(n));
	}
}

bool
base64_encode(struct buf *out, const void *raw, size_t n)
{
	size_t size = base64_encoded_size(n);

	if (n == 0)
		return out->fault == BUF_FINE;
	if (!buf_reserve(out, size))
		return false;
	encode((char *)out->data + out->len, raw, n);
	out->len += size;
	return true;
}

bool
base64_encode_in_place(struct buf *b, size_t from)
{
	size_t raw_size = b->len - from;
	size_t growth = base64_encoded_size(raw_size) - raw_size;
	char *text;

	if (raw_size == 0)
		return b->fault == BUF_FINE;
	if (!buf_reserve(b, growth))
		return false;
	/*
	 * The raw bytes move to the end. The text then grows from the front and
	 * never overtakes them: what is left of them never needs less room as
	 * text than it takes now.
	 */
	text = (char *)b->data + from;
	memmove(text + growth, text, raw_size);
	encode(text, text + growth, raw_size);
	b->len += growth;
	return true;
}

/* ---- decoding ----------------------------------------------------------- */

/* A value that no character has: the two bits stay set whatever is or-ed in. */
enum { NO_VALUE = 0xc0 };

static void
set_values(unsigned char value[256])
{
	static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				       "abcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t i;

	memset(value, NO_VALUE, 256);
	for (i = 0; i < sizeof(alphabet) - 1; i++)
		value[(unsigned char)alphabet[i]] = (unsigned char)i;
}

/* The characters before the padding. False: there are too few or too many. */
static bool
without_padding(const char *text, size_t *n)
{
	size_t whole = *n;

	while (*n > 0 && whole - *n < 2 && text[*n - 1] == '=')
		--*n;
	return *n % 4 != 1 && (*n == whole || whole % 4 == 0);
}

/*
 * Groups of four, the last may be shorter; `raw` has room for all they mean.
 * False: one is not of the alphabet. Looked at once, at the end: a branch on
 * each of a clipboard's characters takes longer than decoding them.
 */
static bool
decode_groups(unsigned char *raw, const char *text, size_t n)
{
	const unsigned char *at = (const unsigned char *)text;
	unsigned char value[256], seen = 0, last[4] = { 0 };
	unsigned a, b, c, d;

	set_values(value);
	for (; n >= 4; n -= 4, at += 4, raw += 3) {
		a = value[at[0]], b = value[at[1]];
		c = value[at[2]], d = value[at[3]];
		seen |= (unsigned char)(a | b | c | d);
		a = a << 18 | b << 12 | c << 6 | d;
		raw[0] = (unsigned char)(a >> 16);
		raw[1] = (unsigned char)(a >> 8);
		raw[2] = (unsigned char)a;
	}
	for (a = 0; a < n; a++)
		seen |= last[a] = value[at[a]];
	if (n >= 2)
		raw[0] = (unsigned char)(last[0] << 2 | last[1] >> 4);
	if (n == 3)
		raw[1] = (unsigned char)(last[1] << 4 | last[2] >> 2);
	return (seen & NO_VALUE) == 0;
}

bool
base64_decode(struct buf *out, const char *text, size_t n)
{
	size_t size;

	if (!without_padding(text, &n))
		return false;
	size = n / 4 * 3 + n % 4 * 3 / 4;
	if (!buf_reserve(out, size) ||
	    (size > 0 && !decode_groups(out->data + out->len, text, n)))
		return false;
	out->len += size;
	return true;
}
