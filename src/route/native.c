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
	SAID_MAX = 8192, ERRORS_MAX = 8192,
	/* a list of types: office suites offer dozens */
	TYPES_MAX = 65536,
	DAY_MS = 86400 * 1000
};

/* The current run of a tool. */
static struct {
	const struct desktop_tool *tool;
	struct subprocess_command command;
	const char *word[WORDS_MAX + 1]; /* its command line */
	size_t words;
	const char *variable[DESKTOP_VARIABLES + 2];
	struct account owner; /* of the desktop */
	const char *asked;    /* the type to paste; NULL: text */
	unsigned timeout_ms;
	struct buf errors;    /* its messages */
} call = { .errors = { .max = ERRORS_MAX } };

/* ---- the command line ---------------------------------------------------- */

/* Ignores excess arguments; no row of the table has that many. */
static void
add_word(const char *word)
{
	if (call.words < WORDS_MAX)
		call.word[call.words++] = word;
	call.word[call.words] = NULL;
}

static void
give_option(const char *option, const char *value)
{
	if (option == NULL || value == NULL)
		return;
	add_word(option);
	add_word(value);
}

static void
begin_call(const struct route *route, const struct path *path, unsigned timeout_ms)
{
	size_t i, count = 0;
	const char *value;

	call.tool = route->tool;
	call.owner.uid = path->desktop->owner;
	call.command = (struct subprocess_command){
		.arguments = call.word,
		.program = path->desktop->program[route->tool - desktop_tools],
		.user = call.owner.uid != geteuid() ? &call.owner : NULL,
		.variables = call.variable,
		.errors = &call.errors,
	};
	call.asked = NULL;
	call.timeout_ms = timeout_ms != 0 ? timeout_ms : NATIVE_TIMEOUT_MS;
	for (i = 0; i < DESKTOP_VARIABLES; i++) {
		value = path->desktop->variable[route->tool->desktop][i];
		if (value[0] != '\0')
			call.variable[count++] = value;
	}
	call.variable[count++] = "VIATTY_NATIVE=never";
	call.variable[count] = NULL;
}

/* Adds words that each end in a NUL. */
static void
add_words(const char *word)
{
	for (; word != NULL && word[0] != '\0'; word += strlen(word) + 1)
		add_word(word);
}

static void
begin_words(enum desktop_action action, char selection)
{
	call.words = 0;
	add_word(call.tool->program);
	add_words(call.tool->arguments[action]);
	add_words(selection == 'p' ? call.tool->primary : call.tool->clipboard);
}

/* ---- running it ---------------------------------------------------------- */

/* Whether it failed because the clipboard has no data of this type. */
static bool
has_none(const char *said)
{
	const char *const *empty = call.tool->empty;
	size_t i;

	for (i = 0; i < sizeof(call.tool->empty) / sizeof(call.tool->empty[0]); i++)
		if (empty[i] != NULL && strstr(said, empty[i]) != NULL)
			return true;
	return false;
}

static bool
no_such_type(struct error *error)
{
	return fail(error, STATUS_FAILED, "the clipboard has no data of type %s\n"
	    "viatty paste --list-types prints its types", text_quote(call.asked).text);
}

static bool
run_call(const void *bytes, size_t n, struct buf *answer, struct error *error)
{
	const uid_t owner = call.owner.uid;
	const char *name = call.tool->program;
	size_t length = strlen(name);
	int status;
	char *said;

	if (call.command.user != NULL && !user_find(&call.owner, owner))
		return fail(error, STATUS_FAILED,
		    "the owner of the terminal (user ID %lu) is not in the user database",
		    (unsigned long)owner);
	call.errors.len = 0;
	status = subprocess_run_command(&call.command, bytes, n, answer, NULL, call.timeout_ms);
	if (status == 0)
		return true;
	if (status == SUBPROCESS_NOT_STARTED)
		return fail(error, STATUS_FAILED, "cannot run %s: %s",
		    text_quote(call.command.program).text, strerror(errno));
	if (status == SUBPROCESS_TOO_SLOW)
		return fail(error, STATUS_FAILED, "%s did not finish within %u ms\n"
		    "--timeout SECS waits longer", name, call.timeout_ms);
	if (status == SUBPROCESS_UNREAD)
		return fail(error, STATUS_FAILED, "%s exited before reading all input", name);
	/* only the first line; others are usage hints */
	call.errors.len = call.errors.len < ERRORS_MAX ? call.errors.len : ERRORS_MAX - 1;
	buf_add(&call.errors, "", 1);
	said = (char *)call.errors.data;
	said[strcspn(said, "\r\n")] = '\0';
	text_clean(said);
	/* an empty clipboard has no text type, which is not an error */
	if (has_none(said))
		return call.asked == NULL || no_such_type(error);
	if (said[0] == '\0')
		return fail(error, STATUS_FAILED, "%s failed with status %d", name, status);
	/* some tools print their name first */
	if (text_begins(said, name) && said[length] == ':')
		said += length + 1 + (said[length + 1] == ' ');
	return fail(error, STATUS_FAILED, "%s failed: %s", name, said);
}

