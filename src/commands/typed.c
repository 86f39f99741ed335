/* SPDX-License-Identifier: MIT */
/* Copy and paste with MIME types; the contract is in typed.h. */
#include "commands/typed.h"

#include "base/text.h"
#include "commands/reasons.h"
#include "commands/report.h"
#include "commands/send.h"
#include "detect/detect.h"
#include "route/clipboard_query.h"
#include "route/native.h"
#include "route/typed_clipboard.h"

#include <string.h>

const char *const mime_words[] = { "text/plain", "text/html", "text/uri-list",
	"image/png", "image/jpeg", "image/svg+xml", NULL };

enum { PURPOSE_SIZE = TYPED_TYPE_MAX + 32 };

/* ---- options ------------------------------------------------------------- */

bool
typed_check(const char *types, struct error *error)
{
	const char *at = types;
	size_t n;

	for (;; at += n + 1) {
		n = strcspn(at, ",");
		if (!typed_type_is_fine(at, n))
			break;
		if (at[n] == '\0')
			return true;
	}
	error_set(error, STATUS_USAGE, "%s is not a MIME type", text_quote(types).text);
	return error_hint(error, "for example image/png; separate several types with "
	    "commas");
}

bool
typed_all_plain(const char *types)
{
	size_t n;

	for (;; types += n + 1) {
		n = strcspn(types, ",");
		if (!typed_type_is_plain(types, n))
			return false;
		if (types[n] == '\0')
			return true;
	}
}

/* OSC 5522 supports two selections. */
static bool
is_selection(const char *letters, struct error *error)
{
	if (strcmp(letters, "c") == 0 || strcmp(letters, "p") == 0)
		return true;
	error_set(error, STATUS_USAGE, "confirmed copies and MIME types are for one "
	    "selection");
	return error_hint(error, "choose the clipboard (c) or the primary selection (p)");
}

static struct typed_request
request_of(const struct globals *g, const char *letters, const char *purpose)
{
	return (struct typed_request){
		.purpose = purpose,
		.primary = letters[0] == 'p',
		.timeout_ms = g->timeout_ms,
		.force = g->force,
	};
}

/* ---- copy ---------------------------------------------------------------- */

struct typed_copy {
	struct call *call;
	struct sink sink;
	const struct typed_item *item;
	size_t count;
	const char *letters;
	bool confirm;
	size_t payload;
};

static bool
print_typed(struct typed_copy *c, struct error *error)
{
	const struct typed_write write = { .primary = c->letters[0] == 'p',
	    .item = c->item, .count = c->count };
	const struct message message = {
		.request = { .feature = FEATURE_ANY, .selections = "" } };
	struct source source;
	struct buf bytes;
	bool fine;

	buf_init(&bytes, BUF_NO_LIMIT);
	encode_typed_write(&source, &write);
	fine = (source_all(&source, &bytes) || error_no_memory(error)) &&
	    send_message(c->call, &message, &bytes, error);
	source_free(&source);
	buf_free(&bytes);
	return fine;
}

/* The size of all sequences, wrapped. */
static size_t
sent_bytes(const struct typed_copy *c, const struct chain *chain)
{
	const struct typed_write write = { .id = "v0-0", .item = c->item,
	    .count = c->count };
	struct source source;
	struct buf part;
	size_t n = 0;

	buf_init(&part, BUF_NO_LIMIT);
	encode_typed_write(&source, &write);
	source_wrap(&source, chain);
	while (source_next(&source, &part)) {
		n += part.len;
		part.len = 0;
	}
	source_free(&source);
	buf_free(&part);
	return n;
}

