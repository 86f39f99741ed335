/* SPDX-License-Identifier: MIT */
/*
 * What the terminal at the end of the path does with a sequence, or a desktop tool instead of it.
 * A function returns false with the refusal. Otherwise it adds the doubts and the limit to the
 * route, and to `needs` what a query could show.
 */
#include "route/route.h"

#include "base/base.h"
#include "encoder/encoder.h"

#include <string.h>

#define OTHERS "viatty-terminals(7) lists those that do"
#define OTHER_TERMINALS "use foot, kitty, Alacritty, Ghostty or WezTerm"

/* ---- what it supports ------------------------------------------------------------ */

/*
 * Whether only variables name the terminal: they may be inherited from another one. A refusal is
 * then worth a query, and so is what would be lost silently. TERM is doubted only for a refusal,
 * because each terminal sets it.
 */
static bool
doubts_environment(const struct path *path, enum feature feature)
{
	const bool shown = feature == FEATURE_PROGRESS || is_notification(feature);

	if (path->end.terminal == NULL || path->end.terminal != path->by_environment ||
	    path->program[0] != '\0' || path->probe.da1[0] != '\0')
		return false;
	return path_lacks(path, feature) || path->end.can[feature].does == SUPPORT_OFF ||
	    (shown && terminal_by(terminals, BY_TERM, path->term) != path->end.terminal);
}

/* What its name or its version could show. */
static bool
depends_on_version(const struct plan *p, enum feature feature)
{
	return p->end->version[0] == '\0' &&
	    terminal_support(p->end->terminal, "", feature) != p->end->can[feature].newest;
}

/*
 * The support of the feature by the terminal, and what could refine it: its name, or only its
 * version, or the program around a library. A short title, as set by every prompt, is not
 * worth a query for the name.
 */
static enum support
support_and_needs(struct plan *p, enum feature feature)
{
	const struct path *path = p->path;
	const struct request *request = p->request;
	const struct terminal *terminal = p->end->terminal;
	const bool worth = request->feature != FEATURE_TITLE || !request->for_multiplexer ||
	    request->payload > TITLE_SURE_MAX;
	const bool near = path->source == DEVICE_CONTROLLING && path->hops == 0 && !path->remote;
	const enum support support = p->end->can[feature].does;

	if (near && (terminal == NULL ||
	    terminal_quirk(terminal, p->end->version, QUIRK_EMBEDDED) != NULL))
		p->route->needs |= NEED_PROCESS;
	if (terminal_quirk(terminal, p->end->version, QUIRK_PROGRESS) != NULL &&
	    (feature == FEATURE_PROGRESS || path_lacks(path, feature) || support == SUPPORT_OFF))
		p->route->needs |= NEED_PROCESS;
	if ((worth && (terminal == NULL || depends_on_version(p, feature))) ||
	    doubts_environment(path, feature))
		p->route->needs |= NEED_NAME;
	return support;
}

/* What it can do of a copy to the clipboard, or of one to the primary selection only. */
static const struct ability *
copy_ability(const struct plan *p)
{
	const char *letters = p->request->selections;

	return &p->end->can[letters[0] != '\0' && letters[strspn(letters, "p")] == '\0' ?
	    FEATURE_PRIMARY : FEATURE_COPY];
}

static unsigned
setting_needs(const struct plan *p)
{
	const struct end *end = p->end;

	if (!copies(p) || end->terminal == NULL || end->can[FEATURE_COPY].allowed == SUPPORT_YES ||
	    end->can[FEATURE_COPY].by_table != SUPPORT_OFF)
		return 0;
	if (terminal_quirk(end->terminal, "", QUIRK_TELLS) != NULL)
		return NEED_NAME | NEED_SETTING;
	return end->terminal->copy_in_da1[0] != '\0' ? NEED_NAME : 0;
}

/* Whether the bytes that it stores depend on its version. */
static bool
depends_on_bytes(const struct plan *p)
{
	const struct terminal *terminal = p->end->terminal;
	const struct request *request = p->request;

	return terminal != NULL && (request->not_utf8 != 0 || request->nul != 0) &&
	    terminal->bytes.since[0] != '\0' &&
	    terminal_bytes(terminal, p->end->version) == BYTES_UNKNOWN;
}

