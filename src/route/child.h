/* SPDX-License-Identifier: MIT */
/* Another program, run to its end and not a moment longer. Route layer. */
#ifndef ROUTE_CHILD_H
#define ROUTE_CHILD_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

enum {
	CHILD_NOT_STARTED = -1, /* errno says why */
	CHILD_TOO_SLOW = -2     /* it was killed */
};

/* Whether an answer is whole, so that its sender's end need not be waited for. */
typedef bool child_enough(const struct buf *answer);

/*
 * Runs the program arguments[0], looked for in PATH, with `n` bytes to its
 * stdin, and adds what it prints on stdout and stderr to `answer`. Gives its
 * exit status, 128 and more for a signal, or one of the above: it has
 * `timeout_ms` from the last byte it took, and as long to end. With `enough`
 * (else NULL) it gives 0 as soon as that is true; child_reap() has to follow.
 */
int child_run(const char *const arguments[], const void *bytes, size_t n,
    struct buf *answer, child_enough *enough, unsigned timeout_ms);

/* Sees to the end of every program that was left to end by itself. */
void child_reap(void);

#endif
