/* SPDX-License-Identifier: MIT */
/* The title, read from whoever keeps it. Route layer. */
#ifndef ROUTE_TITLE_QUERY_H
#define ROUTE_TITLE_QUERY_H

#include "base/buf.h"
#include "base/error.h"
#include "detect/path.h"

#include <stdbool.h>

/*
 * Adds the title of the nearest multiplexer, or of the terminal without one, to
 * `title`; with `window_name` the name of the window in tmux or Screen, empty
 * where tmux chooses it. tmux is asked by its program, all others by the
 * sequence; what comes may hold any bytes but NUL. False: STATUS_NO_TERMINAL in
 * the background, STATUS_NO_REPLY, STATUS_FAILED. A signal that came meanwhile is
 * in `*signal`. `timeout_ms` 0: what is usual.
 */
bool read_title(struct buf *title, const struct path *path, bool window_name,
    unsigned timeout_ms, int *signal, struct error *error);

#endif
