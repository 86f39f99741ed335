/* SPDX-License-Identifier: MIT */
/*
 * Walks the hops; the contract is in hops.h.
 *
 * Variables are only hints; the process tree is the proof. Each step starts at the
 * cursor, finds the nearest ancestor that runs a terminal for its children (a tmux
 * server, Screen, an editor...), adds it to the path as a hop and moves the cursor to
 * the terminal that shows it.
 */
#include "detect/environment.h"
#include "detect/hops.h"

#include "base/text.h"
#include "base/user.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *
cursor_variable(const struct cursor *v, const char *name)
{
	return v->own ? environment_get(name) :
	    environment_value(&v->environment, name);
}

const char *
cursor_term(const struct cursor *v)
{
	const char *known = v->term != NULL ? v->term : cursor_variable(v, "TERM");

	return known != NULL ? known : "";
}

static void
move_to(struct cursor *v, pid_t pid, const char *tty, uid_t owner)
{
	v->pid = pid;
	v->own = false;
	v->owner = owner;
	v->term = NULL;
	text_copy(v->tty, sizeof(v->tty), tty);
	buf_free(&v->environment);
	process_environment(&v->environment, pid);
}

/* ---- hints -------------------------------------------------------------- */

/* Whether one of its variables is set, possibly left over from another session. */
static bool
multiplexer_is_hinted(const struct cursor *v)
{
	const struct multiplexer *row;
	size_t i, j;

	for (i = 0; (row = multiplexer_at(i)) != NULL; i++)
		for (j = 0; j < sizeof(row->variables) / sizeof(row->variables[0]) &&
		    row->variables[j][0] != '\0'; j++)
			if (cursor_variable(v, row->variables[j]) != NULL)
				return true;
	return multiplexer_by_term(cursor_term(v)) != NULL;
}

bool
hops_hinted(const struct cursor *v)
{
	/* without TERM the environment was cleared, as by env -i */
	if (v->tty[0] == '\0' || cursor_term(v)[0] == '\0')
		return true;
	/* sudo and doas remove the variables and set their own */
	return multiplexer_is_hinted(v) || cursor_variable(v, "SUDO_UID") != NULL ||
	    cursor_variable(v, "DOAS_USER") != NULL;
}

/* ---- ancestors ---------------------------------------------------------- */

enum ancestor_kind {
	ANCESTOR_NONE, /* none up to the last visible ancestor */
	ANCESTOR_END,  /* a terminal, sshd, a daemon: no hops beyond */
	ANCESTOR_TTY,  /* we have no terminal, this ancestor has one */
	ANCESTOR_HOP   /* it runs a terminal for its children */
};

/* The first ancestor that matters. */
struct ancestor {
	enum ancestor_kind kind;
	enum hop_kind hop; /* ANCESTOR_HOP */
	struct process process;
};

/* Classifies an ancestor of a process on `tty`. */
static void
classify_ancestor(struct ancestor *found, const char *tty)
{
	const struct process *p = &found->process;
	const struct multiplexer *row = multiplexer_by_process(p->name);

	found->kind = ANCESTOR_NONE;
	if (row == NULL || row->kind == HOP_NONE) {
		if (row != NULL || terminal_by_process(p->name) != NULL)
			found->kind = ANCESTOR_END;
		return;
	}
	found->hop = (enum hop_kind)row->kind;
	/* servers have no terminal; tmux and screen with one are clients */
	if ((found->hop == HOP_TMUX || found->hop == HOP_SCREEN) && p->tty[0] != '\0')
		return;
	/* an editor on our own terminal is not a hop */
	if (found->hop == HOP_EDITOR && strcmp(p->tty, tty) == 0)
		return;
	found->kind = ANCESTOR_HOP;
}

/* Whether its terminal may be our device. Records the first that may not, for messages. */
static bool
lends_terminal(struct path *path, const struct process *p)
{
	struct tty_device device;
	const char *why;
	uid_t owner;

	if (p->tty[0] == '\0' || !process_owner(p->pid, &owner))
		return false;
	device = device_announced(p->tty, owner);
	why = device_check(&device);
	if (why != NULL && path->refused[0] == '\0')
		text_format(path->refused, sizeof(path->refused),
		    " (not %s of %s: %s)", p->tty, p->name, why);
	return why == NULL;
}