bool
native_copy(const struct route *route, const struct path *path,
    const struct request *request, const void *bytes, size_t n, struct error *error)
{
	const char *selection = request->selections, *type = request->type;
	struct buf said;
	bool ok = true;

	begin_call(route, path, request->timeout_ms);
	call.command.serves = call.tool->serves;
	buf_init(&said, SAID_MAX);
	for (; ok && *selection != '\0'; selection++) {
		begin_words(desktop_action(request), *selection);
		if (n > 0)
			give_option(call.tool->type, type != NULL ? type : call.tool->text);
		ok = run_call(bytes, n, &said, error);
	}
	buf_free(&said);
	return ok;
}

/* X11 has its own names for text, and targets that are not data. */
static void
collect_types(struct buf *types, const struct buf *said)
{
	static const char *const text[] = { "UTF8_STRING", "STRING", "TEXT" };
	const char *at = (const char *)said->data, *end = at + said->len;
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

bool
native_list_types(const struct route *route, const struct path *path,
    const struct request *request, struct buf *types, struct error *error)
{
	struct buf said;
	bool ok;

	begin_call(route, path, request->timeout_ms);
	if (call.tool->arguments[DESKTOP_LIST] == NULL)
		return buf_add_string(types, "text/plain\n");
	begin_words(DESKTOP_LIST, request->selections[0]);
	buf_init(&said, TYPES_MAX);
	ok = run_call(NULL, 0, &said, error);
	if (ok && buf_add(&said, "", 1))
		collect_types(types, &said);
	buf_free(&said);
	return ok;
}

/* xclip prints its data for any requested type, even one that it does not have. */
static bool
has_type(const struct route *route, const struct path *path, const struct request *request,
    struct error *error)
{
	const size_t n = strlen(request->type);
	struct buf types;
	const char *at;
	bool found = false;

	buf_init(&types, TYPES_MAX);
	if (native_list_types(route, path, request, &types, error) &&
	    buf_add(&types, "", 1))
		for (at = (const char *)types.data; !found && *at != '\0';
		    at += strcspn(at, "\n") + 1)
			found = strncmp(at, request->type, n) == 0 && at[n] == '\n';
	buf_free(&types);
	return found;
}

bool
native_paste(const struct route *route, const struct path *path,
    const struct request *request, struct buf *text, struct error *error)
{
	const char *type = request->type;
	size_t before = text->len;
	bool listed = type == NULL || has_type(route, path, request, error), ok;

	begin_call(route, path, request->timeout_ms);
	call.asked = type;
	if (!listed)
		return error->status == STATUS_DONE && no_such_type(error);
	begin_words(desktop_action(request), request->selections[0]);
	give_option(call.tool->type, type != NULL ? type : call.tool->text);
	ok = run_call(NULL, 0, text, error) && !text->full;
	if (text->full)
		fail(error, STATUS_REFUSED, "the clipboard is larger than %zu bytes\n"
		    "--max BYTES raises the limit", text->max);
	if (!ok)
		text->len = before;
	return ok;
}

/* Escapes the text for tools whose body is markup. */
static void
add_shown_text(struct buf *to, const char *text, bool markup)
{
	static const struct { char c; const char *as; } special[] = {
		{ '&', "&amp;" }, { '<', "&lt;" }, { '>', "&gt;" }, { '\\', "\\\\" },
	};
	size_t i;

	for (; *text != '\0'; text++) {
		for (i = 0; markup && i < sizeof(special) / sizeof(special[0]); i++)
			if (*text == special[i].c)
				break;
		if (markup && i < sizeof(special) / sizeof(special[0]))
			buf_add_string(to, special[i].as);
		else
			buf_add(to, text, 1);
	}
	buf_add(to, "", 1);
}

bool
native_notify(const struct route *route, const struct path *path,
    const struct notification *n, unsigned timeout_ms, struct error *error)
{
	struct buf printed, title, clean, body;
	char expire[16];
	bool ok;

	begin_call(route, path, timeout_ms);
	buf_init(&printed, SAID_MAX);
	buf_init(&title, BUF_NO_LIMIT);
	buf_init(&clean, BUF_NO_LIMIT);
	buf_init(&body, BUF_NO_LIMIT);
	begin_words(DESKTOP_NOTIFY, '\0');
	give_option(call.tool->urgency, n->urgency);
	give_option(call.tool->application, n->application);
	snprintf(expire, sizeof(expire), "%u", n->expire_ms);
	if (n->expire_ms != 0 || n->stays)
		give_option(call.tool->expire, expire);
	add_word(call.tool->end);
	text_sanitize(&title, n->title.bytes, n->title.size, false);
	buf_add(&title, "", 1);
	add_word((const char *)title.data);
	text_sanitize(&clean, n->body.bytes, n->body.size, true);
	buf_add(&clean, "", 1);
	add_shown_text(&body, (const char *)clean.data, call.tool->markup);
	add_word((const char *)body.data);
	ok = run_call(NULL, 0, &printed, error);
	buf_free(&printed);
	buf_free(&title);
	buf_free(&clean);
	buf_free(&body);
	return ok;
}

bool
native_forward(const struct route *route, const struct path *path,
    char *const *arguments, struct buf *said, unsigned timeout_ms, struct error *error)
{
	bool ok;

	begin_call(route, path, timeout_ms != 0 ? timeout_ms : DAY_MS);
	call.command.arguments = (const char *const *)arguments;
	ok = run_call(NULL, 0, said, error);
	return ok;
}
