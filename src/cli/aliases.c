/* SPDX-License-Identifier: MIT */
/*
 * The aliases; the contract is in aliases.h. Options and defaults are those
 * of xclip 0.13, xsel 1.2, wl-clipboard 2.1 and the pbcopy of macOS 14, after
 * their manual pages.
 */
#include "cli/aliases.h"

#include "base/text.h"
#include "cli/notify_send.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

/* The values of the options of all these programs. */
static struct {
	bool in, out, filter, clear, trim, primary, secondary, clipboard;
	bool help, version;
	bool list_types;
	const char *selection, *type, *milliseconds, *loops, *board;
	/* of options without an effect here: they concern processes and X servers */
	bool no_effect;
	const char *no_value;
	const char *unsupported; /* the name of such an option */
} asked;

/* ---- what is not supported --------------------------------------------- */

/* The names of plain text in X11 and MIME. */
static bool
is_plain_text(const char *type)
{
	static const char *const names[] = { "text", "text/plain", "UTF8_STRING",
		"STRING", "TEXT" };
	static const char parameters[] = "text/plain;";
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcasecmp(type, names[i]) == 0)
			return true;
	return strncasecmp(type, parameters, sizeof(parameters) - 1) == 0;
}

static bool
differs(const char *value, const char *standard)
{
	return value != NULL && strcmp(value, standard) != 0;
}

static bool
check_supported(const char *name, struct error *error)
{
	struct quoted what;

	if (asked.unsupported != NULL)
		text_format(what.text, sizeof(what.text), "--%s", asked.unsupported);
	/* xclip's default is to stay until another program takes the selection */
	else if (differs(asked.loops, "0"))
		text_format(what.text, sizeof(what.text), "--loops");
	else if (differs(asked.board, "general"))
		text_format(what.text, sizeof(what.text), "-pboard %s",
		    text_quote(asked.board).text);
	else
		return true;
	error_set(error, STATUS_REFUSED, "%s is not supported: terminals cannot do that",
	    what.text);
	return error_hint(error, "omit it, or run the real %s", name);
}

/* ---- the arguments of viatty -------------------------------------------- */

/* The letters of OSC 52. */
static void
add_selection(struct arguments *arguments, const char *letter)
{
	if (strcmp(letter, "c") != 0)
		add_option_value(arguments, "--selection", letter);
}

/*
 * The files or, without any, standard input, even if that is a terminal. Empty input
 * empties the selection, as measured with xclip 0.13.
 */
static void
add_input(struct arguments *arguments, size_t count, char **file)
{
	size_t i;

	add_argument(arguments, "--allow-empty");
	add_argument(arguments, "--");
	add_argument_if(arguments, count == 0, "-");
	for (i = 0; i < count; i++)
		add_argument(arguments, file[i]);
}

/* ---- pbcopy, pbpaste ---------------------------------------------------- */

#define TYPE(letter, name) \
	VALUE(OPTION_TEXT, letter, name, "TYPE", "MIME type of the data", asked.type)
#define NO_EFFECT(letter, name) \
	FLAG(letter, name, "has no effect", asked.no_effect)
#define NO_EFFECT_VALUE(letter, name, argument) \
	VALUE(OPTION_TEXT, letter, name, argument, "has no effect", asked.no_value)
#define UNSUPPORTED(letter, name) { OPTION_NAME, letter, name, NULL, \
	"not supported", &asked.unsupported, NULL, COMPLETE_NOTHING }
#define HELP FLAG('h', "help", "print this help", asked.help)
#define VERSION_OPTION(letter) \
	FLAG(letter, "version", "print the version", asked.version)
#define END { .kind = OPTION_END }

static const struct option_spec pb_options[] = {
	VALUE(OPTION_TEXT, 0, "pboard", "NAME", "only general is supported", asked.board),
	NO_EFFECT_VALUE(0, "Prefer", "KIND"),
	HELP,
	END
};

static bool
pbcopy(struct arguments *arguments, size_t count, char **operand, struct error *error)
{
	if (!no_operands(count, operand, error) ||
	    !begin_arguments(arguments, "copy", 0, error))
		return false;
	add_input(arguments, 0, NULL);
	return true;
}

