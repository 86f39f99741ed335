/* SPDX-License-Identifier: MIT */
/*
 * The route: a pure decision from the detected path and a request. Route layer; no
 * descriptor, clock, environment or exit in here, and no words for people: reasons
 * are identifiers (reason.h), which commands/reasons.h explains.
 *
 * A multiplexer on this machine is a hop to step over, not a layer to wrap
 * for: written to the terminal of the client that shows it, a sequence needs
 * no option of tmux, keeps its selection letter and has none of tmux's limits.
 * What cannot be stepped over is wrapped for; what drops the sequence either
 * way is said.
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
	CONFIDENCE_KNOWN,  /* every link is known to pass it */
	CONFIDENCE_UNKNOWN /* none is known to drop it */
};

/* What was decided. Pointers to hops lead into the path. */
struct route {
	enum route_kind kind;
	struct tty_device device; /* without a name for the two by tmux's program */
	bool own_device;          /* it is that of the path, and may be open */
	struct chain chain;
	enum confidence confidence;
	size_t limit;             /* bytes of the longest sequence, 0 for none known */
	/*
	 * The destination cannot clear the clipboard: a newline is sent instead, which
	 * overwrites what was copied before.
	 */
	bool overwrites;
	const struct hop *tmux;   /* the hop whose server is meant, or NULL */
	const struct desktop_tool *tool; /* ROUTE_NATIVE: the program, else NULL */
	const char *desktop;      /* where it has its clipboard: "X11 display :0" */
	const struct hop *destination; /* the multiplexer it is for; NULL: the terminal */
	const struct terminal *terminal; /* taken to be at the end, or NULL */
	char who[TERMINAL_TITLE]; /* its name for messages, or "" */
	struct reason reason;     /* why this route */
	struct reason note;       /* what the terminal itself has to allow */
	struct reason warning;    /* what may be lost on it */
	struct reason refusal;    /* why there is none */
};

/*
 * Decides. False: there is no route, and `refusal` tells the hop or terminal that
 * drops the bytes, or that a forced route does not exist here; `terminal` and `who`
 * are set as far as they were known by then, the rest means nothing.
 */
bool plan_route(struct route *route, const struct path *path,
    const struct request *request);

/*
 * Decides for what is no sequence to the terminal, a paste or a notification: whether
 * a program of the desktop does it instead. False: `refusal` is REASON_NONE where that
 * is out of the question, or tells what is missing.
 */
bool plan_native(struct route *route, const struct path *path,
    const struct request *request);

/* Whether the destination is known to do this as shipped. */
bool route_does(const struct route *route, unsigned feature);

/*
 * Whether Screen is on the way: of any character outside ASCII it keeps the low
 * eight bits, which may be those of ESC.
 */
bool route_is_ascii(const struct route *route);

#endif
