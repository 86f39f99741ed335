/* SPDX-License-Identifier: MIT */
/*
 * Finds the path from this process to the screen. The entry of the detect layer:
 * nothing below it is called from above, but for process and environment.
 */
#ifndef DETECT_DETECT_H
#define DETECT_DETECT_H

#include "base/error.h"
#include "detect/path.h"

/* Whether we came by ssh without a terminal, which `ssh -t` would give. */
bool detect_ssh_without_terminal(void);

/*
 * Fills `path`, which path_free() has to follow, also where this is false:
 * STATUS_NO_TERMINAL or STATUS_USAGE (for a --tty that is none), with what was tried.
 * Asks each tmux server at most once, reads nothing of /proc unless the environment
 * gives a reason to, and queries the terminal only if the request allows it and the
 * environment is inconclusive. A terminal that did not reply is not queried again.
 */
bool detect_path(struct path *path, const struct detect_request *request,
    struct error *error);

#endif
