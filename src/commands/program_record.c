/* SPDX-License-Identifier: MIT */
/* Records of OSC 7501; the contract is in program_record.h. */
#include "commands/program_record.h"

#include "base/text.h"
#include "detect/environment.h"
#include "route/status_query.h"

#include <string.h>

/* ---- limits ------------------------------------------------------------- */

/* The numbers are those of encoder.h. */
static const char *const fault_words[PROGRAM_FAULTS] = {
	[PROGRAM_ID_INVALID] = "--id takes names of letters, digits and _ . + -, joined by "
	    "single slashes",
	[PROGRAM_ID_NAME_LONG] = "--id is too long: a name in it has at most 32 bytes",
	[PROGRAM_ID_DEEP] = "--id is too deep: it has at most 8 names, those of the panes "
	    "included",
	[PROGRAM_ID_LONG] = "--id is too long: at most 128 bytes, those of the panes "
	    "included",
	[PROGRAM_APP_INVALID] = "--app takes a name of letters, digits and _ . + -",
	[PROGRAM_APP_LONG] = "--app is too long: at most 32 bytes",
	[PROGRAM_KIND_MISPLACED] = "--kind goes with blocked only",
	[PROGRAM_PROGRESS_MISPLACED] = "--progress goes with working and blocked only",
	[PROGRAM_CLEAR_MISPLACED] = "clear takes no option but --id",
	[PROGRAM_TITLE_LONG] = "--title is too long: at most 192 bytes",
	[PROGRAM_MESSAGE_LONG] = "--message is too long: at most 2048 bytes",
};

bool
program_status_error(struct error *error, enum program_status_fault fault)
{
	return fault == PROGRAM_FINE ||
	    error_set(error, STATUS_USAGE, "%s", fault_words[fault]);
}

/* ---- the id of the pane -------------------------------------------------- */

/* The number of a hop's pane or window, or NULL where it is not known. */
static const char *
pane_number(const struct hop *hop)
{
	const char *number = hop->kind == HOP_TMUX ? hop->tmux.pane :
	    hop->kind == HOP_SCREEN ? environment_get("WINDOW") : NULL;
	unsigned long ignored;

	if (number != NULL && hop->kind == HOP_TMUX)
		number += number[0] == '%';
	return number != NULL && text_number(number, (unsigned long)-1, &ignored) ?
	    number : NULL;
}

static bool
make_record_id(struct program_record *record, const char *own, struct error *error)
{
	const struct path *path = &record->sink.path;
	/* more than all panes and the longest --id take */
	char id[1024] = "";
	const char *number;
	size_t i, n;

	for (i = path->hops; i-- > 0;) {
		number = pane_number(&path->hop[i]);
		n = strlen(id);
		if (number != NULL)
			text_format(id + n, sizeof(id) - n, "%s%s-%s", n > 0 ? "/" : "",
			    path->hop[i].kind == HOP_TMUX ? "tmux" : "screen", number);
	}
	n = strlen(id);
	if (own != NULL)
		text_format(id + n, sizeof(id) - n, "%s%s", n > 0 ? "/" : "", own);
	if (id[0] != '\0' && !program_status_error(error, program_status_check_id(id)))
		return false;
	return text_copy(record->id, sizeof(record->id), id) || error_no_memory(error);
}

/* ---- sending ------------------------------------------------------------ */

static const struct message status_message = {
	.request = { .feature = FEATURE_STATUS, .selections = "" },
	.abort = SEQUENCE_ABORT,
};

static bool
is_wanted_there(struct program_record *record, enum program_query query,
    struct error *error)
{
	struct call *call = record->sink.call;
	const struct globals *g = call->globals;
	const struct status_query how = {
		.may_ask = g->probe && g->print == PRINT_NOT && g->chain == NULL &&
		    query != PROGRAM_QUERY_NEVER &&
		    !(query == PROGRAM_QUERY_LOCAL && record->sink.path.remote),
		.optional = query != PROGRAM_QUERY,
		.timeout_ms = g->timeout_ms,
	};
	bool known;
	int signal;

	if (g->force && query == PROGRAM_QUERY)
		return true;
	known = status_is_supported(&record->sink.route, &record->sink.path, &how, &signal,
	    error);
	if (signal != 0)
		call->signal = signal;
	return known && not_interrupted(call, error);
}

bool
program_record_open(struct program_record *record, struct call *call, const char *id,
    enum program_query query, struct error *error)
{
	*record = (struct program_record){ .sink.path.fd = -1 };
	return sink_open(&record->sink, call, &status_message, error) &&
	    make_record_id(record, id, error) &&
	    is_wanted_there(record, query, error);
}

bool
program_record_turn(struct program_record *record, struct sink *sink,
    enum program_query query, struct error *error)
{
	*record = (struct program_record){ .sink = *sink };
	*sink = (struct sink){ .call = record->sink.call, .path.fd = -1 };
	return sink_turn(&record->sink, &status_message, error) &&
	    make_record_id(record, NULL, error) &&
	    is_wanted_there(record, query, error);
}

bool
program_record_report(struct program_record *record, const struct program_status *status,
    size_t *size, struct error *error)
{
	struct program_status whole = *status;
	struct buf bytes;
	bool fine;

	whole.id = record->id[0] != '\0' ? record->id : NULL;
	buf_init(&bytes, BUF_NO_LIMIT);
	fine = encode_program_status(&bytes, &whole) || error_no_memory(error);
	*size = bytes.len;
	fine = fine && sink_send(&record->sink, &status_message, &bytes, error);
	buf_free(&bytes);
	return fine;
}

void
program_record_close(struct program_record *record)
{
	sink_close(&record->sink);
}
