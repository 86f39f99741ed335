/* SPDX-License-Identifier: MIT */
/*
 * Tests of terminal/: that the tables are in order, that each way of recognising a
 * terminal finds the right row and never guesses, and what a version means. Follows the
 * contract in terminal.h; which facts they are is in viatty-terminals(7).
 */
#include "terminal/terminal.h"

#include "encoder/encoder.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

/* An array of text that is full to the last byte has lost its end. */
#define ENDS(array) (memchr((array), '\0', sizeof(array)) != NULL)

static const char *
id_of(const struct terminal *terminal)
{
	return terminal ? terminal->id : "(none)";
}

static size_t
count_terminals(void)
{
	size_t n = 0;

	while (terminals[n].id[0])
		n++;
	return n;
}

/* --- the tables ------------------------------------------------------------------- */

Test(terminal, rows_are_sorted_and_named)
{
	cr_expect_geq(count_terminals(), 22);
	for (size_t i = 0; i < count_terminals(); i++) {
		const struct terminal *row = &terminals[i];

		cr_expect(row->id[0] && row->name[0], "row %zu", i);
		if (i > 0)
			cr_expect_lt(strcmp(terminals[i - 1].id, row->id), 0,
				"%s stands before %s", terminals[i - 1].id, row->id);
		cr_expect_eq(strspn(row->id, "abcdefghijklmnopqrstuvwxyz0123456789-"),
			strlen(row->id), "%s", row->id);
		cr_expect_eq(terminal_by(terminals, BY_ID, row->id), row);
	}
	cr_expect_null(terminal_by(terminals, BY_ID, NULL));
	cr_expect_null(terminal_by(terminals, BY_ID, "Kitty"));
}

static bool
ends(const struct terminal *row)
{
	bool fine = ENDS(row->id) && ENDS(row->name) && ENDS(row->term_program) &&
		ENDS(row->version) && ENDS(row->da2) && ENDS(row->da3) && ENDS(row->oldest) &&
		ENDS(row->processes) && ENDS(row->outer) && ENDS(row->bytes.since);

	for (size_t j = 0; j < LEN(row->term); j++)
		fine = fine && ENDS(row->term[j]);
	for (size_t j = 0; j < LEN(row->variables); j++)
		fine = fine && ENDS(row->variables[j].name) && ENDS(row->variables[j].value);
	for (size_t j = 0; j < LEN(row->version_variables); j++)
		fine = fine && ENDS(row->version_variables[j]);
	for (size_t j = 0; j < FEATURE_COUNT; j++)
		fine = fine && ENDS(row->support[j].since) && ENDS(row->passes[j].since);
	return fine;
}

Test(terminal, texts_end_inside_their_arrays)
{
	for (const struct terminal *row = terminals; row->id[0]; row++)
		cr_expect(ends(row), "%s", row->id);
	for (const struct terminal *row = multiplexers; row->id[0]; row++)
		cr_expect(ends(row), "%s", row->id);
	for (int i = 0; i < FEATURE_COUNT; i++) {
		cr_expect_lt(strlen(feature_texts[i].word), 16);
		cr_expect_lt(strlen(feature_texts[i].meaning), 64);
	}
}

/* A mark that two rows share would make the answer depend on their order. */
Test(terminal, no_mark_is_shared_by_two_rows)
{
	for (size_t i = 0; i < count_terminals(); i++) {
		const struct terminal *a = &terminals[i];

		for (size_t k = i + 1; k < count_terminals(); k++) {
			const struct terminal *b = &terminals[k];

			for (size_t m = 0; m < LEN(a->term); m++) {
				for (size_t n = 0; n < LEN(b->term); n++)
					cr_expect(!a->term[m][0] || strcmp(a->term[m], b->term[n]),
						"TERM %s", a->term[m]);
			}
			for (size_t m = 0; m < LEN(a->variables); m++) {
				for (size_t n = 0; n < LEN(b->variables); n++)
					cr_expect(!a->variables[m].name[0]
						|| strcmp(a->variables[m].name,
							b->variables[n].name),
						"variable %s", a->variables[m].name);
			}
			cr_expect(!a->term_program[0] || b->variant_of[0]
				|| strcmp(a->term_program, b->term_program),
				"TERM_PROGRAM %s", a->term_program);
			cr_expect(!a->version[0] || strcmp(a->version, b->version),
				"XTVERSION %s", a->version);
			cr_expect(!a->da2[0] || strcmp(a->da2, b->da2), "DA2 %s", a->da2);
			cr_expect(!a->da3[0] || strcmp(a->da3, b->da3), "DA3 %s", a->da3);
		}
	}
}

