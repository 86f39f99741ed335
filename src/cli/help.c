/* SPDX-License-Identifier: MIT */
/* Help texts; the contract is in help.h. */
#include "cli/help.h"

#include "base/buf.h"
#include "base/stream.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { HELP_MAX = 64 * 1024, HELP_COLUMN = 30, HELP_WIDTH = 78 };

const struct program_word program_words[] = {
	{ "help", "print this help, or that of a command", "help [COMMAND]",
	    "Print the commands and options of viatty or, with COMMAND, the help of "
	    "that\ncommand or of another name of viatty, such as xclip.\n" },
	{ "version", "print the version", "version",
	    "Print one line with the name of the program and its version, or with --json an"
	    "\nobject with the member version.\n" },
	{ .name = NULL },
};

const struct example program_examples[PROGRAM_EXAMPLES] = {
	{ "git diff | osc52", "copy the output of a command" },
	{ "viatty doctor", "show what works here, and how to enable the rest" },
	{ "viatty setup tmux", "print configuration for tmux, vim, bash and others" },
};

static bool
print_help(int fd, struct buf *text)
{
	bool fine = text->fault == BUF_FINE &&
	    stream_write(fd, text->data, text->len);

	buf_free(text);
	return fine;
}

/* Two columns; the right one begins on the next line if the left one is too long. */
static void
add_help_row(struct buf *out, const char *left, const char *right)
{
	size_t column = 2 + strlen(left);

	buf_add_string(out, "  ");
	buf_add_string(out, left);
	if (column + 2 > HELP_COLUMN) {
		buf_add_string(out, "\n");
		column = 0;
	}
	for (; column < HELP_COLUMN; column++)
		buf_add_string(out, " ");
	buf_add_string(out, right);
	buf_add_string(out, "\n");
}

static void
add_words(struct buf *out, const char *lead, const char *const *words)
{
	char joined[192], line[256];

	text_join(joined, sizeof(joined), words, " ");
	text_format(line, sizeof(line), "%s %s", lead, joined);
	add_help_row(out, "", line);
}

static void
add_option_help(struct buf *out, const struct option_spec *option)
{
	bool maybe = option->kind == OPTION_MAYBE_WORD;
	char left[64], value[32] = "";

	if (option->argument != NULL)
		snprintf(value, sizeof(value), "%s%s%s", maybe ? "[=" : " ",
		    option->argument, maybe ? "]" : "");
	if (option->letter != '\0')
		snprintf(left, sizeof(left), "-%c, --%s%s", option->letter,
		    option->name, value);
	else
		snprintf(left, sizeof(left), "    --%s%s", option->name, value);
	add_help_row(out, left, option->help);
	if (option->words != NULL && option->kind != OPTION_TEXT)
		add_words(out, option->kind == OPTION_LIST ? "for example:" : "one of:",
		    option->words);
}

static void
add_options(struct buf *out, const char *heading, const struct option_spec *options)
{
	if (options->kind == OPTION_END)
		return;
	buf_add_string(out, heading);
	for (; options->kind != OPTION_END; options++)
		add_option_help(out, options);
}

/* The global options that a command takes in a paragraph: "-T --tty, --route". */
static void
add_option_names(struct buf *out, const struct option_spec *options,
    const struct command *command)
{
	char word[48];
	size_t column = 0, n;

	/* the last one, --version, belongs to every command */
	for (; options->kind != OPTION_END; options++) {
		if (!command_takes(command, options))
			continue;
		n = 0;
		if (options->letter != '\0')
			n = (size_t)snprintf(word, sizeof(word), "-%c ", options->letter);
		n += (size_t)snprintf(word + n, sizeof(word) - n, "--%s%s", options->name,
		    options[1].kind != OPTION_END ? "," : "");
		if (column + 1 + n > HELP_WIDTH)
			column = 0;
		buf_add_string(out, column == 0 ? "\n " : "");
		buf_add_string(out, " ");
		buf_add_string(out, word);
		column += 1 + n + (column == 0);
	}
	buf_add_string(out, "\n");
}

