/* SPDX-License-Identifier: MIT */
/* The desktop that shows the terminal; the contract is in desktop.h. */
#include "detect/desktop.h"

#include "base/compat.h"
#include "base/text.h"
#include "base/user.h"
#include "detect/environment.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(DESKTOP_PATH >= sizeof("DBUS_SESSION_BUS_ADDRESS=") + 108,
    "room for the path of a socket");

/* ---- displays ------------------------------------------------------------ */

/* Whether it is a socket that belongs to `owner`, or, where allowed, to root. */
static bool
is_socket_of(const char *path, uid_t owner, bool or_root)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISSOCK(st.st_mode) &&
	    (st.st_uid == owner || (or_root && st.st_uid == 0));
}

static bool
has_wayland(const struct cursor *v, uid_t owner, char where[DESKTOP_WHERE])
{
	const char *display = cursor_variable(v, "WAYLAND_DISPLAY");
	const char *folder = cursor_variable(v, "XDG_RUNTIME_DIR");
	char path[DESKTOP_PATH];

	if (display == NULL || display[0] == '\0' ||
	    (display[0] != '/' && (folder == NULL || folder[0] != '/')))
		return false;
	text_format(path, sizeof(path), "%s%s%s", display[0] == '/' ? "" : folder,
	    display[0] == '/' ? "" : "/", display);
	text_format(where, DESKTOP_WHERE, "Wayland display %s", display);
	return is_socket_of(path, owner, false);
}

/* Whether it is the same server, or none: libxcb tries the abstract socket first. */
static bool
is_abstract_of(const char *path, uid_t owner)
{
	uid_t listener;

	return !compat_abstract_listener(path, &listener) || listener == owner ||
	    listener == 0;
}

/* ":1" and ":1.0": a host name means another machine, or ssh -X. */
static bool
has_x11(const struct cursor *v, uid_t owner, char where[DESKTOP_WHERE])
{
	const char *display = cursor_variable(v, "DISPLAY");
	char path[DESKTOP_PATH], number[8];
	unsigned long ignored;

	if (display == NULL || display[0] != ':')
		return false;
	text_format(number, sizeof(number), "%.*s", (int)strcspn(display + 1, "."),
	    display + 1);
	if (!text_number(number, 65535, &ignored))
		return false;
	text_format(path, sizeof(path), "/tmp/.X11-unix/X%s", number);
	text_format(where, DESKTOP_WHERE, "X11 display %s", display);
	/* a server started by a display manager belongs to root */
	return is_socket_of(path, owner, true) && is_abstract_of(path, owner);
}

static bool
has_bus(const struct cursor *v, uid_t owner, char where[DESKTOP_WHERE])
{
	const char *address = cursor_variable(v, "DBUS_SESSION_BUS_ADDRESS");
	char path[DESKTOP_PATH];

	if (!text_begins(address, "unix:path="))
		return false;
	address += strlen("unix:path=");
	text_format(path, sizeof(path), "%.*s", (int)strcspn(address, ",;"), address);
	text_format(where, DESKTOP_WHERE, "session bus");
	return is_socket_of(path, owner, false);
}

/* Known only by its variable: it has no socket to check. */
static bool
has_variable(const struct cursor *v, enum desktop_id id, char where[DESKTOP_WHERE])
{
	const char *value = cursor_variable(v, desktop_kind(id)->variables[0]);

	text_format(where, DESKTOP_WHERE, "%s", desktop_kind(id)->name);
	return value != NULL && value[0] != '\0';
}

static bool
has_desktop(const struct cursor *v, enum desktop_id id, uid_t owner,
    char where[DESKTOP_WHERE])
{
	switch (id) {
	case DESKTOP_WAYLAND:
		return has_wayland(v, owner, where);
	case DESKTOP_X11:
		return has_x11(v, owner, where);
	case DESKTOP_BUS:
		return has_bus(v, owner, where);
	default:
		return has_variable(v, id, where);
	}
}

/* Rejects a value that does not fit: a truncated one is wrong. */
static void
keep_variables(struct desktop *desktop, const struct cursor *v, enum desktop_id id)
{
	const char *name, *value;
	char *to;
	size_t i;

	for (i = 0; i < DESKTOP_VARIABLES; i++) {
		name = desktop_kind(id)->variables[i];
		value = name != NULL ? cursor_variable(v, name) : NULL;
		to = desktop->variable[id][i];
		to[0] = '\0';
		if (value != NULL && strlen(name) + strlen(value) + 2 <= DESKTOP_PATH)
			text_format(to, DESKTOP_PATH, "%s=%s", name, value);
	}
}

static bool
find_displays(struct desktop *desktop, const struct cursor *v)
{
	bool found = false;
	unsigned id;

	for (id = 0; id < DESKTOPS; id++) {
		desktop->has[id] = has_desktop(v, (enum desktop_id)id, desktop->owner,
		    desktop->where[id]);
		text_clean(desktop->where[id]);
		if (desktop->has[id])
			keep_variables(desktop, v, (enum desktop_id)id);
		found = found || desktop->has[id];
	}
	return found;
}

