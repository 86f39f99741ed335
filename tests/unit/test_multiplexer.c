/* SPDX-License-Identifier: MIT */
/*
 * Tests of the table of multiplexers: that it is in order, that each way of recognizing
 * one finds the right row and no other, and that the limits are those of the encoder. Follows multiplexer.h.
 */
#include "terminal/multiplexer.h"

#include "encoder/encoder.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <string.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

/* An array of text that is full to the last byte has lost its end. */
#define ENDS(array) (memchr((array), '\0', sizeof(array)) != NULL)

static const char *
id_of(const struct multiplexer *row)
{
	return row != NULL ? row->id : "(none)";
}

/* The row of a hop that nothing but its kind is known of. */
static const struct multiplexer *
of_kind(enum hop_kind kind)
{
	return multiplexer_of(kind, NULL);
}

/* ---- the table ---------------------------------------------------------- */

Test(multiplexer, rows_are_named_and_sourced)
{
	size_t i, count = 0;
	const struct multiplexer *row;

	for (i = 0; (row = multiplexer_at(i)) != NULL; i++, count++)
		cr_expect(row->id[0] && row->name[0] && row->source[0] &&
		    row->kind <= HOP_NONE && row->form < FORM_COUNT, "row %zu", i);
	cr_expect_geq(count, 12);
	cr_expect_null(multiplexer_at(count));
	cr_expect_null(multiplexer_at((size_t)-1));
}

Test(multiplexer, texts_end_inside_their_arrays)
{
	const struct multiplexer *row;
	size_t i, j;

	for (i = 0; (row = multiplexer_at(i)) != NULL; i++) {
		cr_expect(ENDS(row->id) && ENDS(row->name) && ENDS(row->term) &&
		    ENDS(row->version) && ENDS(row->oldest) && ENDS(row->passthrough) &&
		    ENDS(row->passthrough_since) && ENDS(row->queue_before) &&
		    ENDS(row->outer) && ENDS(row->source), "%s", row->id);
		for (j = 0; j < LEN(row->processes); j++)
			cr_expect(ENDS(row->processes[j]), "%s", row->id);
		for (j = 0; j < LEN(row->variables); j++)
			cr_expect(ENDS(row->variables[j]), "%s", row->id);
		for (j = 0; j < LEN(row->settings); j++)
			cr_expect(ENDS(row->settings[j].setting), "%s", row->id);
		for (j = 0; j < FEATURE_COUNT; j++)
			cr_expect(ENDS(row->passes[j].since), "%s", row->id);
	}
}

static bool
has_setting(const struct multiplexer *row, size_t feature)
{
	size_t i;

	for (i = 0; i < LEN(row->settings); i++)
		if (row->settings[i].setting[0] != '\0' &&
		    row->settings[i].feature == feature)
			return true;
	return false;
}

/* A person who is told that it is off is told what to set, and nobody else. */
Test(multiplexer, what_is_off_has_a_setting)
{
	const struct multiplexer *row;
	size_t i, f;

	for (i = 0; (row = multiplexer_at(i)) != NULL; i++)
		for (f = 0; f < FEATURE_COUNT; f++)
			cr_expect_eq(has_setting(row, f),
			    row->passes[f].support == SUPPORT_OFF, "%s, %s", row->id,
			    feature_name((enum feature)f));
}

/* ---- recognition -------------------------------------------------------- */

Test(multiplexer, processes)
{
	static const struct {
		const char *comm, *id;
	} cases[] = {
		{ "tmux", "tmux" }, { "tmux: server", "tmux" }, { "tmate", "tmux" },
		{ "screen", "screen" }, { "screenkey", NULL }, { "SCREEN", NULL },
		{ "zellij", "zellij" }, { "mosh-server", "mosh" },
		{ "mosh-client", NULL }, { "vim", "vim" }, { "vim.basic", "vim" },
		{ "vimdiff", "vim" }, { "vi", "vim" }, { "view", "vim" },
		{ "viewer", NULL }, { "gvim", "vim" }, { "gvimdiff", NULL },
		{ "nvim", "nvim" }, { "nvim-qt", NULL }, { "emacs", "emacs" },
		{ "emacs-gtk", "emacs" }, { "dvtm", "dvtm" }, { "dtach", "dtach" },
		{ "abduco", "abduco" }, { "sshd", "sshd" },
		{ "sshd-session", "sshd" }, { "ssh", NULL }, { "bash", NULL },
		{ "foot", NULL }, { "", NULL }, { NULL, NULL },
	};
	size_t i;

	for (i = 0; i < LEN(cases); i++)
		cr_expect_str_eq(id_of(multiplexer_by_process(cases[i].comm)),
		    cases[i].id != NULL ? cases[i].id : "(none)", "%s",
		    cases[i].comm);
}