static bool
pbpaste(struct arguments *arguments, size_t count, char **operand, struct error *error)
{
	return no_operands(count, operand, error) &&
	    begin_arguments(arguments, "paste", 0, error);
}

/* ---- wl-copy, wl-paste -------------------------------------------------- */

static const struct option_spec wl_copy_options[] = {
	FLAG('n', "trim-newline", "remove one trailing newline", asked.trim),
	FLAG('p', "primary", "set the primary selection", asked.primary),
	FLAG('c', "clear", "clear the selection", asked.clear),
	TYPE('t', "type"),
	NO_EFFECT('f', "foreground"),
	NO_EFFECT_VALUE('s', "seat", "NAME"),
	UNSUPPORTED('o', "paste-once"),
	UNSUPPORTED(0, "sensitive"),
	HELP,
	VERSION_OPTION('v'),
	END
};

static const struct option_spec wl_paste_options[] = {
	FLAG('n', "no-newline", "do not add a newline", asked.trim),
	FLAG('p', "primary", "print the primary selection", asked.primary),
	TYPE('t', "type"),
	NO_EFFECT_VALUE('s', "seat", "NAME"),
	FLAG('l', "list-types", "print the types of the selection", asked.list_types),
	UNSUPPORTED('w', "watch"),
	HELP,
	VERSION_OPTION('v'),
	END
};

/* Whether wl-clipboard takes the type for text (util/string.c, mime_type_is_text()). */
static bool
is_text(const char *type)
{
	return is_plain_text(type) || strncmp(type, "text/", 5) == 0;
}

/* wl-copy offers what is text as plain text as well. */
static void
add_type_option(struct arguments *arguments, bool as_text_too)
{
	static char types[300];

	if (asked.type == NULL || is_plain_text(asked.type))
		return;
	text_format(types, sizeof(types), "%s%s", asked.type,
	    as_text_too && is_text(asked.type) ? ",text/plain" : "");
	add_option_value(arguments, "--type", types);
}

/* The operands are the text, with a blank between two. */
static bool
wl_copy(struct arguments *arguments, size_t count, char **operand, struct error *error)
{
	size_t i;

	if (!begin_arguments(arguments, "copy", count, error))
		return false;
	add_argument_if(arguments, asked.trim, "--trim-newline");
	add_argument_if(arguments, asked.primary, "--primary");
	add_argument_if(arguments, asked.clear, "--clear");
	if (!asked.clear)
		add_type_option(arguments, true);
	add_argument_if(arguments, count > 0 && !asked.clear, "--allow-empty");
	for (i = 0; i < count; i++) {
		add_argument(arguments, "--string");
		add_argument(arguments, operand[i]);
		add_argument_if(arguments, i + 1 < count, "--string");
		add_argument_if(arguments, i + 1 < count, " ");
	}
	if (count == 0 && !asked.clear)
		add_input(arguments, 0, NULL);
	return true;
}

static bool
wl_paste(struct arguments *arguments, size_t count, char **operand,
    struct error *error)
{
	if (!no_operands(count, operand, error) ||
	    !begin_arguments(arguments, "paste", 0, error))
		return false;
	add_argument_if(arguments, asked.primary, "--primary");
	if (asked.list_types) {
		add_argument(arguments, "--list-types");
		return true;
	}
	add_argument_if(arguments, !asked.trim && (asked.type == NULL ||
	    is_text(asked.type)), "--add-newline");
	add_type_option(arguments, false);
	return true;
}

/* ---- xclip -------------------------------------------------------------- */

static const struct option_spec xclip_options[] = {
	FLAG('i', "in", "copy standard input or files", asked.in),
	FLAG('o', "out", "print the selection", asked.out),
	VALUE(OPTION_TEXT, 0, "selection", "NAME",
	    "primary, secondary, clipboard or buffer-cut; the first letter counts",
	    asked.selection),
	FLAG('f', "filter", "also write standard input to standard output", asked.filter),
	FLAG('r', "rmlastnl", "remove one trailing newline", asked.trim),
	TYPE('t', "target"),
	VALUE(OPTION_TEXT, 'l', "loops", "COUNT", "only 0 is supported", asked.loops),
	NO_EFFECT_VALUE('d', "display", "NAME"),
	NO_EFFECT(0, "silent"),
	NO_EFFECT(0, "quiet"),
	NO_EFFECT(0, "verbose"),
	NO_EFFECT(0, "noutf8"),
	HELP,
	VERSION_OPTION(0),
	END
};

