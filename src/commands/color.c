/* SPDX-License-Identifier: MIT */
/* color: the colors of the terminal, shown and set (OSC 4, 10 to 12, 104, 110 to 112). */
#include "base/closest.h"
#include "base/stream.h"
#include "base/text.h"
#include "commands/command.h"
#include "commands/during.h"
#include "commands/report.h"
#include "commands/send.h"
#include "route/color_query.h"

#include <string.h>

static struct {
	bool reset, during, theme, chart;
} opt;

static const struct option_spec options[] = {
	FLAG(0, "reset", "reset the color NAME, or all, to the terminal's own", opt.reset),
	{ OPTION_FLAG, 0, "while", NULL,
	    "set the color while COMMAND runs, then restore it", &opt.during, NULL,
	    COMPLETE_COMMAND },
	FLAG(0, "theme", "print dark or light, by the background", opt.theme),
	FLAG(0, "chart", "print a chart of what the terminal can show", opt.chart),
	{ .kind = OPTION_END }
};

static const char *const names[] = { "foreground", "background", "cursor", NULL };

enum {
	SEQUENCES_MAX = 4096,
	CHART_MAX = 64 * 1024,
	PALETTE_SHOWN = 16,
	READINGS_MAX = PALETTE_SHOWN + COLOR_COUNT - COLOR_FOREGROUND
};

/* One call of the command. */
struct coloring {
	struct call *call;
	struct sink sink;
	struct message message;
	struct buf bytes;
	unsigned which;     /* the color that is named */
	struct color color; /* what it is set to */
	struct color_reading reading[READINGS_MAX];
	struct color_query query;
	struct route query_route;
};

/* ---- operands ----------------------------------------------------------- */

static bool
parse_which(struct coloring *c, struct error *error)
{
	const char *name = c->call->operand[0];
	struct closest closest = { .word = name };

	if (color_which(&c->which, name))
		return true;
	error_set(error, STATUS_USAGE, "no such color: %s", text_quote(name).text);
	closest_add_words(&closest, names);
	return error_hint(error, "%sforeground, background, cursor, or 0 to 255 of the "
	    "palette", closest_suggestion(&closest, "").text);
}

static bool
parse_value(struct coloring *c, struct error *error)
{
	const char *value = c->call->operand[1];

	if (color_parse(&c->color, value, strlen(value)) ||
	    color_by_name(&c->color, value))
		return true;
	error_set(error, STATUS_USAGE, "not a color: %s", text_quote(value).text);
	return error_hint(error, "#rgb, #rrggbb, rgb:rr/gg/bb, or a name of X11 such as "
	    "orange");
}

/* ---- sending ------------------------------------------------------------ */

static bool
open_color_sink(struct coloring *c, bool identify, struct error *error)
{
	c->message = (struct message){
		.request = {
			.feature = FEATURE_COLOR,
			.for_multiplexer = true,
			.sequence = c->bytes.len,
			.selections = "",
		},
		.identify = identify,
		.abort = SEQUENCE_ABORT,
	};
	return sink_open(&c->sink, c->call, &c->message, error);
}

static bool
send_color(struct coloring *c, struct error *error)
{
	size_t payload = c->bytes.len;

	if (c->bytes.fault != BUF_FINE)
		return error_no_memory(error);
	return sink_send(&c->sink, &c->message, &c->bytes, error) &&
	    sink_report(&c->sink, payload, error);
}

static bool
set_color(struct coloring *c, struct error *error)
{
	if (!parse_which(c, error) || !parse_value(c, error))
		return false;
	encode_color_set(&c->bytes, c->which, &c->color);
	return open_color_sink(c, true, error) && send_color(c, error);
}

static bool
reset_colors(struct coloring *c, struct error *error)
{
	if (c->call->count > 0 && !parse_which(c, error))
		return false;
	if (c->call->count > 0)
		encode_color_reset(&c->bytes, c->which);
	else
		encode_color_reset_all(&c->bytes);
	return open_color_sink(c, true, error) && send_color(c, error);
}

/* ---- reading ------------------------------------------------------------ */

static void
want_color(struct coloring *c, unsigned which)
{
	c->reading[c->query.count++] = (struct color_reading){ .which = which };
}

