/* SPDX-License-Identifier: MIT */
/*
 * notify: shows a desktop notification (OSC 99, 777, 9, BEL). notification.c chooses the
 * protocol, encoder/notification.c builds the bytes. `viatty notify --proto 99 --print=esc`
 * shows them; without --proto, those for a terminal of unknown version, because --print sends
 * no query.
 */
#include "base/base.h"
#include "commands/command.h"

#include <string.h>
#include <unistd.h>

static const char *close_id;

static const struct option_spec options[] = {
#include "commands/notification.def"
	FLAG(0, "print-id", "print the ID, for --id and --close",
	    notification_options.print_id),
	VALUE(OPTION_TEXT, 0, "close", "ID",
	    "remove the notification with this ID", close_id),
	{ .kind = OPTION_END }
};

/* ---- title and body ------------------------------------------------------- */

/* Reads to the end, beyond the size limits, so that the writer gets no SIGPIPE. */
static void
read_input(struct buf *body)
{
	enum { TEXT_MAX = 64 * 1024 };
	struct buf text;

	buf_init(&text, TEXT_MAX);
	stream_read_text(&text);
	buf_add(body, text.data, text.len);
	do
		text.len = 0;
	while (stream_read(STDIN_FILENO, &text) > 0);
	buf_free(&text);
}

static void
read_texts(const struct call *call, struct notification_text *title,
    struct notification_text *body)
{
	static struct buf text = BUF_EMPTY;
	size_t i, n = 0;

	/* `-` alone: the first line of standard input is the title */
	if (call->count == 1 && strcmp(call->operand[0], "-") == 0) {
		read_input(&text);
		while (n < text.len && text.data[n] != '\n')
			n++;
		*title = (struct notification_text){ (char *)text.data, n };
		n += n < text.len;
	} else if (call->count > 0) {
		*title = (struct notification_text){ call->operand[0], strlen(call->operand[0]) };
	}
	for (i = 1; i < call->count; i++) {
		buf_add_string(&text, i > 1 ? " " : "");
		if (strcmp(call->operand[i], "-") == 0)
			read_input(&text);
		else
			buf_add_string(&text, call->operand[i]);
	}
	*body = (struct notification_text){ (char *)text.data + n, text.len - n };
}

/* ---- the command -------------------------------------------------------- */

static void
show_notification(struct call *call)
{
	struct error error = { .status = STATUS_DONE };
	struct notification_text title = { "", 0 }, body;
	struct buf id = BUF_EMPTY;

	read_texts(call, &title, &body);
	if (title.size == 0 && body.size == 0 &&
	    !text_equal(notification_options.protocol, "bell"))
		die(STATUS_USAGE, "viatty notify 'Build done' 'No warnings', or - for "
		    "standard input", "no text given");
	if (!notification_send(call->original, title, body, &error))
		die_of(&error);
	if (notification_options.print_id) {
		buf_format(&id, "%s\n", notification_options.n.id);
		stream_output(id.data, id.len);
		buf_free(&id);
	}
}

static void
close_notification(void)
{
	struct request request = { .feature = FEATURE_NOTIFY99, .any_session = true,
		.selections = "", .abort = SEQUENCE_ABORT };
	struct buf bytes = BUF_EMPTY;
	struct error error;
	struct sink sink;

	messages.verdict = "not closed";
	encode_notification_close(&bytes, close_id);
	if (!sink_open(&sink, &request, &error))
		die_of(&error);
	if (sink.route.kind == ROUTE_NATIVE)
		die(STATUS_REFUSED, "close it on the desktop", "%s shows notifications here, which "
		    "knows none of the IDs of viatty", sink.route.tool->program);
	if (!sink_send(&sink, &bytes, &error))
		die_of(&error);
	sink.payload = 0;
	sink_report(&sink);
	buf_free(&bytes);
}

static int
notify_run(struct call *call)
{
	notification_check();
	if (notification_options.print_id &&
	    (close_id != NULL || globals.print != PRINT_NOT || globals.json))
		die(STATUS_USAGE, NULL, "--print-id cannot be used with --close, --print or "
		    "--json");
	if (close_id == NULL) {
		show_notification(call);
		return STATUS_DONE;
	}
	if (call->count > 0)
		die(STATUS_USAGE, NULL, "--close takes no text");
	if (!notification_id_is_fine(close_id))
		die(STATUS_USAGE, NULL, "invalid ID %s", text_quote(close_id).text);
	close_notification();
	return STATUS_DONE;
}

const struct command command_notify = {
	.name = "notify",
	.group = "Notify",
	.operands = "[TITLE [BODY...]]",
	.summary = "show a desktop notification",
	.verdict = "not shown",
	.options = options,
	.examples = {
		{ "make; viatty notify 'Build finished' \"status $?\"",
		    "notify after a command" },
		{ "viatty notify -u critical 'Disk full'", "an urgent notification" },
	},
	.run = notify_run,
};
