/* SPDX-License-Identifier: MIT */
/* The table of multiplexers with its lookups; see multiplexer.h. */
#include "terminal/multiplexer.h"

#include "base/text.h"
#include "base/version.h"
#include "terminal/cells.h"

#include <string.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

static const struct multiplexer multiplexers[] = {
#define MULTIPLEXER(word, ...) { .id = word, __VA_ARGS__ },
#define BIT(ID) (1u << FEATURE_##ID)
#include "terminal/multiplexers.def"
#undef BIT
#undef MULTIPLEXER
};

/* "vim*" is vim, vimdiff and vim.basic; "vi" is vi alone. */
static bool
is_process(const char *comm, const char *pattern)
{
	const char *star = strchr(pattern, '*');

	return star != NULL ? strncmp(comm, pattern, (size_t)(star - pattern)) == 0 :
	    strcmp(comm, pattern) == 0;
}

/* Before `first`; a version that is not known is before it. */
static bool
is_before(const char *version, const char *first)
{
	struct version found, limit;

	return !version_find(&limit, first) || version == NULL ||
	    !version_find(&found, version) || !version_is_at_least(&found, &limit);
}

/* ---- recognition ---------------------------------------------------------- */

const struct multiplexer *
multiplexer_at(size_t i)
{
	return i < LEN(multiplexers) ? &multiplexers[i] : NULL;
}

const struct multiplexer *
multiplexer_by_process(const char *comm)
{
	const struct multiplexer *row;
	size_t i, j;

	for (i = 0; comm != NULL && (row = multiplexer_at(i)) != NULL; i++)
		for (j = 0; j < LEN(row->processes) && row->processes[j][0] != '\0'; j++)
			if (is_process(comm, row->processes[j]))
				return row;
	return NULL;
}

/* The longest prefix counts: "screen." is not "screen". */
const struct multiplexer *
multiplexer_by_term(const char *term)
{
	const struct multiplexer *row, *found = NULL;
	size_t i;

	for (i = 0; term != NULL && (row = multiplexer_at(i)) != NULL; i++)
		if (row->term[0] != '\0' && text_begins(term, row->term) &&
		    (found == NULL || strlen(row->term) > strlen(found->term)))
			found = row;
	return found;
}

const struct multiplexer *
multiplexer_by_da2(long number)
{
	const struct multiplexer *row;
	size_t i;

	for (i = 0; (row = multiplexer_at(i)) != NULL; i++)
		if (row->da2 != 0 && row->da2 == number)
			return row;
	return NULL;
}

const struct multiplexer *
multiplexer_by_version(const char *xtversion, const char **version)
{
	const struct multiplexer *row;
	size_t i;

	for (i = 0; xtversion != NULL && (row = multiplexer_at(i)) != NULL; i++) {
		if (row->version[0] == '\0' || !text_begins(xtversion, row->version))
			continue;
		if (version != NULL)
			*version = xtversion + strlen(row->version);
		return row;
	}
	return NULL;
}

const struct multiplexer *
multiplexer_of(enum hop_kind kind, const char *name)
{
	const struct multiplexer *row = multiplexer_by_process(name);
	size_t i;

	if (kind == HOP_TMUX_UNREACHABLE)
		kind = HOP_TMUX;
	if (row != NULL && row->kind == kind)
		return row;
	for (i = 0; (row = multiplexer_at(i)) != NULL; i++)
		if (row->kind == kind)
			return row;
	return NULL;
}

/* ---- what a row says ------------------------------------------------------ */

bool
multiplexer_does(const struct multiplexer *row, unsigned feature)
{
	return feature < FEATURE_COUNT && (row->does & 1u << feature) != 0;
}

bool
multiplexer_is_stepped_over(const struct multiplexer *row)
{
	return row->outer[0] != '\0' && !row->outer_changes;
}

size_t
multiplexer_body_max(const struct multiplexer *row, unsigned feature)
{
	if (feature >= FEATURE_COUNT)
		return 0;
	if (feature == FEATURE_COPY && row->copy_max != 0)
		return row->copy_max;
	return feature == FEATURE_TITLE && row->title_max != 0 ? row->title_max :
	    row->body_max;
}

size_t
multiplexer_queue_max(const struct multiplexer *row, const char *version)
{
	return row->queue_max != 0 && is_before(version, row->queue_before) ?
	    row->queue_max : 0;
}

enum support
multiplexer_passes(const struct multiplexer *row, unsigned feature, const char *version)
{
	const struct terminal_support *cell;
	struct version found;

	if (feature >= FEATURE_COUNT)
		return SUPPORT_UNKNOWN;
	cell = &row->passes[feature];
	if (cell->since[0] == '\0')
		return (enum support)cell->support;
	if (version == NULL || !version_find(&found, version))
		version = row->oldest;
	if (version[0] == '\0')
		return SUPPORT_UNKNOWN;
	return (enum support)(is_before(version, cell->since) ? cell->older : cell->support);
}

enum support
multiplexer_passes_now(const struct multiplexer *row, unsigned feature)
{
	return feature < FEATURE_COUNT ? (enum support)row->passes[feature].support :
	    SUPPORT_UNKNOWN;
}
