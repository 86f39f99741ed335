/* SPDX-License-Identifier: MIT */
/* Reads colors. */
#include "route/route.h"

#include "base/base.h"
#include "tty/tty.h"

#include <stdlib.h>
#include <string.h>

enum {
	/* usually ended early by the fence */
	REPLY_MS = 1000,
	REPLY_BYTES_MAX = 1024
};

/* Reads "color", of the palette "c;color". */
static void
read_reply(struct color_query *q, const struct reply *reply)
{
	const char *color = reply->text;
	unsigned long which = COLOR_COUNT;
	char *end;

	if (reply->kind == REPLY_FOREGROUND) {
		which = COLOR_FOREGROUND;
	} else if (reply->kind == REPLY_BACKGROUND) {
		which = COLOR_BACKGROUND;
	} else if (reply->kind == REPLY_CURSOR) {
		which = COLOR_CURSOR;
	} else if (reply->kind == REPLY_PALETTE) {
		which = strtoul(reply->text, &end, 10);
		if (end == reply->text || *end != ';' || which >= COLOR_FOREGROUND)
			return;
		color = end + 1;
	}
	if (which == q->which && !q->known)
		q->known = color_parse(&q->color, color,
		    (size_t)(reply->text + reply->size - color));
}

static bool
no_color_reply(const struct color_query *q, const struct path *path, struct replies replies,
    struct error *error)
{
	if (query_failed(replies, error))
		return false;
	if (path->hops > 0 && path->hop[0].row->kind == HOP_TMUX)
		return fail(error, STATUS_NO_REPLY, "tmux does not report this color\n"
		    "run it outside tmux; tmux reports only colors set in its pane (since "
		    "3.4 also foreground and background)");
	if (q->which == COLOR_CURSOR)
		return fail(error, STATUS_NO_REPLY,
		    "the terminal does not report the color of its cursor\n"
		    "Alacritty reports it only after a program has set it");
	return fail(error, STATUS_NO_REPLY, "the terminal does not report its colors\n"
	    "some terminals let programs set colors, but not read them");
}

bool
read_colors(struct color_query *q, struct path *path, struct error *error)
{
	struct replies replies;
	struct buf text = BUF_EMPTY;
	size_t i;

	if (path->queried.silent)
		return no_color_reply(q, path, (struct replies){ .end = TTY_TIMED_OUT }, error);
	/* Screen sends an unwrapped query to each display, and types every reply */
	if (path->hops > 0 && path->hop[0].multiuser && q->chain.count == 0)
		return fail(error, STATUS_REFUSED, "colors cannot be read in a Screen "
		    "session that other users may be attached to, whose terminal might "
		    "reply\n"
		    "turn that off: C-a :multiuser off");
	encode_color(&text, q->which, NULL);
	buf_add(&text, "", 1);
	replies = query_terminal(&path->given, (struct query){
		.text = (const char *)text.data,
		.chain = &q->chain,
		.timeout_ms = q->timeout_ms != 0 ? q->timeout_ms : REPLY_MS,
		.late_ms = QUERY_LATE_USER_MS,
		.reply_max = REPLY_BYTES_MAX,
	});
	buf_free(&text);
	for (i = 0; i < replies.count; i++)
		read_reply(q, &replies.reply[i]);
	if (replies.end == TTY_TIMED_OUT && path->hops == 0)
		path_note_silence(path);
	return q->known || no_color_reply(q, path, replies, error);
}
