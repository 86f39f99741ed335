/* SPDX-License-Identifier: MIT */
/* Entries of the user database, and permanently becoming another user. Base layer. */
#ifndef BASE_USER_H
#define BASE_USER_H

#include <stdbool.h>
#include <sys/types.h>

enum { USER_HOME = 256, USER_NAME = 64, USER_GROUPS = 64 };

/* Where programs are looked for that run as another user. */
#define USER_PATH "/usr/local/bin:/usr/bin:/bin"

/* Sizes include the NUL. */
struct account {
	uid_t uid;
	gid_t gid;
	char name[USER_NAME];
	char home[USER_HOME];
	gid_t group[USER_GROUPS]; /* of more than fit, the first */
	int groups;
};

/* False: no such user, or a name or home that does not fit. */
bool user_find(struct account *user, uid_t uid);

/* The name of `uid` for a message, or its number; `name` has USER_NAME bytes. */
void user_name(char name[USER_NAME], uid_t uid);

/*
 * Sets groups, group id and user id to those of `user` (real, effective and saved), and
 * checks the result. False: this process is not only that user, or could become root
 * again; it must not continue. For a child between fork and exec.
 */
bool user_become(const struct account *user);

#endif
