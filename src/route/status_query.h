/* SPDX-License-Identifier: MIT */
/* Whether the terminal shows what programs report of themselves. Route layer. */
#ifndef ROUTE_STATUS_QUERY_H
#define ROUTE_STATUS_QUERY_H

#include "base/error.h"
#include "detect/path.h"
#include "route/plan.h"

#include <stdbool.h>

struct status_query {
	bool may_ask;                    /* the terminal may be queried */
	/*
	 * See struct query; and only a terminal is queried that is known, or has replied
	 * before: another one could cost a wait.
	 */
	bool optional;
	unsigned timeout_ms;             /* 0: as usual */
};

/*
 * Whether the terminal at the end of the route supports OSC 7501: from the table of
 * terminals, else by the protocol's own query. Nobody else may send a report, so anything
 * but a yes is false: STATUS_REFUSED where the terminal does not support it or cannot be
 * asked, else as query_failed() says. A signal that came meanwhile is in `*signal`.
 */
bool status_is_supported(const struct route *route, const struct path *path,
    const struct status_query *how, int *signal, struct error *error);

#endif
