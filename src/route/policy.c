/* SPDX-License-Identifier: MIT */
/*
 * What every link of the chain lets through; the contract is in policy.h.
 */
#include "route/policy.h"

#include "base/text.h"

#include <string.h>

enum {
	/* mosh 1.4, terminaldispatcher.h: MAXIMUM_CLIPBOARD_SIZE, from "52" on */
	MOSH_BODY_MAX = 16384,
	/* the same for a title: terminaldispatcher.cc, OSC_put */
	MOSH_TITLE_MAX = 256,
	/* ESC ] and ESC \ around a body; as much as ESC k and ESC \ */
	OSC_FRAME = 4,
	/* tmux up to 3.2a drops what its client does not take at once: 1 +
	   80 * 24 * 8 bytes at 80x24, less what the wrapping adds */
	OLD_TMUX_MAX = 15000
};

bool
link_refuse(struct error *error, const char *message, const char *hint)
{
	error_set(error, STATUS_REFUSED, "%s", message);
	return error_hint(error, "%s", hint);
}

bool
link_copies(const struct decision *d)
{
	return d->request->feature == FEATURE_COPY;
}

bool
link_overwrites(struct decision *d, const char *name)
{
	d->route->overwrites = true;
	text_format(d->route->note, sizeof(d->route->note), "%s cannot clear the "
	    "clipboard: a newline overwrites it", name);
	return true;
}

/* It has answered our questions, and lets neither form through. */
bool
link_silent_tmux_drops(struct decision *d)
{
	error_set(d->error, STATUS_REFUSED, "the tmux around this terminal drops "
	    "it: %sallow-passthrough is off there",
	    link_copies(d) ? "set-clipboard is not on and " : "");
	return error_hint(d->error, "where that tmux runs, add this to "
	    "~/.tmux.conf: set -g %s", link_copies(d) ? "set-clipboard on" :
	    "allow-passthrough on");
}

bool
link_no_client(struct decision *d, const struct hop *hop)
{
	const struct tmux *tmux = &hop->tmux;

	if (tmux->clients > 0) {
		error_set(d->error, STATUS_REFUSED, tmux->has_client ?
		    "the terminal that shows tmux is not this user's" :
		    "only control-mode clients are attached to tmux session %s",
		    text_quote(tmux->session).text);
		return error_hint(d->error, "attach a terminal: tmux attach");
	}
	error_set(d->error, STATUS_REFUSED,
	    "nobody is attached to tmux session %s",
	    text_quote(tmux->session).text);
	if (tmux->elsewhere[0] != '\0')
		return error_hint(d->error, "the terminal %s shows another "
		    "session: name it with --tty, or leave the text in a tmux "
		    "buffer with --route tmux-buffer",
		    text_quote(tmux->elsewhere).text);
	return error_hint(d->error, "leave the text in a tmux buffer with "
	    "--route tmux-buffer, or attach a terminal: tmux attach");
}

bool
link_shows_guests(struct decision *d, const struct hop *hop)
{
	if (hop->tmux.guests == 0)
		return false;
	link_refuse(d->error, "another user is attached to the tmux session and "
	    "would get it too", "detach that one with prefix D, or send it past "
	    "tmux with --route client-tty");
	return true;
}

/* ---- the end of the way ----------------------------------------------- */

/*
 * What multiplexers do themselves, and the longest body of a string that they
 * take whole. tmux(1), NAMES AND TITLES, and input.c; Screen's manual, "Control
 * Sequences", and ansi.c (StringChar); Zellij's grid.rs; mosh's terminal.cc. A
 * program that runs terminals of its own keeps no title that anybody sees.
 */
