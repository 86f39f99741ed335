/* SPDX-License-Identifier: MIT */
/*
 * A line that a person types or pastes as the answer to a question. Tty layer.
 *
 * In canonical mode a paste of several lines would leave all but the first to the
 * shell, which would run them. So keys are read one by one, the terminal is asked
 * to mark what is pasted (mode 2004, bracketed paste), and what comes behind the
 * line is dropped.
 */
#ifndef TTY_LINE_H
#define TTY_LINE_H

#include "base/buf.h"
#include "tty/query.h"

/* What comes is dropped until nothing has come for so long. */
enum { LINE_QUIET_MS = 300 };

/*
 * Reads up to Enter into `line`, without it; of a longer line what fits. A paste
 * that the terminal marks may hold newlines. What can be seen is echoed. Behind it
 * everything that comes is dropped, for QUERY_DRAIN_MS at most.
 *
 * QUERY_DONE; QUERY_SILENT for the end of input (Control-D, or a terminal that hung up);
 * else see tty_query(). QUERY_SIGNALLED: the signal is in `*signal`. The modes are changed
 * meanwhile and as before on return.
 */
enum query_end line_read(int fd, ask_reader *is_read, struct buf *line, int *signal);

#endif