Test(terminal, no_row_claims_what_everybody_uses)
{
	static const char *const shared[] = { "xterm", "xterm-256color", "rxvt", "screen",
		"tmux", "dumb", "vt100", "vt220", "ansi" };

	for (size_t i = 0; i < count_terminals(); i++) {
		const struct terminal *row = &terminals[i];

		for (size_t j = 0; j < LEN(row->term); j++) {
			for (size_t k = 0; k < LEN(shared); k++)
				cr_expect(strcmp(row->term[j], shared[k]), "%s", row->id);
		}
	}
}

Test(terminal, values_and_limits_make_sense)
{
	for (size_t i = 0; i < count_terminals(); i++) {
		const struct terminal *row = &terminals[i];
		enum support copy = terminal_support(row, NEWEST, FEATURE_COPY);

		if (row->copy_limit)
			cr_expect_neq((int)copy, (int)SUPPORT_NO, "%s", row->id);
		if (copy == SUPPORT_NO) {
			cr_expect_eq(row->support[FEATURE_CLEAR].support, SUPPORT_NO, "%s", row->id);
			cr_expect_eq(row->support[FEATURE_PRIMARY].support, SUPPORT_NO, "%s", row->id);
		}
	}
}

Test(terminal, quirks_are_of_rows_that_exist)
{
	static const struct quirk quirks[] = {
#define QUIRK(id, kind, ...) { id, QUIRK_##kind, __VA_ARGS__ },
#include "terminal/quirks.def"
		{ .id = "" }
	};

	for (const struct quirk *quirk = quirks; quirk->id[0]; quirk++) {
		const struct terminal *row = terminal_by(terminals, BY_ID, quirk->id);

		row = row ? row : terminal_by(multiplexers, BY_ID, quirk->id);
		cr_expect(row, "%s", quirk->id);
		cr_expect(ENDS(quirk->id) && ENDS(quirk->since) && ENDS(quirk->before) &&
			ENDS(quirk->text), "%s", quirk->id);
		if (quirk->kind == QUIRK_LARGE_COPY && row)
			cr_expect(row->copy_limit == 0 || quirk->above < row->copy_limit, "%s", row->id);
	}
}

Test(terminal, what_is_off_has_a_switch_and_what_is_not_there_has_none)
{
	const struct feature_setting *at;

	for (size_t i = 0; i < count_terminals(); i++) {
		const struct terminal *row = &terminals[i];

		for (int f = 0; f < FEATURE_COUNT; f++) {
			const char *line = terminal_setting(row, (enum feature)f);
			unsigned char support = row->support[f].support;

			if (support == SUPPORT_OFF || support == SUPPORT_NO)
				cr_expect_eq(line != NULL, support == SUPPORT_OFF, "%s, %s",
					row->id, feature_texts[f].word);
			if (line)
				cr_expect(line[0] && !strchr(line, '\n'), "%s", row->id);
		}
		for (at = feature_settings; at->id[0]; at++) {
			cr_expect(ENDS(at->id) && ENDS(at->setting), "%s", at->setting);
			if (strcmp(at->id, row->id) == 0)
				cr_expect_neq((int)row->support[at->feature].support,
					(int)SUPPORT_NO, "%s: setting without use", row->id);
		}
	}
	cr_expect_null(terminal_setting(NULL, FEATURE_COPY));
	cr_expect_null(terminal_setting(&terminals[0], FEATURE_COUNT));
	cr_expect_str_eq(terminal_setting(terminal_by(terminals, BY_ID, "xterm"), FEATURE_PRIMARY),
		terminal_setting(terminal_by(terminals, BY_ID, "xterm"), FEATURE_COPY));
	/* of two lines for one resource the last would count */
	cr_expect_str_eq(terminal_setting(terminal_by(terminals, BY_ID, "xterm"), FEATURE_PASTE),
		terminal_setting(terminal_by(terminals, BY_ID, "xterm"), FEATURE_COPY));
	cr_expect_str_eq(terminal_setting(terminal_by(terminals, BY_ID, "xterm"), FEATURE_TITLE_STACK),
		terminal_setting(terminal_by(terminals, BY_ID, "xterm"), FEATURE_COPY));
}