#define BIT(feature) (1u << (feature))
static const struct {
	unsigned does;
	size_t body_max;
} ends[] = {
	[HOP_TMUX] = { BIT(FEATURE_TITLE) | BIT(FEATURE_TITLE_STACK) |
	    BIT(FEATURE_WINDOW_NAME), TMUX_SEQUENCE_MAX },
	[HOP_TMUX_UNREACHABLE] = { BIT(FEATURE_TITLE) | BIT(FEATURE_TITLE_STACK) |
	    BIT(FEATURE_WINDOW_NAME), TMUX_SEQUENCE_MAX },
	[HOP_TMUX_OR_SCREEN] = { BIT(FEATURE_TITLE) | BIT(FEATURE_WINDOW_NAME),
	    SCREEN_STRING_MAX },
	[HOP_SCREEN] = { BIT(FEATURE_TITLE) | BIT(FEATURE_WINDOW_NAME),
	    SCREEN_STRING_MAX },
	[HOP_ZELLIJ] = { BIT(FEATURE_TITLE) | BIT(FEATURE_TITLE_STACK), 0 },
	[HOP_MOSH] = { BIT(FEATURE_TITLE), MOSH_TITLE_MAX },
	[HOP_EDITOR] = { 0, 0 },
};

bool
link_does(const struct hop *hop, unsigned feature)
{
	return feature == FEATURE_BELL ||
	    (ends[hop->kind].does & BIT(feature)) != 0;
}

static bool
does_not(struct decision *d, const struct hop *hop)
{
	error_set(d->error, STATUS_REFUSED, "%s %s", hop->name,
	    d->request->feature == FEATURE_WINDOW_NAME ? "names no windows" :
	    d->request->feature == FEATURE_TITLE_STACK ?
	        "does not keep titles to restore them" : "shows no titles");
	return error_hint(d->error, d->request->feature == FEATURE_WINDOW_NAME ?
	    "only tmux and Screen do" : "--outer is for the terminal around %s",
	    hop->name);
}

bool
link_ends(struct decision *d, const struct hop *hop)
{
	bool renames = d->request->feature == FEATURE_WINDOW_NAME;

	d->route->end = hop;
	if (hop->kind == HOP_TMUX)
		d->route->tmux = hop;
	else if (hop->kind == HOP_TMUX_UNREACHABLE || hop->kind == HOP_TMUX_OR_SCREEN)
		d->route->confidence = CONFIDENCE_UNKNOWN;
	if (d->request->force)
		return true;
	if (!link_does(hop, d->request->feature))
		return does_not(d, hop);
	return !renames || hop->kind != HOP_TMUX || !hop->tmux.keeps_names ||
	    link_refuse(d->error, "tmux lets no program rename its window: "
	        "allow-rename is off", "add this to ~/.tmux.conf: "
	        "set -g allow-rename on; or call tmux rename-window");
}

/* ---- wrapped ---------------------------------------------------------- */

/* Whether this tmux lets wrapped sequences of the pane through. */
static bool
tmux_passes(struct decision *d, const struct hop *hop)
{
	const struct tmux *tmux = &hop->tmux;
	bool hidden = tmux->passthrough == PASSTHROUGH_ON && !tmux->shown;

	if (tmux->clients == 0)
		return link_refuse(d->error, "nobody is attached to the tmux session",
		    "attach a terminal to it, or leave the text in a tmux "
		    "buffer with --route tmux-buffer");
	if (tmux->clients == tmux->control_clients)
		return link_refuse(d->error, "tmux's control mode shows wrapped "
		    "sequences to its client as they are", "use --route plain");
	/* what is drawn is for all who look */
	if (!d->request->draws && link_shows_guests(d, hop))
		return false;
	if (tmux->in_mode)
		return link_refuse(d->error, "tmux drops wrapped sequences of a pane "
		    "in copy mode", "leave copy mode (q) and try again");
	if (hidden && !tmux_is_at_least(tmux, 3, 4))
		return link_refuse(d->error, "tmux drops wrapped sequences of a pane "
		    "that is not shown", "show the pane and try again");
	if (tmux->passthrough == PASSTHROUGH_UNKNOWN)
		d->route->confidence = CONFIDENCE_UNKNOWN;
	if (tmux->passthrough != PASSTHROUGH_OFF && !hidden)
		return true;
	error_set(d->error, STATUS_REFUSED, "tmux drops wrapped sequences%s",
	    hidden ? " of a pane that is not shown" :
	    ": allow-passthrough is off");
	return error_hint(d->error, "add this to ~/.tmux.conf: "
	    "set -g allow-passthrough %s%s", tmux->shown ||
	    !tmux_is_at_least(tmux, 3, 4) ? "on" : "all", d->request->draws ?
	    "; or send it past tmux with --route client-tty" : "");
}

