/* SPDX-License-Identifier: MIT */
/* Stores identifying replies in $XDG_RUNTIME_DIR/viatty or /tmp/viatty-UID for the login. */
#include "detect/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	RECORD_MAX = 1024,
	/*
	 * the key; XTVERSION, or the version of that tmux; DA1; DA2; DA3; the number of `holds`
	 */
	RECORD_LINES = 6
};

struct record {
	int folder;
	char name[DEVICE_NAME];   /* of the file: "pts-3" */
	char key[PROBE_TEXT];     /* its first line: session leader and start time */
	time_t since;             /* an older one is of another terminal */
	char text[RECORD_MAX];
	char *line[RECORD_LINES];
	unsigned holds; /* enum remembered */
};

/* Whether the last hop is a tmux whose server is unreachable, around the terminal at the end. */
static bool
ends_in_tmux(const struct path *path)
{
	return path->hops > 0 && hop_is_unreachable(&path->hop[path->hops - 1]);
}

/* Whether only Screen is between, which returns the replies of its terminal. */
static bool
ends_in_screen(const struct path *path)
{
	return path->hops == 1 && hop_returns_replies(&path->hop[0]);
}

static bool
is_ours_alone(int fd, struct stat *st)
{
	return fstat(fd, st) == 0 && st->st_uid == geteuid() &&
	    (st->st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

/* Opens a folder, or returns -1 if it is not ours alone. */
static int
open_ours(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || is_ours_alone(fd, &st))
		return fd;
	close(fd);
	return -1;
}

/* Opens our folder in the runtime directory, else in /tmp. Returns -1 unless it is ours alone. */
static int
open_folder(bool create)
{
	const char *runtime = environment_get("XDG_RUNTIME_DIR");
	int fd = runtime != NULL && runtime[0] == '/' ? open_ours(runtime) : -1;
	char folder[PROCESS_PATH];

	if (fd >= 0)
		close(fd);
	if (fd < 0)
		text_format(folder, sizeof(folder), "/tmp/viatty-%ld", (long)geteuid());
	else if (snprintf(folder, sizeof(folder), "%s/viatty", runtime) >= (int)sizeof(folder))
		return -1;
	if (create && mkdir(folder, 0700) != 0 && errno != EEXIST)
		return -1;
	return open_ours(folder);
}

/*
 * Opens the folder, which the caller closes, if the terminal may be remembered. It is our own,
 * that behind the Screen that runs it, or that of the client of the outermost tmux that replies.
 */
static bool
open_record(struct record *r, const struct path *path, bool create)
{
	const bool in_screen = ends_in_screen(path);
	const size_t passed = in_screen ? 0 : path->hops - ends_in_tmux(path);
	const struct tmux_client *client = passed > 0 ?
	    tmux_nearest_client(&path->hop[passed - 1].tmux) : NULL;
	const struct process *leader;
	char device[DEVICE_NAME], *slash;

	if (passed > 0 ? client == NULL || path->cursor.pid != client->pid :
	    path->source != DEVICE_CONTROLLING)
		return false;
	leader = process_find(getsid(passed > 0 ? client->pid : 0));
	if (leader == NULL || leader->started == 0)
		return false;
	r->since = in_screen ? path->hop[0].attached : 0;
	if (passed > 0)
		text_copy(device, sizeof(device), client->tty);
	else
		path_device(device, path);
	if (!text_begins(device, "/dev/") || strcmp(device, "/dev/tty") == 0)
		return false;
	text_copy(r->name, sizeof(r->name), device + strlen("/dev/"));
	while ((slash = strchr(r->name, '/')) != NULL)
		*slash = '-';
	text_format(r->key, sizeof(r->key), "%s %ld %llu", in_screen ? "screen" : "2",
	    (long)leader->pid, leader->started);
	r->folder = open_folder(create);
	return r->folder >= 0;
}

/* Reads its lines. Returns false if no file is of this login, or it is damaged or too old. */
static bool
read_record(struct record *r)
{
	int fd = openat(r->folder, r->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	char *at = r->text;
	struct stat st;
	unsigned long holds;
	ssize_t n = -1;
	size_t i;

	r->holds = 0;
	if (fd < 0)
		return false;
	if (is_ours_alone(fd, &st) && S_ISREG(st.st_mode) && st.st_mtime >= r->since)
		n = read(fd, r->text, RECORD_MAX - 1);
	close(fd);
	r->text[n > 0 ? n : 0] = '\0';
	for (i = 0; i < RECORD_LINES && at != NULL; i++) {
		r->line[i] = strsep(&at, "\n");
		text_clean(r->line[i]);
	}
	if (at == NULL || *at != '\0' || strcmp(r->line[0], r->key) != 0 ||
	    !text_number(r->line[5], REMEMBERED_MAX, &holds))
		return false;
	r->holds = (unsigned)holds;
	return true;
}

/* Opens the folder, reads the record and closes the folder again. */
static bool
find_record(struct record *r, const struct path *path)
{
	const bool is_open = open_record(r, path, false), is_read = is_open && read_record(r);

	if (is_open)
		close(r->folder);
	return is_read;
}

/* The unknown options of the tmux around the terminal. */
static void
recall_tmux(struct hop *hop, const struct record *r)
{
	hop->row = terminal_by(multiplexers, BY_ID, "tmux");
	text_copy(hop->tmux.version, sizeof(hop->tmux.version), r->line[1]);
	if (hop->tmux.set_clipboard == SET_CLIPBOARD_UNKNOWN && (r->holds & REMEMBERED_COPIES) != 0)
		hop->tmux.set_clipboard = SET_CLIPBOARD_ON;
	if (hop->tmux.passthrough == PASSTHROUGH_UNKNOWN && (r->holds & REMEMBERED_PASSES) != 0)
		hop->tmux.passthrough = PASSTHROUGH_ON;
}

bool
identity_recall(struct path *path)
{
	struct probe probe = { .version = "" };
	struct record r;
	char **line = r.line;

	if (!find_record(&r, path) || ends_in_tmux(path) != ((r.holds & REMEMBERED_TMUX) != 0))
		return false;
	if (ends_in_tmux(path)) {
		recall_tmux(&path->hop[path->hops - 1], &r);
		return true;
	}
	path->queried.silent = (r.holds & REMEMBERED_SILENT) != 0;
	if (path->queried.silent)
		return true;
	/* dtach, or Screen on another machine, may have been attached in another terminal since */
	if ((r.holds & REMEMBERED_REPLIED) == 0 || hops_outlive_terminal(&path->cursor) ||
	    (ends_in_screen(path) && r.since == 0) ||
	    !text_copy(probe.version, PROBE_TEXT, line[1]) ||
	    !text_copy(probe.da1, PROBE_TEXT, line[2]) ||
	    !text_copy(probe.da2, PROBE_TEXT, line[3]) ||
	    !text_copy(probe.da3, PROBE_TEXT, line[4]))
		return false;
	probe.allows_copy = (r.holds & REMEMBERED_COPIES) != 0 ? SUPPORT_YES : SUPPORT_UNKNOWN;
	path->probe = probe;
	return true;
}

/* Writes it anew: its first line, these four, and what it holds. Closes the folder. */
static bool
write_record(struct record *r, const char *const line[RECORD_LINES - 2])
{
	char text[RECORD_MAX], unfinished[DEVICE_NAME + 32];
	bool done;
	int fd, n = snprintf(text, sizeof(text), "%s\n%s\n%s\n%s\n%s\n%u\n", r->key, line[0],
	    line[1], line[2], line[3], r->holds);

	text_format(unfinished, sizeof(unfinished), "%s.%ld", r->name, (long)getpid());
	fd = openat(r->folder, unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	/* to replace a file, ext4 first writes the new one to the disk (auto_da_alloc) */
	unlinkat(r->folder, r->name, 0);
	done = fd >= 0 && write(fd, text, (size_t)n) == n &&
	    renameat(r->folder, unfinished, r->folder, r->name) == 0;
	if (fd >= 0)
		close(fd);
	if (fd >= 0 && !done)
		unlinkat(r->folder, unfinished, 0);
	close(r->folder);
	return done;
}

static void
set(unsigned *holds, enum remembered what, bool is_so)
{
	*holds = is_so ? *holds | what : *holds & ~(unsigned)what;
}

bool
identity_remember(const struct path *path)
{
	const struct probe *probe = &path->probe;
	const bool is_tmux = ends_in_tmux(path);
	const struct tmux *tmux = is_tmux ? &path->hop[path->hops - 1].tmux : NULL;
	const char *const line[] = { is_tmux ? tmux->version : probe->version, probe->da1,
		probe->da2, probe->da3 };
	struct record r;

	if (!open_record(&r, path, true))
		return false;
	if (!read_record(&r) || is_tmux != ((r.holds & REMEMBERED_TMUX) != 0))
		r.holds = 0;
	set(&r.holds, REMEMBERED_TMUX, is_tmux);
	set(&r.holds, REMEMBERED_SILENT, !is_tmux && path->queried.silent);
	set(&r.holds, REMEMBERED_REPLIED, !is_tmux && !path->queried.silent);
	if (!is_tmux)
		set(&r.holds, REMEMBERED_COPIES, probe->allows_copy == SUPPORT_YES);
	/* replies from earlier queries are kept */
	if (is_tmux && tmux->set_clipboard != SET_CLIPBOARD_UNKNOWN)
		set(&r.holds, REMEMBERED_COPIES, tmux->set_clipboard == SET_CLIPBOARD_ON);
	if (is_tmux && tmux->passthrough != PASSTHROUGH_UNKNOWN) {
		set(&r.holds, REMEMBERED_PASSES, tmux->passthrough == PASSTHROUGH_ON);
		set(&r.holds, REMEMBERED_CLOSED, tmux->passthrough == PASSTHROUGH_OFF);
	}
	return write_record(&r, line);
}

bool
path_remembers(const struct path *path, enum remembered what)
{
	struct record r;

	return find_record(&r, path) && (r.holds & what) != 0;
}

void
path_note_unread(const struct path *path)
{
	static const char *const none[RECORD_LINES - 2] = { "", "", "", "" };
	const char *const *line = none;
	struct record r;

	if (!open_record(&r, path, true))
		return;
	if (read_record(&r))
		line = (const char *const *)r.line + 1;
	r.holds |= REMEMBERED_UNREAD;
	write_record(&r, line);
}

void
path_note_silence(struct path *path)
{
	path->queried.silent = true;
	if (!path_remembers(path, REMEMBERED_REPLIED))
		identity_remember(path);
}

bool
identity_is_kept(const struct path *path)
{
	struct record r;
	const bool is_opened = open_record(&r, path, true);

	if (is_opened)
		close(r.folder);
	return is_opened;
}
