/* SPDX-License-Identifier: MIT */
/* What is the same on every system; the contract is in process.h. */
#include "detect/process.h"

#include <string.h>
#include <unistd.h>

bool
process_step_up(struct process *process)
{
	return process->parent > 1 && process_read(process, process->parent);
}

const char *
process_hidden(void)
{
	struct process p;

	if (!process_read(&p, getpid()))
		return "this system tells nothing of processes (is /proc mounted?): "
		    "what is around this one is known from the environment alone";
	while (process_step_up(&p))
		continue;
	return p.parent > 1 ? "a process that started this one is hidden: what is "
	    "beyond it is known from the environment alone" : NULL;
}

/* The name in the table for such a program, or NULL. */
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
