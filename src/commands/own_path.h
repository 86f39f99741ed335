/* SPDX-License-Identifier: MIT */
/* Where this program is, for settings of programs that have another PATH. */
#ifndef COMMANDS_OWN_PATH_H
#define COMMANDS_OWN_PATH_H

#include "base/buf.h"

/*
 * Adds the absolute path of viatty and a NUL: the name in PATH that leads to the
 * running program, because the file itself may be another at the next upgrade,
 * else that file. Just "viatty" where neither is known, or where the path holds a
 * character that a shell, tmux or an editor would not take literally within
 * quotes: quotation marks, \ $ ` # % ~ ^ and controls.
 */
void own_path(struct buf *out);

#endif
