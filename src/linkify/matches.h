/* SPDX-License-Identifier: MIT */
/* The links that were found in a text, in one growing array. Layer linkify/. */
#ifndef LINKIFY_MATCHES_H
#define LINKIFY_MATCHES_H

#include "base/buf.h"
#include "linkify/settings.h"

#include <stdbool.h>
#include <stddef.h>

/* The rank behind that of every rule. */
enum { RANK_BUILT_IN = 1 << 20 };

/* text[start .. end - 1] becomes a link to urls[url .. url + url_n - 1]. */
struct match {
	size_t start, end;
	size_t url, url_n;
	size_t rank; /* of two that begin together the lower one wins */
};

/* All zero but the settings before the first matches_begin(). */
struct matches {
	const struct linkify_settings *settings; /* by which they are found */
	struct match *match;
	size_t count, capacity;
	struct buf urls;
	bool failed; /* out of memory: the links are incomplete */
};

/* Forgets the matches of the last text, and keeps the memory. */
void matches_begin(struct matches *matches);
void matches_free(struct matches *matches);

/*
 * Adds a match, whose URL the caller has added to `urls` from `url` on; a URL longer than
 * the limit of the settings is removed instead.
 */
void matches_add(struct matches *m, size_t start, size_t end, size_t url, size_t rank);

/* Sorts the matches by place, and removes those that overlap one that wins. */
void matches_sort(struct matches *m);

#endif
