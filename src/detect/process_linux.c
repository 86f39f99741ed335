/* SPDX-License-Identifier: MIT */
/* Other processes through /proc; the contract is in process.h. */
#include "detect/process.h"

#ifdef __linux__

#include "base/text.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STAT_LINE = 512 };

static int
open_entry(pid_t pid, const char *entry)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%ld/%s", (long)pid, entry);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* Reads the beginning of an entry. False, and "": gone or hidden. */
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

/* "PID (NAME) STATE PARENT GROUP SESSION TTY ...": NAME may contain any byte. */
static bool
parse_stat(struct process *process, char *line)
{
	enum { PARENT, GROUP, SESSION, TTY, FIELDS };
	char *name = strchr(line, '('), *end = strrchr(line, ')');
	long field[FIELDS];
	size_t i;

	/* ") S " precedes the numbers */
	if (name == NULL || end == NULL || end < name || strlen(end) < 4)
		return false;
	*end = '\0';
	for (i = 0, end += 3; i < FIELDS; i++)
		field[i] = strtol(end, &end, 10);
	text_copy(process->name, sizeof(process->name), name + 1);
	text_clean(process->name);
	process->parent = (pid_t)field[PARENT];
	process->tty[0] = '\0';
	if (field[TTY] != 0)
		device_of_number(process->tty,
		    device_decode((unsigned)field[TTY]));
	return true;
}

bool
process_read(struct process *process, pid_t pid)
{
	char line[STAT_LINE];

	if (!read_entry(line, sizeof(line), pid, "stat"))
		return false;
	process->pid = pid;
	return parse_stat(process, line);
}

/* "Uid: REAL EFFECTIVE ...": its files in /proc may belong to root. */
bool
process_owner(pid_t pid, uid_t *owner)
{
	char text[1024], *at;

	if (!read_entry(text, sizeof(text), pid, "status"))
		return false;
	at = strstr(text, "\nUid:\t");
	if (at == NULL)
		return false;
	strtoul(at + strlen("\nUid:\t"), &at, 10);
	*owner = (uid_t)strtoul(at, NULL, 10);
	return true;
}

unsigned long long
process_started(pid_t pid)
{
	/* the third field is the state, the 22nd the time: proc(5) */
	enum { BEHIND_STATE = 22 - 3 };
	char line[STAT_LINE], *at;
	int i;

	if (!read_entry(line, sizeof(line), pid, "stat"))
		return 0;
	at = strrchr(line, ')');
	if (at == NULL || strlen(at) < 2)
		return 0;
	for (at += 2, i = 0; i < BEHIND_STATE && at != NULL; i++) {
		at = strchr(at, ' ');
		at = at != NULL ? at + 1 : NULL;
	}
	return at != NULL ? strtoull(at, NULL, 10) : 0;
}

/* Whether this entry leads to the same file for both. */
static bool
is_same_for_us(pid_t pid, const char *entry)
{
	char path[64];
	struct stat its, ours;

	snprintf(path, sizeof(path), "/proc/%ld/%s", (long)pid, entry);
	if (stat(path, &its) != 0)
		return false;
	snprintf(path, sizeof(path), "/proc/self/%s", entry);
	return stat(path, &ours) == 0 && its.st_dev == ours.st_dev &&
	    its.st_ino == ours.st_ino;
}

enum process_root
process_root(pid_t pid)
{
	static const char *const entries[] = { "root", "ns/mnt", "ns/pid", "ns/user",
		"ns/net" };
	size_t i;

	for (i = 0; i < sizeof(entries) / sizeof(entries[0]); i++)
		if (!is_same_for_us(pid, entries[i]))
			return PROCESS_OTHER_ROOT;
	return PROCESS_SAME_ROOT;
}

bool
process_program(char path[PROCESS_PATH], pid_t pid)
{
	if (pid == getpid())
		return text_copy(path, PROCESS_PATH, "/proc/self/exe");
	snprintf(path, PROCESS_PATH, "/proc/%ld/exe", (long)pid);
	return true;
}

/* Adds all of an entry that holds strings, with a NUL behind the last. */
static bool
add_strings(struct buf *out, pid_t pid, const char *entry)
{
	enum { PIECE = 8192 };
	int fd = open_entry(pid, entry);
	ssize_t n = -1;

	if (fd < 0)
		return false;
	out->max = PROCESS_STRINGS_MAX;
	while (buf_reserve(out, PIECE) &&
	    (n = read(fd, out->data + out->len, PIECE)) > 0)
		out->len += (size_t)n;
	close(fd);
	if (n == 0 && buf_add(out, "", 1))
		return true;
	/* the last string may be truncated, without its NUL */
	out->len = 0;
	return false;
}

bool
process_environment(struct buf *out, pid_t pid)
{
	return add_strings(out, pid, "environ");
}

bool
process_command_line(struct buf *out, pid_t pid)
{
	/* a kernel thread has an empty one */
	return add_strings(out, pid, "cmdline") && out->len > 1;
}

#endif
