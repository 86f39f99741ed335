/* SPDX-License-Identifier: MIT */
/* What doctor found, as text for a person or as JSON. */
#ifndef COMMANDS_DIAGNOSIS_H
#define COMMANDS_DIAGNOSIS_H

#include "base/buf.h"
#include "base/error.h"
#include "route/route.h"
#include "route/surroundings.h"

#include <stdbool.h>
#include <stddef.h>

enum verdict { VERDICT_YES, VERDICT_NO, VERDICT_UNKNOWN };

/* One feature. */
struct finding {
	enum feature feature;
	enum verdict verdict;
	bool has_route;     /* `route` says how; else only the verdict is known */
	struct route route;
	struct error error; /* VERDICT_NO: why, and what would mend it */
};

/*
 * The chain, hop by hop, then a paragraph a feature; lines of at most 80
 * columns. The verdicts are coloured if asked for. Faults stay in `out`.
 */
void diagnosis_text(struct buf *out, const struct surroundings *s,
    const struct finding *findings, size_t count, bool colour);

/* The same as one JSON object and a newline. */
void diagnosis_json(struct buf *out, const struct surroundings *s,
    const struct finding *findings, size_t count);

#endif
