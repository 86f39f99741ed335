/* SPDX-License-Identifier: MIT */
/* Messages on standard error, and how the program ends. */
#include "base/base.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <unistd.h>

struct messages messages = { .title = "viatty", .command = "" };

volatile sig_atomic_t signals_caught;

/* In one write(2), so that lines of several programs do not mix. */
static void
print(const char *kind, const char *separator, const char *text, const char *hint)
{
	const bool other = messages.other_name && strstr(hint, "--") != NULL &&
	    strstr(hint, "viatty ") == NULL && strstr(hint, "--help") == NULL;
	char lines[2048];
	int n;

	n = snprintf(lines, sizeof(lines), "%s: %s%s%s\n%s%s%s%s%s%s", messages.title, kind,
	    separator, text, hint[0] != '\0' ? "hint: " : "", other ? "with viatty " : "",
	    other ? messages.command : "", other ? ": " : "", hint, hint[0] != '\0' ? "\n" : "");
	/* a failure here cannot be reported */
	(void)stream_write(STDERR_FILENO, lines, MIN((size_t)n, sizeof(lines) - 1));
}

static void
print_json(const struct error *error, const char *hint)
{
	struct buf out = BUF_EMPTY;

	json_open(&out, NULL, '{');
	json_text(&out, "command", messages.command);
	json_bool(&out, "sent", error->sent);
	if (error->sent)
		json_bool(&out, "confirmed", false);
	json_number(&out, "status", (size_t)error->status);
	json_text(&out, "error", error->message);
	json_text(&out, "hint", hint);
	json_close(&out, '}');
	buf_add(&out, "\n", 1);
	(void)stream_write(STDOUT_FILENO, out.data, out.len);
	buf_free(&out);
}

void
die_of(const struct error *error)
{
	const char *fix = error->hint;
	bool verdict = messages.verdict != NULL && error->status != STATUS_USAGE;

	if (error->status == STATUS_USAGE && fix[0] == '\0')
		fix = hint("see %s --help", messages.title);
	if (messages.silent)
		exit((int)messages.silent_status);
	/* like other filters, silent if the reader of the output is gone */
	if (error->message[0] != '\0' && signals_caught != SIGPIPE) {
		print(verdict ? messages.verdict : "", verdict ? ": " : "", error->message, fix);
		if (messages.json && signals_caught == 0)
			print_json(error, fix);
	}
	exit((int)error->status);
}

void
die(enum status status, const char *hint, const char *format, ...)
{
	struct error error = { .status = status };
	va_list arguments;

	va_start(arguments, format);
	text_vformat(error.message, sizeof(error.message), format, arguments);
	va_end(arguments);
	text_format(error.hint, sizeof(error.hint), "%s", hint != NULL ? hint : "");
	die_of(&error);
}

void
die_system(const char *what)
{
	die(STATUS_FAILED, NULL, "%s: %s", what, strerror(errno));
}

const char *
hint(const char *format, ...)
{
	static char text[sizeof(((struct error *)NULL)->hint)];
	char next[sizeof(text)];
	va_list arguments;

	/* the previous hint may be an argument */
	va_start(arguments, format);
	text_vformat(next, sizeof(next), format, arguments);
	va_end(arguments);
	text_copy(text, sizeof(text), next);
	return text;
}

void
warn(const char *hint, const char *format, ...)
{
	char text[sizeof(((struct error *)NULL)->message)];
	va_list arguments;

	va_start(arguments, format);
	text_vformat(text, sizeof(text), format, arguments);
	va_end(arguments);
	if (!messages.quiet)
		print("warning", ": ", text, hint != NULL ? hint : "");
}

void
note(const char *hint, const char *format, ...)
{
	char text[1024];
	va_list arguments;

	va_start(arguments, format);
	text_vformat(text, sizeof(text), format, arguments);
	va_end(arguments);
	print("", "", text, hint != NULL ? hint : "");
}

void
warn_of(const struct error *error)
{
	if (error->message[0] != '\0')
		warn(error->hint, "%s", error->message);
}

/* ---- errors that are returned ---------------------------------------------- */

bool
fail(struct error *e, enum status status, const char *hint, const char *format, ...)
{
	va_list arguments;

	*e = (struct error){ .status = status };
	text_copy(e->hint, sizeof(e->hint), hint != NULL ? hint : "");
	va_start(arguments, format);
	text_vformat(e->message, sizeof(e->message), format, arguments);
	va_end(arguments);
	return false;
}

bool
error_hint(struct error *e, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	text_vformat(e->hint, sizeof(e->hint), format, arguments);
	va_end(arguments);
	return false;
}
