/* SPDX-License-Identifier: MIT */
/*
 * The clipboard with types, by OSC 5522: copies that the terminal confirms, contents of
 * any media type in both directions. Route layer.
 *
 * The terminal answers each request, so all of it is a conversation with the terminal we
 * sit at: straight, or through Screen. tmux takes the answers for keys and types them
 * into the pane (tty-keys.c, tty_keys_next(), in next-3.8): nothing is sent there.
 */
#ifndef ROUTE_TYPED_CLIPBOARD_H
#define ROUTE_TYPED_CLIPBOARD_H

#include "base/buf.h"
#include "base/error.h"
#include "detect/path.h"
#include "encoder/encoder.h"

#include <stdbool.h>
#include <stddef.h>

struct typed_request {
	const char *purpose; /* for messages: what somebody "cannot", "confirm a copy" */
	bool primary;        /* the primary selection, not the clipboard */
	unsigned timeout_ms; /* 0: what is usual */
	bool force;          /* send to a terminal that is not known to support it */
};

/* How it is reached. For the functions below, and for reports. */
struct typed_clipboard {
	const struct typed_request *request;
	const struct terminal *terminal; /* who is asked, or NULL */
	enum support support;            /* SUPPORT_YES, or SUPPORT_UNKNOWN: a query tells */
	struct chain chain;              /* what requests are wrapped for */
	size_t reply_max;                /* bytes of replies that pass, 0 for any */
	int signal;                      /* out: one that came meanwhile, or 0 */
};

/*
 * Whether the terminal at the end of the path supports OSC 5522, as far as the path and
 * the table of terminals tell: nothing is sent. False: STATUS_REFUSED where it does not,
 * where its replies do not come back, or another program would get them;
 * STATUS_NO_TERMINAL, STATUS_NO_REPLY or STATUS_FAILED where it cannot be asked.
 */
bool typed_check_path(struct typed_clipboard *to, const struct path *path,
    const struct typed_request *request, struct error *error);

/*
 * The same, and where that leaves it unknown asks its name and for mode 5522. False: as
 * before. Nothing of the clipboard was sent then.
 */
bool typed_open(struct typed_clipboard *to, const struct path *path,
    const struct typed_request *request, struct error *error);

/*
 * Sets the clipboard to these items, or clears it with none. True: the terminal has
 * confirmed it. False: STATUS_DENIED with its reason in words, STATUS_NO_REPLY,
 * STATUS_NO_TERMINAL, STATUS_REFUSED where another program reads, STATUS_FAILED.
 */
bool typed_copy(struct typed_clipboard *to, const struct typed_item *item, size_t count,
    struct error *error);

/*
 * Adds the content of this type to `data`, which is empty. False as before, or
 * STATUS_FAILED where the clipboard has none of the type, and STATUS_REFUSED where it has
 * more bytes than the limit of `data`.
 */
bool typed_paste(struct typed_clipboard *from, const char *type, struct buf *data,
    struct error *error);

/* Adds the types that the clipboard holds to `list`, which is empty: one a line. */
bool typed_list(struct typed_clipboard *from, struct buf *list, struct error *error);

#endif