/* 1 + the offset of the first byte that is truncated, replaced or clears the clipboard, or 0. */
static size_t
first_lost_byte(const struct request *request, enum clipboard_bytes stored)
{
	const size_t nul = (stored & BYTES_NO_NUL) != 0 ? request->nul : 0;
	const size_t not_utf8 = (stored & BYTES_UTF8) != 0 ? request->not_utf8 : 0;

	return nul != 0 && (not_utf8 == 0 || nul < not_utf8) ? nul : not_utf8;
}

static bool
stores_bytes(struct plan *p, enum clipboard_bytes stored, const char *who, const char *fix)
{
	const size_t lost = first_lost_byte(p->request, stored);

	if (lost != 0 && lost == p->request->nul)
		return refuse(p, "byte %zu of the input is NUL, and %s stores nothing after "
		    "it\n%s", lost, who, fix);
	return lost == 0 || refuse(p, "byte %zu of the input is not valid UTF-8, and %s "
	    "stores nothing else\n%s", lost, who, fix);
}

/* Whether the terminal is known not to store the bytes of a copy, or it has a type. */
static bool
lacks_content(const struct plan *p)
{
	return p->request->type != NULL || first_lost_byte(p->request, p->end->bytes) != 0;
}

/* Of a version that is unknown, as the newest. */
static enum support
paste_support(const struct path *path)
{
	const enum support support = path->end.can[FEATURE_PASTE].does;

	return support != SUPPORT_UNKNOWN ? support : path->end.can[FEATURE_PASTE].newest;
}

static bool
needs_setting(const struct plan *p)
{
	return (copies(p) && copy_ability(p)->does == SUPPORT_OFF) ||
	    (p->request->feature == FEATURE_PASTE && paste_support(p->path) == SUPPORT_OFF);
}

void
warn_of_setting(struct plan *p, const struct terminal *row, enum feature feature,
    const char *relay)
{
	p->route->setting = terminal_setting(row, feature);
	warn_that(p, VERDICT_SETTING, "sent, but %s ignores it unless its settings allow it\n%s%s",
	    row->name, relay, setting_hint(p->route->setting).text);
}

void
overwrite_instead(struct plan *p, const char *whose)
{
	p->route->overwrites = true;
	note_that(p, "the clipboard of %s cannot be cleared: a newline overwrites it", whose);
}

/* What helps a copy over ssh more than a setting at the desk. */
static const char *
relay_for_copy(const struct plan *p)
{
	return copies(p) && p->path->remote ? relay_remedy(p->path) : "";
}

static bool
is_set_off(struct plan *p, enum feature feature)
{
	const char *setting = terminal_setting(p->end->terminal, feature);

	refuse(p, "the settings of %s do not allow %s\n%s%s", p->route->who,
	    feature_texts[feature].meaning, relay_for_copy(p),
	    setting_hint(setting).text);
	p->route->verdict = VERDICT_SETTING;
	p->route->setting = setting;
	return false;
}

/* Refuses because no version of the terminal supports it. */
static bool
never_does(struct plan *p, enum feature feature)
{
	const struct terminal *terminal = p->end->terminal;
	const char *who = p->route->who, *what = feature_texts[feature].meaning;
	const char *another = or_another(p->path);
	const struct quirk *mouse = terminal_quirk(terminal, "", QUIRK_MOUSE);
	const char *select = mouse != NULL ? mouse->text :
	    ", or select with the mouse and copy with the terminal's own key";

	if (feature == FEATURE_COPY)
		return refuse(p, terminal->family[0] != '\0' ?
		    "programs may not set the clipboard of %s, and no setting allows it\n"
		    "%s" OTHER_TERMINALS "%s%s" : "programs may not set the clipboard of %s\n"
		    "%s" OTHER_TERMINALS "%s%s", who, relay_remedy(p->path), select, another);
	if (feature == FEATURE_PROGRESS &&
	    terminal_quirk(terminal, NEWEST, QUIRK_PROGRESS) != NULL)
		return refuse(p, "no progress is shown by %s, unlike GNOME Terminal and Ptyxis\n"
		    OTHERS "%s", p->path->program, another);
	if (feature == FEATURE_PRIMARY)
		return refuse(p, "no support for %s in %s\nset the clipboard instead%s", what, who,
		    another);
	return refuse(p, "no support for %s in %s\n" OTHERS "%s", what, who, another);
}

