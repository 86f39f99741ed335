/* SPDX-License-Identifier: MIT */
/*
 * Base64; the only file that includes libb64 1.2.
 *
 * The library breaks its output into lines of 72 characters with no way to
 * turn that off, and adds a newline at the end. It counts groups in the public
 * field `stepcount` and ends a line when that has reached 18: set below zero by
 * as many groups as a call is given, it never does.
 *
 * Its decoder is not used: it skips every byte it does not know, padding
 * included, and reports nothing. A check of every character before it is most
 * of a decoder, and both took longer than reading a large clipboard from a
 * terminal does.
 */
#include "base/base64.h"

#include <b64/cencode.h>
#include <string.h>

/* The library takes an int; whole groups, so that no call leaves one begun. */
enum { RAW_PER_CALL = 3 << 20 };

_Static_assert(sizeof((base64_encodestate *)0)->stepcount == sizeof(int),
    "libb64 counts groups in a public int");

size_t
base64_encoded_size(size_t n)
{
	return (n / 3 + (n % 3 != 0)) * 4;
}

/*
 * `text` has room for base64_encoded_size(n) and may begin in front of `raw` in the
 * same memory: the library has read a byte before it writes over it, as long
 * as the text does not overtake.
 */
static void
encode(char *text, const char *raw, size_t n)
{
	base64_encodestate state;
	char tail[8];
	int length;
	size_t part;

	base64_init_encodestate(&state);
	for (; n > 0; n -= part, raw += part) {
		part = n < RAW_PER_CALL ? n : RAW_PER_CALL;
		state.stepcount = -(int)(part / 3) - 1;
		text += base64_encode_block(raw, (int)part, text, &state);
	}
	/* the last characters with their padding, less the newline */
	length = base64_encode_blockend(tail, &state);
	memcpy(text, tail, (size_t)length - 1);
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
