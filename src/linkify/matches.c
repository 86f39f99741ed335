/* SPDX-License-Identifier: MIT */
/* The links of a text; the contract is in matches.h. */
#include "linkify/matches.h"

#include <stdlib.h>

void
matches_begin(struct matches *matches)
{
	matches->count = 0;
	matches->urls.len = 0;
	matches->urls.max = BUF_NO_LIMIT;
}

void
matches_free(struct matches *matches)
{
	free(matches->match);
	buf_free(&matches->urls);
	*matches = (struct matches){ .count = 0 };
}

void
matches_add(struct matches *m, size_t start, size_t end, size_t url, size_t rank)
{
	size_t limit = m->settings->limit, n = m->urls.len - url;
	struct match *grown;

	if (m->urls.fault != BUF_FINE || n == 0 ||
	    n > (limit != 0 ? limit : LINKIFY_URL_MAX)) {
		m->failed = m->failed || m->urls.fault == BUF_NO_MEMORY;
		m->urls.len = url;
		m->urls.fault = BUF_FINE;
		return;
	}
	if (m->count == m->capacity) {
		grown = realloc(m->match,
		    (m->capacity * 2 + 8) * sizeof(*grown));
		if (grown == NULL) {
			m->failed = true;
			return;
		}
		m->match = grown;
		m->capacity = m->capacity * 2 + 8;
	}
	m->match[m->count++] = (struct match){ start, end, url, n, rank };
}

static int
by_place(const void *left, const void *right)
{
	const struct match *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->rank < b->rank ? -1 : a->rank > b->rank;
}

void
matches_sort(struct matches *m)
{
	size_t i, kept = 0, end = 0;

	if (m->count > 1)
		qsort(m->match, m->count, sizeof(*m->match), by_place);
	for (i = 0; i < m->count; i++)
		if (m->match[i].start >= end) {
			end = m->match[i].end;
			m->match[kept++] = m->match[i];
		}
	m->count = kept;
}
