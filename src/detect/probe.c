/* SPDX-License-Identifier: MIT */
/* Identifying queries and their replies; the contract is in probe.h. */
#include "detect/probe.h"

#include "base/clock.h"
#include "base/text.h"
#include "base/version.h"
#include "detect/process.h"
#include "detect/reader.h"
#include "terminal/multiplexer.h"
#include "tty/query.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Names are short; a clipboard that tmux replies with is not stored. */
enum { IDENTITY_MAX = 256, TMUX_REPLY_MAX = 64 };

static void
keep_text(char text[PROBE_TEXT], const struct reply *reply)
{
	snprintf(text, PROBE_TEXT, "%s", reply->text);
	text_clean(text);
}

/* Parameters as sent; an omitted one is empty. */
static void
keep_numbers(char text[PROBE_TEXT], const struct reply *reply)
{
	size_t i, n = 0;

	for (i = 0; i < reply->count && n < PROBE_TEXT - 1; i++) {
		snprintf(text + n, PROBE_TEXT - n,
		    reply->number[i] < 0 ? "%s" : "%s%ld", i > 0 ? ";" : "",
		    reply->number[i]);
		n += strlen(text + n);
	}
}

static bool
on_identity(void *context, const struct reply *reply, unsigned *timeout_ms)
{
	struct probe *probe = context;
	const struct multiplexer *row;

	(void)timeout_ms;
	switch (reply->kind) {
	case REPLY_VERSION:
		keep_text(probe->version, reply);
		return true;
	case REPLY_DA3:
		keep_text(probe->da3, reply);
		return true;
	case REPLY_DA2:
		keep_numbers(probe->da2, reply);
		row = reply->count > 0 ? multiplexer_by_da2(reply->number[0]) : NULL;
		if (row != NULL)
			probe->found = row->kind == HOP_SCREEN ? PROBE_SCREEN :
			    PROBE_TMUX;
		return true;
	case REPLY_DA1:
		keep_numbers(probe->da1, reply);
		if (probe->found == PROBE_NOTHING)
			probe->found = PROBE_TERMINAL;
		return false;
	default:
		return true;
	}
}

const struct terminal *
probe_terminal(const struct probe *probe)
{
	const struct terminal *terminal;
	char da2[PROBE_TEXT + 1];

	if (probe->version[0] != '\0')
		return terminal_by_version(probe->version);
	terminal = terminal_by_da3(probe->da3);
	snprintf(da2, sizeof(da2), "%sc", probe->da2);
	return terminal != NULL ? terminal : terminal_by_da2(da2);
}

/* The part common to all probes. */
static struct query
limited_query(const struct probe_limits *limits)
{
	return (struct query){
		.timeout_ms = limits->timeout_ms,
		.strict = limits->strict,
		.optional = limits->optional,
		.lately = limits->lately,
		.is_read = reader_is_another,
	};
}

void
probe_identify(struct probe *probe, const struct chain *chain,
    const struct probe_limits *limits)
{
	struct query query = limited_query(limits);
	long long begin = clock_ms();
	struct query_result answer;

	*probe = (struct probe){ .end = QUERY_BUSY };
	query.text = QUERY_VERSION QUERY_DA2 QUERY_DA3;
	query.chain = chain;
	query.reply_max = IDENTITY_MAX;
	query.receive = on_identity;
	query.context = probe;
	answer = tty_query(QUERY_CONTROLLING, &query);
	if (answer.end == QUERY_FAILED)
		probe->failure = errno;
	probe->end = answer.end;
	probe->signal = answer.signal;
	probe->typed_lately = answer.typed_lately;
	probe->round_trip_ms = (unsigned)(clock_ms() - begin);
	if (answer.end != QUERY_DONE)
		probe->found = PROBE_NOTHING;
}

struct tmux_conversation {
	struct probe_tmux *probe;
	unsigned fences;
	unsigned patience_ms;
};

/* tmux replies to the clipboard query itself, before it replies to the fence. */
static bool
on_tmux_clipboard(void *context, const struct reply *reply, unsigned *timeout_ms)
{
	struct tmux_conversation *c = context;

	(void)timeout_ms;
	/* a clipboard too long to store still counts as a reply */
	if (reply->kind == REPLY_CLIPBOARD || reply->kind == REPLY_OVERSIZED)
		c->probe->interprets = true;
	if (reply->kind != REPLY_DA1)
		return true;
	c->probe->answered = true;
	return false;
}

