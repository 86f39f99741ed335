/* SPDX-License-Identifier: MIT */
/* Sends the bytes of a command to the terminal; the contract is in send.h. */
#include "commands/send.h"

#include "base/stream.h"
#include "base/text.h"
#include "commands/reasons.h"
#include "commands/report.h"
#include "detect/detect.h"
#include "route/deliver.h"
#include "detect/path.h"

#include <string.h>
#include <unistd.h>

static bool
no_room(const struct buf *b, struct error *error)
{
	return error_set(error, STATUS_FAILED, b->fault == BUF_TOO_LARGE ?
	    "too large for this program" : "out of memory");
}

static unsigned
features_of(const struct message *message)
{
	const struct request *request = &message->request;
	unsigned features = message->features;

	if (request->feature < FEATURE_COUNT)
		features |= FEATURE_BIT(request->feature);
	if (request->feature != FEATURE_COPY)
		return features;
	if (request->payload == 0)
		features |= FEATURE_BIT(FEATURE_CLEAR);
	if (strchr(request->selections, 'p') != NULL)
		features |= FEATURE_BIT(FEATURE_PRIMARY);
	return features;
}

static enum detect_desktop
desktop_of(const struct globals *g)
{
	if (g->route == ROUTE_NATIVE)
		return DETECT_DESKTOP_FORCED;
	return g->route == ROUTE_AUTO && g->chain == NULL && g->print == PRINT_NOT &&
	    !g->force ? DETECT_DESKTOP_INSTEAD : DETECT_DESKTOP_NOT;
}

struct detect_request
detect_request_of(const struct globals *g)
{
	return (struct detect_request){
		.probe = g->probe,
		.identify = g->probe && g->terminal == NULL && g->route != ROUTE_NATIVE ?
		    IDENTIFY_UNKNOWN : IDENTIFY_NOT,
		.desktop = desktop_of(g),
		.terminal = g->terminal,
		.terminal_name = g->terminal_name,
		.timeout_ms = g->timeout_ms,
	};
}

bool
detect_where_needed(struct path *path, const struct detect_request *request,
    const struct globals *g, struct error *error)
{
	if (detect_path(path, request, error))
		return true;
	if (error->status != STATUS_NO_TERMINAL ||
	    (g->print == PRINT_NOT && g->route != ROUTE_NATIVE))
		return false;
	*error = (struct error){ .status = STATUS_DONE };
	return true;
}

void
request_force(struct request *request, const struct globals *g)
{
	request->route = g->route;
	request->chain = g->chain;
	request->force = g->force;
}

void
request_content(struct request *request, const void *bytes, size_t n)
{
	const char *data = bytes;
	size_t valid = n > 0 ? text_utf8_prefix(data, n) : 0;
	const char *nul = n > 0 ? memchr(data, '\0', n) : NULL;

	request->payload = n;
	request->not_utf8 = valid < n ? valid + 1 : 0;
	request->nul = nul != NULL ? (size_t)(nul - data) + 1 : 0;
}

bool
plan_native_paste(struct route *route, const struct path *path,
    const struct call *call, char selection, const char *type)
{
	const char letters[2] = { selection, '\0' };
	struct request request = { .feature = FEATURE_PASTE, .selections = letters,
		.type = type };

	request_force(&request, call->globals);
	return plan_native(route, path, &request);
}

/* For layers that were given there is nothing to look for but the device. */
static bool
look_around(struct path *path, const struct message *message,
    const struct globals *g, struct error *error)
{
	struct detect_request request = detect_request_of(g);

	request.tty = g->tty;
	request.features = features_of(message);
	request.device_only = g->chain != NULL;
	request.probe = g->probe && g->print == PRINT_NOT;
	if (g->chain != NULL || !request.probe)
		request.identify = IDENTIFY_NOT;
	request.binary = request.identify != IDENTIFY_NOT &&
	    (message->request.not_utf8 != 0 || message->request.nul != 0);
	if (!message->identify)
		request.identify = IDENTIFY_NOT;
	if (g->print != PRINT_NOT && g->chain != NULL) {
		*path = (struct path){ .fd = -1, .named = g->terminal,
		    .named_as = g->terminal_name };
		return true;
	}
	return detect_where_needed(path, &request, g, error);
}

bool
not_interrupted(const struct call *call, struct error *error)
{
	return call->signal == 0 || error_set(error, STATUS_FAILED,
	    "interrupted while querying the terminal; nothing was sent");
}

static bool
decide_route(struct route *route, const struct path *path,
    const struct message *message, const struct globals *g, struct error *error)
{
	struct request request = message->request;

	request_force(&request, g);
	return plan_route(route, path, &request) ||
	    explain_refusal(error, route, path);
}

/* Longer output is printed in pieces of at least this size. */
enum { PRINT_PIECE = 64 * 1024 };

