/* SPDX-License-Identifier: MIT */
/*
 * The command line of notify-send, as one of viatty notify. What a terminal cannot show is
 * left out. On the route native the desktop's own notify-send is run with the command line
 * as it was given (commands/notification.c).
 */
#ifndef CLI_NOTIFY_SEND_H
#define CLI_NOTIFY_SEND_H

#include "base/error.h"
#include "cli/arguments.h"
#include "commands/command.h"

#include <stdbool.h>
#include <stddef.h>

extern const struct option_spec notify_send_options[];

/* Set by these options. */
extern struct notify_send_wants {
	bool help, version;
} notify_send_wants;

/*
 * Translates the options, read before, and the operands. False: STATUS_USAGE for what
 * notify-send rejects as well, STATUS_FAILED for no memory.
 */
bool notify_send(struct arguments *arguments, size_t count, char **operand,
    struct error *error);

#endif
