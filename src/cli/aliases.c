/* SPDX-License-Identifier: MIT */
/* What the options in aliases.def mean, which the program has under other names. */
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the options of these programs mean to copy, paste or notify is decided below. */
static struct {
	bool in, out, clipboard, ignored;
	const char *selection, *milliseconds, *loops, *board;
	const char *ignored_value;
	const char *unsupported; /* the name of an unsupported option that was given */
} opt;

/* Stores its own name. */
#define NAMED(letter, name, help, value) VALUE(OPTION_TEXT, letter, name, NULL, help, value)
#define HELP FLAG('h', "help", "print this help", globals.help)
#define VERSION_OPTION(letter) FLAG(letter, "version", "print the version", globals.version)

#define OPTIONS(name, ...) \
	static const struct option_spec name##_options[] = { __VA_ARGS__, { .kind = OPTION_END } };
#define ALIAS(...)
#include "cli/aliases.def"
#undef OPTIONS
#undef ALIAS

/* ---- what they mean ----------------------------------------------------------- */

static void
no_operands(const struct call *call, size_t from)
{
	if (call->count > from)
		die(STATUS_USAGE, "unexpected %s", text_quote(call->operand[from]).text);
}

static void
not_supported(const char *option, const char *value)
{
	die(STATUS_REFUSED, "no terminal supports %s%s\n"
	    "omit it, or run the real %s", option, value, messages.title);
}

/*
 * A copy or, with opt.out, a paste of the selection that was given, or of the clipboard. Only the
 * first letter of its name counts, as in xclip. Without files, a copy reads standard input,
 * even if that is a terminal; empty input clears the selection, as observed with xclip 0.13.
 * What reads a paste through a pipe may take a message for the selection, as xclip.el of
 * emacs does.
 */
static const struct command *
clipboard_command(struct call *call)
{
	static const char letters[] = "pPsScCbB";
	static const char *const selections[] = { "p", "q", "c", "0" };
	static char dash[] = "-", *input[] = { dash, NULL };
	const char *name = opt.selection != NULL ? opt.selection : "clipboard";
	const char *letter = name[0] != '\0' ? strchr(letters, name[0]) : NULL;

	if (letter == NULL)
		die(STATUS_USAGE, "unknown selection %s", text_quote(name).text);
	clipboard_options.selections = selections[(letter - letters) / 2];
	if (clipboard_options.clear || clipboard_options.list_types)
		clipboard_options.type = NULL;
	clipboard_options.allow_empty = true;
	clipboard_options.silent = opt.out && !isatty(STDOUT_FILENO);
	messages.silent_status = STATUS_FAILED;
	if (!opt.out && !clipboard_options.clear && call->count == 0 &&
	    clipboard_options.strings.count == 0)
		*call = (struct call){ 1, input };
	return command_find(opt.out ? "paste" : "copy");
}

static const struct command *
pbpaste(struct call *call)
{
	opt.out = true;
	return clipboard_command(call);
}

/* The operands, joined with spaces, are the text. */
static const struct command *
wl_copy(struct call *call)
{
	struct text_list *text = &clipboard_options.strings;
	size_t i;

	text->text = xrealloc(NULL, 2 * (call->count + 1) * sizeof(*text->text));
	for (i = 0; i < call->count; i++) {
		if (i > 0)
			text->text[text->count++] = " ";
		text->text[text->count++] = call->operand[i];
	}
	call->count = 0;
	return clipboard_command(call);
}

/* Text gets a newline; wl-clipboard's definition of text is mime_type_is_text(). */
static const struct command *
wl_paste(struct call *call)
{
	const char *type = clipboard_options.type;

	opt.out = true;
	clipboard_options.add_newline = !clipboard_options.trim_newline && (type == NULL ||
	    mime_is_text(type) || text_begins(type, "text/"));
	clipboard_options.trim_newline = false;
	clipboard_options.fail_if_empty = true;
	return clipboard_command(call);
}

