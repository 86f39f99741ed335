/* SPDX-License-Identifier: MIT */
/*
 * Plans a route. In this order: refusals; the request; how hops treat wrapped and unwrapped
 * sequences; hops to bypass; the routes; support by the terminal and by hops that forward;
 * desktop tools; the choice; plan_route(). Each refusal is set where it is detected.
 *
 * What makes tmux drop a copy, and the function that notices it:
 *
 *   no client, or only those of other users or in control mode     no_client(), no_guests()
 *   wrapped: allow-passthrough off, a hidden pane, copy mode       tmux_passes_wrapped()
 *   plain: set-clipboard not on, a hidden pane                     tmux_interprets()
 *   decoded: the client's TERM cannot set the clipboard; an outer  tmux_sends_its_own(),
 *     tmux, Screen or editor that does not take it from this one   passes_unwrapped()
 *   a size above its limits                                        check_hops()
 *   any of these in a server that cannot be queried                unreachable_drops() or,
 *                                                                  unsure, a warning
 *   options or panes that change between the query and the copy    only copy --confirm
 */
#include "route/route.h"

#include "base/base.h"
#include "encoder/encoder.h"

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

#define ANY_ROUTE "use --route auto"
#define OTHER_LAYERS ANY_ROUTE "; --wrap sets the layers by hand"
#define HANDED_TO_TMUX "handed to tmux, which sends it to its terminal"
#define ENDS_IN_NUL "tmux does not tell whether it sends a text that ends in NUL"
#define IN_TMUX_BUFFER "store the text in a tmux buffer: --route tmux-buffer"
#define OTHERS "viatty-terminals(7) lists those that do"
#define FOR_OUTER "for the terminal outside %s: --outer"
#define ENCODE "encode it first (base64 FILE | viatty copy)"

/* Whether a setting of the terminal prevents a copy. */
enum setting {
	SETTING_FINE,
	SETTING_NEEDED, /* by default; it may have been changed */
	SETTING_OFF     /* reported by the terminal */
};

/* A route being planned. */
struct plan {
	const struct path *path;
	const struct request *request;
	struct route *route;
	enum route_kind forced; /* by --route; ROUTE_AUTO: the best */
	enum setting setting;
	size_t from; /* the first hop that is not bypassed */
};

/* ---- refusals, reasons, warnings ---------------------------------------- */

/* Sets the refusal. Returns false. */
#define refuse(p, ...) fail(&(p)->route->refusal, STATUS_REFUSED, __VA_ARGS__)

/* The same, for a route given by --route that does not exist here. */
static bool
no_such_route(struct plan *p, const char *why)
{
	return fail(&p->route->refusal, STATUS_USAGE, "--route %s: %s", route_words[p->forced],
	    why);
}

/* Sets the reason for this route. */
#define because(p, ...) text_format((p)->route->why, sizeof((p)->route->why), __VA_ARGS__)

/* Sets the warning about possible losses. */
#define warn_that(p, ...) message_format((p)->route->warning, __VA_ARGS__)

struct remedy
hint_with_term(const struct path *path, const char *fix)
{
	bool certain = path->named != NULL || probe_terminal(&path->probe) != NULL;
	struct remedy remedy;

	text_format(remedy.text, sizeof(remedy.text), "%s%s", fix,
	    certain ? "" : "; " IF_ANOTHER);
	return remedy;
}

struct remedy
setting_hint(const char *setting)
{
	const char *line = strstr(setting, ": ");
	struct remedy remedy;

	if (line == NULL)
		text_format(remedy.text, sizeof(remedy.text), "%s", setting);
	else
		text_format(remedy.text, sizeof(remedy.text), "set in %.*s:\n  %s",
		    (int)(line - setting), setting, line + 2);
	return remedy;
}

/* ---- the request -------------------------------------------------------- */

static bool
copies(const struct plan *p)
{
	return p->request->feature == FEATURE_COPY;
}

static bool
is_notification(unsigned feature)
{
	return feature == FEATURE_NOTIFY9 || feature == FEATURE_NOTIFY777 ||
	    feature == FEATURE_NOTIFY99;
}

static bool
is_plain_text(const struct request *request)
{
	return request->type == NULL || typed_type_is_plain(request->type);
}

/* ---- what a hop does ---------------------------------------------------- */

unsigned
hop_interpreters(const struct hop *hop)
{
	switch (hop->row->kind) {
	case HOP_TMUX:
		return INTERPRETER_TMUX;
	case HOP_SCREEN:
		return INTERPRETER_SCREEN;
	case HOP_TMUX_OR_SCREEN:
		return INTERPRETER_TMUX | INTERPRETER_SCREEN;
	case HOP_MOSH:
		return INTERPRETER_MOSH;
	case HOP_ZELLIJ:
		return INTERPRETER_ZELLIJ;
	default:
		return 0;
	}
}

/* Whether the hop itself interprets a user-supplied sequence. */
static bool
interprets_users_own(const struct plan *p, const struct hop *hop)
{
	unsigned hops = hop_interpreters(hop);

	return p->request->feature == FEATURE_ANY && hops != 0 &&
	    (p->request->interpreters & hops) == hops;
}

/* Whether the hop, as the destination, supports the feature. */
static enum support
hop_does(const struct hop *hop, unsigned feature)
{
	if (feature == FEATURE_WINDOW_NAME)
		return hop->row->names_windows ? SUPPORT_YES : SUPPORT_NO;
	if (feature == FEATURE_COLOR_QUERY)
		return terminal_support(hop->row, NEWEST, FEATURE_COLOR);
	return feature == FEATURE_BELL ? SUPPORT_YES :
	    terminal_support(hop->row, hop->tmux.version, feature);
}

/* Whether only control clients are attached, which get the output of the pane unchanged. */
static bool
is_controlled(const struct tmux *tmux)
{
	return tmux->clients > 0 && tmux->clients == tmux->control_clients;
}

/* Without -S for the default server; an ID needs no quotes. */
struct remedy
tmux_attach_command(const struct tmux *tmux)
{
	const char *socket = tmux->address.socket, *name = strrchr(socket, '/');
	bool other = name != NULL && strcmp(name, "/default") != 0;
	bool plain = tmux->session[strspn(tmux->session, TEXT_ALNUM)] == '\0';
	const char *target = plain ? tmux->session : tmux->pane;
	struct remedy command;

	if (!text_is_typable(socket))
		socket = "SOCKET";
	text_format(command.text, sizeof(command.text), "tmux %s%s%sattach%s%s",
	    other ? "-S " : "", other ? socket : "", other ? " " : "",
	    target[0] != '\0' ? " -t " : "", target);
	return command;
}

/* Refuses because no client of this user is attached. */
static bool
no_client(struct plan *p, const struct hop *hop)
{
	const struct tmux *tmux = &hop->tmux;
	bool text = copies(p) && p->request->payload > 0;
	struct remedy attach = tmux_attach_command(tmux);

	if (tmux->clients > 0 && tmux->has_client)
		return refuse(p, "the terminal that shows tmux cannot be used: %s\n"
		    "attach a terminal of your own: %s", hop->why, attach.text);
	if (tmux->clients > 0)
		return refuse(p, "only control-mode clients are attached to tmux session %s\n"
		    "attach a terminal: %s", text_quote(tmux->session).text, attach.text);
	if (tmux->elsewhere.tty[0] != '\0')
		return refuse(p, "tmux session %s is detached\n"
		    "to use the terminal of another session: --tty %s%s",
		    text_quote(tmux->session).text,
		    text_is_typable(tmux->elsewhere.tty) ? tmux->elsewhere.tty : "DEVICE",
		    text ? ", or " IN_TMUX_BUFFER : "");
	return refuse(p, "%stmux session %s%s\n"
	    "attach to it%s%s%s",
	    tmux->guests > 0 ? "only other users have attached a terminal to " : "",
	    text_quote(tmux->session).text, tmux->guests > 0 ? "" : " is detached",
	    text ? " (" : ": ", attach.text, text ? "), or " IN_TMUX_BUFFER : "");
}

