/* SPDX-License-Identifier: MIT */
/* What the terminal tells when it is asked; the contract is in enquiry.h. */
#include "route/enquiry.h"

#include "base/text.h"
#include "tty/tty.h"

#include <string.h>
#include <unistd.h>

void
enquiry_believe(struct surroundings *s, const char *version)
{
	const struct terminal *terminal = terminal_by_version(version);

	text_copy(s->version, sizeof(s->version), version);
	if (terminal != NULL)
		s->terminal = terminal;
}

/* The terminal itself has replied, by whatever way. */
static void
believe_reply(struct surroundings *s, const struct probe *reply)
{
	s->probe = *reply;
	enquiry_believe(s, reply->version);
	if (probe_terminal(reply) != NULL)
		s->terminal = probe_terminal(reply);
}

/* "tmux 3.3a" is what one that is asked for its name says, since 3.2. */
static void
believe_tmux(struct hop *hop, const char *version)
{
	hop->kind = HOP_TMUX_SILENT;
	text_copy(hop->name, sizeof(hop->name), "tmux");
	if (text_begins(version, "tmux "))
		text_copy(hop->tmux.version, sizeof(hop->tmux.version),
		    version + strlen("tmux "));
}

/* Screen's DA2 is "83;40900;0" for 4.9.0: ansi.c, reset from its version. */
static void
believe_screen(struct hop *hop, const char *da2)
{
	static const char screen[] = "83;";
	char number[8] = "";
	unsigned long version;

	hop->kind = HOP_SCREEN;
	text_copy(hop->name, sizeof(hop->name), "screen");
	if (text_begins(da2, screen)) {
		da2 += strlen(screen);
		text_format(number, sizeof(number), "%.*s",
		    (int)strcspn(da2, ";"), da2);
	}
	if (text_number(number, 999999, &version) && version > 0)
		text_format(hop->tmux.version, sizeof(hop->tmux.version),
		    "%lu.%lu.%lu", version / 10000, version / 100 % 100,
		    version % 100);
}

/*
 * What only TERM says, or a server we cannot ask, is settled by what answers
 * at our terminal: somebody else altogether, Screen, or a tmux with these
 * options.
 */
static void
settle(struct surroundings *s, int fd, unsigned timeout_ms)
{
	struct hop *hop = &s->hop[0];
	struct probe found;

	probe_identify(&found, fd, &(struct chain){ 0 }, timeout_ms);
	s->signal = found.signal;
	s->silent = found.found == PROBE_NOTHING;
	switch (found.found) {
	case PROBE_NOTHING:
		break;
	case PROBE_SCREEN:
		believe_screen(hop, found.da2);
		break;
	case PROBE_TMUX:
		believe_tmux(hop, found.version);
		if (s->signal == 0) {
			probe_tmux(&hop->probe, fd, &found, timeout_ms);
			s->signal = hop->probe.signal;
		}
		break;
	case PROBE_TERMINAL:
		s->hops = 0;
		believe_reply(s, &found);
		break;
	}
}

/* Whether only the version tells if the terminal stores what is copied. */
static bool
bytes_depend_on_version(const struct surroundings *s)
{
	return s->terminal != NULL && s->terminal->bytes.since[0] != '\0' &&
	    terminal_bytes(s->terminal, surroundings_version(s)) == BYTES_UNKNOWN;
}

static bool
is_to_identify(const struct surroundings *s, const struct survey_request *request)
{
	if (request->binary && bytes_depend_on_version(s))
		return true;
	if (request->identify != IDENTIFY_UNKNOWN)
		return request->identify == IDENTIFY_ALWAYS;
	return s->terminal == NULL || (request->feature < FEATURE_COUNT &&
	    terminal_version_support(s->terminal, (enum feature)request->feature,
	        surroundings_version(s)) == SUPPORT_UNKNOWN);
}

/*
 * Nothing is in question but the terminal, which answers through `chain`, and
 * to be thorough the version of a Screen, which answers for itself.
 */
static void
identify(struct surroundings *s, int fd, const struct chain *chain,
    bool thorough, unsigned timeout_ms)
{
	struct probe found;

	if (thorough && s->hops > 0 && s->hop[0].tmux.version[0] == '\0') {
		probe_identify(&found, fd, &(struct chain){ 0 }, timeout_ms);
		s->signal = found.signal;
		if (found.found == PROBE_SCREEN)
			believe_screen(&s->hop[0], found.da2);
		if (s->signal != 0)
			return;
	}
	probe_identify(&found, fd, chain, timeout_ms);
	s->signal = found.signal;
	s->silent = found.found == PROBE_NOTHING;
	if (found.found == PROBE_TERMINAL)
		believe_reply(s, &found);
}

/* Whether something is in between, and what it is only the terminal can tell. */
static bool
in_question(const struct surroundings *s)
{
	return s->hops == 1 && (s->hop[0].kind == HOP_TMUX_SILENT ||
	    s->hop[0].kind == HOP_TMUX_OR_SCREEN);
}

/* Whether a question can reach the terminal, and what it is wrapped for. */
static bool
is_within_reach(const struct surroundings *s, struct chain *chain)
{
	size_t i;

	*chain = (struct chain){ 0 };
	for (i = 0; i < s->hops; i++)
		if (s->hop[i].kind != HOP_SCREEN || s->hop[i].detached ||
		    !chain_add(chain, LAYER_SCREEN))
			return false;
	return true;
}

void
enquire(struct surroundings *s, const struct survey_request *request,
    unsigned timeout_ms)
{
	bool settles = request->probe && in_question(s);
	bool identifies = is_to_identify(s, request);
	struct chain chain;
	int fd;

	if (s->source != DEVICE_CONTROLLING || (!settles && !identifies))
		return;
	fd = tty_open("/dev/tty", true);
	if (fd < 0)
		return;
	if (settles)
		settle(s, fd, timeout_ms);
	if (identifies && s->signal == 0 && s->probe.found == PROBE_NOTHING &&
	    is_within_reach(s, &chain))
		identify(s, fd, &chain, request->identify == IDENTIFY_ALWAYS,
		    timeout_ms);
	close(fd);
}
