/* SPDX-License-Identifier: MIT */
/* The tables and their lookups. */
#include "terminal/terminal.h"

#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- the tables ----------------------------------------------------------------- */

const struct feature_text feature_texts[FEATURE_COUNT] = {
#define FEATURE(ID, word, meaning) [FEATURE_##ID] = { word, meaning },
#include "terminal/features.def"
};

const char support_words[SUPPORT_COUNT][8] = {
	[SUPPORT_UNKNOWN] = "unknown",
	[SUPPORT_YES] = "yes",
	[SUPPORT_NO] = "no",
	[SUPPORT_OFF] = "off",
	[SUPPORT_ASKS] = "asks",
	[SUPPORT_EMPTIES] = "clears",
};

const struct terminal_name terminal_names[] = {
#define NAME(word, name, id, variable, value) { word, name, id, variable, value },
#include "terminal/names.def"
	{ .word = "" }
};

const struct feature_setting feature_settings[] = {
#define SETTING(id, feature, setting) { id, FEATURE_##feature, setting },
#include "terminal/settings.def"
	{ .id = "" }
};

static const struct quirk quirks[] = {
#define QUIRK(id, kind, ...) { id, QUIRK_##kind, __VA_ARGS__ },
#include "terminal/quirks.def"
	{ .id = "" }
};

/* A cell of a row: `now` since version `first`, `before` in all older ones. */
#define CELL(ID, now, first, before) \
	[FEATURE_##ID] = { .support = SUPPORT_##now, .older = SUPPORT_##before, \
	    .since = first }
#define UNKNOWN(ID) CELL(ID, UNKNOWN, "", UNKNOWN)
#define NO(ID) CELL(ID, NO, "", NO)
#define YES(ID, first) CELL(ID, YES, first, NO)
#define OFF(ID, first) CELL(ID, OFF, first, NO)
#define ASKS(ID, first) CELL(ID, ASKS, first, NO)
#define EMPTIES(ID, first) CELL(ID, EMPTIES, first, NO)

/* Setting and resetting colors, including the cursor. */
#define COLORS YES(COLOR, ""), YES(COLOR_CURSOR, ""), YES(COLOR_RESET, "")
#define NO_COLORS NO(COLOR), NO(COLOR_CURSOR), NO(COLOR_RESET)
#define UNKNOWN_COLORS UNKNOWN(COLOR), UNKNOWN(COLOR_CURSOR), UNKNOWN(COLOR_RESET)

/* Project, version and files that the row is based on: for readers only. */
#define SOURCE(text)

const struct terminal terminals[] = {
#define TERMINAL(word, ...) { .id = word, __VA_ARGS__ },
#include "terminal/terminals.def"
	{ .id = "" }
};

const struct terminal multiplexers[] = {
#define MULTIPLEXER(word, ...) { .id = word, __VA_ARGS__ },
#include "terminal/multiplexers.def"
	{ .id = "" }
};

const struct desktop_kind desktop_kinds[DESKTOPS] = {
#define DESKTOP(ID, ...) [DESKTOP_##ID] = { __VA_ARGS__ },
#include "terminal/desktops.def"
};

const struct desktop_tool desktop_tools[DESKTOP_TOOLS] = {
#define ACTION(ID) .arguments[DESKTOP_##ID]
#define TOOL(name, ID, ...) { .program = name, .desktop = DESKTOP_##ID, __VA_ARGS__ },
#include "terminal/desktop_tools.def"
};

/* ---- recognition ---------------------------------------------------------------- */

/* In "vi vim*", "vim*" matches vim, vimdiff and vim.basic; "vi" only vi. */
static bool
is_process(const char *comm, const char *pattern)
{
	size_t n;

	for (; pattern != NULL; pattern = strchr(pattern, ' ')) {
		pattern += *pattern == ' ';
		n = strcspn(pattern, "* ");
		if (strncmp(comm, pattern, n) == 0 && (pattern[n] == '*' || comm[n] == '\0'))
			return true;
	}
	return false;
}

/* The family "foot" has foot, foot-extra and foot-direct, but not footwear. "" has none. */
static bool
is_family(const char *term, const char *family)
{
	size_t n = strlen(family);

	return n > 0 && strncmp(term, family, n) == 0 &&
	    (term[n] == '\0' || term[n] == '-' || family[n - 1] == '.');
}

/* Whether the reply begins with the prefix. None does with "". */
static bool
is_reply(const char *text, const char *prefix)
{
	const size_t n = strlen(prefix);

	return n > 0 && strncmp(text, prefix, n) == 0;
}

