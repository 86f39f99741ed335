/* SPDX-License-Identifier: MIT */
/* The placeholders of viatty.fish.in. */
#include "generate/generate.h"

#include <string.h>

static void
fish_text(const char *text)
{
	putchar('\'');
	for (; *text != '\0'; text++) {
		if (*text == '\'' || *text == '\\')
			putchar('\\');
		putchar(*text);
	}
	putchar('\'');
}

/* `scope` is the command that must have been given; "": none yet. */
static void
fish_begin(const char *program, const char *scope)
{
	printf("complete -c %s -n '__viatty_command_is %s'", program,
	    scope[0] != '\0' ? scope : "\"\"");
}

/* An option of any command but those that refuse it. osc52 is copy, with any operands. */
static void
fish_begin_global(const char *program, const struct option_spec *option)
{
	bool is_copy = strcmp(program, "osc52") == 0;
	size_t i;

	printf("complete -c %s -n '__viatty_command_is_none_of", program);
	for (i = 0; commands[i] != NULL && !is_copy; i++)
		if (!command_takes(commands[i], option))
			printf(" %s", commands[i]->name);
	printf("'");
}

static void
fish_value(const struct option_spec *option)
{
	if (option->kind == OPTION_FLAG)
		return;
	if (option->completion == COMPLETE_FILE)
		printf(" -r -F");
	else if (option->kind != OPTION_MAYBE_WORD)
		printf(" -x");
	if (has_choices(option)) {
		printf(" -a '");
		put_choices(option);
		printf("'");
	}
}

/* `scope` as for fish_begin(), or NULL for the options of any command. */
static void
fish_options(const char *program, const char *scope,
    const struct option_spec *options)
{
	for (; options->kind != OPTION_END; options++) {
		if (scope != NULL)
			fish_begin(program, scope);
		else
			fish_begin_global(program, options);
		if (options->letter != '\0')
			printf(" -s %c", options->letter);
		printf(" -l %s", options->name);
		fish_value(options);
		printf(" -d ");
		fish_text(options->help);
		printf("\n");
	}
}

/* The options whose value is the next word. */
static void
fish_options_with_value(const struct option_spec *option)
{
	for (; option->kind != OPTION_END; option++) {
		if (option->kind == OPTION_FLAG ||
		    option->kind == OPTION_MAYBE_WORD)
			continue;
		if (option->letter != '\0')
			printf(" -%c", option->letter);
		printf(" --%s", option->name);
	}
}

static void
fish_operands(const char *program, const char *scope,
    const struct command *command)
{
	if (command->completion != COMPLETE_FILE && command->words == NULL)
		return;
	printf("complete -c %s -n '", program);
	if (scope != NULL)
		printf("__viatty_command_is %s; and ", scope);
	printf("__viatty_is_operand'");
	if (command->words == NULL) {
		printf(" -F\n");
		return;
	}
	printf(" -a '");
	put_words(command->words);
	printf("'\n");
}

/* ---- the placeholders --------------------------------------------------- */

static void
put_options_with_value(void)
{
	fish_options_with_value(global_options);
}

static void
fish_word(const char *word, const char *summary)
{
	fish_begin("viatty", "");
	printf(" -a %s -d ", word);
	fish_text(summary);
	printf("\n");
}

/* Cases of a command and an option. */
static void
put_fish_command_lines(void)
{
	const struct option_spec *flag;
	size_t i;

	for (i = 0; commands[i] != NULL; i++) {
		if (!has_command_line(commands[i]))
			continue;
		flag = command_line_flag(commands[i]);
		printf("        case '%s %s%s'\n            echo %zu\n",
		    commands[i]->name, flag != NULL ? "--" : "",
		    flag != NULL ? flag->name : "", commands[i]->line_at);
	}
}

/* The options of the commands that take a command line. */
static void
put_command_values(void)
{
	size_t i;

	for (i = 0; commands[i] != NULL; i++) {
		if (!has_command_line(commands[i]))
			continue;
		printf("        case %s\n            string join \\n --",
		    commands[i]->name);
		fish_options_with_value(commands[i]->options);
		printf("\n");
	}
}

static void
put_completions(void)
{
	size_t i;

	for (i = 0; commands[i] != NULL; i++)
		fish_word(commands[i]->name, commands[i]->summary);
	for (i = 0; program_words[i].name != NULL; i++)
		fish_word(program_words[i].name, program_words[i].summary);
	printf("complete -c viatty -n '__viatty_command_is help' -a '");
	put_commands();
	printf("'\n");
	fish_options("viatty", NULL, global_options);
	for (i = 0; commands[i] != NULL; i++) {
		printf("\n");
		fish_options("viatty", commands[i]->name, commands[i]->options);
		fish_operands("viatty", commands[i]->name, commands[i]);
	}
}

static void
put_copy_completions(void)
{
	fish_options("osc52", NULL, global_options);
	fish_options("osc52", NULL, command_find("copy")->options);
	fish_operands("osc52", NULL, command_find("copy"));
}

const struct placeholder fish_placeholders[] = {
	{ "command-lines", put_fish_command_lines },
	{ "command-values", put_command_values },
	{ "copy-completions", put_copy_completions },
	{ "commands", put_commands },
	{ "completions", put_completions },
	{ "words", put_program_words },
	{ "options-with-value", put_options_with_value },
	{ NULL, NULL }
};
