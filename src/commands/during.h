/* SPDX-License-Identifier: MIT */
/* Something is shown while a command runs, and put back when it has ended. */
#ifndef COMMANDS_DURING_H
#define COMMANDS_DURING_H

#include "commands/command.h"
#include "tty/foreground_job.h"

#include <stdbool.h>

struct during {
	struct call *call;
	char *const *command; /* NULL ends it */
	/* `set` is called, and `restore` where that succeeded */
	bool is_ready;
	bool (*set)(void *context, struct error *error);
	/* `end`: of the command; NULL: it was not run */
	bool (*restore)(void *context, const struct foreground_job_end *end,
	    struct error *error);
	/* as in struct foreground_job_hooks; NULL: nothing to call */
	void (*tick)(void *context);
	unsigned every_ms;
	void (*stop)(void *context);
	void (*resume)(void *context);
	void *context;
	struct foreground_job_end end; /* out */
};

/*
 * Sets, runs the command and restores, whatever the command's end and whatever signal
 * comes. The command matters more than what is set meanwhile: `problem`, why that cannot
 * be set, is a warning, unless it is a usage error; if a signal came before, the command
 * is left out. The status and signal of the command become those of the call. False: it
 * could not be run.
 */
bool during_run(struct during *during, const struct error *problem,
    struct error *error);

#endif
