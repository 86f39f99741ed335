/* SPDX-License-Identifier: MIT */
/* run: runs a command and notifies when it finishes. */
#include "base/text.h"
#include "commands/command.h"
#include "commands/during.h"
#include "commands/notification.h"
#include "commands/program_record.h"
#include "commands/progress_output.h"
#include "commands/report.h"
#include "tty/query.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
	const char *on, *title;
	unsigned min_ms;
	bool progress, no_status;
} opt;

static const char *const occasions[] = { "always", "fail", "ok", NULL };

static const struct option_spec options[] = {
	VALUE(OPTION_SECONDS, 'm', "min", "SECS",
	    "notify only if it took at least SECS", opt.min_ms),
	{ OPTION_WORD, 0, "on", "OCCASION", "always, or only on fail or ok",
	    &opt.on, occasions, COMPLETE_NOTHING },
	VALUE(OPTION_TEXT, 0, "title", "TEXT",
	    "notification title (default: the program name)", opt.title),
	FLAG('p', "progress", "show activity in the taskbar or tab", opt.progress),
	FLAG(0, "no-status", "do not report the status of the command to the terminal",
	    opt.no_status),
#include "commands/notification.def"
	{ .kind = OPTION_END }
};

/* The command and its result. */
struct outcome {
	char name[64];      /* of the program */
	struct buf line;    /* the command line */
	struct foreground_job_end end;
};

/* ---- text ---------------------------------------------------------------- */

static void
say_duration(char *to, size_t size, long long ms)
{
	long long seconds = (ms + 500) / 1000;

	if (ms < 9950)
		snprintf(to, size, "%lld.%lld s", (ms + 50) / 1000,
		    (ms + 50) / 100 % 10);
	else if (seconds < 60)
		snprintf(to, size, "%lld s", seconds);
	else if (seconds < 3600)
		snprintf(to, size, "%lld min %02lld s", seconds / 60, seconds % 60);
	else
		snprintf(to, size, "%lld h %02lld min", seconds / 3600,
		    seconds / 60 % 60);
}

static void
say_end(char *to, size_t size, int status)
{
	enum { OF_SIGNAL = 128 };

	if (status == 0)
		snprintf(to, size, "done");
	else if (status > OF_SIGNAL && status < OF_SIGNAL + 64)
		snprintf(to, size, "failed with status %d (%s)", status,
		    strsignal(status - OF_SIGNAL));
	else
		snprintf(to, size, "failed with status %d", status);
}

static bool
format_outcome(struct buf *text, const struct outcome *o)
{
	char how[128], duration[32];

	say_end(how, sizeof(how), o->end.status);
	say_duration(duration, sizeof(duration), o->end.ms);
	return buf_add_string(text, how) && buf_add_string(text, " after ") &&
	    buf_add_string(text, duration) && buf_add_string(text, ": ") &&
	    buf_add(text, o->line.data, o->line.len);
}

/* ---- the notification --------------------------------------------------- */

static bool
wants_notification(const struct outcome *o)
{
	/* the user who pressed Control-C knows */
	if (o->end.ms < opt.min_ms || o->end.signal != 0)
		return false;
	return opt.on == NULL || strcmp(opt.on, "always") == 0 ||
	    (o->end.status == 0) == (strcmp(opt.on, "ok") == 0);
}

/* Only warns on failure: the exit status is that of the command. */
static void
notify_end(struct notifying *n, const struct outcome *o)
{
	const char *title = opt.title != NULL ? opt.title : o->name;
	struct error error = { .status = STATUS_DONE };
	struct buf body;
	bool fine;

	buf_init(&body, BUF_NO_LIMIT);
	fine = format_outcome(&body, o) ||
	    error_no_memory(&error);
	n->n.title = (struct notification_text){ title, strlen(title) };
	n->n.body = (struct notification_text){ (char *)body.data, body.len };
	fine = fine && notification_send(n, &error);
	buf_free(&body);
	if (!fine)
		report_warning(n->call, error.message, error.hint);
}

/* ---- while it runs ------------------------------------------------------ */

