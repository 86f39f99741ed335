/* SPDX-License-Identifier: MIT */
/* OSC 52; encoder.h shows the bytes. */
#include "encoder/encoder.h"

#include "base/base.h"

#include <string.h>

size_t
clipboard_write_size(size_t n)
{
	return strlen("\x1b]52;c;") + base64_encoded_size(n) + strlen(ST);
}

/* One sequence for each selection, each with the whole payload. */
static enum part
clipboard_part(struct source *s, struct buf *out)
{
	struct source_position *p = &s->position;
	const char head[] = { '\x1b', ']', '5', '2', ';', s->selections[p->sequence], ';' };
	size_t n;

	if (s->selections[p->sequence] == '\0')
		return PART_NONE;
	/* without printf(), which would take a tenth of the time of a short copy */
	if (p->at == 0)
		buf_add(out, head, sizeof(head));
	n = s->size - p->at < SOURCE_PART ? s->size - p->at : SOURCE_PART;
	if (n > 0)
		base64_encode(out, s->payload + p->at, n);
	p->at += n;
	if (p->at < s->size)
		return PART_GOES_ON;
	buf_add_string(out, ST);
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
