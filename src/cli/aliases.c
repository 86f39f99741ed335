/* SPDX-License-Identifier: MIT */
/*
 * Options and defaults are those of xclip 0.13, xsel 1.2, wl-clipboard 2.1, notify-send of
 * libnotify 0.8 and the pbcopy of macOS 14, after their manual pages.
 */
#include "base/base.h"
#include "cli/cli.h"
#include "route/route.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* The values of the options of all these programs. What is ignored is not read. */
static struct {
	bool in, out, filter, clear, trim, no_newline, clipboard, list_types, ignored;
	const char *selection, *type, *milliseconds, *loops, *board;
	const char *urgency, *application, *icon, *id;
	const char *ignored_value;
	const char *unsupported; /* the name of an unsupported option that was given */
} given;

/* Stores its own name. */
#define NAMED(letter, name, help, value) VALUE(OPTION_TEXT, letter, name, NULL, help, value)
#define HELP FLAG('h', "help", "print this help", globals.help)
#define VERSION_OPTION(letter) FLAG(letter, "version", "print the version", globals.version)

static const struct option_spec pb_options[] = {
	VALUE(OPTION_TEXT, 0, "pboard", "NAME", "only general is supported", given.board),
	VALUE(OPTION_TEXT, 0, "Prefer", "KIND", OPTION_IGNORED, given.ignored_value),
	HELP,
	{ .kind = OPTION_END }
};

static const struct option_spec wl_copy_options[] = {
	FLAG('n', "trim-newline", "remove one trailing newline", given.trim),
	NAMED('p', "primary", "set the primary selection", given.selection),
	FLAG('c', "clear", "clear the selection", given.clear),
	VALUE(OPTION_TEXT, 't', "type", "TYPE", "MIME type of the data", given.type),
	FLAG('f', "foreground", OPTION_IGNORED, given.ignored),
	VALUE(OPTION_TEXT, 's', "seat", "NAME", OPTION_IGNORED, given.ignored_value),
	NAMED('o', "paste-once", OPTION_UNSUPPORTED, given.unsupported),
	NAMED(0, "sensitive", OPTION_UNSUPPORTED, given.unsupported),
	HELP,
	VERSION_OPTION('v'),
	{ .kind = OPTION_END }
};

static const struct option_spec wl_paste_options[] = {
	FLAG('n', "no-newline", "do not add a newline", given.no_newline),
	NAMED('p', "primary", "print the primary selection", given.selection),
	VALUE(OPTION_TEXT, 't', "type", "TYPE", "MIME type of the data", given.type),
	VALUE(OPTION_TEXT, 's', "seat", "NAME", OPTION_IGNORED, given.ignored_value),
	FLAG('l', "list-types", "print the types of the selection", given.list_types),
	NAMED('w', "watch", OPTION_UNSUPPORTED, given.unsupported),
	HELP,
	VERSION_OPTION('v'),
	{ .kind = OPTION_END }
};

static const struct option_spec xclip_options[] = {
	FLAG('i', "in", "copy standard input or files", given.in),
	FLAG('o', "out", "print the selection", given.out),
	VALUE(OPTION_TEXT, 0, "selection", "NAME",
	    "primary, secondary, clipboard or buffer-cut", given.selection),
	FLAG('f', "filter", "also write standard input to standard output", given.filter),
	FLAG('r', "rmlastnl", "remove one trailing newline", given.trim),
	VALUE(OPTION_TEXT, 't', "target", "TYPE", "MIME type of the data", given.type),
	VALUE(OPTION_TEXT, 'l', "loops", "COUNT", "only 0 is supported", given.loops),
	VALUE(OPTION_TEXT, 'd', "display", "NAME", OPTION_IGNORED, given.ignored_value),
	FLAG(0, "silent", OPTION_IGNORED, given.ignored),
	FLAG(0, "quiet", OPTION_IGNORED, given.ignored),
	FLAG(0, "verbose", OPTION_IGNORED, given.ignored),
	FLAG(0, "noutf8", OPTION_IGNORED, given.ignored),
	HELP,
	VERSION_OPTION(0),
	{ .kind = OPTION_END }
};