/* What the terminal shows meanwhile. */
struct showing {
	struct call *call;
	struct outcome *outcome;
	struct progress_output progress;
	struct program_record record;
	bool reports; /* the record is open, and no write has failed */
	char app[PROGRAM_NAME_MAX + 1], title[PROGRAM_TITLE_MAX + 1];
};

static bool
is_pipe(int fd)
{
	struct stat s;

	return fstat(fd, &s) == 0 && (S_ISFIFO(s.st_mode) || S_ISSOCK(s.st_mode));
}

static bool
is_in_pipeline(void)
{
	return is_pipe(STDIN_FILENO) || is_pipe(STDOUT_FILENO);
}

/*
 * Other programs of a pipeline, like a pager, start to read the terminal at the same time:
 * a query could take their keys, and leave them modes to restore that were ours.
 */
static enum program_query
query_for_run(void)
{
	return is_in_pipeline() ? PROGRAM_QUERY_NEVER : PROGRAM_QUERY_LOCAL;
}

/* The record of a terminal that is not ours is that of the program that runs there. */
static bool
is_our_terminal(const struct path *path)
{
	return path->source != DEVICE_PANE && path->source != DEVICE_ANCESTOR;
}

/* The name of the program, if the protocol allows it, and the title as it may be sent. */
static void
name_record(struct showing *s)
{
	const struct outcome *o = s->outcome;
	struct program_status named = { .state = PROGRAM_WORKING, .progress = -1,
		.app = o->name };
	const char *title = opt.title != NULL ? opt.title : (const char *)o->line.data;
	size_t n = opt.title != NULL ? strlen(title) : o->line.len;
	struct buf text;

	if (program_status_check(&named) == PROGRAM_FINE)
		text_copy(s->app, sizeof(s->app), o->name);
	buf_init(&text, BUF_NO_LIMIT);
	if (text_sanitize(&text, title, n, false) && text.len > 0)
		text_format(s->title, sizeof(s->title), "%.*s", (int)text.len,
		    (const char *)text.data);
	buf_free(&text);
}

/* Statuses are optional: where they cannot be sent, nothing is said. */
static void
open_run_status(struct showing *s)
{
	struct error ignored;

	if (opt.no_status)
		return;
	s->reports = program_record_open(&s->record, s->call, NULL, query_for_run(),
	    &ignored) && is_our_terminal(&s->record.sink.path);
	if (s->reports)
		name_record(s);
}

static bool
report_run(struct showing *s, enum program_state state, const char *message,
    struct error *error)
{
	bool clears = state == PROGRAM_CLEAR;
	struct program_status status = {
		.state = state,
		.app = clears || s->app[0] == '\0' ? NULL : s->app,
		.title = clears ? NULL : s->title,
		.message = message,
		.progress = -1,
	};
	size_t size;

	return program_record_report(&s->record, &status, &size, error);
}

/* One that does not succeed is the last. */
static void
report_meanwhile(struct showing *s, enum program_state state, const char *message)
{
	struct error ignored;

	s->reports = s->reports && report_run(s, state, message, &ignored);
}

/* A status shows as well that something is going on. */
static void
open_run_progress(struct showing *s)
{
	struct error error = { .status = STATUS_DONE };

	if (opt.progress && !progress_open(&s->progress, s->call, false, &error) &&
	    !s->reports)
		report_warning(s->call, error.message, error.hint);
}

static bool
show_run(void *context, struct error *error)
{
	struct showing *s = context;

	(void)error;
	if (s->progress.shows)
		progress_show(&s->progress, PROGRESS_BUSY, 0);
	report_meanwhile(s, PROGRAM_WORKING, NULL);
	return s->progress.shows || s->reports;
}

static void
renew_run(void *context)
{
	struct showing *s = context;

	if (s->progress.shows)
		progress_show(&s->progress, PROGRESS_BUSY, 0);
}

/* The prompt comes next, and some terminals would keep showing "working". */
static void
show_stop(void *context)
{
	struct showing *s = context;

	report_meanwhile(s, PROGRAM_IDLE, "stopped");
}

static void
show_resume(void *context)
{
	struct showing *s = context;

	report_meanwhile(s, PROGRAM_WORKING, NULL);
}

