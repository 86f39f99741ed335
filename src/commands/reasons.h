/* SPDX-License-Identifier: MIT */
/* What a route was planned for, and what stands in its way, in words. */
#ifndef COMMANDS_REASONS_H
#define COMMANDS_REASONS_H

#include "base/error.h"
#include "route/clipboard_query.h"
#include "route/plan.h"

/* Each one sentence without a full stop, or "". */
struct explanation {
	char reason[256];
	char note[160];
	char warning[512];
	char warning_hint[256];
};

/* Of a route that was planned for this path. */
void explain_route(struct explanation *to, const struct route *route,
    const struct path *path);

/*
 * Sets `error` to why there is no route: STATUS_REFUSED, STATUS_NO_TERMINAL, or
 * STATUS_USAGE for a forced one that does not exist here; the hint is the next step.
 * Returns false.
 */
bool explain_refusal(struct error *error, const struct route *route,
    const struct path *path);

/* The same for the clipboard: how it is read, in `reason` alone. */
void explain_read(struct explanation *to, const struct read_plan *plan,
    const struct path *path);

/* Why it cannot be; `error` stays where that says it already. Returns false. */
bool explain_read_refusal(struct error *error, const struct read_plan *plan,
    const struct path *path);

#endif
