/* SPDX-License-Identifier: MIT */
/*
 * The builder of links: from any URL, id and text come two sequences that are
 * whole, with the text between them, and no control byte in any of it.
 */
#include "encoder/encoder.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_printable(const unsigned char *bytes, size_t n, bool ascii)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (bytes[i] < 0x20 || bytes[i] == 0x7f ||
		    (ascii && bytes[i] > 0x7e) || (i > 0 &&
		        bytes[i - 1] == 0xc2 && bytes[i] < 0xa0))
			abort();
}

static size_t
check_sequence(const unsigned char *bytes, size_t n, enum hyperlink wanted)
{
	enum sequence_kind kind;
	const char *url;
	size_t length, url_n;

	if (n == 0)
		abort();
	length = sequence_next(bytes, n, &kind);
	if (kind != SEQUENCE_OSC || hyperlink_read(bytes, length, &url, &url_n) !=
	    wanted || memcmp(bytes + length - 2, "\x1b\\", 2) != 0)
		abort();
	check_printable(bytes + 1, length - 3, true);
	if (memchr(url, ';', url_n) != NULL || memchr(url, ' ', url_n) != NULL)
		abort();
	return length;
}

static void
check_link(const struct buf *b)
{
	enum sequence_kind kind;
	size_t at = check_sequence(b->data, b->len, HYPERLINK_OPEN), n;

	n = sequence_next(b->data + at, b->len - at, &kind);
	if (kind == SEQUENCE_TEXT) {
		check_printable(b->data + at, n, false);
		at += n;
	}
	n = check_sequence(b->data + at, b->len - at, HYPERLINK_CLOSE);
	if (at + n != b->len || n != 7)
		abort();
}

static void
check_place(const char *template, const char *path)
{
	const struct place place = { path, path, 1, 0 };
	struct buf b;

	buf_init(&b, (size_t)-1 / 2);
	if (encode_place(&b, template, &place))
		check_printable(b.data, b.len, true);
	buf_free(&b);
}

/* Three texts, with a NUL between them: URL, id, what is linked. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *bytes = malloc(size + 3), *url = bytes, *id, *text;
	struct buf b;

	if (bytes == NULL)
		abort();
	if (size > 0)
		memcpy(bytes, data, size);
	memset(bytes + size, '\0', 3);
	id = url + strlen(url) + 1;
	text = id < bytes + size ? id + strlen(id) + 1 : id + 1;
	if (text > bytes + size)
		text = bytes + size;
	buf_init(&b, (size_t)-1 / 2);
	if (url[0] != '\0') {
		encode_hyperlink(&b, url, strlen(url), id, text,
		    (size_t)(bytes + size - text));
		check_link(&b);
	}
	buf_free(&b);
	check_place(url, id);
	free(bytes);
	return 0;
}
