/* SPDX-License-Identifier: MIT */
/*
 * The tables of terminals and features, expanded, and the lookups in them.
 * Layer terminal/: pure. The contract is in terminal.h, the facts are in the two
 * .def files.
 */
#include "terminal/terminal.h"

#include "base/version.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

static const struct {
	char word[16];
	char meaning[64];
} features[] = {
#define FEATURE(ID, word, meaning) [FEATURE_##ID] = { word, meaning },
#include "terminal/features.def"
#undef FEATURE
};

static const char supports[SUPPORT_COUNT][8] = {
	[SUPPORT_UNKNOWN] = "unknown",
	[SUPPORT_YES] = "yes",
	[SUPPORT_NO] = "no",
	[SUPPORT_OFF] = "off",
	[SUPPORT_ASKS] = "asks",
	[SUPPORT_EMPTIES] = "empties",
};

static const struct terminal terminals[] = {
#define TERMINAL(word, ...) { .id = word, __VA_ARGS__ },
#define UNKNOWN(ID) [FEATURE_##ID] = SUPPORT_UNKNOWN
#define YES(ID) [FEATURE_##ID] = SUPPORT_YES
#define NO(ID) [FEATURE_##ID] = SUPPORT_NO
#define OFF(ID) [FEATURE_##ID] = SUPPORT_OFF
#define ASKS(ID) [FEATURE_##ID] = SUPPORT_ASKS
#define EMPTIES(ID) [FEATURE_##ID] = SUPPORT_EMPTIES
#include "terminal/terminals.def"
#undef EMPTIES
#undef ASKS
#undef OFF
#undef NO
#undef YES
#undef UNKNOWN
#undef TERMINAL
};

static bool
begins_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

/* "foot" is the family of foot, foot-extra and foot-direct, not of footwear. */
static bool
is_family(const char *term, const char *family)
{
	size_t length = strlen(family);

	return strncmp(term, family, length) == 0
		&& (term[length] == '\0' || term[length] == '-');
}

static const struct terminal *
by_term(const char *term)
{
	for (size_t i = 0; i < LEN(terminals); i++) {
		const struct terminal *terminal = &terminals[i];

		for (size_t j = 0; j < LEN(terminal->term) && terminal->term[j][0]; j++) {
			if (is_family(term, terminal->term[j]))
				return terminal;
		}
	}
	return NULL;
}

static const struct terminal *
by_term_program(const char *program)
{
	for (size_t i = 0; i < LEN(terminals); i++) {
		const char *own = terminals[i].term_program;

		if (own[0] && strcmp(program, own) == 0)
			return &terminals[i];
	}
	return NULL;
}

static bool
has_variable(const struct terminal *terminal,
	const char *(*get)(void *context, const char *name), void *context)
{
	for (size_t i = 0; i < LEN(terminal->variables); i++) {
		const struct terminal_variable *variable = &terminal->variables[i];
		const char *value;

		if (!variable->name[0])
			break;
		value = get(context, variable->name);
		if (value && value[0] && begins_with(value, variable->value))
			return true;
	}
	return false;
}

size_t
terminal_count(void)
{
	return LEN(terminals);
}

const struct terminal *
terminal_at(size_t i)
{
	return i < LEN(terminals) ? &terminals[i] : NULL;
}

const struct terminal *
terminal_by_id(const char *id)
{
	if (!id)
		return NULL;
	for (size_t i = 0; i < LEN(terminals); i++) {
		if (strcmp(id, terminals[i].id) == 0)
			return &terminals[i];
	}
	return NULL;
}

const struct terminal *
terminal_by_process(const char *comm)
{
	if (!comm)
		return NULL;
	for (size_t i = 0; i < LEN(terminals); i++) {
		const struct terminal *terminal = &terminals[i];

		for (size_t j = 0; j < LEN(terminal->processes); j++) {
			if (!terminal->processes[j][0])
				break;
			if (strcmp(comm, terminal->processes[j]) == 0)
				return terminal;
		}
	}
	return NULL;
}

const struct terminal *
terminal_by_version(const char *xtversion)
{
	if (!xtversion)
		return NULL;
	for (size_t i = 0; i < LEN(terminals); i++) {
		const char *own = terminals[i].version;

		if (own[0] && begins_with(xtversion, own))
			return &terminals[i];
	}
	return NULL;
}

const struct terminal *
terminal_by_da2(const char *reply)
{
	if (!reply)
		return NULL;
	for (size_t i = 0; i < LEN(terminals); i++) {
		const char *own = terminals[i].da2;

		if (own[0] && begins_with(reply, own))
			return &terminals[i];
	}
	return NULL;
}

const struct terminal *
terminal_by_da3(const char *unit)
{
	if (!unit)
		return NULL;
	for (size_t i = 0; i < LEN(terminals); i++) {
		const char *own = terminals[i].da3;

		if (own[0] && strcasecmp(unit, own) == 0)
			return &terminals[i];
	}
	return NULL;
}

const struct terminal *
terminal_by_environment(const char *(*get)(void *context, const char *name), void *context)
{
	const struct terminal *claimant = NULL;
	const char *value;

	if (!get)
		return NULL;

	value = get(context, "TERM");
	if (value && value[0]) {
		claimant = by_term(value);
		if (claimant || !is_family(value, "xterm"))
			return claimant;
	}

	value = get(context, "TERM_PROGRAM");
	if (value && value[0]) {
		claimant = by_term_program(value);
		if (!claimant)
			return NULL;
	}

	for (size_t i = 0; i < LEN(terminals); i++) {
		if (&terminals[i] == claimant || !has_variable(&terminals[i], get, context))
			continue;
		if (claimant)
			return NULL;
		claimant = &terminals[i];
	}
	return claimant;
}

enum support
terminal_support(const struct terminal *terminal, enum feature feature)
{
	if (!terminal || (size_t)feature >= FEATURE_COUNT)
		return SUPPORT_UNKNOWN;
	return (enum support)terminal->support[feature];
}

enum support
terminal_version_support(const struct terminal *terminal, enum feature feature,
	const char *xtversion)
{
	enum support support = terminal_support(terminal, feature);
	struct version first, theirs;

	if (support == SUPPORT_UNKNOWN || terminal->since.feature != feature ||
	    !version_find(&first, terminal->since.version))
		return support;
	if (!begins_with(xtversion, terminal->version) ||
	    !version_find(&theirs, xtversion))
		return SUPPORT_UNKNOWN;
	return version_is_at_least(&theirs, &first) ? support : SUPPORT_NO;
}

const char *
terminal_switch(const struct terminal *terminal, enum feature feature)
{
	if (terminal_support(terminal, feature) != SUPPORT_OFF)
		return NULL;
	if (feature == FEATURE_CLEAR || feature == FEATURE_PRIMARY)
		feature = FEATURE_COPY;
	for (size_t i = 0; i < LEN(terminal->switches); i++) {
		const struct terminal_switch *entry = &terminal->switches[i];

		if (entry->setting[0] && entry->feature == feature)
			return entry->setting;
	}
	return NULL;
}

const char *
feature_name(enum feature feature)
{
	return (size_t)feature < FEATURE_COUNT ? features[feature].word : NULL;
}

const char *
feature_meaning(enum feature feature)
{
	return (size_t)feature < FEATURE_COUNT ? features[feature].meaning : NULL;
}

const char *
support_name(enum support support)
{
	return (size_t)support < SUPPORT_COUNT ? supports[support] : NULL;
}
