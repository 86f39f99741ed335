/* SPDX-License-Identifier: MIT */
/* doctor --live: verifies copying with the help of the user. */
#ifndef COMMANDS_DOCTOR_LIVE_H
#define COMMANDS_DOCTOR_LIVE_H

#include "commands/command.h"

#include <stdbool.h>

/*
 * Copies a random word by each possible route, the preferred one first, and asks the user
 * to paste or type it. Stops at the first route that works, and prints how to make it the
 * default. False: STATUS_NO_TERMINAL without /dev/tty, STATUS_REFUSED if no route works.
 */
bool doctor_live(struct call *call, struct error *error);

#endif
