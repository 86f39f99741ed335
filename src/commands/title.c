/* SPDX-License-Identifier: MIT */
/* title: sets the title of the window, tab, pane or tmux window (OSC 0-2, ESC k). */
#include "commands/command.h"

static struct {
	bool window_name, outer, during;
} opt;

static const struct option_spec options[] = {
	{ OPTION_FLAG, 0, "window-name", NULL, "set the window name in tmux or Screen",
	    &opt.window_name, .not_with = "outer" },
	FLAG('o', "outer", "set the title outside tmux or Screen", opt.outer),
	{ OPTION_FLAG, 0, "while", NULL, "show TEXT while COMMAND runs", &opt.during,
	    .completion = COMPLETE_COMMAND, .not_with = "print" },
	{ .kind = OPTION_END }
};

/* From standard input. */
enum { TEXT_MAX = 64 * 1024 };

struct title {
	struct delivery delivery;
	struct buf text;
	int status; /* of delivery_report() */
	bool kept; /* the old one is on the terminal's stack */
};

/* ---- limits -------------------------------------------------------------- */

/* Truncates a title that is too long, which is better than an error, and makes it ASCII. */
static void
fit(struct buf *text, const struct route *route)
{
	const size_t frame = opt.window_name ? WINDOW_NAME_FRAME : TITLE_FRAME;
	size_t at, n, before = text->len, max = (size_t)-1;
	unsigned char *to = text->data;

	if (route->destination == NULL && route->terminal == NULL)
		max = TITLE_SURE_MAX;
	else if (route->limit > frame)
		max = route->limit - frame;
	/* Screen keeps only the low eight bits of a character */
	for (at = 0; route_is_ascii(route) && at < before; at += n) {
		n = text_printable((const char *)text->data + at, before - at);
		*to++ = n > 1 ? '?' : text->data[at];
		text->len -= n - 1;
	}
	if (text->len != before)
		message_warn("Screen titles are ASCII: ? replaces other characters");
	before = text->len;
	if (before <= max || globals.given.force)
		return;
	text->len = text_cut((const char *)text->data, max);
	message_warn("title cut to %zu of %zu bytes: the terminal may not show more", text->len,
	    before);
}

/* ---- sending ------------------------------------------------------------- */

/* Saves the old title, if it is to be restored, and sets the new one, in one write. */
static bool
put_title_up(struct title *title, struct error *error)
{
	static struct buf bytes = BUF_EMPTY;

	fit(&title->text, &title->delivery.route);
	buf_add_string(&bytes, title->kept ? TITLE_PUSH : "");
	encode_title(&bytes, opt.window_name, (const char *)title->text.data, title->text.len);
	if (!delivery_send(&title->delivery, &bytes, error))
		return false;
	title->delivery.payload = title->text.len;
	title->status = delivery_report(&title->delivery);
	return true;
}

static bool
put_title_back(struct title *title, struct error *error)
{
	static struct buf bytes = BUF_EMPTY;

	/* Screen ignores an empty name (4.9 ansi.c StringEnd) */
	if (!title->kept && opt.window_name && route_is_ascii(&title->delivery.route)) {
		message_warn("Screen keeps the window name");
		return true;
	}
	if (title->kept)
		buf_add_string(&bytes, TITLE_POP);
	else
		encode_title(&bytes, opt.window_name, "", 0);
	return delivery_send(&title->delivery, &bytes, error);
}

/* Shows the title while the command runs, which also runs if the title cannot be set. */
static int
show_while(struct title *title, bool opened, char *const *command, struct error *error)
{
	struct foreground_job_end end;
	struct error problem;
	bool shown, ended;
	int caught;

	foreground_job_begin();
	shown = opened && put_title_up(title, error);
	if (!shown)
		message_warn("%s", error->text);
	ended = foreground_job_run(command, &end, error);
	/* an earlier signal would interrupt the sequence */
	caught = signal_caught;
	signal_caught = 0;
	if (shown && !put_title_back(title, &problem))
		message_warn("%s", problem.text);
	foreground_job_end();
	if (!ended)
		die_of(error);
	if (end.signal != 0 || caught != 0)
		signal_caught = end.signal != 0 ? end.signal : caught;
	return end.status;
}

/* ---- the command -------------------------------------------------------- */

/* The terminal is another user's, and only that user may write there. */
static int
title_as_root(struct call *call)
{
	if (!opt.during || call->count < 2)
		return -1;
	message_warn("no title, because this is root, and the terminal is another user's\n"
	    "the other way round it is set: viatty title --while TEXT -- sudo ...");
	return run_command(call->operand + 1).status;
}

const struct request title_request = { .feature = FEATURE_TITLE, .selections = "",
	.for_multiplexer = true };

static int
title_run(struct call *call)
{
	static struct title title;
	static struct buf raw = { .max = TEXT_MAX };
	struct request request = title_request;
	struct error error;
	bool opened;

	if (call->count == 0)
		die(STATUS_USAGE, "no title given\n"
		    "an empty title resets it: viatty title ''");
	if (opt.during && call->count == 1)
		die(STATUS_USAGE, "no command given\n"
		    "viatty title --while building -- make -j4");

	messages.decorates = true;
	title.text = (struct buf)BUF_EMPTY;
	/* without control characters */
	operands_read(&raw, call->operand, opt.during ? 1 : call->count);
	text_sanitize(&title.text, (const char *)raw.data, raw.len, false);

	request.feature = opt.during ? FEATURE_TITLE_STACK : FEATURE_TITLE;
	if (opt.window_name)
		request.feature = FEATURE_WINDOW_NAME;
	request.for_multiplexer = !opt.outer;
	request.payload = title.text.len;
	opened = delivery_open(&title.delivery, &request, &error);
	if (opt.during && !opt.window_name && (opened || error.status == STATUS_REFUSED)) {
		title.kept = opened && title.delivery.route.verdict == VERDICT_YES;
		/* without a stack, the title is reset afterwards */
		request.feature = FEATURE_TITLE;
		opened = delivery_plan(&title.delivery, &request, &error);
	}
	if (!opened && (!opt.during || error.status == STATUS_USAGE))
		die_of(&error);
	if (opt.during)
		return show_while(&title, opened, call->operand + 1, &error);
	if (!put_title_up(&title, &error))
		die_of(&error);
	return title.status;
}

const struct command command_title = {
	.name = "title",
	.group = "Terminal",
	.operands = "[TEXT...]",
	.summary = "set the title, also while a command runs",
	.outcome = "title not set",
	.options = options,
	.line_at = 1,
	.line_usage = "--while [OPTIONS] TEXT COMMAND...",
	.examples = {
		{ "viatty title deploying", "set the title of the terminal" },
		{ "viatty title --while building -- make -j4",
		    "set it while a command runs" },
	},
	.run = title_run,
	.as_root = title_as_root,
};