/* tmux sends output of a pane to every client, so refuses if other users are attached. */
static bool
no_guests(struct plan *p, const struct hop *hop)
{
	return hop->tmux.guests == 0 ||
	    refuse(p,
	        "another user is attached to the tmux session and would receive it too\n"
	        "detach that client (prefix D), or bypass tmux: --route client-tty");
}

/* Whether this tmux passes wrapped sequences from the pane. */
static bool
tmux_passes_wrapped(struct plan *p, const struct hop *hop)
{
	const struct tmux *tmux = &hop->tmux;
	bool draws = p->request->moves_cursor, has_all = tmux_is_at_least(tmux, 3, 4);
	const char *needed = tmux->shown || !has_all ? "on" : "all";

	if (tmux->clients == 0)
		return no_client(p, hop);
	if (is_controlled(tmux))
		return refuse(p, "tmux in control mode shows wrapped sequences as text\n"
		    "use --route plain");
	/* drawing is meant for all clients */
	if (!draws && !no_guests(p, hop))
		return false;
	if (tmux->in_mode)
		return refuse(p, "tmux drops wrapped sequences from a pane in copy mode\n"
		    "leave copy mode (q) and try again");
	if (tmux->passthrough == PASSTHROUGH_ON && !tmux->shown)
		return refuse(p, "tmux drops wrapped sequences from a hidden pane\n%s",
		    has_all ? TMUX_SET("g allow-passthrough all") :
		    "show the pane and try again");
	return tmux->passthrough != PASSTHROUGH_OFF ||
	    refuse(p, "tmux drops wrapped sequences: allow-passthrough is off\n"
	        "%s" TMUX_SET("g allow-passthrough %s"),
	        draws ? "bypass tmux with --route client-tty, or " : "", needed);
}

/* What makes an unreachable tmux reachable, or pass the sequence on. */
static const char *
repair_hint(const struct plan *p, const struct hop *hop)
{
	return hop->repair[0] != '\0' ? hop->repair : copies(p) ?
	    "where that tmux runs, " TMUX_SET("g set-clipboard on") :
	    "where that tmux runs, " TMUX_SET("g allow-passthrough on");
}

/* Refuses for an unreachable tmux, whose replies show that it drops the sequence. */
static bool
unreachable_drops(struct plan *p, const struct hop *hop)
{
	const char *options = copies(p) ?
	    "set-clipboard is not on and allow-passthrough is off there" :
	    "allow-passthrough is off there";

	if (hop->repair[0] != '\0')
		return refuse(p, "the outer tmux cannot be queried%s%s%s and drops it: %s\n%s",
		    hop->why[0] != '\0' ? " (" : "", hop->why, hop->why[0] != '\0' ? ")" : "",
		    options, hop->repair);
	return refuse(p, "the outer tmux drops it: %s\n%s", options, repair_hint(p, hop));
}

/*
 * Wraps for a tmux that was at most queried through the terminal. If it interprets copies,
 * they need no passthrough.
 */
static bool
wrap_for_unreachable(struct plan *p, const struct hop *hop)
{
	const struct tmux *tmux = &hop->tmux;
	bool interprets = copies(p) && (tmux->set_clipboard == SET_CLIPBOARD_ON ||
	    tmux->set_clipboard == SET_CLIPBOARD_UNKNOWN);
	bool takes = copies(p) && tmux->set_clipboard == SET_CLIPBOARD_ON;
	bool passes = tmux->passthrough == PASSTHROUGH_ON;
	bool drops = tmux->passthrough == PASSTHROUGH_OFF && !interprets;

	chain_add(&p->route->chain, copies(p) && !passes && !drops ?
	    LAYER_TMUX_MAYBE : LAYER_TMUX);
	if (!passes && !drops && !takes)
		p->route->unknown = true;
	return !drops || unreachable_drops(p, hop);
}

static bool
editor_drops(struct plan *p, const struct hop *hop)
{
	return refuse(p, "%s, which runs this terminal, drops the sequence\n"
	    "run it in a terminal outside %s; --force sends it anyway", hop->row->id,
	    hop->row->id);
}

/* Adds the layer for one hop. Screen prints sequences that are wrapped for tmux. */
static bool
wrap_for(struct plan *p, const struct hop *hop)
{
	switch (hop->row->kind) {
	case HOP_SCREEN:
	case HOP_TMUX_OR_SCREEN:
		chain_add(&p->route->chain, LAYER_SCREEN);
		if (hop_is_unreachable(hop))
			p->route->unknown = true;
		if (hop->detached)
			return refuse(p, "the Screen session is detached\n"
			    "attach to it: screen -r");
		/* drawing is meant for all displays */
		return !hop->multiuser || p->request->moves_cursor ||
		    refuse(p, "other users may be attached to the Screen session, and would "
		        "receive it too\n"
		        "turn that off, C-a :multiuser off, or run it outside Screen");
	case HOP_TMUX:
		if (hop_is_unreachable(hop))
			return wrap_for_unreachable(p, hop);
		chain_add(&p->route->chain, LAYER_TMUX);
		if (hop->tmux.passthrough == PASSTHROUGH_UNKNOWN)
			p->route->unknown = true;
		return tmux_passes_wrapped(p, hop);
	case HOP_EDITOR:
		return editor_drops(p, hop);
	default:
		return true;
	}
}

/* Adds the layers for the hops from number `first` on. */
static bool
wrap_for_hops(struct plan *p, size_t first)
{
	size_t i;

	for (i = first; i < p->path->hops; i++)
		if (!wrap_for(p, &p->path->hop[i]) && !p->request->force)
			return false;
	return true;
}

/*
 * Whether this hop passes the unwrapped sequence that an inner tmux sends; `letter`: with a
 * selection letter. Screen prints a sequence above its limit as text.
 */
static bool
passes_unwrapped(struct plan *p, const struct hop *hop, bool letter)
{
	const struct terminal *row = hop->row;

	if (hop_is_unreachable(hop))
		return hop->tmux.set_clipboard != SET_CLIPBOARD_NOT_ON ||
		    unreachable_drops(p, hop);
	switch (row->kind) {
	case HOP_TMUX:
		if (hop->tmux.clients == 0)
			return no_client(p, hop);
		return no_guests(p, hop) && (hop->tmux.set_clipboard == SET_CLIPBOARD_ON ||
		    refuse(p, "the outer tmux ignores copies from this one: its "
		        "set-clipboard is not on\n"
		        "where the outer tmux runs, " TMUX_SET("g set-clipboard on")));
	case HOP_SCREEN:
		return refuse(p, "Screen drops copies from tmux\n" ANY_ROUTE);
	case HOP_EDITOR:
		return hop_support(hop, FEATURE_COPY) != SUPPORT_NO ||
		    editor_drops(p, hop);
	default:
		return letter || row->copy_letters[0] == '\0' ||
		    refuse(p,
		        "%s drops copies from this tmux, which have no selection letter\n"
		        "use tmux 3.4 or later, or %s", row->name, row->instead);
	}
}

