/* SPDX-License-Identifier: MIT */
/* OSC 99, 777 and 9; the bytes are drawn in encoder.h. */
#include "encoder/encoder.h"

#include "base/base64.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

#define ST "\x1b\\"
#define LABELS_SEPARATOR "\xe2\x80\xa8"

enum {
	PIECE_MAX = 1536,
	ID_MAX = 128,
	/* a name or label, of which kitty keeps as many characters */
	NAME_MAX_BYTES = 256
};

/* ---- text --------------------------------------------------------------- */

/* The ASCII form of characters that are common in messages. */
static const struct {
	const char *sign, *ascii;
} ascii_forms[] = {
	{ "\xc2\xa0", " " },       /* no-break space */
	{ "\xc2\xab", "\"" }, { "\xc2\xbb", "\"" },
	{ "\xc3\x97", "x" },       /* times */
	{ "\xcd\xbe", ";" },       /* Greek question mark */
	{ "\xe2\x80\x90", "-" }, { "\xe2\x80\x91", "-" }, { "\xe2\x80\x92", "-" },
	{ "\xe2\x80\x93", "-" }, { "\xe2\x80\x94", "-" }, { "\xe2\x80\x95", "-" },
	{ "\xe2\x80\x98", "'" }, { "\xe2\x80\x99", "'" }, { "\xe2\x80\x9a", "'" },
	{ "\xe2\x80\x9c", "\"" }, { "\xe2\x80\x9d", "\"" }, { "\xe2\x80\x9e", "\"" },
	{ "\xe2\x80\xa2", "*" },   /* bullet */
	{ "\xe2\x80\xa6", "..." }, /* ellipsis */
	{ "\xe2\x86\x92", "->" },
	{ "\xe2\x88\x92", "-" },   /* minus */
};

/* The character at `text`, `n` bytes long, in ASCII. */
static const char *
in_ascii(const char *text, size_t n)
{
	size_t i;

	for (i = 0; i < sizeof(ascii_forms) / sizeof(ascii_forms[0]); i++)
		if (strlen(ascii_forms[i].sign) == n &&
		    memcmp(ascii_forms[i].sign, text, n) == 0)
			return ascii_forms[i].ascii;
	return "?";
}

struct style {
	bool lines, ascii;
	bool fields; /* no semicolon */
	size_t max;
};

static bool
add_character(struct buf *out, const char *text, size_t n,
    const struct style *style)
{
	if (style->ascii && n > 1) {
		text = in_ascii(text, n);
		n = strlen(text);
	}
	/* also one that the ASCII form contains */
	if (style->fields && *text == ';')
		return buf_add_string(out, style->ascii ? "," : "\xcd\xbe");
	return buf_add(out, text, n);
}

/* Adds the sanitized text, shortened to style->max bytes. */
static bool
add_harmless(struct buf *out, const char *bytes, size_t size,
    const struct style *style)
{
	size_t n, width, end, begin = out->len;
	struct buf clean;
	const char *at;
	bool fine;

	buf_init(&clean, BUF_NO_LIMIT);
	fine = text_sanitize(&clean, bytes, size, style->lines);
	at = (const char *)clean.data;
	for (end = clean.len; fine && end > 0; end -= n, at += n) {
		n = (unsigned char)*at < 0x80 ? 1 : text_utf8(at, end);
		/* a semicolon may become longer, nothing else does */
		width = style->fields && *at == ';' ? 2 : n;
		/* if the rest does not fit: do this character and the ellipsis? */
		if (out->len - begin + end > style->max &&
		    out->len - begin + width + 3 > style->max) {
			fine = buf_add_string(out,
			    style->ascii ? "..." : "\xe2\x80\xa6");
			break;
		}
		fine = add_character(out, at, n, style);
	}
	if (clean.fault != BUF_FINE)
		out->fault = clean.fault;
	buf_free(&clean);
	return fine;
}

