/* SPDX-License-Identifier: MIT */
#include "base/base.h"
#include "cli/cli.h"
#include "detect/path.h"

#include <string.h>

/* The layers of --wrap, joined by commas. */
static const char *const wrap_words[] = { "auto", "none", "tmux", "screen", "tmux?", NULL };
static const char *const print_words[] = { "raw", "esc", NULL };
static const char *const terminal_words[] = {
#define TERMINAL(word, ...) word,
#define NAME(word, ...) word,
#include "terminal/terminals.def"
#include "terminal/names.def"
	NULL
};

struct globals globals;

/* Values that are parsed after all options are read. */
static struct {
	const char *wrap, *route, *term, *print;
	bool no_probe;
} given;

const struct option_spec global_options[] = {
	{ OPTION_TEXT, 'T', "tty", "DEV",
	    "write to a terminal, stdout, stderr or pane:%3", &globals.tty,
	    .completion = COMPLETE_FILE, .variable = "VIATTY_TTY" },
	{ OPTION_TEXT, 'w', "wrap", "CHAIN",
	    "wrap for these layers, nearest first (tmux,screen)", &given.wrap,
	    .words = wrap_words, .variable = "VIATTY_WRAP" },
	{ OPTION_WORD, 0, "route", "NAME", "use this route", &given.route,
	    .words = route_words, .not_with = "wrap", .variable = "VIATTY_ROUTE" },
	{ OPTION_TEXT, 0, "term", "NAME", "assume this terminal; see viatty-terminals(7)",
	    &given.term, .words = terminal_words, .variable = "VIATTY_TERM" },
	{ OPTION_SECONDS, 0, "timeout", "SECS", "give up after SECS (default: 5, or 3 for tmux)",
	    &globals.timeout_ms, .variable = "VIATTY_TIMEOUT" },
	FLAG(0, "no-probe", "send no queries to the terminal", given.no_probe),
	{ OPTION_MAYBE_WORD, 'P', "print", "FORM",
	    "print the sequence instead of sending it", &given.print,
	    .words = print_words, .not_with = "json" },
	FLAG(0, "json", "print a JSON report", globals.json),
	FLAG('f', "force", "send even what is too large or known to fail", globals.force),
	FLAG('q', "quiet", "print no warnings", globals.quiet),
	FLAG('v', "verbose", "show the route, device, layers and size", globals.verbose),
	FLAG('h', "help", "print this help", globals.help),
	FLAG('V', "version", "print the version", globals.version),
	{ .kind = OPTION_END }
};

/* For messages: the source of the value, a variable or an option. */
static const char *
origin(const char *value, const char *variable, const char *option)
{
	return value == environment_get(variable) ? variable : option;
}

/* Whether a variable is set to never, not to auto, the default. */
static bool
is_never(const char *name)
{
	const char *value = environment_get(name);

	if (value != NULL && value[0] != '\0' && strcmp(value, "auto") != 0 &&
	    strcmp(value, "never") != 0)
		die(STATUS_USAGE, "give auto or never", "%s in the environment: unknown value %s",
		    name, text_quote(value).text);
	return text_equal(value, "never");
}

void
read_globals(const struct command *command)
{
	static struct chain chain;
	const struct option_spec *option;
	const char *value;
	bool way;
	struct globals *g = &globals;
	struct closest closest;

	/* before the environment, which may set more of them */
	for (option = global_options; option->kind != OPTION_END; option++)
		if (!command_takes(command, option) && option_given(option))
			die(STATUS_USAGE, "omit it", "--%s cannot be used here: %s", option->name,
			    command->refused_why);
	g->way_given = g->tty != NULL || given.wrap != NULL || given.route != NULL;
	g->route_is_default = given.route == NULL;
	for (option = global_options; option->kind != OPTION_END; option++) {
		value = option->variable != NULL ? environment_get(option->variable) : NULL;
		/* --wrap and --route exclude each other */
		way = option->words == wrap_words || option->words == route_words;
		if (value != NULL && value[0] != '\0' && !option_given(option) &&
		    !(way && (given.wrap != NULL || given.route != NULL)))
			option_from_environment(option, value);
	}
	if (given.print != NULL)
		g->print = given.print == print_words[0] ? PRINT_RAW : PRINT_ESC;
	if (given.route != NULL)
		route_parse(&g->route, given.route);
	if (given.wrap != NULL && strcmp(given.wrap, "auto") != 0) {
		if (!chain_parse(&chain, given.wrap))
			die(STATUS_USAGE, hint("give auto, none, or up to %d of tmux, tmux? and "
			    "screen, nearest first: tmux,screen", CHAIN_MAX),
			    "%s: unknown layers %s", origin(given.wrap, "VIATTY_WRAP", "--wrap"),
			    text_quote(given.wrap).text);
		g->chain = &chain;
	}
	if (given.term != NULL)
		g->terminal = terminal_by_word(given.term, &g->terminal_name);
	if (given.term != NULL && g->terminal == NULL) {
		closest = (struct closest){ .word = given.term };
		closest_add_words(&closest, terminal_words);
		die(STATUS_USAGE, hint("%sviatty-terminals(7) lists the names",
		    closest_suggestion(&closest, "")), "%s: unknown terminal %s",
		    origin(given.term, "VIATTY_TERM", "--term"), text_quote(given.term).text);
	}
	/* --no-probe overrides VIATTY_PROBE; desktop.c reads the value of VIATTY_NATIVE */
	g->probe = !given.no_probe && !is_never("VIATTY_PROBE");
	(void)is_never("VIATTY_NATIVE");
}
