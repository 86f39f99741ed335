/* SPDX-License-Identifier: MIT */
/* Titles, OSC 9;4 and 7501: short sequences in one part; encoder.h shows the bytes. */
#include "encoder/encoder.h"

#include "base/base.h"

#include <string.h>

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