/*
 * tmux replies to its own fence at once; the terminal's reply to the wrapped fence takes
 * longer, or never arrives.
 */
static bool
on_wrapped_fence(void *context, const struct reply *reply, unsigned *timeout_ms)
{
	struct tmux_conversation *c = context;

	if (reply->kind != REPLY_DA1)
		return true;
	c->probe->answered = true;
	c->probe->passes = ++c->fences == 2;
	*timeout_ms = c->patience_ms;
	return !c->probe->passes;
}

static bool
add_clipboard_query(struct buf *bytes, void *context)
{
	(void)context;
	return encode_clipboard_read(bytes, 'c');
}

/* A fence for the terminal behind tmux. */
static bool
add_wrapped_fence(struct buf *bytes, void *context)
{
	static const struct chain chain = { 1, { LAYER_TMUX } };
	struct buf wrapped;
	bool fine;

	(void)context;
	buf_init(&wrapped, bytes->max);
	fine = buf_add_string(&wrapped, QUERY_DA1) && wrap(&wrapped, &chain) &&
	    buf_add(bytes, wrapped.data, wrapped.len);
	buf_free(&wrapped);
	return fine;
}

const char *
probe_tmux_version(const struct probe *identity)
{
	const char *version = "";
	const struct multiplexer *row = multiplexer_by_version(identity->version,
	    &version);

	return row != NULL && row->kind == HOP_TMUX ? version : "";
}

/* How tmux replies to a clipboard query, by version; see probe.h. */
enum tmux_answer {
	TMUX_ANSWER_UNSURE, /* before 3.2 it does not report its version */
	TMUX_ANSWER_SURE,   /* if set-clipboard is on, and only then */
	TMUX_ANSWER_NONE    /* do not query */
};

static enum tmux_answer
tmux_answer_of(const struct probe *identity)
{
	static const struct version limit = { .part = { 3, 7 } };
	struct version version;

	if (!version_find(&version, probe_tmux_version(identity)))
		return TMUX_ANSWER_UNSURE;
	return version_is_at_least(&version, &limit) ? TMUX_ANSWER_NONE :
	    TMUX_ANSWER_SURE;
}

/* False: it did not reply, or a signal has arrived. */
static bool
ask_tmux_clipboard(struct tmux_conversation *c, struct query query)
{
	query.encode = add_clipboard_query;
	query.abort = CLIPBOARD_ABORT;
	query.receive = on_tmux_clipboard;
	c->probe->signal = tty_query(QUERY_CONTROLLING, &query).signal;
	return c->probe->answered && c->probe->signal == 0;
}

static void
ask_behind_tmux(struct tmux_conversation *c, struct query query)
{
	query.encode = add_wrapped_fence;
	query.receive = on_wrapped_fence;
	c->probe->signal = tty_query(QUERY_CONTROLLING, &query).signal;
	c->probe->asked = c->fences > 0;
}

/*
 * Two queries, because the second is not sent if the first decides: the reply to a
 * wrapped fence would otherwise arrive later, as typed text.
 */
void
probe_tmux(struct probe_tmux *probe, const struct probe *identity, bool copies,
    const struct probe_limits *limits)
{
	/* the connection from tmux to the terminal may be slow */
	enum { PATIENCE_MS = 1000 };
	enum tmux_answer expected = tmux_answer_of(identity);
	struct tmux_conversation c = { .probe = probe,
	    .patience_ms = limits->strict ? PATIENCE_MS :
	        PATIENCE_MS + 2 * identity->round_trip_ms };
	struct query query = limited_query(limits);
	bool replies;

	*probe = (struct probe_tmux){ 0 };
	query.reply_max = TMUX_REPLY_MAX;
	query.context = &c;
	replies = expected == TMUX_ANSWER_NONE || ask_tmux_clipboard(&c, query);
	probe->copy_known = probe->interprets ||
	    (probe->answered && expected == TMUX_ANSWER_SURE);
	/* a copy uses both ways if one remains unknown */
	if (replies && identity->typed_lately && !(copies &&
	    (probe->interprets || expected == TMUX_ANSWER_NONE)))
		ask_behind_tmux(&c, query);
}