const struct terminal *
terminal_by(const struct terminal *row, enum terminal_key key, const char *text)
{
	/* it would equal a missing field */
	if (text == NULL || text[0] == '\0')
		return NULL;
	for (; row->id[0] != '\0'; row++)
		if ((key == BY_ID && strcmp(text, row->id) == 0) ||
		    (key == BY_PROCESS && is_process(text, row->processes)) ||
		    (key == BY_TERM && (is_family(text, row->term[0]) ||
		    is_family(text, row->term[1]))) ||
		    (key == BY_VERSION && is_reply(text, row->version)) ||
		    (key == BY_DA2 && is_reply(text, row->da2)) ||
		    (key == BY_DA3 && strcasecmp(text, row->da3) == 0))
			return row;
	return NULL;
}

const struct terminal *
terminal_after_reply(const struct terminal *other, const struct terminal *replied)
{
	return other != NULL && replied != NULL &&
	    strcmp(other->engine, replied->id) == 0 ? other : replied;
}

/* Ignores the case of letters: a path has Cursor.app, cursor or .cursor-server. */
static bool
contains(const char *text, const char *part)
{
	size_t n = strlen(part);

	while (*text != '\0' && strncasecmp(text, part, n) != 0)
		text++;
	return n == 0 || *text != '\0';
}

/* The value of a variable, or NULL if it is empty. */
static const char *
value_of(variable_getter *get, const void *context, const char *name)
{
	const char *value = name[0] != '\0' ? get(context, name) : NULL;

	return value != NULL && value[0] != '\0' ? value : NULL;
}

static bool
sets_variable(const struct terminal *terminal, variable_getter *get, const void *context)
{
	const struct terminal_variable *at = terminal->variables;
	size_t n = sizeof(terminal->variables) / sizeof(terminal->variables[0]);
	const char *value;

	for (; n > 0 && at->name[0] != '\0'; n--, at++) {
		value = value_of(get, context, at->name);
		if (value != NULL && contains(value, at->value))
			return true;
	}
	return false;
}

const struct terminal *
terminal_variant(const struct terminal *rows, const struct terminal *row,
    variable_getter *get, const void *context)
{
	while (rows->id[0] != '\0' && (strcmp(rows->variant_of, row->id) != 0 ||
	    !sets_variable(rows, get, context)))
		rows++;
	return rows->id[0] != '\0' ? rows : row;
}

const struct terminal *
terminal_by_environment(variable_getter *get, const void *context,
    const struct terminal **embedder)
{
	const char *term = value_of(get, context, "TERM"), *program;
	const struct terminal *row = terminal_by(terminals, BY_TERM, term), *claimant = NULL;
	const struct terminal *embeds = NULL;
	bool stranger, named, contested = false;

	if (embedder != NULL)
		*embedder = NULL;
	if (row != NULL || (term != NULL && !is_family(term, "xterm")))
		return row;
	program = value_of(get, context, "TERM_PROGRAM");
	stranger = program != NULL;
	for (row = terminals; row->id[0] != '\0'; row++) {
		named = text_equal(program, row->term_program);
		if (row->variant_of[0] != '\0' || (!named && !sets_variable(row, get, context)))
			continue;
		contested = contested || claimant != NULL;
		claimant = row;
		stranger = stranger && !named;
		if (row->engine[0] != '\0' && (named || embeds == NULL))
			embeds = row;
	}
	if (embedder != NULL && embeds != NULL && !stranger)
		*embedder = terminal_variant(terminals, embeds, get, context);
	return stranger || contested || claimant == NULL ? NULL :
	    terminal_variant(terminals, claimant, get, context);
}

/* ---- names ---------------------------------------------------------------------- */

/* NULL for a family, since the program is unknown. */
static const char *
own_name(const struct terminal *terminal)
{
	return terminal->family[0] != '\0' ? NULL : terminal->name;
}

const struct terminal *
terminal_by_word(const char *word, const char **name)
{
	const struct terminal *terminal = terminal_by(terminals, BY_ID, word);
	const struct terminal_name *other = terminal_names;

	if (terminal != NULL) {
		*name = own_name(terminal);
		return terminal;
	}
	while (other->word[0] != '\0' && !text_equal(word, other->word))
		other++;
	*name = other->name;
	return terminal_by(terminals, BY_ID, other->id);
}

