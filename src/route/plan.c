/* SPDX-License-Identifier: MIT */
/*
 * Plans the route; the contract is in plan.h.
 *
 * In this order: the table of routes; when each route applies; how each is set up, or why
 * it is refused; whether hops pass the sequence and the terminal supports it;
 * plan_route(). policy.c knows what hops, terminals and desktops do.
 */
#include "route/plan.h"

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
	[ROUTE_NATIVE] = "native",
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

/* A route being planned. */
struct plan {
	const struct path *path;
	const struct request *request;
	struct route *route;
	size_t from; /* the first hop that is not bypassed */
};

static bool
copies(const struct plan *p)
{
	return p->request->feature == FEATURE_COPY;
}

/* ---- reasons ------------------------------------------------------------ */

static bool
refuse_route(struct plan *p, struct reason reason)
{
	p->route->refusal = reason;
	return false;
}

static bool
refuse_for(struct plan *p, enum reason_id id, const struct hop *hop)
{
	return refuse_route(p, (struct reason){ .id = id, .hop = hop });
}

/* False if --force does not override this reason. */
static bool
accept(struct plan *p, struct reason reason)
{
	return reason.id == REASON_NONE || p->request->force || refuse_route(p, reason);
}

static void
explain_hop(struct plan *p, enum reason_id id, const struct hop *hop)
{
	p->route->reason = (struct reason){ .id = id, .hop = hop };
}

/* Lowers the limit of the route, and checks the sequence against it. */
static bool
keeps_limit(struct plan *p, struct limit limit, const struct hop *hop)
{
	struct route *route = p->route;

	if (limit.bytes == 0)
		return true;
	if (route->limit == 0 || limit.bytes < route->limit)
		route->limit = limit.bytes;
	if (p->request->sequence <= limit.bytes || limit.reason == REASON_NONE)
		return true;
	return refuse_route(p, (struct reason){ .id = limit.reason, .hop = hop,
	    .size = p->request->sequence, .limit = limit.bytes });
}

static void
use_own_device(struct plan *p)
{
	p->route->own_device = true;
	p->route->device = p->path->device;
}

/* ---- the choice --------------------------------------------------------- */

typedef bool route_condition(const struct plan *);
typedef bool route_attempt(struct plan *);

static route_condition can_step_over, is_known_to_interpret, needs_wrapping,
    may_interpret, can_load_buffer;
static route_attempt try_direct, try_client_tty, try_passthrough, try_plain,
    try_load_buffer, try_tmux_buffer, try_native;

/* Whether the route applies to this path and request. */
enum situation { NO_HOPS, FOR_MULTIPLEXER, THROUGH_HOPS };

/*
 * The routes, best first. Without --route the first that applies and is not refused is
 * taken. If all are refused, the refusal of the first is reported, because the user can
 * fix that. If no sequence arrives, plan_route() uses a desktop tool.
 */
static const struct {
	enum situation situation;
	enum route_kind kind;
	route_condition *applies; /* NULL: always */
} preferences[] = {
	{ NO_HOPS, ROUTE_DIRECT, NULL },
	{ FOR_MULTIPLEXER, ROUTE_PLAIN, NULL },
	{ THROUGH_HOPS, ROUTE_CLIENT_TTY, can_step_over },
	{ THROUGH_HOPS, ROUTE_PLAIN, is_known_to_interpret },
	{ THROUGH_HOPS, ROUTE_PASSTHROUGH, needs_wrapping },
	{ THROUGH_HOPS, ROUTE_PLAIN, may_interpret },
	{ THROUGH_HOPS, ROUTE_LOAD_BUFFER, can_load_buffer },
};

/* Where the nearest multiplexer keeps no colors of its own they are the terminal's. */
static bool
is_for_multiplexer(const struct plan *p)
{
	const struct hop *hop = p->path->hop, *end = hop + p->path->hops;

	if (!p->request->for_multiplexer || p->request->feature != FEATURE_COLOR)
		return p->request->for_multiplexer;
	while (hop < end && hop_row(hop)->does == 0)
		hop++;
	return hop < end && policy_does(hop, FEATURE_COLOR);
}

