/* SPDX-License-Identifier: MIT */
/*
 * The other names; the contract is in aliases.h. Options and defaults are those
 * of xclip 0.13, xsel 1.2, wl-clipboard 2.1 and the pbcopy of macOS 14, after
 * their manual pages.
 */
#include "cli/aliases.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* What the options of all of them ask for. */
static struct {
	bool in, out, filter, clear, trim, primary, secondary, clipboard;
	bool help, version;
	const char *selection, *type, *milliseconds, *loops, *board;
	/* without an effect here: processes to stay, servers to ask, words to say */
	bool no_effect;
	const char *no_value;
	const char *unsupported; /* the name of such an option */
} asked;

/* ---- what is not supported --------------------------------------------- */

/* Types by which plain text goes in X11 and in MIME. */
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
		what = text_quote(asked.board);
	else if (asked.type != NULL && !is_plain_text(asked.type))
		what = text_quote(asked.type);
	else
		return true;
	error_set(error, STATUS_REFUSED, "%s is not supported: terminals only store "
	    "and return plain text", what.text);
	return error_hint(error, "leave it out, or call the real %s", name);
}

/* ---- in our words ------------------------------------------------------- */

/* No operand becomes more than four words, and no option more than two. */
enum { WORDS_PER_OPERAND = 4, WORDS_OF_OPTIONS = 16 };

static bool
begin_words(struct words *words, const char *command, size_t operands,
    struct error *error)
{
	words->word = calloc(operands * WORDS_PER_OPERAND + WORDS_OF_OPTIONS,
	    sizeof(*words->word));
	if (words->word == NULL)
		return error_no_memory(error);
	words->word[words->count++] = (char *)command;
	return true;
}

static void
add_word_of_ours(struct words *words, const char *word)
{
	words->word[words->count++] = (char *)word;
}

static void
add_word_if(struct words *words, bool condition, const char *word)
{
	if (condition)
		add_word_of_ours(words, word);
}

/* The letters of OSC 52. */
static void
add_selection(struct words *words, const char *letter)
{
	if (strcmp(letter, "c") == 0)
		return;
	add_word_of_ours(words, "--selection");
	add_word_of_ours(words, letter);
}

/*
 * Standard input even at a terminal, as the others do; without it, files. Empty input
 * leaves an empty selection, as measured with xclip 0.13.
 */
static void
add_input(struct words *words, size_t count, char **file)
{
	size_t i;

	add_word_of_ours(words, "--allow-empty");
	add_word_of_ours(words, "--");
	add_word_if(words, count == 0, "-");
	for (i = 0; i < count; i++)
		add_word_of_ours(words, file[i]);
}

static bool
no_operands(size_t count, char **operand, struct error *error)
{
	return count == 0 || error_set(error, STATUS_USAGE, "unexpected %s",
	    text_quote(operand[0]).text);
}

/* ---- pbcopy, pbpaste ---------------------------------------------------- */

#define HELP { OPTION_FLAG, 'h', "help", NULL, "print this help", \
	&asked.help, NULL, 0 }
#define VERSION_OPTION(letter) { OPTION_FLAG, letter, "version", NULL, \
	"print the version", &asked.version, NULL, 0 }
#define NO_EFFECT(letter, name) { OPTION_FLAG, letter, name, NULL, \
	"has no effect", &asked.no_effect, NULL, 0 }
#define NO_EFFECT_VALUE(letter, name, argument) { OPTION_TEXT, letter, name, \
	argument, "has no effect", &asked.no_value, NULL, COMPLETE_NOTHING }
#define UNSUPPORTED(letter, name) { OPTION_NAME, letter, name, NULL, \
	"not supported", &asked.unsupported, NULL, 0 }

static const struct option_spec pb_options[] = {
	{ OPTION_TEXT, 0, "pboard", "NAME", "only general is supported",
	    &asked.board, NULL, COMPLETE_NOTHING },
	NO_EFFECT_VALUE(0, "Prefer", "KIND"),
	HELP,
	{ .kind = OPTION_END }
};

static bool
pbcopy(struct words *words, size_t count, char **operand, struct error *error)
{
	if (!no_operands(count, operand, error) ||
	    !begin_words(words, "copy", 0, error))
		return false;
	add_input(words, 0, NULL);
	return true;
}

static bool
pbpaste(struct words *words, size_t count, char **operand, struct error *error)
{
	return no_operands(count, operand, error) &&
	    begin_words(words, "paste", 0, error);
}

/* ---- wl-copy, wl-paste -------------------------------------------------- */

static const struct option_spec wl_copy_options[] = {
	{ OPTION_FLAG, 'n', "trim-newline", NULL,
	    "remove one trailing newline", &asked.trim, NULL, 0 },
	{ OPTION_FLAG, 'p', "primary", NULL, "set the primary selection",
	    &asked.primary, NULL, 0 },
	{ OPTION_FLAG, 'c', "clear", NULL, "clear the selection", &asked.clear,
	    NULL, 0 },
	{ OPTION_TEXT, 't', "type", "TYPE", "plain text types only",
	    &asked.type, NULL, COMPLETE_NOTHING },
	NO_EFFECT('f', "foreground"),
	NO_EFFECT_VALUE('s', "seat", "NAME"),
	UNSUPPORTED('o', "paste-once"),
	UNSUPPORTED(0, "sensitive"),
	HELP,
	VERSION_OPTION('v'),
	{ .kind = OPTION_END }
};

