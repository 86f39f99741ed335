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
#include "terminal/terminal.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum route_kind {
	ROUTE_AUTO,        /* the best that is known to work here */
	ROUTE_DIRECT,      /* as it is, to the nearest device, whatever is around */
	ROUTE_CLIENT_TTY,  /* to the terminal on the outer side of all hops we can
	                      step over */
	ROUTE_PASSTHROUGH, /* wrapped, to the nearest device */
	ROUTE_PLAIN,       /* as it is, to a multiplexer that understands it */
	ROUTE_LOAD_BUFFER, /* clipboard only: tmux load-buffer -w */
	ROUTE_TMUX_BUFFER, /* clipboard only: a tmux buffer, no terminal at all */
	ROUTE_COUNT
};

/* The words for --route, by enum route_kind; NULL ends them. */
extern const char *const route_words[ROUTE_COUNT + 1];

/* False: no such word. */
bool route_parse(enum route_kind *kind, const char *word);

enum confidence {
	CONFIDENCE_KNOWN,  /* every link is known to pass it */
	CONFIDENCE_UNKNOWN /* none is known to drop it */
};

/* What is sent but is no feature of a terminal in the table. */
enum {
	/* a sequence of the user's own: nothing is known of who supports it */
	FEATURE_ANY = FEATURE_COUNT,
	/* the name of a window in tmux or Screen: no terminal has such */
	FEATURE_WINDOW_NAME,
	/* BEL, which everybody takes for himself or passes on */
	FEATURE_BELL
};

/* What is to be sent, as far as the route depends on it. */
struct request {
	unsigned feature;       /* enum feature, or one of the above */
	/*
	 * For the nearest multiplexer itself: it does what is asked, so it is
	 * the destination. Without one it is for the terminal.
	 */
	bool for_multiplexer;
	const char *selections; /* the letters of a copy, else "" */
	size_t payload;         /* bytes of the clipboard's text */
	/* bytes of the longest single sequence; 0: it can be cut to the limit */
	size_t sequence;
	bool utf8;              /* the payload is valid UTF-8 */
	/* of a copy, 1 + the offset of the first byte of the kind; 0: there is none */
	size_t not_utf8, nul;
	bool moves_cursor;      /* it may: past tmux only if asked to */
	enum route_kind route;  /* ROUTE_AUTO, or forced */
	const struct chain *chain;       /* forced layers, or NULL */
	const struct terminal *terminal; /* forced, or NULL */
	const char *terminal_name;       /* what the user calls it, or NULL */
	bool force;             /* what is known not to work is sent all the same */
};

/* What was decided. Pointers to hops lead into the path. */
struct route {
	enum route_kind kind;
	char device[DEVICE_NAME]; /* "" for the two that go by way of tmux's program */
	uid_t announcer;          /* who told of it, unless detect_path() opened it */
	bool own_device;          /* it is the one detect_path() has opened */
	struct chain chain;
	enum confidence confidence;
	size_t limit;             /* bytes of the longest sequence, 0 for none known */
	/*
	 * Clearing is asked of somebody who cannot: a newline is sent instead, so that
	 * what was copied before is gone.
	 */
	bool overwrites;
	const struct hop *tmux;   /* the hop whose server is meant, or NULL */
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

/* Whether the destination is known to do this as shipped. */
bool route_does(const struct route *route, unsigned feature);

/*
 * Whether Screen is on the way: of any character outside ASCII it keeps the low
 * eight bits, which may be those of ESC.
 */
bool route_is_ascii(const struct route *route);

#endif
