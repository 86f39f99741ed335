/* SPDX-License-Identifier: MIT */
/*
 * The texts that setup prints: src/setup/NAME.*, built in as tables of lines
 * (see the Makefile), and the notation in which they say what depends on the
 * version of their program:
 *
 *	@>=3.2 LINE    LINE, for 3.2 and later; @<3.2 for what came before.
 *	               Several may stand in a row: all have to hold.
 *	@VERSION@      the version, within a line
 *	@VIATTY@       the path of viatty as a word of sh, in quotes if it needs them
 *	@PATH@         the same path as it is
 */
#ifndef COMMANDS_SETUP_SNIPPET_H
#define COMMANDS_SETUP_SNIPPET_H

#include "base/buf.h"
#include "base/version.h"

#include <stdbool.h>

#define SETUP(name, ...) extern const char *const snippet_##name[];
#include "commands/setup.def"
#undef SETUP

/*
 * Whether `line` is for this version; `*line` is then moved to what is left of
 * it behind the conditions.
 */
bool snippet_applies(const char **line, const struct version *version);

/*
 * Adds the text of a snippet, ended by NULL, for a version and the path of viatty
 * that own_path() gives. Faults stay in `out`.
 */
void snippet_text(struct buf *out, const char *const *lines,
    const struct version *version, const char *path);

#endif
