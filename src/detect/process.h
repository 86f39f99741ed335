/* SPDX-License-Identifier: MIT */
/*
 * Other processes: their parent, terminal, owner and environment. Detect layer. Each
 * system has its own interface: see process_linux.c, process_darwin.c and process_bsd.c.
 * What a system does not report is unknown, and a process is not trusted for what is
 * unknown about it.
 */
#ifndef DETECT_PROCESS_H
#define DETECT_PROCESS_H

#include "base/buf.h"
#include "tty/device.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { PROCESS_NAME = 16, PROCESS_PATH = 1024 };

struct process {
	pid_t pid, parent;
	/* 15 characters at most, as Linux's /proc/PID/comm; unprintable ones as ? */
	char name[PROCESS_NAME];
	char tty[DEVICE_NAME];   /* its controlling terminal, "" for none */
};

/* False: it is gone or hidden. */
bool process_read(struct process *process, pid_t pid);

/* Its effective user id. False: gone or hidden. */
bool process_owner(pid_t pid, uid_t *owner);

/*
 * Its start time, which identifies the process together with its pid: in clock ticks
 * since boot (Linux), or in microseconds since 1970. 0: gone or hidden.
 */
unsigned long long process_started(pid_t pid);

enum process_root {
	PROCESS_SAME_ROOT,
	PROCESS_OTHER_ROOT,
	PROCESS_ROOT_UNKNOWN /* this system does not report it */
};

/*
 * Whether it has our root directory and our user, process and network namespaces. Another
 * root also if that may not be read: the process is another user's, or has changed its
 * user or group. The BSDs report a jail at most, so there the same root is never known.
 */
enum process_root process_root(pid_t pid);

/*
 * A path to execute the program that `pid` runs. On Linux it is that file even if another
 * file has its name by now. False, and "": unknown or too long.
 */
bool process_program(char path[PROCESS_PATH], pid_t pid);

/* Replaces `process` by its parent. False: it has none that can be read. */
bool process_step_up(struct process *process);

/*
 * Why ancestors may not have been found, for doctor: this system does not show processes
 * (Linux without /proc), or hides an ancestor. NULL: all of them are visible. Static.
 */
const char *process_hidden(void);

enum { LOGINS_MAX = 8 };

/*
 * The programs among our ancestors that log a user in or change the user (sshd, sudo,
 * su ...), the nearest first; consecutive equal ones count once. Fills `names`, which are
 * static, and returns their number.
 */
size_t process_logins(const char *names[LOGINS_MAX]);

/* Limit for the environment and the command line of one process, in bytes. */
enum { PROCESS_STRINGS_MAX = 4 << 20 };

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
