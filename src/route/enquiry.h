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
 * notes in `s` what it told, whether it was silent and a signal that came. Each
 * question waits `timeout_ms` at most.
 */
void enquire(struct surroundings *s, const struct survey_request *request,
    unsigned timeout_ms);

#endif
