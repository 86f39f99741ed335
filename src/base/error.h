/* SPDX-License-Identifier: MIT */
/*
 * How a run ends and what is said about it. Base layer.
 *
 * Functions that can fail return false and fill a `struct error`; nobody but
 * cli prints one or leaves the process.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

/* The exit statuses, the same for every command. */
enum status {
	STATUS_DONE = 0,
	STATUS_FAILED = 1,      /* system or data */
	STATUS_USAGE = 2,
	STATUS_NO_TERMINAL = 3, /* none can be reached */
	STATUS_REFUSED = 4,     /* too large, or a link of the chain drops it */
	STATUS_NO_REPLY = 5,    /* none in time */
	STATUS_DENIED = 6       /* the terminal said no */
};

/* One message and, where there is one, the next step. Zeroed: no error. */
struct error {
	enum status status;
	char message[512]; /* "cannot open /dev/tty: No such device or address" */
	char hint[768];    /* "run ..., or add ... to ~/.tmux.conf" */
};

/*
 * Sets status and message (printf's format; longer text is cut) and clears the
 * hint. User text among the arguments must have passed text_quote(). Returns
 * false, so that `return error_set(...)` reads as one thought.
 */
bool error_set(struct error *e, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Sets the status alone: what there is to say has been said. Returns false. */
bool error_silent(struct error *e, enum status status);

/* Sets the hint. Returns false. */
bool error_hint(struct error *e, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* STATUS_FAILED with errno's words behind `what`. Returns false. */
bool error_system(struct error *e, const char *what);

/* STATUS_FAILED, for want of memory. Returns false. */
bool error_no_memory(struct error *e);

#endif
