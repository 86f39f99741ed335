/* SPDX-License-Identifier: MIT */
/*
 * Whether OSC 8 in the text on standard output becomes a link on the screen.
 * Route layer; pure.
 *
 * Links are never wrapped: a multiplexer that draws the text must know where it is a
 * link. So every hop has to support them itself.
 */
#ifndef ROUTE_HYPERLINK_SUPPORT_H
#define ROUTE_HYPERLINK_SUPPORT_H

#include "detect/path.h"
#include "terminal/terminal.h"

#include <stdbool.h>
#include <stddef.h>

struct hyperlinks {
	bool shown;
	size_t limit;      /* bytes of the longest URL and id together, 0 for none */
	char limited_by[32]; /* the hop or terminal with that limit */
	char reason[160];  /* why shown or not, without full stop */
	char hint[256];    /* the next step, or "" */
};

/*
 * Decides for the path that detect_path() found for standard output. Every hop must be
 * known to support links, because it would drop the URL; the terminal must not be known
 * to lack them.
 */
void hyperlinks_decide(struct hyperlinks *h, const struct path *path);

#endif
