/* SPDX-License-Identifier: MIT */
/*
 * The command line: options, other names of the program, help and completions, all driven by
 * tables. Errors end the program by die().
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "commands/command.h"

#include <stdbool.h>
#include <stddef.h>

/* ---- options (options.c) ----------------------------------------------------- */

enum option_syntax {
	READ_ANYWHERE,      /* options are allowed anywhere before `--` */
	READ_UNTIL_OPERAND, /* the options end at the first operand */
	READ_ONE_DASH       /* anywhere; a long name may follow a single dash */
};

/*
 * Parses the options in `argv` (argv[0] is skipped) and stores their values as the tables
 * specify. A long name may be abbreviated to a unique prefix. Reorders argv and returns the
 * index of the first operand; values are borrowed from argv.
 */
int options_read(int argc, char **argv, const struct option_spec *const tables[],
    enum option_syntax syntax);

/* Checks the column `not_with` of the options that were given. */
void options_check(const struct option_spec *const tables[]);

/* Whether it was given, on the command line or by a variable. */
bool option_given(const struct option_spec *option);

/* Stores a value of its variable like one from the command line. */
void option_from_environment(const struct option_spec *option, const char *value);

/*
 * The next option of the argument `word`, or NULL if it is unknown. `*at` is what is left of
 * the letters in `word`, all at first; at its end there is no other option. `*value` is the
 * value joined to the option, or NULL.
 */
const struct option_spec *option_next(const struct option_spec *const tables[],
    enum option_syntax syntax, const char *word, const char **at, const char **value);

/* The option with that name or unique prefix of `n` bytes, or NULL. */
const struct option_spec *option_by_name(const struct option_spec *const tables[],
    const char *name, size_t n);

/* Whether it requires a value, which may be the next argument. */
bool option_takes_value(const struct option_spec *option);

/* ---- the global options (globals.c) ------------------------------------------ */

extern const struct option_spec global_options[];

/* Checks the global options for the command, and sets defaults from the environment. */
void read_globals(const struct command *command);

/* ---- other names (aliases.c, hint.c) ----------------------------------------- */

/*
 * Symbolic links to the program: osc52 is viatty copy; command lines of the clipboard
 * programs and notify-send are translated to one of viatty. See viatty-names(7).
 */

/* A command line for viatty, where argv[0] is the command; grows as needed. */
struct words {
	char **word;
	int count;
};

struct alias {
	const char *name;    /* NULL ends the table */
	const char *command; /* runs with the same command line; or NULL, then: */
	const char *operands, *summary; /* as in struct command; NULL: no operands */
	const struct option_spec *options; /* those of the other program */
	enum option_syntax syntax;
	struct example examples[EXAMPLES];
	void (*translate)(void); /* called after the options are read */
};

extern const struct alias aliases[];

/* The help text of ignored and of refused options. */
#define OPTION_IGNORED "has no effect"
#define OPTION_UNSUPPORTED "not supported"

/* The row for argv[0], which may be a path, or NULL. */
const struct alias *alias_find(const char *argv0);

/*
 * Parses a command line with the options of `alias` and translates it. Dies with
 * STATUS_USAGE if the command line is wrong, with STATUS_REFUSED if no terminal can do that;
 * ends as well after --help or --version.
 */
struct words alias_translate(const struct alias *alias, int argc, char **argv);

/*
 * Rewrites a hint: options become variables where possible, and others become options of
 * `viatty COMMAND`. The result is valid until the next call.
 */
const char *hint_translate(const char *hint);

/* ---- help (help.c, complete.c) ------------------------------------------------ */

#define VERSION "0.1.0"

enum { PROGRAM_EXAMPLES = 3 };
extern const struct example program_examples[PROGRAM_EXAMPLES];

/* Accepted in place of a command, NULL-terminated: help and version. */
extern const char *const program_words[];

_Noreturn void help_program(void);
/* `title` is the name under which it was called. */
_Noreturn void help_command(const char *title, const struct command *command);
_Noreturn void help_alias(const struct alias *alias);
/* For one of program_words, or `options`: the global ones. */
_Noreturn void help_word(const char *word);
_Noreturn void help_version(bool json);

/*
 * Prints completions for the scripts in completions/: argv[0] is the shell, argv[1] the
 * program, and the last one is to be completed. Prints "values" and a line for each, with
 * its description after a tab; "files"; or "command N", where N is the index, counted from
 * argv[1], at which another command line begins.
 */
_Noreturn void complete(int count, char **argv);

#endif
