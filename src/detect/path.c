/* SPDX-License-Identifier: MIT */
/*
 * Finds the path: the nearest device, the hops from there to the terminal, and the identity
 * of the terminal.
 */
#include "detect/path.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- the device --------------------------------------------------------- */

static void
use_stream(struct path *path, int fd)
{
	static const char *const names[] = { "stdin", "stdout", "stderr" };

	path->source = DEVICE_STDIN + (unsigned)fd;
	path->fd = fd;
	text_copy(path->device.name, DEVICE_NAME, names[fd]);
}

/* Opens the device, if there is one, and places the cursor on it. */
static bool
open_device(struct path *path, struct cursor *at, const char *tty, struct error *error)
{
	struct tty_device device = { .name = "/dev/tty" };
	const bool is_stdout = text_equal(tty, "stdout");
	char own[DEVICE_NAME];
	const char *why;

	if (tty == NULL) {
		path->fd = device_open(&device, path->given.looks ? O_RDONLY : O_WRONLY);
		path->failure = -path->fd;
		if (path->fd < 0)
			return true;
		path->source = DEVICE_CONTROLLING;
		path->device = device;
		/* the real name is looked up when it is needed */
		text_copy(at->tty, sizeof(at->tty), device.name);
		return true;
	}
	if (text_begins(tty, "pane:"))
		return hops_from_pane(path, at, tty, error);
	if (strcmp(tty, "last") == 0)
		return hops_from_last(path, at, error);
	if (is_stdout || strcmp(tty, "stderr") == 0) {
		/* it need not be a terminal */
		use_stream(path, is_stdout ? STDOUT_FILENO : STDERR_FILENO);
	} else {
		why = device_named(&device, tty);
		if (why == NULL) {
			path->fd = device_open(&device, O_WRONLY);
			why = device_problem(-path->fd);
		}
		if (path->fd < 0)
			return fail(error, STATUS_NO_TERMINAL,
			    "cannot open the terminal %s: %s", text_quote(tty).text, why);
		path->source = DEVICE_ASKED_FOR;
		path->device = device;
	}
	/* any other device than our own is assumed to be the terminal itself */
	if (!device_name(at->tty, path->fd) || (path->source == DEVICE_ASKED_FOR &&
	    (!device_controlling(own) || strcmp(at->tty, own) != 0)))
		at->pid = -1;
	return true;
}

/*
 * The last resort: a standard stream that is a terminal, which the caller handed over. It is only
 * written to: where it is no controlling terminal, the shell that owns it reads every reply.
 */
