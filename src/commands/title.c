/* SPDX-License-Identifier: MIT */
/* title: sets the title of the window, tab, pane or tmux window (OSC 0-2, ESC k). */
#include "base/stream.h"
#include "base/text.h"
#include "commands/command.h"
#include "commands/during.h"
#include "commands/report.h"
#include "commands/send.h"
#include "detect/detect.h"
#include "route/title_query.h"

#include <string.h>
#include <unistd.h>

static struct {
	bool icon, window, window_name, outer, push, pop, get, during;
} opt;

static const struct option_spec options[] = {
	FLAG('i', "icon", "set only the icon name", opt.icon),
	FLAG('W', "window", "set only the window title", opt.window),
	FLAG('n', "window-name",
	    "set the window name in tmux or Screen", opt.window_name),
	FLAG('o', "outer",
	    "set the title of the terminal outside tmux or Screen", opt.outer),
	FLAG(0, "push", "save the current title", opt.push),
	FLAG(0, "pop", "restore the last saved title", opt.pop),
	{ OPTION_FLAG, 0, "while", NULL,
	    "show TEXT while COMMAND runs, then restore the title", &opt.during, NULL,
	    COMPLETE_COMMAND },
	FLAG('g', "get", "print the title", opt.get),
	{ .kind = OPTION_END }
};

enum {
	/* read from standard input */
	TEXT_MAX = 64 * 1024,
	/* the smallest limit of any terminal: Ghostty's */
	SURE_MAX = 255
};

/* A title to send. */
struct naming {
	struct call *call;
	struct sink sink;
	struct message message;
	enum title which;
	struct buf text, bytes;
};

/* ---- the text ----------------------------------------------------------- */

static bool
gather_title(const struct call *call, struct buf *raw, struct error *error)
{
	size_t i;

	if (call->count == 1 && strcmp(call->operand[0], "-") == 0)
		return stream_read_text(raw, error);
	for (i = 0; i < call->count; i++) {
		if (i > 0)
			buf_add(raw, " ", 1);
		buf_add_string(raw, call->operand[i]);
	}
	return true;
}

/* Reads the operands or standard input, without control characters. */
static bool
read_text(struct naming *n, struct error *error)
{
	struct buf raw;
	bool fine;

	buf_init(&raw, TEXT_MAX);
	fine = gather_title(n->call, &raw, error) &&
	    (text_sanitize(&n->text, (const char *)raw.data, raw.len, false) ||
	        error_no_memory(error));
	buf_free(&raw);
	return fine;
}

/* ---- limits -------------------------------------------------------------- */

/* The longest text that the terminal or multiplexer shows, in bytes. */
static size_t
text_max(const struct naming *n)
{
	const struct route *route = &n->sink.route;
	size_t frame = title_size(n->which, 0);

	if (n->call->globals->force)
		return (size_t)-1;
	if (route->destination == NULL && route->terminal == NULL)
		return SURE_MAX;
	return route->limit > frame ? route->limit - frame : (size_t)-1;
}

/* Replaces characters that are not ASCII: Screen keeps only their low eight bits. */
static void
fold(struct buf *text)
{
	unsigned char *to = text->data;
	size_t at, n;

	for (at = 0; at < text->len; at += n) {
		n = text_printable((const char *)text->data + at, text->len - at);
		*to++ = n > 1 ? '?' : text->data[at];
	}
	text->len = (size_t)(to - text->data);
}

/* Truncates a title that is too long: a part of it is better than an error. */
static void
fit(struct naming *n)
{
	size_t max = text_max(n), before = n->text.len;
	char warning[160];

	if (route_is_ascii(&n->sink.route) && before > 0) {
		fold(&n->text);
		if (n->text.len != before)
			report_warning(n->call, "Screen titles are ASCII: ? "
			    "replaces other characters", "");
	}
	before = n->text.len;
	if (before <= max)
		return;
	/* back to where a character begins */
	while (max > 0 && (n->text.data[max] & 0xc0) == 0x80)
		max--;
	n->text.len = max;
	text_format(warning, sizeof(warning), "title cut to %zu of %zu bytes: the "
	    "terminal may not show more", max, before);
	report_warning(n->call, warning, "");
}

/* ---- sending ------------------------------------------------------------- */

static unsigned
feature(const struct naming *n)
{
	if (n->which == TITLE_MUX_WINDOW)
		return FEATURE_WINDOW_NAME;
	return opt.push || opt.pop ? FEATURE_TITLE_STACK : FEATURE_TITLE;
}