/* Whoever pressed Control-C knows: then nothing is left of it. */
static bool
report_end(struct showing *s, const struct foreground_job_end *end, struct error *error)
{
	char how[128], duration[32], message[sizeof(how) + sizeof(duration) + 8];

	if (end == NULL || end->signal != 0)
		return report_run(s, PROGRAM_CLEAR, NULL, error);
	say_end(how, sizeof(how), end->status);
	say_duration(duration, sizeof(duration), end->ms);
	text_format(message, sizeof(message), "%s after %s", how, duration);
	return report_run(s, end->status == 0 ? PROGRAM_DONE : PROGRAM_ERROR, message,
	    error);
}

static bool
show_end(void *context, const struct foreground_job_end *end, struct error *error)
{
	struct showing *s = context;

	if (s->progress.shows)
		progress_show(&s->progress, PROGRESS_CLEAR, 0);
	return !s->reports || report_end(s, end, error);
}

/* ---- the command line ---------------------------------------------------- */

static void
name_outcome(struct outcome *o, const struct call *call)
{
	const char *slash = strrchr(call->operand[0], '/');
	size_t i;

	text_format(o->name, sizeof(o->name), "%s",
	    slash != NULL && slash[1] != '\0' ? slash + 1 : call->operand[0]);
	for (i = 0; i < call->count; i++) {
		if (i > 0)
			buf_add_string(&o->line, " ");
		buf_add_string(&o->line, call->operand[i]);
	}
}

/* Does not start the command if a signal arrived. */
static bool
run_command(struct call *call, struct outcome *o, struct error *error)
{
	const struct error none = { .status = STATUS_DONE };
	struct showing showing = { .call = call, .outcome = o,
		.progress = { .sink.path.fd = -1, .record.sink.path.fd = -1 },
		.record.sink.path.fd = -1 };
	struct during during = { .call = call, .command = call->operand,
		.set = show_run, .restore = show_end, .stop = show_stop,
		.resume = show_resume, .context = &showing };
	bool fine;

	name_outcome(o, call);
	open_run_status(&showing);
	if (call->signal == 0)
		open_run_progress(&showing);
	during.is_ready = showing.progress.shows || showing.reports;
	if (showing.progress.shows) {
		during.tick = renew_run;
		during.every_ms = PROGRESS_RENEW_MS;
	}
	fine = during_run(&during, &none, error);
	o->end = during.end;
	if (call->signal != 0)
		o->end.signal = call->signal;
	progress_close(&showing.progress);
	program_record_close(&showing.record);
	return fine;
}

/* ---- the command -------------------------------------------------------- */

static bool
check_run_options(const struct call *call, struct error *error)
{
	if (call->count > 0)
		return true;
	error_set(error, STATUS_USAGE, "no command given");
	return error_hint(error, "viatty run -- make all");
}

static bool
run_run(struct call *call, struct error *error)
{
	struct outcome outcome = { .end.status = STATUS_DONE };
	struct notifying notifying;
	bool fine;

	if (is_in_pipeline())
		query_beside_others();
	buf_init(&outcome.line, BUF_NO_LIMIT);
	fine = notification_begin(&notifying, call, error) &&
	    check_run_options(call, error) && run_command(call, &outcome, error);
	if (fine && wants_notification(&outcome))
		notify_end(&notifying, &outcome);
	if (outcome.end.signal != 0)
		call->signal = outcome.end.signal;
	notification_end(&notifying);
	buf_free(&outcome.line);
	return fine;
}

const struct command command_run = {
	.name = "run",
	.operands = "COMMAND...",
	.summary = "run a command and notify when it finishes",
	.options = options,
	.refused = (const char *const[]){ "json", NULL },
	.refused_why = "standard output belongs to the command",
	.completion = COMPLETE_COMMAND,
	.takes_command = true,
	.examples = {
		{ "viatty run make -j4", "notify when a build finishes" },
		{ "viatty run --min 10 --on fail -- make test",
		    "notify only if it fails after 10 seconds or more" },
	},
	.run = run_run,
};
