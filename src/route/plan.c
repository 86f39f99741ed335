/* SPDX-License-Identifier: MIT */
/*
 * The decision which way bytes go; the contract is in plan.h.
 *
 * Each route has a function that says whether it can be taken and, if not,
 * why; what the links let through is known to links.c. Left to itself, the
 * decision takes the first of the usual routes that can.
 */
#include "route/plan.h"

#include "base/text.h"
#include "route/policy.h"

#include <string.h>

const char *const route_words[ROUTE_COUNT + 1] = {
	[ROUTE_AUTO] = "auto",
	[ROUTE_DIRECT] = "direct",
	[ROUTE_CLIENT_TTY] = "client-tty",
	[ROUTE_PASSTHROUGH] = "passthrough",
	[ROUTE_PLAIN] = "plain",
	[ROUTE_LOAD_BUFFER] = "load-buffer",
	[ROUTE_TMUX_BUFFER] = "tmux-buffer",
};

bool
route_parse(enum route_kind *kind, const char *word)
{
	size_t i;

	for (i = 0; i < ROUTE_COUNT; i++)
		if (strcmp(route_words[i], word) == 0) {
			*kind = (enum route_kind)i;
			return true;
		}
	return false;
}

/* A forced route that there is none of here: the command line is at fault. */
static bool
impossible(struct error *error, const char *message)
{
	error_set(error, STATUS_USAGE, "%s", message);
	return error_hint(error, "leave --route out; --wrap forces layers");
}

/* The nearest tmux that answers, or NULL. */
static const struct hop *
nearest_tmux(const struct path *path)
{
	size_t i;

	for (i = 0; i < path->hops; i++)
		if (path->hop[i].kind == HOP_TMUX)
			return &path->hop[i];
	return NULL;
}

/*
 * How many hops can be stepped over in one go: all up to the last tmux or host
 * program whose outer terminal is known. Screen by itself is not stepped over,
 * only passed on the way to the terminal of something around it.
 */
static size_t
hops_to_step_over(const struct path *path)
{
	size_t i, over = 0;

	for (i = 0; i < path->hops && path->hop[i].outer_tty[0] != '\0'; i++)
		if (path->hop[i].kind != HOP_SCREEN)
			over = i + 1;
	return over;
}

/* ---- the routes --------------------------------------------------------- */

static void
use_device(struct decision *d, enum route_kind kind)
{
	d->route->kind = kind;
	d->route->own_device = true;
	d->route->announcer = d->path->announcer;
	text_copy(d->route->device, sizeof(d->route->device), d->path->device);
}

static bool
try_direct(struct decision *d)
{
	char *reason = d->route->reason;

	use_device(d, ROUTE_DIRECT);
	if (d->path->hops > 0 && link_copies(d) && !d->request->force &&
	    link_shows_guests(d, &d->path->hop[0]))
		return false;
	if (d->path->hops > 0) {
		d->route->confidence = CONFIDENCE_UNKNOWN;
		text_format(reason, sizeof(d->route->reason),
		    "asked for, although %s stands before the terminal",
		    d->path->hop[0].name);
	} else if (d->path->source == DEVICE_ANCESTOR) {
		text_format(reason, sizeof(d->route->reason),
		    "the terminal of %s, which started this program",
		    d->path->ancestor);
	} else {
		text_format(reason, sizeof(d->route->reason),
		    "no multiplexer is between here and the terminal");
	}
	return true;
}

static bool
try_client_tty(struct decision *d)
{
	const struct hop *tmux = nearest_tmux(d->path);
	size_t over = hops_to_step_over(d->path);

	if (over == 0 && tmux != NULL)
		return link_no_client(d, tmux);
	if (over == 0)
		return impossible(d->error, "nothing around this terminal can be "
		    "stepped over");
	if (!links_wrap(d, over))
		return false;
	d->from = over;
	d->route->kind = ROUTE_CLIENT_TTY;
	d->route->tmux = tmux;
	d->route->announcer = d->path->hop[over - 1].announcer;
	text_copy(d->route->device, sizeof(d->route->device),
	    d->path->hop[over - 1].outer_tty);
	text_format(d->route->reason, sizeof(d->route->reason),
	    "the terminal that shows %s, without passing through it",
	    d->path->hop[over - 1].name);
	return true;
}

