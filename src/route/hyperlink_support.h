/* SPDX-License-Identifier: MIT */
/*
 * Whether OSC 8 in the text on standard output becomes a link on the screen.
 * Route layer; pure.
 *
 * Links are never wrapped: whoever draws the text, tmux included, has to know
 * where it is a link. So everything between here and the screen has to pass them
 * of its own accord.
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
	char limited_by[32]; /* who has that limit */
	char reason[160];  /* why shown or not, without full stop */
	char hint[256];    /* what would mend it, or "" */
};

/*
 * Decides for what detect_path() found at standard output. What stands in between has
 * to be known to pass links, for it would swallow the URL; the terminal itself
 * must not be known to lack them.
 */
void hyperlinks_decide(struct hyperlinks *h, const struct path *path);

#endif
