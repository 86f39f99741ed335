/* SPDX-License-Identifier: MIT */
/* Identifies the terminal by queries; the contract is in identify.h. */
#include "detect/environment.h"
#include "detect/identify.h"

#include "base/text.h"

#include <string.h>
#include <unistd.h>

void
identify_from_reply(struct path *path, const char *version)
{
	const struct terminal *terminal = terminal_by_version(version);

	text_copy(path->version, sizeof(path->version), version);
	if (terminal != NULL)
		path->terminal = terminal;
}

/* Records the replies of the terminal itself. */
static void
note_terminal_reply(struct path *path, const struct probe *reply)
{
	path->probe = *reply;
	identify_from_reply(path, reply->version);
	if (probe_terminal(reply) != NULL)
		path->terminal = terminal_after_reply(path->by_environment,
		    probe_terminal(reply));
}

static void
note_tmux_reply(struct hop *hop, const struct probe *reply)
{
	hop->kind = HOP_TMUX_UNREACHABLE;
	text_copy(hop->name, sizeof(hop->name), multiplexer_of(hop->kind, NULL)->id);
	text_copy(hop->tmux.version, sizeof(hop->tmux.version),
	    probe_tmux_version(reply));
	if (hop->why[0] == '\0' && environment_get("TMUX") == NULL)
		text_format(hop->why, sizeof(hop->why), "TMUX is not set here, as "
		    "in a container or after ssh");
}

/* Screen's DA2 is "83;40900;0" for 4.9.0: ansi.c, reset from its version. */
static void
note_screen_reply(struct hop *hop, const char *da2)
{
	const char *second = strchr(da2, ';');
	char number[8] = "";
	unsigned long version;

	hop->kind = HOP_SCREEN;
	text_copy(hop->name, sizeof(hop->name), multiplexer_of(hop->kind, NULL)->id);
	if (second != NULL)
		text_format(number, sizeof(number), "%.*s",
		    (int)strcspn(second + 1, ";"), second + 1);
	if (text_number(number, 999999, &version) && version > 0)
		text_format(hop->tmux.version, sizeof(hop->tmux.version),
		    "%lu.%lu.%lu", version / 10000, version / 100 % 100,
		    version % 100);
}

/* Time limit for a terminal that never replies; doctor waits longer. */
enum { REPLY_MS = 1000, DOCTOR_REPLY_MS = 2000 };

static struct probe_limits
limits_of(const struct detect_request *request)
{
	bool thorough = request->identify == IDENTIFY_ALL;

	return (struct probe_limits){
		.timeout_ms = request->timeout_ms != 0 ? request->timeout_ms :
		    thorough ? DOCTOR_REPLY_MS : REPLY_MS,
		.strict = request->timeout_ms == 0,
		.optional = !thorough && request->identify != IDENTIFY_TERMINAL,
	};
}

/* What replies at our terminal, and how it is queried. */
struct identification {
	struct path *path;
	const struct detect_request *request;
	struct probe_limits limits;
};

/*
 * The nearest hop: one known only from TERM, or a new one for a multiplexer that replies
 * without other evidence. A pane whose shell runs in a container has TERM=xterm and no
 * TMUX.
 */
static struct hop *
hop_that_replied(struct path *path)
{
	if (path->hops == 0)
		path->hop[path->hops++] = (struct hop){ .kind = HOP_TMUX_UNREACHABLE,
			.origin = { SOURCE_REPLY, geteuid() } };
	return &path->hop[0];
}

/* What will be sent decides what is queried; for paste, nothing. */
static void
ask_tmux(struct identification *e, struct hop *hop, const struct probe *reply)
{
	static const unsigned copy = FEATURE_BIT(FEATURE_COPY) |
	    FEATURE_BIT(FEATURE_CLEAR) | FEATURE_BIT(FEATURE_PRIMARY);
	unsigned features = e->request->features;
	bool copies = features != 0 && (features & ~copy) == 0;

	if (!e->request->probe || e->path->signal != 0 ||
	    (features & FEATURE_BIT(FEATURE_PASTE)) != 0)
		return;
	probe_tmux(&hop->probe, reply, copies, &e->limits);
	e->path->signal = hop->probe.signal;
}

