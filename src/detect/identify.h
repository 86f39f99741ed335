/* SPDX-License-Identifier: MIT */
/*
 * Identifies the terminal by queries, and a multiplexer that only TERM indicates. Detect
 * layer; for detect/detect.c.
 */
#ifndef DETECT_IDENTIFY_H
#define DETECT_IDENTIFY_H

#include "detect/path.h"

/*
 * Takes `version`, the name and number of an XTVERSION reply or "", for the
 * terminal at the end of the path. It overrides the environment.
 */
void identify_from_reply(struct path *path, const char *version);

/*
 * Queries the controlling terminal for what `request` allows and `path` leaves open.
 * Sets in `path` its replies, `silent` if there was none, and a signal that came. A
 * multiplexer that replies although no variable indicates one, as in a container,
 * becomes a hop.
 */
void identify_path(struct path *path, const struct detect_request *request);

#endif
