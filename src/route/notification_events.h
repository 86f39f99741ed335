/* SPDX-License-Identifier: MIT */
/*
 * Replies to notifications (OSC 99): whether the terminal supports them, and whether one
 * was clicked or closed. Route layer.
 *
 * Only at the controlling terminal and in the foreground. tmux and Screen would type a
 * reply into the active pane.
 */
#ifndef ROUTE_NOTIFICATION_EVENTS_H
#define ROUTE_NOTIFICATION_EVENTS_H

#include "base/buf.h"
#include "base/error.h"
#include "encoder/encoder.h"

#include <stdbool.h>

/*
 * Whether the terminal replies to the query for OSC 99, sent with this `id`. One round
 * trip: a fence ends the wait. A signal that came meanwhile is in `*signal`.
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
	NOTIFICATION_ANSWERED, /* `what` is the event */
	NOTIFICATION_IGNORED,  /* no event within `timeout_ms` */
	NOTIFICATION_FAILED    /* `error`: STATUS_NO_TERMINAL, _REFUSED, _FAILED */
};

/*
 * Sends the bytes, which are the notification `id`, wrapped for `chain`, and waits until
 * it is clicked or closed. In any case it is closed in the end, so that no later event
 * of it is typed into the shell.
 */
enum notification_outcome notification_wait(struct notification_event *what,
    const char *id, const struct buf *bytes, const struct chain *chain,
    unsigned timeout_ms, int *signal, struct error *error);

#endif
