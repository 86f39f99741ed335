/* SPDX-License-Identifier: MIT */
/* raw: wraps and sends any escape sequence. */
#include "base/stream.h"
#include "base/text.h"
#include "commands/command.h"
#include "commands/raw_filter.h"
#include "commands/send.h"

#include <stdint.h>
#include <string.h>
#include <unistd.h>

static struct {
	bool escapes, filter;
} opt;

static const struct option_spec options[] = {
	FLAG('e', "escapes",
	    "interpret \\e, \\a, \\xNN, \\n, \\r, \\t and \\\\ in STRING", opt.escapes),
	FLAG('F', "filter",
	    "pass text on and wrap each sequence in it", opt.filter),
	{ .kind = OPTION_END }
};

static bool
read_raw_stdin(struct buf *bytes, struct error *error)
{
	if (isatty(STDIN_FILENO)) {
		error_set(error, STATUS_USAGE,
		    "nothing to send: standard input is a terminal");
		return error_hint(error, "pipe a sequence in, or give one: viatty raw "
		    "--escapes '\\e]2;a title\\e\\\\'");
	}
	if (!stream_read_all(STDIN_FILENO, "standard input", bytes, error))
		return false;
	/* echo adds a newline that is not part of the sequence */
	if (bytes->len > 0 && bytes->data[bytes->len - 1] == '\n')
		bytes->len--;
	return true;
}

/* "\q", or "\x" with the digits that follow; what is not printable is left out. */
static bool
unknown_escape(const struct call *call, const char *operand, struct error *error)
{
	size_t at = escape_notation_known(operand);
	const char *letter = operand + at + 1;
	size_t n = text_printable(letter, strlen(letter));

	if (*letter == 'x')
		n += strspn(letter + 1, "0123456789abcdefABCDEF");
	error_set(error, STATUS_USAGE, "unknown escape \\%.*s at byte %zu%s%s", (int)n,
	    letter, at + 1, call->count > 1 ? " of " : "",
	    call->count > 1 ? text_quote(operand).text : "");
	return error_hint(error, "the escapes are \\e, \\a, \\xNN, \\n, \\r, \\t and "
	    "\\\\");
}

static bool
gather_bytes(const struct call *call, struct buf *bytes, struct error *error)
{
	size_t i;

	for (i = 0; i < call->count; i++)
		if (!(opt.escapes ? escape_notation_read : buf_add_string)(bytes,
		    call->operand[i]))
			return bytes->fault != BUF_FINE ? error_no_memory(error) :
			    unknown_escape(call, call->operand[i], error);
	if (call->count == 0 && !read_raw_stdin(bytes, error))
		return false;
	return bytes->len > 0 ||
	    error_set(error, STATUS_USAGE, "nothing to send");
}

/* What helps against text where a sequence should be. */
static const char *
hint_of_text(const struct call *call)
{
	if (call->count > 0)
		return opt.escapes ? "" : "--escapes reads \\e as ESC; ";
	return opt.escapes ? "--escapes reads operands, not standard input; " :
	    "viatty raw --escapes STRING reads \\e as ESC; ";
}

static bool
refuse_sequence(const struct call *call, enum sequence_kind kind, size_t byte,
    struct error *error)
{
	switch (kind) {
	case SEQUENCE_TEXT:
		error_set(error, STATUS_REFUSED,
		    "byte %zu is not part of an escape sequence", byte);
		return error_hint(error, "%s--force sends it anyway",
		    hint_of_text(call));
	case SEQUENCE_IGNORED:
		error_set(error, STATUS_REFUSED, "terminals ignore the sequence that "
		    "begins at byte %zu", byte);
		return error_hint(error, "it has a byte that is not allowed in it; "
		    "--force sends it anyway");
	default:
		error_set(error, STATUS_REFUSED,
		    "the sequence that begins at byte %zu is not terminated", byte);
		return error_hint(error, "end an OSC with BEL or ESC \\, other strings "
		    "with ESC \\; --force sends it anyway");
	}
}

/*
 * An unterminated sequence swallows the output that follows, and text would appear
 * somewhere on the screen. Stores the size of the longest sequence.
 */
static bool
check_sequences(const struct call *call, const struct buf *bytes, size_t *longest,
    struct error *error)
{
	enum sequence_kind kind;
	bool force = call->globals->force;
	size_t n, at;

	*longest = 0;
	for (at = 0; at < bytes->len; at += n) {
		n = sequence_next(bytes->data + at, bytes->len - at, &kind);
		if (n > *longest)
			*longest = n;
		if (!force && (kind == SEQUENCE_TEXT || kind == SEQUENCE_IGNORED ||
		    kind == SEQUENCE_BROKEN))
			return refuse_sequence(call, kind, at + 1, error);
	}
	return true;
}

static bool
raw_run(struct call *call, struct error *error)
{
	struct buf bytes;
	struct message message = {
		.request = { .feature = FEATURE_ANY, .selections = "", .moves_cursor = true },
		.identify = true,
		.abort = SEQUENCE_ABORT,
	};
	bool fine;

	if (opt.filter)
		return raw_filter(call, opt.escapes, error);
	buf_init(&bytes, SIZE_LIMIT);
	fine = gather_bytes(call, &bytes, error) &&
	    check_sequences(call, &bytes, &message.request.sequence, error) &&
	    send_message(call, &message, &bytes, error);
	buf_free(&bytes);
	return fine;
}

const struct command command_raw = {
	.name = "raw",
	.operands = "[STRING...]",
	.summary = "send any escape sequence",
	.verdict = "not sent",
	.options = options,
	.examples = {
		{ "timg -pk photo.png | viatty raw --filter",
		    "show an image through tmux and Screen" },
		{ "viatty raw --escapes '\\e]2;build finished\\e\\\\'",
		    "send a sequence in readable form" },
	},
	.run = raw_run,
};