/* What it is known for, unless there is a worse warning. */
static void
warn_of_quirk(struct plan *p)
{
	const struct quirk *quirk = terminal_quirk(p->end->terminal, p->end->version, QUIRK_COPY);

	if (p->warned == VERDICT_YES && quirk != NULL)
		text_copy(p->route->warning, MESSAGE_TEXT, quirk->text);
}

/* Further requirements of a copy. */
static bool
accepts_copy(struct plan *p)
{
	const struct end *end = p->end;
	const struct request *request = p->request;
	const struct quirk *large = terminal_quirk(end->terminal, end->version, QUIRK_LARGE_COPY);
	const size_t doubtful = large != NULL ? framed(large->above) : 0;
	const struct ability *can = copy_ability(p);
	enum support clears = SUPPORT_YES, has_primary = SUPPORT_YES;

	p->route->needs |= setting_needs(p);
	if (can->does == SUPPORT_OFF && can->allowed == SUPPORT_OFF)
		return is_set_off(p, FEATURE_COPY);
	if (request->payload == 0)
		clears = support_and_needs(p, FEATURE_CLEAR);
	if (strchr(request->selections, 'p') != NULL)
		has_primary = support_and_needs(p, FEATURE_PRIMARY);
	if (depends_on_bytes(p))
		p->route->needs |= NEED_NAME;
	if ((clears != SUPPORT_YES && clears != SUPPORT_NO) || has_primary != SUPPORT_YES)
		doubt(p, VERDICT_UNKNOWN);
	if (clears == SUPPORT_NO)
		overwrite_instead(p, end->terminal->name);
	if (has_primary == SUPPORT_NO)
		return never_does(p, FEATURE_PRIMARY);
	if (strpbrk(request->selections, "q01234567") != NULL &&
	    terminal_quirk(end->terminal, "", QUIRK_LETTERS) != NULL)
		return refuse(p, "no such selection exists in %s\nset the clipboard instead",
		    p->route->who);
	if (!stores_bytes(p, end->bytes, p->route->who,
	    ENCODE "; --force copies what the terminal keeps, perhaps nothing"))
		return false;
	if (strcmp(request->selections, "p") != 0)
		warn_of_quirk(p);
	if (doubtful != 0 && request->sequence > doubtful)
		warn_that(p, VERDICT_YES, "some builds of %s drop copies of more than %zu bytes; "
		    "this one has %zu", end->terminal->name, copy_text_max(doubtful),
		    request->payload);
	if (p->route->note[0] == '\0' &&
	    terminal_quirk(end->terminal, end->version, QUIRK_FOCUS) != NULL)
		note_that(p, "a copy arrives in %s only while its window has the focus",
		    p->route->who);
	/* an older version, or one whose settings do not let programs copy */
	if (can->does != SUPPORT_OFF && end->can[FEATURE_COPY].does == SUPPORT_UNKNOWN &&
	    terminal_setting(end->terminal, FEATURE_COPY) != NULL) {
		p->route->setting = terminal_setting(end->terminal, FEATURE_COPY);
		note_that(p, "this setting of %s is needed: %s", end->terminal->name,
		    p->route->setting);
	}
	if (can->does == SUPPORT_OFF)
		warn_of_setting(p, end->terminal, FEATURE_COPY, relay_for_copy(p));
	return limit_to(p, framed(end->terminal->copy_limit), end->terminal->name,
	    "copy less; --force sends it anyway");
}

/* Refuses because the terminal is too old, or may be if its version is unknown. */
static bool
came_later(struct plan *p, const struct terminal *terminal, enum feature feature, bool known)
{
	const char *what = feature_texts[feature].meaning;
	const char *since = terminal->support[feature].since;
	const char *family = terminal->family[0] != '\0' ? terminal->family : "version";
	const bool pops_up = feature == FEATURE_PROGRESS &&
	    (!known || terminal_quirk(terminal, NEWEST, QUIRK_POPS_UP) != NULL);
	const char *instead = pops_up ? "--force sends it anyway; it may pop up as a notification" :
	    "use a newer version, or another terminal";
	char version[TERMINAL_VERSION];

	if (!known)
		return refuse(p, "no support for %s in %s before %s %s, and its version is "
		    "unknown\n%s", what, p->route->who, family, since, instead);
	terminal_version_words(version, terminal, p->end->version);
	return refuse(p, "no support for %s in %s before %s %s; this is %s\n%s", what,
	    p->route->who, family, since, version, instead);
}

/*
 * Progress is sent only to terminals that are known to support it: others with OSC 9
 * notifications show "4;1;50" as one.
 */