/* A desktop tool accepts a single type: without it plain text is lost, and no more. */
static bool
copy_to_desktop(struct typed_copy *c, struct error *error)
{
	const struct route *route = &c->sink.route;
	const struct typed_item *item = c->item;
	const char *others = strchr(item->types, ',');
	char type[TYPED_TYPE_MAX + 1], warning[TYPED_TYPE_MAX + 80];

	text_format(type, sizeof(type), "%.*s", (int)strcspn(item->types, ","), item->types);
	if (c->count != 1 || (others != NULL && !typed_all_plain(others + 1))) {
		error_set(error, STATUS_REFUSED, "%s takes one type only",
		    route->tool->program);
		return error_hint(error, "give one: --type %s", type);
	}
	c->sink.sent = item->size;
	if (!native_copy(route, &c->sink.path, c->letters, type, item->bytes, item->size,
	    c->call->globals->timeout_ms, error))
		return false;
	if (others != NULL && !(route->tool->adds_plain_text && text_begins(type, "text/"))) {
		text_format(warning, sizeof(warning), "%s takes one type only: copied as %s, "
		    "not as plain text", route->tool->program, type);
		report_warning(c->call, warning, "");
	}
	return true;
}

static bool
copy_by_terminal(struct typed_copy *c, struct error *error)
{
	char purpose[PURPOSE_SIZE] = "confirm a copy";
	const struct globals *g = c->call->globals;
	struct typed_request request;
	struct typed_clipboard to;
	bool opened, fine;

	if (!c->confirm && c->count > 0)
		text_format(purpose, sizeof(purpose), "take %.*s",
		    (int)strcspn(c->item->types, ","), c->item->types);
	request = request_of(g, c->letters, purpose);
	opened = typed_open(&to, &c->sink.path, &request, error);
	fine = opened && typed_copy(&to, c->item, c->count, error);
	c->call->signal = to.signal;
	/* the request was sent: the clipboard may have been set */
	if (opened && !fine && error->status == STATUS_NO_REPLY)
		c->call->verdict = "not confirmed";
	if (!fine)
		return false;
	c->sink.route = (struct route){
		.kind = to.chain.count > 0 ? ROUTE_PASSTHROUGH : ROUTE_DIRECT,
		.own_device = true,
		.chain = to.chain,
		.confidence = CONFIDENCE_KNOWN,
		.terminal = to.terminal,
		.reason = { .id = REASON_CONFIRMED },
	};
	if (g->verbose || g->json)
		c->sink.sent = sent_bytes(c, &to.chain);
	return true;
}

/* As for copy; only the terminal can confirm. */
static bool
plan_native_copy(struct typed_copy *c)
{
	struct request request = { .feature = FEATURE_COPY, .selections = c->letters,
		.payload = c->payload };

	if (c->count == 1) {
		request_content(&request, c->item->bytes, c->item->size);
		request.type = c->item->types;
	}
	request_force(&request, c->call->globals);
	return !c->confirm && plan_native(&c->sink.route, &c->sink.path, &request);
}

static bool
find_and_copy(struct typed_copy *c, struct error *error)
{
	const struct globals *g = c->call->globals;
	struct detect_request around = detect_request_of(g);

	around.features = FEATURE_BIT(FEATURE_TYPES) | FEATURE_BIT(FEATURE_COPY);
	if (c->confirm)
		around.desktop = DETECT_DESKTOP_NOT;
	if (!detect_where_needed(&c->sink.path, &around, g, error))
		return error_hint(error, "run it in a terminal: %s", c->confirm ?
		    "the terminal confirms the copy" :
		    "types other than plain text need its replies");
	if (plan_native_copy(c))
		return copy_to_desktop(c, error);
	if (c->sink.route.refusal.id != REASON_NONE)
		return explain_refusal(error, &c->sink.route, &c->sink.path);
	return copy_by_terminal(c, error);
}

