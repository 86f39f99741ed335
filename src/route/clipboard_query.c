/* SPDX-License-Identifier: MIT */
/* Reads the clipboard. */
#include "route/route.h"

#include "base/base.h"
#include "encoder/encoder.h"
#include "tty/tty.h"

#include <errno.h>
#include <string.h>

enum {
	/* for a terminal that replies without asking the user; usually ended by the fence */
	REPLY_MS = 2000,
	/* for a terminal that asks the user first */
	PERSON_MS = 60000,
	/*
	 * tmux 3.3 to 3.6 waits this long for the terminal's reply (tty.c,
	 * TTY_QUERY_TIMEOUT); from 3.7 on it is half a second (input.c,
	 * INPUT_REQUEST_TIMEOUT).
	 */
	TMUX_CLIENT_MS = 5000,
	/* letters, separators and padding around the base64 */
	REPLY_EXTRA = 16
};

struct reading {
	const struct route *route;
	const struct request *request;
	struct buf *text;
	struct error *error;
	size_t reply_max;        /* of hops, and at most as much as requested */
	bool answered, fenced, broken, oversized;
	bool stopped;            /* a reply may have been lost then */
};

/* tmux queries the terminal of its client, by refresh-client -l; since 3.7 it forwards. */
static bool
asks_by_client(const struct route *route)
{
	return route->tmux != NULL && !tmux_is_at_least(&route->tmux->tmux, 3, 7);
}

/* ---- choosing the way to query --------------------------------------------- */

#define UNREADABLE "the clipboard cannot be read through "
#define OWN_KEY "paste with the terminal's own key"

/* Prepares a query by tmux, or of the terminal of its client. */
static bool
through_tmux(struct route *route, const struct hop *hop, const struct request *request)
{
	const struct tmux_client *client = &hop->tmux.client;
	const struct terminal *terminal = route->terminal;
	char own[DEVICE_NAME];

	if (!device_controlling(own) || strcmp(own, hop->tmux.pane_tty) != 0)
		return refuse_route(route, UNREADABLE
		    "a program that runs in a pane of tmux\n"
		    "run it in the pane itself");
	if (!hop->tmux.has_client)
		return refuse_route(route, UNREADABLE
		    "tmux: no terminal of yours is attached\n"
		    "attach to it: %s", tmux_attach_command(&hop->tmux).text);
	/* tmux may query that client instead */
	if (hop->tmux.client_claimed)
		return refuse_route(route, UNREADABLE
		    "tmux: another user attached to it reports the same terminal\n"
		    "detach that client (prefix D)");
	/* the outer tmux replies with its own buffer, which may be old */
	if (text_begins(client->type, "tmux"))
		return refuse_route(route, UNREADABLE "a tmux inside another one\n"
		    "run it outside the inner tmux");
	/* tmux queries without a selection letter: xterm returns the primary selection */
	if (text_begins(client->type, "XTerm(") ||
	    (terminal != NULL && strcmp(terminal->id, "xterm") == 0))
		return refuse_route(route, UNREADABLE "tmux in xterm\n"
		    "run it outside tmux");
	if (request->selections[0] != 'c')
		return refuse_route(route,
		    "only the clipboard can be read through tmux, not another selection\n"
		    "paste the clipboard instead");
	route->tmux = hop;
	return true;
}

