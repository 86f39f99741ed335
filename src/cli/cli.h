/* SPDX-License-Identifier: MIT */
/* From a command line to an exit status. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "commands/command.h"

/* The options that every command takes; ended by OPTION_END. */
extern const struct option_spec global_options[];

/*
 * Runs the command line; argv[0] may be a path. Prints what there is to say
 * and gives the exit status (enum status). A signal that came at a bad moment
 * ends the process as it would have.
 */
int cli_run(int argc, char **argv);

#endif
