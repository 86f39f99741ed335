/* SPDX-License-Identifier: MIT */
/*
 * What each hop on the path, and the terminal at its end, does to a sequence: which
 * layer it has to be wrapped in, what drops it, how much fits. Route layer; pure.
 * Every function looks at one of them and gives a reason, REASON_NONE where nothing
 * stops the request.
 */
#ifndef ROUTE_POLICY_H
#define ROUTE_POLICY_H

#include "detect/path.h"
#include "encoder/encoder.h"
#include "route/reason.h"
#include "route/request.h"

#include <stdbool.h>
#include <stddef.h>

/* A limit on the longest sequence, in bytes; 0: none is known. */
struct limit {
	size_t bytes;
	enum reason_id reason; /* for one that is longer; REASON_NONE: it is cut */
};

/* Whether the hop, as destination, does what the feature asks for. */
bool policy_does(const struct hop *hop, unsigned feature);

/* The same with all that may be wrong, for this request. */
struct reason policy_of_destination(const struct hop *hop,
    const struct request *request);

/* The longest sequence that it takes as destination. */
struct limit policy_destination_limit(const struct hop *hop);

/* Why nobody gets what tmux sends to its client: there is none of ours. */
struct reason policy_no_client(const struct hop *hop, const struct request *request);

/*
 * Why a text must not go to this tmux: another user is attached, who would get it
 * as well.
 */
struct reason policy_guests(const struct hop *hop);

/* What a hop needs to pass a sequence on. */
struct wrapping {
	bool has_layer;
	enum layer layer;
	bool unsure;           /* it is not known whether the hop passes it */
	struct reason refusal; /* why it drops what is wrapped for it */
};

struct wrapping policy_wrapping(const struct hop *hop, const struct request *request);

/*
 * Whether this hop passes what the tmux inside of it sends of its own accord, which
 * is wrapped for nothing; `letter`: it has its selection letter.
 */
struct reason policy_of_unwrapped(const struct hop *hop, const struct request *request,
    bool letter);

/* Whether only control clients are attached: they get the output of the pane unchanged. */
bool policy_is_controlled(const struct tmux *tmux);

/*
 * Why the hop itself does not interpret or pass on what is not wrapped for it:
 * REASON_NOT_INTERPRETED and REASON_NOT_PLAIN where no setting would change that.
 */
struct reason policy_of_plain(const struct hop *hop, const struct request *request);

/*
 * What a hop does to a sequence that it passes on, and in `*limit` the longest that
 * it takes.
 */
struct reason policy_of_passing(const struct hop *hop, const struct request *request,
    struct limit *limit);

/* What the terminal does to it. */
struct end_policy {
	struct reason refusal, note, warning;
	bool unsure;      /* it is not known whether it does it */
	bool overwrites;  /* it cannot clear: a newline is needed */
	struct limit limit;
};

/* Whether the terminal is known not to do what the request is for. */
bool policy_lacks(const struct path *path, const struct request *request);

struct end_policy policy_of_terminal(const struct terminal *terminal,
    const struct path *path, const struct request *request);

/* Whether desktop tools can do what this feature does. */
bool policy_is_for_desktop(unsigned feature);

/*
 * The first of its programs that does all that is asked, for a desktop that is there;
 * only of those that are `installed`, or of all. NULL: none does.
 */
const struct desktop_tool *policy_desktop_tool(const struct desktop *desktop,
    const struct request *request, bool installed);

/* Whether it handles the type and the bytes: REASON_NONE, or why not. */
struct reason policy_of_tool(const struct desktop_tool *tool,
    const struct request *request);

#endif
