/* SPDX-License-Identifier: MIT */
/*
 * What each hop, and the terminal, do with a sequence. A function here reads like the section
 * of its program in viatty-multiplexers(7). It returns false with the refusal if the sequence
 * is dropped; else it adds the layer, the limit and the doubts of that hop to the route, and
 * what a query could settle to `lacks`.
 */
#include "route/route.h"

#include "base/base.h"
#include "encoder/encoder.h"

#include <string.h>

#define OTHERS "viatty-terminals(7) lists those that do"
#define ENDS_IN_NUL "tmux does not tell whether it sends a text that ends in NUL"
#define IN_TMUX_BUFFER "store the text in a tmux buffer: --route tmux-buffer"

void
doubt(struct plan *p, enum verdict verdict)
{
	if (p->route->verdict < verdict)
		p->route->verdict = verdict;
}

bool
copies(const struct plan *p)
{
	return p->request->feature == FEATURE_COPY;
}

bool
has_plain_type(const struct request *request)
{
	return request->type == NULL || typed_type_is_plain(request->type);
}

const char *
or_another(const struct path *path)
{
	return path->named != NULL || probe_terminal(&path->probe) != NULL ? "" :
	    "; " IF_ANOTHER;
}

struct remedy
setting_hint(const char *setting)
{
	const char *line = setting != NULL ? strstr(setting, ": ") : NULL;
	struct remedy text = { "" };

	if (line == NULL)
		text_copy(text.text, sizeof(text.text), setting != NULL ? setting : "");
	else
		text_format(text.text, sizeof(text.text), "set in %.*s:\n  %s",
		    (int)(line - setting), setting, line + 2);
	return text;
}

/* ---- what a hop interprets ------------------------------------------------- */

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

bool
interprets_users_own(const struct plan *p, const struct hop *hop)
{
	unsigned hops = hop_interpreters(hop);

	return p->request->feature == FEATURE_ANY && hops != 0 &&
	    (p->request->interpreters & hops) == hops;
}

enum support
hop_does(const struct hop *hop, unsigned feature)
{
	if (feature == FEATURE_WINDOW_NAME)
		return hop->row->names_windows ? SUPPORT_YES : SUPPORT_NO;
	if (feature == FEATURE_COLOR_QUERY)
		return terminal_support(hop->row, NEWEST, FEATURE_COLOR);
	return feature == FEATURE_BELL ? SUPPORT_YES :
	    terminal_support(hop->row, hop->tmux.version, feature);
}

/* ---- limits --------------------------------------------------------------- */

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

bool
fits_layers(struct plan *p)
{
	return fits(p, wrap_limit(&p->route->chain), "tmux's passthrough",
	    "send less, or attach a terminal that you may write to");
}

bool
fits_hop(struct plan *p, const struct hop *hop)
{
	return fits(p, sequence_limit(hop, FEATURE_TITLE), hop->row->id, "send less");
}

/* ---- hyperlinks ------------------------------------------------------------ */

static void
limit_links(struct route *route, size_t bytes, const char *name)
{
	if (bytes == 0 || (route->limit != 0 && route->limit <= bytes))
		return;
	route->limit = bytes;
	route->limited_by = name;
}

/*
 * Links are never wrapped, because a multiplexer that draws the text must know which part is
 * linked. So every hop must support them.
 */
static bool
keeps_links(struct plan *p, const struct hop *hop)
{
	/* tmux 3.8, hyperlinks.c; versions up to 3.7 accept URLs of any length */
	enum { TMUX_URL_MAX = 1024 };
	static const char force[] = "if your terminal shows hyperlinks here: "
	    "FORCE_HYPERLINK=1";
	const struct terminal *row = hop->row;
	const struct tmux *tmux = &hop->tmux;
	const char *term = tmux->client.term;
	const enum support passes = terminal_passes(row, tmux->version, FEATURE_LINK);

	if (row->cuts_urls)
		p->route->cut_by = row->name;
	if (passes == SUPPORT_YES)
		return true;
	if (hop_is_unreachable(hop))
		return refuse(p, "the tmux or Screen around this terminal cannot be queried, "
		    "and most drop hyperlinks\n%s", force);
	if (!tmux->reachable)
		return refuse(p, hop_support(hop, FEATURE_LINK) == SUPPORT_NO ?
		    "%s drops hyperlinks\n%s" : "%s is not known to pass on hyperlinks\n%s",
		    row->name, row->instead[0] != '\0' ? row->instead : force);
	if (passes != SUPPORT_OFF)
		return refuse(p, "tmux before 3.4 does not support hyperlinks\n"
		    "use tmux 3.4 or later");
	if (tmux_is_at_least(tmux, 3, 8))
		limit_links(p->route, TMUX_URL_MAX, "tmux");
	/* without a client it stores them until one attaches */
	if (!tmux->has_client)
		doubt(p, VERDICT_UNKNOWN);
	return !tmux->has_client || tmux_client_has(&tmux->client, "hyperlinks") ||
	    refuse(p, "tmux does not know that a terminal with TERM=%s has hyperlinks\n"
	        TMUX_SET_TERMINAL("as terminal-features ',%s*:hyperlinks'"),
	        text_quote(term).text, text_is_typable(term) ? term : "TERM");
}

/* ---- a tmux whose server replies ------------------------------------------- */

/* The command to attach to its session; without -S for the default server. */
struct remedy
tmux_attach_command(const struct tmux *tmux)
{
	const char *socket = tmux->address.socket, *name = strrchr(socket, '/');
	bool other = name != NULL && strcmp(name, "/default") != 0;
	/* an ID needs no quotes */
	bool plain = tmux->session[strspn(tmux->session, TEXT_ALNUM)] == '\0';
	const char *target = plain ? tmux->session : tmux->pane;
	struct remedy command = { "" };

	if (!text_is_typable(socket))
		socket = "SOCKET";
	text_format(command.text, sizeof(command.text), "tmux %s%s%sattach%s%s",
	    other ? "-S " : "", other ? socket : "", other ? " " : "",
	    target[0] != '\0' ? " -t " : "", target);
	return command;
}

bool
is_controlled(const struct tmux *tmux)
{
	return tmux->clients > 0 && tmux->clients == tmux->control_clients;
}

