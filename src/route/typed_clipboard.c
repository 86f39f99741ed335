/* SPDX-License-Identifier: MIT */
/* Copies and pastes by OSC 5522. */
#include "route/route.h"

#include "base/base.h"
#include "tty/tty.h"

#include <string.h>
#include <sys/param.h>
#include <unistd.h>

enum {
	/* until a reply, and between two replies */
	REPLY_MS = 2000,
	/* for a terminal that asks the user first */
	PERSON_MS = 60000,
	/*
	 * A copy is written faster than a slow line transmits it, so the timeout for the
	 * reply grows with the size, at this many bytes per millisecond, up to a maximum.
	 */
	LINE_BYTES_PER_MS = 64,
	LINE_MS_MAX = 60000,
	/* a list of types comes in one packet; content in packets of 4,096 bytes */
	REPLY_BYTES_MAX = 64 * 1024,
	LIST_BYTES_MAX = 64 * 1024
};

enum { ID_SIZE = 40 };

#define KITTY_ALLOWS "the option clipboard_control of kitty.conf allows it, with "

/* How long to wait for the next reply if the user is not asked first. */
static unsigned
silence_ms(const struct request *request)
{
	return request->given.timeout_ms != 0 ? request->given.timeout_ms : REPLY_MS;
}

/* ---- a request and its replies ------------------------------------------ */

struct transfer {
	const struct route *route;
	const struct request *request;
	const struct typed_write *write; /* NULL: a read */
	size_t sent;
	const char *type;                /* of a read; ".": a list of the types */
	struct buf *data;
	size_t received, received_max;   /* bytes of replies */
	char id[ID_SIZE];
	unsigned patience_ms;            /* until the first reply */
	bool fenced, answered, finished; /* answered: a reply has begun */
	bool begun_by_data;              /* without another reply before it */
	bool found;                      /* data of the type arrived */
	bool broken, oversized;
	struct typed_reply last;         /* the one that ended the transfer */
};

static void
take_data(struct transfer *t, const struct typed_reply *reply)
{
	bool list = strcmp(t->type, ".") == 0, fits;

	/* ignore types that were not requested */
	if (!list && strcmp(reply->type, t->type) != 0)
		return;
	t->found = true;
	/* a list has the type "."; Contour 0.7 sends a packet without data for each type */
	if (list && strcmp(reply->type, ".") != 0)
		fits = buf_add_string(t->data, reply->type) && buf_add_string(t->data, " ");
	else
		fits = base64_decode(t->data, reply->data, reply->size);
	t->oversized = t->oversized || t->data->full;
	t->broken = t->broken || (!fits && !t->data->full);
}

static void
take_typed(struct transfer *t, const struct reply *reply, unsigned *timeout_ms)
{
	struct typed_reply typed;
	bool is_data;

	t->received += reply->size;
	t->oversized = t->oversized || t->received > t->received_max;
	if (!typed_reply_parse(&typed, reply->text, reply->size, t->id) ||
	    typed.write != (t->write != NULL) || t->finished)
		return;
	is_data = strcmp(typed.status, "DATA") == 0;
	t->begun_by_data = t->begun_by_data || (!t->answered && is_data);
	/* data above the limit does not extend the wait, nor do packets without any */
	if (!t->oversized && !t->broken && (!t->answered || typed.size > 0))
		*timeout_ms = silence_ms(t->request);
	t->answered = true;
	if (is_data && t->write == NULL && !t->oversized)
		take_data(t, &typed);
	if (is_data || strcmp(typed.status, "OK") == 0)
		return;
	t->last = typed;
	t->finished = true;
}

static bool
receive(void *context, const struct reply *reply, unsigned *timeout_ms)
{
	struct transfer *t = context;

	if (reply->kind == REPLY_TYPED) {
		take_typed(t, reply, timeout_ms);
	} else if (reply->kind == REPLY_OVERSIZED) {
		t->broken = true;
		return false;
	} else if (reply->kind == REPLY_DA1) {
		t->fenced = true;
		/* a terminal that asks the user or a program replies to the fence first */
		if (!t->answered)
			*timeout_ms = t->patience_ms;
	}
	return !(t->fenced && t->finished);
}