bool
copy_typed(struct call *call, const struct typed_item *item, size_t count,
    const char *letters, bool confirm, struct error *error)
{
	struct typed_copy c = { .call = call, .sink.call = call, .item = item, .count = count,
	    .letters = letters, .confirm = confirm };
	const struct globals *g = call->globals;
	size_t i;
	bool fine;

	for (i = 0; i < count; i++)
		c.payload += item[i].size;
	if (!is_selection(letters, error))
		return false;
	if (g->print != PRINT_NOT)
		return print_typed(&c, error);
	if (g->way_given && (confirm || g->route != ROUTE_NATIVE || g->tty != NULL))
		return error_set(error, STATUS_USAGE, "%s asks the terminal it is called "
		    "in: no --tty, --wrap%s", confirm ? "--confirm" : "--type", confirm ?
		    " or --route" : ", and no --route but native");
	fine = find_and_copy(&c, error) && sink_report(&c.sink, c.payload, error);
	sink_close(&c.sink);
	return fine;
}

/* ---- paste --------------------------------------------------------------- */

/* If OSC 52 can be read, the list is text/plain. */
static bool
list_plain_text(struct call *call, const struct path *path, char letter,
    struct buf *list, struct error *error)
{
	const struct globals *g = call->globals;
	const struct read_request request = { .selection = letter, .max = 1,
	    .timeout_ms = g->timeout_ms, .force = g->force };
	struct read_plan plan;

	*error = (struct error){ .status = STATUS_DONE };
	list->max = 64;
	return read_check(&plan, path, &request, error) ?
	    buf_add_string(list, "text/plain\n") :
	    explain_read_refusal(error, &plan, path);
}

static bool
paste_by_terminal(struct call *call, const struct path *path, const char *type,
    char letter, struct buf *data, struct error *error)
{
	const char letters[2] = { letter, '\0' };
	char purpose[PURPOSE_SIZE] = "list the types of the clipboard";
	struct typed_request request;
	struct typed_clipboard from;
	bool fine;

	if (type != NULL)
		text_format(purpose, sizeof(purpose), "paste %s", type);
	request = request_of(call->globals, letters, purpose);
	fine = typed_open(&from, path, &request, error);
	if (fine)
		fine = type != NULL ? typed_paste(&from, type, data, error) :
		    typed_list(&from, data, error);
	else if (type == NULL && error->status == STATUS_REFUSED)
		fine = list_plain_text(call, path, letter, data, error);
	call->signal = from.signal;
	return fine;
}

/* Whether it may be shown in a terminal, and could be given to --type. */
static bool
is_printable(const unsigned char *at, size_t n)
{
	size_t i = 0;

	while (i < n && at[i] >= ' ' && at[i] <= '~')
		i++;
	return i == n;
}

/* Leaves out the lines that are not printable: whoever copied has made up the names. */
static void
keep_printable(struct buf *list)
{
	const unsigned char *newline;
	size_t from, n, kept = 0;

	for (from = 0; from < list->len; from += n) {
		newline = memchr(list->data + from, '\n', list->len - from);
		n = newline != NULL ? (size_t)(newline - (list->data + from)) + 1 :
		    list->len - from;
		if (!is_printable(list->data + from, newline != NULL ? n - 1 : n))
			continue;
		memmove(list->data + kept, list->data + from, n);
		kept += n;
	}
	list->len = kept;
}

static bool
paste_type(struct call *call, const struct path *path, const char *type, char letter,
    struct buf *data, struct error *error)
{
	const char letters[2] = { letter, '\0' };
	unsigned timeout_ms = call->globals->timeout_ms;
	struct explanation says;
	struct route route;

	if (!is_selection(letters, error))
		return false;
	if (!plan_native_paste(&route, path, call, letter, type))
		return route.refusal.id != REASON_NONE ?
		    explain_refusal(error, &route, path) :
		    paste_by_terminal(call, path, type, letter, data, error);
	explain_route(&says, &route, path);
	if (call->globals->verbose)
		report_read(call->title, &route, &says);
	return type != NULL ?
	    native_paste(&route, path, letter, type, data, timeout_ms, error) :
	    native_list_types(&route, path, letter, data, timeout_ms, error);
}

bool
paste_typed(struct call *call, const struct path *path, const char *type, char letter,
    struct buf *data, struct error *error)
{
	bool fine = paste_type(call, path, type, letter, data, error);

	if (fine && type == NULL)
		keep_printable(data);
	return fine;
}