static bool
progress_is_doubtful(struct plan *p, bool later)
{
	if (p->end->terminal == NULL)
		refuse(p, "the terminal is unknown, and some show OSC 9;4 as a notification\n"
		    "if you know the terminal: --term NAME; --force sends it anyway");
	else if (later)
		came_later(p, p->end->terminal, FEATURE_PROGRESS, false);
	else
		refuse(p, "progress may not be supported by %s, and some terminals show OSC 9;4 "
		    "as a notification\n--force sends it anyway", p->route->who);
	p->route->verdict = VERDICT_UNKNOWN;
	return false;
}

/*
 * A terminal that replies to the query of OSC 99 supports it. It is asked if a newer version has
 * OSC 99, or if it supports no other protocol.
 */
static void
need_99(struct plan *p)
{
	const struct path *path = p->path;
	const struct terminal *terminal = p->end->terminal;
	const bool others = p->end->can[FEATURE_NOTIFY777].does == SUPPORT_YES ||
	    p->end->can[FEATURE_NOTIFY9].does == SUPPORT_YES;
	const bool lacks = path_lacks(path, FEATURE_NOTIFY99);

	if (path->hops == 0 && terminal_quirk(terminal, p->end->version, QUIRK_QUERY99) == NULL &&
	    p->end->can[FEATURE_NOTIFY99].by_table != SUPPORT_YES &&
	    ((!lacks && p->end->can[FEATURE_NOTIFY99].newest == SUPPORT_YES) ||
	    (!others && (!lacks || path->given.terminal == NULL))))
		p->route->needs |= NEED_NOTIFY99;
}

/* Whether the settings allow a title to be saved is asked of a terminal known by its replies. */
static void
need_title_settings(struct plan *p, enum support support)
{
	if (support == SUPPORT_UNKNOWN)
		p->route->needs |= NEED_NAME | NEED_SETTING;
	else if ((p->path->queried.tried & (NEED_NAME | NEED_FRESH_NAME)) != 0)
		p->route->needs |= NEED_SETTING;
}

/*
 * Whether a known terminal supports the feature. The order matters: a version that is too old is
 * named before a setting, and a setting before the lack of the whole feature.
 */
static bool
known_terminal_does(struct plan *p, const struct terminal *terminal, enum feature feature)
{
	enum support now = p->end->can[feature].newest;
	enum support support = support_and_needs(p, feature);
	bool exists = now != SUPPORT_NO && now != SUPPORT_UNKNOWN;

	if (support != SUPPORT_YES)
		doubt(p, VERDICT_UNKNOWN);
	if (feature == FEATURE_NOTIFY99)
		need_99(p);
	if (exists && support != SUPPORT_YES && p->end->can[feature].by_table == SUPPORT_NO)
		return came_later(p, terminal, feature, true);
	if (feature == FEATURE_PROGRESS && support == SUPPORT_UNKNOWN &&
	    (terminal_quirk(terminal, NEWEST, QUIRK_POPS_UP) != NULL ||
	    p->end->can[FEATURE_NOTIFY9].does != SUPPORT_NO))
		return progress_is_doubtful(p, now == SUPPORT_YES);
	if (feature == FEATURE_TITLE_STACK && terminal_quirk(terminal, "", QUIRK_TELLS) != NULL)
		need_title_settings(p, support);
	if (feature == FEATURE_TITLE_STACK && support == SUPPORT_OFF)
		return is_set_off(p, feature);
	if (support == SUPPORT_NO)
		return never_does(p, feature);
	if (feature == FEATURE_COPY)
		return accepts_copy(p);
	if (support == SUPPORT_OFF || (support == SUPPORT_UNKNOWN && now == SUPPORT_OFF))
		warn_of_setting(p, terminal, feature, "");
	/* not refused: the command truncates a longer title */
	if ((feature == FEATURE_TITLE || feature == FEATURE_TITLE_STACK) &&
	    terminal->title_limit != 0)
		limit_sequence(p->route, terminal->title_limit + TITLE_FRAME, NULL);
	return true;
}

void
add_needs(struct plan *p)
{
	const unsigned feature = p->request->feature;

	if (feature < FEATURE_COUNT)
		support_and_needs(p, (enum feature)feature);
	else if (feature == FEATURE_ANY && p->end->terminal == NULL)
		p->route->needs |= NEED_NAME;
}