/* Refuses because no client of this user is attached. */
bool
refuse_detached(struct plan *p, const struct hop *hop)
{
	const struct tmux *tmux = &hop->tmux;
	const bool text = copies(p) && p->request->payload > 0;
	const struct remedy attach = tmux_attach_command(tmux);
	const struct quoted session = text_quote(tmux->session);
	const char *tty = tmux->elsewhere.tty;

	if (tmux->clients > 0 && tmux->has_client)
		return refuse(p, "the terminal that shows tmux cannot be used: %s\n"
		    "attach a terminal of your own: %s", hop->why, attach.text);
	if (tmux->clients > 0)
		return refuse(p, "only control-mode clients are attached to tmux session %s\n"
		    "attach a terminal: %s", session.text, attach.text);
	if (tty[0] != '\0')
		return refuse(p, "tmux session %s is detached\n"
		    "to use the terminal of another session: --tty %s%s", session.text,
		    text_is_typable(tty) ? tty : "DEVICE",
		    text ? ", or " IN_TMUX_BUFFER : "");
	return refuse(p, "%s%s%s\nattach to it%s%s%s", tmux->guests > 0 ?
	    "only other users have attached a terminal to tmux session " : "tmux session ",
	    session.text, tmux->guests > 0 ? "" : " is detached", text ? " (" : ": ",
	    attach.text, text ? "), or " IN_TMUX_BUFFER : "");
}

/* tmux sends the output of a pane to every client. */
bool
ours_alone(struct plan *p, const struct hop *hop)
{
	return hop->tmux.guests == 0 ||
	    refuse(p, "another user is attached to the tmux session and would receive it too\n"
	        "detach that client (prefix D), or bypass tmux: --route client-tty");
}

bool
loses_selection(const struct plan *p, const struct hop *hop)
{
	return strcmp(p->request->selections, "c") != 0 &&
	    !tmux_is_at_least(&hop->tmux, 3, 4);
}

/* What the terminal does with a copy that has no selection letter. */
static enum unlettered
unlettered(const struct plan *p)
{
	const struct terminal *terminal = p->path->terminal;

	return terminal == NULL || (terminal->unlettered_since[0] != '\0' &&
	    terminal_reaches(terminal, p->path->version, terminal->unlettered_since) !=
	    SUPPORT_YES) ? UNLETTERED_UNKNOWN : (enum unlettered)terminal->unlettered;
}

static void
lose_letter(struct plan *p, const struct hop *hop)
{
	const bool clipboard = strcmp(p->request->selections, "c") == 0;
	const struct hop *outer = hop + 1, *end = p->path->hop + p->path->hops;

	/* a relay sends its own letter */
	if (clipboard && (unlettered(p) == UNLETTERED_CLIPBOARD ||
	    (outer < end && outer->row->relays)))
		return;
	warn_that(p, clipboard ? VERDICT_YES : VERDICT_UNKNOWN,
	    "tmux drops the selection letter: %s%s", !clipboard ?
	    "most terminals then set the clipboard instead" :
	    unlettered(p) == UNLETTERED_UNKNOWN ? "some terminals then set" : p->route->who,
	    !clipboard ? "" : unlettered(p) == UNLETTERED_UNKNOWN ? " the primary selection" :
	    " then sets the primary selection");
}

void
tmux_overwrites(struct plan *p)
{
	if (p->request->payload > 0)
		return;
	p->route->overwrites = true;
	text_copy(p->route->note, sizeof(p->route->note),
	    "tmux cannot clear the clipboard: a newline overwrites it");
}

const char *
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

/*
 * tmux has decoded a copy, and sends a sequence of its own to its client. Versions up to 3.2a
 * truncate what they forward, wrapped or not.
 */
static bool
tmux_sends_its_own(struct plan *p, const struct hop *hop, enum passage *form, bool letter)
{
	const struct tmux_client *client = &hop->tmux.client;
	const char *term = text_is_typable(client->term) ? client->term : "TERM";

	*form = BY_HOP;
	p->letter = letter;
	if (!letter)
		lose_letter(p, hop);
	tmux_overwrites(p);
	if (!hop->tmux.has_client)
		return refuse_detached(p, hop);
	if (!tmux_client_drops_copies(client))
		return true;
	/* before 3.2, which introduced features, only terminfo counts */
	return refuse(p, tmux_is_at_least(&hop->tmux, 3, 2) ?
	    "tmux does not know that a terminal with TERM=%s can set the clipboard\n"
	    TMUX_SET_TERMINAL("as terminal-features ',%s*:clipboard'") :
	    "tmux does not know that a terminal with TERM=%s can set the clipboard\n"
	    TMUX_SET_TERMINAL("as terminal-overrides ',%s*:Ms=\\E]52;%%p1%%s;%%p2%%s\\007'"),
	    text_quote(client->term).text, term);
}

/* A copy for load-buffer -w. */
static bool
tmux_takes(struct plan *p, const struct hop *hop, enum passage *form)
{
	const struct tmux *tmux = &hop->tmux;

	*form = BY_HOP;
	/* without a client there is no terminal, so --force does not help */
	if (!tmux->has_client) {
		p->final = true;
		return refuse_detached(p, hop);
	}
	if (p->request->ends_in_nul)
		return refuse_for_good(p, ENDS_IN_NUL "\n" ANY_ROUTE);
	if (tmux->client_claimed)
		return refuse_for_good(p, "another user attached to the tmux session reports the "
		    "same terminal and might receive it\n"
		    "detach that client (prefix D), or " ANY_ROUTE);
	return tmux_is_at_least(tmux, 3, 2) ? tmux_sends_its_own(p, hop, form, false) :
	    refuse(p, "tmux before 3.2 has no load-buffer -w\n" ANY_ROUTE);
}

/*
 * Wrapped sequences need allow-passthrough (on by default before 3.3) and a pane that is
 * shown; a copy that tmux decodes needs set-clipboard.
 */
