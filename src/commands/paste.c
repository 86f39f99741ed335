/* SPDX-License-Identifier: MIT */
/* paste: prints the clipboard of the terminal. */
#include "base/base.h"
#include "commands/command.h"
#include "route/route.h"
#include "detect/path.h"

#include <string.h>
#include <unistd.h>

static struct {
	bool no_newline, add_newline, primary, raw_output;
	const char *selection, *type;
	bool list_types;
	size_t max;
} opt;

static const struct option_spec options[] = {
	{ OPTION_FLAG, 'n', "no-newline", NULL, "remove one trailing newline", &opt.no_newline,
	    .not_with = "add-newline" },
	FLAG(0, "add-newline", "append a newline", opt.add_newline),
	{ OPTION_FLAG, 'p', "primary", NULL, "print the primary selection, not the clipboard",
	    &opt.primary, .not_with = "selection" },
	VALUE(OPTION_TEXT, 'S', "selection", "LETTER",
	    "selection: c clipboard, p primary, q, s, 0-7", opt.selection),
	{ OPTION_TEXT, 't', "type", "MIME", "print data of this MIME type", &opt.type,
	    .words = mime_words, .not_with = "list-types" },
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

static char
choose_selection(void)
{
	const char *wanted = opt.selection != NULL ? opt.selection : opt.primary ? "p" : "c";

	if (strlen(wanted) != 1 || strchr(CLIPBOARD_SELECTIONS, wanted[0]) == NULL)
		die(STATUS_USAGE, hint("the selections are %s", CLIPBOARD_SELECTIONS),
		    "unknown selection %s", text_quote(wanted).text);
	return wanted[0];
}

static void
check_paste_options(const struct call *call)
{
	if (call->count > 0)
		die(STATUS_USAGE, NULL, "paste takes no operands");
	if (opt.type != NULL && strchr(opt.type, ',') != NULL)
		die(STATUS_USAGE, NULL, "paste prints one type");
	if (opt.type != NULL)
		typed_check(opt.type);
	if (globals.way_given && globals.route != ROUTE_NATIVE)
		die(STATUS_USAGE, NULL, "paste reads from the terminal it is called in: no "
		    "--route but native");
}

/* Reads from the terminal or, if that never replies, by a desktop tool. */
static void
read_clipboard(struct buf *text, const struct path *path, struct clipboard_read *request)
{
	struct error error = { .status = STATUS_DONE };
	struct route route;

	if (opt.list_types || (opt.type != NULL && !typed_type_is_plain(opt.type))) {
		paste_typed(path, opt.type, request->selection, text);
	} else if (plan_native_paste(&route, path, request->selection, NULL)) {
		report_read(&route);
		if (!native_paste(&route, path, request->selection, NULL, text,
		    request->timeout_ms, &error)) {
			paste_names_types(path, request->selection);
			die_of(&error);
		}
	} else {
		error = route.refusal;
		if (error.status != STATUS_DONE ||
		    !read_selection(text, request, path, &error))
			die_of(&error);
		if (text->len == 0)
			paste_names_types(path, request->selection);
		if (request->support == SUPPORT_ASKS && text->len == 0)
			warn(NULL, "the clipboard is empty, or %s was told not to show it",
			    request->who);
	}
}

/* On a terminal control characters other than newline and tab are escaped. */
static void
print_text(const struct buf *text)
{
	const char *at = (const char *)text->data;
	size_t n, left = text->len;
	struct buf visible = BUF_EMPTY;

	for (; left > 0; left -= n, at += n) {
		n = *at == '\n' || *at == '\t' ? 1 : text_printable(at, left);
		if (n > 0) {
			buf_add(&visible, at, n);
		} else {
			n = 1;
			escape_notation_write(&visible, (const unsigned char *)at, 1);
		}
	}
	stream_output(visible.data, visible.len);
	buf_free(&visible);
}

static void
print_json(const struct buf *text, char selection)
{
	const char letter[2] = { selection, '\0' };
	char *at = (char *)text->data, *end = at + text->len, *newline;
	struct buf out;

	report_begin(&out);
	json_text(&out, "selection", letter);
	if (opt.list_types) {
		json_open(&out, "types", '[');
		for (; at < end; at = newline + 1) {
			newline = memchr(at, '\n', (size_t)(end - at));
			*newline = '\0';
			json_text(&out, NULL, at);
		}
		json_close(&out, ']');
	} else {
		json_number(&out, "bytes", text->len);
		json_base64(&out, "base64", text->data, text->len);
	}
	report_end(&out);
}

static int
paste_run(struct call *call)
{
	struct path_request around = path_request_of(globals.route);
	struct clipboard_read request = { .max = opt.max != 0 ? opt.max : TEXT_MAX,
	    .timeout_ms = globals.timeout_ms, .force = globals.force };
	struct error error;
	struct path path;
	struct buf text;

	check_paste_options(call);
	request.selection = choose_selection();
	around.features = FEATURE_BIT(FEATURE_PASTE);
	if (opt.type != NULL && !typed_type_is_plain(opt.type))
		around.features |= FEATURE_BIT(FEATURE_TYPES);
	/* the clipboard query needs a reply anyway */
	if (globals.terminal == NULL && globals.route != ROUTE_NATIVE)
		around.identify = IDENTIFY_TERMINAL;
	if (request.selection == 'p')
		around.features |= FEATURE_BIT(FEATURE_PRIMARY);
	buf_init(&text, request.max);
	/* --route native needs no terminal */
	if (!path_where_needed(&path, &around, &error)) {
		error_hint(&error, "%s: paste queries the terminal it is called in",
		    path_ssh_without_terminal() ? "use ssh -t" : "run it in a terminal");
		die_of(&error);
	}
	read_clipboard(&text, &path, &request);
	path_free(&path);
	if (!opt.list_types) {
		if (opt.no_newline && text.len > 0 && text.data[text.len - 1] == '\n')
			text.len--;
		if (opt.add_newline)
			buf_add_string(&text, "\n");
	}
	if (globals.json)
		print_json(&text, request.selection);
	else if (opt.raw_output || !isatty(STDOUT_FILENO))
		stream_output(text.data, text.len);
	else
		print_text(&text);
	buf_free(&text);
	return STATUS_DONE;
}

const struct command command_paste = {
	.name = "paste",
	.group = "Clipboard",
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
