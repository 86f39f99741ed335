/* SPDX-License-Identifier: MIT */
/*
 * The generator, a separate program for `make generated`. It copies a manual page and
 * replaces the lines between `.\" table KIND [FIRST, LAST]` and `.\" end`; FIRST and LAST
 * are features. `generator options` prints the commands and their options for tests/docs.
 */
#include "cli/cli.h"
#include "terminal/terminal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

enum { LINE = 1024, PAGE_COLUMNS = 78, CELL = 32 };

/* ---- mdoc ------------------------------------------------------------------- */

static void
put_text(const char *text, size_t n)
{
	for (; n > 0; n--, text++)
		if (*text == '\\' || *text == '-')
			printf("\\%c", *text == '-' ? '-' : 'e');
		else
			putchar(*text);
}

/* Wraps lines, and protects those that look like roff requests. */
static void __attribute__((format(printf, 1, 2)))
put_paragraph(const char *format, ...)
{
	char text[LINE];
	const char *at = text;
	size_t column = 0, n;
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	for (; *at != '\0'; at += n + strspn(at + n, " ")) {
		n = strcspn(at, " ");
		if (column > 0 && column + 1 + n > PAGE_COLUMNS) {
			putchar('\n');
			column = 0;
		} else if (column > 0) {
			column += (size_t)printf(" ");
		}
		if (column == 0 && (*at == '.' || *at == '\''))
			fputs("\\&", stdout);
		put_text(at, n);
		column += n;
	}
	putchar('\n');
}

/* ---- tables ----------------------------------------------------------------- */

/* For a multiplexer, whether it passes the feature on. */
static const struct terminal_support *
cell_of(const struct terminal *row, unsigned feature)
{
	return row->kind == HOP_TERMINAL ? &row->support[feature] : &row->passes[feature];
}

/* The row, or the next one that the table lists; or NULL. */
static const struct terminal *
shown(const struct terminal *row)
{
	while (row->kind == HOP_TMUX_OR_SCREEN || row->kind == HOP_NONE)
		row++;
	return row->id[0] != '\0' ? row : NULL;
}

/* "yes", or "yes 0.39" if older versions differ. */
static void
cell_text(char text[CELL], const struct terminal_support *cell)
{
	snprintf(text, CELL, "%s%s%s", support_words[cell->support],
	    cell->since[0] != '\0' ? " " : "", cell->since);
}

static bool
has_none(const struct terminal *row, unsigned first, unsigned last)
{
	while (first <= last && cell_of(row, first)->support == SUPPORT_NO)
		first++;
	return first > last;
}

/* A cell of a table, which stays on one line where the page is too narrow for it. */
static void
put_cell(const char *before, const char *text)
{
	for (fputs(before, stdout); *text != '\0'; text++)
		if (*text == ' ')
			fputs("\\ ", stdout);
		else
			putchar(*text);
}

static void
put_support(const struct terminal *rows, unsigned first, unsigned last)
{
	char text[CELL], longest[CELL];
	const struct terminal *row;
	unsigned f;

	/*
	 * Of the four spaces that mandoc and groff put between up to four columns, two are
	 * enough; so each width is two less than that of the longest text.
	 */
	printf(".Bl -column %s", rows == multiplexers ? "\"GNU Scre\"" : "windows-termin");
	for (f = first; f <= last; f++) {
		snprintf(longest, CELL, "%s", feature_texts[f].word);
		for (row = rows; (row = shown(row)) != NULL; row++) {
			cell_text(text, cell_of(row, f));
			if (strlen(text) > strlen(longest))
				memcpy(longest, text, CELL);
		}
		printf(" \"%.*s\"", (int)strlen(longest) - 2, longest);
	}
	printf("\n.It Sy %s", rows == multiplexers ? "Program" : "Terminal");
	for (f = first; f <= last; f++)
		put_cell(" Ta Sy ", feature_texts[f].word);
	for (row = rows; (row = shown(row)) != NULL; row++) {
		if (has_none(row, first, last))
			continue;
		put_cell("\n.It Li ", rows == multiplexers ? row->name : row->id);
		for (f = first; f <= last; f++) {
			cell_text(text, cell_of(row, f));
			put_cell(" Ta ", text);
		}
	}
	printf("\n.El\n");
}

/* ---- entries ---------------------------------------------------------------- */

/* A sentence for each feature with an older value other than no. */
static void
put_changes(const struct terminal *row)
{
	const struct terminal_support *cell;
	unsigned f;

	for (f = 0; f < FEATURE_COUNT; f++) {
		cell = cell_of(row, f);
		if (cell->since[0] != '\0' && cell->older != SUPPORT_NO)
			printf("Before version %s,\n.Cm %s\nwas %s.\n", cell->since,
			    feature_texts[f].word, support_words[cell->older]);
	}
}