/* Short titles, as set by every prompt, are sent without a query. */
static bool
depends_on_terminal(const struct naming *n)
{
	return n->which != TITLE_MUX_WINDOW && (opt.outer || opt.push || opt.pop ||
	    opt.during || n->text.len > SURE_MAX);
}

/* Icon names are for the terminal: tmux and Zellij ignore them. */
static bool
open_title_sink(struct naming *n, struct error *error)
{
	n->message = (struct message){
		.request = {
			.feature = feature(n),
			.for_multiplexer = !opt.outer && n->which != TITLE_ICON,
			.selections = "",
		},
		.identify = depends_on_terminal(n),
		.abort = SEQUENCE_ABORT,
	};
	return sink_open(&n->sink, n->call, &n->message, error);
}

static bool
send_bytes(struct naming *n, struct error *error)
{
	return sink_send(&n->sink, &n->message, &n->bytes, error);
}

/* Saves the old title and sets the new one in one write. */
static bool
build_title(struct naming *n, bool push, bool text, struct error *error)
{
	n->bytes.len = 0;
	if (push)
		encode_title_push(&n->bytes, n->which);
	if (text)
		encode_title(&n->bytes, n->which, (const char *)n->text.data,
		    n->text.len);
	return n->bytes.fault == BUF_FINE || error_no_memory(error);
}

static bool
build_pop(struct naming *n, struct error *error)
{
	n->bytes.len = 0;
	return encode_title_pop(&n->bytes, n->which) || error_no_memory(error);
}

static bool
send_and_report(struct naming *n, size_t payload, struct error *error)
{
	return send_bytes(n, error) &&
	    sink_report(&n->sink, payload, error);
}

static bool
set_title_text(struct naming *n, struct error *error)
{
	if (!read_text(n, error) || !open_title_sink(n, error))
		return false;
	fit(n);
	return (opt.pop ? build_pop(n, error) :
	    build_title(n, opt.push, n->call->count > 0, error)) &&
	    send_and_report(n, n->text.len, error);
}

/* ---- while a command runs ----------------------------------------------- */

/*
 * Queries the title, for a terminal without a stack of titles. Most do not reply: then it
 * is empty, which resets the title. Only the nearest hop can be queried, and Screen
 * always replies with the name of the window.
 */
static bool
remember_title(struct naming *n, struct buf *old)
{
	const struct globals *g = n->call->globals;
	struct sink *sink = &n->sink;
	struct error ignored;

	if (!g->probe || g->way_given || sink->path.silent || (n->which != TITLE_MUX_WINDOW &&
	    (sink->route.destination != NULL || sink->path.hops > 0)))
		return true;
	if (!read_title(old, &sink->path, n->which == TITLE_MUX_WINDOW, g->timeout_ms,
	    &n->call->signal, &ignored))
		old->len = 0;
	return n->call->signal == 0;
}

struct saved_title {
	struct naming *naming;
	struct buf old;
	bool kept; /* on the terminal's stack */
};

static bool
put_title_up(void *context, struct error *error)
{
	struct saved_title *saved = context;
	struct naming *n = saved->naming;

	fit(n);
	return build_title(n, saved->kept, true, error) &&
	    send_and_report(n, n->text.len, error);
}

static bool
put_title_back(void *context, const struct foreground_job_end *end, struct error *error)
{
	struct saved_title *saved = context;
	struct naming *n = saved->naming;

	(void)end;
	if (saved->kept)
		return build_pop(n, error) && send_bytes(n, error);
	n->text.len = 0;
	if (!text_sanitize(&n->text, (const char *)saved->old.data, saved->old.len, false))
		return error_no_memory(error);
	fit(n);
	return build_title(n, false, true, error) && send_bytes(n, error);
}

/* The command runs even if the title cannot be set. */
static bool
set_while(struct naming *n, struct error *error)
{
	struct call *call = n->call;
	struct error problem = { .status = STATUS_DONE };
	struct saved_title saved = { .naming = n };
	struct during during = { .call = call, .command = call->operand + 1,
		.set = put_title_up, .restore = put_title_back, .context = &saved };
	bool opened, fine;

	buf_init(&saved.old, TEXT_MAX);
	call->count = 1;
	if (!read_text(n, error))
		return false;
	opened = open_title_sink(n, &problem);
	saved.kept = opened && n->which != TITLE_MUX_WINDOW &&
	    route_does(&n->sink.route, FEATURE_TITLE_STACK);
	during.is_ready = opened && (saved.kept || remember_title(n, &saved.old));
	fine = during_run(&during, &problem, error);
	buf_free(&saved.old);
	return fine;
}

