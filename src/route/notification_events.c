/* SPDX-License-Identifier: MIT */
/* What a terminal says of notifications; the contract is in notification_events.h. */
#include "route/notification_events.h"

#include "base/text.h"
#include "encoder/encoder.h"
#include "detect/reader.h"
#include "tty/query.h"
#include "tty/tty.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum {
	/* without a fence's answer for so long nobody is there */
	FENCE_MS = 1000,
	/* from our request to close it until the event that it was closed */
	CLOSE_MS = 1000,
	REPLY_BYTES_MAX = 64 * 1024,
	QUESTION_MAX = 1024
};

/* ---- a reply ------------------------------------------------------------ */

/* A piece of the metadata: `KEY=value`. */
struct piece {
	const char *text;
	size_t size;
};

/* The value of a key in "i=ID:p=close", or one of no text at all. */
static struct piece
value_of(const struct piece *metadata, char key)
{
	const char *at = metadata->text, *end = at + metadata->size, *colon;

	for (; at < end; at = colon + 1) {
		colon = memchr(at, ':', (size_t)(end - at));
		if (colon == NULL)
			colon = end;
		if (colon - at >= 2 && at[0] == key && at[1] == '=')
			return (struct piece){ at + 2, (size_t)(colon - at) - 2 };
	}
	return (struct piece){ "", 0 };
}

static bool
is(const struct piece *piece, const char *word)
{
	return piece->size == strlen(word) &&
	    memcmp(piece->text, word, piece->size) == 0;
}

/*
 * Takes a reply about the notification `id` apart. Konsole has a semicolon where
 * a colon belongs (i=ID;p=?;...), VS Code no payload: both pass.
 */
static bool
take_apart(const struct reply *reply, const char *id, struct piece *about,
    struct piece *payload)
{
	const char *semicolon = memchr(reply->text, ';', reply->size);
	struct piece metadata = { reply->text, semicolon != NULL ?
	    (size_t)(semicolon - reply->text) : reply->size };
	struct piece whose;

	if (reply->kind != REPLY_NOTIFICATION)
		return false;
	*payload = semicolon == NULL ? (struct piece){ "", 0 } :
	    (struct piece){ semicolon + 1, reply->size - metadata.size - 1 };
	*about = value_of(&metadata, 'p');
	whose = value_of(&metadata, 'i');
	return is(&whose, id);
}

/* ---- asking ------------------------------------------------------------- */

struct conversation {
	const char *id;
	const struct chain *chain; /* what the bytes are wrapped for, or NULL */
	struct notification_event *what;
	bool strict, optional; /* as of struct query */
	bool answered, fenced;
};

static struct query_result
put(const struct buf *bytes, unsigned timeout_ms, struct conversation *c,
    bool (*receive)(void *, const struct reply *, unsigned *))
{
	struct query question = {
		.bytes = bytes->data,
		.size = bytes->len,
		.chain = c->chain,
		.timeout_ms = timeout_ms,
		.strict = c->strict,
		.optional = c->optional,
		.reply_max = REPLY_BYTES_MAX,
		.is_read = reader_is_another,
		.receive = receive,
		.context = c,
	};
	struct query_result answer = { .end = QUERY_FAILED };
	int fd = tty_open("/dev/tty", true), failure;

	if (fd < 0)
		return answer;
	answer = tty_query(fd, &question);
	failure = errno;
	close(fd);
	errno = failure;
	return answer;
}

/* A request and the fence behind it, which whoever is next answers. */
static struct query_result
request(bool (*encode)(struct buf *, const char *), unsigned timeout_ms,
    struct conversation *c,
    bool (*receive)(void *, const struct reply *, unsigned *))
{
	struct query_result answer = { .end = QUERY_FAILED };
	struct buf bytes;

	buf_init(&bytes, QUESTION_MAX);
	if (encode(&bytes, c->id) && (c->chain == NULL || wrap(&bytes, c->chain)) &&
	    buf_add_string(&bytes, QUERY_DA1))
		answer = put(&bytes, timeout_ms, c, receive);
	buf_free(&bytes);
	return answer;
}

