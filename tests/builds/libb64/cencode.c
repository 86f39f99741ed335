/* SPDX-License-Identifier: MIT */
/* Encodes as the version does that <b64/cencode.h> is told to be. */
#include <stddef.h>

#include <b64/cencode.h>

/* Four characters, of which `padding` say that there is no byte. */
static char *
group(char *text, base64_encodestate *state, int padding)
{
	static const char alphabet[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *raw = (const unsigned char *)state->begun;
	int i, bits = raw[0] << 16 | raw[1] << 8 | raw[2];

	for (i = 0; i < 4; i++) {
		*text++ = i < 4 - padding ? alphabet[bits >> (18 - 6 * i) & 63] : '=';
		if (LINE > 0 && ++state->column == LINE) {
			*text++ = '\n';
			state->column = 0;
		}
	}
	state->bytes = 0;
	state->begun[0] = state->begun[1] = state->begun[2] = 0;
	return text;
}

void
base64_init_encodestate(base64_encodestate *state)
{
	static const base64_encodestate none;

	*state = none;
}

LENGTH
base64_encode_block(const INPUT *raw, const LENGTH n, char *text, base64_encodestate *state)
{
	const char *from = raw, *end = from + n;
	char *to = text;

	while (from < end) {
		state->begun[state->bytes++] = *from++;
		if (state->bytes == 3)
			to = group(to, state, 0);
	}
	return (LENGTH)(to - text);
}

LENGTH
base64_encode_blockend(char *text, base64_encodestate *state)
{
	char *to = text;

	if (state->bytes > 0)
		to = group(to, state, 3 - (int)state->bytes);
	if (LINE > 0)
		*to++ = '\n';
	return (LENGTH)(to - text);
}