Test(multiplexer, terms)
{
	static const struct {
		const char *term, *id;
	} cases[] = {
		{ "screen", "tmux or screen" }, { "screen-256color", "tmux or screen" },
		{ "screen.xterm-256color", "screen" }, { "tmux-256color", "tmux" },
		{ "dvtm-256color", "dvtm" }, { "eterm-color", "emacs" },
		{ "xterm-256color", NULL }, { "foot", NULL }, { "", NULL },
		{ NULL, NULL },
	};
	size_t i;

	for (i = 0; i < LEN(cases); i++)
		cr_expect_str_eq(id_of(multiplexer_by_term(cases[i].term)),
		    cases[i].id != NULL ? cases[i].id : "(none)", "%s",
		    cases[i].term);
}

Test(multiplexer, replies)
{
	const char *version = "untouched";

	cr_expect_str_eq(id_of(multiplexer_by_da2(84)), "tmux");
	cr_expect_str_eq(id_of(multiplexer_by_da2(83)), "screen");
	cr_expect_null(multiplexer_by_da2(0));
	cr_expect_null(multiplexer_by_da2(-1));
	cr_expect_null(multiplexer_by_da2(84 + 256));
	cr_expect_null(multiplexer_by_version("XTerm(390)", &version));
	cr_expect_null(multiplexer_by_version("tmuxinator 3", &version));
	cr_expect_null(multiplexer_by_version("", &version));
	cr_expect_null(multiplexer_by_version(NULL, &version));
	cr_expect_str_eq(version, "untouched");
	cr_expect_str_eq(id_of(multiplexer_by_version("tmux 3.3a", &version)), "tmux");
	cr_expect_str_eq(version, "3.3a");
	cr_expect_str_eq(id_of(multiplexer_by_version("Zellij(4500)", NULL)),
	    "zellij");
}

Test(multiplexer, hops)
{
	cr_expect_str_eq(id_of(multiplexer_of(HOP_TMUX, NULL)), "tmux");
	cr_expect_str_eq(id_of(multiplexer_of(HOP_TMUX_UNREACHABLE, "tmux")), "tmux");
	cr_expect_str_eq(id_of(multiplexer_of(HOP_TMUX_OR_SCREEN, "tmux or screen")),
	    "tmux or screen");
	cr_expect_str_eq(id_of(multiplexer_of(HOP_SCREEN, NULL)), "screen");
	cr_expect_str_eq(id_of(multiplexer_of(HOP_EDITOR, "nvim")), "nvim");
	cr_expect_str_eq(id_of(multiplexer_of(HOP_EDITOR, "vim.basic")), "vim");
	cr_expect_str_eq(id_of(multiplexer_of(HOP_EDITOR, "emacs")), "emacs");
	/* a name of another kind does not win over the kind */
	cr_expect_str_eq(id_of(multiplexer_of(HOP_MOSH, "nvim")), "mosh");
}

/* ---- what a row says ---------------------------------------------------- */

Test(multiplexer, what_each_kind_does_itself)
{
	static const struct {
		enum hop_kind kind;
		bool title, stack, window, color;
	} cases[] = {
		{ HOP_TMUX, true, true, true, true },
		{ HOP_TMUX_UNREACHABLE, true, true, true, true },
		{ HOP_TMUX_OR_SCREEN, true, false, true, false },
		{ HOP_SCREEN, true, false, true, false },
		{ HOP_ZELLIJ, true, true, false, true },
		{ HOP_MOSH, true, false, false, false },
		{ HOP_EDITOR, false, false, false, false },
	};
	size_t i;

	for (i = 0; i < LEN(cases); i++) {
		const struct multiplexer *row = of_kind(cases[i].kind);

		cr_expect_eq(multiplexer_does(row, FEATURE_TITLE), cases[i].title,
		    "%s", row->id);
		cr_expect_eq(multiplexer_does(row, FEATURE_TITLE_STACK),
		    cases[i].stack, "%s", row->id);
		cr_expect_eq(row->names_windows, cases[i].window, "%s", row->id);
		cr_expect_eq(multiplexer_does(row, FEATURE_COLOR), cases[i].color,
		    "%s", row->id);
		cr_expect_not(multiplexer_does(row, FEATURE_COPY));
		cr_expect_not(multiplexer_does(row, FEATURE_COUNT));
	}
}

