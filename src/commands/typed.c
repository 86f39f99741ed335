/* SPDX-License-Identifier: MIT */
/* Copy and paste with MIME types. */
#include "commands/command.h"

#include "base/base.h"
#include "detect/path.h"
#include "route/route.h"
#include "tty/tty.h"

#include <string.h>

const char *const mime_words[] = { "text/plain", "text/html", "text/uri-list",
	"image/png", "image/jpeg", "image/svg+xml", NULL };

enum { PURPOSE_SIZE = TYPED_TYPE_MAX + 32 };

/* ---- options ------------------------------------------------------------- */

void
typed_check(const char *type)
{
	if (!typed_type_is_fine(type))
		die(STATUS_USAGE, "for example image/png", "%s is not a MIME type",
		    text_quote(type).text);
}

/* OSC 5522 supports two selections. */
static void
check_selection(const char *letters)
{
	if (strcmp(letters, "c") != 0 && strcmp(letters, "p") != 0)
		die(STATUS_USAGE, "choose the clipboard (c) or the primary selection (p)",
		    "confirmed copies and MIME types are for one selection");
}

static struct typed_clipboard
clipboard_of(char selection, const char *purpose)
{
	return (struct typed_clipboard){ .purpose = purpose, .primary = selection == 'p',
		.timeout_ms = globals.timeout_ms, .force = globals.force };
}

/* ---- copy ---------------------------------------------------------------- */

/* The size of all sequences after wrapping. */
static size_t
sent_bytes(struct typed_write write, const struct chain *chain)
{
	struct source source;
	struct buf part = BUF_EMPTY;
	bool more = true;
	size_t n;

	write.id = "v0-0";
	write.primary = false;
	encode_typed_write(&source, &write);
	source_wrap(&source, chain);
	for (n = 0; more; n += part.len, part.len = 0)
		more = source_next(&source, &part);
	source_free(&source);
	buf_free(&part);
	return n;
}

/* False: the terminal is known not to take it. Dies of any other failure. */
static bool
copy_by_terminal(struct sink *sink, const struct typed_write *write, const char *letters,
    bool confirm, struct error *error)
{
	char purpose[PURPOSE_SIZE] = "confirm a copy";
	struct typed_clipboard to = clipboard_of(letters[0], purpose);

	to.confirms = confirm;
	if (!confirm && write->type != NULL)
		text_format(purpose, sizeof(purpose), "take %s", write->type);
	if (!typed_open(&to, &sink->path, error))
		return false;
	if (!plan_by_settings(&sink->route, &sink->path, sink->request))
		die_of(&sink->route.refusal);
	if (!typed_copy(&to, write, error)) {
		/* the request was sent, so the clipboard may have been set */
		if (error->status == STATUS_NO_REPLY)
			messages.verdict = "not confirmed";
		die_of(error);
	}
	sink->route = (struct route){
		.kind = to.chain.count > 0 ? ROUTE_PASSTHROUGH : ROUTE_DIRECT,
		.own_device = true,
		.chain = to.chain,
		.confidence = CONFIDENCE_KNOWN,
		.terminal = to.terminal,
		.confirmed = true,
		.why = "the terminal confirmed the copy (OSC 5522)",
	};
	if (globals.verbose || globals.json)
		sink->sent = sent_bytes(*write, &to.chain);
	return true;
}

static void
copy_by_tool(struct sink *sink, const struct typed_write *write, const char *letters)
{
	struct error error = { .status = STATUS_DONE };

	sink->sent = write->size;
	if (!native_copy(&sink->route, &sink->path, letters, write->type, write->bytes,
	    write->size, globals.timeout_ms, &error))
		die_of(&error);
}

/* Whether the newest version has types. Contour's are of text only, and it stores no other. */
static bool
may_take_types(const struct path *path, const char *letters)
{
	const struct terminal *terminal = path_terminal(path);

	return (strcmp(letters, "c") == 0 || strcmp(letters, "p") == 0) &&
	    terminal_support(terminal, NEWEST, FEATURE_TYPES) == SUPPORT_YES &&
	    (terminal_bytes(terminal, NEWEST) & BYTES_UTF8) == 0;
}

