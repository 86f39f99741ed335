/* SPDX-License-Identifier: MIT */
/*
 * notation: any bytes written down are one printable line and read back as
 * themselves; any text is either refused or means no more bytes than it has.
 */
#include "encoder/encoder.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_round_trip(const uint8_t *data, size_t size)
{
	struct buf text, back;
	size_t i;

	buf_init(&text, (size_t)1 << 26);
	buf_init(&back, (size_t)1 << 26);
	if (!escape_notation_write(&text, data, size) || text.len > size * 4)
		abort();
	for (i = 0; i < text.len; i++)
		if (text.data[i] < 0x20 || text.data[i] > 0x7e)
			abort();
	if (!buf_add(&text, "", 1) ||
	    !escape_notation_read(&back, (char *)text.data) || back.len != size ||
	    (size > 0 && memcmp(back.data, data, size) != 0))
		abort();
	buf_free(&text);
	buf_free(&back);
	if (!escape_notation_hex(&text, data, size) || text.len != size * 2)
		abort();
	buf_free(&text);
}

static void
check_reading(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct buf out;

	if (text == NULL)
		abort();
	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	buf_init(&out, (size_t)1 << 26);
	if (escape_notation_read(&out, text)) {
		if (out.len > strlen(text))
			abort();
	} else if (strchr(text, '\\') == NULL) {
		abort();
	}
	buf_free(&out);
	free(text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_round_trip(data, size);
	check_reading(data, size);
	return 0;
}
