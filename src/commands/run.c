/* SPDX-License-Identifier: MIT */
/* run: runs a command and notifies when it finishes. */
#include "base/clock.h"
#include "base/text.h"
#include "commands/command.h"
#include "commands/notification.h"
#include "commands/progress_output.h"
#include "commands/report.h"
#include "tty/foreground_job.h"

#include <stdio.h>
#include <string.h>

static struct {
	const char *on, *title;
	unsigned min_ms;
	bool progress;
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
#include "commands/notification.def"
	{ .kind = OPTION_END }
};

/* The command and its result. */
struct outcome {
	char name[64];      /* of the program */
	struct buf line;    /* the command line */
	struct foreground_job_end end;
	long long ms;
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
say_end(char *to, size_t size, const struct outcome *o)
{
	enum { OF_SIGNAL = 128 };
	int status = o->end.status;

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

	say_end(how, sizeof(how), o);
	say_duration(duration, sizeof(duration), o->ms);
	return buf_add_string(text, how) && buf_add_string(text, " after ") &&
	    buf_add_string(text, duration) && buf_add_string(text, ": ") &&
	    buf_add(text, o->line.data, o->line.len);
}

/* ---- the notification --------------------------------------------------- */

static bool
wants_notification(const struct outcome *o)
{
	/* the user who pressed Control-C knows */
	if (o->ms < opt.min_ms || o->end.signal != 0)
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

	buf_init(&body, (size_t)-1 / 16);
	fine = format_outcome(&body, o) ||
	    error_no_memory(&error);
	n->n.title = (struct notification_text){ title, strlen(title) };
	n->n.body = (struct notification_text){ (char *)body.data, body.len };
	fine = fine && notification_send(n, &error);
	buf_free(&body);
	if (!fine && !n->call->globals->quiet)
		report_warning(n->call->title, error.message, error.hint);
}

/* ---- progress ----------------------------------------------------------- */

static void
show_busy(void *output)
{
	progress_show(output, PROGRESS_BUSY, 0);
}

static void
open_run_progress(struct progress_output *output, struct call *call)
{
	struct error error = { .status = STATUS_DONE };

	if (progress_open(output, call, &error))
		show_busy(output);
	else if (!call->globals->quiet)
		report_warning(call->title, error.message, error.hint);
}

/* ---- the command line ---------------------------------------------------- */

/* Does not start the command if a signal arrived. */
static bool
run_command(struct call *call, struct outcome *o, struct error *error)
{
	const char *slash = strrchr(call->operand[0], '/');
	struct progress_output progress = { .sink.path.fd = -1 };
	struct foreground_job_hooks renewal = { .tick = show_busy,
		.every_ms = PROGRESS_RENEW_MS, .context = &progress };
	bool fine = true;
	size_t i;

	text_format(o->name, sizeof(o->name), "%s",
	    slash != NULL && slash[1] != '\0' ? slash + 1 : call->operand[0]);
	for (i = 0; i < call->count; i++) {
		if (i > 0)
			buf_add_string(&o->line, " ");
		buf_add_string(&o->line, call->operand[i]);
	}
	if (opt.progress) {
		open_run_progress(&progress, call);
		fine = call->signal == 0 ||
		    error_set(error, STATUS_FAILED, "interrupted");
	}
	fine = fine && foreground_job_run(call->operand,
	    progress.shows ? &renewal : NULL, &o->end, error);
	if (progress.shows)
		progress_show(&progress, PROGRESS_CLEAR, 0);
	sink_close(&progress.sink);
	return fine;
}

/* ---- the command -------------------------------------------------------- */

static bool
check_run_options(const struct call *call, struct error *error)
{
	if (call->globals->json)
		return error_set(error, STATUS_USAGE, "the command has this standard "
		    "output: no --json with it");
	if (call->count > 0)
		return true;
	error_set(error, STATUS_USAGE, "no command given");
	return error_hint(error, "viatty run -- make all");
}

static bool
run_run(struct call *call, struct error *error)
{
	struct outcome outcome = { .ms = 0 };
	struct notifying notifying;
	long long begin = clock_ms();
	bool fine;

	buf_init(&outcome.line, (size_t)-1 / 16);
	fine = notification_begin(&notifying, call, error) &&
	    check_run_options(call, error) && run_command(call, &outcome, error);
	outcome.ms = clock_ms() - begin;
	if (fine) {
		call->status = outcome.end.status;
		if (wants_notification(&outcome))
			notify_end(&notifying, &outcome);
		if (outcome.end.signal != 0)
			call->signal = outcome.end.signal;
	}
	notification_end(&notifying);
	buf_free(&outcome.line);
	return fine;
}

const struct command command_run = {
	.name = "run",
	.operands = "COMMAND...",
	.summary = "run a command and notify when it finishes",
	.options = options,
	.completion = COMPLETE_COMMAND,
	.takes_command = true,
	.examples = {
		{ "viatty run make -j4", "notify when a build finishes" },
		{ "viatty run --min 10 --on fail -- make test",
		    "notify only if it fails after 10 seconds or more" },
	},
	.run = run_run,
};