/*
 * The replies are those that each program has in its source; see the rows of the table.
 * Those of settings that matter most are in pty/test_settings.py.
 */
Test(terminal, da1_tells_whether_copying_is_allowed)
{
	static const struct {
		const char *id, *version, *da1;
		enum support allowed;
	} rows[] = {
		{ "kitty", "kitty(0.42.2)", "62;", SUPPORT_OFF },
		{ "kitty", "", "62;", SUPPORT_UNKNOWN },
		{ "foot", "foot(1.23.0)", "62;4;22;28", SUPPORT_OFF },
		{ "ghostty", "ghostty 1.1.3", "62;22", SUPPORT_UNKNOWN },
		/* it says nothing about it */
		{ "konsole", "Konsole 26.08.0", "62;1;4", SUPPORT_UNKNOWN },
		{ NULL, "", "62;52", SUPPORT_YES },
		{ NULL, "", "62;152;520", SUPPORT_UNKNOWN },
		{ "foot", "foot(1.27.0)", "", SUPPORT_UNKNOWN },
		{ "foot", "foot(1.27.0)", NULL, SUPPORT_UNKNOWN },
	};

	for (size_t i = 0; i < LEN(rows); i++)
		cr_expect_eq((int)terminal_copy_allowed(terminal_by(terminals, BY_ID, rows[i].id),
			rows[i].version, rows[i].da1), (int)rows[i].allowed, "%s %s: %s",
			rows[i].id ? rows[i].id : "(none)", rows[i].version,
			rows[i].da1 ? rows[i].da1 : "(none)");
}

Test(terminal, words_are_unique)
{
	for (int i = 0; i < FEATURE_COUNT; i++) {
		cr_expect(feature_texts[i].word[0] && feature_texts[i].meaning[0]);
		for (int k = 0; k < i; k++)
			cr_expect_str_neq(feature_texts[i].word,
				feature_texts[k].word);
	}
	for (int i = 0; i < SUPPORT_COUNT; i++) {
		cr_expect(support_words[i][0]);
		for (int k = 0; k < i; k++)
			cr_expect_str_neq(support_words[i],
				support_words[k]);
	}
}

Test(terminal, further_names_are_sorted_and_lead_to_a_row)
{
	const struct terminal_name *entry, *before = NULL;
	const char *name;
	size_t i;

	for (i = 0; (entry = &terminal_names[i])->word[0]; before = entry, i++) {
		cr_expect(ENDS(entry->word) && ENDS(entry->name) && ENDS(entry->id)
			&& ENDS(entry->variable) && ENDS(entry->value), "%s", entry->word);
		/* a word has a row for each variable */
		cr_expect(!before || strcmp(before->word, entry->word) <= 0, "%s",
			entry->word);
		cr_expect(!before || strcmp(before->word, entry->word)
			|| (!strcmp(before->id, entry->id) && !strcmp(before->name, entry->name)
			&& entry->variable[0]), "%s", entry->word);
		cr_expect_null(terminal_by(terminals, BY_ID, entry->word), "%s", entry->word);
		cr_expect_not_null(terminal_by(terminals, BY_ID, entry->id), "%s", entry->word);
		cr_expect_eq(terminal_by_word(entry->word, &name),
			terminal_by(terminals, BY_ID, entry->id), "%s", entry->word);
		cr_expect_str_eq(name, entry->name);
	}
	cr_expect_gt(i, 0);
	for (i = 0; i < count_terminals(); i++)
		cr_expect_eq(terminal_by_word(terminals[i].id, &name), &terminals[i]);
	cr_expect_null(terminal_by_word("no such", &name));
}

