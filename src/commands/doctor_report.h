/* SPDX-License-Identifier: MIT */
/* The report of doctor as text or JSON. */
#ifndef COMMANDS_DOCTOR_REPORT_H
#define COMMANDS_DOCTOR_REPORT_H

#include "base/buf.h"
#include "base/error.h"
#include "commands/reasons.h"
#include "detect/path.h"
#include "route/plan.h"

#include <stdbool.h>
#include <stddef.h>

enum verdict { VERDICT_YES, VERDICT_NO, VERDICT_UNKNOWN };

/* The verdict on one feature. */
struct finding {
	const char *word;   /* its name: "copy" */
	enum verdict verdict;
	const char *as;     /* which of several sequences is used, or NULL */
	bool has_route;     /* `route` is complete; else only its limit is set */
	struct route route;
	struct explanation says;
	bool needs_setting; /* says.note is the setting that it needs */
	/* what a command would fail with, and the fix as its hint; else STATUS_DONE */
	struct error error;
};

/* Pointers are borrowed. */
struct doctor_report {
	const struct path *path;
	const struct terminal *forced; /* by --term, or NULL */
	const struct finding *finding; /* `count` of them, in the order of doctor.def */
	size_t count;
	const char *login[LOGINS_MAX]; /* sshd, sudo ...: the nearest first */
	size_t logins;
	const char *hidden; /* see process_hidden() */
	size_t columns; /* of the text */
	bool color, verbose;
};

/*
 * Adds the features, each with its verdict and the fix, then the path. Lines are
 * broken at `columns`, except the fix, which stays on one line to be copied. `verbose`
 * adds each route, the source of each hop, variables and replies. A failed addition is
 * recorded in `out`, as with buf_add().
 */
void doctor_report_text(struct buf *out, const struct doctor_report *report);

/* Adds all of it as one JSON object and a newline. */
void doctor_report_json(struct buf *out, const struct doctor_report *report);

#endif