/* Sets up the route, or sets the reason for its refusal. */
static const struct {
	route_attempt *attempt;
	bool by_program; /* a program gets the text; no device is written to */
} routes[ROUTE_COUNT] = {
	[ROUTE_DIRECT] = { .attempt = try_direct },
	[ROUTE_CLIENT_TTY] = { .attempt = try_client_tty },
	[ROUTE_PASSTHROUGH] = { .attempt = try_passthrough },
	[ROUTE_PLAIN] = { .attempt = try_plain },
	[ROUTE_LOAD_BUFFER] = { .attempt = try_load_buffer, .by_program = true },
	[ROUTE_TMUX_BUFFER] = { .attempt = try_tmux_buffer, .by_program = true },
	[ROUTE_NATIVE] = { .attempt = try_native, .by_program = true },
};

static enum situation
situation_of(const struct plan *p)
{
	return p->path->hops == 0 ? NO_HOPS :
	    is_for_multiplexer(p) ? FOR_MULTIPLEXER : THROUGH_HOPS;
}

/* The server may have replied without naming a terminal that we may write to. */
static bool
has_device(struct plan *p)
{
	return p->path->source != DEVICE_PANE || p->route->device.name[0] != '\0' ||
	    routes[p->route->kind].by_program ||
	    refuse_for(p, REASON_NO_DEVICE, NULL);
}

/* Keeps only the refusal of a failed attempt. */
static bool
attempt_route(struct plan *p, enum route_kind kind)
{
	*p->route = (struct route){ .kind = kind };
	p->from = 0;
	return routes[kind].attempt(p) && has_device(p);
}

static bool
choose_route(struct plan *p)
{
	enum situation situation = situation_of(p);
	struct reason first = { .id = REASON_NONE };
	size_t i;

	for (i = 0; i < sizeof(preferences) / sizeof(preferences[0]); i++) {
		if (preferences[i].situation != situation ||
		    (preferences[i].applies != NULL && !preferences[i].applies(p)))
			continue;
		if (attempt_route(p, preferences[i].kind))
			return true;
		if (first.id == REASON_NONE)
			first = p->route->refusal;
	}
	return refuse_route(p, first);
}

/* --wrap: the device as it is, with these layers. */
static bool
take_chain(struct plan *p)
{
	*p->route = (struct route){ .chain = *p->request->chain,
	    .kind = p->request->chain->count > 0 ? ROUTE_PASSTHROUGH : ROUTE_DIRECT,
	    .confidence = CONFIDENCE_UNKNOWN };
	use_own_device(p);
	explain_hop(p, REASON_LAYERS_GIVEN, NULL);
	return has_device(p);
}

static bool
find_route(struct plan *p)
{
	if (p->request->chain != NULL)
		return take_chain(p);
	if (p->request->route != ROUTE_AUTO)
		return attempt_route(p, p->request->route);
	return choose_route(p) || (p->request->force && attempt_route(p, ROUTE_DIRECT));
}

/* ---- the path ----------------------------------------------------------- */

/* The nearest tmux whose server replies, or NULL. */
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
 * The number of hops that can be bypassed: all up to the last tmux or editor whose outer
 * terminal is known. Screen is bypassed only together with a hop around it.
 */
static size_t
hops_to_step_over(const struct path *path)
{
	size_t i, over = 0;

	for (i = 0; i < path->hops && path->hop[i].outer.name[0] != '\0'; i++)
		if (multiplexer_is_stepped_over(hop_row(&path->hop[i])))
			over = i + 1;
	return over;
}

/* The device of --tty is written to, not bypassed. */
static bool
may_step_over(const struct plan *p)
{
	enum device_source source = p->path->source;

	return !p->request->moves_cursor && source != DEVICE_ASKED_FOR &&
	    source != DEVICE_STDOUT && source != DEVICE_STDERR;
}

/* Adds the layers for the hops from number `first` on. */
static bool
wrap_for_hops(struct plan *p, size_t first)
{
	struct wrapping w;
	size_t i;

	for (i = first; i < p->path->hops; i++) {
		w = policy_wrapping(&p->path->hop[i], p->request);
		if (w.has_layer)
			chain_add(&p->route->chain, w.layer);
		if (w.unsure)
			p->route->confidence = CONFIDENCE_UNKNOWN;
		if (!accept(p, w.refusal))
			return false;
	}
	return true;
}