static const struct command *
xclip(struct call *call)
{
	clipboard_options.list_types = opt.out && text_equal(clipboard_options.type, "TARGETS");
	if (opt.out)
		no_operands(call, 0);
	if (clipboard_options.tee && call->count > 0)
		die(STATUS_USAGE, "-filter copies standard input: no files with it");
	/* by default xclip stays until another program sets the selection */
	if (opt.loops != NULL && strcmp(opt.loops, "0") != 0)
		not_supported("--loops", "");
	if (opt.selection == NULL)
		opt.selection = "primary";
	return clipboard_command(call);
}

/*
 * Without -i, -o or -c, xsel copies, prints, or does both: it copies what does not come from a
 * terminal, and prints where its output is none. Under this name either is done. Scripts that
 * print may have /dev/null or an empty pipe as input. Any other input but a device is copied.
 */
static const struct command *
xsel(struct call *call)
{
	struct pollfd pipe = { .fd = STDIN_FILENO, .events = POLLIN };
	const struct command *command;
	unsigned long timeout_ms = 0;
	bool undecided = false;
	struct stat input;

	if (opt.out && (opt.in || clipboard_options.clear))
		/* clearing overrides the input: xsel(1) */
		die(STATUS_USAGE,
		    "--output cannot be used with --input or --clear\n"
		    "run it twice, first with -o");
	if (!opt.in && !opt.out && !clipboard_options.clear) {
		undecided = true;
		opt.out = fstat(STDIN_FILENO, &input) != 0 || S_ISCHR(input.st_mode) ||
		    (wait_on(&pipe, 1, -1) > 0 && !(pipe.revents & POLLIN));
	}
	if (opt.milliseconds != NULL && !text_number(opt.milliseconds, 86400000, &timeout_ms))
		die(STATUS_USAGE, "--selectionTimeout takes milliseconds, not %s",
		    text_quote(opt.milliseconds).text);
	globals.given.timeout_ms = (unsigned)timeout_ms;
	/* the clipboard is chosen whatever follows: xsel.c */
	if (opt.clipboard)
		opt.selection = "clipboard";
	else if (opt.selection == NULL)
		opt.selection = "primary";
	command = clipboard_command(call);
	clipboard_options.allow_empty = !undecided;
	/* neovim looks for a clipboard by this very line, without operands or a terminal */
	if (text_equal(globals.line[1], "-o") && text_equal(globals.line[2], "-b"))
		messages.silent_status = STATUS_DONE;
	return command;
}

/* Title and body; the rest but the urgency is of a desktop. */
static const struct command *
notify_send(struct call *call)
{
	static char dash[] = "- ";
	size_t i;

	if (call->count == 0 || call->operand[0][0] == '\0')
		die(STATUS_USAGE, "no summary given\n"
		    "notify-send 'Build finished' 'No warnings'");
	no_operands(call, 2);
	/* in viatty, a dash is standard input */
	for (i = 0; i < call->count; i++)
		if (strcmp(call->operand[i], "-") == 0)
			call->operand[i] = dash;
	return command_find("notify");
}

/* ---- the table -------------------------------------------------------------- */

const struct command aliases[] = {
	/* the same options as viatty copy */
	{ .name = "osc52" },
#define OPTIONS(...)
#define ALIAS(name_, options_, operands_, summary_, ...) \
	{ .name = name_, .options = options_##_options, .operands = operands_, \
	    .summary = summary_, __VA_ARGS__ },
#include "cli/aliases.def"
#undef OPTIONS
#undef ALIAS
	{ .name = NULL },
};

/* ---- the command ------------------------------------------------------------- */

const struct command *
alias_command(const struct command *alias, struct call *call)
{
	const struct command *command;

	if (globals.version)
		help_version();
	if (globals.help)
		help_command(alias);
	if (opt.unsupported != NULL)
		not_supported("--", opt.unsupported);
	if (opt.board != NULL && strcmp(opt.board, "general") != 0)
		not_supported("-pboard ", text_quote(opt.board).text);
	if (alias->operands == NULL)
		no_operands(call, 0);
	command = alias->becomes(call);
	messages.other_name = true;
	return command;
}