/* ---- whether it knows them ---------------------------------------------- */

static bool
on_answer(void *context, const struct reply *reply, unsigned *timeout_ms)
{
	struct conversation *c = context;
	struct piece about, payload;

	(void)timeout_ms;
	c->answered |= take_apart(reply, c->id, &about, &payload);
	return reply->kind != REPLY_DA1;
}

bool
notification_known(const char *id, unsigned timeout_ms, int *signal)
{
	struct conversation c = { .id = id, .strict = timeout_ms == 0,
	    .optional = true };
	struct query_result answer = request(encode_notification_query,
	    timeout_ms != 0 ? timeout_ms : FENCE_MS, &c, on_answer);

	*signal = answer.signal;
	return c.answered;
}

/* ---- what became of one ------------------------------------------------- */

/* kitty on macOS says at once that it cannot know when one is closed. */
static bool
is_closed(const struct piece *about, const struct piece *payload)
{
	return is(about, "close") && !is(payload, "untracked");
}

static bool
on_event(void *context, const struct reply *reply, unsigned *timeout_ms)
{
	struct conversation *c = context;
	struct piece about, payload;
	unsigned long button;
	char number[8];

	(void)timeout_ms;
	if (!take_apart(reply, c->id, &about, &payload))
		return true;
	if (is_closed(&about, &payload)) {
		*c->what = (struct notification_event){ NOTIFICATION_EVENT_CLOSED, 0 };
	} else if (about.size > 0 && !is(&about, "title")) {
		return true;
	} else if (payload.size == 0) {
		*c->what = (struct notification_event){ NOTIFICATION_EVENT_CLICKED, 0 };
	} else {
		if (payload.size >= sizeof(number))
			return true;
		memcpy(number, payload.text, payload.size);
		number[payload.size] = '\0';
		if (!text_number(number, 99, &button) || button == 0)
			return true;
		*c->what = (struct notification_event){
			NOTIFICATION_EVENT_BUTTON, (unsigned)button };
	}
	c->answered = true;
	return false;
}

/* Its last event comes when the desktop has taken it away: after the fence. */
static bool
on_close(void *context, const struct reply *reply, unsigned *timeout_ms)
{
	struct conversation *c = context;
	struct piece about, payload;

	if (reply->kind == REPLY_DA1) {
		c->fenced = true;
		*timeout_ms = CLOSE_MS;
	} else if (take_apart(reply, c->id, &about, &payload) &&
	    is(&about, "close")) {
		c->answered = true;
	}
	return !c->fenced || !c->answered;
}

static void
take_back(const char *id, const struct chain *chain, int *signal)
{
	struct conversation c = { .id = id, .chain = chain };
	struct query_result answer = request(encode_notification_close, CLOSE_MS, &c,
	    on_close);

	if (*signal == 0)
		*signal = answer.signal;
}

bool
notification_wait(struct notification_event *what, const char *id, const struct buf *bytes,
    const struct chain *chain, unsigned timeout_ms, int *signal,
    struct error *error)
{
	struct conversation c = { .id = id, .chain = chain, .what = what };
	struct query_result answer = put(bytes, timeout_ms, &c, on_event);
	bool sent = answer.end != QUERY_BACKGROUND &&
	    answer.end != QUERY_BUSY && answer.end != QUERY_FAILED;

	*signal = answer.signal;
	if (sent && !(c.answered && what->event == NOTIFICATION_EVENT_CLOSED))
		take_back(id, chain, signal);
	if (c.answered)
		return true;
	if (query_failed(answer.end, error))
		return false;
	error_set(error, STATUS_NO_REPLY, "nobody has clicked or closed the "
	    "notification, and it was taken back");
	return error_hint(error, "--timeout waits longer");
}
