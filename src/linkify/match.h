/* SPDX-License-Identifier: MIT */
/* Finds the links in a line of text. Layer linkify/, for linkify.c only. */
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

/* The diff that the lines belong to: all zero before the first. */
struct diff {
	bool old_named;  /* the last line was `--- FILE` */
	char path[4096]; /* of the new file, as find() takes it; "" for none */
};

void matches_free(struct matches *matches);

/* Whether the text may contain a match of the built-in rules; fast. */
bool match_possible(const char *text, size_t n);

/*
 * Fills `matches` with the matches in a text of `n` bytes, in order and not overlapping.
 * No match spans a newline. If there are rules, the text must be followed by a NUL and
 * contain none. `diff` is carried from line to line.
 */
void match_text(struct matches *matches, struct diff *diff, const char *text, size_t n,
    const struct rules *rules, const struct linkify_settings *settings);

#endif
