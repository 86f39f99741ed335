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

/* Where the first of these bytes is, or `n`. */
static size_t
find_byte(const unsigned char *bytes, size_t n, unsigned char c)
{
	const unsigned char *at = memchr(bytes, c, n);

	return at != NULL ? (size_t)(at - bytes) : n;
}

/* An OSC ends at BEL or ST; any other ESC, CAN or SUB cuts it off. */
static size_t
osc_end(const unsigned char *bytes, size_t n, enum sequence_kind *kind)
{
	/* the ESC first: it is never far where there are many sequences */
	size_t at = 2 + find_byte(bytes + 2, n - 2, ESC);

	at = 2 + find_byte(bytes + 2, at - 2, BEL);
	at = 2 + find_byte(bytes + 2, at - 2, CAN);
	at = 2 + find_byte(bytes + 2, at - 2, SUB);
	if (at < n && bytes[at] == BEL)
		return at + 1;
	if (at + 1 < n && bytes[at] == ESC && bytes[at + 1] == '\\')
		return at + 2;
	*kind = SEQUENCE_BROKEN;
	return at;
}

/*
 * Any other string ends at ST. An ESC before another byte is data, as in wrapped
 * sequences. In tmux's DCS a doubled ESC is data, too, even before a backslash.
 */
static size_t
string_end(const unsigned char *bytes, size_t n, enum sequence_kind *kind)
{
	bool doubled = n >= 7 && memcmp(bytes, "\x1bPtmux;", 7) == 0;
	size_t at = 2;

	while ((at += find_byte(bytes + at, n - at, ESC)) + 1 < n) {
		if (bytes[at + 1] == '\\')
			return at + 2;
		at += doubled && bytes[at + 1] == ESC ? 2 : 1;
	}
	*kind = SEQUENCE_BROKEN;
	return n;
}

/* ---- CSI and escape sequences ------------------------------------------- */

/*
 * The state after some bytes of a sequence, as in DEC's VT500 parser
 * (vt100.net/emu/dec_ansi_parser), except that a colon is a parameter byte: SGR uses it.
 */
struct reader {
	enum { ESCAPE, INTERMEDIATE, CSI_ENTRY, CSI_PARAMETER, CSI_INTERMEDIATE,
		OSC, STRING, WHOLE } state;
	bool odd; /* an invalid byte was read */
};

static void
parse_escape(struct reader *r, unsigned char c)
{
	static const char strings[] = "PX^_k";

	if (between(c, 0x20, 0x2f))
		r->state = INTERMEDIATE;
	else if (r->state == INTERMEDIATE)
		r->state = WHOLE;
	else if (c == '[')
		r->state = CSI_ENTRY;
	else if (c == ']')
		r->state = OSC;
	else
		r->state = memchr(strings, c, sizeof(strings) - 1) != NULL ?
		    STRING : WHOLE;
}

static void
parse_csi(struct reader *r, unsigned char c)
{
	if (c >= 0x40) {
		r->state = WHOLE;
	} else if (c < 0x30) {
		r->state = CSI_INTERMEDIATE;
	} else {
		r->odd = r->odd || r->state == CSI_INTERMEDIATE ||
		    (c >= 0x3c && r->state == CSI_PARAMETER);
		if (r->state == CSI_ENTRY)
			r->state = CSI_PARAMETER;
	}
}

/*
 * Parses from `at` on and gives where it stopped: behind the final byte or the
 * introducer of a string, at the byte that cuts the sequence off, or at the end.
 */
static size_t
parse_to_end(struct reader *r, const unsigned char *bytes, size_t n, size_t at)
{
	for (; at < n && r->state < OSC; at++) {
		if (bytes[at] == ESC || bytes[at] == CAN || bytes[at] == SUB)
			return at;
		if (!between(bytes[at], 0x20, 0x7e))
			r->odd = true;
		else if (r->state < CSI_ENTRY)
			parse_escape(r, bytes[at]);
		else
			parse_csi(r, bytes[at]);
	}
	return at;
}

/* ---- any sequence ------------------------------------------------------- */

static enum sequence_kind
kind_of(const struct reader *r, const unsigned char *bytes)
{
	if (r->odd)
		return SEQUENCE_IGNORED;
	if (r->state == OSC || r->state == STRING)
		return r->state == OSC ? SEQUENCE_OSC : SEQUENCE_STRING;
	return bytes[1] == '[' ? SEQUENCE_CSI : SEQUENCE_ESCAPE;
}

size_t
sequence_next(const unsigned char *bytes, size_t n, enum sequence_kind *kind)
{
	struct reader r = { ESCAPE, false };
	size_t at;

	*kind = SEQUENCE_TEXT;
	if (bytes[0] != ESC)
		return find_byte(bytes, n, ESC);
	at = parse_to_end(&r, bytes, n, 1);
	*kind = r.state >= OSC ? kind_of(&r, bytes) : SEQUENCE_BROKEN;
	if (r.state != OSC && r.state != STRING)
		return at;
	/* both expect the two bytes of the introducer in front */
	return at - 2 + (r.state == OSC ? osc_end : string_end)(bytes + at - 2,
	    n - (at - 2), kind);
}

/* ---- sequences that continue -------------------------------------------- */

static enum sequence_open
open_of(const struct reader *r)
{
	static const enum sequence_open open[] = {
		[ESCAPE] = SEQUENCE_OPEN_ESCAPE,
		[INTERMEDIATE] = SEQUENCE_OPEN_INTERMEDIATE,
		[CSI_ENTRY] = SEQUENCE_OPEN_CSI,
		[CSI_PARAMETER] = SEQUENCE_OPEN_CSI,
		[CSI_INTERMEDIATE] = SEQUENCE_OPEN_CSI,
		[OSC] = SEQUENCE_OPEN_OSC, [STRING] = SEQUENCE_OPEN_STRING,
		[WHOLE] = SEQUENCE_CLOSED,
	};

	return open[r->state];
}

enum sequence_open
sequence_opened(const unsigned char *bytes, size_t n)
{
	struct reader r = { ESCAPE, false };

	if (n == 0 || bytes[0] != ESC)
		return SEQUENCE_CLOSED;
	if (n >= 7 && memcmp(bytes, "\x1bPtmux;", 7) == 0)
		return SEQUENCE_OPEN_TMUX;
	parse_to_end(&r, bytes, n, 1);
	return open_of(&r);
}

static bool
ends_string(unsigned char c, enum sequence_open open)
{
	return c == ESC || c == CAN || c == SUB ||
	    (c == BEL && open == SEQUENCE_OPEN_OSC);
}

static size_t
string_rest(const unsigned char *bytes, size_t n, enum sequence_open *open)
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

size_t
sequence_rest(const unsigned char *bytes, size_t n, enum sequence_open *open)
{
	struct reader r = { *open == SEQUENCE_OPEN_ESCAPE ? ESCAPE :
		*open == SEQUENCE_OPEN_INTERMEDIATE ? INTERMEDIATE : CSI_ENTRY,
		false };
	size_t at;

	if (*open > SEQUENCE_OPEN_CSI)
		return string_rest(bytes, n, open);
	at = parse_to_end(&r, bytes, n, 0);
	*open = at < n && r.state < OSC ? SEQUENCE_CUT : open_of(&r);
	if (*open <= SEQUENCE_OPEN_CSI)
		return at;
	return at + string_rest(bytes + at, n - at, open);
}
