/* SPDX-License-Identifier: MIT */
/* color: prints, sets and resets colors (OSC 4, 10 to 12, 104, 110 to 112). */
#include "commands/command.h"

#include <string.h>

static struct {
	bool reset, during, theme, chart;
} opt;

static const struct option_spec options[] = {
	{ OPTION_FLAG, 0, "reset", NULL, "reset NAME, or all colors", &opt.reset,
	    .not_with = "while theme chart" },
	{ OPTION_FLAG, 0, "while", NULL, "set the color while COMMAND runs, then restore it",
	    &opt.during, .completion = COMPLETE_COMMAND, .not_with = "theme chart print json" },
	{ OPTION_FLAG, 0, "theme", NULL, "print whether the background is dark or light",
	    &opt.theme, .not_with = "chart" },
	{ OPTION_FLAG, 0, "chart", NULL, "print a chart of what the terminal can show",
	    &opt.chart, .not_with = "json tty wrap route print" },
	{ .kind = OPTION_END }
};

/* From COLOR_FOREGROUND on; those before it have numbers. */
static const char *const names[] = { "foreground", "background", "cursor", NULL };

enum {
	PALETTE_SHOWN = 16,
	READINGS_MAX = PALETTE_SHOWN + COLOR_COUNT - COLOR_FOREGROUND
};

static unsigned which; /* the color given as an operand */
static struct sink sink;
static struct request request = { .for_multiplexer = true, .selections = "" };
static struct buf bytes = BUF_EMPTY;
static struct color_reading reading[READINGS_MAX];
static struct color_query reader = { .reading = reading };

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
		unknown_word(names, name, "use foreground, background, cursor, or a number from "
		    "0 to 255", "unknown color");
	return (unsigned)number;
}

static void
check_operands(const struct call *call)
{
	if (opt.during && call->count < 3)
		die(STATUS_USAGE, "%s\n"
		    "viatty color --while background '#300' -- ssh host", call->count == 0 ?
		    "no color named" : call->count == 1 ? "no color given" :
		    "no command given");
	if ((opt.theme || opt.chart) && call->count > 0)
		die(STATUS_USAGE, "--theme and --chart take no operands");
	if (opt.reset && call->count > 1)
		die(STATUS_USAGE, "--reset takes one NAME");
	if (!opt.during && call->count > 2)
		die(STATUS_USAGE, "more than one NAME and VALUE\n"
		    "a name of several words is one operand: 'dark orange'");
	if (!opt.reset && call->count < 2 && (globals.way_given || globals.print != PRINT_NOT))
		die(STATUS_USAGE, "to read colors, omit --tty, --wrap, --route and --print");
}

/* ---- sending ---------------------------------------------------------------- */

static enum feature
feature_to_set(void)
{
	return which == COLOR_CURSOR ? FEATURE_COLOR_CURSOR : FEATURE_COLOR;
}

/* `others`: further features needed, as FEATURE_BIT()s. */
static bool
open_sink(unsigned feature, unsigned others, struct error *error)
{
	request.feature = feature;
	request.sequence = bytes.len;
	request.features = others;
	request.identify = feature != FEATURE_COLOR_QUERY ? IDENTIFY_UNKNOWN : IDENTIFY_NOT;
	return sink_open(&sink, &request, error);
}

/* Whether the same destination supports this. */
static bool
turn_sink(enum feature feature, struct error *error)
{
	request.feature = feature;
	return sink_turn(&sink, &request, error);
}

static bool
send_color(struct error *error)
{
	if (!sink_send(&sink, &bytes, error))
		return false;
	sink_report(&sink);
	return true;
}

/* ---- reading ---------------------------------------------------------------- */

/*
 * Prints the colors, or the theme. The theme is that of the actual background; if it is
 * unknown, the color scheme, which in foot is only a label in its configuration.
 */