static bool
try_passthrough(struct decision *d)
{
	if (d->path->hops == 0)
		return impossible(d->error,
		    "there is no multiplexer to pass through");
	if (!links_wrap(d, 0))
		return false;
	use_device(d, ROUTE_PASSTHROUGH);
	d->route->tmux = nearest_tmux(d->path);
	text_format(d->route->reason, sizeof(d->route->reason),
	    "wrapped for %s, the next on the way", d->path->hop[0].name);
	return true;
}

/* tmux decodes what it gets and sends a sequence of its own to its client. */
static bool
tmux_sends_its_own(struct decision *d, const struct hop *hop, bool keeps_letter)
{
	struct route *route = d->route;

	if (!keeps_letter)
		text_format(route->warning, sizeof(route->warning),
		    "tmux leaves the selection letter out: some terminals take "
		    "that for the primary selection");
	if (d->request->force)
		return true;
	if (d->request->payload == 0)
		link_overwrites(d, "tmux");
	if (!hop->tmux.has_client)
		return link_no_client(d, hop);
	if (!links_pass_unwrapped(d, hop, keeps_letter))
		return false;
	if (tmux_client_has_clipboard(&hop->tmux.client) >= 0)
		return true;
	error_set(d->error, STATUS_REFUSED,
	    "tmux does not know that a terminal with TERM=%s can copy",
	    text_quote(hop->tmux.client.term).text);
	/* 3.2 brought features; before it was a matter of terminfo alone */
	return error_hint(d->error, tmux_is_at_least(&hop->tmux, 3, 2) ?
	    "add this to ~/.tmux.conf: set -as terminal-features ',%s*:clipboard'" :
	    "add this to ~/.tmux.conf: set -as terminal-overrides "
	    "',%s*:Ms=\\E]52;%%p1%%s;%%p2%%s\\007'", hop->tmux.client.term);
}

/* A tmux that answers: its options say what it does with a pane's clipboard. */
static bool
plain_to_tmux(struct decision *d, const struct hop *hop)
{
	const struct tmux *tmux = &hop->tmux;

	d->route->tmux = hop;
	if (!d->request->force && tmux->clients > 0 && link_shows_guests(d, hop))
		return false;
	/* a control client gets the pane's output as it is */
	if (tmux->clients > 0 && tmux->clients == tmux->control_clients) {
		d->route->confidence = CONFIDENCE_UNKNOWN;
		return true;
	}
	if (!d->request->force && tmux->clients > 0 &&
	    tmux->set_clipboard != SET_CLIPBOARD_ON)
		return link_refuse(d->error, "tmux ignores the clipboard sequence of "
		    "a pane: set-clipboard is not on",
		    "add this to ~/.tmux.conf: set -g set-clipboard on");
	if (!d->request->force && tmux->clients > 0 && !tmux->shown)
		return link_refuse(d->error, "tmux keeps the clipboard of a pane that "
		    "is not shown to itself", "show the pane, or leave --route "
		    "out");
	return tmux_sends_its_own(d, hop, tmux_is_at_least(tmux, 3, 4));
}

/* One that only our questions have reached, or that nobody could ask. */
static bool
plain_to_silent_tmux(struct decision *d, const struct hop *hop)
{
	if (!hop->probe.copy_known) {
		d->route->confidence = CONFIDENCE_UNKNOWN;
		return true;
	}
	if (!hop->probe.interprets && !d->request->force)
		return link_silent_tmux_drops(d);
	return d->request->payload > 0 || link_overwrites(d, "tmux");
}

