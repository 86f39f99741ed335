/* SPDX-License-Identifier: MIT */
/* The commands, the options of all of them, and how options are read. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* ---- commands --------------------------------------------------------------- */

#define COMMAND(name) extern const struct command command_##name;
#include "commands/commands.def"
#undef COMMAND

const struct command *const commands[] = {
#define COMMAND(name) &command_##name,
#include "commands/commands.def"
#undef COMMAND
	&command_help,
	NULL
};

/* The hint of cli/instead.def for an option of a command, or for a command; or NULL. */
static const char *
instead_of(const char *word, const char *command)
{
	static const struct {
		const char *command, *word, *hint;
	} rows[] = {
#define INSTEAD(...) { __VA_ARGS__ },
#include "cli/instead.def"
#undef INSTEAD
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strcmp(rows[i].word, word) == 0 &&
		    (rows[i].command == NULL || text_equal(rows[i].command, command)))
			return rows[i].hint;
	return NULL;
}

const struct command *
command_find(const char *name)
{
	const struct command *const *command = commands;

	while (*command != NULL && strcmp((*command)->name, name) != 0)
		command++;
	return *command;
}

const struct command *
command_choose(const char *word)
{
	static char title[64];
	const struct command *command = command_find(word);
	const char *instead = instead_of(word, NULL);
	size_t i;

	if (command == NULL && instead != NULL)
		die(STATUS_USAGE, "unknown command %s\n"
		    "%s", text_quote(word).text, instead);
	for (i = 0; command == NULL && word[0] != '\0' && commands[i] != NULL; i++)
		if (text_begins(commands[i]->name, word))
			die(STATUS_USAGE, "unknown command %s\n"
			    "did you mean %s? viatty --help lists the commands",
			    text_quote(word).text, commands[i]->name);
	if (command == NULL)
		die(STATUS_USAGE, "unknown command %s\n"
		    "viatty --help lists the commands", text_quote(word).text);
	text_format(title, sizeof(title), "viatty %s", command->name);
	messages.title = title;
	return command;
}

const struct command *
alias_find(const char *argv0)
{
	const char *slash = strrchr(argv0, '/');
	const struct command *alias = aliases;

	while (alias->name != NULL && strcmp(alias->name, slash != NULL ? slash + 1 : argv0) != 0)
		alias++;
	return alias->name != NULL ? alias : NULL;
}

bool
command_takes(const struct command *command, const struct option_spec *option)
{
	return command == NULL ||
	    !text_lists(command->refused, option->name, strlen(option->name));
}

/* ---- the global options ------------------------------------------------------ */

/* The layers of --wrap, joined by commas. */
static const char *const wrap_words[] = { "auto", "none", "tmux", "screen", "tmux?", NULL };
/* The others are for reports of bugs. */
static const char *const named_routes[] = { "auto", "native", "tmux-buffer", NULL };
static const char *const print_words[] = { "raw", "esc", NULL };
static const char *const terminal_words[] = {
#define TERMINAL(word, ...) word,
#define NAME(word, ...) word,
#define ALSO(...)
#include "terminal/terminals.def"
#include "terminal/names.def"
	NULL
};

/* Values that are parsed after all options are read. */
static struct {
	const char *wrap, *term;
	unsigned route;
	bool no_probe;
} raw;

const struct option_spec global_options[] = {
	{ OPTION_TEXT, 'T', "tty", "DEV",
	    "write to a terminal, stdout, stderr, pane:%3, last", &globals.given.tty,
	    .completion = COMPLETE_FILE, .variable = "VIATTY_TTY" },
	{ OPTION_TEXT, 'w', "wrap", "CHAIN",
	    "wrap for these layers, nearest first (tmux,screen)", &raw.wrap,
	    .words = wrap_words, .variable = "VIATTY_WRAP" },
	{ OPTION_WORD, 0, "route", "NAME", "use this route", &raw.route,
	    .words = route_words, .named = named_routes, .not_with = "wrap" },
	{ OPTION_TEXT, 0, "term", "NAME", "assume this terminal; see viatty-terminals(7)",
	    &raw.term, .words = terminal_words, .variable = "VIATTY_TERM" },
	{ OPTION_SECONDS, 0, "timeout", "SECS", "give up after SECS (default: 5, or 3 for tmux)",
	    &globals.given.timeout_ms, .variable = "VIATTY_TIMEOUT" },
	FLAG(0, "no-probe", "send no queries to identify the terminal", raw.no_probe),
	{ OPTION_WORD, 'P', "print", "FORM", "print the sequence instead of sending it",
	    &globals.print, .words = print_words, .alone = "raw" },
	FLAG('f', "force", "send even what is too large or known to fail", globals.given.force),
	FLAG('q', "quiet", "print no warnings, except of probable loss", messages.quiet),
	FLAG('v', "verbose", "show the device, --route, --wrap and size", globals.verbose),
	FLAG('h', "help", "print this help", globals.help),
	FLAG('V', "version", "print the version", globals.version),
	{ .kind = OPTION_END }
};

