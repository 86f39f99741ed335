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

	return star ? strncmp(comm, pattern, (size_t)(star - pattern)) == 0
		: strcmp(comm, pattern) == 0;
}

/* Before `first`; a version that is not known is before it. */
static bool
is_before(const char *version, const char *first)
{
	struct version found, limit;

	return !version_find(&limit, first) || !version
		|| !version_find(&found, version) || !version_is_at_least(&found, &limit);
}

const struct multiplexer *
multiplexer_at(size_t i)
{
	return i < LEN(multiplexers) ? &multiplexers[i] : NULL;
}

const struct multiplexer *
multiplexer_by_process(const char *comm)
{
	for (size_t i = 0; comm && i < LEN(multiplexers); i++) {
		const struct multiplexer *row = &multiplexers[i];

		for (size_t j = 0; j < LEN(row->processes) && row->processes[j][0]; j++) {
			if (is_process(comm, row->processes[j]))
				return row;
		}
	}
	return NULL;
}

const struct multiplexer *
multiplexer_by_term(const char *term)
{
	const struct multiplexer *found = NULL;

	/* the longest prefix: "screen." is not "screen" */
	for (size_t i = 0; term && i < LEN(multiplexers); i++) {
		const struct multiplexer *row = &multiplexers[i];

		if (row->term[0] && text_begins(term, row->term)
			&& (!found || strlen(row->term) > strlen(found->term)))
			found = row;
	}
	return found;
}

const struct multiplexer *
multiplexer_by_da2(long number)
{
	for (size_t i = 0; i < LEN(multiplexers); i++) {
		if (multiplexers[i].da2 && multiplexers[i].da2 == number)
			return &multiplexers[i];
	}
	return NULL;
}

const struct multiplexer *
multiplexer_by_version(const char *xtversion, const char **version)
{
	for (size_t i = 0; xtversion && i < LEN(multiplexers); i++) {
		const char *start = multiplexers[i].version;

		if (!start[0] || !text_begins(xtversion, start))
			continue;
		if (version)
			*version = xtversion + strlen(start);
		return &multiplexers[i];
	}
	return NULL;
}

const struct multiplexer *
multiplexer_of(enum hop_kind kind, const char *name)
{
	const struct multiplexer *named = multiplexer_by_process(name);

	if (kind == HOP_TMUX_UNREACHABLE)
		kind = HOP_TMUX;
	if (named && named->kind == kind)
		return named;
	for (size_t i = 0; i < LEN(multiplexers); i++) {
		if (multiplexers[i].kind == kind)
			return &multiplexers[i];
	}
	return NULL;
}

bool
multiplexer_does(enum hop_kind kind, enum feature feature)
{
	const struct multiplexer *row = multiplexer_of(kind, NULL);

	return row && (unsigned)feature < FEATURE_COUNT && (row->does & 1u << feature);
}

bool
multiplexer_names_windows(enum hop_kind kind)
{
	const struct multiplexer *row = multiplexer_of(kind, NULL);

	return row && row->names_windows;
}

enum multiplexer_form
multiplexer_form(enum hop_kind kind)
{
	const struct multiplexer *row = multiplexer_of(kind, NULL);

	return row ? (enum multiplexer_form)row->form : FORM_PLAIN;
}

bool
multiplexer_is_stepped_over(enum hop_kind kind)
{
	const struct multiplexer *row = multiplexer_of(kind, NULL);

	return row && row->outer[0] && !row->outer_changes;
}

size_t
multiplexer_body_max(enum hop_kind kind, enum feature feature)
{
	const struct multiplexer *row = multiplexer_of(kind, NULL);

	if (!row)
		return 0;
	if (feature == FEATURE_COPY && row->copy_max)
		return row->copy_max;
	return feature == FEATURE_TITLE && row->title_max ? row->title_max : row->body_max;
}

size_t
multiplexer_queue_max(enum hop_kind kind, const char *version)
{
	const struct multiplexer *row = multiplexer_of(kind, NULL);

	return row && row->queue_max && is_before(version, row->queue_before)
		? row->queue_max : 0;
}

enum support
multiplexer_passes(const struct multiplexer *multiplexer, enum feature feature,
	const char *version)
{
	const struct terminal_support *cell;
	struct version found;

	if (!multiplexer || (unsigned)feature >= FEATURE_COUNT)
		return SUPPORT_UNKNOWN;
	cell = &multiplexer->passes[feature];
	if (!cell->since[0])
		return (enum support)cell->support;
	if (!version || !version_find(&found, version))
		version = multiplexer->oldest;
	if (!version[0])
		return SUPPORT_UNKNOWN;
	return (enum support)(is_before(version, cell->since) ? cell->older
		: cell->support);
}

enum support
multiplexer_passes_now(const struct multiplexer *multiplexer, enum feature feature)
{
	return multiplexer && (unsigned)feature < FEATURE_COUNT
		? (enum support)multiplexer->passes[feature].support : SUPPORT_UNKNOWN;
}

const char *
multiplexer_setting(const struct multiplexer *multiplexer, enum feature feature)
{
	for (size_t i = 0; multiplexer && i < LEN(multiplexer->settings); i++) {
		const struct feature_setting *found = &multiplexer->settings[i];

		if (found->setting[0] && found->feature == feature)
			return found->setting;
	}
	return NULL;
}

const char *
multiplexer_passthrough(const struct multiplexer *multiplexer, const char *version)
{
	struct version found;

	if (!multiplexer || !multiplexer->passthrough[0])
		return NULL;
	if (version && version_find(&found, version)
		&& is_before(version, multiplexer->passthrough_since))
		return NULL;
	return multiplexer->passthrough;
}
