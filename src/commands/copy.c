/* SPDX-License-Identifier: MIT */
/* copy: sets the clipboard of the terminal (OSC 52). */
#include "base/stream.h"
#include "base/text.h"
#include "commands/command.h"
#include "commands/send.h"
#include "commands/typed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

static struct {
	struct text_list strings, types;
	bool confirm;
	bool trim_newline, primary, clear, allow_empty, tee;
	const char *selections;
	size_t max;
} opt;

static const struct option_spec options[] = {
	VALUE(OPTION_LIST, 's', "string", "TEXT",
	    "copy TEXT (may be repeated)", opt.strings),
	FLAG('n', "trim-newline", "remove one trailing newline", opt.trim_newline),
	FLAG('p', "primary", "set the primary selection, not the clipboard", opt.primary),
	VALUE(OPTION_TEXT, 'S', "selection", "LETTERS",
	    "selections to set: c clipboard, p primary, q, s, 0-7", opt.selections),
	{ OPTION_LIST, 't', "type", "MIME",
	    "MIME type of the data (repeat for more files)", &opt.types, mime_words,
	    COMPLETE_NOTHING },
	FLAG(0, "confirm", "wait until the terminal confirms the copy", opt.confirm),
	FLAG('c', "clear", "clear the selection", opt.clear),
	FLAG(0, "allow-empty",
	    "clear the selection if the input is empty", opt.allow_empty),
	FLAG(0, "tee", "also write standard input to standard output", opt.tee),
	VALUE(OPTION_SIZE, 0, "max", "BYTES", "refuse more than BYTES", opt.max),
	{ .kind = OPTION_END }
};

/* ---- what is copied ----------------------------------------------------- */

static bool
fits(const struct buf *payload, struct error *error)
{
	if (payload->fault == BUF_NO_MEMORY)
		return error_no_memory(error);
	if (payload->fault == BUF_FINE &&
	    (opt.max == 0 || payload->len <= opt.max))
		return true;
	if (opt.max == 0 || opt.max == SIZE_LIMIT) {
		error_set(error, STATUS_REFUSED, "the input is larger than %zu bytes, "
		    "the limit of this program", SIZE_LIMIT);
		return error_hint(error, "copy less");
	}
	error_set(error, STATUS_REFUSED,
	    "the input is larger than --max %zu", opt.max);
	return error_hint(error, "raise --max, or copy less");
}

static bool
read_all(int fd, struct buf *payload, const char *name, bool tee,
    struct error *error)
{
	size_t before;
	ssize_t n;

	do {
		before = payload->len;
		n = stream_read(fd, payload);
		if (n < 0 && payload->fault == BUF_FINE)
			return error_set(error, STATUS_FAILED,
			    "cannot read %s: %s", name, strerror(errno));
		if (!fits(payload, error))
			return false;
		if (tee && n > 0 && !stream_write(STDOUT_FILENO,
		    payload->data + before, (size_t)n))
			return error_stdout(error);
	} while (n > 0);
	return true;
}

static bool
read_payload_stdin(struct buf *payload, bool named, struct error *error)
{
	if (!named && isatty(STDIN_FILENO)) {
		error_set(error, STATUS_USAGE,
		    "nothing to copy: standard input is a terminal");
		return error_hint(error, "pipe data in, name a file, or give a text: "
		    "--string TEXT");
	}
	return read_all(STDIN_FILENO, payload, "standard input", opt.tee, error);
}

static bool
read_file(struct buf *payload, const char *name, struct error *error)
{
	struct quoted quoted = text_quote(name);
	int fd, failure;
	bool fine;

	if (strcmp(name, "-") == 0)
		return read_payload_stdin(payload, true, error);
	fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0) {
		failure = errno;
		error_set(error, STATUS_FAILED, "cannot open %s: %s",
		    quoted.text, strerror(failure));
		if (failure == ENOENT)
			error_hint(error, "to copy the text itself: --string %s",
			    quoted.text);
		return false;
	}
	fine = read_all(fd, payload, quoted.text, false, error);
	close(fd);
	return fine;
}

/* `trimmed`: whether -n removed a trailing newline. */
static bool
gather_payload(struct call *call, struct buf *payload, bool *trimmed,
    struct error *error)
{
	size_t i;

	for (i = 0; i < opt.strings.count; i++) {
		buf_add_string(payload, opt.strings.text[i]);
		if (!fits(payload, error))
			return false;
	}
	for (i = 0; i < call->count; i++)
		if (!read_file(payload, call->operand[i], error))
			return false;
	if (call->count == 0 && opt.strings.count == 0 && !opt.clear &&
	    !read_payload_stdin(payload, false, error))
		return false;
	*trimmed = opt.trim_newline && payload->len > 0 &&
	    payload->data[payload->len - 1] == '\n';
	payload->len -= *trimmed;
	return true;
}

enum { TYPES_MAX = 16 };

/* One content for each --type, read in order: where each ends in `payload`. */
static bool
gather_items(struct call *call, struct buf *payload, size_t end[TYPES_MAX],
    struct error *error)
{
	size_t i, from = 0;

	for (i = 0; i < opt.types.count; i++) {
		if (!read_file(payload, call->operand[i], error))
			return false;
		if (opt.trim_newline && payload->len > from &&
		    payload->data[payload->len - 1] == '\n')
			payload->len--;
		from = end[i] = payload->len;
	}
	return true;
}

