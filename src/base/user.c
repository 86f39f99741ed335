/* SPDX-License-Identifier: MIT */
/* The user database, and becoming another user. */
#include "base/base.h"

#include <grp.h>
#include <pwd.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* The fields of a line of passwd(5), as far as they are read. */
enum { NAME, PASSWORD, USER_ID, GROUP_ID, COMMENT, HOME, FIELDS };

enum { ENTRY_MAX = 4096, GETENT_MS = 2000 };

static bool
set_account(struct account *user, const char *name, gid_t gid, const char *home)
{
	user->gid = gid;
	return text_copy(user->name, sizeof(user->name), name) &&
	    text_copy(user->home, sizeof(user->home), home);
}

/*
 * musl's getpwuid() reads only /etc/passwd; getent(1) of the system also asks its other
 * sources of users, such as LDAP.
 */
static bool
find_by_getent(struct account *user)
{
	char number[24], *rest, *field[FIELDS] = { NULL };
	const char *const arguments[] = { "getent", "passwd", number, NULL };
	const struct subprocess_command command = { .arguments = arguments };
	unsigned long gid;
	struct buf line;
	bool found;
	size_t i;

	text_format(number, sizeof(number), "%lu", (unsigned long)user->uid);
	buf_init(&line, ENTRY_MAX);
	found = subprocess_run_command(&command, "", 0, &line, NULL, GETENT_MS) == 0 &&
	    buf_add(&line, "", 1);
	rest = found ? (char *)line.data : NULL;
	for (i = 0; found && i < FIELDS; i++) {
		field[i] = strsep(&rest, ":");
		found = field[i] != NULL;
	}
	found = found && strcmp(field[USER_ID], number) == 0 &&
	    text_number(field[GROUP_ID], UINT32_MAX, &gid) &&
	    set_account(user, field[NAME], (gid_t)gid, field[HOME]);
	buf_free(&line);
	return found;
}

bool
user_find(struct account *user, uid_t uid)
{
	const struct passwd *entry = getpwuid(uid);

	*user = (struct account){ .uid = uid };
	return entry != NULL ? set_account(user, entry->pw_name, entry->pw_gid, entry->pw_dir) :
	    find_by_getent(user);
}

void
user_name(char name[USER_NAME], uid_t uid)
{
	struct account user;

	if (uid == USER_UNKNOWN)
		text_copy(name, USER_NAME, "an unknown user");
	else if (user_find(&user, uid) || user.name[0] != '\0')
		text_copy(name, USER_NAME, user.name);
	else
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
