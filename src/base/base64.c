/* SPDX-License-Identifier: MIT */
/*
 * Base64; the only file that includes libb64 1.2.
 *
 * The library breaks its output into lines of 72 characters with no way to
 * turn that off, and adds a newline at the end. It counts groups in the public
 * field `stepcount`; feeding at most 51 bytes (17 groups, one short of a line)
 * and setting the count back before each call means no line is ever full.
 *
 * Its decoder is not used: it skips every byte it does not know, padding
 * included, and reports nothing. A check of every character before it is most
 * of a decoder, and both took longer than reading a large clipboard from a
 * terminal does.
 */
#include "base/base64.h"

#include <b64/cencode.h>
#include <string.h>

enum {
	RAW_PER_CALL = 51,
	TEXT_PER_CALL = RAW_PER_CALL / 3 * 4,
	/* groups that fill a line of libb64: CHARS_PER_LINE / 4 in its source */
	GROUPS_PER_LINE = 18
};

_Static_assert(RAW_PER_CALL / 3 < GROUPS_PER_LINE, "a full line gets a newline");
_Static_assert(sizeof((base64_encodestate *)0)->stepcount == sizeof(int),
    "libb64 counts groups in a public int");

size_t
base64_encoded_size(size_t n)
{
	return (n / 3 + (n % 3 != 0)) * 4;
}

/* At most RAW_PER_CALL bytes; the text goes to `text`, its length is given. */
static size_t
encode_piece(char *text, const char *raw, size_t n, base64_encodestate *state)
{
	char piece[TEXT_PER_CALL];
	int length;

	state->stepcount = 0;
	length = base64_encode_block(raw, (int)n, piece, state);
	memcpy(text, piece, (size_t)length);
	return (size_t)length;
}

/* The last characters with their padding, less libb64's newline. */
static void
encode_end(char *text, base64_encodestate *state)
{
	char tail[8];
	int length = base64_encode_blockend(tail, state);

	memcpy(text, tail, (size_t)length - 1);
}

bool
base64_encode_in_place(struct buf *b, size_t from)
{
	size_t raw_size = b->len - from;
	size_t growth = base64_encoded_size(raw_size) - raw_size;
	base64_encodestate state;
	const char *raw;
	char *text;
	size_t n;

	if (!buf_reserve(b, growth))
		return false;
	/*
	 * The raw bytes move to the end. The text then grows from the front and
	 * never overtakes them: what is left of them never needs less room as
	 * text than it takes now.
	 */
	text = (char *)b->data + from;
	raw = text + growth;
	memmove(text + growth, text, raw_size);
	base64_init_encodestate(&state);
	for (; raw_size > 0; raw_size -= n, raw += n) {
		n = raw_size < RAW_PER_CALL ? raw_size : RAW_PER_CALL;
		text += encode_piece(text, raw, n, &state);
	}
	encode_end(text, &state);
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