bool
end_accepts(struct plan *p)
{
	const unsigned feature = p->request->feature;
	const bool by_hand = p->request->given.chain != NULL; /* the layers */

	if (path_is_dumb(p->path) && !by_hand && feature != FEATURE_BELL)
		return refuse(p, DUMB "\n" IF_ANOTHER "; --force sends it anyway");
	/* terminals print ESC k and the text after it */
	if (feature == FEATURE_WINDOW_NAME && !by_hand)
		return refuse(p, "only tmux and Screen have window names, and neither is on the "
		    "path\nomit --window-name to set the title of the terminal");
	if ((feature == FEATURE_COPY && p->end->relayed) ||
	    (feature == FEATURE_NOTIFY99 && p->end->notifies)) {
		note_that(p, "viatty ssh, or viatty relay, at the desk takes it");
		return true;
	}
	if (feature < FEATURE_COUNT && p->end->terminal != NULL)
		return known_terminal_does(p, p->end->terminal, (enum feature)feature);
	add_needs(p);
	if (feature >= FEATURE_COUNT)
		return true;
	/* an unknown terminal may support anything */
	doubt(p, VERDICT_UNKNOWN);
	if (feature == FEATURE_NOTIFY99)
		need_99(p);
	return feature != FEATURE_PROGRESS || progress_is_doubtful(p, false);
}

/* ---- the terminal, for what is not just sent ------------------------------------ */

/* The terminal may be unknown, but must not lack hyperlinks. */
bool
end_shows_links(struct plan *p)
{
	const struct path *path = p->path;
	const struct terminal *terminal = p->end->terminal;
	enum support support;

	/* the terminal that will show a detached session is unknown */
	if (path_is_detached(path))
		return true;
	if (path_is_dumb(path))
		return refuse(p, DUMB);
	support = support_and_needs(p, FEATURE_LINK);
	if (support != SUPPORT_YES)
		doubt(p, VERDICT_UNKNOWN);
	if (terminal == NULL)
		return true;
	limit_sequence(p->route, terminal->link_limit, p->route->who);
	if (terminal_quirk(terminal, p->end->version, QUIRK_CUTS_URLS) != NULL)
		p->route->cut_by = terminal->name;
	if (support == SUPPORT_OFF)
		return refuse(p, "hyperlinks are shown by %s only with a setting\n"
		    "export FORCE_HYPERLINK=1, and %s", p->route->who,
		    setting_hint(terminal_setting(terminal, FEATURE_LINK)).text);
	return support != SUPPORT_NO || refuse(p, "no support for hyperlinks in %s",
	    p->route->who);
}

/* Checked last: an option of tmux helps only if the terminal replies. */
static bool
tmux_hands_over(struct plan *p)
{
	const struct tmux *tmux = &p->route->tmux->tmux;

	if (!tmux_is_at_least(tmux, 3, 7)) {
		because(p->route, "tmux queries its terminal and passes on the reply");
		/* older versions store it in a buffer, indistinguishable from an old one */
		return tmux_is_at_least(tmux, 3, 3) ||
		    refuse_for_good(p, "the clipboard cannot be read through tmux before 3.3");
	}
	because(p->route, "tmux passes on the query and the reply");
	/* otherwise it replies with its newest buffer, which may be old */
	if (tmux->set_clipboard != SET_CLIPBOARD_ON || !tmux->requests_clipboard)
		return refuse_for_good(p, "tmux replies with its own buffer, or not at all\n"
		    TMUX_SET("s get-clipboard request") "\n  tmux set -s set-clipboard on");
	/* it waits for half a second */
	return p->route->reads != SUPPORT_ASKS ||
	    refuse(p, "the clipboard cannot be read through tmux in %s, which asks you first",
	        p->route->who);
}

const char *
own_key(const struct request *request)
{
	return request->selections[0] == 'p' ? "press the middle mouse button" :
	    "paste with the terminal's own key";
}

/* Only a terminal that has just been identified may be queried: some clear the clipboard. */
bool
end_is_identified(struct plan *p)
{
	const struct path *path = p->path;

	if (path->given.terminal != NULL || p->route->tmux != NULL)
		return true;
	p->for_good = true;
	if (path->queried.error.status != STATUS_DONE) {
		p->route->refusal = path->queried.error;
		return false;
	}
	/* it may be slow */
	if (path->queried.silent)
		p->route->verdict = VERDICT_UNKNOWN;
	return !path->queried.silent || fail(&p->route->refusal, STATUS_NO_REPLY,
	    "the terminal does not reply to queries\n%s", own_key(p->request));
}

