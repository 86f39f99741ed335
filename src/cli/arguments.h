/* SPDX-License-Identifier: MIT */
/*
 * A command line of viatty that is made from that of another program: what the
 * translations of cli/aliases.c share.
 */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct arguments {
	char **value; /* the command's name first; never freed: keep it reachable */
	int count;
};

/*
 * Begins with the command, with room for what the options of the other program and its
 * `operands` become: at most 32 arguments, and 4 for each operand. False: STATUS_FAILED.
 */
bool begin_arguments(struct arguments *arguments, const char *command, size_t operands,
    struct error *error);

/* Adds an argument, which is borrowed. */
void add_argument(struct arguments *arguments, const char *argument);
void add_argument_if(struct arguments *arguments, bool condition, const char *argument);

/* Adds an option and its value, if that is not NULL. */
void add_option_value(struct arguments *arguments, const char *option, const char *value);

/*
 * Milliseconds as seconds for an option of viatty: "1500" as "1.500". The text lasts
 * until the next call. NULL: not a number, or more than a day.
 */
const char *seconds_of(const char *milliseconds);

/* STATUS_USAGE if there are operands. */
bool no_operands(size_t count, char **operand, struct error *error);

#endif
