/* SPDX-License-Identifier: MIT */
/*
 * Walks the hops. Variables are only hints, to be confirmed by processes. Each step starts
 * at the cursor and finds the nearest ancestor that runs a terminal for its children, such as a
 * tmux server, Screen or an editor. It adds that to the path as a hop, and moves the cursor to
 * the terminal that shows it.
 */
#include "detect/path.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- variables ---------------------------------------------------------- */

const char *
environment_value(const struct buf *environment, const char *name)
{
	const char *at = (const char *)environment->data;
	const size_t n = strlen(name);
	size_t i;

	for (i = 0; i < environment->len; i += strlen(at + i) + 1)
		if (strncmp(at + i, name, n) == 0 && at[i + n] == '=')
			return at + i + n + 1;
	return NULL;
}

const char *
cursor_variable(const void *cursor, const char *name)
{
	const struct cursor *at = cursor;

	return at->own ? environment_get(name) : environment_value(&at->environment, name);
}

const char *
cursor_term(const struct cursor *at)
{
	const char *known = at->term != NULL ? at->term : cursor_variable(at, "TERM");

	return known != NULL ? known : "";
}

/* ---- the cursor --------------------------------------------------------- */

void
cursor_move(struct cursor *at, const struct process *process, const char *tty)
{
	at->pid = process != NULL ? process->pid : 0;
	at->own = false;
	at->term = NULL;
	text_copy(at->tty, sizeof(at->tty), tty);
	buf_free(&at->environment);
	if (process != NULL)
		process_environment(&at->environment, process);
}

/* Needed to decide whether an editor runs on the terminal or is a hop. */
static void
place(struct cursor *at, const struct path *path)
{
	if (path->source == DEVICE_CONTROLLING && path->hops == 0)
		device_name(at->tty, path->fd);
}

static void
pass_dumb(struct cursor *at)
{
	struct buf environment = { .max = 0 };
	const struct process *p = process_find(at->pid);
	const char *term;

	if (at->tty[0] == '\0')
		return;
	while ((p = process_parent(p)) != NULL && strcmp(p->tty, at->tty) == 0) {
		term = process_ids(p)->owner == geteuid() && process_environment(&environment, p) ?
		    environment_value(&environment, "TERM") : NULL;
		if (term != NULL && term[0] != '\0' && strcmp(term, "dumb") != 0) {
			cursor_move(at, p, p->tty);
			break;
		}
	}
	buf_free(&environment);
}

/*
 * Whether there is a reason to walk on, which examines processes.
 *
 * TERM=dumb says little: Vim without shelltemp and Codex set it for children whose output they
 * capture. env -i removes all variables. In both cases the cursor first moves to the nearest
 * process of this user that has another TERM on the same terminal, if there is one.
 */
static bool
leads_on(const struct path *path, struct cursor *at)
{
	const struct process *runner;
	const struct terminal *row;
	const char *term = cursor_term(at);
	size_t i;

	/* for a standard stream, TERM=dumb describes its reader */
	if (term[0] == '\0' ? terminal_by_environment(cursor_variable, at, NULL) == NULL :
	    strcmp(term, "dumb") == 0 && path->source != DEVICE_STDOUT &&
	    path->source != DEVICE_STDERR) {
		place(at, path);
		pass_dumb(at);
	}
	/* without TERM the environment was cleared, for example by env -i */
	if (at->tty[0] == '\0' || cursor_term(at)[0] == '\0')
		return true;
	/* the variables of a multiplexer may be left over from another session */
	for (row = multiplexers; row->id[0] != '\0'; row++)
		for (i = 0; i < sizeof(row->variables) / sizeof(row->variables[0]) &&
		    row->variables[i].name[0] != '\0'; i++)
			if (cursor_variable(at, row->variables[i].name) != NULL)
				return true;
	/* a program may have opened our terminal as a pty */
	runner = at->pid > 0 ? process_parent(process_find(getsid(at->pid))) : NULL;
	if (runner != NULL && runner->tty[0] != '\0')
		return true;
	/* sudo and doas remove the variables and set these */
	return terminal_by(multiplexers, BY_TERM, cursor_term(at)) != NULL ||
	    cursor_variable(at, "SUDO_UID") != NULL ||
	    cursor_variable(at, "DOAS_USER") != NULL;
}

/* ---- ancestors ---------------------------------------------------------- */

/*
 * The row of an ancestor of a process on `tty`, if it runs a terminal for its children. The walk
 * ends at a terminal, and at a daemon such as sshd (HOP_NONE). NULL for any other process.
 */