enum { GLOBAL_OPTIONS = sizeof(global_options) / sizeof(global_options[0]) - 1 };

/* ---- values --------------------------------------------------------------- */

/* Below, `name` is what messages call the option: "--NAME", or the variable that has the value. */

static _Noreturn void
invalid(const char *name, const char *text, const char *wanted)
{
	die(STATUS_USAGE, "invalid %s %s\n"
	    "give %s", name, text_quote(text).text, wanted);
}

/*
 * Parses "2", "0.5" or ".25": at least a millisecond, or 0 where that is a time, and at most a
 * day, in milliseconds.
 */
static void
store_seconds(const struct option_spec *option, const char *text, const char *name)
{
	char *end;
	double seconds = strtod(text, &end);
	const bool zero = option->kind == OPTION_SECONDS_OR_0;

	/* strtod() would also accept a sign, an exponent, hexadecimal digits and infinity */
	if (end == text || text[strspn(text, "0123456789.")] != '\0' || *end != '\0' ||
	    seconds > 86400 || (seconds < 0.001 && !zero))
		invalid(name, text, zero ? "a number of seconds, as in 2 or 0.5" :
		    "a number of seconds above 0, as in 2 or 0.5");
	*(unsigned *)option->value = (unsigned)(seconds * 1000 + 0.5);
}

/* Caps the number at SIZE_LIMIT. */
static void
store_size(const struct option_spec *option, const char *text, const char *name)
{
	unsigned long value = SIZE_LIMIT;
	size_t digits = strspn(text, "0123456789");

	(void)text_number(text, SIZE_LIMIT, &value);
	if (digits == 0 || digits > 18 || text[digits] != '\0' || value == 0)
		invalid(name, text, "a number of bytes above 0");
	*(size_t *)option->value = value;
}

/* `text` is NULL without a value. `variable` is the one that has it, or NULL. */
static void
store(const struct option_spec *option, const char *text, const char *variable)
{
	struct text_list *list = option->value;
	char name[64];

	if (text == NULL)
		text = option->alone != NULL ? option->alone : option->name;
	if (variable != NULL)
		text_copy(name, sizeof(name), variable);
	else
		text_format(name, sizeof(name), "--%s", option->name);
	switch (option->kind) {
	case OPTION_FLAG:
		*(bool *)option->value = true;
		break;
	case OPTION_TEXT:
		*(const char **)option->value = text;
		break;
	case OPTION_LIST:
		list->text = xrealloc(list->text, (list->count + 1) * sizeof(*list->text));
		list->text[list->count++] = text;
		break;
	case OPTION_SIZE:
		store_size(option, text, name);
		break;
	case OPTION_SECONDS:
	case OPTION_SECONDS_OR_0:
		store_seconds(option, text, name);
		break;
	case OPTION_WORD:
		*(unsigned *)option->value = 1 + (unsigned)choose_word(option->words,
		    option->named != NULL ? option->named : option->words, text,
		    "give one of: ", name);
		break;
	case OPTION_END:
		break;
	}
}

/* Whether it was given, on the command line or by a variable: no value is all zeros. */
static bool
is_given(const struct option_spec *option)
{
	static const char nothing[sizeof(struct text_list)];
	static const size_t sizes[] = { [OPTION_FLAG] = sizeof(bool),
		[OPTION_TEXT] = sizeof(const char *), [OPTION_LIST] = sizeof(struct text_list),
		[OPTION_SIZE] = sizeof(size_t), [OPTION_SECONDS] = sizeof(unsigned),
		[OPTION_SECONDS_OR_0] = sizeof(unsigned), [OPTION_WORD] = sizeof(unsigned) };

	return memcmp(option->value, nothing, sizes[option->kind]) != 0;
}

/* ---- the command line -------------------------------------------------------- */

