/* SPDX-License-Identifier: MIT */
/*
 * Whether another program reads our terminal. Detect layer; by detect/process.h.
 *
 * A full-screen program (an editor, a file manager) may read keys while its child runs,
 * some in a thread: a reply to us would be keys to it, or text in its file. The
 * foreground process group does not tell them apart: the child is in the same one. So a
 * terminal that is not in canonical mode counts as read, unless the program that set the
 * mode is a shell: a shell waits for the command of a key binding, and does not read
 * (zsh widgets, bash bind -x, fish bind).
 */
#ifndef DETECT_READER_H
#define DETECT_READER_H

#include "tty/query.h"

/*
 * For `struct query`. Examines our ancestors on the terminal `fd`, the nearest first.
 * Shells that run a script or the command of -c, and programs that only start others
 * (sudo, env), are skipped. An interactive shell: nobody reads. Nor if no ancestor is
 * left and the last one is the session leader: the child of a shell that has ended has
 * lost the others. Other processes of a pipeline (a pager) are not examined. Any other
 * program reads. What is unknown counts as read. True: `reader` is its name, or "".
 */
bool reader_is_another(int fd, char reader[QUERY_READER]);

#endif
