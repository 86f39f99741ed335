/* SPDX-License-Identifier: MIT */
#include "encoder/encoder.h"

#include <stdint.h>
#include <string.h>

static const unsigned char tmux[] = "tmux;";

static enum parsed
end(struct parser *p, enum sequence_kind kind)
{
	p->state = PARSER_TEXT;
	p->kind = p->invalid ? SEQUENCE_IGNORED : kind;
	return PARSED_END;
}

static enum parsed
cut(struct parser *p, bool by_escape)
{
	*p = (struct parser){ .state = by_escape ? PARSER_ESCAPE : PARSER_TEXT };
	return by_escape ? PARSED_CUT_BY_ESCAPE : PARSED_CUT;
}

/* The byte after ESC, or after ESC and intermediates. */
static enum parsed
parse_escape(struct parser *p, unsigned char c)
{
	if (c >= 0x20 && c <= 0x2f) {
		p->state = PARSER_INTERMEDIATE;
		return PARSED_MORE;
	}
	if (p->state == PARSER_INTERMEDIATE || c == '\0' ||
	    strchr("[]PX^_k", c) == NULL)
		return end(p, SEQUENCE_ESCAPE);
	p->introducer = c;
	p->state = c == '[' ? PARSER_CSI : PARSER_STRING;
	return PARSED_MORE;
}

/*
 * A colon is a parameter byte, because SGR uses it. A parameter after an intermediate, or a
 * private marker after a parameter, makes the sequence invalid.
 */
static enum parsed
parse_csi(struct parser *p, unsigned char c)
{
	if (c >= 0x40)
		return end(p, SEQUENCE_CSI);
	if (c < 0x30)
		p->intermediate = true;
	else if (p->intermediate || (c >= 0x3c && p->size > 0))
		p->invalid = true;
	p->size++;
	return PARSED_MORE;
}

static enum parsed
parse_string(struct parser *p, unsigned char c)
{
	if (c == BEL && p->introducer == ']')
		return end(p, SEQUENCE_OSC);
	if ((c == CAN || c == SUB) && !p->nested)
		return cut(p, false);
	if (c == ESC) {
		/* only a DCS wrapped for Screen begins with ESC */
		p->nested = p->nested || (p->introducer == 'P' && p->size == 0);
		p->state = PARSER_STRING_ESCAPE;
		return PARSED_MORE;
	}
	if (p->introducer == 'P' && p->size == p->tmux && p->tmux < 5 && c == tmux[p->tmux] &&
	    ++p->tmux == 5)
		p->nested = true;
	p->size++;
	return PARSED_MORE;
}

/* In a string wrapped for tmux every ESC is doubled. */
static enum parsed
parse_string_escape(struct parser *p, unsigned char c)
{
	if (c == '\\')
		return end(p, p->introducer == ']' ? SEQUENCE_OSC : SEQUENCE_STRING);
	if (p->nested) {
		p->state = c == ESC && p->tmux < 5 ? PARSER_STRING_ESCAPE : PARSER_STRING;
		p->size += 2;
		return PARSED_MORE;
	}
	return cut(p, true);
}

enum parsed
parse_byte(struct parser *p, unsigned char c)
{
	switch (p->state) {
	case PARSER_TEXT:
		if (c != ESC)
			return PARSED_TEXT;
		*p = (struct parser){ .state = PARSER_ESCAPE };
		return PARSED_MORE;
	case PARSER_STRING:
		return parse_string(p, c);
	case PARSER_STRING_ESCAPE:
		return parse_string_escape(p, c);
	default:
		if (c == ESC || c == CAN || c == SUB)
			return cut(p, false);
		if (c < 0x20 || c > 0x7e) {
			p->invalid = true;
			return PARSED_MORE;
		}
		return p->state == PARSER_CSI ? parse_csi(p, c) : parse_escape(p, c);
	}
}

size_t
parse_run(const struct parser *p, const unsigned char *bytes, size_t n)
{
	const uint64_t each = 0x0101010101010101;
	uint64_t word;
	size_t at = 0;

	/* the first bytes decide whether it is nested */
	if (p->state != PARSER_STRING || p->size < sizeof(tmux))
		return 0;
	/*
	 * Subtracting 0x20 from a byte below that sets its top bit by a borrow. The borrow
	 * may also affect bytes after it, but no others.
	 */
	for (; n - at >= 8; at += 8) {
		memcpy(&word, bytes + at, sizeof(word));
		if (((word - each * 0x20) & ~word & each * 0x80) != 0)
			break;
	}
	while (at < n && bytes[at] >= 0x20)
		at++;
	return at;
}

size_t
sequence_next(const unsigned char *bytes, size_t n, enum sequence_kind *kind)
{
	struct parser p = { .state = PARSER_TEXT };
	const unsigned char *escape;
	size_t at;

	if (bytes[0] != ESC) {
		escape = memchr(bytes, ESC, n);
		*kind = SEQUENCE_TEXT;
		return escape != NULL ? (size_t)(escape - bytes) : n;
	}
	*kind = SEQUENCE_BROKEN;
	for (at = 0; at < n; at++) {
		at += parse_run(&p, bytes + at, n - at);
		if (at == n)
			break;
		switch (parse_byte(&p, bytes[at])) {
		case PARSED_END:
			*kind = p.kind;
			return at + 1;
		case PARSED_CUT:
			return at;
		case PARSED_CUT_BY_ESCAPE:
			return at - 1;
		default:
			break;
		}
	}
	/* the ESC may begin another sequence */
	return p.state == PARSER_STRING_ESCAPE && !p.nested ? n - 1 : n;
}

/* ---- readable notation ----------------------------------------------------- */

void
escape_notation_write(struct buf *out, const unsigned char *bytes, size_t n)
{
	for (; n > 0; n--, bytes++)
		if (*bytes == ESC)
			buf_add_string(out, "\\e");
		else if (*bytes == BEL)
			buf_add_string(out, "\\a");
		else if (*bytes == '\\')
			buf_add_string(out, "\\\\");
		else if (*bytes >= 0x20 && *bytes < 0x7f)
			buf_add(out, bytes, 1);
		else
			buf_format(out, "\\x%02x", *bytes);
}
