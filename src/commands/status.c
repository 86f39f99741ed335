/* SPDX-License-Identifier: MIT */
/* status: what a program does, for the terminal to show (OSC 7501). */
#include "base/closest.h"
#include "base/text.h"
#include "commands/command.h"
#include "commands/program_record.h"
#include "commands/send.h"

#include <string.h>

static struct {
	const char *app, *id, *kind, *progress, *title, *message;
} opt;

static const char *const kinds[] = { "permission", "question", "auth", NULL };

static const struct option_spec options[] = {
	VALUE(OPTION_TEXT, 0, "app", "NAME", "name of the program, for machines", opt.app),
	VALUE(OPTION_TEXT, 0, "id", "ID", "a record of its own: NAME or NAME/NAME...", opt.id),
	{ OPTION_WORD, 0, "kind", "KIND", "of blocked: what the program waits for",
	    &opt.kind, kinds, COMPLETE_NOTHING },
	VALUE(OPTION_TEXT, 0, "progress", "PERCENT",
	    "of working and blocked: a number from 0 to 100", opt.progress),
	VALUE(OPTION_TEXT, 0, "title", "TEXT", "a short label", opt.title),
	VALUE(OPTION_TEXT, 0, "message", "TEXT", "one line that says more", opt.message),
	{ .kind = OPTION_END }
};

/* A text of the command line as it may be sent, in `text`; NULL stays NULL. */
static bool
clean_text(struct buf *text, const char *from, const char **to, struct error *error)
{
	*to = NULL;
	if (from == NULL)
		return true;
	if (!text_sanitize(text, from, strlen(from), false) || !buf_add(text, "", 1))
		return error_no_memory(error);
	*to = (const char *)text->data;
	return true;
}

static bool
read_state(const struct call *call, enum program_state *state, struct error *error)
{
	struct closest closest = { .name = NULL };
	size_t i = 0;

	if (call->count == 1) {
		closest.word = call->operand[0];
		closest_add_words(&closest, program_states);
		while (program_states[i] != NULL &&
		    strcmp(program_states[i], call->operand[0]) != 0)
			i++;
		*state = (enum program_state)i;
		if (i < PROGRAM_STATES)
			return true;
		error_set(error, STATUS_USAGE, "unknown state %s",
		    text_quote(call->operand[0]).text);
	} else {
		error_set(error, STATUS_USAGE, call->count == 0 ? "no state given" :
		    "more than one state");
	}
	return error_hint(error, "%sthe states are idle, working, blocked, done, error "
	    "and clear", closest_suggestion(&closest, "").text);
}

static bool
read_status_progress(int *progress, struct error *error)
{
	enum { WHOLE = 100 };
	unsigned long percent;

	*progress = -1;
	if (opt.progress == NULL)
		return true;
	if (!text_number(opt.progress, WHOLE, &percent))
		return error_set(error, STATUS_USAGE, "--progress takes a number from 0 to "
		    "100, not %s", text_quote(opt.progress).text);
	*progress = (int)percent;
	return true;
}

static bool
report_status(struct call *call, const struct program_status *status, struct error *error)
{
	struct program_record record;
	size_t size;
	bool fine = program_record_open(&record, call, status->id,
	        PROGRAM_QUERY, error) &&
	    program_record_report(&record, status, &size, error) &&
	    sink_report(&record.sink, size, error);

	program_record_close(&record);
	return fine;
}

static bool
status_run(struct call *call, struct error *error)
{
	struct program_status status = { .id = opt.id, .app = opt.app, .kind = opt.kind };
	struct buf title, message;
	bool fine;

	buf_init(&title, BUF_NO_LIMIT);
	buf_init(&message, BUF_NO_LIMIT);
	fine = read_state(call, &status.state, error) &&
	    read_status_progress(&status.progress, error) &&
	    clean_text(&title, opt.title, &status.title, error) &&
	    clean_text(&message, opt.message, &status.message, error) &&
	    program_status_error(error, program_status_check(&status)) &&
	    report_status(call, &status, error);
	buf_free(&title);
	buf_free(&message);
	return fine;
}

const struct command command_status = {
	.name = "status",
	.operands = "STATE",
	.summary = "report to the terminal what a program is doing",
	.verdict = "not reported",
	.options = options,
	.words = program_states,
	.examples = {
		{ "viatty status working --message 'running the tests'",
		    "report that a program is working" },
		{ "viatty status blocked --kind permission",
		    "report that it waits for the user" },
	},
	.run = status_run,
};
