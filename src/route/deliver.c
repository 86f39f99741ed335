/* SPDX-License-Identifier: MIT */
/* Delivers bytes by a route. */
#include "route/route.h"

#include "base/base.h"
#include "detect/path.h"
#include "tty/tty.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A week: in effect no limit. */
enum { STREAM_STALL_MS = 7 * 24 * 3600 * 1000 };

/* Describes the failure, with the name of the device, and the state of the sequence. */
static bool
cut_off(const struct tty_result *result, const char *before, const char *device,
    const char *behind, struct error *error)
{
	fail(error, STATUS_FAILED, NULL, "%s%s%s; %zu of %zu bytes were sent%s", before,
	    text_quote(device).text, behind, result->written, result->size,
	    result->written == 0 ? "" : result->closed ?
	        ", and the sequence was closed" :
	        ", and the terminal may hold an open sequence");
	if (result->end == TTY_TIMED_OUT)
		error_hint(error, "press Ctrl-Q if you stopped it with Ctrl-S; "
		    "--timeout SECS waits longer");
	return false;
}

static bool
write_device(int fd, const struct route *route, const struct request *request, bool alone,
    struct source *source, size_t *sent, struct error *error)
{
	const char *device = route->device.name;
	struct tty_output output = {
		.source = source,
		.stall_ms = request->timeout_ms != 0 ? request->timeout_ms :
		    request->streams ? STREAM_STALL_MS : TTY_STALL_MS,
		.abort = request->feature == FEATURE_COPY ? CLIPBOARD_ABORT : SEQUENCE_ABORT,
		.chain = &route->chain,
		.alone = alone,
	};
	struct tty_result result;

	if (!request->streams)
		source_wrap(source, &route->chain);
	result = tty_write(fd, &output);
	*sent += result.written;
	if (result.end == TTY_TIMED_OUT)
		return cut_off(&result, "", device, " has stopped accepting output", error);
	if (result.end == TTY_SIGNALLED)
		return cut_off(&result, "interrupted while writing to ", device, "", error);
	return result.end == TTY_DONE || cut_off(&result, "cannot write to ", device,
	    hint(": %s", strerror(errno)), error);
}

bool
deliver(const struct route *route, const struct path *path, const struct request *request,
    struct source *source, size_t *sent, struct error *error)
{
	const struct tmux *tmux = route->tmux != NULL ? &route->tmux->tmux : NULL;
	bool opened = !route->own_device || path->fd < 0, ok;
	const char *why = NULL;
	int fd;

	switch (route->kind) {
	case ROUTE_LOAD_BUFFER:
	case ROUTE_TMUX_BUFFER:
		*sent += source->size;
		return tmux_load(tmux, route->kind == ROUTE_LOAD_BUFFER ? &tmux->client : NULL,
		    source->payload, source->size,
		    request->timeout_ms != 0 ? request->timeout_ms : TMUX_TIMEOUT_MS, error);
	case ROUTE_NATIVE:
		*sent += source->size;
		return native_copy(route, path, request, source->payload, source->size, error);
	default:
		break;
	}
	fd = opened ? device_open(&route->device, false, &why) : path->fd;
	if (fd < 0)
		return fail(error, STATUS_NO_TERMINAL, NULL, "cannot open the terminal %s: %s",
		    text_quote(route->device.name).text, why);
	ok = write_device(fd, route, request, route->own_device &&
	    path->source == DEVICE_CONTROLLING, source, sent, error);
	if (opened)
		close(fd);
	return ok;
}