void
copy_recognized(struct request *request, struct buf *payload, const char *type)
{
	const struct typed_write write = { .bytes = payload->data, .size = payload->len,
		.type = type, .primary = request->selections[0] == 'p' };
	struct error error = { .status = STATUS_DONE }, ignored;
	struct request typed;
	struct route route;
	struct sink sink;
	bool here = globals.print == PRINT_NOT && globals.chain == NULL && globals.tty == NULL &&
	    (globals.route == ROUTE_AUTO || globals.route == ROUTE_NATIVE);

	request->features = FEATURE_BIT(FEATURE_TYPES);
	if (!sink_open(&sink, request, &error) && error.status != STATUS_REFUSED)
		die_of(&error);
	typed = *request;
	typed.type = type;
	if (here && plan_native(&route, &sink.path, &typed)) {
		sink.route = route;
		copy_by_tool(&sink, &write, request->selections);
	} else if (!here || !may_take_types(&sink.path, request->selections) ||
	    !copy_by_terminal(&sink, &write, request->selections, false, &ignored)) {
		error_hint(&error, "it is %s, which kitty and desktop tools take; otherwise %s",
		    type, hint("%s", error.hint));
		if (error.status != STATUS_DONE || !sink_send(&sink, payload, &error))
			die_of(&error);
	}
	sink_report(&sink, write.size);
}

/* Copies through a tmux whose server cannot be queried. */
static void
copy_by_tmux(struct sink *sink, const struct typed_write *write, const char *letters)
{
	struct error error = { .status = STATUS_DONE };
	struct buf copy = BUF_EMPTY;

	if (query_failed(query_allowed(), &error))
		die_of(&error);
	buf_add(&copy, write->bytes, write->size);
	if (!sink_send(sink, &copy, &error))
		die_of(&error);
	if (!tmux_has_taken(&sink->path, letters[0], &copy, globals.timeout_ms, &error)) {
		error.sent = true;
		if (error.status == STATUS_NO_REPLY)
			messages.verdict = "not confirmed";
		die_of(&error);
	}
	buf_free(&copy);
	sink->route.confirmed = true;
	text_copy(sink->route.why, sizeof(sink->route.why),
	    "tmux confirmed that it has taken the copy");
	if (sink->route.unasked)
		sink->route.warning[0] = '\0';
}

void
copy_typed(const struct typed_write *content, const char *letters, bool confirm)
{
	struct typed_write write = *content;
	struct request request = { .feature = FEATURE_COPY, .selections = letters,
		.sequence = clipboard_write_size(write.size), .type = write.type,
		.abort = CLIPBOARD_ABORT, .encode = encode_clipboard_write };
	struct request raw = { .feature = FEATURE_ANY, .selections = "" };
	struct path_request around = path_request_of(globals.route);
	struct sink sink = { .path.fd = -1, .request = &request };
	struct error error = { .status = STATUS_DONE };
	struct source source;
	struct buf bytes = BUF_EMPTY;
	bool plain = write.type == NULL || typed_type_is_plain(write.type);

	write.primary = letters[0] == 'p';
	check_selection(letters);
	if (globals.print != PRINT_NOT) {
		encode_typed_write(&source, &write);
		source_all(&source, &bytes);
		send_request(&raw, &bytes);
		source_free(&source);
		buf_free(&bytes);
		return;
	}
	if (globals.way_given && (confirm || globals.route != ROUTE_NATIVE || globals.tty != NULL))
		die(STATUS_USAGE, NULL, "%s cannot be used with --tty, --wrap or --route%s",
		    confirm ? "--confirm" : "--type", confirm ? "" : " other than native");

	around.features = FEATURE_BIT(FEATURE_TYPES) | FEATURE_BIT(FEATURE_COPY);
	/* only the terminal can confirm */
	if (confirm) {
		around.desktop = PATH_DESKTOP_NOT;
		if (around.identify == IDENTIFY_UNKNOWN)
			around.identify = IDENTIFY_TERMINAL;
	}
	if (!path_where_needed(&sink.path, &around, &error)) {
		error_hint(&error, "run it in a terminal: %s", confirm ?
		    "the terminal confirms the copy" :
		    "types other than plain text need its replies");
		die_of(&error);
	}
	request_content(&request, write.bytes, write.size);
	request_force(&request);
	if (plan_native(&sink.route, &sink.path, &request)) {
		copy_by_tool(&sink, &write, letters);
	} else if (sink.route.refusal.status != STATUS_DONE) {
		die_of(&sink.route.refusal);
	} else if (confirm && plain && signals_caught == 0 && sink.path.hops > 0 &&
	    sink.path.hop[0].kind == HOP_TMUX && !sink.path.hop[0].tmux.reachable &&
	    sink_turn(&sink, &request, &error) && route_may_be_taken(&sink.route, &sink.path)) {
		copy_by_tmux(&sink, &write, letters);
	} else if (!copy_by_terminal(&sink, &write, letters, confirm, &error)) {
		die_of(&error);
	}
	sink_report(&sink, write.size);
}

