/* SPDX-License-Identifier: MIT */
/* Reading the title; the contract is in title_query.h. */
#include "route/title_query.h"

#include "encoder/encoder.h"
#include "detect/reader.h"
#include "tty/query.h"

#include <string.h>

enum {
	/* the fence usually ends the wait earlier */
	REPLY_MS = 1000,
	/* longer than any visible title */
	REPLY_BYTES_MAX = 64 * 1024
};

struct title_reading {
	struct buf *title;
	bool answered;
	const struct terminal *terminal; /* that replied, or NULL */
};

static bool
receive_title(void *context, const struct reply *reply, unsigned *timeout_ms)
{
	struct title_reading *r = context;

	(void)timeout_ms;
	if (reply->kind == REPLY_VERSION)
		r->terminal = terminal_by_version(reply->text);
	if (reply->kind == REPLY_DA3 && r->terminal == NULL)
		r->terminal = terminal_by_da3(reply->text);
	if (reply->kind == REPLY_TITLE && !r->answered)
		r->answered = buf_add(r->title, reply->text, reply->size);
	return reply->kind != REPLY_DA1;
}

/* VTE always replies with an empty title: vteseq.cc, XTERM_WM. */
static bool
is_told(const struct title_reading *r, const struct terminal *terminal)
{
	if (r->terminal != NULL)
		terminal = r->terminal;
	return r->answered && (r->title->len > 0 || terminal == NULL ||
	    strcmp(terminal->id, "vte") != 0);
}

static bool
no_title_reply(const struct query_result *answer, struct error *error)
{
	if (query_failed(answer->end, error))
		return false;
	error_set(error, STATUS_NO_REPLY, "the terminal does not report its title");
	return error_hint(error, "most terminals never do; xterm does with this "
	    "setting: XTerm*allowWindowOps: true");
}

static bool
ask_terminal(struct buf *title, const struct terminal *terminal,
    unsigned timeout_ms, int *signal, struct error *error)
{
	struct title_reading reading = { .title = title };
	const struct query query = {
		.text = QUERY_VERSION QUERY_DA3 QUERY_TITLE,
		.timeout_ms = timeout_ms != 0 ? timeout_ms : REPLY_MS,
		.strict = timeout_ms == 0,
		.reply_max = REPLY_BYTES_MAX,
		.is_read = reader_is_another,
		.receive = receive_title,
		.context = &reading,
	};
	struct query_result answer = tty_query(QUERY_CONTROLLING, &query);

	*signal = answer.signal;
	return is_told(&reading, terminal) || no_title_reply(&answer, error);
}

bool
read_title(struct buf *title, const struct path *path, bool window_name,
    unsigned timeout_ms, int *signal, struct error *error)
{
	*signal = 0;
	if (path->hops > 0 && path->hop[0].kind == HOP_TMUX)
		return tmux_title(&path->hop[0].tmux, window_name, title,
		    timeout_ms != 0 ? timeout_ms : TMUX_TIMEOUT_MS, error);
	if (path->silent)
		return no_title_reply(&(struct query_result){ .end = QUERY_SILENT }, error);
	return ask_terminal(title, path->terminal, timeout_ms, signal, error);
}
