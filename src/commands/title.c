/* SPDX-License-Identifier: MIT */
/* title: sets the title of the window, tab, pane or tmux window (OSC 0-2, ESC k). */
#include "commands/command.h"

static struct {
	bool window_name, outer, push, pop, during;
} opt;

static const struct option_spec options[] = {
	{ OPTION_FLAG, 'n', "window-name", NULL, "set the window name in tmux or Screen",
	    &opt.window_name, .not_with = "outer push pop" },
	FLAG('o', "outer", "set the title outside tmux or Screen", opt.outer),
	FLAG(0, "push", "save the current title", opt.push),
	{ OPTION_FLAG, 0, "pop", NULL, "restore the last saved title", &opt.pop,
	    .not_with = "push while" },
	{ OPTION_FLAG, 0, "while", NULL, "show TEXT while COMMAND runs", &opt.during,
	    .completion = COMPLETE_COMMAND, .not_with = "push print json" },
	{ .kind = OPTION_END }
};

enum {
	/* from standard input */
	TEXT_MAX = 64 * 1024,
	/* the smallest limit of any terminal, that of Ghostty */
	SURE_MAX = 255
};

static struct sink sink;
static struct buf text = BUF_EMPTY;

/* ---- limits -------------------------------------------------------------- */

/* Truncates a title that is too long, which is better than an error, and makes it ASCII. */
static void
fit(void)
{
	const struct route *route = &sink.route;
	const size_t frame = opt.window_name ? WINDOW_NAME_FRAME : TITLE_FRAME;
	size_t at, n, before, max = (size_t)-1;
	unsigned char *to = text.data;

	if (route->destination == NULL && route->terminal == NULL)
		max = SURE_MAX;
	else if (route->limit > frame)
		max = route->limit - frame;
	before = text.len;
	/* Screen keeps only the low eight bits of a character */
	for (at = 0; route_is_ascii(route) && at < before; at += n) {
		n = text_printable((const char *)text.data + at, before - at);
		*to++ = n > 1 ? '?' : text.data[at];
		text.len -= n - 1;
	}
	if (text.len != before)
		warn("Screen titles are ASCII: ? replaces other characters");
	before = text.len;
	if (before <= max || globals.force)
		return;
	text.len = text_cut((const char *)text.data, max);
	warn("title cut to %zu of %zu bytes: the terminal may not show more", text.len,
	    before);
}

/* ---- sending ------------------------------------------------------------- */

/* Saves the old title and sets the new one, or restores the saved one, in one write. */
static bool
send_title(bool push, bool set, bool pop, struct error *error)
{
	static struct buf bytes = BUF_EMPTY;
	bool ok;

	bytes.len = 0;
	buf_add_string(&bytes, push ? TITLE_PUSH : "");
	if (set)
		encode_title(&bytes, opt.window_name, (const char *)text.data, text.len);
	buf_add_string(&bytes, pop ? TITLE_POP : "");
	ok = sink_send(&sink, &bytes, error);
	sink.payload = text.len;
	return ok;
}

/* Whether the old title is saved on the terminal's stack, and whether a new one is set. */
static bool kept, given;

static bool
put_title_up(struct error *error)
{
	fit();
	if (!send_title(kept, given, opt.pop, error))
		return false;
	sink_report(&sink);
	return true;
}

static bool
put_title_back(struct error *error)
{
	/* Screen ignores an empty name (4.9 ansi.c StringEnd) */
	if (!kept && opt.window_name && route_is_ascii(&sink.route)) {
		warn("Screen keeps the window name");
		return true;
	}
	text.len = 0;
	return send_title(false, !kept, kept, error);
}

/* ---- the command -------------------------------------------------------- */

static int
title_run(struct call *call)
{
	static const struct meanwhile shown = { .set = put_title_up, .restore = put_title_back };
	static struct request request = { .selections = "" };
	struct error error = { .status = STATUS_DONE };
	static struct buf raw;
	bool opened;

	if (opt.during && call->count < 2)
		die(STATUS_USAGE, "%s\n"
		    "viatty title --while building -- make -j4",
		    call->count == 0 ? "no title given" : "no command given");
	if (opt.pop && call->count > 0)
		die(STATUS_USAGE, "--pop takes no title");
	if (call->count == 0 && !opt.push && !opt.pop)
		die(STATUS_USAGE, "no title given\n"
		    "an empty title resets it: viatty title ''");

	/* without control characters */
	buf_init(&raw, TEXT_MAX);
	read_operands(&raw, call->operand, opt.during ? 1 : call->count);
	text_sanitize(&text, (const char *)raw.data, raw.len, false);

	request.feature = opt.window_name ? FEATURE_WINDOW_NAME :
	    opt.push || opt.pop ? FEATURE_TITLE_STACK : FEATURE_TITLE;
	request.for_multiplexer = !opt.outer;
	request.features = opt.during ? FEATURE_BIT(FEATURE_TITLE_STACK) : 0;
	/* short titles, as set by every prompt, are sent without a query */
	request.identify = !opt.window_name && (opt.outer || opt.push || opt.pop ||
	    opt.during || text.len > SURE_MAX) ? IDENTIFY_UNKNOWN : IDENTIFY_NOT;
	opened = sink_open(&sink, &request, &error);
	given = call->count > 0;
	kept = opt.push;
	if (opt.during) {
		/* the command runs even if the title cannot be set */
		kept = opened && !opt.window_name &&
		    route_does(&sink.route, &sink.path, FEATURE_TITLE_STACK);
		return run_while(call->operand + 1, opened ? &shown : NULL, &error).status;
	}
	if (!opened || !put_title_up(&error))
		die_of(&error);
	return STATUS_DONE;
}

const struct command command_title = {
	.name = "title",
	.group = "Terminal",
	.operands = "[TEXT...]",
	.summary = "set, save and restore the title",
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
