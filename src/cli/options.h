/* SPDX-License-Identifier: MIT */
/* A command line against tables of options; the only getopt_long. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "base/error.h"
#include "commands/command.h"

#include <stdbool.h>

enum reading {
	READ_ANYWHERE,      /* options may stand anywhere before `--` */
	READ_UNTIL_OPERAND, /* the first operand ends them */
	READ_ONE_DASH       /* anywhere; a long name may follow a single dash */
};

/*
 * Reads the options in `argv` (argv[0] is skipped) and stores their values
 * where the tables say; a table may be NULL. Gives the index in `argv` of the
 * first operand; argv may be reordered. -1: STATUS_USAGE with what is wrong.
 * Values are borrowed from `argv`.
 */
int options_read(int argc, char **argv, const struct option_spec *first,
    const struct option_spec *second, enum reading reading, struct error *error);

/* Stores `text` as the value of `option`, as if it were given. */
bool option_store(const struct option_spec *option, const char *text,
    struct error *error);

#endif
