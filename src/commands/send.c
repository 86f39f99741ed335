/* SPDX-License-Identifier: MIT */
/* From a command's bytes to the terminal; the contract is in send.h. */
#include "commands/send.h"

#include "base/stream.h"
#include "base/text.h"
#include "commands/report.h"
#include "route/deliver.h"
#include "route/surroundings.h"

#include <string.h>
#include <unistd.h>

static bool
is_utf8(const struct buf *b)
{
	const char *at = (const char *)b->data;
	size_t n, left = b->len;

	for (; left > 0; left -= n, at += n) {
		n = (unsigned char)*at < 0x80 ? 1 : text_utf8(at, left);
		if (n == 0)
			return false;
	}
	return true;
}

static bool
no_room(const struct buf *b, struct error *error)
{
	return error_set(error, STATUS_FAILED, b->fault == BUF_TOO_LARGE ?
	    "too large for this program" : "out of memory");
}

static unsigned
features_of(const struct message *message)
{
	unsigned features = message->features;

	if (message->feature < FEATURE_COUNT)
		features |= FEATURE_BIT(message->feature);
	if (message->feature != FEATURE_COPY)
		return features;
	if (message->bytes->len == 0)
		features |= FEATURE_BIT(FEATURE_CLEAR);
	if (strchr(message->selections, 'p') != NULL)
		features |= FEATURE_BIT(FEATURE_PRIMARY);
	return features;
}

/* For layers that were given there is nothing to look for but the device. */
static bool
look_around(struct surroundings *s, const struct message *message,
    const struct globals *g, struct error *error)
{
	struct survey_request request = {
		.tty = g->tty,
		.device_only = g->chain != NULL,
		.probe = g->probe && g->print == PRINT_NOT,
		.identify = message->identify && g->probe && g->chain == NULL &&
		    g->print == PRINT_NOT && g->terminal == NULL ?
		    IDENTIFY_UNKNOWN : IDENTIFY_NOT,
		.binary = (message->not_utf8 != 0 || message->nul != 0) &&
		    g->probe && g->chain == NULL && g->print == PRINT_NOT &&
		    g->terminal == NULL,
		.features = features_of(message),
		.timeout_ms = g->timeout_ms,
	};

	if (g->print != PRINT_NOT && g->chain != NULL) {
		*s = (struct surroundings){ .fd = -1 };
		return true;
	}
	/* what is only printed needs no terminal */
	return survey(s, &request, error) ||
	    (g->print != PRINT_NOT && error->status == STATUS_NO_TERMINAL);
}

/* Control-C during a question means: do not go on. */
static bool
not_interrupted(struct call *call, const struct surroundings *s,
    struct error *error)
{
	call->signal = s->signal;
	return s->signal == 0 || error_set(error, STATUS_FAILED,
	    "interrupted while asking the terminal; nothing was sent");
}

static bool
decide(struct route *route, const struct surroundings *s,
    const struct message *message, const struct globals *g, struct error *error)
{
	struct route_request request = {
		.feature = message->feature,
		.nearest = message->nearest,
		.selections = message->selections,
		.payload = message->bytes->len,
		.sequence = message->sequence,
		.utf8 = s->hops == 0 || is_utf8(message->bytes),
		.not_utf8 = message->not_utf8,
		.nul = message->nul,
		.draws = message->draws,
		.route = g->route,
		.chain = g->chain,
		.terminal = g->terminal,
		.terminal_name = g->terminal_name,
		.force = g->force,
	};

	return route_decide(route, s, &request, error);
}

/* The routes by way of tmux's program take the payload itself. */
static bool
encode(const struct route *route, const struct message *message,
    struct error *error)
{
	struct buf *b = message->bytes;

	if (route->overwrites && !buf_add(b, "\n", 1))
		return no_room(b, error);
	if (route->kind == ROUTE_LOAD_BUFFER || route->kind == ROUTE_TMUX_BUFFER)
		return true;
	if (message->encode != NULL && !message->encode(b, message->selections))
		return no_room(b, error);
	return wrap(b, &route->chain) || no_room(b, error);
}

static bool
print(const struct buf *b, enum print_form form, struct error *error)
{
	struct buf text;
	bool fine;

	if (form == PRINT_RAW)
		return stream_output(b, error);
	buf_init(&text, (size_t)-1 / 2);
	if ((form == PRINT_ESC ? notation_write : notation_hex)(&text, b->data,
	    b->len))
		buf_add(&text, "\n", 1);
	fine = stream_output(&text, error);
	buf_free(&text);
	return fine;
}

bool
outlet_open(struct outlet *outlet, struct call *call,
    const struct message *message, struct error *error)
{
	outlet->call = call;
	outlet->route = (struct route){ .kind = ROUTE_AUTO };
	return look_around(&outlet->s, message, call->globals, error) &&
	    not_interrupted(call, &outlet->s, error) &&
	    decide(&outlet->route, &outlet->s, message, call->globals, error);
}

bool
outlet_turn(struct outlet *outlet, const struct message *message,
    struct error *error)
{
	return decide(&outlet->route, &outlet->s, message, outlet->call->globals,
	    error);
}

bool
outlet_send(struct outlet *outlet, struct message *message, struct error *error)
{
	struct call *call = outlet->call;
	const struct globals *g = call->globals;
	struct delivery delivery = {
		.abort = message->abort,
		.timeout_ms = g->timeout_ms,
	};

	if (!encode(&outlet->route, message, error))
		return false;
	if (g->print != PRINT_NOT)
		return print(message->bytes, g->print, error);
	delivery.bytes = message->bytes->data;
	delivery.size = message->bytes->len;
	return deliver(&outlet->route, &outlet->s, &delivery, &call->signal, error);
}

bool
outlet_report(const struct outlet *outlet, size_t payload, size_t bytes,
    struct error *error)
{
	const struct call *call = outlet->call;
	const struct route *route = &outlet->route;
	const struct globals *g = call->globals;
	struct sent sent = { route, "", payload, bytes };
	char device[DEVICE_NAME];

	if (g->print != PRINT_NOT)
		return true;
	if (!g->quiet && outlet->s.remark[0] != '\0')
		report_warning(call->title, outlet->s.remark, "");
	if (!g->quiet && route->warning[0] != '\0')
		report_warning(call->title, route->warning, route->warning_hint);
	if (!g->verbose && !g->json)
		return true;
	if (route->own_device)
		surroundings_device(device, &outlet->s);
	else
		text_copy(device, sizeof(device), route->device);
	sent.device = device;
	if (g->verbose)
		report_sent(call->title, &sent);
	return !g->json || report_sent_json(call->command, &sent) ||
	    error_system(error, "cannot write to standard output");
}

void
outlet_close(struct outlet *outlet)
{
	surroundings_free(&outlet->s);
}

bool
send_message(struct call *call, struct message *message, struct error *error)
{
	size_t payload = message->bytes->len;
	struct outlet outlet;
	bool fine;

	fine = outlet_open(&outlet, call, message, error) &&
	    outlet_send(&outlet, message, error) &&
	    outlet_report(&outlet, payload, message->bytes->len, error);
	outlet_close(&outlet);
	if (fine)
		call->taken = outlet.route.kind;
	return fine;
}
