/* SPDX-License-Identifier: MIT */
/*
 * The route: a pure decision from the detected path and a request. Route layer; no
 * descriptor, clock, environment or exit, and no messages: reasons are identifiers
 * (reason.h), which commands/reasons.h puts into words.
 *
 * A multiplexer on this machine is bypassed: written to the terminal of the client that
 * shows it, a sequence needs no option of tmux, keeps its selection letter and has none
 * of tmux's limits. For a hop that cannot be bypassed the sequence is wrapped; for one
 * that drops it even so, the route is refused.
 */
#ifndef ROUTE_PLAN_H
#define ROUTE_PLAN_H

#include "detect/path.h"
#include "encoder/encoder.h"
#include "route/reason.h"
#include "route/request.h"
#include "terminal/terminal.h"

#include <stdbool.h>
#include <stddef.h>

enum confidence {
	CONFIDENCE_KNOWN,  /* every hop and the terminal are known to pass it */
	CONFIDENCE_UNKNOWN /* none is known to drop it */
};

/* The decision. Hops are borrowed from the path. */
struct route {
	enum route_kind kind;
	struct tty_device device; /* no name for routes by a program, tmux or a desktop's */
	bool own_device;          /* it is the device of the path, which may be open */
	struct chain chain;
	enum confidence confidence;
	size_t limit;             /* bytes of the longest sequence, 0 for none known */
	/*
	 * The destination cannot clear the clipboard: a newline is sent instead, which
	 * overwrites what was copied before.
	 */
	bool overwrites;
	const struct hop *tmux;   /* the tmux that the route bypasses or uses, or NULL */
	const struct desktop_tool *tool; /* ROUTE_NATIVE: the program, else NULL */
	const char *desktop;      /* where it has its clipboard: "X11 display :0" */
	const struct hop *destination; /* the multiplexer it is for; NULL: the terminal */
	const struct terminal *terminal; /* at the end of the path, or NULL */
	char who[TERMINAL_TITLE]; /* its name for messages, or "" */
	struct reason reason;     /* why this route */
	struct reason note;       /* what the terminal itself has to allow */
	struct reason warning;    /* what may be lost on it */
	struct reason refusal;    /* why there is none */
};

/*
 * Decides. False: there is no route, and `refusal` names the hop or terminal that drops
 * the sequence, or says that a forced route does not exist here. Then only `refusal` is
 * defined, and `terminal` and `who` if they were known by then.
 */
bool plan_route(struct route *route, const struct path *path,
    const struct request *request);

/*
 * Decides whether a desktop tool does it instead of the terminal: a paste, a notification,
 * a copy with types. False: `refusal` is REASON_NONE if the terminal is to be used, or says
 * what is missing.
 */
bool plan_native(struct route *route, const struct path *path,
    const struct request *request);

/* Whether the destination is known to support this with default settings. */
bool route_does(const struct route *route, unsigned feature);

/*
 * Whether text must be ASCII: Screen keeps only the low eight bits of a character, which
 * may be those of ESC.
 */
bool route_is_ascii(const struct route *route);

#endif
