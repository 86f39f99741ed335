/* SPDX-License-Identifier: MIT */
/* paste: prints the clipboard of the terminal. */
#include "base/base64.h"
#include "base/text.h"
#include "commands/command.h"
#include "commands/reasons.h"
#include "commands/report.h"
#include "commands/send.h"
#include "commands/typed.h"
#include "route/clipboard_query.h"
#include "route/native.h"
#include "detect/detect.h"

#include <string.h>

static struct {
	bool no_newline, add_newline, primary, raw_output;
	const char *selection, *type;
	bool list_types;
	size_t max;
} opt;

static const struct option_spec options[] = {
	FLAG('n', "no-newline", "remove one trailing newline", opt.no_newline),
	FLAG(0, "add-newline", "append a newline", opt.add_newline),
	FLAG('p', "primary",
	    "print the primary selection, not the clipboard", opt.primary),
	VALUE(OPTION_TEXT, 'S', "selection", "LETTER",
	    "selection to print: c clipboard, p primary, q, s, 0-7", opt.selection),
	{ OPTION_TEXT, 't', "type", "MIME", "print data of this MIME type", &opt.type,
	    mime_words, COMPLETE_NOTHING },
	FLAG('l', "list-types", "print the MIME types that the clipboard holds",
	    opt.list_types),
	VALUE(OPTION_SIZE, 0, "max", "BYTES",
	    "refuse more than BYTES (default 64 MiB)", opt.max),
	FLAG(0, "raw-output",
	    "do not escape control characters on a terminal", opt.raw_output),
	{ .kind = OPTION_END }
};

/* Default of --max, documented in viatty-paste(1). */
enum { TEXT_MAX = 64 << 20 };

static bool
choose_selection(char *letter, struct error *error)
{
	const char *wanted = opt.selection;

	if (wanted != NULL && opt.primary)
		return error_set(error, STATUS_USAGE,
		    "--primary and --selection exclude each other");
	if (wanted == NULL)
		wanted = opt.primary ? "p" : "c";
	if (strlen(wanted) != 1 ||
	    strchr(CLIPBOARD_SELECTIONS, wanted[0]) == NULL) {
		error_set(error, STATUS_USAGE, "unknown selection %s",
		    text_quote(wanted).text);
		return error_hint(error, "the selections are %s", CLIPBOARD_SELECTIONS);
	}
	*letter = wanted[0];
	return true;
}

static bool
check_paste_options(const struct call *call, struct error *error)
{
	const struct globals *g = call->globals;

	if (call->count > 0)
		return error_set(error, STATUS_USAGE, "paste takes no operands");
	if (opt.no_newline && opt.add_newline)
		return error_set(error, STATUS_USAGE,
		    "--no-newline and --add-newline exclude each other");
	if (opt.type != NULL && opt.list_types)
		return error_set(error, STATUS_USAGE,
		    "--type and --list-types exclude each other");
	if (opt.type != NULL && strchr(opt.type, ',') != NULL)
		return error_set(error, STATUS_USAGE, "paste prints one type");
	if (opt.type != NULL && !typed_check(opt.type, error))
		return false;
	if (g->way_given && g->route != ROUTE_NATIVE)
		return error_set(error, STATUS_USAGE, "paste reads from the "
		    "terminal it is called in: no --route but native");
	return true;
}

static void
warn_of_empty(const struct call *call, const struct read_plan *plan)
{
	char warning[TERMINAL_TITLE + 80];

	text_format(warning, sizeof(warning),
	    "the clipboard is empty, or %s was told not to show it", plan->who);
	report_warning(call, warning, "");
}

/* From the terminal or, if that never replies, by a desktop tool. */
static bool
read_clipboard(struct buf *text, const struct path *path, struct call *call,
    const struct read_request *request, struct error *error)
{
	struct explanation says;
	struct read_plan plan;
	struct route route;

	if (opt.list_types || (opt.type != NULL && !typed_all_plain(opt.type)))
		return paste_typed(call, path, opt.type, request->selection, text,
		    error);
	if (plan_native_paste(&route, path, call, request->selection, NULL)) {
		explain_route(&says, &route, path);
		if (call->globals->verbose)
			report_read(call->title, &route, &says);
		return native_paste(&route, path, request->selection, NULL, text,
		    request->timeout_ms, error);
	}
	if (route.refusal.id != REASON_NONE)
		return explain_refusal(error, &route, path);
	if (!read_selection(text, &plan, path, request, &call->signal, error))
		return explain_read_refusal(error, &plan, path);
	if (plan.asks && text->len == 0)
		warn_of_empty(call, &plan);
	return true;
}

/* --route native needs no terminal. */
static bool
look_for_terminal(struct path *path, const struct call *call,
    const struct detect_request *around, struct error *error)
{
	if (detect_where_needed(path, around, call->globals, error))
		return true;
	return error_hint(error, "%s: paste queries the terminal it is called in",
	    detect_ssh_without_terminal() ? "use ssh -t" : "run it in a terminal");
}

static bool
report(struct call *call, struct buf *text, char letter, struct error *error)
{
	if (opt.list_types && call->globals->json)
		return report_types_json(call->command, letter, text) ||
		    error_stdout(error);
	if (opt.no_newline && text->len > 0 && text->data[text->len - 1] == '\n')
		text->len--;
	if (opt.add_newline)
		buf_add_string(text, "\n");
	if (call->globals->json)
		return report_text_json(call->command, letter, text) ||
		    error_stdout(error);
	return report_text(text, opt.raw_output, error);
}

static bool
paste_run(struct call *call, struct error *error)
{
	const struct globals *g = call->globals;
	struct detect_request around = detect_request_of(g);
	struct read_request request = { .max = opt.max != 0 ? opt.max : TEXT_MAX,
	    .timeout_ms = g->timeout_ms, .force = g->force };
	struct path path;
	struct buf text;
	bool fine;

	if (!check_paste_options(call, error) || !choose_selection(&request.selection, error))
		return false;
	around.features = FEATURE_BIT(FEATURE_PASTE);
	/* it is queried in any case */
	if (g->terminal == NULL && g->route != ROUTE_NATIVE)
		around.identify = IDENTIFY_TERMINAL;
	if (request.selection == 'p')
		around.features |= FEATURE_BIT(FEATURE_PRIMARY);
	buf_init(&text, request.max);
	fine = look_for_terminal(&path, call, &around, error) &&
	    read_clipboard(&text, &path, call, &request, error) &&
	    report(call, &text, request.selection, error);
	path_free(&path);
	buf_free(&text);
	return fine;
}

const struct command command_paste = {
	.name = "paste",
	.summary = "print the clipboard",
	.verdict = "not pasted",
	.options = options,
	.refused = (const char *const[]){ "tty", "wrap", "print", NULL },
	.refused_why = "paste reads from the terminal it is called in",
	.examples = {
		{ "viatty paste >notes.txt", "write the clipboard to a file" },
		{ "viatty paste | sort | viatty copy",
		    "sort the lines of the clipboard" },
	},
	.run = paste_run,
};
