/* SPDX-License-Identifier: MIT */
/* From a command line to an exit status. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "commands/command.h"

/* The options that every command takes; ended by OPTION_END. */
extern const struct option_spec global_options[];

/*
 * Runs the command line, prints its messages and returns the exit status (enum status).
 * argv[0] may be a path. A signal that was held back ends the process here.
 */
int cli_run(int argc, char **argv);

#endif
