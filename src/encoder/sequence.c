/* SPDX-License-Identifier: MIT */
/* Where sequences begin and end (ECMA-48); the contract is in encoder.h. */
#include "encoder/encoder.h"

#include <string.h>

enum { BEL = 0x07, CAN = 0x18, SUB = 0x1a, ESC = 0x1b };

static bool
between(unsigned char c, unsigned char low, unsigned char high)
{
	return c >= low && c <= high;
}

/* The length of a run of bytes from `low` to `high`, starting at `at`. */
static size_t
skip(const unsigned char *bytes, size_t n, size_t at, unsigned char low,
    unsigned char high)
{
	while (at < n && between(bytes[at], low, high))
		at++;
	return at;
}

static size_t
text_end(const unsigned char *bytes, size_t n)
{
	const unsigned char *escape = memchr(bytes, ESC, n);

	return escape != NULL ? (size_t)(escape - bytes) : n;
}

/* Behind the introducer come intermediates and one final byte. */
static size_t
final_end(const unsigned char *bytes, size_t n, size_t at, unsigned char lowest,
    enum sequence_kind *kind)
{
	at = skip(bytes, n, at, 0x20, 0x2f);
	if (at < n && between(bytes[at], lowest, 0x7e))
		return at + 1;
	*kind = SEQUENCE_BROKEN;
	return at;
}

/* Where the first of these bytes is, or `n`. */
static size_t
find_byte(const unsigned char *bytes, size_t n, unsigned char c)
{
	const unsigned char *at = memchr(bytes, c, n);

	return at != NULL ? (size_t)(at - bytes) : n;
}

/* An OSC ends at BEL or ST; any other ESC, CAN or SUB cut it off. */
static size_t
osc_end(const unsigned char *bytes, size_t n, enum sequence_kind *kind)
{
	size_t at = find_byte(bytes, n, BEL);

	at = 2 + text_end(bytes + 2, at - 2);
	at = find_byte(bytes, at, CAN);
	at = find_byte(bytes, at, SUB);
	if (at < n && bytes[at] == BEL)
		return at + 1;
	if (at + 1 < n && bytes[at] == ESC && bytes[at + 1] == '\\')
		return at + 2;
	*kind = SEQUENCE_BROKEN;
	return at;
}

/*
 * Any other string ends at ST. An ESC before another byte is data: wrapped
 * sequences are made of them. In tmux's own DCS a doubled ESC is data too,
 * even before a backslash.
 */
static size_t
string_end(const unsigned char *bytes, size_t n, enum sequence_kind *kind)
{
	bool doubled = n >= 7 && memcmp(bytes, "\x1bPtmux;", 7) == 0;
	size_t at = 2;

	while ((at += text_end(bytes + at, n - at)) + 1 < n) {
		if (bytes[at + 1] == '\\')
			return at + 2;
		at += doubled && bytes[at + 1] == ESC ? 2 : 1;
	}
	*kind = SEQUENCE_BROKEN;
	return n;
}

size_t
sequence_next(const unsigned char *bytes, size_t n, enum sequence_kind *kind)
{
	*kind = SEQUENCE_TEXT;
	if (bytes[0] != ESC)
		return text_end(bytes, n);
	if (n < 2) {
		*kind = SEQUENCE_BROKEN;
		return n;
	}
	switch (bytes[1]) {
	case '[':
		*kind = SEQUENCE_CSI;
		return final_end(bytes, n, skip(bytes, n, 2, 0x30, 0x3f), 0x40,
		    kind);
	case ']':
		*kind = SEQUENCE_OSC;
		return osc_end(bytes, n, kind);
	case 'P': case 'X': case '^': case '_': case 'k':
		*kind = SEQUENCE_STRING;
		return string_end(bytes, n, kind);
	default:
		*kind = SEQUENCE_ESCAPE;
		return final_end(bytes, n, 1, 0x30, kind);
	}
}