const struct option_spec *
option_at(const struct command *command, size_t i)
{
	const size_t own = command != NULL && command->becomes != NULL ? 0 : GLOBAL_OPTIONS;
	const struct option_spec *option;

	if (i < own)
		return &global_options[i];
	if (command == NULL || command->options == NULL)
		return NULL;
	option = &command->options[i - own];
	return option->kind != OPTION_END ? option : NULL;
}

bool
option_takes_value(const struct option_spec *option)
{
	return option->argument != NULL && option->alone == NULL;
}

static const struct option_spec *
option_by_letter(const struct command *command, char letter)
{
	const struct option_spec *option;
	size_t i = 0;

	while ((option = option_at(command, i)) != NULL && option->letter != letter)
		i++;
	return option;
}

const struct option_spec *
option_by_name(const struct command *command, const char *name, size_t n)
{
	const struct option_spec *option, *found = NULL;
	bool ambiguous = false;
	size_t i;

	for (i = 0; (option = option_at(command, i)) != NULL; i++) {
		if (strncmp(option->name, name, n) != 0)
			continue;
		if (option->name[n] == '\0')
			return option;
		ambiguous = found != NULL;
		found = option;
	}
	return ambiguous || n == 0 ? NULL : found;
}

/* Whether a long option may follow a single dash. */
static bool
takes_single_dash(const struct command *command)
{
	return command != NULL && command->single_dash_long;
}

/* Reports one ASCII letter of several alone, otherwise the whole argument. */
static _Noreturn void
unknown_option(const struct command *command, const char *word, const char *letter)
{
	const char short_form[] = { '-', letter[0], '\0' };
	const struct option_spec *option;
	const char *instead;
	char name[64];
	size_t i;

	if (!takes_single_dash(command) && letter[0] > ' ' && letter[0] < 0x7f)
		word = short_form;
	text_format(name, sizeof(name), "%.*s", (int)strcspn(word, "="), word);
	instead = instead_of(name, command != NULL ? command->name : NULL);
	if (instead != NULL)
		die(STATUS_USAGE, "unknown option %s\n"
		    "%s", text_quote(word).text, instead);
	/* the beginning of only one is that option */
	for (i = 0; name[1] == '-' && (option = option_at(command, i)) != NULL; i++)
		if (name[2] != '\0' && text_begins(option->name, name + 2))
			die(STATUS_USAGE, "unknown option %s\n"
			    "did you mean --%s? --help lists the options",
			    text_quote(word).text, option->name);
	die(STATUS_USAGE, "unknown option %s", text_quote(word).text);
}

const struct option_spec *
option_next(const struct command *command, const char *word, const char **at,
    const char **value)
{
	const struct option_spec *option = NULL;
	size_t dashes = word[1] == '-' ? 2 : 1, n = strcspn(word + dashes, "=");

	*value = word[dashes + n] == '=' ? word + dashes + n + 1 : NULL;
	if (dashes == 2 || (takes_single_dash(command) &&
	    (n > 1 || option_by_letter(command, word[1]) == NULL)))
		option = option_by_name(command, word + dashes, n);
	if (dashes == 2 || option != NULL) {
		*at = "";
		return option;
	}
	option = option_by_letter(command, **at);
	*value = NULL;
	if (option == NULL)
		return NULL;
	++*at;
	if (option->argument != NULL && **at != '\0') {
		*value = *at;
		*at = "";
	}
	return option;
}

/* Whether a command line follows the first operands, as the command or an option has it so far. */
static bool
is_line_taken(const struct command *command)
{
	const struct option_spec *option = command->options;

	if (command->completion == COMPLETE_COMMAND)
		return true;
	while (option != NULL && option->kind != OPTION_END && (option->kind != OPTION_FLAG ||
	    option->completion != COMPLETE_COMMAND || !is_given(option)))
		option++;
	return option != NULL && option->kind != OPTION_END;
}