void
terminal_title(char title[TERMINAL_TITLE], const struct terminal *terminal, const char *name)
{
	title[0] = '\0';
	if (terminal == NULL)
		return;
	if (terminal->family[0] != '\0' && name != NULL)
		snprintf(title, TERMINAL_TITLE, "%s (like every %s terminal)", name,
		    terminal->family);
	else if (terminal->family[0] != '\0')
		snprintf(title, TERMINAL_TITLE, "a %s terminal such as %s", terminal->family,
		    terminal->name);
	else
		snprintf(title, TERMINAL_TITLE, "%s", name != NULL ? name : terminal->name);
}

const char *
terminal_environment_name(const struct terminal *terminal, variable_getter *get,
    const void *context)
{
	const struct terminal_name *other;
	const char *found = NULL, *value;

	for (other = terminal_names; other->word[0] != '\0'; other++) {
		if (strcmp(other->id, terminal->id) != 0 &&
		    strcmp(other->id, terminal->variant_of) != 0)
			continue;
		value = value_of(get, context, other->variable);
		if (value == NULL || !contains(value, other->value))
			continue;
		/* conflicting: one was started from the shell of the other */
		if (found != NULL && strcmp(found, other->name) != 0)
			return own_name(terminal);
		found = other->name;
	}
	return found != NULL ? found : own_name(terminal);
}

const char *
terminal_process_name(const struct terminal *terminal, const char *comm)
{
	const struct terminal_name *other;

	for (other = terminal_names; other->word[0] != '\0'; other++)
		if (strcmp(other->id, terminal->id) == 0 && text_begins(comm, other->word))
			return other->name;
	return own_name(terminal);
}

/* ---- versions ------------------------------------------------------------------- */

/*
 * Parses "foot(1.13.1)" of XTVERSION, "1.13.1" of a variable or a row, "next-3.4" of tmux. A
 * number without a dot is a packed version, or one of a single part.
 */
static bool
read_version(struct version *version, const struct terminal *terminal, const char *text)
{
	unsigned long number;
	char *end;

	if (text == NULL)
		return false;
	if (is_reply(text, terminal->version))
		text += strlen(terminal->version);
	else if (terminal->kind == HOP_TERMINAL && text[0] != 'v' &&
	    !isdigit((unsigned char)text[0]))
		return false;
	if (version_find(version, text))
		return true;
	text += strcspn(text, "0123456789");
	number = strtoul(text, &end, 10);
	if (end == text || end - text > 15)
		return false;
	*version = (struct version){ .part = { (unsigned)number } };
	if (terminal_quirk(terminal, NULL, QUIRK_PACKED) != NULL)
		*version = (struct version){ .part = { (unsigned)(number / 10000),
			(unsigned)(number / 100 % 100), (unsigned)(number % 100) } };
	return true;
}

void
terminal_version_words(char words[TERMINAL_VERSION], const struct terminal *terminal,
    const char *version)
{
	struct version v;

	if (terminal_quirk(terminal, NULL, QUIRK_PACKED) != NULL && !version_find(&v, version) &&
	    read_version(&v, terminal, version))
		text_format(words, TERMINAL_VERSION, "\"%u.%u.%u\"", v.part[0], v.part[1],
		    v.part[2]);
	else
		text_format(words, TERMINAL_VERSION, "%s", text_quote(version).text);
}

enum support
terminal_reaches(const struct terminal *terminal, const char *version, const char *since)
{
	struct version first, theirs;

	if (since[0] == '\0' || text_equal(version, NEWEST) ||
	    !read_version(&first, terminal, since))
		return SUPPORT_YES;
	if (read_version(&theirs, terminal, version))
		return version_is_at_least(&theirs, &first) ? SUPPORT_YES : SUPPORT_NO;
	return read_version(&theirs, terminal, terminal->oldest) &&
	    version_is_at_least(&theirs, &first) ? SUPPORT_YES : SUPPORT_UNKNOWN;
}

/* Whether the version is not that of a fork. */
static bool
is_own_version(const struct terminal *terminal, variable_getter *get, const void *context,
    const char *version)
{
	const char (*own)[8] = terminal->own_versions;

	return own[0][0] == '\0' ||
	    (text_equal(terminal_environment_name(terminal, get, context), terminal->name) &&
	    terminal_reaches(terminal, version, own[0]) == SUPPORT_YES &&
	    terminal_reaches(terminal, version, own[1]) == SUPPORT_NO);
}

