/* SPDX-License-Identifier: MIT */
/*
 * The one way from a command's bytes to the terminal: look around, decide the
 * route, encode, wrap, deliver or print, report.
 */
#ifndef COMMANDS_SEND_H
#define COMMANDS_SEND_H

#include "commands/command.h"
#include "detect/path.h"

#include <stdbool.h>
#include <stddef.h>

struct message {
	struct buf *bytes;      /* the payload */
	unsigned feature;       /* see struct request, as all up to moves_cursor */
	bool for_multiplexer;
	size_t sequence;        /* bytes of its longest sequence when encoded */
	const char *selections; /* of a copy, else "" */
	bool moves_cursor;
	/* ask a terminal who it is, if that is not known and allowed */
	bool identify;
	unsigned features;      /* others that it may turn to: FEATURE_BIT()s */
	size_t not_utf8, nul;   /* of a copy, see struct request */
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

/* When detect_path() looks for the desktop of the terminal. */
enum detect_desktop desktop_of(const struct globals *g);

/*
 * Decides whether a program of the desktop pastes instead of the terminal: see
 * plan_native().
 */
bool plan_native_paste(struct route *route, const struct path *path,
    const struct call *call, char selection);

/*
 * Sends it as the global options say. False: see detect_path(), plan_route() and
 * deliver(). Warnings have been printed.
 */
bool send_message(struct call *call, struct message *message, struct error *error);

/*
 * The same in parts, for commands that send more than once along one route: a
 * title that is put back, progress that goes on.
 */
struct sink {
	struct call *call;
	struct path path;
	struct route route;
	size_t sent; /* bytes so far */
};

/*
 * Looks around and decides for messages like this one, whose bytes are the
 * payload still. sink_close() has to follow, also where this is false.
 */
bool sink_open(struct sink *sink, struct call *call,
    const struct message *message, struct error *error);

/*
 * Decides anew, for another kind of message from the same place: the
 * paths are as sink_open() saw them, which may have been false for
 * want of a way, but not of a terminal.
 */
bool sink_turn(struct sink *sink, const struct message *message,
    struct error *error);

/* Encodes, wraps and delivers or prints. */
bool sink_send(struct sink *sink, struct message *message,
    struct error *error);

/*
 * Delivers or prints a piece of a program's output that is wrapped as needed: see
 * struct delivery. With --print=esc or hex no newline follows.
 */
bool sink_stream(struct sink *sink, const struct buf *piece, struct error *error);

/* Warnings, -v and --json, about `payload` bytes and what was sent of them so far. */
bool sink_report(const struct sink *sink, size_t payload, struct error *error);

void sink_close(struct sink *sink);

#endif