static void
tmux_overwrites(struct plan *p, const struct hop *hop)
{
	p->route->overwrites = true;
	p->route->note = (struct reason){ .id = REASON_TMUX_OVERWRITES, .hop = hop };
}

/* ---- when a route through hops applies ---------------------------------- */

static bool
interprets_itself(const struct plan *p)
{
	return hop_row(&p->path->hop[0])->form == FORM_PLAIN;
}

/* Then nothing is sent through it: a copy does not query it for passthrough. */
static bool
is_known_to_interpret(const struct plan *p)
{
	return copies(p) && p->path->hop[0].probe.interprets;
}

static bool
can_step_over(const struct plan *p)
{
	return may_step_over(p) && (hops_to_step_over(p->path) > 0 ||
	    nearest_tmux(p->path) != NULL);
}

static bool
needs_wrapping(const struct plan *p)
{
	return !interprets_itself(p);
}

static bool
may_interpret(const struct plan *p)
{
	return copies(p) || interprets_itself(p);
}

static bool
can_load_buffer(const struct plan *p)
{
	return copies(p) && may_step_over(p) && nearest_tmux(p->path) != NULL;
}

/* ---- the routes --------------------------------------------------------- */

static bool
try_direct(struct plan *p)
{
	const struct hop *hop = p->path->hops > 0 ? &p->path->hop[0] : NULL;

	use_own_device(p);
	if (hop != NULL && copies(p) && !accept(p, policy_guests(hop)))
		return false;
	if (hop != NULL)
		p->route->confidence = CONFIDENCE_UNKNOWN;
	explain_hop(p, hop != NULL ? REASON_DIRECT_FORCED :
	    p->path->source == DEVICE_ANCESTOR ? REASON_ANCESTOR :
	    REASON_NO_MULTIPLEXER, hop);
	return true;
}

static bool
try_client_tty(struct plan *p)
{
	const struct hop *tmux = nearest_tmux(p->path);
	size_t over = hops_to_step_over(p->path);

	if (over == 0 && tmux != NULL)
		return refuse_route(p, policy_no_client(tmux, p->request));
	if (over == 0)
		return refuse_for(p, REASON_NOTHING_TO_STEP_OVER, NULL);
	if (!wrap_for_hops(p, over))
		return false;
	p->from = over;
	p->route->kind = ROUTE_CLIENT_TTY;
	p->route->tmux = tmux;
	p->route->device = p->path->hop[over - 1].outer;
	explain_hop(p, REASON_CLIENT_TTY, &p->path->hop[over - 1]);
	return true;
}

static bool
try_passthrough(struct plan *p)
{
	if (p->path->hops == 0)
		return refuse_for(p, REASON_NOTHING_TO_PASS, NULL);
	if (!wrap_for_hops(p, 0))
		return false;
	use_own_device(p);
	p->route->tmux = nearest_tmux(p->path);
	explain_hop(p, REASON_WRAPPED, &p->path->hop[0]);
	return true;
}

/* tmux decodes the data and sends its own sequence to its client. */
static bool
tmux_sends_its_own(struct plan *p, const struct hop *hop, bool letter)
{
	const struct hop *outer;
	struct reason reason;

	if (!letter)
		p->route->warning = (struct reason){ .id = REASON_LETTER_LOST };
	if (p->request->force)
		return true;
	if (p->request->payload == 0)
		tmux_overwrites(p, hop);
	if (!hop->tmux.has_client)
		return refuse_route(p, policy_no_client(hop, p->request));
	for (outer = hop + 1; outer < p->path->hop + p->path->hops; outer++) {
		reason = policy_of_unwrapped(outer, p->request, letter);
		if (reason.id != REASON_NONE)
			return refuse_route(p, reason);
	}
	if (tmux_client_copies(&hop->tmux.client) != SUPPORT_NO)
		return true;
	/* before 3.2, which added features, only terminfo counts */
	return refuse_for(p, tmux_is_at_least(&hop->tmux, 3, 2) ?
	    REASON_CLIENT_FEATURE : REASON_CLIENT_TERMINFO, hop);
}

