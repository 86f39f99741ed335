/* SPDX-License-Identifier: MIT */
/*
 * Signals while a terminal is in use: noted instead of deadly, so that
 * sequences are ended and modes restored before the process goes. Tty layer.
 */
#ifndef TTY_SIGNALS_H
#define TTY_SIGNALS_H

#include <stdbool.h>

/*
 * From here on SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGPIPE are noted and
 * interrupt a system call that waits; one that was ignored stays so. SIGTTOU
 * and SIGTSTP wait for signals_end(). With `tick_ms` other than 0 a call that waits
 * is interrupted again and again after so many milliseconds, too.
 *
 * It may be begun again before its end: then only the ticks change, and a signal
 * stays noted until the outermost signals_end().
 */
void signals_begin(unsigned tick_ms);

/* The first signal that was noted since signals_begin(), or 0; after signals_end(), too. */
int signals_signal(void);

/* Whether the person asked to stop the job (SIGTSTP waits). */
bool signals_stop_wanted(void);

/* Everything as before the signals_begin() that it ends. */
void signals_end(void);

/*
 * Ends it and begins it again, so that a SIGTSTP that waits stops the job in
 * between. What was noted stays noted.
 */
void signals_stop(unsigned tick_ms);

#endif
