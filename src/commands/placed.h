/* SPDX-License-Identifier: MIT */
/* Whether a snippet of setup is where its program reads it. */
#ifndef COMMANDS_PLACED_H
#define COMMANDS_PLACED_H

#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { QUESTIONS_MAX = 2 };

/*
 * What a running program tells of its settings. The lines of the snippet that
 * begin with `about` are looked for in the lines of the answer, each with
 * `before` put in front of it.
 */
struct question {
	const char *about, *before;
	const char *const *words; /* the command line, ended by NULL */
};

/* What setup knows of a program; see setup.def. */
struct program {
	const char *name;
	const char *const *snippet;
	const char *add;            /* the line that puts the snippet in place */
	const char *const *version; /* what prints its version; NULL: any will do */
	const char *const *files;   /* where its settings usually are */
	struct question questions[QUESTIONS_MAX];
};

struct placement {
	const char *where;   /* a file, or the program; borrowed */
	bool asked;          /* the program itself said so */
	size_t lines;        /* that matter: neither empty nor comments */
	size_t missing;      /* how many of them are not there */
	bool named;          /* one that names viatty is */
	struct buf text;     /* those, a line each */
};

/*
 * Looks for the lines of `text`, the snippet for this version, and fills `p`,
 * whose text has to be freed. The program itself is asked first; what it says
 * holds. Otherwise the file that lacks the least, where a line that runs
 * `viatty setup NAME` stands for all of them; `where` is NULL if none has any.
 * False: out of memory.
 */
bool placed_find(struct placement *p, const struct program *program,
    const char *text, struct error *error);

#endif
