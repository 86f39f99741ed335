/* SPDX-License-Identifier: MIT */
/* OSC 5522 with the terminal; the contract is in typed_clipboard.h. */
#include "route/typed_clipboard.h"

#include "base/base64.h"
#include "base/clock.h"
#include "base/text.h"
#include "detect/reader.h"
#include "tty/query.h"
#include "tty/typed_reply.h"

#include <string.h>
#include <unistd.h>

enum {
	/* until a reply, and between two of them */
	REPLY_MS = 2000,
	/* for a terminal that asks the user first */
	PERSON_MS = 60000,
	/*
	 * A copy is written faster than a slow line transmits it: the time limit of the
	 * reply grows by the size at this many bytes per millisecond, up to a maximum.
	 */
	LINE_BYTES_PER_MS = 64,
	LINE_MS_MAX = 60000,
	/* a list of types comes in one packet; content in packets of 4,096 bytes */
	REPLY_BYTES_MAX = 64 * 1024,
	LIST_BYTES_MAX = 64 * 1024
};

enum { ID_SIZE = 40 };

/* ---- identification ------------------------------------------------------ */

static bool
refuse_hop(const struct hop *hop, const struct typed_request *request,
    struct error *error)
{
	error_set(error, STATUS_REFUSED, "cannot %s through %s: %s", request->purpose,
	    hop->name, hop->kind == HOP_TMUX || hop_is_unreachable(hop) ?
	    "tmux would type the terminal's reply into the pane" :
	    "it passes on no reply to OSC 5522");
	return error_hint(error, "run it outside %s; plain text needs no OSC 5522", hop->name);
}

static bool
find_chain(struct typed_clipboard *to, const struct path *path, struct error *error)
{
	const struct hop *hop = path_reply_chain(path, &to->chain, &to->reply_max);

	return hop == NULL || refuse_hop(hop, to->request, error);
}

/* How long to wait for the next reply, where nobody has to be asked first. */
static unsigned
silence_ms(const struct typed_request *request)
{
	return request->timeout_ms != 0 ? request->timeout_ms : REPLY_MS;
}

/* Replies of the terminal about itself. */
struct introduction {
	char version[PROBE_TEXT];
	bool mode; /* it supports mode 5522 */
	bool replied;
};

static bool
receive_introduction(void *context, const struct reply *reply, unsigned *timeout_ms)
{
	struct introduction *said = context;

	(void)timeout_ms;
	said->replied = true;
	if (reply->kind == REPLY_VERSION)
		text_copy(said->version, sizeof(said->version), reply->text);
	/* 0: not recognized; 4: permanently reset (kitty, "Detecting support") */
	if (reply->kind == REPLY_MODE && reply->number[0] == 5522)
		said->mode = reply->number[1] >= 1 && reply->number[1] <= 3;
	return reply->kind != REPLY_DA1;
}

static bool
no_reply_at_all(struct error *error)
{
	error_set(error, STATUS_NO_REPLY, "the terminal replies to no query");
	return error_hint(error, "--timeout SECS waits longer; plain text needs no OSC 5522");
}

static bool
ask_introduction(struct introduction *said, struct typed_clipboard *to,
    struct error *error)
{
	const struct query query = {
		.text = QUERY_VERSION QUERY_TYPED,
		.chain = &to->chain,
		.timeout_ms = silence_ms(to->request),
		.reply_max = PROBE_TEXT,
		.is_read = reader_is_another,
		.receive = receive_introduction,
		.context = said,
	};
	struct query_result result = tty_query(QUERY_CONTROLLING, &query);

	to->signal = result.signal;
	if (query_failed(result.end, error))
		return false;
	return said->replied || no_reply_at_all(error);
}

static bool
unsupported(const struct typed_clipboard *to, const char *version, struct error *error)
{
	const char *since = terminal_since(to->terminal, FEATURE_TYPES);
	char title[TERMINAL_TITLE];

	terminal_title(title, to->terminal, NULL);
	error_set(error, STATUS_REFUSED, "%s cannot %s: it does not support OSC 5522",
	    version[0] != '\0' ? text_quote(version).text :
	    to->terminal != NULL ? title : "the terminal", to->request->purpose);
	return since[0] != '\0' && terminal_support(to->terminal, FEATURE_TYPES) ==
	    SUPPORT_YES ?
	    error_hint(error, "%s supports it since version %s; plain text needs no "
	        "OSC 5522", to->terminal->name, since) :
	    error_hint(error, "kitty supports it; plain text needs no OSC 5522");
}

/* By --term, else by the table of terminals. */
static enum support
known_support(const struct typed_clipboard *to, const struct path *path)
{
	enum support support = path_support(path, FEATURE_TYPES);

	if (to->request->force)
		return SUPPORT_YES;
	return support == SUPPORT_UNKNOWN && strcmp(path->term, "dumb") == 0 ?
	    SUPPORT_NO : support;
}

