/* SPDX-License-Identifier: MIT */
/* The program: standard streams, name and command. */
#include "cli/cli.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * If a standard stream is closed, opens /dev/null in its place, so that no file opened later gets
 * its number. The direction is wrong on purpose: using the stream then fails.
 */
static void
keep_standard_streams(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) == -1)
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* Whether standard input is a pipe or a file, as opposed to a terminal or /dev/null. */
static bool
has_input(void)
{
	struct stat st;

	return fstat(STDIN_FILENO, &st) == 0 && !S_ISCHR(st.st_mode);
}

/* As the process would have ended without our handlers. */
static void
end_by_signal(void)
{
	if (signal_caught == 0)
		return;
	signal(signal_caught, SIG_DFL);
	raise(signal_caught);
}

/*
 * For root, called by a user. First does what the command does as root. Then opens the files that
 * only root may read, and becomes that user. Returns the exit status if nothing is left to do, or
 * else -1.
 */
static int
leave_root(const struct command *command, struct call *call)
{
	int status = -1;

	if (command->as_root != NULL) {
		globals_check(command);
		status = command->as_root(call);
	}
	if (status >= 0)
		return status;
	if (command->completion == COMPLETE_FILE)
		file_open_early(call->operand, call->count);
	user_become();
	return -1;
}

int
main(int argc, char **argv)
{
	const struct command *alias, *command;
	struct call call;
	int status;

	keep_standard_streams();
	/* registered first, so it runs last */
	atexit(end_by_signal);
	atexit(copy_tell_tmux);
	user_find_caller();
	if (argc == 0)
		return STATUS_USAGE;
	if (argc > 1 && strcmp(argv[1], "__complete") == 0)
		return complete(argc - 2, argv + 2);

	globals.line = argv;
	globals.words = argv[0];
	globals.words_end = argv[argc - 1] + strlen(argv[argc - 1]) + 1;
	alias = alias_find(argv[0]);
	if (alias != NULL)
		messages.title = alias->name;
	if (alias != NULL && alias->becomes != NULL) {
		call = options_read(alias, argv);
		command = alias_command(alias, &call);
	} else if (alias != NULL) {
		command = command_find("copy");
		call = options_read(command, argv);
	} else {
		call = options_read(NULL, argv);
		if (globals.version)
			help_version();
		if (call.count == 0 && (globals.help || (argc == 1 && !has_input())))
			help_program();
		if (call.count == 0)
			die(STATUS_USAGE, "no command given\n"
			    "viatty copy copies standard input, as osc52 does; viatty --help "
			    "lists the commands");
		command = command_choose(call.operand[0]);
		call = options_read(command, call.operand);
	}
	/* help takes no global options */
	if (command->group == NULL)
		return command->run(&call);
	messages.command = command->name;
	if (globals.version)
		help_version();
	if (globals.help)
		help_command(command);
	status = user_called_root() ? leave_root(command, &call) : -1;
	if (status >= 0)
		return status;
	globals_read(command);
	messages.outcome = command->outcome;
	messages.json = globals.json;
	status = command->run(&call);
	/* the callers of other programs know only failures */
	return messages.other_name && status == STATUS_UNLIKELY ? STATUS_DONE : status;
}