/* Whether tmux interprets a copy, or passes the sequence to its control clients. */
static bool
tmux_interprets(struct plan *p, const struct hop *hop)
{
	const struct tmux *tmux = &hop->tmux;

	if (tmux->clients == 0)
		return true;
	if (!no_guests(p, hop))
		return false;
	if (is_controlled(tmux))
		return true;
	if (tmux->set_clipboard != SET_CLIPBOARD_ON)
		return refuse(p,
		    "tmux ignores OSC 52 from programs: set-clipboard is not on\n"
		    TMUX_SET("g set-clipboard on"));
	return tmux->shown || refuse(p, "tmux does not forward copies from a hidden pane\n"
	    "show the pane, or " ANY_ROUTE);
}

/* ---- the hops that are bypassed ----------------------------------------- */

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
 * The number of hops to bypass: all up to the last tmux or editor whose outer terminal is
 * known. Screen is bypassed only together with an outer hop, or if other users may be
 * attached to it.
 */
static size_t
hops_to_step_over(const struct plan *p)
{
	const struct path *path = p->path;
	size_t i, over = 0;

	for (i = 0; i < path->hops && path->hop[i].outer.name[0] != '\0' &&
	    (!path->hop[i].detached || p->request->any_session); i++)
		/* Screen may be reattached elsewhere, so it is bypassed only with a reason */
		if (path->hop[i].row->kind != HOP_SCREEN || path->hop[i].multiuser)
			over = i + 1;
	return over;
}

/* Whether hops may be bypassed; not if --tty names the device. */
static bool
may_step_over(const struct plan *p)
{
	enum device_source source = p->path->source;

	return !p->request->moves_cursor && source != DEVICE_ASKED_FOR &&
	    source != DEVICE_STDOUT && source != DEVICE_STDERR;
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
	unsigned feature = p->request->feature;

	if (feature == FEATURE_COLOR_QUERY)
		feature = FEATURE_COLOR;
	if (!p->request->for_multiplexer || feature < FEATURE_COLOR ||
	    feature > FEATURE_COLOR_RESET)
		return p->request->for_multiplexer;
	while (hop < end && !has_panes(hop))
		hop++;
	return hop < end && terminal_support(hop->row, NEWEST, feature) == SUPPORT_YES;
}

/* Whether this selection is lost: copies of tmux up to 3.3a have no selection letter. */
static bool
loses_selection(const struct plan *p, const struct hop *hop)
{
	return strcmp(p->request->selections, "c") != 0 &&
	    !tmux_is_at_least(&hop->tmux, 3, 4);
}

/* What the terminal does with a copy that has no selection letter. */
static enum unlettered
unlettered(const struct plan *p)
{
	const struct terminal *terminal = p->route->terminal;

	return terminal == NULL || (terminal->unlettered_since[0] != '\0' &&
	    terminal_reaches(terminal, p->path->version, terminal->unlettered_since) !=
	    SUPPORT_YES) ? UNLETTERED_UNKNOWN : (enum unlettered)terminal->unlettered;
}

static void
lose_letter(struct plan *p)
{
	const bool clipboard = strcmp(p->request->selections, "c") == 0;

	if (!clipboard || unlettered(p) != UNLETTERED_CLIPBOARD)
		warn_that(p, "tmux drops the selection letter: %s%s", !clipboard ?
		    "most terminals then set the clipboard instead" :
		    unlettered(p) == UNLETTERED_UNKNOWN ? "some terminals" : p->route->who,
		    clipboard ? " then set the primary selection" : "");
}

/* ---- the routes --------------------------------------------------------- */

static void
use_own_device(struct plan *p)
{
	p->route->own_device = true;
	p->route->device = p->path->device;
}

static bool
try_direct(struct plan *p)
{
	const struct hop *hop = p->path->hop;

	use_own_device(p);
	if (p->request->chain != NULL) {
		p->route->chain = *p->request->chain;
		p->route->unknown = true;
		if (p->request->chain->count > 0)
			p->route->kind = ROUTE_PASSTHROUGH;
		because(p, "layers as given");
	} else if (p->path->hops > 0) {
		if (copies(p) && !no_guests(p, hop) && !p->request->force)
			return false;
		p->route->unknown = true;
		because(p, "forced, although %s is on the path", hop->row->id);
	} else if (p->path->source == DEVICE_ANCESTOR) {
		because(p, "the terminal of %s, a parent process", p->path->ancestor);
	} else {
		because(p, "no multiplexer on the path");
	}
	return true;
}

/*
 * Why the copy is written to the terminal of the client of `hop`, the last one that is
 * bypassed; NULL: it is handed to that tmux instead, which sends it between its own
 * sequences, but without a selection letter (load-buffer -w, set-buffer -w). Before 3.3 tmux
 * cuts what the client does not accept at once.
 */
static const char *
tmux_cannot_take(const struct plan *p, const struct hop *hop)
{
	const struct hop *outer = hop + 1, *end = p->path->hop + p->path->hops;
	const struct request *request = p->request;

	if (!hop->tmux.reachable || !hop->tmux.has_client || hop->tmux.client_claimed)
		return "";
	if (request->payload == 0 || strcmp(request->selections, "c") != 0)
		return ": tmux sets only the clipboard, and cannot clear it";
	if (request->ends_in_nul)
		return ": " ENDS_IN_NUL;
	if (!tmux_is_at_least(&hop->tmux, 3, 3) || tmux_client_drops_copies(&hop->tmux.client))
		return ": this tmux does not send copies to that terminal reliably";
	for (; outer < end; outer++)
		if (!outer->row->relays || outer->row->copy_letters[0] != '\0')
			return "";
	if (hop + 1 < end || unlettered(p) == UNLETTERED_CLIPBOARD)
		return NULL;
	return unlettered(p) == UNLETTERED_PRIMARY ?
	    ": tmux sends no selection letter, without which it sets the primary selection" :
	    ": tmux sends no selection letter, and this terminal may need it";
}

static bool
try_client_tty(struct plan *p)
{
	const char *why;
	const struct hop *tmux = nearest_tmux(p->path);
	size_t over = hops_to_step_over(p);

	if (over == 0 && tmux != NULL)
		return no_client(p, tmux);
	if (over == 0)
		return no_such_route(p, "no tmux or editor can be bypassed\n" OTHER_LAYERS);
	if (!wrap_for_hops(p, over))
		return false;
	p->from = over;
	p->route->kind = ROUTE_CLIENT_TTY;
	p->route->tmux = tmux;
	p->route->device = p->path->hop[over - 1].outer;
	why = copies(p) && p->forced == ROUTE_AUTO ?
	    tmux_cannot_take(p, &p->path->hop[over - 1]) : "";
	because(p, "bypasses %s%s", p->path->hop[over - 1].row->id, why != NULL ? why : "");
	if (why != NULL)
		return true;
	p->route->kind = ROUTE_LOAD_BUFFER;
	p->route->tmux = &p->path->hop[over - 1];
	because(p, HANDED_TO_TMUX);
	return true;
}

static bool
try_passthrough(struct plan *p)
{
	if (p->path->hops == 0)
		return no_such_route(p, "no multiplexer on the path\n" OTHER_LAYERS);
	if (!wrap_for_hops(p, 0))
		return false;
	use_own_device(p);
	p->route->tmux = nearest_tmux(p->path);
	because(p, "wrapped for %s", p->path->hop[0].row->id);
	return true;
}

static void
tmux_overwrites(struct plan *p)
{
	p->route->overwrites = true;
	text_copy(p->route->note, sizeof(p->route->note),
	    "tmux cannot clear the clipboard: a newline overwrites it");
}

