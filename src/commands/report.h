/* SPDX-License-Identifier: MIT */
/*
 * What is said to the person: the only writer to standard error, and the JSON
 * forms of the same on standard output.
 */
#ifndef COMMANDS_REPORT_H
#define COMMANDS_REPORT_H

#include "base/buf.h"
#include "base/error.h"
#include "commands/command.h"
#include "commands/reasons.h"
#include "route/hyperlink_support.h"
#include "route/plan.h"

#include <stddef.h>

/*
 * "TITLE: message" on one line and "hint: ..." on the next, if there is one. A verdict
 * stands before messages about the terminal (STATUS_NO_TERMINAL and above).
 */
void report_error(const char *title, const struct error *error);

/* "TITLE: warning: ...", and its hint. */
void report_warning(const char *title, const char *warning, const char *hint);

/* What was sent, for -v and --json. */
struct sent {
	const struct route *route;
	const struct explanation *says; /* the route in words */
	const char *device;    /* by its real name, or "" */
	size_t payload;        /* bytes given to the command */
	size_t bytes;          /* bytes that went out, wrapped */
	bool confirmed;        /* the terminal has said that it arrived */
};

/* One line on standard error. */
void report_sent(const char *title, const struct sent *sent);

/* One line on standard error: what is read by this route. */
void report_read(const char *title, const struct route *route,
    const struct explanation *says);

/* Whether links are made, for -v: one line on standard error, and its hint. */
void report_links(const char *title, const struct hyperlinks *links);

/* One JSON object and a newline on standard output. False: errno. */
bool report_sent_json(const struct command *command, const struct sent *sent);
/*
 * The members that describe a route, into an object that is open. A
 * limit_bytes of 0 is no known limit.
 */
void report_route_json(struct buf *out, const struct route *route,
    const struct explanation *says, const char *device);

/*
 * Writes a text that was read to standard output; to a terminal with its control
 * characters shown, not executed, except newline and tab, unless `raw`.
 */
bool report_text(const struct buf *text, bool raw, struct error *error);

/* A title that was read, in UTF-8. False: errno. */
bool report_title_json(const struct command *command, const struct buf *title);

/* The types of a selection, which stand one a line. False: errno. */
bool report_types_json(const struct command *command, char selection,
    const struct buf *types);

/* A text that was read; in base64, for it may hold any bytes. False: errno. */
bool report_text_json(const struct command *command, char selection,
    const struct buf *text);

/* What became of a notification: "clicked", 0 for no button. False: errno. */
bool report_event_json(const struct command *command, const char *id,
    const char *event, unsigned button);

bool report_error_json(const char *command, const struct error *error);

#endif
