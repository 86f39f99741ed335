/* SPDX-License-Identifier: MIT */
#include "base/base.h"
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The state of the parser before the cursor. */
static struct {
	const struct command *command; /* or NULL */
	const struct option_spec *option; /* its value comes next, or NULL */
	bool ended;                    /* by -- */
	/* that command if from operand `line_at` on they are another command line, or NULL */
	const struct command *line;
	size_t operands;
} before;

/* The word to complete, from its byte `joined` on. */
static const char *current;
static size_t joined;

static struct buf out = { .max = BUF_NO_LIMIT };

static const struct option_spec *
long_option(const char *word)
{
	return option_by_name(word + 2, strcspn(word + 2, "="));
}

static void
take_options(const char *word)
{
	const struct option_spec *option = NULL;
	const char *at = word + 1, *value = NULL;

	while (*at != '\0') {
		option = option_next(word, &at, &value);
		if (option == NULL)
			return;
		if (option->kind == OPTION_FLAG && option->completion == COMPLETE_COMMAND)
			before.line = before.command;
	}
	before.option = value == NULL && option_takes_value(option) ? option : NULL;
}

static void
take_command(const char *name)
{
	before.command = command_find(name);
	if (before.command != NULL && before.command->completion == COMPLETE_COMMAND)
		before.line = before.command;
	options_of(before.command);
}

/* Prints a candidate if the word begins like it. */
static void
offer(const char *value, const char *description)
{
	if (strncmp(value, current + joined, strlen(current + joined)) == 0)
		buf_format(&out, "%.*s%s%s%s\n", (int)joined, current, value,
		    description[0] != '\0' ? "\t" : "", description);
}

/* Values of an option, or operands of a command. */
static void
offer_words(const char *const *words, enum completion completion)
{
	buf_add_string(&out, completion == COMPLETE_FILE ? "files\n" : "values\n");
	for (; words != NULL && *words != NULL; words++)
		offer(*words, "");
}

static void
offer_options(const struct option_spec *option)
{
	char name[64];
	size_t k;

	for (; option->kind != OPTION_END; option++) {
		if (before.command != NULL && !command_takes(before.command, option))
			continue;
		text_format(name, sizeof(name), "-%c", option->letter);
		if (option->letter != '\0')
			offer(name, option->help);
		text_format(name, sizeof(name), "--%s", option->name);
		offer(name, option->help);
		for (k = 0; option->kind == OPTION_MAYBE_WORD && option->words[k] != NULL; k++) {
			text_format(name, sizeof(name), "--%s=%s", option->name, option->words[k]);
			offer(name, option->help);
		}
	}
}

static void
offer_all(void)
{
	const struct command *command = before.command;
	size_t i;

	if (before.option == NULL && !before.ended && text_begins(current, "--") &&
	    strchr(current, '=') != NULL) {
		before.option = long_option(current);
		joined = before.option != NULL ? strcspn(current, "=") + 1 : 0;
	}
	if (before.option != NULL) {
		offer_words(before.option->words, before.option->completion);
	} else if (!before.ended && current[0] == '-') {
		buf_add_string(&out, "values\n");
		offer_options(global_options);
		if (command != NULL)
			offer_options(command->options);
	} else if (command != NULL && command != &command_help) {
		offer_words(command->words, command->completion);
	} else {
		buf_add_string(&out, "values\n");
		for (i = 0; commands[i] != NULL; i++)
			if (command == NULL || commands[i]->group != NULL)
				offer(commands[i]->name, commands[i]->summary);
	}
}

void
complete(int count, char **argv)
{
	const char *word;
	bool other;
	int i;

	if (count < 3)
		exit(STATUS_USAGE);
	current = argv[count - 1];
	options_of(NULL);
	/* the scripts are for viatty and osc52 */
	if (alias_find(argv[1]) != NULL)
		take_command("copy");
	for (i = 2; i < count; i++) {
		word = argv[i];
		other = before.line != NULL && before.operands == before.line->line_at &&
		    (before.ended || word[0] != '-');
		/* bash splits --option=value in three */
		if (strcmp(word, "=") == 0 && !before.ended && text_begins(argv[i - 1], "--")) {
			before.option = long_option(argv[i - 1]);
			current = i + 1 == count ? "" : current;
		} else if (before.option == NULL && other) {
			break;
		} else if (i + 1 == count) {
			continue;
		} else if (before.option != NULL) {
			before.option = NULL;
		} else if (!before.ended && strcmp(word, "--") == 0) {
			before.ended = true;
		} else if (!before.ended && word[0] == '-' && word[1] != '\0') {
			take_options(word);
		} else if (before.command != NULL) {
			before.operands++;
		} else {
			take_command(word);
		}
	}
	if (i < count)
		buf_format(&out, "command %d\n", i - 1);
	else
		offer_all();
	exit(stream_write(STDOUT_FILENO, out.data, out.len) ? STATUS_DONE : STATUS_FAILED);
}
