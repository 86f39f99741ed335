/* SPDX-License-Identifier: MIT */
/*
 * Who else reads our terminal. Detect layer; by detect/process.h.
 *
 * A program that owns the screen (an editor, a file manager) reads keys while
 * its child runs, some in a thread: a reply to us would be keys to it, or text in
 * its file. Neither the foreground nor the process group tells: the child is in
 * the same group. What tells is that the terminal is not in canonical mode, and
 * that the program which made it so is no shell: a shell waits for the command of
 * a key binding, and does not read (zsh widgets, bash bind -x, fish bind).
 */
#ifndef DETECT_READER_H
#define DETECT_READER_H

#include "tty/query.h"

/*
 * For `struct query`. Looks at our ancestors on the terminal `fd`, the nearest
 * first. Shells that run a script or the command of -c, and programs that only
 * start others (sudo, env), are passed over. An interactive shell: nobody reads.
 * Neither where no ancestor is left, if the last one leads the session: the child of
 * a shell that has ended has lost the others. Programs beside us in a pipeline (a
 * pager) are not looked at. Any other program reads. What cannot be found out
 * counts as read.
 */
bool reader_is_another(int fd, char reader[QUERY_READER]);

#endif
