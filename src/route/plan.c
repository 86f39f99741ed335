/* SPDX-License-Identifier: MIT */
/*
 * Plans a route: tries each way to deliver a sequence, best first. What each hop does is in hop.c,
 * and what the terminal does in end.c, with their messages.
 */
#include "route/route.h"

#include "base/base.h"

#include <string.h>

const char *const route_words[ROUTE_COUNT + 1] = {
	[ROUTE_AUTO] = "auto",
	[ROUTE_DIRECT] = "direct",
	[ROUTE_CLIENT_TTY] = "client-tty",
	[ROUTE_PASSTHROUGH] = "passthrough",
	[ROUTE_PLAIN] = "plain",
	[ROUTE_LOAD_BUFFER] = "load-buffer",
	[ROUTE_TMUX_BUFFER] = "tmux-buffer",
	[ROUTE_NATIVE] = "native",
};

const enum feature notification_features[NOTIFICATION_PROTOCOLS] = {
	[NOTIFICATION_99] = FEATURE_NOTIFY99,
	[NOTIFICATION_777] = FEATURE_NOTIFY777,
	[NOTIFICATION_9] = FEATURE_NOTIFY9,
};

#define OTHER_LAYERS "use --route auto; --wrap sets the layers by hand"
#define HANDED_TO_TMUX "handed to tmux, which sends it to its terminal"

/* Refuses a route given by --route that does not exist here: "PROBLEM\nREMEDY". */
#define no_such_route(p, text) fail(&(p)->route->refusal, STATUS_USAGE, \
	"--route %s: " text, route_words[(p)->forced])

/* ---- along the hops --------------------------------------------------------- */

/* Whether to go on; --force does even after a refusal, unless that is final. */
static bool
goes_on(const struct plan *p, bool passed)
{
	return passed || (p->request->given.force && !p->for_good);
}

/* Passes the hops from number `from` on. */
static bool
walk(struct plan *p, size_t from, enum hop_form form)
{
	const struct path *path = p->path;
	size_t i;

	for (i = from; i < path->hops; i++)
		if (!goes_on(p, hop_passes(p, &path->hop[i], &form)))
			return false;
	return true;
}

/* Passes the hops and the terminal; with --force nothing more is checked. */
static bool
reach(struct plan *p, size_t from, enum hop_form form)
{
	const struct path *path = p->path;
	size_t i;

	if (!walk(p, from, form))
		return false;
	for (i = 0; p->request->feature == FEATURE_TITLE && i < path->hops; i++)
		if (path->hop[i].tmux.sets_titles)
			warn_that(p, VERDICT_YES,
			    "tmux will overwrite this title: set-titles is on\n"
			    "omit --outer to set the title of the pane, which tmux shows there");
	if (!p->request->given.force && !limit_to(p, wrap_limit(&p->route->chain),
	    "tmux's passthrough", "send less, or attach a terminal that you may write to"))
		return false;
	p->reaches_end = true;
	if (!p->request->given.force)
		return end_accepts(p);
	add_needs(p);
	doubt(p, VERDICT_UNKNOWN);
	p->route->limit = 0;
	return true;
}

/* The nearest tmux whose server replies, or NULL. */
static const struct hop *
nearest_tmux(const struct path *path)
{
	size_t i;

	for (i = 0; i < path->hops; i++)
		if (path->hop[i].tmux.reachable)
			return &path->hop[i];
	return NULL;
}

/*
 * Whether hops may be bypassed. They must know what is drawn. A query has to come back through
 * them, and a device that the caller named or passed is meant as it is.
 */
static bool
may_bypass(const struct path *path, unsigned feature)
{
	const enum device_source source = path->source;

	return feature != FEATURE_ANY && feature != FEATURE_COLOR_QUERY &&
	    source != DEVICE_ASKED_FOR && source != DEVICE_STDIN && source != DEVICE_STDOUT &&
	    source != DEVICE_STDERR;
}

/*
 * The number of hops to bypass: all up to the last tmux or editor whose outer terminal is
 * known. Screen is bypassed only together with an outer hop, or if other users may be
 * attached to it.
 */
