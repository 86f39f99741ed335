/* SPDX-License-Identifier: MIT */
/*
 * What each hop does with a sequence; viatty-multiplexers(7) has a section for each function.
 * It returns false with the refusal if the hop drops the sequence. Otherwise it adds the layer,
 * the limit and the doubts of the hop to the route, and to `needs` what a query could show.
 */
#include "route/route.h"

#include "base/base.h"
#include "encoder/encoder.h"

#include <string.h>

#define ENDS_IN_NUL "tmux does not tell whether it sends a text that ends in NUL"
#define IN_TMUX_BUFFER "store the text in a tmux buffer: --route tmux-buffer"
#define SET_THERE(set) "where that tmux runs, " TMUX_SET(set)
#define CONNECT_WITH(value) "\nthen connect with:\n" \
	"  ssh -t HOST 'VIATTY_OUTER_TMUX=" value " exec $SHELL -l'"

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

const char *
or_another(const struct path *path)
{
	return path->given.terminal != NULL || terminal_of_replies(&path->probe) != NULL ? "" :
	    "; " IF_ANOTHER;
}

const char *
relay_remedy(const struct path *path)
{
	if (terminal_quirk(path->end.terminal, "", QUIRK_NO_RELAY) != NULL)
		return "";
	if (path->remote)
		return "on the machine at the desk: viatty ssh HOST\nor ";
	/* as in a container, perhaps with the display of the desk */
	if (path->source != DEVICE_CONTROLLING || path->desktop == NULL || path->desktop->off ||
	    path->desktop->terminal != NULL)
		return "";
	return path->names_display ? "use the display that is named here: --route native; or " :
	    "on the machine at the desk, start this shell by: viatty relay COMMAND; or ";
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

/* ---- as the destination ----------------------------------------------------- */

enum support
hop_supports(const struct hop *hop, unsigned feature)
{
	if (feature == FEATURE_WINDOW_NAME)
		return hop->row->names_windows ? SUPPORT_YES : SUPPORT_NO;
	if (feature == FEATURE_COLOR_QUERY)
		return terminal_support(hop->row, NEWEST, FEATURE_COLOR);
	return feature == FEATURE_BELL ? SUPPORT_YES :
	    terminal_support(hop->row, hop->tmux.version, feature);
}

/* ---- limits --------------------------------------------------------------- */

size_t
framed(size_t body)
{
	return body != 0 ? body + 4 : 0;
}

size_t
copy_text_max(size_t bytes)
{
	return (bytes - clipboard_write_size(0)) / 4 * 3;
}

void
limit_sequence(struct route *route, size_t bytes, const char *name)
{
	if (bytes == 0 || (route->limit != 0 && route->limit <= bytes))
		return;
	route->limit = bytes;
	route->limited_by = name;
}

bool
limit_to(struct plan *p, size_t bytes, const char *what, const char *fix)
{
	size_t size = p->request->sequence, most = bytes;

	limit_sequence(p->route, bytes, NULL);
	if (bytes == 0 || size <= bytes)
		return true;
	if (copies(p)) {
		size = p->request->payload;
		most = copy_text_max(bytes);
	}
	return refuse(p, "too large for %s: %zu bytes, the limit is %zu\n%s", what, size, most,
	    fix);
}

bool
limit_to_hop(struct plan *p, const struct hop *hop)
{
	return limit_to(p, framed(hop->row->body_max), hop->row->id, "send less");
}

/* ---- hyperlinks ------------------------------------------------------------ */

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
	const char *instead = row->instead[0] != '\0' ? row->instead : force;
	const enum support cell = terminal_passes(row, tmux->version, FEATURE_LINK);

	if (terminal_quirk(row, tmux->version, QUIRK_CUTS_URLS) != NULL)
		p->route->cut_by = row->name;
	if (cell == SUPPORT_YES || tmux_is_controlled(tmux))
		return true;
	if (hop_is_unreachable(hop))
		return refuse(p, "the tmux or Screen around this terminal cannot be queried, "
		    "and most drop hyperlinks\n%s", force);
	if (!tmux->reachable && hop_forwards(hop, FEATURE_LINK) == SUPPORT_NO)
		return refuse(p, "hyperlinks are dropped by %s\n%s", row->name, instead);
	if (!tmux->reachable)
		return refuse(p, "hyperlinks may be dropped by %s\n%s", row->name, instead);
	if (cell != SUPPORT_OFF)
		return refuse(p, "tmux before 3.4 does not support hyperlinks\n"
		    "use tmux 3.4 or later");
	if (tmux_is_at_least(tmux, 3, 8))
		limit_sequence(p->route, TMUX_URL_MAX, "tmux");
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
	char option[sizeof(tmux->address.socket) + 4] = "";

	if (!text_is_typable(socket))
		socket = "SOCKET";
	if (other)
		text_format(option, sizeof(option), "-S %s ", socket);
	text_format(command.text, sizeof(command.text), "tmux %sattach%s%s", option,
	    target[0] != '\0' ? " -t " : "", target);
	return command;
}

