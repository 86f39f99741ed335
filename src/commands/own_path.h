/* SPDX-License-Identifier: MIT */
/* The path of this program, for configuration of programs with another PATH. */
#ifndef COMMANDS_OWN_PATH_H
#define COMMANDS_OWN_PATH_H

#include "base/buf.h"

#include <stdbool.h>

/*
 * Adds the absolute path of viatty and a NUL: the name in PATH that leads to the running
 * program, because an upgrade may move the file itself, else that file. "viatty" if
 * neither is known, or if the path has a character that a shell, tmux or an editor
 * interprets even in quotes: quotation marks, \ $ ` # % ~ ^ and control characters.
 * False in the last case.
 */
bool own_path(struct buf *out);

#endif