/* tmux decodes the data and sends its own sequence to its client. */
static bool
tmux_sends_its_own(struct plan *p, const struct hop *hop, bool letter)
{
	const struct tmux_client *client = &hop->tmux.client;
	const char *term = text_is_typable(client->term) ? client->term : "TERM";
	const struct hop *outer;

	if (!letter)
		lose_letter(p);
	if (p->request->force)
		return true;
	if (p->request->payload == 0)
		tmux_overwrites(p);
	if (!hop->tmux.has_client)
		return no_client(p, hop);
	for (outer = hop + 1; outer < p->path->hop + p->path->hops; outer++)
		if (!passes_unwrapped(p, outer, letter))
			return false;
	if (!tmux_client_drops_copies(client))
		return true;
	/* before 3.2, which introduced features, only terminfo counts */
	return refuse(p, "tmux does not know that a terminal with TERM=%s can set the clipboard\n"
	    TMUX_SET_TERMINAL("as terminal-%s ',%s*:%s'"), text_quote(client->term).text,
	    tmux_is_at_least(&hop->tmux, 3, 2) ? "features" : "overrides", term,
	    tmux_is_at_least(&hop->tmux, 3, 2) ? "clipboard" :
	    "Ms=\\E]52;%p1%s;%p2%s\\007");
}

/* Whether the multiplexer at the end of the route supports the feature. */
static bool
destination_does(struct plan *p, const struct hop *hop)
{
	unsigned feature = p->request->feature;
	const char *name = hop->row->name;

	if (hop_does(hop, feature) != SUPPORT_NO)
		return feature != FEATURE_WINDOW_NAME || !hop->tmux.reachable ||
		    hop->tmux.allow_rename ||
		    refuse(p, "tmux does not let programs rename their window: allow-rename "
		        "is off\n"
		        "tmux rename-window NAME does it; to allow it to every program, "
		        TMUX_SET("g allow-rename on"));
	switch (feature) {
	case FEATURE_WINDOW_NAME:
		return refuse(p, "%s has no window names\n"
		    "only tmux and Screen have them", hop->row->id);
	case FEATURE_TITLE_STACK:
		return refuse(p, "%s cannot save and restore titles\n"
		    FOR_OUTER, hop->row->id, hop->row->id);
	case FEATURE_TITLE:
		return refuse(p, "%s shows no titles\n"
		    FOR_OUTER, hop->row->id, hop->row->id);
	default:
		return refuse(p, "this version of %s does not support %s\n"
		    "use a newer version of %s", name, feature_texts[feature].meaning, name);
	}
}

/*
 * The route to the nearest multiplexer itself or, if there is none, to the terminal. Editors
 * on the path are bypassed.
 */
static bool
try_for_multiplexer(struct plan *p)
{
	const struct hop *hop = p->path->hop;
	size_t over = 0;

	while (over < p->path->hops && !has_panes(&hop[over]) &&
	    hop[over].outer.name[0] != '\0' && may_step_over(p))
		over++;
	if (over == p->path->hops)
		return try_client_tty(p);
	if (over > 0)
		p->route->device = hop[over - 1].outer;
	else
		use_own_device(p);
	hop += over;
	because(p, "handled by %s", hop->row->id);
	p->route->destination = hop;
	if (hop->tmux.reachable)
		p->route->tmux = hop;
	else if (hop_is_unreachable(hop) ||
	    hop_does(hop, p->request->feature) == SUPPORT_UNKNOWN)
		p->route->unknown = true;
	return destination_does(p, hop) || p->request->force;
}

/* The route to a hop that interprets the sequence: tmux, Zellij, mosh. */
static bool
try_plain(struct plan *p)
{
	const struct hop *hop = &p->path->hop[0];
	bool own, known, force = p->request->force;

	if (p->path->hops == 0)
		return no_such_route(p, "no multiplexer on the path\n" OTHER_LAYERS);
	if (is_for_multiplexer(p))
		return try_for_multiplexer(p);
	own = interprets_users_own(p, hop);
	known = own || hop->row->relays;
	if (!known && !hop_is_unreachable(hop) && !hop->tmux.reachable)
		return refuse(p, "%s does not interpret the sequence\n"
		    ANY_ROUTE, hop->row->id);
	if (!known && !copies(p) && (hop_is_unreachable(hop) || !is_controlled(&hop->tmux)))
		return fail(&p->route->refusal, STATUS_USAGE,
		    "--route %s: %s passes only copies, titles, colors and bells unwrapped\n"
		    OTHER_LAYERS, route_words[p->forced], hop->row->id);
	use_own_device(p);
	because(p, "%s interprets it and sends its own sequence", hop->row->id);
	if (hop->tmux.reachable)
		p->route->tmux = hop;
	if (own) {
		p->route->destination = hop;
		because(p, "handled by %s", hop->row->id);
		return true;
	}
	if (hop_is_unreachable(hop)) {
		if (!passes_unwrapped(p, hop, true) && !force)
			return false;
		if (hop->row->kind == HOP_TMUX && loses_selection(p, hop))
			lose_letter(p);
		if (hop->tmux.set_clipboard == SET_CLIPBOARD_UNKNOWN)
			p->route->unknown = true;
		else if (p->request->payload == 0)
			tmux_overwrites(p);
	} else if (hop->tmux.reachable) {
		if (!tmux_interprets(p, hop) && !force)
			return false;
		if (!is_controlled(&hop->tmux))
			return tmux_sends_its_own(p, hop, tmux_is_at_least(&hop->tmux, 3, 4));
		p->route->unknown = true;
	}
	return true;
}

/* The tmux for a copy by load-buffer, or NULL, also if the request is not a copy. */
static const struct hop *
tmux_for_text(struct plan *p)
{
	const struct hop *tmux = nearest_tmux(p->path);

	if (tmux == NULL)
		no_such_route(p, "no tmux server can be reached\n"
		    "run it in tmux, or " ANY_ROUTE);
	else if (!copies(p))
		no_such_route(p, "a tmux buffer is for copied text, not for sequences\n"
		    OTHER_LAYERS);
	return copies(p) ? tmux : NULL;
}

static bool
try_load_buffer(struct plan *p)
{
	const struct hop *hop = tmux_for_text(p);

	if (hop == NULL)
		return false;
	p->from = (size_t)(hop - p->path->hop);
	p->route->tmux = hop;
	because(p, HANDED_TO_TMUX);
	/* set-buffer rejects an empty text */
	if (p->request->payload == 0)
		tmux_overwrites(p);
	/* without a client there is no terminal, so --force does not help */
	if (!hop->tmux.has_client)
		return no_client(p, hop);
	if (p->request->ends_in_nul)
		return refuse(p, ENDS_IN_NUL "\n" ANY_ROUTE);
	if (hop->tmux.client_claimed)
		return refuse(p, "another user attached to the tmux session reports the same "
		    "terminal and might receive it\n"
		    "detach that client (prefix D), or " ANY_ROUTE);
	if (!tmux_is_at_least(&hop->tmux, 3, 2) && !p->request->force)
		return refuse(p, "tmux before 3.2 has no load-buffer -w\n" ANY_ROUTE);
	return tmux_sends_its_own(p, hop, false);
}

static bool
try_tmux_buffer(struct plan *p)
{
	const struct hop *hop = tmux_for_text(p);

	if (hop == NULL)
		return false;
	p->route->tmux = hop;
	because(p, "stored by tmux; no terminal receives it");
	/* load-buffer ignores empty input */
	if (p->request->payload == 0)
		tmux_overwrites(p);
	return true;
}

/* ---- the terminal ------------------------------------------------------- */

/* The size of a sequence with this body: ESC ] and ESC \ around it, or ESC k; 0 stays 0. */
static size_t
framed(size_t body)
{
	return body != 0 ? body + 4 : 0;
}

