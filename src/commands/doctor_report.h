/* SPDX-License-Identifier: MIT */
/* What doctor found, as text for a person or as JSON. */
#ifndef COMMANDS_DOCTOR_REPORT_H
#define COMMANDS_DOCTOR_REPORT_H

#include "commands/reasons.h"
#include "base/buf.h"
#include "base/error.h"
#include "route/plan.h"
#include "detect/path.h"

#include <stdbool.h>
#include <stddef.h>

enum verdict { VERDICT_YES, VERDICT_NO, VERDICT_UNKNOWN };

/* One thing that can be done. */
struct finding {
	const char *word;   /* what people type and read */
	enum verdict verdict;
	const char *as;     /* which of several sequences does it, or NULL */
	bool has_route;     /* `route` says how; else only the verdict is known */
	struct route route;
	struct explanation says; /* of the route, or of what does without one */
	struct error error; /* VERDICT_NO: why, and what would mend it */
};

/* What only doctor looks for, beside the path. */
struct background {
	const char *login[LOGINS_MAX]; /* sshd, sudo ...: the nearest first */
	size_t logins;
	const char *forced; /* --term's terminal, by its name, or NULL */
	bool verbose;       /* also what told of each hop, and whose word it is */
};

/*
 * The chain, hop by hop, then a line a finding and what there is to say about
 * it; lines of at most `columns` where words are short enough. The verdicts are
 * coloured if asked for. Faults stay in `out`.
 */
void doctor_report_text(struct buf *out, const struct path *path,
    const struct background *background, const struct finding *findings,
    size_t count, size_t columns, bool colour);

/* The same as one JSON object and a newline. */
void doctor_report_json(struct buf *out, const struct path *path,
    const struct background *background, const struct finding *findings,
    size_t count);

#endif