bool
end_reports_clipboard(struct plan *p)
{
	struct route *route = p->route;
	const struct path *path = p->path;
	const char *selections = p->request->selections;
	const enum support support = paste_support(path);

	route->reads = support;
	/* one that would clear it is not queried by force either */
	p->for_good = support == SUPPORT_EMPTIES;
	if (support == SUPPORT_EMPTIES || support == SUPPORT_NO)
		return refuse(p, "programs may not read the clipboard of %s\n%s%s",
		    route->who, own_key(p->request), or_another(path));
	/* mintty replies to every letter with its clipboard, do_clipboard() of 3.8.2 */
	if (selections[0] == 'p' && path_lacks(path, FEATURE_PRIMARY))
		return refuse(p, "no primary selection exists in %s\npaste the clipboard instead%s",
		    route->who, or_another(path));
	if (p->end->terminal != NULL && selections[0] == 'c')
		warn_of_quirk(p);
	if (support == SUPPORT_OFF)
		route->setting = terminal_setting(p->end->terminal, FEATURE_PASTE);
	if (route->setting != NULL)
		doubt(p, VERDICT_SETTING);
	else if (support == SUPPORT_ASKS)
		note_that(p, "you are asked by %s each time", p->end->terminal->name);
	if (p->end->can[FEATURE_COPY].allowed == SUPPORT_OFF ||
	    (support != SUPPORT_YES && support != SUPPORT_ASKS))
		doubt(p, VERDICT_UNKNOWN);
	return route->tmux == NULL || tmux_hands_over(p);
}

/* ---- a desktop tool, instead of the terminal ----------------------------------------- */

bool
is_notification(unsigned feature)
{
	return feature == FEATURE_NOTIFICATION || feature == FEATURE_NOTIFY9 ||
	    feature == FEATURE_NOTIFY777 || feature == FEATURE_NOTIFY99;
}

