/* SPDX-License-Identifier: MIT */
/*
 * Signals while a terminal is in use: noted instead of deadly, so that
 * sequences are ended and modes restored before the process goes. Tty layer.
 */
#ifndef TTY_WATCH_H
#define TTY_WATCH_H

#include <stdbool.h>

/*
 * From here on SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGPIPE are noted and
 * interrupt a system call that waits; one that was ignored stays so. SIGTTOU
 * and SIGTSTP wait for watch_end(). With `tick_ms` other than 0 a call that waits
 * is interrupted again and again after so many milliseconds, too.
 *
 * It may be begun again before its end: then only the ticks change, and a signal
 * stays noted until the outermost watch_end().
 */
void watch_begin(unsigned tick_ms);

/* The first signal that was noted since watch_begin(), or 0; after watch_end(), too. */
int watch_signal(void);

/* Whether the person asked to stop the job (SIGTSTP waits). */
bool watch_stop_wanted(void);

/* Everything as before the watch_begin() that it ends. */
void watch_end(void);

/*
 * Ends it and begins it again, so that a SIGTSTP that waits stops the job in
 * between. What was noted stays noted.
 */
void watch_stop(unsigned tick_ms);

#endif
