/* SPDX-License-Identifier: MIT */
/*
 * Other processes: who started whom, on which terminal, with which
 * environment. Detect layer. Linux's /proc; where there is none every question
 * is answered with false, and routes are found by the environment alone.
 */
#ifndef DETECT_PROCFS_H
#define DETECT_PROCFS_H

#include "base/buf.h"
#include "tty/device.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { PROCESS_NAME = 16 };

struct process {
	pid_t pid, parent;
	/* /proc/PID/comm: 15 characters at most, unprintable ones as ? */
	char name[PROCESS_NAME];
	char tty[DEVICE_NAME];   /* its controlling terminal, "" for none */
};

/* False: it is gone or hidden. */
bool process_read(struct process *process, pid_t pid);

/* Whose process it is: its effective user id. False: gone or hidden. */
bool process_owner(pid_t pid, uid_t *owner);

/*
 * When it was started, in ticks since the machine was: with its number it names one
 * process for ever. 0: gone or hidden.
 */
unsigned long long process_started(pid_t pid);

/*
 * Whether its files, users, processes and network are those that we see. False also
 * where we may not look: it is another user's, or has changed its user or group.
 */
bool process_shares_our_root(pid_t pid);

/* The parent of `process`, into itself. False: that was the last one. */
bool process_step_up(struct process *process);

enum { LOGINS_MAX = 8 };

/*
 * The programs among our ancestors that let somebody in or change who is there
 * (sshd, sudo, su ...), the nearest first, each run of the same once. Fills
 * `names`, borrowed for ever, and gives how many.
 */
size_t process_logins(const char *names[LOGINS_MAX]);

/*
 * Adds the environment `pid` was started with to `out`: NAME=VALUE strings,
 * each with its NUL. False, and `out` is empty: gone, not ours to read, or larger
 * than 4 MiB.
 */
bool process_environment(struct buf *out, pid_t pid);

/*
 * Adds the words of the command line of `pid` to `out`, each with its NUL. False,
 * and `out` is empty: gone, hidden, larger than 4 MiB, or a thread of the kernel.
 */
bool process_command_line(struct buf *out, pid_t pid);

#endif