static size_t
hops_to_bypass(const struct path *path, bool any_session)
{
	size_t i, count = 0;

	for (i = 0; i < path->hops && path->hop[i].outer.name[0] != '\0' &&
	    (!path->hop[i].detached || any_session); i++)
		/* Screen may be reattached elsewhere, so it is bypassed only with a reason */
		if (path->hop[i].row->kind != HOP_SCREEN || path->hop[i].multiuser)
			count = i + 1;
	return count;
}

/* Whether it has panes with titles, as tmux does and editors do not. */
static bool
has_panes(const struct hop *hop)
{
	return terminal_support(hop->row, NEWEST, FEATURE_TITLE) == SUPPORT_YES;
}

/* Whether the nearest multiplexer is the destination; for colors, only if it has its own. */
static bool
is_for_multiplexer(const struct plan *p)
{
	const struct hop *hop = p->path->hop, *end = hop + p->path->hops;
	const bool reads = p->request->feature == FEATURE_COLOR_QUERY;
	const unsigned feature = reads ? FEATURE_COLOR : p->request->feature;

	if (!p->request->for_multiplexer || feature < FEATURE_COLOR ||
	    feature > FEATURE_COLOR_RESET)
		return p->request->for_multiplexer && hop < end;
	while (!reads && hop < end && !has_panes(hop))
		hop++;
	return hop < end && terminal_support(hop->row, NEWEST, feature) == SUPPORT_YES;
}

/* ---- the ways ---------------------------------------------------------------- */

static void
use_own_device(struct plan *p)
{
	p->route->own_device = true;
	p->route->device = p->path->device;
}

static bool
direct(struct plan *p)
{
	const struct hop *hop = p->path->hop;
	const struct chain *given = p->request->given.chain;

	use_own_device(p);
	if (given != NULL) {
		p->route->chain = *given;
		doubt(p, VERDICT_UNKNOWN);
		if (given->count > 0)
			p->route->kind = ROUTE_PASSTHROUGH;
		because(p->route, "layers as given");
		return reach(p, 0, UNCHECKED);
	}
	if (p->path->hops > 0) {
		if (!goes_on(p, !copies(p) || ours_alone(p, hop)))
			return false;
		doubt(p, VERDICT_UNKNOWN);
		because(p->route, "forced, although %s is on the path", hop->row->id);
	} else if (p->path->source == DEVICE_ANCESTOR) {
		because(p->route, "the terminal of %s, a parent process", p->path->ancestor);
	} else {
		because(p->route, "no multiplexer on the path");
	}
	return reach(p, 0, UNCHECKED);
}

/* To the terminal of the client of the last tmux that can be bypassed. */
static bool
bypassing(struct plan *p)
{
	const struct hop *last;
	const char *why = NULL;

	if (p->bypassed == 0 && p->tmux != NULL)
		return refuse_without_client(p, p->tmux);
	if (p->bypassed == 0)
		return no_such_route(p, "no tmux or editor can be bypassed\n" OTHER_LAYERS);
	last = &p->path->hop[p->bypassed - 1];
	p->route->kind = ROUTE_CLIENT_TTY;
	p->route->tmux = last->tmux.reachable ? last : NULL;
	p->route->device = last->outer;
	if (copies(p) && p->forced == ROUTE_AUTO)
		why = tmux_cannot_send(p, last);
	because(p->route, "bypasses %s%s", last->row->id, why != NULL ? why : "");
	return reach(p, p->bypassed, WRAPPED);
}

/* Handed to that tmux, which sends it between its own sequences; else to the same terminal. */
static bool
handed_to_outer_tmux(struct plan *p)
{
	const struct hop *last = &p->path->hop[p->bypassed - 1];

	p->route->device = last->outer;
	p->route->tmux = last;
	because(p->route, HANDED_TO_TMUX);
	return reach(p, p->bypassed - 1, HANDED);
}

static bool
no_multiplexer(struct plan *p)
{
	add_needs(p);
	return no_such_route(p, "no multiplexer on the path\n" OTHER_LAYERS);
}