Test(terminal, a_reply_of_the_library_inside_leaves_the_program)
{
	const struct terminal *vscode = terminal_by(terminals, BY_ID, "vscode");
	const struct terminal *engine = terminal_by(terminals, BY_DA2, "0;276;0c");

	cr_expect_str_eq(id_of(engine), "xtermjs");
	cr_expect_eq(terminal_after_reply(vscode, engine), vscode);
	cr_expect_eq(terminal_after_reply(NULL, engine), engine);
	cr_expect_eq(terminal_after_reply(terminal_by(terminals, BY_ID, "kitty"), engine), engine);
	cr_expect_eq(terminal_after_reply(vscode, terminal_by(terminals, BY_ID, "foot")),
		terminal_by(terminals, BY_ID, "foot"));
	for (size_t i = 0; i < count_terminals(); i++)
		cr_expect(!terminals[i].engine[0]
			|| terminal_quirk(terminal_by(terminals, BY_ID, terminals[i].engine), NEWEST,
				QUIRK_EMBEDDED), "%s", terminals[i].id);
}

/* --- multiplexers --------------------------------------------------------------------- */

static const struct terminal *
multiplexer(const char *id)
{
	return terminal_by(multiplexers, BY_ID, id);
}

static bool
has_setting(const struct terminal *row, int feature)
{
	const struct feature_setting *at = feature_settings;

	while (at->id[0] && (strcmp(at->id, row->id) != 0 || at->feature != feature))
		at++;
	return at->id[0];
}

/* Who is told that something is off is told what to set, and a refusal what to do instead. */
Test(multiplexer, rows_are_named_and_say_what_helps)
{
	for (const struct terminal *row = multiplexers; row->id[0]; row++) {
		cr_expect(row->name[0] && row->kind != HOP_TERMINAL && row->kind <= HOP_NONE,
			"%s", row->id);
		cr_expect(!row->interprets || row->instead[0], "%s", row->id);
		for (int f = 0; f < FEATURE_COUNT; f++)
			cr_expect_eq(has_setting(row, f), row->passes[f].support == SUPPORT_OFF,
				"%s, %s", row->id, feature_texts[f].word);
	}
}

Test(multiplexer, limits_are_those_that_the_encoder_keeps)
{
	cr_expect_eq(multiplexer("tmux")->body_max, TMUX_SEQUENCE_MAX);
	cr_expect_eq(multiplexer("screen")->body_max, SCREEN_STRING_MAX);
	cr_expect_eq(multiplexer("tmux or screen")->body_max, SCREEN_STRING_MAX);
}

Test(multiplexer, what_passes_depends_on_the_version)
{
	static const struct {
		const char *id, *version;
		unsigned feature;
		enum support wanted;
	} rows[] = {
		{ "zellij", NEWEST, FEATURE_COUNT, SUPPORT_UNKNOWN },
		{ "mosh", "1.3.2", FEATURE_COPY, SUPPORT_NO },
		/* who does not tell is taken for the oldest that is in use */
		{ "mosh", "", FEATURE_COPY, SUPPORT_YES },
		{ "zellij", "", FEATURE_NOTIFY9, SUPPORT_UNKNOWN },
	};

	for (size_t i = 0; i < LEN(rows); i++)
		cr_expect_eq((int)terminal_passes(multiplexer(rows[i].id), rows[i].version,
			rows[i].feature), (int)rows[i].wanted, "row %zu", i);
}

/* --- recognition ------------------------------------------------------------------ */

/*
 * What is found by a key: pairs of its text and the ID of the row, NULL where there is none.
 * Nothing is found by an empty text, and by none.
 */
#define FOUND(rows, key, ...) \
	expect_found(rows, key, (const char *const[][2]){ __VA_ARGS__ }, \
		LEN(((const char *const[][2]){ __VA_ARGS__ })))

static void
expect_found(const struct terminal *rows, enum terminal_key key,
	const char *const (*cases)[2], size_t count)
{
	for (; count-- > 0; cases++)
		cr_expect_str_eq(id_of(terminal_by(rows, key, (*cases)[0])),
			(*cases)[1] ? (*cases)[1] : "(none)", "%s", (*cases)[0]);
	cr_expect_null(terminal_by(rows, key, ""));
	cr_expect_null(terminal_by(rows, key, NULL));
}