Test(multiplexer, forms)
{
	cr_expect_eq(of_kind(HOP_TMUX)->form, FORM_TMUX);
	cr_expect_eq(of_kind(HOP_TMUX_UNREACHABLE)->form, FORM_TMUX);
	cr_expect_eq(of_kind(HOP_TMUX_OR_SCREEN)->form, FORM_SCREEN);
	cr_expect_eq(of_kind(HOP_SCREEN)->form, FORM_SCREEN);
	cr_expect_eq(of_kind(HOP_ZELLIJ)->form, FORM_PLAIN);
	cr_expect_eq(of_kind(HOP_MOSH)->form, FORM_PLAIN);
	cr_expect_eq(of_kind(HOP_EDITOR)->form, FORM_NONE);
}

/* A refusal tells what to do instead. */
Test(multiplexer, what_takes_some_sequences_only_names_the_alternative)
{
	const struct multiplexer *row;
	size_t i;

	for (i = 0; (row = multiplexer_at(i)) != NULL; i++)
		if (row->kind != HOP_NONE && row->form == FORM_PLAIN)
			cr_expect_neq(row->instead[0], '\0', "%s", row->id);
}

Test(multiplexer, of_the_newest_version)
{
	const struct multiplexer *zellij = multiplexer_of(HOP_ZELLIJ, NULL);

	cr_expect_eq(multiplexer_passes(zellij, FEATURE_NOTIFY99, ""), SUPPORT_NO);
	cr_expect_eq(multiplexer_passes_now(zellij, FEATURE_NOTIFY99), SUPPORT_YES);
	cr_expect_eq(multiplexer_passes_now(zellij, FEATURE_COUNT), SUPPORT_UNKNOWN);
}

Test(multiplexer, stepping_over)
{
	cr_expect(multiplexer_is_stepped_over(of_kind(HOP_TMUX)));
	/* but by itself: what shows it after a re-attachment is not known */
	cr_expect_not(multiplexer_is_stepped_over(of_kind(HOP_SCREEN)));
	cr_expect(multiplexer_is_stepped_over(of_kind(HOP_EDITOR)));
	cr_expect_not(multiplexer_is_stepped_over(of_kind(HOP_TMUX_OR_SCREEN)));
	cr_expect_not(multiplexer_is_stepped_over(of_kind(HOP_ZELLIJ)));
	cr_expect_not(multiplexer_is_stepped_over(of_kind(HOP_MOSH)));
}

Test(multiplexer, limits_are_those_that_the_encoder_keeps)
{
	cr_expect_eq(multiplexer_body_max(of_kind(HOP_TMUX), FEATURE_COPY), TMUX_SEQUENCE_MAX);
	cr_expect_eq(multiplexer_body_max(of_kind(HOP_TMUX_UNREACHABLE), FEATURE_TITLE),
	    TMUX_SEQUENCE_MAX);
	cr_expect_eq(multiplexer_body_max(of_kind(HOP_SCREEN), FEATURE_COPY),
	    SCREEN_STRING_MAX);
	cr_expect_eq(multiplexer_body_max(of_kind(HOP_TMUX_OR_SCREEN), FEATURE_TITLE),
	    SCREEN_STRING_MAX);
	cr_expect_eq(multiplexer_body_max(of_kind(HOP_MOSH), FEATURE_COPY), 16384);
	cr_expect_eq(multiplexer_body_max(of_kind(HOP_MOSH), FEATURE_TITLE), 256);
	cr_expect_eq(multiplexer_body_max(of_kind(HOP_MOSH), FEATURE_LINK), 0);
	cr_expect_eq(multiplexer_body_max(of_kind(HOP_ZELLIJ), FEATURE_COPY), 0);
	cr_expect_eq(multiplexer_body_max(of_kind(HOP_EDITOR), FEATURE_TITLE), 0);
}

