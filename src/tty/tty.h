/* SPDX-License-Identifier: MIT */
/* The edge to a terminal device: opening it and getting bytes through it. */
#ifndef TTY_TTY_H
#define TTY_TTY_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * A terminal that takes nothing for so long is taken for dead. As long again
 * may pass until that is noticed.
 */
enum { TTY_STALL_MS = 5000 };

/*
 * device_open() of what the user names, or /dev/tty. Gives a descriptor of the
 * caller's, or -1 with errno (ENOTTY for something else than a terminal).
 */
int tty_open(const char *path, bool reading);

/* The width of the window behind `fd`, or 0: no terminal, or it does not say. */
size_t tty_columns(int fd);

/* How a write ended. */
enum tty_end {
	TTY_WRITTEN,   /* all of it */
	TTY_STALLED,   /* nothing was taken for the time allowed */
	TTY_SIGNALLED, /* SIGINT, SIGTERM, SIGHUP or SIGQUIT came */
	TTY_FAILED     /* errno: EIO for a terminal that hung up */
};

struct tty_result {
	enum tty_end end;
	size_t written; /* bytes the kernel took, the abort not among them */
	bool closed;    /* the abort was written whole, or none was needed */
	int signal;     /* the one that came meanwhile, for tty_die_of(), or 0 */
};

/*
 * Writes `n` bytes in one write(2): Linux holds a lock on the terminal for the
 * whole of it, so that no other writer gets in between. SIGTTOU does not stop
 * it (a background job under `stty tostop` may write), nor does SIGTSTP before
 * it is done. `fd` may be anything; it may be non-blocking.
 *
 * While a long sequence is written to the controlling terminal in the
 * foreground, ECHO is off: keys typed meanwhile would be echoed into its
 * middle. The modes are as before on return, whatever the end.
 *
 * `stall_ms` is the time without a single byte taken after which it gives up; it
 * is looked at that often, so up to twice as much may pass.
 * When it ends early with part of the bytes written, the `abort_size` bytes of
 * `abort` follow them if the terminal takes them; what the terminal has not
 * yet read is thrown away if there is no other way to make room.
 */
struct tty_result tty_write(int fd, const void *bytes, size_t n, const void *abort,
    size_t abort_size, unsigned stall_ms);

/*
 * Writes what closes a sequence that was cut off, without waiting: what the
 * terminal has not yet read is thrown away if there is no other way to make
 * room. False: it was not taken.
 */
bool tty_close_sequence(int fd, const void *abort, size_t n);

/*
 * Ends the process by the signal that ended a write, as it would have ended
 * without us.
 */
void tty_die_of(int signal_number);

#endif
