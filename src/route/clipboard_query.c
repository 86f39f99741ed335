/* SPDX-License-Identifier: MIT */
/* Reads the clipboard. */
#include "route/route.h"

#include "base/base.h"
#include "encoder/encoder.h"
#include "tty/tty.h"

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

/* ---- query and reply ----------------------------------------------------- */

static unsigned
patience(const struct reading *r)
{
	const bool asks = r->route->reads == SUPPORT_ASKS;
	unsigned given = r->request->given.timeout_ms;

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
		    "tmux waits only %d seconds for a reply, and %s asks you before it replies\n"
		    "answer within %d seconds, or run it outside tmux", TMUX_CLIENT_MS / 1000,
		    route->terminal->name, TMUX_CLIENT_MS / 1000);
	if (asks)
		return fail(r->error, STATUS_NO_REPLY,
		    "no reply from %s, which asks you before it replies\n"
		    "answer in time; --timeout SECS waits longer", route->terminal->name);
	if (route->tmux != NULL && route->reads == SUPPORT_YES)
		return fail(r->error, STATUS_NO_REPLY, "tmux passed on no reply: it drops one "
		    "without text, and may drop the query while a program prints much\n"
		    "try again, or " OWN_KEY);
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
	replies = query_terminal(&r->request->given, (struct query){
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