static const struct terminal *
ancestor_row(const struct process *p, const char *tty)
{
	const struct terminal *row = terminal_by(multiplexers, BY_PROCESS, p->name);

	if (row == NULL)
		return terminal_by(terminals, BY_PROCESS, p->name);
	/* servers have no terminal; tmux and screen with one are clients */
	if ((row->kind == HOP_TMUX || row->kind == HOP_SCREEN) && p->tty[0] != '\0')
		return NULL;
	/* an editor on our own terminal is not a hop */
	if (row->kind == HOP_EDITOR && strcmp(p->tty, tty) == 0)
		return NULL;
	return row;
}

/*
 * device_announced() for the terminal of a process, unless it is another one of that name. A
 * process whose terminal is unknown has that of its parent.
 */
static const char *
announce(struct tty_device *device, const char *name, pid_t pid)
{
	const struct process *p = process_find(pid), *own = process_find(getpid());
	const char *why = device_announced(device, name);
	enum support has = p != NULL ? SUPPORT_UNKNOWN : SUPPORT_NO;

	while (why == NULL && has == SUPPORT_UNKNOWN && p != NULL &&
	    (p->pid == pid || strcmp(p->tty, name) == 0)) {
		has = process_has_device(p->pid, name);
		p = process_parent(p);
	}
	if (why != NULL || has != SUPPORT_NO)
		return why;
	device->name[0] = '\0';
	return own == NULL || own->started == 0 ?
	    "it may be a terminal of another container: no /proc is mounted" :
	    "it is a terminal of another container";
}

/* Run another program on a pty, and pass every byte to their own terminal. */
static const char transparent[] = "viatty script scriptreplay expect unbuffer asciinema ttyrec "
    "rlwrap mc sudo su runuser doas systemd-run run0 machinectl bwrap podman docker";

/*
 * Whether a process without a row draws what runs on our terminal: it has its own terminal in raw
 * mode and in the foreground. Neither is so for a server of web terminals or for a terminal.
 */
static bool
draws(const struct process *p)
{
	struct tty_device device;
	int fd = p->in_foreground && announce(&device, p->tty, p->pid) == NULL ?
	    device_open(&device, O_WRONLY) : -1;
	const bool raw = fd >= 0 && tty_is_raw(fd);

	if (fd >= 0)
		close(fd);
	return raw;
}

/*
 * ancestor_row(), or that of a program that draws what runs on `inner`, which is `tty` at first.
 * Beyond a transparent program `inner` is the terminal of that, and "" beyond any other.
 */
static const struct terminal *
row_outwards(const struct process *p, const char *tty, char inner[DEVICE_NAME])
{
	const struct terminal *row = ancestor_row(p, tty);
	const bool passes = text_lists(transparent, p->name, strlen(p->name));

	if (row != NULL || inner[0] == '\0' || strcmp(p->tty, inner) == 0)
		return row;
	if (p->tty[0] != '\0' && !passes && draws(p))
		return terminal_by(multiplexers, BY_ID, "the program");
	text_copy(inner, DEVICE_NAME, passes ? p->tty : "");
	return NULL;
}

/*
 * The nearest ancestor of the cursor with a row, or NULL if no visible one has.
 *
 * If the cursor has no terminal, an ancestor with a usable one may come first: then that is the
 * device, and `*row` is NULL. The first terminal that cannot be the device is recorded.
 */
static const struct process *
find_ancestor(struct path *path, struct cursor *at, const struct terminal **row)
{
	const struct process *p = process_find(at->pid);
	char inner[DEVICE_NAME];
	const char *why;
	struct stat st;

	place(at, path);
	text_copy(inner, sizeof(inner), at->tty);
	for (*row = NULL; *row == NULL && (p = process_parent(p)) != NULL;
	    *row = row_outwards(p, at->tty, inner)) {
		if (at->tty[0] != '\0' || p->tty[0] == '\0')
			continue;
		why = announce(&path->device, p->tty, p->pid);
		if (why == NULL)
			break;
		if (path->refused[0] != '\0')
			continue;
		text_format(path->refused, sizeof(path->refused), " (not %s of %s: %s)", p->tty,
		    p->name, why);
		path->of_another = stat(p->tty, &st) == 0 && st.st_uid != geteuid();
	}
	return p;
}

/*
 * A program that cleared our environment did not clear that of its ancestors. If `address` is
 * not yet that of `server`, it is taken from the nearest ancestor below the server that has it.
 * If `server` is NULL, the nearest address of any server counts.
 */