/*
 * A tmux that only our questions have reached, or not even they. One that
 * interprets a copy was not asked for the rest.
 */
static bool
wrap_for_silent_tmux(struct decision *d, const struct hop *hop)
{
	const struct probe_tmux *probe = &hop->probe;
	bool interprets = probe->interprets ||
	    (link_copies(d) && !probe->copy_known);
	bool drops = probe->asked && probe->answered && !probe->passes &&
	    !interprets;
	bool both = link_copies(d) && !probe->passes && !drops;

	/* Screen would print what is wrapped for tmux; tmux swallows the other */
	if (hop->kind == HOP_TMUX_OR_SCREEN) {
		d->route->confidence = CONFIDENCE_UNKNOWN;
		return chain_add(&d->route->chain, LAYER_SCREEN);
	}
	chain_add(&d->route->chain, both ? LAYER_TMUX_MAYBE : LAYER_TMUX);
	if (drops)
		return link_silent_tmux_drops(d);
	if (!probe->passes)
		d->route->confidence = CONFIDENCE_UNKNOWN;
	return true;
}

/*
 * Adds the layer for one hop, also where the result is false: why the hop
 * drops what is wrapped for it.
 */
static bool
wrap_for_hop(struct decision *d, const struct hop *hop)
{
	switch (hop->kind) {
	case HOP_SCREEN:
		chain_add(&d->route->chain, LAYER_SCREEN);
		return !hop->detached || link_refuse(d->error, "no terminal shows the "
		    "Screen session", "attach one with screen -r, or send it "
		    "with --force all the same");
	case HOP_TMUX:
		chain_add(&d->route->chain, LAYER_TMUX);
		return tmux_passes(d, hop);
	case HOP_TMUX_OR_SCREEN:
	case HOP_TMUX_UNREACHABLE:
		return wrap_for_silent_tmux(d, hop);
	case HOP_ZELLIJ:
	case HOP_MOSH:
		return true;
	case HOP_EDITOR:
		break;
	}
	error_set(d->error, STATUS_REFUSED,
	    "%s, which runs this terminal, drops the sequence", hop->name);
	return error_hint(d->error, "call it from a terminal outside %s, or "
	    "send it with --force all the same", hop->name);
}

/* Whether wrapping for the hops from number `first` on can work. */
bool
links_wrap(struct decision *d, size_t first)
{
	const struct path *path = d->path;
	size_t i;

	for (i = first; i < path->hops; i++)
		if (!wrap_for_hop(d, &path->hop[i]) && !d->request->force)
			return false;
	return true;
}

/* ---- unwrapped -------------------------------------------------------- */

/*
 * What a tmux sends of its own is not wrapped for whatever is around it. Screen
 * prints all of it above its limit.
 */
static bool
passes_unwrapped(struct decision *d, const struct hop *hop, bool keeps_letter)
{
	switch (hop->kind) {
	case HOP_TMUX:
		if (hop->tmux.clients == 0)
			return link_no_client(d, hop);
		if (link_shows_guests(d, hop))
			return false;
		return hop->tmux.set_clipboard == SET_CLIPBOARD_ON ||
		    link_refuse(d->error, "the tmux around this one drops what it "
		    "sends: set-clipboard is not on there", "add this to its "
		    "~/.tmux.conf: set -g set-clipboard on");
	case HOP_SCREEN:
		return link_refuse(d->error, "Screen does not pass on what tmux sends",
		    "leave --route out");
	case HOP_MOSH:
		return keeps_letter || link_refuse(d->error, "mosh drops what tmux "
		    "sends, for it has no selection letter", "use tmux 3.4 or "
		    "later, or ssh");
	case HOP_TMUX_UNREACHABLE:
	case HOP_TMUX_OR_SCREEN:
		return hop->probe.interprets || !hop->probe.copy_known ||
		    link_silent_tmux_drops(d);
	default:
		return true;
	}
}

