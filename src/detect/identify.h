/* SPDX-License-Identifier: MIT */
/*
 * Who the terminal is, and what is around us where only TERM tells of it: by
 * queries. Detect layer; for detect/detect.c.
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
 * Queries the controlling terminal for what `request` allows and `path` leaves open,
 * and notes in `path` its replies, whether there was none, and a signal that came. A
 * multiplexer that replies although the environment tells of none, as in a
 * container, becomes a hop.
 */
void identify_path(struct path *path, const struct detect_request *request);

#endif