/* A device that was asked for is written to, not stepped away from. */
static bool
may_step_over(const struct decision *d)
{
	enum device_source source = d->path->source;

	return !d->request->draws && source != DEVICE_ASKED_FOR &&
	    source != DEVICE_STDOUT && source != DEVICE_STDERR;
}

/*
 * For the nearest multiplexer itself. A host program is none: it is stepped over
 * on the way there, and to the terminal if there is no multiplexer.
 */
static bool
try_nearest(struct decision *d)
{
	const struct path *path = d->path;
	size_t over = 0;

	while (over < path->hops && path->hop[over].kind == HOP_EDITOR &&
	    path->hop[over].outer_tty[0] != '\0' && may_step_over(d))
		over++;
	if (over == path->hops)
		return try_client_tty(d);
	use_device(d, ROUTE_PLAIN);
	if (over > 0) {
		d->route->own_device = false;
		d->route->announcer = path->hop[over - 1].announcer;
		text_copy(d->route->device, sizeof(d->route->device),
		    path->hop[over - 1].outer_tty);
	}
	text_format(d->route->reason, sizeof(d->route->reason),
	    "for %s itself, the nearest here", path->hop[over].name);
	return link_ends(d, &path->hop[over]);
}

/* For what interprets the sequence itself: tmux, Zellij, mosh. */
static bool
try_plain(struct decision *d)
{
	const struct hop *hop = &d->path->hop[0];

	if (d->path->hops == 0)
		return impossible(d->error, "nothing around this terminal "
		    "interprets the sequence");
	if (d->request->nearest)
		return try_nearest(d);
	if (hop->kind == HOP_SCREEN || hop->kind == HOP_EDITOR) {
		error_set(d->error, STATUS_REFUSED,
		    "%s does not interpret the sequence", hop->name);
		return error_hint(d->error, "leave --route out");
	}
	use_device(d, ROUTE_PLAIN);
	text_format(d->route->reason, sizeof(d->route->reason),
	    "%s interprets the sequence and sends one of its own", hop->name);
	switch (hop->kind) {
	case HOP_TMUX:
		return plain_to_tmux(d, hop);
	case HOP_TMUX_UNREACHABLE:
	case HOP_TMUX_OR_SCREEN:
		return plain_to_silent_tmux(d, hop);
	default:
		return true;
	}
}

/*
 * The tmux whose buffers can be loaded. NULL: there is none, or what is to be
 * sent is no text.
 */
static const struct hop *
tmux_for_text(struct decision *d)
{
	const struct hop *tmux = nearest_tmux(d->path);

	if (tmux == NULL)
		impossible(d->error, "there is no tmux here to load a buffer");
	else if (!link_copies(d))
		impossible(d->error,
		    "a tmux buffer is for copied text, not for sequences");
	else
		return tmux;
	return NULL;
}

static bool
try_load_buffer(struct decision *d)
{
	const struct hop *hop = tmux_for_text(d);

	if (hop == NULL)
		return false;
	d->from = (size_t)(hop - d->path->hop);
	d->route->kind = ROUTE_LOAD_BUFFER;
	d->route->tmux = hop;
	d->route->confidence = CONFIDENCE_UNKNOWN;
	text_format(d->route->reason, sizeof(d->route->reason),
	    "tmux sends it to its client with a sequence of its own");
	/* without a client there is nobody to send it to, force or not */
	if (!hop->tmux.has_client)
		return link_no_client(d, hop);
	if (hop->tmux.client_claimed)
		return link_refuse(d->error, "another user, who is attached to the "
		    "tmux session, says to sit at the same terminal and might get "
		    "it", "detach that one with prefix D, or leave --route out");
	if (!tmux_is_at_least(&hop->tmux, 3, 2) && !d->request->force)
		return link_refuse(d->error, "tmux before 3.2 has no load-buffer -w",
		    "leave --route out");
	return tmux_sends_its_own(d, hop, false);
}