static bool
find_way(struct route *route, const struct path *path, const struct request *request)
{
	const struct hop *hop = path->hop, *end = hop + path->hops;

	/* a hop that passes copies but no queries */
	for (; hop < end; hop++)
		if (hop->row->relays &&
		    hop_support(hop, FEATURE_PASTE) == SUPPORT_NO)
			return refuse_route(route, UNREADABLE "%s\n"
			    "%s, or " OWN_KEY, hop->row->name, hop->row->instead);
	if (path->hops > 0 && path->hop[0].tmux.reachable)
		return through_tmux(route, &path->hop[0], request);
	hop = path_reply_chain(path, &route->chain);
	route->reply_max = route->chain.count > 0 ? path->hop[0].row->reply_max : 0;
	route->limit = route->reply_max / 4 * 3;
	end = hop != NULL ? hop : end;
	if (end > path->hop)
		text_format(route->why, sizeof(route->why),
		    "the terminal is queried through %s", end[-1].row->name);
	else
		text_copy(route->why, sizeof(route->why), "the terminal is queried directly");
	if (hop == NULL)
		return true;
	/* all hops before it are Screen */
	if (hop->tmux.reachable)
		return refuse_route(route, UNREADABLE "GNU Screen inside tmux\n"
		    "run it outside Screen");
	if (hop->multiuser)
		return refuse_route(route, UNREADABLE
		    "Screen while other users may be attached: their terminal might reply\n"
		    "turn that off: C-a :multiuser off");
	return refuse_route(route, UNREADABLE "%s\n"
	    "run it outside %s", hop->row->id, hop->row->id);
}

/* Checked last, because an option of tmux does not help if the terminal never replies. */
static bool
tmux_hands_over(struct route *route, bool force)
{
	const struct tmux *tmux = &route->tmux->tmux;

	if (!tmux_is_at_least(tmux, 3, 7)) {
		text_copy(route->why, sizeof(route->why),
		    "tmux queries its terminal and passes on the reply");
		/* older versions store it in a buffer, indistinguishable from an old one */
		return tmux_is_at_least(tmux, 3, 3) || refuse_route(route,
		    "tmux %s does not pass the terminal's reply to the program\n"
		    "use tmux 3.3 or later, or run it outside tmux", tmux->version);
	}
	text_copy(route->why, sizeof(route->why), "tmux passes on the query and the reply");
	/* input_add_request() in input.c chooses the most recently used client */
	if (tmux->guests > 0)
		return refuse_route(route, UNREADABLE
		    "tmux while another user is attached: that user's terminal might reply\n"
		    "detach that client (prefix D)");
	/* otherwise it replies with its newest buffer, which may be old */
	if (tmux->set_clipboard != SET_CLIPBOARD_ON || !tmux->requests_clipboard)
		return refuse_route(route,
		    "tmux %s replies with its own paste buffer, or not at all\n%s",
		    tmux->version, tmux->set_clipboard == SET_CLIPBOARD_ON ?
		    TMUX_SET("s get-clipboard request") :
		    TMUX_SET("s get-clipboard request") "\n  tmux set -s set-clipboard on");
	return route->reads != SUPPORT_ASKS || force || refuse_route(route,
	    "%s asks you before it replies, and tmux %s waits only half a second\n"
	    "run it outside tmux; if the terminal replies without asking: --force",
	    route->terminal->name, tmux->version);
}

/* Only an identified terminal may be queried: some would clear the clipboard. */
static bool
is_identified(struct route *route, const struct path *path)
{
	if (path->named != NULL || route->tmux != NULL)
		return true;
	if (signals_caught != 0)
		return !query_failed((struct replies){ .end = TTY_SIGNALLED }, &route->refusal);
	if (path->silent)
		return fail(&route->refusal, STATUS_NO_REPLY,
		    "the terminal does not reply to queries\n"
		    OWN_KEY);
	return !query_failed((struct replies){ .end = path->probe.end,
	    .failure = path->probe.failure }, &route->refusal);
}