/* Refuses because no client of this user can be used: none is attached, or none shows text. */
bool
refuse_without_client(struct plan *p, const struct hop *hop)
{
	const struct tmux *tmux = &hop->tmux;
	const bool text = copies(p) && p->request->payload > 0;
	const struct remedy attach = tmux_attach_command(tmux);
	const struct quoted session = text_quote(tmux->session);
	const char *tty = tmux->elsewhere.tty;
	const char *device = text_is_typable(tty) ? tty : "DEVICE";

	if (tmux->clients > 0 && tmux->has_client)
		return refuse(p, "the terminal that shows tmux cannot be used: %s\n"
		    "attach a terminal of your own: %s", hop->why, attach.text);
	if (tmux->clients > 0)
		return refuse(p, "only control-mode clients are attached to tmux session %s\n"
		    "attach a terminal: %s", session.text, attach.text);
	if (tty[0] != '\0' && text)
		return refuse(p, "tmux session %s is detached\n"
		    "to use the terminal of another session: --tty %s, or " IN_TMUX_BUFFER,
		    session.text, device);
	if (tty[0] != '\0')
		return refuse(p, "tmux session %s is detached\n"
		    "to use the terminal of another session: --tty %s", session.text, device);
	if (tmux->guests > 0)
		return refuse(p, "only other users have attached a terminal to this tmux\n"
		    "attach one of yours: %s%s", attach.text,
		    text ? ", or " IN_TMUX_BUFFER : "");
	if (text)
		return refuse(p, "tmux session %s is detached\n"
		    "attach to it (%s), or " IN_TMUX_BUFFER, session.text, attach.text);
	return refuse(p, "tmux session %s is detached\nattach to it: %s", session.text,
	    attach.text);
}