static bool
try_tmux_buffer(struct decision *d)
{
	const struct hop *hop = tmux_for_text(d);

	if (hop == NULL)
		return false;
	d->route->kind = ROUTE_TMUX_BUFFER;
	d->route->tmux = hop;
	text_format(d->route->reason, sizeof(d->route->reason),
	    "asked for: tmux keeps it, no terminal gets it");
	return true;
}

static bool (*const attempts[ROUTE_COUNT])(struct decision *) = {
	[ROUTE_DIRECT] = try_direct,
	[ROUTE_CLIENT_TTY] = try_client_tty,
	[ROUTE_PASSTHROUGH] = try_passthrough,
	[ROUTE_PLAIN] = try_plain,
	[ROUTE_LOAD_BUFFER] = try_load_buffer,
	[ROUTE_TMUX_BUFFER] = try_tmux_buffer,
};

/* ---- the choice --------------------------------------------------------- */

/* A server may have answered and named no terminal that is ours to write. */
static bool
has_device(struct decision *d)
{
	if (d->path->source != DEVICE_PANE || d->route->device[0] != '\0' ||
	    d->route->kind == ROUTE_LOAD_BUFFER ||
	    d->route->kind == ROUTE_TMUX_BUFFER)
		return true;
	error_set(d->error, STATUS_NO_TERMINAL,
	    "tmux names no terminal that this user may write to");
	return error_hint(d->error, "name one with --tty DEVICE or VIATTY_TTY");
}

/* An attempt that failed leaves nothing behind in the route. */
static bool
attempt(struct decision *d, enum route_kind kind)
{
	*d->route = (struct route){ .kind = ROUTE_AUTO };
	d->from = 0;
	return attempts[kind](d) && has_device(d);
}

static bool
choose(struct decision *d)
{
	static const enum route_kind usual[] = {
		ROUTE_CLIENT_TTY, ROUTE_PASSTHROUGH, ROUTE_PLAIN,
		ROUTE_LOAD_BUFFER,
	};
	/* a tmux that is known to interpret is better than one that may pass */
	static const enum route_kind interpreted[] = {
		ROUTE_CLIENT_TTY, ROUTE_PLAIN, ROUTE_PASSTHROUGH,
		ROUTE_LOAD_BUFFER,
	};
	const enum route_kind *preference = link_copies(d) &&
	    d->path->hop[0].probe.interprets && !d->path->hop[0].probe.passes ?
	    interpreted : usual;
	bool interpreter = d->path->hop[0].kind == HOP_ZELLIJ ||
	    d->path->hop[0].kind == HOP_MOSH;
	struct error first = { .status = STATUS_DONE };
	size_t i;

	if (d->path->hops == 0)
		return attempt(d, ROUTE_DIRECT);
	if (d->request->nearest)
		return attempt(d, ROUTE_PLAIN);
	for (i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
		if (preference[i] == ROUTE_CLIENT_TTY &&
		    (!may_step_over(d) || (hops_to_step_over(d->path) == 0 &&
		        nearest_tmux(d->path) == NULL)))
			continue;
		if (preference[i] == ROUTE_PASSTHROUGH && interpreter)
			continue;
		if (preference[i] == ROUTE_PLAIN && !link_copies(d) && !interpreter)
			continue;
		if (preference[i] == ROUTE_LOAD_BUFFER &&
		    (!link_copies(d) || !may_step_over(d) ||
		        nearest_tmux(d->path) == NULL))
			continue;
		if (attempt(d, preference[i]))
			return true;
		/* what stopped the best way is what a person can mend */
		if (first.status == STATUS_DONE)
			first = *d->error;
	}
	*d->error = first;
	return false;
}

/* The user's own layers: the device as it is, wrapped as told. */
static bool
take_chain(struct decision *d)
{
	*d->route = (struct route){ .chain = *d->request->chain };
	use_device(d, d->request->chain->count > 0 ? ROUTE_PASSTHROUGH :
	    ROUTE_DIRECT);
	d->route->confidence = CONFIDENCE_UNKNOWN;
	text_format(d->route->reason, sizeof(d->route->reason), "the layers were given");
	return has_device(d);
}

