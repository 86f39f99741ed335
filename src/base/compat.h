/* SPDX-License-Identifier: MIT */
/*
 * Calls that each system has by another name, or has not. Base layer.
 *
 * What is Linux's, macOS's or a BSD's own stands here, in base/kinfo.c and base/wait.c,
 * in detect/process_*.c and in tty/device_*.c. compat.c is the only file that needs
 * _GNU_SOURCE on Linux; the others keep to what POSIX and all of these systems have.
 */
#ifndef BASE_COMPAT_H
#define BASE_COMPAT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* POSIX: each program declares it itself. */
extern char **environ;

/* pipe() whose ends are close-on-exec. */
int compat_pipe(int end[2]);

/* A file without a name, close-on-exec, for reading and writing; -1 with errno. */
int compat_unnamed_file(void);

/*
 * Whether somebody listens at the abstract socket `name`, which Linux keeps without a
 * file and which has up to 100 bytes; `*owner` is who began to, or (uid_t)-1 where that
 * cannot be told. It is connected to for that, and nothing is sent. False on other systems.
 */
bool compat_abstract_listener(const char *name, uid_t *owner);

/* Calls `each` for every open descriptor above stderr. */
void compat_each_descriptor(void (*each)(void *context, int fd), void *context);

/*
 * The flag that makes a child of posix_spawn() the leader of a session; 0: there is
 * none, and only fork() can do it.
 */
extern const short compat_spawn_session;

/* Fills `bytes` with unpredictable ones. False with errno: none to be had. */
bool compat_random(void *bytes, size_t n);

/* getgrouplist(); macOS takes int for gid_t. */
int compat_group_list(const char *user, gid_t gid, gid_t *group, int *count);

/* Sets the real, effective and saved ids, the group's first. */
bool compat_set_ids(uid_t uid, gid_t gid);

/*
 * Whether the process has only these ids. The saved ones are not told by macOS and
 * NetBSD: see user_become(), which tries to go back.
 */
bool compat_has_only(uid_t uid, gid_t gid);

/*
 * Opens, close-on-exec, what tells how often this process has gone to sleep, also to its
 * children; -1: the system does not tell.
 */
int compat_open_sleeps(void);

/* How often by now, and whether a signal has stopped it. False: it is not told any more. */
bool compat_sleeps(int fd, unsigned long *count, bool *stopped);

/*
 * Whether the child `pid` ends within the time, with its `*status` as of waitpid().
 * SIGCHLD has to be blocked.
 */
bool compat_ends_within(pid_t pid, unsigned timeout_ms, int *status);

#endif
