/* SPDX-License-Identifier: MIT */
/* Messages to the user; the contract is in report.h. */
#include "commands/report.h"

#include "base/json.h"
#include "base/stream.h"
#include "base/text.h"
#include "commands/hint.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { REPORT_MAX = 16 * 1024 };

/* The command that a program of another name stands for, or NULL. */
static const char *other_command;

void
report_as(const char *command)
{
	other_command = command;
}

/* In one write, so that lines of several programs do not mix. */
static void
print_message(const char *title, const char *kind, const char *text, const char *hint)
{
	char lines[REPORT_MAX];
	int n = snprintf(lines, sizeof(lines), "%s: %s%s\n%s%s%s", title, kind,
	    text, hint[0] != '\0' ? "hint: " : "", hint, hint[0] != '\0' ? "\n" : "");

	/* an error here cannot be reported */
	(void)stream_write(STDERR_FILENO, lines, (size_t)n);
}

/* Prints it with a hint that works for the program that was called. */
static void
print_hinted(const char *title, const char *kind, const char *text, const char *hint)
{
	struct buf translated;

	if (other_command == NULL) {
		print_message(title, kind, text, hint);
		return;
	}
	buf_init(&translated, REPORT_MAX);
	hint_translate(&translated, hint, other_command);
	print_message(title, kind, text, translated.fault == BUF_FINE ?
	    (const char *)translated.data : hint);
	buf_free(&translated);
}

/* ---- messages ------------------------------------------------------------- */

void
report_error(const char *title, const struct error *error)
{
	char verdict[64] = "";

	if (error->verdict != NULL && error->status >= STATUS_NO_TERMINAL)
		snprintf(verdict, sizeof(verdict), "%s: ", error->verdict);
	print_hinted(title, verdict, error->message, error->hint);
}

void
report_warning(const struct call *call, const char *warning, const char *hint)
{
	if (!call->globals->quiet)
		print_hinted(call->title, "warning: ", warning, hint);
}

void
report_sent(const char *title, const struct sent *sent)
{
	char layers[CHAIN_TEXT], line[1024];
	bool overwrites = sent->route->overwrites;
	const struct desktop_tool *tool = sent->route->tool;
	const char *to = tool != NULL ? sent->route->desktop : sent->device;

	chain_format(&sent->route->chain, layers);
	snprintf(line, sizeof(line), "sent %zu bytes as %zu by route %s%s%s%s%s, "
	    "layers %s, terminal %s: %s%s%s", sent->payload, sent->bytes,
	    route_words[sent->route->kind], tool != NULL ? " with " : "",
	    tool != NULL ? tool->program : "", to[0] != '\0' ? " to " : "", to,
	    layers, sent->route->terminal != NULL ?
	    sent->route->terminal->name : "unknown", sent->says->reason,
	    overwrites ? "; " : "", overwrites ? sent->says->note : "");
	print_message(title, "", line, overwrites ? "" : sent->says->note);
}

void
report_read(const char *title, const struct route *route,
    const struct explanation *says)
{
	char line[512];

	snprintf(line, sizeof(line), "read by route %s with %s from %s: %s",
	    route_words[route->kind], route->tool->program, route->desktop,
	    says->reason);
	print_message(title, "", line, "");
}

void
report_replied_by(const char *title, const struct hop *hop)
{
	char line[PROCESS_NAME + 64];

	snprintf(line, sizeof(line), "reported by %s, not by the terminal outside it",
	    hop->name);
	print_message(title, "", line, "");
}

void
report_links(const char *title, const struct hyperlinks *links)
{
	char line[sizeof(links->reason) + 32];

	snprintf(line, sizeof(line), "%s: %s", links->shown ? "links are made" :
	    "no links are made", links->reason);
	print_message(title, "", line, links->shown ? "" : links->hint);
}

/* ---- clipboard and title -------------------------------------------------- */

static void
make_visible(struct buf *out, const struct buf *text)
{
	const char *at = (const char *)text->data;
	size_t n, left = text->len;

	for (; left > 0 && out->fault == BUF_FINE; left -= n, at += n) {
		n = *at == '\n' || *at == '\t' ? 1 : text_printable(at, left);
		if (n > 0) {
			buf_add(out, at, n);
		} else {
			n = 1;
			escape_notation_write(out, (const unsigned char *)at, 1);
		}
	}
}

bool
report_text(const struct buf *text, bool raw, struct error *error)
{
	struct buf visible;
	bool fine;

	if (raw || !isatty(STDOUT_FILENO))
		return stream_output(text, error);
	buf_init(&visible, BUF_NO_LIMIT);
	make_visible(&visible, text);
	fine = stream_output(&visible, error);
	buf_free(&visible);
	return fine;
}

