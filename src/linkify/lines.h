/* SPDX-License-Identifier: MIT */
/*
 * Links that depend on the lines before: the files and hunks of diffs, and lines that are
 * listed by number under the name of their file. Layer linkify/, pure.
 */
#ifndef LINKIFY_LINES_H
#define LINKIFY_LINES_H

#include "linkify/matches.h"
#include "linkify/place.h"

#include <stdbool.h>
#include <stddef.h>

enum about { ABOUT_NOTHING, ABOUT_DIFF, ABOUT_HEADING };

/* The line that follows the one at hand. */
enum next { NEXT_OTHER, NEXT_NUMBERED, NEXT_UNKNOWN };

/* What the lines are about; all zero before the first. */
struct context {
	enum about about;
	char path[PATH_BYTES]; /* of the file, as find() takes it */
	bool old_named;        /* the last line was `--- FILE` */
	bool amid;             /* the text at hand continues a line */
	enum next next;        /* set by the caller before each line */
};

/*
 * Whether the text begins as `+++ FILE`, `--- FILE` or `@@ -1 +1 @@`, to which few other
 * lines are similar.
 */
static inline bool
lines_is_diff(const char *text, size_t n)
{
	return n > 4 && text[0] == text[1] &&
	    (text[0] == '+' || text[0] == '-' || text[0] == '@');
}

/* Whether lines_match() has to see a line that is none of a diff. */
static inline bool
lines_needed(const struct context *context)
{
	return context->about == ABOUT_HEADING || context->next != NEXT_OTHER;
}

/*
 * The length of a line without its end, a newline or CR LF. Any other newline of the text
 * stands for a sequence.
 */
size_t lines_length(const char *text, size_t n);

/* Whether the text begins as a line below a heading does: 12: or, of eslint, 12:5 error. */
bool lines_is_numbered(const char *text, size_t n);

/*
 * Adds the links of a line, and updates the context for the next one. False: it added
 * none. The links may overlap those of others.
 */
bool lines_match(struct matches *m, struct context *context, const char *text, size_t n);

#endif
