/* SPDX-License-Identifier: MIT */
/*
 * Identifies the terminal by queries, or a multiplexer known only from TERM. Each query ends
 * with a fence, so it costs a round trip rather than a timeout.
 */
#include "detect/path.h"

#include "base/base.h"
#include "tty/tty.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	REPLY_MS = 1000,  /* timeout for a terminal that never replies */
	IDENTITY_MAX = 256, /* names are short */
	SETTINGS_MAX = 1024,
	CLIPBOARD_MAX = 64 /* the content of a clipboard is not needed */
};

struct replies
query_terminal(const struct given *given, struct query asked)
{
	asked.reader_is_another = given->in_pipeline ? reader_is_possible :
	    reader_is_another;
	return query(&asked);
}

/*
 * A question of the user's own, or of doctor, need not be harmless to input: it is sent although
 * some is pending.
 */
static struct replies
ask(struct path *path, struct query asked)
{
	struct replies replies;

	asked.timeout_ms = path->given.timeout_ms != 0 ? path->given.timeout_ms : REPLY_MS;
	asked.optional = !path->queried.fresh_wanted;
	asked.late_ms = QUERY_LATE_MS;
	replies = query_terminal(&path->given, asked);
	path->queried.waited = path->queried.waited || replies.end == TTY_TIMED_OUT;
	path->queried.keys_pending = path->queried.keys_pending || replies.keys_pending;
	return replies;
}

/* Counts the replies of this kind whose text contains the word. */
static size_t
count_replies(const struct replies *replies, enum reply_kind kind, const char *word)
{
	size_t i, n = 0;

	for (i = 0; i < replies->count; i++)
		n += replies->reply[i].kind == kind &&
		    strstr(replies->reply[i].text, word) != NULL;
	return n;
}

/* Stores the last reply of this kind, "62;4;52" of numbers; "" without one. */
static void
keep_reply(char text[PROBE_TEXT], const struct replies *replies, enum reply_kind kind)
{
	size_t i;

	text[0] = '\0';
	for (i = 0; i < replies->count; i++)
		if (replies->reply[i].kind == kind)
			snprintf(text, PROBE_TEXT, "%s", replies->reply[i].text);
	text_clean(text);
}

/* Sends XTVERSION, DA2 and DA3 through `chain`. Returns false if the fence did not arrive. */
static bool
ask_identity(struct path *path, const struct chain *chain, struct probe *reply)
{
	const long long begin = clock_ms();
	struct replies replies = ask(path, (struct query){ .chain = chain,
	    .text = QUERY_VERSION QUERY_DA2 QUERY_DA3, .reply_max = IDENTITY_MAX });

	/* why a question of the user's own failed, other than by silence */
	if (path->queried.fresh_wanted) {
		path->queried.error.status = STATUS_DONE;
		query_failed(replies, &path->queried.error);
	}
	*reply = (struct probe){ .version = "" };
	path->queried.silent = replies.end == TTY_TIMED_OUT;
	keep_reply(reply->version, &replies, REPLY_VERSION);
	keep_reply(reply->da1, &replies, REPLY_DA1);
	keep_reply(reply->da2, &replies, REPLY_DA2);
	keep_reply(reply->da3, &replies, REPLY_DA3);
	path->queried.typed_lately = replies.typed_lately;
	path->queried.round_trip_ms = (unsigned)(clock_ms() - begin);
	return replies.end == TTY_DONE;
}

/* ---- the terminal --------------------------------------------------------- */

/*
 * Stores what the terminal replied for the login: of one that reports its settings only if it
 * allows copies, because the user may change them later.
 */
static void
remember(struct path *path)
{
	const struct terminal *found = path->found;
	const bool tells = found != NULL && (terminal_quirk(found, "", QUIRK_TELLS) != NULL ||
	    (found->copy_in_da1[0] != '\0' && terminal_reaches(found, path->end.version,
	        found->copy_in_da1) != SUPPORT_NO));

	if (path->queried.silent || (path->probe.da1[0] != '\0' &&
	    (!tells || path->end.can[FEATURE_COPY].allowed == SUPPORT_YES)))
		path->queried.newly_silent = identity_remember(path) && path->queried.silent;
}

