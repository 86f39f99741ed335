/* SPDX-License-Identifier: MIT */
/* Delivers the copies of the command, and its notifications. */
#include "relay/relay.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- one copy ------------------------------------------------------------------ */

/* Whether this route writes to our own terminal, so that the relay does it in the stream. */
static bool
is_in_stream(const struct route *route)
{
	return route->own_device && route->kind != ROUTE_NATIVE &&
	    route->kind != ROUTE_LOAD_BUFFER && route->kind != ROUTE_TMUX_BUFFER &&
	    route->kind != ROUTE_CLIENT_TTY;
}

static struct request
request_for(const struct copies *c, const struct copy *copy)
{
	struct request request = c->request;

	request.selections = copy->selections;
	request_describe(&request, copy->text.data, copy->text.len);
	return request;
}

static void
note_way(char way[RELAY_WAY], const struct route *route)
{
	text_format(way, RELAY_WAY, "%s%s%s", route_words[route->kind],
	    route->tool != NULL ? " with " : "", route->tool != NULL ? route->tool->program : "");
}

void
copies_fail(struct copies *c, const struct error *failure)
{
	if (c->failed++ == 0)
		c->failure = *failure;
}

static void
add_to_stream(struct copies *c, struct copy *copy, struct buf *out)
{
	const struct request request = request_for(c, copy);
	struct route route;

	if (!plan(&route, c->path, &request)) {
		copies_fail(c, &route.refusal);
		return;
	}
	if (!is_in_stream(&route)) {
		copies_fail(c, &(struct error){ .status = STATUS_REFUSED,
		    .text = "the copy has another way than the relay" });
		return;
	}
	c->delivered++;
	c->last = copy->text.len;
	note_way(c->way, &route);
	encode_for(&route, &request, &copy->text);
	buf_add(out, copy->text.data, copy->text.len);
}

/* ---- the child ------------------------------------------------------------------ */

/* A tmux may have been attached elsewhere in between; no query is sent while the command runs. */
static bool
find_again(struct copies *c, struct error *error)
{
	struct given given = c->path->given;
	size_t i;

	given.probe = false;
	given.copies = true;
	for (i = 0; i < c->path->hops; i++)
		if (c->path->hop[i].tmux.reachable) {
			path_free(c->path);
			return path_find(c->path, &given, error);
		}
	c->path->given = given;
	return true;
}

/* No notification of a host is urgent at this desktop. */
static bool
show(const struct copies *c, const struct copy *copy, const struct route *route,
    struct error *error)
{
	const char *text = (const char *)copy->text.data;
	const struct notification n = {
		.title = { text, copy->title },
		.body = { text + copy->title, copy->text.len - copy->title },
		.application = c->application,
		.urgency = copy->low ? URGENCY_LOW : URGENCY_NORMAL,
	};

	return native_notify(route, c->path, &n, c->request.given.timeout_ms, error);
}

static bool
carry(struct copies *c, struct copy *copy, struct outcome *outcome)
{
	struct request request = request_for(c, copy);
	struct route route;
	size_t sent = 0;

	request.given.probe = false;
	if (!find_again(c, &outcome->failure))
		return false;
	if (!route_find(&route, c->path, &request)) {
		outcome->failure = route.refusal;
		return false;
	}
	/* the sequence of this child could get into the middle of another one of the command */
	if (is_in_stream(&route))
		return fail(&outcome->failure, STATUS_REFUSED,
		    "the way to the terminal has changed\nstart the relay again");
	note_way(outcome->way, &route);
	if (request.feature == FEATURE_NOTIFICATION)
		return show(c, copy, &route, &outcome->failure);
	if (request.feature == FEATURE_PASTE)
		return picture_send(c, &route, outcome);
	return deliver(&route, c->path, &request, &copy->text, &sent, &outcome->failure);
}

static _Noreturn void
be_child(struct copies *c, struct copy *copy, int report)
{
	struct outcome outcome = { .delivered = false };
	const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int fd, number;

	close(c->master);
	for (number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
	/* Ctrl-Z stops our group, but a copy goes on */
	signal(SIGTSTP, SIG_IGN);
	signal(SIGTTIN, SIG_IGN);
	for (fd = STDIN_FILENO; fd <= STDERR_FILENO && null >= 0; fd++)
		dup2(null, fd);
	outcome.delivered = carry(c, copy, &outcome);
	(void)!write(report, &outcome, sizeof(outcome));
	_exit(STATUS_DONE);
}

int
copies_patience(const struct copies *c)
{
	const long long since = clock_ms() - c->started;

	if (c->child != 0 || c->waits == 0)
		return -1;
	return since < c->pace_ms ? (int)(c->pace_ms - since) : 0;
}

static void
drop_waiting(struct copies *c, size_t at)
{
	buf_free(&c->waiting[at].text);
	memmove(&c->waiting[at], &c->waiting[at + 1], (--c->waits - at) * sizeof(c->waiting[0]));
}

void
copies_start(struct copies *c)
{
	struct error failure;
	int ends[2];
	pid_t pid = -1;

	if (copies_patience(c) != 0)
		return;
	if (relay_pipe(ends)) {
		pid = fork();
		if (pid == 0)
			be_child(c, &c->waiting[0], ends[1]);
		close(ends[1]);
		if (pid < 0)
			close(ends[0]);
	}
	if (pid > 0) {
		c->child = pid;
		c->started = clock_ms();
		c->fd = ends[0];
		c->size = c->waiting[0].text.len;
	} else {
		fail(&failure, STATUS_FAILED, "cannot start a process for it: %s",
		    strerror(errno));
		copies_fail(c, &failure);
	}
	drop_waiting(c, 0);
}

/* ---- all copies -------------------------------------------------------------------- */

void
copies_add(struct copies *c, struct copy *copy, struct buf *out)
{
	size_t i;

	if (c->route == NULL || is_in_stream(c->route)) {
		if (c->route == NULL)
			c->failed++;
		else
			add_to_stream(c, copy, out);
		buf_free(&copy->text);
		return;
	}
	for (i = 0; i < c->waits; i++)
		if (strcmp(c->waiting[i].selections, copy->selections) == 0)
			break;
	if (i == c->waits && c->waits == COPIES_WAITING)
		i = 0;
	if (i < c->waits)
		drop_waiting(c, i);
	c->waiting[c->waits++] = *copy;
	copies_start(c);
}

void
copies_collect(struct copies *c)
{
	struct outcome outcome = { .delivered = false };
	ssize_t n;

	while ((n = read(c->fd, &outcome, sizeof(outcome))) < 0 && errno == EINTR)
		continue;
	if (n != (ssize_t)sizeof(outcome))
		fail(&outcome.failure, STATUS_FAILED, c->socket == NULL ? "its process was killed" :
		    "it took more than a minute, or ssh ended before");
	if (n == (ssize_t)sizeof(outcome) && outcome.delivered) {
		c->delivered++;
		c->last = c->size;
		memcpy(c->way, outcome.way, sizeof(c->way));
	} else {
		copies_fail(c, &outcome.failure);
	}
	close(c->fd);
	c->fd = -1;
	while (waitpid(c->child, NULL, 0) < 0 && errno == EINTR)
		continue;
	c->child = 0;
}

void
copies_finish(struct copies *c)
{
	struct pollfd end = { .events = POLLIN };

	/* the pause is for copies that are still to come */
	c->pace_ms = 0;
	while ((c->child != 0 || c->waits > 0) && signal_caught == 0) {
		copies_start(c);
		end.fd = c->fd;
		if (wait_on(&end, 1, 1000) > 0)
			copies_collect(c);
	}
}
