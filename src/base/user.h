/* SPDX-License-Identifier: MIT */
/*
 * Other users of this machine, and becoming one of them for good. Route layer.
 */
#ifndef BASE_USER_H
#define BASE_USER_H

#include <stdbool.h>
#include <sys/types.h>

enum { USER_HOME = 256, USER_NAME = 64, USER_GROUPS = 64 };

/* Where programs are looked for that run as another user. */
#define USER_PATH "/usr/local/bin:/usr/bin:/bin"

/* An entry of the user database with all its groups. */
struct user {
	uid_t uid;
	gid_t gid;
	char name[USER_NAME];
	char home[USER_HOME];
	gid_t group[USER_GROUPS]; /* of more than fit, the first */
	int groups;
};

/* False: there is no such user, or its name or home does not fit. */
bool user_find(struct user *user, uid_t uid);

/* The name of `uid` for a message, or its number; `name` has USER_NAME bytes. */
void user_name(char name[USER_NAME], uid_t uid);

/*
 * Takes the groups, the group and the user id of `user`, real, effective and
 * saved, and asks the kernel for each of them. False: this process is not that
 * user, or could become root again; it must not go on. For a child of ours
 * between fork and exec.
 */
bool user_become(const struct user *user);

#endif
