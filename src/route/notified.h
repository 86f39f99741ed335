/* SPDX-License-Identifier: MIT */
/*
 * What a terminal says of notifications (OSC 99): whether it knows them, which
 * are shown, what became of one. Route layer.
 *
 * Only at the terminal we sit at, /dev/tty, and in the foreground. Through tmux
 * or Screen a reply would be typed into whichever pane is active.
 */
#ifndef ROUTE_NOTIFIED_H
#define ROUTE_NOTIFIED_H

#include "base/buf.h"
#include "base/error.h"
#include "encoder/encoder.h"

#include <stdbool.h>

/*
 * Whether the terminal answers a question for OSC 99. `id` is any id. One round
 * trip: a fence ends the waiting. A signal that came meanwhile is in `*signal`.
 */
bool notified_known(const char *id, unsigned timeout_ms, int *signal);

/*
 * Adds the ids of the notifications that are shown, one a line, to `ids`. False:
 * STATUS_NO_TERMINAL, STATUS_NO_REPLY, STATUS_FAILED.
 */
bool notified_alive(struct buf *ids, const char *id, unsigned timeout_ms,
    int *signal, struct error *error);

enum notified_event {
	NOTIFIED_CLICKED,
	NOTIFIED_BUTTON, /* with its number, from 1 */
	NOTIFIED_CLOSED
};

struct notified {
	enum notified_event event;
	unsigned button;
};

/*
 * Sends the bytes, which are the notification `id` wrapped for `chain`, and waits until it is
 * clicked or closed. It is taken back in the end, whatever that was, so that no
 * later event of it is typed into the shell. False: STATUS_NO_TERMINAL,
 * STATUS_NO_REPLY after `timeout_ms`, STATUS_FAILED.
 */
bool notified_wait(struct notified *what, const char *id, const struct buf *bytes,
    const struct chain *chain, unsigned timeout_ms, int *signal,
    struct error *error);

#endif
