/* SPDX-License-Identifier: MIT */
/* A progress indicator that is updated; the contract is in progress_output.h. */
#include "commands/progress_output.h"

#include "commands/report.h"
#include "tty/signals.h"

struct message
progress_message(struct buf *bytes)
{
	return (struct message){
		.bytes = bytes,
		.feature = FEATURE_PROGRESS,
		.sequence = bytes->len,
		.selections = "",
		.identify = true,
		.abort = SEQUENCE_ABORT,
	};
}

bool
progress_open(struct progress_output *output, struct call *call, struct error *error)
{
	struct message message;
	struct buf bytes;

	buf_init(&bytes, 1);
	message = progress_message(&bytes);
	output->call = call;
	output->shows = sink_open(&output->sink, call, &message, error);
	return output->shows;
}

void
progress_show(struct progress_output *output, enum progress state, unsigned percent)
{
	struct error error = { .status = STATUS_DONE };
	struct message message;
	struct buf bytes;

	buf_init(&bytes, (size_t)-1 / 16);
	output->shows = encode_progress(&bytes, state, percent) ||
	    error_no_memory(&error);
	message = progress_message(&bytes);
	output->shows = output->shows && sink_send(&output->sink, &message, &error);
	buf_free(&bytes);
	if (!output->shows && error.message[0] != '\0' &&
	    !output->call->globals->quiet && signals_signal() == 0)
		report_warning(output->call->title, error.message, error.hint);
}
