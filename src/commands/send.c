/* SPDX-License-Identifier: MIT */
/* What the commands share: their arguments, and how bytes are sent and reported. */
#include "commands/command.h"

#include <string.h>
#include <strings.h>

struct globals globals;

/* ---- arguments ------------------------------------------------------------- */

size_t
choose_word(const char *const *words, const char *const *named, const char *word,
    const char *intro, const char *what)
{
	char list[320];
	size_t i;

	for (i = 0; words[i] != NULL; i++)
		if (strcasecmp(words[i], word) == 0)
			return i;
	text_format(list, sizeof(list), "%s", intro);
	for (i = 0; named[i] != NULL; i++)
		text_format(list + strlen(list), sizeof(list) - strlen(list), "%s%s",
		    i > 0 ? ", " : "", named[i]);
	die(STATUS_USAGE, "unknown %s %s\n"
	    "%s", what, text_quote(word).text, list);
}

const char *
clipboard_selections(size_t most)
{
	const char *letters = clipboard_options.selections;

	if (letters == NULL)
		return clipboard_options.primary ? "p" : "c";
	if (letters[0] == '\0' || strlen(letters) > most ||
	    letters[strspn(letters, CLIPBOARD_SELECTIONS)] != '\0')
		die(STATUS_USAGE, "unknown selection %s\n"
		    "the letters are %s: c is the clipboard, p the primary selection",
		    text_quote(letters).text, CLIPBOARD_SELECTIONS);
	return letters;
}

void
advise_own_terminal(struct error *error, const char *operand)
{
	if (error->status != STATUS_NO_TERMINAL)
		return;
	if (path_ssh_without_terminal())
		advise(error, "on the machine at the desk: ssh -t HOST %s%s%s; it reads from the "
		    "terminal in which it is called", messages.title,
		    operand[0] != '\0' ? " " : "", operand);
	else
		advise(error, "run it in a terminal: it reads from the terminal in which it is "
		    "called");
}

void
operands_read(struct buf *out, char *const *operand, size_t count)
{
	size_t i;

	if (count == 1 && strcmp(operand[0], "-") == 0)
		stream_read_text(out);
	else
		for (i = 0; i < count; i++)
			buf_format(out, "%s%s", i > 0 ? " " : "", operand[i]);
}

/* ---- sending ---------------------------------------------------------------- */

bool
path_where_needed(struct path *path, const struct given *given, struct error *error)
{
	const bool to_program = given->route == ROUTE_NATIVE ||
	    given->route == ROUTE_LOAD_BUFFER || given->route == ROUTE_TMUX_BUFFER;

	return path_find(path, given, error) ||
	    (error->status == STATUS_NO_TERMINAL && (given->print || to_program));
}

bool
delivery_begin(struct delivery *delivery, const struct request *request, struct error *error)
{
	struct given given = globals.given;

	given.copies = request->feature == FEATURE_COPY;
	delivery->sent = delivery->payload = 0;
	if (given.print && given.chain != NULL) {
		path_begin(&delivery->path, &given);
		return true;
	}
	if (path_where_needed(&delivery->path, &given, error))
		return true;
	/* as in a cron job */
	if (request->any_session && error->status == STATUS_NO_TERMINAL && given.tty == NULL)
		advise(error, "--tty last is the terminal that you used last; otherwise %s",
		    message_remedy(error->text));
	return false;
}

bool
delivery_open(struct delivery *delivery, const struct request *request, struct error *error)
{
	return delivery_begin(delivery, request, error) &&
	    delivery_plan(delivery, request, error);
}

bool
delivery_plan(struct delivery *delivery, const struct request *request, struct error *error)
{
	bool found;

	delivery->request = *request;
	delivery->request.given = globals.given;
	found = route_find(&delivery->route, &delivery->path, &delivery->request);
	if (signal_caught != 0)
		return fail(error, STATUS_FAILED,
		    "interrupted while querying the terminal; nothing was sent");
	if (!found)
		*error = delivery->route.refusal;
	return found;
}

/* Readable notation is built piece by piece. */
void
sequences_print(const struct buf *bytes, bool ends)
{
	enum { PIECE = 64 * 1024 };
	struct buf text = BUF_EMPTY;
	size_t at, n;

	if (globals.print != PRINT_ESC) {
		stream_output(bytes->data, bytes->len);
		return;
	}
	for (at = 0; at < bytes->len; at += n) {
		n = bytes->len - at < PIECE ? bytes->len - at : PIECE;
		escape_notation_write(&text, bytes->data + at, n);
		stream_output(text.data, text.len);
		text.len = 0;
	}
	if (ends)
		stream_output("\n", 1);
	buf_free(&text);
}

bool
delivery_send(struct delivery *delivery, struct buf *bytes, struct error *error)
{
	const struct request *request = &delivery->request;

	delivery->payload += bytes->len;
	if (globals.print == PRINT_NOT)
		return (bytes->len == 0 && request->streams) || deliver(&delivery->route,
		    &delivery->path, request, bytes, &delivery->sent, error);
	encode_for(&delivery->route, request, bytes);
	sequences_print(bytes, !request->streams);
	delivery->sent += bytes->len;
	return true;
}

/* ---- reports --------------------------------------------------------------- */

void
report_begin(struct buf *out)
{
	*out = (struct buf)BUF_EMPTY;
	json_raw(out, NULL, "{");
	json_text(out, "command", messages.command);
}

