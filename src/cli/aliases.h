/* SPDX-License-Identifier: MIT */
/*
 * Other names of the program, for links to it: osc52, which is viatty copy, and the
 * clipboard programs and notify-send, which scripts and editors call, whose command lines
 * are translated to one of viatty. viatty-names(7) describes them.
 */
#ifndef CLI_ALIASES_H
#define CLI_ALIASES_H

#include "base/error.h"
#include "cli/arguments.h"
#include "cli/options.h"
#include "commands/command.h"

#include <stdbool.h>
#include <stddef.h>

struct alias {
	const char *name;
	const char *command; /* takes the command line as it is; or NULL, then: */
	const char *operands, *summary; /* as in struct command */
	const struct option_spec *options; /* those of the other program */
	enum option_syntax syntax;
	struct example examples[EXAMPLES];
	/* Translates the options, read before, and `count` operands; false: STATUS_USAGE. */
	bool (*translate)(struct arguments *arguments, size_t count, char **operand,
	    struct error *error);
};

/* Ended by a row without a name. */
extern const struct alias aliases[];

/* The row for argv[0], which may be a path, or NULL. */
const struct alias *alias_find(const char *argv0);

/*
 * Reads a command line by the options of `alias`, which may reorder it, and translates
 * it. No arguments at all: help or, with `*wants_version`, the version was asked for.
 * The arguments are borrowed from argv. False: STATUS_USAGE for an invalid command line,
 * STATUS_REFUSED for what no terminal can do, STATUS_FAILED for no memory.
 */
bool alias_translate(const struct alias *alias, int argc, char **argv,
    struct arguments *arguments, bool *wants_version, struct error *error);

#endif