static bool
inherit_device(struct path *path, struct cursor *at)
{
	int fd = STDERR_FILENO;

	while (fd >= 0 && (!isatty(fd) || (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY))
		fd--;
	if (fd < 0)
		return false;
	use_stream(path, fd);
	path->hops = 0;
	cursor_move(at, NULL, "");
	device_name(at->tty, fd);
	at->pid = getpid();
	at->own = true;
	return true;
}

bool
path_ssh_without_terminal(void)
{
	/* sshd sets the first for every session, the second for one with a terminal */
	return environment_get("SSH_CONNECTION") != NULL &&
	    environment_get("SSH_TTY") == NULL;
}

static bool
no_terminal(const struct path *path, struct error *error)
{
	const char *ssh = environment_get("SSH_TTY"), *why = path->ignored_tmux;
	const char *remedy = "run it in a terminal, or name one: --tty DEVICE or VIATTY_TTY; "
	    "--tty stdout prints the sequence";
	char tmux[sizeof(path->hop[0].why) + 4] = "", other[512] = "";

	if (path->ignored_tty != NULL)
		remedy = path->ignored_tty;
	else if (path_ssh_without_terminal())
		remedy = "on the machine at the desk: viatty ssh -t HOST COMMAND; or, with a pipe "
		    "into ssh, --tty stdout here";
	else if (path->of_another)
		remedy = "su --pty, or sudo, gives that user a terminal; or name one: "
		    "--tty DEVICE";
	else if (!environment_is_ours())
		remedy = "run it in a terminal, or name one: --tty DEVICE; --tty stdout prints "
		    "the sequence";
	if (path->hops > 0 && path->hop[0].why[0] != '\0')
		why = path->hop[0].why;
	else if (environment_get("TMUX") == NULL)
		why = "TMUX is not set";
	if (why[0] != '\0')
		text_format(tmux, sizeof(tmux), " (%s)", why);
	if (ssh != NULL)
		text_format(other, sizeof(other),
		    "; SSH_TTY is not the terminal of any of them: %s", text_quote(ssh).text);
	return fail(error, STATUS_NO_TERMINAL, "no terminal can be reached: tried /dev/tty (%s), "
	    "tmux%s, and all parent processes%s%s\n"
	    "%s", strerror(path->failure), tmux, path->refused, other, remedy);
}

/* ---- the terminal ------------------------------------------------------- */

const struct terminal *
terminal_of_replies(const struct probe *probe)
{
	const struct terminal *terminal;
	char da2[PROBE_TEXT + 1];

	if (probe->version[0] != '\0')
		return terminal_by(terminals, BY_VERSION, probe->version);
	terminal = terminal_by(terminals, BY_DA3, probe->da3);
	snprintf(da2, sizeof(da2), "%sc", probe->da2);
	return terminal != NULL ? terminal : terminal_by(terminals, BY_DA2, da2);
}

void
path_take_reply(struct path *path)
{
	const struct terminal *replied = terminal_of_replies(&path->probe);
	const bool by_process = path->program[0] != '\0';

	if (replied != NULL)
		path->found = terminal_after_reply(by_process ? path->found :
		    path->by_environment, replied);
	else if (path->probe.version[0] != '\0' && !by_process)
		path->found = NULL;
	path_update_end(path);
}

/* In a pane: its other variables are those of tmux, or of the terminal that tmux was started in. */
static const char *
set_by_iterm2(const void *cursor, const char *name)
{
	return text_begins(name, "LC_TERMINAL") ? cursor_variable(cursor, name) : NULL;
}

static void
read_evidence(struct path *path, struct cursor *at)
{
	variable_getter *get = cursor_variable;
	const char *peer = cursor_variable(at, "SSH_CONNECTION");
	const struct hop *last = path->hops > 0 ? &path->hop[path->hops - 1] : NULL;
	const struct tmux_client *client = last != NULL ?
	    tmux_nearest_client(&last->tmux) : NULL;

	if (last != NULL && tmux_is_controlled(&last->tmux))
		get = set_by_iterm2;
	path->found = terminal_by_environment(get, at, &path->by_environment);
	if (path->found != NULL)
		path->by_environment = path->found;
	/* inside Emacs it is that of the terminal where Emacs was started, if any */
	if ((last != NULL && last->row->variant_of[0] != '\0' && last->outer.name[0] == '\0') ||
	    ((path->by_environment != NULL || client != NULL) && hops_outlive_terminal(at))) {
		path->found = path->by_environment = NULL;
		client = NULL;
	}
	path->found_name = path->by_environment != NULL ?
	    terminal_environment_name(path->by_environment, get, at) : NULL;
	text_copy(path->environment_version, sizeof(path->environment_version),
	    terminal_environment_version(path->by_environment, get, at));
	text_clean(path->environment_version);
	text_copy(path->term, sizeof(path->term), cursor_term(at));
	text_clean(path->term);
	path->remote = peer != NULL;
	path->names_display = cursor_variable(at, "WAYLAND_DISPLAY") != NULL ||
	    cursor_variable(at, "DISPLAY") != NULL;
	/* "CLIENT PORT SERVER PORT", ssh(1) */
	if (peer != NULL && strcspn(peer, " ") < sizeof(path->peer))
		memcpy(path->peer, peer, strcspn(peer, " "));
	text_clean(path->peer);
	if (client == NULL)
		return;
	/* the XTVERSION reply to tmux overrides the environment */
	text_copy(path->probe.version, sizeof(path->probe.version), client->type);
	path_take_reply(path);
}

/*
 * The process that runs the terminal identifies it where variables and replies are missing. So
 * it is under sudo with use_pty, which forwards no replies. If a library replied, the process
 * tells which program embeds it.
 */
static void
identify_by_process(struct path *path)
{
	const struct terminal *terminal;
	const struct process *process = hops_terminal(path, &terminal);

	if (process == NULL)
		return;
	path->found = path->found == NULL ? terminal :
	    terminal_after_reply(terminal, path->found);
	if (terminal == NULL || terminal != path->found)
		return;
	text_copy(path->program, sizeof(path->program), process->name);
	path->found_name = terminal_process_name(terminal, process->name);
}

/*
 * VIATTY_OUTER_TMUX of the terminal's end of the path states what a tmux whose server is
 * unreachable passes. It replaces what is unknown, not what the tmux replied.
 */
static void
heed_statement(struct path *path)
{
	const char *stated = cursor_variable(&path->cursor, "VIATTY_OUTER_TMUX");
	struct hop *hop = &path->hop[path->hops > 0 ? path->hops - 1 : 0];
	const struct tmux_client *inside = path->hops > 1 ?
	    tmux_nearest_client(&hop[-1].tmux) : NULL;
	bool all;

	if (path->hops == 0 || !hop_is_unreachable(hop))
		return;
	/* the cursor may be at an ancestor in the same pane */
	if (stated == NULL && path->hops == 1)
		stated = environment_get("VIATTY_OUTER_TMUX");
	/* what a relay in a pane of it added to its name */
	if (inside != NULL) {
		hop->notifies = strstr(inside->type, RELAY_NOTIFIES) != NULL;
		hop->relayed = strstr(inside->type, RELAY_NAME) != NULL;
	}
	if (hop->relayed)
		hop->tmux.set_clipboard = SET_CLIPBOARD_ON;
	all = text_equal(stated, "all");
	if (!all && !text_equal(stated, "copies"))
		return;
	hop->stated = all ? "all" : "copies";
	hop->row = terminal_by(multiplexers, BY_ID, "tmux");
	if (all && hop->tmux.passthrough == PASSTHROUGH_UNKNOWN)
		hop->tmux.passthrough = PASSTHROUGH_ON;
	if (!all && hop->tmux.set_clipboard == SET_CLIPBOARD_UNKNOWN)
		hop->tmux.set_clipboard = SET_CLIPBOARD_ON;
}

/* ---- the path --------------------------------------------------------------- */

void
path_begin(struct path *path, const struct given *given)
{
	/* the hops are set when they are added */
	memset(path, 0, offsetof(struct path, hop));
	path->fd = -1;
	path->given = *given;
	path_update_end(path);
}

bool
path_find(struct path *path, const struct given *given, struct error *error)
{
	struct cursor *at = &path->cursor;
	const bool by_variable = given->tty != NULL && given->tty == environment_get("VIATTY_TTY");
	char own[DEVICE_NAME];

	path_begin(path, given);
	*at = (struct cursor){ .pid = getpid(), .own = true,
		.timeout_ms = given->timeout_ms != 0 ? given->timeout_ms : TMUX_TIMEOUT_MS };
	process_forget();
	if (by_variable && !environment_is_ours())
		path->ignored_tty = geteuid() == 0 ?
		    "VIATTY_TTY is ignored: as root, viatty uses only this terminal; "
		    "--tty DEVICE names any other" :
		    "VIATTY_TTY is ignored: another user may have set it; --tty DEVICE names any "
		    "terminal";
	if (!open_device(path, at, path->ignored_tty != NULL ? NULL : given->tty, error)) {
		/* name the option or the variable, which the user may have forgotten */
		if (by_variable)
			fail(error, error->status, "VIATTY_TTY in the environment: %s",
			    error->text);
		else if (error->status == STATUS_USAGE)
			fail(error, error->status, "--tty: %s", error->text);
		return false;
	}
	if (at->pid >= 0 && (given->chain == NULL || path->source == DEVICE_NONE))
		hops_walk(path, at);
	if (path->source == DEVICE_NONE && inherit_device(path, at) && given->chain == NULL)
		hops_walk(path, at);
	if (at->pid >= 0)
		read_evidence(path, at);
	path->in_pane = path->source == DEVICE_CONTROLLING && path->hops > 0 &&
	    path->hop[0].tmux.reachable && device_name(own, path->fd) &&
	    strcmp(own, path->hop[0].tmux.pane_tty) == 0;
	path_update_end(path);
	return path->source != DEVICE_NONE || no_terminal(path, error);
}

bool
path_learn(struct path *path, unsigned needs)
{
	unsigned need;

	for (need = 1; need <= NEED_STATEMENT; need <<= 1) {
		if ((needs & ~path->queried.tried & need) == 0)
			continue;
		if (need == NEED_PROCESS)
			identify_by_process(path);
		else if (need == NEED_DESKTOP)
			path->desktop = desktop_find(path);
		else if (need == NEED_STATEMENT)
			heed_statement(path);
		else if (!identify(path, (enum need)need))
			continue;
		/* identify() has marked the others */
		if (need > NEED_QUERIES)
			path->queried.tried |= need;
		path_update_end(path);
		return true;
	}
	return false;
}

void
path_free(struct path *path)
{
	if (path->fd > STDERR_FILENO)
		close(path->fd);
	path->fd = -1;
	buf_free(&path->cursor.environment);
}

/* ---- properties of a path -------------------------------------------------------- */

enum support
hop_forwards(const struct hop *hop, unsigned feature)
{
	const char *version = hop->tmux.version;

	return terminal_passes(hop->row, version[0] != '\0' ? version : NEWEST, feature);
}

bool
hop_returns_replies(const struct hop *hop)
{
	return hop->row->kind == HOP_SCREEN && !hop->detached && !hop->multiuser;
}

bool
hop_is_unreachable(const struct hop *hop)
{
	return (hop->row->kind == HOP_TMUX || hop->row->kind == HOP_TMUX_OR_SCREEN) &&
	    !hop->tmux.reachable;
}

void
path_device(char name[DEVICE_NAME], const struct path *path)
{
	if (path->source != DEVICE_CONTROLLING || !device_name(name, path->fd))
		text_copy(name, DEVICE_NAME, path->device.name);
}

/* Of a terminal whose library shows progress, not every program does. */
static enum support
shows_progress(const struct path *path)
{
	const struct end *end = &path->end;
	const struct quirk *only = terminal_quirk(end->terminal, end->version, QUIRK_PROGRESS);
	const char *program = path->program;

	if (only == NULL || text_lists(only->text, program, strlen(program)))
		return SUPPORT_YES;
	return program[0] == '\0' ? SUPPORT_UNKNOWN : SUPPORT_NO;
}

/* What it can do of a copy, as the table says, with the settings that it reported. */
static enum support
copies_with_settings(const struct path *path, enum support by_table)
{
	const struct terminal *terminal = path->end.terminal;
	const enum support setting = path->end.can[FEATURE_COPY].allowed;

	if (path->end.relayed)
		return SUPPORT_YES;
	if (by_table != SUPPORT_YES && by_table != SUPPORT_OFF)
		return by_table;
	if (setting != SUPPORT_UNKNOWN)
		return setting;
	/* it has no XTVERSION, and no 52 in its DA1 reply: it is older, or copying is off */
	return by_table == SUPPORT_YES && terminal == path->found &&
	    terminal->copy_in_da1[0] != '\0' && terminal->version[0] == '\0' &&
	    path->probe.da1[0] != '\0' ? SUPPORT_UNKNOWN : by_table;
}

/* Sets what the end can do, from its row, its version and its replies. */
static void
resolve_end(struct path *path)
{
	struct end *end = &path->end;
	const struct terminal *terminal = end->terminal, *library;
	const struct probe *probe = &path->probe;
	const struct hop *near = path->hop, *last = near + (path->hops > 0 ? path->hops - 1 : 0);
	const bool is_found = terminal == path->found;
	const bool newest = path->given.terminal != NULL && end->version[0] == '\0';
	struct ability *can = end->can;
	enum support setting;
	unsigned i;

	setting = !is_found ? SUPPORT_UNKNOWN : probe->allows_copy != SUPPORT_UNKNOWN ?
	    probe->allows_copy : terminal_copy_allowed(terminal, end->version, probe->da1);
	end->notifies = (path->hops > 0 && last->notifies) ||
	    strstr(probe->version, RELAY_NOTIFIES) != NULL;
	for (i = 0; i < FEATURE_COUNT; i++) {
		can[i].newest = terminal != NULL ? (enum support)terminal->support[i].support :
		    SUPPORT_UNKNOWN;
		can[i].by_table = terminal_support(terminal, end->version, i);
		can[i].does = newest ? can[i].newest : can[i].by_table;
		can[i].allowed = SUPPORT_UNKNOWN;
	}
	end->relayed = (path->hops > 0 && last->relayed) ||
	    strstr(probe->version, RELAY_NAME) != NULL ||
	    (can[FEATURE_COPY].newest != SUPPORT_YES && can[FEATURE_COPY].newest != SUPPORT_OFF &&
	    setting == SUPPORT_YES);
	can[FEATURE_COPY].allowed = setting;
	/* DA1 reports kitty's write-clipboard, not write-primary (window.py, da1) */
	if (setting != SUPPORT_OFF || probe->allows_copy != SUPPORT_UNKNOWN)
		can[FEATURE_PRIMARY].allowed = setting;
	for (i = FEATURE_COPY; i <= FEATURE_PRIMARY; i++)
		can[i].does = copies_with_settings(path, can[i].does);
	if (is_found && probe->allows_title_stack != SUPPORT_UNKNOWN)
		can[FEATURE_TITLE_STACK].does = probe->allows_title_stack;
	/* Zellij translates OSC 99 to a protocol that its terminal supports */
	if (probe->knows_99 || end->notifies || (can[FEATURE_NOTIFY99].does == SUPPORT_UNKNOWN &&
	    path->hops > 0 && near->row->interprets &&
	    hop_forwards(near, FEATURE_NOTIFY99) == SUPPORT_YES))
		can[FEATURE_NOTIFY99].does = SUPPORT_YES;
	if (can[FEATURE_PROGRESS].does == SUPPORT_YES)
		can[FEATURE_PROGRESS].does = shows_progress(path);
	library = terminal_by(terminals, BY_VERSION, probe->version);
	end->bytes = terminal != NULL && library != NULL && is_found &&
	    strcmp(terminal->engine, library->id) == 0 ? terminal_bytes(library, probe->version) :
	    terminal_bytes(terminal, end->version);
}

void
path_update_end(struct path *path)
{
	const struct terminal *given = path->given.terminal;
	const bool is_found = given == NULL || given == path->found;
	const bool replied = path->found != NULL && path->probe.version[0] != '\0' &&
	    terminal_by(terminals, BY_VERSION, path->probe.version) == path->found;

	path->end.terminal = given != NULL ? given : path->found;
	path->end.name = given != NULL ? path->given.terminal_name :
	    path->found == path->by_environment || path->program[0] != '\0' ?
	    path->found_name : NULL;
	path->end.version = !is_found ? "" : !replied && path->found == path->by_environment ?
	    path->environment_version : path->probe.version;
	resolve_end(path);
}

bool
path_lacks(const struct path *path, enum feature feature)
{
	/* a request may be for something else */
	return feature < FEATURE_COUNT && (path->end.can[feature].does == SUPPORT_NO ||
	    path->end.can[feature].does == SUPPORT_EMPTIES);
}

bool
path_lacks_notifications(const struct path *path)
{
	return path_lacks(path, FEATURE_NOTIFY9) && path_lacks(path, FEATURE_NOTIFY777) &&
	    path_lacks(path, FEATURE_NOTIFY99);
}

bool
path_is_dumb(const struct path *path)
{
	return strcmp(path->term, "dumb") == 0 && path->end.terminal == NULL;
}

bool
path_is_detached(const struct path *path)
{
	size_t i;

	for (i = 0; i < path->hops; i++)
		if (path->hop[i].detached)
			return true;
	return false;
}
