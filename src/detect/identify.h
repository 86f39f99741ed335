/* SPDX-License-Identifier: MIT */
/*
 * Questions to the terminal: what stands around us where TERM alone says that
 * something does, and who the terminal is. Route layer; for
 * detect/path.c.
 */
#ifndef DETECT_IDENTIFY_H
#define DETECT_IDENTIFY_H

#include "detect/path.h"

/*
 * The terminal calls itself `version`, the name and number of XTVERSION, "" for
 * nothing. Its own word outranks every variable.
 */
void identify_from_reply(struct path *path, const char *version);

/*
 * Asks the controlling terminal what `request` allows and `s` leaves open, and
 * notes in `s` what it told, whether it was silent and a signal that came. A
 * multiplexer that replies although the environment tells of none, as in a
 * container, becomes a hop.
 */
void identify_path(struct path *path, const struct detect_request *request);

#endif