/* Queries the terminal, where neither --term nor the table decides. */
static bool
is_supported(struct typed_clipboard *to, const struct path *path, struct error *error)
{
	struct introduction said = { .version = "" };
	const struct terminal *found;

	if (!ask_introduction(&said, to, error))
		return false;
	found = terminal_by_version(said.version);
	if (found != NULL)
		to->terminal = found;
	return said.mode || terminal_version_support(to->terminal, FEATURE_TYPES,
	    said.version) == SUPPORT_YES || unsupported(to, said.version[0] != '\0' ?
	    said.version : path->version, error);
}

bool
typed_check_path(struct typed_clipboard *to, const struct path *path,
    const struct typed_request *request, struct error *error)
{
	*to = (struct typed_clipboard){
		.request = request,
		.terminal = path_terminal(path),
		.signal = path->signal,
	};
	if (path->signal != 0)
		return error_set(error, STATUS_FAILED, "interrupted");
	if (!find_chain(to, path, error) || query_failed(
	    query_allowed(QUERY_CONTROLLING, reader_is_another), error))
		return false;
	to->support = known_support(to, path);
	if (to->support == SUPPORT_UNKNOWN && path->silent)
		return no_reply_at_all(error);
	return to->support == SUPPORT_YES || to->support == SUPPORT_UNKNOWN ||
	    unsupported(to, path->version, error);
}

bool
typed_open(struct typed_clipboard *to, const struct path *path,
    const struct typed_request *request, struct error *error)
{
	return typed_check_path(to, path, request, error) &&
	    (to->support == SUPPORT_YES || is_supported(to, path, error));
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
	bool stopped, lost;              /* lost: a reply may be missing */
	bool found;                      /* data of the type arrived */
	bool broken, oversized;
	struct typed_reply last;         /* the one that ended the transfer */
};

/* Unique among transfers at a terminal, even of several machines. */
static void
make_transfer_id(char id[ID_SIZE])
{
	text_format(id, ID_SIZE, "v%lx-%llx", (unsigned long)getpid(),
	    (unsigned long long)clock_ms());
}

/*
 * A list of types has the type "."; Contour 0.7 sends a packet without data for each type
 * instead.
 */
static bool
add_listed(struct transfer *t, const struct typed_reply *reply)
{
	if (strcmp(reply->type, ".") == 0)
		return base64_decode(t->data, reply->data, reply->size);
	return buf_add_string(t->data, reply->type) && buf_add_string(t->data, " ");
}

static void
take_data(struct transfer *t, const struct typed_reply *reply)
{
	bool list = strcmp(t->type, ".") == 0;

	/* ignore types that were not requested */
	if (!list && strcmp(reply->type, t->type) != 0)
		return;
	t->found = true;
	if (!(list ? add_listed(t, reply) :
	    base64_decode(t->data, reply->data, reply->size)))
		*(t->data->fault == BUF_FINE ? &t->broken : &t->oversized) = true;
}

