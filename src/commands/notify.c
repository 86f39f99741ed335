/* SPDX-License-Identifier: MIT */
/*
 * notify: shows a desktop notification (OSC 99, 777, 9, BEL). notification.c chooses which
 * of them, encoder/notification.c builds the bytes. `viatty notify --proto 99 --print=esc`
 * shows them; without --proto it shows what a terminal gets whose version is not known,
 * because --print sends no query.
 */
#include "base/stream.h"
#include "base/text.h"
#include "commands/command.h"
#include "commands/notification.h"
#include "commands/report.h"
#include "route/notification_events.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct {
	bool wait, print_id;
	const char *close;
	struct text_list buttons;
} opt;

static const struct option_spec options[] = {
#include "commands/notification.def"
	VALUE(OPTION_LIST, 'B', "button", "LABEL",
	    "add a button; needs --wait (may be repeated)", opt.buttons),
	FLAG(0, "wait", "wait, then print clicked, button 1 or closed", opt.wait),
	FLAG(0, "print-id", "print the ID, for --id and --close", opt.print_id),
	VALUE(OPTION_TEXT, 0, "close", "ID",
	    "remove the notification with this ID", opt.close),
	{ .kind = OPTION_END }
};

enum {
	/* read from standard input; every protocol shows less */
	TEXT_MAX = 64 * 1024,
	/* time for the user to click */
	WAIT_MS = 300 * 1000
};

/* ---- title and body ------------------------------------------------------- */

struct texts {
	struct buf title, body;
};

/* Reads on after TEXT_MAX, so that the writer gets no SIGPIPE. */
static bool
read_input(struct buf *body, struct error *error)
{
	struct buf text;
	bool fine;

	buf_init(&text, TEXT_MAX);
	fine = stream_read_text(&text, error) && stream_drain(error) &&
	    (buf_add(body, text.data, text.len) || error_no_memory(error));
	buf_free(&text);
	return fine;
}

/* `-` alone: the first line of standard input is the title. */
static bool
divide(struct texts *texts)
{
	const char *text = (const char *)texts->body.data;
	const char *end = texts->body.len > 0 ?
	    memchr(text, '\n', texts->body.len) : NULL;
	size_t n = end != NULL ? (size_t)(end - text) : texts->body.len;
	size_t rest = end != NULL ? texts->body.len - n - 1 : 0;

	if (n > 0 && !buf_add(&texts->title, text, n))
		return false;
	if (rest > 0)
		memmove(texts->body.data, end + 1, rest);
	texts->body.len = rest;
	return true;
}

static bool
gather_texts(const struct call *call, struct texts *texts, struct error *error)
{
	size_t i;

	if (call->count == 0)
		return true;
	if (call->count == 1 && strcmp(call->operand[0], "-") == 0)
		return read_input(&texts->body, error) &&
		    (divide(texts) || error_no_memory(error));
	if (!buf_add_string(&texts->title, call->operand[0]))
		return error_no_memory(error);
	for (i = 1; i < call->count; i++) {
		if (i > 1 && !buf_add(&texts->body, " ", 1))
			return error_no_memory(error);
		if (strcmp(call->operand[i], "-") == 0) {
			if (!read_input(&texts->body, error))
				return false;
		} else if (!buf_add_string(&texts->body, call->operand[i])) {
			return error_no_memory(error);
		}
	}
	return true;
}

static bool
read_texts(const struct call *call, struct texts *texts, struct error *error)
{
	if (!gather_texts(call, texts, error))
		return false;
	/* the bell needs no text */
	if (texts->title.len > 0 || texts->body.len > 0 ||
	    text_equal(notification_options.protocol, "bell"))
		return true;
	error_set(error, STATUS_USAGE, "no text given");
	return error_hint(error, "viatty notify 'Build done' 'No warnings', or - for "
	    "standard input");
}

/* ---- waiting ------------------------------------------------------------ */

/* Through a multiplexer the reply would be typed into the active pane. */
static bool
can_hear(const struct notifying *n, struct error *error)
{
	const struct path *path = &n->sink.path;

	if (n->call->globals->force)
		return true;
	if (path->source != DEVICE_CONTROLLING) {
		error_set(error, STATUS_REFUSED, "only the controlling terminal can be "
		    "read for the reply");
		return error_hint(error, "omit --tty, and run it from a shell");
	}
	if (path->hops == 0)
		return true;
	error_set(error, STATUS_REFUSED, "%s is in between: the reply would be typed "
	    "into its active pane", path->hop[0].name);
	return error_hint(error, "run it outside %s, or omit --wait", path->hop[0].name);
}

static bool
print_event(const struct notifying *n, const struct notification_event *what,
    struct error *error)
{
	static const char *const words[] = {
		[NOTIFICATION_EVENT_CLICKED] = "clicked", [NOTIFICATION_EVENT_BUTTON] = "button",
		[NOTIFICATION_EVENT_CLOSED] = "closed",
	};
	char line[32];

