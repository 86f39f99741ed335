/* SPDX-License-Identifier: MIT */
/* Desktop tools; the contract is in native.h. */
#include "route/native.h"

#include "base/subprocess.h"
#include "base/text.h"
#include "base/user.h"
#include "terminal/desktop_tool.h"
#include "terminal/terminal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
	WORDS_MAX = 24,
	/* output that is discarded */
	SAID_MAX = 8192,
	/* a list of types: office suites offer some dozens */
	TYPES_MAX = 65536,
	DAY_MS = 86400 * 1000
};

/* The command line of a tool. */
struct native_call {
	const struct desktop_tool *tool;
	const struct desktop *desktop;
	const char *word[WORDS_MAX + 1];
	size_t words;
	const char *const *arguments; /* instead of these words, or NULL */
	bool serves; /* what it copies */
	const char *asked; /* the type to paste, or NULL: text */
	const char *variable[DESKTOP_VARIABLES + 2];
	const char *file;
	struct account user;
	unsigned timeout_ms;
	struct buf errors;
	struct error *error;
};

/* ---- the command line ---------------------------------------------------- */

/* Ignores excess arguments; no row of the table has that many. */
static void
add_word(struct native_call *call, const char *word)
{
	if (call->words < WORDS_MAX)
		call->word[call->words++] = word;
	call->word[call->words] = NULL;
}

static void
give_option(struct native_call *call, const char *option, const char *value)
{
	if (option == NULL || value == NULL)
		return;
	add_word(call, option);
	add_word(call, value);
}

static void
begin_call(struct native_call *call, const struct route *route,
    const struct path *path, unsigned timeout_ms, struct error *error)
{
	size_t number = 0, i, count = 0;
	const char *value;

	while (desktop_tool_at(number) != route->tool)
		number++;
	*call = (struct native_call){
		.tool = route->tool,
		.desktop = path->desktop,
		.file = path->desktop->program[number],
		.timeout_ms = timeout_ms != 0 ? timeout_ms : NATIVE_TIMEOUT_MS,
		.error = error,
	};
	buf_init(&call->errors, 8192);
	for (i = 0; i < DESKTOP_VARIABLES; i++) {
		value = path->desktop->variable[route->tool->desktop][i];
		if (value[0] != '\0')
			call->variable[count++] = value;
	}
	call->variable[count++] = "VIATTY_NATIVE=never";
	call->variable[count] = NULL;
}

static void
begin_words(struct native_call *call, enum desktop_action action)
{
	const char *word = desktop_tool_arguments(call->tool, action);

	call->words = 0;
	call->serves = call->tool->serves && (action == DESKTOP_COPY ||
	    action == DESKTOP_COPY_PRIMARY || action == DESKTOP_CLEAR ||
	    action == DESKTOP_CLEAR_PRIMARY);
	add_word(call, call->tool->program);
	for (; word[0] != '\0'; word += strlen(word) + 1)
		add_word(call, word);
}

/* Adds the type if the tool has an option for it. */
static void
add_type(struct native_call *call, const char *type)
{
	give_option(call, call->tool->type, type != NULL ? type : call->tool->text);
}

/* ---- running it ---------------------------------------------------------- */

/* The first line; more lines are usage hints. */
static void
clean_message(struct buf *message)
{
	char *end;

	buf_add(message, "", 1);
	if (message->fault != BUF_FINE)
		return;
	end = (char *)message->data + strcspn((char *)message->data, "\r\n");
	*end = '\0';
	text_clean((char *)message->data);
}

/* Whether it failed because the clipboard has no data of this type. */
static bool
has_none(const struct native_call *call)
{
	size_t i;

	for (i = 0; i < sizeof(call->tool->empty) / sizeof(call->tool->empty[0]); i++)
		if (call->tool->empty[i] != NULL && call->errors.data != NULL &&
		    strstr((const char *)call->errors.data, call->tool->empty[i]) !=
		        NULL)
			return true;
	return false;
}