static bool
may_ask(struct route *route, const struct path *path, const struct request *request)
{
	enum support support = path_support(path, FEATURE_PASTE);

	if (support == SUPPORT_UNKNOWN)
		support = terminal_support(route->terminal, NEWEST, FEATURE_PASTE);
	route->reads = support;
	if (support == SUPPORT_EMPTIES)
		return refuse_route(route,
		    "%s would clear the clipboard instead of replying\n"
		    OWN_KEY, route->who);
	if (support == SUPPORT_NO && !request->force)
		return refuse_route(route, "%s does not let programs read the clipboard\n%s",
		    route->who, hint_with_term(path, OWN_KEY).text);
	/* mintty replies to every letter with its clipboard, do_clipboard() of 3.8.2 */
	if (request->selections[0] == 'p' && !request->force && path_lacks(path, FEATURE_PRIMARY))
		return refuse_route(route, "%s has no primary selection\n%s", route->who,
		    hint_with_term(path, "paste the clipboard instead").text);
	if (route->terminal != NULL && request->selections[0] == 'c')
		text_copy(route->warning, sizeof(route->warning), route->terminal->doubt);
	return route->tmux == NULL || tmux_hands_over(route, request->force);
}

bool
plan_paste(struct route *route, const struct path *path, const struct request *request)
{
	route_begin(route, ROUTE_DIRECT, path);
	if (path_is_dumb(path) && !request->force)
		return refuse_route(route, DUMB "\n" IF_ANOTHER);
	/* a failed query is clearer than the error of opening a closed terminal */
	return !query_failed(path->probe.end == TTY_FAILED ? (struct replies){ .end = TTY_FAILED,
	    .failure = path->probe.failure } : query_allowed(), &route->refusal) && find_way(route, path, request) &&
	    may_ask(route, path, request) && is_identified(route, path);
}

/* ---- query and reply ----------------------------------------------------- */

static unsigned
patience(const struct reading *r)
{
	const bool asks = r->route->reads == SUPPORT_ASKS;
	unsigned given = r->request->timeout_ms;

	/* tmux passes a reply on when it has all of it, and drops a later one */
	if (asks_by_client(r->route) && (given > TMUX_CLIENT_MS || given == 0))
		return TMUX_CLIENT_MS;
	if (given != 0)
		return given;
	return asks && r->route->tmux == NULL ? PERSON_MS : REPLY_MS;
}

/* Makes tmux query the terminal of its client. */
static bool
start_refresh_client(void *context)
{
	struct reading *r = context;

	return tmux_request_clipboard(&r->route->tmux->tmux, TMUX_TIMEOUT_MS, r->error);
}

static bool
receive_clipboard(void *context, const struct reply *reply, unsigned *timeout_ms)
{
	struct reading *r = context;
	const bool asks = r->route->reads == SUPPORT_ASKS;
	const char *data;

	if (reply->kind == REPLY_OVERSIZED) {
		/* the rest may be endless: query() discards it */
		r->answered = r->oversized = true;
		return false;
	}
	if (reply->kind == REPLY_CLIPBOARD && !r->answered) {
		/* "c;BASE64": the letter may be missing or differ from the query */
		data = strchr(reply->text, ';');
		r->answered = true;
		r->broken = data == NULL || !base64_decode(r->text, data + 1,
		    reply->size - (size_t)(data + 1 - reply->text));
	}
	if (reply->kind == REPLY_DA1) {
		r->fenced = true;
		/* a terminal that asks the user replies to the fence first */
		*timeout_ms = asks ? patience(r) : 0;
	}
	return !(r->fenced && (r->answered || !asks));
}

static bool
no_clipboard_reply(struct reading *r, struct replies replies)
{
	const struct route *route = r->route;
	const bool asks = route->reads == SUPPORT_ASKS;
	const char *setting = terminal_switch(route->terminal, FEATURE_PASTE);

	if (query_failed(replies, r->error) || r->error->status != STATUS_DONE)
		return false;
	if (r->stopped)
		return query_lost_reply(r->error);
	/* the user was slower than tmux allows */
	if (asks && asks_by_client(route) && patience(r) == TMUX_CLIENT_MS)
		return fail(r->error, STATUS_NO_REPLY,
		    "%s asks you before it replies, and tmux waits only %d seconds\n"
		    "answer within %d seconds, or run it outside tmux", route->terminal->name,
		    TMUX_CLIENT_MS / 1000, TMUX_CLIENT_MS / 1000);
	if (asks)
		return fail(r->error, STATUS_NO_REPLY,
		    "%s asks you before it replies, and did not reply\n"
		    "answer in time; --timeout SECS waits longer", route->terminal->name);
	return fail(r->error, STATUS_NO_REPLY, "the terminal does not report the clipboard\n%s",
	    setting != NULL ? setting_hint(setting).text :
	    "most terminals never do, some need a setting: see viatty-paste(1)");
}