static void
search_tmux_address(struct tmux_address *address, const struct cursor *at,
    const struct process *server)
{
	const struct process *p = process_find(at->pid);
	struct buf environment = { .max = 0 };
	struct tmux_address found;

	if (at->tty[0] == '\0')
		return;
	while ((server != NULL ? address->server != server->pid : address->server == 0) &&
	    (p = process_parent(p)) != NULL && p != server) {
		if (!process_environment(&environment, p) || !tmux_address_parse(&found,
		    environment_value(&environment, "TMUX"),
		    environment_value(&environment, "TMUX_PANE")))
			continue;
		found.child = p->pid;
		if (address->server == 0 ||
		    (server != NULL && found.server == server->pid))
			*address = found;
	}
	buf_free(&environment);
}

const struct process *
hops_terminal(struct path *path, const struct terminal **row)
{
	const struct process *inner = process_find(path->cursor.pid), *p;

	place(&path->cursor, path);
	for (*row = NULL; (p = process_parent(inner)) != NULL; inner = p) {
		*row = ancestor_row(p, path->cursor.tty);
		if (*row != NULL)
			return (*row)->kind == HOP_TERMINAL ? p : NULL;
		/* one without a row may draw it, if it has no terminal of its own */
		if (strcmp(p->tty, inner->tty) != 0 &&
		    !text_lists(transparent, p->name, strlen(p->name)))
			return !p->in_foreground && process_runs_device(p->pid, inner->tty) ? p :
			    NULL;
	}
	return NULL;
}

bool
hops_outlive_terminal(const struct cursor *at)
{
	const struct process *server = at->pid > 0 ?
	    process_parent(process_find(getsid(at->pid))) : NULL;

	return server != NULL && terminal_quirk(terminal_by(multiplexers, BY_PROCESS,
	    server->name), "", QUIRK_KEEPS) != NULL;
}

/* ---- hops --------------------------------------------------------------- */

static const char seen[] = "seen as a process";

/* How a hop is known that a variable names: of an ancestor, or our own. */
static const char *const by_variable[] = {
	"known from the environment of an ancestor", "known from this environment",
};

static struct hop *
add_hop(struct path *path, const struct terminal *row, const char *evidence)
{
	struct hop *hop = &path->hop[path->hops++];

	*hop = (struct hop){ .row = row, .evidence = evidence };
	return hop;
}

/* Adds a hop known only from TERM. Its server is unreachable, so it cannot be bypassed. */
static struct hop *
add_hop_of_term(struct path *path, const struct cursor *at)
{
	const struct terminal *row = terminal_by(multiplexers, BY_TERM, cursor_term(at));

	return row == NULL ? NULL : add_hop(path, row, "known from TERM alone");
}

/* ---- tmux ------------------------------------------------------------------- */

#define WHOLE_SOCKET "start that tmux with the whole path: tmux -S /PATH/OF/SOCKET"

/* Moves the cursor to the client that shows the pane, or the nearest one, and its process. */
static bool
move_to_client(struct cursor *at, struct hop *hop)
{
	const struct tmux *tmux = &hop->tmux;
	const struct tmux_client *shown = tmux_nearest_client(tmux);
	const struct process *client;
	const char *why;

	hop->detached = tmux->clients == 0;
	if (shown == NULL)
		return false;
	why = announce(&hop->outer, shown->tty, shown->pid);
	if (why != NULL)
		text_format(hop->why, sizeof(hop->why), "%s: %s", shown->tty, why);
	/* in a container the PID may be that of another process */
	client = process_find(shown->pid);
	if (client != NULL && (strcmp(client->tty, shown->tty) != 0 ||
	    process_ids(client)->owner != geteuid()))
		client = NULL;
	cursor_move(at, client, shown->tty);
	at->term = text_begins(shown->type, "tmux") ? "tmux" : shown->term;
	return true;
}

/*
 * Queries the server at `address` and bypasses it. `server` is its process if that is an
 * ancestor, else NULL: then TMUX may be left over from another terminal. It is if the server does
 * not reply. TMUX of an ancestor is also left over if the server does not run our terminal.
 */