/* ---- OSC 99 ------------------------------------------------------------- */

/* The sequences of one notification. */
struct series {
	struct buf *out;
	const struct notification *n;
	bool begun;
	size_t done_at; /* offset of the 0 in d=0 of the last one */
};

/* `:KEY=` and the text in base64. */
static bool
add_name(struct buf *out, char key, const char *text)
{
	const struct style style = { .max = NAME_MAX_BYTES };
	const char head[] = { ':', key, '=', '\0' };
	size_t from;

	if (!buf_add_string(out, head))
		return false;
	from = out->len;
	return add_harmless(out, text, strlen(text), &style) &&
	    base64_encode_in_place(out, from);
}

static bool
add_names(struct buf *out, char key, const struct notification_list *list)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		if (!add_name(out, key, list->text[i]))
			return false;
	return true;
}

/* The keys that stand in the first sequence only. */
static bool
add_description(struct buf *out, const struct notification *n)
{
	char number[32];

	if (n->reports)
		buf_add_string(out, ":a=report:c=1");
	if (n->urgency != NOTIFICATION_URGENCY_NONE) {
		snprintf(number, sizeof(number), ":u=%d",
		    (int)n->urgency - NOTIFICATION_LOW);
		buf_add_string(out, number);
	}
	if (n->when != NULL) {
		buf_add_string(out, ":o=");
		buf_add_string(out, n->when);
	}
	if (n->stays || n->expire_ms != 0) {
		snprintf(number, sizeof(number), ":w=%u",
		    n->stays ? 0 : n->expire_ms);
		buf_add_string(out, number);
	}
	return (n->application == NULL || add_name(out, 'f', n->application)) &&
	    (n->sound == NULL || add_name(out, 's', n->sound)) &&
	    add_names(out, 'n', &n->icons) && add_names(out, 't', &n->types);
}

static bool
add_piece(struct series *s, const char *part, const char *bytes, size_t size)
{
	struct buf *out = s->out;

	buf_add_string(out, "\x1b]99;i=");
	buf_add_string(out, s->n->id);
	buf_add_string(out, ":d=");
	s->done_at = out->len;
	buf_add_string(out, "0:p=");
	buf_add_string(out, part);
	buf_add_string(out, ":e=1");
	if (!s->begun && !add_description(out, s->n))
		return false;
	s->begun = true;
	buf_add_string(out, ";");
	return base64_encode(out, bytes, size) && buf_add_string(out, ST);
}

/* The size of the next piece, which ends with a whole character. */
static size_t
notification_piece(const char *bytes, size_t left)
{
	size_t n = left < PIECE_MAX ? left : PIECE_MAX;

	while (n < left && n > 1 && ((unsigned char)bytes[n] & 0xc0) == 0x80)
		n--;
	return n;
}

static bool
add_part(struct series *s, const char *part, const struct buf *clean)
{
	const char *bytes = (const char *)clean->data;
	size_t left = clean->len, n;

	for (; left > 0; left -= n, bytes += n) {
		n = notification_piece(bytes, left);
		if (!add_piece(s, part, bytes, n))
			return false;
	}
	return true;
}

static bool
add_text_part(struct series *s, const char *part,
    const struct notification_text *text)
{
	const struct style style = { .lines = true, .max = NOTIFICATION_BODY99_MAX };
	struct buf clean;
	bool fine;

	buf_init(&clean, BUF_NO_LIMIT);
	fine = add_harmless(&clean, text->bytes, text->size, &style) &&
	    add_part(s, part, &clean);
	if (clean.fault != BUF_FINE)
		s->out->fault = clean.fault;
	buf_free(&clean);
	return fine;
}

