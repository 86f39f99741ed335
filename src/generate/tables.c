/* SPDX-License-Identifier: MIT */
/* What every template takes from the tables; the contract is in generate.h. */
#include "generate/generate.h"

#include <stdio.h>

bool
has_choices(const struct option_spec *option)
{
	return option->words != NULL || option->completion == COMPLETE_TERMINAL;
}

const struct option_spec *
command_line_flag(const struct command *command)
{
	const struct option_spec *option = command->options;

	while (option->kind != OPTION_END && option->completion != COMPLETE_COMMAND)
		option++;
	return option->kind != OPTION_END ? option : NULL;
}

bool
has_command_line(const struct command *command)
{
	return command->completion == COMPLETE_COMMAND ||
	    command_line_flag(command) != NULL;
}

void
put_words(const char *const *words)
{
	size_t i;

	for (i = 0; words[i] != NULL; i++)
		printf("%s%s", i > 0 ? " " : "", words[i]);
}

void
put_choices(const struct option_spec *option)
{
	size_t i;

	if (option->words != NULL) {
		put_words(option->words);
		return;
	}
	for (i = 0; i < terminal_count(); i++)
		printf("%s%s", i > 0 ? " " : "", terminal_at(i)->id);
	for (i = 0; terminal_name_at(i) != NULL; i++)
		printf(" %s", terminal_name_at(i)->word);
}

void
put_commands(void)
{
	size_t i;

	for (i = 0; commands[i] != NULL; i++)
		printf("%s%s", i > 0 ? " " : "", commands[i]->name);
}

void
put_program_words(void)
{
	size_t i;

	for (i = 0; program_words[i].name != NULL; i++)
		printf("%s%s", i > 0 ? " " : "", program_words[i].name);
}

/* ---- for checks --------------------------------------------------------- */

static const char *const kinds[] = {
	[OPTION_FLAG] = "flag", [OPTION_NAME] = "flag", [OPTION_TEXT] = "text",
	[OPTION_LIST] = "list", [OPTION_SIZE] = "size", [OPTION_SECONDS] = "seconds",
	[OPTION_WORD] = "word", [OPTION_MAYBE_WORD] = "maybe-word",
};

static void
table_options(const char *command, const struct option_spec *options)
{
	for (; options->kind != OPTION_END; options++) {
		const char letter[3] = { '-', options->letter, '\0' };

		printf("%s\t%s\t--%s\t%s\t%s\n", command, letter, options->name,
		    options->argument != NULL ? options->argument : "-",
		    kinds[options->kind]);
	}
}

static void
table_examples(const char *name, const struct example *examples, size_t count)
{
	for (; count > 0; count--, examples++)
		printf("example\t%s\t%s\t%s\n", name, examples->line,
		    examples->purpose);
}

/*
 * A command: name, operands, summary. An option: COMMAND, -l, --long, ARGUMENT, kind. An
 * example: `example`, command, line, purpose. `-` is none.
 */
void
put_table(void)
{
	const struct alias *alias;
	size_t i;

	table_options("-", global_options);
	table_examples("viatty", program_examples, PROGRAM_EXAMPLES);
	for (i = 0; commands[i] != NULL; i++) {
		printf("%s\t%s\t%s\n", commands[i]->name,
		    commands[i]->operands != NULL ? commands[i]->operands : "-",
		    commands[i]->summary);
		table_options(commands[i]->name, commands[i]->options);
		table_examples(commands[i]->name, commands[i]->examples, EXAMPLES);
	}
	for (alias = aliases; alias->name != NULL; alias++)
		if (alias->command == NULL)
			table_examples(alias->name, alias->examples, EXAMPLES);
}
