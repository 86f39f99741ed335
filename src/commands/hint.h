/* SPDX-License-Identifier: MIT */
/*
 * Hints that work as they stand under the names of other programs. They name options of
 * viatty, which `xclip` does not take.
 */
#ifndef COMMANDS_HINT_H
#define COMMANDS_HINT_H

#include "base/buf.h"

/*
 * Adds the hint and a NUL. Each option in it becomes its variable, VIATTY_TTY=DEVICE, or
 * without one that of the command: "viatty copy --force".
 */
void hint_translate(struct buf *out, const char *hint, const char *command);

#endif