bool
links_pass_unwrapped(struct decision *d, const struct hop *hop,
    bool keeps_letter)
{
	for (hop++; hop < d->path->hop + d->path->hops; hop++)
		if (!passes_unwrapped(d, hop, keeps_letter))
			return false;
	return true;
}

/* ---- limits, and the terminal ----------------------------------------- */

/* Notes a limit of the route, and whether the sequence keeps it. */
static bool
within(struct decision *d, const char *what, size_t limit, const char *hint)
{
	if (d->route->limit == 0 || limit < d->route->limit)
		d->route->limit = limit;
	if (d->request->sequence <= limit)
		return true;
	error_set(d->error, STATUS_REFUSED,
	    "too large for %s: the sequence has %zu bytes, the limit is %zu",
	    what, d->request->sequence, limit);
	return error_hint(d->error, "%s", hint);
}

/* Of the version that is there; who names the terminal means a current one. */
static enum support
support_of_end(const struct decision *d, enum feature feature)
{
	return d->request->terminal != NULL ?
	    terminal_support(d->request->terminal, feature) :
	    terminal_version_support(d->route->terminal, feature,
	        path_version(d->path));
}

/* Whether the version that is there is older than what the current one does. */
static bool
came_later(const struct decision *d, enum feature feature)
{
	enum support now = terminal_support(d->route->terminal, feature);

	return now != SUPPORT_NO && now != SUPPORT_UNKNOWN &&
	    support_of_end(d, feature) == SUPPORT_NO;
}

/* Refuses what the current version does and this one does not yet. */
static bool
came_later_than(struct decision *d, enum feature feature, const char *hint)
{
	const struct terminal *terminal = d->route->terminal;

	error_set(d->error, STATUS_REFUSED, "%s does this since version %s, and "
	    "this is %s: %s", d->route->who, terminal_since(terminal, feature),
	    text_quote(path_version(d->path)).text, feature_meaning(feature));
	return error_hint(d->error, "%s", hint);
}

/* What a person can do instead where the terminal does not do this. */
static const char *
instead_of(enum feature feature)
{
	switch (feature) {
	case FEATURE_COPY:
		return "select with the mouse and copy with the terminal's own key, or "
		    "use foot, kitty, Alacritty, Ghostty or WezTerm; if this is "
		    "another terminal, say which with --term";
	case FEATURE_PRIMARY:
		return "set the clipboard instead; if this is another terminal, say "
		    "which with --term";
	default:
		return "if this is another terminal, say which with --term";
	}
}

static bool
cannot(struct decision *d, enum feature feature)
{
	const char *who = d->route->who;

	if (feature == FEATURE_COPY)
		error_set(d->error, STATUS_REFUSED,
		    "%s lets no program set the clipboard%s", who,
		    d->route->terminal->family[0] != '\0' ?
		    ", and has no setting for it" : "");
	else
		error_set(d->error, STATUS_REFUSED, "%s does not do this for "
		    "programs: %s", who, feature_meaning(feature));
	return error_hint(d->error, "%s", instead_of(feature));
}

