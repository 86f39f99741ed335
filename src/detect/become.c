/* SPDX-License-Identifier: MIT */
/* The one user as whom this process acts. */
#include "detect/path.h"

#include "base/base.h"

#include <errno.h>
#include <grp.h>
#include <string.h>
#include <unistd.h>

/*
 * The overflow ID, which the kernel shows for every ID outside of our user namespace, proc(5). It
 * identifies no user.
 */
enum { OVERFLOW_ID = 65534 };

/* For root: the nearest ancestor started by a user, and the nearest that is that user's alone. */
static struct {
	const struct process *starter, *shell;
} found;

/* Of the environment; unknown: not looked for yet. */
static enum support is_chosen_by_us;

static bool
is_ordinary(uid_t user)
{
	return user != 0 && user != OVERFLOW_ID && user != USER_NONE;
}

/* ---- the environment ------------------------------------------------------- */

/* Whether another user has started it. */
static bool
is_another(const struct process *process, uid_t user)
{
	const uid_t real = process_ids(process)->real;

	return is_ordinary(real) && real != user;
}

/* Whether another user has started an ancestor, or the session. */
static bool
was_called(uid_t user)
{
	static const char *const names[] = { "SUDO_UID", "DOAS_USER", "PKEXEC_UID" };
	const struct process *p = process_find(getsid(0));
	size_t i;

	/* the caller of such a program may have exited */
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (environment_get(names[i]) != NULL)
			return true;
	if (p != NULL && is_another(p, user))
		return true;
	for (p = process_find(getpid()); p != NULL; p = process_parent(p))
		if (is_another(p, user))
			return true;
	return false;
}

bool
environment_is_ours(void)
{
	const uid_t user = geteuid();

	if (is_chosen_by_us == SUPPORT_UNKNOWN)
		is_chosen_by_us = user == 0 || was_called(user) ? SUPPORT_NO : SUPPORT_YES;
	return is_chosen_by_us == SUPPORT_YES;
}

/* Whether one of the first `count` entries has the name of this one. */
static bool
has_name(char *const *entries, size_t count, const char *entry)
{
	const size_t n = strcspn(entry, "=");
	size_t i;

	for (i = 0; i < count; i++)
		if (strncmp(entries[i], entry, n) == 0 && entries[i][n] == '=')
			return true;
	return false;
}

/*
 * Replaces the environment permanently by that of the nearest process of the user. Of ours, which
 * sudo has changed or another user has set, only the locale and colors are kept.
 */
static bool
take_environment(uid_t user)
{
	static const char *const kept[] = { "TERM=", "LANG=", "LC_", "NO_COLOR=" };
	static struct buf theirs;
	const struct process *p = found.shell;
	char **variables = NULL, *entry;
	size_t i, k, own, count = 0;

	while (p != NULL && (process_ids(p)->owner != user || !process_environment(&theirs, p)))
		p = process_parent(p);
	for (i = 0; environ[i] != NULL; i++)
		continue;
	/* each of theirs has a NUL */
	variables = memory(variables, (i + theirs.len + 1) * sizeof(*variables));
	for (i = 0; environ[i] != NULL; i++)
		for (k = 0; k < sizeof(kept) / sizeof(kept[0]); k++)
			if (text_begins(environ[i], kept[k]))
				variables[count++] = environ[i];
	own = count;
	for (i = 0; i < theirs.len; i += strlen(entry) + 1) {
		entry = (char *)theirs.data + i;
		if (!has_name(variables, own, entry))
			variables[count++] = entry;
	}
	variables[count] = NULL;
	environ = variables;
	return p != NULL;
}

/* ---- the user -------------------------------------------------------------- */

void
user_find_caller(void)
{
	const uid_t user = getuid();
	const gid_t group = getgid();
	const struct process_ids *ids;
	const struct process *p;

	if ((getegid() != group && setregid(group, group) != 0) ||
	    (geteuid() != user && setreuid(user, user) != 0))
		die(STATUS_FAILED, "cannot give up the rights of another user: %s",
		    strerror(errno));
	p = user == 0 ? process_find(getpid()) : NULL;
	while ((p = process_parent(p)) != NULL) {
		/* of each, because the user may not be allowed to read it */
		ids = process_ids(p);
		if (found.starter == NULL && is_ordinary(ids->real))
			found.starter = p;
		if (found.starter != NULL && found.shell == NULL &&
		    ids->owner == process_ids(found.starter)->real)
			found.shell = p;
	}
}

bool
user_called_root(void)
{
	return found.starter != NULL && getuid() == 0;
}

void
user_become(void)
{
	const uid_t user = process_ids(found.starter)->real;
	const gid_t shell = found.shell != NULL ? process_ids(found.shell)->group : GROUP_NONE;
	const gid_t group = shell != 0 && shell != GROUP_NONE ? shell : OVERFLOW_ID;

	process_keep();
	/* not in a user namespace without it: the user stays, and trusts no other */
	if (setgroups(0, NULL) != 0)
		return;
	if (setgid(group) != 0 || setuid(user) != 0 || !compat_seal() ||
	    getuid() != user || geteuid() != user || getgid() != group || getegid() != group ||
	    getgroups(0, NULL) != 0 || setuid(0) == 0 || setgid(0) == 0)
		die(STATUS_FAILED, "cannot become the user who called root (user ID %lu)",
		    (unsigned long)user);
	subprocess_apart = true;
	is_chosen_by_us = take_environment(user) && group != OVERFLOW_ID && !was_called(user) ?
	    SUPPORT_YES : SUPPORT_NO;
}