static bool
explain_failure(struct native_call *call, int status, int failure)
{
	const char *name = call->tool->program;
	const char *said = call->errors.data != NULL ?
	    (const char *)call->errors.data : "";

	if (status == SUBPROCESS_NOT_STARTED)
		return error_set(call->error, STATUS_FAILED, "cannot run %s: %s",
		    text_quote(call->file).text, strerror(failure));
	if (status == SUBPROCESS_TOO_SLOW) {
		error_set(call->error, STATUS_FAILED,
		    "%s has not ended within %u ms", name, call->timeout_ms);
		return error_hint(call->error, "--timeout gives it longer");
	}
	if (status == SUBPROCESS_UNREAD)
		return error_set(call->error, STATUS_FAILED,
		    "%s ended before it had read everything", name);
	if (said[0] == '\0')
		return error_set(call->error, STATUS_FAILED,
		    "%s failed with status %d", name, status);
	/* some tools print their name first */
	return error_set(call->error, STATUS_FAILED, "%s failed: %s", name,
	    text_begins(said, name) && said[strlen(name)] == ':' ?
	        said + strlen(name) + 1 + (said[strlen(name) + 1] == ' ') : said);
}

static bool
no_such_type(struct native_call *call)
{
	error_set(call->error, STATUS_FAILED, "the clipboard holds nothing of type %s",
	    text_quote(call->asked).text);
	return error_hint(call->error, "viatty paste --list-types prints the types it holds");
}

static bool
run_call(struct native_call *call, const void *bytes, size_t n, struct buf *answer)
{
	struct subprocess_command command = {
		.arguments = call->arguments != NULL ? call->arguments : call->word,
		.program = call->file,
		.variables = call->variable,
		.errors = &call->errors,
		.serves = call->serves,
	};
	int status, failure;

	if (call->desktop->owner != geteuid()) {
		if (!user_find(&call->user, call->desktop->owner))
			return error_set(call->error, STATUS_FAILED,
			    "user %lu, who is shown the terminal, is not known",
			    (unsigned long)call->desktop->owner);
		command.user = &call->user;
	}
	call->errors.len = 0;
	status = subprocess_run_command(&command, bytes, n, answer, NULL,
	    call->timeout_ms);
	failure = errno;
	clean_message(&call->errors);
	if (status > 0 && has_none(call))
		/* an empty clipboard has no text type, which is not an error */
		return call->asked == NULL || no_such_type(call);
	return status == 0 || explain_failure(call, status, failure);
}

bool
native_copy(const struct route *route, const struct path *path,
    const char *selections, const char *type, const void *bytes, size_t n,
    unsigned timeout_ms, struct error *error)
{
	struct native_call call;
	struct buf said;
	bool fine = true;

	begin_call(&call, route, path, timeout_ms, error);
	buf_init(&said, SAID_MAX);
	for (; fine && *selections != '\0'; selections++) {
		bool primary = *selections == 'p';

		begin_words(&call, n == 0 ?
		    primary ? DESKTOP_CLEAR_PRIMARY : DESKTOP_CLEAR :
		    primary ? DESKTOP_COPY_PRIMARY : DESKTOP_COPY);
		if (n > 0)
			add_type(&call, type);
		fine = run_call(&call, bytes, n, &said);
	}
	buf_free(&said);
	buf_free(&call.errors);
	return fine;
}

/* X11 has its own names for text, and targets that are not data. */
static bool
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
	return (has_plain || !has_text || buf_add_string(types, "text/plain\n")) &&
	    types->fault == BUF_FINE;
}

