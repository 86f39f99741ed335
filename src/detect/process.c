/* SPDX-License-Identifier: MIT */
/* A snapshot of each process that was examined. */
#include "detect/path.h"

#include <string.h>
#include <unistd.h>

/* More than any path has; further processes count as hidden. */
enum { PROCESSES_MAX = 256 };

static struct process processes[PROCESSES_MAX];
static size_t process_count, process_kept;

const struct process *
process_find(pid_t pid)
{
	struct process *p = processes;

	for (; p < processes + process_count; p++)
		if (p->pid == pid)
			return p;
	if (process_count == PROCESSES_MAX)
		return NULL;
	if (!process_read(p, pid)) {
		if (pid != getpid())
			return NULL;
		*p = (struct process){ .pid = pid, .parent = getppid(), .real = getuid(),
			.owner = getuid(), .group = getgid() };
	}
	process_count++;
	return p;
}

const struct process *
process_parent(const struct process *process)
{
	const struct process *parent = process != NULL && process->parent > 1 ?
	    process_find(process->parent) : NULL;

	/* the parent has ended, and another process got its number */
	return parent != NULL && parent->started > process->started ? NULL : parent;
}

void
process_forget(void)
{
	process_count = process_kept;
}

void
process_keep(void)
{
	process_kept = process_count;
}

bool
process_is_same(const struct process *process)
{
	struct process now;

	return process_read(&now, process->pid) && now.started == process->started &&
	    now.owner == process->owner;
}

bool
process_environment(struct buf *out, const struct process *process)
{
	out->len = 0;
	if (process->owner != USER_NONE &&
	    process_strings(out, process->pid, PROCESS_VARIABLES) && process_is_same(process))
		return true;
	out->len = 0;
	return false;
}

size_t
process_logins(const char *names[LOGINS_MAX])
{
	/* sshd-session: OpenSSH since 9.8 */
	static const char logins[] = "sudo su doas runuser pkexec sshd sshd-session login telnetd "
	    "dropbear mosh-server";
	const struct process *p = process_find(getpid());
	size_t count = 0;

	while (count < LOGINS_MAX && (p = process_parent(p)) != NULL)
		/* sudo and sshd are two processes each */
		if (text_lists(logins, p->name, strlen(p->name)) &&
		    (count == 0 || strcmp(p->name, names[count - 1]) != 0))
			names[count++] = p->name;
	return count;
}

bool
process_is_stopped(pid_t pid)
{
	struct process process;

	return process_read(&process, pid) && process.stopped;
}
