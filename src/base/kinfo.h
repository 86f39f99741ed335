/* SPDX-License-Identifier: MIT */
/*
 * What the kernel of macOS, FreeBSD, NetBSD or OpenBSD tells of a process to everybody:
 * sysctl(3), KERN_PROC_PID. Base layer. Linux tells it in /proc and has none of this.
 */
#ifndef BASE_KINFO_H
#define BASE_KINFO_H

#include <stdbool.h>
#include <sys/types.h>

struct kinfo {
	pid_t parent;
	uid_t owner;                 /* the effective one */
	bool has_terminal;
	dev_t terminal;              /* the controlling one */
	char name[32];
	unsigned long long started;  /* in microseconds since 1970 */
	int jail;                    /* of FreeBSD; elsewhere 0 */
};

/* False: it is gone or hidden. */
bool kinfo_read(struct kinfo *kinfo, pid_t pid);

#endif
