/* SPDX-License-Identifier: MIT */
/* Parses a command line by tables of options; the only caller of getopt_long(). */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "base/error.h"
#include "commands/command.h"

#include <stdbool.h>

enum option_syntax {
	READ_ANYWHERE,      /* options may stand anywhere before `--` */
	READ_UNTIL_OPERAND, /* the first operand ends them */
	READ_ONE_DASH       /* anywhere; a long name may follow a single dash */
};

/*
 * Parses the options in `argv` (argv[0] is skipped) and stores their values where the
 * tables say; a table may be NULL. Returns the index in `argv` of the first operand, or
 * -1 with STATUS_USAGE or, for a list, STATUS_FAILED (no memory). May reorder `argv`,
 * from which the values are borrowed.
 */
int options_read(int argc, char **argv, const struct option_spec *first,
    const struct option_spec *second, enum option_syntax syntax, struct error *error);

/* Stores `text` as if it were the value of `option` on the command line. False: as above. */
bool option_store(const struct option_spec *option, const char *text,
    struct error *error);

#endif
