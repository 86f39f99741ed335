/* SPDX-License-Identifier: MIT */
/* relay: runs a command, and delivers the copies in its output to this desktop. */
#include "commands/command.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* ---- without a relay ---------------------------------------------------------- */

_Noreturn void
command_execute(char *const *command, const char *by)
{
	struct error error;

	execvp(command[0], command);
	job_cannot_run(command, errno, by, &error);
	die_of(&error);
}

/* Whether the terminal itself takes what the command writes. */
static bool
arrives_unaided(const struct sink *sink)
{
	return sink->route.kind == ROUTE_DIRECT && sink->route.verdict == VERDICT_YES &&
	    sink->path.hops == 0;
}

/* Whether it is known that a read of the clipboard, not wrapped, gets no answer here. */
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
	return hop_support(hop, FEATURE_PASTE) == SUPPORT_NO;
}

/* ---- the command ---------------------------------------------------------------- */

/* Copies of what is in the arguments of the program, which are overwritten. */
static char *
copy_word(const char *word)
{
	const size_t size = strlen(word) + 1;

	return memcpy(memory(NULL, size), word, size);
}

static char **
copy_words(char *const *words)
{
	char **copied;
	size_t n = 0, i;

	while (words[n] != NULL)
		n++;
	copied = memory(NULL, (n + 1) * sizeof(*copied));
	for (i = 0; i < n; i++)
		copied[i] = copy_word(words[i]);
	copied[n] = NULL;
	return copied;
}

static void
report(const struct copies *copies, const struct copies *shown)
{
	if (copies->failed > 0)
		warn("%u of %u copies did not arrive, the first because: %s", copies->failed,
		    copies->failed + copies->delivered, copies->failure.text);
	if (shown->failed > 0)
		warn("%u of %u notifications were not shown, the first because: %s", shown->failed,
		    shown->failed + shown->delivered, shown->failure.text);
	if (globals.verbose && copies->delivered == 0)
		note("relayed no copy");
	else if (globals.verbose)
		note("relayed %u %s, the last of %zu bytes by --route %s", copies->delivered,
		    copies->delivered == 1 ? "copy" : "copies", copies->last, copies->way);
}

/* Takes notifications where only a desktop tool shows them, as far as known without a query. */
static void
begin_shown(struct relay *relay, struct sink *sink, const char *host)
{
	static char application[TEXT_QUOTED];
	static struct route route;
	struct copies *shown = &relay->shown;

	sink->path.given.probe = false;
	shown->path = &sink->path;
	shown->route = &route;
	shown->request = notification_request;
	shown->request.given = sink->request.given;
	/* --route is for copies */
	shown->request.given.route = ROUTE_AUTO;
	shown->pace_ms = SHOWN_PACE_MS;
	if (host != NULL)
		text_format(application, sizeof(application), "viatty: %s", host);
	else
		text_copy(application, sizeof(application), "viatty");
	shown->application = application;
	relay->notifies = route_find(&route, &sink->path, &shown->request) &&
	    route.kind == ROUTE_NATIVE;
}

int
relay_command(char *const *command, const char *host)
{
	static struct sink sink;
	struct error error;
	struct request request = copy_request;
	struct relay relay = { .command = NULL };
	char **words;
	int tty = relay_terminal(), status;
	bool refused;

	if (tty < 0)
		command_execute(command, "relay");
	if (user_called_root()) {
		warn("no relay, because this is root, and the terminal is another user's\n"
		    "the other way round it is one: viatty relay sudo ...");
		command_execute(command, "relay");
	}
	/* the other programs of a pipeline may read the terminal */
	globals.given.in_pipeline = !isatty(STDIN_FILENO);
	if (globals.given.terminal_name != NULL)
		globals.given.terminal_name = copy_word(globals.given.terminal_name);
	request.payload = 1;
	request.sequence = clipboard_write_size(request.payload);
	refused = !sink_open(&sink, &request, &error);
	if (signals_caught != 0 || (refused && error.status == STATUS_USAGE))
		die_of(&error);
	relay.answers = !refused && sink.route.verdict == VERDICT_YES && !arrives_unaided(&sink);
	relay.takes = relay.answers || refused;
	relay.answers_reads = relay.answers && answers_no_reads(&sink.path);
	if (!refused || error.status == STATUS_REFUSED)
		begin_shown(&relay, &sink, host);
	words = copy_words(command);
	relay.command = words;
	relay.copies = (struct copies){ .path = &sink.path, .request = sink.request,
		.pace_ms = COPIES_PACE_MS };
	if (refused)
		relay.copies.failure = error;
	else
		relay.copies.route = &sink.route;
	compat_show_as(globals.words, globals.words_end, words);
	if (!relay_run(&relay, tty, &status, &error))
		die_of(&error);
	report(&relay.copies, &relay.shown);
	return status;
}

static int
relay_main(struct call *call)
{
	if (call->count == 0)
		die(STATUS_USAGE, "no command given\n" "viatty relay ssh HOST");
	return relay_command(call->operand, NULL);
}

static const struct option_spec options[] = {
	{ .kind = OPTION_END }
};

const struct command command_relay = {
	.name = "relay",
	.group = "Clipboard",
	.operands = "COMMAND...",
	.summary = "run a command, and bring its copies to this desktop",
	.options = options,
	.refused = "tty wrap print",
	.refused_why = "the command gets this terminal",
	.completion = COMPLETE_COMMAND,
	.as_root = relay_main,
	.examples = {
		{ "viatty relay ssh host", "copy on a host, in any terminal" },
		{ "viatty relay docker exec -it web sh", "and in a container" },
	},
	.run = relay_main,
};
