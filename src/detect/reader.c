/* SPDX-License-Identifier: MIT */
/* Which other program reads our terminal; the contract is in reader.h. */
#include "detect/reader.h"

#include "base/text.h"
#include "detect/process.h"

#include <string.h>
#include <unistd.h>

/* What an ancestor does while we run. */
enum role {
	ROLE_WAITS,   /* an interactive shell */
	ROLE_PASSES,  /* waits as well; its parent may read */
	ROLE_READS
};

static bool
is_among(const char *name, const char *const names[], size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static bool
is_shell(const char *name)
{
	static const char *const names[] = { "sh", "bash", "zsh", "fish", "dash",
		"ash", "busybox", "ksh", "ksh93", "mksh", "oksh", "pdksh", "yash",
		"osh", "csh", "tcsh", "rc", "es", "elvish", "nu", "xonsh", "pwsh" };

	return is_among(name, names, sizeof(names) / sizeof(names[0]));
}

/* Programs that start another one and wait for it without reading the terminal. */
static bool
is_wrapper(const char *name)
{
	static const char *const names[] = { "viatty", "sudo", "doas", "su",
		"runuser", "pkexec", "env", "nice", "ionice", "nohup", "setsid",
		"stdbuf", "time", "timeout", "xargs", "find", "strace", "ltrace",
		"valgrind", "git", "make" };

	return is_among(name, names, sizeof(names) / sizeof(names[0]));
}

/* Options of shells whose value is the next word. */
static bool
has_value(const char *option)
{
	static const char *const options[] = { "-o", "+o", "-O", "+O", "-C",
		"--rcfile", "--init-file", "--init-command" };

	return is_among(option, options, sizeof(options) / sizeof(options[0]));
}

static bool
is_command_option(const char *option)
{
	if (option[1] == '-')
		return text_begins(option, "--command");
	return option[0] == '-' && strchr(option, 'c') != NULL;
}

/*
 * Whether a shell with this command line reads commands from its terminal: it
 * has neither the option -c nor a script.
 */
static bool
is_interactive(const struct buf *line)
{
	const char *word = (const char *)line->data;
	const char *end = word + line->len;

	for (word += strlen(word) + 1; word < end; word += strlen(word) + 1) {
		if (word[0] == '\0')
			continue;
		if ((word[0] != '-' && word[0] != '+') || is_command_option(word))
			return false;
		if (has_value(word))
			word += strlen(word) + 1;
	}
	return true;
}

static enum role
role_of_shell(pid_t pid)
{
	enum role role = ROLE_READS;
	struct buf line = { .max = 0 };

	if (process_command_line(&line, pid))
		role = is_interactive(&line) ? ROLE_WAITS : ROLE_PASSES;
	buf_free(&line);
	return role;
}

/*
 * A script started by its #! line has the name of its file as the process name; the first
 * word of its command line is the shell.
 */
static bool
is_script(pid_t pid)
{
	const char *name, *slash;
	struct buf line = { .max = 0 };
	bool script = false;

	if (process_command_line(&line, pid)) {
		name = (const char *)line.data;
		slash = strrchr(name, '/');
		script = is_shell(slash != NULL ? slash + 1 : name) &&
		    !is_interactive(&line);
	}
	buf_free(&line);
	return script;
}

static enum role
role_of(const struct process *process)
{
	if (is_shell(process->name))
		return role_of_shell(process->pid);
	return is_wrapper(process->name) || is_script(process->pid) ?
	    ROLE_PASSES : ROLE_READS;
}

/*
 * Whether the ancestors on our terminal end with the leader of the session, as they do
 * unless one of them has ended: then we are the child of somebody else. 0: it is hidden.
 */
static bool
is_whole(pid_t last)
{
	pid_t leader = getsid(0);

	return leader <= 0 || leader == last;
}

bool
reader_is_another(int fd, char reader[QUERY_READER])
{
	struct process process;
	char device[DEVICE_NAME];
	enum role role = ROLE_PASSES;
	pid_t last;

	reader[0] = '\0';
	if (!device_name(device, fd) || !process_read(&process, getpid()))
		return true;
	while (role == ROLE_PASSES && process.parent > 0) {
		last = process.pid;
		if (!process_read(&process, process.parent))
			return true;
		if (strcmp(process.tty, device) != 0)
			return !is_whole(last);
		role = role_of(&process);
	}
	if (role == ROLE_READS)
		text_copy(reader, QUERY_READER, process.name);
	return role == ROLE_READS;
}
