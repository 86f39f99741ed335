/* SPDX-License-Identifier: MIT */
/*
 * __selection: copies a selection of tmux that tmux itself does not copy, and shows in its status
 * line what goes wrong. For the copy-command of setup tmux: no help or completion names it. It
 * runs without a terminal and takes no options, so that an error in a variable is shown, too.
 */
#include "commands/command.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/*
 * Whether tmux sends the selection to the clipboard of its client: another copy could cut that.
 * Its copies have no selection letter, and mosh, which hides the name of the terminal, drops them.
 */
static bool
tmux_copies(const struct tmux *tmux)
{
	const struct tmux_client *client = &tmux->client;
	const struct terminal *terminal = terminal_by(terminals, BY_VERSION, client->type);

	return tmux->has_client && tmux->set_clipboard != SET_CLIPBOARD_UNKNOWN &&
	    tmux->set_clipboard != SET_CLIPBOARD_OFF && client->type[0] != '\0' &&
	    !tmux_client_drops_copies(client) &&
	    terminal_by(multiplexers, BY_VERSION, client->type) == NULL &&
	    (terminal == NULL || terminal->unlettered == UNLETTERED_CLIPBOARD);
}

/* Runs viatty copy for standard input; `said` gets its messages. Returns its exit status. */
static int
run_copy(struct buf *said)
{
	/* longer than a copy waits for a terminal */
	enum { TIMEOUT_MS = 120 * 1000 };
	static const char *const arguments[] = { "viatty", "copy", "-q", NULL };
	char self[PROCESS_PATH];
	const struct subprocess_command copy = { .arguments = arguments, .program = self,
		.inherits = true };
	struct buf text;
	int status = SUBPROCESS_NOT_STARTED;

	buf_init(&text, SIZE_LIMIT);
	stream_read_all(&text);
	if (process_program(self, getpid()))
		status = subprocess_run_command(&copy, text.data, text.len, said, NULL,
		    TIMEOUT_MS);
	buf_free(&text);
	if (status < 0)
		die(STATUS_FAILED, "cannot run viatty copy: %s", strerror(errno));
	return status;
}

static int
selection_run(struct call *call)
{
	enum { SAID_MAX = 4096 };
	static struct buf said = { .max = SAID_MAX };
	static struct tmux tmux;
	struct tmux_address address;
	struct error error;
	bool asked;
	int status;
	char *line;

	(void)call;
	asked = tmux_address_parse(&address, environment_get("TMUX"),
	    environment_get("TMUX_PANE")) &&
	    tmux_ask(&tmux, &address, false, TMUX_TIMEOUT_MS, &error);
	if (asked && tmux_copies(&tmux))
		return STATUS_DONE;
	status = run_copy(&said);
	said.max = BUF_NO_LIMIT;
	buf_add(&said, "", 1);
	line = (char *)said.data;
	line[strcspn(line, "\n")] = '\0';
	text_clean(line);
	/* an empty selection is no failure */
	if (asked && line[0] != '\0' && strstr(line, "input is empty") == NULL)
		tmux_show(&tmux, line, status == STATUS_DONE || status == STATUS_UNLIKELY,
		    TMUX_TIMEOUT_MS);
	return status;
}

static const struct option_spec options[] = { { .kind = OPTION_END } };

const struct command command_selection = {
	.name = "__selection",
	.options = options,
	.run = selection_run,
};
