/* SPDX-License-Identifier: MIT */
/* Other users; the contract is in user.h. */
#include "base/user.h"

#include "base/compat.h"
#include "base/text.h"

#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

bool
user_find(struct account *user, uid_t uid)
{
	const struct passwd *entry = getpwuid(uid);

	*user = (struct account){ .uid = uid, .groups = USER_GROUPS };
	if (entry == NULL || !text_copy(user->name, sizeof(user->name),
	    entry->pw_name) || !text_copy(user->home, sizeof(user->home),
	    entry->pw_dir))
		return false;
	user->gid = entry->pw_gid;
	/* less than 0: not all groups fit; fewer rights do no harm */
	if (compat_group_list(user->name, user->gid, user->group, &user->groups) < 0)
		user->groups = USER_GROUPS;
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

/* Whether the kernel has exactly the groups that were asked for. */
static bool
has_only_groups_of(const struct account *user)
{
	gid_t found[USER_GROUPS + 1];
	int n = getgroups(USER_GROUPS + 1, found), i, j;

	for (i = 0; i < n; i++) {
		for (j = 0; j < user->groups; j++)
			if (user->group[j] == found[i])
				break;
		if (j == user->groups)
			return false;
	}
	return n >= 0;
}

bool
user_become(const struct account *user)
{
	return user->uid != 0 &&
	    setgroups((size_t)user->groups, user->group) == 0 &&
	    compat_set_ids(user->uid, user->gid) &&
	    compat_has_only(user->uid, user->gid) &&
	    has_only_groups_of(user) && setuid(0) != 0 &&
	    (user->gid == 0 || setgid(0) != 0);
}
