/* SPDX-License-Identifier: MIT */
/* Help texts, from the tables. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/aliases.h"
#include "commands/command.h"

#include <stdbool.h>

#define VERSION "0.1.0"

/* The program's help on standard output. False: errno. */
bool help_program(const struct option_spec *globals);

/* A command's, under the name it was called by. False: errno. */
bool help_command(const char *title, const struct command *command,
    const struct option_spec *globals);

/* That of another program whose options are taken. False: errno. */
bool help_name(const struct alias *name);

bool help_version(void);

#endif
