/* SPDX-License-Identifier: MIT */
/*
 * What replies at our terminal: the terminal itself or a multiplexer. Detect layer.
 *
 * Queried only if the environment is inconclusive, in the foreground, and at most three
 * times. Each query ends with a fence, so that it costs a round trip and no timeout.
 */
#ifndef DETECT_PROBE_H
#define DETECT_PROBE_H

#include "encoder/encoder.h"
#include "terminal/terminal.h"
#include "tty/query.h"

#include <stdbool.h>

enum { PROBE_TEXT = 96 };

enum probe_found {
	PROBE_NOTHING, /* not queried, or no reply */
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
	unsigned round_trip_ms;   /* of the fence */
	bool typed_lately;        /* a key was typed here within the last seconds */
	enum query_end end;       /* of the query */
	int signal;               /* one that came meanwhile, or 0 */
	int failure;              /* errno of QUERY_FAILED, or 0 */
};

/* How /dev/tty may be queried. */
struct probe_limits {
	unsigned timeout_ms; /* for a reply */
	bool strict;         /* see struct query */
	bool optional;       /* the same */
	bool lately;         /* the same */
};

/*
 * Sends XTVERSION, DA2 and DA3, with DA1 as the fence. The DA2 replies of tmux and Screen
 * begin with 84 and 83. The queries are wrapped for `chain`, to identify what is behind
 * it.
 */
void probe_identify(struct probe *probe, const struct chain *chain,
    const struct probe_limits *limits);

/*
 * The terminal with these replies: by its XTVERSION name or, without one, by its unit id
 * (DA3) or DA2. NULL: not known.
 */
const struct terminal *probe_terminal(const struct probe *probe);

/*
 * The options of a tmux whose server is unreachable. tmux 2.9 to 3.6 replies to a
 * clipboard query itself if set-clipboard is on (input.c, input_osc_52). Since 3.7
 * get-clipboard decides as well: tmux may not reply, or query its terminal, which may
 * ask the user or clear its clipboard. So 3.7 is not sent that query.
 *
 * A DA1 wrapped for tmux is replied to by the terminal behind it if allow-passthrough is
 * on. tmux types that reply into the active pane, so it is sent only if a key was typed
 * here within the last seconds: then this pane is the active one.
 */
struct probe_tmux {
	bool answered;      /* it replied; false: the rest is not known */
	bool copy_known;    /* whether `interprets` is known */
	bool interprets;    /* set-clipboard on */
	bool asked;         /* with a wrapped DA1, and its fence came: `passes` is known */
	bool passes;        /* allow-passthrough on or all */
	int signal;
};

/*
 * `identity` is the result of probe_identify(). `copies`: only what matters for a copy is
 * queried.
 */
void probe_tmux(struct probe_tmux *probe, const struct probe *identity, bool copies,
    const struct probe_limits *limits);

/* The version in tmux's XTVERSION reply (since 3.2), or "". */
const char *probe_tmux_version(const struct probe *identity);

#endif
