/* SPDX-License-Identifier: MIT */
/* Whether the terminal supports program status (OSC 7501). Route layer. */
#ifndef ROUTE_STATUS_QUERY_H
#define ROUTE_STATUS_QUERY_H

#include "base/error.h"
#include "detect/path.h"
#include "route/plan.h"

#include <stdbool.h>

struct status_query {
	bool may_ask;                    /* the terminal may be queried */
	/*
	 * See struct query. Besides, only a terminal that is known or has replied before is
	 * queried: another one could cost a timeout.
	 */
	bool optional;
	unsigned timeout_ms;             /* 0: the default */
};

/*
 * Whether the terminal at the end of the route supports OSC 7501: from the table of
 * terminals, else by the protocol's query. The protocol allows reports only to terminals
 * that support it, so unknown is false as well: STATUS_REFUSED if the terminal does not
 * support it or cannot be queried, else as query_failed(). A signal that came meanwhile
 * is in `*signal`.
 */
bool status_is_supported(const struct route *route, const struct path *path,
    const struct status_query *how, int *signal, struct error *error);

#endif
