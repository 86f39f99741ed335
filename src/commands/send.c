/* SPDX-License-Identifier: MIT */
/* Sends the bytes of a command to the terminal, and reports what was sent. */
#include "commands/command.h"

struct globals globals;

/* Whether a program gets the bytes. */
static bool
goes_to_program(const struct given *given)
{
	return given->route == ROUTE_NATIVE || given->route == ROUTE_LOAD_BUFFER ||
	    given->route == ROUTE_TMUX_BUFFER;
}

bool
path_where_needed(struct path *path, const struct given *given, struct error *error)
{
	if (path_find(path, given, error))
		return true;
	if (error->status != STATUS_NO_TERMINAL || (!given->print && !goes_to_program(given)))
		return false;
	*error = (struct error){ .status = STATUS_DONE };
	return true;
}

struct given
given_for(unsigned feature)
{
	struct given given = globals.given;

	given.copies = feature == FEATURE_COPY;
	return given;
}

/* Returns false if a signal arrived during a query, which cancels the command. */
static bool
not_interrupted(struct error *error)
{
	return signals_caught == 0 || fail(error, STATUS_FAILED,
	    "interrupted while querying the terminal; nothing was sent");
}

bool
sink_begin(struct sink *sink, const struct request *request, struct error *error)
{
	const struct given given = given_for(request->feature);

	sink->sent = sink->payload = 0;
	if (given.print && given.chain != NULL) {
		path_begin(&sink->path, &given);
		return true;
	}
	if (path_where_needed(&sink->path, &given, error))
		return true;
	/* as in a cron job */
	if (request->any_session && error->status == STATUS_NO_TERMINAL && given.tty == NULL)
		advise(error, "--tty last is the terminal that you used last; otherwise %s",
		    message_remedy(error->text));
	return false;
}

bool
sink_open(struct sink *sink, const struct request *request, struct error *error)
{
	return sink_begin(sink, request, error) && sink_replan(sink, request, error);
}

bool
sink_replan(struct sink *sink, const struct request *request, struct error *error)
{
	sink->request = *request;
	sink->request.given = given_for(request->feature);
	if (route_find(&sink->route, &sink->path, &sink->request))
		return not_interrupted(error);
	if (not_interrupted(error))
		*error = sink->route.refusal;
	return false;
}

/* Readable notation is built piece by piece. */
void
print_sequences(const struct buf *bytes)
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
	buf_free(&text);
}

bool
sink_send(struct sink *sink, struct buf *bytes, struct error *error)
{
	const struct request *request = &sink->request;

	sink->payload += bytes->len;
	/* instead of a clipboard that cannot be cleared */
	if (sink->route.overwrites) {
		bytes->len = 0;
		buf_add_string(bytes, "\n");
	}
	if (globals.print == PRINT_NOT)
		return (bytes->len == 0 && request->streams) || deliver(&sink->route,
		    &sink->path, request, bytes, &sink->sent, error);
	encode_for(&sink->route, request, bytes);
	print_sequences(bytes);
	if (globals.print == PRINT_ESC && !request->streams)
		stream_output("\n", 1);
	sink->sent += bytes->len;
	return true;
}

/* ---- reports --------------------------------------------------------------- */

void
report_begin(struct buf *out)
{
	buf_init(out, BUF_NO_LIMIT);
	json_open(out, NULL, '{');
	json_text(out, "command", messages.command);
}

void
report_end(struct buf *out)
{
	json_close(out, '}');
	buf_add(out, "\n", 1);
	stream_output(out->data, out->len);
	buf_free(out);
}

bool
is_unlikely(const struct route *route)
{
	return route->verdict >= VERDICT_SETTING && route->warning[0] != '\0';
}

void
report_route_json(struct buf *out, const struct route *route, const char *device)
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
	json_text(out, "terminal", route->terminal != NULL ? route->terminal->id : NULL);
	json_bool(out, "known", route->verdict == VERDICT_YES);
	json_text(out, "arrives", is_unlikely(route) ? "unlikely" :
	    route->verdict != VERDICT_YES ? "unknown" : "likely");
	json_number(out, "limit_bytes", route->limit);
	json_text(out, "reason", route->why);
	json_text(out, "note", route->note);
	json_text(out, "warning", message_problem(route->warning).text);
	json_text(out, "hint", message_remedy(route->warning));
}