/* The letter of OSC 52; only the first of the name counts. NULL: not one of xclip's. */
static const char *
xclip_selection(void)
{
	switch (asked.selection != NULL ? asked.selection[0] : 'p') {
	case 'p': case 'P':
		return "p";
	case 's': case 'S':
		return "q";
	case 'c': case 'C':
		return "c";
	case 'b': case 'B':
		return "0";
	}
	return NULL;
}

static bool
xclip(struct arguments *arguments, size_t count, char **operand, struct error *error)
{
	const char *letter = xclip_selection();

	if (letter == NULL)
		return error_set(error, STATUS_USAGE, "unknown selection %s",
		    text_quote(asked.selection).text);
	if (asked.out && !no_operands(count, operand, error))
		return false;
	if (asked.filter && count > 0)
		return error_set(error, STATUS_USAGE,
		    "-filter copies standard input: no files with it");
	if (!begin_arguments(arguments, asked.out ? "paste" : "copy", count, error))
		return false;
	add_selection(arguments, letter);
	if (asked.out && asked.type != NULL && strcmp(asked.type, "TARGETS") == 0) {
		add_argument(arguments, "--list-types");
		return true;
	}
	add_type_option(arguments, false);
	if (asked.out) {
		add_argument_if(arguments, asked.trim, "--no-newline");
		return true;
	}
	add_argument_if(arguments, asked.trim, "--trim-newline");
	add_argument_if(arguments, asked.filter, "--tee");
	add_input(arguments, count, operand);
	return true;
}

/* ---- xsel --------------------------------------------------------------- */

static const struct option_spec xsel_options[] = {
	FLAG('i', "input", "copy standard input", asked.in),
	FLAG('o', "output", "print the selection", asked.out),
	FLAG('c', "clear", "clear the selection", asked.clear),
	FLAG('p', "primary", "the primary selection (default)", asked.primary),
	FLAG('s', "secondary", "the secondary selection", asked.secondary),
	FLAG('b', "clipboard", "the clipboard", asked.clipboard),
	FLAG(0, "trim", "remove one trailing newline", asked.trim),
	VALUE(OPTION_TEXT, 't', "selectionTimeout", "MS",
	    "time to wait for the selection; 0: the default", asked.milliseconds),
	NO_EFFECT_VALUE(0, "display", "NAME"),
	NO_EFFECT_VALUE('l', "logfile", "FILE"),
	NO_EFFECT('n', "nodetach"),
	NO_EFFECT('v', "verbose"),
	UNSUPPORTED('a', "append"),
	UNSUPPORTED('f', "follow"),
	UNSUPPORTED('d', "delete"),
	UNSUPPORTED('x', "exchange"),
	UNSUPPORTED('k', "keep"),
	HELP,
	VERSION_OPTION(0),
	END
};

/*
 * Without -i, -o or -c xsel decides by which standard stream is a terminal. If neither
 * is, it prints the selection and then sets it, which a script hardly ever means.
 */
static bool
xsel_guess(struct error *error)
{
	bool from_terminal = isatty(STDIN_FILENO) == 1;
	bool to_terminal = isatty(STDOUT_FILENO) == 1;

	if (!from_terminal && !to_terminal) {
		error_set(error, STATUS_USAGE, "print the selection or set it: neither "
		    "is asked for");
		return error_hint(error, "give --output or --input; neither standard "
		    "input nor standard output is a terminal");
	}
	asked.in = !from_terminal;
	asked.out = from_terminal;
	return true;
}

static bool
add_timeout(struct arguments *arguments, struct error *error)
{
	const char *seconds = seconds_of(asked.milliseconds);

	if (seconds == NULL)
		return error_set(error, STATUS_USAGE,
		    "--selectionTimeout takes milliseconds, not %s",
		    text_quote(asked.milliseconds).text);
	if (strspn(asked.milliseconds, "0") != strlen(asked.milliseconds))
		add_option_value(arguments, "--timeout", seconds);
	return true;
}