/*
 * For the nearest multiplexer itself or, if there is none, the terminal. Editors in
 * between are bypassed.
 */
static bool
try_for_multiplexer(struct plan *p)
{
	const struct hop *hop = p->path->hop;
	size_t over = 0;

	while (over < p->path->hops && hop_row(&hop[over])->does == 0 &&
	    hop[over].outer.name[0] != '\0' && may_step_over(p))
		over++;
	if (over == p->path->hops)
		return try_client_tty(p);
	if (over > 0)
		p->route->device = hop[over - 1].outer;
	else
		use_own_device(p);
	explain_hop(p, REASON_FOR_MULTIPLEXER, &hop[over]);
	p->route->destination = &hop[over];
	if (hop[over].kind == HOP_TMUX)
		p->route->tmux = &hop[over];
	else if (hop_is_unreachable(&hop[over]))
		p->route->confidence = CONFIDENCE_UNKNOWN;
	return accept(p, policy_of_destination(&hop[over], p->request));
}

/* For a hop that interprets the sequence: tmux, Zellij, mosh. */
static bool
try_plain(struct plan *p)
{
	const struct hop *hop = &p->path->hop[0];
	struct reason reason;

	if (p->path->hops == 0)
		return refuse_for(p, REASON_NOTHING_INTERPRETS, NULL);
	if (is_for_multiplexer(p))
		return try_for_multiplexer(p);
	reason = policy_of_plain(hop, p->request);
	if (reason.id == REASON_NOT_INTERPRETED || reason.id == REASON_NOT_PLAIN)
		return refuse_route(p, reason);
	use_own_device(p);
	explain_hop(p, REASON_INTERPRETED, hop);
	if (hop->kind == HOP_TMUX)
		p->route->tmux = hop;
	if (!accept(p, reason))
		return false;
	if (hop->kind == HOP_TMUX && !policy_is_controlled(&hop->tmux))
		return tmux_sends_its_own(p, hop,
		    tmux_is_at_least(&hop->tmux, 3, 4));
	if (hop->kind == HOP_TMUX ||
	    (hop_is_unreachable(hop) && !hop->probe.copy_known))
		p->route->confidence = CONFIDENCE_UNKNOWN;
	else if (hop_is_unreachable(hop) && p->request->payload == 0)
		tmux_overwrites(p, hop);
	return true;
}

/* The tmux for load-buffer. NULL: there is none, or the request is not a copy. */
static const struct hop *
tmux_for_text(struct plan *p)
{
	const struct hop *tmux = nearest_tmux(p->path);

	if (tmux != NULL && copies(p))
		return tmux;
	refuse_for(p, tmux == NULL ? REASON_NO_TMUX : REASON_NO_TEXT, tmux);
	return NULL;
}

static bool
try_load_buffer(struct plan *p)
{
	const struct hop *hop = tmux_for_text(p);

	if (hop == NULL)
		return false;
	p->from = (size_t)(hop - p->path->hop);
	p->route->tmux = hop;
	p->route->confidence = CONFIDENCE_UNKNOWN;
	explain_hop(p, REASON_LOAD_BUFFER, hop);
	/* without a client there is no terminal, even with --force */
	if (!hop->tmux.has_client)
		return refuse_route(p, policy_no_client(hop, p->request));
	if (hop->tmux.client_claimed)
		return refuse_for(p, REASON_CLIENT_CLAIMED, hop);
	if (!tmux_is_at_least(&hop->tmux, 3, 2) && !p->request->force)
		return refuse_for(p, REASON_LOAD_BUFFER_OLD, hop);
	return tmux_sends_its_own(p, hop, false);
}

static bool
try_tmux_buffer(struct plan *p)
{
	const struct hop *hop = tmux_for_text(p);

	if (hop == NULL)
		return false;
	p->route->tmux = hop;
	explain_hop(p, REASON_TMUX_BUFFER, hop);
	/* load-buffer leaves the buffer as it is where nothing comes */
	if (p->request->payload == 0)
		tmux_overwrites(p, hop);
	return true;
}