/* ---- paste --------------------------------------------------------------- */

/* With OSC 52 alone, the list is text/plain. */
static void
paste_by_terminal(const struct path *path, const char *type, char letter, struct buf *data)
{
	struct clipboard_read read = { .selection = letter, .max = 1,
	    .timeout_ms = globals.timeout_ms, .force = globals.force };
	char purpose[PURPOSE_SIZE] = "list the types of the clipboard";
	struct error error = { .status = STATUS_DONE };
	struct typed_clipboard from = clipboard_of(letter, purpose);

	if (type != NULL)
		text_format(purpose, sizeof(purpose), "paste %s", type);
	if (typed_open(&from, path, &error)) {
		if (!typed_paste(&from, type, data, &error))
			die_of(&error);
		return;
	}
	if (type != NULL || error.status != STATUS_REFUSED ||
	    !read_check(&read, path, &error))
		die_of(&error);
	data->max = 64;
	buf_add_string(data, "text/plain\n");
}

/* Removes lines that are not printable: the names come from the program that copied. */
static void
keep_printable(struct buf *list)
{
	size_t i, line = 0, kept = 0;
	bool fine = true;

	for (i = 0; i < list->len; i++) {
		list->data[kept++] = list->data[i];
		if (list->data[i] == '\n') {
			line = kept = fine ? kept : line;
			fine = true;
		} else if (list->data[i] < ' ' || list->data[i] > '~') {
			fine = false;
		}
	}
	list->len = line;
}

void
paste_typed(const struct path *path, const char *type, char letter, struct buf *data)
{
	const char letters[2] = { letter, '\0' };
	struct error error = { .status = STATUS_DONE };
	struct route route;

	check_selection(letters);
	if (plan_native_paste(&route, path, letter, type)) {
		report_read(&route);
		if (!(type != NULL ?
		    native_paste(&route, path, letter, type, data, globals.timeout_ms, &error) :
		    native_list_types(&route, path, letter, data, globals.timeout_ms, &error)))
			die_of(&error);
	} else if (route.refusal.status != STATUS_DONE) {
		die_of(&route.refusal);
	} else {
		paste_by_terminal(path, type, letter, data);
	}
	if (type == NULL)
		keep_printable(data);
}

void
paste_names_types(const struct path *path, char letter)
{
	const char letters[2] = { letter, '\0' }, *text;
	struct typed_clipboard from = clipboard_of(letter, "");
	struct buf types = BUF_EMPTY;
	struct error ignored;
	struct route route;
	int n;

	if (plan_native_paste(&route, path, letter, NULL))
		native_list_types(&route, path, letter, &types, globals.timeout_ms, &ignored);
	else if (may_take_types(path, letters) && typed_open(&from, path, &ignored))
		typed_paste(&from, NULL, &types, &ignored);
	keep_printable(&types);
	buf_add(&types, "", 1);
	text = (const char *)types.data;
	n = (int)strcspn(text, "\n");
	if (n > 0 && strstr(text, "text/plain") == NULL)
		die(STATUS_FAILED, hint("--type %.*s prints it", n, text),
		    "the clipboard holds no plain text, but %.*s", n, text);
	buf_free(&types);
}
