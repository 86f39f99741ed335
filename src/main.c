/* SPDX-License-Identifier: MIT */
/* The program: standard streams, name and command. */
#include "base/base.h"
#include "cli/cli.h"
#include "detect/path.h"
#include "tty/tty.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the command ------------------------------------------------------------ */

static _Noreturn void
unknown_command(const char *word)
{
	struct closest closest = { .word = word };
	size_t i;

	for (i = 0; commands[i] != NULL; i++)
		closest_add(&closest, commands[i]->name);
	closest_add_words(&closest, program_words);
	die(STATUS_USAGE, hint("%sviatty --help lists the commands",
	    closest_suggestion(&closest, "")), "unknown command %s", text_quote(word).text);
}

static void
set_title(const char *command)
{
	static char title[64] = "viatty ";

	text_copy(title + strlen("viatty "), sizeof(title) - strlen("viatty "), command);
	messages.title = title;
}

/* `viatty version`, `viatty help` and `viatty help WORD`; `version --help` is `help version`. */
static _Noreturn void
run_program_word(int argc, char **argv)
{
	const struct option_spec *const tables[] = { global_options, NULL };
	const struct command *command;
	const struct alias *alias;
	const char *word = argv[0];
	bool help = strcmp(word, "help") == 0;
	int first;

	set_title(word);
	first = options_read(argc, argv, tables, READ_ANYWHERE);
	if (argc - first > help)
		die(STATUS_USAGE, help ? "viatty help explains one command at a time" :
		    "viatty version takes no operands", "unexpected %s",
		    text_quote(argv[first + help]).text);
	if (help && globals.json)
		die(STATUS_USAGE, "omit it", "--json cannot be used here: help prints text");
	if (first == argc && !globals.help && help)
		help_program();
	if (first == argc && !globals.help)
		help_version(globals.json);
	if (first < argc)
		word = argv[first];
	if (text_is_among(word, program_words) || strcmp(word, "options") == 0)
		help_word(word);
	alias = alias_find(word);
	if (alias != NULL && alias->command == NULL)
		help_alias(alias);
	command = command_find(alias != NULL ? alias->command : word);
	if (command == NULL)
		unknown_command(word);
	set_title(command->name);
	help_command(alias != NULL ? alias->name : messages.title, command);
}

/*
 * Opens /dev/null for closed standard streams, in the wrong direction, so that using them
 * fails and no other file gets their number.
 */
static void
keep_standard_streams(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) == -1)
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* As the process would have ended without our handlers. */
static void
end_by_signal(void)
{
	if (signals_caught == 0)
		return;
	signal(signals_caught, SIG_DFL);
	raise(signals_caught);
}

static _Noreturn void
run(const struct command *command, int argc, char **argv, char *const *original)
{
	const struct option_spec *const tables[] = { global_options, command->options, NULL };
	struct call call = { .original = original };
	int first;

	messages.command = command->name;
	first = options_read(argc, argv, tables, command->completion == COMPLETE_COMMAND ?
	    READ_UNTIL_OPERAND : READ_ANYWHERE);
	if (globals.version)
		help_version(globals.json);
	if (globals.help)
		help_command(messages.title, command);
	options_check(tables);
	read_globals(command);
	call.count = (size_t)(argc - first);
	call.operand = argv + first;
	messages.verdict = command->verdict;
	messages.json = globals.json;
	messages.quiet = globals.quiet;
	exit(command->run(&call));
}

int
main(int argc, char **argv)
{
	const struct option_spec *const tables[] = { global_options, NULL };
	const struct command *command;
	const struct alias *alias;
	char **original;
	struct words words;
	size_t size;
	int first, i;

	keep_standard_streams();
	query_reader = reader_is_another;
	messages.signal = &signals_caught;
	atexit(end_by_signal);
	if (argc == 0)
		return STATUS_USAGE;
	if (argc > 1 && strcmp(argv[1], "__complete") == 0)
		complete(argc - 2, argv + 2);
	alias = alias_find(argv[0]);
	if (alias != NULL)
		messages.title = alias->name;
	if (alias != NULL && alias->command == NULL) {
		/* options_read() reorders argv, and notify-send may be passed on */
		size = ((size_t)argc + 1) * sizeof(*argv);
		original = memcpy(memory(NULL, size), argv, size);
		words = alias_translate(alias, argc, argv);
		messages.translate = hint_translate;
		run(command_find(words.word[0]), words.count, words.word, original);
	}
	/* an error stops option parsing, even before a --json */
	for (i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		messages.json = messages.json || strcmp(argv[i], "--json") == 0;
	if (alias != NULL)
		run(command_find(alias->command), argc, argv, NULL);
	first = options_read(argc, argv, tables, READ_UNTIL_OPERAND);
	if (first < argc && text_is_among(argv[first], program_words))
		run_program_word(argc - first, argv + first);
	if (globals.version)
		help_version(globals.json);
	if (first == argc && (globals.help || argc == 1))
		help_program();
	if (first == argc)
		die(STATUS_USAGE, "viatty --help lists them", "no command given");
	command = command_find(argv[first]);
	if (command == NULL)
		unknown_command(argv[first]);
	set_title(command->name);
	run(command, argc - first, argv + first, NULL);
}
