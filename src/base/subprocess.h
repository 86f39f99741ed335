/* SPDX-License-Identifier: MIT */
/* Runs a program and collects its output, within a time limit. Base layer. */
#ifndef BASE_SUBPROCESS_H
#define BASE_SUBPROCESS_H

#include "base/buf.h"
#include "base/user.h"

#include <stdbool.h>
#include <stddef.h>

enum {
	SUBPROCESS_NOT_STARTED = -1, /* errno says why */
	SUBPROCESS_TOO_SLOW = -2,    /* it exceeded the time limit and was killed */
	SUBPROCESS_UNREAD = -3       /* it exited with 0, but has not read all its input */
};

/* What the output so far means. */
enum child_state {
	CHILD_GOES_ON,      /* wait for more */
	CHILD_HAS_ANSWERED, /* complete: do not wait for its exit */
	CHILD_HAS_FAILED    /* nothing useful will follow: kill it */
};
typedef enum child_state subprocess_enough(const struct buf *answer);

struct subprocess_command {
	const char *const *arguments; /* argv, ended by NULL */
	const char *program;     /* its path; NULL: arguments[0], searched for in PATH */
	const struct account *user; /* whom it runs as; NULL: this process's user */
	/* NAME=value to add to its environment, at most 8, ended by NULL; or NULL */
	const char *const *variables;
	struct buf *errors;      /* gets its stderr; NULL: the answer gets that, too */
	/*
	 * It leaves a process behind that keeps its streams open: wait for its own exit,
	 * in a new session. `errors`, which must not be NULL, gets stdout and stderr up
	 * to then.
	 */
	bool serves;
};

/*
 * Runs `command`, writes `n` bytes to its stdin and adds its stdout and stderr to
 * `answer`, up to the limit of that buffer. Returns the exit status, 128 + n for signal
 * n, or one of the values above. `timeout_ms` is the time for its output, counted from
 * the last input it accepted, and again the time for its exit. `enough` (may be NULL)
 * is called after each read: once the child has answered, 0 is returned and
 * subprocess_reap() must follow; once it has failed, SUBPROCESS_TOO_SLOW.
 *
 * The child inherits its three streams only, and of the environment PATH, HOME, TERM,
 * LANG, LC_* and TMUX_TMPDIR. As another user, which takes root, it has its own
 * session, the directory /, that user's HOME and the default PATH;
 * SUBPROCESS_NOT_STARTED with EPERM if it could not entirely become that user.
 */
int subprocess_run_command(const struct subprocess_command *command, const void *bytes,
    size_t n, struct buf *answer, subprocess_enough *enough, unsigned timeout_ms);

/* Waits for the exit of every child that had answered, or kills it. */
void subprocess_reap(void);

#endif