static bool
wrapped(struct plan *p)
{
	if (p->path->hops == 0)
		return no_multiplexer(p);
	use_own_device(p);
	p->route->tmux = p->tmux;
	because(p->route, "wrapped for %s", p->path->hop[0].row->id);
	return reach(p, 0, WRAPPED);
}

/* Whether the multiplexer at the end of the route supports the feature. */
static bool
destination_does(struct plan *p, const struct hop *hop)
{
	unsigned feature = p->request->feature;
	const char *id = hop->row->id, *name = hop->row->name;

	if (hop_supports(hop, feature) != SUPPORT_NO)
		return feature != FEATURE_WINDOW_NAME || !hop->tmux.reachable ||
		    hop->tmux.allow_rename ||
		    refuse(p, "tmux does not let programs rename their window: allow-rename is "
		        "off\ntmux rename-window NAME does it; to allow it to every program, "
		        TMUX_SET("g allow-rename on"));
	switch (feature) {
	case FEATURE_WINDOW_NAME:
		return refuse(p, "windows have no names in %s\nonly tmux and Screen have them", id);
	case FEATURE_TITLE_STACK:
		return refuse(p, "titles cannot be saved and restored in %s\n"
		    "for the terminal outside %s: --outer", id, id);
	case FEATURE_TITLE:
		return refuse(p, "no titles are shown by %s\n"
		    "for the terminal outside %s: --outer", id, id);
	default:
		return refuse(p, "this version of %s does not support %s\n"
		    "use a newer version of %s", name, feature_texts[feature].meaning, name);
	}
}

/*
 * To the nearest multiplexer itself or, if there is none, to the terminal. Editors on the
 * path are bypassed.
 */
static bool
to_multiplexer(struct plan *p)
{
	const struct hop *nearest = p->path->hop, *hop = nearest;
	enum support supports;

	while (hop < nearest + p->path->hops && !has_panes(hop) && hop->outer.name[0] != '\0' &&
	    p->may_bypass)
		hop++;
	if (hop == nearest + p->path->hops)
		return bypassing(p);
	if (hop > nearest)
		p->route->device = hop[-1].outer;
	else
		use_own_device(p);
	supports = hop_supports(hop, p->request->feature);
	because(p->route, "handled by %s", hop->row->id);
	p->route->destination = hop;
	if (hop->tmux.reachable)
		p->route->tmux = hop;
	else if (hop_is_unreachable(hop) || supports == SUPPORT_UNKNOWN)
		doubt(p, VERDICT_UNKNOWN);
	if (hop == nearest && (hop->row->kind == HOP_TMUX_OR_SCREEN || (hop->row->interprets &&
	    hop->tmux.version[0] == '\0' && terminal_support(hop->row, NEWEST,
	    p->request->feature) != supports)))
		p->route->needs |= NEED_HOP;
	return goes_on(p, destination_does(p, hop)) && goes_on(p, limit_to_hop(p, hop));
}

/* To a hop that interprets the sequence: tmux, Zellij, mosh. */
static bool
plain(struct plan *p)
{
	const struct hop *hop = &p->path->hop[0];
	const bool unreachable = p->path->hops > 0 && hop_is_unreachable(hop);

	if (p->path->hops == 0)
		return no_multiplexer(p);
	if (is_for_multiplexer(p))
		return to_multiplexer(p);
	if (!hop->row->interprets && !unreachable && !hop->tmux.reachable)
		return refuse_for_good(p, "the sequence is not interpreted by %s\nuse --route auto",
		    hop->row->id);
	if (!hop->row->interprets && !copies(p) &&
	    (unreachable || !tmux_is_controlled(&hop->tmux)))
		return fail(&p->route->refusal, STATUS_USAGE, "--route plain: only copies, titles, "
		    "colors and bells pass %s unwrapped\n" OTHER_LAYERS, hop->row->id);
	use_own_device(p);
	because(p->route, "interpreted by %s, which sends its own sequence", hop->row->id);
	if (hop->tmux.reachable)
		p->route->tmux = hop;
	if (tmux_is_controlled(&hop->tmux))
		because(p->route, "tmux in control mode passes it on");
	return reach(p, 0, PLAIN);
}

