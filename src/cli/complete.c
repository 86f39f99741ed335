/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include <string.h>
#include <unistd.h>

/* The words before the cursor, and the one to complete. */
struct completing {
	const struct command *command;   /* or NULL */
	int named;                       /* the index of its name */
	const struct option_spec *waits; /* the option whose value comes next, or NULL */
	bool ended;                      /* by -- */
	bool line; /* the operands from `line_at` on are another command line */
	size_t operands;
	const char *word; /* to complete, from its byte `joined` on */
	size_t joined;
	struct buf out;
};

static const struct option_spec *
long_option(const struct completing *c, const char *word)
{
	return option_by_name(c->command, word + 2, strcspn(word + 2, "="));
}

static void
read_options(struct completing *c, const char *word)
{
	const struct option_spec *option = NULL;
	const char *at = word + 1, *value = NULL;

	while (*at != '\0') {
		option = option_next(c->command, word, &at, &value);
		if (option == NULL)
			return;
		if (option->kind == OPTION_FLAG && option->completion == COMPLETE_COMMAND)
			c->line = c->command != NULL;
	}
	c->waits = value == NULL && option_takes_value(option) ? option : NULL;
}

/* Prints a candidate if the word begins like it. */
static void
offer(struct completing *c, const char *value, const char *description)
{
	if (text_begins(value, c->word + c->joined))
		buf_format(&c->out, "%.*s%s%s%s\n", (int)c->joined, c->word, value,
		    description[0] != '\0' ? "\t" : "", description);
}

/* Values of an option, or operands of a command. */
static void
offer_words(struct completing *c, const char *const *words, enum completion completion)
{
	buf_add_string(&c->out, completion == COMPLETE_FILE ? "files\n" : "values\n");
	for (; words != NULL && *words != NULL; words++)
		offer(c, *words, "");
}

static void
offer_option(struct completing *c, const struct option_spec *option)
{
	const char *const *word = option->alone != NULL ? option->words : NULL;
	char name[64];

	text_format(name, sizeof(name), "-%c", option->letter);
	if (option->letter != '\0')
		offer(c, name, option->help);
	text_format(name, sizeof(name), "--%s", option->name);
	offer(c, name, option->help);
	for (; word != NULL && *word != NULL; word++) {
		text_format(name, sizeof(name), "--%s=%s", option->name, *word);
		offer(c, name, option->help);
	}
}

static void
offer_all(struct completing *c)
{
	const struct command *command = c->command;
	const struct option_spec *option;
	bool another = command != NULL && command->operands != NULL &&
	    (c->operands == 0 || strstr(command->operands, "...") != NULL);
	size_t i;

	if (c->waits == NULL && !c->ended && text_begins(c->word, "--") &&
	    strchr(c->word, '=') != NULL) {
		c->waits = long_option(c, c->word);
		c->joined = c->waits != NULL ? strcspn(c->word, "=") + 1 : 0;
	}
	if (c->waits != NULL) {
		offer_words(c, c->waits->named != NULL ? c->waits->named : c->waits->words,
		    c->waits->completion);
	} else if (!c->ended && c->word[0] == '-') {
		buf_add_string(&c->out, "values\n");
		for (i = 0; (option = option_at(command, i)) != NULL; i++)
			if (command_takes(command, option))
				offer_option(c, option);
	} else if (command != NULL && command != &command_help) {
		offer_words(c, another ? command->words : NULL, command->completion);
	} else {
		buf_add_string(&c->out, "values\n");
		for (i = 0; commands[i] != NULL; i++)
			if (command == NULL || commands[i]->group != NULL)
				offer(c, commands[i]->name, commands[i]->summary);
	}
}

int
complete(int count, char **argv)
{
	static struct completing c = { .out = BUF_EMPTY };
	const char *word;
	int i;

	if (count < 3)
		return STATUS_USAGE;
	c.word = argv[count - 1];
	/* the scripts are for viatty and osc52, which is viatty copy */
	for (i = alias_find(argv[1]) != NULL ? 1 : 2; i < count; i++) {
		word = i > 1 ? argv[i] : "copy";
		/* bash splits --option=value in three */
		if (strcmp(word, "=") == 0 && !c.ended && text_begins(argv[i - 1], "--")) {
			c.waits = long_option(&c, argv[i - 1]);
			c.word = i + 1 == count ? "" : c.word;
		} else if (c.waits == NULL && c.line && c.operands == c.command->line_at &&
		    (c.ended || word[0] != '-')) {
			break;
		} else if (i + 1 == count) {
			continue;
		} else if (c.waits != NULL) {
			c.waits = NULL;
		} else if (!c.ended && strcmp(word, "--") == 0) {
			c.ended = true;
		} else if (!c.ended && word[0] == '-' && word[1] != '\0') {
			read_options(&c, word);
		} else if (c.command != NULL) {
			c.operands++;
		} else {
			c.command = command_find(word);
			c.named = i;
			c.line = c.command != NULL && c.command->completion == COMPLETE_COMMAND;
		}
	}
	/* of the program of its name, from there on */
	if (c.command != NULL && c.command->is_program && (i < count || !text_begins(c.word, "--")))
		buf_format(&c.out, "command %d\n", c.named - 1);
	else if (i < count)
		buf_format(&c.out, "command %d\n", i - 1);
	else
		offer_all(&c);
	return stream_write(STDOUT_FILENO, c.out.data, c.out.len) ? STATUS_DONE : STATUS_FAILED;
}
