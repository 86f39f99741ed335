/* SPDX-License-Identifier: MIT */
/* run: runs a command and notifies when it finishes. */
#include "commands/command.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
	const char *title;
	unsigned on, min_ms;
} opt;

enum { ON_ALWAYS = 1, ON_FAILURE, ON_SUCCESS };

static const char *const occasions[] = { "always", "fail", "ok", NULL };

static const struct option_spec options[] = {
	VALUE(OPTION_SECONDS_OR_0, 'm', "min", "SECS",
	    "notify only if it took at least SECS", opt.min_ms),
	{ OPTION_WORD, 0, "on", "OCCASION", "when to notify, by the exit status",
	    &opt.on, .words = occasions },
	VALUE(OPTION_TEXT, 0, "title", "TEXT",
	    "notification title (default: the program name)", opt.title),
#include "commands/notification.def"
	{ .kind = OPTION_END }
};

/* ---- the notification --------------------------------------------------- */

/*
 * Appends "done after 12 s in DIR" or "failed with status 137 (Killed) after 2 min 05 s in DIR".
 * DIR is the name of the current directory, or "~". Over ssh, " on HOST" follows.
 */
static void
add_outcome(struct buf *out, int status, long long ms)
{
	enum { OF_SIGNAL = 128 };
	char path[PATH_MAX];
	const char *folder;
	int number = status - OF_SIGNAL;
	long long tenths = (ms + 50) / 100, seconds = (ms + 500) / 1000;

	if (status == 0)
		buf_add_string(out, "done");
	else
		buf_format(out, "failed with status %d", status);
	if (number > 0 && number < 64)
		buf_format(out, " (%s)", strsignal(number));
	if (ms < 1000 || (ms < 9950 && ms % 1000 != 0))
		buf_format(out, " after %lld.%lld s", tenths / 10, tenths % 10);
	else if (seconds < 60)
		buf_format(out, " after %lld s", seconds);
	else if (seconds < 3600)
		buf_format(out, " after %lld min %02lld s", seconds / 60, seconds % 60);
	else
		buf_format(out, " after %lld h %02lld min", seconds / 3600,
		    seconds / 60 % 60);
	if (getcwd(path, sizeof(path)) != NULL && path[0] == '/') {
		folder = strrchr(path, '/');
		if (folder[1] != '\0')
			folder++;
		buf_format(out, " in %s", text_equal(path, environment_get("HOME")) ? "~" : folder);
	}
	if (environment_get("SSH_CONNECTION") != NULL && gethostname(path, sizeof(path)) == 0)
		buf_format(out, " on %.*s", (int)strcspn(path, "."), path);
}

/* ---- the run -------------------------------------------------------------- */

struct foreground_job_end
run_command(char *const *command)
{
	struct foreground_job_end end;
	struct error error;
	bool ended;

	foreground_job_begin();
	ended = foreground_job_run(command, &end, &error);
	foreground_job_end();
	if (!ended)
		die_of(&error);
	if (end.signal != 0)
		signal_caught = end.signal;
	end.signal = signal_caught;
	return end;
}

/* ---- the command -------------------------------------------------------- */

static bool
is_pipe(int fd)
{
	struct stat s;

	return fstat(fd, &s) == 0 && (S_ISFIFO(s.st_mode) || S_ISSOCK(s.st_mode));
}

/* How the command ended, if root has run it already. */
static struct foreground_job_end end;
static bool has_ended;

/* The notification is sent later, by the user whose terminal this is. */
static int
run_as_root(struct call *call)
{
	if (call->count > 0) {
		end = run_command(call->operand);
		has_ended = true;
	}
	return -1;
}

static int
run_run(struct call *call)
{
	static struct buf body = BUF_EMPTY;
	struct notification *n = &notify_options.n;
	struct error error;
	const char *name = call->operand[0], *slash;
	int sent;
	size_t i;

	/* a pager starts at the same time, and would read the reply */
	if (is_pipe(STDIN_FILENO) || is_pipe(STDOUT_FILENO))
		globals.given.probe = false;
	if (call->count == 0)
		die(STATUS_USAGE, "no command given\n" "viatty run -- make all");
	if (has_ended)
		globals.given.probe = false;
	else if (signal_caught == 0)
		notification_ask();
	if (!has_ended)
		end = run_command(call->operand);
	/* after Ctrl-C the user needs no notification */
	if (end.ms < opt.min_ms || end.signal != 0 || (opt.on == ON_FAILURE && end.status == 0) ||
	    (opt.on == ON_SUCCESS && end.status != 0))
		return end.status;

	slash = strrchr(name, '/');
	if (opt.title != NULL)
		name = opt.title;
	else if (slash != NULL && slash[1] != '\0')
		name = slash + 1;
	add_outcome(&body, end.status, end.ms);
	for (i = 0; i < call->count; i++)
		buf_format(&body, "%s %s", i == 0 ? ":" : "", call->operand[i]);
	if (end.status != 0 && n->urgency == 0)
		n->urgency = URGENCY_CRITICAL;
	n->title = (struct notification_text){ name, strlen(name) };
	n->body = (struct notification_text){ (char *)body.data, body.len };
	/* a failure is only a warning: the exit status is that of the command */
	if (!notification_send(&sent, &error))
		message_warn("%s", error.text);
	return end.status;
}

const struct command command_run = {
	.name = "run",
	.group = "Notify",
	.operands = "COMMAND...",
	.summary = "run a command and notify when it finishes",
	.options = options,
	.completion = COMPLETE_COMMAND,
	.examples = {
		{ "viatty run make -j4", "notify when a build finishes" },
		{ "viatty run --min 10 --on fail -- make test",
		    "notify only if it fails after 10 seconds or more" },
	},
	.run = run_run,
	.as_root = run_as_root,
};
