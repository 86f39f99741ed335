/* SPDX-License-Identifier: MIT */
/*
 * The desktop that shows the terminal: the process of the terminal, its display, and the
 * desktop tools.
 */
#include "detect/path.h"

#include "base/base.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- displays ------------------------------------------------------------ */

/*
 * The socket and the description of the display that a variable names. Returns false if it
 * names none on this machine. `path` is "" for a desktop without a socket.
 */
static bool
find_socket(const struct cursor *at, enum desktop_id id, char path[DESKTOP_PATH],
    char where[DESKTOP_WHERE])
{
	const char *value = cursor_variable(at, desktop_kinds[id].variables[0]);
	const char *folder = cursor_variable(at, "XDG_RUNTIME_DIR"), *rest;
	char number[8];
	unsigned long ignored;

	path[0] = '\0';
	if (value == NULL || value[0] == '\0')
		return false;
	switch (id) {
	case DESKTOP_WAYLAND:
		text_format(where, DESKTOP_WHERE, "Wayland display %s", value);
		if (value[0] == '/')
			return text_copy(path, DESKTOP_PATH, value);
		text_format(path, DESKTOP_PATH, "%s/%s", folder != NULL ? folder : "", value);
		return folder != NULL && folder[0] == '/';
	case DESKTOP_X11:
		/* ":1" and ":1.0": a host name means another machine, or ssh -X */
		text_format(number, sizeof(number), "%.*s", (int)strcspn(value + 1, "."),
		    value + 1);
		text_format(path, DESKTOP_PATH, "/tmp/.X11-unix/X%s", number);
		text_format(where, DESKTOP_WHERE, "X11 display %s", value);
		return value[0] == ':' && text_number(number, 65535, &ignored);
	case DESKTOP_BUS:
		if (!text_begins(value, "unix:path="))
			return false;
		value += strlen("unix:path=");
		rest = value + strcspn(value, ",;");
		text_format(path, DESKTOP_PATH, "%.*s", (int)(rest - value), value);
		text_format(where, DESKTOP_WHERE, "session bus");
		/* the tool would also try a second address, which is not checked here */
		return path[0] == '/' && (*rest == '\0' || (text_begins(rest, ",guid=") &&
		    rest[1 + strcspn(rest + 1, ",;")] == '\0'));
	default:
		text_format(where, DESKTOP_WHERE, "%s", desktop_kinds[id].name);
		return true;
	}
}

/*
 * Whether the socket is ours. An X server that a display manager started is root's. libxcb tries
 * the abstract socket of that name first, which must be free, or belong to one of the two.
 */
static bool
is_our_socket(const char *path, enum desktop_id id)
{
	struct stat st;
	uid_t owner;
	pid_t pid;

	if (lstat(path, &st) != 0 || !S_ISSOCK(st.st_mode))
		return false;
	if (id != DESKTOP_X11 || (st.st_uid != geteuid() && st.st_uid != 0))
		return st.st_uid == geteuid();
	return !compat_listener(path, true, &pid, &owner) || owner == geteuid() || owner == 0;
}

static bool
find_displays(struct desktop *desktop, const struct cursor *at)
{
	char path[DESKTOP_PATH];
	const char *name, *value;
	bool found = false;
	enum desktop_id id;
	size_t i;

	for (id = 0; id < DESKTOPS; id++) {
		desktop->has[id] = find_socket(at, id, path, desktop->where[id]) &&
		    (path[0] == '\0' || is_our_socket(path, id));
		text_clean(desktop->where[id]);
		found = found || desktop->has[id];
		for (i = 0; i < DESKTOP_VARIABLES && desktop->has[id]; i++) {
			name = desktop_kinds[id].variables[i];
			value = name != NULL ? cursor_variable(at, name) : NULL;
			/* in an environment the name precedes it */
			if (value != NULL)
				desktop->variable[id][i] = value - strlen(name) - 1;
		}
	}
	return found;
}

/* ---- tools --------------------------------------------------------------- */

