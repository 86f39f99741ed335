/* SPDX-License-Identifier: MIT */
/* Desktop tools. */
#include "route/route.h"

#include "base/base.h"
#include "terminal/terminal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
	WORDS_MAX = 24,
	/* discarded output, and messages */
	OUTPUT_MAX = 8192, ERRORS_MAX = 8192,
	/* a list of types: office suites offer dozens */
	TYPES_MAX = 65536
};

/* One run of a tool. `command` points to the other members. */
struct run {
	const struct desktop_tool *tool;
	struct subprocess_command command;
	const char *word[WORDS_MAX + 1]; /* its command line */
	size_t words;
	const char *variable[DESKTOP_VARIABLES + 2];
	const char *type;     /* to paste, or NULL for text */
	unsigned timeout_ms;
	struct buf errors;    /* its messages */
};

/* ---- the command line ---------------------------------------------------- */

/* Ignores excess arguments; no row of the table has that many. */
static void
add_word(struct run *run, const char *word)
{
	if (run->words < WORDS_MAX)
		run->word[run->words++] = word;
}

/* Adds words that each end in a NUL. */
static void
add_words(struct run *run, const char *word)
{
	for (; word != NULL && word[0] != '\0'; word += strlen(word) + 1)
		add_word(run, word);
}

static void
add_option(struct run *run, const char *option, const char *value)
{
	if (option == NULL || value == NULL)
		return;
	add_word(run, option);
	add_word(run, value);
}

/* `selection`: a letter, or NUL for notifications. */
static void
begin_run(struct run *run, const struct route *route, const struct path *path,
    enum desktop_action action, char selection, unsigned timeout_ms)
{
	const char *value;
	size_t i, count = 0;

	*run = (struct run){ .tool = route->tool,
		.timeout_ms = timeout_ms != 0 ? timeout_ms : NATIVE_TIMEOUT_MS,
		.errors = { .max = ERRORS_MAX } };
	run->command = (struct subprocess_command){
		.arguments = run->word,
		.program = path->desktop->program[route->tool - desktop_tools],
		.variables = run->variable,
		.errors = &run->errors,
	};
	for (i = 0; i < DESKTOP_VARIABLES; i++) {
		value = path->desktop->variable[route->tool->desktop][i];
		if (value != NULL)
			run->variable[count++] = value;
	}
	run->variable[count] = "VIATTY_NATIVE=never";
	add_word(run, run->tool->program);
	add_words(run, run->tool->arguments[action]);
	if (selection != '\0')
		add_words(run, selection == 'p' ? run->tool->primary : run->tool->clipboard);
}

/* ---- running it ---------------------------------------------------------- */

/* Whether it failed because the clipboard has no data of this type. */
static bool
has_none(const struct desktop_tool *tool, const char *message)
{
	size_t i;

	for (i = 0; i < sizeof(tool->empty) / sizeof(tool->empty[0]); i++)
		if (tool->empty[i] != NULL && strstr(message, tool->empty[i]) != NULL)
			return true;
	return false;
}

static bool
no_such_type(const char *type, struct error *error)
{
	return fail(error, STATUS_FAILED, "the clipboard has no data of type %s\n"
	    "viatty paste --list-types prints its types", text_quote(type).text);
}

/* Describes its failure, by the first line of its output: others are usage hints. */
static bool
run_failed(const struct run *run, int status, char *message, struct error *error)
{
	const char *name = run->tool->program;
	size_t length = strlen(name);

	if (status == SUBPROCESS_NOT_STARTED)
		return fail(error, STATUS_FAILED, "cannot run %s: %s",
		    text_quote(run->command.program).text, strerror(errno));
	if (status == SUBPROCESS_TOO_SLOW)
		return fail(error, STATUS_FAILED, "the tool %s did not finish within %u ms\n"
		    "--timeout SECS waits longer", name, run->timeout_ms);
	if (status == SUBPROCESS_UNREAD)
		return fail(error, STATUS_FAILED, "the tool %s exited before reading all input",
		    name);
	message[strcspn(message, "\r\n")] = '\0';
	text_clean(message);
	/* an empty clipboard lacks a text type, and that is fine */
	if (has_none(run->tool, message))
		return run->type == NULL || no_such_type(run->type, error);
	if (message[0] == '\0')
		return fail(error, STATUS_FAILED, "the tool %s failed with status %d", name,
		    status);
	/* some tools print their name first */
	if (text_begins(message, name) && message[length] == ':')
		message += length + 1 + (message[length + 1] == ' ');
	return fail(error, STATUS_FAILED, "the tool %s failed: %s", name, message);
}

/* Writes the bytes to it, and appends what it prints. */
static bool
run_tool(struct run *run, const void *bytes, size_t n, struct buf *output, struct error *error)
{
	int status;
	bool ok;

	status = subprocess_run_command(&run->command, bytes, n, output, NULL, run->timeout_ms);
	ok = status == 0 || (buf_add(&run->errors, "", 1) &&
	    run_failed(run, status, (char *)run->errors.data, error));
	buf_free(&run->errors);
	return ok;
}

/* ---- copy and paste -------------------------------------------------------- */