/* Whether this is a copy, and a tmux can load it into a buffer. */
static bool
tmux_can_load(struct plan *p)
{
	if (p->tmux == NULL)
		return no_such_route(p, "no tmux server can be reached\n"
		    "run it in tmux, or use --route auto");
	return copies(p) ||
	    no_such_route(p, "a tmux buffer is for copied text, not for sequences\n"
	        OTHER_LAYERS);
}

static bool
handed_to_tmux(struct plan *p)
{
	if (!tmux_can_load(p))
		return false;
	p->route->tmux = p->tmux;
	because(p->route, HANDED_TO_TMUX);
	return reach(p, (size_t)(p->tmux - p->path->hop), HANDED);
}

static bool
stored_by_tmux(struct plan *p)
{
	if (!tmux_can_load(p))
		return false;
	p->route->tmux = p->tmux;
	because(p->route, "stored by tmux; no terminal receives it");
	/* load-buffer ignores empty input */
	tmux_overwrites(p);
	return true;
}

/* A link in standard output. */
static bool
in_text(struct plan *p)
{
	because(p->route, "nothing on the path is known to drop hyperlinks");
	return walk(p, 0, IN_TEXT) && end_shows_links(p);
}

/* Whether there is a terminal to read from: only our own. */
static bool
has_terminal(struct plan *p)
{
	if (p->path->source == DEVICE_CONTROLLING)
		return true;
	return fail(&p->route->refusal, STATUS_NO_TERMINAL,
	    NO_TERMINAL_TO_READ, strerror(p->path->failure));
}

/* The terminal's own key pastes the clipboard. */
static bool
may_ask_user(const struct plan *p)
{
	return p->request->prompt != PROMPT_NEVER && strcmp(p->request->selections, "c") == 0;
}

/* A paste by OSC 52. */
static bool
by_query(struct plan *p)
{
	struct route *route = p->route;

	p->route->kind = ROUTE_DIRECT;
	because(p->route, "the terminal is queried directly");
	if (path_is_dumb(p->path) && !goes_on(p, refuse(p, DUMB "\n" IF_ANOTHER)))
		return false;
	if (!has_terminal(p))
		return false;
	if (!walk(p, 0, QUERY)) {
		if (message_remedy(route->refusal.text)[0] == '\0')
			advise(&route->refusal, "instead, %s", own_key(p->request));
		return false;
	}
	if (p->path->given.terminal == NULL && route->tmux == NULL)
		route->needs |= NEED_FRESH_NAME;
	if (!goes_on(p, end_reports_clipboard(p)) || !end_is_identified(p))
		return false;
	if (may_ask_user(p) && route->verdict > VERDICT_KEY)
		route->verdict = VERDICT_KEY;
	return true;
}

/* A paste by the terminal's own key, which the user is asked to press. */
static bool
by_key(struct plan *p)
{
	p->route->kind = ROUTE_DIRECT;
	p->route->by_key = true;
	because(p->route, "pasted with the terminal's own key");
	doubt(p, VERDICT_KEY);
	return has_terminal(p);
}

/* ---- the conditions of the ways ------------------------------------------------- */

static bool
can_bypass(const struct plan *p)
{
	return p->may_bypass && (p->bypassed > 0 || p->tmux != NULL);
}

static bool
tmux_sends_it(const struct plan *p)
{
	return copies(p) && p->may_bypass && p->bypassed > 0 &&
	    tmux_cannot_send(p, &p->path->hop[p->bypassed - 1]) == NULL;
}

static bool
tmux_can_be_handed(const struct plan *p)
{
	return copies(p) && p->may_bypass && p->tmux != NULL;
}

/*
 * Whether an unreachable tmux sends copies again. That is preferred to wrapping. But if an
 * unwrapped copy would not do what was requested, one is wrapped where that is known to pass.
 */
