/* SPDX-License-Identifier: MIT */
/* Replies about notifications (OSC 99); the contract is in notification_events.h. */
#include "route/notification_events.h"

#include "base/text.h"
#include "encoder/encoder.h"
#include "detect/reader.h"
#include "tty/query.h"

#include <string.h>

enum {
	/* time limit for the reply to the fence */
	FENCE_MS = 1000,
	/* from our request to close it until the event that it was closed */
	CLOSE_MS = 1000,
	REPLY_BYTES_MAX = 64 * 1024
};

/* ---- a reply ------------------------------------------------------------ */

/*
 * Splits a reply about the notification `id`. Also accepts Konsole's semicolon instead of
 * a colon (i=ID;p=?;...), and VS Code's reply without a payload.
 */
static bool
take_apart(const struct reply *reply, const char *id, struct reply_piece *about,
    struct reply_piece *payload)
{
	const char *semicolon = memchr(reply->text, ';', reply->size);
	struct reply_piece metadata = { reply->text, semicolon != NULL ?
	    (size_t)(semicolon - reply->text) : reply->size };

	if (reply->kind != REPLY_NOTIFICATION)
		return false;
	*payload = semicolon == NULL ? (struct reply_piece){ "", 0 } :
	    (struct reply_piece){ semicolon + 1, reply->size - metadata.size - 1 };
	*about = reply_value(metadata, "p");
	return reply_piece_is(reply_value(metadata, "i"), id);
}

/* ---- querying ------------------------------------------------------------ */

/* Waiting for events of one notification. */
struct notification_wait {
	const char *id;
	const struct buf *bytes; /* the notification, to be sent; or NULL */
	struct notification_event *what;
	bool answered, fenced;
};

static bool
add_query(struct buf *bytes, void *context)
{
	const struct notification_wait *w = context;

	return encode_notification_query(bytes, w->id);
}

static bool
add_close(struct buf *bytes, void *context)
{
	const struct notification_wait *w = context;

	return encode_notification_close(bytes, w->id);
}

static bool
add_notification(struct buf *bytes, void *context)
{
	const struct notification_wait *w = context;

	return buf_add(bytes, w->bytes->data, w->bytes->len);
}

/* ---- support of OSC 99 ---------------------------------------------------- */

static bool
on_answer(void *context, const struct reply *reply, unsigned *timeout_ms)
{
	struct notification_wait *w = context;
	struct reply_piece about, payload;

	(void)timeout_ms;
	w->answered |= take_apart(reply, w->id, &about, &payload);
	return reply->kind != REPLY_DA1;
}

bool
notification_known(const char *id, unsigned timeout_ms, int *signal)
{
	struct notification_wait w = { .id = id };
	struct query_result answer = tty_query(QUERY_CONTROLLING, &(struct query){
		.encode = add_query,
		.timeout_ms = timeout_ms != 0 ? timeout_ms : FENCE_MS,
		.strict = timeout_ms == 0,
		.optional = true,
		.reply_max = REPLY_BYTES_MAX,
		.is_read = reader_is_another,
		.receive = on_answer,
		.context = &w,
	});

	*signal = answer.signal;
	return w.answered;
}

/* ---- events -------------------------------------------------------------- */

/* kitty on macOS reports at once that it cannot track closing. */
static bool
is_closed(struct reply_piece about, struct reply_piece payload)
{
	return reply_piece_is(about, "close") && !reply_piece_is(payload, "untracked");
}

static bool
on_event(void *context, const struct reply *reply, unsigned *timeout_ms)
{
	struct notification_wait *w = context;
	struct reply_piece about, payload;
	unsigned long button;
	char number[8];

	(void)timeout_ms;
	if (!take_apart(reply, w->id, &about, &payload))
		return true;
	if (is_closed(about, payload)) {
		*w->what = (struct notification_event){ NOTIFICATION_EVENT_CLOSED, 0 };
	} else if (about.size > 0 && !reply_piece_is(about, "title")) {
		return true;
	} else if (payload.size == 0) {
		*w->what = (struct notification_event){ NOTIFICATION_EVENT_CLICKED, 0 };
	} else {
		if (payload.size >= sizeof(number))
			return true;
		memcpy(number, payload.text, payload.size);
		number[payload.size] = '\0';
		if (!text_number(number, 99, &button) || button == 0)
			return true;
		*w->what = (struct notification_event){
			NOTIFICATION_EVENT_BUTTON, (unsigned)button };
	}
	w->answered = true;
	return false;
}

/* The last event arrives when the desktop has removed it, after the fence. */
static bool
on_close(void *context, const struct reply *reply, unsigned *timeout_ms)
{
	struct notification_wait *w = context;
	struct reply_piece about, payload;

	if (reply->kind == REPLY_DA1) {
		w->fenced = true;
		*timeout_ms = CLOSE_MS;
	} else if (take_apart(reply, w->id, &about, &payload) &&
	    reply_piece_is(about, "close")) {
		w->answered = true;
	}
	return !w->fenced || !w->answered;
}

/* The nearest hop replies to the fence; only the request is wrapped. */
static void
close_unseen(const char *id, const struct chain *chain, int *signal)
{
	struct notification_wait w = { .id = id };
	struct query_result answer = tty_query(QUERY_CONTROLLING, &(struct query){
		.encode = add_close,
		.chain = chain,
		.fence = FENCE_NEAREST,
		.timeout_ms = CLOSE_MS,
		.reply_max = REPLY_BYTES_MAX,
		.is_read = reader_is_another,
		.receive = on_close,
		.context = &w,
	});

	if (*signal == 0)
		*signal = answer.signal;
}

/* Whether the notification was shown. */
static bool
was_sent(enum query_end end)
{
	return end == QUERY_DONE || end == QUERY_SILENT || end == QUERY_SIGNALLED;
}

enum notification_outcome
notification_wait(struct notification_event *what, const char *id,
    const struct buf *bytes, const struct chain *chain, unsigned timeout_ms,
    int *signal, struct error *error)
{
	struct notification_wait w = { .id = id, .bytes = bytes, .what = what };
	struct query_result answer = tty_query(QUERY_CONTROLLING, &(struct query){
		.encode = add_notification,
		.chain = chain,
		.fence = FENCE_NONE,
		.timeout_ms = timeout_ms,
		.reply_max = REPLY_BYTES_MAX,
		.is_read = reader_is_another,
		.receive = on_event,
		.context = &w,
	});

	*signal = answer.signal;
	if (was_sent(answer.end) &&
	    !(w.answered && what->event == NOTIFICATION_EVENT_CLOSED))
		close_unseen(id, chain, signal);
	if (w.answered)
		return NOTIFICATION_ANSWERED;
	return query_failed(answer.end, error) ? NOTIFICATION_FAILED :
	    NOTIFICATION_IGNORED;
}
