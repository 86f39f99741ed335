/* SPDX-License-Identifier: MIT */
/* Another program, run to its end and not a moment longer. Route layer. */
#ifndef BASE_SUBPROCESS_H
#define BASE_SUBPROCESS_H

#include "base/buf.h"
#include "base/user.h"

#include <stdbool.h>
#include <stddef.h>

enum {
	SUBPROCESS_NOT_STARTED = -1, /* errno says why */
	SUBPROCESS_TOO_SLOW = -2     /* it was killed */
};

/* Whether more of an answer is waited for, and its sender's end. */
enum child_state {
	CHILD_GOES_ON,
	CHILD_HAS_ANSWERED, /* that is all: it may end by itself */
	CHILD_HAS_FAILED    /* nothing will follow: it is ended */
};
typedef enum child_state subprocess_enough(const struct buf *answer);

struct subprocess_command {
	const char *const *arguments; /* the first is its name; NULL at the end */
	const char *program;     /* its file, or NULL: its name, looked for in PATH */
	const struct user *user; /* whom it runs as, or NULL: as we do */
	/* NAME=value that it gets besides, up to 8; NULL at the end, or NULL: none */
	const char *const *variables;
	struct buf *errors;      /* what it prints on stderr, or NULL: the answer too */
	/*
	 * It leaves a process behind, which keeps its streams for as long as it lives:
	 * the end of the first one is waited for, in a session of its own. What both
	 * have printed by then is in `errors`, which is not NULL.
	 */
	bool serves;
};

/*
 * Runs `command` with `n` bytes to its stdin, and adds what it prints on stdout
 * and stderr to `answer`. Gives its exit status, 128 and more for a signal, or
 * one of the above: it has `timeout_ms` from the last byte it took, and as long
 * to end. With `enough` (else NULL) it gives 0 as soon as it has answered,
 * subprocess_reap() has to follow, and SUBPROCESS_TOO_SLOW as soon as it has failed.
 *
 * It inherits no descriptor but its three streams, and of the environment PATH,
 * HOME, TERM, LANG, LC_* and TMUX_TMPDIR. As another user, which only root can
 * run it as, it has a session of its own, the root directory, that user's HOME
 * and the usual PATH; SUBPROCESS_NOT_STARTED with EPERM if it could not become that
 * user entirely.
 */
int subprocess_run_command(const struct subprocess_command *command, const void *bytes,
    size_t n, struct buf *answer, subprocess_enough *enough, unsigned timeout_ms);

/* The same of the program arguments[0] as ourselves. */
int subprocess_run(const char *const arguments[], const void *bytes, size_t n,
    struct buf *answer, subprocess_enough *enough, unsigned timeout_ms);

/* Sees to the end of every program that was left to end by itself. */
void subprocess_reap(void);

#endif
