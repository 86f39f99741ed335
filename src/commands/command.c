/* SPDX-License-Identifier: MIT */
/* The tables of commands, from commands.def, and of variables; see command.h. */
#include "commands/command.h"

#include <string.h>

#define COMMAND(name) extern const struct command command_##name;
#include "commands/commands.def"
#undef COMMAND

const struct option_variable option_variables[] = {
	{ "VIATTY_TTY", "tty", "tty", "DEVICE" },
	{ "VIATTY_WRAP", "wrap", "route", "CHAIN" },
	{ "VIATTY_ROUTE", "route", "wrap", "NAME" },
	{ "VIATTY_TERM", "term", "term", "NAME" },
	{ "VIATTY_TIMEOUT", "timeout", "timeout", "SECS" },
	{ .name = NULL }
};

const struct command *const commands[] = {
#define COMMAND(name) &command_##name,
#include "commands/commands.def"
#undef COMMAND
	NULL
};

const struct command *
command_find(const char *name)
{
	size_t i;

	for (i = 0; commands[i] != NULL; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

bool
command_takes(const struct command *command, const struct option_spec *option)
{
	const char *const *name = command->refused;

	while (name != NULL && *name != NULL && strcmp(*name, option->name) != 0)
		name++;
	return name == NULL || *name == NULL;
}
