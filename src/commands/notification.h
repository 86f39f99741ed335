/* SPDX-License-Identifier: MIT */
/*
 * Notifications for every command that sends one: their options, the choice of
 * a protocol, the bell, the sending.
 *
 * Which protocol: the one asked for with --proto; else the first of OSC 99, 777
 * and 9 that the terminal is known to show. A terminal that is not known is
 * asked for its name, then for OSC 99, where that is possible and allowed; in
 * the end it gets OSC 9, which most know and no other is known to show as
 * anything else, and a warning. A terminal that is known to show none gets
 * nothing, unless --bell says that a bell will do.
 *
 * The bell: with --bell always; without it where tmux, Screen or Zellij is
 * around us, whose window it flags; with --no-bell never. It goes to the nearest
 * of them, or to the terminal, not the way of the notification.
 */
#ifndef COMMANDS_NOTIFICATION_H
#define COMMANDS_NOTIFICATION_H

#include "commands/command.h"
#include "commands/send.h"
#include "encoder/encoder.h"

#include <stdbool.h>

/* Where the rows of notification.def put their values. */
struct notification_options {
	const char *urgency, *application, *sound, *when, *id, *protocol;
	struct text_list icons, types;
	unsigned expire_ms;
	bool stay, bell, no_bell;
};
extern struct notification_options notification_options;

/* Words of the rows; NULL ends them. */
extern const char *const notification_urgencies[], *const notification_icons[],
    *const notification_sounds[], *const notification_times[],
    *const notification_protocols[];

enum { NOTIFICATION_ID = 64 };

/* Which protocol a terminal gets. */
struct notification_choice {
	enum notification_protocol protocol;
	enum feature feature; /* of the same */
	const char *name;     /* "OSC 99" */
	bool known;           /* the terminal is known to support it */
	bool native;          /* a desktop tool shows it instead */
};

/*
 * Chooses the protocol for the terminal that detect_path() found or --term names. If its
 * support of OSC 99 is open and queries are allowed, queries it with this `id` (NULL: a
 * new one). False: STATUS_REFUSED if the terminal shows no notifications, STATUS_FAILED
 * after a signal, which is then in `call`.
 */
bool notification_choose(struct notification_choice *choice, struct call *call,
    const struct path *path, const char *id, struct error *error);

/* A notification to send. */
struct notifying {
	struct call *call;
	struct notification n;
	char own_id[NOTIFICATION_ID]; /* if no --id was given */
	bool print_id; /* the ID is printed, so that the terminal has to know it */
	enum notification_protocol protocol;
	struct sink sink;
	struct buf bytes;  /* the sequences */
	size_t payload;    /* bytes of title and body */
};

/*
 * Starts a notification from the options; the caller fills in title, body etc., which are
 * borrowed. False: STATUS_USAGE. Always call notification_end() afterwards.
 */
bool notification_begin(struct notifying *notifying, struct call *call,
    struct error *error);
void notification_end(struct notifying *notifying);

/*
 * Detects the path, chooses the protocol and encodes. False: STATUS_REFUSED if the
 * terminal shows no notifications, and as sink_open().
 */
bool notification_prepare(struct notifying *notifying, struct error *error);

/* Plans the route for OSC 99, for requests such as closing a notification. */
bool notification_prepare_request(struct notifying *notifying,
    struct error *error);

/* Sends `bytes` and reports; no bell. */
bool notification_deliver(struct notifying *notifying, struct error *error);

/*
 * Prepares, delivers and rings the bell. False as above, unless the bell rang instead,
 * with a warning.
 */
bool notification_send(struct notifying *notifying, struct error *error);

#endif
