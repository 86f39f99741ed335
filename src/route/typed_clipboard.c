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

/* ---- identification ------------------------------------------------------ */

/* A verb phrase for messages. */
static const char *
purpose(const struct request *request)
{
	static char text[TYPED_TYPE_MAX + 32];

	if (request->confirm)
		return "confirm a copy";
	if (request->type == NULL)
		return request->feature == FEATURE_COPY ? "clear the clipboard" :
		    "list the types of the clipboard";
	text_format(text, sizeof(text), "%s %s", request->feature == FEATURE_COPY ? "take" :
	    "paste", request->type);
	return text;
}

#define KITTY_ALLOWS "the option clipboard_control of kitty.conf allows it, with "

/* The end of a hint. */
static const char *
otherwise(const struct request *request)
{
	return request->confirm ? "; copy without --confirm needs no OSC 5522" : "";
}

/* How long to wait for the next reply if the user is not asked first. */
static unsigned
silence_ms(const struct request *request)
{
	return request->timeout_ms != 0 ? request->timeout_ms : REPLY_MS;
}

static bool
no_reply_at_all(struct route *route, const struct request *request)
{
	return fail(&route->refusal, STATUS_NO_REPLY,
	    "the terminal does not reply to queries\n"
	    "--timeout SECS waits longer%s", otherwise(request));
}

static bool
unsupported(struct route *route, const struct request *request, const char *version)
{
	const struct terminal *terminal = route->terminal;
	const char *since = terminal != NULL ? terminal->support[FEATURE_TYPES].since : "";
	const bool later = since[0] != '\0' &&
	    terminal_support(terminal, NEWEST, FEATURE_TYPES) == SUPPORT_YES;

	return refuse_route(route, "%s cannot %s: it does not support OSC 5522\n"
	    "%s supports it%s%s%s", version[0] != '\0' ? text_quote(version).text :
	    terminal != NULL ? route->who : "the terminal", purpose(request),
	    later ? terminal->name : "kitty", later ? " since version " : "",
	    later ? since : "", otherwise(request));
}

bool
plan_typed(struct route *route, const struct path *path, const struct request *request)
{
	enum support support = request->force ? SUPPORT_YES : path_support(path, FEATURE_TYPES);
	const struct hop *hop;

	route_begin(route, ROUTE_DIRECT, path);
	route->typed = true;
	route->own_device = true;
	route->reads = path_support(path, FEATURE_PASTE);
	hop = path_reply_chain(path, &route->chain);
	route->reply_max = route->chain.count > 0 ? path->hop[0].row->reply_max : 0;
	if (route->chain.count > 0)
		route->kind = ROUTE_PASSTHROUGH;
	text_copy(route->why, sizeof(route->why), route->chain.count > 0 ?
	    "the terminal is queried through Screen" : "the terminal is queried directly");
	if (signals_caught != 0)
		return fail(&route->refusal, STATUS_FAILED, "interrupted");
	if (hop != NULL)
		return refuse_route(route, "cannot %s through %s: %s\n"
		    "run it outside %s%s", purpose(request), hop->row->id, hop->multiuser ?
		    "other users may be attached to the session" : hop->tmux.reachable ||
		    hop_is_unreachable(hop) ?
		    "tmux would type the terminal's reply into the pane" :
		    "it does not pass on replies to OSC 5522", hop->row->id,
		    otherwise(request));
	if (query_failed(query_allowed(), &route->refusal))
		return false;
	if (support == SUPPORT_UNKNOWN && path_is_dumb(path))
		support = SUPPORT_NO;
	if (support == SUPPORT_UNKNOWN && path->silent)
		return no_reply_at_all(route, request);
	if (support == SUPPORT_UNKNOWN)
		route->unknown = true;
	return support == SUPPORT_UNKNOWN || support == SUPPORT_YES ||
	    unsupported(route, request, path->probe.version);
}

bool
typed_probe(struct route *route, const struct path *path, const struct request *request)
{
	const char *version = path->probe.version;
	const struct terminal *found;
	const struct reply *reply;
	struct replies replies;
	bool mode = false;
	size_t i;

	if (!route->unknown)
		return true;
	replies = query(&(struct query){
		.text = QUERY_VERSION QUERY_TYPED,
		.chain = &route->chain,
		.timeout_ms = silence_ms(request),
		.user = true,
		.reply_max = PROBE_TEXT,
	});
	if (query_failed(replies, &route->refusal))
		return false;
	if (replies.count == 0)
		return no_reply_at_all(route, request);
	for (i = 0; i < replies.count; i++) {
		reply = &replies.reply[i];
		if (reply->kind == REPLY_VERSION && reply->text[0] != '\0')
			version = reply->text;
		/* 0: not recognized; 4: permanently reset (kitty, "Detecting support") */
		if (reply->kind == REPLY_MODE && reply->number[0] == 5522)
			mode = reply->number[1] >= 1 && reply->number[1] <= 3;
	}
	found = terminal_by(terminals, BY_VERSION, version);
	if (found != NULL)
		route->terminal = found;
	route->unknown = false;
	return mode || terminal_support(route->terminal, version, FEATURE_TYPES) ==
	    SUPPORT_YES || unsupported(route, request, version);
}

/* ---- a request and its replies ------------------------------------------ */

struct transfer {
	const struct route *route;
	const struct request *request;
	const struct typed_write *write; /* NULL: a read */
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
	    purpose(t->request), reason, text_quote(status).text, remedy);
}

static bool
converse(struct transfer *t, struct source *source, size_t size, struct error *error)
{
	const unsigned given_ms = t->request->timeout_ms;
	const size_t line_ms = MIN(size / LINE_BYTES_PER_MS, (size_t)LINE_MS_MAX);
	struct replies replies;
	struct buf text;

	/* unique among transfers on a terminal, even from several machines */
	text_format(t->id, ID_SIZE, "v%lx-%llx", (unsigned long)getpid(),
	    (unsigned long long)clock_ms());
	if (given_ms != 0)
		t->patience_ms = given_ms;
	buf_init(&text, BUF_NO_LIMIT);
	if (source == NULL)
		encode_typed_read(&text, t->id, t->request->selections[0] == 'p', t->type);
	buf_add(&text, "", 1);
	replies = query(&(struct query){
		.text = (const char *)text.data,
		.source = source,
		.chain = &t->route->chain,
		.timeout_ms = t->patience_ms + (given_ms != 0 ? 0 : (unsigned)line_ms),
		.user = true,
		.reply_max = REPLY_BYTES_MAX,
		.receive = receive,
		.context = t,
	});
	buf_free(&text);
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
	    "%s; --timeout SECS waits longer", purpose(t->request), t->write != NULL ?
	    "the clipboard may or may not have been set" :
	    "the terminal may ask its user first");
}

bool
typed_copy(const struct route *route, const struct request *request,
    const struct typed_write *content, struct error *error)
{
	struct typed_write write = *content;
	struct transfer t = { .route = route, .request = request, .write = &write,
	    .patience_ms = REPLY_MS, .received_max = (size_t)-1 };
	struct source source;
	bool confirmed;

	write.id = t.id;
	encode_typed_write(&source, &write);
	confirmed = converse(&t, &source, write.size, error);
	source_free(&source);
	error->sent = !confirmed && (error->status == STATUS_NO_REPLY ||
	    error->status == STATUS_DENIED);
	return confirmed && (!t.broken || fail(error, STATUS_FAILED,
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
	if (!converse(&t, NULL, 0, error))
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
