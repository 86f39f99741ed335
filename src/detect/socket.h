/* SPDX-License-Identifier: MIT */
/*
 * The owner of a server's socket, and whether to connect to it. Detect layer.
 *
 * A client trusts its server: tmux's client starts the program that its server names
 * (MSG_EXEC and MSG_SHELL in client.c of tmux) and sends it its environment. So only a
 * process of the socket's owner connects to it.
 */
#ifndef DETECT_SOCKET_H
#define DETECT_SOCKET_H

#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

enum { SOCKET_PATH = 108 }; /* sun_path of unix(7) */

struct socket {
	char path[SOCKET_PATH]; /* without symbolic links */
	uid_t owner;
};

/*
 * Looks at the socket `path` without connecting to it. True: a process of `owner` may
 * connect to the path in `socket`. False, with the reason: STATUS_FAILED, it is no socket
 * (nor is a symbolic link to one); STATUS_REFUSED, it is not accessible, belongs to
 * another user while we are not root, or could be replaced by a user other than its owner
 * and root.
 */
bool socket_look(struct socket *socket, const char *path, struct error *error);

#endif