static const struct option_spec xsel_options[] = {
	FLAG('i', "input", "copy standard input", given.in),
	FLAG('o', "output", "print the selection", given.out),
	FLAG('c', "clear", "clear the selection", given.clear),
	NAMED('p', "primary", "the primary selection (default)", given.selection),
	NAMED('s', "secondary", "the secondary selection", given.selection),
	FLAG('b', "clipboard", "the clipboard", given.clipboard),
	FLAG(0, "trim", "remove one trailing newline", given.trim),
	VALUE(OPTION_TEXT, 't', "selectionTimeout", "MS",
	    "time to wait for the selection; 0: the default", given.milliseconds),
	VALUE(OPTION_TEXT, 0, "display", "NAME", OPTION_IGNORED, given.ignored_value),
	VALUE(OPTION_TEXT, 'l', "logfile", "FILE", OPTION_IGNORED, given.ignored_value),
	FLAG('n', "nodetach", OPTION_IGNORED, given.ignored),
	FLAG('v', "verbose", OPTION_IGNORED, given.ignored),
	NAMED('a', "append", OPTION_UNSUPPORTED, given.unsupported),
	NAMED('f', "follow", OPTION_UNSUPPORTED, given.unsupported),
	NAMED('d', "delete", OPTION_UNSUPPORTED, given.unsupported),
	NAMED('x', "exchange", OPTION_UNSUPPORTED, given.unsupported),
	NAMED('k', "keep", OPTION_UNSUPPORTED, given.unsupported),
	HELP,
	VERSION_OPTION(0),
	{ .kind = OPTION_END }
};

static const struct option_spec notify_send_options[] = {
	VALUE(OPTION_TEXT, 'u', "urgency", "LEVEL", "low, normal or critical", given.urgency),
	VALUE(OPTION_TEXT, 't', "expire-time", "MS",
	    "remove the notification after MS; 0: keep it", given.milliseconds),
	VALUE(OPTION_TEXT, 'a', "app-name", "NAME", "application name", given.application),
	VALUE(OPTION_TEXT, 'i', "icon", "ICON", "icon name; files are for desktops", given.icon),
	VALUE(OPTION_TEXT, 'n', "app-icon", "ICON", OPTION_IGNORED, given.ignored_value),
	VALUE(OPTION_TEXT, 'c', "category", "TYPES", OPTION_IGNORED, given.ignored_value),
	VALUE(OPTION_TEXT, 'h', "hint", "TYPE:NAME:VALUE", OPTION_IGNORED, given.ignored_value),
	FLAG('p', "print-id", OPTION_IGNORED, given.ignored),
	VALUE(OPTION_TEXT, 'r', "replace-id", "ID", "replace the notification with this ID",
	    given.id),
	FLAG('e', "transient", OPTION_IGNORED, given.ignored),
	FLAG('w', "wait", OPTION_IGNORED, given.ignored),
	VALUE(OPTION_TEXT, 'A', "action", "[NAME=]TEXT", OPTION_IGNORED, given.ignored_value),
	VALUE(OPTION_TEXT, 0, "id-fd", "FD", OPTION_IGNORED, given.ignored_value),
	VALUE(OPTION_TEXT, 0, "selected-action-fd", "FD", OPTION_IGNORED, given.ignored_value),
	VALUE(OPTION_TEXT, 0, "activation-token-fd", "FD", OPTION_IGNORED, given.ignored_value),
	FLAG(0, "help", "print this help", globals.help),
	VERSION_OPTION('v'),
	{ .kind = OPTION_END }
};

/* ---- translations ----------------------------------------------------------- */

static struct call call;

/* The command line for viatty, NULL-terminated: argv[0] is the command. */
static char **line;
static size_t words;

/* Ignores NULL. */
static void
add(const char *word)
{
	if (word == NULL)
		return;
	line = memory(line, (words + 2) * sizeof(*line));
	line[words++] = (char *)word;
	line[words] = NULL;
}

