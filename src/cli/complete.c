/* SPDX-License-Identifier: MIT */
#include "base/base.h"
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The result of parsing the words before the cursor. */
static struct {
	const struct option_spec *tables[3]; /* the options so far */
	const struct command *command; /* or NULL */
	const char *program_word;      /* instead of a command: help, version */
	const struct option_spec *option; /* its value comes next, or NULL */
	bool ended;                    /* by -- */
	bool line;     /* from operand `line_at` on they are another command line */
	size_t operands;
} before = { .tables = { global_options } };

static struct buf out = { .max = BUF_NO_LIMIT };

/* ---- the line before the cursor --------------------------------------------- */

static const struct option_spec *
long_option(const char *word)
{
	return option_by_name(before.tables, word + 2, strcspn(word + 2, "="));
}

/* Parses options: letters may be combined, and the last value may be the next argument. */
static void
take_options(const char *word)
{
	bool is_long = word[1] == '-', has_value = is_long && strchr(word, '=') != NULL;
	const struct option_spec *option = NULL;
	const char *at = word + 1;

	for (; *at != '\0' && !has_value; at = is_long ? "" : at + 1) {
		option = is_long ? long_option(word) : option_by_letter(before.tables, *at);
		if (option == NULL)
			return;
		if (option->kind == OPTION_FLAG && option->completion == COMPLETE_COMMAND)
			before.line = true;
		has_value = !is_long && at[1] != '\0' && option->argument != NULL;
	}
	if (option != NULL && option_takes_value(option) && !has_value)
		before.option = option;
}

static void
take_command(const struct command *command)
{
	before.command = command;
	before.tables[1] = command != NULL ? command->options : NULL;
	before.line = command != NULL && command->completion == COMPLETE_COMMAND;
}

static void
take_operand(const char *word)
{
	if (before.command != NULL || before.program_word != NULL) {
		before.operands++;
		return;
	}
	before.program_word = text_is_among(word, program_words) ? word : NULL;
	take_command(command_find(word));
}

/* ---- candidates ------------------------------------------------------------- */

/* Prints a candidate if it begins with `current` from its byte `joined` on. */
static void
offer(const char *value, const char *description, const char *current, size_t joined)
{
	if (strncmp(value, current + joined, strlen(current + joined)) == 0)
		buf_format(&out, "%.*s%s%s%s\n", (int)joined, current, value,
		    description[0] != '\0' ? "\t" : "", description);
}

static void
offer_words(const char *const *words, const char *current, size_t joined)
{
	for (; words != NULL && *words != NULL; words++)
		offer(*words, "", current, joined);
}

static void
offer_options(const struct option_spec *option, const char *current)
{
	char name[64];
	size_t i;

	for (; option->kind != OPTION_END; option++) {
		if (before.command != NULL && !command_takes(before.command, option))
			continue;
		text_format(name, sizeof(name), "-%c", option->letter);
		if (option->letter != '\0')
			offer(name, option->help, current, 0);
		text_format(name, sizeof(name), "--%s", option->name);
		offer(name, option->help, current, 0);
		for (i = 0; option->kind == OPTION_MAYBE_WORD && option->words[i] != NULL; i++) {
			text_format(name, sizeof(name), "--%s=%s", option->name, option->words[i]);
			offer(name, option->help, current, 0);
		}
	}
}

static void
offer_values(const struct option_spec *option, const char *current, size_t joined)
{
	const struct terminal *terminal;
	const struct terminal_name *name;

	buf_add_string(&out, option->completion == COMPLETE_FILE ? "files\n" : "values\n");
	offer_words(option->words, current, joined);
	if (option->completion != COMPLETE_TERMINAL)
		return;
	for (terminal = terminals; terminal->id[0] != '\0'; terminal++)
		offer(terminal->id, "", current, joined);
	for (name = terminal_names; name->word[0] != '\0'; name++)
		offer(name->word, "", current, joined);
}

static void
offer_commands(const char *current, bool all)
{
	size_t i;

	buf_add_string(&out, "values\n");
	for (i = 0; commands[i] != NULL; i++)
		offer(commands[i]->name, commands[i]->summary, current, 0);
	if (all) {
		offer("help", "print this help, or that of a command", current, 0);
		offer("version", "print the version", current, 0);
	}
}

static void
offer_all(const char *current)
{
	const struct command *command = before.command;
	size_t joined = strcspn(current, "=") + 1;

	if (before.option == NULL && !before.ended && strncmp(current, "--", 2) == 0 &&
	    joined <= strlen(current) && long_option(current) != NULL) {
		offer_values(long_option(current), current, joined);
	} else if (before.option != NULL) {
		offer_values(before.option, current, 0);
	} else if (!before.ended && current[0] == '-') {
		buf_add_string(&out, "values\n");
		offer_options(global_options, current);
		if (command != NULL)
			offer_options(command->options, current);
	} else if (command == NULL && before.program_word == NULL) {
		offer_commands(current, true);
	} else if (command == NULL) {
		if (strcmp(before.program_word, "help") == 0)
			offer_commands(current, false);
	} else {
		buf_add_string(&out, command->words == NULL &&
		    command->completion == COMPLETE_FILE ? "files\n" : "values\n");
		offer_words(command->words, current, 0);
	}
}

void
complete(int count, char **argv)
{
	const char *slash, *current;
	bool other;
	int i;

	if (count < 3)
		exit(STATUS_USAGE);
	current = argv[count - 1];
	slash = strrchr(argv[1], '/');
	if (strcmp(slash != NULL ? slash + 1 : argv[1], "osc52") == 0)
		take_command(command_find("copy"));
	for (i = 2; i < count; i++) {
		other = before.line && before.operands == before.command->line_at &&
		    (before.ended || argv[i][0] != '-');
		/* bash splits --option=value in three */
		if (strcmp(argv[i], "=") == 0 && !before.ended && i > 2 &&
		    strncmp(argv[i - 1], "--", 2) == 0) {
			before.option = long_option(argv[i - 1]);
			current = i + 1 == count ? "" : current;
		} else if (before.option == NULL && other) {
			break;
		} else if (i + 1 == count) {
			continue;
		} else if (before.option != NULL) {
			before.option = NULL;
		} else if (before.ended || argv[i][0] != '-' || argv[i][1] == '\0') {
			take_operand(argv[i]);
		} else if (strcmp(argv[i], "--") == 0) {
			before.ended = true;
		} else {
			take_options(argv[i]);
		}
	}
	if (i < count)
		buf_format(&out, "command %d\n", i - 1);
	else
		offer_all(current);
	exit(stream_write(STDOUT_FILENO, out.data, out.len) ? STATUS_DONE : STATUS_FAILED);
}
