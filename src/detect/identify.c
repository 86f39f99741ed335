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

/* The state of the identification. */
struct identification {
	struct path *path;
	const struct request *request;
	enum identify identify;
	unsigned round_trip_ms;
	bool typed_lately; /* a key was typed here within the last seconds */
};

static struct replies
ask(const struct identification *e, struct query asked)
{
	const unsigned timeout_ms = e->request->timeout_ms;

	asked.timeout_ms = timeout_ms != 0 ? timeout_ms : REPLY_MS;
	asked.optional = e->identify < IDENTIFY_TERMINAL;
	return query(&asked);
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

/*
 * Stores the last reply of this kind: its text, or its numbers as sent, "62;4;52", where an
 * omitted one is empty; "" without a reply.
 */
static void
keep_reply(char text[PROBE_TEXT], const struct replies *replies, enum reply_kind kind)
{
	const struct reply *reply = NULL;
	size_t i, n = 0;

	for (i = 0; i < replies->count; i++)
		if (replies->reply[i].kind == kind)
			reply = &replies->reply[i];
	snprintf(text, PROBE_TEXT, "%s", reply != NULL ? reply->text : "");
	for (i = 0; reply != NULL && i < reply->count && n < PROBE_TEXT - 1; i++) {
		snprintf(text + n, PROBE_TEXT - n, reply->number[i] < 0 ? "%s" : "%s%ld",
		    i > 0 ? ";" : "", reply->number[i]);
		n += strlen(text + n);
	}
	text_clean(text);
}

/* Sends XTVERSION, DA2 and DA3 through `chain`. Returns false if the fence did not arrive. */
static bool
ask_identity(struct identification *e, const struct chain *chain, struct probe *reply)
{
	const long long begin = clock_ms();
	struct replies replies = ask(e, (struct query){ .chain = chain,
	    .text = QUERY_VERSION QUERY_DA2 QUERY_DA3, .reply_max = IDENTITY_MAX });

	*reply = (struct probe){ .version = "" };
	e->path->probe.end = replies.end;
	e->path->probe.failure = replies.failure;
	e->path->silent = replies.end == TTY_TIMED_OUT;
	keep_reply(reply->version, &replies, REPLY_VERSION);
	keep_reply(reply->da1, &replies, REPLY_DA1);
	keep_reply(reply->da2, &replies, REPLY_DA2);
	keep_reply(reply->da3, &replies, REPLY_DA3);
	e->typed_lately = replies.typed_lately;
	e->round_trip_ms = (unsigned)(clock_ms() - begin);
	return replies.end == TTY_DONE;
}

const struct terminal *
probe_terminal(const struct probe *probe)
{
	const struct terminal *terminal;
	char da2[PROBE_TEXT + 1];

	if (probe->version[0] != '\0')
		return terminal_by(terminals, BY_VERSION, probe->version);
	terminal = terminal_by(terminals, BY_DA3, probe->da3);
	snprintf(da2, sizeof(da2), "%sc", probe->da2);
	return terminal != NULL ? terminal : terminal_by(terminals, BY_DA2, da2);
}

/* ---- the terminal --------------------------------------------------------- */

/* Whether the request depends on a setting of the terminal. */
static bool
needs_setting(const struct identification *e, unsigned features)
{
	return e->identify == IDENTIFY_ALL || (e->path->features & features) != 0;
}

/* xterm has a separate query for its settings; others report them in the DA1 reply. */
static bool
tells_by_query(const struct terminal *terminal)
{
	return strcmp(terminal->id, "xterm") == 0;
}

/* Identifies the terminal by the replies in `path`. */
static void
take_identity(struct path *path)
{
	const struct terminal *terminal = probe_terminal(&path->probe);

	if (terminal != NULL)
		path->found = terminal_after_reply(path->by_environment, terminal);
	path_settle(path);
}

/* Stores the reply of the terminal itself, through `chain`, and queries its settings. */
static void
note_terminal(struct identification *e, const struct chain *chain, const struct probe *reply)
{
	struct path *path = e->path;
	struct replies replies;
	bool all;

	path->probe = *reply;
	take_identity(path);
	if (path->found == NULL || !tells_by_query(path->found) ||
	    !needs_setting(e, FEATURE_BIT(FEATURE_COPY) |
	        FEATURE_BIT(FEATURE_TITLE_STACK)) || signals_caught != 0)
		return;
	replies = ask(e, (struct query){ .text = QUERY_ALLOWED, .chain = chain,
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
 * Takes the name of the multiplexer that replied, and its version: Screen's from its DA2,
 * "83;40900;0" for 4.9.0 (ansi.c), tmux's from its XTVERSION, since 3.2, and Zellij's, which
 * is "Zellij(4401)" for 0.44.1 (version_number() in shared.rs).
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
}

/*
 * Determines the options of a tmux whose server is unreachable, as far as the request
 * depends on them; for paste, none. tmux interprets a copy, but does not clear, and up to
 * 3.3a loses the letter of the selection. There are two separate queries, because the second
 * is not sent if the first decides: the reply to a wrapped fence would otherwise arrive
 * later, as typed text.
 *
 * If set-clipboard is on, tmux 2.9 to 3.6 replies to a clipboard query itself (input.c,
 * input_osc_52), before the fence. Since 3.7 that also depends on get-clipboard: tmux may
 * not reply, or may query its terminal, which may ask the user or clear the clipboard. So 3.7
 * does not get this query. tmux before 3.2 does not report its version, and its silence
 * proves nothing.
 *
 * If allow-passthrough is on, the outer terminal replies to a DA1 wrapped for tmux, after
 * tmux has replied to the fence. tmux types that reply into the active pane, so the query is
 * sent only if a key was typed here within the last seconds, which shows that this pane is
 * active.
 */
static void
ask_tmux(struct identification *e, struct hop *hop)
{
	/* the connection from tmux to the terminal may be slow */
	enum { PATIENCE_MS = 1000 };
	const unsigned features = e->path->features;
	/* OSC 5522 does not pass tmux, so types are sent as a plain copy */
	const unsigned copy = FEATURE_BIT(FEATURE_COPY) | FEATURE_BIT(FEATURE_TYPES) |
	    (tmux_is_at_least(&hop->tmux, 3, 4) ? FEATURE_BIT(FEATURE_PRIMARY) : 0);
	const bool copies = features != 0 && (features & ~copy) == 0;
	const bool is_asked = !tmux_is_at_least(&hop->tmux, 3, 7);
	struct replies replies;
	size_t fences;

	if (!e->request->probe || signals_caught != 0 ||
	    (features & FEATURE_BIT(FEATURE_PASTE)) != 0)
		return;
	if (is_asked) {
		replies = ask(e, (struct query){ .text = QUERY_CLIPBOARD,
		    .abort = CLIPBOARD_ABORT, .reply_max = CLIPBOARD_MAX });
		fences = count_replies(&replies, REPLY_DA1, "");
		/* of any length */
		if (count_replies(&replies, REPLY_CLIPBOARD, "") > 0 ||
		    count_replies(&replies, REPLY_OVERSIZED, "") > 0)
			hop->tmux.set_clipboard = SET_CLIPBOARD_ON;
		else if (tmux_is_at_least(&hop->tmux, 0, 0) && fences > 0)
			hop->tmux.set_clipboard = SET_CLIPBOARD_NOT_ON;
		if (fences == 0 || signals_caught != 0)
			return;
	}
	/* a copy is sent plain and wrapped if one remains unknown */
	if (!e->typed_lately || (copies &&
	    (!is_asked || hop->tmux.set_clipboard == SET_CLIPBOARD_ON)))
		return;
	replies = ask(e, (struct query){ .text = QUERY_BEHIND_TMUX,
	    .second_ms = PATIENCE_MS + 2 * e->round_trip_ms, .reply_max = CLIPBOARD_MAX });
	fences = count_replies(&replies, REPLY_DA1, "");
	if (fences > 0)
		hop->tmux.passthrough = fences > 1 ? PASSTHROUGH_ON : PASSTHROUGH_OFF;
}

/* Queries our terminal, which may turn out to be tmux or Screen. */
static void
ask_nearest(struct identification *e)
{
	struct path *path = e->path;
	struct hop *hop = &path->hop[0];
	const struct terminal *row;
	struct probe reply;

	if (!ask_identity(e, NULL, &reply))
		return;
	row = terminal_by(multiplexers, BY_DA2, reply.da2);
	if (row == NULL)
		row = terminal_by(multiplexers, BY_VERSION, reply.version);
	if (row == NULL) {
		path->hops = 0;
		note_terminal(e, NULL, &reply);
		return;
	}
	/* a pane whose shell runs in a container has TERM=xterm and no TMUX */
	if (path->hops == 0)
		path->hop[path->hops++] = (struct hop){ .owner = geteuid(),
			.evidence = "known from its reply to" };
	note_multiplexer(hop, row, &reply);
	if (hop->row->kind != HOP_TMUX)
		return;
	if (hop->why[0] == '\0' && environment_get("TMUX") == NULL)
		text_format(hop->why, sizeof(hop->why), "TMUX is not set here, as "
		    "in a container or after ssh");
	ask_tmux(e, hop);
}

/* Queries the terminal through Screen, and Screen for its version. */
static void
ask_through_screen(struct identification *e, const struct chain *chain)
{
	struct hop *hop = &e->path->hop[0];
	const struct terminal *row;
	struct probe reply;

	if (e->identify == IDENTIFY_ALL && hop->tmux.version[0] == '\0') {
		if (!ask_identity(e, NULL, &reply))
			return;
		row = terminal_by(multiplexers, BY_DA2, reply.da2);
		if (row != NULL && row->kind == HOP_SCREEN)
			note_multiplexer(hop, row, &reply);
	}
	if (ask_identity(e, chain, &reply) && terminal_by(multiplexers, BY_DA2, reply.da2) == NULL)
		note_terminal(e, chain, &reply);
}

/* ---- whether to query --------------------------------------------------------- */

/* Whether it supports or passes one of the features only in some versions. */
static bool
depends_on_version(const struct terminal *row, unsigned features)
{
	unsigned f;

	for (f = 0; f < FEATURE_COUNT; f++)
		if ((features & FEATURE_BIT(f)) != 0 &&
		    (terminal_support(row, "", f) != terminal_support(row, NEWEST, f) ||
		    terminal_passes(row, "", f) != terminal_passes(row, NEWEST, f)))
			return true;
	return false;
}

/*
 * Whether the terminal disables copying by default, but reports whether the user enabled it;
 * or whether it may be built without saving of titles, and reports that.
 */
static bool
depends_on_setting(const struct identification *e)
{
	const struct path *path = e->path;
	const struct terminal *terminal = path->terminal;
	const char *version = path->version;
	bool by_query = tells_by_query(terminal);

	return (needs_setting(e, FEATURE_BIT(FEATURE_COPY)) &&
	    (by_query || terminal->copy_in_da1[0] != '\0') &&
	    path_setting(path, FEATURE_COPY) != SUPPORT_YES &&
	    terminal_support(terminal, version, FEATURE_COPY) == SUPPORT_OFF) ||
	    (needs_setting(e, FEATURE_BIT(FEATURE_TITLE_STACK)) && by_query &&
	    terminal_support(terminal, version, FEATURE_TITLE_STACK) == SUPPORT_UNKNOWN);
}

/* Whether the terminal stores these bytes depends on its version, or on its library's. */
static bool
depends_on_bytes(const struct identification *e)
{
	const struct terminal *terminal = e->path->terminal;
	const char *version = e->path->version;

	return ((e->request->not_utf8 != 0 || e->request->nul != 0) &&
	    terminal->bytes.since[0] != '\0' &&
	    terminal_bytes(terminal, version) == BYTES_UNKNOWN) ||
	    (e->request->not_ascii != 0 && terminal->ascii_versions[0][0] != '\0' &&
	    e->path->probe.da1[0] == '\0' &&
	    terminal_reaches(terminal, version, terminal->ascii_versions[0]) ==
	    SUPPORT_UNKNOWN);
}

/*
 * Whether TERM alone identifies the terminal, which would not support the request: TERM may be
 * wrong, as on a Linux console from which another terminal was reached, or in a container.
 */
static bool
term_alone_refuses(const struct identification *e)
{
	const struct path *path = e->path;

	return e->request->probe && path->terminal != NULL && path->probe.da1[0] == '\0' &&
	    terminal_by(terminals, BY_TERM, path->term) == path->terminal &&
	    path_lacks_any(path, path->features);
}

static bool
is_to_identify(const struct identification *e)
{
	const struct path *path = e->path;
	const struct terminal *terminal = path->terminal;
	const char *version = path->version;

	if (path_is_dumb(path))
		return false;
	if (e->identify > IDENTIFY_UNKNOWN)
		return true;
	if (e->identify == IDENTIFY_NOT)
		return e->request->identify == IDENTIFY_NOT && term_alone_refuses(e);
	return terminal == NULL || term_alone_refuses(e) ||
	    (version[0] == '\0' && depends_on_version(terminal, path->features)) ||
	    depends_on_bytes(e) || depends_on_setting(e);
}

void
identify_path(struct path *path, const struct request *request)
{
	const bool decided = request->terminal != NULL || request->chain != NULL ||
	    request->route == ROUTE_NATIVE;
	const bool needless = request->identify == IDENTIFY_UNKNOWN && !request->probe;
	struct identification e = { .path = path, .request = request,
		.identify = needless || (decided && request->identify != IDENTIFY_ALL) ?
		IDENTIFY_NOT : request->identify };
	struct hop *hop = &path->hop[0];
	/* a hop that can be identified only by queries */
	bool settles = request->probe && path->hops == 1 && hop_is_unreachable(hop);
	struct probe reply;
	struct chain chain;
	bool tells, identifies = is_to_identify(&e) &&
	    path_reply_chain(path, &chain) == NULL;

	if (path->source != DEVICE_CONTROLLING)
		return;
	if (path->hops > 0 && hop->row->kind == HOP_ZELLIJ &&
	    (e.identify == IDENTIFY_ALL || (e.identify != IDENTIFY_NOT &&
	    depends_on_version(hop->row, path->features)))) {
		ask_identity(&e, NULL, &reply);
		if (text_begins(reply.version, hop->row->version))
			note_multiplexer(hop, hop->row, &reply);
	}
	if (identifies && e.identify < IDENTIFY_TERMINAL && identity_recall(path)) {
		take_identity(path);
		if (path->silent || path->terminal == NULL || !is_to_identify(&e))
			return;
	}
	if (settles || (identifies && chain.count == 0))
		ask_nearest(&e);
	else if (identifies)
		ask_through_screen(&e, &chain);
	else
		return;
	/* the user may change a setting later: a terminal that reports its settings is stored
	   only if it allows copies; one slower than a short --timeout is not silent */
	tells = path->found != NULL && (tells_by_query(path->found) ||
	    (path->found->copy_in_da1[0] != '\0' && terminal_reaches(path->found,
	        path->version, path->found->copy_in_da1) != SUPPORT_NO));
	if (path->silent ? request->timeout_ms == 0 || request->timeout_ms >= REPLY_MS :
	    path->probe.da1[0] != '\0' &&
	    (!tells || path_setting(path, FEATURE_COPY) == SUPPORT_YES))
		path->newly_silent = identity_remember(path) && path->silent;
}