const char *
terminal_environment_version(const struct terminal *terminal, variable_getter *get,
    const void *context)
{
	const char *name, *value;
	size_t i;

	for (i = 0; terminal != NULL && i < sizeof(terminal->version_variables) /
	    sizeof(terminal->version_variables[0]); i++) {
		name = terminal->version_variables[i];
		/* these may be inherited from another terminal */
		if (strcmp(name, "TERM_PROGRAM_VERSION") == 0 &&
		    (!text_equal(get(context, "TERM_PROGRAM"), terminal->term_program) ||
		    !is_own_version(terminal, get, context, get(context, name))))
			continue;
		if (strcmp(name, "LC_TERMINAL_VERSION") == 0 &&
		    !text_equal(get(context, "LC_TERMINAL"), terminal->name))
			continue;
		value = value_of(get, context, name);
		if (value != NULL)
			return value;
	}
	return "";
}

/* ---- quirks --------------------------------------------------------------------- */

const struct quirk *
terminal_quirk(const struct terminal *terminal, const char *version, enum quirk_kind kind)
{
	const struct quirk *quirk;

	for (quirk = quirks; terminal != NULL && quirk->id[0] != '\0'; quirk++)
		if (quirk->kind == kind && strcmp(quirk->id, terminal->id) == 0 &&
		    terminal_reaches(terminal, version, quirk->since) != SUPPORT_NO &&
		    (quirk->before[0] == '\0' ||
		    terminal_reaches(terminal, version, quirk->before) != SUPPORT_YES))
			return quirk;
	return NULL;
}

/* ---- features ------------------------------------------------------------------- */

/* The value of a cell for this version, or 0 if unknown. */
static unsigned
read_cell(const struct terminal *terminal, const struct terminal_support *cell,
    const char *version)
{
	const enum support reached = terminal_reaches(terminal, version, cell->since);

	if (reached == SUPPORT_UNKNOWN && cell->support != cell->older)
		return SUPPORT_UNKNOWN;
	return reached == SUPPORT_NO ? cell->older : cell->support;
}

enum support
terminal_support(const struct terminal *terminal, const char *version, unsigned feature)
{
	if (terminal == NULL)
		return SUPPORT_UNKNOWN;
	if (terminal->kind != HOP_TERMINAL && (feature >= FEATURE_COUNT ||
	    terminal->support[feature].support == SUPPORT_UNKNOWN))
		return SUPPORT_NO;
	return feature < FEATURE_COUNT ? (enum support)read_cell(terminal,
	    &terminal->support[feature], version) : SUPPORT_UNKNOWN;
}

enum support
terminal_passes(const struct terminal *multiplexer, const char *version, unsigned feature)
{
	return feature < FEATURE_COUNT ? (enum support)read_cell(multiplexer,
	    &multiplexer->passes[feature], version) : SUPPORT_UNKNOWN;
}

enum clipboard_bytes
terminal_bytes(const struct terminal *terminal, const char *version)
{
	return terminal == NULL ? BYTES_UNKNOWN :
	    (enum clipboard_bytes)read_cell(terminal, &terminal->bytes, version);
}

enum support
terminal_copy_allowed(const struct terminal *terminal, const char *version, const char *da1)
{
	/* only VT200 (62) and above, and 61, report extensions; a relay adds 52 to any reply */
	enum { FIRST_LEVEL = 61 };
	char *rest;
	bool extensions = da1 != NULL && strtol(da1, &rest, 10) >= FIRST_LEVEL;

	while (da1 != NULL && *rest == ';')
		if (strtol(rest + 1, &rest, 10) == 52)
			return SUPPORT_YES;
	return extensions && terminal != NULL && terminal->copy_in_da1[0] != '\0' &&
	    terminal_reaches(terminal, version, terminal->copy_in_da1) == SUPPORT_YES ?
	    SUPPORT_OFF : SUPPORT_UNKNOWN;
}

const char *
terminal_setting(const struct terminal *terminal, enum feature feature)
{
	const struct feature_setting *at;

	if (terminal == NULL || (terminal->kind == HOP_TERMINAL &&
	    terminal_support(terminal, NEWEST, feature) == SUPPORT_NO))
		return NULL;
	if (feature == FEATURE_CLEAR || feature == FEATURE_PRIMARY)
		feature = FEATURE_COPY;
	for (at = feature_settings; at->id[0] != '\0'; at++)
		if (at->feature == feature && strcmp(at->id, terminal->id) == 0)
			return at->setting;
	return NULL;
}