void
report_end(struct buf *out)
{
	buf_add(out, "}", 1);
	buf_add(out, "\n", 1);
	stream_output(out->data, out->len);
	buf_free(out);
}

bool
route_is_unlikely(const struct route *route)
{
	return route->verdict >= VERDICT_SETTING && route->warning[0] != '\0';
}

void
report_route_json(struct buf *out, const struct route *route, const char *device)
{
	const char *arrives = route->verdict == VERDICT_YES ? "likely" : "unknown";
	char layers[CHAIN_TEXT];

	chain_format(&route->chain, layers);
	json_text(out, "route", route_words[route->kind]);
	json_text(out, "device", device);
	if (route->tool != NULL) {
		json_text(out, "tool", route->tool->program);
		json_text(out, "clipboard", route->desktop);
	}
	json_text(out, "layers", layers);
	json_text(out, "terminal", route->terminal != NULL ? route->terminal->id : NULL);
	json_raw(out, "known", route->verdict == VERDICT_YES ? "true" : "false");
	json_text(out, "arrives", route_is_unlikely(route) ? "unlikely" : arrives);
	json_number(out, "limit_bytes", route->limit);
	json_text(out, "reason", route->why);
	json_text(out, "note", route->note);
	json_text(out, "warning", message_problem(route->warning).text);
	json_text(out, "hint", message_remedy(route->warning));
}

/* The losses that are possible or likely; --quiet conceals no likely one. */
static void
report_warnings(const struct delivery *delivery)
{
	const struct route *route = &delivery->route;

	if (delivery->path.queried.newly_silent)
		message_warn("the terminal did not reply to the query for its name, and will not "
		    "be queried again in this login\n"
		    "name it: export VIATTY_TERM=NAME");
	if (delivery->path.ignored_tty != NULL)
		message_warn("%s", delivery->path.ignored_tty);
	if (delivery->path.ignored_tmux[0] != '\0')
		message_warn("%s", delivery->path.ignored_tmux);
	if (route_is_unlikely(route))
		message_note("warning: %s", route->warning);
	else if (route->warning[0] != '\0')
		message_warn("%s", route->warning);
}

/* By its real name. */
static void
route_device(char device[DEVICE_NAME], const struct route *route, const struct path *path)
{
	if (route->own_device)
		path_device(device, path);
	else
		text_copy(device, DEVICE_NAME, route->device.name);
}

void
route_describe(struct buf *out, const struct route *route, const struct path *path)
{
	char device[DEVICE_NAME], layers[CHAIN_TEXT];
	const char *to = route->tool != NULL ? route->desktop : device;

	route_device(device, route, path);
	chain_format(&route->chain, layers);
	buf_format(out, "%s%s by --route %s%s%s, --wrap %s, terminal %s: %s",
	    to[0] != '\0' ? " to " : "", to, route_words[route->kind],
	    route->tool != NULL ? " with " : "", route->tool != NULL ? route->tool->program : "",
	    layers, route->terminal != NULL ? route->who : "unknown", route->why);
}

/* What -v says. */
static void
report_in_words(const struct delivery *delivery)
{
	const struct route *route = &delivery->route;
	struct buf words = BUF_EMPTY;

	if (delivery->path.queried.waited)
		message_note("waited for a reply from the terminal, which did not come\n"
		    "to send no query: VIATTY_PROBE=never");
	if (delivery->path.source == DEVICE_LAST)
		message_note("the terminal used last is %s", delivery->path.device.name);
	buf_format(&words, "sent %zu bytes", delivery->payload);
	if (delivery->sent != delivery->payload)
		buf_format(&words, " (%zu encoded)", delivery->sent);
	route_describe(&words, route, &delivery->path);
	if (route->note[0] != '\0')
		buf_format(&words, "%s%s", route->overwrites ? "; " : "\n", route->note);
	message_note("%.*s", (int)words.len, words.data);
	buf_free(&words);
}

static void
report_as_json(const struct delivery *delivery)
{
	char device[DEVICE_NAME];
	struct buf out;

	route_device(device, &delivery->route, &delivery->path);
	report_begin(&out);
	json_raw(&out, "sent", "true");
	report_route_json(&out, &delivery->route, device);
	json_number(&out, "payload_bytes", delivery->payload);
	json_number(&out, "sent_bytes", delivery->sent);
	report_end(&out);
}

int
delivery_report(const struct delivery *delivery)
{
	const bool is_lost = route_is_unlikely(&delivery->route) && !globals.given.force;
	const int status = is_lost ? STATUS_UNLIKELY : STATUS_DONE;

	if (globals.print != PRINT_NOT)
		return STATUS_DONE;
	report_warnings(delivery);
	if (globals.verbose)
		report_in_words(delivery);
	if (globals.json)
		report_as_json(delivery);
	return status;
}

int
delivery_finish(struct delivery *delivery, struct buf *bytes)
{
	struct error error;

	if (!delivery_send(delivery, bytes, &error))
		die_of(&error);
	return delivery_report(delivery);
}

int
send_request(const struct request *request, struct buf *bytes)
{
	static struct delivery delivery;
	struct error error;

	if (!delivery_open(&delivery, request, &error))
		die_of(&error);
	return delivery_finish(&delivery, bytes);
}