static bool
add_tmux(struct path *path, struct cursor *at, struct tmux_address *address,
    const struct process *server)
{
	struct error error = { .status = STATUS_DONE };
	const struct hop *before;
	unsigned passed = 0;
	struct hop *hop = add_hop(path, terminal_by(multiplexers, BY_ID, "tmux"),
	    server == NULL ? by_variable[address->own] : seen);
	struct stat st;

	if (server != NULL && process_ids(server)->owner != geteuid()) {
		text_format(hop->why, sizeof(hop->why),
		    "it is the server of another user (UID %lu)",
		    (unsigned long)process_ids(server)->real);
		return false;
	}
	if (server != NULL && address->server != server->pid) {
		const bool relative = address->server == 0 && cursor_variable(at, "TMUX") != NULL;

		text_copy(hop->why, sizeof(hop->why), address->server != 0 ?
		    "TMUX names another server" : relative ?
		    "TMUX lacks the whole path of its socket" : "TMUX is not set");
		text_copy(hop->repair, sizeof(hop->repair), relative ?
		    WHOLE_SOCKET :
		    "open a new pane in that tmux and run it there");
		return false;
	}
	for (before = path->hop; before < hop; before++)
		passed += before->tmux.reachable && before->tmux.address.server == address->server;
	address->popup = passed > 0;
	if (passed > 1) {
		path->hops--;
		return false;
	}
	if (tmux_ask(&hop->tmux, address, path->given.copies, at->timeout_ms, &error)) {
		if (server != NULL || address->own || strcmp(at->tty, hop->tmux.pane_tty) == 0) {
			if (path->source == DEVICE_NONE) {
				path->source = DEVICE_PANE;
				announce(&path->device, hop->tmux.pane_tty,
				    hop->tmux.address.server);
			}
			return move_to_client(at, hop);
		}
		fail(&error, STATUS_REFUSED, "it does not run this terminal");
	}
	if (server == NULL && terminal_by(multiplexers, BY_TERM, cursor_term(at)) == NULL) {
		path->hops--;
		text_format(path->ignored_tmux, sizeof(path->ignored_tmux),
		    error.status == STATUS_REFUSED ?
		    "TMUX names a server that must not be queried (%s)" :
		    "TMUX is ignored: its server does not reply (%s)",
		    message_problem(error.text).text);
		return false;
	}
	/* discard a reply about another terminal */
	hop->tmux = (struct tmux){ .clients = 0 };
	text_format(hop->why, sizeof(hop->why), "%s", message_problem(error.text).text);
	/* tmux(1): the server recreates its socket */
	if (error.status == STATUS_FAILED && server != NULL &&
	    lstat(address->socket, &st) != 0 && errno == ENOENT)
		text_format(hop->repair, sizeof(hop->repair),
		    "kill -USR1 %ld makes tmux create its socket again", (long)server->pid);
	return false;
}

bool
hops_from_pane(struct path *path, struct cursor *at, const char *tty, struct error *error)
{
	const char *pane = tty + strlen("pane:");
	struct tmux_address address;
	struct hop *hop;

	if (!tmux_address_parse(&address, cursor_variable(at, "TMUX"), pane))
		return fail(error, STATUS_USAGE, cursor_variable(at, "TMUX") != NULL ?
		    "TMUX lacks the whole path of its socket, which %s needs\n" WHOLE_SOCKET :
		    "TMUX is not set, which %s needs", text_quote(tty).text);
	/* without a pane tmux would take the active one */
	if (address.pane[0] == '\0')
		return fail(error, STATUS_USAGE, "no pane is named by %s\nfor example pane:%%3",
		    text_quote(tty).text);
	hop = add_hop(path, terminal_by(multiplexers, BY_ID, "tmux"), by_variable[true]);
	if (!tmux_ask(&hop->tmux, &address, path->given.copies, at->timeout_ms, error)) {
		error->status = STATUS_NO_TERMINAL;
		return false;
	}
	if (hop->tmux.pane_tty[0] == '\0')
		return fail(error, STATUS_NO_TERMINAL, "tmux has no pane %s\n"
		    "tmux list-panes -a -F '#{pane_id} #{pane_current_command}' lists them",
		    text_quote(pane).text);
	path->source = DEVICE_PANE;
	if (announce(&path->device, hop->tmux.pane_tty, address.server) != NULL)
		return fail(error, STATUS_NO_TERMINAL, "the terminal of pane %s, %s, does "
		    "not belong to the user of its tmux server", text_quote(pane).text,
		    hop->tmux.pane_tty);
	if (!move_to_client(at, hop))
		at->pid = -1;
	return true;
}

/* ---- other hops ---------------------------------------------------------------- */

/*
 * The mode of Screen's socket shows whether the session is attached (executable for its
 * owner) and whether other users may attach (executable for others). See SOCKMODE in screen.h,
 * 4.2 to 5.0. The socket must belong to us, or the state stays unknown.
 */
