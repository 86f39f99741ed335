/* SPDX-License-Identifier: MIT */
/* The one user as whom this process acts. */
#include "detect/path.h"

#include "base/base.h"

#include <errno.h>
#include <grp.h>
#include <stdlib.h>
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

/* Whether our user has set the environment. Unknown until it is first asked for. */
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
	const struct process *leader = process_find(getsid(0)), *p = process_find(getpid());

	/* the caller of such a program may have exited */
	if (environment_get("SUDO_UID") != NULL || environment_get("DOAS_USER") != NULL ||
	    environment_get("PKEXEC_UID") != NULL || (leader != NULL && is_another(leader, user)))
		return true;
	while (p != NULL && !is_another(p, user))
		p = process_parent(p);
	return p != NULL;
}

bool
environment_is_ours(void)
{
	const uid_t user = geteuid();

	if (is_chosen_by_us == SUPPORT_UNKNOWN)
		is_chosen_by_us = user == 0 || was_called(user) ? SUPPORT_NO : SUPPORT_YES;
	return is_chosen_by_us == SUPPORT_YES;
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
	char **variables, **ours = environ, *entry;
	size_t i, k, count = 0;

	while (p != NULL && (process_ids(p)->owner != user || !process_environment(&theirs, p)))
		p = process_parent(p);
	/* each of theirs has a NUL; one by one, setenv() would look through all before it */
	variables = xrealloc(NULL, (theirs.len + 1) * sizeof(*variables));
	for (i = 0; i < theirs.len; i += strlen(entry) + 1) {
		entry = (char *)theirs.data + i;
		variables[count++] = entry;
	}
	variables[count] = NULL;
	environ = variables;
	for (; *ours != NULL; ours++)
		for (k = 0; k < sizeof(kept) / sizeof(kept[0]); k++)
			if (text_begins(*ours, kept[k]))
				putenv(*ours);
	/* putenv(3) of glibc and of musl work on a copy of their own */
	if (environ != variables)
		free(variables);
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
	/* some user namespaces forbid it: there we stay root, and trust this terminal alone */
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
