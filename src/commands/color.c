/* SPDX-License-Identifier: MIT */
/* color: prints, sets and resets colors (OSC 4, 10 to 12, 104, 110 to 112). */
#include "commands/command.h"

#include <string.h>

static struct {
	bool reset, during, theme;
} opt;

static const struct option_spec options[] = {
	{ OPTION_FLAG, 0, "reset", NULL, "reset NAME, or all colors", &opt.reset,
	    .not_with = "while theme" },
	{ OPTION_FLAG, 0, "while", NULL, "set the color while COMMAND runs, then restore it",
	    &opt.during, .completion = COMPLETE_COMMAND, .not_with = "theme print" },
	FLAG(0, "theme", "print whether the background is dark or light", opt.theme),
	{ .kind = OPTION_END }
};

/* From COLOR_FOREGROUND on; those before it have numbers. */
static const char *const names[] = { "foreground", "background", "cursor", NULL };

struct colors {
	unsigned which;   /* the color given as an operand */
	struct buf bytes; /* to send */
	struct sink sink;
	struct color_query query;
};

/* ---- operands --------------------------------------------------------------- */

static unsigned
parse_which(const char *name)
{
	unsigned long number;
	unsigned i;

	for (i = 0; names[i] != NULL; i++)
		if (strcmp(name, names[i]) == 0)
			return COLOR_FOREGROUND + i;
	if (!text_number(name, COLOR_FOREGROUND - 1, &number))
		die(STATUS_USAGE, "unknown color %s\n"
		    "use foreground, background, cursor, or a number from 0 to 255",
		    text_quote(name).text);
	return (unsigned)number;
}

#define WHILE_EXAMPLE "viatty color --while background '#300' -- ssh host"

static void
check_operands(const struct call *call)
{
	if (opt.during && call->count == 0)
		die(STATUS_USAGE, "no color named\n" WHILE_EXAMPLE);
	if (opt.during && call->count == 1)
		die(STATUS_USAGE, "no color given\n" WHILE_EXAMPLE);
	if (opt.during && call->count == 2)
		die(STATUS_USAGE, "no command given\n" WHILE_EXAMPLE);
	if (opt.theme && call->count > 0)
		die(STATUS_USAGE, "--theme takes no operands");
	if (!opt.theme && !opt.reset && call->count == 0)
		die(STATUS_USAGE, "no color named\n"
		    "viatty color background prints it; with a color such as #008, it is set");
	if (opt.reset && call->count > 1)
		die(STATUS_USAGE, "--reset takes one NAME");
	if (!opt.during && call->count > 2)
		die(STATUS_USAGE, "more than one NAME and VALUE");
	if (!opt.reset && call->count < 2 && (globals.way_given || globals.print != PRINT_NOT))
		die(STATUS_USAGE, "to read colors, omit --tty, --wrap, --route and --print");
}

/* ---- sending ---------------------------------------------------------------- */

static enum feature
feature_to_set(unsigned which)
{
	return which == COLOR_CURSOR ? FEATURE_COLOR_CURSOR : FEATURE_COLOR;
}

const struct request color_request = { .feature = FEATURE_COLOR, .selections = "",
	.for_multiplexer = true };

static bool
open_sink(struct colors *c, unsigned feature, struct error *error)
{
	struct request request = color_request;

	request.feature = feature;
	request.sequence = c->bytes.len;
	return sink_open(&c->sink, &request, error);
}

/* Plans for another feature, on the same path. */
static bool
replan(struct colors *c, unsigned feature, struct error *error)
{
	struct request request = c->sink.request;

	request.feature = feature;
	return sink_replan(&c->sink, &request, error);
}

/* ---- reading ---------------------------------------------------------------- */

static void
read_and_print(struct colors *c, const char *operand)
{
	char value[COLOR_TEXT];
	struct error error;

	c->query.which = opt.theme ? COLOR_BACKGROUND : parse_which(operand);
	if (!open_sink(c, FEATURE_COLOR_QUERY, &error)) {
		/* replaces the usual hint: --tty does not apply to reading */
		if (error.status == STATUS_NO_TERMINAL && path_ssh_without_terminal())
			advise(&error, "use ssh -t: colors are read from the terminal of the "
			    "command");
		else if (error.status == STATUS_NO_TERMINAL)
			advise(&error, "run it in a terminal: colors are read from the terminal "
			    "of the command");
		die_of(&error);
	}
	c->query.chain = c->sink.route.chain;
	if (!read_colors(&c->query, &c->sink.path, &error))
		die_of(&error);
	if (globals.verbose && c->sink.route.destination != NULL)
		note("reported by %s, not by the terminal outside it",
		    c->sink.route.destination->row->id);
	if (!opt.theme)
		color_format(value, &c->query.color);
	else
		text_copy(value, sizeof(value), color_is_dark(&c->query.color) ? "dark" : "light");
	buf_format(&c->bytes, "%s\n", value);
	stream_output(c->bytes.data, c->bytes.len);
}

