/* SPDX-License-Identifier: MIT */
/* Reading the clipboard; the contract is in clipboard_query.h. */
#include "route/clipboard_query.h"

#include "base/base64.h"
#include "base/text.h"
#include "encoder/encoder.h"
#include "route/deliver.h"
#include "detect/probe.h"
#include "detect/reader.h"
#include "tty/device.h"
#include "tty/query.h"

#include <errno.h>
#include <string.h>

enum {
	/* for a terminal that replies without asking; the fence usually ends the wait */
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

/* Which program queries the terminal. */
enum asker {
	ASKER_SELF,        /* viatty, directly or wrapped for Screen */
	ASKER_TMUX_CLIENT, /* tmux, by refresh-client -l (3.3 to 3.6) */
	ASKER_TMUX         /* tmux, which forwards the query (since 3.7) */
};

struct reading {
	const struct read_request *request;
	struct read_plan *plan;
	enum asker asker;
	const struct terminal *terminal; /* that replies; NULL: unknown */
	struct chain chain;      /* layers of the query */
	size_t reply_max;        /* longest reply that hops pass completely; 0: any */
	const struct hop *tmux;  /* whose client is queried, or NULL */
	struct buf *text;
	struct error *error;
	bool answered, fenced, broken, oversized;
	bool stopped;            /* while a reply may have come */
	bool patient;            /* the terminal asks the user first */
};

/* ---- choosing the way to query --------------------------------------------- */

static bool
read_refused(struct reading *r, enum reason_id id, const struct hop *hop)
{
	r->plan->refusal = (struct reason){ .id = id, .hop = hop,
	    .feature = FEATURE_PASTE };
	return false;
}

static void
read_explained(struct reading *r, enum reason_id id, const struct hop *hop)
{
	r->plan->reason = (struct reason){ .id = id, .hop = hop };
}

/*
 * Since 3.7 tmux replies with its newest buffer, which may be old, unless options make it
 * forward the query to the terminal.
 */
static bool
by_tmux_itself(struct reading *r)
{
	const struct tmux *tmux = &r->tmux->tmux;

	r->asker = ASKER_TMUX;
	read_explained(r, REASON_READ_BY_TMUX, r->tmux);
	/* input_add_request() in input.c chooses the client used last */
	if (tmux->guests > 0)
		return read_refused(r, REASON_READ_GUESTS, r->tmux);
	if (tmux->set_clipboard != SET_CLIPBOARD_ON)
		return read_refused(r, REASON_READ_TMUX_SETTINGS, r->tmux);
	return tmux->get_clipboard == GET_CLIPBOARD_REQUEST ||
	    read_refused(r, REASON_READ_TMUX_SETTING, r->tmux);
}

/*
 * tmux 3.3 to 3.6 passes the terminal's reply to the pane that asked. Older versions only
 * store it in a buffer, which cannot be told from an old one.
 */
static bool
by_tmux_client(struct reading *r)
{
	r->asker = ASKER_TMUX_CLIENT;
	read_explained(r, REASON_READ_BY_TMUX_CLIENT, r->tmux);
	return tmux_is_at_least(&r->tmux->tmux, 3, 3) ||
	    read_refused(r, REASON_READ_TMUX_OLD, r->tmux);
}

/* By its reply to tmux, or by what is known of the terminal without it. */
static bool
is_xterm(const struct reading *r, const struct tmux_client *client)
{
	return text_begins(client->type, "XTerm(") ||
	    (r->terminal != NULL && strcmp(r->terminal->id, "xterm") == 0);
}

static bool
through_tmux(struct reading *r, const struct hop *hop)
{
	char own[DEVICE_NAME];

	if (!device_controlling(own) || strcmp(own, hop->tmux.pane_tty) != 0)
		return read_refused(r, REASON_READ_OTHER_PANE, hop);
	if (!hop->tmux.has_client)
		return read_refused(r, REASON_READ_NOBODY_ATTACHED, hop);
	/* tmux may query that client instead */
	if (hop->tmux.client_claimed)
		return read_refused(r, REASON_READ_CLIENT_CLAIMED, hop);
	/* the outer tmux replies with its own buffer, which may be old */
	if (text_begins(hop->tmux.client.type, "tmux"))
		return read_refused(r, REASON_READ_TMUX_IN_TMUX, hop);
	/* tmux queries without a selection letter: xterm replies with the primary one */
	if (is_xterm(r, &hop->tmux.client))
		return read_refused(r, REASON_READ_TMUX_IN_XTERM, hop);
	if (r->request->selection != 'c')
		return read_refused(r, REASON_READ_TMUX_SELECTION, hop);
	r->tmux = hop;
	return true;
}

/* Where no hop is a tmux that is asked itself. */
static bool
through_hops(struct reading *r, const struct path *path)
{
	const struct hop *hop = path_reply_chain(path, &r->chain, &r->reply_max);
	const struct hop *end = hop != NULL ? hop : path->hop + path->hops;

	if (end > path->hop)
		read_explained(r, REASON_READ_WRAPPED, end - 1);
	/* all hops before it are Screen */
	return hop == NULL || read_refused(r, hop->kind == HOP_TMUX ?
	    REASON_READ_SCREEN_IN_TMUX : REASON_READ_THROUGH_HOP, hop);
}

/* The first hop that passes copies but no queries, or NULL. */
static const struct hop *
hop_without_replies(const struct path *path)
{
	const struct hop *hop = path->hop, *end = hop + path->hops;

	for (; hop < end; hop++)
		if (hop_row(hop)->form == FORM_PLAIN &&
		    multiplexer_passes_now(hop_row(hop), FEATURE_PASTE) == SUPPORT_NO)
			return hop;
	return NULL;
}

static bool
find_way(struct reading *r, const struct path *path)
{
	const struct hop *without = hop_without_replies(path);

	read_explained(r, REASON_READ_STRAIGHT, NULL);
	if (without != NULL)
		return read_refused(r, REASON_READ_NO_REPLIES, without);
	if (path->hops > 0 && path->hop[0].kind == HOP_TMUX)
		return through_tmux(r, &path->hop[0]);
	return through_hops(r, path);
}

/*
 * Checked last: a tmux option does not help if the terminal never replies. Since 3.7 tmux
 * does not wait long enough for a user to answer.
 */
static bool
tmux_hands_over(struct reading *r)
{
	if (!tmux_is_at_least(&r->tmux->tmux, 3, 7))
		return by_tmux_client(r);
	return by_tmux_itself(r) && (!r->patient || r->request->force ||
	    read_refused(r, REASON_READ_PERSON_SLOW, r->tmux));
}

/* Whether the query that identifies the terminal got no reply. */
static bool
is_silent(const struct reading *r, const struct path *path)
{
	return path->silent && path->named == NULL && r->tmux == NULL;
}

/* Only an identified terminal may be queried: some would clear the clipboard. */
static bool
is_identified(struct reading *r, const struct path *path)
{
	if (path->named != NULL || r->tmux != NULL)
		return true;
	if (path->signal != 0)
		return !query_failed(QUERY_SIGNALLED, r->error);
	if (is_silent(r, path))
		return read_refused(r, REASON_READ_SILENT, NULL);
	errno = path->probe.failure;
	return !query_failed(path->probe.end, r->error);
}

static enum support
paste_support(const struct reading *r, const struct path *path)
{
	enum support its = path_support(path, FEATURE_PASTE);

	return its != SUPPORT_UNKNOWN ? its :
	    terminal_support(r->terminal, FEATURE_PASTE);
}

static bool
may_ask(struct reading *r, const struct path *path)
{
	enum support support = paste_support(r, path);

	if (support == SUPPORT_EMPTIES)
		return read_refused(r, REASON_READ_EMPTIES, NULL);
	if (support == SUPPORT_NO && !r->request->force)
		return read_refused(r, REASON_READ_NOT_LET, NULL);
	/* mintty replies to every letter with its clipboard, do_clipboard() of 3.8.2 */
	if (r->request->selection == 'p' && !r->request->force &&
	    path_lacks(path, FEATURE_PRIMARY))
		return read_refused(r, REASON_READ_NO_PRIMARY, NULL);
	r->plan->asks = r->patient = support == SUPPORT_ASKS;
	return r->tmux == NULL || tmux_hands_over(r);
}

/* ---- query and reply ----------------------------------------------------- */

static unsigned
patience(const struct reading *r)
{
	unsigned given = r->request->timeout_ms;

	/* tmux drops what comes later */
	if (r->asker == ASKER_TMUX_CLIENT &&
	    (given > TMUX_CLIENT_MS || (given == 0 && r->patient)))
		return TMUX_CLIENT_MS;
	if (given != 0)
		return given;
	return r->patient && r->asker == ASKER_SELF ? PERSON_MS : REPLY_MS;
}

/* Makes tmux query the terminal of its client. */
static bool
start_refresh_client(void *context)
{
	struct reading *r = context;

	return tmux_request_clipboard(&r->tmux->tmux, TMUX_TIMEOUT_MS, r->error);
}

/* "c;BASE64": the letter may be missing or differ from the query. */
static void
take_clipboard(struct reading *r, const struct reply *reply)
{
	const char *data = strchr(reply->text, ';');

	r->answered = true;
	r->broken = data == NULL || !base64_decode(r->text, data + 1,
	    reply->size - (size_t)(data + 1 - reply->text));
}

static bool
receive_clipboard(void *context, const struct reply *reply, unsigned *timeout_ms)
{
	struct reading *r = context;

	if (reply->kind == REPLY_OVERSIZED) {
		/* it may never end: tty_query() discards the rest */
		r->answered = r->oversized = true;
		return false;
	}
	if (reply->kind == REPLY_CLIPBOARD && !r->answered)
		take_clipboard(r, reply);
	if (reply->kind == REPLY_DA1) {
		r->fenced = true;
		/* a terminal that asks the user replies to the fence first */
		*timeout_ms = r->patient ? patience(r) : 0;
	}
	return !(r->fenced && (r->answered || !r->patient));
}

static bool
on_clipboard_stop(void *context, bool cut)
{
	struct reading *r = context;

	r->stopped = true;
	return !cut;
}

static bool
add_question(struct buf *bytes, void *context)
{
	const struct reading *r = context;

	return encode_clipboard_read(bytes, r->request->selection);
}

/* The user was not as quick as the time limit, or tmux, requires. */
static bool
no_answer_in_time(struct reading *r)
{
	bool tmux = r->asker == ASKER_TMUX_CLIENT && patience(r) == TMUX_CLIENT_MS;

	read_refused(r, tmux ? REASON_READ_NO_REPLY_TMUX : REASON_READ_NO_REPLY_PERSON,
	    r->tmux);
	r->plan->refusal.limit = TMUX_CLIENT_MS / 1000;
	return false;
}

static bool
no_clipboard_reply(struct reading *r, const struct query_result *answer)
{
	if (query_failed(answer->end, r->error) ||
	    r->error->status != STATUS_DONE)
		return false;
	if (r->stopped)
		return query_lost_reply(r->error);
	if (r->patient)
		return no_answer_in_time(r);
	return read_refused(r, terminal_switch(r->terminal, FEATURE_PASTE) != NULL ?
	    REASON_READ_NO_REPLY_SETTING : REASON_READ_NO_REPLY, NULL);
}

static size_t
reply_max(const struct reading *r)
{
	size_t max = base64_encoded_size(r->request->max) + REPLY_EXTRA;

	return r->reply_max != 0 && max > r->reply_max ? r->reply_max : max;
}

/* Larger than --max, or than a hop passes completely. */
static bool
too_large(struct reading *r, const struct path *path)
{
	bool by_hop = reply_max(r) == r->reply_max;

	read_refused(r, by_hop ? REASON_READ_LARGE_FOR_HOP : REASON_READ_LARGE,
	    by_hop ? &path->hop[0] : NULL);
	r->plan->refusal.limit = by_hop ? r->plan->limit : r->request->max;
	return false;
}

static bool
query_clipboard(struct reading *r, const struct path *path, int *signal)
{
	bool by_client = r->asker == ASKER_TMUX_CLIENT;
	const struct query query = {
		.encode = by_client ? NULL : add_question,
		.chain = &r->chain,
		/* tmux replies to a fence itself, before the terminal */
		.fence = r->asker == ASKER_SELF ? FENCE_WRAPPED : FENCE_NONE,
		.abort = CLIPBOARD_ABORT,
		.start = by_client ? start_refresh_client : NULL,
		.timeout_ms = patience(r),
		.reply_max = reply_max(r),
		.is_read = reader_is_another,
		.receive = receive_clipboard,
		.on_stop = on_clipboard_stop,
		.context = r,
	};
	struct query_result answer;

	r->fenced = query.fence == FENCE_NONE;
	answer = tty_query(QUERY_CONTROLLING, &query);
	*signal = answer.signal;
	if (!r->answered)
		return no_clipboard_reply(r, &answer);
	if (r->oversized || r->text->fault != BUF_FINE ||
	    r->text->len > r->request->max)
		return too_large(r, path);
	return !r->broken || read_refused(r, REASON_READ_NOT_BASE64, NULL);
}

/* Chooses how to query. */
static bool
begin_reading(struct reading *r, const struct path *path,
    const struct read_request *request, struct read_plan *plan, struct error *error)
{
	const struct terminal *terminal = path_terminal(path);

	*plan = (struct read_plan){ .terminal = terminal };
	terminal_title(plan->who, terminal, NULL);
	*r = (struct reading){ .request = request, .plan = plan,
	    .terminal = terminal, .error = error };
	if (query_failed(query_allowed(QUERY_CONTROLLING, reader_is_another), error) ||
	    !find_way(r, path))
		return false;
	plan->limit = r->reply_max / 4 * 3;
	return true;
}

bool
read_check(struct read_plan *plan, const struct path *path,
    const struct read_request *request, struct error *error)
{
	struct reading r;

	return begin_reading(&r, path, request, plan, error) && may_ask(&r, path) &&
	    (!is_silent(&r, path) || read_refused(&r, REASON_READ_SILENT, NULL));
}

bool
read_selection(struct buf *text, struct read_plan *plan, const struct path *path,
    const struct read_request *request, int *signal, struct error *error)
{
	struct reading r;

	*signal = path->signal;
	*plan = (struct read_plan){ .limit = 0 };
	/* report the failed query: opening a closed terminal fails less clearly */
	errno = path->probe.failure;
	if (path->probe.end == QUERY_FAILED)
		return !query_failed(QUERY_FAILED, error);
	if (!begin_reading(&r, path, request, plan, error))
		return false;
	r.text = text;
	return is_identified(&r, path) && may_ask(&r, path) &&
	    query_clipboard(&r, path, signal);
}