static void
take_typed(struct transfer *t, const struct reply *reply, unsigned *timeout_ms)
{
	struct typed_reply typed;

	t->received += reply->size;
	t->oversized = t->oversized || t->received > t->received_max;
	if (!typed_reply_parse(&typed, reply->text, reply->size, t->id) ||
	    typed.write != (t->write != NULL) || t->finished)
		return;
	/* the first reply to a read is not data */
	t->lost = t->lost || (t->stopped && !t->answered && typed.status == TYPED_DATA);
	t->answered = true;
	/* data above the limit does not extend the wait */
	if (!t->oversized && !t->broken)
		*timeout_ms = silence_ms(t->with->request);
	if (typed.status == TYPED_DATA && t->write == NULL && !t->oversized)
		take_data(t, &typed);
	if (typed.status == TYPED_OK || typed.status == TYPED_DATA)
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
on_stop(void *context, bool cut)
{
	struct transfer *t = context;

	t->stopped = true;
	t->lost = t->lost || (!t->finished && (t->answered || cut));
	return !t->lost;
}

static bool
add_read(struct buf *bytes, void *context)
{
	const struct transfer *t = context;

	return encode_typed_read(bytes, t->id, t->with->request->primary, t->type);
}

static unsigned
longer(unsigned ms, size_t bytes)
{
	size_t line = bytes / LINE_BYTES_PER_MS;

	return ms + (line < LINE_MS_MAX ? (unsigned)line : LINE_MS_MAX);
}

/* Describes why the terminal refused. */
static const char *
reason_of(const struct transfer *t)
{
	switch (t->last.status) {
	case TYPED_EPERM:
		return "its user or its settings do not allow it";
	case TYPED_ENOSYS:
		return t->with->request->primary ? "it has no primary selection" :
		    "it does not support this type";
	case TYPED_EBUSY:
		return "another program is using the clipboard";
	case TYPED_EIO:
		return "it reports an I/O error";
	case TYPED_EINVAL:
		return "it takes a part of the request for invalid";
	case TYPED_OK: case TYPED_DATA: case TYPED_DONE: case TYPED_UNKNOWN:
		break;
	}
	return "for an unknown reason";
}

static bool
denied(const struct transfer *t, struct error *error)
{
	error_set(error, STATUS_DENIED, "the terminal refused to %s: %s (%s)",
	    t->with->request->purpose, reason_of(t), text_quote(t->last.word).text);
	if (t->last.status == TYPED_EPERM && t->with->terminal != NULL &&
	    strcmp(t->with->terminal->id, "kitty") == 0)
		error_hint(error, "the option clipboard_control of kitty.conf allows it, "
		    "with %s-%s", t->write != NULL ? "write" : "read",
		    t->with->request->primary ? "primary" : "clipboard");
	if (t->last.status == TYPED_EBUSY)
		error_hint(error, "try again");
	return false;
}

static bool
no_reply(const struct transfer *t, const struct query_result *result,
    struct error *error)
{
	if (query_failed(result->end, error))
		return false;
	error_set(error, STATUS_NO_REPLY, "the terminal did not answer the request to %s",
	    t->with->request->purpose);
	return error_hint(error, "%s; --timeout waits longer", t->write != NULL ?
	    "whether the clipboard was set is not known" :
	    "the terminal may ask its user first");
}

static bool
converse(struct transfer *t, struct source *source, size_t size, struct error *error)
{
	unsigned given = t->with->request->timeout_ms;
	const struct query query = {
		.encode = source == NULL ? add_read : NULL,
		.source = source,
		.chain = &t->with->chain,
		.timeout_ms = given != 0 ? given : longer(t->patience_ms, size),
		.reply_max = REPLY_BYTES_MAX,
		.is_read = reader_is_another,
		.receive = receive,
		.on_stop = on_stop,
		.context = t,
	};
	struct query_result result;

	make_transfer_id(t->id);
	if (given != 0)
		t->patience_ms = given;
	result = tty_query(QUERY_CONTROLLING, &query);
	t->with->signal = result.signal;
	if (t->oversized || t->broken)
		return true;
	if (t->lost || (t->stopped && !t->finished && result.end == QUERY_SILENT))
		return query_lost_reply(error);
	if (!t->finished)
		return no_reply(t, &result, error);
	return t->last.status == TYPED_DONE || denied(t, error);
}

bool
typed_copy(struct typed_clipboard *to, const struct typed_item *item, size_t count,
    struct error *error)
{
	struct typed_write write = { .primary = to->request->primary, .item = item,
	    .count = count };
	struct transfer t = { .with = to, .write = &write, .patience_ms = REPLY_MS,
	    .received_max = (size_t)-1 };
	struct source source;
	size_t i, size = 0;
	bool fine;

	for (i = 0; i < count; i++)
		size += item[i].size;
	write.id = t.id;
	encode_typed_write(&source, &write);
	fine = converse(&t, &source, size, error);
	source_free(&source);
	error->sent = !fine && (error->status == STATUS_NO_REPLY ||
	    error->status == STATUS_DENIED);
	return fine && (!t.broken || error_set(error, STATUS_FAILED,
	    "the terminal's reply is too long to be one"));
}

/* Whether the terminal asks the user before it sends the clipboard. */
static unsigned
patience_to_read(const struct typed_clipboard *from)
{
	enum support support = terminal_support(from->terminal, FEATURE_PASTE);

	return support == SUPPORT_ASKS || support == SUPPORT_UNKNOWN ? PERSON_MS : REPLY_MS;
}

static bool
too_much(const struct transfer *t, struct error *error)
{
	if (t->received > t->received_max) {
		error_set(error, STATUS_REFUSED, "the terminal's reply is longer than the %zu "
		    "bytes that Screen passes on", t->received_max);
		return error_hint(error, "run it outside Screen");
	}
	error_set(error, STATUS_REFUSED, "the clipboard is larger than %zu bytes",
	    t->data->max);
	return error_hint(error, "--max BYTES raises the limit");
}

static bool
read_type(struct typed_clipboard *from, struct transfer *t, struct error *error)
{
	t->with = from;
	t->received_max = from->reply_max != 0 ? from->reply_max : (size_t)-1;
	if (!converse(t, NULL, 0, error))
		return false;
	if (t->oversized)
		return too_much(t, error);
	return !t->broken || error_set(error, STATUS_FAILED,
	    "the terminal's reply is not base64, or too long");
}

bool
typed_paste(struct typed_clipboard *from, const char *type, struct buf *data,
    struct error *error)
{
	struct transfer t = { .type = type, .data = data,
	    .patience_ms = patience_to_read(from) };

	if (!read_type(from, &t, error))
		return false;
	if (t.found)
		return true;
	error_set(error, STATUS_FAILED, "the clipboard holds nothing of type %s",
	    text_quote(type).text);
	return error_hint(error, "viatty paste --list-types prints the types it holds");
}

/* Types are separated by blanks; a newline may follow the last. */
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
	if (n > 0 && list->data[n - 1] != '\n')
		buf_add(list, "\n", 1);
}

bool
typed_list(struct typed_clipboard *from, struct buf *list, struct error *error)
{
	struct transfer t = { .type = ".", .data = list, .patience_ms = REPLY_MS };

	list->max = LIST_BYTES_MAX;
	if (!read_type(from, &t, error))
		return false;
	list->max++;
	make_lines(list);
	return true;
}
