/* SPDX-License-Identifier: MIT */
/*
 * Detects the path: the nearest device, the hops from there to the terminal, and which
 * terminal it is. The contract is in detect.h.
 */
#include "detect/detect.h"

#include "base/text.h"
#include "detect/desktop.h"
#include "detect/environment.h"
#include "detect/hops.h"
#include "detect/identify.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- the device --------------------------------------------------------- */

/* A standard stream, which need not be a terminal. */
static bool
stand_on_stream(struct path *path, struct cursor *v, int fd,
    enum device_source source)
{
	path->source = source;
	path->fd = fd;
	text_copy(path->device.name, DEVICE_NAME,
	    source == DEVICE_STDOUT ? "stdout" : "stderr");
	if (!device_name(v->tty, fd))
		v->pid = -1;
	return true;
}

/* Any other device is taken as the terminal itself. */
static bool
stand_on_device(struct path *path, struct cursor *v, const char *name,
    struct error *error)
{
	char own[DEVICE_NAME];
	struct tty_device device;
	const char *why = NULL;

	if (device_named(&device, name, &why))
		path->fd = device_open(&device, false, &why);
	if (path->fd < 0)
		return error_set(error, STATUS_NO_TERMINAL,
		    "cannot open the terminal %s: %s", text_quote(name).text, why);
	path->source = DEVICE_ASKED_FOR;
	path->device = device;
	if (!device_name(v->tty, path->fd) || !device_controlling(own) ||
	    strcmp(v->tty, own) != 0)
		v->pid = -1;
	return true;
}

static void
stand_on_controlling(struct path *path, struct cursor *v)
{
	const struct tty_device device = { .name = "/dev/tty" };

	path->fd = device_open(&device, false, NULL);
	if (path->fd < 0) {
		snprintf(path->tried, sizeof(path->tried), "/dev/tty (%s)",
		    strerror(errno));
		return;
	}
	path->source = DEVICE_CONTROLLING;
	path->device = device;
	/* its real name is looked up only if it is needed */
	text_copy(v->tty, sizeof(v->tty), path->device.name);
}

static bool
stand(struct path *path, struct cursor *v, const char *tty,
    unsigned timeout_ms, struct error *error)
{
	if (tty == NULL) {
		stand_on_controlling(path, v);
		return true;
	}
	if (strcmp(tty, "stdout") == 0)
		return stand_on_stream(path, v, STDOUT_FILENO, DEVICE_STDOUT);
	if (strcmp(tty, "stderr") == 0)
		return stand_on_stream(path, v, STDERR_FILENO, DEVICE_STDERR);
	if (text_begins(tty, "pane:"))
		return hops_from_pane(path, v, tty + strlen("pane:"),
		    timeout_ms, error);
	return stand_on_device(path, v, tty, error);
}

/* The name of a terminal may be a variable's, which the user does not see. */
static bool
stand_where_asked(struct path *path, struct cursor *v, const char *tty,
    unsigned timeout_ms, struct error *error)
{
	bool set = tty != NULL && tty == environment_get("VIATTY_TTY");
	struct error cause;

	if (stand(path, v, tty, timeout_ms, error))
		return true;
	if (!set && error->status != STATUS_USAGE)
		return false;
	cause = *error;
	error_set(error, cause.status, "%s %s", set ? "VIATTY_TTY in the environment:" :
	    "--tty", cause.message);
	return error_hint(error, "%s", cause.hint);
}

/* Why tmux led to no terminal, if known. */
static const char *
why_not_tmux(const struct path *path)
{
	if (path->hops > 0 && path->hop[0].why[0] != '\0')
		return path->hop[0].why;
	if (environment_get("TMUX") == NULL)
		return "TMUX is not set";
	return path->stale;
}

bool
detect_ssh_without_terminal(void)
{
	/* sshd sets the first for every session, the second for one with a terminal */
	return environment_get("SSH_CONNECTION") != NULL &&
	    environment_get("SSH_TTY") == NULL;
}

static bool
no_terminal(const struct path *path, struct error *error)
{
	const char *ssh = environment_get("SSH_TTY"), *why = why_not_tmux(path);

	error_set(error, STATUS_NO_TERMINAL,
	    "no terminal can be reached: tried %s, tmux%s%s%s, and every process that "
	    "started this one%s%s%s", path->tried, why[0] != '\0' ? " (" : "", why,
	    why[0] != '\0' ? ")" : "", path->refused,
	    ssh != NULL ? "; SSH_TTY is none of theirs: " : "",
	    ssh != NULL ? text_quote(ssh).text : "");
	return error_hint(error, "%s with --tty DEVICE or VIATTY_TTY; --tty stdout "
	    "writes to standard output", detect_ssh_without_terminal() ?
	    "use ssh -t, or name a terminal" : "name one");
}

