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
	/* for a terminal that answers; the fence ends the waiting before */
	REPLY_MS = 2000,
	/* for one that asks its person first */
	PERSON_MS = 60000,
	/*
	 * tmux 3.3 to 3.6 waits so long for the terminal's reply (tty.c,
	 * TTY_QUERY_TIMEOUT); from 3.7 on it is half a second (input.c,
	 * INPUT_REQUEST_TIMEOUT).
	 */
	TMUX_CLIENT_MS = 5000,
	/*
	 * Screen 4.9 loses bytes of a long reply on its way to the window: none of
	 * 8,000 in 15 tries, some of 12,000 in most.
	 */
	SCREEN_REPLY_MAX = 8000,
	/* letters, separators and padding around the base64 */
	REPLY_EXTRA = 16
};

/* Who puts the question to the terminal. */
enum asker {
	ASKER_SELF,        /* straight, or wrapped for Screen */
	ASKER_TMUX_CLIENT, /* tmux, told to by its program (3.3 to 3.6) */
	ASKER_TMUX         /* tmux, which hands on the plain one (since 3.7) */
};

struct reading {
	const struct read_request *request;
	enum asker asker;
	const struct terminal *terminal; /* who answers, NULL for unknown */
	struct chain chain;      /* what the question is wrapped for */
	const struct tmux *tmux; /* whose client is asked, or NULL */
	struct buf *text;
	struct error *error;
	bool answered, fenced, broken, oversized;
	bool patient;            /* a person is asked first */
};

/* ---- whom to ask, and how ----------------------------------------------- */

static bool
unreadable(struct reading *r, const char *who, const char *hint)
{
	error_set(r->error, STATUS_REFUSED,
	    "the clipboard cannot be read through %s", who);
	return error_hint(r->error, "%s", hint);
}

/*
 * Since 3.7 tmux answers from its newest buffer, which may be old, unless it is
 * set up to hand the question to the terminal.
 */
static bool
by_tmux_itself(struct reading *r, const struct tmux *tmux)
{
	r->asker = ASKER_TMUX;
	/* input_add_request() of input.c chooses the client used last */
	if (tmux->guests > 0) {
		unreadable(r, "a tmux to which another user is attached, who might "
		    "answer", "detach that one with prefix D");
		return false;
	}
	if (tmux->set_clipboard == SET_CLIPBOARD_ON &&
	    tmux->get_clipboard == GET_CLIPBOARD_REQUEST)
		return true;
	error_set(r->error, STATUS_REFUSED, "tmux %s answers from its own "
	    "buffers, or not at all, as it is set up", tmux->version);
	return error_hint(r->error, "add this to ~/.tmux.conf: set -s "
	    "get-clipboard request%s", tmux->set_clipboard == SET_CLIPBOARD_ON ?
	    "" : " ; set -s set-clipboard on");
}

/*
 * tmux 3.3 to 3.6 hands the terminal's reply to the pane that wants it. Before,
 * it only keeps it as a buffer, and nobody can tell that from an old one.
 */
static bool
by_tmux_client(struct reading *r, const struct tmux *tmux)
{
	r->asker = ASKER_TMUX_CLIENT;
	if (tmux_is_at_least(tmux, 3, 3))
		return true;
	error_set(r->error, STATUS_REFUSED, "tmux %s keeps what the terminal "
	    "replies to itself; it hands it to a program since 3.3",
	    tmux->version);
	return error_hint(r->error, "call it outside tmux");
}

/* By its reply to tmux, or by what is known of the terminal without it. */
static bool
is_xterm(const struct reading *r, const struct tmux_client *client)
{
	return text_begins(client->type, "XTerm(") ||
	    (r->terminal != NULL && strcmp(r->terminal->id, "xterm") == 0);
}

static bool
is_around(const struct path *path, enum hop_kind kind)
{
	size_t i;

	for (i = 0; i < path->hops; i++)
		if (path->hop[i].kind == kind)
			return true;
	return false;
}

static bool
through_tmux(struct reading *r, const struct hop *hop)
{
	char own[DEVICE_NAME];

	if (!device_controlling(own) || strcmp(own, hop->tmux.pane_tty) != 0)
		return unreadable(r, "a program that runs in a pane of tmux",
		    "call it in the pane itself");
	if (!hop->tmux.has_client)
		return unreadable(r, "a tmux that no terminal shows",
		    "attach one: tmux attach");
	/* tmux may ask that one instead */
	if (hop->tmux.client_claimed)
		return unreadable(r, "a tmux to which another user is attached, who "
		    "says to sit at the same terminal",
		    "detach that one with prefix D");
	/* the outer one answers from its own buffer, which may be old */
	if (text_begins(hop->tmux.client.type, "tmux"))
		return unreadable(r, "a tmux inside another one",
		    "call it outside the inner one");
	/* tmux names no selection, which means the primary one there */
	if (is_xterm(r, &hop->tmux.client))
		return unreadable(r, "xterm with a tmux in it",
		    "call it outside tmux");
	if (r->request->selection != 'c')
		return unreadable(r, "tmux, except for the clipboard",
		    "leave out -p and -S");
	r->tmux = &hop->tmux;
	return true;
}

