/* SPDX-License-Identifier: MIT */
#include "base/base.h"
#include "cli/cli.h"

#include <string.h>
#include <unistd.h>

/* The state of the parser before the cursor. */
static const struct command *command;   /* or NULL */
static bool line; /* its operands from `line_at` on are another command line */
static const struct option_spec *waits; /* the option whose value comes next, or NULL */
static bool ended;                      /* by -- */
static size_t operands;

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
			line = true;
	}
	waits = value == NULL && option_takes_value(option) ? option : NULL;
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
offer_option(const struct option_spec *option)
{
	char name[64];
	size_t k;

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

static void
offer_all(void)
{
	const struct option_spec *const *option = options_of(command);
	size_t i;

	if (waits == NULL && !ended && text_begins(current, "--") &&
	    strchr(current, '=') != NULL) {
		waits = long_option(current);
		joined = waits != NULL ? strcspn(current, "=") + 1 : 0;
	}
	if (waits != NULL) {
		offer_words(waits->words, waits->completion);
	} else if (!ended && current[0] == '-') {
		buf_add_string(&out, "values\n");
		for (; *option != NULL; option++)
			if (command == NULL || command_takes(command, *option))
				offer_option(*option);
	} else if (command != NULL && command != &command_help) {
		offer_words(command->words, command->completion);
	} else {
		buf_add_string(&out, "values\n");
		for (i = 0; commands[i] != NULL; i++)
			if (command == NULL || commands[i]->group != NULL)
				offer(commands[i]->name, commands[i]->summary);
	}
}

int
complete(int count, char **argv)
{
	const char *word;
	int i;

	if (count < 3)
		return STATUS_USAGE;
	current = argv[count - 1];
	options_of(NULL);
	/* the scripts are for viatty and osc52, which is viatty copy */
	for (i = alias_find(argv[1]) != NULL ? 1 : 2; i < count; i++) {
		word = i > 1 ? argv[i] : "copy";
		/* bash splits --option=value in three */
		if (strcmp(word, "=") == 0 && !ended && text_begins(argv[i - 1], "--")) {
			waits = long_option(argv[i - 1]);
			current = i + 1 == count ? "" : current;
		} else if (waits == NULL && line && operands == command->line_at &&
		    (ended || word[0] != '-')) {
			break;
		} else if (i + 1 == count) {
			continue;
		} else if (waits != NULL) {
			waits = NULL;
		} else if (!ended && strcmp(word, "--") == 0) {
			ended = true;
		} else if (!ended && word[0] == '-' && word[1] != '\0') {
			take_options(word);
		} else if (command != NULL) {
			operands++;
		} else {
			command = command_find(word);
			line = command != NULL && command->completion == COMPLETE_COMMAND;
			options_of(command);
		}
	}
	if (i < count)
		buf_format(&out, "command %d\n", i - 1);
	else
		offer_all();
	return stream_write(STDOUT_FILENO, out.data, out.len) ? STATUS_DONE : STATUS_FAILED;
}
