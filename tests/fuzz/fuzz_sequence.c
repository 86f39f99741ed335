/* SPDX-License-Identifier: MIT */
/*
 * sequence_next(): a walk along any bytes always advances and ends at their
 * end; what is called whole ends as it must, stays the same alone, is whole to a
 * terminal and to nobody before its end; and a string that goes on behind a cut is
 * found to end in the same place.
 */
#include "encoder/encoder.h"

#include "judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool
ends_with_st(const uint8_t *bytes, size_t n)
{
	return n >= 4 && bytes[n - 2] == 0x1b && bytes[n - 1] == '\\';
}

static void
check(const uint8_t *bytes, size_t n, enum sequence_kind kind)
{
	enum sequence_kind again;

	if ((kind == SEQUENCE_TEXT) != (bytes[0] != 0x1b))
		abort();
	switch (kind) {
	case SEQUENCE_TEXT:
		if (memchr(bytes, 0x1b, n) != NULL)
			abort();
		break;
	case SEQUENCE_ESCAPE:
	case SEQUENCE_CSI:
		if (n < 2 || memchr(bytes + 1, 0x1b, n - 1) != NULL ||
		    bytes[n - 1] < 0x30 || bytes[n - 1] > 0x7e)
			abort();
		break;
	case SEQUENCE_OSC:
		if (bytes[n - 1] != 0x07 && !ends_with_st(bytes, n))
			abort();
		break;
	case SEQUENCE_STRING:
		if (!ends_with_st(bytes, n))
			abort();
		break;
	case SEQUENCE_IGNORED:
		if (bytes[n - 1] < 0x30 && bytes[n - 1] != 0x07)
			abort();
		break;
	case SEQUENCE_BROKEN:
		return;
	}
	/* it does not depend on what follows, and no part of it is whole */
	if (sequence_next(bytes, n, &again) != n || again != kind)
		abort();
	if (n > 1 && kind != SEQUENCE_TEXT &&
	    (sequence_next(bytes, n - 1, &again) > n - 1 ||
	        again != SEQUENCE_BROKEN))
		abort();
}

/* A terminal prints none of it, and is out of it at its end and not before. */
static void
check_terminal(const uint8_t *bytes, size_t n, enum sequence_kind kind)
{
	struct heard heard;

	terminal_hears(&heard, bytes, n);
	need(heard.ends == GROUND);
	if (kind == SEQUENCE_STRING || kind == SEQUENCE_IGNORED) {
		forget(&heard);
		return;
	}
	need(heard.printed == 0);
	need(heard.count == (kind == SEQUENCE_OSC));
	forget(&heard);
	terminal_hears(&heard, bytes, n - 1);
	need(heard.ends != GROUND);
	forget(&heard);
}

static void
check_rest(const uint8_t *bytes, size_t n, enum sequence_kind kind, size_t cut)
{
	enum sequence_open open;
	size_t first = n >= 7 && memcmp(bytes, "\x1bPtmux;", 7) == 0 ? 7 : 2;

	/* these cut off what goes on, which the other leaves to the terminal */
	if (memchr(bytes, 0x18, n) != NULL || memchr(bytes, 0x1a, n) != NULL)
		return;
	cut = first + cut % (n - first);
	/* an ESC belongs to what follows it */
	while (cut > first && bytes[cut - 1] == 0x1b)
		cut--;
	open = sequence_opened(bytes, cut);
	need(open == (kind == SEQUENCE_OSC ? SEQUENCE_OPEN_OSC : first == 7 ?
	    SEQUENCE_OPEN_TMUX : SEQUENCE_OPEN_STRING));
	need(sequence_rest(bytes + cut, n - cut, &open) == n - cut &&
	    open == SEQUENCE_CLOSED);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum sequence_kind kind;
	size_t at, n;

	for (at = 0; at < size; at += n) {
		n = sequence_next(data + at, size - at, &kind);
		if (n == 0 || n > size - at)
			abort();
		check(data + at, n, kind);
		if (kind != SEQUENCE_TEXT && kind != SEQUENCE_BROKEN)
			check_terminal(data + at, n, kind);
		if (kind == SEQUENCE_OSC || kind == SEQUENCE_STRING)
			check_rest(data + at, n, kind, size);
	}
	return 0;
}