static void
add_option(const char *option, const char *value)
{
	add(value != NULL ? option : NULL);
	add(value);
}

/* Converts "250" to "0.250". NULL: not a number, or more than a day. */
static const char *
seconds_of(const char *milliseconds)
{
	static char seconds[24];
	unsigned long value;

	if (milliseconds == NULL || !text_number(milliseconds, 86400 * 1000UL, &value))
		return NULL;
	snprintf(seconds, sizeof(seconds), "%lu.%03lu", value / 1000, value % 1000);
	return seconds;
}

static void
no_operands(size_t from)
{
	if (call.count > from)
		die(STATUS_USAGE, NULL, "unexpected %s", text_quote(call.operand[from]).text);
}

static void
not_supported(const char *option, const char *value)
{
	die(STATUS_REFUSED, hint("omit it, or run the real %s", messages.title),
	    "%s%s is not supported: terminals cannot do that", option, value);
}

/* Names for plain text in X11 and MIME. */
static bool
is_plain_text(const char *type)
{
	return typed_type_is_plain(type) || strcasecmp(type, "text") == 0 ||
	    strcasecmp(type, "UTF8_STRING") == 0 || strcasecmp(type, "STRING") == 0;
}

/*
 * Adds a copy or, with given.out, a paste of the selection that was given, or of `usual`. Only
 * the first letter of its name counts, as in xclip.
 */
static void
add_command(const char *usual)
{
	static const char letters[] = "pPsScCbB";
	static const char *const selections[] = { "p", "q", NULL, "0" };
	const char *name = given.selection != NULL ? given.selection : usual;
	const char *letter = name[0] != '\0' ? strchr(letters, name[0]) : NULL;

	if (letter == NULL)
		die(STATUS_USAGE, NULL, "unknown selection %s", text_quote(name).text);
	add(given.out ? "paste" : "copy");
	add_option("--selection", selections[(letter - letters) / 2]);
	add(given.list_types ? "--list-types" : NULL);
	if (given.type != NULL && !is_plain_text(given.type) && !given.list_types && !given.clear)
		add_option("--type", given.type);
	if (given.trim)
		add(given.out ? "--no-newline" : "--trim-newline");
	add(given.filter && !given.out ? "--tee" : NULL);
	add(given.clear ? "--clear" : NULL);
}

/*
 * Adds the files or, without any, standard input, even if that is a terminal. Empty input
 * clears the selection, as observed with xclip 0.13.
 */
static void
add_input(void)
{
	size_t i;

	if (given.out || given.clear)
		return;
	add("--allow-empty");
	add("--");
	add(call.count == 0 ? "-" : NULL);
	for (i = 0; i < call.count; i++)
		add(call.operand[i]);
}

static void
pbcopy(void)
{
	add_command("clipboard");
	add_input();
}

static void
pbpaste(void)
{
	given.out = true;
	pbcopy();
}

/* The operands, joined with spaces, are the text. */
static void
wl_copy(void)
{
	size_t i;

	add_command("clipboard");
	if (call.count == 0)
		add_input();
	else
		add("--allow-empty");
	for (i = 0; i < call.count; i++) {
		add_option("--string", i > 0 ? " " : NULL);
		add_option("--string", call.operand[i]);
	}
}

/* Text gets a newline; wl-clipboard's definition of text is mime_type_is_text(). */
static void
wl_paste(void)
{
	given.out = true;
	add_command("clipboard");
	if (!given.no_newline && (given.type == NULL || is_plain_text(given.type) ||
	    text_begins(given.type, "text/")))
		add("--add-newline");
}

static void
xclip(void)
{
	given.list_types = given.out && text_equal(given.type, "TARGETS");
	add_command("primary");
	if (given.out)
		no_operands(0);
	if (given.filter && call.count > 0)
		die(STATUS_USAGE, NULL, "-filter copies standard input: no files with it");
	/* by default xclip stays until another program sets the selection */
	if (given.loops != NULL && strcmp(given.loops, "0") != 0)
		not_supported("--loops", "");
	add_input();
}