Test(terminal, processes)
{
	FOUND(terminals, BY_PROCESS,
		{ "gnome-terminal-server", NULL }, /* the kernel never shows it whole */
		{ "xterm\n", NULL },
		{ "bash", NULL },
		{ "tmux: server", NULL });
	FOUND(multiplexers, BY_PROCESS,
		{ "tmux: server", "tmux" }, { "screenkey", NULL }, { "SCREEN", NULL },
		{ "mosh-client", NULL }, { "vim.basic", "vim" }, { "viewer", NULL },
		{ "gvimdiff", NULL }, { "nvim-qt", NULL }, { "emacs-gtk", "emacs" },
		{ "ssh", NULL }, { "bash", NULL }, { "foot", NULL });
	for (size_t i = 0; i < count_terminals(); i++) {
		char names[sizeof(terminals[i].processes)], *rest = names, *name;

		strcpy(names, terminals[i].processes);
		while ((name = strsep(&rest, " ")) != NULL && *name)
			cr_expect_eq(terminal_by(terminals, BY_PROCESS, name), &terminals[i]);
	}
}

Test(terminal, terms)
{
	FOUND(multiplexers, BY_TERM,
		{ "screen", "tmux or screen" }, { "screen-256color", "tmux or screen" },
		{ "screen.xterm-256color", "screen" }, { "tmux-256color", "tmux" },
		{ "dvtm-256color", "dvtm" }, { "eterm-color", "emacs" },
		{ "xterm-256color", NULL }, { "foot", NULL });
}

Test(terminal, version_replies)
{
	for (size_t i = 0; i < count_terminals(); i++) {
		char text[32];

		snprintf(text, sizeof(text), "%s1", terminals[i].version);
		if (terminals[i].version[0])
			cr_expect_eq(terminal_by(terminals, BY_VERSION, text), &terminals[i], "%s", text);
	}
	FOUND(terminals, BY_VERSION,
		{ "tmux 3.7c", NULL },
		{ "libvterm(0.3)", NULL },
		{ "xterm", NULL });
	FOUND(multiplexers, BY_VERSION,
		{ "XTerm(390)", NULL },
		{ "tmuxinator 3", NULL },
		{ "tmux 3.3a", "tmux" });
}

Test(terminal, other_replies)
{
	FOUND(terminals, BY_DA2,
		{ "1;4000;48c", "kitty" },
		/* everybody's */
		{ "41;370;0c", NULL },
		{ "1;4001;48c", NULL });
	FOUND(terminals, BY_DA3,
		{ "464f4f54", "foot" },
		{ "464F4F54", "foot" },
		{ "464f4f5", NULL },
		{ "464f4f5400", NULL });
	FOUND(multiplexers, BY_DA2,
		{ "83;41000;0", "screen" },
		{ "840;0;0", NULL });
}

/* Every version in the table can be compared, and says something where it stands. */
Test(terminal, every_version_in_the_table_compares)
{
	const struct terminal *row;
	char text[64];

	for (size_t i = 0; (row = &terminals[i])->id[0]; i++) {
		for (int f = 0; f < FEATURE_COUNT; f++) {
			const struct terminal_support *cell = &row->support[f];

			cr_expect_lt((int)cell->older, (int)SUPPORT_COUNT, "%s", row->id);
			if (!cell->since[0])
				continue;
			cr_expect_neq((int)cell->older, (int)cell->support, "%s, %s",
				row->id, feature_texts[f].word);
			cr_expect_eq((int)terminal_support(row, cell->since, (enum feature)f), (int)cell->support, "%s, %s: %s", row->id,
				feature_texts[f].word, cell->since);
			cr_expect_eq((int)terminal_support(row, terminal_quirk(row, NULL, QUIRK_PACKED) ? "100" : "0.0.1", (enum feature)f), (int)cell->older,
				"%s, %s", row->id, feature_texts[f].word);
			snprintf(text, sizeof(text), "%s%s", row->version, cell->since);
			cr_expect_eq((int)terminal_support(row, text, (enum feature)f), (int)cell->support, "%s: %s", row->id, text);
		}
		cr_expect_eq(row->bytes.since[0] != '\0',
			row->bytes.older != BYTES_UNKNOWN, "%s", row->id);
	}
}

