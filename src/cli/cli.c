/* SPDX-License-Identifier: MIT */
/* The command line; the contract is in cli.h. */
#include "cli/cli.h"

#include "base/closest.h"
#include "base/text.h"
#include "cli/help.h"
#include "cli/aliases.h"
#include "cli/options.h"
#include "commands/report.h"
#include "detect/environment.h"
#include "detect/path.h"
#include "tty/tty.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The layers of --wrap, which commas join. */
static const char *const wrap_words[] = { "auto", "none", "tmux", "screen",
	"tmux?", NULL };
static const char *const print_words[] = { "raw", "esc", "hex", NULL };

/* The values of the global options, not yet checked. */
static struct {
	const char *tty, *wrap, *route, *term, *print;
	unsigned timeout_ms;
	bool json, force, quiet, verbose, no_probe, help, version;
} given;

const struct option_spec global_options[] = {
	{ OPTION_TEXT, 'T', "tty", "DEV",
	    "write to a device, stdout, stderr or pane:%3", &given.tty, NULL,
	    COMPLETE_FILE },
	{ OPTION_TEXT, 'w', "wrap", "CHAIN",
	    "wrap for these layers, nearest first (tmux,screen)", &given.wrap,
	    wrap_words, COMPLETE_NOTHING },
	{ OPTION_WORD, 0, "route", "NAME", "use this route", &given.route,
	    route_words, COMPLETE_NOTHING },
	{ OPTION_TEXT, 0, "term", "NAME",
	    "treat the terminal as NAME; see viatty(1)", &given.term, NULL,
	    COMPLETE_TERMINAL },
	VALUE(OPTION_SECONDS, 0, "timeout", "SECS",
	    "give up after SECS without progress (5; tmux: 3)", given.timeout_ms),
	FLAG(0, "no-probe", "send no queries to the terminal", given.no_probe),
	{ OPTION_MAYBE_WORD, 'P', "print", "FORM",
	    "print the bytes instead (-Pesc: readable)", &given.print,
	    print_words, COMPLETE_NOTHING },
	FLAG(0, "json", "print a JSON report", given.json),
	FLAG('f', "force", "send even if too large or known not to work", given.force),
	FLAG('q', "quiet", "print no warnings", given.quiet),
	FLAG('v', "verbose", "show the route, device, layers and size", given.verbose),
	FLAG('h', "help", "print this help", given.help),
	FLAG('V', "version", "print the version", given.version),
	{ .kind = OPTION_END }
};

/* ---- the global options' values ----------------------------------------- */

static const struct option_spec *
global_option(const char *name)
{
	const struct option_spec *option = global_options;

	while (strcmp(option->name, name) != 0)
		option++;
	return option;
}

static bool
is_given(const struct option_spec *option)
{
	if (option->kind == OPTION_FLAG)
		return *(bool *)option->value;
	return option->kind == OPTION_SECONDS ? *(unsigned *)option->value != 0 :
	    *(const char **)option->value != NULL;
}

static bool
read_variables(struct error *error)
{
	const struct option_variable *variable;
	const struct option_spec *option;
	struct error wrong;
	const char *value;

	for (variable = option_variables; variable->name != NULL; variable++) {
		value = environment_get(variable->name);
		if (value == NULL || value[0] == '\0')
			continue;
		option = global_option(variable->option);
		if (is_given(option) ||
		    is_given(global_option(variable->unless)) ||
		    option_store(option, value, &wrong))
			continue;
		error_set(error, STATUS_USAGE, "%s in the environment: %s",
		    variable->name, wrong.message);
		return error_hint(error, "%s", wrong.hint);
	}
	return true;
}

/* For messages: the variable or the option that the value came from. */
static const char *
origin(const char *value, const char *variable, const char *option)
{
	return value == environment_get(variable) ? variable : option;
}

