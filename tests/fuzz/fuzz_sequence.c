/* SPDX-License-Identifier: MIT */
/*
 * sequence_next(): a walk along any bytes always advances and ends at their
 * end; what is called whole ends as it must and stays the same alone.
 */
#include "encoder/encoder.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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
	}
	return 0;
}
