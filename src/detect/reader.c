/* SPDX-License-Identifier: MIT */
/* Whether another program reads our terminal. */
#include "detect/path.h"

#include "base/base.h"
#include "tty/tty.h"

#include <string.h>
#include <unistd.h>

/* The state of an ancestor while we run. */
enum role {
	ROLE_WAITS,   /* an interactive shell */
	ROLE_PASSES,  /* waits, too; its parent may read */
	ROLE_READS
};

static const char shells[] = "sh bash zsh fish dash ash busybox ksh ksh93 mksh oksh pdksh yash osh "
    "csh tcsh rc es elvish nu xonsh pwsh";

/* Programs that start another one and wait for it without reading the terminal. */
static const char wrappers[] = "viatty sudo doas su runuser pkexec env nice ionice nohup setsid "
    "stdbuf time timeout xargs find strace ltrace valgrind git make";

/* Options of shells whose value is the next argument. */
static const char options_with_value[] = "-o +o -O +O -C --rcfile --init-file --init-command";

/* Whether a shell with this command line reads commands from its terminal, no script or -c. */
static bool
is_interactive(const struct buf *line)
{
	const char *word = (const char *)line->data;
	const char *end = word + line->len;
	bool is_script, is_command;

	for (word += strlen(word) + 1; word < end; word += strlen(word) + 1) {
		is_script = word[0] != '\0' && word[0] != '-' && word[0] != '+';
		is_command = text_begins(word, "--") ? text_begins(word, "--command") :
		    word[0] == '-' && strchr(word, 'c') != NULL;
		if (is_script || is_command)
			return false;
		if (text_lists(options_with_value, word, strlen(word)))
			word += strlen(word) + 1;
	}
	return true;
}

/*
 * A script started by its #! line has the name of its file as the process name; the first
 * word of its command line is the shell.
 */
static enum role
role_of(const struct process *process)
{
	const char *own = process->name, *name, *slash;
	const bool shell = text_lists(shells, own, strlen(own));
	enum role role = ROLE_READS;
	struct buf line = { .max = 0 };

	if (!shell && text_lists(wrappers, own, strlen(own)))
		return ROLE_PASSES;
	if (process_strings(&line, process->pid, PROCESS_WORDS)) {
		name = (const char *)line.data;
		slash = strrchr(name, '/');
		name = slash != NULL ? slash + 1 : name;
		if (is_interactive(&line))
			role = shell ? ROLE_WAITS : ROLE_READS;
		else if (shell || text_lists(shells, name, strlen(name)))
			role = ROLE_PASSES;
	}
	buf_free(&line);
	return role;
}

bool
reader_is_possible(int fd, char reader[QUERY_READER])
{
	reader[0] = '\0';
	return !tty_canonical(fd) || text_equal(environment_get("TERM"), "dumb");
}

/* Reads the processes anew: run and --while may query long after the path was found. */
bool
reader_is_another(int fd, char reader[QUERY_READER])
{
	char device[DEVICE_NAME];
	enum role role = ROLE_PASSES;
	struct process p;
	pid_t inner, leader;

	if (!reader_is_possible(fd, reader))
		return false;
	if (!device_name(device, fd) || !process_read(&p, getpid()))
		return true;
	while (role == ROLE_PASSES && p.parent > 0) {
		inner = p.pid;
		if (!process_read(&p, p.parent))
			return true;
		if (strcmp(p.tty, device) != 0) {
			/*
			 * The last is the session leader, unless an ancestor has exited and
			 * we have another parent now. 0: it is hidden.
			 */
			leader = getsid(0);
			return leader > 0 && leader != inner;
		}
		role = role_of(&p);
	}
	if (role == ROLE_READS)
		text_copy(reader, QUERY_READER, p.name);
	return role == ROLE_READS;
}
