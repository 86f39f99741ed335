/* SPDX-License-Identifier: MIT */
/*
 * libb64 1.2 behind base64.h; the only file that includes it.
 *
 * The library breaks its output into lines of 72 characters with no way to
 * turn that off, and adds a newline at the end. It counts groups in the public
 * field `stepcount`; feeding at most 51 bytes (17 groups, one short of a line)
 * and setting the count back before each call means no line is ever full.
 * Its decoder skips every byte it does not know, padding included, and reports
 * nothing: what reaches it is checked before.
 */
#include "base/base64.h"

#include <b64/cdecode.h>
#include <b64/cencode.h>
#include <string.h>

enum {
	RAW_PER_CALL = 51,
	TEXT_PER_CALL = RAW_PER_CALL / 3 * 4,
	/* groups that fill a line of libb64: CHARS_PER_LINE / 4 in its source */
	GROUPS_PER_LINE = 18,
	/* its lengths are int; a multiple of 4 well below keeps them so */
	TEXT_PER_DECODE = 1 << 24
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

/* A table, for branches on random characters cost more than decoding them. */
static const bool in_alphabet[256] = {
#define FOUR(c) [c] = true, [(c) + 1] = true, [(c) + 2] = true, [(c) + 3] = true
#define TWENTY_SIX(c) FOUR(c), FOUR((c) + 4), FOUR((c) + 8), FOUR((c) + 12), \
	FOUR((c) + 16), FOUR((c) + 20), [(c) + 24] = true, [(c) + 25] = true
	TWENTY_SIX('A'), TWENTY_SIX('a'),
	FOUR('0'), FOUR('4'), ['8'] = true, ['9'] = true,
	['+'] = true, ['/'] = true,
#undef TWENTY_SIX
#undef FOUR
};

/* The characters before the padding, or -1: not strict base64. */
static long long
checked_length(const char *text, size_t n)
{
	size_t i, padding = 0;
	bool fine = true;

	while (n > 0 && padding < 2 && text[n - 1] == '=') {
		n--;
		padding++;
	}
	if (n % 4 == 1 || (padding != 0 && (n + padding) % 4 != 0))
		return -1;
	for (i = 0; i < n; i++)
		fine &= in_alphabet[(unsigned char)text[i]];
	return fine ? (long long)n : -1;
}

bool
base64_decode(struct buf *out, const char *text, size_t n)
{
	long long length = checked_length(text, n);
	size_t left, piece;
	base64_decodestate state;

	if (length < 0)
		return false;
	/* libb64 touches one byte behind the result */
	left = (size_t)length;
	if (!buf_reserve(out, left / 4 * 3 + 4))
		return false;
	base64_init_decodestate(&state);
	for (; left > 0; left -= piece, text += piece) {
		piece = left < TEXT_PER_DECODE ? left : TEXT_PER_DECODE;
		out->len += (size_t)base64_decode_block(text, (int)piece,
		    (char *)out->data + out->len, &state);
	}
	return true;
}