/* "STATE may be: idle working", of the first operand. */
static void
add_operand_words(struct buf *out, const struct command *command)
{
	const char *const *word = command->words;
	const char *name;
	char text[HELP_WIDTH];
	size_t column, n;

	if (word == NULL)
		return;
	name = command->operands + (command->operands[0] == '[');
	text_format(text, sizeof(text), "\n%.*s may be:", (int)strcspn(name, " .]"), name);
	buf_add_string(out, text);
	for (column = strlen(text) - 1; *word != NULL; word++) {
		n = strlen(*word);
		if (column + 1 + n > HELP_WIDTH) {
			buf_add_string(out, "\n ");
			column = 1;
		}
		buf_add_string(out, " ");
		buf_add_string(out, *word);
		column += 1 + n;
	}
	if (command->other_words != NULL) {
		buf_add_string(out, ", or ");
		buf_add_string(out, command->other_words);
	}
	buf_add_string(out, "\n");
}

static void
add_examples(struct buf *out, const struct example *examples, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		add_help_row(out, examples[i].line, examples[i].purpose);
}

static void
add_program_usage(struct buf *out)
{
	buf_add_string(out,
	    "usage: viatty [OPTIONS] COMMAND [OPTIONS] [OPERANDS]\n"
	    "Reach the clipboard, title and notifications of your terminal from "
	    "anywhere:\nover ssh, inside tmux and GNU Screen.\n");
}

static void
add_commands(struct buf *out)
{
	size_t i;

	buf_add_string(out, "\nCommands (viatty help COMMAND tells more):\n");
	for (i = 0; commands[i] != NULL; i++)
		add_help_row(out, commands[i]->name, commands[i]->summary);
}

bool
help_summary(void)
{
	struct buf out;

	buf_init(&out, HELP_MAX);
	add_program_usage(&out);
	buf_add_string(&out, "\n");
	add_examples(&out, program_examples, PROGRAM_EXAMPLES);
	add_commands(&out);
	return print_help(STDERR_FILENO, &out);
}

bool
help_program(const struct option_spec *globals)
{
	struct buf out;

	buf_init(&out, HELP_MAX);
	add_program_usage(&out);
	add_commands(&out);
	add_options(&out, "\nOptions, before or after the command:\n", globals);
	buf_add_string(&out, "\nCalled as osc52 it is viatty copy; "
	    "other names are in viatty-names(7).\n"
	    "\nExamples; more are in viatty(1):\n");
	add_examples(&out, program_examples, PROGRAM_EXAMPLES);
	return print_help(STDOUT_FILENO, &out);
}

static void
add_usage(struct buf *out, const char *title, const char *operands,
    const char *line_usage, const char *summary)
{
	char line[256];

	snprintf(line, sizeof(line), "usage: %s [OPTIONS]%s%s\n", title,
	    operands != NULL ? " " : "", operands != NULL ? operands : "");
	buf_add_string(out, line);
	if (line_usage != NULL) {
		snprintf(line, sizeof(line), "       %s %s\n", title, line_usage);
		buf_add_string(out, line);
	}
	snprintf(line, sizeof(line), "%c%s.\n", summary[0] - 'a' + 'A', summary + 1);
	buf_add_string(out, line);
}

bool
help_command(const char *title, const struct command *command,
    const struct option_spec *globals)
{
	char line[256];
	struct buf out;

	buf_init(&out, HELP_MAX);
	add_usage(&out, title, command->operands, command->line_usage,
	    command->summary);
	add_operand_words(&out, command);
	add_options(&out, "\nOptions:\n", command->options);
	buf_add_string(&out, "\nOptions of viatty that it takes (viatty help explains "
	    "them):");
	add_option_names(&out, globals, command);
	snprintf(line, sizeof(line), "\nExamples; more are in viatty-%s(1):\n",
	    command->name);
	buf_add_string(&out, line);
	add_examples(&out, command->examples, EXAMPLES);
	return print_help(STDOUT_FILENO, &out);
}

bool
help_alias(const struct alias *alias)
{
	struct buf out;

	buf_init(&out, HELP_MAX);
	add_usage(&out, alias->name, alias->operands, NULL, alias->summary);
	add_options(&out, "\nOptions:\n", alias->options);
	buf_add_string(&out, "\nThis is viatty under another name; see "
	    "viatty-names(7). Examples:\n");
	add_examples(&out, alias->examples, EXAMPLES);
	return print_help(STDOUT_FILENO, &out);
}

bool
help_word(const struct program_word *word)
{
	struct buf out;

	buf_init(&out, HELP_MAX);
	buf_add_string(&out, "usage: viatty ");
	buf_add_string(&out, word->usage);
	buf_add_string(&out, "\n");
	buf_add_string(&out, word->details);
	return print_help(STDOUT_FILENO, &out);
}

bool
help_version(void)
{
	static const char version[] = "viatty " VERSION "\n";

	return stream_write(STDOUT_FILENO, version, sizeof(version) - 1);
}