/* ---- while a command runs --------------------------------------------------- */

static bool
send_color(void *context, struct error *error)
{
	struct colors *c = context;

	if (!sink_send(&c->sink, &c->bytes, error))
		return false;
	sink_report(&c->sink);
	return true;
}

/* Restores the reported color, or else resets it. */
static bool
restore_color(void *context, struct error *error)
{
	struct colors *c = context;

	c->bytes.len = 0;
	if (c->query.known)
		encode_color(&c->bytes, c->which, &c->query.color);
	else
		encode_color_reset(&c->bytes, c->which);
	return sink_send(&c->sink, &c->bytes, error);
}

/*
 * Returns false if the color could not be restored, because it is neither reported nor can
 * be reset, or if a signal arrived.
 */
static bool
remember_color(struct colors *c, struct error *error)
{
	struct error ignored;

	if (globals.given.probe && !globals.way_given && !c->sink.path.silent &&
	    replan(c, FEATURE_COLOR_QUERY, &ignored)) {
		c->query.chain = c->sink.route.chain;
		c->query.which = c->which;
		read_colors(&c->query, &c->sink.path, &ignored);
	}
	if (signals_caught != 0)
		return false;
	return (c->query.known || replan(c, FEATURE_COLOR_RESET, error)) &&
	    replan(c, feature_to_set(c->which), error);
}

/* ---- the command ------------------------------------------------------------ */

/* Appends the sequence that sets the color. */
static void
add_color(struct buf *out, unsigned which, const char *value)
{
	struct color color;

	if (!color_parse(&color, value, strlen(value)))
		die(STATUS_USAGE, "not a color: %s\n"
		    "use #rgb, #rrggbb or rgb:rr/gg/bb", text_quote(value).text);
	encode_color(out, which, &color);
}

/* Sets or resets the color, or sets it while a command runs. Returns the exit status. */
static int
set_color(struct colors *c, const struct call *call, const struct meanwhile *shown,
    struct error *error)
{
	bool opened;

	c->which = call->count > 0 ? parse_which(call->operand[0]) : COLOR_COUNT;
	if (opt.reset)
		encode_color_reset(&c->bytes, c->which);
	else
		add_color(&c->bytes, c->which, call->operand[1]);
	opened = open_sink(c, feature_to_set(c->which), error);
	if (opt.during)
		return run_while(call->operand + 2,
		    opened && remember_color(c, error) ? shown : NULL, error).status;
	/* a color that cannot be set needs no reset */
	if (!opened || (opt.reset && !replan(c, FEATURE_COLOR_RESET, error)))
		die_of(error);
	return sink_finish(&c->sink, &c->bytes);
}

static int
color_run(struct call *call)
{
	struct colors c = { .bytes = BUF_EMPTY };
	const struct meanwhile shown = { send_color, restore_color, &c };
	struct error error = { .status = STATUS_DONE };
	int status = STATUS_DONE;

	c.query.timeout_ms = globals.given.timeout_ms;
	if (!opt.reset && !opt.during && call->count < 2)
		messages.outcome = "color not read";
	check_operands(call);
	if (!opt.reset && call->count < 2)
		read_and_print(&c, call->operand[0]);
	else
		status = set_color(&c, call, &shown, &error);
	path_free(&c.sink.path);
	buf_free(&c.bytes);
	return status;
}

/* The terminal is another user's, and only that user may write there. */
static int
color_as_root(struct call *call)
{
	const struct error none = { .status = STATUS_DONE };

	if (!opt.during || call->count < 3)
		return -1;
	warn("no color, because this is root, and the terminal is another user's\n"
	    "the other way round it is set: viatty color --while NAME VALUE -- sudo ...");
	return run_while(call->operand + 2, NULL, &none).status;
}

const struct command command_color = {
	.name = "color",
	.group = "Terminal",
	.operands = "[NAME [VALUE]]",
	.summary = "print, set or reset the terminal's colors",
	.outcome = "color not set",
	.options = options,
	.words = names,
	.other_words = "0 to 255",
	.line_at = 2,
	.line_usage = "--while [OPTIONS] NAME VALUE COMMAND...",
	.examples = {
		{ "viatty color --while background '#300' -- ssh prod",
		    "a red background while a command runs" },
		{ "viatty color --theme", "print dark or light" },
	},
	.run = color_run,
	.as_root = color_as_root,
};
