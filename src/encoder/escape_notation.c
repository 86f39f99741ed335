/* SPDX-License-Identifier: MIT */
/* Bytes as readable text and back; encoder.h describes the notation. */
#include "encoder/encoder.h"

#include "base/base.h"

#include <string.h>

/* The letter after the backslash, and its byte; only the first three are written. */
static const struct {
	char letter;
	unsigned char byte;
} named[] = {
	{ 'e', 0x1b }, { 'a', 0x07 }, { '\\', '\\' },
	{ 'n', '\n' }, { 'r', '\r' }, { 't', '\t' },
};

enum { WRITTEN = 3, NAMED = sizeof(named) / sizeof(named[0]) };

bool
escape_notation_write(struct buf *out, const unsigned char *bytes, size_t n)
{
	size_t i;

	for (; n > 0; n--, bytes++) {
		for (i = 0; i < WRITTEN && named[i].byte != *bytes; i++)
			continue;
		if (i < WRITTEN)
			buf_format(out, "\\%c", named[i].letter);
		else if (*bytes >= 0x20 && *bytes < 0x7f)
			buf_add(out, bytes, 1);
		else
			buf_format(out, "\\x%02x", *bytes);
	}
	return !out->full;
}

/* Parses the escape after a backslash; returns its length, or 0. */
static size_t
read_named_byte(const char *text, unsigned char *byte)
{
	size_t i;

	for (i = 0; i < NAMED; i++)
		if (named[i].letter == text[0]) {
			*byte = named[i].byte;
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