static bool
through_tmux(struct plan *p, const struct hop *hop, enum passage *form)
{
	const struct tmux *tmux = &hop->tmux;
	const bool draws = p->request->moves_cursor, has_all = tmux_is_at_least(tmux, 3, 4);
	const bool wrapped = *form == WRAPPED;

	if (wrapped)
		chain_add(&p->route->chain, LAYER_TMUX);
	if (*form == HANDED)
		return tmux_takes(p, hop, form);
	if (*form == AS_GIVEN || (*form == BY_HOP && !copies(p)))
		return true;
	if (tmux->clients == 0)
		return refuse_detached(p, hop);
	if (is_controlled(tmux) && wrapped)
		return refuse(p, "tmux in control mode shows wrapped sequences as text\n"
		    "use --route plain");
	/* drawing is meant for all clients */
	if (!(wrapped && draws) && !ours_alone(p, hop))
		return false;
	if (wrapped) {
		if (tmux->in_mode)
			return refuse(p, "tmux drops wrapped sequences from a pane in copy mode\n"
			    "leave copy mode (q) and try again");
		if (tmux->passthrough == PASSTHROUGH_ON && !tmux->shown)
			return refuse(p, "tmux drops wrapped sequences from a hidden pane\n%s",
			    has_all ? TMUX_SET("g allow-passthrough all") :
			    "show the pane and try again");
		if (tmux->passthrough == PASSTHROUGH_OFF)
			return refuse(p, "tmux drops wrapped sequences: allow-passthrough is off\n"
			    "%s" TMUX_SET("g allow-passthrough %s"), draws ?
			    "bypass tmux with --route client-tty, or " : "",
			    tmux->shown || !has_all ? "on" : "all");
		if (tmux->passthrough == PASSTHROUGH_UNKNOWN)
			doubt(p, VERDICT_UNKNOWN);
		return true;
	}
	if (*form == PLAIN && is_controlled(tmux)) {
		/* its client, iTerm2, gets the output of the pane unchanged */
		doubt(p, VERDICT_UNKNOWN);
		return true;
	}
	if (tmux->set_clipboard != SET_CLIPBOARD_ON)
		return refuse(p, *form == PLAIN ?
		    "tmux ignores OSC 52 from programs: set-clipboard is not on\n"
		    TMUX_SET("g set-clipboard on") :
		    "the outer tmux ignores copies from this one: its set-clipboard is not on\n"
		    "where the outer tmux runs, " TMUX_SET("g set-clipboard on"));
	if (*form == PLAIN && !tmux->shown)
		return refuse(p, "tmux does not forward copies from a hidden pane\n"
		    "show the pane, or " ANY_ROUTE);
	return tmux_sends_its_own(p, hop, form, has_all);
}

/* ---- a tmux, or by its TERM a tmux or Screen, that cannot be queried ---------- */

/*
 * Its options are known only from replies on our terminal, or by VIATTY_OUTER_TMUX. By default
 * it drops everything that is not its own, so what is unknown is probably lost.
 */
static bool
through_unasked_tmux(struct plan *p, const struct hop *hop, enum passage *form)
{
	const struct tmux *tmux = &hop->tmux;
	const enum set_clipboard set = tmux->set_clipboard;
	const bool either = hop->row->kind == HOP_TMUX_OR_SCREEN, copy = copies(p);
	const bool wrapped = *form == WRAPPED, passes = tmux->passthrough == PASSTHROUGH_ON;
	const bool takes = copy && set == SET_CLIPBOARD_ON;
	const bool may_take = copy && set == SET_CLIPBOARD_UNKNOWN;
	const bool drops = wrapped ? tmux->passthrough == PASSTHROUGH_OFF && !takes && !may_take :
	    copy && set == SET_CLIPBOARD_NOT_ON;
	/* what makes it reachable, or pass the sequence on */
	const char *repair = hop->repair[0] != '\0' ? hop->repair : copy ?
	    "where that tmux runs, " TMUX_SET("g set-clipboard on") :
	    "where that tmux runs, " TMUX_SET("g allow-passthrough on");
	const bool why = hop->why[0] != '\0';

	if (may_take)
		p->route->lacks |= NEED_TMUX_CLIPBOARD | NEED_STATEMENT;
	if (wrapped && tmux->passthrough == PASSTHROUGH_UNKNOWN && !may_take)
		p->route->lacks |= NEED_TMUX_PASSTHROUGH | NEED_STATEMENT;
	if (wrapped)
		chain_add(&p->route->chain, either ? LAYER_SCREEN :
		    copy && !passes && !drops ? LAYER_TMUX_MAYBE : LAYER_TMUX);
	if (!wrapped && copy) {
		if (!either && loses_selection(p, hop))
			lose_letter(p, hop);
		if (set == SET_CLIPBOARD_ON)
			tmux_overwrites(p);
		*form = BY_HOP;
		p->letter = tmux_is_at_least(tmux, 3, 4);
	}
	if (takes || (wrapped && passes))
		return true;
	if (either)
		warn_that(p, VERDICT_UNLIKELY, "either tmux or Screen is on the path "
		    "(TERM=screen); sent as for Screen, and lost in tmux\n"
		    "if it is tmux: --wrap 'tmux?'");
	else
		warn_that(p, VERDICT_UNLIKELY, "probably lost: the outer tmux drops %s by default, "
		    "and cannot be queried%s%s%s\n%s%s%s%s", copy ? "copies" : "this",
		    why ? " (" : "", hop->why, why ? ")" : "", repair, hop->repair[0] != '\0' ? "" :
		    "\nthen connect with:\n  ssh -t HOST 'VIATTY_OUTER_TMUX=",
		    hop->repair[0] != '\0' ? "" : copy ? "copies" : "all",
		    hop->repair[0] != '\0' ? "" : " exec $SHELL -l'");
	if (drops)
		return refuse(p, "the outer tmux %s%s%s%sdrops it: %s%s there\n%s",
		    hop->repair[0] != '\0' ? "cannot be queried" : "",
		    hop->repair[0] != '\0' && why ? " (" : "",
		    hop->repair[0] != '\0' ? hop->why : "",
		    hop->repair[0] == '\0' ? "" : why ? ") and " : " and ",
		    !copy ? "" : wrapped ? "set-clipboard is not on and " :
		    "set-clipboard is not on",
		    wrapped ? "allow-passthrough is off" : "", repair);
	return true;
}

/* ---- Screen, relays, editors ------------------------------------------------- */

/* Screen prints sequences that are wrapped for tmux, and drops those that are not wrapped. */
static bool
through_screen(struct plan *p, const struct hop *hop, enum passage *form)
{
	if (*form == AS_GIVEN)
		return true;
	if (*form != WRAPPED)
		return !copies(p) || refuse(p, "Screen drops copies from tmux\n" ANY_ROUTE);
	chain_add(&p->route->chain, LAYER_SCREEN);
	if (hop->detached)
		return refuse(p, "the Screen session is detached\nattach to it: screen -r");
	/* drawing is meant for all displays */
	return !hop->multiuser || p->request->moves_cursor ||
	    refuse(p, "other users may be attached to the Screen session, and would receive it "
	        "too\nturn that off, C-a :multiuser off, or run it outside Screen");
}

