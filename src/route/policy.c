/* SPDX-License-Identifier: MIT */
/* What hops and terminals do to a sequence; the contract is in policy.h. */
#include "route/policy.h"

#include "base/text.h"

#include <string.h>

/* ESC ] and ESC \ around a body, or ESC k and ESC \ */
enum { OSC_FRAME = 4 };

static const struct reason nothing = { .id = REASON_NONE };

static struct reason
because(enum reason_id id, const struct hop *hop)
{
	return (struct reason){ .id = id, .hop = hop };
}

static struct reason
of_feature(enum reason_id id, unsigned feature)
{
	return (struct reason){ .id = id, .feature = feature };
}

/* ---- a hop as destination ---------------------------------------------- */

bool
policy_does(const struct hop *hop, unsigned feature)
{
	if (feature == FEATURE_WINDOW_NAME)
		return hop_row(hop)->names_windows;
	return feature == FEATURE_BELL || multiplexer_does(hop_row(hop), feature);
}

struct reason
policy_of_destination(const struct hop *hop, const struct request *request)
{
	if (!policy_does(hop, request->feature))
		return because(request->feature == FEATURE_WINDOW_NAME ?
		    REASON_NAMES_NO_WINDOWS :
		    request->feature == FEATURE_TITLE_STACK ?
		    REASON_KEEPS_NO_TITLES : REASON_SHOWS_NO_TITLES, hop);
	if (request->feature == FEATURE_WINDOW_NAME && hop->kind == HOP_TMUX &&
	    !hop->tmux.allow_rename)
		return because(REASON_RENAME_OFF, hop);
	return nothing;
}

/* The limit of the hop for this feature; 0: none. */
static struct limit
body_limit(const struct hop *hop, unsigned feature, enum reason_id reason)
{
	size_t body_max = multiplexer_body_max(hop_row(hop), feature);

	return (struct limit){ body_max > 0 ? body_max + OSC_FRAME : 0, reason };
}

struct limit
policy_destination_limit(const struct hop *hop)
{
	return body_limit(hop, FEATURE_TITLE, REASON_LARGE_FOR_HOP);
}

/* ---- clients of tmux ------------------------------------------------------ */

struct reason
policy_no_client(const struct hop *hop, const struct request *request)
{
	const struct tmux *tmux = &hop->tmux;
	bool text = request->feature == FEATURE_COPY && request->payload > 0;

	if (tmux->clients > 0)
		return because(tmux->has_client ? REASON_CLIENT_NOT_OURS :
		    REASON_CONTROL_CLIENTS, hop);
	if (tmux->elsewhere[0] != '\0')
		return because(text ? REASON_ATTACHED_ELSEWHERE_COPY :
		    REASON_ATTACHED_ELSEWHERE, hop);
	return because(text ? REASON_NOBODY_ATTACHED_COPY : REASON_NOBODY_ATTACHED, hop);
}

struct reason
policy_guests(const struct hop *hop)
{
	return hop->tmux.guests > 0 ? because(REASON_GUESTS_ATTACHED, hop) : nothing;
}

/* ---- wrapped ------------------------------------------------------------ */

/* Whether this tmux passes wrapped sequences of the pane. */
static struct reason
passthrough_refusal(const struct hop *hop, const struct request *request)
{
	const struct tmux *tmux = &hop->tmux;
	bool hidden = tmux->passthrough == PASSTHROUGH_ON && !tmux->shown;

	if (tmux->clients == 0)
		return policy_no_client(hop, request);
	if (policy_is_controlled(tmux))
		return because(REASON_CONTROL_MODE, hop);
	/* output on the screen is meant for all clients */
	if (!request->moves_cursor && tmux->guests > 0)
		return policy_guests(hop);
	if (tmux->in_mode)
		return because(REASON_COPY_MODE, hop);
	if (hidden)
		return because(tmux_is_at_least(tmux, 3, 4) ?
		    REASON_PASSTHROUGH_HIDDEN : REASON_PANE_HIDDEN, hop);
	if (tmux->passthrough == PASSTHROUGH_OFF)
		return because(request->moves_cursor ? REASON_PASSTHROUGH_OFF_DRAWN :
		    REASON_PASSTHROUGH_OFF, hop);
	return nothing;
}

