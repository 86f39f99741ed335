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

/* The end of a hint. */
static const char *
otherwise(const struct typed_clipboard *to)
{
	return to->confirms ? "; copy without --confirm needs no OSC 5522" : "";
}

/* How long to wait for the next reply if the user is not asked first. */
static unsigned
silence_ms(const struct typed_clipboard *to)
{
	return to->timeout_ms != 0 ? to->timeout_ms : REPLY_MS;
}

static bool
no_reply_at_all(const struct typed_clipboard *to, struct error *error)
{
	return fail(error, STATUS_NO_REPLY,
	    hint("--timeout SECS waits longer%s", otherwise(to)),
	    "the terminal does not reply to queries");
}

static bool
unsupported(const struct typed_clipboard *to, const char *version, struct error *error)
{
	const char *since = terminal_since(to->terminal, FEATURE_TYPES);
	char title[TERMINAL_TITLE];

	terminal_title(title, to->terminal, NULL);
	fail(error, STATUS_REFUSED, NULL, "%s cannot %s: it does not support OSC 5522",
	    version[0] != '\0' ? text_quote(version).text : to->terminal != NULL ? title :
	    "the terminal", to->purpose);
	return since[0] != '\0' && terminal_support(to->terminal, NEWEST, FEATURE_TYPES) ==
	    SUPPORT_YES ?
	    error_hint(error, "%s supports it since version %s%s", to->terminal->name, since,
	        otherwise(to)) :
	    error_hint(error, "kitty supports it%s", otherwise(to));
}

bool
typed_check_path(struct typed_clipboard *to, const struct path *path, struct error *error)
{
	const struct hop *hop = path_reply_chain(path, &to->chain, &to->reply_max);

	to->terminal = path->terminal;
	to->reads = path_support(path, FEATURE_PASTE);
	to->support = to->force ? SUPPORT_YES : path_support(path, FEATURE_TYPES);
	if (signals_caught != 0)
		return fail(error, STATUS_FAILED, NULL, "interrupted");
	if (hop != NULL)
		return fail(error, STATUS_REFUSED,
		    hint("run it outside %s%s", hop->row->id, otherwise(to)),
		    "cannot %s through %s: %s", to->purpose, hop->row->id,
		    hop->multiuser ? "other users may be attached to the session" :
		    hop->tmux.reachable || hop_is_unreachable(hop) ?
		    "tmux would type the terminal's reply into the pane" :
		    "it does not pass on replies to OSC 5522");
	if (query_failed(query_allowed(), error))
		return false;
	if (to->support == SUPPORT_UNKNOWN && path_is_dumb(path))
		to->support = SUPPORT_NO;
	if (to->support == SUPPORT_UNKNOWN && path->silent)
		return no_reply_at_all(to, error);
	return to->support == SUPPORT_YES || to->support == SUPPORT_UNKNOWN ||
	    unsupported(to, path->probe.version, error);
}

bool
typed_open(struct typed_clipboard *to, const struct path *path, struct error *error)
{
	const char *version = path->probe.version;
	const struct terminal *found;
	const struct reply *reply;
	struct replies replies;
	bool mode = false;
	size_t i;

	if (!typed_check_path(to, path, error))
		return false;
	if (to->support == SUPPORT_YES)
		return true;
	replies = query(&(struct query){
		.text = QUERY_VERSION QUERY_TYPED,
		.chain = &to->chain,
		.timeout_ms = silence_ms(to),
		.user = true,
		.reply_max = PROBE_TEXT,
	});
	if (query_failed(replies.end, error))
		return false;
	if (replies.count == 0)
		return no_reply_at_all(to, error);
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
		to->terminal = found;
	to->support = SUPPORT_YES;
	return mode || terminal_support(to->terminal, version, FEATURE_TYPES) ==
	    SUPPORT_YES || unsupported(to, version, error);
}

/* ---- a request and its replies ------------------------------------------ */

struct transfer {
	struct typed_clipboard *with;
	const struct typed_write *write; /* NULL: a read */
	const char *type;                /* of a read */
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
		*timeout_ms = silence_ms(t->with);
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
	const char *status = t->last.status, *reason = "for an unknown reason";
	size_t i;

