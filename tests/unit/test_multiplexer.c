/* SPDX-License-Identifier: MIT */
/*
 * Tests of the table of multiplexers: that it is in order, and that the limits are those of the
 * encoder. How one is recognized is in test_terminal.c.
 */
#include "terminal/terminal.h"

#include "encoder/encoder.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <string.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

static const struct terminal *
row_of(const char *id)
{
	return terminal_by(multiplexers, BY_ID, id);
}

/* ---- the table ---------------------------------------------------------- */

Test(multiplexer, rows_are_named)
{
	size_t count = 0;
	const struct terminal *row;

	for (row = multiplexers; row->id[0] != '\0'; row++, count++)
		cr_expect(row->name[0] && row->kind != HOP_TERMINAL &&
		    row->kind <= HOP_NONE, "row %zu", count);
	cr_expect_geq(count, 12);
}

static bool
has_setting(const struct terminal *row, size_t feature)
{
	const struct feature_setting *at = feature_settings;

	while (at->id[0] && (strcmp(at->id, row->id) != 0 || at->feature != feature))
		at++;
	return at->id[0];
}

/* A person who is told that it is off is told what to set, and nobody else. */
Test(multiplexer, what_is_off_has_a_setting)
{
	const struct terminal *row;
	size_t f;

	for (row = multiplexers; row->id[0] != '\0'; row++)
		for (f = 0; f < FEATURE_COUNT; f++)
			cr_expect_eq(has_setting(row, f),
			    row->passes[f].support == SUPPORT_OFF, "%s, %s", row->id,
			    feature_texts[f].word);
}

/* ---- what a row says ---------------------------------------------------- */

/* A refusal tells what to do instead. */
Test(multiplexer, what_takes_some_sequences_only_names_the_alternative)
{
	const struct terminal *row;

	for (row = multiplexers; row->id[0] != '\0'; row++)
		if (row->interprets)
			cr_expect_neq(row->instead[0], '\0', "%s", row->id);
}

Test(multiplexer, limits_are_those_that_the_encoder_keeps)
{
	cr_expect_eq(row_of("tmux")->body_max, TMUX_SEQUENCE_MAX);
	cr_expect_eq(row_of("screen")->body_max, SCREEN_STRING_MAX);
	cr_expect_eq(row_of("tmux or screen")->body_max, SCREEN_STRING_MAX);
}

Test(multiplexer, what_passes_depends_on_the_version)
{
	static const struct {
		const char *id, *version;
		unsigned feature;
		enum support wanted;
	} rows[] = {
		{ "zellij", "Zellij(4500)", FEATURE_COPY, SUPPORT_YES },
		{ "zellij", NEWEST, FEATURE_COUNT, SUPPORT_UNKNOWN },
		{ "mosh", "1.3.2", FEATURE_COPY, SUPPORT_NO },
		/* who does not tell is taken for the oldest that is in use */
		{ "mosh", "", FEATURE_COPY, SUPPORT_YES },
		{ "zellij", "", FEATURE_LINK, SUPPORT_YES },
		{ "zellij", "", FEATURE_NOTIFY9, SUPPORT_UNKNOWN },
		/* it clears by what it passes on */
		{ "zellij", "", FEATURE_CLEAR, SUPPORT_YES },
		{ "dtach", "", FEATURE_COUNT, SUPPORT_UNKNOWN },
	};
	size_t i;

	for (i = 0; i < LEN(rows); i++)
		cr_expect_eq(terminal_passes(row_of(rows[i].id), rows[i].version, rows[i].feature),
		    rows[i].wanted, "%s %s, %u", rows[i].id, rows[i].version, rows[i].feature);
}
