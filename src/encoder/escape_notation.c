/* SPDX-License-Identifier: MIT */
/* Bytes as readable text and back; the notation is described in encoder.h. */
#include "encoder/encoder.h"

#include "base/text.h"

#include <string.h>

static const char digits[] = "0123456789abcdef";

/* The letter behind the backslash, and the byte it stands for. */
static const struct {
	char letter;
	unsigned char byte;
	bool written;
} named[] = {
	{ 'e', 0x1b, true }, { 'a', 0x07, true }, { '\\', '\\', true },
	{ 'n', '\n', false }, { 'r', '\r', false }, { 't', '\t', false },
};

enum { NAMED = sizeof(named) / sizeof(named[0]) };

static size_t
write_byte(char *text, unsigned char c)
{
	size_t i;

	text[0] = '\\';
	for (i = 0; i < NAMED; i++)
		if (named[i].written && named[i].byte == c) {
			text[1] = named[i].letter;
			return 2;
		}
	if (c >= 0x20 && c < 0x7f) {
		text[0] = (char)c;
		return 1;
	}
	text[1] = 'x';
	text[2] = digits[c >> 4];
	text[3] = digits[c & 15];
	return 4;
}

bool
escape_notation_write(struct buf *out, const unsigned char *bytes, size_t n)
{
	char text[4];
	size_t i;

	for (i = 0; i < n; i++)
		if (!buf_add(out, text, write_byte(text, bytes[i])))
			return false;
	return true;
}

bool
escape_notation_hex(struct buf *out, const unsigned char *bytes, size_t n)
{
	char text[2];
	size_t i;

	for (i = 0; i < n; i++) {
		text[0] = digits[bytes[i] >> 4];
		text[1] = digits[bytes[i] & 15];
		if (!buf_add(out, text, 2))
			return false;
	}
	return true;
}

/* Behind a backslash: the byte meant, and how many characters say so. */
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

size_t
escape_notation_known(const char *text)
{
	const char *at = strchr(text, '\\');
	unsigned char byte;
	size_t n;

	for (; at != NULL; at = strchr(at + 1 + n, '\\')) {
		n = read_named_byte(at + 1, &byte);
		if (n == 0)
			return (size_t)(at - text);
	}
	return strlen(text);
}

bool
escape_notation_read(struct buf *out, const char *text)
{
	unsigned char byte;
	size_t n;

	while (*text != '\0') {
		byte = (unsigned char)*text++;
		if (byte == '\\') {
			n = read_named_byte(text, &byte);
			if (n == 0)
				return false;
			text += n;
		}
		if (!buf_add(out, &byte, 1))
			return false;
	}
	return true;
}