static bool
add_buttons(struct series *s, const struct notification_list *buttons)
{
	const struct style style = { .max = NAME_MAX_BYTES };
	struct buf labels;
	bool fine = true;
	size_t i;

	buf_init(&labels, BUF_NO_LIMIT);
	for (i = 0; fine && i < buttons->count; i++) {
		if (i > 0)
			buf_add_string(&labels, LABELS_SEPARATOR);
		fine = add_harmless(&labels, buttons->text[i],
		    strlen(buttons->text[i]), &style);
	}
	fine = fine && add_part(s, "buttons", &labels);
	if (labels.fault != BUF_FINE)
		s->out->fault = labels.fault;
	buf_free(&labels);
	return fine;
}

static bool
encode_99(struct buf *out, const struct notification *n)
{
	struct series s = { .out = out, .n = n };

	if (!add_text_part(&s, "title", &n->title) ||
	    !add_text_part(&s, "body", &n->body) ||
	    !add_buttons(&s, &n->buttons))
		return false;
	/* nothing to show: an empty title */
	if (!s.begun && !add_piece(&s, "title", "", 0))
		return false;
	if (out->fault == BUF_FINE)
		out->data[s.done_at] = '1';
	return out->fault == BUF_FINE;
}

/* ---- OSC 777 and 9 ------------------------------------------------------ */

static bool
add_plain_text(struct buf *out, const struct notification_text *text, size_t max,
    bool ascii)
{
	const struct style style = { .ascii = ascii, .fields = true, .max = max };

	return add_harmless(out, text->bytes, text->size, &style);
}

static bool
encode_777(struct buf *out, const struct notification *n)
{
	const struct notification_text blank = { " ", 1 };

	return buf_add_string(out, "\x1b]777;notify;") &&
	    add_plain_text(out, n->title.size > 0 ? &n->title : &blank,
	        NOTIFICATION_TITLE_MAX, n->ascii) &&
	    buf_add_string(out, ";") &&
	    add_plain_text(out, n->body.size > 0 ? &n->body : &blank,
	        NOTIFICATION_BODY_MAX, n->ascii) &&
	    buf_add_string(out, ST);
}

static bool
encode_9(struct buf *out, const struct notification *n)
{
	const struct notification_text *first =
	    n->title.size > 0 ? &n->title : &n->body;
	bool number = first->size > 0 && text_is_digit(first->bytes[0]);

	return buf_add_string(out, "\x1b]9;") &&
	    (!number || buf_add_string(out, " ")) &&
	    add_plain_text(out, &n->title, NOTIFICATION_TITLE_MAX, n->ascii) &&
	    (n->title.size == 0 || n->body.size == 0 ||
	        buf_add_string(out, ": ")) &&
	    add_plain_text(out, &n->body, NOTIFICATION_BODY_MAX, n->ascii) &&
	    buf_add_string(out, ST);
}

/* ---- all of them -------------------------------------------------------- */

bool
encode_notification(struct buf *out, enum notification_protocol protocol,
    const struct notification *n)
{
	switch (protocol) {
	case NOTIFICATION_99:
		return encode_99(out, n);
	case NOTIFICATION_777:
		return encode_777(out, n);
	case NOTIFICATION_9:
		break;
	}
	return encode_9(out, n);
}

bool
notification_id_is_fine(const char *id)
{
	static const char fine[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	    "abcdefghijklmnopqrstuvwxyz0123456789_+-.";
	size_t n = strspn(id, fine);

	/* 0 is what terminals report for a notification without an id */
	return id[n] == '\0' && n > 0 && n <= ID_MAX && strcmp(id, "0") != 0;
}

static bool
encode_request(struct buf *out, const char *id, const char *kind)
{
	return buf_add_string(out, "\x1b]99;i=") && buf_add_string(out, id) &&
	    buf_add_string(out, ":p=") && buf_add_string(out, kind) &&
	    buf_add_string(out, ";" ST);
}

bool
encode_notification_close(struct buf *out, const char *id)
{
	return encode_request(out, id, "close");
}

bool
encode_notification_query(struct buf *out, const char *id)
{
	return encode_request(out, id, "?");
}