/* Zellij and mosh interpret what they know, wrapped or not, and send their own. */
static bool
through_relay(struct plan *p, const struct hop *hop, enum passage *form)
{
	const struct terminal *row = hop->row;
	const struct request *request = p->request;
	const unsigned feature = request->feature == FEATURE_COLOR_QUERY ? FEATURE_COLOR :
	    request->feature;
	const bool letter = *form != BY_HOP || p->letter;
	char what[64];

	if (hop == p->path->hop && hop->tmux.version[0] == '\0' && feature < FEATURE_COUNT &&
	    terminal_passes(row, "", feature) != terminal_passes(row, NEWEST, feature))
		p->route->lacks |= NEED_HOP;
	*form = BY_HOP;
	p->letter = true;
	if (copies(p) && !letter && row->copy_letters[0] != '\0')
		return refuse(p, "%s drops copies from this tmux, which have no selection "
		    "letter\nuse tmux 3.4 or later, or %s", row->name, row->instead);
	if (row->numbers_pop_up && feature == FEATURE_PROGRESS)
		return refuse(p, "%s shows OSC 9;4 as a notification\n%s", row->name,
		    row->instead);
	if ((row->bytes.support & BYTES_UTF8) != 0 && request->not_utf8 != 0)
		return refuse(p, "%s drops text that is not valid UTF-8\n" ENCODE ", or %s",
		    row->name, row->instead);
	if (feature == FEATURE_WINDOW_NAME || hop_support(hop, feature) == SUPPORT_NO ||
	    (request->moves_cursor && !interprets_users_own(p, hop)))
		return refuse(p, "%s drops this sequence\n%s", row->name, row->instead);
	if (copies(p) && row->copy_letters[0] != '\0' &&
	    strcmp(request->selections, row->copy_letters) != 0)
		return refuse(p, "%s passes on only the clipboard\n"
		    "copy to the clipboard instead", row->name);
	if (copies(p) && strcmp(request->selections, "c") != 0 &&
	    hop_support(hop, FEATURE_PRIMARY) == SUPPORT_OFF)
		warn_that(p, VERDICT_UNKNOWN, "%s ignores the selection letter: it sets the "
		    "clipboard unless its copy_clipboard is primary\n"
		    "in its configuration: copy_clipboard \"primary\"", row->name);
	text_format(what, sizeof(what), "%s%s", copies(p) ? row->name : row->id,
	    copies(p) ? ", which cuts off the rest" : "");
	return fits(p, sequence_limit(hop, feature), what, copies(p) ? row->instead : "send less");
}

/* The terminal inside an editor shows or drops what it does not know. */
static bool
through_editor(struct plan *p, const struct hop *hop, enum passage *form)
{
	/* which of them report colors is unknown */
	if (p->request->feature == FEATURE_COLOR_QUERY)
		doubt(p, VERDICT_UNKNOWN);
	return *form == AS_GIVEN || p->request->feature == FEATURE_COLOR_QUERY ||
	    (*form != WRAPPED &&
	    (!copies(p) || hop_support(hop, FEATURE_COPY) != SUPPORT_NO)) ||
	    refuse(p, "%s, which runs this terminal, drops the sequence\n"
	        "run it in a terminal outside %s; --force sends it anyway", hop->row->id,
	        hop->row->id);
}

/* ---- replies: pastes, OSC 5522, status --------------------------------------------- */

#define UNREADABLE "the clipboard cannot be read through "

struct purpose_text
purpose(const struct request *request)
{
	const bool copy = request->feature == FEATURE_COPY;
	struct purpose_text text = { "" };

	if (request->type == NULL)
		text_copy(text.text, sizeof(text.text), copy ? "clear the clipboard" :
		    "list the types of the clipboard");
	else
		text_format(text.text, sizeof(text.text), "%s %s", copy ? "take" : "paste",
		    request->type);
	return text;
}

/*
 * tmux queries the terminal of its client for the clipboard, by refresh-client -l; since 3.7
 * it forwards the query of a program. Its own buffers are never taken for the clipboard.
 */
static bool
tmux_queries(struct plan *p, const struct hop *hop, enum passage *form)
{
	const struct tmux *tmux = &hop->tmux;
	const struct terminal *terminal = p->path->terminal;

	*form = QUERIED;
	p->route->tmux = hop;
	if (!p->path->in_pane)
		return refuse_for_good(p, UNREADABLE "a popup of tmux, or a program in "
		    "one of its panes\nrun it in the pane itself");
	if (!tmux->has_client)
		return refuse_for_good(p, UNREADABLE "tmux: no terminal of yours is attached\n"
		    "attach to it: %s", tmux_attach_command(tmux).text);
	/* tmux may query that client instead */
	if (tmux->client_claimed)
		return refuse_for_good(p, UNREADABLE "tmux: another user attached to it reports "
		    "the same terminal\ndetach that client (prefix D)");
	/* the outer tmux replies with its own buffer, which may be old */
	if (text_begins(tmux->client.type, "tmux"))
		return refuse_for_good(p, UNREADABLE "a tmux inside another one\n"
		    "run it outside the inner tmux");
	/* tmux queries without a selection letter: xterm returns the primary selection */
	if (text_begins(tmux->client.type, "XTerm(") ||
	    (terminal != NULL && strcmp(terminal->id, "xterm") == 0))
		return refuse_for_good(p, UNREADABLE "tmux in xterm\nrun it outside tmux");
	return p->request->selections[0] == 'c' || refuse_for_good(p,
	    "only the clipboard can be read through tmux, not another selection\n"
	    "paste the clipboard instead");
}

