/* SPDX-License-Identifier: MIT */
/* The placeholders of _viatty.in, for zsh. */
#include "generate/generate.h"

#include <string.h>

/* The characters to escape for _arguments and for _describe. */
static const char specification[] = ":[]\\", description[] = ":\\";

/* Between single quotes. */
static void
zsh_text(const char *text, const char *special)
{
	for (; *text != '\0'; text++) {
		if (*text == '\'')
			printf("'\\'");
		else if (strchr(special, *text) != NULL)
			putchar('\\');
		putchar(*text);
	}
}

static void
zsh_argument(const struct option_spec *option)
{
	if (option->argument == NULL)
		return;
	printf(option->kind == OPTION_MAYBE_WORD ? "::" : ":");
	zsh_text(option->argument, specification);
	if (has_choices(option)) {
		printf(":(");
		put_choices(option);
		printf(")");
	} else {
		printf(":%s", option->completion == COMPLETE_FILE ? "_files" : " ");
	}
}

/* One spelling: `mark` says how the value is joined to it. */
static void
zsh_spelling(const struct option_spec *option, const char *dashes, const char *name,
    const char *mark)
{
	printf("    '");
	if (option->kind == OPTION_LIST)
		printf("*");
	else if (option->letter != '\0')
		printf("(-%c --%s)", option->letter, option->name);
	printf("%s%s%s[", dashes, name, option->kind == OPTION_FLAG ? "" : mark);
	zsh_text(option->help, specification);
	printf("]");
	zsh_argument(option);
	printf("'\n");
}

static void
zsh_options(const struct option_spec *options)
{
	for (; options->kind != OPTION_END; options++) {
		const char letter[2] = { options->letter, '\0' };
		bool maybe = options->kind == OPTION_MAYBE_WORD;

		if (options->letter != '\0')
			zsh_spelling(options, "-", letter, maybe ? "-" : "+");
		zsh_spelling(options, "--", options->name, maybe ? "=-" : "=");
	}
}

/* The command line that begins behind `line_at` operands, each of which is completed. */
static void
zsh_command_line(const struct command *command)
{
	size_t i;

	for (i = 1; i <= command->line_at; i++) {
		printf("    '%zu:operand:", i);
		if (i == 1 && command->words != NULL) {
			printf("(");
			put_words(command->words);
			printf(")'\n");
		} else {
			printf("_guard \"^-*\" operand'\n");
		}
	}
	printf("    '(-)%zu:command: _command_names -e'\n"
	    "    '*::argument: _viatty_line %zu'\n", i, command->line_at);
}

/* A mere hint at an operand must not hide the options. */
static void
zsh_operands(const struct command *command)
{
	if (command->operands == NULL)
		return;
	printf("    '*:");
	zsh_text(command->operands, specification);
	if (command->words != NULL) {
		printf(":(");
		put_words(command->words);
		printf(")'\n");
		return;
	}
	printf(":%s'\n", command->completion == COMPLETE_FILE ? "_files" :
	    "_guard \"^-*\" operand");
}

/* The global options without those that the command refuses. */
static void
zsh_globals(const struct command *command)
{
	const char *const *name = command->refused;

	if (name == NULL) {
		printf("$_viatty_globals");
		return;
	}
	printf("${_viatty_globals:#*--(%s", *name);
	while (*++name != NULL)
		printf("|%s", *name);
	printf(")[])=[]*}");
}

static void
zsh_command(const struct command *command)
{
	const struct option_spec *flag = command_line_flag(command);

	printf("_viatty_%s() {\n  local -a specs=(\n", command->name);
	zsh_options(command->options);
	if (command->completion == COMPLETE_COMMAND)
		zsh_command_line(command);
	else if (flag == NULL)
		zsh_operands(command);
	printf("  )\n");
	if (flag != NULL) {
		printf("  if (( $words[(I)--%s] )); then\n    specs+=(\n", flag->name);
		zsh_command_line(command);
		printf("    )\n  else\n    specs+=(\n");
		zsh_operands(command);
		printf("    )\n  fi\n");
	}
	printf("  _arguments -s -S ");
	zsh_globals(command);
	printf(" $specs\n}\n\n");
}

/* ---- the placeholders --------------------------------------------------- */

static void
put_zsh_options(void)
{
	zsh_options(global_options);
}

static void
zsh_description(const char *name, const char *summary)
{
	printf("    '%s:", name);
	zsh_text(summary, description);
	printf("'\n");
}

static void
put_descriptions(void)
{
	size_t i;

	for (i = 0; commands[i] != NULL; i++)
		zsh_description(commands[i]->name, commands[i]->summary);
}

static void
put_word_descriptions(void)
{
	size_t i;

	for (i = 0; program_words[i].name != NULL; i++)
		zsh_description(program_words[i].name, program_words[i].summary);
}

static void
put_functions(void)
{
	size_t i;

	for (i = 0; commands[i] != NULL; i++)
		zsh_command(commands[i]);
}

const struct placeholder zsh_placeholders[] = {
	{ "commands", put_descriptions },
	{ "functions", put_functions },
	{ "global-options", put_zsh_options },
	{ "words", put_word_descriptions },
	{ NULL, NULL }
};
