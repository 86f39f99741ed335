/* SPDX-License-Identifier: MIT */
/*
 * Finds the path from this process to the screen: the entry of the detect layer. Of its
 * other files only process and environment are called from outside.
 */
#ifndef DETECT_DETECT_H
#define DETECT_DETECT_H

#include "base/error.h"
#include "detect/path.h"

/* Whether this is an ssh session without a terminal, which `ssh -t` would allocate. */
bool detect_ssh_without_terminal(void);

/*
 * Fills `path`. Always call path_free() afterwards, also after false: STATUS_NO_TERMINAL
 * with what was tried, or STATUS_USAGE for a --tty that is no terminal. Asks each tmux
 * server at most once, reads /proc only if the environment gives a reason to, and queries
 * the terminal only if the request allows it and the environment is inconclusive. A
 * terminal that did not reply is not queried again.
 */
bool detect_path(struct path *path, const struct detect_request *request,
    struct error *error);

#endif
