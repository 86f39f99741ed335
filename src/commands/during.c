/* SPDX-License-Identifier: MIT */
/* --while; the contract is in during.h. */
#include "commands/during.h"

#include "commands/report.h"
#include "tty/foreground_job.h"
#include "tty/query.h"

static void
warn_during(const struct call *call, const struct error *problem)
{
	if (!call->globals->quiet && problem->message[0] != '\0')
		report_warning(call->title, problem->message, problem->hint);
}

static bool
run_meanwhile(const struct during *during, struct error *error)
{
	struct foreground_job_end end;

	if (!foreground_job_run(during->command, NULL, &end, error))
		return false;
	during->call->status = end.status;
	during->call->signal = end.signal;
	return true;
}

bool
during_run(const struct during *during, const struct error *problem,
    struct error *error)
{
	struct error failure = { .status = STATUS_DONE };
	struct call *call = during->call;
	int signal;
	bool fine;

	if (!during->is_set && problem->status == STATUS_USAGE) {
		*error = *problem;
		return false;
	}
	warn_during(call, problem);
	/* neither the command nor the shell may read a late reply */
	query_drop_late();
	fine = call->signal != 0 || run_meanwhile(during, error);
	query_drop_late();
	signal = call->signal;
	if (during->is_set && !during->restore(during->context, &failure))
		warn_during(call, &failure);
	if (signal != 0)
		call->signal = signal;
	return fine;
}