/* Set by sudo and pkexec; the caller cannot choose it. */
static uid_t
caller_by_environment(void)
{
	static const char *const names[] = { "SUDO_UID", "PKEXEC_UID" };
	const char *value;
	unsigned long uid;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		value = environment_get(names[i]);
		if (value != NULL && text_number(value, 0xfffffffe, &uid) &&
		    uid != 0)
			return (uid_t)uid;
	}
	return 0;
}

/* Begins to walk up from `pid`; of this very process /proc need not tell the parent. */
static bool
begin_walk(struct process *process, pid_t pid)
{
	if (pid != getpid())
		return process_read(process, pid);
	*process = (struct process){ .pid = pid, .parent = getppid() };
	return true;
}

uid_t
hops_speaker(pid_t pid)
{
	struct process process;
	uid_t uid = geteuid();

	if ((pid != getpid() && !process_owner(pid, &uid)) || !begin_walk(&process, pid))
		return geteuid();
	while (uid == 0 && process_step_up(&process))
		process_owner(process.pid, &uid);
	return uid != 0 ? uid : caller_by_environment();
}

/* TMUX and TMUX_PANE of a process, and the user who set them. */
struct tmux_hint {
	struct tmux_address address;
	char pane[TMUX_WORD]; /* "" unknown */
	struct origin origin; /* the socket must belong to its owner, unless that is root */
};

static bool
parse_tmux_hint(struct tmux_hint *hint, const char *address, const char *pane)
{
	hint->pane[0] = '\0';
	if (address == NULL || !tmux_address_parse(&hint->address, address)) {
		hint->address = (struct tmux_address){ .server = 0 };
		return false;
	}
	if (pane != NULL)
		text_copy(hint->pane, sizeof(hint->pane), pane);
	return true;
}

/* sudo removes TMUX from our environment, not from that of its ancestors. */
static void
take_ancestor_hint(struct tmux_hint *hint, const struct process *process)
{
	struct buf environment = { .max = 0 };

	hint->origin = (struct origin){ SOURCE_ANCESTOR,
		hops_speaker(process->pid) };
	if (process_environment(&environment, process->pid))
		parse_tmux_hint(hint, environment_value(&environment, "TMUX"),
		    environment_value(&environment, "TMUX_PANE"));
	buf_free(&environment);
}

/*
 * Stores the nearest ancestor of `v` that matters in `found`. If `hint` has no address
 * yet, completes it from the ancestors before that.
 */
static void
find_ancestor(struct path *path, const struct cursor *v, struct ancestor *found,
    struct tmux_hint *hint)
{
	found->kind = ANCESTOR_NONE;
	if (!begin_walk(&found->process, v->pid))
		return;
	while (found->kind == ANCESTOR_NONE && process_step_up(&found->process)) {
		classify_ancestor(found, v->tty);
		if (v->tty[0] == '\0' && lends_terminal(path, &found->process))
			found->kind = ANCESTOR_TTY;
		if (found->kind == ANCESTOR_NONE && hint->address.server == 0 &&
		    v->tty[0] != '\0')
			take_ancestor_hint(hint, &found->process);
	}
}

/*
 * If `hint` names another server than `server`, an ancestor of `v`: replaces it by that of
 * the nearest ancestor that names this one, if there is one.
 */
static void
correct_hint(struct tmux_hint *hint, const struct cursor *v, const struct process *server)
{
	struct tmux_hint found = *hint;
	struct process process;

	if (v->tty[0] != '\0' && begin_walk(&process, v->pid))
		while (found.address.server != server->pid && process_step_up(&process) &&
		    process.pid != server->pid)
			take_ancestor_hint(&found, &process);
	if (found.address.server == server->pid)
		*hint = found;
}

/* Whether it shows a terminal that it made in its own: sudo's use_pty, su's --pty. */
static bool
relays_terminal(const struct process *p)
{
	static const char *const names[] = { "sudo", "su", "runuser", "script" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(p->name, names[i]) == 0)
			return true;
	return false;
}