/* What a terminal cannot store it cuts off or replaces, or loses what it had. */
static bool
check_bytes(struct decision *d)
{
	const struct terminal *terminal = d->route->terminal;
	enum clipboard_bytes bytes = terminal_bytes(terminal,
	    d->request->terminal != NULL ? "" : path_version(d->path));
	size_t not_utf8 = bytes == BYTES_UTF8 || bytes == BYTES_TEXT ?
	    d->request->not_utf8 : 0;
	size_t nul = bytes == BYTES_NO_NUL || bytes == BYTES_TEXT ?
	    d->request->nul : 0;

	if (not_utf8 == 0 && nul == 0)
		return true;
	if (nul != 0 && (not_utf8 == 0 || nul < not_utf8))
		error_set(d->error, STATUS_REFUSED, "%s stores nothing behind a NUL "
		    "byte, and there is one at offset %zu", d->route->who, nul - 1);
	else
		error_set(d->error, STATUS_REFUSED, "%s stores only valid UTF-8, and "
		    "the byte at offset %zu is not", d->route->who, not_utf8 - 1);
	return error_hint(d->error, "encode it first, for example with base64; "
	    "--force sends it as it is and may lose all of it");
}

/* What a copy in particular asks of the terminal. */
static bool
check_copy(struct decision *d)
{
	const struct terminal *terminal = d->route->terminal;
	const struct route_request *request = d->request;

	if (request->payload == 0 && support_of_end(d, FEATURE_CLEAR) == SUPPORT_NO)
		link_overwrites(d, terminal->name);
	if (strchr(request->selections, 'p') != NULL &&
	    support_of_end(d, FEATURE_PRIMARY) == SUPPORT_NO)
		return cannot(d, FEATURE_PRIMARY);
	if (!check_bytes(d))
		return false;
	if (terminal->copy_limit != 0 && !within(d, terminal->name,
	    terminal->copy_limit + OSC_FRAME,
	    "send less, or take the risk with --force"))
		return false;
	if (terminal->copy_doubt != 0 &&
	    request->sequence > terminal->copy_doubt + OSC_FRAME)
		text_format(d->route->warning, sizeof(d->route->warning),
		    "some builds of %s drop sequences of more than %zu bytes; "
		    "this one has %zu", terminal->name,
		    terminal->copy_doubt + OSC_FRAME, request->sequence);
	return true;
}

/* Terminals print ESC k, and all that follows it. */
static bool
check_window_name(struct decision *d)
{
	return d->request->chain != NULL || link_refuse(d->error,
	    "only tmux and Screen name windows, and neither is around this "
	    "terminal", "without --window-name the terminal's title is set");
}

/*
 * Who knows OSC 9 as a notification but not its form 9;4 pops up "4;1;50": it is
 * sent only to those that are known not to.
 */
static bool
may_pop_up(const struct decision *d)
{
	const struct terminal *terminal = d->route->terminal;

	return terminal == NULL || terminal->numbers_pop_up ||
	    terminal_support(terminal, FEATURE_PROGRESS) != SUPPORT_YES;
}

static bool
must_be_known(struct decision *d)
{
	if (support_of_end(d, FEATURE_PROGRESS) != SUPPORT_UNKNOWN)
		return cannot(d, FEATURE_PROGRESS);
	error_set(d->error, STATUS_REFUSED, "it is not known whether this "
	    "terminal shows progress; some pop up its numbers instead");
	return error_hint(d->error, "say which terminal it is with --term; "
	    "--force sends it all the same");
}

static bool
check_terminal(struct decision *d)
{
	const struct terminal *terminal = d->route->terminal;
	enum feature feature = (enum feature)d->request->feature;

	if (d->request->feature == FEATURE_ANY ||
	    d->request->feature == FEATURE_BELL)
		return true;
	if (d->request->feature == FEATURE_WINDOW_NAME)
		return check_window_name(d);
	if (came_later(d, feature))
		return came_later_than(d, feature, feature == FEATURE_PROGRESS &&
		    terminal->numbers_pop_up ? "--force sends it all the same; "
		    "it may pop up as a notification" :
		    "use a newer version, or another terminal");
	if (feature == FEATURE_PROGRESS &&
	    support_of_end(d, feature) != SUPPORT_YES && may_pop_up(d))
		return must_be_known(d);
	if (terminal == NULL) {
		d->route->confidence = CONFIDENCE_UNKNOWN;
		return true;
	}
	if (support_of_end(d, feature) == SUPPORT_NO)
		return cannot(d, feature);
	/* a longer one is cut by whoever sends it, and is no reason to refuse */
	if ((feature == FEATURE_TITLE || feature == FEATURE_TITLE_STACK) &&
	    terminal->title_limit != 0)
		within(d, terminal->name, title_size(TITLE_WINDOW,
		    terminal->title_limit), "");
	if (support_of_end(d, feature) != SUPPORT_YES)
		d->route->confidence = CONFIDENCE_UNKNOWN;
	if (terminal_support(terminal, feature) == SUPPORT_OFF)
		text_format(d->route->note, sizeof(d->route->note),
		    "%s takes it only with this setting: %s", terminal->name,
		    terminal_switch(terminal, feature));
	return feature != FEATURE_COPY || check_copy(d);
}