/* An environment that counts: what was asked for, how often. */
struct environment {
	const char *const *assignments; /* "NAME=value" ..., NULL */
	char asked[64][32];
	size_t count;
};

static const char *
lookup(const void *context, const char *name)
{
	/* counted as it is asked */
	struct environment *environment = (struct environment *)context;
	size_t length = strlen(name);

	if (environment->count < LEN(environment->asked))
		snprintf(environment->asked[environment->count], sizeof(environment->asked[0]),
			"%s", name);
	environment->count++;
	for (size_t i = 0; environment->assignments[i]; i++) {
		const char *assignment = environment->assignments[i];

		if (strncmp(assignment, name, length) == 0 && assignment[length] == '=')
			return assignment + length + 1;
	}
	return NULL;
}

Test(terminal, environments)
{
	static const struct {
		const char *id;
		const char *assignments[7];
	} cases[] = {
		/* as one leaves it */
		{ "iterm2", { "TERM=xterm-256color", "TERM_PROGRAM=iTerm.app", "LC_TERMINAL=iTerm2",
			"ITERM_SESSION_ID=w0t0p0", "TERM_SESSION_ID=w0t0p0" } },
		{ "warp", { "TERM=xterm-256color", "TERM_PROGRAM=WarpTerminal",
			"WARP_IS_LOCAL_SHELL_SESSION=1" } },
		{ "foot", { "TERM=foot-extra" } },
		{ "(none)", { "TERM=xterm-256color" } },

		/* a vendor's TERM decides, whatever was inherited */
		{ "kitty", { "TERM=xterm-kitty", "TERM_PROGRAM=WezTerm", "WEZTERM_PANE=0" } },
		{ "alacritty", { "TERM=alacritty", "VTE_VERSION=8401", "KITTY_WINDOW_ID=1" } },
		{ "foot", { "TERM=foot", "TERM_PROGRAM=tmux" } },

		/* two claims: Alacritty from gnome-terminal's shell, and others of the kind */
		{ "(none)", { "TERM=xterm-256color", "ALACRITTY_WINDOW_ID=9",
			"VTE_VERSION=8401" } },
		{ "(none)", { "TERM=xterm-256color", "TERM_PROGRAM=WezTerm",
			"XTERM_VERSION=XTerm(410)" } },
		{ "(none)", { "TERM=xterm-256color", "TERM_PROGRAM=vscode", "KITTY_WINDOW_ID=1" } },
		{ "(none)", { "COLORTERM=rxvt", "XTERM_VERSION=XTerm(410)" } },

		/* kitty takes VTE_VERSION back but not gnome-terminal's own */
		{ "kitty", { "TERM=xterm-256color", "KITTY_WINDOW_ID=1", "KITTY_PID=7",
			"GNOME_TERMINAL_SCREEN=/org/gnome/Terminal/screen/0" } },

		{ "vscode-browser", { "TERM_PROGRAM=vscode", "CODESPACES=true",
			"VSCODE_IPC_HOOK_CLI=/tmp/x.sock" } },
		{ "vscode-browser", { "TERM_PROGRAM=vscode", "VSCODE_IPC_HOOK_CLI=/tmp/x.sock",
			"VSCODE_PROXY_URI=https://h/{{port}}" } },
		{ "vscode-server", { "TERM_PROGRAM=vscode", "VSCODE_IPC_HOOK_CLI=/tmp/x.sock" } },
		/* ssh into a codespace */
		{ "(none)", { "TERM=xterm-256color", "CODESPACES=true" } },
		{ "kitty", { "TERM=xterm-kitty", "CODESPACES=true", "TERM_PROGRAM=vscode" } },

		/* a stranger's TERM_PROGRAM is a claim as well */
		{ "(none)", { "TERM=xterm-256color", "TERM_PROGRAM=Theirs" } },
		{ "(none)", { "TERM=xterm-256color", "TERM_PROGRAM=Theirs", "VTE_VERSION=8401" } },
		{ "(none)", { "TERM=xterm-256color", "TERM_PROGRAM=tmux", "KITTY_WINDOW_ID=1" } },

		/* a TERM of nobody in the table */
		{ "(none)", { "TERM=dumb", "KITTY_WINDOW_ID=1" } },
		{ "(none)", { "TERM=dumb", "TERM_PROGRAM=vscode" } },
		{ "(none)", { "TERM=tmux-256color", "KITTY_WINDOW_ID=1" } },
		{ "(none)", { "TERM=screen.xterm-256color", "VTE_VERSION=8401" } },

		/* no TERM at all leaves the rest to speak */
		{ "kitty", { "KITTY_WINDOW_ID=1" } },
		{ "vte", { "TERM=", "VTE_VERSION=8401" } },
		{ "(none)", { NULL } },

		/* empty is unset; a value counts where the row names one */
		{ "vte", { "TERM=xterm", "TERM_PROGRAM=", "KITTY_WINDOW_ID=",
			"VTE_VERSION=8401" } },
		{ "(none)", { "TERM=xterm", "LC_TERMINAL=other" } },
		{ "(none)", { "TERM=xterm", "COLORTERM=truecolor" } },
		{ "(none)", { "TERM=xterm", "TERMINAL_NAME=whatever" } },

		/* a family ends at a hyphen */
		{ "(none)", { "TERM=footwear" } },
		{ "(none)", { "TERM=stv52" } },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		struct environment environment = { .assignments = cases[i].assignments };

		cr_expect_str_eq(id_of(terminal_by_environment(lookup, &environment, NULL)), cases[i].id,
			"case %zu: %s ...", i,
			cases[i].assignments[0] ? cases[i].assignments[0] : "(empty)");
	}
}