bool
hops_terminal(const struct cursor *v, struct process *terminal)
{
	struct ancestor found = { .kind = ANCESTOR_NONE };
	char tty[DEVICE_NAME];

	if (v->pid <= 0 || !process_read(&found.process, v->pid))
		return false;
	do {
		text_copy(tty, sizeof(tty), found.process.tty);
		if (!process_step_up(&found.process))
			return false;
		classify_ancestor(&found, v->tty);
		if (found.kind == ANCESTOR_NONE && strcmp(found.process.tty, tty) != 0 &&
		    !relays_terminal(&found.process))
			return false;
	} while (found.kind == ANCESTOR_NONE);
	*terminal = found.process;
	return found.kind == ANCESTOR_END &&
	    terminal_by_process(terminal->name) != NULL;
}

/* ---- hops --------------------------------------------------------------- */

static struct origin
origin_of(const struct cursor *v)
{
	return (struct origin){ v->own ? SOURCE_ENVIRONMENT : SOURCE_ANCESTOR,
		v->owner };
}

/* Adds a hop known from the environment at the cursor. */
static struct hop *
add_hop_of_environment(struct path *path, const struct cursor *v, enum hop_kind kind,
    const char *name)
{
	struct hop *hop = &path->hop[path->hops++];

	*hop = (struct hop){ .kind = kind, .origin = origin_of(v) };
	text_copy(hop->name, sizeof(hop->name), name);
	return hop;
}

/* Adds a hop found as a running process. */
static struct hop *
add_hop_of_process(struct path *path, enum hop_kind kind, const struct process *process)
{
	struct hop *hop = &path->hop[path->hops++];

	*hop = (struct hop){ .kind = kind, .origin = { SOURCE_PROCESSES, geteuid() } };
	process_owner(process->pid, &hop->origin.owner);
	text_copy(hop->name, sizeof(hop->name), process->name);
	return hop;
}

/* TMUX names a server that is not on this path; `error` says why. */
static void
note_stale_tmux(struct path *path, const struct error *error)
{
	text_format(path->stale, sizeof(path->stale), "%s (%s)",
	    error->status == STATUS_REFUSED ?
	    "TMUX names a server that must not be asked" :
	    "TMUX is ignored: its server does not answer", error->message);
}

/*
 * Stores the terminal of this name if we may write to it. The name comes from a server or
 * process of `owner`, and the terminal must be that user's, because group tty and root
 * may write to everybody's. False: `device` is unchanged.
 */
static bool
take_device(struct tty_device *device, const char *tty, uid_t owner)
{
	const struct tty_device announced = device_announced(tty, owner);
	bool fine = device_check(&announced) == NULL;

	if (fine)
		*device = announced;
	return fine;
}

/* Moves the cursor to the client that shows us, and to its process. */
static bool
step_over_tmux(struct cursor *v, struct hop *hop)
{
	const struct tmux *tmux = &hop->tmux;
	struct process client;
	uid_t owner;

	if (!tmux->has_client)
		return false;
	take_device(&hop->outer, tmux->client.tty, tmux->owner);
	/* in a container the PID may be that of another process, and the server's owner
	   must not choose another user's environment */
	if (process_read(&client, tmux->client.pid) &&
	    strcmp(client.tty, tmux->client.tty) == 0 &&
	    process_owner(client.pid, &owner) && owner == tmux->owner)
		move_to(v, client.pid, client.tty, owner);
	else
		move_to(v, 0, tmux->client.tty, geteuid());
	v->term = text_begins(tmux->client.type, "tmux") ? "tmux" :
	    tmux->client.term;
	return true;
}

/* Known only from TERM: can be neither asked nor bypassed. False, as for a step. */
static bool
add_hop_of_term(struct path *path, const struct cursor *v)
{
	const struct multiplexer *row = multiplexer_by_term(cursor_term(v));

	if (row != NULL)
		add_hop_of_environment(path, v, row->kind == HOP_TMUX ? HOP_TMUX_UNREACHABLE :
		    (enum hop_kind)row->kind, row->id)->origin.source = SOURCE_TERM;
	return false;
}

/* Whether the pane that the server reported is the terminal at the cursor. */
static bool
shows_cursor(const struct cursor *v, const struct tmux *tmux)
{
	struct tty_device pane;

	return v->tty[0] != '\0' && strcmp(v->tty, tmux->pane_tty) == 0 &&
	    take_device(&pane, tmux->pane_tty, tmux->owner);
}