/* The tool for the clipboard of a desktop without this selection, or NULL. */
static const struct desktop_tool *
tool_without_primary(const struct desktop *desktop, const struct request *request)
{
	struct request clipboard = *request;

	clipboard.selections = "c";
	return request->selections[0] != '\0' ?
	    policy_desktop_tool(desktop, &clipboard, false) : NULL;
}

static bool
try_native(struct plan *p)
{
	const struct desktop *desktop = p->path->desktop;
	const struct request *request = p->request;
	const struct desktop_tool *tool, *any;
	bool forced = request->route == ROUTE_NATIVE;
	struct reason refusal;

	if (!policy_is_for_desktop(request->feature))
		return refuse_for(p, REASON_NOT_NATIVE, NULL);
	if (desktop != NULL && desktop->state == DESKTOP_OFF)
		return refuse_for(p, REASON_NATIVE_OFF, NULL);
	if (request->selections[strspn(request->selections, "cp")] != '\0')
		return refuse_for(p, REASON_NATIVE_SELECTION, NULL);
	if (desktop == NULL || desktop->state != DESKTOP_FOUND)
		return refuse_for(p, REASON_NO_DESKTOP, NULL);
	any = policy_desktop_tool(desktop, request, false);
	tool = policy_desktop_tool(desktop, request, true);
	if (any == NULL) {
		any = tool_without_primary(desktop, request);
		return refuse_route(p, (struct reason){ .tool = any, .id = any != NULL ?
		    REASON_NATIVE_NO_PRIMARY : REASON_NO_DESKTOP });
	}
	if (tool == NULL)
		return refuse_route(p, (struct reason){ .id = forced ?
		    REASON_NO_TOOL_FORCED : REASON_NO_TOOL,
		    .feature = request->feature, .tool = any });
	refusal = policy_of_tool(tool, request);
	if (refusal.id != REASON_NONE)
		return refuse_route(p, refusal);
	p->route->tool = tool;
	p->route->desktop = desktop->where[tool->desktop];
	p->route->reason = (struct reason){ .tool = tool, .feature = request->feature,
	    .id = forced ? REASON_NATIVE_FORCED : REASON_NATIVE };
	return true;
}

/* ---- hops and the terminal ------------------------------------------------ */

/* Checks no hops that are bypassed or beyond the destination. */
static bool
check_hops(struct plan *p)
{
	const struct hop *hop = p->path->hop;
	struct reason reason;
	struct limit limit;
	size_t i;

	for (i = p->from; i < p->path->hops; i++) {
		reason = policy_of_passing(&hop[i], p->request, &limit);
		if (reason.id != REASON_NONE)
			return refuse_route(p, reason);
		if (!keeps_limit(p, limit, &hop[i]))
			return false;
	}
	limit = (struct limit){ wrap_limit(&p->route->chain),
		REASON_LARGE_FOR_PASSTHROUGH };
	if (!keeps_limit(p, limit, NULL))
		return false;
	limit = (struct limit){ TMUX_SEQUENCE_MAX, REASON_LARGE_FOR_TMUX };
	return p->route->kind != ROUTE_PLAIN ||
	    hop_row(&hop[0])->form != FORM_TMUX ||
	    keeps_limit(p, limit, hop);
}

static bool
check_destination(struct plan *p)
{
	struct end_policy end = policy_of_terminal(p->route->terminal, p->path,
	    p->request);
	struct route *route = p->route;

	if (end.refusal.id != REASON_NONE)
		return refuse_route(p, end.refusal);
	if (!keeps_limit(p, end.limit, NULL))
		return false;
	if (end.unsure)
		route->confidence = CONFIDENCE_UNKNOWN;
	if (end.note.id != REASON_NONE)
		route->note = end.note;
	if (end.warning.id != REASON_NONE)
		route->warning = end.warning;
	route->overwrites = route->overwrites || end.overwrites;
	return true;
}

static bool
check_plan(struct plan *p)
{
	const struct hop *destination = p->route->destination;

	if (destination != NULL)
		return keeps_limit(p, policy_destination_limit(destination),
		    destination);
	return check_hops(p) && check_destination(p);
}

