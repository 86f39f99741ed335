/* SPDX-License-Identifier: MIT */
/* status: reports to the terminal what a program is doing (OSC 7501). */
#include "commands/command.h"

#include <string.h>

#define FEATURE_WORDS "program status (OSC 7501)"
#define OR_FORCE "--force sends it anyway; iTerm2 supports it since 3.7.5: --term iterm2"

static struct {
	const char *app, *id, *kind, *progress, *title, *message;
} opt;

static const char *const known[] = { "idle", "working", "blocked", "done", "error", "clear", NULL };
static const char *const kinds[] = { "permission", "question", "auth", NULL };

static const struct option_spec options[] = {
	VALUE(OPTION_TEXT, 0, "app", "NAME", "identifier of the program", opt.app),
	VALUE(OPTION_TEXT, 0, "id", "ID", "report separately under NAME or NAME/NAME...", opt.id),
	{ OPTION_WORD, 0, "kind", "KIND", "what a blocked program waits for",
	    &opt.kind, .words = kinds },
	VALUE(OPTION_TEXT, 0, "progress", "PERCENT",
	    "progress, for working and blocked: 0 to 100", opt.progress),
	VALUE(OPTION_TEXT, 0, "title", "TEXT", "a short label", opt.title),
	VALUE(OPTION_TEXT, 0, "message", "TEXT", "one line of details", opt.message),
	{ .kind = OPTION_END }
};

/* ---- the limits of the protocol -------------------------------------------- */

#define NAME_CHARACTERS TEXT_ALNUM "_.+-"

static void
check_id(const char *id)
{
	size_t depth = 0, n;
	const char *at;

	for (at = id;; at += n + 1) {
		n = strspn(at, NAME_CHARACTERS);
		if (n == 0 || (at[n] != '\0' && at[n] != '/'))
			die(STATUS_USAGE, "--id takes names of letters, digits and _ . + -, "
			    "joined by single slashes");
		if (n > PROGRAM_NAME_MAX)
			die(STATUS_USAGE,
			    "--id is too long: a name in it has at most %d bytes",
			    PROGRAM_NAME_MAX);
		if (++depth > PROGRAM_ID_DEPTH_MAX)
			die(STATUS_USAGE, "--id is too deep: it has at most %d names, those "
			    "of the panes included", PROGRAM_ID_DEPTH_MAX);
		if (at[n] == '\0')
			break;
	}
	if (strlen(id) > PROGRAM_ID_MAX)
		die(STATUS_USAGE,
		    "--id is too long: at most %d bytes, those of the panes included",
		    PROGRAM_ID_MAX);
}

static void
check_length(const char *option, const char *text, int max)
{
	if (text != NULL && strlen(text) > (size_t)max)
		die(STATUS_USAGE, "%s is too long: at most %d bytes", option, max);
}

/* --id is checked again when the panes have been put in front of it. */
static void
check_status(const struct program_status *status)
{
	const bool blocked = text_equal(status->state, "blocked");

	if (status->kind != NULL && !blocked)
		die(STATUS_USAGE, "--kind is only for blocked");
	if (status->progress >= 0 && !blocked && !text_equal(status->state, "working"))
		die(STATUS_USAGE, "--progress is only for working and blocked");
	if (text_equal(status->state, "clear") && (status->app != NULL || status->title != NULL ||
	    status->message != NULL))
		die(STATUS_USAGE, "clear takes no option but --id");
	if (status->id != NULL)
		check_id(status->id);
	if (status->app != NULL && (status->app[0] == '\0' ||
	    status->app[strspn(status->app, NAME_CHARACTERS)] != '\0'))
		die(STATUS_USAGE, "--app takes a name of letters, digits and _ . + -");
	check_length("--app", status->app, PROGRAM_NAME_MAX);
	check_length("--title", status->title, PROGRAM_TITLE_MAX);
	check_length("--message", status->message, PROGRAM_MESSAGE_MAX);
}

/* ---- the command line ------------------------------------------------------ */

/* Sanitizes an argument into `text`; NULL stays NULL. */
static const char *
clean_text(struct buf *text, const char *from)
{
	if (from == NULL)
		return NULL;
	text_sanitize(text, from, strlen(from), false);
	buf_add(text, "", 1);
	return (const char *)text->data;
}

/* ---- the ID ---------------------------------------------------------------- */

/*
 * Panes share one terminal, so each has an ID that precedes --id: tmux-3 for pane %3,
 * screen-2 for window 2, the outermost first. Empty: the whole terminal.
 */
static void
add_record_id(struct buf *id, const struct path *path)
{
	const char *name, *number;
	const struct hop *hop;
	unsigned long ignored;
	size_t i;

	for (i = path->hops; i-- > 0;) {
		hop = &path->hop[i];
		if (hop->tmux.reachable) {
			name = "tmux";
			number = hop->tmux.pane + (hop->tmux.pane[0] == '%');
		} else if (hop->row->kind == HOP_SCREEN) {
			name = "screen";
			number = environment_get("WINDOW");
		} else {
			continue;
		}
		if (number != NULL && text_number(number, (unsigned long)-1, &ignored))
			buf_format(id, "%s%s-%s", id->len > 0 ? "/" : "", name, number);
	}
	if (opt.id != NULL)
		buf_format(id, "%s%s", id->len > 0 ? "/" : "", opt.id);
	buf_add(id, "", 1);
}

/* ---- the command ----------------------------------------------------------- */

const struct request status_request = { .feature = FEATURE_STATUS, .any_session = true,
	.selections = "" };

static int
status_run(struct call *call)
{
	static struct buf title = BUF_EMPTY, message = BUF_EMPTY, id = BUF_EMPTY, bytes = BUF_EMPTY;
	static const char states[] = "the states are idle, working, blocked, done, error, clear";
	static struct sink sink;
	struct program_status status = { .id = opt.id, .app = opt.app, .kind = opt.kind };
	struct error error = { .status = STATUS_DONE };
	unsigned long percent = 0;

	status.title = clean_text(&title, opt.title);
	status.message = clean_text(&message, opt.message);
	if (call->count != 1)
		die(STATUS_USAGE, "%s\n%s",
		    call->count == 0 ? "no state given" : "more than one state", states);
	status.state = known[choose_word(known, call->operand[0], "the states are ",
	    "unknown state")];
	if (opt.progress != NULL && !text_number(opt.progress, 100, &percent))
		die(STATUS_USAGE, "--progress takes a number from 0 to 100, not %s",
		    text_quote(opt.progress).text);
	status.progress = opt.progress != NULL ? (int)percent : -1;
	check_status(&status);
	if (!sink_open(&sink, &status_request, &error))
		die_of(&error);

	add_record_id(&id, &sink.path);
	status.id = id.len > 1 ? (const char *)id.data : NULL;
	if (status.id != NULL)
		check_id(status.id);
	encode_program_status(&bytes, &status);
	sink_finish(&sink, &bytes);
	return STATUS_DONE;
}

const struct command command_status = {
	.name = "status",
	.group = "Notify",
	.operands = "STATE",
	.summary = "report to the terminal what a program is doing",
	.verdict = "not reported",
	.options = options,
	.words = known,
	.examples = {
		{ "viatty status working --message 'running the tests'",
		    "report that a program is working" },
		{ "viatty status blocked --kind permission",
		    "report that it waits for the user" },
	},
	.run = status_run,
};
