/* SPDX-License-Identifier: MIT */
/*
 * Walks from this process to the screen, hop by hop: detect_path() steps until nothing
 * gives a reason to look further. Detect layer; for detect/detect.c.
 */
#ifndef DETECT_HOPS_H
#define DETECT_HOPS_H

#include "base/buf.h"
#include "base/error.h"
#include "detect/path.h"

#include <stdbool.h>
#include <sys/types.h>

/* A place on the path, seen from inside: a process, its terminal, its environment. */
struct cursor {
	pid_t pid;
	char tty[DEVICE_NAME];  /* "": none */
	bool own;               /* this very process */
	uid_t owner;            /* of the process and so of its environment */
	struct buf environment; /* of another process */
	const char *term;       /* TERM as known without the environment, or NULL */
};

/* A variable of its environment, or NULL; borrowed until the cursor moves. */
const char *cursor_variable(const struct cursor *v, const char *name);

/* Its TERM, "" for none; borrowed until the cursor moves. */
const char *cursor_term(const struct cursor *v);

/* Whether there is a reason to look at processes at all. */
bool hops_hinted(const struct cursor *v);

/*
 * Adds the next hop to `path`, if there is one, and moves `v` to its outer side.
 * False: that was the last, or its outer side is not known. `timeout_ms`: time limit for
 * the reply of a tmux server.
 */
bool hops_step(struct path *path, struct cursor *v, unsigned timeout_ms);

/*
 * The process of the terminal at `v`: the ancestor at which the walk ends. False: it is no
 * terminal of the table (a login over the network), or a hop or a program with a terminal
 * of its own, such as expect, comes first.
 */
bool hops_terminal(const struct cursor *v, struct process *terminal);

/*
 * The user who controls the environment of `pid`: its owner; for a process of root the
 * nearest ancestor that is not root's, which may have called it by sudo; where that has
 * ended, the user in SUDO_UID or PKEXEC_UID of our own environment.
 */
uid_t hops_speaker(pid_t pid);

/*
 * The first step for --tty pane:%3: as if viatty had been run in that pane. Sets the
 * device and the hop in `path`. False: STATUS_USAGE (TMUX is not set),
 * STATUS_NO_TERMINAL (no reply, or no such pane).
 */
bool hops_from_pane(struct path *path, struct cursor *v,
    const char *pane, unsigned timeout_ms, struct error *error);

#endif