/* The tmux in between that nobody could ask, in words. */
static void
warn_of_silence(struct decision *d)
{
	struct route *route = d->route;
	size_t i;

	for (i = 0; i < d->path->hops; i++) {
		const struct hop *hop = &d->path->hop[i];

		if ((hop->kind != HOP_TMUX_UNREACHABLE &&
		    hop->kind != HOP_TMUX_OR_SCREEN) ||
		    hop->probe.passes || hop->probe.interprets)
			continue;
		if (hop->kind == HOP_TMUX_OR_SCREEN) {
			text_format(route->warning, sizeof(route->warning),
			    "tmux or Screen stands before the terminal and cannot "
			    "be asked; it was sent as for Screen");
			text_format(route->warning_hint,
			    sizeof(route->warning_hint),
			    "if it is tmux: --wrap 'tmux?'");
			return;
		}
		text_format(route->warning, sizeof(route->warning),
		    "%s stands before the terminal and cannot be asked%s%s%s;"
		    " it drops the sequence unless it is set up to pass it",
		    hop->name, hop->why[0] != '\0' ? " (" : "", hop->why,
		    hop->why[0] != '\0' ? ")" : "");
		text_format(route->warning_hint, sizeof(route->warning_hint),
		    "where that tmux runs, add to ~/.tmux.conf: "
		    "set -g %s", d->request->feature == FEATURE_COPY ?
		    "set-clipboard on" : "allow-passthrough on");
		return;
	}
}

/* A tmux on the way may have a mind of its own what its terminal is called. */
static void
warn_of_titles(struct decision *d)
{
	struct route *route = d->route;
	size_t i;

	for (i = 0; i < d->path->hops; i++) {
		if (d->path->hop[i].kind != HOP_TMUX || !d->path->hop[i].tmux.sets_titles)
			continue;
		text_format(route->warning, sizeof(route->warning),
		    "tmux sets the title of its terminal itself (set-titles is "
		    "on) and will soon overwrite this one");
		text_format(route->warning_hint, sizeof(route->warning_hint),
		    "leave --outer out to set the title of the pane, which tmux "
		    "shows there; or set -g set-titles off");
		return;
	}
}

bool
plan_route(struct route *route, const struct path *path,
    const struct route_request *request, struct error *error)
{
	struct decision d = { route, path, request, error, 0 };
	bool found;

	if (request->chain != NULL)
		found = take_chain(&d);
	else if (request->route != ROUTE_AUTO)
		found = attempt(&d, request->route);
	else
		found = choose(&d);
	if (!found && request->force && request->route == ROUTE_AUTO)
		found = attempt(&d, ROUTE_DIRECT);
	if (!found)
		return false;
	route->terminal = request->terminal != NULL ? request->terminal :
	    path->terminal;
	terminal_title(route->who, route->terminal, request->terminal != NULL ?
	    request->terminal_name : path->terminal == path->by_environment ?
	    path->terminal_name : NULL);
	if (route->kind == ROUTE_TMUX_BUFFER)
		return true;
	if (!request->force && !links_check(&d))
		return false;
	if (route->kind != ROUTE_DIRECT && route->kind != ROUTE_LOAD_BUFFER &&
	    route->end == NULL)
		warn_of_silence(&d);
	if (request->feature == FEATURE_TITLE && route->end == NULL)
		warn_of_titles(&d);
	return true;
}

/* ---- what is at the end ------------------------------------------------- */

bool
route_does(const struct route *route, unsigned feature)
{
	if (route->end != NULL)
		return link_does(route->end, feature);
	return terminal_support(route->terminal, (enum feature)feature) ==
	    SUPPORT_YES;
}

bool
route_is_ascii(const struct route *route)
{
	return chain_has(&route->chain, LAYER_SCREEN) || (route->end != NULL &&
	    (route->end->kind == HOP_SCREEN ||
	        route->end->kind == HOP_TMUX_OR_SCREEN));
}
