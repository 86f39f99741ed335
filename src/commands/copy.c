/* SPDX-License-Identifier: MIT */
/* copy: sets the clipboard of the terminal (OSC 52). */
#include "base/base.h"
#include "commands/command.h"

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
	{ OPTION_FLAG, 'p', "primary", NULL, "set the primary selection, not the clipboard",
	    &opt.primary, .not_with = "selection" },
	VALUE(OPTION_TEXT, 'S', "selection", "LETTERS",
	    "selections: c clipboard, p primary, q, s, 0-7", opt.selections),
	{ OPTION_LIST, 't', "type", "MIME",
	    "MIME type of the data", &opt.types, .words = mime_words },
	FLAG(0, "confirm", "wait until the terminal confirms the copy", opt.confirm),
	FLAG('c', "clear", "clear the selection", opt.clear),
	FLAG(0, "allow-empty",
	    "clear the selection if the input is empty", opt.allow_empty),
	FLAG(0, "tee", "also write standard input to standard output", opt.tee),
	VALUE(OPTION_SIZE, 0, "max", "BYTES", "refuse more than BYTES", opt.max),
	{ .kind = OPTION_END }
};

/* ---- input -------------------------------------------------------------- */

static void
check_size(const struct buf *payload)
{
	if (!payload->full && (opt.max == 0 || payload->len <= opt.max))
		return;
	if (opt.max == 0 || opt.max == SIZE_LIMIT)
		die(STATUS_REFUSED, "copy less", "the input is larger than %zu bytes, the limit "
		    "of this program", SIZE_LIMIT);
	die(STATUS_REFUSED, "raise --max, or copy less", "the input is larger than --max %zu",
	    opt.max);
}

static void
read_all(int fd, struct buf *payload, const char *name, bool tee)
{
	size_t before;
	ssize_t n;

	do {
		before = payload->len;
		n = stream_read(fd, payload);
		if (n < 0 && !payload->full)
			die(STATUS_FAILED, NULL, "cannot read %s: %s", name, strerror(errno));
		check_size(payload);
		if (tee && n > 0)
			stream_output(payload->data + before, (size_t)n);
	} while (n > 0);
}

static void
read_file(struct buf *payload, const char *name)
{
	/* the form must be attached: --print=esc */
	bool form = globals.print != PRINT_NOT &&
	    (strcmp(name, "esc") == 0 || strcmp(name, "raw") == 0);
	struct quoted quoted = text_quote(name);
	int fd;

	if (strcmp(name, "-") == 0) {
		read_all(STDIN_FILENO, payload, "standard input", opt.tee);
		return;
	}
	fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0 && errno == ENOENT)
		die(STATUS_FAILED, form ? hint("did you mean --print=%s?", name) :
		    hint("to copy the text itself: --string %s", quoted.text),
		    "cannot open %s: %s", quoted.text, strerror(ENOENT));
	if (fd < 0)
		die(STATUS_FAILED, NULL, "cannot open %s: %s", quoted.text, strerror(errno));
	read_all(fd, payload, quoted.text, false);
	close(fd);
}

/*
 * A type that other programs paste only under its MIME type, or NULL. An SVG is also text,
 * which an editor may be copying, so it is recognized only in a file.
 */
static const char *
recognize(const struct call *call, const struct buf *payload, bool binary)
{
	enum { LOOK = 1024 };
	static const struct {
		size_t at;
		const char *bytes, *type;
	} known[] = {
		{ 0, "\x89PNG\r\n\x1a\n", "image/png" },
		{ 0, "\xff\xd8\xff", "image/jpeg" },
		{ 0, "GIF8", "image/gif" },
		{ 8, "WEBP", "image/webp" },
		{ 0, "%PDF-", "application/pdf" },
	};
	char text[LOOK] = "";
	size_t i, n = payload->len < LOOK ? payload->len : LOOK - 1;

	for (i = 0; binary && n > 12 && i < sizeof(known) / sizeof(known[0]); i++)
		if (memcmp(payload->data + known[i].at, known[i].bytes,
		    strlen(known[i].bytes)) == 0)
			return known[i].type;
	if (call->count != 1 || strcmp(call->operand[0], "-") == 0)
		return NULL;
	text_format(text, sizeof(text), "%.*s", (int)n, (const char *)payload->data);
	return strstr(text, "<svg") != NULL && (text_begins(text, "<svg") ||
	    text_begins(text, "<?xml") || text_begins(text, "<!DOCTYPE svg")) ?
	    "image/svg+xml" : NULL;
}

