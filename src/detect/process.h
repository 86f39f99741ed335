/* SPDX-License-Identifier: MIT */
/*
 * Other processes: who started whom, on which terminal, with which
 * environment. Detect layer. Each system tells it in its own way: see
 * process_linux.c, process_darwin.c and process_bsd.c. What a system does not tell
 * is unknown, and what is unknown about a process is no reason to trust it.
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

/* Whose process it is: its effective user id. False: gone or hidden. */
bool process_owner(pid_t pid, uid_t *owner);

/*
 * When it was started; with its number it identifies the process. In ticks since
 * the machine was started (Linux), or in microseconds since 1970. 0: gone or hidden.
 */
unsigned long long process_started(pid_t pid);

enum process_root {
	PROCESS_SAME_ROOT,
	PROCESS_OTHER_ROOT,
	PROCESS_ROOT_UNKNOWN /* this system does not tell */
};

/*
 * Whether its files, users, processes and network are those that we see. Another root
 * also where we may not look: it is another user's, or has changed its user or group.
 * The BSDs tell a jail at most, so there the same root is never known.
 */
enum process_root process_root(pid_t pid);

/*
 * A name to execute the program that `pid` runs. On Linux it leads to that very file
 * even where another has its name by now. False: unknown or too long; "" then.
 */
bool process_program(char path[PROCESS_PATH], pid_t pid);

/* The parent of `process`, into itself. False: that was the last one. */
bool process_step_up(struct process *process);

/*
 * What a person has to know who wonders why an ancestor was not found: this system
 * tells nothing of processes (Linux without /proc), or hides an ancestor. NULL: nothing.
 */
const char *process_hidden(void);

enum { LOGINS_MAX = 8 };

/*
 * The programs among our ancestors that let somebody in or change who is there
 * (sshd, sudo, su ...), the nearest first, each run of the same once. Fills
 * `names`, which live as long as the program, and returns how many.
 */
size_t process_logins(const char *names[LOGINS_MAX]);

/* What may be read of the strings of one process. */
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
