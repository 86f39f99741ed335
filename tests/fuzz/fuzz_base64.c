/* SPDX-License-Identifier: MIT */
/*
 * base64: encoding gives what the reference gives and decoding gives it back;
 * the strict decoder accepts exactly what the reference accepts.
 */
#include "base/base64.h"

#include "../unit/reference.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void *
room(size_t n)
{
	void *bytes = malloc(n + 1);

	if (bytes == NULL)
		abort();
	return bytes;
}

static void
check_round_trip(const uint8_t *data, size_t size)
{
	char *wanted = room(size * 2 + 8);
	size_t n = reference_encode(wanted, data, size);
	struct buf b, back;

	buf_init(&b, (size_t)1 << 26);
	buf_init(&back, (size_t)1 << 26);
	if (!buf_add(&b, data, size) || !base64_encode_in_place(&b, 0) ||
	    b.len != n || base64_encoded_size(size) != n ||
	    (n > 0 && memcmp(b.data, wanted, n) != 0))
		abort();
	if (!base64_decode(&back, (char *)b.data, b.len) || back.len != size ||
	    (size > 0 && memcmp(back.data, data, size) != 0))
		abort();
	buf_free(&b);
	buf_free(&back);
	free(wanted);
}

static void
check_strictness(const uint8_t *data, size_t size)
{
	/* exactly as long as it is: one byte too far is seen */
	char *text = room(size);
	unsigned char *wanted = room(size);
	struct buf b;
	bool fine;
	long n;

	if (size > 0)
		memcpy(text, data, size);
	n = reference_decode(wanted, text, size);
	buf_init(&b, (size_t)1 << 26);
	fine = base64_decode(&b, text, size);
	if (fine != (n >= 0) || b.fault != BUF_FINE)
		abort();
	if (b.len != (fine ? (size_t)n : 0) ||
	    (b.len > 0 && memcmp(b.data, wanted, b.len) != 0))
		abort();
	buf_free(&b);
	free(text);
	free(wanted);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_round_trip(data, size);
	check_strictness(data, size);
	return 0;
}
