/* SPDX-License-Identifier: MIT */
/* --while: something is set while a command runs, and restored when it has ended. */
#ifndef COMMANDS_DURING_H
#define COMMANDS_DURING_H

#include "commands/command.h"

#include <stdbool.h>

struct during {
	struct call *call;
	char *const *command; /* NULL ends it */
	bool is_set;          /* there is something to restore */
	bool (*restore)(void *context, struct error *error);
	void *context;
};

/*
 * Runs the command and restores, whatever the command's end. The command matters more
 * than what is set meanwhile: `problem`, why that was not set, is a warning, unless it is
 * a usage error; if a signal came before, the command is left out. The status and signal
 * of the command become those of the call. False: it could not be run.
 */
bool during_run(const struct during *during, const struct error *problem,
    struct error *error);

#endif