/* Whether the reply to a query comes back: only Screen forwards them. */
static bool
returns_replies(struct plan *p, const struct hop *hop, enum passage *form)
{
	const struct terminal *row = hop->row;
	const bool tmux = hop->tmux.reachable || hop_is_unreachable(hop);
	struct route *route = p->route;

	if (p->request->feature == FEATURE_PASTE && !p->request->typed) {
		/* it passes copies, but no queries */
		if (row->relays && hop_support(hop, FEATURE_PASTE) == SUPPORT_NO)
			return refuse_for_good(p, UNREADABLE "%s\n%s, or " OWN_KEY, row->name,
			    row->instead);
		/* Screen drops what tmux sends unwrapped, as it does with copies */
		if (*form == QUERIED)
			return row->kind != HOP_SCREEN || refuse_for_good(p, UNREADABLE
			    "tmux inside GNU Screen\nrun it outside Screen");
		if (hop->tmux.reachable && hop == p->path->hop)
			return tmux_queries(p, hop, form);
	}
	if (hop_returns_replies(hop) && chain_add(&route->chain, LAYER_SCREEN)) {
		route->reply_max = row->reply_max;
		because(p->route, "the terminal is queried through %s", row->name);
		return true;
	}
	/* TERM may be left over, and does not tell tmux from Screen */
	if (hop_is_unreachable(hop) && p->request->given.probe)
		route->lacks |= NEED_IDENTITY | NEED_HOP;
	if (p->request->typed)
		return refuse_for_good(p, "cannot %s through %s: %s\nrun it outside %s",
		    purpose(p->request).text, row->id, hop->multiuser ?
		    "other users may be attached to the session" : tmux ?
		    "tmux would type the terminal's reply into the pane" :
		    "it does not pass on replies to OSC 5522", row->id);
	/* all hops before it are Screen */
	if (hop->tmux.reachable)
		return refuse_for_good(p, UNREADABLE "GNU Screen inside tmux\n"
		    "run it outside Screen");
	if (hop->multiuser)
		return refuse_for_good(p, UNREADABLE "Screen while other users may be attached: "
		    "their terminal might reply\nturn that off: C-a :multiuser off");
	return refuse_for_good(p, UNREADABLE "%s\nrun it outside %s", row->id, row->id);
}

bool
passes(struct plan *p, const struct hop *hop, enum passage *form)
{
	const struct terminal *row = hop->row;
	const bool plain = *form == PLAIN;
	bool ok = true;

	if (*form == IN_TEXT)
		return keeps_links(p, hop);
	if (*form == QUERY || *form == QUERIED)
		return returns_replies(p, hop, form);
	if (row->relays)
		return through_relay(p, hop, form);
	if (hop_is_unreachable(hop))
		ok = *form == AS_GIVEN || through_unasked_tmux(p, hop, form);
	else switch (row->kind) {
	case HOP_TMUX:
	case HOP_TMUX_OR_SCREEN:
		ok = through_tmux(p, hop, form) &&
		    (terminal_reaches(row, hop->tmux.version, row->queue_before) == SUPPORT_YES ||
		    fits(p, row->queue_max, "a tmux before 3.3, which cuts off the rest",
		        "send less, or use --route client-tty"));
		break;
	case HOP_SCREEN:
		ok = through_screen(p, hop, form);
		break;
	case HOP_EDITOR:
		ok = through_editor(p, hop, form);
		break;
	default:
		break;
	}
	return ok && (!plain || row->kind != HOP_TMUX || fits(p, TMUX_SEQUENCE_MAX, "tmux",
	    "send less, or use --route load-buffer where that tmux runs"));
}

/* ---- the terminal at the end --------------------------------------------------- */

/*
 * Whether only variables name the terminal, which may be inherited from another: a refusal is
 * worth a query then, and so is what would be lost without a word. TERM, which each terminal
 * sets, is doubted only for a refusal.
 */
static bool
doubts_environment(const struct path *path, enum feature feature, enum support support)
{
	const bool shown = feature == FEATURE_PROGRESS || (feature >= FEATURE_NOTIFY9 &&
	    feature <= FEATURE_NOTIFY99);

	if (path->terminal == NULL || path->terminal != path->by_environment ||
	    path->program[0] != '\0' || path->probe.da1[0] != '\0')
		return false;
	return support == SUPPORT_NO || support == SUPPORT_EMPTIES || support == SUPPORT_OFF ||
	    (shown && terminal_by(terminals, BY_TERM, path->term) != path->terminal);
}

/* What its name or its version could settle. */
static bool
depends_on_version(const struct plan *p, enum feature feature)
{
	const struct terminal *terminal = p->path->terminal;

	return p->path->version[0] == '\0' && terminal_support(terminal, "", feature) !=
	    terminal_support(terminal, NEWEST, feature);
}

/*
 * The support of the feature by the terminal, and what could refine it: its name, or only its
 * version, or the program around a library. A short title, as set by every prompt, is not
 * worth a query for the name.
 */
static enum support
look_at(struct plan *p, enum feature feature)
{
	const struct path *path = p->path;
	const struct request *request = p->request;
	const struct terminal *terminal = path->terminal;
	const bool worth = request->feature != FEATURE_TITLE || !request->for_multiplexer ||
	    request->payload > TITLE_SURE_MAX;
	const bool near = path->source == DEVICE_CONTROLLING && path->hops == 0 && !path->remote;
	const enum support support = path_support(path, feature);
	const bool lacks = support == SUPPORT_NO || support == SUPPORT_EMPTIES;

	if (near && (terminal == NULL || terminal->is_engine))
		p->route->lacks |= NEED_PROCESS;
	if (terminal_program_shows(terminal, "") == SUPPORT_UNKNOWN &&
	    (feature == FEATURE_PROGRESS || lacks || support == SUPPORT_OFF))
		p->route->lacks |= NEED_PROCESS;
	if ((worth && (terminal == NULL || depends_on_version(p, feature))) ||
	    doubts_environment(path, feature, support))
		p->route->lacks |= NEED_NAME;
	return support;
}

/* Whether a setting of the terminal prevents a copy. */
enum setting {
	SETTING_FINE,
	SETTING_NEEDED, /* by default; it may have been changed */
	SETTING_OFF     /* reported by the terminal */
};

/*
 * That of the clipboard, or the primary selection, which may have one of its own. A terminal
 * with copying off by default is queried until it has replied that it is on: xterm by its own
 * query, others list it in DA1.
 */
static enum setting
copy_setting(struct plan *p)
{
	const char *letters = p->request->selections;
	const enum feature feature = letters[0] != '\0' && letters[strspn(letters, "p")] == '\0' ?
	    FEATURE_PRIMARY : FEATURE_COPY;
	const struct path *path = p->path;
	const struct terminal *terminal = path->terminal;

	if (!copies(p))
		return SETTING_FINE;
	if (terminal != NULL && path_setting(path, FEATURE_COPY) != SUPPORT_YES &&
	    terminal_support(terminal, path->version, FEATURE_COPY) == SUPPORT_OFF) {
		if (terminal_tells_settings(terminal))
			p->route->lacks |= NEED_NAME | NEED_SETTING;
		else if (terminal->copy_in_da1[0] != '\0')
			p->route->lacks |= NEED_NAME;
	}
	if (path_support(path, feature) != SUPPORT_OFF)
		return SETTING_FINE;
	return path_setting(path, feature) == SUPPORT_OFF ? SETTING_OFF : SETTING_NEEDED;
}