static bool
unreachable_tmux_copies(const struct plan *p)
{
	const struct hop *hop = p->path->hop;
	const bool loses = p->request->payload == 0 || loses_selection(p, hop);

	if (!copies(p) || !hop_is_unreachable(hop) || hop->tmux.set_clipboard != SET_CLIPBOARD_ON)
		return false;
	if (loses && hop->tmux.passthrough == PASSTHROUGH_UNKNOWN)
		p->route->needs |= NEED_TMUX_PASSTHROUGH;
	return !loses || hop->tmux.passthrough != PASSTHROUGH_ON;
}

static bool
nearest_passes_layers(const struct plan *p)
{
	return !p->path->hop[0].row->interprets;
}

static bool
nearest_sends_again(const struct plan *p)
{
	const struct hop *hop = p->path->hop;

	return copies(p) || hop->row->interprets || tmux_is_controlled(&hop->tmux);
}

/* ---- the choice --------------------------------------------------------- */

/* What a request is for, as bits: a way may serve several. */
enum purpose {
	LINKS = 1, PASTES = 2, TYPES = 4,
	DIRECT = 8,   /* without hops */
	NEAREST = 16, /* to the nearest multiplexer itself */
	OUTWARDS = 32,
	BY_KEY = 64,
	SENDS = DIRECT | NEAREST | OUTWARDS
};

static enum purpose
purpose_of(const struct plan *p)
{
	const struct request *request = p->request;

	if (request->feature == FEATURE_LINK)
		return LINKS;
	if (request->type != NULL)
		return TYPES;
	if (request->feature == FEATURE_PASTE)
		return request->prompt == PROMPT_AT_ONCE ? BY_KEY : PASTES;
	return p->path->hops == 0 ? DIRECT : is_for_multiplexer(p) ? NEAREST : OUTWARDS;
}

/*
 * The ways, best first. Each row has the requests that may go this way, its value of --route, when
 * it is tried, and the function that plans it. --route tries the last row with its value, whatever
 * its condition.
 */
static const struct way {
	unsigned purposes;
	enum route_kind kind;
	bool (*applies)(const struct plan *p); /* NULL: always */
	bool (*try)(struct plan *p);
} ways[] = {
	{ TYPES, ROUTE_NATIVE, NULL, by_desktop },
	{ SENDS | PASTES, ROUTE_NATIVE, desktop_is_better, by_desktop },
	{ LINKS, ROUTE_AUTO, NULL, in_text },
	{ PASTES, ROUTE_AUTO, NULL, by_query },
	{ NEAREST, ROUTE_PLAIN, NULL, plain },
	{ OUTWARDS, ROUTE_LOAD_BUFFER, tmux_sends_it, handed_to_outer_tmux },
	{ OUTWARDS, ROUTE_CLIENT_TTY, can_bypass, bypassing },
	{ OUTWARDS, ROUTE_PLAIN, unreachable_tmux_copies, plain },
	{ OUTWARDS, ROUTE_PASSTHROUGH, nearest_passes_layers, wrapped },
	{ OUTWARDS, ROUTE_PLAIN, nearest_sends_again, plain },
	{ OUTWARDS, ROUTE_LOAD_BUFFER, tmux_can_be_handed, handed_to_tmux },
	{ PASTES | BY_KEY, ROUTE_AUTO, may_ask_user, by_key },
	{ 0 /* only by --route */, ROUTE_TMUX_BUFFER, NULL, stored_by_tmux },
	{ DIRECT, ROUTE_DIRECT, NULL, direct },
};

enum { WAYS = sizeof(ways) / sizeof(ways[0]) };

/* Initializes only the first byte of the long strings, to keep copies fast. */
void
route_begin(struct route *route, enum route_kind kind, const struct path *path)
{
	memset(route, 0, offsetof(struct route, why));
	route->why[0] = route->note[0] = route->warning[0] = '\0';
	route->refusal.status = STATUS_DONE;
	route->refusal.text[0] = '\0';
	route->kind = kind;
	route->terminal = path->end.terminal;
	terminal_title(route->who, route->terminal, path->end.name);
	if (route->terminal == NULL && path->probe.version[0] != '\0')
		text_format(route->who, sizeof(route->who), "%s",
		    text_quote(path->probe.version).text);
}