static bool
print_piece(const struct buf *b, enum print_form form, struct error *error)
{
	struct buf text;
	bool fine;

	if (form == PRINT_RAW)
		return stream_output(b, error);
	buf_init(&text, BUF_NO_LIMIT);
	(form == PRINT_ESC ? escape_notation_write : escape_notation_hex)(&text,
	    b->data, b->len);
	fine = stream_output(&text, error);
	buf_free(&text);
	return fine;
}

static bool
print_source(struct source *source, enum print_form form, size_t *sent, struct error *error)
{
	struct buf piece;
	bool fine = true, more = true;

	buf_init(&piece, BUF_NO_LIMIT);
	while (fine && more) {
		more = source_next(source, &piece);
		if (more && piece.len < PRINT_PIECE)
			continue;
		fine = piece.len == 0 || print_piece(&piece, form, error);
		*sent += piece.len;
		piece.len = 0;
	}
	fine = fine && (piece.fault == BUF_FINE || no_room(&piece, error)) &&
	    (form == PRINT_RAW || stream_write(STDOUT_FILENO, "\n", 1) ||
	        error_stdout(error));
	buf_free(&piece);
	return fine;
}

bool
sink_open(struct sink *sink, struct call *call,
    const struct message *message, struct error *error)
{
	sink->call = call;
	sink->sent = 0;
	sink->route = (struct route){ .kind = ROUTE_AUTO };
	if (!look_around(&sink->path, message, call->globals, error))
		return false;
	call->signal = sink->path.signal;
	return not_interrupted(call, error) &&
	    decide_route(&sink->route, &sink->path, message, call->globals, error);
}

bool
sink_turn(struct sink *sink, const struct message *message,
    struct error *error)
{
	return decide_route(&sink->route, &sink->path, message, sink->call->globals,
	    error);
}

bool
sink_send(struct sink *sink, const struct message *message, struct buf *bytes,
    struct error *error)
{
	struct call *call = sink->call;
	const struct globals *g = call->globals;
	struct source source;
	struct delivery delivery = {
		.source = &source,
		.abort = message->abort,
		.timeout_ms = g->timeout_ms,
	};
	bool fine;

	if (sink->route.overwrites && !buf_add(bytes, "\n", 1))
		return no_room(bytes, error);
	if (message->encode != NULL)
		message->encode(&source, bytes->data, bytes->len,
		    message->request.selections);
	else
		source_bytes(&source, bytes->data, bytes->len);
	if (g->print != PRINT_NOT) {
		source_wrap(&source, &sink->route.chain);
		fine = print_source(&source, g->print, &delivery.sent, error);
	} else {
		fine = deliver(&sink->route, &sink->path, &delivery, &call->signal,
		    error);
	}
	sink->sent += delivery.sent;
	source_free(&source);
	return fine;
}

bool
sink_stream(struct sink *sink, const struct buf *piece, struct error *error)
{
	struct call *call = sink->call;
	struct source source;
	struct delivery delivery = {
		.source = &source,
		.abort = SEQUENCE_ABORT,
		.timeout_ms = call->globals->timeout_ms,
		.streams = true,
	};
	bool fine;

	if (piece->len == 0)
		return true;
	if (call->globals->print != PRINT_NOT) {
		sink->sent += piece->len;
		return print_piece(piece, call->globals->print, error);
	}
	source_bytes(&source, piece->data, piece->len);
	fine = deliver(&sink->route, &sink->path, &delivery, &call->signal, error);
	sink->sent += delivery.sent;
	source_free(&source);
	return fine;
}

bool
sink_report(const struct sink *sink, size_t payload, struct error *error)
{
	const struct call *call = sink->call;
	const struct route *route = &sink->route;
	const struct globals *g = call->globals;
	struct explanation says;
	struct sent sent = { route, &says, "", payload, sink->sent,
	    route->reason.id == REASON_CONFIRMED };
	char device[DEVICE_NAME];

	if (g->print != PRINT_NOT)
		return true;
	if (sink->path.stale[0] != '\0')
		report_warning(call, sink->path.stale, "");
	if (!g->verbose && !g->json && route->warning.id == REASON_NONE)
		return true;
	explain_route(&says, route, &sink->path);
	if (says.warning[0] != '\0')
		report_warning(call, says.warning, says.warning_hint);
	if (!g->verbose && !g->json)
		return true;
	if (route->own_device)
		path_device(device, &sink->path);
	else
		text_copy(device, sizeof(device), route->device.name);
	sent.device = device;
	if (g->verbose)
		report_sent(call->title, &sent);
	return !g->json || report_sent_json(call->command, &sent) ||
	    error_stdout(error);
}

void
sink_close(struct sink *sink)
{
	path_free(&sink->path);
}

bool
send_message(struct call *call, const struct message *message, struct buf *bytes,
    struct error *error)
{
	size_t payload = bytes->len;
	struct sink sink;
	bool fine;

	fine = sink_open(&sink, call, message, error) &&
	    sink_send(&sink, message, bytes, error) &&
	    sink_report(&sink, payload, error);
	sink_close(&sink);
	if (fine)
		call->taken = sink.route.kind;
	return fine;
}