/* Empty input usually comes from a command that found nothing: keep the clipboard. */
static bool
has_something(const struct call *call, const struct buf *payload,
    bool trimmed, struct error *error)
{
	bool one = call->count + opt.strings.count <= 1;

	if (payload->len > 0 || opt.clear || opt.allow_empty)
		return true;
	error_set(error, STATUS_REFUSED, "%s", trimmed ?
	    "the input is only a newline" : !one ? "all inputs are empty" : opt.strings.count == 1 ?
	    "the text is empty" :
	    call->count == 1 && strcmp(call->operand[0], "-") != 0 ?
	        "the file is empty" : "standard input is empty");
	return error_hint(error, "the clipboard is unchanged; --clear clears it");
}

/* ---- which selections --------------------------------------------------- */

/* Each letter once, in the order given. */
static bool
choose_selections(char letters[sizeof(CLIPBOARD_SELECTIONS)],
    struct error *error)
{
	const char *wanted = opt.selections;
	size_t n = 0;

	if (wanted != NULL && opt.primary)
		return error_set(error, STATUS_USAGE,
		    "--primary and --selection exclude each other");
	if (wanted == NULL)
		wanted = opt.primary ? "p" : "c";
	if (wanted[0] == '\0' ||
	    wanted[strspn(wanted, CLIPBOARD_SELECTIONS)] != '\0') {
		error_set(error, STATUS_USAGE, "unknown selection %s",
		    text_quote(wanted).text);
		return error_hint(error, "the letters are %s: c is the "
		    "clipboard, p the primary selection", CLIPBOARD_SELECTIONS);
	}
	for (; *wanted != '\0'; wanted++)
		if (memchr(letters, *wanted, n) == NULL)
			letters[n++] = *wanted;
	letters[n] = '\0';
	return true;
}

static bool
check_options(const struct call *call, struct error *error)
{
	if (opt.clear && (call->count > 0 || opt.strings.count > 0))
		return error_set(error, STATUS_USAGE,
		    "--clear takes no input");
	if (opt.tee && (opt.clear || call->globals->print != PRINT_NOT ||
	    call->globals->json))
		return error_set(error, STATUS_USAGE, "--tee writes to standard "
		    "output: no --clear, --print or --json with it");
	return true;
}

static bool
check_types(const struct call *call, struct error *error)
{
	size_t i;

	for (i = 0; i < opt.types.count; i++)
		if (!typed_check(opt.types.text[i], error))
			return false;
	if (opt.types.count > 0 && opt.clear)
		return error_set(error, STATUS_USAGE, "--clear takes no --type");
	if (opt.types.count > TYPES_MAX)
		return error_set(error, STATUS_USAGE, "more than %d types", TYPES_MAX);
	if (opt.types.count <= 1 ||
	    (call->count == opt.types.count && opt.strings.count == 0))
		return true;
	error_set(error, STATUS_USAGE, "%zu types for %zu files", opt.types.count,
	    call->count);
	return error_hint(error, "each --type is for one file, in order; - is standard "
	    "input");
}

/* Whether it takes OSC 5522 or a desktop tool. */
static bool
needs_types(void)
{
	return opt.confirm || opt.types.count > 1 ||
	    (opt.types.count == 1 && !typed_all_plain(opt.types.text[0]));
}

/* Copies with types, or with confirmation. */
static bool
copy_items(struct call *call, struct buf *payload, const char *letters,
    struct error *error)
{
	struct typed_item item[TYPES_MAX];
	size_t end[TYPES_MAX] = { 0 }, i, from = 0, count = opt.types.count;
	bool trimmed = false;

	if (!(count > 1 ? gather_items(call, payload, end, error) :
	    gather_payload(call, payload, &trimmed, error)) ||
	    !has_something(call, payload, trimmed, error))
		return false;
	if (count <= 1) {
		end[0] = payload->len;
		/* an empty text clears the clipboard */
		count = payload->len > 0;
	}
	for (i = 0; i < count; from = end[i++])
		item[i] = (struct typed_item){
			.types = opt.types.count > 0 ? opt.types.text[i] : "text/plain",
			.bytes = payload->data + from,
			.size = end[i] - from,
		};
	return copy_typed(call, item, count, letters, opt.confirm, error);
}

static bool
copy_run(struct call *call, struct error *error)
{
	char letters[sizeof(CLIPBOARD_SELECTIONS)] = "";
	struct buf payload;
	struct message message = {
		.request = { .feature = FEATURE_COPY, .selections = letters },
		.identify = true,
		.abort = CLIPBOARD_ABORT,
		.encode = encode_clipboard_write,
	};
	bool fine, trimmed;

	/* one byte above --max shows that the input is too large */
	buf_init(&payload, opt.max != 0 && opt.max < SIZE_LIMIT ?
	    opt.max + 1 : SIZE_LIMIT);
	if (opt.clear)
		call->verdict = "not cleared";
	fine = check_options(call, error) && check_types(call, error) &&
	    choose_selections(letters, error);
	if (fine && needs_types()) {
		fine = copy_items(call, &payload, letters, error);
		buf_free(&payload);
		return fine;
	}
	fine = fine && gather_payload(call, &payload, &trimmed, error) &&
	    has_something(call, &payload, trimmed, error);
	if (fine) {
		payload.max = SIZE_MAX / 2;
		request_content(&message.request, payload.data, payload.len);
		message.request.sequence = clipboard_write_size(payload.len);
		fine = send_message(call, &message, &payload, error);
	}
	buf_free(&payload);
	return fine;
}

const struct command command_copy = {
	.name = "copy",
	.operands = "[FILE...]",
	.summary = "copy standard input, files or text to the clipboard",
	.verdict = "not copied",
	.options = options,
	.completion = COMPLETE_FILE,
	.examples = {
		{ "git rev-parse HEAD | viatty copy -n",
		    "copy the current commit, without the newline" },
		{ "viatty copy ~/.ssh/id_ed25519.pub", "copy a file" },
	},
	.run = copy_run,
};
