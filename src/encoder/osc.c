/* SPDX-License-Identifier: MIT */
/* OSC 52, titles, OSC 9;4, and notifications by OSC 99, 777 and 9. encoder.h shows the bytes. */
#include "encoder/encoder.h"

#include "base/base.h"

#include <string.h>

size_t
clipboard_write_size(size_t n)
{
	return strlen(CLIPBOARD_START "c;") + base64_encoded_size(n) + strlen(ST);
}

void
encode_clipboard_write(struct buf *bytes, const char *selections)
{
	const unsigned char head[] = { ESC, ']', '5', '2', ';', (unsigned char)*selections, ';' };
	const size_t n = bytes->len, size = clipboard_write_size(n);

	bytes->max = BUF_NO_LIMIT;
	buf_reserve(bytes, strlen(selections) * size - n);
	bytes->len = sizeof(head);
	base64_encode(bytes, bytes->data, n);
	memcpy(bytes->data, head, sizeof(head));
	buf_add_string(bytes, ST);
	/* the others differ in the letter */
	while (*++selections != '\0') {
		memcpy(bytes->data + bytes->len, bytes->data, size);
		bytes->data[bytes->len + sizeof(head) - 2] = (unsigned char)*selections;
		bytes->len += size;
	}
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

enum { PIECE_MAX = 1536 };

/* ---- text of notifications ---------------------------------------------- */

/* May have line breaks, only ASCII, no semicolon. */
enum { LINES = 1, ASCII = 2, FIELD = 4 };

/* Adds the sanitized text, shortened to `max` bytes. */
static void
add_harmless(struct buf *out, const struct notification_text *from, size_t max, unsigned style)
{
	const char *ellipsis = style & ASCII ? "..." : "\xe2\x80\xa6", *at;
	struct buf clean = BUF_EMPTY, text = BUF_EMPTY;
	size_t end, n;
	uint32_t point;

	text_sanitize(&clean, from->bytes, from->size, style & LINES);
	at = (const char *)clean.data;
	for (end = clean.len; end > 0; end -= n, at += n) {
		n = text_utf8(at, end, &point);
		if (style & FIELD && *at == ';')
			buf_add_string(&text, style & ASCII ? "," : "\xcd\xbe");
		else if (style & ASCII && n > 1)
			buf_add_string(&text, "?");
		else
			buf_add(&text, at, n);
	}

	if (text.len > max) {
		text.len = text_cut((const char *)text.data, max - strlen(ellipsis));
		buf_add_string(&text, ellipsis);
	}
	buf_add(out, text.data, text.len);
	buf_free(&clean);
	buf_free(&text);
}

const char *const notification_urgencies[] = { "low", "normal", "critical", NULL };
const char *const notification_times[] = { "always", "unfocused", "invisible", NULL };

/* ---- OSC 99 ------------------------------------------------------------- */

/* The keys of the first sequence. */
static void
add_description(struct buf *out, const struct notification *n)
{
	if (n->urgency != 0)
		buf_format(out, ":u=%u", n->urgency - URGENCY_LOW);
	if (n->when != 0)
		buf_format(out, ":o=%s", notification_times[n->when - 1]);
}

/* `*done_at`: offset of the 0 in d=0 of the last sequence, 0 before the first. */
static void
add_piece(struct buf *out, const struct notification *n, const char *part,
    const char *bytes, size_t size, size_t *done_at)
{
	bool first = *done_at == 0;

	buf_format(out, "\x1b]99;i=%s:d=", n->id);
	*done_at = out->len;
	buf_format(out, "0:p=%s:e=1", part);
	if (first)
		add_description(out, n);
	buf_add_string(out, ";");
	base64_encode(out, bytes, size);
	buf_add_string(out, ST);
}

/* Each piece ends with a whole character. */
static void
add_part(struct buf *out, const struct notification *n, const char *part,
    const struct notification_text *text, size_t *done_at)
{
	struct buf clean = BUF_EMPTY;
	size_t at, size;

	add_harmless(&clean, text, NOTIFICATION_BODY99_MAX, LINES);
	for (at = 0; at < clean.len; at += size) {
		size = clean.len - at;
		if (size > PIECE_MAX)
			size = text_cut((const char *)clean.data + at, PIECE_MAX);
		add_piece(out, n, part, (const char *)clean.data + at, size, done_at);
	}
	buf_free(&clean);
}

/* ---- the sequences ------------------------------------------------------ */

void
encode_notification(struct buf *out, enum notification_protocol protocol,
    const struct notification *n)
{
	const struct notification_text blank = { " ", 1 }, *title = &n->title, *body = &n->body;
	const struct notification_text *first = title->size > 0 ? title : body;
	unsigned style = n->ascii ? FIELD | ASCII : FIELD;
	size_t done_at = 0;

	switch (protocol) {
	case NOTIFICATION_99:
		add_part(out, n, "title", title, &done_at);
		add_part(out, n, "body", body, &done_at);
		if (done_at == 0)
			add_piece(out, n, "title", "", 0, &done_at);
		out->data[done_at] = '1';
		break;
	case NOTIFICATION_777:
		buf_add_string(out, "\x1b]777;notify;");
		add_harmless(out, title->size > 0 ? title : &blank, NOTIFICATION_TITLE_MAX, style);
		buf_add_string(out, ";");
		add_harmless(out, body->size > 0 ? body : &blank, NOTIFICATION_BODY_MAX, style);
		buf_add_string(out, ST);
		break;
	case NOTIFICATION_9:
		buf_add_string(out, "\x1b]9;");
		if (first->size > 0 && isdigit((unsigned char)first->bytes[0]))
			buf_add_string(out, " ");
		add_harmless(out, title, NOTIFICATION_TITLE_MAX, style);
		if (title->size > 0 && body->size > 0)
			buf_add_string(out, ": ");
		add_harmless(out, body, NOTIFICATION_BODY_MAX, style);
		buf_add_string(out, ST);
		break;
	}
}