/* tmux sends the output of a pane to every client. */
bool
ours_alone(struct plan *p, const struct hop *hop)
{
	return hop->tmux.guests == 0 ||
	    refuse(p, "another user is attached to this tmux, and might receive it too\n"
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
unlettered(const struct path *path)
{
	const struct terminal *terminal = path->end.terminal;

	return terminal == NULL ||
	    terminal_quirk(terminal, path->end.version, QUIRK_UNLETTERED) != NULL ?
	    UNLETTERED_UNKNOWN : (enum unlettered)terminal->unlettered;
}

/* Whether all hops from this one on send a copy again, without a letter too. */
static bool
hops_need_no_letter(const struct path *path, const struct hop *hop)
{
	const struct hop *end = path->hop + path->hops;

	while (hop < end && hop->row->interprets && hop->row->copy_letters[0] == '\0')
		hop++;
	return hop == end;
}

bool
unlettered_copy_arrives(const struct path *path)
{
	return path->hops > 0 && hops_need_no_letter(path, path->hop + 1) &&
	    (path->end.terminal == NULL || unlettered(path) == UNLETTERED_CLIPBOARD);
}

static void
lose_letter(struct plan *p, const struct hop *hop)
{
	const bool clipboard = strcmp(p->request->selections, "c") == 0;
	const struct hop *outer = hop + 1, *end = p->path->hop + p->path->hops;

	/* viatty relay gets it; a hop that interprets copies sends its own */
	if (p->end->relayed)
		return;
	if (clipboard && (unlettered(p->path) == UNLETTERED_CLIPBOARD ||
	    (outer < end && outer->row->interprets)))
		return;
	if (!clipboard)
		warn_that(p, VERDICT_UNKNOWN, "tmux drops the selection letter: most terminals "
		    "then set the clipboard instead");
	else if (unlettered(p->path) == UNLETTERED_UNKNOWN)
		warn_that(p, VERDICT_YES, "tmux drops the selection letter: some terminals then "
		    "set the primary selection");
	else
		warn_that(p, VERDICT_YES, "tmux drops the selection letter: %s then sets the "
		    "primary selection", p->route->who);
}

void
tmux_overwrites(struct plan *p)
{
	if (p->request->payload > 0)
		return;
	p->route->overwrites = true;
	note_that(p, "tmux cannot clear the clipboard: a newline overwrites it");
}

const char *
tmux_cannot_send(const struct plan *p, const struct hop *hop)
{
	const struct hop *outer = hop + 1, *end = p->path->hop + p->path->hops;
	const struct request *request = p->request;

	if (!hop->tmux.reachable || !hop->tmux.has_client || hop->tmux.guests > 0)
		return "";
	if (request->payload == 0 || strcmp(request->selections, "c") != 0)
		return ": tmux sets only the clipboard, and cannot clear it";
	if (request->ends_in_nul)
		return ": " ENDS_IN_NUL;
	if (!tmux_is_at_least(&hop->tmux, 3, 3) || tmux_client_drops_copies(&hop->tmux.client))
		return ": this tmux does not send copies to that terminal reliably";
	if (!hops_need_no_letter(p->path, outer))
		return "";
	if (outer == end && unlettered(p->path) == UNLETTERED_PRIMARY)
		return ": tmux sends no selection letter, without which it sets the primary "
		    "selection";
	if (outer == end && unlettered(p->path) == UNLETTERED_UNKNOWN)
		return ": tmux sends no selection letter, and this terminal may need it";
	return NULL;
}

/*
 * tmux has decoded a copy, and encodes it again for its client. Versions up to 3.2a truncate
 * what they forward, wrapped or not.
 */
static bool
tmux_sends_again(struct plan *p, const struct hop *hop, enum hop_form *form, bool letter)
{
	const struct tmux_client *client = &hop->tmux.client;
	const char *term = text_is_typable(client->term) ? client->term : "TERM";

	*form = letter ? BY_HOP : UNLETTERED;
	if (!letter)
		lose_letter(p, hop);
	tmux_overwrites(p);
	if (!hop->tmux.has_client)
		return refuse_without_client(p, hop);
	if (!tmux_client_drops_copies(client))
		return true;
	if (tmux_is_at_least(&hop->tmux, 3, 2))
		return refuse(p,
		    "tmux does not know that a terminal with TERM=%s can set the clipboard\n"
		    TMUX_SET_TERMINAL("as terminal-features ',%s*:clipboard'"),
		    text_quote(client->term).text, term);
	/* before 3.2, which introduced features, only terminfo counts */
	return refuse(p, "tmux does not know that a terminal with TERM=%s can set the clipboard\n"
	    TMUX_SET_TERMINAL("as terminal-overrides ',%s*:Ms=\\E]52;%%p1%%s;%%p2%%s\\007'"),
	    text_quote(client->term).text, term);
}

/* A copy for load-buffer -w. */
static bool
tmux_sends_loaded(struct plan *p, const struct hop *hop, enum hop_form *form)
{
	const struct tmux *tmux = &hop->tmux;

	*form = UNLETTERED;
	/* even by force: the client has the terminal */
	if (!tmux->has_client) {
		p->for_good = true;
		return refuse_without_client(p, hop);
	}
	if (p->request->ends_in_nul)
		return refuse_for_good(p, ENDS_IN_NUL "\nuse --route auto");
	if (tmux->guests > 0)
		return refuse_for_good(p, "another user is attached to this tmux, which might send "
		    "it to that user\n"
		    "detach that client (prefix D), or use --route auto");
	return tmux_is_at_least(tmux, 3, 2) ? tmux_sends_again(p, hop, form, false) :
	    refuse_for_good(p, "tmux before 3.2 has no load-buffer -w\nuse --route auto");
}

/* Wrapped sequences need allow-passthrough (on by default before 3.3) and a shown pane. */
static bool
tmux_passes_wrapped(struct plan *p, const struct tmux *tmux)
{
	const bool has_all = tmux_is_at_least(tmux, 3, 4);
	const char *value = tmux->shown || !has_all ? "on" : "all";

	if (tmux->in_mode)
		return refuse(p, "tmux drops wrapped sequences from a pane in copy mode\n"
		    "leave copy mode (q) and try again");
	if (tmux->passthrough == PASSTHROUGH_ON && !tmux->shown)
		return refuse(p, "tmux drops wrapped sequences from a hidden pane\n%s",
		    has_all ? TMUX_SET("g allow-passthrough all") : "show the pane and try again");
	if (tmux->passthrough == PASSTHROUGH_OFF && p->request->feature == FEATURE_ANY)
		return refuse(p, "tmux drops wrapped sequences: allow-passthrough is off\n"
		    "bypass tmux with --route client-tty, or " TMUX_SET("g allow-passthrough %s"),
		    value);
	if (tmux->passthrough == PASSTHROUGH_OFF)
		return refuse(p, "tmux drops wrapped sequences: allow-passthrough is off\n"
		    TMUX_SET("g allow-passthrough %s"), value);
	if (tmux->passthrough == PASSTHROUGH_UNKNOWN)
		doubt(p, VERDICT_UNKNOWN);
	return true;
}

/* A copy that tmux decodes needs set-clipboard. */
static bool
tmux_passes(struct plan *p, const struct hop *hop, enum hop_form *form)
{
	const struct tmux *tmux = &hop->tmux;
	const bool wrapped = *form == WRAPPED;

	if (wrapped)
		chain_add(&p->route->chain, LAYER_TMUX);
	if (*form == HANDED)
		return tmux_sends_loaded(p, hop, form);
	if (*form == UNCHECKED || (*form == BY_HOP && !copies(p)))
		return true;
	if (tmux->clients == 0)
		return refuse_without_client(p, hop);
	if (tmux_is_controlled(tmux) && wrapped)
		return refuse(p, "tmux in control mode shows wrapped sequences as text\n"
		    "use --route plain");
	/* drawing is meant for all clients */
	if (!(wrapped && p->request->feature == FEATURE_ANY) && !ours_alone(p, hop))
		return false;
	if (wrapped)
		return tmux_passes_wrapped(p, tmux);
	if (*form == PLAIN && tmux_is_controlled(tmux)) {
		/* its client, iTerm2, gets the output of the pane unchanged */
		doubt(p, VERDICT_UNKNOWN);
		return true;
	}
	if (tmux->set_clipboard != SET_CLIPBOARD_ON && *form == PLAIN)
		return refuse(p, "tmux ignores OSC 52 from programs: set-clipboard is not on\n"
		    TMUX_SET("g set-clipboard on"));
	if (tmux->set_clipboard != SET_CLIPBOARD_ON)
		return refuse(p, "the outer tmux ignores copies from this one: its set-clipboard "
		    "is not on\nwhere the outer tmux runs, " TMUX_SET("g set-clipboard on"));
	if (*form == PLAIN && !tmux->shown)
		return refuse(p, "tmux does not forward copies from a hidden pane\n"
		    "show the pane, or use --route auto");
	return tmux_sends_again(p, hop, form, tmux_is_at_least(tmux, 3, 4));
}

/* ---- a tmux, or by its TERM a tmux or Screen, that cannot be queried ---------- */

/*
 * With unknown options, a sequence is probably lost: by default tmux drops what it cannot
 * interpret.
 */
static void
warn_of_unreachable(struct plan *p, const struct hop *hop)
{
	const bool copy = copies(p);
	char why[sizeof(hop->why) + 3] = "";

	if (hop->why[0] != '\0')
		text_format(why, sizeof(why), " (%s)", hop->why);
	if (hop->row->kind == HOP_TMUX_OR_SCREEN)
		warn_that(p, VERDICT_UNLIKELY, "either tmux or Screen is on the path "
		    "(TERM=screen); sent as for Screen, and lost in tmux\n"
		    "%sif it is tmux: --wrap 'tmux?'", copy ? relay_remedy(p->path) : "");
	else if (hop->repair[0] != '\0' && copy)
		warn_that(p, VERDICT_UNLIKELY, "probably lost: the outer tmux drops copies by "
		    "default, and cannot be queried%s\n%s", why, hop->repair);
	else if (hop->repair[0] != '\0')
		warn_that(p, VERDICT_UNLIKELY, "probably lost: the outer tmux drops this by "
		    "default, and cannot be queried%s\n%s", why, hop->repair);
	else if (copy)
		warn_that(p, VERDICT_UNLIKELY, "probably lost: the outer tmux drops copies by "
		    "default, and cannot be queried%s\n"
		    "%s" SET_THERE("g set-clipboard on") CONNECT_WITH("copies"), why,
		    relay_remedy(p->path));
	else
		warn_that(p, VERDICT_UNLIKELY, "probably lost: the outer tmux drops this by "
		    "default, and cannot be queried%s\n"
		    SET_THERE("g allow-passthrough on") CONNECT_WITH("all"), why);
}

/* Refuses sequences that its options are known to drop. */
static bool
refuse_unreachable(struct plan *p, const struct hop *hop, bool wrapped)
{
	if (hop->repair[0] != '\0')
		return refuse(p, "the outer tmux drops it, and cannot be queried: %s\n%s",
		    hop->why, hop->repair);
	if (!copies(p))
		return refuse(p, "the outer tmux drops it: allow-passthrough is off there\n"
		    SET_THERE("g allow-passthrough on"));
	if (wrapped)
		return refuse(p, "the outer tmux drops it: set-clipboard is not on and "
		    "allow-passthrough is off there\n%s" SET_THERE("g set-clipboard on"),
		    relay_remedy(p->path));
	return refuse(p, "the outer tmux drops it: set-clipboard is not on there\n"
	    "%s" SET_THERE("g set-clipboard on"), relay_remedy(p->path));
}

/* The options of the tmux are known only from replies on our terminal, or by VIATTY_OUTER_TMUX. */
static bool
unreachable_tmux_passes(struct plan *p, const struct hop *hop, enum hop_form *form)
{
	const struct tmux *tmux = &hop->tmux;
	const enum passthrough opens = tmux->passthrough;
	const bool either = hop->row->kind == HOP_TMUX_OR_SCREEN, copy = copies(p);
	const bool wrapped = *form == WRAPPED;
	/* without a layer: by the tmux, or by a relay around it */
	const enum support decodes = (copy && tmux->set_clipboard == SET_CLIPBOARD_ON) ||
	    (hop->notifies && p->request->feature == FEATURE_NOTIFY99) ? SUPPORT_YES :
	    copy && tmux->set_clipboard == SET_CLIPBOARD_NOT_ON ? SUPPORT_NO : SUPPORT_UNKNOWN;
	const bool may_decode = copy && decodes == SUPPORT_UNKNOWN;
	/* in a layer, a copy is sent in both forms unless one is known to be lost */
	const enum support arrives = !wrapped || decodes == SUPPORT_YES ? decodes :
	    opens == PASSTHROUGH_ON ? SUPPORT_YES :
	    opens == PASSTHROUGH_OFF && !may_decode ? SUPPORT_NO : SUPPORT_UNKNOWN;

	if (may_decode)
		p->route->needs |= NEED_TMUX_CLIPBOARD | NEED_STATEMENT;
	else if (wrapped && arrives == SUPPORT_UNKNOWN)
		p->route->needs |= NEED_TMUX_PASSTHROUGH | NEED_STATEMENT;
	if (wrapped)
		chain_add(&p->route->chain, either ? LAYER_SCREEN : copy &&
		    opens != PASSTHROUGH_ON && arrives != SUPPORT_NO ? LAYER_TMUX_MAYBE :
		    LAYER_TMUX);
	if (!wrapped && copy) {
		if (!either && loses_selection(p, hop))
			lose_letter(p, hop);
		if (decodes == SUPPORT_YES)
			tmux_overwrites(p);
		*form = tmux_is_at_least(tmux, 3, 4) ? BY_HOP : UNLETTERED;
	}
	if (arrives == SUPPORT_YES)
		return true;
	warn_of_unreachable(p, hop);
	return arrives == SUPPORT_UNKNOWN || refuse_unreachable(p, hop, wrapped);
}

/* ---- Screen, Zellij and mosh, editors ------------------------------------------------- */

/*
 * Screen prints sequences that are wrapped for tmux, and drops those that are not wrapped. Of one
 * that is wrapped for it any length passes, because wrap() splits it.
 */
static bool
screen_passes(struct plan *p, const struct hop *hop, enum hop_form *form)
{
	if (*form == UNCHECKED)
		return true;
	if (*form != WRAPPED)
		return !copies(p) || refuse(p, "Screen drops copies from tmux\nuse --route auto");
	chain_add(&p->route->chain, LAYER_SCREEN);
	if (hop->detached)
		return refuse(p, "the Screen session is detached\nattach to it: screen -r");
	/* drawing is meant for all displays */
	return !hop->multiuser || p->request->feature == FEATURE_ANY ||
	    refuse(p, "other users may be attached to the Screen session, and would receive it "
	        "too\nturn that off, C-a :multiuser off, or run it outside Screen");
}

/* A copy that Zellij, mosh and the like decode and send again. */
static bool
interpreter_sends_copy(struct plan *p, const struct hop *hop, bool letter)
{
	const struct terminal *row = hop->row;
	const struct request *request = p->request;
	char what[64];

	if (!letter && row->copy_letters[0] != '\0')
		return refuse(p, "copies from this tmux, which have no selection letter, "
		    "are dropped by %s\nuse tmux 3.4 or later, or %s", row->name, row->instead);
	if ((row->bytes.support & BYTES_UTF8) != 0 && request->not_utf8 != 0)
		return refuse(p, "text that is not valid UTF-8 is dropped by %s\n" ENCODE ", or %s",
		    row->name, row->instead);
	if (hop_forwards(hop, FEATURE_COPY) == SUPPORT_NO)
		return refuse(p, "this sequence is dropped by %s\n%s", row->name, row->instead);
	if (row->copy_letters[0] != '\0' && strcmp(request->selections, row->copy_letters) != 0)
		return refuse(p, "only the clipboard is passed on by %s\n"
		    "copy to the clipboard instead", row->name);
	if (strcmp(request->selections, "c") != 0 &&
	    hop_forwards(hop, FEATURE_PRIMARY) == SUPPORT_OFF)
		warn_that(p, VERDICT_UNKNOWN, "the selection letter is ignored by %s: it sets the "
		    "clipboard unless its copy_clipboard is primary\n"
		    "in its configuration: copy_clipboard \"primary\"", row->name);
	if (hop_forwards(hop, FEATURE_COPY) == SUPPORT_OFF)
		warn_of_setting(p, row, FEATURE_COPY, "");
	if (request->payload == 0 && hop_forwards(hop, FEATURE_CLEAR) == SUPPORT_NO)
		overwrite_instead(p, row->name);
	if (row->kind == HOP_MOSH)
		note_that(p, "mosh does not send the same text twice in a row");
	text_format(what, sizeof(what), "%s, which cuts off the rest", row->name);
	return limit_to(p, framed(row->copy_max != 0 ? row->copy_max : row->body_max), what,
	    row->instead);
}

/* Zellij and mosh interpret what they know, wrapped or not, and send their own. */
static bool
interpreter_passes(struct plan *p, const struct hop *hop, enum hop_form *form)
{
	const struct terminal *row = hop->row;
	const unsigned feature = p->request->feature == FEATURE_COLOR_QUERY ? FEATURE_COLOR :
	    p->request->feature;
	const struct quirk *notify = terminal_quirk(row, hop->tmux.version, QUIRK_NOTIFY);
	const bool letter = *form != UNLETTERED;

	if (hop == p->path->hop && hop->tmux.version[0] == '\0' && feature < FEATURE_COUNT &&
	    terminal_passes(row, "", feature) != terminal_passes(row, NEWEST, feature))
		p->route->needs |= NEED_HOP;
	*form = BY_HOP;
	if (copies(p))
		return interpreter_sends_copy(p, hop, letter);
	if (feature == FEATURE_PROGRESS && terminal_quirk(row, NEWEST, QUIRK_POPS_UP) != NULL)
		return refuse(p, "OSC 9;4 is shown as a notification by %s\n%s", row->name,
		    row->instead);
	if (feature == FEATURE_ANY)
		return refuse(p, "wrapped sequences are dropped by %s\n%s; --force sends them "
		    "unwrapped", row->name, row->instead);
	if (feature == FEATURE_WINDOW_NAME || hop_forwards(hop, feature) == SUPPORT_NO)
		return refuse(p, "this sequence is dropped by %s\n%s", row->name,
		    is_notification(feature) && notify != NULL ? notify->text : row->instead);
	return limit_to_hop(p, hop);
}

/* The terminal inside an editor shows or drops what it does not know. */
static bool
editor_passes(struct plan *p, const struct hop *hop, enum hop_form *form)
{
	/* which of them report colors is unknown */
	if (p->request->feature == FEATURE_COLOR_QUERY)
		doubt(p, VERDICT_UNKNOWN);
	return *form == UNCHECKED || p->request->feature == FEATURE_COLOR_QUERY ||
	    (*form != WRAPPED &&
	    (!copies(p) || hop_forwards(hop, FEATURE_COPY) != SUPPORT_NO)) ||
	    refuse(p, "the sequence is dropped by %s, which runs this terminal\n"
	        "run it in a terminal outside %s; --force sends it anyway", hop->row->id,
	        hop->row->id);
}

/* ---- replies to pastes ------------------------------------------------------ */

/*
 * tmux queries the terminal of its client for the clipboard, by refresh-client -l; since 3.7 it
 * forwards the query of a program. Its own buffers are never used as the clipboard.
 */
static bool
tmux_queries(struct plan *p, const struct hop *hop, enum hop_form *form)
{
	const struct tmux *tmux = &hop->tmux;
	const struct terminal *terminal = p->end->terminal;

	*form = QUERIED;
	p->route->tmux = hop;
	if (!p->path->in_pane)
		return refuse_for_good(p, "the clipboard cannot be read through a popup of tmux, "
		    "or a program in its pane");
	if (!tmux->has_client)
		return refuse_for_good(p, "the clipboard cannot be read through tmux without a "
		    "terminal of yours\n"
		    "attach to it: %s", tmux_attach_command(tmux).text);
	/* tmux may query that client instead */
	if (tmux->guests > 0)
		return refuse_for_good(p, "the clipboard cannot be read through tmux while another "
		    "user is attached");
	/* the outer tmux replies with its own buffer, which may be old */
	if (text_begins(tmux->client.type, "tmux"))
		return refuse_for_good(p, "the clipboard cannot be read through a tmux inside "
		    "another one");
	/* tmux queries without a selection letter */
	if (text_begins(tmux->client.type, "XTerm(") ||
	    terminal_quirk(terminal, "", QUIRK_PRIMARY) != NULL)
		return refuse_for_good(p, "the clipboard cannot be read through tmux in xterm");
	return p->request->selections[0] == 'c' ||
	    refuse_for_good(p, "only the clipboard can be read through tmux");
}

/*
 * Whether the reply to a query for the clipboard comes back. Screen forwards it too, but drops
 * bytes of one that is longer than its input buffer, of 4,096.
 */
static bool
returns_replies(struct plan *p, const struct hop *hop, enum hop_form *form)
{
	const struct terminal *row = hop->row;

	/* it passes copies on, but no queries */
	if (row->interprets && hop_forwards(hop, FEATURE_PASTE) == SUPPORT_NO)
		return refuse_for_good(p, "the clipboard cannot be read through %s", row->name);
	/* Screen drops what tmux sends unwrapped, as it does with copies */
	if (*form == QUERIED)
		return row->kind != HOP_SCREEN ||
		    refuse_for_good(p,
		        "the clipboard cannot be read through tmux inside GNU Screen");
	if (hop->tmux.reachable && hop == p->path->hop)
		return tmux_queries(p, hop, form);
	/* TERM may be left over, and has the same value in tmux and Screen */
	if (hop_is_unreachable(hop) && p->request->given.probe)
		p->route->needs |= NEED_FRESH_NAME | NEED_HOP;
	return refuse_for_good(p, "the clipboard cannot be read through %s", row->id);
}

bool
hop_passes(struct plan *p, const struct hop *hop, enum hop_form *form)
{
	/*
	 * Up to 3.2a tmux drops bytes that its client does not accept at once (tty.c,
	 * tty_block_maybe). At 80x24 that is above 1 + 80 * 24 * 8, less what wrapping adds.
	 */
	enum { QUEUE_MAX = 15000 };
	const struct terminal *row = hop->row;
	const bool is_tmux = row->kind == HOP_TMUX || row->kind == HOP_TMUX_OR_SCREEN;
	/* as it comes; what it gets behind the hop is set below */
	const bool plain = *form == PLAIN;
	bool ok = true;

	if (*form == IN_TEXT)
		return keeps_links(p, hop);
	if (*form == QUERY || *form == QUERIED)
		return returns_replies(p, hop, form);
	if (row->interprets)
		return interpreter_passes(p, hop, form);
	if (hop_is_unreachable(hop))
		ok = *form == UNCHECKED || unreachable_tmux_passes(p, hop, form);
	else if (row->kind == HOP_SCREEN)
		ok = screen_passes(p, hop, form);
	else if (row->kind == HOP_EDITOR)
		ok = editor_passes(p, hop, form);
	else if (is_tmux)
		ok = tmux_passes(p, hop, form);
	/* a relay takes the copy before that tmux; without a version nothing is known */
	if (!ok || (hop->relayed && copies(p)) || !is_tmux)
		return ok;
	if (tmux_is_at_least(&hop->tmux, 0, 0) && !tmux_is_at_least(&hop->tmux, 3, 3))
		return limit_to(p, QUEUE_MAX, "a tmux before 3.3, which cuts off the rest",
		    hop->tmux.reachable ? "send less, or use --route client-tty" : "send less");
	return !plain || row->kind != HOP_TMUX || limit_to(p, TMUX_SEQUENCE_MAX, "tmux",
	    "send less, or use --route load-buffer where that tmux runs");
}
