/* SPDX-License-Identifier: MIT */
/*
 * Looking around; the contract is in surroundings.h.
 *
 * Variables are hints, the tree of processes is the proof. From where we
 * stand we look up our ancestors to the first that runs a terminal for those
 * below it (a tmux server, Screen, an editor...), note it as a hop, move to
 * its outer side and look again, until nothing gives a reason to.
 */
#include "route/surroundings.h"

#include "base/text.h"
#include "route/child.h"
#include "tty/tty.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *
environment_get(const char *name)
{
	return getenv(name);
}

/* Where we look from: a process, its terminal and its environment. */
struct vantage {
	pid_t pid;
	char tty[DEVICE_NAME];  /* "": none */
	bool own;               /* this very process */
	struct buf environment; /* of another one */
	const char *term;       /* what is known of TERM without it, or NULL */
};

static const char *
variable(const struct vantage *v, const char *name)
{
	return v->own ? getenv(name) : environment_value(&v->environment, name);
}

static const char *
variable_of(void *vantage, const char *name)
{
	return variable(vantage, name);
}

static const char *
term(const struct vantage *v)
{
	const char *known = v->term != NULL ? v->term : variable(v, "TERM");

	return known != NULL ? known : "";
}

static void
move_to(struct vantage *v, pid_t pid, const char *tty)
{
	v->pid = pid;
	v->own = false;
	v->term = NULL;
	text_copy(v->tty, sizeof(v->tty), tty);
	buf_free(&v->environment);
	process_environment(&v->environment, pid);
}

/* ---- hints -------------------------------------------------------------- */

/* TERMs that only something between us and the terminal sets. */
static const struct {
	const char *prefix;
	enum hop_kind kind;
	const char *name;
} inner_terms[] = {
	/* Screen puts the outer TERM behind the dot */
	{ "screen.", HOP_SCREEN, "screen" },
	{ "screen", HOP_TMUX_OR_SCREEN, "tmux or screen" },
	{ "tmux", HOP_TMUX_SILENT, "tmux" },
	{ "dvtm", HOP_HOST, "dvtm" },
	{ "eterm", HOP_HOST, "emacs" },
};

enum { INNER_TERMS = sizeof(inner_terms) / sizeof(inner_terms[0]) };

/* Which of them, or INNER_TERMS for none. */
static size_t
inner_term(const struct vantage *v)
{
	size_t i;

	for (i = 0; i < INNER_TERMS; i++)
		if (text_begins(term(v), inner_terms[i].prefix))
			break;
	return i;
}

