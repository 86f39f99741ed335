/* SPDX-License-Identifier: MIT */
/* Other processes on macOS and FreeBSD, by sysctl(3) and libproc. */
#include "detect/path.h"

#ifndef __linux__

#include "base/base.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>
#include <sys/sysctl.h>
#include <unistd.h>

#ifdef __APPLE__
#include <libproc.h>
#endif

bool
process_read(struct process *process, pid_t pid)
{
	struct kinfo kinfo;

	if (!kinfo_read(&kinfo, pid))
		return false;
	*process = (struct process){ .pid = pid, .parent = kinfo.parent,
		.started = kinfo.started, .in_foreground = kinfo.in_foreground };
	/* the tables have names as truncated by Linux */
	snprintf(process->name, sizeof(process->name), "%.*s", PROCESS_NAME - 1, kinfo.name);
	text_clean(process->name);
	if (kinfo.has_terminal)
		device_of_number(process->tty, kinfo.terminal);
	return true;
}

bool
process_read_ids(struct process_ids *ids, pid_t pid)
{
	struct kinfo kinfo;

	if (!kinfo_read(&kinfo, pid))
		return false;
	*ids = (struct process_ids){ kinfo.user[0], USER_NONE, GROUP_NONE };
	if (kinfo.user[1] == kinfo.user[0] && kinfo.user[2] == kinfo.user[0])
		ids->owner = kinfo.user[0];
	if (kinfo.group[1] == kinfo.group[0] && kinfo.group[2] == kinfo.group[0])
		ids->group = kinfo.group[0];
	return true;
}

/* The kernel has one set of terminals. */
enum support
process_has_device(pid_t pid, const char *name)
{
	(void)pid;
	(void)name;
	return SUPPORT_YES;
}

/* Which terminal a master is of is not told. */
bool
process_runs_device(pid_t pid, const char *name)
{
	(void)pid;
	(void)name;
	return false;
}

static const char elsewhere[] =
    "the terminal has another root directory or other namespaces";

#ifdef __APPLE__

/* By its root directory, which is zero unless it was changed. */
const char *
process_elsewhere(pid_t pid)
{
	struct proc_vnodepathinfo its, ours;
	const int size = (int)sizeof(its);
	const struct vinfo_stat *a = &its.pvi_rdir.vip_vi.vi_stat;
	const struct vinfo_stat *b = &ours.pvi_rdir.vip_vi.vi_stat;

	return proc_pidinfo(pid, PROC_PIDVNODEPATHINFO, 0, &its, size) == size &&
	    proc_pidinfo(getpid(), PROC_PIDVNODEPATHINFO, 0, &ours, size) == size &&
	    a->vst_dev == b->vst_dev && a->vst_ino == b->vst_ino ? NULL : elsewhere;
}

bool
process_program(char path[PROCESS_PATH], pid_t pid)
{
	char whole[PROC_PIDPATHINFO_MAXSIZE];

	path[0] = '\0';
	return proc_pidpath(pid, whole, sizeof(whole)) > 0 && text_copy(path, PROCESS_PATH, whole);
}

/*
 * KERN_PROCARGS2 returns the number of arguments, the path of the program, NULs as padding,
 * the arguments, and the environment up to an empty string; only for processes of this user.
 * The environment of a protected program is empty.
 */
bool
process_strings(struct buf *out, pid_t pid, enum process_strings which)
{
	int limit[] = { CTL_KERN, KERN_ARGMAX };
	int question[] = { CTL_KERN, KERN_PROCARGS2, pid };
	int most = 0, words = 0, i;
	size_t size = sizeof(most);
	const char *at, *next, *end;
	struct buf all = { .max = PROCESS_STRINGS_MAX };

	out->max = PROCESS_STRINGS_MAX;
	if (sysctl(limit, 2, &most, &size, NULL, 0) != 0 || most <= 0 ||
	    !buf_reserve(&all, (size_t)most))
		return false;
	size = (size_t)most;
	if (sysctl(question, 3, all.data, &size, NULL, 0) != 0 || size <= sizeof(words))
		size = 0;
	else
		memcpy(&words, all.data, sizeof(words));
	at = (const char *)all.data + sizeof(words);
	end = (const char *)all.data + size;
	for (i = -1; at < end && (i < words || *at != '\0'); i++, at = next) {
		next = memchr(at, '\0', (size_t)(end - at));
		if (next == NULL) {
			out->len = 0;
			break;
		}
		for (next++; i < 0 && next < end && *next == '\0'; next++)
			continue;
		if (i >= 0 && (i >= words) == (which == PROCESS_VARIABLES))
			buf_add(out, at, (size_t)(next - at));
	}
	buf_free(&all);
	return out->len > 0;
}

#else

/* A jail has another root directory. chroot(2) cannot be detected. */
const char *
process_elsewhere(pid_t pid)
{
	struct kinfo its, ours;

	if (!kinfo_read(&its, pid) || !kinfo_read(&ours, getpid()) || its.jail != ours.jail)
		return elsewhere;
	return "this system does not tell whether the terminal has another root directory";
}

bool
process_program(char path[PROCESS_PATH], pid_t pid)
{
	int question[] = { CTL_KERN, KERN_PROC, KERN_PROC_PATHNAME, pid };
	size_t size = PROCESS_PATH;

	if (sysctl(question, 4, path, &size, NULL, 0) == 0 && size > 0 &&
	    path[size - 1] == '\0' && path[0] == '/')
		return true;
	path[0] = '\0';
	return false;
}

bool
process_strings(struct buf *out, pid_t pid, enum process_strings which)
{
	int question[] = { CTL_KERN, KERN_PROC,
	    which == PROCESS_VARIABLES ? KERN_PROC_ENV : KERN_PROC_ARGS, pid };
	size_t room, size;

	out->max = PROCESS_STRINGS_MAX;
	for (room = 64 * 1024; buf_reserve(out, room); room *= 2) {
		size = room;
		if (sysctl(question, 4, out->data, &size, NULL, 0) == 0) {
			out->len = size > 0 && out->data[size - 1] == '\0' ? size : 0;
			break;
		}
		if (errno != ENOMEM)
			break;
	}
	return out->len > 0;
}

#endif

#endif