/* A tmux on this machine can be bypassed as soon as it can be asked. */
static struct reason
silent_tmux_drops(const struct hop *hop, bool copies)
{
	if (hop->repair[0] != '\0')
		return because(copies ? REASON_UNASKED_TMUX_DROPS_COPY :
		    REASON_UNASKED_TMUX_DROPS, hop);
	return because(copies ? REASON_TMUX_DROPS_COPY : REASON_TMUX_DROPS, hop);
}

/*
 * A tmux that was at most queried through the terminal. If it interprets copies, they
 * need no passthrough.
 */
static struct wrapping
wrapping_for_unreachable(const struct hop *hop, const struct request *request)
{
	const struct probe_tmux *probe = &hop->probe;
	bool copies = request->feature == FEATURE_COPY;
	bool interprets = copies && (probe->interprets || !probe->copy_known);
	bool drops = probe->asked && probe->answered && !probe->passes &&
	    !interprets;
	bool both = copies && !probe->passes && !drops;

	return (struct wrapping){
		.has_layer = true,
		.layer = both ? LAYER_TMUX_MAYBE : LAYER_TMUX,
		.unsure = !probe->passes && !drops,
		.refusal = drops ? silent_tmux_drops(hop, copies) : nothing,
	};
}

static struct wrapping
wrapping_for_tmux(const struct hop *hop, const struct request *request)
{
	return (struct wrapping){
		.has_layer = true,
		.layer = LAYER_TMUX,
		.unsure = hop->tmux.passthrough == PASSTHROUGH_UNKNOWN,
		.refusal = passthrough_refusal(hop, request),
	};
}

/* tmux drops a sequence wrapped for Screen; Screen prints one wrapped for tmux. */
static struct wrapping
wrapping_for_screen(const struct hop *hop)
{
	return (struct wrapping){
		.has_layer = true,
		.layer = LAYER_SCREEN,
		.unsure = hop_is_unreachable(hop),
		.refusal = hop->detached ? because(REASON_SCREEN_DETACHED, hop) :
		    nothing,
	};
}

struct wrapping
policy_wrapping(const struct hop *hop, const struct request *request)
{
	switch (hop_row(hop)->form) {
	case FORM_SCREEN:
		return wrapping_for_screen(hop);
	case FORM_TMUX:
		return hop_is_unreachable(hop) ?
		    wrapping_for_unreachable(hop, request) :
		    wrapping_for_tmux(hop, request);
	case FORM_NONE:
		return (struct wrapping){ .refusal = because(REASON_EDITOR_DROPS,
		    hop) };
	default:
		return (struct wrapping){ .refusal = nothing };
	}
}

/* ---- not wrapped -------------------------------------------------------- */

/* For the sequence that an inner tmux sends to this one. */
static struct reason
outer_tmux_refusal(const struct hop *hop, const struct request *request)
{
	if (hop->tmux.clients == 0)
		return policy_no_client(hop, request);
	if (hop->tmux.guests > 0)
		return policy_guests(hop);
	return hop->tmux.set_clipboard == SET_CLIPBOARD_ON ? nothing :
	    because(REASON_OUTER_TMUX_DROPS, hop);
}

static struct reason
unreachable_refusal(const struct hop *hop)
{
	return hop->probe.interprets || !hop->probe.copy_known ? nothing :
	    silent_tmux_drops(hop, true);
}

/* Screen prints a sequence above its limit as text. */
struct reason
policy_of_unwrapped(const struct hop *hop, const struct request *request, bool letter)
{
	const struct multiplexer *row = hop_row(hop);

	if (hop_is_unreachable(hop))
		return unreachable_refusal(hop);
	switch (row->form) {
	case FORM_TMUX:
		return outer_tmux_refusal(hop, request);
	case FORM_SCREEN:
		return because(REASON_SCREEN_DROPS_OWN, hop);
	case FORM_NONE:
		return multiplexer_passes_now(row, FEATURE_COPY) == SUPPORT_NO ?
		    because(REASON_EDITOR_DROPS, hop) : nothing;
	default:
		return letter || row->copy_letters[0] == '\0' ? nothing :
		    because(REASON_HOP_DROPS_OWN, hop);
	}
}