/* Whether xterm is built and set to let programs copy, and to save titles. */
static void
ask_settings(struct path *path, const struct chain *chain)
{
	struct replies replies;
	bool all;

	if (terminal_quirk(path->found, "", QUIRK_TELLS) == NULL || path->probe.da1[0] == '\0')
		return;
	replies = ask(path, (struct query){ .text = QUERY_ALLOWED, .chain = chain,
	    .reply_max = SETTINGS_MAX });
	/* AllowWindowOps() of xterm.h: one of the two is enough */
	all = count_replies(&replies, REPLY_ALLOWED, "allowWindowOps") > 0;
	if (replies.end != TTY_DONE ||
	    (!all && count_replies(&replies, REPLY_DISALLOWED, "") == 0))
		return;
	path->probe.allows_copy =
	    all || count_replies(&replies, REPLY_DISALLOWED, "SetSelection") == 0 ?
	    SUPPORT_YES : SUPPORT_OFF;
	path->probe.allows_title_stack =
	    all || (count_replies(&replies, REPLY_DISALLOWED, "PushTitle") == 0 &&
	    count_replies(&replies, REPLY_DISALLOWED, "PopTitle") == 0) ?
	    SUPPORT_YES : SUPPORT_OFF;
	path_update_end(path);
	remember(path);
}

/* ---- hops -------------------------------------------------------------------- */

/* A version packed into one number, 40900 for 4.9.0. */
static void
note_packed_version(struct hop *hop, const char *digits)
{
	const unsigned long version = strtoul(digits, NULL, 10);

	if (version > 0 && version <= 999999)
		text_format(hop->tmux.version, sizeof(hop->tmux.version),
		    "%lu.%lu.%lu", version / 10000, version / 100 % 100, version % 100);
}

/*
 * Takes the name of the multiplexer that replied, and its version. Screen reports it by DA2:
 * "83;40900;0" is 4.9.0 (ansi.c). tmux since 3.2 and Zellij report it by XTVERSION:
 * "Zellij(4401)" is 0.44.1 (version_number() in shared.rs).
 */
static void
note_multiplexer(struct hop *hop, const struct terminal *row, const struct probe *reply)
{
	hop->row = row;
	if (row->kind == HOP_SCREEN)
		note_packed_version(hop, reply->da2 + strlen(row->da2));
	else if (row->kind == HOP_ZELLIJ)
		note_packed_version(hop, reply->version + strlen(row->version));
	else
		text_copy(hop->tmux.version, sizeof(hop->tmux.version),
		    text_begins(reply->version, row->version) ?
		    reply->version + strlen(row->version) : "");
	/* a relay adds its name */
	hop->tmux.version[strcspn(hop->tmux.version, " ")] = '\0';
}

/*
 * If set-clipboard is on, tmux 2.9 to 3.6 replies to a clipboard query itself (input.c,
 * input_osc_52), before the fence. Since 3.7 that also depends on get-clipboard: tmux may
 * not reply, or may query its terminal, which may ask the user or clear the clipboard. So this
 * query is for older versions only. Silence says that it is off, but for tmux before 3.2, whose
 * version is unknown.
 */
static void
ask_set_clipboard(struct path *path, struct tmux *tmux)
{
	struct replies replies;

	if (tmux_is_at_least(tmux, 3, 7) || tmux->set_clipboard == SET_CLIPBOARD_ON)
		return;
	replies = ask(path, (struct query){ .text = QUERY_CLIPBOARD,
	    .abort = CLIPBOARD_ABORT, .reply_max = CLIPBOARD_MAX });
	/* of any length */
	if (count_replies(&replies, REPLY_CLIPBOARD, "") > 0 ||
	    count_replies(&replies, REPLY_OVERSIZED, "") > 0)
		tmux->set_clipboard = SET_CLIPBOARD_ON;
	else if (tmux_is_at_least(tmux, 0, 0) && count_replies(&replies, REPLY_DA1, "") > 0)
		tmux->set_clipboard = SET_CLIPBOARD_NOT_ON;
}

/*
 * If allow-passthrough is on, the outer terminal replies to a DA1 wrapped for tmux, after
 * tmux has replied to the fence. tmux types that reply into the active pane. A key that was
 * typed here in the last seconds shows that ours is active, and only then the query is sent. If
 * allow-passthrough was off in this login, only doctor waits as long again.
 */