static void
note_end(struct path *path, const struct probe *reply)
{
	path->signal = reply->signal;
	path->silent = reply->end == QUERY_SILENT;
	path->probe.end = reply->end;
	path->probe.failure = reply->failure;
}

/* Queries our terminal, which may be a tmux or Screen without other evidence. */
static void
ask_nearest(struct identification *e)
{
	struct path *path = e->path;
	struct probe reply;
	struct hop *hop;

	probe_identify(&reply, &(struct chain){ 0 }, &e->limits);
	note_end(path, &reply);
	switch (reply.found) {
	case PROBE_NOTHING:
		break;
	case PROBE_SCREEN:
		note_screen_reply(hop_that_replied(path), reply.da2);
		break;
	case PROBE_TMUX:
		hop = hop_that_replied(path);
		note_tmux_reply(hop, &reply);
		ask_tmux(e, hop, &reply);
		break;
	case PROBE_TERMINAL:
		path->hops = 0;
		note_terminal_reply(path, &reply);
		break;
	}
}

/*
 * Queries the terminal through Screen, and Screen for its version. The reply goes to the
 * visible window: an optional query is sent only if the user has just typed here.
 */
static void
ask_through_screen(struct identification *e, const struct chain *chain)
{
	struct path *path = e->path;
	struct probe reply;

	e->limits.lately = e->limits.optional;

	if (e->request->identify == IDENTIFY_ALL &&
	    path->hop[0].tmux.version[0] == '\0') {
		probe_identify(&reply, &(struct chain){ 0 }, &e->limits);
		note_end(path, &reply);
		if (reply.found == PROBE_SCREEN)
			note_screen_reply(&path->hop[0], reply.da2);
		if (reply.found == PROBE_NOTHING)
			return;
	}
	probe_identify(&reply, chain, &e->limits);
	note_end(path, &reply);
	if (reply.found == PROBE_TERMINAL)
		note_terminal_reply(path, &reply);
}

/* Whether the version decides what the environment does not. */
static bool
depends_on_version(const struct path *path, unsigned features)
{
	const char *version = path_version(path);
	enum feature f;

	for (f = 0; f < FEATURE_COUNT; f++)
		if ((features & FEATURE_BIT(f)) != 0 && version[0] == '\0' &&
		    terminal_support(path->terminal, f) !=
		    terminal_version_support(path->terminal, f, version))
			return true;
	return false;
}

/* Whether only the version tells if the terminal stores the copied bytes. */
static bool
bytes_depend_on_version(const struct path *path)
{
	return path->terminal != NULL && path->terminal->bytes.since[0] != '\0' &&
	    terminal_bytes(path->terminal, path_version(path)) == BYTES_UNKNOWN;
}

static bool
is_to_identify(const struct path *path, const struct detect_request *request)
{
	if (request->binary && bytes_depend_on_version(path))
		return true;
	if (request->identify != IDENTIFY_UNKNOWN)
		return request->identify != IDENTIFY_NOT;
	/* it would show the query as text */
	if (strcmp(path->term, "dumb") == 0)
		return false;
	return path->terminal == NULL || depends_on_version(path, request->features);
}

/* Whether there is a hop that only queries can identify. */
static bool
in_question(const struct path *path)
{
	return path->hops == 1 && hop_is_unreachable(&path->hop[0]);
}

void
identify_path(struct path *path, const struct detect_request *request)
{
	struct identification e = { path, request, limits_of(request) };
	bool settles = request->probe && in_question(path);
	struct chain chain;
	size_t reply_max;
	bool identifies = is_to_identify(path, request) &&
	    path_reply_chain(path, &chain, &reply_max) == NULL;

	if (path->source != DEVICE_CONTROLLING || (!settles && !identifies))
		return;
	if (settles || chain.count == 0)
		ask_nearest(&e);
	else
		ask_through_screen(&e, &chain);
}
