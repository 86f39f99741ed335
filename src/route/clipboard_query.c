/* SPDX-License-Identifier: MIT */
/* Reads the clipboard. */
#include "route/route.h"

#include "base/base.h"
#include "encoder/encoder.h"
#include "tty/tty.h"

#include <string.h>
#include <sys/param.h>
#include <unistd.h>

enum {
	/* for a terminal that replies without asking the user; usually ended by the fence */
	REPLY_MS = 2000,
	/* before the user is asked to paste, while a later reply counts, too */
	PROMPT_AFTER_MS = 1000,
	/* for a terminal that asks the user first */
	PERSON_MS = 60000,
	/*
	 * tmux 3.3 to 3.6 waits this long for the terminal's reply, and drops a later one (tty.c,
	 * TTY_QUERY_TIMEOUT). Since 3.7 it waits for half a second (input.c,
	 * INPUT_REQUEST_TIMEOUT).
	 */
	TMUX_CLIENT_MS = 5000,
	/* where that reply did not come before in this login */
	UNREAD_MS = 1000,
	/* letters, separators and padding around the base64 */
	REPLY_EXTRA = 16
};

struct reading {
	const struct route *route;
	const struct path *path;
	const struct request *request;
	struct buf *text;
	struct error *error;
	unsigned reply_ms; /* how long to wait for a reply */
	bool replied, fenced, broken, oversized;
	struct pasted pasted;
	char line[160], unmarked_line[160]; /* of `pasted` */
};

/* ---- query and reply ----------------------------------------------------- */

/* Makes tmux query the terminal of its client. */
static bool
start_refresh_client(void *context)
{
	struct reading *r = context;

	return tmux_request_clipboard(&r->route->tmux->tmux, r->error);
}

/* "c;BASE64": the letter may be missing or differ from the query. */
static void
decode_reply(struct reading *r, const struct reply *reply)
{
	const char *data = strchr(reply->text, ';');
	char *cr;

	r->text->len = 0;
	r->broken = data == NULL || (!base64_decode(r->text, data + 1,
	    reply->size - (size_t)(data + 1 - reply->text)) && !r->text->full);
	/* foot leaves newlines alone where pastes are bracketed */
	if (r->path->end.version[0] != '\0' && r->text->len > 0 &&
	    memchr(r->text->data, '\n', r->text->len) == NULL &&
	    terminal_quirk(r->route->terminal, r->path->end.version, QUIRK_TYPED) != NULL)
		while ((cr = memchr(r->text->data, '\r', r->text->len)) != NULL)
			*cr = '\n';
}

static bool
receive_clipboard(void *context, const struct reply *reply, unsigned *timeout_ms)
{
	struct reading *r = context;
	const bool asks = r->route->reads == SUPPORT_ASKS;

	if (r->pasted.state <= PASTED_NOTHING && !r->replied &&
	    (reply->kind == REPLY_CLIPBOARD || reply->kind == REPLY_OVERSIZED)) {
		r->replied = true;
		r->oversized = reply->kind == REPLY_OVERSIZED;
		if (!r->oversized)
			decode_reply(r, reply);
		/* most that ask the user report a refusal as an empty clipboard */
		r->pasted.answered = !r->broken &&
		    (!asks || r->oversized || r->text->full || r->text->len > 0);
	}
	if (reply->kind == REPLY_DA1) {
		r->fenced = true;
		/* a terminal that asks the user replies to the fence first */
		*timeout_ms = asks ? r->reply_ms : 0;
	}
	/* the rest of one that is too large may be endless: query() discards it */
	return !r->oversized && !(r->fenced && (r->replied || !asks));
}

static bool
no_clipboard_reply(struct reading *r, struct replies replies)
{
	const struct terminal *terminal = r->route->terminal;
	const char *setting = terminal_setting(terminal, FEATURE_PASTE);

	if (query_failed(replies, r->error) || r->error->status != STATUS_DONE)
		return false;
	if (replies.stopped)
		return fail(r->error, STATUS_NO_REPLY, "the reply was lost: viatty was suspended "
		    "(Ctrl-Z) while waiting for it\nrun it again");
	if (r->route->reads == SUPPORT_ASKS)
		return fail(r->error, STATUS_NO_REPLY,
		    "no reply from %s, which asks you before it replies\nanswer in time",
		    terminal->name);
	if (r->route->reads == SUPPORT_YES && r->route->tmux == NULL)
		return fail(r->error, STATUS_NO_REPLY,
		    "no reply from %s, which reports the clipboard\n"
		    "click into its window, answer what it asks, and run it again",
		    terminal->name);
	return fail(r->error, STATUS_NO_REPLY, "the terminal does not report the clipboard\n%s",
	    setting != NULL ? setting_hint(setting).text :
	    "most terminals never do, some need a setting: see viatty-paste(1)");
}