/* A tool may be a symbolic link to viatty, which would then call itself. */
static bool
is_viatty(const char *path, const struct stat *st)
{
	char real[PATH_MAX], self[PROCESS_PATH];
	const char *name;
	struct stat own;

	if (process_program(self, getpid()) && stat(self, &own) == 0 &&
	    own.st_dev == st->st_dev && own.st_ino == st->st_ino)
		return true;
	if (realpath(path, real) == NULL)
		return true;
	name = strrchr(real, '/') + 1;
	return strcmp(name, "viatty") == 0 || strcmp(name, "osc52") == 0;
}

/* Fills `path` with the first executable file of that name, or with "". */
static void
find_program(char path[DESKTOP_PATH], const char *name)
{
	const char *folders = environment_get("PATH");
	struct stat st;

	while (program_candidate(path, DESKTOP_PATH, &folders, name))
		if (path[0] == '/' && stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
		    access(path, X_OK) == 0 && !is_viatty(path, &st))
			return;
	path[0] = '\0';
}

/* ---- the terminal -------------------------------------------------------- */

/* The displays in the environment of the terminal. Returns why they are not used, or NULL. */
static const char *
find_its_displays(struct desktop *desktop, const struct process *inside)
{
	static struct cursor at;
	const struct process *terminal = desktop->terminal;
	const char *elsewhere;

	/* rxvt-unicode, which had the group utmp, is hidden, but not what it set for its child */
	if (!process_environment(&at.environment, terminal) &&
	    process_ids(terminal)->owner == geteuid()) {
		while (process_parent(inside) != terminal)
			inside = process_parent(inside);
		terminal = inside;
		process_environment(&at.environment, terminal);
	}
	elsewhere = process_elsewhere(terminal->pid);
	if (elsewhere != NULL)
		return elsewhere;
	if (at.environment.len == 0)
		return "the environment of the terminal cannot be read";
	if (terminal_by(terminals, BY_PROCESS, desktop->terminal->name) == NULL &&
	    cursor_variable(&at, "SSH_CONNECTION") != NULL)
		return "the terminal is unknown, and was started over ssh";
	return find_displays(desktop, &at) ? NULL :
	    "the terminal names no display of this user on this machine";
}

/* The process of the terminal, or NULL if the desktop of that is unknown. */
static const struct process *
find_terminal(struct path *path)
{
	const struct terminal *expected = path->end.terminal, *row = NULL;
	bool near = path->source == DEVICE_CONTROLLING || path->source == DEVICE_PANE ||
	    path->source == DEVICE_ANCESTOR || path->source == DEVICE_LAST;
	const struct process *p;
	size_t i;

	/* unless all hops can be bypassed, the terminal may be on any machine */
	for (i = 0; i < path->hops; i++)
		near = near && path->hop[i].outer.name[0] != '\0';
	p = near ? hops_terminal(path, &row) : NULL;
	/* its reply may name only its library; a server's page may be on any machine, too */
	return p == NULL || (row == NULL ? terminal_quirk(expected, "", QUIRK_NO_RELAY) != NULL :
	    expected != NULL && row != expected && strcmp(row->engine, expected->id) != 0) ?
	    NULL : p;
}

const struct desktop *
desktop_find(struct path *path)
{
	static struct desktop desktop;
	const struct cursor own = { .own = true };
	const bool trusted = environment_is_ours();
	size_t i;

	desktop = (struct desktop){ .refusal = "VIATTY_NATIVE=never" };
	desktop.off = text_equal(environment_get("VIATTY_NATIVE"), "never");
	if (desktop.off)
		return &desktop;
	desktop.terminal = find_terminal(path);
	if (!trusted)
		desktop.refusal = geteuid() == 0 ? "as root, viatty uses only this terminal" :
		    "another user may have started this process";
	else if (desktop.terminal == NULL)
		desktop.refusal =
		    "the terminal is not a process on this machine that started this one";
	else
		desktop.refusal = find_its_displays(&desktop, process_find(path->cursor.pid));
	if (desktop.refusal != NULL && trusted && path->given.route == ROUTE_NATIVE) {
		desktop.own = true;
		if (find_displays(&desktop, &own))
			desktop.refusal = NULL;
	}
	for (i = 0; i < DESKTOP_TOOLS && desktop.refusal == NULL; i++)
		if (desktop.has[desktop_tools[i].desktop])
			find_program(desktop.program[i], desktop_tools[i].program);
	return &desktop;
}
