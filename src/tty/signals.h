/* SPDX-License-Identifier: MIT */
/*
 * Signals while a terminal is in use: they are noted instead of ending the process, so
 * that sequences are closed and modes restored first. Tty layer.
 */
#ifndef TTY_SIGNALS_H
#define TTY_SIGNALS_H

#include <stdbool.h>

/*
 * Until signals_end(), SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGPIPE are noted and
 * interrupt system calls that block; an ignored signal stays ignored. SIGTTOU and
 * SIGTSTP are blocked. With `tick_ms` other than 0 system calls are also interrupted
 * every `tick_ms` milliseconds.
 *
 * Calls nest: an inner one changes only the tick, and a signal stays noted until the
 * outermost signals_end().
 */
void signals_begin(unsigned tick_ms);

/* The next tick comes after `tick_ms`, not 0, and so do those that follow. */
void signals_tick(unsigned tick_ms);

/* The first signal noted since signals_begin(), or 0; also after signals_end(). */
int signals_signal(void);

/* Whether SIGTSTP is pending. */
bool signals_stop_wanted(void);

/* Restores what the matching signals_begin() changed. */
void signals_end(void);

/* Ends and begins again, so that a pending SIGTSTP stops the job. Noted signals stay. */
void signals_stop(unsigned tick_ms);

#endif
