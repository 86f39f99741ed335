/* SPDX-License-Identifier: MIT */
/* Something shown while a command runs; the contract is in during.h. */
#include "commands/during.h"

#include "commands/report.h"
#include "tty/query.h"

#include <string.h>

static void
warn_during(const struct call *call, const struct error *problem)
{
	if (problem->message[0] != '\0')
		report_warning(call, problem->message, problem->hint);
}

/* ---- hooks -------------------------------------------------------------- */

static bool
begin_during(void *context)
{
	struct error failure = { .status = STATUS_DONE };
	struct during *during = context;

	during->is_ready = during->is_ready && during->set(during->context, &failure);
	warn_during(during->call, &failure);
	/* neither the command nor the shell may read a late reply */
	query_drop_late();
	return during->call->signal == 0;
}

/* A signal may cut the sequence off: only a second one keeps it from being sent. */
static void
end_during(void *context, const struct foreground_job_end *end)
{
	struct error failure = { .status = STATUS_DONE };
	struct during *during = context;
	struct call *call = during->call;
	int first = call->signal;
	bool fine;

	query_drop_late();
	if (!during->is_ready)
		return;
	fine = during->restore(during->context, end, &failure);
	if (first == 0)
		first = call->signal;
	if (!fine && call->signal != 0) {
		failure = (struct error){ .status = STATUS_DONE };
		during->restore(during->context, end, &failure);
	}
	warn_during(call, &failure);
	call->signal = first;
}

static void
tick_during(void *context)
{
	struct during *during = context;

	if (during->is_ready)
		during->tick(during->context);
}

static void
stop_during(void *context)
{
	struct during *during = context;

	if (during->is_ready && during->stop != NULL)
		during->stop(during->context);
}

static void
resume_during(void *context)
{
	struct during *during = context;

	if (during->is_ready && during->resume != NULL)
		during->resume(during->context);
}

/* ---- the command -------------------------------------------------------- */

/* Builtins that commonly stand before a command line, and that no folder of PATH has. */
static const char *const builtins[] = { ".", "alias", "cd", "eval", "exec", "exit", "export",
	"popd", "pushd", "read", "set", "shopt", "source", "trap", "type", "ulimit", "umask",
	"unalias", "unset", NULL };

static bool
is_for_shell(const char *name)
{
	size_t i = 0;

	while (builtins[i] != NULL && strcmp(builtins[i], name) != 0)
		i++;
	return builtins[i] != NULL || name[0] == '~' ||
	    name[strcspn(name, " \t\n|&;<>()$`\\\"'*?[{=!")] != '\0';
}

static bool
run_meanwhile(struct during *during, struct error *error)
{
	const struct foreground_job_hooks hooks = {
		.begin = begin_during,
		.tick = during->tick != NULL ? tick_during : NULL,
		.every_ms = during->every_ms,
		.stop = stop_during,
		.resume = resume_during,
		.end = end_during,
		.context = during,
	};
	struct call *call = during->call;

	if (!foreground_job_run(during->command, &hooks, &during->end, error))
		return (int)error->status == FOREGROUND_JOB_NOT_FOUND &&
		    is_for_shell(during->command[0]) ? error_hint(error, "only a shell "
		    "runs that: give sh -c '...', as in viatty run sh -c 'cd / && ls'") :
		    false;
	call->status = during->end.status;
	if (during->end.signal != 0)
		call->signal = during->end.signal;
	return true;
}

bool
during_run(struct during *during, const struct error *problem,
    struct error *error)
{
	if (!during->is_ready && problem->status == STATUS_USAGE) {
		*error = *problem;
		return false;
	}
	warn_during(during->call, problem);
	return during->call->signal != 0 || run_meanwhile(during, error);
}