static void
ask_passthrough(struct path *path, struct tmux *tmux)
{
	/* the connection from tmux to the terminal may be slow */
	enum { PATIENCE_MS = 1000, CLOSED_MS = 150 };
	struct replies replies;
	unsigned patience_ms;
	size_t fences;

	if (!path->queried.typed_lately)
		return;
	patience_ms = !path->given.looks && path_remembers(path, REMEMBERED_CLOSED) ? CLOSED_MS :
	    PATIENCE_MS;
	replies = ask(path, (struct query){ .text = QUERY_BEHIND_TMUX,
	    .second_ms = patience_ms + 2 * path->queried.round_trip_ms,
	    .reply_max = CLIPBOARD_MAX });
	fences = count_replies(&replies, REPLY_DA1, "");
	if (fences > 0)
		tmux->passthrough = fences > 1 ? PASSTHROUGH_ON : PASSTHROUGH_OFF;
}

/* Queries our terminal, which may turn out to be tmux or Screen. */
static void
ask_nearest(struct path *path)
{
	struct hop *hop = &path->hop[0];
	const struct terminal *row;
	struct probe reply;

	if (!ask_identity(path, NULL, &reply))
		return;
	row = terminal_by(multiplexers, BY_DA2, reply.da2);
	if (row == NULL)
		row = terminal_by(multiplexers, BY_VERSION, reply.version);
	if (row == NULL) {
		path->hops = 0;
		path->probe = reply;
		path_take_reply(path);
		return;
	}
	/* a pane whose shell runs in a container has TERM=xterm and no TMUX */
	if (path->hops == 0)
		path->hop[path->hops++] = (struct hop){ .evidence = "known from its reply" };
	note_multiplexer(hop, row, &reply);
	hop->notifies = strstr(reply.version, RELAY_NOTIFIES) != NULL;
	/* tmux itself reports no 52 in a pane, but a relay in that does */
	if (terminal_copy_allowed(NULL, "", reply.da1) == SUPPORT_YES) {
		hop->relayed = true;
		hop->tmux.set_clipboard = SET_CLIPBOARD_ON;
		path->queried.tried |= NEED_TMUX_CLIPBOARD;
	}
	if (hop->row->kind == HOP_TMUX && hop->why[0] == '\0' && environment_get("TMUX") == NULL)
		text_format(hop->why, sizeof(hop->why), "TMUX is not set here, as "
		    "in a container or after ssh");
}

/* Queries the terminal through Screen, and as the user's own question Screen for its version. */
static void
ask_through_screen(struct path *path, const struct chain *chain)
{
	struct hop *hop = &path->hop[0];
	const struct terminal *row;
	struct probe reply;

	if (path->queried.fresh_wanted && hop->tmux.version[0] == '\0') {
		if (!ask_identity(path, NULL, &reply))
			return;
		row = terminal_by(multiplexers, BY_DA2, reply.da2);
		if (row != NULL && row->kind == HOP_SCREEN)
			note_multiplexer(hop, row, &reply);
	}
	if (ask_identity(path, chain, &reply) &&
	    terminal_by(multiplexers, BY_DA2, reply.da2) == NULL) {
		path->probe = reply;
		path_take_reply(path);
	}
}

/* ---- protocols -------------------------------------------------------------------- */

static void
ask_notifications(struct path *path)
{
	enum { REPLY_BYTES_MAX = 64 * 1024 };
	const struct replies replies = ask(path, (struct query){
		.text = QUERY_NOTIFICATION, .reply_max = REPLY_BYTES_MAX });

	/* Konsole sends a semicolon instead of the colon (i=ID;p=?;...) */
	path->probe.knows_99 = count_replies(&replies, REPLY_NOTIFICATION, "i=viatty") > 0;
}

/* ---- whether to query --------------------------------------------------------- */

/* Identifies the terminal by what it replied earlier in this login, if that may be: once. */
static bool
recall(struct path *path)
{
	const struct given *given = &path->given;

	if (path->queried.recalled || path->queried.silent || path->queried.fresh_wanted ||
	    path_is_dumb(path) || given->print || given->chain != NULL ||
	    given->terminal != NULL || given->route == ROUTE_NATIVE)
		return false;
	path->queried.recalled = true;
	if (!identity_recall(path))
		return false;
	path_take_reply(path);
	if (path->queried.silent || path->end.terminal == NULL)
		path->queried.tried |= NEED_NAME;
	return true;
}

/*
 * The layers for a query to the terminal. Returns false if its reply would not come back through
 * every hop: only Screen forwards replies, tmux types them into the pane.
 */
