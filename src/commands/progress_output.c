/* SPDX-License-Identifier: MIT */
/* A progress indicator that is updated; the contract is in progress_output.h. */
#include "commands/progress_output.h"

#include "commands/report.h"
#include "tty/signals.h"

static const struct message progress_message = {
	.request = { .feature = FEATURE_PROGRESS, .selections = "" },
	.identify = true,
	.abort = SEQUENCE_ABORT,
};

/* ---- as a status -------------------------------------------------------- */

static bool
open_as_status(struct progress_output *output, const struct error *refusal)
{
	struct error ignored;

	if (refusal->status != STATUS_REFUSED || output->call->signal != 0)
		return false;
	output->by_status = program_record_turn(&output->record, &output->sink,
	    PROGRAM_QUERY_OPTIONAL, &ignored);
	return output->by_status;
}

/* A status cannot say that work pauses: then the program does none. */
static bool
send_as_status(struct progress_output *output, enum progress state, unsigned percent,
    struct error *error)
{
	static const enum program_state states[] = {
		[PROGRESS_CLEAR] = PROGRAM_CLEAR,
		[PROGRESS_NORMAL] = PROGRAM_WORKING,
		[PROGRESS_ERROR] = PROGRAM_ERROR,
		[PROGRESS_BUSY] = PROGRAM_WORKING,
		[PROGRESS_PAUSED] = PROGRAM_IDLE,
	};
	struct program_status status = { .state = states[state],
		.progress = state == PROGRESS_NORMAL ? (int)percent : -1 };
	size_t size;
	bool fine = program_record_report(&output->record, &status, &size, error);

	output->payload += size;
	return fine;
}

/* ---- the indicator ------------------------------------------------------ */

bool
progress_open(struct progress_output *output, struct call *call, bool or_status,
    struct error *error)
{
	*output = (struct progress_output){ .call = call, .sink.path.fd = -1,
		.record.sink.path.fd = -1 };
	output->shows = sink_open(&output->sink, call, &progress_message, error) ||
	    (or_status && open_as_status(output, error));
	return output->shows;
}

bool
progress_send(struct progress_output *output, enum progress state, unsigned percent,
    struct error *error)
{
	struct buf bytes;
	bool fine;

	if (output->by_status)
		return send_as_status(output, state, percent, error);
	/* room for the wrapped sequence */
	buf_init(&bytes, BUF_NO_LIMIT);
	fine = encode_progress(&bytes, state, percent) || error_no_memory(error);
	output->payload += bytes.len;
	fine = fine && sink_send(&output->sink, &progress_message, &bytes, error);
	buf_free(&bytes);
	return fine;
}

void
progress_show(struct progress_output *output, enum progress state, unsigned percent)
{
	struct error error = { .status = STATUS_DONE };

	output->shows = progress_send(output, state, percent, &error);
	if (!output->shows && error.message[0] != '\0' && signals_signal() == 0)
		report_warning(output->call, error.message, error.hint);
}

bool
progress_report(const struct progress_output *output, struct error *error)
{
	const struct sink *sink = output->by_status ? &output->record.sink : &output->sink;

	return sink->sent == 0 || sink_report(sink, output->payload, error);
}

void
progress_close(struct progress_output *output)
{
	program_record_close(&output->record);
	sink_close(&output->sink);
}
