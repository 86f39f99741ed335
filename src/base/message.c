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

volatile sig_atomic_t signal_caught;

/* ---- their text ------------------------------------------------------------- */

static void __attribute__((format(printf, 2, 0)))
message_vformat(char text[MESSAGE_TEXT], const char *format, va_list arguments)
{
	char whole[2 * MESSAGE_TEXT];
	size_t problem, used;

	text_vformat(whole, sizeof(whole), format, arguments);
	problem = strcspn(whole, "\n");
	text_format(text, MESSAGE_PROBLEM, "%.*s", (int)problem, whole);
	used = strlen(text);
	text_format(text + used, MESSAGE_TEXT - used, "%s", whole + problem);
}

void
message_format(char text[MESSAGE_TEXT], const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	message_vformat(text, format, arguments);
	va_end(arguments);
}

struct problem
message_problem(const char *text)
{
	struct problem problem = { "" };

	text_format(problem.text, sizeof(problem.text), "%.*s", (int)strcspn(text, "\n"), text);
	return problem;
}

const char *
message_remedy(const char *text)
{
	const char *newline = strchr(text, '\n');

	return newline == NULL ? "" : newline + 1;
}

bool
fail(struct error *e, enum status status, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	message_vformat(e->text, format, arguments);
	va_end(arguments);
	e->status = status;
	return false;
}

void
advise(struct error *e, const char *format, ...)
{
	char remedy[MESSAGE_TEXT];
	const size_t problem = strcspn(e->text, "\n");
	va_list arguments;

	/* may be made of the present one */
	va_start(arguments, format);
	text_vformat(remedy, sizeof(remedy), format, arguments);
	va_end(arguments);
	e->text[problem] = '\n';
	text_format(e->text + problem + 1, MESSAGE_TEXT - problem - 1, "%s", remedy);
}

/* ---- how they are printed --------------------------------------------------- */

/* In one write(2), so that lines of several programs do not mix. */
static void
print(const char *kind, const char *text)
{
	const char *hint = message_remedy(text);
	const bool other = messages.other_name && hint[0] != '\0';
	char lines[2048];
	int n;

	n = snprintf(lines, sizeof(lines), "%s: %s%s%.*s\n%s%s%s%s%s%s", messages.title, kind,
	    kind[0] != '\0' ? ": " : "", (int)strcspn(text, "\n"), text,
	    hint[0] != '\0' ? "hint: " : "", other ? "with viatty " : "",
	    other ? messages.command : "", other ? ": " : "", hint, hint[0] != '\0' ? "\n" : "");
	text_format(messages.printed, sizeof(messages.printed), "%.*s", (int)strcspn(lines, "\n"),
	    lines);
	/* a failure here cannot be reported */
	(void)stream_write(STDERR_FILENO, lines, MIN((size_t)n, sizeof(lines) - 1));
}

static void
print_json(const struct error *error)
{
	struct buf out = BUF_EMPTY;

	json_raw(&out, NULL, "{");
	json_text(&out, "command", messages.command);
	json_raw(&out, "sent", "false");
	json_number(&out, "status", (size_t)error->status);
	json_text(&out, "error", message_problem(error->text).text);
	json_text(&out, "hint", message_remedy(error->text));
	buf_add(&out, "}", 1);
	buf_add(&out, "\n", 1);
	(void)stream_write(STDOUT_FILENO, out.data, out.len);
	buf_free(&out);
}

void
die_of(const struct error *error)
{
	struct error e = *error;
	bool has_outcome = messages.outcome != NULL && e.status != STATUS_USAGE;

	if (e.status == STATUS_USAGE && message_remedy(e.text)[0] == '\0')
		advise(&e, "see %s --help", messages.title);
	if (messages.silent)
		exit((int)messages.silent_status);
	if (messages.quiet && messages.decorates && e.status != STATUS_USAGE)
		exit((int)e.status);
	/* its hint is about the options of that name */
	if (e.status == STATUS_USAGE)
		messages.other_name = false;
	/* like other filters, silent if the reader of the output is gone */
	if (error->text[0] != '\0' && signal_caught != SIGPIPE) {
		print(has_outcome ? messages.outcome : "", e.text);
		messages.failed = true;
		if (messages.json && e.status != STATUS_USAGE && signal_caught == 0)
			print_json(&e);
	}
	exit((int)e.status);
}

void
die(enum status status, const char *format, ...)
{
	struct error error = { .status = status };
	va_list arguments;

	va_start(arguments, format);
	message_vformat(error.text, format, arguments);
	va_end(arguments);
	die_of(&error);
}

void
message_say(const char *kind, const char *format, ...)
{
	char text[MESSAGE_TEXT];
	va_list arguments;

	va_start(arguments, format);
	message_vformat(text, format, arguments);
	va_end(arguments);
	if (text[0] != '\0' && (kind[0] == '\0' || !messages.quiet))
		print(kind, text);
}