/* Starts from an empty route, but information that earlier ways needed is still needed. */
static bool
try_way(struct plan *p, const struct way *way)
{
	struct route *route = p->route;
	const unsigned needs = route->needs;

	route_begin(route, way->kind, p->path);
	route->needs = needs;
	p->for_good = p->reaches_end = false;
	p->warned = VERDICT_YES;
	if (!way->try(p)) {
		/* fail() alone, unlike refuse(), sets none */
		if (route->verdict == VERDICT_YES)
			route->verdict = VERDICT_NO;
		return false;
	}
	/* overruled by --force */
	route->refusal.status = STATUS_DONE;
	if (route->verdict == VERDICT_NO)
		route->verdict = VERDICT_UNKNOWN;
	/* the server may have replied without a terminal that we may write to */
	if (p->path->source != DEVICE_PANE || route->device.name[0] != '\0' ||
	    (way->purposes & SENDS) == 0 || way->kind == ROUTE_LOAD_BUFFER ||
	    way->kind == ROUTE_NATIVE)
		return true;
	p->reaches_end = false;
	route->verdict = VERDICT_NO;
	return fail(&route->refusal, STATUS_NO_TERMINAL,
	    "tmux reports no terminal that you may write to\n"
	    "name one: --tty DEVICE");
}

/* The way that is forced. */
static bool
try_forced(struct plan *p, enum route_kind kind)
{
	size_t i = WAYS - 1;

	while (i > 0 && ways[i].kind != kind)
		i--;
	return try_way(p, &ways[i]);
}

/*
 * Tries the ways in order, and takes the first that works. If none does, reports why the terminal
 * refused. If no way got that far, reports why the first one failed.
 */
static bool
try_best(struct plan *p, enum purpose purpose)
{
	struct route first;
	bool reached = false;
	size_t i;

	first.refusal.status = STATUS_DONE;
	for (i = 0; i < WAYS; i++) {
		if ((ways[i].purposes & purpose) == 0 ||
		    (ways[i].applies != NULL && !ways[i].applies(p)))
			continue;
		if (try_way(p, &ways[i]))
			return true;
		/* changing a setting of the terminal would replace a missing tool */
		if (ways[i].kind == ROUTE_NATIVE && p->desktop == DESKTOP_FOR_SETTING)
			continue;
		if (first.refusal.status == STATUS_DONE || (p->reaches_end && !reached))
			first = *p->route;
		reached = reached || p->reaches_end;
	}
	first.needs = p->route->needs;
	*p->route = first;
	return false;
}

#define NOT_ASKED \
	"the terminal was not asked what it supports, because unread input was waiting\n" \
	"run it again without typing ahead, or name the terminal: --term NAME"

/*
 * If something stayed unknown because keys were typed ahead, says so in the warning or in the
 * refusal. Returns `found`.
 */
static bool
say_not_asked(struct plan *p, bool found)
{
	if (!p->path->queried.keys_pending || (p->route->needs & NEED_QUERIES) == 0)
		return found;
	if (found)
		warn_that(p, VERDICT_UNKNOWN, NOT_ASKED);
	else if (p->route->verdict == VERDICT_UNKNOWN)
		fail(&p->route->refusal, p->route->refusal.status, NOT_ASKED);
	return found;
}

