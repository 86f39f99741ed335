/* SPDX-License-Identifier: MIT */
/* Messages that explain the choice of a route, and why there is none. */
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

/* Explains a route that was planned for this path. */
void explain_route(struct explanation *to, const struct route *route,
    const struct path *path);

/*
 * Sets `error` to why there is no route: STATUS_REFUSED, STATUS_NO_TERMINAL, or
 * STATUS_USAGE for a forced one that does not exist here; the hint is the next step.
 * Returns false.
 */
bool explain_refusal(struct error *error, const struct route *route,
    const struct path *path);

/* The same for reading the clipboard; sets only `reason`. */
void explain_read(struct explanation *to, const struct read_plan *plan,
    const struct path *path);

/* Why it cannot be read; keeps `error` if the plan has no refusal. Returns false. */
bool explain_read_refusal(struct error *error, const struct read_plan *plan,
    const struct path *path);

#endif
