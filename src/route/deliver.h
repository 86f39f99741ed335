/* SPDX-License-Identifier: MIT */
/* Bytes along a route that was decided. Route layer. */
#ifndef ROUTE_DELIVER_H
#define ROUTE_DELIVER_H

#include "base/error.h"
#include "route/plan.h"
#include "detect/path.h"

#include <stdbool.h>
#include <stddef.h>

struct delivery {
	/* not yet wrapped, and used up; tmux and native routes take its payload */
	struct source *source;
	const char *abort; /* what stops it when it is cut off: encoder.h */
	/* without a byte taken for so long it is given up; 0: the default */
	unsigned timeout_ms;
	/*
	 * It is a piece of a program's output, wrapped as needed: nothing is wrapped here,
	 * and by default a terminal that was stopped (Control-S) is waited for.
	 */
	bool streams;
	size_t sent; /* out: bytes */
};

/*
 * Wraps it for the route and writes all of it, as tty_write() does, or hands it to
 * tmux or to a program of the desktop. Our own controlling terminal may get it in
 * pieces. In the terminal of a tmux client or an ancestor another program draws
 * meanwhile, so that one gets it in one write, which takes as much memory as the
 * sequence is long. False: STATUS_NO_TERMINAL when the device cannot be opened,
 * STATUS_FAILED when it hangs up, stops reading or tmux refuses; the message
 * says what has become of the part that was sent. A signal that came meanwhile
 * is in `*signal` (0 for none) for the caller to die of.
 */
bool deliver(const struct route *route, const struct path *path,
    struct delivery *delivery, int *signal, struct error *error);

#endif
