/* SPDX-License-Identifier: MIT */
/* paste: prints the clipboard of the terminal. */
#include "commands/command.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const struct option_spec options[] = {
	{ OPTION_FLAG, 'n', "trim-newline", NULL, "remove one trailing newline",
	    &clipboard_options.trim_newline, .not_with = "add-newline" },
	FLAG(0, "add-newline", "append a newline", clipboard_options.add_newline),
	{ OPTION_FLAG, 'p', "primary", NULL, "print the primary selection, not the clipboard",
	    &clipboard_options.primary, .not_with = "selection" },
	VALUE(OPTION_TEXT, 'S', "selection", "LETTER",
	    "selection: c clipboard, p primary, q, s, 0-7", clipboard_options.selections),
	{ OPTION_TEXT, 't', "type", "MIME", "print data of this MIME type", &clipboard_options.type,
	    .words = mime_words, .not_with = "list-types" },
	FLAG('l', "list-types", "print the MIME types on the clipboard",
	    clipboard_options.list_types),
	VALUE(OPTION_SIZE, 0, "max", "BYTES",
	    "refuse more than BYTES (default 64 MiB)", clipboard_options.max),
	{ OPTION_FLAG, 0, "prompt", NULL, "ask for the terminal's paste key at once",
	    &clipboard_options.prompt, .not_with = "no-prompt primary selection type list-types" },
	FLAG(0, "no-prompt", "never ask for the terminal's paste key", clipboard_options.no_prompt),
	FLAG(0, "raw-output",
	    "do not escape control characters on a terminal", clipboard_options.raw_output),
	{ .kind = OPTION_END }
};

/* Default of --max, documented in viatty-paste(1). */
enum { TEXT_MAX = 64 << 20 };

/* ---- printing ----------------------------------------------------------- */

/* On a terminal control characters other than newline and tab are escaped. */
static void
print_text(const struct buf *text)
{
	const char *at = (const char *)text->data;
	size_t n, left = text->len;
	static struct buf visible = BUF_EMPTY;

	if (clipboard_options.raw_output || !isatty(STDOUT_FILENO)) {
		stream_output(text->data, text->len);
		return;
	}
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
}

/* ---- reading ------------------------------------------------------------ */

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

enum prompt
paste_prompt(void)
{
	const bool sees_errors = tty_foreground(STDERR_FILENO);
	const int fd = sees_errors ? STDERR_FILENO : STDOUT_FILENO;
	const char *ci = environment_get("CI");
	char reader[QUERY_READER];
	const bool may = (sees_errors || tty_foreground(fd)) && !reader_is_another(fd, reader) &&
	    !text_equal(environment_get("TERM"), "dumb");

	if (clipboard_options.prompt && !may)
		die(STATUS_NO_TERMINAL, "--prompt: no terminal where you can be asked to paste\n"
		    "run it at a shell prompt");
	if (clipboard_options.prompt)
		return PROMPT_AT_ONCE;
	if (!may || clipboard_options.no_prompt || messages.other_name ||
	    (ci != NULL && ci[0] != '\0') ||
	    text_equal(environment_get("VIATTY_PROMPT"), "never"))
		return PROMPT_NEVER;
	return PROMPT_ELSE;
}

/* Dies if the clipboard has types, but no plain text. */
static void
name_types(struct path *path, struct request request)
{
	static struct buf types = BUF_EMPTY;
	struct error ignored;
	struct route route;
	char *names;

	request.type = TYPE_LIST;
	if (!route_find(&route, path, &request))
		return;
	clipboard_read(&types, &route, path, &request, &ignored);
	keep_printable(&types);
	buf_add(&types, "", 1);
	names = (char *)types.data;
	if (names[0] == '\n' || names[0] == '\0' || strstr(names, "text/plain") != NULL)
		return;
	names[strcspn(names, "\n")] = '\0';
	die(STATUS_FAILED, "the clipboard has no plain text, but %s\n"
	    "--type %s prints it", names, text_is_typable(names) ? names : "TYPE");
}