/* The longest sequence of the feature that the hop accepts; 0: no known limit. */
static size_t
sequence_limit(const struct hop *hop, unsigned feature)
{
	const struct terminal *row = hop->row;

	return framed(feature == FEATURE_COPY && row->copy_max != 0 ? row->copy_max :
	    feature == FEATURE_TITLE && row->title_max != 0 ? row->title_max : row->body_max);
}

size_t
copy_text_max(size_t bytes)
{
	return (bytes - clipboard_write_size(0)) / 4 * 3;
}

/* Limits sequences to `bytes` (0: no known limit) for `what`, which may be NULL. */
static bool
fits(struct plan *p, size_t bytes, const char *what, const char *fix)
{
	struct route *route = p->route;

	if (bytes == 0)
		return true;
	if (route->limit == 0 || bytes < route->limit)
		route->limit = bytes;
	return what == NULL || p->request->sequence <= bytes ||
	    refuse(p, "too large for %s: %zu bytes, the limit is %zu\n%s", what,
	        copies(p) ? p->request->payload : p->request->sequence,
	        copies(p) ? copy_text_max(bytes) : bytes, fix);
}

/*
 * Whether all bytes of the copy are stored; others are truncated or replaced, or clear the
 * clipboard. The refusal names the first such byte.
 */
static bool
stores_bytes(struct plan *p, enum clipboard_bytes stored, const char *who, const char *fix)
{
	const struct request *request = p->request;
	size_t nul = (stored & BYTES_NO_NUL) != 0 ? request->nul : 0;
	size_t not_utf8 = (stored & BYTES_UTF8) != 0 ? request->not_utf8 : 0;

	if (stored == BYTES_ASCII && request->not_ascii != 0)
		return refuse(p,
		    "byte %zu of the input is not ASCII, and this version of %s garbles it\n"
		    "use a newer version; --force copies it, garbled", request->not_ascii,
		    who);
	if (nul != 0 && (not_utf8 == 0 || nul < not_utf8))
		return refuse(p,
		    "byte %zu of the input is NUL, and %s stores nothing after it\n%s", nul,
		    who, fix);
	return not_utf8 == 0 || refuse(p,
	    "byte %zu of the input is not valid UTF-8, and %s stores nothing else\n%s",
	    not_utf8, who, fix);
}

static bool
is_set_off(struct plan *p, enum feature feature)
{
	refuse(p, "the settings of %s do not allow %s\n%s", p->route->who,
	    feature_texts[feature].meaning,
	    setting_hint(terminal_switch(p->route->terminal, feature)).text);
	p->route->needs_setting = true;
	return false;
}

/* Further requirements of a copy. */
static bool
terminal_takes_copy(struct plan *p)
{
	const struct terminal *terminal = p->route->terminal;
	const struct request *request = p->request;
	size_t doubt = framed(terminal->copy_doubt);

	if (p->setting == SETTING_OFF)
		return is_set_off(p, FEATURE_COPY);
	if (request->payload == 0 && path_support(p->path, FEATURE_CLEAR) == SUPPORT_NO) {
		p->route->overwrites = true;
		text_format(p->route->note, sizeof(p->route->note), "%s cannot clear the "
		    "clipboard: a newline overwrites it", terminal->name);
	}
	if (strchr(request->selections, 'p') != NULL &&
	    path_support(p->path, FEATURE_PRIMARY) == SUPPORT_NO)
		return refuse(p, "%s does not support %s\n%s", p->route->who,
		    feature_texts[FEATURE_PRIMARY].meaning,
		    hint_with_term(p->path, "set the clipboard instead").text);
	if (terminal->any_letter_copies && strpbrk(request->selections, "q01234567") != NULL)
		return refuse(p, "%s has no such selection: it would set the clipboard\n"
		    "set the clipboard instead", p->route->who);
	if (!stores_bytes(p, path_bytes(p->path), p->route->who,
	    ENCODE "; --force copies what the terminal keeps, perhaps nothing"))
		return false;
	if (terminal->doubt[0] != '\0' && strcmp(request->selections, "p") != 0)
		warn_that(p, "%s", terminal->doubt);
	if (doubt != 0 && request->sequence > doubt)
		warn_that(p,
		    "some builds of %s drop copies of more than %zu bytes; this one has %zu",
		    terminal->name, copy_text_max(doubt), request->payload);
	if (p->setting == SETTING_NEEDED) {
		warn_that(p, IGNORED_BY_DEFAULT "\n"
		    "%s", terminal->name,
		    setting_hint(terminal_switch(terminal, FEATURE_COPY)).text);
		p->route->needs_setting = p->route->unlikely = true;
	}
	return fits(p, framed(terminal->copy_limit), terminal->name,
	    "copy less; --force sends it anyway");
}

/* Refuses because the terminal is too old, or may be if its version is unknown. */
static bool
came_later(struct plan *p, enum feature feature, bool known)
{
	const struct terminal *terminal = p->route->terminal;
	const char *family = terminal->family;
	const bool pops_up = feature == FEATURE_PROGRESS && (terminal->numbers_pop_up || !known);
	char version[TERMINAL_VERSION] = "";

	if (known)
		terminal_version_words(version, terminal, p->path->version);
	return refuse(p, "%s supports %s only since %s %s%s%s\n%s", p->route->who,
	    feature_texts[feature].meaning, family[0] != '\0' ? family : "version",
	    terminal->support[feature].since,
	    known ? "; this is " : ", and its version is unknown", version, pops_up ?
	    "--force sends it anyway; it may pop up as a notification" :
	    "use a newer version, or another terminal");
}

/* Refuses because no version of the terminal supports it. */
static bool
never_does(struct plan *p, enum feature feature)
{
	const struct terminal *terminal = p->route->terminal;
	const char *who = p->route->who;

	if (feature == FEATURE_COPY)
		return refuse(p, "%s does not let programs set the clipboard%s\n%s", who,
		    terminal->family[0] != '\0' ? ", and has no setting to allow it" : "",
		    hint_with_term(p->path, "use foot, kitty, Alacritty, Ghostty or WezTerm, or "
		        "select with the mouse and copy with the terminal's own key").text);
	if (feature == FEATURE_PROGRESS && terminal->shows_progress[0] != '\0')
		return refuse(p, "%s shows no progress, as GNOME Terminal and Ptyxis do\n%s",
		    p->path->program, hint_with_term(p->path, OTHERS).text);
	return refuse(p, "%s does not support %s\n%s", who, feature_texts[feature].meaning,
	    hint_with_term(p->path, feature == FEATURE_PRIMARY ?
	        "set the clipboard instead" : OTHERS).text);
}

/*
 * Progress is sent only to terminals that are known to support it: others with OSC 9
 * notifications show "4;1;50" as one.
 */
static bool
progress_is_doubtful(struct plan *p, bool later)
{
	const struct terminal *terminal = p->route->terminal;

	p->route->doubtful = true;
	if (terminal == NULL)
		return refuse(p,
		    "the terminal is unknown, and some show OSC 9;4 as a notification\n"
		    "if you know the terminal: --term NAME; --force sends it anyway");
	if (later)
		return came_later(p, FEATURE_PROGRESS, false);
	return refuse(p,
	    "%s may not support progress, and some terminals show OSC 9;4 as a notification\n"
	    "--force sends it anyway", p->route->who);
}

