/* SPDX-License-Identifier: MIT */
/* Stores identifying replies in $XDG_RUNTIME_DIR/viatty or /tmp/viatty-UID for the login. */
#include "detect/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	RECORD_MAX = 1024,
	/*
	 * key; "replied", "silent" or "tmux"; XTVERSION, or the version of that tmux; DA1, DA2,
	 * DA3; what is known to be open: "copies" by the settings of xterm, or of that tmux,
	 * which also "passes" what is wrapped
	 */
	RECORD_LINES = 7
};

struct record {
	int folder;
	char name[DEVICE_NAME];   /* of the file: "pts-3" */
	char key[2 * PROBE_TEXT]; /* its first line: session leader, start time, TERM */
	char text[RECORD_MAX];
	char *line[RECORD_LINES];
};

/* Whether the last hop is a tmux whose server is unreachable, around the terminal at the end. */
static bool
ends_in_tmux(const struct path *path)
{
	return path->hops > 0 && hop_is_unreachable(&path->hop[path->hops - 1]);
}

static bool
is_ours_alone(int fd, struct stat *st)
{
	return fstat(fd, st) == 0 && st->st_uid == geteuid() &&
	    (st->st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

/* Whether it was started from outside of our container, whose first process is another. */
static bool
entered_container(const struct process *leader)
{
	return leader->parent == 0 && leader->pid != 1;
}

/*
 * Whether a session with this leader stays on one terminal: if sshd, login or the terminal
 * itself started it, or a program outside of our container. What another program created may
 * later be shown in another terminal, as may the first process of a container. login of
 * shadow leads the session itself, as root.
 */
static bool
stays_on_terminal(const struct process *leader)
{
	const struct process *parent = process_parent(leader);
	const uid_t owner = process_ids(leader)->owner;
	const struct terminal *row;

	if (owner == 0 && strcmp(leader->name, "login") == 0)
		return true;
	if (owner != geteuid() || parent == NULL)
		return owner == geteuid() && entered_container(leader);
	row = terminal_by(multiplexers, BY_PROCESS, parent->name);
	if (row != NULL)
		return strcmp(row->id, "sshd") == 0;
	return strcmp(parent->name, "login") == 0 ||
	    terminal_by(terminals, BY_PROCESS, parent->name) != NULL;
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

/*
 * Opens our folder in the runtime directory or, without one, in /tmp; -1 if it is not ours alone.
 */
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
 * Opens the folder, which the caller closes, if the terminal may be remembered: our own, or that
 * of the client of the outermost tmux that replies. Under sudo and su the leader belongs to
 * another user or has another parent.
 */
static bool
open_record(struct record *r, const struct path *path, bool create)
{
	const size_t passed = path->hops - ends_in_tmux(path);
	const struct tmux_client *client = passed > 0 ?
	    tmux_nearest_client(&path->hop[passed - 1].tmux) : NULL;
	const struct process *leader;
	char device[DEVICE_NAME], *slash;

	if (passed > 0 ? client == NULL || path->end.pid != client->pid :
	    path->source != DEVICE_CONTROLLING)
		return false;
	leader = process_find(getsid(passed > 0 ? client->pid : 0));
	if (leader == NULL || leader->started == 0 || !stays_on_terminal(leader))
		return false;
	if (passed > 0)
		text_copy(device, sizeof(device), client->tty);
	else
		path_device(device, path);
	if (!text_begins(device, "/dev/") || strcmp(device, "/dev/tty") == 0)
		return false;
	text_copy(r->name, sizeof(r->name), device + strlen("/dev/"));
	while ((slash = strchr(r->name, '/')) != NULL)
		*slash = '-';
	text_format(r->key, sizeof(r->key), "1 %ld %llu %s", (long)leader->pid,
	    leader->started, passed > 0 ? client->term : path->term);
	r->folder = open_folder(create);
	return r->folder >= 0;
}

/* Reads its lines. Returns false if there is none of this login, or it is damaged. */
static bool
read_record(struct record *r)
{
	int fd = openat(r->folder, r->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	char *at = r->text;
	struct stat st;
	ssize_t n = -1;
	size_t i;

	if (fd < 0)
		return false;
	if (is_ours_alone(fd, &st) && S_ISREG(st.st_mode))
		n = read(fd, r->text, RECORD_MAX - 1);
	close(fd);
	r->text[n > 0 ? n : 0] = '\0';
	for (i = 0; i < RECORD_LINES && at != NULL; i++) {
		r->line[i] = strsep(&at, "\n");
		text_clean(r->line[i]);
	}
	return at != NULL && *at == '\0' && strcmp(r->line[0], r->key) == 0;
}

static bool
is_open(const struct record *r, const char *word)
{
	return text_lists(r->line[6], word, strlen(word));
}

/* What is unknown of the tmux around the terminal. */
static void
recall_tmux(struct hop *hop, const struct record *r)
{
	hop->row = terminal_by(multiplexers, BY_ID, "tmux");
	text_copy(hop->tmux.version, sizeof(hop->tmux.version), r->line[2]);
	if (hop->tmux.set_clipboard == SET_CLIPBOARD_UNKNOWN && is_open(r, "copies"))
		hop->tmux.set_clipboard = SET_CLIPBOARD_ON;
	if (hop->tmux.passthrough == PASSTHROUGH_UNKNOWN && is_open(r, "passes"))
		hop->tmux.passthrough = PASSTHROUGH_ON;
}

bool
identity_recall(struct path *path)
{
	struct probe probe = { .version = "" };
	struct record r;
	char **line = r.line;
	bool is_read;

	if (!open_record(&r, path, false))
		return false;
	is_read = read_record(&r);
	close(r.folder);
	if (!is_read || ends_in_tmux(path) != (strcmp(line[1], "tmux") == 0))
		return false;
	if (ends_in_tmux(path)) {
		recall_tmux(&path->hop[path->hops - 1], &r);
		return true;
	}
	if (!text_copy(probe.version, PROBE_TEXT, line[2]) ||
	    !text_copy(probe.da1, PROBE_TEXT, line[3]) ||
	    !text_copy(probe.da2, PROBE_TEXT, line[4]) ||
	    !text_copy(probe.da3, PROBE_TEXT, line[5]))
		return false;
	if (strcmp(line[1], "silent") == 0) {
		path->silent = true;
		return true;
	}
	probe.allows_copy = is_open(&r, "copies") ? SUPPORT_YES : SUPPORT_UNKNOWN;
	path->probe = probe;
	return true;
}

bool
identity_remember(const struct path *path)
{
	const struct probe *probe = &path->probe;
	const bool is_tmux = ends_in_tmux(path);
	const struct tmux *tmux = is_tmux ? &path->hop[path->hops - 1].tmux : NULL;
	bool copies = probe->allows_copy == SUPPORT_YES, passes = false;
	char text[RECORD_MAX], unfinished[DEVICE_NAME + 32];
	struct record r;
	int fd, n;
	bool done;

	if (!open_record(&r, path, true))
		return false;
	if (is_tmux) {
		/* what was not asked now may have been before */
		done = read_record(&r) && strcmp(r.line[1], "tmux") == 0;
		copies = tmux->set_clipboard == SET_CLIPBOARD_ON ||
		    (tmux->set_clipboard == SET_CLIPBOARD_UNKNOWN && done &&
		    is_open(&r, "copies"));
		passes = tmux->passthrough == PASSTHROUGH_ON ||
		    (tmux->passthrough == PASSTHROUGH_UNKNOWN && done && is_open(&r, "passes"));
	}
	n = snprintf(text, sizeof(text), "%s\n%s\n%s\n%s\n%s\n%s\n%s%s\n", r.key, is_tmux ?
	    "tmux" : path->silent ? "silent" : "replied", is_tmux ? tmux->version :
	    probe->version, probe->da1, probe->da2, probe->da3, copies ? "copies" : "",
	    passes ? " passes" : "");
	text_format(unfinished, sizeof(unfinished), "%s.%ld", r.name, (long)getpid());
	fd = openat(r.folder, unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	/* to replace a file, ext4 first writes the new one to the disk (auto_da_alloc) */
	unlinkat(r.folder, r.name, 0);
	done = fd >= 0 && write(fd, text, (size_t)n) == n &&
	    renameat(r.folder, unfinished, r.folder, r.name) == 0;
	if (fd >= 0)
		close(fd);
	if (fd >= 0 && !done)
		unlinkat(r.folder, unfinished, 0);
	close(r.folder);
	return done;
}

bool
identity_is_kept(const struct path *path)
{
	struct record r;
	const bool is_kept = open_record(&r, path, true);

	if (is_kept)
		close(r.folder);
	return is_kept;
}
