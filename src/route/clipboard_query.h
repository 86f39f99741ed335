/* SPDX-License-Identifier: MIT */
/*
 * Reads the clipboard of the controlling terminal (OSC 52). Route layer.
 *
 * The terminal is queried directly, wrapped through Screen, or by the tmux client that
 * shows our pane. A terminal that a query would clear is never queried, and an old tmux
 * buffer is never taken for the clipboard.
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
	unsigned timeout_ms; /* 0: the default for the terminal */
	bool force;          /* query a terminal that is known not to reply */
};

/* How it is read, or why not. */
struct read_plan {
	const struct terminal *terminal; /* that is expected to reply, or NULL */
	char who[TERMINAL_TITLE];        /* its name for messages, or "" */
	struct reason reason;            /* how; pointers lead into the path */
	struct reason refusal;           /* why not; REASON_NONE: the error says why */
	size_t limit;                    /* bytes of text that hops pass, 0: any */
	bool asks;                       /* the terminal asks the user: empty may be a no */
};

/*
 * Whether the clipboard can be read, as far as that is known without a query for it. The
 * terminal of `path` should be identified; one that did not reply to that is refused.
 * False: `refusal` is the reason; if that is REASON_NONE, `error` is set.
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