/* ---- warnings ----------------------------------------------------------- */

/* Warns about a tmux on the path that cannot be queried. */
static void
warn_of_unreachable(struct plan *p)
{
	const struct hop *hop = p->path->hop, *end = hop + p->path->hops;

	for (; hop < end; hop++) {
		if (!hop_is_unreachable(hop) ||
		    hop->probe.passes || (copies(p) && hop->probe.interprets))
			continue;
		p->route->warning = (struct reason){ .hop = hop, .id =
		    hop_row(hop)->form == FORM_SCREEN ?
		    REASON_TMUX_OR_SCREEN :
		    copies(p) ? REASON_TMUX_UNKNOWN_COPY : REASON_TMUX_UNKNOWN };
		return;
	}
}

/* Warns if a tmux on the path sets the title of its terminal. */
static void
warn_of_titles(struct plan *p)
{
	size_t i;

	for (i = 0; i < p->path->hops; i++)
		if (p->path->hop[i].kind == HOP_TMUX &&
		    p->path->hop[i].tmux.sets_titles) {
			p->route->warning = (struct reason){
				.id = REASON_TITLE_OVERWRITTEN,
				.hop = &p->path->hop[i] };
			return;
		}
}

static void
add_warnings(struct plan *p)
{
	const struct route *route = p->route;

	if (route->destination != NULL)
		return;
	if (route->kind != ROUTE_DIRECT && route->kind != ROUTE_LOAD_BUFFER)
		warn_of_unreachable(p);
	if (p->request->feature == FEATURE_TITLE)
		warn_of_titles(p);
}

/* ---- plan_route() --------------------------------------------------------- */

static void
name_terminal(struct plan *p)
{
	const struct path *path = p->path;

	p->route->terminal = path_terminal(path);
	terminal_title(p->route->who, p->route->terminal, path->named != NULL ?
	    path->named_as : path->terminal == path->by_environment ?
	    path->terminal_name : NULL);
}

static bool
plan_sequence(struct plan *p)
{
	struct route *route = p->route;

	if (!find_route(p))
		return false;
	name_terminal(p);
	if (route->kind == ROUTE_TMUX_BUFFER || route->kind == ROUTE_NATIVE)
		return true;
	if (p->request->force)
		route->confidence = CONFIDENCE_UNKNOWN; /* not checked */
	else if (!check_plan(p))
		return false;
	add_warnings(p);
	return true;
}

/*
 * Whether a desktop tool is used instead: the terminal does not support the feature and
 * runs on this desktop. A missing tool is reported in preference to other reasons.
 */
static bool
is_native(const struct plan *p)
{
	const struct request *request = p->request;
	const struct path *path = p->path;

	return request->route == ROUTE_AUTO && request->chain == NULL &&
	    !request->force && path->desktop != NULL &&
	    path->desktop->state == DESKTOP_FOUND && !path->desktop->own &&
	    policy_desktop_tool(path->desktop, request, false) != NULL &&
	    policy_lacks(path, request);
}

bool
plan_route(struct route *route, const struct path *path,
    const struct request *request)
{
	struct plan p = { .path = path, .request = request, .route = route };

	if (plan_sequence(&p))
		return true;
	return is_native(&p) && plan_native(route, path, request);
}

bool
plan_native(struct route *route, const struct path *path,
    const struct request *request)
{
	struct plan p = { .path = path, .request = request, .route = route };
	bool fine;

	*route = (struct route){ .kind = ROUTE_AUTO };
	if (request->route != ROUTE_NATIVE && !is_native(&p))
		return false;
	fine = attempt_route(&p, ROUTE_NATIVE);
	name_terminal(&p);
	return fine;
}

bool
route_does(const struct route *route, unsigned feature)
{
	if (route->destination != NULL)
		return policy_does(route->destination, feature);
	return terminal_support(route->terminal, (enum feature)feature) ==
	    SUPPORT_YES;
}

bool
route_is_ascii(const struct route *route)
{
	const struct hop *hop = route->destination;

	return chain_has(&route->chain, LAYER_SCREEN) ||
	    (hop != NULL && hop_row(hop)->low_bits_only);
}