bool
native_list_types(const struct route *route, const struct path *path,
    char selection, struct buf *types, unsigned timeout_ms, struct error *error)
{
	enum desktop_action action = selection == 'p' ? DESKTOP_LIST_PRIMARY :
	    DESKTOP_LIST;
	struct native_call call;
	struct buf said;
	bool fine;

	begin_call(&call, route, path, timeout_ms, error);
	if (desktop_tool_arguments(call.tool, action) == NULL)
		return buf_add_string(types, "text/plain\n") || error_no_memory(error);
	begin_words(&call, action);
	buf_init(&said, TYPES_MAX);
	fine = run_call(&call, NULL, 0, &said) && (said.len == 0 ||
	    ((buf_add(&said, "", 1) && collect_types(types, &said)) ||
	        error_no_memory(error)));
	buf_free(&said);
	buf_free(&call.errors);
	return fine;
}

/* xclip prints its data for any requested type, even one that it does not have. */
static bool
has_type(const struct route *route, const struct path *path, char selection,
    const char *type, unsigned timeout_ms, struct error *error)
{
	size_t n = strlen(type);
	struct buf types;
	const char *at;
	bool found = false;

	buf_init(&types, TYPES_MAX);
	if (native_list_types(route, path, selection, &types, timeout_ms, error) &&
	    buf_add(&types, "", 1))
		for (at = (const char *)types.data; !found && *at != '\0';
		    at += strcspn(at, "\n") + 1)
			found = strncmp(at, type, n) == 0 && at[n] == '\n';
	buf_free(&types);
	return found;
}

bool
native_paste(const struct route *route, const struct path *path, char selection,
    const char *type, struct buf *text, unsigned timeout_ms, struct error *error)
{
	struct native_call call;
	size_t before = text->len;
	bool fine;

	begin_call(&call, route, path, timeout_ms, error);
	call.asked = type;
	if (type != NULL && !has_type(route, path, selection, type, timeout_ms, error))
		return error->status == STATUS_DONE && no_such_type(&call);
	begin_words(&call, selection == 'p' ? DESKTOP_PASTE_PRIMARY : DESKTOP_PASTE);
	add_type(&call, type);
	fine = run_call(&call, NULL, 0, text);
	if (text->fault == BUF_TOO_LARGE) {
		error_set(error, STATUS_REFUSED,
		    "the clipboard is larger than %zu bytes", text->max);
		error_hint(error, "--max BYTES raises the limit");
	} else if (text->fault != BUF_FINE) {
		error_no_memory(error);
	}
	fine = fine && text->fault == BUF_FINE;
	if (!fine)
		text->len = before;
	buf_free(&call.errors);
	return fine;
}

/* Escapes the text for tools whose body is markup. */
static bool
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
	return buf_add(to, "", 1);
}

bool
native_notify(const struct route *route, const struct path *path,
    const struct native_notification *notification, unsigned timeout_ms,
    struct error *error)
{
	struct native_call call;
	struct buf said, body;
	char expire[16];
	bool fine;

	begin_call(&call, route, path, timeout_ms, error);
	buf_init(&said, SAID_MAX);
	buf_init(&body, BUF_NO_LIMIT);
	begin_words(&call, DESKTOP_NOTIFY);
	give_option(&call, call.tool->urgency, notification->urgency);
	give_option(&call, call.tool->application, notification->application);
	snprintf(expire, sizeof(expire), "%u", notification->expire_ms);
	if (notification->expire_ms != 0 || notification->stays)
		give_option(&call, call.tool->expire, expire);
	add_word(&call, call.tool->end);
	add_word(&call, notification->title);
	fine = add_shown_text(&body, notification->body, call.tool->markup) ||
	    error_no_memory(error);
	if (fine) {
		add_word(&call, (const char *)body.data);
		fine = run_call(&call, NULL, 0, &said);
	}
	buf_free(&body);
	buf_free(&said);
	buf_free(&call.errors);
	return fine;
}

bool
native_forward(const struct route *route, const struct path *path,
    char *const *arguments, struct buf *said, unsigned timeout_ms, struct error *error)
{
	struct native_call call;
	bool fine;

	begin_call(&call, route, path, timeout_ms != 0 ? timeout_ms : DAY_MS, error);
	call.arguments = (const char *const *)arguments;
	fine = run_call(&call, NULL, 0, said);
	buf_free(&call.errors);
	return fine;
}
