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
	struct buf *bytes;      /* the payload; afterwards what was sent */
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
	 * Turns the payload into its sequences where it stands, for these
	 * selections. False: no room. NULL: they are sequences already.
	 */
	bool (*encode)(struct buf *bytes, const char *selections);
};

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

/* Encodes, wraps and delivers or prints; the bytes are then what was sent. */
bool sink_send(struct sink *sink, struct message *message,
    struct error *error);

/* Warnings, -v and --json, about `payload` bytes sent as `bytes`. */
bool sink_report(const struct sink *sink, size_t payload, size_t bytes,
    struct error *error);

void sink_close(struct sink *sink);

#endif