static const struct option_spec wl_paste_options[] = {
	{ OPTION_FLAG, 'n', "no-newline", NULL, "do not add a newline",
	    &asked.trim, NULL, 0 },
	{ OPTION_FLAG, 'p', "primary", NULL, "print the primary selection",
	    &asked.primary, NULL, 0 },
	{ OPTION_TEXT, 't', "type", "TYPE", "plain text types only",
	    &asked.type, NULL, COMPLETE_NOTHING },
	NO_EFFECT_VALUE('s', "seat", "NAME"),
	UNSUPPORTED('l', "list-types"),
	UNSUPPORTED('w', "watch"),
	HELP,
	VERSION_OPTION('v'),
	{ .kind = OPTION_END }
};

/* The words are the text, with a blank between two. */
static bool
wl_copy(struct words *words, size_t count, char **operand, struct error *error)
{
	size_t i;

	if (!begin_words(words, "copy", count, error))
		return false;
	add_word_if(words, asked.trim, "--trim-newline");
	add_word_if(words, asked.primary, "--primary");
	add_word_if(words, asked.clear, "--clear");
	add_word_if(words, count > 0 && !asked.clear, "--allow-empty");
	for (i = 0; i < count; i++) {
		add_word_of_ours(words, "--string");
		add_word_of_ours(words, operand[i]);
		add_word_if(words, i + 1 < count, "--string");
		add_word_if(words, i + 1 < count, " ");
	}
	if (count == 0 && !asked.clear)
		add_input(words, 0, NULL);
	return true;
}

static bool
wl_paste(struct words *words, size_t count, char **operand,
    struct error *error)
{
	if (!no_operands(count, operand, error) ||
	    !begin_words(words, "paste", 0, error))
		return false;
	add_word_if(words, !asked.trim, "--add-newline");
	add_word_if(words, asked.primary, "--primary");
	return true;
}

/* ---- xclip -------------------------------------------------------------- */

static const struct option_spec xclip_options[] = {
	{ OPTION_FLAG, 'i', "in", NULL, "copy standard input or files",
	    &asked.in, NULL, 0 },
	{ OPTION_FLAG, 'o', "out", NULL, "print the selection", &asked.out, NULL,
	    0 },
	{ OPTION_TEXT, 0, "selection", "NAME",
	    "primary, secondary, clipboard or buffer-cut; the first letter counts",
	    &asked.selection, NULL, COMPLETE_NOTHING },
	{ OPTION_FLAG, 'f', "filter", NULL,
	    "also write standard input to standard output", &asked.filter, NULL, 0 },
	{ OPTION_FLAG, 'r', "rmlastnl", NULL, "remove one trailing newline",
	    &asked.trim, NULL, 0 },
	{ OPTION_TEXT, 't', "target", "TYPE", "plain text types only", &asked.type,
	    NULL, COMPLETE_NOTHING },
	{ OPTION_TEXT, 'l', "loops", "COUNT", "only 0 is supported", &asked.loops,
	    NULL, COMPLETE_NOTHING },
	NO_EFFECT_VALUE('d', "display", "NAME"),
	NO_EFFECT(0, "silent"),
	NO_EFFECT(0, "quiet"),
	NO_EFFECT(0, "verbose"),
	NO_EFFECT(0, "noutf8"),
	HELP,
	VERSION_OPTION(0),
	{ .kind = OPTION_END }
};

/* Only the first letter counts. NULL: none of xclip's. */
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
xclip(struct words *words, size_t count, char **operand, struct error *error)
{
	const char *letter = xclip_selection();

	if (letter == NULL)
		return error_set(error, STATUS_USAGE, "unknown selection %s",
		    text_quote(asked.selection).text);
	if (asked.out && !no_operands(count, operand, error))
		return false;
	if (asked.filter && count > 0)
		return error_set(error, STATUS_USAGE,
		    "-filter passes standard input on: no files with it");
	if (!begin_words(words, asked.out ? "paste" : "copy", count, error))
		return false;
	add_selection(words, letter);
	if (asked.out) {
		add_word_if(words, asked.trim, "--no-newline");
		return true;
	}
	add_word_if(words, asked.trim, "--trim-newline");
	add_word_if(words, asked.filter, "--tee");
	add_input(words, count, operand);
	return true;
}

/* ---- xsel --------------------------------------------------------------- */

