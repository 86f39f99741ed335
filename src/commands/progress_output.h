/* SPDX-License-Identifier: MIT */
/* A progress indicator that is updated: of run and of progress --scan. */
#ifndef COMMANDS_PROGRESS_OUTPUT_H
#define COMMANDS_PROGRESS_OUTPUT_H

#include "commands/program_record.h"
#include "commands/send.h"

/* Ghostty removes an indicator that is not renewed after 15 s, kitty after 60. */
enum { PROGRESS_RENEW_MS = 7000 };

struct progress_output {
	struct call *call;
	struct sink sink;
	/* the status of a program (OSC 7501), where only that is supported */
	struct program_record record;
	bool by_status;
	bool shows; /* the terminal supports one of them, and no write failed */
	size_t payload; /* bytes of what was sent, before it was wrapped */
};

/*
 * Detects the terminal and plans the route; `shows` tells whether there is one. A terminal
 * that does not support OSC 9;4 gets the status of a program if `or_status` and it supports
 * that. False: as sink_open(). Always call progress_close() afterwards.
 */
bool progress_open(struct progress_output *output, struct call *call, bool or_status,
    struct error *error);

/* Sends this state. False: as sink_send(). */
bool progress_send(struct progress_output *output, enum progress state, unsigned percent,
    struct error *error);

/* The same; a failure is a warning, and ends `shows`. */
void progress_show(struct progress_output *output, enum progress state,
    unsigned percent);

/* As sink_report(), for what was sent. */
bool progress_report(const struct progress_output *output, struct error *error);

void progress_close(struct progress_output *output);

#endif
