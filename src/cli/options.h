/* SPDX-License-Identifier: MIT */
/* A command line against tables of options; the only getopt_long. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "base/error.h"
#include "commands/command.h"

#include <stdbool.h>

/*
 * Reads the options in `argv` (argv[0] is skipped) and stores their values
 * where the tables say; a table may be NULL. With `stop_at_operand` the first
 * operand ends them, otherwise they may stand anywhere before `--`. Gives the
 * index in `argv` of the first operand; argv may be reordered. -1:
 * STATUS_USAGE with what is wrong. Values are borrowed from `argv`.
 */
int options_read(int argc, char **argv, const struct option *first,
    const struct option *second, bool stop_at_operand, struct error *error);

/* Stores `text` as the value of `option`, as if it were given. */
bool option_store(const struct option *option, const char *text,
    struct error *error);

#endif
