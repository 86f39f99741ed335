/* SPDX-License-Identifier: MIT */
/*
 * One record of OSC 7501 at the terminal: what a program reports of itself, for the
 * commands status and run.
 */
#ifndef COMMANDS_PROGRAM_RECORD_H
#define COMMANDS_PROGRAM_RECORD_H

#include "commands/command.h"
#include "commands/send.h"
#include "encoder/encoder.h"

#include <stdbool.h>

struct program_record {
	struct sink sink;
	/*
	 * Panes of a multiplexer share the terminal's records, so each has its own
	 * beneath an id: tmux-3 for pane %3, screen-2 for window 2, the outermost first.
	 * "": the record of the whole terminal.
	 */
	char id[PROGRAM_ID_MAX + 1];
};

/* How it is found out whether the terminal supports reports, if no table tells. */
enum program_query {
	PROGRAM_QUERY,          /* --force does without */
	PROGRAM_QUERY_OPTIONAL, /* the report is not worth a wait or a lost key */
	/* the same, and not over ssh: a key typed before the reply comes is lost */
	PROGRAM_QUERY_LOCAL,
	PROGRAM_QUERY_NEVER
};

/*
 * Finds the route and whether the terminal at its end supports reports; `id` is the
 * caller's own beneath that of the pane, or NULL. False: plan_route() or
 * status_is_supported() says why, or STATUS_USAGE for an id that is too long here.
 * program_record_close() has to follow in any case.
 */
bool program_record_open(struct program_record *record, struct call *call, const char *id,
    enum program_query query, struct error *error);

/*
 * The same with the path that `sink` has detected, which becomes that of the record: for
 * what is reported where another kind of message has no route.
 */
bool program_record_turn(struct program_record *record, struct sink *sink,
    enum program_query query, struct error *error);

/* Sends a report, whose id is replaced by that of the record, of `*size` bytes. */
bool program_record_report(struct program_record *record, const struct program_status *status,
    size_t *size, struct error *error);

void program_record_close(struct program_record *record);

/* STATUS_USAGE for a status or id that breaks a limit, named in the message. */
bool program_status_error(struct error *error, enum program_status_fault fault);

#endif
