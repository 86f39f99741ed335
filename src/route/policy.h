/* SPDX-License-Identifier: MIT */
/*
 * What every link of the chain, from the nearest multiplexer to the terminal,
 * does to a sequence: what it has to be wrapped for, what drops it, how much
 * fits. Pure, and of route.c only.
 */
#ifndef ROUTE_POLICY_H
#define ROUTE_POLICY_H

#include "base/error.h"
#include "route/plan.h"
#include "detect/path.h"

#include <stdbool.h>
#include <stddef.h>

/* A decision in the making: all of plan_route()'s arguments. */
struct decision {
	struct route *route;
	const struct path *path;
	const struct route_request *request;
	struct error *error;
	size_t from; /* the first hop that is passed, not stepped over */
};

/* Whether this multiplexer itself does what the feature asks for. */
bool link_does(const struct hop *hop, unsigned feature);

/*
 * Makes the multiplexer at `hop` the end of the way. False: it does not do what
 * is asked, and the request does not force it.
 */
bool link_ends(struct decision *d, const struct hop *hop);

/* Whether the clipboard is to be set; everything else is a sequence. */
bool link_copies(const struct decision *d);

/* STATUS_REFUSED with these words. Returns false, as the next two do. */
bool link_refuse(struct error *error, const char *message, const char *hint);

/* Lets a newline overwrite what `name` cannot clear. Returns true. */
bool link_overwrites(struct decision *d, const char *name);

/*
 * Whether another user's client shows the pane of `hop`, a tmux: what goes through
 * the pane reaches every client. If so, the reason is in the error.
 */
bool link_shows_guests(struct decision *d, const struct hop *hop);

/* Nobody who could be written to looks at this tmux; why, and what to do. */
bool link_no_client(struct decision *d, const struct hop *hop);

/* A tmux that was asked through the terminal lets neither form through. */
bool link_silent_tmux_drops(struct decision *d);

/*
 * Adds the layers for the hops from number `first` on. False: one of them drops
 * what is wrapped for it, unless the request forces it.
 */
bool links_wrap(struct decision *d, size_t first);

/*
 * Whether what the tmux at `hop` sends of its own accord, which is not wrapped
 * for anything, passes the hops around it. `keeps_letter`: with its selection
 * letter.
 */
bool links_pass_unwrapped(struct decision *d, const struct hop *hop,
    bool keeps_letter);

/*
 * The limits of the hops that are passed, of the layers and of the terminal,
 * and what the terminal is known not to do. Fills the route's limit, note and
 * warning, and lowers its confidence.
 */
bool links_check(struct decision *d);

#endif