static bool
check_chain(struct globals *g, struct chain *chain, struct error *error)
{
	if (given.wrap == NULL || strcmp(given.wrap, "auto") == 0)
		return true;
	if (!chain_parse(chain, given.wrap)) {
		error_set(error, STATUS_USAGE, "%s: unknown layers %s",
		    origin(given.wrap, "VIATTY_WRAP", "--wrap"),
		    text_quote(given.wrap).text);
		return error_hint(error, "give auto, none, or up to %d of tmux, tmux? "
		    "and screen, nearest first: tmux,screen",
		    CHAIN_MAX);
	}
	g->chain = chain;
	return true;
}

static struct suggestion
suggest_terminal(const char *word)
{
	struct closest closest = { .word = word };
	size_t i;

	for (i = 0; i < terminal_count(); i++)
		closest_add(&closest, terminal_at(i)->id);
	for (i = 0; terminal_name_at(i) != NULL; i++)
		closest_add(&closest, terminal_name_at(i)->word);
	return closest_suggestion(&closest, "");
}

static bool
check_term(struct globals *g, struct error *error)
{
	if (given.term == NULL)
		return true;
	g->terminal = terminal_by_word(given.term, &g->terminal_name);
	if (g->terminal != NULL)
		return true;
	error_set(error, STATUS_USAGE, "%s: unknown terminal %s",
	    origin(given.term, "VIATTY_TERM", "--term"),
	    text_quote(given.term).text);
	return error_hint(error, "%sviatty-terminals(7) lists the names",
	    suggest_terminal(given.term).text);
}

/* Of a variable that is auto, the default, or never. */
static bool
read_never(bool *never, const char *name, struct error *error)
{
	const char *value = environment_get(name);

	*never = text_equal(value, "never");
	if (value == NULL || value[0] == '\0' || *never || strcmp(value, "auto") == 0)
		return true;
	error_set(error, STATUS_USAGE, "%s in the environment: unknown value %s",
	    name, text_quote(value).text);
	return error_hint(error, "give auto or never");
}

/* --no-probe overrides VIATTY_PROBE. */
static bool
check_probe(struct globals *g, struct error *error)
{
	bool never = true, not_native;

	if (!given.no_probe && !read_never(&never, "VIATTY_PROBE", error))
		return false;
	g->probe = !never;
	/* detect/desktop.c reads its value */
	return read_never(&not_native, "VIATTY_NATIVE", error);
}

static enum print_form
print_form(void)
{
	size_t i;

	for (i = 0; given.print != NULL && print_words[i] != NULL; i++)
		if (strcmp(print_words[i], given.print) == 0)
			return (enum print_form)(PRINT_RAW + i);
	return PRINT_NOT;
}

static bool
refuse_option(const char *name, const char *why, struct error *error)
{
	error_set(error, STATUS_USAGE, "--%s cannot be used here: %s", name, why);
	return error_hint(error, "omit it");
}

/* Before the environment is read, which may set what a command does not need. */
static bool
check_taken(const struct command *command, struct error *error)
{
	const char *const *name;

	for (name = command->refused; name != NULL && *name != NULL; name++)
		if (is_given(global_option(*name)))
			return refuse_option(*name, command->refused_why, error);
	return true;
}

static bool
check_globals(struct globals *g, struct chain *chain, struct error *error)
{
	bool way_given = given.tty != NULL || given.wrap != NULL ||
	    given.route != NULL;

	if (!read_variables(error))
		return false;
	*g = (struct globals){
		.tty = given.tty,
		.way_given = way_given,
		.timeout_ms = given.timeout_ms,
		.print = print_form(),
		.json = given.json,
		.force = given.force,
		.quiet = given.quiet,
		.verbose = given.verbose,
	};
	if (given.route != NULL)
		route_parse(&g->route, given.route);
	if (g->print != PRINT_NOT && g->json)
		return error_set(error, STATUS_USAGE,
		    "--print and --json exclude each other");
	if (given.wrap != NULL && g->route != ROUTE_AUTO)
		return error_set(error, STATUS_USAGE,
		    "--wrap and --route exclude each other");
	return check_chain(g, chain, error) && check_term(g, error) &&
	    check_probe(g, error);
}

/* ---- the command -------------------------------------------------------- */