static void
read_screen_state(struct hop *hop, const struct cursor *at)
{
	const char *session = cursor_variable(at, "STY"), *user = cursor_variable(at, "USER");
	const char *folder = cursor_variable(at, "SCREENDIR");
	char path[512];
	struct stat st;

	if (session == NULL)
		return;
	/* a container sets no USER */
	if (user == NULL)
		user = geteuid() == 0 ? "root" : "";
	snprintf(path, sizeof(path), "%s%s/%s", folder != NULL ? folder : "/run/screen/S-",
	    folder != NULL ? "" : user, session);
	if (lstat(path, &st) != 0 || !S_ISSOCK(st.st_mode) || st.st_uid != geteuid())
		return;
	hop->detached = (st.st_mode & S_IXUSR) == 0;
	hop->multiuser = (st.st_mode & S_IXOTH) != 0;
	/* it sets the mode and the times then, and at no other time */
	hop->attached = st.st_mtime;
}

/* Adds a hop for the ancestor that runs the terminal at the cursor, and bypasses it. */
static bool
add_ancestor(struct path *path, struct cursor *at, const struct process *p,
    const struct terminal *row, struct tmux_address *address)
{
	const struct process *parent = process_parent(p), *outer = NULL;
	struct hop *hop;

	if (row->kind == HOP_TMUX) {
		search_tmux_address(address, at, p);
		return add_tmux(path, at, address, p);
	}
	row = terminal_variant(multiplexers, row, cursor_variable, at);
	hop = add_hop(path, row, seen);
	if (row->kind == HOP_SCREEN) {
		read_screen_state(hop, at);
		/*
		 * The parent of Screen's server is the client that started it, as long as
		 * that is attached. After a reattachment the client is unknown.
		 */
		if (parent != NULL && strcmp(parent->name, "screen") == 0)
			outer = parent;
	} else if (row->kind == HOP_EDITOR) {
		/* the core of neovim has no terminal; its UI process does */
		outer = p->tty[0] == '\0' && parent != NULL &&
		    strcmp(parent->name, p->name) == 0 ? parent : p;
	}
	if (outer == NULL || outer->tty[0] == '\0')
		return false;
	announce(&hop->outer, outer->tty, outer->pid);
	if (row->processes[0] == '\0')
		text_format(hop->why, sizeof(hop->why), "%s (%ld) runs this terminal", p->name,
		    (long)p->pid);
	cursor_move(at, outer, outer->tty);
	return true;
}

/*
 * Adds the next hop to `path`, if there is one, and moves `at` to its outer side. Returns
 * false if that was the last, or its outer side is unknown.
 */
static bool
step(struct path *path, struct cursor *at)
{
	struct tmux_address address;
	struct hop *hop;
	const struct terminal *row;
	const struct process *p;

	if (tmux_address_parse(&address, cursor_variable(at, "TMUX"),
	    cursor_variable(at, "TMUX_PANE"))) {
		address.own = at->own;
		address.child = at->pid;
	}
	p = find_ancestor(path, at, &row);
	if (p != NULL && row == NULL) {
		path->source = DEVICE_ANCESTOR;
		text_copy(path->ancestor, sizeof(path->ancestor), p->name);
		cursor_move(at, p, p->tty);
		return true;
	}
	if (p != NULL && row->kind != HOP_TERMINAL && row->kind != HOP_NONE)
		return add_ancestor(path, at, p, row, &address);
	if (p != NULL) {
		hop = add_hop_of_term(path, at);
		/* dtach's server outlives the terminal it was started on */
		if (hop != NULL && terminal_quirk(row, "", QUIRK_KEEPS) != NULL)
			text_format(hop->why, sizeof(hop->why),
			    "the terminal that shows %s is unknown", p->name);
		return false;
	}
	/* the child of a daemon, or no /proc */
	search_tmux_address(&address, at, NULL);
	if (address.server != 0) {
		if (add_tmux(path, at, &address, NULL))
			return true;
		if (path->hops == 0 && path->source != DEVICE_NONE)
			add_hop_of_term(path, at);
	} else if (cursor_variable(at, "STY") == NULL || !text_begins(cursor_term(at), "screen")) {
		add_hop_of_term(path, at);
	} else {
		add_hop(path, terminal_by(multiplexers, BY_ID, "screen"), by_variable[at->own]);
	}
	return false;
}

void
hops_walk(struct path *path, struct cursor *at)
{
	while (leads_on(path, at) && path->hops < HOPS_MAX && step(path, at))
		continue;
}