bool
native_copy(const struct route *route, const struct path *path,
    const struct request *request, const void *bytes, size_t n, struct error *error)
{
	const char *selection = request->selections;
	struct buf output = { .max = OUTPUT_MAX };
	struct run run;
	bool ok = true;

	for (; ok && *selection != '\0'; selection++) {
		begin_run(&run, route, path, desktop_action(request), *selection,
		    request->given.timeout_ms);
		run.command.serves = run.tool->serves;
		if (n > 0)
			add_option(&run, run.tool->type,
			    request->type != NULL ? request->type : run.tool->text);
		ok = run_tool(&run, bytes, n, &output, error);
	}
	buf_free(&output);
	return ok;
}

/* X11 has its own names for text, and targets that are not data. */
static void
collect_types(struct buf *types, const struct buf *output)
{
	static const char *const text[] = { "UTF8_STRING", "STRING", "TEXT" };
	const char *at = (const char *)output->data, *end = at + output->len;
	bool has_text = false, has_plain = false;
	size_t i, n;

	for (; at < end; at += n + (at + n < end)) {
		n = strcspn(at, "\r\n");
		for (i = 0; i < sizeof(text) / sizeof(text[0]); i++)
			has_text = has_text || (n == strlen(text[i]) &&
			    memcmp(at, text[i], n) == 0);
		if (memchr(at, '/', n) == NULL)
			continue;
		has_plain = has_plain || text_begins(at, "text/plain");
		buf_add(types, at, n);
		buf_add_string(types, "\n");
	}
	if (has_text && !has_plain)
		buf_add_string(types, "text/plain\n");
}

static bool
list_types(const struct route *route, const struct path *path,
    const struct request *request, struct buf *types, struct error *error)
{
	struct buf output = { .max = TYPES_MAX };
	struct run run;
	bool ok;

	if (route->tool->arguments[DESKTOP_LIST] == NULL)
		return buf_add_string(types, "text/plain\n");
	begin_run(&run, route, path, DESKTOP_LIST, request->selections[0],
	    request->given.timeout_ms);
	ok = run_tool(&run, NULL, 0, &output, error);
	if (ok && buf_add(&output, "", 1))
		collect_types(types, &output);
	buf_free(&output);
	return ok;
}

/* xclip prints its data for any requested type, even one that it does not have. */
static bool
has_type(const struct route *route, const struct path *path, const struct request *request,
    struct error *error)
{
	struct buf types = { .max = TYPES_MAX }, line = BUF_EMPTY;
	bool found;

	buf_add_string(&types, "\n");
	buf_format(&line, "\n%s\n", request->type);
	buf_add(&line, "", 1);
	found = list_types(route, path, request, &types, error) &&
	    buf_holds(&types, (const char *)line.data);
	buf_free(&types);
	buf_free(&line);
	return found || (error->status == STATUS_DONE && no_such_type(request->type, error));
}

bool
native_paste(const struct route *route, const struct path *path,
    const struct request *request, struct buf *text, struct error *error)
{
	const char *type = request->type;
	const size_t before = text->len;
	struct run run;
	bool ok;

	if (text_equal(type, TYPE_LIST))
		return list_types(route, path, request, text, error);
	if (type != NULL && !has_type(route, path, request, error))
		return false;
	begin_run(&run, route, path, desktop_action(request), request->selections[0],
	    request->given.timeout_ms);
	run.type = type;
	add_option(&run, run.tool->type, type != NULL ? type : run.tool->text);
	ok = run_tool(&run, NULL, 0, text, error);
	if (text->full)
		ok = fail(error, STATUS_REFUSED, "the clipboard is larger than %zu bytes\n"
		    "--max BYTES raises the limit", text->max);
	if (!ok)
		text->len = before;
	return ok;
}

/* ---- notifications --------------------------------------------------------- */

/* Escapes the text for tools whose body is markup. */
static void
add_shown_text(struct buf *to, const char *text, bool markup)
{
	static const char special[] = "&<>\\";
	static const char *const escaped[] = { "&amp;", "&lt;", "&gt;", "\\\\" };
	const char *found;

	for (; *text != '\0'; text++) {
		found = markup ? strchr(special, *text) : NULL;
		if (found != NULL)
			buf_add_string(to, escaped[found - special]);
		else
			buf_add(to, text, 1);
	}
	buf_add(to, "", 1);
}

bool
native_notify(const struct route *route, const struct path *path,
    const struct notification *n, unsigned timeout_ms, struct error *error)
{
	struct buf output = { .max = OUTPUT_MAX };
	struct buf title = BUF_EMPTY, clean = BUF_EMPTY, body = BUF_EMPTY;
	/* notify-send of libnotify 0.8 refuses an empty title */
	const struct notification_text none = { "", 0 };
	const struct notification_text *first = n->title.size > 0 ? &n->title : &n->body;
	const struct notification_text *rest = n->title.size > 0 ? &n->body : &none;
	struct run run;
	bool ok;

	begin_run(&run, route, path, DESKTOP_NOTIFY, '\0', timeout_ms);
	if (n->urgency != 0)
		add_option(&run, run.tool->urgency, notification_urgencies[n->urgency - 1]);
	add_option(&run, run.tool->application, n->application);
	add_word(&run, run.tool->end);
	text_sanitize(&title, first->bytes, first->size, false);
	buf_add(&title, "", 1);
	add_word(&run, (const char *)title.data);
	text_sanitize(&clean, rest->bytes, rest->size, true);
	buf_add(&clean, "", 1);
	add_shown_text(&body, (const char *)clean.data, run.tool->markup);
	add_word(&run, (const char *)body.data);
	ok = run_tool(&run, NULL, 0, &output, error);
	buf_free(&output);
	buf_free(&title);
	buf_free(&clean);
	buf_free(&body);
	return ok;
}
