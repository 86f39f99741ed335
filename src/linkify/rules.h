/* SPDX-License-Identifier: MIT */
/* Rules of the user, REGEX=TEMPLATE: linkify.h describes them. Layer linkify/. */
#ifndef LINKIFY_RULES_H
#define LINKIFY_RULES_H

#include "base/error.h"
#include "linkify/matches.h"

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

enum { GROUPS = 10 };

struct rule {
	regex_t regex;
	const char *template; /* borrowed from the caller of linkify_rule() */
};

struct rules {
	struct rule *rule;
	size_t count;
};

/* `text` is borrowed until rules_free(). False: STATUS_USAGE, or out of memory. */
bool rules_add(struct rules *rules, const char *text, struct error *error);
void rules_free(struct rules *rules);

/*
 * Adds the matches in a text of `n` bytes, for each rule in order; they may overlap. The
 * rank is the rule's index. No match spans a newline; the text contains no NUL.
 */
void rules_match(struct matches *m, const char *text, size_t n, const struct rules *rules);

#endif
