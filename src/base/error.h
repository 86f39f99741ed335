/* SPDX-License-Identifier: MIT */
/*
 * Exit statuses and error messages. Base layer.
 *
 * A function that can fail returns false and fills a `struct error`. Only cli/ prints
 * it and ends the process.
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
	/* "not copied": printed before a message that is about the terminal, or NULL */
	const char *verdict;
	bool sent; /* it was sent, and not confirmed */
	char message[512]; /* "cannot open /dev/tty: No such device or address" */
	char hint[768];    /* "run ..., or add ... to ~/.tmux.conf" */
};

/*
 * Sets status and message (printf's format; a longer text is truncated) and clears the
 * hint. User text among the arguments must have passed text_quote(). Returns false.
 */
bool error_set(struct error *e, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Sets the status without a message, for one that was already printed. Returns false. */
bool error_silent(struct error *e, enum status status);

/* Sets the hint. Returns false. */
bool error_hint(struct error *e, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* STATUS_FAILED with the message "WHAT: strerror(errno)". Returns false. */
bool error_system(struct error *e, const char *what);

/* The same of a write to standard output. Returns false. */
bool error_stdout(struct error *e);

/* STATUS_FAILED, out of memory. Returns false. */
bool error_no_memory(struct error *e);

#endif
