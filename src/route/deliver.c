/* SPDX-License-Identifier: MIT */
/* Delivers bytes by a route; the contract is in deliver.h. */
#include "route/deliver.h"

#include "base/text.h"
#include "detect/tmux.h"
#include "route/native.h"
#include "tty/tty.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A week: in effect no limit. */
enum { STREAM_STALL_MS = 7 * 24 * 3600 * 1000 };

/* Says before or behind the name of the device what happened to the sequence. */
static bool
cut_off(const struct tty_result *result, const char *before, const char *device,
    const char *behind, struct error *error)
{
	error_set(error, STATUS_FAILED, "%s%s%s: %zu of %zu bytes were sent%s", before,
	    text_quote(device).text, behind, result->written, result->size,
	    result->written == 0 ? "" : result->closed ?
	        ", and the sequence was closed" :
	        ", and the terminal may hold an open sequence");
	if (result->end == TTY_STALLED)
		error_hint(error, "if Control-S stopped its output, press Control-Q; "
		    "--timeout waits longer");
	return false;
}

static bool
write_device(int fd, const struct route *route, bool alone, struct delivery *delivery,
    int *signal, struct error *error)
{
	const char *device = route->device.name;
	struct tty_output output = {
		.source = delivery->source,
		.stall_ms = delivery->timeout_ms != 0 ? delivery->timeout_ms :
		    delivery->streams ? STREAM_STALL_MS : TTY_STALL_MS,
		.alone = alone,
	};
	struct tty_result result;
	char failure[128];
	struct buf stop;
	bool fine = true;

	buf_init(&stop, 4096);
	if (!wrap_abort(&stop, delivery->abort, &route->chain)) {
		buf_free(&stop);
		return error_no_memory(error);
	}
	output.abort = stop.data;
	output.abort_size = stop.len;
	if (!delivery->streams)
		source_wrap(delivery->source, &route->chain);
	result = tty_write(fd, &output);
	*signal = result.signal;
	delivery->sent = result.written;
	switch (result.end) {
	case TTY_WRITTEN:
		break;
	case TTY_STALLED:
		fine = cut_off(&result, "", device, " has stopped accepting output",
		    error);
		break;
	case TTY_SIGNALLED:
		fine = cut_off(&result, "interrupted while writing to ", device, "",
		    error);
		break;
	case TTY_FAILED:
		if (errno == ENOMEM && result.written == 0) {
			fine = error_no_memory(error);
			break;
		}
		snprintf(failure, sizeof(failure), " failed (%s)",
		    strerror(errno));
		fine = cut_off(&result, "", device, failure, error);
		break;
	}
	buf_free(&stop);
	return fine;
}

static bool
by_device(const struct route *route, const struct path *path,
    struct delivery *delivery, int *signal, struct error *error)
{
	bool opened = !route->own_device || path->fd < 0, fine;
	const char *why = NULL;
	int fd = opened ? device_open(&route->device, false, &why) : path->fd;

	if (fd < 0)
		return error_set(error, STATUS_NO_TERMINAL,
		    "cannot open the terminal %s: %s",
		    text_quote(route->device.name).text, why);
	fine = write_device(fd, route, route->own_device &&
	    path->source == DEVICE_CONTROLLING, delivery, signal, error);
	if (opened)
		close(fd);
	return fine;
}

bool
deliver(const struct route *route, const struct path *path,
    struct delivery *delivery, int *signal, struct error *error)
{
	unsigned timeout = delivery->timeout_ms != 0 ? delivery->timeout_ms :
	    TMUX_TIMEOUT_MS;
	const struct tmux *tmux = route->tmux != NULL ? &route->tmux->tmux : NULL;
	const struct source *source = delivery->source;

	*signal = 0;
	switch (route->kind) {
	case ROUTE_LOAD_BUFFER:
	case ROUTE_TMUX_BUFFER:
		delivery->sent = source->size;
		return tmux_load(tmux, route->kind == ROUTE_LOAD_BUFFER ?
		    &tmux->client : NULL, source->payload, source->size, timeout,
		    error);
	case ROUTE_NATIVE:
		delivery->sent = source->size;
		return native_copy(route, path, source->selections, NULL,
		    source->payload, source->size, delivery->timeout_ms, error);
	default:
		return by_device(route, path, delivery, signal, error);
	}
}
