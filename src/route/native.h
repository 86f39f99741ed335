/* SPDX-License-Identifier: MIT */
/*
 * The clipboard and the notifications of the desktop that shows the terminal, through a
 * program of that desktop. Route layer.
 *
 * The program is run without a shell, as the owner of the terminal, with no more than
 * the display in its environment and VIATTY_NATIVE=never: a script that calls viatty in
 * its turn ends there.
 */
#ifndef ROUTE_NATIVE_H
#define ROUTE_NATIVE_H

#include "base/buf.h"
#include "base/error.h"
#include "detect/path.h"
#include "route/plan.h"

#include <stddef.h>

enum {
	/* PowerShell takes some seconds to start; the others answer at once */
	NATIVE_TIMEOUT_MS = 10000
};

/*
 * Sets each of the `selections`, letters c and p, to these bytes, or empties it where
 * there are none. `type` is their MIME type; NULL: text. All functions below take a
 * route that plan_route() or plan_native() has decided, and give false with
 * STATUS_FAILED and the program's own words, or none in time (`timeout_ms`; 0: the
 * default).
 */
bool native_copy(const struct route *route, const struct path *path,
    const char *selections, const char *type, const void *bytes, size_t n,
    unsigned timeout_ms, struct error *error);

/*
 * Adds the selection to `text`, up to its size limit; nothing if it is empty. False also
 * with STATUS_FAILED: it has no such `type`; STATUS_REFUSED: it is larger than the limit.
 */
bool native_paste(const struct route *route, const struct path *path, char selection,
    const char *type, struct buf *text, unsigned timeout_ms, struct error *error);

/* Adds the MIME types that the selection has, a line each; of an empty one none. */
bool native_list_types(const struct route *route, const struct path *path,
    char selection, struct buf *types, unsigned timeout_ms, struct error *error);

struct native_notification {
	const char *title, *body;                /* "" for none */
	const char *urgency, *application;       /* NULL: none said */
	unsigned expire_ms;                      /* 0: none said */
	bool stays;                              /* it never expires */
};

bool native_notify(const struct route *route, const struct path *path,
    const struct native_notification *notification, unsigned timeout_ms,
    struct error *error);

/*
 * Runs the tool with a command line for it, ended by NULL, whose first word is ignored.
 * `said` gets what it prints. It may wait for the user: without `timeout_ms` for a day.
 */
bool native_forward(const struct route *route, const struct path *path,
    char *const *arguments, struct buf *said, unsigned timeout_ms, struct error *error);

#endif