static bool
find_way(struct reading *r, const struct path *path)
{
	size_t i;

	/* it answers no query for the clipboard, and forwards one as a copy of ? */
	if (is_around(path, HOP_MOSH))
		return unreadable(r, "mosh", "use ssh, or paste with the terminal's "
		    "own key");
	if (path->hops > 0 && path->hop[0].kind == HOP_TMUX)
		return through_tmux(r, &path->hop[0]);
	for (i = 0; i < path->hops; i++) {
		if (path->hop[i].kind != HOP_SCREEN || path->hop[i].detached)
			return unreadable(r, path->hop[i].name,
			    "call it outside of it");
		chain_add(&r->chain, LAYER_SCREEN);
	}
	return true;
}

/*
 * Last, for a setting of tmux does not help where the terminal never answers. A
 * person who is asked first is slower than tmux since 3.7 waits.
 */
static bool
tmux_hands_over(struct reading *r)
{
	if (!tmux_is_at_least(r->tmux, 3, 7))
		return by_tmux_client(r, r->tmux);
	if (!by_tmux_itself(r, r->tmux))
		return false;
	if (!r->patient || r->request->force)
		return true;
	error_set(r->error, STATUS_REFUSED, "%s asks its person before it tells the "
	    "clipboard, and tmux %s waits half a second for it", r->terminal->name,
	    r->tmux->version);
	return error_hint(r->error, "call it outside tmux; if the terminal answers "
	    "without asking: --force");
}

/* Who answers decides whether the clipboard may be asked for at all. */
static bool
is_identified(struct reading *r, const struct path *path)
{
	if (r->request->terminal != NULL || r->tmux != NULL)
		return true;
	if (path->signal != 0)
		return error_set(r->error, STATUS_FAILED, "interrupted");
	if (path->silent)
		return error_set(r->error, STATUS_NO_REPLY,
		    "the terminal does not answer any question");
	errno = path->probe.failure;
	return !query_failed(path->probe.end, r->error);
}

/* Of the version that is there; who names the terminal means a current one. */
static enum support
paste_support(const struct reading *r, const struct path *path)
{
	enum support any = terminal_support(r->terminal, FEATURE_PASTE), its;

	if (r->request->terminal != NULL)
		return any;
	its = terminal_version_support(r->terminal, FEATURE_PASTE,
	    path_version(path));
	return its != SUPPORT_UNKNOWN ? its : any;
}

static bool
may_ask(struct reading *r, const struct path *path)
{
	enum support support = paste_support(r, path);

	char title[TERMINAL_TITLE];

	terminal_title(title, r->terminal, NULL);
	if (support == SUPPORT_EMPTIES) {
		error_set(r->error, STATUS_REFUSED, "%s takes the question for a "
		    "text and would empty the clipboard", title);
		return error_hint(r->error, "paste with the terminal's own key");
	}
	if (support == SUPPORT_NO && !r->request->force) {
		error_set(r->error, STATUS_REFUSED,
		    "%s does not let programs read the clipboard",
		    title);
		return error_hint(r->error, "paste with the terminal's own key; "
		    "if this is another terminal, say which with --term");
	}
	r->patient = support == SUPPORT_ASKS;
	return r->tmux == NULL || tmux_hands_over(r);
}

/* ---- the conversation --------------------------------------------------- */

static unsigned
patience(const struct reading *r)
{
	if (r->request->timeout_ms != 0)
		return r->request->timeout_ms;
	if (!r->patient || r->asker == ASKER_TMUX)
		return REPLY_MS;
	return r->asker == ASKER_TMUX_CLIENT ? TMUX_CLIENT_MS : PERSON_MS;
}

/* tmux puts the question to its client's terminal. */
static bool
start_refresh_client(void *context)
{
	struct reading *r = context;

	return tmux_request_clipboard(r->tmux, TMUX_TIMEOUT_MS, r->error);
}

