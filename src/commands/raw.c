/* SPDX-License-Identifier: MIT */
/* raw: wraps and sends any escape sequence. */
#include "commands/command.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static struct {
	bool filter;
} opt;

static const struct option_spec options[] = {
	FLAG('F', "filter",
	    "pass text on and wrap the pictures in it", opt.filter),
	{ .kind = OPTION_END }
};

/* ---- sequences ----------------------------------------------------------- */

/*
 * Dies if a sequence is unterminated, because it would swallow later output, or if there is
 * text, which would appear anywhere on the screen. Returns the size of the longest sequence.
 */
static size_t
check_sequences(const struct buf *bytes)
{
	enum sequence_kind kind;
	size_t n, at, longest = 0;

	for (at = 0; at < bytes->len; at += n) {
		n = sequence_next(bytes->data + at, bytes->len - at, &kind);
		if (n > longest)
			longest = n;
		if (globals.given.force)
			continue;
		if (kind == SEQUENCE_TEXT)
			die(STATUS_REFUSED, "byte %zu is not part of an escape sequence\n"
			    "printf writes ESC as \\033; --force sends it anyway", at + 1);
		if (kind == SEQUENCE_IGNORED)
			die(STATUS_REFUSED, "the sequence at byte %zu is invalid\n"
			    "terminals ignore it, because a byte is not allowed there; "
			    "--force sends it anyway", at + 1);
		if (kind == SEQUENCE_BROKEN)
			die(STATUS_REFUSED, "the sequence at byte %zu is not terminated\n"
			    "end it with ESC \\ (an OSC also with BEL); --force sends it "
			    "anyway", at + 1);
	}
	return longest;
}

const struct request raw_request = { .feature = FEATURE_ANY, .selections = "" };

static int
send_sequences(struct call *call)
{
	static struct buf bytes = { .max = SIZE_LIMIT };
	struct request request = raw_request;
	size_t i;

	for (i = 0; i < call->count; i++)
		buf_add_string(&bytes, call->operand[i]);
	if (call->count == 0) {
		if (isatty(STDIN_FILENO))
			die(STATUS_USAGE, "nothing to send: standard input is a terminal\n"
			    "pipe a sequence in: printf '\\033]2;a title\\007' | viatty raw");
		stream_read_all(&bytes);
		/* echo adds a newline that is not part of the sequence */
		buf_trim_newline(&bytes);
	}
	if (bytes.len == 0)
		die(STATUS_USAGE, "nothing to send");

	request.sequence = check_sequences(&bytes);
	return send_request(&request, &bytes);
}

/* ---- the output of a program --------------------------------------------- */

/* Copies standard input until its end or a signal. */
static void
pass_input(struct delivery *delivery, struct wrap_stream *wrap)
{
	enum { PIECE = 64 * 1024 };
	static struct buf in = { .max = PIECE }, out = BUF_EMPTY;
	struct error error;
	size_t size = 0;
	ssize_t n = 1;

	buf_reserve(&in, PIECE);
	while (n > 0 && signal_caught == 0) {
		in.len = 0;
		n = stream_read(STDIN_FILENO, &in);
		if (n < 0)
			die(STATUS_FAILED, "cannot read standard input: %s", strerror(errno));
		size += (size_t)n;
		wrap_stream_feed(wrap, in.data, in.len, &out);
		if (n == 0)
			wrap_stream_end(wrap, &out);
		if (!delivery_send(delivery, &out, &error))
			die_of(&error);
		out.len = 0;
	}
	/* all output in this form ends with a newline */
	if (globals.print == PRINT_ESC)
		stream_output("\n", 1);
	delivery->payload = size;
}

static int
filter(struct call *call)
{
	/*
	 * Text, sequences and cursor movement must stay in order, so all of it goes to the
	 * nearest device. The program whose output this is may be reading replies of the
	 * terminal, so no query is sent.
	 */
	struct request request = raw_request;
	struct error refusal = { .status = STATUS_DONE };
	static struct wrap_stream wrap;
	static struct delivery delivery;

	if (call->count > 0)
		die(STATUS_USAGE, "--filter takes no STRING");
	if (isatty(STDIN_FILENO))
		die(STATUS_USAGE, "nothing to filter: standard input is a terminal\n"
		    "use it in a pipe: COMMAND | viatty raw --filter");

	request.streams = true;
	if (!delivery_open(&delivery, &request, &refusal)) {
		if (refusal.status != STATUS_REFUSED || signal_caught != 0 ||
		    delivery.path.device.name[0] == '\0' || delivery.path.source == DEVICE_PANE ||
		    delivery.path.source == DEVICE_LAST)
			die_of(&refusal);
		/* the rest passes without the pictures */
		delivery.route = (struct route){ .kind = ROUTE_DIRECT, .own_device = true,
		    .device = delivery.path.device };
	}
	wrap = (struct wrap_stream){ .chain = delivery.route.chain,
		.limit = delivery.route.limit,
		.drops = refusal.status != STATUS_DONE };
	wrap_stream_begin(&wrap);
	pass_input(&delivery, &wrap);
	if (signal_caught == 0 && wrap.left_out > 0 && wrap.drops)
		die_of(&refusal);
	if (signal_caught == 0 && wrap.left_out > 0)
		die(STATUS_REFUSED, "too large: %zu pictures of up to %zu bytes "
		    "were left out; the limit is %zu\n"
		    "make the program send a smaller picture, or send it in parts",
		    wrap.left_out, wrap.longest, wrap.limit);
	return delivery_report(&delivery);
}

/* ---- the command --------------------------------------------------------- */

static int
raw_run(struct call *call)
{
	return opt.filter ? filter(call) : send_sequences(call);
}

const struct command command_raw = {
	.name = "raw",
	.group = "Terminal",
	.operands = "[STRING...]",
	.summary = "send any escape sequence",
	.outcome = "not sent",
	.options = options,
	.examples = {
		{ "timg -pk photo.png | viatty raw --filter",
		    "show an image through tmux and Screen" },
		{ "printf '\\033]1337;SetMark\\007' | viatty raw",
		    "set a mark in iTerm2, also from within tmux" },
	},
	.run = raw_run,
};
