/* SPDX-License-Identifier: MIT */
/* The tables of terminals and features with their lookups; see terminal.h. */
#include "terminal/terminal.h"

#include "base/text.h"
#include "base/version.h"
#include "terminal/cells.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
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

static const char bytes_words[BYTES_COUNT][16] = {
	[BYTES_UNKNOWN] = "unknown",
	[BYTES_ANY] = "any",
	[BYTES_NO_NUL] = "up to NUL",
	[BYTES_UTF8] = "UTF-8",
	[BYTES_TEXT] = "UTF-8, no NUL",
};

static const struct terminal_name names[] = {
#define NAME(word, name, id, variable) { word, name, id, variable },
#include "terminal/names.def"
#undef NAME
};

static const struct terminal terminals[] = {
#define TERMINAL(word, ...) { .id = word, __VA_ARGS__ },
#include "terminal/terminals.def"
#undef TERMINAL
};

typedef const char *row_text(const struct terminal *row);

static const char *
row_id(const struct terminal *row)
{
	return row->id;
}

static const char *
row_version(const struct terminal *row)
{
	return row->version;
}

static const char *
row_da2(const struct terminal *row)
{
	return row->da2;
}

static const char *
row_da3(const struct terminal *row)
{
	return row->da3;
}

static const char *
row_term_program(const struct terminal *row)
{
	return row->term_program;
}

/* The first row whose text, if it has one, `matches` the one that was read. */
static const struct terminal *
find_row(row_text *own, bool (*matches)(const char *text, const char *own), const char *text)
{
	for (size_t i = 0; text && i < LEN(terminals); i++)
		if (own(&terminals[i])[0] && matches(text, own(&terminals[i])))
			return &terminals[i];
	return NULL;
}

static bool
is_equal_but_for_case(const char *a, const char *b)
{
	return strcasecmp(a, b) == 0;
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

static bool
sets_variable(const struct terminal *terminal,
	variable_getter *get, void *context)
{
	for (size_t i = 0; i < LEN(terminal->variables); i++) {
		const struct terminal_variable *variable = &terminal->variables[i];
		const char *value;

		if (!variable->name[0])
			break;
		value = get(context, variable->name);
		if (value && value[0] && text_begins(value, variable->value))
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
	return find_row(row_id, text_equal, id);
}

const struct terminal_name *
terminal_name_at(size_t i)
{
	return i < LEN(names) ? &names[i] : NULL;
}

const struct terminal *
terminal_by_word(const char *word, const char **name)
{
	const struct terminal *terminal = terminal_by_id(word);

	if (terminal && name)
		*name = terminal->name;
	for (size_t i = 0; word && !terminal && i < LEN(names); i++) {
		if (strcmp(word, names[i].word) != 0)
			continue;
		terminal = terminal_by_id(names[i].id);
		if (name)
			*name = names[i].name;
	}
	return terminal;
}

void
terminal_title(char title[TERMINAL_TITLE], const struct terminal *terminal,
	const char *name)
{
	title[0] = '\0';
	if (!terminal)
		return;
	if (terminal->family[0])
		snprintf(title, TERMINAL_TITLE, "%s (like every %s terminal)",
			name ? name : terminal->name, terminal->family);
	else
		snprintf(title, TERMINAL_TITLE, "%s%s", name ? "" : terminal->article,
			name ? name : terminal->name);
}

const char *
terminal_environment_name(const struct terminal *terminal,
	variable_getter *get, void *context)
{
	const char *found = NULL;

	if (!terminal)
		return "";
	for (size_t i = 0; get && i < LEN(names); i++) {
		const char *value;

		if (!names[i].variable[0] || strcmp(names[i].id, terminal->id) != 0)
			continue;
		value = get(context, names[i].variable);
		if (!value || !value[0])
			continue;
		/* one was started from the other's shell */
		if (found)
			return terminal->name;
		found = names[i].name;
	}
	return found ? found : terminal->name;
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
	return find_row(row_version, text_begins, xtversion);
}

const struct terminal *
terminal_by_da2(const char *reply)
{
	return find_row(row_da2, text_begins, reply);
}

const struct terminal *
terminal_by_da3(const char *unit)
{
	return find_row(row_da3, is_equal_but_for_case, unit);
}

const struct terminal *
terminal_after_reply(const struct terminal *environment,
	const struct terminal *replied)
{
	return environment && replied && strcmp(environment->engine, replied->id) == 0 ?
		environment : replied;
}

const struct terminal *
terminal_by_environment(variable_getter *get, void *context)
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
		claimant = find_row(row_term_program, text_equal, value);
		if (!claimant)
			return NULL;
	}

	for (size_t i = 0; i < LEN(terminals); i++) {
		if (&terminals[i] == claimant || !sets_variable(&terminals[i], get, context))
			continue;
		if (claimant)
			return NULL;
		claimant = &terminals[i];
	}
	return claimant;
}

/* ---- versions ------------------------------------------------------------------- */

