/* SPDX-License-Identifier: MIT */
/* Reads the clipboard. */
#include "route/route.h"

#include "base/base.h"
#include "encoder/encoder.h"
#include "tty/tty.h"

#include <string.h>
#include <unistd.h>

#define PASTE_NOW "viatty: paste now (Ctrl+Shift+V, Cmd+V)"
#define PASTE_UNMARKED PASTE_NOW ", then Ctrl+D; Ctrl+C cancels"

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
	/* for one that did not report it to tmux earlier in this login */
	MUTE_MS = 1000,
	/* letters, separators and padding around the base64 */
	REPLY_EXTRA = 16,
	/* Screen 4.9 lost single bytes of a paste of 100 kB */
	SCREEN_PASTE_SURE = 32 * 1024
};

struct reading {
	const struct route *route;
	const struct request *request;
	struct buf *text;
	struct error *error;
	size_t reply_max;        /* of hops, and at most as much as requested */
	bool answered, fenced, broken, oversized;
	bool was_mute;           /* it did not reply to tmux earlier in this login */
	bool denied;             /* not answered: empty, or larger than the hops pass */
	struct pasted pasted;
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

	if (r->route->by_key)
		return 0;
	/* tmux passes a reply on when it has all of it, and drops a later one */
	if (asks_by_client(r->route) && (given > TMUX_CLIENT_MS || given == 0))
		return r->was_mute ? MUTE_MS : TMUX_CLIENT_MS;
	if (given != 0)
		return given;
	/* a later reply counts, too, while the user is asked to paste */
	if (r->request->prompt != PROMPT_NEVER)
		return REPLY_MS;
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

	if (reply->kind == REPLY_OVERSIZED && r->request->prompt != PROMPT_NEVER &&
	    r->reply_max == r->route->reply_max) {
		r->denied = true;
		return false;
	}
	if (reply->kind == REPLY_OVERSIZED) {
		/* the rest may be endless: query() discards it */
		r->answered = r->oversized = true;
		return false;
	}
	if (reply->kind == REPLY_CLIPBOARD && !r->answered &&
	    r->pasted.state == PASTED_NOTHING) {
		r->text->len = 0;
		/* "c;BASE64": the letter may be missing or differ from the query */
		data = strchr(reply->text, ';');
		r->answered = true;
		r->broken = data == NULL || !base64_decode(r->text, data + 1,
		    reply->size - (size_t)(data + 1 - reply->text));
		/* most that ask the user report a refusal so */
		r->denied = asks && r->text->len == 0 && !r->broken &&
		    r->request->prompt != PROMPT_NEVER;
		r->answered = r->pasted.answered = !r->denied;
	}
	if (reply->kind == REPLY_DA1) {
		r->fenced = true;
		/* a terminal that asks the user replies to the fence first */
		*timeout_ms = asks ? patience(r) : 0;
	}
	return !(r->fenced && (r->answered || r->denied || !asks));
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
is_too_large(struct reading *r, const struct path *path)
{
	const size_t max = r->text->max;
	const char *hop = path->hops > 0 ? path->hop[0].row->name : "";

	if (!r->oversized && !r->text->full && r->text->len <= max)
		return false;
	r->text->len = 0;
	if (r->oversized && r->reply_max == r->route->reply_max)
		return !fail(r->error, STATUS_REFUSED,
		    "the clipboard is larger than the %zu bytes that %s passes on\n"
		    "run it outside %s, or " OWN_KEY, r->route->limit, hop, hop);
	return !fail(r->error, STATUS_REFUSED, "the clipboard is larger than %zu bytes\n"
	    "--max BYTES raises the limit", max);
}

static struct pasted
paste_by_key(const struct reading *r)
{
	const struct terminal *terminal = r->route->terminal;
	const enum paste_marks marks = terminal != NULL ?
	    (enum paste_marks)terminal->paste_marks : MARKS_AROUND;
	const unsigned given_ms = r->request->given.timeout_ms;

	return (struct pasted){
		.text = r->text,
		.line = marks == MARKS_NONE ? PASTE_UNMARKED : PASTE_NOW "; Ctrl+C cancels",
		.unmarked_line = PASTE_UNMARKED,
		.in_parts = marks == MARKS_AROUND_PARTS,
		.erases = tty_foreground(STDERR_FILENO),
		.timeout_ms = given_ms != 0 ? given_ms : PASTED_MS,
	};
}

/* Whether the user has pasted, who was asked to. */
static bool
has_pasted(struct reading *r, struct replies replies, const struct path *path)
{
	const bool timed_out = replies.end == TTY_TIMED_OUT;
	size_t i;

	if (is_too_large(r, path))
		return false;
	if (timed_out && r->pasted.state == PASTED_PART)
		return fail(r->error, STATUS_FAILED, "incomplete: the terminal has sent nothing "
		    "for %d seconds, and no end of the text\npaste again",
		    PASTED_STALL_MS / 1000);
	if (timed_out || replies.end != TTY_DONE)
		r->text->len = 0;
	if (timed_out)
		return fail(r->error, STATUS_NO_REPLY, "nothing was pasted in time\n"
		    "--timeout SECS waits longer");
	if (query_failed(replies, r->error))
		return false;
	for (i = 0; i < path->hops && r->text->len > SCREEN_PASTE_SURE; i++)
		if (path->hop[i].row->kind == HOP_SCREEN)
			warn("Screen may have lost bytes of a paste as large as this\n"
			    "compare it, or run it outside Screen");
	return true;
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
	r->fenced = r->route->tmux != NULL || r->route->by_key;
	r->error->status = STATUS_DONE;
	r->pasted = paste_by_key(r);
	r->was_mute = by_client && path_remembers(path, REMEMBERED_MUTE);
	replies = query_terminal(&r->request->given, (struct query){
		.text = by_client || r->route->by_key ? "" : text,
		.chain = &r->route->chain,
		.no_fence = r->fenced,
		.abort = CLIPBOARD_ABORT,
		.start = by_client ? start_refresh_client : NULL,
		.timeout_ms = patience(r),
		.user = true,
		.no_linger = by_client && (r->was_mute || patience(r) == TMUX_CLIENT_MS),
		.pasted = r->request->prompt != PROMPT_NEVER ? &r->pasted : NULL,
		.reply_max = r->reply_max,
		.receive = receive_clipboard,
		.context = r,
	});
	r->stopped = replies.stopped;
	if (by_client && r->answered == r->was_mute && r->route->reads != SUPPORT_ASKS &&
	    (r->answered || replies.asked_user || replies.end == TTY_TIMED_OUT))
		path_note(path, REMEMBERED_MUTE, !r->answered);
	if (replies.asked_user && !r->answered)
		return has_pasted(r, replies, path);
	if (!r->answered)
		return no_clipboard_reply(r, replies);
	if (is_too_large(r, path))
		return false;
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