static bool
reply_chain(const struct path *path, struct chain *chain)
{
	const struct hop *hop;

	*chain = (struct chain){ 0 };
	for (hop = path->hop; hop < path->hop + path->hops; hop++)
		if (!hop_returns_replies(hop) || !chain_add(chain, LAYER_SCREEN))
			return false;
	return true;
}

/* Whether the need can be met by a query here, through the layers of `chain`. */
static bool
may_ask(const struct path *path, enum need need, struct chain *chain)
{
	const struct given *given = &path->given;
	const bool returns = reply_chain(path, chain);
	/* by queries alone */
	const bool is_hop = path->hops == 1 && hop_is_unreachable(&path->hop[0]);

	/* whose replies come back through layers given by hand is unknown */
	if (signal_caught != 0 || path->queried.silent || path_is_dumb(path) ||
	    path->source != DEVICE_CONTROLLING || given->chain != NULL)
		return false;
	if ((need & NEED_OF_END) != 0 && (given->terminal != NULL || given->route == ROUTE_NATIVE))
		return false;
	if (need == NEED_FRESH_NAME)
		return returns || is_hop;
	if ((need & NEED_OF_TMUX) != 0)
		return given->probe && is_hop;
	if (need == NEED_HOP)
		return given->probe && path->hops > 0;
	return given->probe && returns && (need != NEED_NAME || !path->queried.fresh_wanted);
}

/* Queries our terminal for its name, once. */
static void
ask_once(struct path *path, const struct chain *chain)
{
	if ((path->queried.tried & NEED_NAME) != 0)
		return;
	path->queried.tried |= NEED_NAME;
	if (chain->count > 0)
		ask_through_screen(path, chain);
	else
		ask_nearest(path);
	/* it turned out to be Screen: the terminal behind that has not been asked yet */
	if (chain->count == 0 && path->hops > 0 && hop_returns_replies(&path->hop[0]))
		path->queried.tried &= ~(unsigned)(NEED_NAME | NEED_FRESH_NAME);
	remember(path);
}

/* Of one that may be tmux, and else of Zellij, by the version in its reply. */
static void
ask_hop(struct path *path, const struct chain *chain)
{
	struct hop *hop = &path->hop[0];
	struct probe reply;

	if (hop_is_unreachable(hop))
		ask_once(path, chain);
	else if (ask_identity(path, NULL, &reply) && text_begins(reply.version, hop->row->version))
		note_multiplexer(hop, hop->row, &reply);
}

/* Queries a tmux for an option, by `ask_option`, if that is what replied. */
static void
ask_tmux(struct path *path, void (*ask_option)(struct path *, struct tmux *))
{
	if (path->hops == 0 || path->hop[0].row->kind != HOP_TMUX || path->queried.silent ||
	    signal_caught != 0)
		return;
	ask_option(path, &path->hop[0].tmux);
	identity_remember(path);
	recall(path);
}

bool
identify(struct path *path, enum need need)
{
	struct chain chain;

	/* doctor shows then what is known without */
	if (path->given.looks && !path->given.probe)
		return false;
	if (need == NEED_NAME && (path->hops == 0 || !hop_is_unreachable(path->hop)) &&
	    recall(path))
		return true;
	/* the options of a tmux may have changed: query it where that is possible */
	if (!may_ask(path, need, &chain))
		return (need & NEED_OF_TMUX) != 0 && recall(path);
	/* its name may show that the option does not matter, as beside a relay: plan again */
	if ((need & NEED_OF_TMUX) != 0 && (path->queried.tried & NEED_NAME) == 0)
		need = NEED_NAME;
	if (need != NEED_NAME)
		path->queried.tried |= need;
	path->queried.fresh_wanted = path->queried.fresh_wanted || need == NEED_FRESH_NAME;
	if (need == NEED_HOP)
		ask_hop(path, &chain);
	else if (need == NEED_SETTING)
		ask_settings(path, &chain);
	else if (need == NEED_NOTIFY99)
		ask_notifications(path);
	else if (need == NEED_TMUX_CLIPBOARD)
		ask_tmux(path, ask_set_clipboard);
	else if (need == NEED_TMUX_PASSTHROUGH)
		ask_tmux(path, ask_passthrough);
	else
		ask_once(path, &chain);
	return true;
}
