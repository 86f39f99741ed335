/* SPDX-License-Identifier: MIT */
/* A snapshot of each process that was examined. */
#include "detect/path.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* More than any path has; further processes count as hidden. */
enum { PROCESSES_MAX = 256 };

static struct process processes[PROCESSES_MAX];
static size_t process_count;

const struct process *
process_find(pid_t pid)
{
	struct process *p = processes;
	char program[PROCESS_PATH];
	struct stat st;

	for (; p < processes + process_count; p++)
		if (p->pid == pid)
			return p;
	if (process_count == PROCESSES_MAX)
		return NULL;
	if (!process_read(p, pid)) {
		if (pid != getpid())
			return NULL;
		*p = (struct process){ .pid = pid, .parent = getppid(), .owner = geteuid(),
			.caller = getuid() };
	}
	/*
	 * The executable is examined last, to detect a process that executed a set-user-ID
	 * program after its name was read. An upgrade of the package in the meantime has
	 * removed the bit, but the real user ID of sudo, su and doas remains that of their caller.
	 * Without /proc there is nothing to examine, of this process either.
	 */
	p->speaks_for_caller = (p->caller != p->owner && p->caller != 0) ||
	    (process_program(program, pid) && stat(program, &st) == 0 ?
	        (st.st_mode & S_ISUID) != 0 : p->started != 0 && geteuid() == 0);
	process_count++;
	return p;
}

const struct process *
process_parent(const struct process *process)
{
	return process != NULL && process->parent > 1 ? process_find(process->parent) : NULL;
}

void
process_forget(void)
{
	process_count = 0;
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
	if (process_strings(out, process->pid, PROCESS_VARIABLES) && process_is_same(process))
		return true;
	out->len = 0;
	return false;
}

/* Group 0 is that of a process which kept it from root. */
bool
process_user(struct account *user, uid_t uid, pid_t pid)
{
	const struct process *p = process_find(pid);
	struct buf environment = { .max = 0 };
	const char *home;

	while (p != NULL &&
	    (p->owner != uid || p->caller != uid || p->group == 0 || p->speaks_for_caller))
		p = process_parent(p);
	if (p == NULL)
		return false;
	*user = (struct account){ .uid = uid, .gid = p->group };
	if (process_environment(&environment, p)) {
		home = environment_value(&environment, "HOME");
		text_copy(user->home, sizeof(user->home), home != NULL ? home : "");
	}
	buf_free(&environment);
	return true;
}

void
user_name(char name[USER_NAME], uid_t uid)
{
	const char *own = uid == geteuid() ? environment_get("USER") : NULL;

	if (uid == USER_UNKNOWN)
		text_copy(name, USER_NAME, "an unknown user");
	else if (uid == 0)
		text_copy(name, USER_NAME, "root");
	else if (own == NULL || own[0] == '\0' || !text_copy(name, USER_NAME, own))
		text_format(name, USER_NAME, "user %lu", (unsigned long)uid);
	text_clean(name);
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