/* Reads from the terminal or, if that never replies, by a desktop tool. */
static void
read_clipboard(struct buf *text, struct path *path, struct request *request)
{
	struct error error = { .status = STATUS_DONE };
	struct route route;
	bool read;

	if (!route_find(&route, path, request))
		die_of(&route.refusal);
	if (route.kind == ROUTE_NATIVE && globals.verbose)
		message_note("read by --route %s with %s from %s: %s", route_words[route.kind],
		    route.tool->program, route.desktop, route.why);
	read = clipboard_read(text, &route, path, request, &error);
	if (read && route.kind != ROUTE_NATIVE && globals.verbose)
		message_note("read %zu bytes from %s%s", text->len, route.who,
		    route.by_key ? ", by its paste key" : ", by a query");
	if (read && route.warning[0] != '\0')
		message_warn("%s", route.warning);
	if (request->type == NULL && !route.by_key &&
	    (read ? text->len == 0 : route.kind == ROUTE_NATIVE))
		name_types(path, *request);
	if (!read) {
		print_text(text);
		die_of(&error);
	}
	if (request->prompt == PROMPT_NEVER &&
	    route.reads == SUPPORT_ASKS && text->len == 0)
		message_warn("the clipboard is empty, or %s was told not to show it", route.who);
}

/* ---- the command -------------------------------------------------------- */

const struct request paste_request = { .feature = FEATURE_PASTE, .selections = "c" };

static int
paste_run(struct call *call)
{
	static struct buf text = { .max = TEXT_MAX };
	static struct path path;
	struct request request = paste_request;
	struct error error;
	bool found;

	if (call->count > 0)
		die(STATUS_USAGE, "unexpected argument %s\n"
		    "viatty paste prints to standard output: viatty paste > FILE",
		    text_quote(call->operand[0]).text);
	if (globals.way_given && globals.given.route != ROUTE_NATIVE)
		die(STATUS_USAGE, "--route %s cannot be used here: paste reads from the "
		    "terminal it is called in", route_words[globals.given.route]);
	request.selections = clipboard_selections(1);
	/* the reply comes from our own terminal, regardless of the variables */
	request.given = globals.given;
	request.given.tty = NULL;
	request.given.chain = NULL;
	request.type = clipboard_options.list_types ? TYPE_LIST :
	    mime_of_data(clipboard_options.type);
	request.prompt = paste_prompt();
	if (clipboard_options.max != 0 && !clipboard_options.list_types)
		text.max = clipboard_options.max;
	/* --route native needs no terminal */
	found = path_where_needed(&path, &request.given, &error);
	/* where there is one that cannot be opened, that is said */
	messages.silent = clipboard_options.silent &&
	    (path.failure == ENXIO || path.failure == ENOENT);
	if (!found) {
		advise_own_terminal(&error, "");
		die_of(&error);
	}
	read_clipboard(&text, &path, &request);
	if (clipboard_options.list_types)
		keep_printable(&text);
	if (text.len == 0 && clipboard_options.fail_if_empty)
		die(STATUS_FAILED, "nothing is copied");
	if (clipboard_options.trim_newline && !clipboard_options.list_types)
		buf_trim_newline(&text);
	if (clipboard_options.add_newline && !clipboard_options.list_types)
		buf_add_string(&text, "\n");
	print_text(&text);
	return STATUS_DONE;
}

const struct command command_paste = {
	.name = "paste",
	.group = "Clipboard",
	.summary = "print the clipboard",
	.outcome = "not pasted",
	.options = options,
	.refused = "tty wrap print",
	.refused_why = "paste prints what it reads from the terminal it is called in",
	.examples = {
		{ "viatty paste >notes.txt", "write the clipboard to a file" },
		{ "viatty paste | sort | viatty copy",
		    "sort the lines of the clipboard" },
	},
	.run = paste_run,
};
