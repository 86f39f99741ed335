/* SPDX-License-Identifier: MIT */
/* OSC 52, titles, OSC 9;4 and 7501; encoder.h shows the bytes. */
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

void
encode_title(struct buf *out, bool window_name, const char *text, size_t n)
{
	buf_add_string(out, window_name ? "\x1bk" : "\x1b]0;");
	text_sanitize(out, text, n, false);
	buf_add_string(out, ST);
}

void
encode_progress(struct buf *out, enum progress state, unsigned percent)
{
	if (state == PROGRESS_CLEAR || state == PROGRESS_BUSY)
		percent = 0;
	buf_format(out, "\x1b]9;4;%d;%u" ST, (int)state, percent < 100 ? percent : 100);
}

static void
add_pair(struct buf *out, const char *key, const char *value)
{
	if (value != NULL)
		buf_format(out, ":%s=%s", key, value);
}

/* An empty text means the same as none. */
static void
add_text_pair(struct buf *out, const char *key, const char *text)
{
	if (text == NULL || text[0] == '\0')
		return;
	add_pair(out, key, "");
	base64_encode(out, text, strlen(text));
}

void
encode_program_status(struct buf *out, const struct program_status *status)
{
	buf_format(out, "\x1b]7501;state=%s", status->state);
	add_pair(out, "id", status->id);
	add_pair(out, "app", status->app);
	add_pair(out, "kind", status->kind);
	if (status->progress >= 0)
		buf_format(out, ":progress=%d", status->progress);
	add_text_pair(out, "title", status->title);
	add_text_pair(out, "msg", status->message);
	buf_add_string(out, ST);
}