Test(multiplexer, old_versions_of_tmux_cut)
{
	cr_expect_eq(multiplexer_queue_max(of_kind(HOP_TMUX), "3.2a"), 15000);
	cr_expect_eq(multiplexer_queue_max(of_kind(HOP_TMUX), "2.9"), 15000);
	cr_expect_eq(multiplexer_queue_max(of_kind(HOP_TMUX), ""), 15000);
	cr_expect_eq(multiplexer_queue_max(of_kind(HOP_TMUX), NULL), 15000);
	cr_expect_eq(multiplexer_queue_max(of_kind(HOP_TMUX), "3.3"), 0);
	cr_expect_eq(multiplexer_queue_max(of_kind(HOP_TMUX), "next-3.8"), 0);
	cr_expect_eq(multiplexer_queue_max(of_kind(HOP_SCREEN), "4.9.0"), 0);
	cr_expect_eq(multiplexer_queue_max(of_kind(HOP_SCREEN), ""), 0);
}

Test(multiplexer, what_passes_depends_on_the_version)
{
	const struct multiplexer *tmux = multiplexer_of(HOP_TMUX, NULL);
	const struct multiplexer *zellij = multiplexer_of(HOP_ZELLIJ, NULL);
	const struct multiplexer *mosh = multiplexer_of(HOP_MOSH, NULL);
	const struct multiplexer *dtach = multiplexer_by_process("dtach");

	cr_expect_eq(multiplexer_passes(tmux, FEATURE_COPY, "3.3a"), SUPPORT_OFF);
	cr_expect_eq(multiplexer_passes(tmux, FEATURE_COPY, "2.5"), SUPPORT_YES);
	cr_expect_eq(multiplexer_passes(tmux, FEATURE_COPY, ""), SUPPORT_UNKNOWN);
	cr_expect_eq(multiplexer_passes(tmux, FEATURE_LINK, "3.3a"), SUPPORT_NO);
	cr_expect_eq(multiplexer_passes(tmux, FEATURE_LINK, "3.4"), SUPPORT_OFF);
	cr_expect_eq(multiplexer_passes(tmux, FEATURE_CLEAR, ""), SUPPORT_NO);
	cr_expect_eq(multiplexer_passes(zellij, FEATURE_NOTIFY9, "0.44.3"), SUPPORT_NO);
	cr_expect_eq(multiplexer_passes(zellij, FEATURE_NOTIFY9, "0.45.0"),
	    SUPPORT_YES);
	cr_expect_eq(multiplexer_passes(mosh, FEATURE_COPY, "1.3.2"), SUPPORT_NO);
	cr_expect_eq(multiplexer_passes(mosh, FEATURE_LINK, NULL), SUPPORT_NO);
	/* who does not tell is taken for the oldest that is in use */
	cr_expect_eq(multiplexer_passes(mosh, FEATURE_COPY, ""), SUPPORT_YES);
	cr_expect_eq(multiplexer_passes(zellij, FEATURE_LINK, ""), SUPPORT_YES);
	cr_expect_eq(multiplexer_passes(zellij, FEATURE_NOTIFY9, ""), SUPPORT_NO);
	cr_expect_eq(multiplexer_passes(zellij, FEATURE_COPY, "Zellij(4500)"),
	    SUPPORT_YES);
	cr_expect_eq(multiplexer_passes(multiplexer_of(HOP_EDITOR, "nvim"),
	    FEATURE_COPY, NULL), SUPPORT_NO);
	cr_expect_eq(multiplexer_passes(dtach, FEATURE_MARK, ""), SUPPORT_YES);
	cr_expect_eq(multiplexer_passes(multiplexer_of(HOP_TMUX_OR_SCREEN, NULL),
	    FEATURE_COPY, ""), SUPPORT_UNKNOWN);
	cr_expect_eq(multiplexer_passes(dtach, FEATURE_COUNT, ""), SUPPORT_UNKNOWN);
}
