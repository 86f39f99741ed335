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
	bool known;           /* that the terminal shows it */
	bool native;          /* a program of the desktop shows it instead */
};

/*
 * Chooses for the terminal that detect_path() has found or the options name; asks it
 * for OSC 99, by a question with this `id` or one of its own (NULL), where that
 * is open and allowed. False: STATUS_REFUSED for one that
 * shows none, STATUS_FAILED after a signal, which is then in `call`.
 */
bool notification_choose(struct notification_choice *choice, struct call *call,
    const struct path *path, const char *id, struct error *error);

/* One on its way. */
struct notifying {
	struct call *call;
	struct notification n;
	char own_id[NOTIFICATION_ID]; /* where none was given */
	enum notification_protocol protocol;
	struct sink sink;
	struct buf bytes;  /* its sequences */
	size_t payload;    /* bytes of its texts */
};

/*
 * Begins one with what the options say; title, body and the like are the
 * caller's to fill in, and are borrowed. notification_end() has to follow, also
 * where this is false: STATUS_USAGE.
 */
bool notification_begin(struct notifying *notifying, struct call *call,
    struct error *error);
void notification_end(struct notifying *notifying);

/*
 * Looks around, chooses the protocol and encodes. False: STATUS_REFUSED where
 * none is shown, and all that sink_open() has.
 */
bool notification_prepare(struct notifying *notifying, struct error *error);

/* Decides the way for OSC 99 alone, for requests about notifications. */
bool notification_prepare_request(struct notifying *notifying,
    struct error *error);

/* Sends `bytes` and reports; no bell. */
bool notification_deliver(struct notifying *notifying, struct error *error);

/*
 * All of it: prepares and delivers one, and rings. False as before, unless
 * there was a bell instead; then a warning says so.
 */
bool notification_send(struct notifying *notifying, struct error *error);

#endif