bool
policy_is_controlled(const struct tmux *tmux)
{
	return tmux->clients > 0 && tmux->clients == tmux->control_clients;
}

struct reason
policy_of_plain(const struct hop *hop, const struct request *request)
{
	const struct tmux *tmux = &hop->tmux;
	bool copies = request->feature == FEATURE_COPY;

	if (hop_is_unreachable(hop))
		return copies ? unreachable_refusal(hop) : because(REASON_NOT_PLAIN, hop);
	if (hop_row(hop)->form == FORM_PLAIN)
		return nothing;
	if (hop->kind != HOP_TMUX)
		return because(REASON_NOT_INTERPRETED, hop);
	if (!copies && !policy_is_controlled(tmux))
		return because(REASON_NOT_PLAIN, hop);
	if (tmux->clients == 0)
		return nothing;
	if (tmux->guests > 0)
		return policy_guests(hop);
	if (policy_is_controlled(tmux))
		return nothing;
	if (tmux->set_clipboard != SET_CLIPBOARD_ON)
		return because(REASON_SET_CLIPBOARD_OFF, hop);
	return tmux->shown ? nothing : because(REASON_KEPT_FOR_HIDDEN_PANE, hop);
}

/* ---- limits of a hop ---------------------------------------------------- */

/* Whether the hop drops the sequence. */
static bool
is_dropped(const struct multiplexer *row, unsigned feature)
{
	return feature == FEATURE_WINDOW_NAME ? !row->names_windows :
	    multiplexer_passes_now(row, feature) == SUPPORT_NO;
}

/* A hop that interprets sequences does not accept all of them. */
static struct reason
policy_of_interpreter(const struct hop *hop, const struct request *request,
    struct limit *limit)
{
	const struct multiplexer *row = hop_row(hop);
	bool copies = request->feature == FEATURE_COPY;

	if (row->numbers_pop_up && request->feature == FEATURE_PROGRESS)
		return because(REASON_HOP_POPS_UP, hop);
	if (row->utf8_only && request->not_utf8 != 0)
		return because(REASON_HOP_UTF8, hop);
	if (is_dropped(row, request->feature))
		return because(REASON_HOP_DROPS, hop);
	if (copies && row->copy_letters[0] != '\0' &&
	    strcmp(request->selections, row->copy_letters) != 0)
		return because(REASON_HOP_SELECTION, hop);
	*limit = body_limit(hop, request->feature, copies ? REASON_LARGE_AND_CUT :
	    REASON_LARGE_FOR_HOP);
	return nothing;
}

struct reason
policy_of_passing(const struct hop *hop, const struct request *request,
    struct limit *limit)
{
	const struct multiplexer *row = hop_row(hop);

	*limit = (struct limit){ .bytes = 0 };
	if (row->form == FORM_PLAIN)
		return policy_of_interpreter(hop, request, limit);
	/* tmux up to 3.2a truncates what it forwards, wrapped or not */
	if (!hop_is_unreachable(hop))
		*limit = (struct limit){ multiplexer_queue_max(row, hop->tmux.version),
			REASON_LARGE_FOR_OLD_TMUX };
	return nothing;
}

/* ---- the terminal ------------------------------------------------------- */

/* Whether only versions newer than the reported one support it. */
static bool
came_later(const struct terminal *terminal, enum feature feature,
    enum support support)
{
	enum support now = terminal_support(terminal, feature);

	return now != SUPPORT_NO && now != SUPPORT_UNKNOWN && support == SUPPORT_NO;
}

/* The current version does not support it either. */
static struct reason
never_does(const struct terminal *terminal, enum feature feature)
{
	switch (feature) {
	case FEATURE_COPY:
		return of_feature(terminal->family[0] != '\0' ?
		    REASON_NO_COPY_EVER : REASON_NO_COPY, feature);
	case FEATURE_PRIMARY:
		return of_feature(REASON_NO_PRIMARY, feature);
	default:
		return of_feature(REASON_NO_FEATURE, feature);
	}
}

/*
 * What is not stored is truncated or replaced, or clears the clipboard: `nul` or
 * `not_utf8`, whichever comes first in what is copied.
 */