/* Whether there is a reason to look at processes at all. */
static bool
hinted(const struct vantage *v)
{
	/*
	 * mosh-server leaves nothing behind but NCURSES_NO_UTF8_ACS; sudo and
	 * doas take the others away and leave word of themselves
	 */
	static const char *const variables[] = {
		"TMUX", "TMUX_PANE", "STY", "ZELLIJ", "NVIM", "VIM_TERMINAL",
		"INSIDE_EMACS", "DVTM", "NCURSES_NO_UTF8_ACS", "SUDO_UID",
		"DOAS_USER",
	};
	size_t i;

	/* without a TERM the environment was cleaned, as by env -i */
	if (v->tty[0] == '\0' || term(v)[0] == '\0')
		return true;
	for (i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
		if (variable(v, variables[i]) != NULL)
			return true;
	return inner_term(v) < INNER_TERMS;
}

/* ---- ancestors ---------------------------------------------------------- */

enum sight {
	SIGHT_NONE,     /* nothing up to the last ancestor that can be seen */
	SIGHT_END,      /* a terminal, sshd, a daemon: no hop of ours beyond */
	SIGHT_TTY,      /* we have no terminal, this ancestor has one */
	SIGHT_TMUX, SIGHT_SCREEN, SIGHT_ZELLIJ, SIGHT_MOSH, SIGHT_HOST
};

/* Programs that run a terminal for their children, by their process's name. */
static const struct {
	const char *name;
	bool prefix;
	enum sight sight;
} programs[] = {
	{ "tmux", true, SIGHT_TMUX },
	{ "screen", false, SIGHT_SCREEN },
	{ "zellij", false, SIGHT_ZELLIJ },
	{ "mosh-server", false, SIGHT_MOSH },
	{ "vim", true, SIGHT_HOST },
	{ "vi", false, SIGHT_HOST },
	{ "view", false, SIGHT_HOST },
	{ "gvim", false, SIGHT_HOST },
	{ "nvim", false, SIGHT_HOST },
	{ "emacs", true, SIGHT_HOST },
	{ "dvtm", false, SIGHT_HOST },
	{ "sshd", true, SIGHT_END },
	{ "dtach", false, SIGHT_END },
	{ "abduco", false, SIGHT_END },
};

static enum sight
program_sight(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		if (programs[i].prefix ? text_begins(name, programs[i].name) :
		    strcmp(name, programs[i].name) == 0)
			return programs[i].sight;
	return terminal_by_process(name) != NULL ? SIGHT_END : SIGHT_NONE;
}

/* What this ancestor means to somebody on `tty`. */
static enum sight
judge(const struct process *p, const char *tty)
{
	enum sight sight = program_sight(p->name);

	/* servers have no terminal; tmux and screen with one are clients */
	if ((sight == SIGHT_TMUX || sight == SIGHT_SCREEN) && p->tty[0] != '\0')
		sight = SIGHT_NONE;
	if (sight == SIGHT_HOST && strcmp(p->tty, tty) == 0)
		sight = SIGHT_NONE;
	if (tty[0] == '\0' && p->tty[0] != '\0' && access(p->tty, W_OK) == 0)
		sight = SIGHT_TTY;
	return sight;
}

/* A tmux address, and the pane that goes with it. */
struct tmux_trace {
	struct tmux_address address;
	char pane[TMUX_WORD]; /* "" unknown */
};

static bool
read_trace(struct tmux_trace *trace, const char *address, const char *pane)
{
	trace->pane[0] = '\0';
	if (address == NULL || !tmux_address_parse(&trace->address, address)) {
		trace->address = (struct tmux_address){ .server = 0 };
		return false;
	}
	if (pane != NULL)
		text_copy(trace->pane, sizeof(trace->pane), pane);
	return true;
}

/* sudo takes TMUX away from us, not from those who started it. */
static void
look_for_trace(struct tmux_trace *trace, pid_t pid)
{
	struct buf environment = { .max = 0 };

	if (process_environment(&environment, pid))
		read_trace(trace, environment_value(&environment, "TMUX"),
		    environment_value(&environment, "TMUX_PANE"));
	buf_free(&environment);
}

/*
 * Up the ancestors of `v` to the first that matters, which is left in
 * `found`; `trace` is completed on the way if it holds no address yet.
 */
static enum sight
look_up(const struct vantage *v, struct process *found, struct tmux_trace *trace)
{
	enum sight sight = SIGHT_NONE;

	if (!process_read(found, v->pid))
		return SIGHT_NONE;
	while (sight == SIGHT_NONE && process_step_up(found)) {
		sight = judge(found, v->tty);
		if (sight == SIGHT_NONE && trace->address.server == 0 &&
		    v->tty[0] != '\0')
			look_for_trace(trace, found->pid);
	}
	return sight;
}

/* ---- hops --------------------------------------------------------------- */

static struct hop *
add_hop(struct surroundings *s, enum hop_kind kind, const char *name)
{
	struct hop *hop = &s->hop[s->hops++];

	*hop = (struct hop){ .kind = kind };
	text_copy(hop->name, sizeof(hop->name), name);
	return hop;
}

static void
remark(struct surroundings *s, const char *what, const char *why)
{
	text_format(s->remark, sizeof(s->remark), "%s (%s)", what, why);
}

/*
 * Another user may watch our session, and group tty may write to everybody's
 * terminal: only a terminal of ours or of the server's owner is taken.
 */
static bool
is_ours(const char *tty, const char *socket)
{
	struct stat device, server;

	return stat(tty, &device) == 0 && S_ISCHR(device.st_mode) &&
	    access(tty, W_OK) == 0 && (device.st_uid == geteuid() ||
	    (stat(socket, &server) == 0 && device.st_uid == server.st_uid));
}

/* To the client that shows us, whose process tells what is around it. */
static bool
step_over_tmux(struct vantage *v, struct hop *hop)
{
	const struct tmux *tmux = &hop->tmux;
	struct process client;

	if (!tmux->has_client)
		return false;
	if (is_ours(tmux->client.tty, tmux->address.socket))
		text_copy(hop->outer_tty, sizeof(hop->outer_tty),
		    tmux->client.tty);
	/* the number may be another process's here, in a container */
	if (process_read(&client, tmux->client.pid) &&
	    strcmp(client.tty, tmux->client.tty) == 0)
		move_to(v, client.pid, client.tty);
	else
		move_to(v, 0, tmux->client.tty);
	v->term = text_begins(tmux->client.type, "tmux") ? "tmux" :
	    tmux->client.term;
	return true;
}

/* Nothing tells more than a TERM: a hop we can neither ask nor step over. */
static bool
believe_term(struct surroundings *s, const struct vantage *v)
{
	size_t i = inner_term(v);

	if (i < INNER_TERMS)
		add_hop(s, inner_terms[i].kind, inner_terms[i].name);
	return false;
}

/*
 * The server of `trace`. `certain`: it is among our ancestors. Without that
 * it may be left over from elsewhere, and if it does not answer, it is.
 */
static bool
pass_tmux(struct surroundings *s, struct vantage *v,
    const struct tmux_trace *trace, bool certain, unsigned timeout_ms)
{
	struct error error = { .status = STATUS_DONE };
	struct hop *hop = add_hop(s, HOP_TMUX, "tmux");

	if (trace->address.server == 0) {
		hop->kind = HOP_TMUX_SILENT;
		return false;
	}
	if (tmux_ask(&hop->tmux, &trace->address,
	    trace->pane[0] != '\0' ? trace->pane : NULL, timeout_ms, &error)) {
		if (s->source == DEVICE_NONE) {
			s->source = DEVICE_PANE;
			text_copy(s->device, sizeof(s->device),
			    hop->tmux.pane_tty);
		}
		return step_over_tmux(v, hop);
	}
	if (certain || inner_term(v) < INNER_TERMS) {
		hop->kind = HOP_TMUX_SILENT;
		text_format(hop->why, sizeof(hop->why), "%s", error.message);
		return false;
	}
	s->hops--;
	remark(s, "TMUX names a server that does not answer and is taken as left "
	    "over from elsewhere", error.message);
	return false;
}

/*
 * Screen's socket is executable for its owner while the session is attached:
 * socket.c:MakeServerSocket, attacher.c, 4.2 to 5.0. Where it is not found
 * nothing is known.
 */
static bool
screen_is_detached(const struct vantage *v)
{
	const char *session = variable(v, "STY"), *own = variable(v, "SCREENDIR");
	const char *user = variable(v, "LOGNAME"), *home = variable(v, "HOME");
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

static bool
pass_screen(struct surroundings *s, struct vantage *v, struct process *server)
{
	struct hop *hop = add_hop(s, HOP_SCREEN, "screen");

	hop->detached = screen_is_detached(v);
	/*
	 * Screen's server was started by the program that shows it, as long as
	 * that is attached. After a re-attachment nothing says who does.
	 */
	if (!process_step_up(server) || strcmp(server->name, "screen") != 0 ||
	    server->tty[0] == '\0')
		return false;
	text_copy(hop->outer_tty, sizeof(hop->outer_tty), server->tty);
	move_to(v, server->pid, server->tty);
	return true;
}

static bool
pass_host(struct surroundings *s, struct vantage *v, struct process *host)
{
	struct hop *hop = add_hop(s, HOP_HOST, host->name);
	struct process front = *host;

	/* neovim's core has no terminal; the process that shows it has */
	if (front.tty[0] == '\0' && process_step_up(&front) &&
	    strcmp(front.name, host->name) == 0)
		*host = front;
	if (host->tty[0] == '\0')
		return false;
	if (access(host->tty, W_OK) == 0)
		text_copy(hop->outer_tty, sizeof(hop->outer_tty), host->tty);
	move_to(v, host->pid, host->tty);
	return true;
}

static bool
pass_ancestor(struct surroundings *s, struct vantage *v,
    const struct process *ancestor)
{
	s->source = DEVICE_ANCESTOR;
	text_copy(s->device, sizeof(s->device), ancestor->tty);
	text_copy(s->ancestor, sizeof(s->ancestor), ancestor->name);
	move_to(v, ancestor->pid, ancestor->tty);
	return true;
}

/* No ancestor tells: a daemon's child, or there is no /proc. */
static bool
pass_unproved(struct surroundings *s, struct vantage *v,
    const struct tmux_trace *trace, unsigned timeout_ms)
{
	if (trace->address.server != 0)
		return pass_tmux(s, v, trace, false, timeout_ms) ||
		    (s->hops == 0 && s->source != DEVICE_NONE &&
		        believe_term(s, v));
	if (variable(v, "STY") != NULL && text_begins(term(v), "screen")) {
		add_hop(s, HOP_SCREEN, "screen");
		return false;
	}
	return believe_term(s, v);
}

/* One step outwards. False: that was the last. */
static bool
look_outwards(struct surroundings *s, struct vantage *v, unsigned timeout_ms)
{
	struct tmux_trace trace = { .pane = "" };
	struct process found;

	read_trace(&trace, variable(v, "TMUX"), variable(v, "TMUX_PANE"));
	switch (look_up(v, &found, &trace)) {
	case SIGHT_TMUX:
		if (trace.address.server != found.pid)
			trace.address.server = 0;
		return pass_tmux(s, v, &trace, true, timeout_ms);
	case SIGHT_SCREEN:
		return pass_screen(s, v, &found);
	case SIGHT_HOST:
		return pass_host(s, v, &found);
	case SIGHT_TTY:
		return pass_ancestor(s, v, &found);
	case SIGHT_ZELLIJ:
		add_hop(s, HOP_ZELLIJ, "zellij");
		return false;
	case SIGHT_MOSH:
		add_hop(s, HOP_MOSH, "mosh");
		return false;
	case SIGHT_END:
		return believe_term(s, v);
	case SIGHT_NONE:
		break;
	}
	return pass_unproved(s, v, &trace, timeout_ms);
}

/* ---- the device --------------------------------------------------------- */

/* A pane named by the user: as if we had been called from it. */
static bool
stand_in_pane(struct surroundings *s, struct vantage *v, const char *pane,
    unsigned timeout_ms, struct error *error)
{
	struct tmux_trace trace;

	if (!read_trace(&trace, variable(v, "TMUX"), pane))
		return error_set(error, STATUS_USAGE,
		    "pane:%s needs TMUX in the environment, to know its server",
		    text_quote(pane).text);
	s->hops = 1;
	s->hop[0] = (struct hop){ .kind = HOP_TMUX, .name = "tmux" };
	if (!tmux_ask(&s->hop[0].tmux, &trace.address, trace.pane, timeout_ms,
	    error)) {
		error->status = STATUS_NO_TERMINAL;
		return false;
	}
	if (s->hop[0].tmux.pane_tty[0] == '\0') {
		error_set(error, STATUS_NO_TERMINAL, "tmux has no pane %s",
		    text_quote(pane).text);
		return error_hint(error, "tmux list-panes -a -F '#{pane_id} "
		    "#{pane_current_command}' lists them");
	}
	s->source = DEVICE_PANE;
	text_copy(s->device, sizeof(s->device), s->hop[0].tmux.pane_tty);
	if (!step_over_tmux(v, &s->hop[0]))
		v->pid = -1;
	return true;
}

/* A descriptor we were started with; it need not be a terminal. */
static bool
stand_on_stream(struct surroundings *s, struct vantage *v, int fd,
    enum device_source source)
{
	s->source = source;
	s->fd = fd;
	text_copy(s->device, sizeof(s->device),
	    source == DEVICE_STDOUT ? "stdout" : "stderr");
	if (!device_name(v->tty, fd))
		v->pid = -1;
	return true;
}

/* Any other terminal is taken as it is: nothing is known of what it shows. */
static bool
stand_on_device(struct surroundings *s, struct vantage *v, const char *path,
    struct error *error)
{
	char own[DEVICE_NAME] = "";
	int controlling;

	s->fd = tty_open(path, false);
	if (s->fd < 0) {
		return error_set(error, STATUS_NO_TERMINAL,
		    "cannot open the terminal %s: %s", text_quote(path).text,
		    strerror(errno));
	}
	s->source = DEVICE_ASKED_FOR;
	if (!text_copy(s->device, sizeof(s->device), path))
		text_copy(s->device, sizeof(s->device), "(a long name)");
	controlling = tty_open("/dev/tty", false);
	if (controlling >= 0) {
		device_name(own, controlling);
		close(controlling);
	}
	if (!device_name(v->tty, s->fd) || strcmp(v->tty, own) != 0)
		v->pid = -1;
	return true;
}

static void
stand_on_controlling(struct surroundings *s, struct vantage *v)
{
	s->fd = tty_open("/dev/tty", false);
	if (s->fd < 0) {
		snprintf(s->tried, sizeof(s->tried), "/dev/tty (%s)",
		    strerror(errno));
		return;
	}
	s->source = DEVICE_CONTROLLING;
	text_copy(s->device, sizeof(s->device), "/dev/tty");
	/* its real name takes another look and is rarely needed */
	text_copy(v->tty, sizeof(v->tty), s->device);
}

static bool
stand(struct surroundings *s, struct vantage *v, const char *tty,
    unsigned timeout_ms, struct error *error)
{
	if (tty == NULL) {
		stand_on_controlling(s, v);
		return true;
	}
	if (strcmp(tty, "stdout") == 0)
		return stand_on_stream(s, v, STDOUT_FILENO, DEVICE_STDOUT);
	if (strcmp(tty, "stderr") == 0)
		return stand_on_stream(s, v, STDERR_FILENO, DEVICE_STDERR);
	if (text_begins(tty, "pane:"))
		return stand_in_pane(s, v, tty + strlen("pane:"), timeout_ms,
		    error);
	return stand_on_device(s, v, tty, error);
}

static bool
no_terminal(const struct surroundings *s, struct error *error)
{
	const char *ssh = environment_get("SSH_TTY");

	error_set(error, STATUS_NO_TERMINAL,
	    "no terminal can be reached: tried %s, %s, and every process that "
	    "started this one%s%s", s->tried,
	    environment_get("TMUX") != NULL ? s->remark[0] != '\0' ? s->remark :
	        "tmux" : "tmux (TMUX is not set)",
	    ssh != NULL ? "; SSH_TTY is none of theirs: " : "",
	    ssh != NULL ? text_quote(ssh).text : "");
	return error_hint(error, "name one with --tty DEVICE or VIATTY_TTY, or "
	    "write the sequence to standard output with --tty stdout");
}

/* ---- questions ---------------------------------------------------------- */

/* A live reply, the terminal's own word, outranks every variable. */
static void
believe(struct surroundings *s, const char *version)
{
	const struct terminal *terminal = terminal_by_version(version);

	text_copy(s->version, sizeof(s->version), version);
	if (terminal != NULL)
		s->terminal = terminal;
}

/* The terminal itself has replied, by whatever way. */
static void
believe_reply(struct surroundings *s, const struct probe *reply)
{
	s->probe = *reply;
	believe(s, reply->version);
	if (probe_terminal(reply) != NULL)
		s->terminal = probe_terminal(reply);
}

/* "tmux 3.3a" is what one that is asked for its name says, since 3.2. */
static void
believe_tmux(struct hop *hop, const char *version)
{
	hop->kind = HOP_TMUX_SILENT;
	text_copy(hop->name, sizeof(hop->name), "tmux");
	if (text_begins(version, "tmux "))
		text_copy(hop->tmux.version, sizeof(hop->tmux.version),
		    version + strlen("tmux "));
}

/* Screen's DA2 is "83;40900;0" for 4.9.0: ansi.c, reset from its version. */
static void
believe_screen(struct hop *hop, const char *da2)
{
	static const char screen[] = "83;";
	char number[8] = "";
	unsigned long version;

	hop->kind = HOP_SCREEN;
	text_copy(hop->name, sizeof(hop->name), "screen");
	if (text_begins(da2, screen)) {
		da2 += strlen(screen);
		text_format(number, sizeof(number), "%.*s",
		    (int)strcspn(da2, ";"), da2);
	}
	if (text_number(number, 999999, &version) && version > 0)
		text_format(hop->tmux.version, sizeof(hop->tmux.version),
		    "%lu.%lu.%lu", version / 10000, version / 100 % 100,
		    version % 100);
}

/*
 * What only TERM says, or a server we cannot ask, is settled by what answers
 * at our terminal: somebody else altogether, Screen, or a tmux with these
 * options.
 */
static void
settle(struct surroundings *s, int fd, unsigned timeout_ms)
{
	struct hop *hop = &s->hop[0];
	struct probe found;

	probe_identify(&found, fd, &(struct chain){ 0 }, timeout_ms);
	s->signal = found.signal;
	s->silent = found.found == PROBE_NOTHING;
	switch (found.found) {
	case PROBE_NOTHING:
		break;
	case PROBE_SCREEN:
		believe_screen(hop, found.da2);
		break;
	case PROBE_TMUX:
		believe_tmux(hop, found.version);
		if (s->signal == 0) {
			probe_tmux(&hop->probe, fd, &found, timeout_ms);
			s->signal = hop->probe.signal;
		}
		break;
	case PROBE_TERMINAL:
		s->hops = 0;
		believe_reply(s, &found);
		break;
	}
}

static bool
is_to_identify(const struct surroundings *s, enum identify identify)
{
	return identify == IDENTIFY_ALWAYS ||
	    (identify == IDENTIFY_UNKNOWN && s->terminal == NULL);
}

/*
 * Nothing is in question but the terminal, which answers through `chain`, and
 * to be thorough the version of a Screen, which answers for itself.
 */
static void
identify(struct surroundings *s, int fd, const struct chain *chain,
    bool thorough, unsigned timeout_ms)
{
	struct probe found;

	if (thorough && s->hops > 0 && s->hop[0].tmux.version[0] == '\0') {
		probe_identify(&found, fd, &(struct chain){ 0 }, timeout_ms);
		s->signal = found.signal;
		if (found.found == PROBE_SCREEN)
			believe_screen(&s->hop[0], found.da2);
		if (s->signal != 0)
			return;
	}
	probe_identify(&found, fd, chain, timeout_ms);
	s->signal = found.signal;
	s->silent = found.found == PROBE_NOTHING;
	if (found.found == PROBE_TERMINAL)
		believe_reply(s, &found);
}

/* Whether something is in between, and what it is only the terminal can tell. */
static bool
in_question(const struct surroundings *s)
{
	return s->hops == 1 && (s->hop[0].kind == HOP_TMUX_SILENT ||
	    s->hop[0].kind == HOP_TMUX_OR_SCREEN);
}

/* Whether a question can reach the terminal, and what it is wrapped for. */
static bool
is_within_reach(const struct surroundings *s, struct chain *chain)
{
	size_t i;

	*chain = (struct chain){ 0 };
	for (i = 0; i < s->hops; i++)
		if (s->hop[i].kind != HOP_SCREEN || s->hop[i].detached ||
		    !chain_add(chain, LAYER_SCREEN))
			return false;
	return true;
}

static void
ask_terminal(struct surroundings *s, const struct survey_request *request,
    unsigned timeout_ms)
{
	bool settles = request->probe && in_question(s);
	bool identifies = is_to_identify(s, request->identify);
	struct chain chain;
	int fd;

	if (s->source != DEVICE_CONTROLLING || (!settles && !identifies))
		return;
	fd = tty_open("/dev/tty", true);
	if (fd < 0)
		return;
	if (settles)
		settle(s, fd, timeout_ms);
	if (identifies && s->signal == 0 && s->probe.found == PROBE_NOTHING &&
	    is_within_reach(s, &chain))
		identify(s, fd, &chain, request->identify == IDENTIFY_ALWAYS,
		    timeout_ms);
	close(fd);
}

static void
read_environment(struct surroundings *s, struct vantage *v)
{
	const char *peer = variable(v, "SSH_CONNECTION");

	s->terminal = s->by_environment = terminal_by_environment(variable_of, v);
	text_copy(s->term, sizeof(s->term), term(v));
	text_clean(s->term);
	s->remote = peer != NULL;
	/* "CLIENT PORT SERVER PORT", ssh(1) */
	if (peer != NULL && strcspn(peer, " ") < sizeof(s->peer))
		memcpy(s->peer, peer, strcspn(peer, " "));
	text_clean(s->peer);
	if (s->hops > 0 && s->hop[s->hops - 1].kind == HOP_TMUX)
		believe(s, s->hop[s->hops - 1].tmux.client.type);
}

bool
survey(struct surroundings *s, const struct survey_request *request,
    struct error *error)
{
	struct vantage v = { .pid = getpid(), .own = true };
	unsigned timeout_ms = request->timeout_ms != 0 ? request->timeout_ms :
	    TMUX_TIMEOUT_MS;
	bool fine = true;

	*s = (struct surroundings){ .fd = -1 };
	if (!stand(s, &v, request->tty, timeout_ms, error))
		return false;
	if (v.pid >= 0 && (!request->device_only || s->source == DEVICE_NONE) &&
	    hinted(&v)) {
		if (s->source == DEVICE_CONTROLLING)
			device_name(v.tty, s->fd);
		while (s->hops < HOPS_MAX &&
		    look_outwards(s, &v, timeout_ms) && hinted(&v))
			continue;
	}
	if (v.pid >= 0)
		read_environment(s, &v);
	ask_terminal(s, request, timeout_ms);
	if (s->source == DEVICE_NONE)
		fine = no_terminal(s, error);
	buf_free(&v.environment);
	return fine;
}

void
surroundings_device(char name[DEVICE_NAME], const struct surroundings *s)
{
	if (s->source != DEVICE_CONTROLLING || !device_name(name, s->fd))
		text_copy(name, DEVICE_NAME, s->device);
}

void
surroundings_free(struct surroundings *s)
{
	child_reap();
	if (s->fd > STDERR_FILENO)
		close(s->fd);
	s->fd = -1;
}
