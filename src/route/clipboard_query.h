/* SPDX-License-Identifier: MIT */
/*
 * The clipboard, read from the terminal we sit at. Route layer.
 *
 * Straight to a terminal, wrapped through Screen, or by way of the tmux client
 * that shows our pane. Never asked is who would lose the clipboard by it, and
 * an old buffer never passes for the clipboard.
 */
#ifndef ROUTE_CLIPBOARD_QUERY_H
#define ROUTE_CLIPBOARD_QUERY_H

#include "base/buf.h"
#include "base/error.h"
#include "detect/path.h"

#include <stdbool.h>
#include <stddef.h>

struct read_request {
	char selection;
	size_t max;          /* bytes of text */
	unsigned timeout_ms; /* 0: what is usual for such a terminal */
	const struct terminal *terminal; /* forced, or NULL */
	bool force;          /* ask a terminal that is known not to answer */
};

/*
 * Reads the clipboard of the place that detect_path() has found, with its terminal
 * identified unless that is forced.
 *
 * Adds the bytes of the selection to `text`, which is empty; an empty clipboard
 * is none. False: STATUS_NO_TERMINAL in the background or without a terminal,
 * STATUS_REFUSED where it cannot or must not be asked or is larger than `max`,
 * STATUS_NO_REPLY, STATUS_FAILED. A signal that came meanwhile is in `*signal`.
 */
bool read_selection(struct buf *text, const struct path *path,
    const struct read_request *request, int *signal, struct error *error);

/* How it would be read. */
struct read_way {
	char reason[128]; /* one sentence without full stop */
	size_t limit;     /* bytes of text that come through, 0: none known */
};

/*
 * Whether that could work at all, as far as it is known without asking: the
 * same errors.
 */
bool read_check(struct read_way *way, const struct path *path,
    const struct read_request *request, struct error *error);

#endif