static struct reason
refusal_of_bytes(enum clipboard_bytes stored, const struct request *request,
    enum reason_id nul, enum reason_id not_utf8)
{
	size_t first_nul = bytes_end_at_nul(stored) ? request->nul : 0;
	size_t first = bytes_are_utf8(stored) ? request->not_utf8 : 0;

	if (first_nul != 0 && (first == 0 || first_nul < first))
		return (struct reason){ .id = nul, .size = first_nul - 1 };
	if (first != 0)
		return (struct reason){ .id = not_utf8, .size = first - 1 };
	return nothing;
}

/* Checks specific to a copy. */
static void
judge_copy(struct end_policy *end, const struct terminal *terminal,
    const struct path *path, const struct request *request)
{
	size_t doubt = terminal->copy_doubt + OSC_FRAME;

	if (request->payload == 0 &&
	    path_support(path, FEATURE_CLEAR) == SUPPORT_NO) {
		end->overwrites = true;
		end->note = because(REASON_TERMINAL_OVERWRITES, NULL);
	}
	if (strchr(request->selections, 'p') != NULL &&
	    path_support(path, FEATURE_PRIMARY) == SUPPORT_NO) {
		end->refusal = of_feature(REASON_NO_PRIMARY, FEATURE_PRIMARY);
		return;
	}
	end->refusal = refusal_of_bytes(terminal_bytes(terminal,
	    path_terminal_version(path)), request, REASON_NUL, REASON_NOT_UTF8);
	if (terminal->copy_limit != 0)
		end->limit = (struct limit){ terminal->copy_limit + OSC_FRAME,
			REASON_LARGE_FOR_TERMINAL };
	if (terminal->copy_doubt != 0 && request->sequence > doubt)
		end->warning = (struct reason){ .id = REASON_SIZE_DOUBTFUL,
			.size = request->sequence, .limit = doubt };
}

/*
 * A terminal that supports OSC 9 notifications but not OSC 9;4 pops up "4;1;50": progress
 * is sent only to terminals that are known not to.
 */
static bool
may_pop_up(const struct terminal *terminal)
{
	return terminal->numbers_pop_up ||
	    terminal_support(terminal, FEATURE_PROGRESS) != SUPPORT_YES;
}

static struct reason
refusal_by_support(const struct terminal *terminal, enum feature feature,
    enum support support)
{
	if (came_later(terminal, feature, support))
		return of_feature(feature == FEATURE_PROGRESS &&
		    terminal->numbers_pop_up ? REASON_CAME_LATER_POPS_UP :
		    REASON_CAME_LATER, feature);
	if (feature == FEATURE_PROGRESS && support == SUPPORT_UNKNOWN &&
	    may_pop_up(terminal))
		return of_feature(REASON_PROGRESS_UNKNOWN, feature);
	if (feature == FEATURE_PROGRESS && support != SUPPORT_YES &&
	    may_pop_up(terminal))
		return of_feature(REASON_NO_FEATURE, feature);
	return support == SUPPORT_NO ? never_does(terminal, feature) : nothing;
}

/* An unknown terminal may support anything, but some pop up progress. */
static void
judge_stranger(struct end_policy *end, enum feature feature)
{
	end->unsure = true;
	if (feature == FEATURE_PROGRESS)
		end->refusal = of_feature(REASON_PROGRESS_UNKNOWN, feature);
}

/* Checks a known terminal for the feature. */
static void
judge_feature(struct end_policy *end, const struct terminal *terminal,
    const struct path *path, const struct request *request)
{
	enum feature feature = (enum feature)request->feature;
	enum support support = path_support(path, feature);

	end->refusal = refusal_by_support(terminal, feature, support);
	end->unsure = support != SUPPORT_YES;
	if (end->refusal.id != REASON_NONE)
		return;
	/* the command truncates a longer title: no reason to refuse */
	if ((feature == FEATURE_TITLE || feature == FEATURE_TITLE_STACK) &&
	    terminal->title_limit != 0)
		end->limit = (struct limit){ title_size(TITLE_WINDOW,
		    terminal->title_limit), REASON_NONE };
	if (terminal_support(terminal, feature) == SUPPORT_OFF)
		end->note = of_feature(REASON_NEEDS_SETTING, feature);
	if (feature == FEATURE_COPY)
		judge_copy(end, terminal, path, request);
}