static bool
plan_one(struct route *route, const struct path *path, const struct request *request)
{
	struct plan p = {
		.path = path, .end = &path->end, .request = request, .route = route,
		.tmux = nearest_tmux(path), .may_bypass = may_bypass(path, request->feature),
		.bypassed = hops_to_bypass(path, request->any_session),
	};
	const enum purpose purpose = purpose_of(&p);
	const bool sends = (purpose & SENDS) != 0;

	route->needs = 0;
	if (path->source == DEVICE_LAST && !request->any_session) {
		route_begin(route, ROUTE_AUTO, path);
		return refuse(&p, "the terminal used last gets only notifications\n"
		    "name one: --tty DEVICE");
	}
	p.forced = sends || (request->given.route == ROUTE_NATIVE &&
	    request->feature != FEATURE_LINK) ? request->given.route : ROUTE_AUTO;
	if (request->given.chain != NULL && sends)
		p.forced = ROUTE_DIRECT;
	p.desktop = desktop_reason(&p);
	if (p.forced != ROUTE_AUTO)
		return try_forced(&p, p.forced) && say_not_asked(&p, true);
	return say_not_asked(&p, try_best(&p, purpose)) || (sends && request->given.force &&
	    path->hops > 0 && try_forced(&p, ROUTE_DIRECT));
}

/* How likely the terminal has the protocol of a notification. */
enum likelihood {
	REFUSED,
	LIKELY_UNKNOWN,
	LIKELY_OFF,
	LIKELY_NEWER, /* in its newest version, and this version is unknown */
	LIKELY_YES
};

/* Of a protocol that has a route. By --term alone, any version is possible. */
static enum likelihood
likelihood(const struct path *path, enum feature feature)
{
	const bool any_version = path->given.terminal != NULL && !path->probe.knows_99;

	switch (any_version ? path->end.can[feature].by_table : path->end.can[feature].does) {
	case SUPPORT_YES:
		return LIKELY_YES;
	case SUPPORT_OFF:
		return LIKELY_OFF;
	default:
		return feature != FEATURE_NOTIFY99 && path->end.can[feature].newest == SUPPORT_YES ?
		    LIKELY_NEWER : LIKELY_UNKNOWN;
	}
}

/* Chooses the first protocol that the terminal has, or the one that it is most likely to have. */
static bool
plan_notification(struct route *route, const struct path *path, const struct request *any)
{
	struct request request = *any;
	enum notification_protocol chosen = NOTIFICATION_99, protocol;
	enum likelihood best = REFUSED, its;
	unsigned needs = 0;
	bool found;

	for (protocol = NOTIFICATION_99; protocol <= NOTIFICATION_9; protocol++) {
		request.feature = notification_features[protocol];
		found = plan_one(route, path, &request);
		route->protocol = protocol;
		route->needs = needs |= route->needs;
		if (route->kind == ROUTE_NATIVE)
			return found;
		its = found ? likelihood(path, notification_features[protocol]) : REFUSED;
		if (its == LIKELY_YES)
			return true;
		if (its > best) {
			chosen = protocol;
			best = its;
		}
	}
	if (best == REFUSED && path->end.terminal != NULL && path_lacks_notifications(path))
		return fail(&route->refusal, STATUS_REFUSED, "no support for notifications in %s\n"
		    "viatty notify --bell and viatty run --bell ring the bell instead%s",
		    route->who, or_another(path));
	/* most terminals show OSC 9 as a notification, and none shows anything else */
	if (best == LIKELY_UNKNOWN && (path->end.can[FEATURE_NOTIFY9].does != SUPPORT_NO ||
	    path->end.can[notification_features[chosen]].does == SUPPORT_NO))
		chosen = NOTIFICATION_9;
	/* the last one is planned already */
	if (chosen != NOTIFICATION_9) {
		request.feature = notification_features[chosen];
		found = plan_one(route, path, &request);
		route->protocol = chosen;
		route->needs = needs;
	}
	route->guessed = best <= LIKELY_UNKNOWN;
	return found;
}

bool
plan(struct route *route, const struct path *path, const struct request *request)
{
	return request->feature == FEATURE_NOTIFICATION ?
	    plan_notification(route, path, request) : plan_one(route, path, request);
}

bool
route_is_ascii(const struct route *route)
{
	const struct hop *hop = route->destination;

	return chain_has(&route->chain, LAYER_SCREEN) ||
	    (hop != NULL && (hop->row->kind == HOP_SCREEN ||
	    hop->row->kind == HOP_TMUX_OR_SCREEN));
}
