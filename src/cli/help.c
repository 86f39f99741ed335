/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HELP_COLUMN = 30, HELP_WIDTH = 79 };

const char *const program_words[] = { "help", "version", NULL };

const struct example program_examples[PROGRAM_EXAMPLES] = {
	{ "git diff | osc52", "copy the output of a command" },
	{ "viatty doctor", "show what works here, and how to enable the rest" },
	{ "viatty setup tmux", "print configuration for tmux, vim, bash and others" },
};

static struct buf out = { .max = BUF_NO_LIMIT };

static void
put(const char *text)
{
	buf_add_string(&out, text);
}

static _Noreturn void
finish(void)
{
	stream_output(out.data, out.len);
	exit(STATUS_DONE);
}

/* Two columns; the right one begins on the next line if the left one is too long. */
static void
put_row(const char *left, const char *right)
{
	if (strlen(left) + 4 <= HELP_COLUMN)
		buf_format(&out, "  %-*s%s\n", HELP_COLUMN - 2, left, right);
	else
		buf_format(&out, "  %s\n%*s%s\n", left, HELP_COLUMN, "", right);
}

/* Prints a word after others, with continuation lines indented by `indent`. */
static void
put_word(const char *word, int indent)
{
	size_t line = out.len;

	while (line > 0 && out.data[line - 1] != '\n')
		line--;
	if (out.len - line + 1 + strlen(word) > HELP_WIDTH)
		buf_format(&out, "\n%*s", indent - 1, "");
	buf_format(&out, " %s", word);
}

static void
put_words(int indent, const char *const *words)
{
	for (; *words != NULL; words++)
		put_word(*words, indent);
}

static void
put_option(const struct option_spec *option)
{
	bool maybe = option->kind == OPTION_MAYBE_WORD;
	char left[64], value[32] = "";

	if (option->argument != NULL)
		snprintf(value, sizeof(value), "%s%s%s", maybe ? "[=" : " ", option->argument,
		    maybe ? "]" : "");
	if (option->letter != '\0')
		snprintf(left, sizeof(left), "-%c, --%s%s", option->letter, option->name, value);
	else
		snprintf(left, sizeof(left), "    --%s%s", option->name, value);
	put_row(left, option->help);
	if (option->words == NULL || option->kind == OPTION_TEXT)
		return;
	buf_format(&out, "%*s%s", HELP_COLUMN, "",
	    option->kind == OPTION_LIST ? "for example:" : "one of:");
	put_words(HELP_COLUMN, option->words);
	put("\n");
}

static void
put_options(const char *heading, const struct option_spec *options)
{
	if (options->kind != OPTION_END)
		put(heading);
	for (; options->kind != OPTION_END; options++)
		put_option(options);
}

static void
put_examples(const struct example *examples, size_t count)
{
	for (; count > 0; count--, examples++)
		put_row(examples->line, examples->purpose);
}

static void
put_usage(const char *title, const char *operands, const char *line_usage, const char *summary)
{
	buf_format(&out, "usage: %s [OPTIONS]%s%s\n", title, operands != NULL ? " " : "",
	    operands != NULL ? operands : "");
	if (line_usage != NULL)
		buf_format(&out, "       %s %s\n", title, line_usage);
	buf_format(&out, "%c%s.\n", summary[0] - 'a' + 'A', summary + 1);
}

void
help_program(void)
{
	const char *group = "";
	size_t i;

	put("usage: viatty COMMAND [OPTION...] [ARGUMENT...]\n"
	    "Use your terminal's clipboard, notifications and title from anywhere.\n\n");
	for (i = 0; commands[i] != NULL; i++) {
		buf_format(&out, "%-12s%-12s%s\n",
		    strcmp(group, commands[i]->group) != 0 ? commands[i]->group : "",
		    commands[i]->name, commands[i]->summary);
		group = commands[i]->group;
	}
	put("\nExamples (more in viatty(1)):\n");
	put_examples(program_examples, PROGRAM_EXAMPLES);
	put("\n'viatty help COMMAND' lists its options, 'viatty help options' the global ones.\n");
	finish();
}

void
help_command(const char *title, const struct command *command)
{
	const char *operand = command->operands;
	const struct option_spec *option;
	char word[48], letter[] = "-? ";

	put_usage(title, command->operands, command->line_usage, command->summary);
	if (command->words != NULL) {
		operand += operand[0] == '[';
		buf_format(&out, "\n%.*s may be:", (int)strcspn(operand, " .]"), operand);
		put_words(2, command->words);
		if (command->other_words != NULL)
			buf_format(&out, ", or %s", command->other_words);
		put("\n");
	}
	put_options("\nOptions:\n", command->options);
	put("\nGlobal options (see viatty help options):\n ");
	for (option = global_options; option->kind != OPTION_END; option++) {
		if (!command_takes(command, option))
			continue;
		letter[1] = option->letter;
		snprintf(word, sizeof(word), "%s--%s,", letter[1] != '\0' ? letter : "",
		    option->name);
		put_word(word, 2);
	}
	/* the last comma */
	out.len--;
	buf_format(&out, "\n\nExamples (more in viatty-%s(1)):\n", command->name);
	put_examples(command->examples, EXAMPLES);
	finish();
}

/* Prints the options with this help text on one line. */
static void
put_options_that(const char *heading, const struct option_spec *option, const char *help)
{
	size_t before = out.len;
	char word[48];

	for (; option->kind != OPTION_END; option++) {
		if (strcmp(option->help, help) != 0)
			continue;
		put(out.len == before ? heading : "");
		snprintf(word, sizeof(word), "--%s", option->name);
		put_word(word, 4);
	}
	put(out.len > before ? "\n" : "");
}

void
help_alias(const struct alias *alias)
{
	const struct option_spec *option;

	put_usage(alias->name, alias->operands, NULL, alias->summary);
	put("\nOptions:\n");
	for (option = alias->options; option->kind != OPTION_END; option++)
		if (strcmp(option->help, OPTION_IGNORED) != 0 &&
		    strcmp(option->help, OPTION_UNSUPPORTED) != 0)
			put_option(option);
	put_options_that("  Ignored:", alias->options, OPTION_IGNORED);
	put_options_that("  Not supported:", alias->options, OPTION_UNSUPPORTED);
	put("\nThis is viatty; see viatty-names(7). Examples:\n");
	put_examples(alias->examples, EXAMPLES);
	finish();
}

void
help_word(const char *word)
{
	if (strcmp(word, "options") == 0)
		put_options("Global options, before or after the command:\n", global_options);
	else
		put(strcmp(word, "help") == 0 ?
		    "usage: viatty help [COMMAND]\nPrint help for viatty, or for COMMAND "
		    "(also xclip, pbcopy and the other names).\n" :
		    "usage: viatty version\nPrint the version.\n");
	finish();
}

void
help_version(bool json)
{
	if (!json) {
		put("viatty " VERSION "\n");
		finish();
	}
	json_open(&out, NULL, '{');
	json_text(&out, "command", "version");
	json_text(&out, "version", VERSION);
	json_close(&out, '}');
	put("\n");
	finish();
}