/*
 * Whether to trust the server that replied: it is an ancestor that belongs to that user,
 * or it shows our terminal, or both the server and the variable that names it are our
 * own. Any other may have been named by someone else, such as the caller of sudo, to
 * divert our text.
 */
static bool
is_trusted_server(const struct cursor *v, const struct tmux_hint *hint, pid_t server,
    const struct tmux *tmux)
{
	uid_t owner;

	if (server != 0 && process_owner(server, &owner) && owner == tmux->owner)
		return true;
	return (hint->origin.source == SOURCE_ENVIRONMENT &&
	        tmux->owner == geteuid()) ||
	    shows_cursor(v, tmux);
}

/* Uses the pane as the device if it belongs to the user of its server. */
static bool
take_pane_device(struct path *path, const struct tmux *tmux)
{
	path->source = DEVICE_PANE;
	return take_device(&path->device, tmux->pane_tty, tmux->owner);
}

/* Why a running server was not queried, and what makes that possible. */
static void
explain_unreachable(struct hop *hop, const struct tmux_hint *hint)
{
	char owner[USER_NAME];

	user_name(owner, hop->origin.owner);
	if (hop->origin.owner != geteuid()) {
		text_format(hop->why, sizeof(hop->why),
		    "it is the server of another user, %s", owner);
	} else if (hop->origin.source == SOURCE_PROCESSES) {
		text_format(hop->why, sizeof(hop->why), "%s", hint->address.server != 0 ?
		    "TMUX names another server" :
		    "nothing in the environment names its socket");
		text_format(hop->repair, sizeof(hop->repair),
		    "run it in a new pane of that tmux");
	}
}

/* tmux(1): the server creates its socket again on SIGUSR1. */
static void
explain_unanswered(struct hop *hop, const struct tmux_hint *hint,
    const struct process *server, const struct error *error)
{
	struct stat st;

	text_format(hop->why, sizeof(hop->why), "%s", error->message);
	/* not if the user who named it may not see whether it is there */
	if (error->status == STATUS_FAILED && server != NULL &&
	    hop->origin.owner == geteuid() &&
	    lstat(hint->address.socket, &st) != 0 && errno == ENOENT)
		text_format(hop->repair, sizeof(hop->repair),
		    "kill -USR1 %ld makes tmux create its socket again",
		    (long)server->pid);
}

/*
 * Queries the server of `hint`, and uses the reply only if is_trusted_server(). The
 * running `server` may be queried whoever set the variable.
 */
static bool
ask_server(struct hop *hop, const struct cursor *v, const struct tmux_hint *hint,
    const struct process *server, unsigned timeout_ms, struct error *error)
{
	struct tmux_address address = hint->address;

	address.limited = hint->origin.owner != 0;
	address.owner[0] = hint->origin.owner;
	address.owner[1] = hop->origin.owner;
	return tmux_ask(&hop->tmux, &address, hint->pane[0] != '\0' ? hint->pane : NULL,
	        timeout_ms, error) &&
	    (is_trusted_server(v, hint, server != NULL ? server->pid : 0,
	        &hop->tmux) || error_set(error, STATUS_REFUSED,
	        "it shows a terminal other than this one"));
}

/* Not if its socket is unknown or, unless we are root, another user runs it. */
static bool
can_be_asked(const struct hop *hop, const struct tmux_hint *hint,
    const struct process *server)
{
	return server == NULL || (hint->address.server == server->pid &&
	    (hop->origin.owner == geteuid() || geteuid() == 0));
}

/*
 * Steps over the server of `hint`. `server`: the ancestor that is the server, or NULL.
 * Without one the variable may be left over; if the server does not reply, it is.
 */
