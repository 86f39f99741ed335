/* SPDX-License-Identifier: MIT */
/* relay: runs a command, and delivers the copies in its output to this desktop. */
#include "commands/command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- without a relay ---------------------------------------------------------- */

_Noreturn void
command_execute(char *const *command)
{
	struct error error;

	execvp(command[0], command);
	job_cannot_run(command, errno, &error);
	die_of(&error);
}

/* Whether a read of the clipboard that is not wrapped is known to get no answer here. */
static bool
answers_no_reads(const struct path *path)
{
	const struct hop *hop = &path->hop[0];
	const struct tmux *tmux = &hop->tmux;

	if (path->hops == 0)
		return path_lacks(path, FEATURE_PASTE);
	/* tmux answers itself if set-clipboard is on; since 3.7 get-clipboard decides */
	if (hop->row->kind == HOP_TMUX)
		return !tmux_is_at_least(tmux, 3, 7) && tmux->set_clipboard != SET_CLIPBOARD_ON &&
		    tmux->set_clipboard != SET_CLIPBOARD_UNKNOWN;
	return hop_forwards(hop, FEATURE_PASTE) == SUPPORT_NO;
}

/* ---- the command ---------------------------------------------------------------- */

/*
 * Lets ps(1), and on Linux tmux, show this process as the command. That is written over the words
 * of the program, which are one block (execve() of Linux, fs/exec.c), as far as there is room.
 */
static void
show_as(char *const *command)
{
	char *to = globals.words;
	const char *end = globals.words_end;

	for (; *command != NULL && to < end; command++, to += strlen(to) + 1)
		snprintf(to, (size_t)(end - to), "%s", *command);
	memset(to, '\0', (size_t)(end - to));
}

/* The arguments of the program are overwritten later, so the command gets copies of them. */
static char *
copy_word(const char *word)
{
	const size_t size = strlen(word) + 1;

	return memcpy(xrealloc(NULL, size), word, size);
}

char **
join_words(const char *const *before, char *const *words, const char *after)
{
	const char *const last[] = { after, NULL };
	const char *const *parts[] = { before, (const char *const *)words, last };
	const char *const *word;
	char **all = xrealloc(NULL, sizeof(*all));
	size_t n = 0, i;

	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		for (word = parts[i]; *word != NULL; word++) {
			all[n++] = copy_word(*word);
			all = xrealloc(all, (n + 1) * sizeof(*all));
		}
	all[n] = NULL;
	return all;
}

static void
report(const struct copies sent[RELAY_KINDS])
{
	static const char *const lost[RELAY_KINDS] = { "copies did not arrive",
		"notifications were not shown", "pictures were not sent" };
	const struct copies *copies = &sent[RELAY_COPIES];
	const unsigned pictures = sent[RELAY_PICTURES].delivered;
	size_t i;

	for (i = 0; i < RELAY_KINDS; i++)
		if (sent[i].failed > 0)
			message_warn("%u of %u %s, the first because: %s", sent[i].failed,
			    sent[i].failed + sent[i].delivered, lost[i], i == RELAY_PICTURES ?
			    /* its remedy is an option of paste */
			    message_problem(sent[i].failure.text).text : sent[i].failure.text);
	if (pictures > 0)
		message_note("sent %u %s", pictures, pictures == 1 ? "picture" : "pictures");
	if (globals.verbose && copies->delivered == 0)
		message_note("relayed no copy");
	else if (globals.verbose)
		message_note("relayed %u %s, the last of %zu bytes by --route %s",
		    copies->delivered, copies->delivered == 1 ? "copy" : "copies",
		    copies->last, copies->way);
}

/* Finds the way of notifications or pictures, as far as it is known without a query. */
static bool
begin_kind(struct copies *kind, struct delivery *delivery, const struct request *request)
{
	struct route *route = xrealloc(NULL, sizeof(*route));

	delivery->path.given.probe = false;
	*kind = (struct copies){ .path = &delivery->path, .route = route, .request = *request };
	kind->request.given = delivery->request.given;
	/* --route is for copies */
	kind->request.given.route = ROUTE_AUTO;
	return route_find(route, &delivery->path, &kind->request) && route->kind == ROUTE_NATIVE;
}