/* ---- the terminal ------------------------------------------------------- */

/* The real name of the terminal tells whether an editor runs on it or around it. */
static void
place_cursor(const struct path *path, struct cursor *end)
{
	if (path->source == DEVICE_CONTROLLING && path->hops == 0)
		device_name(end->tty, path->fd);
}

static const char *
variable_of(void *cursor, const char *name)
{
	return cursor_variable(cursor, name);
}

static void
read_environment(struct path *path, struct cursor *v)
{
	const char *peer = cursor_variable(v, "SSH_CONNECTION");

	path->terminal = path->by_environment = terminal_by_environment(variable_of, v);
	path->terminal_name = path->terminal != NULL ?
	    terminal_environment_name(path->terminal, variable_of, v) : NULL;
	text_copy(path->environment_version, sizeof(path->environment_version),
	    terminal_environment_version(path->terminal, variable_of, v));
	text_clean(path->environment_version);
	text_copy(path->term, sizeof(path->term), cursor_term(v));
	text_clean(path->term);
	path->remote = peer != NULL;
	/* "CLIENT PORT SERVER PORT", ssh(1) */
	if (peer != NULL && strcspn(peer, " ") < sizeof(path->peer))
		memcpy(path->peer, peer, strcspn(peer, " "));
	text_clean(path->peer);
	if (path->hops > 0 && path->hop[path->hops - 1].kind == HOP_TMUX)
		identify_from_reply(path, path->hop[path->hops - 1].tmux.client.type);
}

/*
 * Without variables and a reply, as under sudo whose use_pty passes no replies on, the
 * process that runs the terminal still tells which one it is. Behind a hop the variables
 * are those of its client, which sudo has not removed.
 */
static void
identify_by_process(struct path *path, struct cursor *end)
{
	struct process process;

	if (path->source != DEVICE_CONTROLLING || path->hops > 0 ||
	    path->terminal != NULL || path->remote)
		return;
	place_cursor(path, end);
	if (hops_terminal(end, &process))
		path->terminal = terminal_by_process(process.name);
}

/* ---- instead of the terminal ---------------------------------------------- */

/* Whether the terminal is known not to support one of these features. */
static bool
lacks_feature(const struct path *path, unsigned features)
{
	unsigned f;

	for (f = 0; f < FEATURE_COUNT; f++)
		if ((features & FEATURE_BIT(f)) != 0 && path_lacks(path, (enum feature)f))
			return true;
	return false;
}

/* The features that desktop tools have too. */
static const unsigned replaceable = FEATURE_BIT(FEATURE_COPY) |
    FEATURE_BIT(FEATURE_PRIMARY) | FEATURE_BIT(FEATURE_PASTE) |
    FEATURE_BIT(FEATURE_NOTIFY9) | FEATURE_BIT(FEATURE_NOTIFY777) |
    FEATURE_BIT(FEATURE_NOTIFY99);

/* Reads /proc only if the terminal lacks a feature. */
static void
look_for_desktop(struct path *path, struct cursor *end,
    const struct detect_request *request)
{
	unsigned features = request->features != 0 ? request->features : replaceable;
	bool forced = request->desktop == DETECT_DESKTOP_FORCED;

	if (request->desktop == DETECT_DESKTOP_NOT || (!forced &&
	    !lacks_feature(path, features & replaceable)))
		return;
	place_cursor(path, end);
	path->desktop = desktop_find(path, end, path_terminal(path), forced);
}

/* ---- detect_path() --------------------------------------------------------- */

bool
detect_path(struct path *path, const struct detect_request *request,
    struct error *error)
{
	struct cursor v = { .pid = getpid(), .own = true,
	    .owner = geteuid() };
	unsigned timeout_ms = request->timeout_ms != 0 ? request->timeout_ms :
	    TMUX_TIMEOUT_MS;
	bool fine = true;

	*path = (struct path){ .fd = -1, .named = request->terminal,
	    .named_as = request->terminal_name };
	if (!stand_where_asked(path, &v, request->tty, timeout_ms, error))
		return false;
	if (v.pid >= 0 && (!request->device_only || path->source == DEVICE_NONE) &&
	    hops_hinted(&v)) {
		if (path->source == DEVICE_CONTROLLING)
			device_name(v.tty, path->fd);
		while (path->hops < HOPS_MAX &&
		    hops_step(path, &v, timeout_ms) && hops_hinted(&v))
			continue;
	}
	if (v.pid >= 0)
		read_environment(path, &v);
	identify_path(path, request);
	identify_by_process(path, &v);
	look_for_desktop(path, &v, request);
	if (path->source == DEVICE_NONE)
		fine = no_terminal(path, error);
	buf_free(&v.environment);
	return fine;
}