/* The settings; features that share a setting are listed together. */
static void
put_end(const struct terminal *row)
{
	const struct feature_setting *at;
	bool same = false, off = false;

	for (at = feature_settings; at->id[0] != '\0'; at++) {
		if (strcmp(at->id, row->id) != 0)
			continue;
		printf("%s%s", same ? " and " : "To enable ", feature_texts[at->feature].word);
		off = off || cell_of(row, at->feature)->support == SUPPORT_OFF;
		same = strcmp(at[1].id, row->id) == 0 && strcmp(at->setting, at[1].setting) == 0;
		if (same)
			continue;
		printf(off ? ":\n" : ", if it has been disabled:\n");
		printf(".Bd -literal -compact\n");
		put_text(at->setting, strlen(at->setting));
		printf("\n.Ed\n");
		off = false;
	}
}

/* The data that fits into a sequence of `limit` bytes, counted from the 52. */
static size_t
data_in(size_t limit)
{
	return (limit - strlen("52;c;")) / 4 * 3;
}

/* "a b" as "a, b", in a static buffer. */
static const char *
with_commas(const char *words)
{
	static char text[LINE];
	size_t n = 0;

	for (; *words != '\0'; words++)
		n += (size_t)snprintf(text + n, LINE - n, *words == ' ' ? ",%c" : "%c", *words);
	return text;
}

/* Whether a copy without a selection letter does not simply set the clipboard. */
static bool
is_letter_needed(const struct terminal *row)
{
	return row->support[FEATURE_COPY].support != SUPPORT_NO &&
	    (row->unlettered != UNLETTERED_CLIPBOARD || row->unlettered_since[0] != '\0');
}

/* Whether put_terminal() has a sentence about it. */
static bool
is_described(const struct terminal *row)
{
	const struct feature_setting *at = feature_settings;
	unsigned f = 0;

	while (f < FEATURE_COUNT &&
	    (row->support[f].since[0] == '\0' || row->support[f].older == SUPPORT_NO))
		f++;
	while (at->id[0] != '\0' && strcmp(at->id, row->id) != 0)
		at++;
	return f < FEATURE_COUNT || at->id[0] != '\0' || row->copy_limit != 0 ||
	    is_letter_needed(row) || row->ascii_versions[0][0] != '\0' ||
	    row->doubt[0] != '\0' || row->shows_progress[0] != '\0' || row->copy_in_da1[0] != '\0';
}

static void
put_terminal(const struct terminal *row)
{
	/* \& because a name may be that of a macro */
	printf(".It Li %s Pq \"\\&%s\"\n", row->id, row->name);
	if (row->copy_doubt != 0)
		put_paragraph("A copy may have %zu bytes; some builds accept only %zu.",
		    data_in(row->copy_limit), data_in(row->copy_doubt));
	else if (row->copy_limit != 0)
		put_paragraph("A copy may have %zu bytes.", data_in(row->copy_limit));
	if (is_letter_needed(row))
		put_paragraph("A copy without a selection letter sets %s%s.",
		    row->unlettered == UNLETTERED_PRIMARY ? "the primary selection" :
		    row->unlettered == UNLETTERED_UNKNOWN ? "an unknown selection" :
		    "the clipboard, a long one since version ", row->unlettered_since);
	put_changes(row);
	if (row->ascii_versions[0][0] != '\0')
		put_paragraph("Versions from %s to before %s garble characters that are not ASCII.",
		    row->ascii_versions[0], row->ascii_versions[1]);
	if (row->doubt[0] != '\0')
		put_paragraph("%s.", message_problem(row->doubt).text);
	if (row->shows_progress[0] != '\0')
		put_paragraph("Only the programs with these process names show progress: %s.",
		    with_commas(row->shows_progress));
	if (row->copy_in_da1[0] != '\0')
		printf("Since version %s, the reply to DA1 has 52 if programs may copy.\n",
		    row->copy_in_da1);
	put_end(row);
}

static void
put_recognition(const struct terminal *row)
{
	struct buf text = BUF_EMPTY;
	size_t i;

	if (row->processes[0] != '\0')
		buf_format(&text, "process %s", with_commas(row->processes));
	for (i = 0; i < LEN(row->variables) && row->variables[i].name[0] != '\0'; i++)
		buf_format(&text, "%s%s", i > 0 ? ", " : "; variable ", row->variables[i].name);
	if (row->term[0][0] != '\0')
		buf_format(&text, "; TERM=%s*", row->term[0]);
	if (row->da2[0] != '\0')
		buf_format(&text, "; DA2 reply beginning with %.*s", (int)strcspn(row->da2, ";"),
		    row->da2);
	if (row->version[0] != '\0')
		buf_format(&text, "; XTVERSION reply beginning with %.*s",
		    (int)strcspn(row->version, " ("), row->version);
	printf("Recognized by:\n");
	put_paragraph("%.*s.", (int)text.len, (const char *)text.data);
	buf_free(&text);
}

