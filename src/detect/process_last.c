/* SPDX-License-Identifier: MIT */
/* The terminal that this user used last, on Linux: --tty last. */
#include "detect/path.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * A program in raw mode draws the screen, and we must not write between its sequences. Below a
 * multiplexer we may, because that draws the screen anew. Shells keep ISIG while they read a line.
 */
static bool
may_be_written(const struct process *leader, int fd)
{
	const struct process *parent = process_parent(leader);
	const struct terminal *row = terminal_by(multiplexers, BY_PROCESS,
	    parent != NULL ? parent->name : "");

	return (row != NULL && row->kind != HOP_NONE) || !tty_is_raw(fd);
}

bool
hops_from_last(struct path *path, struct cursor *at, struct error *error)
{
	const struct process *leader;
	struct tty_device device;
	struct stat devpts, st;
	struct process_ids ids;
	struct process p;
	time_t newest = 0;
	DIR *all = stat("/dev/pts", &devpts) == 0 ? opendir("/proc") : NULL;
	struct dirent *entry;
	pid_t pid;
	int fd;

	while (all != NULL && (entry = readdir(all)) != NULL) {
		pid = (pid_t)strtol(entry->d_name, NULL, 10);
		/* tty_read() of Linux updates the time of access, every 8 seconds at most */
		if (pid <= 0 || getsid(pid) != pid || !process_read(&p, pid) ||
		    !process_read_ids(&ids, pid) || ids.owner != geteuid() ||
		    stat(p.tty, &st) != 0 || st.st_dev != devpts.st_dev || st.st_atime < newest ||
		    process_has_device(pid, p.tty) != SUPPORT_YES ||
		    device_announced(&device, p.tty) != NULL)
			continue;
		leader = process_find(pid);
		fd = leader != NULL && process_ids(leader)->owner == ids.owner ?
		    device_open(&device, O_WRONLY) : -1;
		if (fd >= 0 && may_be_written(leader, fd)) {
			newest = st.st_atime;
			path->source = DEVICE_LAST;
			path->device = device;
			cursor_move(at, leader, leader->tty);
		}
		if (fd >= 0)
			close(fd);
	}
	if (all != NULL)
		closedir(all);
	return path->source == DEVICE_LAST || fail(error, STATUS_NO_TERMINAL,
	    "none of your terminals on this machine can be written to at any time\n"
	    "--tty last takes those that no program in raw mode uses, and panes of tmux");
}
