/* SPDX-License-Identifier: MIT */
/* raw: wraps and sends any escape sequence. */
#include "commands/command.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define ESCAPES "the escapes are \\e, \\a, \\xNN, \\n, \\r, \\t and \\\\"

static struct {
	bool escapes, filter;
} opt;

static const struct option_spec options[] = {
	FLAG('e', "escapes",
	    "interpret \\e \\a \\xNN \\n \\r \\t \\\\ in STRING", opt.escapes),
	FLAG('F', "filter",
	    "pass text on and wrap each sequence in it", opt.filter),
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
			    "viatty raw --escapes STRING reads \\e as ESC; --force sends it "
			    "anyway", at + 1);
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

const struct request raw_request = { .feature = FEATURE_ANY, .selections = "",
	.moves_cursor = true };

static int
send_sequences(struct call *call)
{
	struct request request = raw_request;
	struct buf bytes;
	const char *operand, *unknown, *letter;
	size_t i, n;
	int status;

	buf_init(&bytes, SIZE_LIMIT);
	for (i = 0; i < call->count; i++) {
		operand = call->operand[i];
		if (!opt.escapes)
			buf_add_string(&bytes, operand);
		unknown = opt.escapes ? escape_notation_read(&bytes, operand) : NULL;
		if (unknown == NULL)
			continue;
		letter = unknown + 1;
		/* "\q", or "\x" with the next two characters, as far as they are printable */
		n = text_printable(letter, strlen(letter));
		if (*letter == 'x')
			n += strspn(letter + 1, "0123456789abcdefABCDEF");
		if (call->count > 1)
			die(STATUS_USAGE, "unknown escape \\%.*s at byte %td of %s\n" ESCAPES,
			    (int)n, letter, letter - operand, text_quote(operand).text);
		die(STATUS_USAGE, "unknown escape \\%.*s at byte %td\n" ESCAPES, (int)n, letter,
		    letter - operand);
	}
	if (call->count == 0) {
		if (isatty(STDIN_FILENO))
			die(STATUS_USAGE, "nothing to send: standard input is a terminal\n"
			    "pipe a sequence in, or give one: viatty raw --escapes '\\e]2;a "
			    "title\\e\\\\'");
		stream_read_all(&bytes);
		/* echo adds a newline that is not part of the sequence */
		if (bytes.len > 0 && bytes.data[bytes.len - 1] == '\n')
			bytes.len--;
	}
	if (bytes.len == 0)
		die(STATUS_USAGE, "nothing to send");

	request.sequence = check_sequences(&bytes);
	request.interpreters = wrap_stream_interpreters(bytes.data, bytes.len);
	status = send_request(&request, &bytes);
	buf_free(&bytes);
	return status;
}

/* ---- the output of a program --------------------------------------------- */

/* If wrapped sequences are `dropped`, the text passes without them. */
static void
begin_filter(struct wrap_stream *wrap, const struct sink *sink, bool dropped)
{
	const struct path *path = &sink->path;
	const struct hop *nearest = path->hops > 0 ? &path->hop[0] : NULL;
	const struct tmux *tmux = nearest != NULL ? &nearest->tmux : NULL;

	*wrap = (struct wrap_stream){
		.chain = sink->route.chain,
		.limit = globals.given.force ? 0 : sink->route.limit,
		.drops = dropped,
		.draws_sixel = nearest != NULL && nearest->row->kind == HOP_ZELLIJ,
	};
	if (dropped && nearest != NULL)
		wrap->nearest = hop_interpreters(nearest);
	/* for an editor, the rules of tmux decide which sequences are part of the text */
	if (dropped && wrap->nearest == 0)
		wrap->nearest = INTERPRETER_TMUX;
	if (tmux != NULL && tmux->reachable) {
		wrap->tmux_copies = tmux->set_clipboard == SET_CLIPBOARD_ON;
		wrap->tmux_progress = terminal_passes(nearest->row, tmux->version,
		    FEATURE_PROGRESS) == SUPPORT_OFF &&
		    tmux_client_has(&tmux->client, "progressbar");
		/* otherwise it draws a box with SIXEL IMAGE: tty.c, tty_cmd_sixelimage() */
		wrap->draws_sixel = tmux->draws_sixel &&
		    tmux_client_has(&tmux->client, "sixel") && tmux->client.has_pixels;
	}
	wrap_stream_begin(wrap);
}

/* Copies standard input until its end or a signal. */
static void
pass_input(struct sink *sink, struct wrap_stream *wrap)
{
	enum { PIECE = 64 * 1024 };
	struct buf in = { .max = PIECE }, out = BUF_EMPTY;
	struct error error;
	size_t size = 0;
	ssize_t n = 1;

	buf_reserve(&in, PIECE);
	while (n > 0 && signals_caught == 0) {
		in.len = 0;
		n = stream_read(STDIN_FILENO, &in);
		if (n < 0)
			die(STATUS_FAILED, "cannot read standard input: %s", strerror(errno));
		size += (size_t)n;
		wrap_stream_feed(wrap, in.data, in.len, &out);
		if (n == 0)
			wrap_stream_end(wrap, &out);
		if (!sink_send(sink, &out, &error))
			die_of(&error);
		out.len = 0;
	}
	/* all output in this form ends with a newline */
	if (globals.print == PRINT_ESC)
		stream_output("\n", 1);
	sink->payload = size;
	buf_free(&in);
	buf_free(&out);
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
	struct wrap_stream wrap;
	struct sink sink;
	int status;

	if (call->count > 0 || opt.escapes)
		die(STATUS_USAGE, "--filter takes no STRING and no --escapes");
	if (isatty(STDIN_FILENO))
		die(STATUS_USAGE, "nothing to filter: standard input is a terminal\n"
		    "use it in a pipe: COMMAND | viatty raw --filter");

	request.streams = true;
	if (!sink_open(&sink, &request, &refusal)) {
		if (refusal.status != STATUS_REFUSED || signals_caught != 0 ||
		    sink.path.device.name[0] == '\0' || sink.path.source == DEVICE_PANE ||
		    sink.path.source == DEVICE_LAST)
			die_of(&refusal);
		/* unwrapped, because the nearest multiplexer interprets it */
		sink.route = (struct route){ .kind = ROUTE_DIRECT, .own_device = true,
		    .device = sink.path.device };
	}
	begin_filter(&wrap, &sink, refusal.status != STATUS_DONE);
	pass_input(&sink, &wrap);
	if (signals_caught == 0 && wrap.left_out > 0 && refusal.status != STATUS_DONE)
		die_of(&refusal);
	if (signals_caught == 0 && wrap.left_out > 0)
		die(STATUS_REFUSED, "too large: %zu sequences of up to %zu bytes "
		    "were left out; the limit is %zu\n"
		    "make the program send a smaller image, or several sequences",
		    wrap.left_out, wrap.longest, wrap.limit);
	status = sink_report(&sink);
	path_free(&sink.path);
	return status;
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
		{ "viatty raw --escapes '\\e]2;build finished\\e\\\\'",
		    "send a sequence in readable form" },
	},
	.run = raw_run,
};