/* Whether a known terminal supports the feature. */
static bool
terminal_does(struct plan *p, enum feature feature)
{
	const struct terminal *terminal = p->route->terminal;
	const struct path *path = p->path;
	enum support now = terminal_support(terminal, NEWEST, feature);
	enum support support = path_support(path, feature);
	bool exists = now != SUPPORT_NO && now != SUPPORT_UNKNOWN;

	if (support != SUPPORT_YES)
		p->route->unknown = true;
	if (exists && support != SUPPORT_YES &&
	    terminal_support(terminal, path->version, feature) == SUPPORT_NO)
		return came_later(p, feature, true);
	if (feature == FEATURE_PROGRESS && support == SUPPORT_UNKNOWN &&
	    (terminal->numbers_pop_up || path_support(path, FEATURE_NOTIFY9) != SUPPORT_NO))
		return progress_is_doubtful(p, now == SUPPORT_YES);
	if (feature == FEATURE_TITLE_STACK && support == SUPPORT_OFF)
		return is_set_off(p, feature);
	/* for OSC 7501 the reply to its query decides, since a newer version may support it */
	if (support == SUPPORT_NO && feature != FEATURE_STATUS)
		return never_does(p, feature);
	if (feature == FEATURE_COPY)
		return terminal_takes_copy(p);
	if (support == SUPPORT_OFF || (support == SUPPORT_UNKNOWN && now == SUPPORT_OFF)) {
		text_format(p->route->note, sizeof(p->route->note), "%s needs this setting: %s",
		    terminal->name, terminal_switch(terminal, feature));
		p->route->needs_setting = true;
	}
	/* not refused: the command truncates a longer title */
	return (feature != FEATURE_TITLE && feature != FEATURE_TITLE_STACK) ||
	    fits(p, terminal->title_limit != 0 ?
	        terminal->title_limit + TITLE_FRAME : 0, NULL, "");
}

static bool
check_terminal(struct plan *p)
{
	unsigned feature = p->request->feature;

	if (path_is_dumb(p->path) && p->request->chain == NULL && feature != FEATURE_BELL)
		return refuse(p, DUMB "\n" IF_ANOTHER "; --force sends it anyway");
	/* terminals print ESC k and the text after it */
	if (feature == FEATURE_WINDOW_NAME && p->request->chain == NULL)
		return refuse(p,
		    "only tmux and Screen have window names, and neither is on the path\n"
		    "omit --window-name to set the title of the terminal");
	if (feature >= FEATURE_COUNT)
		return true;
	if (p->route->terminal != NULL)
		return terminal_does(p, (enum feature)feature);
	/* an unknown terminal may support anything */
	p->route->unknown = true;
	return feature != FEATURE_PROGRESS || progress_is_doubtful(p, false);
}

/* ---- what hops do to a sequence that they pass on ----------------------- */

/* Whether a hop that interprets sequences accepts this one. */
static bool
interpreter_takes(struct plan *p, const struct hop *hop)
{
	const struct terminal *row = hop->row;
	const struct request *request = p->request;
	unsigned feature = request->feature == FEATURE_COLOR_QUERY ? FEATURE_COLOR :
	    request->feature;
	bool drops = feature == FEATURE_WINDOW_NAME || hop_support(hop, feature) == SUPPORT_NO;
	char what[128];

	if (row->numbers_pop_up && feature == FEATURE_PROGRESS)
		return refuse(p, "%s shows OSC 9;4 as a notification\n%s", row->name,
		    row->instead);
	if ((row->bytes.support & BYTES_UTF8) != 0 && request->not_utf8 != 0)
		return refuse(p, "%s drops text that is not valid UTF-8\n"
		    ENCODE ", or %s", row->name, row->instead);
	if (drops || (request->moves_cursor && !interprets_users_own(p, hop)))
		return refuse(p, "%s drops this sequence\n%s", row->name, row->instead);
	if (copies(p) && row->copy_letters[0] != '\0' &&
	    strcmp(request->selections, row->copy_letters) != 0)
		return refuse(p, "%s passes on only the clipboard\n"
		    "copy to the clipboard instead", row->name);
	if (copies(p) && strcmp(request->selections, "c") != 0 &&
	    hop_support(hop, FEATURE_PRIMARY) == SUPPORT_OFF)
		warn_that(p, "%s ignores the selection letter: it sets the clipboard unless "
		    "its copy_clipboard is primary\n"
		    "in its configuration: copy_clipboard \"primary\"", row->name);
	text_format(what, sizeof(what), "%s%s", copies(p) ? row->name : row->id,
	    copies(p) ? ", which cuts off the rest" : "");
	return fits(p, sequence_limit(hop, request->feature), what,
	    copies(p) ? row->instead : "send less");
}

/* Checks the hops that are not bypassed, up to the destination. */
static bool
check_hops(struct plan *p)
{
	const struct hop *hop = p->path->hop;
	const struct terminal *row;
	size_t i;

	for (i = p->from; i < p->path->hops; i++) {
		row = hop[i].row;
		if (row->relays ? !interpreter_takes(p, &hop[i]) :
		    /* tmux up to 3.2a truncates what it forwards, wrapped or not */
		    !hop_is_unreachable(&hop[i]) &&
		    terminal_reaches(row, hop[i].tmux.version, row->queue_before) != SUPPORT_YES &&
		    !fits(p, row->queue_max, "a tmux before 3.3, which cuts off the rest",
		    "send less, or use --route client-tty"))
			return false;
	}
	if (!fits(p, wrap_limit(&p->route->chain), "tmux's passthrough",
	    "send less, or attach a terminal that you may write to"))
		return false;
	return p->route->kind != ROUTE_PLAIN || hop->row->kind != HOP_TMUX ||
	    fits(p, TMUX_SEQUENCE_MAX, "tmux",
	        "send less, or use --route load-buffer where that tmux runs");
}

/* ---- desktop tools ------------------------------------------------------ */

bool
route_is_for_desktop(unsigned feature)
{
	return feature == FEATURE_COPY || feature == FEATURE_PASTE ||
	    is_notification(feature);
}

enum desktop_action
desktop_action(const struct request *request)
{
	if (is_notification(request->feature))
		return DESKTOP_NOTIFY;
	if (request->feature == FEATURE_PASTE)
		return DESKTOP_PASTE;
	return request->payload == 0 ? DESKTOP_CLEAR : DESKTOP_COPY;
}

/*
 * The first tool of a usable desktop that supports the whole request, or NULL; with
 * `installed`, only of the installed ones. `desktop` may be NULL.
 */
static const struct desktop_tool *
desktop_tool(const struct desktop *desktop, const struct request *request,
    const char *selections, bool installed)
{
	const bool primary = strchr(selections, 'p') != NULL;
	const struct desktop_tool *tool;
	size_t i;

	for (i = 0; desktop != NULL && desktop->refusal == NULL && i < DESKTOP_TOOLS; i++) {
		tool = &desktop_tools[i];
		if (desktop->has[tool->desktop] &&
		    tool->arguments[desktop_action(request)] != NULL &&
		    (!primary || tool->primary != NULL) &&
		    (!installed || desktop->program[i][0] != '\0'))
			return tool;
	}
	return NULL;
}

/*
 * Whether the terminal is known not to store the type or the bytes of a copy, or not to
 * return the type of a paste: OSC 5522 also needs its replies.
 */
static bool
lacks_content(const struct plan *p)
{
	const struct path *path = p->path;
	const struct request *request = p->request;
	enum clipboard_bytes stored = path_bytes(path);
	struct chain chain;

	if (!is_plain_text(request))
		return path_lacks(path, FEATURE_TYPES) || path_reply_chain(path, &chain) != NULL;
	return ((stored & BYTES_NO_NUL) != 0 && request->nul != 0) ||
	    ((stored & BYTES_UTF8) != 0 && request->not_utf8 != 0) ||
	    (stored == BYTES_ASCII && request->not_ascii != 0);
}

/*
 * Whether the terminal is known not to support the request, which desktop tools do, or has it
 * turned off.
 */
