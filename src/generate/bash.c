/* SPDX-License-Identifier: MIT */
/* The placeholders of viatty.bash.in. */
#include "generate/generate.h"

/* The places where a command line begins, as patterns of a command and an option. */
static void
put_bash_command_lines(void)
{
	const struct option_spec *flag;
	size_t i;

	for (i = 0; commands[i] != NULL; i++) {
		if (!has_command_line(commands[i]))
			continue;
		flag = command_line_flag(commands[i]);
		printf("\t%s' %s%s') line=%zu ;;\n", commands[i]->name,
		    flag != NULL ? "--" : "", flag != NULL ? flag->name : "",
		    commands[i]->line_at);
	}
}

/* All spellings, with each optional value joined by `=`. */
static void
bash_spellings(const struct option_spec *option)
{
	size_t i;

	if (option->letter != '\0')
		printf(" -%c", option->letter);
	printf(" --%s", option->name);
	for (i = 0; option->kind == OPTION_MAYBE_WORD &&
	    option->words[i] != NULL; i++)
		printf(" --%s=%s", option->name, option->words[i]);
}

static void
bash_options(const struct option_spec *options)
{
	for (; options->kind != OPTION_END; options++)
		bash_spellings(options);
}

/* Its own, and the global ones that it takes. */
static void
bash_options_of(const struct command *command)
{
	const struct option_spec *option;

	for (option = global_options; option->kind != OPTION_END; option++)
		if (command_takes(command, option))
			bash_spellings(option);
	bash_options(command->options);
}

/* `scope` is a command, or * for all of them. */
static void
bash_pattern(const char *scope, const struct option_spec *option)
{
	bool joined = option->kind == OPTION_MAYBE_WORD;

	if (option->letter != '\0' && !joined)
		printf("%s' -%c' | ", scope, option->letter);
	printf("%s' --%s%s')", scope, option->name, joined ? "=" : "");
}

static void
bash_values(const char *scope, const struct option_spec *options)
{
	for (; options->kind != OPTION_END; options++) {
		if (options->kind == OPTION_FLAG)
			continue;
		printf("\t");
		bash_pattern(scope, options);
		printf(" values='");
		if (options->completion == COMPLETE_FILE)
			printf("FILES");
		else if (has_choices(options))
			put_choices(options);
		printf("' ;;\n");
	}
}

static void
bash_operands(const struct command *command)
{
	if (command->words != NULL)
		put_words(command->words);
	else if (command->completion == COMPLETE_FILE)
		printf("FILES");
}

/* ---- the placeholders --------------------------------------------------- */

static void
put_bash_options(void)
{
	bash_options(global_options);
}

static void
put_options(void)
{
	size_t i;

	for (i = 0; commands[i] != NULL; i++) {
		printf("\t%s)\n\t\toptions='", commands[i]->name);
		bash_options_of(commands[i]);
		printf("'\n\t\toperands='");
		bash_operands(commands[i]);
		printf("' ;;\n");
	}
}

static void
put_values(void)
{
	size_t i;

	bash_values("*", global_options);
	for (i = 0; commands[i] != NULL; i++)
		bash_values(commands[i]->name, commands[i]->options);
}

const struct placeholder bash_placeholders[] = {
	{ "commands", put_commands },
	{ "command-lines", put_bash_command_lines },
	{ "global-options", put_bash_options },
	{ "options", put_options },
	{ "values", put_values },
	{ "words", put_program_words },
	{ NULL, NULL }
};
