/* SPDX-License-Identifier: MIT */
/* What is to be sent, and the routes that there are. Route layer; only types. */
#ifndef ROUTE_REQUEST_H
#define ROUTE_REQUEST_H

#include "encoder/encoder.h"
#include "terminal/terminal.h"

#include <stdbool.h>
#include <stddef.h>

enum route_kind {
	ROUTE_AUTO,        /* the best that is known to work here */
	ROUTE_DIRECT,      /* as it is, to the nearest device, whatever is around */
	ROUTE_CLIENT_TTY,  /* to the terminal on the outer side of all hops we can
	                      step over */
	ROUTE_PASSTHROUGH, /* wrapped, to the nearest device */
	ROUTE_PLAIN,       /* as it is, to a multiplexer that understands it */
	ROUTE_LOAD_BUFFER, /* clipboard only: tmux load-buffer -w */
	ROUTE_TMUX_BUFFER, /* clipboard only: a tmux buffer, no terminal at all */
	ROUTE_NATIVE,      /* a program of the desktop that shows the terminal */
	ROUTE_COUNT
};

/* The words for --route, by enum route_kind; NULL ends them. */
extern const char *const route_words[ROUTE_COUNT + 1];

/* False: no such word. */
bool route_parse(enum route_kind *kind, const char *word);

/* What is sent but is no feature of a terminal in the table. */
enum {
	/* a sequence of the user's own: nothing is known of who supports it */
	FEATURE_ANY = FEATURE_COUNT,
	/* the name of a window in tmux or Screen: no terminal has such */
	FEATURE_WINDOW_NAME,
	/* BEL, which every hop handles or passes on */
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
	/* of a copy, 1 + the offset of the first byte of the kind; 0: there is none */
	size_t not_utf8, nul;
	const char *type;       /* of a copy or paste by a desktop tool; NULL: text */
	bool moves_cursor;      /* it may: past tmux only if asked to */
	enum route_kind route;  /* ROUTE_AUTO, or forced */
	const struct chain *chain;       /* forced layers, or NULL */
	bool force;             /* send even what is known not to work */
};

#endif
