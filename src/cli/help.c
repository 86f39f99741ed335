/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

enum { HELP_COLUMN = 30, HELP_WIDTH = 79 };

const struct example program_examples[PROGRAM_EXAMPLES] = {
	{ "git diff | osc52", "copy the output of a command" },
	{ "viatty doctor", "show what works here, and how to enable the rest" },
	{ "viatty setup tmux", "let copy mode of tmux copy to the clipboard" },
};

static struct buf out = BUF_EMPTY;

static _Noreturn void
finish(void)
{
	stream_output(out.data, out.len);
	die_of(&(struct error){ .status = STATUS_DONE });
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
put_options(const char *heading, const struct option_spec *option)
{
	char left[64], letter[] = "-?, ";
	size_t n;

	buf_add_string(&out, heading);
	for (; option->kind != OPTION_END; option++) {
		letter[1] = option->letter;
		n = (size_t)snprintf(left, sizeof(left), "%4s--%s", letter[1] != '\0' ? letter :
		    "", option->name);
		if (option->argument != NULL)
			snprintf(left + n, sizeof(left) - n, option->alone != NULL ? "[=%s]" :
			    " %s", option->argument);
		put_row(left, option->help);
		if (option->words == NULL || option->kind == OPTION_TEXT)
			continue;
		buf_format(&out, "%*sone of:", HELP_COLUMN, "");
		put_words(HELP_COLUMN, option->named != NULL ? option->named : option->words);
		buf_add_string(&out, "\n");
	}
}

static void
put_examples(const struct example *examples, size_t count)
{
	for (; count > 0; count--, examples++)
		put_row(examples->line, examples->purpose);
}

void
help_program(void)
{
	const char *group = "";
	size_t i;

	buf_add_string(&out, "usage: viatty COMMAND [OPTION...] [ARGUMENT...]\n"
	    "Use your terminal's clipboard, notifications and title from anywhere.\n\n");
	for (i = 0; commands[i]->group != NULL; i++) {
		buf_format(&out, "%-12s%-12s%s\n",
		    strcmp(group, commands[i]->group) != 0 ? commands[i]->group : "",
		    commands[i]->name, commands[i]->summary);
		group = commands[i]->group;
	}
	buf_add_string(&out, "osc52 is short for viatty copy.\n\nExamples (more in viatty(1)):\n");
	put_examples(program_examples, PROGRAM_EXAMPLES);
	buf_add_string(&out, "'viatty help COMMAND' lists its options, 'viatty help options' "
	    "the global ones.\n");
	finish();
}

void
help_command(const struct command *command)
{
	const char *operand = command->operands != NULL ? command->operands : "";
	const struct option_spec *option;
	char word[48], letter[] = "-? ";

	buf_format(&out, "usage: %s [OPTIONS]%s%s\n", messages.title,
	    operand[0] != '\0' ? " " : "", operand);
	if (command->line_usage != NULL)
		buf_format(&out, "       %s %s\n", messages.title, command->line_usage);
	buf_format(&out, "%c%s.\n", command->summary[0] - 'a' + 'A', command->summary + 1);
	if (command->words != NULL) {
		operand += strspn(operand, "[");
		buf_format(&out, "\n%.*s may be:", (int)strcspn(operand, " .]"), operand);
		put_words(2, command->words);
		if (command->other_words != NULL)
			buf_format(&out, ", or %s", command->other_words);
		buf_add_string(&out, "\n");
	}
	if (command->options != NULL)
		put_options("\nOptions:\n", command->options);
	if (command->becomes != NULL) {
		buf_add_string(&out, "\nThis is viatty; see viatty-names(7). Examples:\n");
	} else {
		buf_add_string(&out, "\nGlobal options (see viatty help options):\n ");
		for (option = global_options; option->kind != OPTION_END; option++) {
			if (!command_takes(command, option))
				continue;
			letter[1] = option->letter;
			snprintf(word, sizeof(word), "%s--%s,", option->letter != '\0' &&
			    !command->is_program ? letter : "", option->name);
			put_word(word, 2);
		}
		/* the last comma */
		out.len--;
		buf_format(&out, "\n\nExamples (more in viatty-%s(1)):\n", command->name);
	}
	put_examples(command->examples, EXAMPLES);
	finish();
}

void
help_version(void)
{
	buf_add_string(&out, "viatty " VIATTY_VERSION "\n");
	if (globals.verbose)
		buf_add_string(&out, sizeof(CONTACT) > 1 ? "security reports: " CONTACT "\n" :
		    "security reports: in private, to whoever gave you this viatty\n");
	finish();
}

/* ---- help as a word ----------------------------------------------------------- */

/* Of a command, another name of the program, or the global options. */
static int
help_run(struct call *call)
{
	const char *word = call->operand[0];
	const struct command *alias;

	if (call->count > 1)
		die(STATUS_USAGE, "unexpected %s\n"
		    "viatty help explains one command at a time",
		    text_quote(call->operand[1]).text);
	if (word == NULL || strcmp(word, "help") == 0)
		help_program();
	if (strcmp(word, "options") == 0) {
		put_options("Global options, before or after the command:\n", global_options);
		finish();
	}
	alias = alias_find(word);
	if (alias == NULL)
		help_command(command_choose(word));
	messages.title = alias->name;
	help_command(alias->becomes != NULL ? alias : command_find("copy"));
}

const struct command command_help = {
	"help", NULL, NULL, "print this help, or that of a command",
	.run = help_run
};