static void
print_colors(const struct call *call)
{
	const bool all = !opt.theme && call->count == 0;
	const struct hop *destination;
	const char *name, *theme = NULL;
	char number[16], value[COLOR_TEXT];
	struct error error;
	unsigned i, shown;

	reader.scheme_wanted = opt.theme;
	if (!all)
		reading[reader.count++].which = opt.theme ? COLOR_BACKGROUND :
		    parse_which(call->operand[0]);
	for (i = COLOR_FOREGROUND; all && i < COLOR_COUNT; i++)
		reading[reader.count++].which = i;
	for (i = 0; all && i < PALETTE_SHOWN; i++)
		reading[reader.count++].which = i;
	if (!open_sink(FEATURE_COLOR_QUERY, 0, &error)) {
		/* replaces the usual hint: --tty does not apply to reading */
		if (error.status == STATUS_NO_TERMINAL)
			message_format(error.text, "%s\n"
			    "%s: colors are read from the terminal of the command",
			    message_problem(error.text).text,
			    path_ssh_without_terminal() ? "use ssh -t" : "run it in a terminal");
		die_of(&error);
	}
	plan_color_query(&reader, &sink.route, &sink.path, globals.force);
	if (!read_colors(&reader, &sink.path, &error))
		die_of(&error);
	destination = sink.route.destination;
	if (globals.verbose && destination != NULL)
		note("reported by %s, not by the terminal outside it", destination->row->id);
	if (opt.theme) {
		theme = (reading[0].known ? color_is_dark(&reading[0].color) :
		    reader.scheme == SCHEME_DARK) ? "dark" : "light";
	}
	if (globals.json) {
		report_begin(&bytes);
		json_text(&bytes, "reported_by", destination != NULL ? destination->row->id :
		    "terminal");
		if (theme != NULL)
			json_text(&bytes, "theme", theme);
		json_open(&bytes, "colors", '{');
	} else if (theme != NULL) {
		buf_format(&bytes, "%s\n", theme);
	}
	for (i = 0; (globals.json || theme == NULL) && i < reader.count; i++) {
		shown = reading[i].which;
		text_format(number, sizeof(number), "%u", shown);
		name = shown < COLOR_FOREGROUND ? number : names[shown - COLOR_FOREGROUND];
		color_format(value, &reading[i].color);
		if (globals.json)
			json_text(&bytes, name, reading[i].known ? value : NULL);
		else
			buf_format(&bytes, all ? "%-10s  %s\n" : "%.0s%s\n", name,
			    reading[i].known ? value : "unknown");
	}
	if (globals.json) {
		json_close(&bytes, '}');
		report_end(&bytes);
	}
	stream_output(bytes.data, bytes.len);
}

/* ---- while a command runs --------------------------------------------------- */

/* Restores the reported color, or else resets it. */
static bool
restore_color(struct error *error)
{
	bytes.len = 0;
	if (reading[0].known)
		encode_color(&bytes, which, &reading[0].color);
	else
		encode_color_reset(&bytes, which);
	return sink_send(&sink, &bytes, error);
}

/*
 * Returns false if the color could not be restored, because it is neither reported nor can
 * be reset, or if a signal arrived.
 */
static bool
remember_color(struct error *error)
{
	struct error ignored;

	if (globals.probe && !globals.way_given && !sink.path.silent &&
	    plan_color_query(&reader, &sink.route, &sink.path, globals.force)) {
		reading[reader.count++].which = which;
		read_colors(&reader, &sink.path, &ignored);
	}
	if (signals_caught != 0)
		return false;
	return reading[0].known || (turn_sink(FEATURE_COLOR_RESET, error) &&
	    turn_sink(feature_to_set(), error));
}

/* ---- the command ------------------------------------------------------------ */

static int
color_run(struct call *call)
{
	static const struct meanwhile shown = { .set = send_color, .restore = restore_color };
	struct error error = { .status = STATUS_DONE };
	struct closest closest = { .name = NULL };
	struct color color;
	const char *value;
	bool opened;

	reader.timeout_ms = globals.timeout_ms;
	if (!opt.reset && !opt.during && call->count < 2)
		messages.verdict = "color not read";
	check_operands(call);
	if (!opt.reset && call->count >= 2) {
		which = parse_which(call->operand[0]);
		value = call->operand[1];
		closest.word = value;
		if (!color_parse(&color, value, strlen(value)) &&
		    !color_by_name(&color, value, &closest))
			die(STATUS_USAGE, "not a color: %s\n"
			    "%suse #rgb, #rrggbb, rgb:rr/gg/bb or an X11 name such as orange",
			    text_quote(value).text, closest_suggestion(&closest, ""));
		encode_color(&bytes, which, &color);
	}
	if (opt.during) {
		opened = open_sink(feature_to_set(), FEATURE_BIT(FEATURE_COLOR_RESET), &error) &&
		    remember_color(&error);
		return run_while(call->operand + 2, opened ? &shown : NULL, &error).status;
	}
	if (opt.chart) {
		encode_color_chart(&bytes);
		stream_output(bytes.data, bytes.len);
	} else if (opt.reset) {
		which = call->count > 0 ? parse_which(call->operand[0]) : COLOR_COUNT;
		encode_color_reset(&bytes, which);
		/* a color that cannot be set needs no reset */
		if (!open_sink(feature_to_set(), FEATURE_BIT(FEATURE_COLOR_RESET), &error) ||
		    !turn_sink(FEATURE_COLOR_RESET, &error))
			die_of(&error);
		sink_finish(&sink, &bytes);
	} else if (call->count == 2) {
		if (!open_sink(feature_to_set(), 0, &error))
			die_of(&error);
		sink_finish(&sink, &bytes);
	} else {
		print_colors(call);
	}
	return STATUS_DONE;
}

const struct command command_color = {
	.name = "color",
	.group = "Terminal",
	.operands = "[NAME [VALUE]]",
	.summary = "print, set or reset the terminal's colors",
	.verdict = "color not set",
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
};
