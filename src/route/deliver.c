/* SPDX-License-Identifier: MIT */
/* Describes what is sent, and delivers it by a route. */
#include "route/route.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>
#include <unistd.h>

/* ---- the request ---------------------------------------------------------------- */

void
request_describe(struct request *request, const void *text, size_t n)
{
	const char *bytes = text, *nul;
	size_t at;

	request->payload = n;
	request->sequence = clipboard_write_size(n);
	if (n == 0)
		return;
	at = text_utf8_prefix(bytes, n);
	nul = memchr(bytes + at, '\0', n - at);
	request->nul = nul != NULL ? (size_t)(nul - bytes) + 1 : 0;
	while (at < n && bytes[at] == '\0')
		at += 1 + text_utf8_prefix(bytes + at + 1, n - at - 1);
	request->not_utf8 = at < n ? at + 1 : 0;
	request->ends_in_nul = bytes[n - 1] == '\0';
}

/*
 * The loop ends, because path_learn() tries each need once. That of the name comes once more after
 * a remembered reply, and behind a Screen that was found by its reply.
 */
bool
route_find(struct route *route, struct path *path, const struct request *request)
{
	bool found;

	do
		found = plan(route, path, request);
	while (route->needs != 0 && signal_caught == 0 && path_learn(path, route->needs));
	return found;
}

/* ---- along the route ------------------------------------------------------------ */

/* A week: in effect no limit. */
enum { STREAM_STALL_MS = 7 * 24 * 3600 * 1000 };

/* Describes the failure, if it is one, and what became of the sequence. */
static bool
was_written(const struct tty_result *result, const char *name, struct error *error)
{
	const struct quoted device = text_quote(name);
	const char *left = result->closed ? ", and the sequence was closed" :
	    ", and the terminal may hold an open sequence";
	char sent[160];

	text_format(sent, sizeof(sent), "%zu of %zu bytes were sent%s", result->written,
	    result->size, result->written > 0 ? left : "");
	switch (result->end) {
	case TTY_DONE:
		return true;
	case TTY_TIMED_OUT:
		return fail(error, STATUS_FAILED,
		    "the terminal %s, or the connection to it, has stopped accepting output; %s\n"
		    "press Ctrl-Q if you stopped it with Ctrl-S; --timeout SECS waits longer",
		    device.text, sent);
	case TTY_SIGNALLED:
		return fail(error, STATUS_FAILED, "interrupted while writing to %s; %s",
		    device.text, sent);
	default:
		return fail(error, STATUS_FAILED, "cannot write to %s: %s; %s", device.text,
		    strerror(result->failure), sent);
	}
}

/* Instead of a clipboard that cannot be cleared, a newline is sent. */
static void
overwrite(const struct route *route, struct buf *bytes)
{
	if (!route->overwrites)
		return;
	bytes->len = 0;
	buf_add_string(bytes, "\n");
}

void
encode_for(const struct route *route, const struct request *request, struct buf *bytes)
{
	overwrite(route, bytes);
	if (request->feature == FEATURE_COPY)
		encode_clipboard_write(bytes, request->selections);
	if (!request->streams)
		wrap(bytes, &route->chain);
}

static bool
write_device(int fd, const struct route *route, const struct path *path,
    const struct request *request, struct buf *bytes, size_t *sent, struct error *error)
{
	/* another program draws there */
	const bool calm = (route->kind == ROUTE_CLIENT_TTY || path->source == DEVICE_LAST) &&
	    !request->streams;
	const unsigned given_ms = request->given.timeout_ms;
	const unsigned stall_ms = given_ms != 0 ? given_ms : TTY_STALL_MS;
	struct tty_output output = {
		.stall_ms = given_ms == 0 && request->streams ? STREAM_STALL_MS : stall_ms,
		/* tmux may be sending the same text, which was selected in copy mode */
		.calm_ms = !calm ? 0 : stall_ms +
		    (unsigned)MIN(bytes->len / TTY_BYTES_PER_MS, (size_t)60000),
		/* what is bypassed may also be an editor, or another program that draws */
		.draws = route->kind == ROUTE_CLIENT_TTY && route->tmux != NULL ?
		    route->tmux->tmux.address.server : 0,
		.abort = request->feature == FEATURE_COPY ? CLIPBOARD_ABORT : SEQUENCE_ABORT,
		.chain = &route->chain,
		.alone = route->own_device && path->source == DEVICE_CONTROLLING,
	};
	struct tty_result result;

	encode_for(route, request, bytes);
	output.bytes = bytes->data;
	output.size = bytes->len;
	result = tty_write(fd, &output);
	*sent += result.written;
	return was_written(&result, route->device.name, error);
}

bool
deliver(struct route *route, const struct path *path, const struct request *request,
    struct buf *bytes, size_t *sent, struct error *error)
{
	const unsigned tmux_ms = request->given.timeout_ms != 0 ? request->given.timeout_ms :
	    TMUX_TIMEOUT_MS;
	bool opens = !route->own_device || path->fd < 0, ok;
	int fd;

	overwrite(route, bytes);
	if (route->kind == ROUTE_NATIVE || route->kind == ROUTE_TMUX_BUFFER)
		*sent += bytes->len;
	if (route->kind == ROUTE_NATIVE)
		return native_copy(route, path, request, bytes->data, bytes->len, error);
	if (route->kind == ROUTE_TMUX_BUFFER)
		return tmux_load(&route->tmux->tmux, bytes->data, bytes->len, tmux_ms, error);
	if (route->kind == ROUTE_LOAD_BUFFER) {
		if (tmux_hand(&route->tmux->tmux, bytes->data, bytes->len, tmux_ms, error)) {
			*sent += bytes->len;
			return true;
		}
		if (route->device.name[0] == '\0') {
			advise(error, request->given.route == ROUTE_LOAD_BUFFER ?
			    "use --route auto, which then writes to that terminal itself" :
			    "try again when less is printed there");
			return false;
		}
		/* written to the terminal itself */
		route->kind = ROUTE_CLIENT_TTY;
		because(route, "bypasses tmux, because %s", message_problem(error->text).text);
	}
	fd = opens ? device_open(&route->device, O_WRONLY) : path->fd;
	if (fd < 0)
		return fail(error, STATUS_NO_TERMINAL, "cannot open the terminal %s: %s",
		    text_quote(route->device.name).text, device_problem(-fd));
	ok = write_device(fd, route, path, request, bytes, sent, error);
	if (opens)
		close(fd);
	return ok;
}
