/* SPDX-License-Identifier: MIT */
/* What in a line of text is to be a link. Layer linkify/, of linkify.c only. */
#ifndef LINKIFY_MATCH_H
#define LINKIFY_MATCH_H

#include "base/buf.h"
#include "base/error.h"
#include "linkify/settings.h"

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

bool rules_add(struct rules *rules, const char *text, struct error *error);
void rules_free(struct rules *rules);

/* text[start .. end - 1] becomes a link to urls[url .. url + url_n - 1]. */
struct match {
	size_t start, end;
	size_t url, url_n;
	size_t rank; /* of two that begin together the lower one wins */
};

struct matches {
	struct match *match;
	size_t count, capacity;
	struct buf urls;
	bool failed; /* out of memory: the links are incomplete */
};

void matches_free(struct matches *matches);

/* Whether a text could hold anything that the built-in rules match. */
bool match_possible(const char *text, size_t n);

/*
 * Fills `matches` with what is found in a text of `n` bytes: in order, none over
 * another. A newline is a place that no match stands over. Where there are rules
 * the text has a NUL behind it, and none in it.
 */
void match_text(struct matches *matches, const char *text, size_t n,
    const struct rules *rules, const struct linkify_settings *settings);

#endif
