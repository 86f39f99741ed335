/* SPDX-License-Identifier: MIT */
/*
 * Reads a line that the user types or pastes. Tty layer.
 *
 * In canonical mode a paste of several lines would leave all but the first to the
 * shell, which would run them. So the line is read in raw mode with bracketed paste,
 * and further input is discarded.
 */
#ifndef TTY_LINE_H
#define TTY_LINE_H

#include "base/buf.h"
#include "tty/query.h"

/* Input is discarded until none has arrived for this time. */
enum { LINE_QUIET_MS = 300 };

/*
 * Reads up to Enter into `line`, without it; a longer line is truncated to the limit of
 * `line`. A bracketed paste may hold newlines. Printable characters are echoed. Further
 * input is discarded for QUERY_DRAIN_MS at most.
 *
 * QUERY_DONE; QUERY_SILENT for the end of input (Control-D, or a terminal that hung up);
 * else see tty_query(). QUERY_SIGNALLED: the signal is in `*signal`. The modes are changed
 * meanwhile and as before on return.
 */
enum query_end line_read(int fd, query_reader *is_read, struct buf *line, int *signal);

#endif
