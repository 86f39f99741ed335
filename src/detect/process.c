/* SPDX-License-Identifier: MIT */
/* A snapshot of each process that was examined. */
#include "detect/path.h"

#include <string.h>
#include <unistd.h>

/* More than any path has; further processes count as hidden. */
enum { PROCESSES_MAX = 256 };

static struct {
	struct process process;
	struct process_ids ids;
	bool has_ids;
} processes[PROCESSES_MAX];

static size_t process_count, process_kept;

const struct process *
process_find(pid_t pid)
{
	struct process *p;
	size_t i;

	for (i = 0; i < process_count; i++)
		if (processes[i].process.pid == pid)
			return &processes[i].process;
	if (process_count == PROCESSES_MAX)
		return NULL;
	p = &processes[i].process;
	if (!process_read(p, pid)) {
		if (pid != getpid())
			return NULL;
		*p = (struct process){ .pid = pid, .parent = getppid() };
	}
	processes[process_count++].has_ids = false;
	return p;
}

const struct process_ids *
process_ids(const struct process *process)
{
	size_t i = 0;

	while (processes[i].process.pid != process->pid)
		i++;
	if (!processes[i].has_ids && !process_read_ids(&processes[i].ids, process->pid))
		processes[i].ids = process->pid == getpid() ?
		    (struct process_ids){ getuid(), getuid(), getgid() } :
		    (struct process_ids){ USER_NONE, USER_NONE, GROUP_NONE };
	processes[i].has_ids = true;
	return &processes[i].ids;
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

/*
 * Whether the PID still belongs to this process, with the same owner: to be checked after its
 * environment was read.
 */
static bool
is_same(const struct process *process)
{
	const uid_t owner = process_ids(process)->owner;
	struct process_ids ids;
	struct process now;

	return process_read(&now, process->pid) && now.started == process->started &&
	    process_read_ids(&ids, process->pid) && ids.owner == owner;
}

bool
process_environment(struct buf *out, const struct process *process)
{
	out->len = 0;
	if (process_ids(process)->owner != USER_NONE &&
	    process_strings(out, process->pid, PROCESS_VARIABLES) && is_same(process))
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
