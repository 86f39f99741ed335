/* SPDX-License-Identifier: MIT */
/* Colors, as the terminal reports them. Route layer. */
#ifndef ROUTE_COLOR_QUERY_H
#define ROUTE_COLOR_QUERY_H

#include "base/error.h"
#include "detect/path.h"
#include "encoder/encoder.h"

#include <stdbool.h>
#include <stddef.h>

enum color_scheme { SCHEME_UNKNOWN, SCHEME_DARK, SCHEME_LIGHT };

/* One color that is asked for. */
struct color_reading {
	unsigned which;
	bool known;         /* out: it was reported */
	struct color color; /* out */
};

struct color_query {
	struct color_reading *reading;
	size_t count;
	bool scheme_wanted;
	enum color_scheme scheme;  /* out */
	const struct chain *chain; /* what the query is wrapped for, or NULL */
	unsigned timeout_ms;       /* 0: what is usual */
	int signal;                /* out: one that came meanwhile, or 0 */
};

/*
 * Asks the controlling terminal for these colors, in one round trip. Reported colors
 * that were not asked for, or cannot be parsed, are dropped; of two the first counts.
 * False: not one was reported (STATUS_NO_REPLY), STATUS_NO_TERMINAL in the background,
 * STATUS_REFUSED if another program reads the terminal, STATUS_FAILED.
 */
bool read_colors(struct color_query *query, const struct path *path, struct error *error);

#endif