static bool
step_to_tmux(struct path *path, struct cursor *v, struct tmux_hint *hint,
    const struct process *server, unsigned timeout_ms)
{
	struct error error = { .status = STATUS_DONE };
	struct hop *hop = server != NULL ?
	    add_hop_of_process(path, HOP_TMUX, server) :
	    add_hop_of_environment(path, v, HOP_TMUX, "tmux");

	text_copy(hop->name, sizeof(hop->name), "tmux");
	if (server != NULL)
		correct_hint(hint, v, server);
	if (!can_be_asked(hop, hint, server)) {
		hop->kind = HOP_TMUX_UNREACHABLE;
		explain_unreachable(hop, hint);
		return false;
	}
	if (server == NULL)
		hop->origin = hint->origin;
	if (ask_server(hop, v, hint, server, timeout_ms, &error)) {
		if (path->source == DEVICE_NONE)
			take_pane_device(path, &hop->tmux);
		return step_over_tmux(v, hop);
	}
	if (server != NULL || multiplexer_by_term(cursor_term(v)) != NULL) {
		hop->kind = HOP_TMUX_UNREACHABLE;
		explain_unanswered(hop, hint, server, &error);
		return false;
	}
	path->hops--;
	note_stale_tmux(path, &error);
	return false;
}

/*
 * Screen's socket is executable for its owner while the session is attached:
 * socket.c:MakeServerSocket, attacher.c, 4.2 to 5.0. Without the socket the state is
 * unknown.
 */
static bool
screen_is_detached(const struct cursor *v)
{
	const char *session = cursor_variable(v, "STY");
	const char *own = cursor_variable(v, "SCREENDIR");
	const char *user = cursor_variable(v, "LOGNAME");
	const char *home = cursor_variable(v, "HOME");
	const char *const places[][2] = {
		{ own, "" }, { "/run/screen/S-", user },
		{ "/tmp/screens/S-", user }, { home, "/.screen" },
	};
	char path[512];
	struct stat st;
	size_t i;

	for (i = 0; session != NULL && i < sizeof(places) / sizeof(places[0]);
	    i++) {
		if (places[i][0] == NULL || places[i][1] == NULL)
			continue;
		snprintf(path, sizeof(path), "%s%s/%s", places[i][0],
		    places[i][1], session);
		if (stat(path, &st) == 0)
			return (st.st_mode & S_IXUSR) == 0;
	}
	return false;
}

/* Moves the cursor to the process that shows the hop. */
static bool
step_to_process(struct cursor *v, struct hop *hop, const struct process *outer)
{
	uid_t owner = geteuid();

	if (process_owner(outer->pid, &owner))
		take_device(&hop->outer, outer->tty, owner);
	move_to(v, outer->pid, outer->tty, owner);
	return true;
}

static bool
step_over_screen(struct path *path, struct cursor *v, struct process *server)
{
	struct hop *hop = add_hop_of_process(path, HOP_SCREEN, server);

	text_copy(hop->name, sizeof(hop->name), "screen");
	hop->detached = screen_is_detached(v);
	/*
	 * The parent of Screen's server is the client that started it, while that is
	 * attached. After a re-attachment the client is unknown.
	 */
	return process_step_up(server) && strcmp(server->name, "screen") == 0 &&
	    server->tty[0] != '\0' && step_to_process(v, hop, server);
}

static bool
step_over_editor(struct path *path, struct cursor *v, struct process *host)
{
	struct hop *hop = add_hop_of_process(path, HOP_EDITOR, host);
	struct process front = *host;

	/* neovim's core has no terminal; its UI process has */
	if (front.tty[0] == '\0' && process_step_up(&front) &&
	    strcmp(front.name, host->name) == 0)
		*host = front;
	return host->tty[0] != '\0' && step_to_process(v, hop, host);
}

static bool
step_to_ancestor_tty(struct path *path, struct cursor *v,
    const struct process *ancestor)
{
	uid_t owner;

	if (!process_owner(ancestor->pid, &owner))
		return false;
	path->source = DEVICE_ANCESTOR;
	path->device = device_announced(ancestor->tty, owner);
	text_copy(path->ancestor, sizeof(path->ancestor), ancestor->name);
	move_to(v, ancestor->pid, ancestor->tty, owner);
	return true;
}

/* dtach's server outlives the terminal it was started on. False, as for a step. */
static bool
explain_hidden_outside(struct path *path, const struct process *end)
{
	struct hop *last = path->hops > 0 ? &path->hop[path->hops - 1] : NULL;

	if (last != NULL && last->origin.source == SOURCE_TERM && last->why[0] == '\0' &&
	    (strcmp(end->name, "dtach") == 0 || strcmp(end->name, "abduco") == 0))
		text_format(last->why, sizeof(last->why),
		    "%s does not tell which terminal shows it", end->name);
	return false;
}