static const struct option_spec xsel_options[] = {
	{ OPTION_FLAG, 'i', "input", NULL, "copy standard input", &asked.in,
	    NULL, 0 },
	{ OPTION_FLAG, 'o', "output", NULL, "print the selection", &asked.out,
	    NULL, 0 },
	{ OPTION_FLAG, 'c', "clear", NULL, "clear the selection", &asked.clear,
	    NULL, 0 },
	{ OPTION_FLAG, 'p', "primary", NULL, "the primary selection (default)",
	    &asked.primary, NULL, 0 },
	{ OPTION_FLAG, 's', "secondary", NULL, "the secondary selection",
	    &asked.secondary, NULL, 0 },
	{ OPTION_FLAG, 'b', "clipboard", NULL, "the clipboard",
	    &asked.clipboard, NULL, 0 },
	{ OPTION_FLAG, 0, "trim", NULL, "remove one trailing newline",
	    &asked.trim, NULL, 0 },
	{ OPTION_TEXT, 't', "selectionTimeout", "MS",
	    "time to wait for the selection; 0: the default",
	    &asked.milliseconds, NULL, COMPLETE_NOTHING },
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
	{ .kind = OPTION_END }
};

/*
 * Without -i, -o or -c xsel goes by what is no terminal. Where neither is one
 * it prints the selection and then sets it: what a script hardly ever means.
 */
static bool
xsel_guess(struct error *error)
{
	bool from_terminal = isatty(STDIN_FILENO) == 1;
	bool to_terminal = isatty(STDOUT_FILENO) == 1;

	if (!from_terminal && !to_terminal) {
		error_set(error, STATUS_USAGE, "print the selection or set it?");
		return error_hint(error, "say --output or --input; neither "
		    "standard input nor standard output is a terminal");
	}
	asked.in = !from_terminal;
	asked.out = from_terminal;
	return true;
}

/* Milliseconds as the seconds of --timeout. */
static bool
add_timeout(struct words *words, struct error *error)
{
	static char seconds[24];
	unsigned long value;

	if (!text_number(asked.milliseconds, 86400UL * 1000, &value))
		return error_set(error, STATUS_USAGE,
		    "--selectionTimeout takes milliseconds, not %s",
		    text_quote(asked.milliseconds).text);
	if (value == 0)
		return true;
	snprintf(seconds, sizeof(seconds), "%lu.%03lu", value / 1000,
	    value % 1000);
	add_word_of_ours(words, "--timeout");
	add_word_of_ours(words, seconds);
	return true;
}

static bool
xsel(struct words *words, size_t count, char **operand, struct error *error)
{
	if (!no_operands(count, operand, error))
		return false;
	if (!asked.in && !asked.out && !asked.clear && !xsel_guess(error))
		return false;
	/* clearing overrides the input, as xsel's page says */
	if (asked.out && (asked.in || asked.clear)) {
		error_set(error, STATUS_USAGE,
		    "the selection is either printed or set");
		return error_hint(error, "call it twice, with --output first");
	}
	if (!begin_words(words, asked.out ? "paste" : "copy", 0, error))
		return false;
	add_selection(words, asked.clipboard ? "c" : asked.secondary ? "q" : "p");
	add_word_if(words, asked.trim, asked.out ? "--no-newline" : "--trim-newline");
	if (asked.out)
		return asked.milliseconds == NULL || add_timeout(words, error);
	if (asked.clear)
		add_word_of_ours(words, "--clear");
	else
		add_input(words, 0, NULL);
	return true;
}

/* ---- the table ---------------------------------------------------------- */

const struct alias aliases[] = {
	{ "osc52", "copy", NULL, NULL, NULL, 0, NULL },
	{ "pbcopy", NULL, NULL, "copy standard input to the clipboard",
	    pb_options, READ_ONE_DASH, pbcopy },
	{ "pbpaste", NULL, NULL, "print the clipboard", pb_options,
	    READ_ONE_DASH, pbpaste },
	{ "wl-copy", NULL, "[TEXT...]",
	    "copy text or standard input to the clipboard", wl_copy_options,
	    READ_ANYWHERE, wl_copy },
	/* what follows --watch is a command line */
	{ "wl-paste", NULL, NULL, "print the clipboard", wl_paste_options,
	    READ_UNTIL_OPERAND, wl_paste },
	{ "xclip", NULL, "[FILE...]", "set or print a selection", xclip_options,
	    READ_ONE_DASH, xclip },
	{ "xsel", NULL, NULL, "set or print a selection", xsel_options,
	    READ_ANYWHERE, xsel },
	{ NULL, NULL, NULL, NULL, NULL, 0, NULL },
};

const struct alias *
alias_find(const char *argv0)
{
	const char *slash = strrchr(argv0, '/');
	const char *base = slash != NULL ? slash + 1 : argv0;
	const struct alias *name;

	for (name = aliases; name->name != NULL; name++)
		if (strcmp(name->name, base) == 0)
			return name;
	return NULL;
}

bool
alias_translate(const struct alias *name, int argc, char **argv,
    struct words *words, bool *wants_version, struct error *error)
{
	int first = options_read(argc, argv, name->options, NULL, name->reading,
	    error);

	if (first < 0)
		return false;
	*wants_version = asked.version;
	if (asked.help || asked.version)
		return true;
	return check_supported(name->name, error) &&
	    name->translate(words, (size_t)(argc - first), argv + first, error);
}
