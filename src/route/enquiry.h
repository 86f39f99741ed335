/* SPDX-License-Identifier: MIT */
/*
 * Questions to the terminal: what stands around us where TERM alone says that
 * something does, and who the terminal is. Route layer; for
 * route/surroundings.c.
 */
#ifndef ROUTE_ENQUIRY_H
#define ROUTE_ENQUIRY_H

#include "route/surroundings.h"

/*
 * The terminal calls itself `version`, the name and number of XTVERSION, "" for
 * nothing. Its own word outranks every variable.
 */
void enquiry_believe(struct surroundings *s, const char *version);

/*
 * Asks the controlling terminal what `request` allows and `s` leaves open, and
 * notes in `s` what it told, whether it was silent and a signal that came. A
 * multiplexer that replies although the environment tells of none, as in a
 * container, becomes a hop.
 */
void enquire(struct surroundings *s, const struct survey_request *request);

#endif