/* The losses that are possible or likely; --quiet conceals no likely one. */
static void
report_warnings(const struct sink *sink)
{
	const struct route *route = &sink->route;

	if (sink->path.newly_silent)
		warn("the terminal did not reply to the query for its name, and will not be "
		    "queried again in this login\n"
		    "name it: export VIATTY_TERM=NAME");
	if (sink->path.ignored_tty != NULL)
		warn_whole(sink->path.ignored_tty);
	if (sink->path.stale[0] != '\0')
		warn_whole(sink->path.stale);
	if (is_unlikely(route))
		note("warning: %s", route->warning);
	else if (route->warning[0] != '\0')
		warn_whole(route->warning);
}

/* What -v says. */
static void
report_in_words(const struct sink *sink, const char *device)
{
	const struct route *route = &sink->route;
	const char *terminal = route->terminal != NULL ? route->who : "unknown";
	const char *way = route_words[route->kind];
	char layers[CHAIN_TEXT], why[sizeof(route->why) + sizeof(route->note) + 4], size[64];

	chain_format(&route->chain, layers);
	text_copy(why, sizeof(why), route->why);
	if (route->overwrites)
		text_format(why, sizeof(why), "%s; %s", route->why, route->note);
	else if (route->note[0] != '\0')
		text_format(why, sizeof(why), "%s\n%s", route->why, route->note);
	if (sink->sent == sink->payload)
		text_format(size, sizeof(size), "%zu bytes", sink->sent);
	else
		text_format(size, sizeof(size), "%zu bytes (%zu encoded)", sink->payload,
		    sink->sent);
	if (sink->path.waited)
		note("waited for a reply from the terminal, which did not come\n"
		    "to send no query: VIATTY_PROBE=never");
	if (sink->path.source == DEVICE_LAST)
		note("the terminal used last is %s", sink->path.device.name);
	if (route->tool != NULL)
		note("sent %zu bytes to %s by --route %s with %s, --wrap %s, terminal %s: %s",
		    sink->payload, route->desktop, way, route->tool->program, layers, terminal,
		    why);
	else if (device[0] != '\0')
		note("sent %s to %s by --route %s, --wrap %s, terminal %s: %s",
		    size, device, way, layers, terminal, why);
	else
		note("sent %s by --route %s, --wrap %s, terminal %s: %s",
		    size, way, layers, terminal, why);
}

static void
report_as_json(const struct sink *sink, const char *device)
{
	struct buf out;

	report_begin(&out);
	json_bool(&out, "sent", true);
	report_route_json(&out, &sink->route, device);
	json_number(&out, "payload_bytes", sink->payload);
	json_number(&out, "sent_bytes", sink->sent);
	report_end(&out);
}

int
sink_report(const struct sink *sink)
{
	const int status = is_unlikely(&sink->route) && !globals.given.force ? STATUS_UNLIKELY :
	    STATUS_DONE;
	char device[DEVICE_NAME];

	if (globals.print != PRINT_NOT)
		return STATUS_DONE;
	report_warnings(sink);
	if (!globals.verbose && !globals.json)
		return status;
	if (sink->route.own_device)
		path_device(device, &sink->path);
	else
		text_copy(device, sizeof(device), sink->route.device.name);
	if (globals.verbose)
		report_in_words(sink, device);
	if (globals.json)
		report_as_json(sink, device);
	return status;
}

int
sink_finish(struct sink *sink, struct buf *bytes)
{
	struct error error;

	if (!sink_send(sink, bytes, &error))
		die_of(&error);
	return sink_report(sink);
}

int
send_request(const struct request *request, struct buf *bytes)
{
	static struct sink sink;
	struct error error;

	if (!sink_open(&sink, request, &error))
		die_of(&error);
	return sink_finish(&sink, bytes);
}