/*
 * A route whose replies come back: a query cannot step over a hop as what is sent does,
 * so it is wrapped for the hop. False: there is none, the nearest hop may reply.
 */
static bool
plan_color_query(struct coloring *c)
{
	const struct globals *g = c->call->globals;
	const struct request request = {
		.feature = FEATURE_COLOR,
		.selections = "",
		.route = ROUTE_PASSTHROUGH,
		.force = g->force,
	};

	if (c->sink.route.own_device)
		c->query.chain = &c->sink.route.chain;
	else if (plan_route(&c->query_route, &c->sink.path, &request))
		c->query.chain = &c->query_route.chain;
	return c->query.chain != NULL;
}

static bool
query_colors(struct coloring *c, struct error *error)
{
	bool fine;

	plan_color_query(c);
	c->query.reading = c->reading;
	c->query.timeout_ms = c->call->globals->timeout_ms;
	fine = read_colors(&c->query, &c->sink.path, error);
	c->call->signal = c->query.signal;
	return fine;
}

/* Who replied instead of the terminal, or NULL. */
static const struct hop *
replying_hop(const struct coloring *c)
{
	return c->sink.route.destination;
}

static bool
report_colors(const struct coloring *c, struct buf *text, const char *theme,
    struct error *error)
{
	const struct globals *g = c->call->globals;
	const struct hop *hop = replying_hop(c);

	if (g->verbose && hop != NULL)
		report_replied_by(c->call->title, hop);
	if (g->json)
		return report_colors_json(c->call->command, &c->query, theme, hop) ||
		    error_stdout(error);
	return text->fault == BUF_FINE ? stream_output(text, error) :
	    error_no_memory(error);
}

static void
add_color_line(struct buf *out, const struct color_reading *reading, bool named)
{
	char name[COLOR_NAME], value[COLOR_TEXT], line[64];

	color_name(name, reading->which);
	color_format(value, &reading->color);
	text_format(line, sizeof(line), named ? "%-10s  %s\n" : "%.0s%s\n", name,
	    reading->known ? value : "unknown");
	buf_add_string(out, line);
}

static bool
print_colors(struct coloring *c, struct error *error)
{
	unsigned i;

	if (c->call->count > 0) {
		if (!parse_which(c, error))
			return false;
		want_color(c, c->which);
	} else {
		for (i = COLOR_FOREGROUND; i < COLOR_COUNT; i++)
			want_color(c, i);
		for (i = 0; i < PALETTE_SHOWN; i++)
			want_color(c, i);
	}
	if (!open_color_sink(c, false, error) || !query_colors(c, error))
		return false;
	for (i = 0; i < c->query.count; i++)
		add_color_line(&c->bytes, &c->reading[i], c->call->count == 0);
	return report_colors(c, &c->bytes, NULL, error);
}

/*
 * The background decides, as it is what is seen: the color scheme of foot is the one
 * that its configuration calls dark, whatever its colors are. Without it the scheme.
 */
static bool
print_theme(struct coloring *c, struct error *error)
{
	bool dark;

	want_color(c, COLOR_BACKGROUND);
	c->query.scheme_wanted = true;
	if (!open_color_sink(c, false, error) || !query_colors(c, error))
		return false;
	dark = c->reading[0].known ? color_is_dark(&c->reading[0].color) :
	    c->query.scheme == SCHEME_DARK;
	buf_add_string(&c->bytes, dark ? "dark\n" : "light\n");
	return report_colors(c, &c->bytes, dark ? "dark" : "light", error);
}

/* ---- while a command runs ----------------------------------------------- */

static bool
set_color_meanwhile(void *context, struct error *error)
{
	return send_color(context, error);
}

/* As it was reported, else the terminal's own. */
static bool
restore_color(void *context, const struct foreground_job_end *end, struct error *error)
{
	struct coloring *c = context;

	(void)end;
	c->bytes.len = 0;
	if (c->query.count > 0 && c->reading[0].known)
		encode_color_set(&c->bytes, c->which, &c->reading[0].color);
	else
		encode_color_reset(&c->bytes, c->which);
	return c->bytes.fault == BUF_FINE ?
	    sink_send(&c->sink, &c->message, &c->bytes, error) : error_no_memory(error);
}

