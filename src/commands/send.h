/* SPDX-License-Identifier: MIT */
/*
 * Sends the bytes of a command: detects the path, plans the route, encodes, wraps,
 * delivers or prints, and reports.
 */
#ifndef COMMANDS_SEND_H
#define COMMANDS_SEND_H

#include "commands/command.h"
#include "detect/path.h"

#include <stdbool.h>
#include <stddef.h>

struct message {
	struct request request; /* without what request_force() sets */
	/* identify the terminal by a query if it is unknown and queries are allowed */
	bool identify;
	unsigned features;      /* alternatives: FEATURE_BIT()s */
	const char *abort;      /* see struct delivery */
	/*
	 * Makes `s` the source of the payload's sequences, for these selections. NULL:
	 * the bytes are sequences already.
	 */
	void (*encode)(struct source *s, const void *payload, size_t n,
	    const char *selections);
};

/*
 * detect_path(), but for what needs no terminal it is no failure that there is none: what
 * is only printed, and what a program of the desktop is asked for.
 */
bool detect_where_needed(struct path *path, const struct detect_request *request,
    const struct globals *g, struct error *error);

/*
 * What the global options say of it, but for --tty, which not every command follows; the
 * features are left to set. The terminal is to be identified if it is not named, may be
 * asked and matters.
 */
struct detect_request detect_request_of(const struct globals *g);

/* False: a signal came during a query of the terminal, and cancels the command. */
bool not_interrupted(const struct call *call, struct error *error);

/* Sets what the global options force. */
void request_force(struct request *request, const struct globals *g);

/* Sets what the route of a copy depends on of these bytes. */
void request_content(struct request *request, const void *bytes, size_t n);

/*
 * Whether a desktop tool pastes this type (NULL: text) instead of the terminal: see
 * plan_native().
 */
bool plan_native_paste(struct route *route, const struct path *path,
    const struct call *call, char selection, const char *type);

/*
 * Sends the bytes of a message according to the global options and prints warnings; a
 * newline is added to them where that stands for an empty clipboard. False: see
 * detect_path(), plan_route() and deliver().
 */
bool send_message(struct call *call, const struct message *message, struct buf *bytes,
    struct error *error);

/*
 * The same in steps, for commands that send several times by one route: a title and its
 * restoration, progress.
 */
struct sink {
	struct call *call;
	struct path path;
	struct route route;
	size_t sent; /* bytes so far */
};

/*
 * Detects the path and plans the route for messages like this one. Always call
 * sink_close() afterwards.
 */
bool sink_open(struct sink *sink, struct call *call,
    const struct message *message, struct error *error);

/*
 * Plans the route again, for another kind of message on the path that sink_open()
 * detected. sink_open() may have failed for lack of a route, but not of a terminal.
 */
bool sink_turn(struct sink *sink, const struct message *message,
    struct error *error);

/* Encodes, wraps and delivers or prints the bytes, as send_message() does. */
bool sink_send(struct sink *sink, const struct message *message, struct buf *bytes,
    struct error *error);

/*
 * Delivers or prints a piece of a program's output that is wrapped as needed: see
 * struct delivery. With --print=esc or hex no newline follows.
 */
bool sink_stream(struct sink *sink, const struct buf *piece, struct error *error);

/* Prints warnings, and the report of -v and --json about what was sent so far. */
bool sink_report(const struct sink *sink, size_t payload, struct error *error);

void sink_close(struct sink *sink);

#endif
