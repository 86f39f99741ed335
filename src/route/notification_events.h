/* SPDX-License-Identifier: MIT */
/*
 * What a terminal says of notifications (OSC 99): whether it knows them, and
 * what became of one. Route layer.
 *
 * Only at the terminal we sit at, /dev/tty, and in the foreground. Through tmux
 * or Screen a reply would be typed into whichever pane is active.
 */
#ifndef ROUTE_NOTIFICATION_EVENTS_H
#define ROUTE_NOTIFICATION_EVENTS_H

#include "base/buf.h"
#include "base/error.h"
#include "encoder/encoder.h"

#include <stdbool.h>

/*
 * Whether the terminal answers a question for OSC 99. `id` is any id. One round
 * trip: a fence ends the waiting. A signal that came meanwhile is in `*signal`.
 */
bool notification_known(const char *id, unsigned timeout_ms, int *signal);

enum notification_event_kind {
	NOTIFICATION_EVENT_CLICKED,
	NOTIFICATION_EVENT_BUTTON, /* with its number, from 1 */
	NOTIFICATION_EVENT_CLOSED
};

struct notification_event {
	enum notification_event_kind event;
	unsigned button;
};

enum notification_outcome {
	NOTIFICATION_ANSWERED, /* `what` tells how */
	NOTIFICATION_IGNORED,  /* nobody has done anything for `timeout_ms` */
	NOTIFICATION_FAILED    /* `error`: STATUS_NO_TERMINAL, _REFUSED, _FAILED */
};

/*
 * Sends the bytes, which are the notification `id`, wrapped for `chain`, and waits until
 * it is clicked or closed. It is taken back in the end, whatever that was, so that no
 * later event of it is typed into the shell.
 */
enum notification_outcome notification_wait(struct notification_event *what,
    const char *id, const struct buf *bytes, const struct chain *chain,
    unsigned timeout_ms, int *signal, struct error *error);

#endif
