/* SPDX-License-Identifier: MIT */
/* Other processes on Linux, through /proc. */
#include "detect/path.h"

#ifdef __linux__

#include "base/base.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Opens an entry of /proc/PID; -1 with errno. */
static int
open_entry(pid_t pid, const char *entry)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%ld/%s", (long)pid, entry);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* Reads the beginning of one. Returns false, and "", if it is gone or hidden. */
static bool
read_entry(char *text, size_t size, pid_t pid, const char *entry)
{
	int fd = open_entry(pid, entry);
	ssize_t n = fd >= 0 ? read(fd, text, size - 1) : -1;

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n > 0;
}

/* Reads "\nUid:\tREAL\tEFFECTIVE\tSAVED": the real ID, and that of all three or -1. */
static bool
read_ids(const char *status, const char *name, unsigned long *real, unsigned long *all)
{
	const char *at = strstr(status, name);
	unsigned long id[3];
	char *end;
	size_t i;

	if (at == NULL)
		return false;
	for (i = 0, at += strlen(name); i < 3; i++, at = end)
		id[i] = strtoul(at, &end, 10);
	*real = id[0];
	*all = id[1] == id[0] && id[2] == id[0] ? id[0] : (unsigned long)-1;
	return true;
}

/* The owner of the files in /proc may be root. */
bool
process_read_ids(struct process_ids *ids, pid_t pid)
{
	unsigned long real, owner, group, ignored;
	char status[1024];

	if (!read_entry(status, sizeof(status), pid, "status") ||
	    !read_ids(status, "\nUid:\t", &real, &owner) ||
	    !read_ids(status, "\nGid:\t", &ignored, &group))
		return false;
	*ids = (struct process_ids){ (uid_t)real, (uid_t)owner, (gid_t)group };
	return true;
}

/* "PID (NAME) STATE PARENT GROUP SESSION TTY ...": NAME may contain any byte. */
bool
process_read(struct process *process, pid_t pid)
{
	/* fields of proc(5), counted from the 4th, after the name and the state */
	enum {
		PARENT = 4 - 4, GROUP = 5 - 4, TTY = 7 - 4, TTY_GROUP = 8 - 4, STARTED = 22 - 4,
		FIELDS
	};
	char stat[512], *name, *end;
	long long field[FIELDS];
	size_t i;

	if (!read_entry(stat, sizeof(stat), pid, "stat"))
		return false;
	name = strchr(stat, '(');
	end = strrchr(stat, ')');
	/* ") S " precedes the numbers */
	if (name == NULL || end == NULL || end < name || strlen(end) < 4)
		return false;
	*end = '\0';
	for (i = 0, end += 3; i < FIELDS; i++)
		field[i] = strtoll(end, &end, 10);
	*process = (struct process){ .pid = pid, .parent = (pid_t)field[PARENT],
		.in_foreground = field[GROUP] == field[TTY_GROUP],
		.started = (unsigned long long)field[STARTED] };
	text_copy(process->name, sizeof(process->name), name + 1);
	text_clean(process->name);
	if (field[TTY] != 0)
		device_of_number(process->tty, (unsigned)field[TTY]);
	return true;
}

const char *
process_elsewhere(pid_t pid)
{
	static const char *const entries[] = { "root", "ns/mnt", "ns/pid", "ns/user",
		"ns/net" };
	char its[64], ours[64];
	struct stat a, b;
	size_t i;

	for (i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
		snprintf(its, sizeof(its), "/proc/%ld/%s", (long)pid, entries[i]);
		snprintf(ours, sizeof(ours), "/proc/self/%s", entries[i]);
		if (stat(its, &a) != 0 || stat(ours, &b) != 0)
			return "the system does not show whether the terminal sees our files";
		if (a.st_dev != b.st_dev || a.st_ino != b.st_ino)
			return "the terminal has another root directory or other namespaces";
	}
	return NULL;
}

/*
 * Each mount of devpts has its own terminals, whose names and numbers repeat; /proc/PID/stat
 * has only the number.
 */
enum support
process_has_device(pid_t pid, const char *name)
{
	/* bash and zsh open the terminal themselves if the standard streams are others */
	static const char *const entries[] = { "fd/0", "fd/1", "fd/2", "fd/10", "fd/255" };
	char path[64 + DEVICE_NAME];
	struct stat its, ours;
	size_t i;

	if (stat(name, &ours) != 0)
		return SUPPORT_NO;
	for (i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
		snprintf(path, sizeof(path), "/proc/%ld/%s", (long)pid, entries[i]);
		if (stat(path, &its) == 0 && S_ISCHR(its.st_mode) && its.st_rdev == ours.st_rdev)
			return its.st_dev == ours.st_dev ? SUPPORT_YES : SUPPORT_NO;
	}
	snprintf(path, sizeof(path), "/proc/%ld/root%s", (long)pid, name);
	if (stat(path, &its) != 0)
		return errno == EACCES ? SUPPORT_UNKNOWN : SUPPORT_NO;
	return its.st_dev == ours.st_dev ? SUPPORT_UNKNOWN : SUPPORT_NO;
}

/* By the file that says which terminal a master is of, proc(5). */
bool
process_runs_device(pid_t pid, const char *name)
{
	char line[64], entry[NAME_MAX + sizeof("fdinfo/")], facts[256];
	const bool is_pty = text_begins(name, "/dev/pts/");
	const struct dirent *file;
	const int folder = is_pty ? open_entry(pid, "fdinfo") : -1;
	DIR *all = folder >= 0 ? fdopendir(folder) : NULL;
	bool runs = false;

	snprintf(line, sizeof(line), "\ntty-index:\t%s\n", is_pty ? strrchr(name, '/') + 1 : "");
	while (!runs && all != NULL && (file = readdir(all)) != NULL) {
		snprintf(entry, sizeof(entry), "fdinfo/%s", file->d_name);
		runs = read_entry(facts, sizeof(facts), pid, entry) &&
		    strstr(facts, line) != NULL;
	}
	if (all != NULL)
		closedir(all);
	return runs;
}

bool
process_program(char path[PROCESS_PATH], pid_t pid)
{
	if (pid == getpid())
		return text_copy(path, PROCESS_PATH, "/proc/self/exe");
	snprintf(path, PROCESS_PATH, "/proc/%ld/exe", (long)pid);
	return true;
}

bool
process_strings(struct buf *out, pid_t pid, enum process_strings which)
{
	enum { PIECE = 8192 };
	int fd = open_entry(pid, which == PROCESS_VARIABLES ? "environ" : "cmdline");
	ssize_t n = -1;

	if (fd < 0)
		return false;
	out->max = PROCESS_STRINGS_MAX;
	while (buf_reserve(out, PIECE) &&
	    (n = read(fd, out->data + out->len, PIECE)) > 0)
		out->len += (size_t)n;
	close(fd);
	/* the last string may be truncated, without its NUL */
	if (n == 0 && buf_add(out, "", 1) && (which == PROCESS_VARIABLES || out->len > 1))
		return true;
	out->len = 0;
	return false;
}

#endif
