/* SPDX-License-Identifier: MIT */
/*
 * The other names the program can be called by, through a link: osc52, which
 * is a command of ours, and the clipboard programs that scripts and editors
 * look for. Their command lines are put into the words of ours, which then
 * goes the ordinary way; viatty-names(7) describes them.
 */
#ifndef CLI_ALIASES_H
#define CLI_ALIASES_H

#include "base/error.h"
#include "cli/options.h"
#include "commands/command.h"

#include <stdbool.h>
#include <stddef.h>

/* A command line of ours, made from another program's. */
struct words {
	char **word; /* the command's name first; never freed: keep it reachable */
	int count;
};

struct alias {
	const char *name;
	const char *command; /* takes the command line as it is; or NULL, then: */
	const char *operands, *summary; /* as in struct command */
	const struct option_spec *options;   /* those of the other program */
	enum reading reading;
	/* Says what was asked for; false: STATUS_USAGE or STATUS_REFUSED. */
	bool (*translate)(struct words *words, size_t count, char **operand,
	    struct error *error);
};

/* All of them, ended by a row without a name. The first is osc52. */
extern const struct alias aliases[];

/* The row for argv[0], which may be a path, or NULL. */
const struct alias *alias_find(const char *argv0);

/*
 * Reads a command line by the row's options, which may reorder it, and gives
 * it in our words; with no words at all, help or the version was asked for.
 * The words are borrowed from argv. False: STATUS_USAGE with what is wrong,
 * STATUS_REFUSED with what no terminal can do.
 */
bool alias_translate(const struct alias *name, int argc, char **argv,
    struct words *words, bool *wants_version, struct error *error);

#endif