Test(terminal, each_mark_in_the_environment_finds_its_row)
{
	for (const struct terminal *row = terminals; row->id[0]; row++) {
		char marks[LEN(row->term) + LEN(row->variables) + 1][64] = { "" };
		size_t n = 0;

		for (size_t j = 0; j < LEN(row->term) && row->term[j][0]; j++)
			snprintf(marks[n++], sizeof(marks[0]), "TERM=%s", row->term[j]);
		for (size_t j = 0; j < LEN(row->variables) && row->variables[j].name[0]; j++)
			snprintf(marks[n++], sizeof(marks[0]), "%s=%s", row->variables[j].name,
				row->variables[j].value[0] ? row->variables[j].value : "1");
		if (row->term_program[0])
			snprintf(marks[n++], sizeof(marks[0]), "TERM_PROGRAM=%s",
				row->term_program);
		/* those of a variant count beside the TERM_PROGRAM of its row alone */
		while (n-- > 0 && !row->variant_of[0]) {
			const char *assignments[] = { marks[n], NULL };
			struct environment environment = { .assignments = assignments };

			cr_expect_eq(terminal_by_environment(lookup, &environment, NULL), row,
				"%s", marks[n]);
		}
	}
}

Test(terminal, versions_in_the_environment)
{
	static const struct {
		const char *id, *version;
		const char *assignments[4];
	} cases[] = {
		{ "konsole", "221203", { "KONSOLE_VERSION=221203" } },
		{ "iterm2", "3.6.5", { "LC_TERMINAL=iTerm2", "LC_TERMINAL_VERSION=3.6.5" } },
		{ "iterm2", "3.6.6", { "TERM_PROGRAM=iTerm.app",
			"TERM_PROGRAM_VERSION=3.6.6" } },
		/* somebody else's */
		{ "wezterm", "", { "TERM_PROGRAM=vscode", "TERM_PROGRAM_VERSION=1.97.0" } },
		{ "wezterm", "", { "TERM_PROGRAM_VERSION=1.97.0" } },
		{ "iterm2", "", { "LC_TERMINAL=other", "LC_TERMINAL_VERSION=1" } },
		{ "vte", "", { "VTE_VERSION=" } },
		{ "foot", "", { "VTE_VERSION=7000" } },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		struct environment environment = { .assignments = cases[i].assignments };

		cr_expect_str_eq(terminal_environment_version(terminal_by(terminals, BY_ID, cases[i].id),
			lookup, &environment), cases[i].version, "%s, row %zu",
			cases[i].id, i);
	}
	cr_expect_str_eq(terminal_environment_version(NULL, lookup, NULL), "");
}