static void
put_multiplexer(const struct terminal *row)
{
	printf(".It Sy %s\n", row->name);
	put_recognition(row);
	if (row->kind == HOP_EDITOR && !row->relays)
		printf(".Nm viatty\nsends nothing through it.\n");
	if (row->body_max != 0)
		printf("The limit of a %s is %zu bytes.\n",
		    row->kind == HOP_SCREEN ? "string" : "sequence", row->body_max);
	if (row->copy_max != 0)
		printf("A copy may have %zu bytes.\n", data_in(row->copy_max));
	if (row->title_max != 0)
		printf("The limit of a title, counted from the 0 or 2, is %zu bytes.\n",
		    row->title_max);
	if (row->queue_max != 0)
		put_paragraph("Versions before %s cut a sequence of more than %zu bytes if the "
		    "terminal is slow.", row->queue_before, row->queue_max);
	put_changes(row);
	if (row->outer[0] != '\0') {
		printf("To bypass it,\n.Nm viatty\n");
		put_paragraph("writes to the terminal %s.", row->outer);
	}
	put_end(row);
}

/* ---- the pages -------------------------------------------------------------- */

static unsigned
feature_of(const char *word)
{
	unsigned f = 0;

	while (f < FEATURE_COUNT - 1 && strcmp(feature_texts[f].word, word) != 0)
		f++;
	return f;
}

static void
put_table(const char *kind, unsigned first, unsigned last)
{
	const struct terminal_name *name;
	const struct terminal *row;
	unsigned f;

	if (strcmp(kind, "features") == 0)
		for (f = first; f <= last; f++)
			printf(".It Cm %s\n%s\n", feature_texts[f].word, feature_texts[f].meaning);
	else if (strcmp(kind, "bytes") == 0)
		for (row = terminals; row->id[0] != '\0'; row++) {
			if (row->support[FEATURE_COPY].support == SUPPORT_NO)
				continue;
			put_cell(".It Li ", row->id);
			put_cell(" Ta ", clipboard_bytes_words[row->bytes.support]);
			if (row->bytes.since[0] == '\0') {
				printf(" Ta\n");
				continue;
			}
			put_cell(" Ta ", clipboard_bytes_words[row->bytes.older]);
			printf("\\ before\\ %s\n", row->bytes.since);
		}
	else if (strcmp(kind, "names") == 0)
		for (name = terminal_names; name->word[0] != '\0'; name++) {
			/* a word has a row for each variable */
			if (strcmp(name->word, name[1].word) == 0)
				continue;
			printf(".It Li %s Ta %s", name->word, name->id);
			put_cell(" Ta ", name->name);
			printf("\n");
		}
	else if (strcmp(kind, "each-terminal") == 0)
		for (row = terminals; row->id[0] != '\0'; row++) {
			if (is_described(row))
				put_terminal(row);
		}
	else if (strcmp(kind, "each-multiplexer") == 0)
		for (row = multiplexers; row->id[0] != '\0'; row++) {
			if (row->kind != HOP_TMUX_OR_SCREEN)
				put_multiplexer(row);
		}
	else
		put_support(strcmp(kind, "terminals") == 0 ? terminals : multiplexers, first, last);
}

static void
fill_page(void)
{
	char line[LINE], kind[32], first[32] = "", last[32] = "";
	bool inside = false;

	while (fgets(line, sizeof(line), stdin) != NULL) {
		inside = inside && strcmp(line, ".\\\" end\n") != 0;
		if (inside)
			continue;
		fputs(line, stdout);
		inside = sscanf(line, ".\\\" table %31s %31[^,\n], %31[^\n]", kind, first,
		    last) > 0;
		if (inside)
			put_table(kind, feature_of(first), feature_of(last));
	}
}

/* ---- commands and options, for tests/docs ----------------------------------- */

static void
put_options(const char *command, const struct option_spec *option)
{
	for (; option->kind != OPTION_END; option++)
		printf("%s\t-%.1s\t--%s\t%s\n", command, &option->letter, option->name,
		    option->argument != NULL ? option->argument : "-");
}

static void
put_examples(const char *name, const struct example *example, size_t count)
{
	for (; count > 0; count--, example++)
		printf("example\t%s\t%s\t%s\n", name, example->line, example->purpose);
}

/*
 * A command: name, operands, summary. An option: COMMAND, -l, --long, ARGUMENT. An
 * example: `example`, command, line, purpose. `-`: empty.
 */
static void
put_commands(void)
{
	const struct command *alias;
	size_t i;

	put_options("-", global_options);
	put_examples("viatty", program_examples, PROGRAM_EXAMPLES);
	for (i = 0; commands[i]->group != NULL; i++) {
		printf("%s\t%s\t%s\n", commands[i]->name,
		    commands[i]->operands != NULL ? commands[i]->operands : "-",
		    commands[i]->summary);
		put_options(commands[i]->name, commands[i]->options);
		put_examples(commands[i]->name, commands[i]->examples, EXAMPLES);
	}
	for (alias = aliases; alias->name != NULL; alias++)
		if (alias->becomes != NULL)
			put_examples(alias->name, alias->examples, EXAMPLES);
}

int
main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "options") == 0)
		put_commands();
	else
		fill_page();
	return fflush(stdout) == 0 && !ferror(stdout) ? EXIT_SUCCESS : EXIT_FAILURE;
}