/* ---- programs ------------------------------------------------------------ */

/* A symbolic link of that name may lead to viatty, which would then call itself. */
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
find_program(char path[DESKTOP_PATH], const char *name, const char *folders)
{
	struct stat st;
	const char *end;

	for (; folders != NULL; folders = *end == ':' ? end + 1 : NULL) {
		end = folders + strcspn(folders, ":");
		if (folders[0] != '/' ||
		    (size_t)(end - folders) + strlen(name) + 2 > DESKTOP_PATH)
			continue;
		snprintf(path, DESKTOP_PATH, "%.*s/%s", (int)(end - folders), folders,
		    name);
		if (stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
		    access(path, X_OK) == 0 && !is_viatty(path, &st))
			return;
	}
	path[0] = '\0';
}

static void
find_programs(struct desktop *desktop)
{
	/* do not use our PATH for another user */
	const char *folders = desktop->owner == geteuid() ? environment_get("PATH") :
	    USER_PATH;
	const struct desktop_tool *tool;
	size_t i;

	for (i = 0; i < DESKTOP_TOOLS; i++) {
		tool = desktop_tool_at(i);
		desktop->program[i][0] = '\0';
		if (desktop->has[tool->desktop])
			find_program(desktop->program[i], tool->program, folders);
	}
}

/* ---- the terminal -------------------------------------------------------- */

/* Whether all hops can be bypassed; else the terminal may be on any machine. */
static bool
all_stepped_over(const struct path *path)
{
	size_t i;

	for (i = 0; i < path->hops; i++)
		if (path->hop[i].outer.name[0] == '\0')
			return false;
	return path->source == DEVICE_CONTROLLING || path->source == DEVICE_PANE ||
	    path->source == DEVICE_ANCESTOR;
}

/*
 * Whether we may run its tools, which run as its owner: this user or, under sudo, the
 * user who called sudo.
 */
static bool
is_ours(uid_t owner)
{
	return owner == geteuid() ||
	    (geteuid() == 0 && owner == hops_speaker(getpid()));
}

/* Reads the process of the terminal, and checks that it was not replaced meanwhile. */
static enum desktop_state
question(struct desktop *desktop, struct cursor *v)
{
	pid_t pid = desktop->terminal;
	enum process_root root;

	desktop->started = process_started(pid);
	if (!process_owner(pid, &desktop->owner) || !is_ours(desktop->owner))
		return DESKTOP_OF_ANOTHER;
	/* rxvt-unicode has the group utmp: the kernel hides its environment */
	if (!process_environment(&v->environment, pid))
		return DESKTOP_HIDDEN;
	root = process_root(pid);
	if (root != PROCESS_SAME_ROOT)
		return root == PROCESS_OTHER_ROOT ? DESKTOP_CONTAINED :
		    DESKTOP_UNTOLD;
	if (process_started(pid) != desktop->started)
		return DESKTOP_UNSEEN;
	return find_displays(desktop, v) ? DESKTOP_FOUND : DESKTOP_NO_DISPLAY;
}

static enum desktop_state
find_terminal(struct desktop *desktop, const struct path *path,
    const struct cursor *end, const struct terminal *expected)
{
	struct cursor v = { .pid = 0 };
	enum desktop_state state;
	struct process process;

	if (!all_stepped_over(path) || !hops_terminal(end, &process) ||
	    (expected != NULL && terminal_by_process(process.name) != expected))
		return DESKTOP_UNSEEN;
	desktop->terminal = process.pid;
	text_copy(desktop->process, sizeof(desktop->process), process.name);
	state = question(desktop, &v);
	buf_free(&v.environment);
	return state;
}

/* Our environment counts for us and, under sudo, for the user who called sudo. */
static bool
find_own(struct desktop *desktop)
{
	const struct cursor own = { .own = true };

	desktop->own = true;
	desktop->owner = geteuid() == 0 ? hops_speaker(getpid()) : geteuid();
	return find_displays(desktop, &own);
}

const struct desktop *
desktop_find(const struct path *path, const struct cursor *end,
    const struct terminal *expected, bool forced)
{
	static struct desktop desktop;
	const char *native = environment_get("VIATTY_NATIVE");

	desktop = (struct desktop){ .state = DESKTOP_OFF };
	if (native != NULL && strcmp(native, "never") == 0)
		return &desktop;
	desktop.state = find_terminal(&desktop, path, end, expected);
	if (desktop.state != DESKTOP_FOUND && forced && find_own(&desktop))
		desktop.state = DESKTOP_FOUND;
	if (desktop.state == DESKTOP_FOUND)
		find_programs(&desktop);
	return &desktop;
}