/* The program that was started last, if the reply is that of the library of both. */
Test(terminal, candidates_that_embed_a_library)
{
	static const struct {
		const char *id;
		const char *assignments[5];
	} cases[] = {
		{ "vscode", { "TERM=xterm-256color", "TERM_PROGRAM=vscode", "KITTY_WINDOW_ID=1" } },
		{ "vscode", { "TERM=xterm-256color", "TERM_PROGRAM=vscode",
			"JUPYTER_SERVER_ROOT=/home/u" } },
		{ "vscode-browser", { "TERM_PROGRAM=vscode", "VTE_VERSION=8401", "CODESPACES=true" } },
		{ "tabby", { "TERM=xterm-256color", "TERM_PROGRAM=Tabby", "WT_SESSION=guid" } },
		{ "(none)", { "TERM=xterm-256color", "TERM_PROGRAM=WezTerm",
			"XTERM_VERSION=XTerm(410)" } },
		{ "(none)", { "TERM=xterm-256color", "TERM_PROGRAM=tmux",
			"JUPYTER_SERVER_ROOT=/home/u" } },
		{ "(none)", { "TERM=tmux-256color", "TERM_PROGRAM=vscode" } },
	};
	const struct terminal *embedder;

	for (size_t i = 0; i < LEN(cases); i++) {
		struct environment environment = { .assignments = cases[i].assignments };

		cr_expect_null(terminal_by_environment(lookup, &environment, &embedder), "%zu", i);
		cr_expect_str_eq(id_of(embedder), cases[i].id, "%zu", i);
	}
}

/* Those with VS Code's TERM_PROGRAM and versions of their own. */
Test(terminal, forks_are_told_apart)
{
	static const char askpass[] =
		"VSCODE_GIT_ASKPASS_MAIN=/usr/share/%s/resources/app/extensions/git/dist/askpass-main.js";
	static const struct {
		const char *name, *version, *told, *installed; /* version: as it counts */
	} cases[] = {
		{ "VS Code", "1.125.0", "1.125.0", "code" },
		{ "VS Code", "1.105.17075", "1.105.17075", "codium" },
		{ "VS Code", "", "3.11.13", NULL },
		{ "VS Code", "", "0.47.9", NULL },
		{ "VS Code", "", "1.19.4", NULL },
		{ "VS Code", "", "2025.09.0", NULL },
		{ "Cursor", "", "1.105.1", "cursor" },
		{ "Cursor", "", "1.105.1", "Cursor.app" },
		{ "Windsurf", "", "1.108.2", ".windsurf-server" },
		{ "Antigravity", "", "1.104.0", "antigravity" },
		{ "Kiro", "", "1.103.2", "kiro" },
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		char version[64], file[160];
		const char *assignments[] = { "TERM_PROGRAM=vscode", version,
			cases[i].installed ? file : NULL, NULL };
		struct environment environment = { .assignments = assignments };
		const struct terminal *vscode = terminal_by(terminals, BY_ID, "vscode");

		snprintf(version, sizeof(version), "TERM_PROGRAM_VERSION=%s", cases[i].told);
		snprintf(file, sizeof(file), askpass, cases[i].installed ? cases[i].installed : "");
		cr_expect_str_eq(terminal_environment_name(vscode, lookup, &environment),
			cases[i].name, "%zu", i);
		cr_expect_str_eq(terminal_environment_version(vscode, lookup, &environment),
			cases[i].version, "%zu", i);
	}
}

/* The lookups stand on the way of every start. */
Test(terminal, environment_is_read_in_one_pass)
{
	static const char *const none[] = { NULL };
	static const char *const vendor[] = { "TERM=foot", NULL };
	struct environment environment = { .assignments = none };

	cr_expect_null(terminal_by_environment(lookup, &environment, NULL));
	cr_assert_leq(environment.count, LEN(environment.asked));
	for (size_t i = 0; i < environment.count; i++) {
		for (size_t k = 0; k < i; k++)
			cr_expect_str_neq(environment.asked[i], environment.asked[k]);
	}

	environment = (struct environment){ .assignments = vendor };
	cr_expect_str_eq(id_of(terminal_by_environment(lookup, &environment, NULL)), "foot");
	cr_expect_eq(environment.count, 1);
}