	if (n->call->globals->json)
		return report_event_json(n->call->command, n->n.id,
		    words[what->event], what->button) || error_stdout(error);
	if (what->button != 0)
		snprintf(line, sizeof(line), "%s %u\n", words[what->event],
		    what->button);
	else
		snprintf(line, sizeof(line), "%s\n", words[what->event]);
	return stream_write(STDOUT_FILENO, line, strlen(line)) || error_stdout(error);
}

static bool
send_and_wait(struct notifying *n, struct error *error)
{
	const struct globals *g = n->call->globals;
	struct notification_event what;

	n->n.reports = true;
	if (!notification_prepare(n, error))
		return false;
	if (n->protocol != NOTIFICATION_99) {
		error_set(error, STATUS_REFUSED, "the terminal does not report clicks");
		return error_hint(error, "use kitty, foot or another with OSC 99; if "
		    "this is one: --proto 99");
	}
	if (g->print != PRINT_NOT)
		return notification_deliver(n, error);
	if (!can_hear(n, error))
		return false;
	switch (notification_wait(&what, n->n.id, &n->bytes, &n->sink.route.chain,
	    g->timeout_ms != 0 ? g->timeout_ms : WAIT_MS, &n->call->signal,
	    error)) {
	case NOTIFICATION_ANSWERED:
		return print_event(n, &what, error);
	case NOTIFICATION_IGNORED:
		n->call->verdict = "removed";
		error_set(error, STATUS_NO_REPLY,
		    "the notification was not clicked or closed in time");
		error_hint(error, "--timeout waits longer");
		break;
	case NOTIFICATION_FAILED:
		break;
	}
	return false;
}

/* ---- requests ----------------------------------------------------------- */

static bool
close_notification(struct notifying *n, struct error *error)
{
	if (!notification_id_is_fine(opt.close))
		return error_set(error, STATUS_USAGE, "invalid ID %s",
		    text_quote(opt.close).text);
	n->call->verdict = "not closed";
	return notification_prepare_request(n, error) &&
	    (encode_notification_close(&n->bytes, opt.close) ||
	        error_no_memory(error)) &&
	    notification_deliver(n, error);
}

/* ---- its ID --------------------------------------------------------------- */

static bool
print_id(const struct notifying *n, struct error *error)
{
	char line[160];

	text_format(line, sizeof(line), "%s\n", n->n.id);
	return stream_write(STDOUT_FILENO, line, strlen(line)) || error_stdout(error);
}

static bool
send_and_print_id(struct notifying *n, struct error *error)
{
	n->print_id = true;
	if (!notification_send(n, error))
		return false;
	/* the desktop tool that we were called as has printed its own */
	return n->sink.route.kind == ROUTE_NATIVE || print_id(n, error);
}

/* ---- the command -------------------------------------------------------- */

static bool
check_notify_options(const struct call *call, struct error *error)
{
	if (opt.close != NULL && (call->count > 0 || opt.wait ||
	    opt.buttons.count > 0))
		return error_set(error, STATUS_USAGE, "--close takes no text, no "
		    "--wait and no --button");
	if (opt.print_id && (opt.wait || opt.close != NULL ||
	    call->globals->print != PRINT_NOT || call->globals->json))
		return error_set(error, STATUS_USAGE, "--print-id excludes --wait, --close, "
		    "--print and --json");
	return opt.buttons.count == 0 || opt.wait || error_set(error, STATUS_USAGE,
	    "--button needs --wait");
}

static bool
show_notification(struct notifying *n, struct texts *texts, struct error *error)
{
	if (!check_notify_options(n->call, error))
		return false;
	if (opt.close != NULL)
		return close_notification(n, error);
	if (!read_texts(n->call, texts, error))
		return false;
	n->n.title = (struct notification_text){ (char *)texts->title.data,
	    texts->title.len };
	n->n.body = (struct notification_text){ (char *)texts->body.data,
	    texts->body.len };
	n->n.buttons = (struct notification_list){ opt.buttons.text,
	    opt.buttons.count };
	if (opt.wait)
		return send_and_wait(n, error);
	return opt.print_id ? send_and_print_id(n, error) : notification_send(n, error);
}

static bool
notify_run(struct call *call, struct error *error)
{
	struct notifying notifying;
	struct texts texts;
	bool fine;

	buf_init(&texts.title, BUF_NO_LIMIT);
	buf_init(&texts.body, BUF_NO_LIMIT);
	fine = notification_begin(&notifying, call, error) &&
	    show_notification(&notifying, &texts, error);
	notification_end(&notifying);
	buf_free(&texts.title);
	buf_free(&texts.body);
	return fine;
}

const struct command command_notify = {
	.name = "notify",
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
