/* SPDX-License-Identifier: MIT */
/*
 * A child that tells a write(2) that waits for a terminal from one that goes on, without
 * cutting it short. Tty layer.
 *
 * A write returns early for a signal only, and then another writer can get in before the
 * next one. So the child looks at us instead: a write that waits is woken whenever the
 * terminal has read, and sleeps again, which the system counts.
 */
#ifndef TTY_STALL_WATCH_H
#define TTY_STALL_WATCH_H

#include <stdbool.h>

/*
 * From now on a write that has not been woken for `limit_ms` is interrupted by SIGALRM,
 * for which there must be a handler; a tenth more may pass. False: there is no such
 * child, or the system does not count.
 */
bool stall_watch_begin(unsigned limit_ms);

/* Whether it has found that nothing moves. */
bool stall_watch_found(void);

/* Also without a child. */
void stall_watch_end(void);

#endif
