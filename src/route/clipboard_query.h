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
#include "route/reason.h"

#include <stdbool.h>
#include <stddef.h>

struct read_request {
	char selection;
	size_t max;          /* bytes of text */
	unsigned timeout_ms; /* 0: what is usual for such a terminal */
	bool force;          /* ask a terminal that is known not to answer */
};

/* How it is read, or why not. */
struct read_plan {
	const struct terminal *terminal; /* taken to answer, or NULL */
	char who[TERMINAL_TITLE];        /* its name for messages, or "" */
	struct reason reason;            /* how; pointers lead into the path */
	struct reason refusal;           /* why not; REASON_NONE: an error says it */
	size_t limit;                    /* bytes of text that come through, 0: any */
	bool asks;                       /* the terminal asks the user: empty may be a no */
};

/*
 * Whether it could be read at all, as far as that is known without asking: for the
 * place that detect_path() has found, with its terminal identified unless that is
 * forced. False: `refusal` tells why; where that is REASON_NONE, `error` does.
 */
bool read_check(struct read_plan *plan, const struct path *path,
    const struct read_request *request, struct error *error);

/*
 * The same, and reads it: adds the bytes of the selection to `text`, which is empty; an
 * empty clipboard is none. A signal that came meanwhile is in `*signal`.
 */
bool read_selection(struct buf *text, struct read_plan *plan, const struct path *path,
    const struct read_request *request, int *signal, struct error *error);

#endif
