/* SPDX-License-Identifier: MIT */
/* Asking for OSC 7501; the contract is in status_query.h. */
#include "route/status_query.h"

#include "detect/reader.h"
#include "encoder/encoder.h"
#include "terminal/terminal.h"
#include "tty/query.h"

#include <string.h>

#define FEATURE_WORDS "program status (OSC 7501)"

enum {
	/* the fence ends the waiting before */
	REPLY_MS = 1000,
	/* a reply may list the states that the terminal knows */
	REPLY_BYTES_MAX = 4096
};

/* ---- whether it can be asked -------------------------------------------- */

static bool
refuse_to_guess(struct error *error)
{
	return error_hint(error, "if it does: --force; iTerm2 does since 3.7.5: "
	    "--term iterm2");
}

static bool
replies_for_sure(const struct path *path)
{
	return path->terminal != NULL || path->probe.da1[0] != '\0';
}

static bool
terminal_can_tell(const struct path *path, const struct status_query *how,
    struct chain *chain, struct error *error)
{
	size_t reply_max;
	const struct hop *hop = path_reply_chain(path, chain, &reply_max);

	if (hop != NULL) {
		error_set(error, STATUS_REFUSED, "%s passes on no reply of the terminal, "
		    "which is not known to support " FEATURE_WORDS, hop->name);
		return refuse_to_guess(error);
	}
	if (!how->may_ask || path->source != DEVICE_CONTROLLING ||
	    strcmp(path->term, "dumb") == 0 || (how->optional && !replies_for_sure(path))) {
		error_set(error, STATUS_REFUSED, "this terminal is not known to support "
		    FEATURE_WORDS);
		return refuse_to_guess(error);
	}
	if (!path->silent)
		return true;
	error_set(error, STATUS_REFUSED, "the terminal replies to no query, so it is not "
	    "known to support " FEATURE_WORDS);
	return refuse_to_guess(error);
}

/* ---- asking ------------------------------------------------------------- */

struct status_answer {
	bool known;   /* it has sent the query back */
	bool replied; /* to anything */
};

static bool
receive_status_answer(void *context, const struct reply *reply, unsigned *timeout_ms)
{
	struct status_answer *answer = context;

	(void)timeout_ms;
	answer->replied = true;
	if (reply->kind == REPLY_PROGRAM)
		answer->known = true;
	return reply->kind != REPLY_DA1;
}

static bool
refuse_status(const struct route *route, const struct status_answer *answer,
    struct error *error)
{
	const char *who = route->who[0] != '\0' ? route->who : "the terminal";

	if (!answer->replied)
		error_set(error, STATUS_REFUSED, "%s replied to no query, so it is not "
		    "known to support " FEATURE_WORDS, who);
	else
		error_set(error, STATUS_REFUSED, "%s does not support " FEATURE_WORDS, who);
	return error_hint(error, "iTerm2 does since 3.7.5, and any terminal that answers "
	    "the protocol's query");
}

static bool
ask_for_status(const struct route *route, const struct chain *chain,
    const struct status_query *how, int *signal, struct error *error)
{
	struct status_answer answer = { .known = false };
	const struct query query = {
		.text = QUERY_PROGRAM,
		.chain = chain,
		.timeout_ms = how->timeout_ms != 0 ? how->timeout_ms : REPLY_MS,
		.strict = how->timeout_ms == 0,
		.optional = how->optional,
		.reply_max = REPLY_BYTES_MAX,
		.is_read = reader_is_another,
		.receive = receive_status_answer,
		.context = &answer,
	};
	struct query_result result = tty_query(QUERY_CONTROLLING, &query);

	*signal = result.signal;
	if (query_failed(result.end, error))
		return false;
	return answer.known || refuse_status(route, &answer, error);
}

bool
status_is_supported(const struct route *route, const struct path *path,
    const struct status_query *how, int *signal, struct error *error)
{
	enum support support = path_support(path, FEATURE_STATUS);
	struct chain chain = { .count = 0 };

	*signal = 0;
	return support == SUPPORT_YES || (terminal_can_tell(path, how, &chain, error) &&
	    ask_for_status(route, &chain, how, signal, error));
}