/* Whether the bytes that it stores depend on its version, or on that of its library. */
static bool
depends_on_bytes(const struct plan *p)
{
	const struct terminal *terminal = p->path->terminal;
	const struct request *request = p->request;
	const char *version = p->path->version;

	return terminal != NULL && (((request->not_utf8 != 0 || request->nul != 0) &&
	    terminal->bytes.since[0] != '\0' &&
	    terminal_bytes(terminal, version) == BYTES_UNKNOWN) ||
	    (request->not_ascii != 0 && terminal->ascii_versions[0][0] != '\0' &&
	    p->path->probe.da1[0] == '\0' &&
	    terminal_reaches(terminal, version, terminal->ascii_versions[0]) ==
	    SUPPORT_UNKNOWN));
}

bool
stores_bytes(struct plan *p, enum clipboard_bytes stored, const char *who, const char *fix)
{
	const struct request *request = p->request;
	size_t nul = (stored & BYTES_NO_NUL) != 0 ? request->nul : 0;
	size_t not_utf8 = (stored & BYTES_UTF8) != 0 ? request->not_utf8 : 0;

	if (stored == BYTES_ASCII && request->not_ascii != 0)
		return refuse(p, "byte %zu of the input is not ASCII, and this version of %s "
		    "garbles it\nuse a newer version; --force copies it, garbled",
		    request->not_ascii, who);
	if (nul != 0 && (not_utf8 == 0 || nul < not_utf8))
		return refuse(p, "byte %zu of the input is NUL, and %s stores nothing after "
		    "it\n%s", nul, who, fix);
	return not_utf8 == 0 || refuse(p, "byte %zu of the input is not valid UTF-8, and %s "
	    "stores nothing else\n%s", not_utf8, who, fix);
}

bool
lacks_content(const struct plan *p)
{
	const struct path *path = p->path;
	const struct request *request = p->request;
	enum clipboard_bytes stored = path_bytes(path);
	struct chain chain;

	if (!has_plain_type(request))
		return path_lacks(path, FEATURE_TYPES) || path_reply_chain(path, &chain) != NULL;
	return ((stored & BYTES_NO_NUL) != 0 && request->nul != 0) ||
	    ((stored & BYTES_UTF8) != 0 && request->not_utf8 != 0) ||
	    (stored == BYTES_ASCII && request->not_ascii != 0);
}

/* Of a version that is unknown, as the newest. */
static enum support
paste_support(const struct path *path)
{
	const enum support support = path_support(path, FEATURE_PASTE);

	return support != SUPPORT_UNKNOWN ? support :
	    terminal_support(path->terminal, NEWEST, FEATURE_PASTE);
}

bool
needs_setting(struct plan *p)
{
	return copy_setting(p) != SETTING_FINE || (p->request->feature == FEATURE_PASTE &&
	    paste_support(p->path) == SUPPORT_OFF);
}

/* Notes the setting that the feature needs. */
static void
name_setting(struct plan *p, enum feature feature)
{
	p->route->setting = terminal_switch(p->path->terminal, feature);
	doubt(p, VERDICT_SETTING);
}

static bool
is_set_off(struct plan *p, enum feature feature)
{
	refuse(p, "the settings of %s do not allow %s\n%s", p->route->who,
	    feature_texts[feature].meaning,
	    setting_hint(terminal_switch(p->path->terminal, feature)).text);
	p->route->verdict = VERDICT_UNKNOWN;
	name_setting(p, feature);
	return false;
}

/* Further requirements of a copy. */
static bool
terminal_takes_copy(struct plan *p)
{
	const struct terminal *terminal = p->path->terminal;
	const struct request *request = p->request;
	const size_t doubtful = framed(terminal->copy_doubt);
	const bool primary = strchr(request->selections, 'p') != NULL;
	const enum setting setting = copy_setting(p);
	enum support clears = SUPPORT_YES, has_primary = SUPPORT_YES;

	if (setting == SETTING_OFF)
		return is_set_off(p, FEATURE_COPY);
	if (request->payload == 0)
		clears = look_at(p, FEATURE_CLEAR);
	if (primary)
		has_primary = look_at(p, FEATURE_PRIMARY);
	if (depends_on_bytes(p))
		p->route->lacks |= NEED_NAME;
	if ((clears != SUPPORT_YES && clears != SUPPORT_NO) || has_primary != SUPPORT_YES)
		doubt(p, VERDICT_UNKNOWN);
	if (clears == SUPPORT_NO) {
		p->route->overwrites = true;
		text_format(p->route->note, sizeof(p->route->note), "%s cannot clear the "
		    "clipboard: a newline overwrites it", terminal->name);
	}
	if (has_primary == SUPPORT_NO)
		return refuse(p, "%s does not support %s\nset the clipboard instead%s",
		    p->route->who, feature_texts[FEATURE_PRIMARY].meaning, or_another(p->path));
	if (terminal->any_letter_copies && strpbrk(request->selections, "q01234567") != NULL)
		return refuse(p, "%s has no such selection: it would set the clipboard\n"
		    "set the clipboard instead", p->route->who);
	if (!stores_bytes(p, path_bytes(p->path), p->route->who,
	    ENCODE "; --force copies what the terminal keeps, perhaps nothing"))
		return false;
	if (terminal->doubt[0] != '\0' && strcmp(request->selections, "p") != 0)
		warn_that(p, VERDICT_YES, "%s", terminal->doubt);
	if (doubtful != 0 && request->sequence > doubtful)
		warn_that(p, VERDICT_YES, "some builds of %s drop copies of more than %zu bytes; "
		    "this one has %zu", terminal->name, copy_text_max(doubtful),
		    request->payload);
	if (setting == SETTING_NEEDED) {
		name_setting(p, FEATURE_COPY);
		warn_that(p, VERDICT_SETTING, IGNORED_BY_DEFAULT "\n%s", terminal->name,
		    setting_hint(p->route->setting).text);
	}
	return fits(p, framed(terminal->copy_limit), terminal->name,
	    "copy less; --force sends it anyway");
}

/* Refuses because the terminal is too old, or may be if its version is unknown. */
static bool
came_later(struct plan *p, const struct terminal *terminal, enum feature feature, bool known)
{
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
	const struct terminal *terminal = p->path->terminal;
	const char *who = p->route->who;

	if (feature == FEATURE_COPY)
		return refuse(p, "%s does not let programs set the clipboard%s\n"
		    "use foot, kitty, Alacritty, Ghostty or WezTerm, or select with the mouse "
		    "and copy with the terminal's own key%s", who,
		    terminal->family[0] != '\0' ? ", and has no setting to allow it" : "",
		    or_another(p->path));
	if (feature == FEATURE_PROGRESS && terminal->shows_progress[0] != '\0')
		return refuse(p, "%s shows no progress, as GNOME Terminal and Ptyxis do\n"
		    OTHERS "%s", p->path->program, or_another(p->path));
	return refuse(p, "%s does not support %s\n%s%s", who, feature_texts[feature].meaning,
	    feature == FEATURE_PRIMARY ? "set the clipboard instead" : OTHERS,
	    or_another(p->path));
}