	for (i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (strcmp(status, reasons[i].status) == 0)
			reason = reasons[i].reason;
	if (strcmp(status, "ENOSYS") == 0 && t->with->primary)
		reason = "it has no primary selection";
	fail(error, STATUS_DENIED, NULL, "the terminal refused to %s: %s (%s)",
	    t->with->purpose, reason, text_quote(status).text);
	if (strcmp(status, "EPERM") == 0 && t->with->terminal != NULL &&
	    strcmp(t->with->terminal->id, "kitty") == 0)
		error_hint(error, "the option clipboard_control of kitty.conf allows it, "
		    "with %s-%s", t->write != NULL ? "write" : "read",
		    t->with->primary ? "primary" : "clipboard");
	if (strcmp(status, "EBUSY") == 0)
		error_hint(error, "try again");
	return false;
}

static bool
converse(struct transfer *t, struct source *source, size_t size, struct error *error)
{
	const struct typed_clipboard *with = t->with;
	const size_t line_ms = MIN(size / LINE_BYTES_PER_MS, (size_t)LINE_MS_MAX);
	struct replies replies;
	struct buf text;

	/* unique among transfers on a terminal, even from several machines */
	text_format(t->id, ID_SIZE, "v%lx-%llx", (unsigned long)getpid(),
	    (unsigned long long)clock_ms());
	if (with->timeout_ms != 0)
		t->patience_ms = with->timeout_ms;
	buf_init(&text, BUF_NO_LIMIT);
	if (source == NULL)
		encode_typed_read(&text, t->id, with->primary, t->type);
	buf_add(&text, "", 1);
	replies = query(&(struct query){
		.text = (const char *)text.data,
		.source = source,
		.chain = &with->chain,
		.timeout_ms = t->patience_ms + (with->timeout_ms != 0 ? 0 : (unsigned)line_ms),
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
	    (t->begun_by_data || (!t->finished && replies.end == QUERY_SILENT)))
		return query_lost_reply(error);
	if (t->finished)
		return strcmp(t->last.status, "DONE") == 0 || denied(t, error);
	return !query_failed(replies.end, error) && fail(error, STATUS_NO_REPLY,
	    t->write != NULL ?
	    "the clipboard may or may not have been set; --timeout SECS waits longer" :
	    "the terminal may ask its user first; --timeout SECS waits longer",
	    "the terminal did not reply to the request to %s", with->purpose);
}

bool
typed_copy(struct typed_clipboard *to, const struct typed_write *content,
    struct error *error)
{
	struct typed_write write = *content;
	struct transfer t = { .with = to, .write = &write, .patience_ms = REPLY_MS,
	    .received_max = (size_t)-1 };
	struct source source;
	bool confirmed;

	write.id = t.id;
	write.primary = to->primary;
	encode_typed_write(&source, &write);
	confirmed = converse(&t, &source, write.size, error);
	source_free(&source);
	error->sent = !confirmed && (error->status == STATUS_NO_REPLY ||
	    error->status == STATUS_DENIED);
	return confirmed && (!t.broken || fail(error, STATUS_FAILED, NULL,
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
typed_paste(struct typed_clipboard *from, const char *type, struct buf *data,
    struct error *error)
{
	const bool asks = from->reads == SUPPORT_ASKS || from->reads == SUPPORT_UNKNOWN;
	struct transfer t = { .with = from, .type = type != NULL ? type : ".", .data = data,
	    .patience_ms = type != NULL && asks ? PERSON_MS : REPLY_MS,
	    .received_max = from->reply_max != 0 ? from->reply_max : (size_t)-1 };

	if (type == NULL)
		data->max = LIST_BYTES_MAX;
	if (!converse(&t, NULL, 0, error))
		return false;
	if (t.received > t.received_max)
		return fail(error, STATUS_REFUSED, "run it outside Screen", "the terminal's "
		    "reply is longer than the %zu bytes that Screen passes on",
		    t.received_max);
	if (t.oversized)
		return fail(error, STATUS_REFUSED, "--max BYTES raises the limit",
		    "the clipboard is larger than %zu bytes", data->max);
	if (t.broken)
		return fail(error, STATUS_FAILED, NULL,
		    "the terminal's reply is not base64, or too long");
	if (type == NULL)
		make_lines(data);
	return type == NULL || t.found || fail(error, STATUS_FAILED,
	    "viatty paste --list-types prints its types",
	    "the clipboard has no data of type %s", text_quote(type).text);
}
