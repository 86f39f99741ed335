/* SPDX-License-Identifier: MIT */
/*
 * Base64 once more, straight from the tables of RFC 4648: the judge of the
 * library behind base/base64.c. Slow and plain, and shares no code with it.
 */
#ifndef TESTS_REFERENCE_H
#define TESTS_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const char reference_alphabet[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Writes the text without a NUL; gives its length, 4 * ceil(n / 3). */
static inline size_t
reference_encode(char *text, const unsigned char *raw, size_t n)
{
	size_t bit, i, at = 0;
	unsigned six;

	for (bit = 0; bit < n * 8; bit += 6) {
		six = 0;
		for (i = bit; i < bit + 6; i++)
			six = six * 2 + (i < n * 8 ?
			    raw[i / 8] >> (7 - i % 8) & 1U : 0);
		text[at++] = reference_alphabet[six];
	}
	while (at % 4 != 0)
		text[at++] = '=';
	return at;
}

static inline int
reference_value(char c)
{
	const char *found = c == '\0' ? NULL : strchr(reference_alphabet, c);

	return found != NULL ? (int)(found - reference_alphabet) : -1;
}

/*
 * What the contract in base.h calls base64: groups of four, the last one
 * padded or cut short, nothing else. Gives the length, or -1.
 */
static inline long
reference_decode(unsigned char *raw, const char *text, size_t n)
{
	size_t i, digits = n, got = 0;
	unsigned held = 0, bits = 0;
	int value;

	if (n % 4 == 0 && n > 0 && text[n - 1] == '=')
		digits -= text[n - 2] == '=' ? 2 : 1;
	if (digits % 4 == 1)
		return -1;
	for (i = 0; i < digits; i++) {
		value = reference_value(text[i]);
		if (value < 0)
			return -1;
		held = held << 6 | (unsigned)value;
		bits += 6;
		if (bits < 8)
			continue;
		bits -= 8;
		raw[got++] = (unsigned char)(held >> bits);
		held &= (1U << bits) - 1;
	}
	return (long)got;
}

#endif