/*
 * Without -i, -o or -c, xsel decides by which standard stream is a terminal. If neither is,
 * it prints the selection and then sets it; scripts rarely want that, so it is an error here.
 */
static void
xsel(void)
{
	const char *seconds = seconds_of(given.milliseconds);

	if (!given.in && !given.out && !given.clear) {
		given.out = isatty(STDIN_FILENO) == 1;
		if (!given.out && isatty(STDOUT_FILENO) != 1)
			die(STATUS_USAGE, "give --output or --input; neither standard input nor "
			    "standard output is a terminal",
			    "nothing to do");
	} else if (given.out && (given.in || given.clear)) {
		/* clearing overrides the input: xsel(1) */
		die(STATUS_USAGE, "run it twice, first with --output",
		    "--output cannot be used with --input or --clear");
	}
	if (given.milliseconds != NULL && seconds == NULL)
		die(STATUS_USAGE, NULL, "--selectionTimeout takes milliseconds, not %s",
		    text_quote(given.milliseconds).text);
	/* the clipboard is chosen whatever follows: xsel.c */
	if (given.clipboard)
		given.selection = "clipboard";
	add_command("primary");
	add_input();
	if (given.out && !text_equal(seconds, "0.000"))
		add_option("--timeout", seconds);
}

/* A negative expiry is the default of the desktop, and more than a day never expires. */
static void
notify_send(void)
{
	const char *ms = given.milliseconds, *seconds = seconds_of(ms);
	size_t sign = ms != NULL && ms[0] == '-', i;

	if (call.count == 0 || call.operand[0][0] == '\0')
		die(STATUS_USAGE, "notify-send 'Build finished' 'No warnings'", "no summary given");
	no_operands(2);
	if (ms != NULL && (ms[sign] == '\0' ||
	    strspn(ms + sign, "0123456789") != strlen(ms + sign)))
		die(STATUS_USAGE, NULL, "--expire-time takes milliseconds, not %s",
		    text_quote(ms).text);
	add("notify");
	for (i = 0; given.urgency != NULL && notification_urgencies[i] != NULL; i++)
		if (strcasecmp(given.urgency, notification_urgencies[i]) == 0)
			given.urgency = notification_urgencies[i];
	add_option("--urgency", given.urgency);
	add_option("--id", given.id);
	add_option("--app", given.application);
	/* not a file name: the terminal may be on another machine */
	if (given.icon != NULL && given.icon[0] != '\0' && strchr(given.icon, '/') == NULL)
		add_option("--icon", given.icon);
	if (seconds != NULL && strcmp(seconds, "0.000") != 0)
		add_option("--expire", seconds);
	else if (ms != NULL && sign == 0)
		add("--stay");
	add("--");
	/* in viatty, a dash is standard input */
	for (i = 0; i < call.count; i++)
		add(strcmp(call.operand[i], "-") == 0 ? "- " : call.operand[i]);
}

/* ---- the table -------------------------------------------------------------- */