static bool
query_clipboard(struct reading *r, const struct path *path)
{
	const size_t passed = r->route->reply_max, max = r->text->max;
	const bool by_client = asks_by_client(r->route);
	char text[] = QUERY_CLIPBOARD;
	struct replies replies;

	text[strcspn(text, "c")] = r->request->selections[0];
	r->reply_max = base64_encoded_size(max) + REPLY_EXTRA;
	if (passed != 0 && passed < r->reply_max)
		r->reply_max = passed;
	/* tmux replies to a fence itself, before the terminal */
	r->fenced = r->route->tmux != NULL;
	r->error->status = STATUS_DONE;
	replies = query(&(struct query){
		.text = by_client ? "" : text,
		.chain = &r->route->chain,
		.no_fence = r->fenced,
		.abort = CLIPBOARD_ABORT,
		.start = by_client ? start_refresh_client : NULL,
		.timeout_ms = patience(r),
		.user = true,
		.reply_max = r->reply_max,
		.receive = receive_clipboard,
		.context = r,
	});
	r->stopped = replies.stopped;
	if (!r->answered)
		return no_clipboard_reply(r, replies);
	if (r->oversized || r->text->full || r->text->len > max)
		return r->reply_max != passed ?
		    fail(r->error, STATUS_REFUSED, "the clipboard is larger than %zu bytes\n"
		        "--max BYTES raises the limit", max) :
		    fail(r->error, STATUS_REFUSED,
		        "the clipboard is larger than the %zu bytes that %s passes on\n"
		        "run it outside %s, or " OWN_KEY, r->route->limit,
		        path->hop[0].row->name, path->hop[0].row->name);
	if (path_bytes(path) == BYTES_ASCII &&
	    text_ascii_prefix((const char *)r->text->data, r->text->len) < r->text->len)
		return fail(r->error, STATUS_FAILED,
		    "this version of %s garbles characters that are not ASCII\n"
		    "use a newer version, or " OWN_KEY, r->route->who);
	return !r->broken || fail(r->error, STATUS_FAILED,
	    "the terminal's reply is not base64\n"
	    OWN_KEY);
}

bool
read_selection(struct buf *text, const struct route *route, const struct path *path,
    const struct request *request, struct error *error)
{
	struct reading r = { .route = route, .request = request, .text = text, .error = error };

	return query_clipboard(&r, path);
}

bool
tmux_has_taken(const struct path *path, const struct request *request, const struct buf *copy,
    struct error *error)
{
	struct route route;
	struct buf text;
	struct reading r = { .route = &route, .request = request, .text = &text,
		.error = error };
	bool same;

	route_begin(&route, ROUTE_DIRECT, path);
	buf_init(&text, copy->len);
	same = query_clipboard(&r, path) && text.len == copy->len &&
	    memcmp(text.data, copy->data, copy->len) == 0;
	buf_free(&text);
	if (same || (!r.answered && (r.stopped || error->status != STATUS_NO_REPLY)))
		return same;
	return fail(error, STATUS_NO_REPLY, "%s\n"
	    "where that tmux runs, tmux set -g set-clipboard on", r.answered ?
	    "the reply to a clipboard query is another text than was copied" :
	    "tmux does not reply to a clipboard query: it has dropped the copy, unless it "
	    "passes wrapped sequences");
}