/* "c;BASE64": the letter may be missing or another than was asked for. */
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
		/* it may have no end: tty_query() drops what comes */
		r->answered = r->oversized = true;
		return false;
	}
	if (reply->kind == REPLY_CLIPBOARD && !r->answered)
		take_clipboard(r, reply);
	if (reply->kind == REPLY_DA1) {
		r->fenced = true;
		/* whoever asks a person answers the fence first */
		*timeout_ms = r->patient ? patience(r) : 0;
	}
	return !(r->fenced && (r->answered || !r->patient));
}

static bool
add_question(struct buf *bytes, void *context)
{
	const struct reading *r = context;

	return encode_clipboard_read(bytes, r->request->selection);
}

static bool
no_clipboard_reply(struct reading *r, const struct query_result *answer)
{
	const char *setting = terminal_switch(r->terminal, FEATURE_PASTE);

	if (query_failed(answer->end, r->error) ||
	    r->error->status != STATUS_DONE)
		return false;
	error_set(r->error, STATUS_NO_REPLY,
	    "the terminal does not tell what is on the clipboard");
	return setting != NULL ?
	    error_hint(r->error, "it takes this setting: %s", setting) :
	    error_hint(r->error, "most terminals have to be allowed to, in their "
	        "own settings");
}

static size_t
reply_max(const struct reading *r)
{
	size_t max = base64_encoded_size(r->request->max) + REPLY_EXTRA;

	return chain_has(&r->chain, LAYER_SCREEN) && max > SCREEN_REPLY_MAX ?
	    SCREEN_REPLY_MAX : max;
}

/* Larger than asked for, or than what lies between can carry whole. */
static bool
too_large(const struct reading *r)
{
	if (reply_max(r) == SCREEN_REPLY_MAX)
		return error_set(r->error, STATUS_REFUSED, "the clipboard is "
		    "larger than Screen passes on whole, %d bytes",
		    SCREEN_REPLY_MAX / 4 * 3);
	error_set(r->error, STATUS_REFUSED,
	    "the clipboard is larger than %zu bytes", r->request->max);
	return error_hint(r->error, "--max BYTES raises the limit");
}

static bool
query_clipboard(struct reading *r, int *signal)
{
	bool by_client = r->asker == ASKER_TMUX_CLIENT;
	const struct query query = {
		.encode = by_client ? NULL : add_question,
		.chain = &r->chain,
		/* tmux answers a fence by itself, long before the terminal */
		.fence = r->asker == ASKER_SELF ? FENCE_WRAPPED : FENCE_NONE,
		.abort = CLIPBOARD_ABORT,
		.start = by_client ? start_refresh_client : NULL,
		.timeout_ms = patience(r),
		.reply_max = reply_max(r),
		.is_read = reader_is_another,
		.receive = receive_clipboard,
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
		return too_large(r);
	return !r->broken || error_set(r->error, STATUS_FAILED,
	    "the terminal's reply is not base64");
}

/* Looks for a way. */
static bool
begin_reading(struct reading *r, const struct path *path,
    const struct read_request *request, struct error *error)
{
	*r = (struct reading){
		.request = request,
		.terminal = request->terminal != NULL ? request->terminal :
		    path->terminal,
		.error = error,
	};
	return !query_failed(query_allowed(QUERY_CONTROLLING, reader_is_another),
	    error) && find_way(r, path);
}

static void
describe_way(struct read_way *way, const struct reading *r)
{
	static const char *const reasons[] = {
		[ASKER_SELF] = "the terminal is asked straight",
		[ASKER_TMUX_CLIENT] = "tmux has the terminal that shows it asked "
		    "and hands the reply on",
		[ASKER_TMUX] = "tmux hands the question to the terminal and the "
		    "reply back, as it is set up",
	};
	bool screen = chain_has(&r->chain, LAYER_SCREEN);

	text_format(way->reason, sizeof(way->reason), "%s", screen ?
	    "the terminal is asked through Screen" : reasons[r->asker]);
	way->limit = screen ? SCREEN_REPLY_MAX / 4 * 3 : 0;
}

bool
read_check(struct read_way *way, const struct path *path,
    const struct read_request *request, struct error *error)
{
	struct reading r;
	bool fine;

	if (!begin_reading(&r, path, request, error))
		return false;
	fine = may_ask(&r, path);
	describe_way(way, &r);
	return fine;
}

bool
read_selection(struct buf *text, const struct path *path,
    const struct read_request *request, int *signal, struct error *error)
{
	struct reading r;

	*signal = path->signal;
	/* a terminal that is gone cannot be opened either, which says less */
	errno = path->probe.failure;
	if (path->probe.end == QUERY_FAILED)
		return !query_failed(QUERY_FAILED, error);
	if (!begin_reading(&r, path, request, error))
		return false;
	r.text = text;
	return is_identified(&r, path) && may_ask(&r, path) && query_clipboard(&r, signal);
}
