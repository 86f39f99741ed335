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
	const void *bytes; /* wrapped already; for a tmux route the payload */
	size_t size;
	const char *abort; /* what stops it when it is cut off: encoder.h */
	/* without a byte taken for so long it is given up; 0: the default */
	unsigned timeout_ms;
};

/*
 * Writes all of it, in one write where the kernel lets it, or hands it to
 * tmux. False: STATUS_NO_TERMINAL when the device cannot be opened,
 * STATUS_FAILED when it hangs up, stops reading or tmux refuses; the message
 * says what has become of the part that was sent. A signal that came meanwhile
 * is in `*signal` (0 for none) for the caller to die of.
 */
bool deliver(const struct route *route, const struct path *path,
    const struct delivery *delivery, int *signal, struct error *error);

#endif