/* False: a signal came meanwhile. */
static bool
remember_color(struct coloring *c)
{
	const struct globals *g = c->call->globals;
	struct error ignored;

	if (!g->probe || g->way_given || c->sink.path.silent || !plan_color_query(c))
		return true;
	want_color(c, c->which);
	query_colors(c, &ignored);
	return c->call->signal == 0;
}

static bool
color_while(struct coloring *c, struct error *error)
{
	struct error problem = { .status = STATUS_DONE };
	struct during during = { .call = c->call, .command = c->call->operand + 2,
		.set = set_color_meanwhile, .restore = restore_color, .context = c };

	if (!parse_which(c, error) || !parse_value(c, error))
		return false;
	encode_color_set(&c->bytes, c->which, &c->color);
	during.is_ready = open_color_sink(c, true, &problem) && remember_color(c);
	return during_run(&during, &problem, error);
}

/* ---- the chart ---------------------------------------------------------- */

static bool
print_chart(struct error *error)
{
	struct buf chart;
	bool fine;

	buf_init(&chart, CHART_MAX);
	fine = encode_color_chart(&chart) ? stream_output(&chart, error) :
	    error_no_memory(error);
	buf_free(&chart);
	return fine;
}

/* ---- the command -------------------------------------------------------- */

static bool
color_usage(struct error *error, const char *what, const char *hint)
{
	error_set(error, STATUS_USAGE, "%s", what);
	return error_hint(error, "%s", hint);
}

static bool
check_reading(const struct globals *g, struct error *error)
{
	if (g->way_given || g->print != PRINT_NOT)
		return color_usage(error, "colors are read from the terminal of the "
		    "command: no --tty, --wrap, --route or --print", "");
	return true;
}

static bool
check_during(const struct call *call, struct error *error)
{
	if (call->globals->print != PRINT_NOT || call->globals->json)
		return color_usage(error, "--while runs a command with this standard "
		    "output: no --print or --json", "");
	if (call->count < 3)
		return color_usage(error, call->count == 0 ? "no color named" :
		    call->count == 1 ? "no color given" : "no command given",
		    "viatty color --while background '#300' -- ssh host");
	return true;
}

static bool
check_color_options(const struct call *call, struct error *error)
{
	const struct globals *g = call->globals;

	if (opt.reset + opt.during + opt.theme + opt.chart > 1)
		return color_usage(error, "--reset, --while, --theme and --chart exclude "
		    "each other", "");
	if (opt.during)
		return check_during(call, error);
	if (call->count > (opt.theme || opt.chart ? 0u : opt.reset ? 1u : 2u))
		return color_usage(error, opt.theme || opt.chart ?
		    "--theme and --chart take no operands" : opt.reset ?
		    "--reset takes one NAME" : "more than one NAME and VALUE",
		    opt.theme || opt.chart || opt.reset ? "" :
		    "a name of several words is one operand: 'dark orange'");
	if (opt.chart && (g->json || g->way_given || g->print != PRINT_NOT))
		return color_usage(error, "--chart writes to standard output: no --json, "
		    "--tty, --wrap, --route or --print", "");
	return opt.chart || opt.reset || call->count == 2 || check_reading(g, error);
}

static bool
run_coloring(struct coloring *c, struct error *error)
{
	if (opt.during)
		return color_while(c, error);
	if (opt.reset)
		return reset_colors(c, error);
	if (opt.theme)
		return print_theme(c, error);
	return c->call->count == 2 ? set_color(c, error) : print_colors(c, error);
}

static bool
color_run(struct call *call, struct error *error)
{
	struct coloring coloring = { .call = call, .sink.path.fd = -1 };
	bool fine;

	if (!opt.reset && !opt.during && call->count < 2)
		call->verdict = "color not read";
	if (!check_color_options(call, error))
		return false;
	if (opt.chart)
		return print_chart(error);
	buf_init(&coloring.bytes, SEQUENCES_MAX);
	fine = run_coloring(&coloring, error);
	sink_close(&coloring.sink);
	buf_free(&coloring.bytes);
	return fine;
}

const struct command command_color = {
	.name = "color",
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