/* Whether desktop tools have this feature. */
static bool
is_for_desktop(unsigned feature)
{
	return feature == FEATURE_COPY || feature == FEATURE_PASTE || is_notification(feature);
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

/* Whether a desktop tool could do it, if this machine has one; false after a search found none. */
static bool
may_use_desktop(const struct plan *p)
{
	const struct request *request = p->request;
	const struct desktop *desktop = p->path->desktop;

	return (desktop == NULL || desktop->refusal == NULL) && request->given.chain == NULL &&
	    !request->given.force && !request->given.print &&
	    is_for_desktop(request->feature) &&
	    (!path_is_detached(p->path) || request->any_session);
}

enum desktop_reason
desktop_reason(const struct plan *p)
{
	const struct path *path = p->path;
	const struct request *request = p->request;
	const enum feature feature = (enum feature)request->feature;

	if (!may_use_desktop(p))
		return DESKTOP_NOT_USED;
	if (is_notification(feature))
		return path_lacks_notifications(path) ? DESKTOP_FOR_FEATURE : DESKTOP_NOT_USED;
	if (lacks_content(p) && !path_lacks(path, feature))
		return DESKTOP_FOR_CONTENT;
	if (needs_setting(p))
		return DESKTOP_FOR_SETTING;
	/* two programs would ask the user: the terminal, and paste when it waits too long */
	if (path_lacks(path, feature) ||
	    (strchr(request->selections, 'p') != NULL && path_lacks(path, FEATURE_PRIMARY)) ||
	    (feature == FEATURE_PASTE && p->end->can[FEATURE_PASTE].does == SUPPORT_ASKS))
		return DESKTOP_FOR_FEATURE;
	return copies(p) && path->names_display && !path->remote &&
	    terminal_quirk(p->end->terminal, p->end->version, QUIRK_FOCUS) != NULL ?
	    DESKTOP_FOR_FOCUS : DESKTOP_NOT_USED;
}

/*
 * Even if only advice comes of it: no tool may be installed. Instead of a terminal that depends
 * on the focus, only if there is a tool.
 */
bool
desktop_is_better(const struct plan *p)
{
	const struct desktop *desktop = p->path->desktop;

	if (p->desktop == DESKTOP_NOT_USED)
		return false;
	p->route->needs |= setting_needs(p) | NEED_DESKTOP;
	return desktop != NULL && !desktop->own && desktop_tool(desktop, p->request,
	    p->request->selections, p->desktop == DESKTOP_FOR_FOCUS) != NULL;
}

/* The reason for this route, by the tool `program`. */
static void
explain_desktop(struct plan *p, const char *program)
{
	struct route *route = p->route;

	if (p->forced == ROUTE_NATIVE)
		because(route, "forced: %s, without the terminal", program);
	else if (p->request->type != NULL)
		because(route, "types other than text are taken by %s, on this machine", program);
	else if (p->desktop == DESKTOP_FOR_CONTENT)
		because(route, "these bytes are not taken by %s; %s takes them, on this machine",
		    route->who, program);
	else if (p->desktop == DESKTOP_FOR_SETTING)
		because(route, "a setting is needed to let programs %s in %s; %s needs none, on "
		    "this machine", copies(p) ? "copy" : "paste", route->who, program);
	else if (p->desktop == DESKTOP_FOR_FOCUS)
		because(route, "only while its window has the focus does %s take a copy; %s "
		    "always does, on this machine", route->who, program);
	else
		because(route, "no support for %s in %s; %s does it, on this machine",
		    feature_texts[p->request->feature].meaning, route->who, program);
}

bool
by_desktop(struct plan *p)
{
	const struct desktop *desktop = p->path->desktop;
	const struct request *request = p->request;
	const bool forced = p->forced == ROUTE_NATIVE, typed = request->type != NULL;
	const char *kind = is_notification(request->feature) ? "notification" : "clipboard";
	const struct desktop_tool *any, *tool;
	const struct desktop_kind *found;
	struct route *route = p->route;

	if (!is_for_desktop(request->feature))
		return fail(&route->refusal, STATUS_USAGE, "--route native: desktop tools only "
		    "copy, paste and show notifications\nuse --route auto");
	route->needs |= NEED_DESKTOP;
	p->reaches_end = true;
	if (desktop != NULL && desktop->off)
		return refuse(p, "VIATTY_NATIVE=never disables desktop tools\n"
		    "unset VIATTY_NATIVE");
	if (request->selections[strspn(request->selections, "cp")] != '\0')
		return refuse(p, "a desktop has only the clipboard and the primary selection\n"
		    "choose the clipboard (c) or the primary selection (p)");
	any = desktop_tool(desktop, request, request->selections, false);
	if (any == NULL && (any = desktop_tool(desktop, request, "c", false)) != NULL)
		return refuse(p, "no primary selection exists on %s\nuse the clipboard instead",
		    desktop->where[any->desktop]);
	if (typed && !forced && (any == NULL || path_is_detached(p->path)))
		return refuse(p, "types other than text need a desktop tool, and none is used: %s\n"
		    "run it where the desktop is, as its user; --route native takes your own "
		    "display", desktop != NULL && desktop->refusal != NULL ?
		    desktop->refusal : "no display of this user shows the terminal");
	if (any == NULL && desktop != NULL && desktop->refusal != NULL && !desktop->own)
		return fail(&route->refusal, STATUS_USAGE, "--route native: no desktop tool is "
		    "used: %s\nuse --route auto", desktop->refusal);
	if (any == NULL)
		return fail(&route->refusal, STATUS_USAGE, "--route native: no desktop found: "
		    "neither the terminal's process nor WAYLAND_DISPLAY or DISPLAY names one\n"
		    "use --route auto");
	found = &desktop_kinds[any->desktop];
	tool = desktop_tool(desktop, request, request->selections, true);
	if (tool == NULL && (forced || typed))
		return refuse(p, "no %s tool for %s is installed\n%s", kind, found->name,
		    found->install);
	if (tool == NULL)
		return refuse(p, "no support for %s in %s, and no %s tool for %s is installed\n%s",
		    feature_texts[request->feature].meaning, route->who, kind, found->name,
		    found->install);
	if (tool->type == NULL && typed && strcmp(request->type, TYPE_LIST) != 0)
		return refuse(p, "only text is supported by %s, not %s\n"
		    "other types need xclip (X11) or wl-clipboard (Wayland)", tool->program,
		    text_quote(request->type).text);
	if (!stores_bytes(p, (enum clipboard_bytes)tool->bytes, tool->program, ENCODE))
		return false;
	route->tool = tool;
	route->desktop = desktop->where[tool->desktop];
	explain_desktop(p, tool->program);
	return true;
}
