/* SPDX-License-Identifier: MIT */
/* OSC 52; the bytes are drawn in encoder.h. */
#include "encoder/encoder.h"

#include "base/base64.h"

#include <string.h>

#define HEAD "\x1b]52;c;"
#define TAIL "\x1b\\"

enum {
	HEAD_SIZE = sizeof(HEAD) - 1,
	TAIL_SIZE = sizeof(TAIL) - 1,
	LETTER_AT = HEAD_SIZE - 2
};

size_t
clipboard_write_size(size_t n)
{
	return HEAD_SIZE + base64_encoded_size(n) + TAIL_SIZE;
}

bool
encode_clipboard_read(struct buf *out, char selection)
{
	char query[] = "\x1b]52;c;?\x1b\\";

	query[LETTER_AT] = selection;
	return buf_add_string(out, query);
}

/* The sequence at the front once more, behind the others. */
static bool
repeat(struct buf *b, size_t size)
{
	if (!buf_reserve(b, size))
		return false;
	memcpy(b->data + b->len, b->data, size);
	b->len += size;
	return true;
}

bool
encode_clipboard_write(struct buf *b, const char *selections)
{
	size_t i, size = clipboard_write_size(b->len);

	/* all the room at once: one allocation, and no second copy of it */
	if (!buf_reserve(b, size - b->len) || !buf_open_front(b, HEAD_SIZE))
		return false;
	memcpy(b->data, HEAD, HEAD_SIZE);
	if (!base64_encode_in_place(b, HEAD_SIZE) || !buf_add_string(b, TAIL))
		return false;
	b->data[LETTER_AT] = (unsigned char)selections[0];
	for (i = 1; selections[i] != '\0'; i++) {
		if (!repeat(b, size))
			return false;
		b->data[i * size + LETTER_AT] = (unsigned char)selections[i];
	}
	return true;
}
