/* SPDX-License-Identifier: MIT */
/* Stores identifying replies in $XDG_RUNTIME_DIR/viatty for the login. */
#include "detect/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	SILENCE_SECONDS = 600,
	RECORD_MAX = 1024,
	/* key, "replied" or "silent", XTVERSION, DA1, DA2, DA3, xterm's setting */
	RECORD_LINES = 7
};

struct record {
	int folder;
	char name[DEVICE_NAME];   /* of the file: "pts-3" */
	char key[2 * PROBE_TEXT]; /* its first line: session leader, start time, TERM */
};

static bool
is_ours_alone(int fd, struct stat *st)
{
	return fstat(fd, st) == 0 && st->st_uid == geteuid() &&
	    (st->st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

/*
 * Opens the folder, which the caller closes, if the terminal may be remembered.
 *
 * The session leader must belong to this user and must have been started by sshd or by the
 * terminal itself: a terminal that another program created may later be shown in another
 * terminal. Under sudo and su the leader belongs to another user or has another parent, and
 * with an environment that they kept, the folder would be of their caller's choice.
 */
static bool
open_record(struct record *r, const struct path *path, bool create)
{
	const char *runtime = environment_get("XDG_RUNTIME_DIR");
	const struct process *leader, *parent;
	char folder[PROCESS_PATH], device[DEVICE_NAME], *slash;
	const struct terminal *row;
	struct stat st;
	int n;

	if (runtime == NULL || runtime[0] != '/' || path->source != DEVICE_CONTROLLING ||
	    path->hops > 0)
		return false;
	leader = process_find(getsid(0));
	parent = process_parent(leader);
	if (parent == NULL || leader->owner != geteuid() || leader->started == 0 ||
	    hops_speaker(getpid(), 0) != geteuid())
		return false;
	row = terminal_by(multiplexers, BY_PROCESS, parent->name);
	if (row != NULL ? strcmp(row->id, "sshd") != 0 :
	    terminal_by(terminals, BY_PROCESS, parent->name) == NULL)
		return false;
	path_device(device, path);
	if (!text_begins(device, "/dev/") || strcmp(device, "/dev/tty") == 0)
		return false;
	text_copy(r->name, sizeof(r->name), device + strlen("/dev/"));
	while ((slash = strchr(r->name, '/')) != NULL)
		*slash = '-';
	text_format(r->key, sizeof(r->key), "1 %ld %llu %s", (long)leader->pid,
	    leader->started, path->term);
	n = snprintf(folder, sizeof(folder), "%s/viatty", runtime);
	if (n >= (int)sizeof(folder) || (create && mkdir(folder, 0700) != 0 && errno != EEXIST))
		return false;
	r->folder = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (r->folder < 0 || is_ours_alone(r->folder, &st))
		return r->folder >= 0;
	close(r->folder);
	return false;
}

bool
identity_recall(struct path *path)
{
	char text[RECORD_MAX], *at = text, *line[RECORD_LINES];
	struct probe probe = { .version = "" };
	struct record r;
	struct stat st;
	ssize_t n = -1;
	size_t i;
	int fd;

	if (!open_record(&r, path, false))
		return false;
	fd = openat(r.folder, r.name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	close(r.folder);
	if (fd < 0)
		return false;
	if (is_ours_alone(fd, &st) && S_ISREG(st.st_mode))
		n = read(fd, text, RECORD_MAX - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	for (i = 0; i < RECORD_LINES && at != NULL; i++) {
		line[i] = strsep(&at, "\n");
		text_clean(line[i]);
	}
	if (at == NULL || *at != '\0' || strcmp(line[0], r.key) != 0 ||
	    !text_copy(probe.version, PROBE_TEXT, line[2]) ||
	    !text_copy(probe.da1, PROBE_TEXT, line[3]) ||
	    !text_copy(probe.da2, PROBE_TEXT, line[4]) ||
	    !text_copy(probe.da3, PROBE_TEXT, line[5]))
		return false;
	if (strcmp(line[1], "silent") == 0) {
		path->silent = st.st_mtime <= time(NULL) &&
		    time(NULL) - st.st_mtime < SILENCE_SECONDS;
		return path->silent;
	}
	probe.allows_copy = strcmp(line[6], "copies") == 0 ? SUPPORT_YES : SUPPORT_UNKNOWN;
	path->probe = probe;
	return true;
}

bool
identity_remember(const struct path *path)
{
	const struct probe *probe = &path->probe;
	char text[RECORD_MAX], unfinished[DEVICE_NAME + 32];
	struct record r;
	int fd, n;
	bool done;

	if (!open_record(&r, path, true))
		return false;
	n = snprintf(text, sizeof(text), "%s\n%s\n%s\n%s\n%s\n%s\n%s\n", r.key,
	    path->silent ? "silent" : "replied", probe->version, probe->da1, probe->da2,
	    probe->da3, probe->allows_copy == SUPPORT_YES ? "copies" : "");
	text_format(unfinished, sizeof(unfinished), "%s.%ld", r.name, (long)getpid());
	fd = openat(r.folder, unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	done = fd >= 0 && write(fd, text, (size_t)n) == n &&
	    renameat(r.folder, unfinished, r.folder, r.name) == 0;
	if (fd >= 0)
		close(fd);
	if (fd >= 0 && !done)
		unlinkat(r.folder, unfinished, 0);
	close(r.folder);
	return done;
}