/* ---- JSON --------------------------------------------------------------- */

static void
begin_json(struct buf *out, const char *command)
{
	buf_init(out, BUF_NO_LIMIT);
	json_open(out, NULL, '{');
	json_text(out, "command", command);
}

static bool
end_json(struct buf *out)
{
	bool fine;

	json_close(out, '}');
	fine = buf_add(out, "\n", 1) &&
	    stream_write(STDOUT_FILENO, out->data, out->len);
	buf_free(out);
	return fine;
}

bool
report_sent_json(const struct command *command, const struct sent *sent)
{
	struct buf out;

	begin_json(&out, command->name);
	json_bool(&out, "sent", true);
	if (sent->confirmed)
		json_bool(&out, "confirmed", true);
	report_route_json(&out, sent->route, sent->says, sent->device);
	json_number(&out, "payload_bytes", sent->payload);
	json_number(&out, "sent_bytes", sent->bytes);
	return end_json(&out);
}

void
report_route_json(struct buf *out, const struct route *route,
    const struct explanation *says, const char *device)
{
	char layers[CHAIN_TEXT];

	chain_format(&route->chain, layers);
	json_text(out, "route", route_words[route->kind]);
	json_text(out, "device", device);
	if (route->tool != NULL) {
		json_text(out, "tool", route->tool->program);
		json_text(out, "clipboard", route->desktop);
	}
	json_text(out, "layers", layers);
	json_text(out, "terminal",
	    route->terminal != NULL ? route->terminal->id : NULL);
	json_bool(out, "known", route->confidence == CONFIDENCE_KNOWN);
	json_number(out, "limit_bytes", route->limit);
	json_text(out, "reason", says->reason);
	json_text(out, "note", says->note);
	json_text(out, "warning", says->warning);
	json_text(out, "hint", says->warning_hint);
}

bool
report_text_json(const struct command *command, char selection,
    const struct buf *text)
{
	const char letter[2] = { selection, '\0' };
	struct buf out;

	begin_json(&out, command->name);
	json_text(&out, "selection", letter);
	json_number(&out, "bytes", text->len);
	json_base64(&out, "base64", text->data, text->len);
	return end_json(&out);
}

bool
report_types_json(const struct command *command, char selection,
    const struct buf *types)
{
	const char letter[2] = { selection, '\0' };
	size_t at, n;
	struct buf out;
	char type[256];

	begin_json(&out, command->name);
	json_text(&out, "selection", letter);
	json_open(&out, "types", '[');
	for (at = 0; at < types->len; at += n + 1) {
		const char *from = (const char *)types->data + at;
		const char *end = memchr(from, '\n', types->len - at);

		n = end != NULL ? (size_t)(end - from) : types->len - at;
		text_format(type, sizeof(type), "%.*s", (int)n, from);
		json_text(&out, NULL, type);
	}
	json_close(&out, ']');
	return end_json(&out);
}

bool
report_title_json(const struct command *command, const struct buf *title)
{
	struct buf out;

	begin_json(&out, command->name);
	json_text(&out, "title", (const char *)title->data);
	return end_json(&out);
}

bool
report_colors_json(const struct command *command, const struct color_query *query,
    const char *theme, const struct hop *hop)
{
	char name[COLOR_NAME], value[COLOR_TEXT];
	struct buf out;
	size_t i;

	begin_json(&out, command->name);
	json_text(&out, "reported_by", hop != NULL ? hop->name : "terminal");
	if (theme != NULL)
		json_text(&out, "theme", theme);
	json_open(&out, "colors", '{');
	for (i = 0; i < query->count; i++) {
		const struct color_reading *reading = &query->reading[i];

		color_name(name, reading->which);
		color_format(value, &reading->color);
		json_text(&out, name, reading->known ? value : NULL);
	}
	json_close(&out, '}');
	return end_json(&out);
}

bool
report_event_json(const struct command *command, const char *id,
    const char *event, unsigned button)
{
	struct buf out;

	begin_json(&out, command->name);
	json_text(&out, "id", id);
	json_text(&out, "event", event);
	if (button != 0)
		json_number(&out, "button", button);
	return end_json(&out);
}

bool
report_version_json(const char *version)
{
	struct buf out;

	begin_json(&out, "version");
	json_text(&out, "version", version);
	return end_json(&out);
}

bool
report_error_json(const char *command, const struct error *error)
{
	struct buf out;

	begin_json(&out, command);
	json_bool(&out, "sent", error->sent);
	if (error->sent)
		json_bool(&out, "confirmed", false);
	json_number(&out, "status", (size_t)error->status);
	json_text(&out, "error", error->message);
	json_text(&out, "hint", error->hint);
	return end_json(&out);
}
