/* SPDX-License-Identifier: MIT */
/* A progress indicator that is updated: of run and of progress --scan. */
#ifndef COMMANDS_PROGRESS_OUTPUT_H
#define COMMANDS_PROGRESS_OUTPUT_H

#include "commands/send.h"

/* Ghostty removes an indicator that is not renewed after 15 s, kitty after 60. */
enum { PROGRESS_RENEW_MS = 7000 };

struct progress_output {
	struct call *call;
	struct sink sink;
	bool shows; /* the terminal supports it, and no write failed */
};

/* A message for these bytes, which are one sequence or, before it is encoded, none. */
struct message progress_message(struct buf *bytes);

/*
 * Detects the terminal and plans the route; `shows` tells whether there is one. False:
 * as sink_open(). Always call sink_close() for `sink` afterwards.
 */
bool progress_open(struct progress_output *output, struct call *call,
    struct error *error);

/* Sends this state; a failure is a warning, and ends `shows`. */
void progress_show(struct progress_output *output, enum progress state,
    unsigned percent);

#endif
