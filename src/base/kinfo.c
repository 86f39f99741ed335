/* SPDX-License-Identifier: MIT */
/* Processes by sysctl; the contract is in kinfo.h. */
#include "base/kinfo.h"

#ifndef __linux__

#include <stdio.h>
#include <sys/param.h>
#include <sys/sysctl.h>

#ifdef __FreeBSD__
#include <sys/user.h>
#endif

/*
 * The question and the names in the answer. macOS has proc_pidinfo() as well, which
 * tells nothing of other users' processes, such as the login above a shell.
 */
#if defined(__APPLE__)
#define RECORD struct kinfo_proc
#define QUESTION(pid) { CTL_KERN, KERN_PROC, KERN_PROC_PID, pid }
#define ID(k) (k)->kp_proc.p_pid
#define PARENT(k) (k)->kp_eproc.e_ppid
#define OWNER(k) (k)->kp_eproc.e_ucred.cr_uid
#define TERMINAL(k) (k)->kp_eproc.e_tdev
#define NAME(k) (k)->kp_proc.p_comm
#define SECONDS(k) (k)->kp_proc.p_starttime.tv_sec
#define MICROSECONDS(k) (k)->kp_proc.p_starttime.tv_usec
#define JAIL(k) 0
#elif defined(__FreeBSD__)
#define RECORD struct kinfo_proc
#define QUESTION(pid) { CTL_KERN, KERN_PROC, KERN_PROC_PID, pid }
#define ID(k) (k)->ki_pid
#define PARENT(k) (k)->ki_ppid
#define OWNER(k) (k)->ki_uid
#define TERMINAL(k) (k)->ki_tdev
#define NAME(k) (k)->ki_comm
#define SECONDS(k) (k)->ki_start.tv_sec
#define MICROSECONDS(k) (k)->ki_start.tv_usec
#define JAIL(k) (k)->ki_jid
#else
#ifdef __NetBSD__
#define RECORD struct kinfo_proc2
#define QUESTION(pid) { CTL_KERN, KERN_PROC2, KERN_PROC_PID, pid, \
	(int)sizeof(struct kinfo_proc2), 1 }
#else
#define RECORD struct kinfo_proc
#define QUESTION(pid) { CTL_KERN, KERN_PROC, KERN_PROC_PID, pid, \
	(int)sizeof(struct kinfo_proc), 1 }
#endif
#define ID(k) (k)->p_pid
#define PARENT(k) (k)->p_ppid
#define OWNER(k) (k)->p_uid
#define TERMINAL(k) (k)->p_tdev
#define NAME(k) (k)->p_comm
#define SECONDS(k) (k)->p_ustart_sec
#define MICROSECONDS(k) (k)->p_ustart_usec
#define JAIL(k) 0
#endif

bool
kinfo_read(struct kinfo *kinfo, pid_t pid)
{
	int question[] = QUESTION(pid);
	size_t size = sizeof(RECORD);
	RECORD k;

	/* for a number that nobody has, macOS gives an empty answer */
	if (sysctl(question, sizeof(question) / sizeof(question[0]), &k, &size, NULL,
	    0) != 0 || size < sizeof(k) || ID(&k) != pid)
		return false;
	*kinfo = (struct kinfo){ .parent = (pid_t)PARENT(&k),
		.owner = (uid_t)OWNER(&k), .terminal = (dev_t)TERMINAL(&k),
		.has_terminal = (dev_t)TERMINAL(&k) != (dev_t)-1, .jail = JAIL(&k),
		.started = (unsigned long long)SECONDS(&k) * 1000000 +
		    (unsigned long long)MICROSECONDS(&k) };
	snprintf(kinfo->name, sizeof(kinfo->name), "%s", NAME(&k));
	return true;
}

#endif