/* Takes notifications out of the stream where only a desktop tool shows them. */
static void
begin_shown(struct relay *relay, struct delivery *delivery, const char *host)
{
	static char application[TEXT_QUOTED];
	struct copies *shown = &relay->sent[RELAY_SHOWN];

	relay->stream.notifies = begin_kind(shown, delivery, &notification_request);
	shown->pace_ms = SHOWN_PACE_MS;
	text_format(application, sizeof(application), host != NULL ? "viatty: %s" : "viatty", host);
	shown->application = application;
}

static char *const *
begin_pictures(struct copies *pictures, struct delivery *delivery, relay_share *share,
    char *const *command)
{
	struct request request = paste_request;

	request.type = "image/png";
	if (begin_kind(pictures, delivery, &request))
		return share(command, &pictures->socket);
	message_warn("no pictures, because %s", pictures->route->refusal.text);
	return command;
}

int
relay_command(char *const *command, const char *host, relay_share *share)
{
	static struct delivery delivery;
	struct error error = { .status = STATUS_DONE };
	struct request request = copy_request;
	struct relay relay = { .command = NULL };
	int tty = relay_terminal(), status;
	bool refused;

	if (tty < 0)
		command_execute(command);
	if (user_called_root()) {
		message_warn("no relay, because this is root, and the terminal is another user's\n"
		    "the other way round it is one: viatty relay sudo ...");
		command_execute(command);
	}
	/* the other programs of a pipeline may read the terminal */
	globals.given.in_pipeline = !isatty(STDIN_FILENO);
	if (globals.given.terminal_name != NULL)
		globals.given.terminal_name = copy_word(globals.given.terminal_name);
	request.payload = 1;
	request.sequence = clipboard_write_size(request.payload);
	refused = !delivery_open(&delivery, &request, &error);
	if (signal_caught != 0 || (refused && error.status == STATUS_USAGE))
		die_of(&error);
	relay.stream = (struct relay_stream){ .held = BUF_EMPTY, .max = RELAY_COPY_MAX };
	/* if the terminal itself takes copies, it also answers queries for that */
	relay.stream.answers = !refused && delivery.route.verdict == VERDICT_YES &&
	    (delivery.route.kind != ROUTE_DIRECT || delivery.path.hops > 0);
	relay.stream.takes = relay.stream.answers || refused;
	relay.stream.answers_reads = relay.stream.answers && answers_no_reads(&delivery.path);
	if (!refused || error.status == STATUS_REFUSED) {
		begin_shown(&relay, &delivery, host);
		if (share != NULL)
			command = begin_pictures(&relay.sent[RELAY_PICTURES], &delivery, share,
			    command);
	}
	relay.command = join_words((const char *const[]){ NULL }, command, NULL);
	relay.sent[RELAY_COPIES] = (struct copies){ .path = &delivery.path,
		.request = delivery.request, .route = refused ? NULL : &delivery.route,
		.failure = error, .pace_ms = COPIES_PACE_MS };
	show_as(relay.command);
	if (!relay_run(&relay, tty, &status, &error))
		die_of(&error);
	report(relay.sent);
	return status;
}

static int
relay_main(struct call *call)
{
	if (call->count == 0)
		die(STATUS_USAGE, "no command given\n" "viatty relay ssh HOST");
	return relay_command(call->operand, NULL, NULL);
}

const struct command command_relay = {
	.name = "relay",
	.group = "Clipboard",
	.operands = "COMMAND...",
	.summary = "run a command, and bring its copies to this desktop",
	.refused = "tty wrap print",
	.refused_why = "the command gets this terminal",
	.completion = COMPLETE_COMMAND,
	.as_root = relay_main,
	.examples = {
		{ "viatty relay ssh host", "copy on a host, to this desktop" },
		{ "viatty relay docker exec -it web sh", "and in a container" },
	},
	.run = relay_main,
};