static bool
is_notification(unsigned feature)
{
	return feature == FEATURE_NOTIFY9 || feature == FEATURE_NOTIFY777 ||
	    feature == FEATURE_NOTIFY99;
}

bool
policy_lacks(const struct path *path, const struct request *request)
{
	static const enum feature notifications[] = { FEATURE_NOTIFY9,
		FEATURE_NOTIFY777, FEATURE_NOTIFY99 };
	unsigned feature = request->feature;
	size_t i;

	if (feature == FEATURE_COPY || feature == FEATURE_PASTE)
		return path_lacks(path, (enum feature)feature) ||
		    (strchr(request->selections, 'p') != NULL &&
		    path_lacks(path, FEATURE_PRIMARY));
	if (!is_notification(feature))
		return false;
	for (i = 0; i < sizeof(notifications) / sizeof(notifications[0]); i++)
		if (!path_lacks(path, notifications[i]))
			return false;
	return true;
}

struct end_policy
policy_of_terminal(const struct terminal *terminal, const struct path *path,
    const struct request *request)
{
	struct end_policy end = { .unsure = false };

	if (strcmp(path->term, "dumb") == 0 && terminal == NULL &&
	    request->chain == NULL && request->feature != FEATURE_BELL)
		end.refusal = because(REASON_TERM_DUMB, NULL);
	else if (request->feature == FEATURE_WINDOW_NAME && request->chain == NULL)
		/* terminals print ESC k and the text after it */
		end.refusal = because(REASON_ONLY_MULTIPLEXERS, NULL);
	else if (request->feature < FEATURE_COUNT && terminal == NULL)
		judge_stranger(&end, (enum feature)request->feature);
	else if (request->feature < FEATURE_COUNT)
		judge_feature(&end, terminal, path, request);
	return end;
}

/* ---- the desktop -------------------------------------------------------- */

bool
policy_is_for_desktop(unsigned feature)
{
	return feature == FEATURE_COPY || feature == FEATURE_PASTE ||
	    is_notification(feature);
}

/* The purpose to run a tool for, for this selection. */
static enum desktop_action
desktop_action(const struct request *request, char selection)
{
	bool primary = selection == 'p';

	if (is_notification(request->feature))
		return DESKTOP_NOTIFY;
	if (request->feature == FEATURE_PASTE)
		return primary ? DESKTOP_PASTE_PRIMARY : DESKTOP_PASTE;
	if (request->payload == 0)
		return primary ? DESKTOP_CLEAR_PRIMARY : DESKTOP_CLEAR;
	return primary ? DESKTOP_COPY_PRIMARY : DESKTOP_COPY;
}

/* Whether the tool is for a desktop that was found, and does what is requested. */
static bool
does_request(const struct desktop *desktop, const struct desktop_tool *tool,
    const struct request *request)
{
	const char *selection = request->selections;

	if (!desktop->has[tool->desktop])
		return false;
	do
		if (desktop_tool_arguments(tool, desktop_action(request,
		    *selection)) == NULL)
			return false;
	while (*selection != '\0' && *++selection != '\0');
	return true;
}

const struct desktop_tool *
policy_desktop_tool(const struct desktop *desktop, const struct request *request,
    bool installed)
{
	size_t i;

	for (i = 0; i < DESKTOP_TOOLS; i++)
		if (does_request(desktop, desktop_tool_at(i), request) &&
		    (!installed || desktop->program[i][0] != '\0'))
			return desktop_tool_at(i);
	return NULL;
}

struct reason
policy_of_tool(const struct desktop_tool *tool, const struct request *request)
{
	struct reason reason = refusal_of_bytes((enum clipboard_bytes)tool->bytes, request,
	    REASON_TOOL_NUL, REASON_TOOL_NOT_UTF8);

	if (request->type != NULL && tool->type == NULL &&
	    !text_begins(request->type, "text/plain"))
		reason = (struct reason){ .id = REASON_TOOL_TEXT_ONLY, .type = request->type };
	reason.tool = tool;
	return reason;
}