static bool
is_too_large(struct reading *r)
{
	if (!r->oversized && !r->text->full)
		return false;
	r->text->len = 0;
	return !fail(r->error, STATUS_REFUSED, "the clipboard is larger than %zu bytes\n"
	    "--max BYTES raises the limit", r->text->max);
}

static struct pasted
paste_by_key(struct reading *r)
{
	const struct terminal *terminal = r->route->terminal;
	const unsigned given_ms = r->request->given.timeout_ms;
	const bool unmarked = terminal_quirk(terminal, "", QUIRK_UNMARKED) != NULL;
	const struct quirk *quirk = terminal_quirk(terminal, "", QUIRK_PASTE_KEY);
	const char *key = quirk != NULL ? quirk->text : "Ctrl+Shift+V, Cmd+V";

	text_format(r->line, sizeof(r->line), "viatty: paste now (%s); Ctrl+C cancels", key);
	text_format(r->unmarked_line, sizeof(r->unmarked_line),
	    "viatty: paste now (%s), then Ctrl+D; Ctrl+C cancels", key);
	return (struct pasted){
		.text = r->text,
		.line = unmarked ? r->unmarked_line : r->line,
		.unmarked_line = r->unmarked_line,
		.in_parts = terminal_quirk(terminal, "", QUIRK_IN_PARTS) != NULL,
		.erases = tty_foreground(STDERR_FILENO),
		.timeout_ms = given_ms != 0 ? given_ms : PASTED_MS,
	};
}

/* Whether the user has pasted, who was asked to. */
static bool
has_pasted(struct reading *r, struct replies replies)
{
	const bool timed_out = replies.end == TTY_TIMED_OUT;

	if (timed_out && r->pasted.state == PASTED_PART)
		return fail(r->error, STATUS_FAILED, "incomplete: the terminal has sent nothing "
		    "for %d seconds, and no end of the text\npaste again",
		    PASTED_STALL_MS / 1000);
	if (replies.end != TTY_DONE)
		r->text->len = 0;
	if (timed_out)
		return fail(r->error, STATUS_NO_REPLY, "nothing was pasted in time\n"
		    "--timeout SECS waits longer");
	return !query_failed(replies, r->error);
}

bool
clipboard_read(struct buf *text, const struct route *route, const struct path *path,
    const struct request *request, struct error *error)
{
	const bool prompts = request->prompt != PROMPT_NEVER;
	const bool asks = route->reads == SUPPORT_ASKS;
	const unsigned given_ms = request->given.timeout_ms;
	/* by refresh-client -l; since 3.7 tmux forwards the query */
	const bool by_client = route->tmux != NULL && !tmux_is_at_least(&route->tmux->tmux, 3, 7);
	/* as long as tmux, which drops a later reply */
	const bool waits_with_tmux = by_client && !prompts &&
	    (given_ms == 0 || given_ms >= TMUX_CLIENT_MS);
	const bool was_unread = waits_with_tmux && given_ms == 0 && !asks &&
	    path_remembers(path, REMEMBERED_UNREAD);
	struct reading r = {
		.route = route, .path = path, .request = request, .text = text, .error = error,
		/* tmux replies to a fence itself, before the terminal */
		.fenced = route->tmux != NULL || route->by_key,
	};
	char query[] = QUERY_CLIPBOARD;
	struct replies replies;
	bool pastes;

	if (route->kind == ROUTE_NATIVE)
		return native_paste(route, path, request, text, error);
	query[strcspn(query, "c")] = request->selections[0];
	r.pasted = paste_by_key(&r);
	r.reply_ms = prompts ? PROMPT_AFTER_MS : was_unread ? UNREAD_MS :
	    waits_with_tmux ? TMUX_CLIENT_MS : given_ms != 0 ? given_ms :
	    asks && route->tmux == NULL ? PERSON_MS : REPLY_MS;
	error->status = STATUS_DONE;
	replies = query_terminal(&request->given, (struct query){
		.text = by_client || route->by_key ? "" : query,
		.no_fence = r.fenced,
		.abort = CLIPBOARD_ABORT,
		.start = by_client ? start_refresh_client : NULL,
		.timeout_ms = route->by_key ? 0 : r.reply_ms,
		.late_ms = waits_with_tmux ? 0 : QUERY_LATE_USER_MS,
		.pasted = prompts ? &r.pasted : NULL,
		.reply_max = base64_encoded_size(text->max) + REPLY_EXTRA,
		.receive = receive_clipboard,
		.context = &r,
	});
	pastes = r.pasted.state != PASTED_UNASKED && !r.pasted.answered;
	r.oversized = r.oversized && !pastes;
	if (is_too_large(&r))
		return false;
	if (pastes)
		return has_pasted(&r, replies);
	if (!r.replied && waits_with_tmux && !was_unread && replies.end == TTY_TIMED_OUT)
		path_note_unread(path);
	if (!r.replied)
		return no_clipboard_reply(&r, replies);
	return !r.broken ||
	    fail(error, STATUS_FAILED, "the terminal's reply is not base64");
}