static bool
xsel(struct arguments *arguments, size_t count, char **operand, struct error *error)
{
	if (!no_operands(count, operand, error))
		return false;
	if (!asked.in && !asked.out && !asked.clear && !xsel_guess(error))
		return false;
	/* clearing overrides the input, as xsel's page says */
	if (asked.out && (asked.in || asked.clear)) {
		error_set(error, STATUS_USAGE,
		    "--output cannot be combined with --input or --clear");
		return error_hint(error, "run it twice, first with --output");
	}
	if (!begin_arguments(arguments, asked.out ? "paste" : "copy", 0, error))
		return false;
	add_selection(arguments, asked.clipboard ? "c" : asked.secondary ? "q" : "p");
	add_argument_if(arguments, asked.trim,
	    asked.out ? "--no-newline" : "--trim-newline");
	if (asked.out)
		return asked.milliseconds == NULL || add_timeout(arguments, error);
	if (asked.clear)
		add_argument(arguments, "--clear");
	else
		add_input(arguments, 0, NULL);
	return true;
}

/* ---- the table ---------------------------------------------------------- */

const struct alias aliases[] = {
	{ .name = "osc52", .command = "copy" },
	{ "pbcopy", NULL, NULL, "copy standard input to the clipboard",
	    pb_options, READ_ONE_DASH, {
	        { "date | pbcopy", "copy the output of a command" },
	        { "pbcopy <notes.txt", "copy a file" },
	    }, pbcopy },
	{ "pbpaste", NULL, NULL, "print the clipboard", pb_options,
	    READ_ONE_DASH, {
	        { "pbpaste >notes.txt", "write the clipboard to a file" },
	        { "pbpaste | sort | pbcopy", "sort the lines of the clipboard" },
	    }, pbpaste },
	{ "wl-copy", NULL, "[TEXT...]",
	    "copy text or standard input to the clipboard", wl_copy_options,
	    READ_ANYWHERE, {
	        { "date | wl-copy", "copy the output of a command" },
	        { "wl-copy --trim-newline <notes.txt",
	            "copy a file without its last newline" },
	    }, wl_copy },
	/* what follows --watch is a command line */
	{ "wl-paste", NULL, NULL, "print the clipboard", wl_paste_options,
	    READ_UNTIL_OPERAND, {
	        { "wl-paste >notes.txt", "write the clipboard to a file" },
	        { "wl-paste -n | wc -c", "count the bytes of the clipboard" },
	    }, wl_paste },
	{ "xclip", NULL, "[FILE...]", "set or print a selection", xclip_options,
	    READ_ONE_DASH, {
	        { "date | xclip -selection clipboard",
	            "copy the output of a command" },
	        { "xclip -sel clip -o >notes.txt", "write the clipboard to a file" },
	    }, xclip },
	{ "xsel", NULL, NULL, "set or print a selection", xsel_options,
	    READ_ANYWHERE, {
	        { "date | xsel -ib", "copy the output of a command" },
	        { "xsel -ob >notes.txt", "write the clipboard to a file" },
	    }, xsel },
	{ "notify-send", NULL, "SUMMARY [BODY]", "show a desktop notification",
	    notify_send_options, READ_ANYWHERE, {
	        { "notify-send 'Build finished' 'No warnings'",
	            "a notification with a body" },
	        { "notify-send -u critical -i dialog-error 'Disk full'",
	            "an urgent notification" },
	    }, notify_send },
	{ .name = NULL },
};

const struct alias *
alias_find(const char *argv0)
{
	const char *slash = strrchr(argv0, '/');
	const char *base = slash != NULL ? slash + 1 : argv0;
	const struct alias *alias;

	for (alias = aliases; alias->name != NULL; alias++)
		if (strcmp(alias->name, base) == 0)
			return alias;
	return NULL;
}

bool
alias_translate(const struct alias *alias, int argc, char **argv,
    struct arguments *arguments, bool *wants_version, struct error *error)
{
	int first = options_read(argc, argv, alias->options, NULL, alias->syntax,
	    error);

	if (first < 0)
		return false;
	*wants_version = asked.version || notify_send_wants.version;
	if (asked.help || notify_send_wants.help || *wants_version)
		return true;
	return check_supported(alias->name, error) &&
	    alias->translate(arguments, (size_t)(argc - first), argv + first, error);
}