struct line {
	int count;
	char **word;
	const struct command *command;
	const struct program_word *word_explained; /* help is of this word; or NULL */
	const struct alias *alias; /* NULL: called as viatty */
	char **original; /* the command line before it was translated, or NULL */
	char title[64]; /* for messages: "viatty copy", "osc52" */
};

static void
set_title(struct line *line, const char *program, const char *command)
{
	snprintf(line->title, sizeof(line->title), "%s%s%s", program,
	    command[0] != '\0' ? " " : "", command);
}

static bool
unknown_command(const char *word, struct error *error)
{
	struct closest closest = { .word = word };
	size_t i;

	for (i = 0; commands[i] != NULL; i++)
		closest_add(&closest, commands[i]->name);
	for (i = 0; program_words[i].name != NULL; i++)
		closest_add(&closest, program_words[i].name);
	error_set(error, STATUS_USAGE, "unknown command %s", text_quote(word).text);
	return error_hint(error, "%sviatty --help lists the commands",
	    closest_suggestion(&closest, "").text);
}

static bool
set_command(struct line *line, const char *word, struct error *error)
{
	line->command = command_find(word);
	if (line->command == NULL)
		return unknown_command(word, error);
	set_title(line, "viatty", line->command->name);
	return true;
}

/* For the help of another name of the program. */
static bool
set_alias(struct line *line, const char *name)
{
	line->alias = alias_find(name);
	if (line->alias == NULL)
		return false;
	set_title(line, line->alias->name, "");
	if (line->alias->command != NULL)
		line->command = command_find(line->alias->command);
	return true;
}

static const struct program_word *
program_word_find(const char *name)
{
	const struct program_word *known = program_words;

	while (known->name != NULL && strcmp(known->name, name) != 0)
		known++;
	return known->name != NULL ? known : NULL;
}

static bool
too_many_words(bool help, const char *word, struct error *error)
{
	error_set(error, STATUS_USAGE, "unexpected %s", text_quote(word).text);
	return error_hint(error, "%s", help ?
	    "viatty help explains one command at a time" :
	    "viatty version takes no operands");
}

/* What `viatty help WORD` explains. */
static bool
set_subject(struct line *line, const char *word, struct error *error)
{
	line->word_explained = program_word_find(word);
	return line->word_explained != NULL || set_alias(line, word) ||
	    set_command(line, word, error);
}

/* `viatty version`, `viatty help` and `viatty help COMMAND`: like the options. */
static bool
read_program_word(struct line *line, int first, struct error *error)
{
	const struct program_word *known = program_word_find(line->word[first]);
	bool help = strcmp(known->name, "help") == 0;
	int most = help ? 1 : 0, count;
	const char *word;

	set_title(line, "viatty", known->name);
	line->count -= first;
	line->word += first;
	first = options_read(line->count, line->word, global_options, NULL,
	    READ_ANYWHERE, error);
	if (first < 0)
		return false;
	count = line->count - first;
	word = line->word[first];
	line->count = 1;
	if (count > most)
		return too_many_words(help, line->word[first + most], error);
	if (help && given.json)
		return refuse_option("json", "help prints text", error);
	if (count == 0 && given.help)
		line->word_explained = known;
	given.version = !help && line->word_explained == NULL;
	given.help = !given.version;
	return count == 0 || set_subject(line, word, error);
}

static bool
no_command(const struct line *line, struct error *error)
{
	if (line->count == 1) {
		help_summary();
		return error_silent(error, STATUS_USAGE);
	}
	error_set(error, STATUS_USAGE, "no command given");
	return error_hint(error, "viatty --help lists them");
}

static bool
find_command(struct line *line, struct error *error)
{
	int first = options_read(line->count, line->word, global_options, NULL,
	    READ_UNTIL_OPERAND, error);

	if (first < 0)
		return false;
	if (first == line->count)
		return given.help || given.version || no_command(line, error);
	if (program_word_find(line->word[first]) != NULL)
		return read_program_word(line, first, error);
	if (!set_command(line, line->word[first], error))
		return false;
	line->count -= first;
	line->word += first;
	return true;
}