/*
 * Progress is sent only to terminals that are known to support it: others with OSC 9
 * notifications show "4;1;50" as one.
 */
static bool
progress_is_doubtful(struct plan *p, bool later)
{
	if (p->path->terminal == NULL)
		refuse(p, "the terminal is unknown, and some show OSC 9;4 as a notification\n"
		    "if you know the terminal: --term NAME; --force sends it anyway");
	else if (later)
		came_later(p, p->path->terminal, FEATURE_PROGRESS, false);
	else
		refuse(p, "%s may not support progress, and some terminals show OSC 9;4 as a "
		    "notification\n--force sends it anyway", p->route->who);
	p->route->verdict = VERDICT_UNKNOWN;
	return false;
}

/*
 * Asked as a last hope, or if a newer version has it: a terminal that replies to the query of
 * OSC 99, the newest of these protocols, supports it.
 */
static void
ask_for_99(struct plan *p)
{
	const struct path *path = p->path;
	const struct terminal *terminal = path->terminal;
	const bool others = path_support(path, FEATURE_NOTIFY777) == SUPPORT_YES ||
	    path_support(path, FEATURE_NOTIFY9) == SUPPORT_YES;
	const bool lacks = path_lacks(path, FEATURE_NOTIFY99);

	if (path->hops == 0 && (terminal == NULL || !terminal->ends_at_query99) &&
	    terminal_support(terminal, path->version, FEATURE_NOTIFY99) != SUPPORT_YES &&
	    ((!lacks && terminal_support(terminal, NEWEST, FEATURE_NOTIFY99) == SUPPORT_YES) ||
	    (!others && (!lacks || path->named == NULL))))
		p->route->lacks |= NEED_NOTIFY99;
}

/* Whether a known terminal supports the feature. */
static bool
terminal_does(struct plan *p, const struct terminal *terminal, enum feature feature)
{
	const struct path *path = p->path;
	enum support now = terminal_support(terminal, NEWEST, feature);
	enum support support = look_at(p, feature);
	bool exists = now != SUPPORT_NO && now != SUPPORT_UNKNOWN;

	if (support != SUPPORT_YES)
		doubt(p, VERDICT_UNKNOWN);
	if (feature == FEATURE_NOTIFY99)
		ask_for_99(p);
	if (exists && support != SUPPORT_YES &&
	    terminal_support(terminal, path->version, feature) == SUPPORT_NO)
		return came_later(p, terminal, feature, true);
	if (feature == FEATURE_PROGRESS && support == SUPPORT_UNKNOWN &&
	    (terminal->numbers_pop_up || path_support(path, FEATURE_NOTIFY9) != SUPPORT_NO))
		return progress_is_doubtful(p, now == SUPPORT_YES);
	if (feature == FEATURE_TITLE_STACK && terminal_tells_settings(terminal))
		p->route->lacks |= support == SUPPORT_UNKNOWN ? NEED_NAME | NEED_SETTING :
		    (path->asked & (NEED_NAME | NEED_IDENTITY)) != 0 ? NEED_SETTING : 0;
	if (feature == FEATURE_TITLE_STACK && support == SUPPORT_OFF)
		return is_set_off(p, feature);
	if (support == SUPPORT_NO)
		return never_does(p, feature);
	if (feature == FEATURE_COPY)
		return terminal_takes_copy(p);
	if (support == SUPPORT_OFF || (support == SUPPORT_UNKNOWN && now == SUPPORT_OFF)) {
		name_setting(p, feature);
		text_format(p->route->note, sizeof(p->route->note), "%s needs this setting: %s",
		    terminal->name, p->route->setting);
	}
	/* not refused: the command truncates a longer title */
	return (feature != FEATURE_TITLE && feature != FEATURE_TITLE_STACK) ||
	    fits(p, terminal->title_limit != 0 ?
	        terminal->title_limit + TITLE_FRAME : 0, NULL, "");
}

void
note_lacks(struct plan *p)
{
	const unsigned feature = p->request->feature;

	if (feature < FEATURE_COUNT)
		look_at(p, (enum feature)feature);
	else if (feature == FEATURE_ANY && p->path->terminal == NULL)
		p->route->lacks |= NEED_NAME;
}

bool
terminal_takes(struct plan *p)
{
	const unsigned feature = p->request->feature;
	const bool given = p->request->given.chain != NULL; /* the layers */

	if (path_is_dumb(p->path) && !given && feature != FEATURE_BELL)
		return refuse(p, DUMB "\n" IF_ANOTHER "; --force sends it anyway");
	/* terminals print ESC k and the text after it */
	if (feature == FEATURE_WINDOW_NAME && !given)
		return refuse(p, "only tmux and Screen have window names, and neither is on the "
		    "path\nomit --window-name to set the title of the terminal");
	/* terminal_does() looks at a known terminal */
	if (feature >= FEATURE_COUNT || p->path->terminal == NULL)
		note_lacks(p);
	if (feature >= FEATURE_COUNT)
		return true;
	if (p->path->terminal != NULL)
		return terminal_does(p, p->path->terminal, (enum feature)feature);
	/* an unknown terminal may support anything */
	doubt(p, VERDICT_UNKNOWN);
	if (feature == FEATURE_NOTIFY99)
		ask_for_99(p);
	return feature != FEATURE_PROGRESS || progress_is_doubtful(p, false);
}

/* ---- the terminal, for what is not just sent ------------------------------------ */

/* The terminal may be unknown, but must not lack hyperlinks. */
bool
terminal_shows_links(struct plan *p)
{
	const struct path *path = p->path;
	const struct terminal *terminal = path->terminal;
	enum support support;

	/* the terminal that will show a detached session is unknown */
	if (path_is_detached(path))
		return true;
	if (path_is_dumb(path))
		return refuse(p, DUMB);
	support = look_at(p, FEATURE_LINK);
	if (support != SUPPORT_YES)
		doubt(p, VERDICT_UNKNOWN);
	if (terminal == NULL)
		return true;
	limit_links(p->route, terminal->link_limit, terminal->name);
	if (terminal->cuts_urls)
		p->route->cut_by = terminal->name;
	if (support == SUPPORT_OFF)
		return refuse(p, "%s%s shows hyperlinks only with a setting\n"
		    "export FORCE_HYPERLINK=1, and %s", terminal->article, terminal->name,
		    setting_hint(terminal_switch(terminal, FEATURE_LINK)).text);
	return support != SUPPORT_NO || refuse(p, "%s%s does not support hyperlinks",
	    terminal->article, terminal->name);
}

