/* SPDX-License-Identifier: MIT */
/*
 * The generator, a separate program for `make generated`. It copies a manual page and
 * replaces the lines between `.\" table ROWS KIND` and `.\" end`: the items of a list; in
 * Markdown those between `<!-- contact -->` and `<!-- end -->`.
 * `generator options` prints the commands and their options for tests/docs.
 */
#include "cli/cli.h"
#include "terminal/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

enum { LINE = 1024, CELL = 32, WORD = 64 };

/* ---- tables ----------------------------------------------------------------- */

/* Text that roff shows as it is, in one piece. */
static void
put_text(const char *text, size_t n)
{
	for (; n > 0; n--, text++)
		if (strchr(" -", *text) != NULL)
			printf("\\%c", *text);
		else
			putchar(*text);
}

/* What people ask, and the features that do it, best known first. */
static const struct column {
	const char *word;
	unsigned char first, last;
} columns[] = {
	{ "copy", FEATURE_COPY, FEATURE_COPY },
	{ "paste", FEATURE_PASTE, FEATURE_PASTE },
	{ "notify", FEATURE_NOTIFY9, FEATURE_NOTIFY99 },
	{ "link", FEATURE_LINK, FEATURE_LINK },
	{ "progress", FEATURE_PROGRESS, FEATURE_PROGRESS },
};

/*
 * "yes", or "yes 0.39" since when: of the first feature that is not "no". For a multiplexer,
 * whether it passes that on.
 */
static void
put_cell(const struct terminal *row, const struct column *column)
{
	const struct terminal_support *cells =
	    row->kind == HOP_TERMINAL ? row->support : row->passes;
	const struct terminal_support *cell = cells + column->first;
	char text[CELL];

	while (cell->support == SUPPORT_NO && cell < cells + column->last)
		cell++;
	snprintf(text, CELL, "%s%s%s", support_words[cell->support],
	    cell->since[0] != '\0' ? " " : "", cell->since);
	fputs(" Ta ", stdout);
	put_text(text, strlen(text));
}

static void
put_support(const struct terminal *row, const char *name)
{
	size_t i;

	fputs(".It Li ", stdout);
	put_text(name, strlen(name));
	for (i = 0; i < LEN(columns); i++)
		put_cell(row, &columns[i]);
	putchar('\n');
}

/* An item of a list, one a line with commas between; \& because ";" and "." end none. */
static void
put_evidence(bool *first, const char *before, const char *text, size_t n)
{
	if (n == 0)
		return;
	printf("%s%s", *first ? "" : " ,\n", before);
	put_text(text, n);
	fputs(strchr(";.", text[n - 1]) != NULL ? "\\&" : "", stdout);
	*first = false;
}

static void
put_recognition(const struct terminal *row, const char *name)
{
	const struct terminal_variable *variable;
	const char *at = row->processes;
	char text[WORD];
	bool first = true;
	size_t i, n;

	fputs(".It Li ", stdout);
	put_text(name, strlen(name));
	putchar('\n');
	for (i = 0; i < LEN(row->term); i++)
		put_evidence(&first, ".Li TERM=", row->term[i], strlen(row->term[i]));
	put_evidence(&first, ".Li TERM_PROGRAM=", row->term_program,
	    strlen(row->term_program));
	for (variable = row->variables; variable < row->variables + LEN(row->variables);
	    variable++) {
		snprintf(text, sizeof(text), "%s%s%s", variable->name,
		    variable->value[0] != '\0' ? "=" : "", variable->value);
		put_evidence(&first, ".Ev ", text, strlen(text));
	}
	put_evidence(&first, ".No XTVERSION Li ", row->version, strcspn(row->version, " ("));
	put_evidence(&first, ".No DA2 Li ", row->da2, strcspn(row->da2, "c"));
	put_evidence(&first, ".No DA3 Li ", row->da3, strlen(row->da3));
	for (; *at != '\0'; at += n + (at[n] == ' ')) {
		n = strcspn(at, " ");
		put_evidence(&first, ".No process Li ", at, n);
	}
	puts(first ? "nothing" : "");
}

static void
put_names(void)
{
	const struct terminal_name *name;

	for (name = terminal_names; name->word[0] != '\0'; name++) {
		/* a word has a row for each variable */
		if (strcmp(name->word, name[1].word) == 0)
			continue;
		printf(".It Li %s Ta %s Ta ", name->word, name->id);
		put_text(name->name, strlen(name->name));
		putchar('\n');
	}
}

/* Multiplexers are listed by their names, since no option takes their ID. */
static void
put_rows(const char *rows, const char *kind)
{
	const struct terminal *row = strcmp(rows, "terminals") == 0 ? terminals : multiplexers;
	const char *name;

	for (; row->id[0] != '\0'; row++) {
		name = row->kind == HOP_TERMINAL ? row->id : row->name;
		if (row->kind == HOP_TMUX_OR_SCREEN)
			continue;
		if (strcmp(kind, "support") == 0)
			put_support(row, name);
		else
			put_recognition(row, name);
	}
}

static void
put_contact(void)
{
	if (sizeof(CONTACT) > 1)
		puts("Report a security hole in private to " CONTACT ".");
	else
		puts("This copy of viatty names no address for reports of security holes: send "
		    "yours in private to\nwhoever gave you viatty, such as the maintainers of the "
		    "package.");
}

static void
fill_page(void)
{
	char line[LINE], rows[WORD], kind[WORD];
	bool inside = false;

	while (fgets(line, sizeof(line), stdin) != NULL) {
		inside = inside && strcmp(line, ".\\\" end\n") != 0 &&
		    strcmp(line, "<!-- end -->\n") != 0;
		if (inside)
			continue;
		fputs(line, stdout);
		inside = sscanf(line, ".\\\" table %63s %63s", rows, kind) == 2;
		if (strcmp(line, "<!-- contact -->\n") == 0) {
			inside = true;
			put_contact();
		} else if (inside && strcmp(rows, "names") == 0)
			put_names();
		else if (inside)
			put_rows(rows, kind);
	}
}

/* ---- commands and options, for tests/docs ----------------------------------- */

static void
put_options(const char *command, const struct option_spec *option)
{
	for (; option != NULL && option->kind != OPTION_END; option++)
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
