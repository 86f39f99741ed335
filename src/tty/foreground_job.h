/* SPDX-License-Identifier: MIT */
/*
 * Runs a command in the foreground as the shell that started us would, so that
 * something can be done before, meanwhile and after. Tty layer.
 */
#ifndef TTY_FOREGROUND_JOB_H
#define TTY_FOREGROUND_JOB_H

#include "base/error.h"

#include <stdbool.h>

/* The status of an error: there is no such program. */
enum { FOREGROUND_JOB_NOT_FOUND = 127 };

struct foreground_job_end {
	int status; /* exit status, 128 + n for signal n */
	/*
	 * SIGINT if it died of that, or the signal that kept it from being started; else
	 * 0. The caller has to die of it, too: a loop of a shell ends only if its command
	 * died of SIGINT.
	 */
	int signal;
	long long ms; /* from the start of the job to its end; 0: it was not started */
};

/*
 * What the caller does around the job; a function that is NULL is left out. A signal
 * cannot end us between the first of them and the last, so what `begin` set is always
 * put back by `end`.
 */
struct foreground_job_hooks {
	/* before the job starts; false: it is not started */
	bool (*begin)(void *context);
	/* every `every_ms` milliseconds, but not while the job is stopped */
	void (*tick)(void *context);
	unsigned every_ms;
	/* the job was stopped, and we stop next; or it was continued */
	void (*stop)(void *context);
	void (*resume)(void *context);
	/* the job has ended; NULL: it was not started */
	void (*end)(void *context, const struct foreground_job_end *end);
	void *context;
};

/*
 * Runs arguments[0], searched for in PATH, and waits for its exit; NULL ends the
 * arguments. It inherits our standard streams, terminal, process group and the
 * dispositions of signals that we were started with.
 *
 * Signals that were not ignored from the start do this meanwhile:
 *
 *   SIGINT, SIGQUIT from the keyboard      reach the job as well; we go on
 *   SIGTERM, SIGHUP                        are forwarded
 *   these, SIGTSTP, SIGTTIN and SIGTTOU    are forwarded; a signal to the whole
 *   from another process                   group reaches the job twice
 *   the job stops                          we stop by the same signal, and
 *                                          continue the job when we are continued
 *
 * One that comes in `begin` keeps the job from being started: `signal` of `end` is that
 * one. In `end` they are ignored, except by what waits for a terminal (tty/signals.h).
 *
 * `hooks` may be NULL. False, as POSIX has it for shells (XCU 2.8.2): status
 * 127 if there is no such program, 126 if it cannot be run.
 */
bool foreground_job_run(char *const arguments[], const struct foreground_job_hooks *hooks,
    struct foreground_job_end *end, struct error *error);

#endif
