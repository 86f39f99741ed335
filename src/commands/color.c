/* SPDX-License-Identifier: MIT */
/* color: prints, sets and resets colors (OSC 4, 10 to 12, 104, 110 to 112). */
#include "commands/command.h"

#include <string.h>

static struct {
	bool reset, theme;
} opt;

static const struct option_spec options[] = {
	{ OPTION_FLAG, 0, "reset", NULL, "reset NAME, or all colors", &opt.reset,
	    .not_with = "theme" },
	FLAG(0, "theme", "print whether the background is dark or light", opt.theme),
	{ .kind = OPTION_END }
};

/* From COLOR_FOREGROUND on; those before it have numbers. */
static const char *const names[] = { "foreground", "background", "cursor", NULL };

/* To send, or to print. */
static struct buf bytes = BUF_EMPTY;
static struct delivery delivery;

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

static void
check_operands(const struct call *call)
{
	if (opt.theme && call->count > 0)
		die(STATUS_USAGE, "--theme takes no operands");
	if (!opt.theme && !opt.reset && call->count == 0)
		die(STATUS_USAGE, "no color named\n"
		    "viatty color background prints it; with a color such as #008, it is set");
	if (opt.reset && call->count > 1)
		die(STATUS_USAGE, "--reset takes one NAME");
	if (call->count > 2)
		die(STATUS_USAGE, "more than one NAME and VALUE");
	if (!opt.reset && call->count < 2 && (globals.way_given || globals.print != PRINT_NOT))
		die(STATUS_USAGE, "to read colors, omit --tty, --wrap, --route and --print");
}

/* ---- sending ---------------------------------------------------------------- */

const struct request color_request = { .feature = FEATURE_COLOR, .selections = "",
	.for_multiplexer = true };

static bool
open_delivery(unsigned feature, struct error *error)
{
	struct request request = color_request;

	request.feature = feature;
	request.sequence = bytes.len;
	return delivery_open(&delivery, &request, error);
}

/* ---- reading ---------------------------------------------------------------- */

static void
read_and_print(const char *operand)
{
	struct color_query query = { .timeout_ms = globals.given.timeout_ms };
	char value[COLOR_TEXT];
	struct error error;

	query.which = opt.theme ? COLOR_BACKGROUND : parse_which(operand);
	if (!open_delivery(FEATURE_COLOR_QUERY, &error)) {
		advise_own_terminal(&error, opt.theme ? "--theme" : operand);
		die_of(&error);
	}
	query.chain = delivery.route.chain;
	if (!read_colors(&query, &delivery.path, &error))
		die_of(&error);
	if (globals.verbose && delivery.route.destination != NULL)
		message_note("reported by %s, not by the terminal outside it",
		    delivery.route.destination->row->id);
	if (!opt.theme)
		color_format(value, &query.color);
	else
		text_copy(value, sizeof(value), color_is_dark(&query.color) ? "dark" : "light");
	buf_format(&bytes, "%s\n", value);
	stream_output(bytes.data, bytes.len);
}

/* ---- the command ------------------------------------------------------------ */

/* Sets or resets the color. Returns the exit status. */
static int
set_color(const struct call *call)
{
	const unsigned which = call->count > 0 ? parse_which(call->operand[0]) : COLOR_COUNT;
	const char *value = call->operand[1];
	struct request reset = color_request;
	struct error error;
	struct color color;

	if (!opt.reset && !color_parse(&color, value, strlen(value)))
		die(STATUS_USAGE, "not a color: %s\n"
		    "use #rgb, #rrggbb or rgb:rr/gg/bb", text_quote(value).text);
	if (opt.reset)
		encode_color_reset(&bytes, which);
	else
		encode_color(&bytes, which, &color);
	reset.feature = FEATURE_COLOR_RESET;
	reset.sequence = bytes.len;
	/* resetting is refused where setting is */
	if (!open_delivery(which == COLOR_CURSOR ? FEATURE_COLOR_CURSOR : FEATURE_COLOR, &error) ||
	    (opt.reset && !delivery_plan(&delivery, &reset, &error)))
		die_of(&error);
	return delivery_finish(&delivery, &bytes);
}

static int
color_run(struct call *call)
{
	const bool reads = !opt.reset && call->count < 2;

	if (reads)
		messages.outcome = "color not read";
	check_operands(call);
	if (!reads)
		return set_color(call);
	read_and_print(call->operand[0]);
	return STATUS_DONE;
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
	.examples = {
		{ "viatty color --theme", "print dark or light" },
		{ "viatty color cursor '#fa0'", "set the color of the cursor" },
	},
	.run = color_run,
};
