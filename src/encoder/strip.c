/* SPDX-License-Identifier: MIT */
/* Removes the sequences from text. */
#include "encoder/encoder.h"

#include <string.h>

static bool
is_control(unsigned char c)
{
	return c < 0x20 || c == 0x7f;
}

/* Merges the character that ends at `n` with the one before the BS. Returns the new end. */
static size_t
overstrike(struct strip *s, unsigned char *text, size_t n)
{
	unsigned char *new = text + s->struck;
	uint32_t point;
	size_t size = text_utf8((const char *)new, n - s->struck, &point);

	/* incomplete or, until the next BS, invalid */
	if (size == 0)
		return n;
	if (s->struck - s->line >= size && memcmp(new - size, new, size) == 0) {
		n -= size;
	} else if (new[-1] == '_') {
		memmove(new - 1, new, size);
		n--;
	}
	s->struck = 0;
	return n;
}

/* Adds a byte outside of sequences. Returns the new end. */
static size_t
add_byte(struct strip *s, unsigned char *text, size_t n, unsigned char c)
{
	if (c == '\n') {
		text[n++] = c;
		*s = (struct strip){ .parser = s->parser, .line = n };
		return n;
	}
	s->returned = s->returned || c == '\r';
	s->back = s->back || c == '\b';
	if (is_control(c) && c != '\t')
		return n;
	if (s->returned)
		n = s->line;
	if (s->returned || s->back)
		s->struck = n > s->line ? n : 0;
	s->returned = s->back = false;
	text[n++] = c;
	return s->struck > 0 ? overstrike(s, text, n) : n;
}

void
strip(struct strip *s, struct buf *text, size_t from)
{
	unsigned char *bytes = text->data;
	size_t at = from, n = from;
	enum parsed parsed;
	bool string;

	while (at < text->len) {
		string = s->parser.state == PARSER_STRING ||
		    s->parser.state == PARSER_STRING_ESCAPE;
		parsed = parse_byte(&s->parser, bytes[at]);
		if (parsed == PARSED_CUT || parsed == PARSED_CUT_BY_ESCAPE)
			continue;
		if (parsed == PARSED_TEXT ||
		    (parsed == PARSED_MORE && !string && is_control(bytes[at])))
			n = add_byte(s, bytes, n, bytes[at]);
		at++;
	}
	text->len = n;
}
