/* SPDX-License-Identifier: MIT */
/* Other processes through /proc; the contract is in procfs.h. */
#include "detect/procfs.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	STAT_LINE = 512,
	/* more than the kernel lets one argument or variable be */
	ENVIRONMENT_MAX = 4 << 20
};

static int
open_entry(pid_t pid, const char *entry)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%ld/%s", (long)pid, entry);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* "PID (NAME) STATE PARENT GROUP SESSION TTY ...": a name may hold anything. */
static bool
parse_stat(struct process *process, char *line)
{
	enum { PARENT, GROUP, SESSION, TTY, FIELDS };
	char *name = strchr(line, '('), *end = strrchr(line, ')');
	long field[FIELDS];
	size_t i;

	/* ") S " leads to the numbers */
	if (name == NULL || end == NULL || end < name || strlen(end) < 4)
		return false;
	*end = '\0';
	for (i = 0, end += 3; i < FIELDS; i++)
		field[i] = strtol(end, &end, 10);
	text_copy(process->name, sizeof(process->name), name + 1);
	text_clean(process->name);
	process->parent = (pid_t)field[PARENT];
	process->tty[0] = '\0';
	if (field[TTY] != 0)
		device_of_number(process->tty,
		    device_decode((unsigned)field[TTY]));
	return true;
}

bool
process_read(struct process *process, pid_t pid)
{
	char line[STAT_LINE];
	ssize_t n;
	int fd = open_entry(pid, "stat");

	if (fd < 0)
		return false;
	n = read(fd, line, sizeof(line) - 1);
	close(fd);
	if (n <= 0)
		return false;
	line[n] = '\0';
	process->pid = pid;
	return parse_stat(process, line);
}

/* "Uid: REAL EFFECTIVE ...": the owner of its files is root's now and then. */
bool
process_owner(pid_t pid, uid_t *owner)
{
	char text[1024], *at;
	int fd = open_entry(pid, "status");
	ssize_t n;

	if (fd < 0)
		return false;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	at = strstr(text, "\nUid:\t");
	if (at == NULL)
		return false;
	strtoul(at + strlen("\nUid:\t"), &at, 10);
	*owner = (uid_t)strtoul(at, NULL, 10);
	return true;
}

bool
process_step_up(struct process *process)
{
	return process->parent > 1 && process_read(process, process->parent);
}

/* The table's own word for such a program, or NULL. */
static const char *
login_name(const char *name)
{
	/* the second of sshd's is OpenSSH's since 9.8 */
	static const char *const names[] = { "sudo", "su", "doas", "runuser",
		"pkexec", "sshd", "sshd-session", "login", "telnetd",
		"dropbear", "mosh-server" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return names[i];
	return NULL;
}

size_t
process_logins(const char *names[LOGINS_MAX])
{
	struct process p;
	const char *name;
	size_t count = 0;

	if (!process_read(&p, getpid()))
		return 0;
	while (count < LOGINS_MAX && process_step_up(&p)) {
		name = login_name(p.name);
		/* sudo and sshd are two processes each */
		if (name != NULL && (count == 0 || names[count - 1] != name))
			names[count++] = name;
	}
	return count;
}

bool
process_environment(struct buf *out, pid_t pid)
{
	enum { PIECE = 8192 };
	int fd = open_entry(pid, "environ");
	ssize_t n = -1;

	if (fd < 0)
		return false;
	out->max = ENVIRONMENT_MAX;
	while (buf_reserve(out, PIECE) &&
	    (n = read(fd, out->data + out->len, PIECE)) > 0)
		out->len += (size_t)n;
	close(fd);
	if (n == 0 && buf_add(out, "", 1))
		return true;
	/* what is there may end in the middle of a variable, without its NUL */
	out->len = 0;
	return false;
}

bool
process_command_line(struct buf *out, pid_t pid)
{
	enum { PIECE = 4096 };
	int fd = open_entry(pid, "cmdline");
	ssize_t n = -1;

	if (fd < 0)
		return false;
	if (buf_reserve(out, PIECE + 1))
		n = read(fd, out->data + out->len, PIECE);
	close(fd);
	if (n <= 0)
		return false;
	out->len += (size_t)n;
	return buf_add(out, "", 1);
}

/* ---- its end ------------------------------------------------------------ */

/* A descriptor that can be read when the process has ended; -1 with errno. */
static int
open_process(pid_t pid)
{
#ifdef SYS_pidfd_open
	return (int)syscall(SYS_pidfd_open, pid, 0);
#else
	(void)pid;
	errno = ENOSYS;
	return -1;
#endif
}

/* Where the kernel does not tell (Linux before 5.3), it is asked now and then. */
static void
look_now_and_then(pid_t pid, int *status)
{
	enum { INTERVAL_MS = 200 };

	while (kill(pid, 0) == 0 || errno == EPERM) {
		if (waitpid(pid, status, WNOHANG) == pid)
			return;
		poll(NULL, 0, INTERVAL_MS);
	}
}

bool
process_wait(pid_t pid, int *status)
{
	struct pollfd p = { .events = POLLIN };

	*status = -1;
	if (kill(pid, 0) != 0 && errno != EPERM)
		return false;
	p.fd = open_process(pid);
	if (p.fd < 0 && errno == ESRCH)
		return false;
	if (p.fd < 0) {
		look_now_and_then(pid, status);
		return true;
	}
	while (poll(&p, 1, -1) < 0 && errno == EINTR)
		continue;
	close(p.fd);
	if (waitpid(pid, status, WNOHANG) != pid)
		*status = -1;
	return true;
}
