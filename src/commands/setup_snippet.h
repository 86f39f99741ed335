/* SPDX-License-Identifier: MIT */
/*
 * The configuration that setup prints: src/setup/NAME.*, compiled in as tables of lines
 * (see the Makefile). Lines that depend on the version of the program are written as:
 *
 *	@>=3.2 LINE    LINE, for 3.2 and later; @<3.2 for what came before.
 *	               Several conditions must all be true.
 *	@VERSION@      the version, within a line
 *	@VIATTY@       the path of viatty as a word of sh, quoted if necessary
 *	@PATH@         the same path, never quoted
 */
#ifndef COMMANDS_SETUP_SNIPPET_H
#define COMMANDS_SETUP_SNIPPET_H

#include "base/buf.h"
#include "base/version.h"

#include <stdbool.h>

#define SETUP(name, ...) extern const char *const snippet_##name[];
#include "commands/setup.def"
#undef SETUP

/* Whether `line` is for this version; if so, moves `*line` past the conditions. */
bool snippet_applies(const char **line, const struct version *version);

/* Whether the path of viatty is in a snippet, ended by NULL. */
bool snippet_has_path(const char *const *lines);

/*
 * Adds the text of a snippet, ended by NULL, for a version and the path of viatty from
 * own_path(). A failed addition is recorded in `out`.
 */
void snippet_text(struct buf *out, const char *const *lines,
    const struct version *version, const char *path);

#endif
