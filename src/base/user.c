/* SPDX-License-Identifier: MIT */
/* The user database, and becoming another user. */
#include "base/base.h"

#include <grp.h>
#include <pwd.h>
#include <unistd.h>

bool
user_find(struct account *user, uid_t uid)
{
	const struct passwd *entry = getpwuid(uid);

	*user = (struct account){ .uid = uid };
	if (entry == NULL || !text_copy(user->name, sizeof(user->name), entry->pw_name) ||
	    !text_copy(user->home, sizeof(user->home), entry->pw_dir))
		return false;
	user->gid = entry->pw_gid;
	return true;
}

void
user_name(char name[USER_NAME], uid_t uid)
{
	const struct passwd *entry = getpwuid(uid);

	if (entry == NULL || !text_copy(name, USER_NAME, entry->pw_name))
		text_format(name, USER_NAME, "user %lu", (unsigned long)uid);
	text_clean(name);
}

/* As root, setgid() and setuid() set all three IDs; that root is out of reach is tested. */
bool
user_become(const struct account *user)
{
	return user->uid != 0 && initgroups(user->name, user->gid) == 0 &&
	    setgid(user->gid) == 0 && setuid(user->uid) == 0 &&
	    getuid() == user->uid && geteuid() == user->uid &&
	    getgid() == user->gid && getegid() == user->gid &&
	    setuid(0) != 0 && (user->gid == 0 || setgid(0) != 0);
}
