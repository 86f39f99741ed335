/* SPDX-License-Identifier: MIT */
/* Bytes as readable text and back; encoder.h describes the notation. */
#include "encoder/encoder.h"

#include "base/base.h"

#include <string.h>

/* The letter after a backslash for each of these bytes; only the first three are written. */
static const char letters[] = "ea\\nrt", bytes_of[] = "\x1b\a\\\n\r\t";

enum { WRITTEN = 3 };

void
escape_notation_write(struct buf *out, const unsigned char *bytes, size_t n)
{
	const char *named;

	for (; n > 0; n--, bytes++) {
		named = memchr(bytes_of, *bytes, WRITTEN);
		if (named != NULL)
			buf_format(out, "\\%c", letters[named - bytes_of]);
		else if (*bytes >= 0x20 && *bytes < 0x7f)
			buf_add(out, bytes, 1);
		else
			buf_format(out, "\\x%02x", *bytes);
	}
}

/* Parses the escape after a backslash; returns its length, or 0. */
static size_t
read_named_byte(const char *text, unsigned char *byte)
{
	const char *letter = text[0] != '\0' ? strchr(letters, text[0]) : NULL;

	if (letter != NULL) {
		*byte = (unsigned char)bytes_of[letter - letters];
		return 1;
	}
	if (text[0] != 'x' || text_hex_value(text[1]) < 0 || text_hex_value(text[2]) < 0)
		return 0;
	*byte = (unsigned char)(text_hex_value(text[1]) * 16 + text_hex_value(text[2]));
	return 3;
}

const char *
escape_notation_read(struct buf *out, const char *text)
{
	unsigned char byte;
	size_t n;

	for (; *text != '\0'; text += n) {
		n = 1;
		byte = (unsigned char)*text;
		if (byte == '\\') {
			n += read_named_byte(text + 1, &byte);
			if (n == 1)
				return text;
		}
		buf_add(out, &byte, 1);
	}
	return NULL;
}