struct call
options_read(const struct command *command, char **argv)
{
	const bool is_program = command != NULL && command->is_program;
	const struct option_spec *option;
	const char *word, *at, *value;
	struct call call = { .operand = argv };
	size_t i;

	for (i = 1; argv[i] != NULL && strcmp(argv[i], "--") != 0; i++) {
		word = argv[i];
		if (word[0] != '-' || word[1] == '\0' || (is_program && word[1] != '-' &&
		    strcmp(word, "-h") != 0)) {
			if (command == NULL || (call.count == command->line_at &&
			    is_line_taken(command)))
				break;
			call.operand[call.count++] = argv[i];
			continue;
		}
		for (at = word + 1; *at != '\0';) {
			option = option_next(command, word, &at, &value);
			if (option == NULL)
				unknown_option(command, word, at);
			if (value != NULL && option->argument == NULL)
				die(STATUS_USAGE, "--%s takes no value", option->name);
			if (value == NULL && option_takes_value(option)) {
				value = argv[++i];
				if (value == NULL)
					die(STATUS_USAGE, "--%s needs %s", option->name,
					    option->argument);
			}
			store(option, value, NULL);
		}
	}
	if (!is_program && text_equal(argv[i], "--"))
		i++;
	for (; argv[i] != NULL; i++)
		call.operand[call.count++] = argv[i];
	call.operand[call.count] = NULL;
	return call;
}

/* ---- after the command line -------------------------------------------------- */

/* Checks the column `not_with` of the options that were given. */
static void
check_together(const struct command *command)
{
	const struct option_spec *option, *other;
	const char *name;
	size_t i, n;

	for (i = 0; (option = option_at(command, i)) != NULL; i++) {
		name = is_given(option) ? option->not_with : NULL;
		for (; name != NULL && *name != '\0'; name += n + (name[n] == ' ')) {
			n = strcspn(name, " ");
			other = option_by_name(command, name, n);
			if (other != NULL && is_given(other))
				die(STATUS_USAGE, "--%s cannot be used with --%s\n"
				    "omit one of the two", option->name, other->name);
		}
	}
}

/* Whether a variable has the second of its two values. */
static bool
is_second(const char *name, const char *first, const char *second)
{
	const char *value = environment_get(name);

	if (value == NULL || value[0] == '\0' || strcmp(value, first) == 0)
		return false;
	if (strcmp(value, second) != 0)
		die(STATUS_USAGE, "unknown %s %s\n"
		    "give %s or %s", name, text_quote(value).text, first, second);
	return true;
}

void
globals_check(const struct command *command)
{
	const struct option_spec *option;

	check_together(command);
	for (option = global_options; option->kind != OPTION_END; option++)
		if (is_given(option) && !command_takes(command, option))
			die(STATUS_USAGE, "--%s cannot be used here: %s\n"
			    "omit it", option->name, command->refused_why);
}

void
globals_read(const struct command *command)
{
	static struct chain chain;
	const struct option_spec *option;
	const char *value;

	/* before the environment, which may set more of them */
	globals_check(command);
	globals.way_given = globals.given.tty != NULL || raw.wrap != NULL || raw.route != 0;
	for (option = global_options; option->kind != OPTION_END; option++) {
		value = option->variable != NULL ? environment_get(option->variable) : NULL;
		/* --route excludes --wrap */
		if (value == NULL || value[0] == '\0' || is_given(option) ||
		    (option->words == wrap_words && raw.route != 0))
			continue;
		store(option, value, option->variable);
	}
	if (raw.route != 0)
		globals.given.route = raw.route - 1;
	if (raw.wrap != NULL && strcmp(raw.wrap, "auto") != 0) {
		if (!chain_parse(&chain, raw.wrap))
			die(STATUS_USAGE, "unknown %s %s\n"
			    "give auto, none, or up to %d of tmux, tmux? and screen, nearest "
			    "first: tmux,screen",
			    raw.wrap == environment_get("VIATTY_WRAP") ? "VIATTY_WRAP" :
			    "--wrap", text_quote(raw.wrap).text, CHAIN_MAX);
		globals.given.chain = &chain;
	}
	if (raw.term != NULL)
		globals.given.terminal = terminal_by_word(raw.term, &globals.given.terminal_name);
	if (raw.term != NULL && globals.given.terminal == NULL)
		die(STATUS_USAGE, "unknown %s %s\n"
		    "viatty-terminals(7) lists the names",
		    raw.term == environment_get("VIATTY_TERM") ? "VIATTY_TERM" : "--term",
		    text_quote(raw.term).text);
	/* --no-probe overrides the variable */
	globals.given.print = globals.print != PRINT_NOT;
	globals.given.probe = !raw.no_probe && !globals.given.print &&
	    !is_second("VIATTY_PROBE", "auto", "never");
	/* desktop.c, path.c and paste.c read these */
	(void)is_second("VIATTY_NATIVE", "auto", "never");
	(void)is_second("VIATTY_OUTER_TMUX", "copies", "all");
	(void)is_second("VIATTY_PROMPT", "auto", "never");
}