/* Translates the command line of an alias. */
static bool
translate(struct line *line, struct error *error)
{
	static struct arguments arguments; /* lives as long as argv */

	if (!alias_translate(line->alias, line->count, line->word, &arguments,
	    &given.version, error))
		return false;
	given.help = arguments.count == 0;
	if (arguments.count == 0)
		return true;
	line->command = command_find(arguments.value[0]);
	report_as(line->command->name);
	line->count = arguments.count;
	line->original = line->word;
	line->word = arguments.value;
	return true;
}

/* Finds the command by the name that the program was called by. */
static bool
find_by_name(struct line *line, struct error *error)
{
	line->alias = alias_find(line->word[0]);
	set_title(line, line->alias != NULL ? line->alias->name : "viatty", "");
	if (line->alias == NULL)
		return find_command(line, error);
	if (line->alias->command == NULL)
		return translate(line, error);
	line->command = command_find(line->alias->command);
	return true;
}

static bool
show_help(const struct line *line, struct error *error)
{
	bool fine;

	if (given.version)
		fine = given.json ? report_version_json(VERSION) : help_version();
	else if (line->word_explained != NULL)
		fine = help_word(line->word_explained);
	else if (line->alias != NULL && line->alias->command == NULL)
		fine = help_alias(line->alias);
	else if (line->command == NULL)
		fine = help_program(global_options);
	else
		fine = help_command(line->title, line->command, global_options);
	return fine || error_stdout(error);
}

static bool
run_line(struct line *line, int *signal, int *status, struct error *error)
{
	struct globals globals;
	struct chain chain;
	struct call call = { .command = line->command, .globals = &globals,
	    .title = line->title, .original = line->original };
	bool fine;
	int first;

	if (line->command != NULL) {
		first = options_read(line->count, line->word, global_options,
		    line->command->options, line->command->takes_command ?
		        READ_UNTIL_OPERAND : READ_ANYWHERE, error);
		if (first < 0)
			return false;
		call.count = (size_t)(line->count - first);
		call.operand = line->word + first;
	}
	/* only these two work without a command */
	if (given.help || given.version || line->command == NULL)
		return show_help(line, error);
	if (!check_taken(line->command, error) ||
	    !check_globals(&globals, &chain, error))
		return false;
	call.verdict = line->command->verdict;
	fine = line->command->run(&call, error);
	error->verdict = call.verdict;
	*signal = call.signal;
	*status = call.status;
	return fine;
}

/*
 * Opens /dev/null in place of closed standard streams, in the wrong direction so that
 * reading or writing fails. Otherwise the next file opened would get their number.
 */
static void
keep_standard_streams(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) == -1)
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* An error ends the reading of the options, so --json may stand behind it. */
static bool
wants_json(const struct line *line)
{
	int i;

	/* the options of another program */
	if (line->alias != NULL && line->alias->command == NULL)
		return false;
	for (i = 1; i < line->count && strcmp(line->word[i], "--") != 0; i++)
		if (strcmp(line->word[i], "--json") == 0)
			return true;
	return given.json;
}

static void
print_failure(const struct line *line, struct error *error)
{
	if (error->message[0] == '\0')
		return;
	/* the options of a translated command line are those of the command */
	if (error->status == STATUS_USAGE && error->hint[0] == '\0')
		error_hint(error, "see %s%s --help", line->original != NULL ? "viatty " : "",
		    line->original != NULL ? line->command->name : line->title);
	report_error(line->title, error);
	if (error->status == STATUS_USAGE ? wants_json(line) : given.json)
		report_error_json(line->command != NULL ? line->command->name : "",
		    error);
}

int
cli_run(int argc, char **argv)
{
	struct line line = { .count = argc, .word = argv };
	struct error error = { .status = STATUS_DONE };
	int signal = 0, status = STATUS_DONE;
	bool fine;

	keep_standard_streams();
	fine = argc > 0 && find_by_name(&line, &error) &&
	    run_line(&line, &signal, &status, &error);
	/* like other filters, no message when the reader of the output has gone */
	if (!fine && signal != SIGPIPE)
		print_failure(&line, &error);
	if (signal != 0)
		tty_die_of(signal);
	return fine ? status : (int)error.status;
}
