/* SPDX-License-Identifier: MIT */
/* Translated command lines; the contract is in arguments.h. */
#include "cli/arguments.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>

enum { PER_OPERAND = 4, OF_OPTIONS = 32, DAY_MS = 86400 * 1000 };

bool
begin_arguments(struct arguments *arguments, const char *command, size_t operands,
    struct error *error)
{
	arguments->value = calloc(operands * PER_OPERAND + OF_OPTIONS,
	    sizeof(*arguments->value));
	if (arguments->value == NULL)
		return error_no_memory(error);
	arguments->value[arguments->count++] = (char *)command;
	return true;
}

void
add_argument(struct arguments *arguments, const char *argument)
{
	arguments->value[arguments->count++] = (char *)argument;
}

void
add_argument_if(struct arguments *arguments, bool condition, const char *argument)
{
	if (condition)
		add_argument(arguments, argument);
}

void
add_option_value(struct arguments *arguments, const char *option, const char *value)
{
	if (value == NULL)
		return;
	add_argument(arguments, option);
	add_argument(arguments, value);
}

const char *
seconds_of(const char *milliseconds)
{
	static char seconds[24];
	unsigned long value;

	if (!text_number(milliseconds, DAY_MS, &value))
		return NULL;
	snprintf(seconds, sizeof(seconds), "%lu.%03lu", value / 1000, value % 1000);
	return seconds;
}

bool
no_operands(size_t count, char **operand, struct error *error)
{
	return count == 0 || error_set(error, STATUS_USAGE, "unexpected %s",
	    text_quote(operand[0]).text);
}
