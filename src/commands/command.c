/* SPDX-License-Identifier: MIT */
/* The table of commands, from commands.def. */
#include "commands/command.h"

#include <string.h>

#define COMMAND(name) extern const struct command command_##name;
#include "commands/commands.def"
#undef COMMAND

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
