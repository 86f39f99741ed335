/* SPDX-License-Identifier: MIT */
/* Becoming another user. */
#include "base/base.h"

#include <grp.h>
#include <unistd.h>

/* As root, setgid() and setuid() set all three IDs; that root is out of reach is tested. */
bool
user_become(const struct account *user)
{
	return user->uid != 0 && user->gid != 0 && setgroups(0, NULL) == 0 &&
	    setgid(user->gid) == 0 && setuid(user->uid) == 0 &&
	    getuid() == user->uid && geteuid() == user->uid &&
	    getgid() == user->gid && getegid() == user->gid &&
	    setuid(0) != 0 && setgid(0) != 0;
}
