/* SPDX-License-Identifier: MIT */
/*
 * The command line: options, other names of the program, help and completions, all driven by
 * tables. Errors end the program by die(). A file of this layer includes this header alone: it
 * brings those of the layers below.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "commands/command.h"

/* ---- commands and options (options.c) ---------------------------------------- */

/* All commands in the order of the help, at last help; NULL-terminated. */
extern const struct command *const commands[];

/* The command of that name, or NULL. */
const struct command *command_find(const char *name);

/* The same, but dies if there is none. From then on messages begin with the name. */
const struct command *command_choose(const char *word);

/* The row of `aliases` for argv[0], which may be a path, or NULL. */
const struct command *alias_find(const char *argv0);

/* Whether it accepts this global option. Without a command, all are accepted. */
bool command_takes(const struct command *command, const struct option_spec *option);

extern const struct option_spec global_options[];

/*
 * Parses the command line of a command, and stores the values of its options and of the global
 * ones. Another name of the program has only options of its own. With NULL, the global options
 * before a command are read, and that is the first operand.
 *
 * A long name may be abbreviated to a unique prefix. Options are allowed anywhere before `--`,
 * but end where a command line begins. Operands and values are borrowed from argv, where the
 * operands are moved to the front.
 */
struct call options_read(const struct command *command, char **argv);

/* Checks the options that were given against each other and against the command, or dies. */
void globals_check(const struct command *command);

/* The same, and sets defaults of the global ones from the environment. */
void globals_read(const struct command *command);

/*
 * The options that options_read() reads, by their index: the global ones, and those of the command.
 * NULL after the last.
 */
const struct option_spec *option_at(const struct command *command, size_t i);

/*
 * The next option of the argument `word`, or NULL if it is unknown. `*at` is what is left of
 * the letters in `word`, all at first; at its end there is no other option. `*value` is the
 * value joined to the option, or NULL.
 */
const struct option_spec *option_next(const struct command *command, const char *word,
    const char **at, const char **value);

/* The option with that name or unique prefix of `n` bytes, or NULL. */
const struct option_spec *option_by_name(const struct command *command, const char *name,
    size_t n);

/* Whether it requires a value, which may be the next argument. */
bool option_takes_value(const struct option_spec *option);

/* ---- other names (aliases.c) -------------------------------------------------- */

/*
 * The names of symbolic links to the program, see viatty-names(7). osc52 is viatty copy: its row
 * has no `becomes`. The options of clipboard programs and of notify-send set those of copy, paste
 * or notify. The last row has no name.
 */
extern const struct command aliases[];

/* The help text of ignored and of refused options. */
#define OPTION_IGNORED "has no effect"
#define OPTION_UNSUPPORTED "not supported"

/*
 * The command that `alias` becomes, after its options were read; sets the options of that
 * command, and its operands in `call`. From then on hints say whose options they name. Dies
 * with STATUS_USAGE if the command line is wrong, with STATUS_REFUSED if no terminal can do
 * that; ends as well after --help or --version.
 */
const struct command *alias_command(const struct command *alias, struct call *call);

/* ---- help (help.c, complete.c) ------------------------------------------------ */

/*
 * An address or a URL where security holes are reported. The publisher of viatty fills it in and
 * runs `make generated`, which writes it into SECURITY.md and CONTRIBUTING.md.
 */
#define CONTACT ""

enum { PROGRAM_EXAMPLES = 3 };
extern const struct example program_examples[PROGRAM_EXAMPLES];

extern const struct command command_help;

_Noreturn void help_program(void);
/* Of a command or another name, under the name that messages begin with. */
_Noreturn void help_command(const struct command *command);
_Noreturn void help_version(void);

/*
 * Prints completions for the scripts in completions/. argv[0] is the shell, argv[1] the
 * program, and the last word is to be completed. The first line says what follows:
 *
 *   values      a line for each, with its description after a tab
 *   files       nothing
 *   command N   another command line, which begins at the index N, counted from argv[1]
 *
 * Returns the exit status.
 */
int complete(int count, char **argv);

#endif