static bool
terminal_lacks(const struct plan *p)
{
	const struct path *path = p->path;
	const struct request *request = p->request;

	if (is_notification(request->feature))
		return path_lacks(path, FEATURE_NOTIFY9) && path_lacks(path, FEATURE_NOTIFY777) &&
		    path_lacks(path, FEATURE_NOTIFY99);
	return p->setting != SETTING_FINE || path_lacks(path, (enum feature)request->feature) ||
	    (strchr(request->selections, 'p') != NULL && path_lacks(path, FEATURE_PRIMARY)) ||
	    lacks_content(p);
}

static bool
try_native(struct plan *p)
{
	const struct desktop *desktop = p->path->desktop;
	const struct request *request = p->request;
	const char *feature, *kind = is_notification(request->feature) ? "notification" :
	    "clipboard";
	bool forced = p->forced == ROUTE_NATIVE;
	const struct desktop_tool *tool, *any;

	if (!route_is_for_desktop(request->feature))
		return no_such_route(p,
		    "desktop tools only copy, paste and show notifications\n"
		    ANY_ROUTE);
	feature = feature_texts[request->feature].meaning;
	if (desktop != NULL && desktop->off)
		return refuse(p, "VIATTY_NATIVE=never disables desktop tools\n"
		    "unset VIATTY_NATIVE");
	if (request->selections[strspn(request->selections, "cp")] != '\0')
		return refuse(p,
		    "a desktop has only the clipboard and the primary selection\n"
		    "choose the clipboard (c) or the primary selection (p)");
	any = desktop_tool(desktop, request, request->selections, false);
	if (any == NULL && (any = desktop_tool(desktop, request, "c", false)) != NULL)
		return refuse(p, "%s has no primary selection\n"
		    "use the clipboard instead", desktop->where[any->desktop]);
	if (any == NULL)
		return no_such_route(p, "no desktop found: neither the terminal's process "
		    "nor WAYLAND_DISPLAY or DISPLAY names one\n"
		    ANY_ROUTE);
	tool = desktop_tool(desktop, request, request->selections, true);
	if (tool == NULL && forced)
		return refuse(p, "no %s tool for %s is installed\n%s", kind,
		    desktop_kinds[any->desktop].name, desktop_kinds[any->desktop].install);
	if (tool == NULL)
		return refuse(p,
		    "%s does not support %s, and no %s tool for %s is installed\n%s",
		    p->route->who, feature, kind, desktop_kinds[any->desktop].name,
		    desktop_kinds[any->desktop].install);
	if (tool->type == NULL && !is_plain_text(request))
		return refuse(p, "%s supports only text, not %s\n"
		    "other types need xclip (X11) or wl-clipboard (Wayland)", tool->program,
		    text_quote(request->type).text);
	if (!stores_bytes(p, (enum clipboard_bytes)tool->bytes, tool->program, ENCODE))
		return false;
	p->route->tool = tool;
	p->route->desktop = desktop->where[tool->desktop];
	if (forced)
		because(p, "forced: %s, without the terminal", tool->program);
	else if (lacks_content(p) &&
	    !path_lacks(p->path, (enum feature)request->feature))
		because(p, "%s does not take this type or these bytes; %s does, on this machine",
		    p->route->who, tool->program);
	else if (p->setting != SETTING_FINE)
		because(p, "%s needs a setting to let programs copy; %s needs none, on this "
		    "machine", p->route->who, tool->program);
	else
		because(p, "%s does not support %s; %s does, on this machine", p->route->who,
		    feature, tool->program);
	return true;
}

/* ---- the choice --------------------------------------------------------- */

/* Initializes only the first byte of the long strings, to keep copies fast. */
void
route_begin(struct route *route, enum route_kind kind, const struct path *path)
{
	memset(route, 0, offsetof(struct route, why));
	route->why[0] = route->note[0] = route->warning[0] = '\0';
	route->refusal.status = STATUS_DONE;
	route->refusal.sent = false;
	route->refusal.text[0] = '\0';
	route->kind = kind;
	route->terminal = path->terminal;
	terminal_title(route->who, route->terminal, path->terminal_name);
}

static bool
attempt(struct plan *p, enum route_kind kind)
{
	static bool (*const ways[ROUTE_COUNT])(struct plan *p) = {
		[ROUTE_DIRECT] = try_direct,
		[ROUTE_CLIENT_TTY] = try_client_tty,
		[ROUTE_PASSTHROUGH] = try_passthrough,
		[ROUTE_PLAIN] = try_plain,
		[ROUTE_LOAD_BUFFER] = try_load_buffer,
		[ROUTE_TMUX_BUFFER] = try_tmux_buffer,
		[ROUTE_NATIVE] = try_native,
	};
	struct route *route = p->route;

	route_begin(route, kind, p->path);
	p->from = 0;
	if (!ways[kind](p))
		return false;
	/* ignored because of --force */
	route->refusal.status = STATUS_DONE;
	/* the server may have replied without a terminal that we may write to */
	if (p->path->source != DEVICE_PANE || route->device.name[0] != '\0' ||
	    kind == ROUTE_LOAD_BUFFER || kind == ROUTE_TMUX_BUFFER || kind == ROUTE_NATIVE)
		return true;
	refuse(p, "tmux reports no terminal that you may write to\n"
	    "name one: --tty DEVICE or VIATTY_TTY");
	route->refusal.status = STATUS_NO_TERMINAL;
	return false;
}

/* Tries the next best route. If all fail, the refusal of the first is reported. */
static bool
attempt_next(struct plan *p, enum route_kind kind)
{
	struct error first = p->route->refusal;

	if (attempt(p, kind))
		return true;
	if (first.status != STATUS_DONE)
		p->route->refusal = first;
	return false;
}

/*
 * The routes, best first: past every hop that can be bypassed, to the terminal of the last
 * one's client; wrapped for the remaining hops; plain, for a hop that interprets it; for a
 * copy, by tmux load-buffer. If a tmux known only from its replies interprets a copy, that is
 * preferred to wrapping.
 */
static bool
choose_route(struct plan *p)
{
	const struct hop *hop = &p->path->hop[0];
	const struct hop *tmux = nearest_tmux(p->path);
	bool plain;

	p->route->refusal.status = STATUS_DONE;
	if (p->path->hops == 0)
		return attempt(p, ROUTE_DIRECT);
	if (is_for_multiplexer(p))
		return attempt(p, ROUTE_PLAIN);
	plain = hop->row->relays;
	/* wrapped, it would change the terminal without the knowledge of tmux or Screen */
	if (!plain && interprets_users_own(p, hop) && attempt_next(p, ROUTE_PLAIN))
		return true;
	if (may_step_over(p) && (hops_to_step_over(p) > 0 || tmux != NULL) &&
	    attempt_next(p, ROUTE_CLIENT_TTY))
		return true;
	/* not wrapped for it, unless that is known to work and supports more */
	if (copies(p) && hop_is_unreachable(hop) &&
	    hop->tmux.set_clipboard == SET_CLIPBOARD_ON &&
	    (hop->tmux.passthrough != PASSTHROUGH_ON ||
	        (p->request->payload > 0 && !loses_selection(p, hop))) &&
	    attempt_next(p, ROUTE_PLAIN))
		return true;
	if (!plain && attempt_next(p, ROUTE_PASSTHROUGH))
		return true;
	if ((plain || copies(p)) && attempt_next(p, ROUTE_PLAIN))
		return true;
	return copies(p) && may_step_over(p) && tmux != NULL &&
	    attempt_next(p, ROUTE_LOAD_BUFFER);
}

/* ---- warnings ----------------------------------------------------------- */

#define CONNECT_WITH(variable) "\nthen connect with:\n" \
	"  ssh -t HOST 'VIATTY_OUTER_TMUX=" variable " exec $SHELL -l'"

