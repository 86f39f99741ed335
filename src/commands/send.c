/* SPDX-License-Identifier: MIT */
/* Sends the bytes of a command to the terminal, and reports what was sent. */
#include "commands/command.h"

bool
path_where_needed(struct path *path, const struct request *request, struct error *error)
{
	bool program;

	if (path_find(path, request, error))
		return true;
	/* ignore a default route that does not exist here */
	program = globals.route == ROUTE_NATIVE ? !globals.route_is_default ||
	    (path->desktop != NULL && path->desktop->refusal == NULL) :
	    (globals.route == ROUTE_LOAD_BUFFER || globals.route == ROUTE_TMUX_BUFFER) &&
	    !globals.route_is_default;
	if (error->status != STATUS_NO_TERMINAL || (globals.print == PRINT_NOT && !program))
		return false;
	*error = (struct error){ .status = STATUS_DONE };
	return true;
}

void
request_options(struct request *request)
{
	request->tty = globals.tty;
	request->terminal = globals.terminal;
	request->terminal_name = globals.terminal_name;
	/* VIATTY_ROUTE=native does not apply to features that desktop tools lack */
	request->route = globals.route == ROUTE_NATIVE && globals.route_is_default &&
	    !route_is_for_desktop(request->feature) ? ROUTE_AUTO : globals.route;
	request->route_is_default = globals.route_is_default;
	request->chain = globals.chain;
	request->force = globals.force;
	request->print = globals.print != PRINT_NOT;
	request->probe = globals.probe && !request->print;
	request->timeout_ms = globals.timeout_ms;
}

bool
not_interrupted(struct error *error)
{
	return signals_caught == 0 || fail(error, STATUS_FAILED,
	    "interrupted while querying the terminal; nothing was sent");
}

bool
sink_open(struct sink *sink, struct request *request, struct error *error)
{
	sink->sent = sink->payload = 0;
	request_options(request);
	if (request->print && request->chain != NULL)
		path_begin(&sink->path, request->terminal, request->terminal_name);
	else if (!path_where_needed(&sink->path, request, error))
		return false;
	return not_interrupted(error) && sink_turn(sink, request, error);
}

bool
sink_turn(struct sink *sink, struct request *request, struct error *error)
{
	sink->request = request;
	request_options(request);
	if (plan_route(&sink->route, &sink->path, request))
		return true;
	*error = sink->route.refusal;
	return false;
}

bool
sink_send(struct sink *sink, const struct buf *bytes, struct error *error)
{
	enum { PIECE = 64 * 1024 };
	/* instead of a clipboard that cannot be cleared */
	const struct buf newline = { .data = (unsigned char[]){ '\n' }, .len = 1 };
	const struct request *request = sink->request;
	struct buf piece = BUF_EMPTY, text = BUF_EMPTY;
	struct source source;
	bool ok = true, more = true;

	sink->payload += bytes->len;
	if (sink->route.overwrites)
		bytes = &newline;
	if (request->feature == FEATURE_COPY)
		encode_clipboard_write(&source, bytes->data, bytes->len, request->selections);
	else
		source_bytes(&source, bytes->data, bytes->len);
	if (globals.print != PRINT_NOT) {
		if (!request->streams)
			source_wrap(&source, &sink->route.chain);
		while (more) {
			more = source_next(&source, &piece);
			if (more && piece.len < PIECE)
				continue;
			if (globals.print == PRINT_ESC)
				escape_notation_write(&text, piece.data, piece.len);
			else
				stream_output(piece.data, piece.len);
			stream_output(text.data, text.len);
			sink->sent += piece.len;
			piece.len = text.len = 0;
		}
		if (globals.print == PRINT_ESC && !request->streams)
			stream_output("\n", 1);
	} else if (bytes->len > 0 || !request->streams) {
		ok = deliver(&sink->route, &sink->path, request, &source, &sink->sent, error);
	}
	buf_free(&piece);
	buf_free(&text);
	source_free(&source);
	return ok;
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
	json_bool(out, "known", !route->unknown);
	json_text(out, "arrives", route->unlikely ? "unlikely" : route->unknown ? "unknown" :
	    "likely");
	json_number(out, "limit_bytes", route->limit);
	json_text(out, "reason", route->why);
	json_text(out, "note", route->note);
	json_text(out, "warning", message_problem(route->warning).text);
	json_text(out, "hint", message_remedy(route->warning));
}

void
sink_report(const struct sink *sink)
{
	const struct route *route = &sink->route;
	const struct desktop_tool *tool = route->tool;
	char device[DEVICE_NAME], layers[CHAIN_TEXT];
	const char *to = tool != NULL ? route->desktop : device;
	struct buf out;

	if (globals.print != PRINT_NOT)
		return;
	if (sink->path.newly_silent)
		warn("the terminal did not reply to the query for its name, and will not be "
		    "queried again in this login\n"
		    "name it: export VIATTY_TERM=NAME");
	if (sink->path.unheeded[0] != '\0')
		warn("%s\n" "--tty DEVICE names any terminal", sink->path.unheeded);
	if (sink->path.stale[0] != '\0')
		warn("%s", sink->path.stale);
	/* --quiet does not conceal a loss */
	if (route->unlikely)
		note("warning: %s", route->warning);
	else if (route->warning[0] != '\0')
		warn("%s", route->warning);
	if (globals.verbose && sink->path.silent && sink->path.probe.end == TTY_TIMED_OUT)
		note("waited for a reply of the terminal, which did not come\n"
		    "to send no query: VIATTY_PROBE=never");
	if (!globals.verbose && !globals.json)
		return;
	if (route->own_device)
		path_device(device, &sink->path);
	else
		text_copy(device, sizeof(device), route->device.name);
	chain_format(&route->chain, layers);
	if (globals.verbose)
		note("sent %zu bytes (%zu encoded)%s%s by route %s%s%s, layers %s, terminal "
		    "%s: %s%s%s\n%s", sink->payload, sink->sent, to[0] != '\0' ? " to " : "",
		    to, route_words[route->kind], tool != NULL ? " with " : "",
		    tool != NULL ? tool->program : "", layers,
		    route->terminal != NULL ? route->terminal->name : "unknown", route->why,
		    route->overwrites ? "; " : "", route->overwrites ? route->note : "",
		    route->overwrites ? "" : route->note);
	if (!globals.json)
		return;
	report_begin(&out);
	json_bool(&out, "sent", true);
	if (route->confirmed)
		json_bool(&out, "confirmed", true);
	report_route_json(&out, route, device);
	json_number(&out, "payload_bytes", sink->payload);
	json_number(&out, "sent_bytes", sink->sent);
	report_end(&out);
}

void
sink_finish(struct sink *sink, const struct buf *bytes)
{
	struct error error;

	if (!sink_send(sink, bytes, &error))
		die_of(&error);
	sink_report(sink);
}

void
send_request(struct request *request, const struct buf *bytes)
{
	struct error error;
	struct sink sink;

	if (!sink_open(&sink, request, &error))
		die_of(&error);
	sink_finish(&sink, bytes);
}