/* Checked last, because an option of tmux does not help if the terminal never replies. */
static bool
tmux_hands_over(struct plan *p)
{
	const struct tmux *tmux = &p->route->tmux->tmux;

	if (!tmux_is_at_least(tmux, 3, 7)) {
		because(p->route, "tmux queries its terminal and passes on the reply");
		/* older versions store it in a buffer, indistinguishable from an old one */
		return tmux_is_at_least(tmux, 3, 3) || refuse_for_good(p,
		    "tmux %s does not pass the terminal's reply to the program\n"
		    "use tmux 3.3 or later, or run it outside tmux", tmux->version);
	}
	because(p->route, "tmux passes on the query and the reply");
	/* input_add_request() in input.c chooses the most recently used client */
	if (tmux->guests > 0)
		return refuse_for_good(p, UNREADABLE "tmux while another user is attached: that "
		    "user's terminal might reply\ndetach that client (prefix D)");
	/* otherwise it replies with its newest buffer, which may be old */
	if (tmux->set_clipboard != SET_CLIPBOARD_ON || !tmux->requests_clipboard)
		return refuse_for_good(p, "tmux %s replies with its own paste buffer, or not at "
		    "all\n" TMUX_SET("s get-clipboard request") "%s", tmux->version,
		    tmux->set_clipboard == SET_CLIPBOARD_ON ? "" :
		    "\n  tmux set -s set-clipboard on");
	return p->route->reads != SUPPORT_ASKS || refuse(p,
	    "%s asks you before it replies, and tmux %s waits only half a second\n"
	    "run it outside tmux; if the terminal replies without asking: --force",
	    p->path->terminal->name, tmux->version);
}

/* Only a terminal that has just been identified may be queried: some clear the clipboard. */
bool
is_identified(struct plan *p)
{
	const struct path *path = p->path;

	if (path->named != NULL || p->route->tmux != NULL)
		return true;
	p->final = true;
	if (path->unasked.status != STATUS_DONE) {
		p->route->refusal = path->unasked;
		return false;
	}
	return !path->silent || fail(&p->route->refusal, STATUS_NO_REPLY,
	    "the terminal does not reply to queries\n" OWN_KEY);
}

bool
terminal_reads(struct plan *p)
{
	struct route *route = p->route;
	const struct path *path = p->path;
	const char *selections = p->request->selections, *setting;
	const bool off = path_setting(path, FEATURE_COPY) == SUPPORT_OFF;
	const enum support support = paste_support(path);

	route->reads = support;
	if (support == SUPPORT_EMPTIES)
		return refuse_for_good(p, "%s would clear the clipboard instead of replying\n"
		    OWN_KEY, route->who);
	if (support == SUPPORT_NO)
		return refuse(p, "%s does not let programs read the clipboard\n" OWN_KEY "%s",
		    route->who, or_another(path));
	/* mintty replies to every letter with its clipboard, do_clipboard() of 3.8.2 */
	if (selections[0] == 'p' && path_lacks(path, FEATURE_PRIMARY))
		return refuse(p, "%s has no primary selection\npaste the clipboard instead%s",
		    route->who, or_another(path));
	if (path->terminal != NULL && selections[0] == 'c')
		warn_that(p, VERDICT_YES, "%s", path->terminal->doubt);
	setting = support == SUPPORT_OFF ? terminal_switch(path->terminal, FEATURE_PASTE) : NULL;
	if (setting != NULL) {
		route->setting = setting;
		doubt(p, VERDICT_SETTING);
	} else if (off) {
		text_format(route->note, sizeof(route->note), "%s is set to let no program copy, "
		    "and does not tell whether they may read", path->terminal->name);
	} else if (support == SUPPORT_ASKS) {
		text_format(route->note, sizeof(route->note), "%s asks you each time",
		    path->terminal->name);
	}
	if (off || (support != SUPPORT_YES && support != SUPPORT_ASKS))
		doubt(p, VERDICT_UNKNOWN);
	return route->tmux == NULL || tmux_hands_over(p);
}

static bool
lacks_types(struct plan *p)
{
	const struct terminal *terminal = p->path->terminal;
	const char *since = terminal != NULL ? terminal->support[FEATURE_TYPES].since : "";
	const char *version = p->path->probe.version;
	const bool later = since[0] != '\0' &&
	    terminal_support(terminal, NEWEST, FEATURE_TYPES) == SUPPORT_YES;

	return refuse(p, "%s cannot %s: it does not support OSC 5522\n%s supports it%s%s",
	    version[0] != '\0' ? text_quote(version).text :
	    terminal != NULL ? p->route->who : "the terminal", purpose(p->request).text,
	    later ? terminal->name : "kitty", later ? " since version " : "",
	    later ? since : "");
}

bool
terminal_takes_types(struct plan *p)
{
	const struct path *path = p->path;
	struct route *route = p->route;
	enum support support = path_support(path, FEATURE_TYPES);

	route->reads = path_support(path, FEATURE_PASTE);
	look_at(p, FEATURE_TYPES);
	/* Contour's types are of text only, and it stores no other */
	if (p->request->recognized && ((strcmp(p->request->selections, "c") != 0 &&
	    strcmp(p->request->selections, "p") != 0) ||
	    terminal_support(path->terminal, NEWEST, FEATURE_TYPES) != SUPPORT_YES ||
	    (terminal_bytes(path->terminal, NEWEST) & BYTES_UTF8) != 0))
		return lacks_types(p);
	if (support == SUPPORT_NO || (support == SUPPORT_UNKNOWN && path_is_dumb(path)))
		return lacks_types(p);
	if (copy_setting(p) == SETTING_OFF)
		return is_set_off(p, FEATURE_COPY);
	if (support == SUPPORT_YES)
		return true;
	route->lacks |= NEED_TYPES;
	if (path->silent)
		return fail(&route->refusal, STATUS_NO_REPLY,
		    "the terminal does not reply to queries\n--timeout SECS waits longer");
	doubt(p, VERDICT_UNKNOWN);
	return true;
}