/*
 * Warns that a tmux on the path that cannot be queried probably drops the sequence: by
 * default it does.
 */
static void
warn_of_unreachable(struct plan *p)
{
	const struct hop *hop = p->path->hop, *end = hop + p->path->hops;
	const bool wrapped = p->route->kind == ROUTE_CLIENT_TTY ||
	    p->route->kind == ROUTE_PASSTHROUGH;

	while (hop < end && (!hop_is_unreachable(hop) ||
	    (wrapped && hop->tmux.passthrough == PASSTHROUGH_ON) ||
	    (copies(p) && hop->tmux.set_clipboard == SET_CLIPBOARD_ON)))
		hop++;
	if (hop == end)
		return;
	p->route->unlikely = true;
	if (hop->row->kind == HOP_TMUX_OR_SCREEN)
		warn_that(p, "either tmux or Screen is on the path (TERM=screen); sent as "
		    "for Screen, and lost in tmux\n"
		    "if it is tmux: --wrap 'tmux?'");
	else
		warn_that(p, "probably lost: the outer tmux drops %s by default, and cannot be "
		    "queried%s%s%s\n%s%s", copies(p) ? "copies" : "this",
		    hop->why[0] != '\0' ? " (" : "", hop->why, hop->why[0] != '\0' ? ")" : "",
		    repair_hint(p, hop), hop->repair[0] != '\0' ? "" : copies(p) ?
		    CONNECT_WITH("copies") : CONNECT_WITH("all"));
}

static void
add_warnings(struct plan *p)
{
	const struct route *route = p->route;
	size_t i = 0;

	if (route->destination != NULL)
		return;
	if (route->kind != ROUTE_DIRECT)
		warn_of_unreachable(p);
	if (p->request->feature != FEATURE_TITLE)
		return;
	while (i < p->path->hops && !p->path->hop[i].tmux.sets_titles)
		i++;
	if (i < p->path->hops)
		warn_that(p, "tmux will overwrite this title: set-titles is on\n"
		    "omit --outer to set the title of the pane, which tmux shows there");
}

/* ---- plan_route() ------------------------------------------------------- */

/* The primary selection may have a separate setting. */
static struct plan
begin_plan(struct route *route, const struct path *path, const struct request *request)
{
	const char *letters = request->selections;
	const enum feature feature = letters[0] != '\0' && letters[strspn(letters, "p")] == '\0' ?
	    FEATURE_PRIMARY : FEATURE_COPY;
	struct plan p = { .path = path, .request = request, .route = route,
		.forced = request->route };

	if (request->feature == FEATURE_COPY && path_support(path, feature) == SUPPORT_OFF)
		p.setting = path_setting(path, feature) == SUPPORT_OFF ? SETTING_OFF :
		    SETTING_NEEDED;
	return p;
}

static bool
plan_sequence(struct plan *p)
{
	const struct request *request = p->request;
	struct route *route = p->route;
	const struct hop *end;
	bool found;

	if (request->chain != NULL)
		found = attempt(p, ROUTE_DIRECT);
	else if (p->forced != ROUTE_AUTO)
		found = attempt(p, p->forced);
	else
		found = choose_route(p) || (request->force && attempt(p, ROUTE_DIRECT));
	if (!found || route->kind == ROUTE_TMUX_BUFFER || route->kind == ROUTE_NATIVE)
		return found;
	end = route->destination;
	if (request->force)
		route->unknown = true; /* not checked */
	else if (end == NULL ? !check_hops(p) || !check_terminal(p) :
	    !fits(p, sequence_limit(end, FEATURE_TITLE), end->row->id, "send less"))
		return false;
	add_warnings(p);
	return true;
}

/*
 * Whether a desktop tool is used instead: the terminal does not support the feature, or has
 * it turned off, and runs on this desktop.
 */
static bool
is_native(const struct plan *p)
{
	const struct request *request = p->request;
	const struct path *path = p->path;

	return p->forced == ROUTE_AUTO && request->chain == NULL && !request->force &&
	    (!path_is_detached(path) || request->any_session) &&
	    route_is_for_desktop(request->feature) &&
	    desktop_tool(path->desktop, request, request->selections, false) != NULL &&
	    !path->desktop->own && terminal_lacks(p);
}

/* Drops a route by VIATTY_ROUTE that does not exist here, to be planned again. */
static bool
leaves_default(struct plan *p)
{
	if (p->forced == ROUTE_AUTO || !p->request->route_is_default ||
	    p->route->refusal.status != STATUS_USAGE)
		return false;
	p->forced = ROUTE_AUTO;
	return true;
}

/* Whether changing a setting of the terminal would replace a missing tool. */
static bool
needs_only_setting(const struct plan *p)
{
	return p->setting != SETTING_FINE && !lacks_content(p);
}

/* A route for sequences of a command. */
static bool
plan_output(struct plan *p)
{
	bool sent = plan_sequence(p), found;
	struct plan tool;
	struct route native;

	if (!sent && leaves_default(p))
		sent = plan_sequence(p);
	if ((sent && p->setting == SETTING_FINE) || !is_native(p))
		return sent;
	tool = *p;
	tool.route = &native;
	found = attempt(&tool, ROUTE_NATIVE);
	if (found || (!sent && !needs_only_setting(p)))
		*p->route = native;
	return found || sent;
}

/* A desktop tool, for what needs no terminal or a reply of one. */
static bool
plan_tool(struct plan *p)
{
	if (p->forced == ROUTE_NATIVE) {
		if (attempt(p, ROUTE_NATIVE))
			return true;
		if (!leaves_default(p))
			return false;
	}
	route_begin(p->route, ROUTE_AUTO, p->path);
	if (!is_native(p))
		return false;
	if (attempt(p, ROUTE_NATIVE))
		return true;
	if (needs_only_setting(p))
		p->route->refusal.status = STATUS_DONE;
	return false;
}

/*
 * Whether a tmux whose server is unreachable may interpret the copy and send its own, which
 * a query for the clipboard then confirms.
 */
static bool
may_be_taken(const struct route *route, const struct path *path)
{
	return path->source == DEVICE_CONTROLLING && path->hops == 1 &&
	    path->hop[0].row->kind == HOP_TMUX && !path->hop[0].tmux.reachable &&
	    (route->kind == ROUTE_PLAIN ||
	    chain_has(&route->chain, LAYER_TMUX_MAYBE));
}

bool
plan_route(struct route *route, const struct path *path, const struct request *request)
{
	struct plan p = begin_plan(route, path, request);

	if (request->feature == FEATURE_LINK)
		return plan_links(route, path);
	if (request->feature != FEATURE_PASTE && !request->typed)
		return plan_output(&p);
	if (request->confirm && is_plain_text(request) && plan_output(&p) &&
	    may_be_taken(route, path))
		return true;
	if (!request->confirm) {
		if (plan_tool(&p))
			return true;
		if (route->refusal.status != STATUS_DONE)
			return false;
	}
	if (!request->typed)
		return plan_paste(route, path, request);
	return plan_typed(route, path, request) &&
	    (p.setting != SETTING_OFF || request->force || is_set_off(&p, FEATURE_COPY));
}

bool
route_does(const struct route *route, const struct path *path, enum feature feature)
{
	if (route->destination != NULL)
		return hop_does(route->destination, feature) == SUPPORT_YES;
	return path_support(path, feature) == SUPPORT_YES;
}

bool
route_is_ascii(const struct route *route)
{
	const struct hop *hop = route->destination;

	return chain_has(&route->chain, LAYER_SCREEN) ||
	    (hop != NULL && (hop_interpreters(hop) & INTERPRETER_SCREEN) != 0);
}
