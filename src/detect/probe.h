/* SPDX-License-Identifier: MIT */
/*
 * What the thing at the other end of our terminal says of itself. Detect layer.
 *
 * Asked only where the environment leaves it open: in the foreground, at most three
 * times, each time ended by a fence, so that it takes round trips and not timeouts.
 */
#ifndef DETECT_PROBE_H
#define DETECT_PROBE_H

#include "encoder/encoder.h"
#include "terminal/terminal.h"
#include "tty/query.h"

#include <stdbool.h>

enum { PROBE_TEXT = 96 };

enum probe_found {
	PROBE_NOTHING, /* no answer: not in the foreground, or silence */
	PROBE_TERMINAL,
	PROBE_TMUX,
	PROBE_SCREEN
};

struct probe {
	enum probe_found found;
	/* what it replied, unprintable bytes as ?, or "" */
	char version[PROBE_TEXT]; /* XTVERSION */
	char da1[PROBE_TEXT];     /* its numbers: "62;4;52" */
	char da2[PROBE_TEXT];     /* the same: "1;4000;48" */
	char da3[PROBE_TEXT];     /* its unit id */
	unsigned round_trip_ms;   /* how long the fence took */
	bool typed_lately;        /* the person typed here, seconds before */
	enum query_end end;         /* how the asking ended */
	int signal;               /* one that came meanwhile, or 0 */
	int failure;              /* errno of QUERY_FAILED, or 0 */
};

/* How the terminal behind /dev/tty may be asked. */
struct probe_limits {
	unsigned timeout_ms; /* for a reply */
	bool strict;         /* see struct query */
	bool optional;       /* the same */
	bool lately;         /* the same */
};

/*
 * Who is there: XTVERSION, DA2 and DA3 before a DA1 as fence. tmux and Screen
 * answer DA2 with 84 and 83 in front. The questions are wrapped for `chain`, to reach
 * who is behind it.
 */
void probe_identify(struct probe *probe, const struct chain *chain,
    const struct probe_limits *limits);

/*
 * The terminal that replied so: by its name, or where it told none by its unit id
 * or DA2. NULL: not known.
 */
const struct terminal *probe_terminal(const struct probe *probe);

/*
 * What a tmux that cannot be asked otherwise does with us. From 2.9 to 3.6 it
 * answers a clipboard query itself if set-clipboard is on (input.c,
 * input_osc_52). Since 3.7 get-clipboard decides as well: it may stay silent, or
 * ask its terminal, which may ask a person or be emptied by that. So it is not
 * asked.
 *
 * A DA1 wrapped for it comes back from the terminal behind it if
 * allow-passthrough is on. tmux hands that reply to the pane that is active, so
 * it is asked for only where the person has typed within the last seconds: it
 * would be typed into another pane otherwise.
 */
struct probe_tmux {
	bool answered;      /* false: the rest is not known */
	bool copy_known;    /* whether `interprets` is known */
	bool interprets;    /* set-clipboard on */
	bool asked;         /* for passthrough, with a reply: then `passes` tells */
	bool passes;        /* allow-passthrough on or all */
	int signal;
};

/*
 * `identity` is what probe_identify() has found. `copies`: only what decides a
 * copy is of interest.
 */
void probe_tmux(struct probe_tmux *probe, const struct probe *identity, bool copies,
    const struct probe_limits *limits);

/* The version that a tmux tells by its XTVERSION (since 3.2), or "". */
const char *probe_tmux_version(const struct probe *identity);

#endif
