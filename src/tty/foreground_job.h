/* SPDX-License-Identifier: MIT */
/*
 * A command line, run in our place: as if the shell that started us had run it
 * itself, with something done before and after. Tty layer.
 */
#ifndef TTY_FOREGROUND_JOB_H
#define TTY_FOREGROUND_JOB_H

#include "base/error.h"

#include <stdbool.h>

struct foreground_job_end {
	/* its exit status, 128 + n for signal n; what we should end with */
	int status;
	/*
	 * SIGINT if it died of that, else 0: to die of in the end (struct call),
	 * for a shell's loop goes on unless its command died of Control-C.
	 */
	int signal;
};

/* What is done again and again meanwhile; not while the job is stopped. */
struct foreground_job_tick {
	unsigned every_ms;
	void (*call)(void *context);
	void *context;
};

/*
 * Runs the program arguments[0], looked for in PATH, to its end; NULL ends the
 * arguments. It has our standard streams, terminal, process group and what
 * signals meant to us when we were started; so it reads keys, draws and is
 * interrupted like any program.
 *
 * Meanwhile, as far as they were not ignored from the start:
 *
 *   SIGINT, SIGQUIT   from the keyboard reach it as well as us: we go on
 *   SIGTERM, SIGHUP   are handed on to it
 *   any of these and  sent to us by another process: handed on. One that is
 *   SIGTSTP, -IN, -OU sent to the whole group comes to it twice then
 *   it stops          we stop with it, by the same signal, and when we are
 *                     continued it is continued
 *
 * `tick` may be NULL. False, as POSIX has it for shells (XCU 2.8.2): status
 * 127 if there is no such program, 126 if it cannot be run.
 */
bool foreground_job_run(char *const arguments[], const struct foreground_job_tick *tick,
    struct foreground_job_end *end, struct error *error);

#endif