/* Empty input usually comes from a command that found nothing, so it clears nothing. */
static void
gather_payload(const struct call *call, struct buf *payload)
{
	const bool one = call->count + opt.strings.count <= 1;
	bool trimmed;
	size_t i;

	for (i = 0; i < opt.strings.count; i++) {
		buf_add_string(payload, opt.strings.text[i]);
		check_size(payload);
	}
	for (i = 0; i < call->count; i++)
		read_file(payload, call->operand[i]);
	if (call->count == 0 && opt.strings.count == 0 && !opt.clear) {
		if (isatty(STDIN_FILENO))
			die(STATUS_USAGE, "pipe data in, name a file, or give a text: "
			    "--string TEXT", "nothing to copy: standard input is a terminal");
		read_file(payload, "-");
	}
	trimmed = opt.trim_newline && payload->len > 0 &&
	    payload->data[payload->len - 1] == '\n';
	payload->len -= trimmed;
	if (payload->len == 0 && !opt.clear && !opt.allow_empty)
		die(STATUS_REFUSED, "the clipboard is unchanged; --clear clears it", "%s",
		    trimmed ? "the input is only a newline" : !one ? "all inputs are empty" :
		    opt.strings.count == 1 ? "the text is empty" :
		    call->count == 1 && strcmp(call->operand[0], "-") != 0 ?
		    "the file is empty" : "standard input is empty");
}

/* Removes duplicate letters. */
static void
choose_selections(char letters[sizeof(CLIPBOARD_SELECTIONS)])
{
	const char *wanted = opt.selections;
	size_t n = 0;

	if (wanted == NULL)
		wanted = opt.primary ? "p" : "c";
	if (wanted[0] == '\0' || wanted[strspn(wanted, CLIPBOARD_SELECTIONS)] != '\0')
		die(STATUS_USAGE, hint("the letters are %s: c is the clipboard, p the primary "
		    "selection", CLIPBOARD_SELECTIONS), "unknown selection %s",
		    text_quote(wanted).text);
	for (; *wanted != '\0'; wanted++)
		if (memchr(letters, *wanted, n) == NULL)
			letters[n++] = *wanted;
	letters[n] = '\0';
}

static void
check_options(const struct call *call)
{
	if (opt.clear && (call->count > 0 || opt.strings.count > 0))
		die(STATUS_USAGE, NULL, "--clear takes no input");
	if (opt.tee && (opt.clear || globals.print != PRINT_NOT || globals.json))
		die(STATUS_USAGE, NULL, "--tee writes to standard output: no --clear, --print or "
		    "--json with it");
	if (opt.types.count > 1)
		die(STATUS_USAGE, NULL, "more than one --type");
	if (opt.types.count > 0 && opt.clear)
		die(STATUS_USAGE, NULL, "--clear takes no --type");
	if (opt.types.count > 0)
		typed_check(opt.types.text[0]);
}

static int
copy_run(struct call *call)
{
	const char *type = opt.types.count > 0 ? opt.types.text[0] : NULL;
	char letters[sizeof(CLIPBOARD_SELECTIONS)] = "";
	struct request request = { .feature = FEATURE_COPY, .selections = letters,
		.identify = true, .abort = CLIPBOARD_ABORT, .encode = encode_clipboard_write };
	const char *recognized;
	struct buf payload;

	/* one byte more than --max, to detect larger input */
	buf_init(&payload, opt.max != 0 && opt.max < SIZE_LIMIT ? opt.max + 1 : SIZE_LIMIT);
	if (opt.clear)
		messages.verdict = "not cleared";
	check_options(call);
	choose_selections(letters);
	gather_payload(call, &payload);
	request_content(&request, payload.data, payload.len);
	recognized = type == NULL ? recognize(call, &payload, request.not_utf8 + request.nul > 0) :
	    NULL;
	if (type == NULL)
		type = opt.confirm && recognized != NULL ? recognized : "text/plain";
	/* plain text needs OSC 5522 only for --confirm */
	if (opt.confirm || !typed_type_is_plain(type)) {
		/* an empty text clears the clipboard */
		copy_typed(&(struct typed_write){ .bytes = payload.data, .size = payload.len,
		    .type = payload.len > 0 ? type : NULL }, letters, opt.confirm);
	} else {
		payload.max = SIZE_MAX / 2;
		request.sequence = clipboard_write_size(payload.len);
		if (recognized != NULL)
			copy_recognized(&request, &payload, recognized);
		else
			send_request(&request, &payload);
	}
	buf_free(&payload);
	return STATUS_DONE;
}

const struct command command_copy = {
	.name = "copy",
	.group = "Clipboard",
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