static bool
check_mosh(struct decision *d)
{
	if (d->request->feature == FEATURE_ANY ||
	    d->request->feature == FEATURE_BELL)
		return true;
	if (d->request->feature == FEATURE_TITLE)
		return within(d, "mosh", MOSH_TITLE_MAX + OSC_FRAME, "send less");
	if (d->request->feature != FEATURE_COPY)
		return link_refuse(d->error, "mosh drops this sequence", "use ssh");
	if (strcmp(d->request->selections, "c") != 0)
		return link_refuse(d->error, "mosh carries the clipboard only, no "
		    "other selection", "leave out -p and -S");
	return within(d, "mosh, which cuts off the rest",
	    MOSH_BODY_MAX + OSC_FRAME, "send less, or use ssh");
}

/* tmux up to 3.2a cuts what it sends on, whichever way it came. */
static bool
check_tmux(struct decision *d, const struct hop *hop)
{
	return tmux_is_at_least(&hop->tmux, 3, 3) ||
	    within(d, "a tmux before 3.3, which cuts off the rest", OLD_TMUX_MAX,
	        "send less, or use --route client-tty");
}

static bool
check_hop(struct decision *d, const struct hop *hop)
{
	switch (hop->kind) {
	case HOP_MOSH:
		return check_mosh(d);
	case HOP_ZELLIJ:
		if (d->request->feature == FEATURE_PROGRESS)
			return link_refuse(d->error, "Zellij shows progress as a "
			    "notification of its numbers", "call it outside Zellij");
		return d->request->utf8 || link_refuse(d->error, "Zellij drops a copy "
		    "that is not valid UTF-8", "send text, or call it outside "
		    "Zellij");
	case HOP_TMUX:
		return check_tmux(d, hop);
	default:
		return true;
	}
}

/* What is around the end of the way does not matter. */
static bool
check_end(struct decision *d)
{
	size_t body_max = ends[d->route->end->kind].body_max;

	return body_max == 0 || within(d, d->route->end->name,
	    body_max + OSC_FRAME, "send less");
}

/* What is around the hops that are stepped over does not matter. */
bool
links_check(struct decision *d)
{
	const struct path *path = d->path;
	const struct route *route = d->route;
	size_t i, limit = wrap_limit(&route->chain);

	if (route->end != NULL)
		return check_end(d);

	for (i = d->from; i < path->hops; i++)
		if (!check_hop(d, &path->hop[i]))
			return false;
	if (limit != 0 && !within(d, "tmux's passthrough", limit,
	    "send less, or attach a terminal whose device this user may write"))
		return false;
	if (route->kind == ROUTE_PLAIN && (path->hop[0].kind == HOP_TMUX ||
	    path->hop[0].kind == HOP_TMUX_UNREACHABLE) && !within(d, "tmux",
	        TMUX_SEQUENCE_MAX, "send less, or use --route load-buffer where "
	        "that tmux runs"))
		return false;
	if (strcmp(path->term, "dumb") == 0 && route->terminal == NULL &&
	    d->request->chain == NULL && d->request->feature != FEATURE_BELL)
		return link_refuse(d->error, "TERM=dumb says that this terminal shows "
		    "escape sequences as text", "if it does not, say what it is "
		    "with --term, or send with --force");
	return check_terminal(d);
}
