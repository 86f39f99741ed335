/* SPDX-License-Identifier: MIT */
/* doctor --live: the user verifies what most terminals do not confirm. */
#ifndef COMMANDS_DOCTOR_LIVE_H
#define COMMANDS_DOCTOR_LIVE_H

#include "commands/command.h"

#include <stdbool.h>

/*
 * Copies a random word by each route that can be taken, the preferred one
 * first, asks for it to be pasted or typed back, and stops at the first that
 * comes back; says which it was and how to make it the default. False:
 * STATUS_NO_TERMINAL where nobody can be asked, STATUS_REFUSED when no route
 * brought it back.
 */
bool doctor_live(struct call *call, struct error *error);

#endif
