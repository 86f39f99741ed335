/* SPDX-License-Identifier: MIT */
/* Waiting for descriptors: the only place that calls poll(2) or select(2). Base layer. */
#ifndef BASE_WAIT_H
#define BASE_WAIT_H

#include <poll.h>
#include <stddef.h>

/*
 * As poll(): the number of `ends` that something has happened to, 0 when the time is over,
 * -1 with errno. A descriptor below 0 is left out; `timeout_ms` below 0 is no limit. Of
 * `events` POLLIN and POLLOUT are known. An end of file and a closed reader are told as
 * either of them, or as POLLHUP or POLLERR.
 *
 * By select() on macOS, whose poll() says POLLNVAL of /dev/tty at once, so that a loop
 * around it would spin; there a descriptor beyond FD_SETSIZE (1024) goes by poll().
 */
int wait_on(struct pollfd *ends, size_t count, int timeout_ms);

/* The same by select(), on any system; for the one that needs it, and for its test. */
int wait_by_select(struct pollfd *ends, size_t count, int timeout_ms);

#endif
