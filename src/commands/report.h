/* SPDX-License-Identifier: MIT */
/*
 * Messages to the user: the only writer to standard error, and JSON reports on standard
 * output.
 */
#ifndef COMMANDS_REPORT_H
#define COMMANDS_REPORT_H

#include "base/buf.h"
#include "base/error.h"
#include "commands/command.h"
#include "commands/reasons.h"
#include "route/color_query.h"
#include "route/hyperlink_support.h"
#include "route/plan.h"

#include <stddef.h>

/*
 * To be called if the program is called by another name and takes the options of another
 * program: the options in the hints become variables or, without one, those of
 * `viatty COMMAND`, so that the hint works as it stands.
 */
void report_as(const char *command);

/*
 * Prints "TITLE: message", and "hint: ..." on the next line if there is one. The verdict
 * precedes messages about the terminal (STATUS_NO_TERMINAL and above).
 */
void report_error(const char *title, const struct error *error);

/* Prints "TITLE: warning: ...", and the hint if there is one; nothing with --quiet. */
void report_warning(const struct call *call, const char *warning, const char *hint);

/* What was sent, for -v and --json. */
struct sent {
	const struct route *route;
	const struct explanation *says; /* of the route */
	const char *device;    /* its real name, or "" */
	size_t payload;        /* bytes given to the command */
	size_t bytes;          /* bytes sent, wrapped */
	bool confirmed;        /* the terminal confirmed the copy */
};

/* One line on standard error. */
void report_sent(const char *title, const struct sent *sent);

/* One line on standard error: the route that reads. */
void report_read(const char *title, const struct route *route,
    const struct explanation *says);

/* For -v: which hop replied instead of the terminal. */
void report_replied_by(const char *title, const struct hop *hop);

/* For -v: whether hyperlinks are made, and a hint if not. */
void report_links(const char *title, const struct hyperlinks *links);

/* One JSON object and a newline on standard output. False: errno. */
bool report_sent_json(const struct command *command, const struct sent *sent);
/*
 * Adds the members that describe a route to an open object. limit_bytes 0: no known
 * limit.
 */
void report_route_json(struct buf *out, const struct route *route,
    const struct explanation *says, const char *device);

/*
 * Writes a clipboard or title to standard output. On a terminal control characters other
 * than newline and tab are escaped, unless `raw`.
 */
bool report_text(const struct buf *text, bool raw, struct error *error);

/* A title in UTF-8. False: errno. */
bool report_title_json(const struct command *command, const struct buf *title);

/*
 * Colors as they were reported, null for those that were not, and the theme unless it
 * is NULL; `hop` replied, or NULL for the terminal. False: errno.
 */
bool report_colors_json(const struct command *command, const struct color_query *query,
    const char *theme, const struct hop *hop);

/* The types of a selection; `types` has one per line. False: errno. */
bool report_types_json(const struct command *command, char selection,
    const struct buf *types);

/* The clipboard, in base64 because it may contain any byte. False: errno. */
bool report_text_json(const struct command *command, char selection,
    const struct buf *text);

/* An event of a notification: "clicked"; `button` is 0 for none. False: errno. */
bool report_event_json(const struct command *command, const char *id,
    const char *event, unsigned button);

/* False: errno. */
bool report_version_json(const char *version);

bool report_error_json(const char *command, const struct error *error);

#endif
