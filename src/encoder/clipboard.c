/* SPDX-License-Identifier: MIT */
/* OSC 52; the bytes are drawn in encoder.h. */
#include "encoder/encoder.h"

#include "base/base64.h"

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

/* One sequence after the other, each from the beginning of the payload. */
static enum part
clipboard_part(struct source *s, struct buf *out)
{
	struct source_position *p = &s->position;
	char head[] = HEAD;
	size_t n;

	head[LETTER_AT] = s->selections[p->sequence];
	if (head[LETTER_AT] == '\0')
		return PART_NONE;
	if (!p->open)
		buf_add(out, head, HEAD_SIZE);
	n = s->size - p->at < SOURCE_PART ? s->size - p->at : SOURCE_PART;
	if (n > 0)
		base64_encode(out, s->payload + p->at, n);
	p->open = true;
	p->at += n;
	if (p->at < s->size)
		return PART_GOES_ON;
	buf_add(out, TAIL, TAIL_SIZE);
	*p = (struct source_position){ .sequence = p->sequence + 1 };
	return PART_ENDS;
}

void
encode_clipboard_write(struct source *s, const void *payload, size_t n,
    const char *selections)
{
	source_init(s, clipboard_part, payload, n);
	s->selections = selections;
}
