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
	/* the ESC first: it is never far where there are many sequences */
	size_t at = 2 + text_end(bytes + 2, n - 2);

	at = find_byte(bytes, at, BEL);
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

/* ---- over the end of what is at hand ------------------------------------ */

enum sequence_open
sequence_opened(const unsigned char *bytes, size_t n)
{
	if (n < 2 || bytes[0] != ESC || bytes[1] == '\0')
		return SEQUENCE_CLOSED;
	if (bytes[1] == ']')
		return SEQUENCE_OPEN_OSC;
	if (strchr("PX^_k", bytes[1]) == NULL)
		return SEQUENCE_CLOSED;
	return n >= 7 && memcmp(bytes, "\x1bPtmux;", 7) == 0 ?
	    SEQUENCE_OPEN_TMUX : SEQUENCE_OPEN_STRING;
}

static bool
ends_string(unsigned char c, enum sequence_open open)
{
	return c == ESC || c == CAN || c == SUB ||
	    (c == BEL && open == SEQUENCE_OPEN_OSC);
}

size_t
sequence_rest(const unsigned char *bytes, size_t n, enum sequence_open *open)
{
	size_t at;

	for (at = 0; at < n; at++) {
		if (!ends_string(bytes[at], *open))
			continue;
		if (bytes[at] == ESC && at + 1 == n)
			return at;
		if (bytes[at] == ESC && bytes[at + 1] != '\\' &&
		    *open != SEQUENCE_OPEN_OSC) {
			/* data; in tmux's DCS the second of a pair as well */
			at += *open == SEQUENCE_OPEN_TMUX &&
			    bytes[at + 1] == ESC;
			continue;
		}
		*open = SEQUENCE_CLOSED;
		if (bytes[at] == BEL)
			return at + 1;
		if (bytes[at] == ESC && bytes[at + 1] == '\\')
			return at + 2;
		*open = SEQUENCE_CUT;
		return at;
	}
	return n;
}
