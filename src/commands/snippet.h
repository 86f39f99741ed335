/* SPDX-License-Identifier: MIT */
/*
 * The texts that setup prints: src/setup/NAME.*, built in as tables of lines
 * (see the Makefile), and the notation in which they say what depends on the
 * version of their program:
 *
 *	@>=3.2 LINE    LINE, for 3.2 and later; @<3.2 for what came before.
 *	               Several may stand in a row: all have to hold.
 *	@VERSION@      the version, within a line
 */
#ifndef COMMANDS_SNIPPET_H
#define COMMANDS_SNIPPET_H

#include "base/buf.h"

#include <stdbool.h>

#define SETUP(name, ...) extern const char *const snippet_##name[];
#include "commands/setup.def"
#undef SETUP

enum { VERSION_NAME = 16, VERSION_PARTS = 4 };

/* Versions that compare part by part; the letter of 3.3a is a part as well. */
struct version {
	char name[VERSION_NAME];       /* "3.3a" */
	unsigned part[VERSION_PARTS];
};

/* Later than all there are, for programs that do not tell theirs. */
extern const struct version version_newest;

/*
 * The first number with a point in it: "tmux next-3.4" and "NVIM v0.7.2\n..."
 * tell 3.4 and 0.7.2. False: there is none.
 */
bool version_find(struct version *version, const char *text);

/*
 * Whether `line` is for this version; `*line` is then moved to what is left of
 * it behind the conditions.
 */
bool snippet_applies(const char **line, const struct version *version);

/* Adds the text of a snippet, ended by NULL, for a version. Faults stay in `out`. */
void snippet_text(struct buf *out, const char *const *lines,
    const struct version *version);

#endif