/* Without an ancestor that is a hop: the child of a daemon, or no /proc. */
static bool
step_by_environment(struct path *path, struct cursor *v,
    struct tmux_hint *hint, unsigned timeout_ms)
{
	if (hint->address.server != 0)
		return step_to_tmux(path, v, hint, NULL, timeout_ms) ||
		    (path->hops == 0 && path->source != DEVICE_NONE &&
		        add_hop_of_term(path, v));
	if (cursor_variable(v, "STY") != NULL &&
	    text_begins(cursor_term(v), "screen")) {
		add_hop_of_environment(path, v, HOP_SCREEN, "screen");
		return false;
	}
	return add_hop_of_term(path, v);
}

/* Steps over the ancestor that runs the terminal at the cursor. */
static bool
step_over_hop(struct path *path, struct cursor *v, struct ancestor *found,
    struct tmux_hint *hint, unsigned timeout_ms)
{
	struct hop *hop;

	switch (found->hop) {
	case HOP_SCREEN:
		return step_over_screen(path, v, &found->process);
	case HOP_EDITOR:
		return step_over_editor(path, v, &found->process);
	case HOP_TMUX:
		return step_to_tmux(path, v, hint, &found->process, timeout_ms);
	default:
		/* nothing tells which terminal shows it */
		hop = add_hop_of_process(path, found->hop, &found->process);
		text_copy(hop->name, sizeof(hop->name),
		    multiplexer_of(found->hop, NULL)->id);
		return false;
	}
}

bool
hops_step(struct path *path, struct cursor *v, unsigned timeout_ms)
{
	struct tmux_hint hint = { .origin = origin_of(v) };
	struct ancestor found;

	if (parse_tmux_hint(&hint, cursor_variable(v, "TMUX"),
	    cursor_variable(v, "TMUX_PANE")))
		hint.origin.owner = hops_speaker(v->pid);
	find_ancestor(path, v, &found, &hint);
	switch (found.kind) {
	case ANCESTOR_HOP:
		return step_over_hop(path, v, &found, &hint, timeout_ms);
	case ANCESTOR_TTY:
		return step_to_ancestor_tty(path, v, &found.process);
	case ANCESTOR_END:
		return add_hop_of_term(path, v) || explain_hidden_outside(path, &found.process);
	case ANCESTOR_NONE:
		break;
	}
	return step_by_environment(path, v, &hint, timeout_ms);
}

bool
hops_from_pane(struct path *path, struct cursor *v,
    const char *pane, unsigned timeout_ms, struct error *error)
{
	struct tmux_hint hint;
	char name[256];

	if (!parse_tmux_hint(&hint, cursor_variable(v, "TMUX"), pane)) {
		text_format(name, sizeof(name), "pane:%s", pane);
		return error_set(error, STATUS_USAGE,
		    "%s needs TMUX in the environment", text_quote(name).text);
	}
	hint.origin = (struct origin){ SOURCE_ENVIRONMENT,
		hops_speaker(v->pid) };
	hint.address.owner[0] = hint.address.owner[1] = hint.origin.owner;
	hint.address.limited = hint.origin.owner != 0;
	path->hops = 1;
	path->hop[0] = (struct hop){ .kind = HOP_TMUX, .name = "tmux",
	    .origin = hint.origin };
	if (!tmux_ask(&path->hop[0].tmux, &hint.address, hint.pane, timeout_ms,
	    error)) {
		error->status = STATUS_NO_TERMINAL;
		return false;
	}
	if (path->hop[0].tmux.pane_tty[0] == '\0') {
		error_set(error, STATUS_NO_TERMINAL, "tmux has no pane %s",
		    text_quote(pane).text);
		return error_hint(error, "tmux list-panes -a -F '#{pane_id} "
		    "#{pane_current_command}' lists them");
	}
	if (!take_pane_device(path, &path->hop[0].tmux))
		return error_set(error, STATUS_NO_TERMINAL, "the terminal of pane %s, "
		    "%s, does not belong to the user of its tmux server",
		    text_quote(pane).text, path->hop[0].tmux.pane_tty);
	if (!step_over_tmux(v, &path->hop[0]))
		v->pid = -1;
	return true;
}