/* A number without a point: three in one, or a version of one part. */
static bool
read_number(struct version *version, const char *text, bool packed)
{
	char number[16];
	size_t n;

	text += strcspn(text, "0123456789");
	n = strspn(text, "0123456789");
	if (n == 0 || n >= sizeof(number))
		return false;
	memcpy(number, text, n);
	number[n] = '\0';
	*version = (struct version){ .name = "" };
	version->part[0] = (unsigned)strtoul(number, NULL, 10);
	if (packed) {
		version->part[2] = version->part[0] % 100;
		version->part[1] = version->part[0] / 100 % 100;
		version->part[0] /= 10000;
	}
	return true;
}

/* "foot(1.13.1)" is told by XTVERSION, "1.13.1" by a variable. */
static bool
read_version(struct version *version, const struct terminal *terminal,
	const char *text)
{
	if (!text)
		return false;
	if (terminal->version[0] && text_begins(text, terminal->version))
		text += strlen(terminal->version);
	else if (text[0] != 'v' && !text_is_digit(text[0]))
		return false;
	return version_find(version, text)
		|| read_number(version, text, terminal->packed_version);
}

void
terminal_version_words(char words[TERMINAL_VERSION], const struct terminal *terminal,
	const char *version)
{
	struct version v;

	if (terminal->packed_version && !version_find(&v, version)
		&& read_version(&v, terminal, version))
		text_format(words, TERMINAL_VERSION, "\"%u.%u.%u\"", v.part[0], v.part[1],
			v.part[2]);
	else
		text_format(words, TERMINAL_VERSION, "%s", text_quote(version).text);
}

enum age { AGE_UNKNOWN, AGE_OLDER, AGE_SINCE };

/* Whether the version in `text` is older than `since`. */
static enum age
age_of(const struct terminal *terminal, const char *since, const char *text)
{
	struct version first, theirs;

	if (!version_find(&first, since) && !read_number(&first, since, false))
		return AGE_SINCE;
	if (read_version(&theirs, terminal, text))
		return version_is_at_least(&theirs, &first) ? AGE_SINCE : AGE_OLDER;
	return read_version(&theirs, terminal, terminal->oldest)
		&& version_is_at_least(&theirs, &first) ? AGE_SINCE : AGE_UNKNOWN;
}

/* Whether the variable tells of this terminal, and not of one it was started from. */
static bool
is_its_version(const struct terminal *terminal, const char *variable,
	variable_getter *get, void *context)
{
	const char *program;

	if (strcmp(variable, "TERM_PROGRAM_VERSION") == 0) {
		program = get(context, "TERM_PROGRAM");
		return program && strcmp(program, terminal->term_program) == 0;
	}
	if (strcmp(variable, "LC_TERMINAL_VERSION") == 0) {
		program = get(context, "LC_TERMINAL");
		return program && strcmp(program, terminal->name) == 0;
	}
	return true;
}

const char *
terminal_environment_version(const struct terminal *terminal,
	variable_getter *get, void *context)
{
	if (!terminal || !get)
		return "";
	for (size_t i = 0; i < LEN(terminal->version_variables); i++) {
		const char *name = terminal->version_variables[i];
		const char *value = name[0] ? get(context, name) : NULL;

		if (value && value[0] && is_its_version(terminal, name, get, context))
			return value;
	}
	return "";
}

/* ---- what a terminal does ------------------------------------------------------- */

enum support
terminal_support(const struct terminal *terminal, enum feature feature)
{
	if (!terminal || (size_t)feature >= FEATURE_COUNT)
		return SUPPORT_UNKNOWN;
	return (enum support)terminal->support[feature].support;
}

enum support
terminal_version_support(const struct terminal *terminal, enum feature feature,
	const char *version)
{
	const struct terminal_support *cell;

	if (!terminal || (size_t)feature >= FEATURE_COUNT)
		return SUPPORT_UNKNOWN;
	cell = &terminal->support[feature];
	switch (age_of(terminal, cell->since, version)) {
	case AGE_SINCE:
		return (enum support)cell->support;
	case AGE_OLDER:
		return (enum support)cell->older;
	case AGE_UNKNOWN:
		break;
	}
	return cell->support == cell->older ? (enum support)cell->support :
		SUPPORT_UNKNOWN;
}

const char *
terminal_since(const struct terminal *terminal, enum feature feature)
{
	if (!terminal || (size_t)feature >= FEATURE_COUNT)
		return "";
	return terminal->support[feature].since;
}

enum clipboard_bytes
terminal_bytes(const struct terminal *terminal, const char *version)
{
	if (!terminal)
		return BYTES_UNKNOWN;
	switch (age_of(terminal, terminal->bytes.since, version)) {
	case AGE_SINCE:
		return (enum clipboard_bytes)terminal->bytes.bytes;
	case AGE_OLDER:
		return (enum clipboard_bytes)terminal->bytes.older;
	case AGE_UNKNOWN:
		break;
	}
	return BYTES_UNKNOWN;
}

const char *
terminal_switch(const struct terminal *terminal, enum feature feature)
{
	if (terminal_support(terminal, feature) != SUPPORT_OFF)
		return NULL;
	if (feature == FEATURE_CLEAR || feature == FEATURE_PRIMARY)
		feature = FEATURE_COPY;
	for (size_t i = 0; i < LEN(terminal->switches); i++) {
		const struct feature_setting *entry = &terminal->switches[i];

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

const char *
clipboard_bytes_name(enum clipboard_bytes bytes)
{
	return (size_t)bytes < BYTES_COUNT ? bytes_words[bytes] : NULL;
}