const struct command aliases[] = {
	/* the same options as viatty copy */
	{ .name = "osc52" },
	{ "pbcopy", NULL, NULL, "copy standard input to the clipboard", .options = pb_options,
	    .one_dash = true, .examples = {
	        { "date | pbcopy", "copy the output of a command" },
	        { "pbcopy <notes.txt", "copy a file" },
	    }, .translate = pbcopy },
	{ "pbpaste", NULL, NULL, "print the clipboard", .options = pb_options,
	    .one_dash = true, .examples = {
	        { "pbpaste >notes.txt", "write the clipboard to a file" },
	        { "pbpaste | sort | pbcopy", "sort the lines of the clipboard" },
	    }, .translate = pbpaste },
	{ "wl-copy", NULL, "[TEXT...]", "copy text or standard input to the clipboard",
	    .options = wl_copy_options, .examples = {
	        { "date | wl-copy", "copy the output of a command" },
	        { "wl-copy --trim-newline <notes.txt",
	            "copy a file without its last newline" },
	    }, .translate = wl_copy },
	/* --watch is followed by a command line */
	{ "wl-paste", NULL, NULL, "print the clipboard", .options = wl_paste_options,
	    .completion = COMPLETE_COMMAND, .examples = {
	        { "wl-paste >notes.txt", "write the clipboard to a file" },
	        { "wl-paste -n | wc -c", "count the bytes of the clipboard" },
	    }, .translate = wl_paste },
	{ "xclip", NULL, "[FILE...]", "set or print a selection", .options = xclip_options,
	    .one_dash = true, .examples = {
	        { "date | xclip -selection clipboard",
	            "copy the output of a command" },
	        { "xclip -sel clip -o >notes.txt", "write the clipboard to a file" },
	    }, .translate = xclip },
	{ "xsel", NULL, NULL, "set or print a selection", .options = xsel_options,
	    .examples = {
	        { "date | xsel -ib", "copy the output of a command" },
	        { "xsel -ob >notes.txt", "write the clipboard to a file" },
	    }, .translate = xsel },
	{ "notify-send", NULL, "SUMMARY [BODY]", "show a desktop notification",
	    .options = notify_send_options, .examples = {
	        { "notify-send 'Build finished' 'No warnings'",
	            "a notification with a body" },
	        { "notify-send -u critical -i dialog-error 'Disk full'",
	            "an urgent notification" },
	    }, .translate = notify_send },
	{ .name = NULL },
};

/* ---- hints ------------------------------------------------------------------- */

/*
 * Rewrites a hint: options become variables where possible, and others become options of
 * `viatty COMMAND`. The result is valid until the next call.
 */
static const char *
translate_hint(const char *hint)
{
	static struct buf text = BUF_EMPTY;
	const struct option_spec *option;
	const char *at, *behind = NULL; /* "viatty COMMAND " */
	size_t n, length;
	bool dashes;
	char word[64];

	text.len = 0;
	for (at = hint; *at != '\0'; at += n) {
		if (text_begins(at, "viatty "))
			behind = at + 7 + strcspn(at + 7, " ") + 1;
		/* a word, or what separates two */
		n = strcspn(at, " ,;");
		n += n == 0;
		dashes = n > 2 && text_begins(at, "--");
		option = dashes ? option_by_name(at + 2, n - 2) : NULL;
		if (option == NULL || option->variable == NULL) {
			if (dashes && at != behind)
				buf_format(&text, "viatty %s ", messages.command);
			buf_add(&text, at, n);
			continue;
		}
		buf_format(&text, "%s=", option->variable);
		length = at[n] == ' ' ? strcspn(at + n + 1, " ,;") : 0;
		text_format(word, sizeof(word), "%.*s", (int)length, at + n + 1);
		/* a value, or else the rest of the sentence */
		if (text_is_among(word, route_words) || strcmp(word, "stdout") == 0 ||
		    (word[0] >= 'A' && word[0] <= 'Z') || word[0] == '\'' || word[0] == '"') {
			buf_add(&text, at + n + 1, length);
			n += 1 + length;
		} else {
			buf_add_string(&text, option->argument);
		}
		/* "--tty DEVICE or VIATTY_TTY" */
		if (text_begins(at + n, " or ") && text_begins(at + n + 4, option->variable))
			n += 4 + strlen(option->variable);
	}
	buf_add(&text, "", 1);
	return (const char *)text.data;
}

/* ---- the command line --------------------------------------------------------- */

char **
alias_translate(const struct command *alias, char **argv)
{
	call = options_read(alias, argv);
	if (globals.version)
		help_version();
	if (globals.help)
		help_command(alias);
	if (given.unsupported != NULL)
		not_supported("--", given.unsupported);
	if (given.board != NULL && strcmp(given.board, "general") != 0)
		not_supported("-pboard ", text_quote(given.board).text);
	if (alias->operands == NULL)
		no_operands(0);
	alias->translate();
	messages.translate = translate_hint;
	return line;
}
