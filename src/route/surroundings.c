/* SPDX-License-Identifier: MIT */
/*
 * Looking around: where we stand, outwards from there, and what the terminal
 * says of it all. The contract is in surroundings.h.
 */
#include "route/surroundings.h"

#include "base/text.h"
#include "route/child.h"
#include "route/enquiry.h"
#include "route/outwards.h"
#include "tty/device.h"
#include "tty/tty.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *
environment_get(const char *name)
{
	return getenv(name);
}

/* ---- the device --------------------------------------------------------- */

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
	struct tty_device device;
	const char *why = NULL;
	int controlling;

	if (device_named(&device, path, &why))
		s->fd = device_open(&device, false, &why);
	if (s->fd < 0)
		return error_set(error, STATUS_NO_TERMINAL,
		    "cannot open the terminal %s: %s", text_quote(path).text, why);
	s->source = DEVICE_ASKED_FOR;
	text_copy(s->device, sizeof(s->device), device.name);
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
		return outwards_from_pane(s, v, tty + strlen("pane:"),
		    timeout_ms, error);
	return stand_on_device(s, v, tty, error);
}

static bool
no_terminal(const struct surroundings *s, struct error *error)
{
	const char *ssh = environment_get("SSH_TTY");

	error_set(error, STATUS_NO_TERMINAL,
	    "no terminal can be reached: tried %s, %s, and every process that "
	    "started this one%s%s%s", s->tried,
	    environment_get("TMUX") != NULL ? s->remark[0] != '\0' ? s->remark :
	        "tmux" : "tmux (TMUX is not set)", s->refused,
	    ssh != NULL ? "; SSH_TTY is none of theirs: " : "",
	    ssh != NULL ? text_quote(ssh).text : "");
	return error_hint(error, "name one with --tty DEVICE or VIATTY_TTY, or "
	    "write the sequence to standard output with --tty stdout");
}

/* ---- the whole ---------------------------------------------------------- */

static const char *
variable_of(void *vantage, const char *name)
{
	return vantage_variable(vantage, name);
}

static void
read_environment(struct surroundings *s, struct vantage *v)
{
	const char *peer = vantage_variable(v, "SSH_CONNECTION");

	s->terminal = s->by_environment = terminal_by_environment(variable_of, v);
	s->terminal_name = s->terminal != NULL ?
	    terminal_environment_name(s->terminal, variable_of, v) : NULL;
	text_copy(s->environment_version, sizeof(s->environment_version),
	    terminal_environment_version(s->terminal, variable_of, v));
	text_clean(s->environment_version);
	text_copy(s->term, sizeof(s->term), vantage_term(v));
	text_clean(s->term);
	s->remote = peer != NULL;
	/* "CLIENT PORT SERVER PORT", ssh(1) */
	if (peer != NULL && strcspn(peer, " ") < sizeof(s->peer))
		memcpy(s->peer, peer, strcspn(peer, " "));
	text_clean(s->peer);
	if (s->hops > 0 && s->hop[s->hops - 1].kind == HOP_TMUX)
		enquiry_believe(s, s->hop[s->hops - 1].tmux.client.type);
}

bool
survey(struct surroundings *s, const struct survey_request *request,
    struct error *error)
{
	struct vantage v = { .pid = getpid(), .own = true,
	    .owner = geteuid() };
	unsigned timeout_ms = request->timeout_ms != 0 ? request->timeout_ms :
	    TMUX_TIMEOUT_MS;
	bool fine = true;

	*s = (struct surroundings){ .fd = -1 };
	if (!stand(s, &v, request->tty, timeout_ms, error))
		return false;
	if (v.pid >= 0 && (!request->device_only || s->source == DEVICE_NONE) &&
	    outwards_hinted(&v)) {
		if (s->source == DEVICE_CONTROLLING)
			device_name(v.tty, s->fd);
		while (s->hops < HOPS_MAX &&
		    outwards_step(s, &v, timeout_ms) && outwards_hinted(&v))
			continue;
	}
	if (v.pid >= 0)
		read_environment(s, &v);
	enquire(s, request);
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

const char *
surroundings_version(const struct surroundings *s)
{
	bool replied = s->terminal != NULL &&
	    terminal_by_version(s->version) == s->terminal;

	return !replied && s->terminal == s->by_environment ?
	    s->environment_version : s->version;
}

void
surroundings_free(struct surroundings *s)
{
	child_reap();
	if (s->fd > STDERR_FILENO)
		close(s->fd);
	s->fd = -1;
}
