/* SPDX-License-Identifier: MIT */
/* Help texts, from the tables. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/aliases.h"
#include "commands/command.h"

#include <stdbool.h>

#define VERSION "0.1.0"

/* Words in the place of a command: they print help or the version, and have no page. */
struct program_word {
	const char *name;    /* NULL ends the table */
	const char *summary; /* as in struct command */
	const char *usage;   /* the command line, without the program's name */
	const char *details; /* sentences that replace the summary in its own help */
};
extern const struct program_word program_words[];

enum { PROGRAM_EXAMPLES = 3 };
extern const struct example program_examples[PROGRAM_EXAMPLES];

/* The answer to a call without arguments, on standard error. False: errno. */
bool help_summary(void);

/* These print to standard output. False: errno. */
bool help_program(const struct option_spec *globals);

/* `title` is the name it was called by. Of `globals` it names those that it takes. */
bool help_command(const char *title, const struct command *command,
    const struct option_spec *globals);

/* Of an alias with options of its own. */
bool help_alias(const struct alias *alias);

bool help_word(const struct program_word *word);

bool help_version(void);

#endif