static bool
denied(const struct transfer *t, struct error *error)
{
	static const struct {
		const char *status, *reason;
	} reasons[] = {
		{ "EPERM", "the user or the settings denied it" },
		{ "EBUSY", "another program is using the clipboard" },
		{ "EIO", "it reports an I/O error" },
		{ "EINVAL", "it rejected the request as invalid" },
		{ "ENOSYS", "it does not support this type" },
	};
	const bool primary = t->request->selections[0] == 'p';
	const char *status = t->last.status, *reason = "for an unknown reason", *remedy = "";
	size_t i;

	for (i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (strcmp(status, reasons[i].status) == 0)
			reason = reasons[i].reason;
	if (strcmp(status, "ENOSYS") == 0 && primary)
		reason = "it has no primary selection";
	if (strcmp(status, "EBUSY") == 0)
		remedy = "try again";
	else if (strcmp(status, "EPERM") == 0 && t->route->terminal != NULL &&
	    strcmp(t->route->terminal->id, "kitty") == 0)
		remedy = t->write == NULL ?
		    primary ? KITTY_ALLOWS "read-primary" : KITTY_ALLOWS "read-clipboard" :
		    primary ? KITTY_ALLOWS "write-primary" : KITTY_ALLOWS "write-clipboard";
	return fail(error, STATUS_DENIED, "the terminal refused to %s: %s (%s)\n%s",
	    purpose(t->request).text, reason, text_quote(status).text, remedy);
}

/* `payload`: of a write, consumed; or NULL. */
static bool
converse(struct transfer *t, struct buf *payload, struct error *error)
{
	const unsigned given_ms = t->request->given.timeout_ms;
	const size_t size = payload != NULL ? payload->len : 0;
	const size_t line_ms = MIN(size / LINE_BYTES_PER_MS, (size_t)LINE_MS_MAX);
	struct buf text = BUF_EMPTY, content = BUF_EMPTY;
	struct replies replies;

	/* unique among transfers on a terminal, even from several machines */
	text_format(t->id, ID_SIZE, "v%lx-%llx", (unsigned long)getpid(),
	    (unsigned long long)clock_ms());
	if (given_ms != 0)
		t->patience_ms = given_ms;
	if (payload != NULL) {
		encode_typed_write(&content, t->write);
		buf_free(payload);
	} else {
		encode_typed_read(&text, t->id, t->request->selections[0] == 'p', t->type);
	}
	buf_add(&text, "", 1);
	replies = query_terminal(&t->request->given, (struct query){
		.text = (const char *)text.data,
		.content = payload != NULL ? &content : NULL,
		.chain = &t->route->chain,
		.timeout_ms = t->patience_ms + (given_ms != 0 ? 0 : (unsigned)line_ms),
		.user = true,
		.reply_max = REPLY_BYTES_MAX,
		.receive = receive,
		.context = t,
	});
	buf_free(&text);
	buf_free(&content);
	t->sent = replies.written;
	if (t->oversized || t->broken)
		return true;
	/* the first reply to a read is not data */
	if (replies.stopped &&
	    (t->begun_by_data || (!t->finished && replies.end == TTY_TIMED_OUT)))
		return query_lost_reply(error);
	if (t->finished)
		return strcmp(t->last.status, "DONE") == 0 || denied(t, error);
	return !query_failed(replies, error) && fail(error, STATUS_NO_REPLY,
	    "the terminal did not reply to the request to %s\n"
	    "%s; --timeout SECS waits longer", purpose(t->request).text, t->write != NULL ?
	    "the clipboard may or may not have been set" :
	    "the terminal may ask its user first");
}

bool
typed_copy(struct route *route, const struct request *request, struct buf *bytes, size_t *sent,
    struct error *error)
{
	struct transfer t = { .route = route, .request = request, .patience_ms = REPLY_MS,
	    .received_max = (size_t)-1 };
	struct typed_write write = { .id = t.id, .bytes = bytes->data, .size = bytes->len,
		.type = request->type, .primary = request->selections[0] == 'p',
		.screen = chain_has(&route->chain, LAYER_SCREEN) };

	t.write = &write;
	route->confirmed = converse(&t, bytes, error);
	*sent += t.sent;
	error->sent = !route->confirmed && (error->status == STATUS_NO_REPLY ||
	    error->status == STATUS_DENIED);
	because(route, "the terminal confirmed the copy (OSC 5522)");
	return route->confirmed && (!t.broken || fail(error, STATUS_FAILED,
	    "the terminal's reply is invalid: it is too long"));
}

/* Splits types, which are separated by spaces, into lines; a newline may follow the last. */
static void
make_lines(struct buf *list)
{
	size_t i, n = 0;

	for (i = 0; i < list->len; i++)
		if (list->data[i] != ' ' && list->data[i] != '\n')
			list->data[n++] = list->data[i];
		else if (n > 0 && list->data[n - 1] != '\n')
			list->data[n++] = '\n';
	list->len = n;
	list->max++;
	if (n > 0 && list->data[n - 1] != '\n')
		buf_add(list, "\n", 1);
}

bool
typed_paste(const struct route *route, const struct request *request, struct buf *data,
    struct error *error)
{
	const bool asks = route->reads == SUPPORT_ASKS || route->reads == SUPPORT_UNKNOWN;
	const char *type = request->type;
	struct transfer t = { .route = route, .request = request,
	    .type = type != NULL ? type : ".", .data = data,
	    .patience_ms = type != NULL && asks ? PERSON_MS : REPLY_MS,
	    .received_max = route->reply_max != 0 ? route->reply_max : (size_t)-1 };

	if (type == NULL)
		data->max = LIST_BYTES_MAX;
	if (!converse(&t, NULL, error))
		return false;
	if (t.received > t.received_max)
		return fail(error, STATUS_REFUSED, "the terminal's reply is longer than the "
		    "%zu bytes that Screen passes on\n"
		    "run it outside Screen", t.received_max);
	if (t.oversized)
		return fail(error, STATUS_REFUSED, "the clipboard is larger than %zu bytes\n"
		    "--max BYTES raises the limit", data->max);
	if (t.broken)
		return fail(error, STATUS_FAILED,
		    "the terminal's reply is not base64, or too long");
	if (type == NULL)
		make_lines(data);
	return type == NULL || t.found || fail(error, STATUS_FAILED,
	    "the clipboard has no data of type %s\n"
	    "viatty paste --list-types prints its types", text_quote(type).text);
}