/* ---- printing the title -------------------------------------------------- */

static bool
print_title(const struct call *call, struct buf *title, struct error *error)
{
	if (call->globals->json)
		return (buf_add(title, "", 1) || error_no_memory(error)) &&
		    (report_title_json(call->command, title) || error_stdout(error));
	return (buf_add(title, "\n", 1) || error_no_memory(error)) &&
	    report_text(title, false, error);
}

static bool
get(struct naming *n, struct error *error)
{
	/* what replies is asked for the title itself */
	struct detect_request around = {
	    .timeout_ms = n->call->globals->timeout_ms };

	return detect_path(&n->sink.path, &around, error) &&
	    read_title(&n->text, &n->sink.path, opt.window_name,
	        around.timeout_ms, &n->call->signal, error) &&
	    print_title(n->call, &n->text, error);
}

/* ---- the command -------------------------------------------------------- */

static bool
exclude(struct error *error, const char *what)
{
	return error_set(error, STATUS_USAGE, "%s", what);
}

static bool
check_get(const struct call *call, struct error *error)
{
	if (call->count > 0)
		return exclude(error, "--get takes no title");
	if (opt.icon || opt.window || opt.outer)
		return exclude(error, "--get prints the nearest title: no --icon, "
		    "--window or --outer");
	if (call->globals->way_given || call->globals->print != PRINT_NOT)
		return exclude(error, "--get queries its own terminal: no --tty, "
		    "--wrap, --route or --print");
	return true;
}

static bool
check_while(const struct call *call, struct error *error)
{
	if (call->globals->print != PRINT_NOT || call->globals->json)
		return exclude(error, "--while runs a command with this standard "
		    "output: no --print or --json");
	if (call->count > 1)
		return true;
	error_set(error, STATUS_USAGE, call->count == 0 ? "no title given" :
	    "no command given");
	return error_hint(error, "viatty title --while building -- make -j4");
}

static bool
check_title_options(const struct call *call, struct error *error)
{
	if (opt.push + opt.pop + opt.get + opt.during > 1)
		return exclude(error, "--push, --pop, --get and --while exclude each "
		    "other");
	if (opt.window_name && (opt.icon || opt.window || opt.outer))
		return exclude(error, "--window-name is for tmux and Screen: no "
		    "--icon, --window or --outer");
	if (opt.window_name && (opt.push || opt.pop))
		return exclude(error, "window names cannot be saved: no --push or "
		    "--pop with --window-name");
	if (opt.get)
		return check_get(call, error);
	if (opt.during)
		return check_while(call, error);
	if (opt.pop && call->count > 0)
		return exclude(error, "--pop takes no title");
	if (opt.push || opt.pop || call->count > 0)
		return true;
	error_set(error, STATUS_USAGE, "no title given");
	return error_hint(error, "an empty title resets it: viatty title ''");
}

static enum title
which_title(void)
{
	if (opt.window_name)
		return TITLE_MUX_WINDOW;
	if (opt.icon != opt.window)
		return opt.icon ? TITLE_ICON : TITLE_WINDOW;
	return TITLE_BOTH;
}

static bool
title_run(struct call *call, struct error *error)
{
	struct naming naming = { .call = call, .which = which_title(),
	    .sink.path.fd = -1 };
	bool fine;

	buf_init(&naming.text, BUF_NO_LIMIT);
	buf_init(&naming.bytes, BUF_NO_LIMIT);
	if (opt.get)
		call->verdict = "title not read";
	fine = check_title_options(call, error) &&
	    (opt.get ? get(&naming, error) : opt.during ?
	        set_while(&naming, error) : set_title_text(&naming, error));
	sink_close(&naming.sink);
	buf_free(&naming.text);
	buf_free(&naming.bytes);
	return fine;
}

const struct command command_title = {
	.name = "title",
	.operands = "[TEXT...]",
	.summary = "set, save, restore or print the title",
	.verdict = "title not set",
	.options = options,
	.line_at = 1,
	.line_usage = "--while [OPTIONS] TEXT COMMAND...",
	.examples = {
		{ "viatty title deploying", "set the title of the terminal" },
		{ "viatty title --while building -- make -j4",
		    "set it while a command runs" },
	},
	.run = title_run,
};
