/* SPDX-License-Identifier: MIT */
/* Other processes on macOS and the BSDs, as far as they agree; see process.h. */
#include "detect/process.h"

#ifndef __linux__

#include "base/kinfo.h"
#include "base/text.h"

#include <stdio.h>

bool
process_read(struct process *process, pid_t pid)
{
	struct kinfo kinfo;

	if (!kinfo_read(&kinfo, pid))
		return false;
	process->pid = pid;
	process->parent = kinfo.parent;
	/* the tables hold names as Linux cuts them */
	snprintf(process->name, sizeof(process->name), "%.*s", PROCESS_NAME - 1,
	    kinfo.name);
	text_clean(process->name);
	process->tty[0] = '\0';
	if (kinfo.has_terminal)
		device_of_number(process->tty, kinfo.terminal);
	return true;
}

bool
process_owner(pid_t pid, uid_t *owner)
{
	struct kinfo kinfo;

	if (!kinfo_read(&kinfo, pid))
		return false;
	*owner = kinfo.owner;
	return true;
}

unsigned long long
process_started(pid_t pid)
{
	struct kinfo kinfo;

	return kinfo_read(&kinfo, pid) ? kinfo.started : 0;
}

#endif
