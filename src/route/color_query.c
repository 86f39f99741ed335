/* SPDX-License-Identifier: MIT */
/* Reading colors; the contract is in color_query.h. */
#include "route/color_query.h"

#include "base/text.h"
#include "detect/reader.h"
#include "tty/query.h"

#include <string.h>

enum {
	/* the fence ends the waiting before */
	REPLY_MS = 1000,
	/* all 256 colors in one reply: "255;rgb:ffff/ffff/ffff;" each */
	REPLY_BYTES_MAX = 8 * 1024
};

static void
take_color(struct color_query *q, unsigned which, const char *text, size_t n)
{
	size_t i;

	for (i = 0; i < q->count; i++)
		if (q->reading[i].which == which && !q->reading[i].known)
			q->reading[i].known = color_parse(&q->reading[i].color, text, n);
}

/* Up to a semicolon or the end; `*next` is behind it, NULL at the end. */
static size_t
field(const char *text, const char **next)
{
	const char *end = strchr(text, ';');

	*next = end != NULL ? end + 1 : NULL;
	return end != NULL ? (size_t)(end - text) : strlen(text);
}

/* "c;color", and more such pairs. */
static void
take_palette(struct color_query *q, const char *text)
{
	const char *value, *next = text;
	char number[4];
	unsigned long which;
	size_t n;

	while (next != NULL) {
		text = next;
		n = field(text, &value);
		if (value == NULL || n >= sizeof(number))
			return;
		memcpy(number, text, n);
		number[n] = '\0';
		n = field(value, &next);
		if (text_number(number, COLOR_FOREGROUND - 1, &which))
			take_color(q, (unsigned)which, value, n);
	}
}

static void
take_scheme(struct color_query *q, const struct reply *reply)
{
	if (!q->scheme_wanted || reply->count != 2 || reply->number[0] != 997)
		return;
	if (reply->number[1] == 1)
		q->scheme = SCHEME_DARK;
	else if (reply->number[1] == 2)
		q->scheme = SCHEME_LIGHT;
}

static bool
receive_color(void *context, const struct reply *reply, unsigned *timeout_ms)
{
	struct color_query *q = context;

	(void)timeout_ms;
	if (reply->kind == REPLY_PALETTE)
		take_palette(q, reply->text);
	else if (reply->kind == REPLY_FOREGROUND)
		take_color(q, COLOR_FOREGROUND, reply->text, reply->size);
	else if (reply->kind == REPLY_BACKGROUND)
		take_color(q, COLOR_BACKGROUND, reply->text, reply->size);
	else if (reply->kind == REPLY_CURSOR)
		take_color(q, COLOR_CURSOR, reply->text, reply->size);
	else if (reply->kind == REPLY_SCHEME)
		take_scheme(q, reply);
	return reply->kind != REPLY_DA1;
}

static bool
encode_questions(struct buf *bytes, void *context)
{
	const struct color_query *q = context;
	size_t i;

	for (i = 0; i < q->count; i++)
		encode_color_read(bytes, q->reading[i].which);
	return bytes->fault == BUF_FINE;
}

static bool
is_any_known(const struct color_query *q)
{
	size_t i;

	for (i = 0; i < q->count; i++)
		if (q->reading[i].known)
			return true;
	return q->scheme != SCHEME_UNKNOWN;
}

static bool
no_color_reply(const struct color_query *q, const struct path *path, enum query_end end,
    struct error *error)
{
	if (query_failed(end, error))
		return false;
	if (q->count == 1 && q->reading[0].which == COLOR_CURSOR) {
		/* ColorRequest in event.rs of 0.13 and later */
		error_set(error, STATUS_NO_REPLY,
		    "the terminal does not report the color of its cursor");
		return error_hint(error, "Alacritty reports it only after a program "
		    "has set it");
	}
	if (path->hops > 0 && path->hop[0].kind == HOP_TMUX) {
		error_set(error, STATUS_NO_REPLY, "tmux does not report %s",
		    q->count == 1 ? "this color" : "these colors");
		return error_hint(error, "run it outside tmux; tmux reports only colors "
		    "set in its pane (since 3.4 also foreground and background)");
	}
	error_set(error, STATUS_NO_REPLY, "the terminal does not report its colors");
	return error_hint(error, "some terminals let programs set colors, but not read "
	    "them");
}

bool
read_colors(struct color_query *q, const struct path *path, struct error *error)
{
	const struct query query = {
		.text = q->scheme_wanted ? QUERY_SCHEME : "",
		.encode = encode_questions,
		.chain = q->chain,
		.timeout_ms = q->timeout_ms != 0 ? q->timeout_ms : REPLY_MS,
		.strict = q->timeout_ms == 0,
		.reply_max = REPLY_BYTES_MAX,
		.is_read = reader_is_another,
		.receive = receive_color,
		.context = q,
	};
	struct query_result answer;

	q->signal = 0;
	if (path->silent)
		return no_color_reply(q, path, QUERY_SILENT, error);
	answer = tty_query(QUERY_CONTROLLING, &query);
	q->signal = answer.signal;
	return is_any_known(q) || no_color_reply(q, path, answer.end, error);
}
