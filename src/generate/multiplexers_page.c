/* SPDX-License-Identifier: MIT */
/* The placeholders of viatty-multiplexers.7.in. */
#include "generate/generate.h"

#include "terminal/multiplexer.h"

#include <stdio.h>
#include <string.h>

enum { LINE = 512 };

/* Row i of those that stand for a single program, or NULL. */
static const struct multiplexer *
program_at(size_t i)
{
	const struct multiplexer *row;
	size_t at;

	for (at = 0; (row = multiplexer_at(at)) != NULL; at++)
		if (row->kind != HOP_TMUX_OR_SCREEN && i-- == 0)
			return row;
	return NULL;
}

/* ---- tables ------------------------------------------------------------- */

/* Without the programs that pass everything, which are last in the table. */
static const struct terminal_support *
passes_at(size_t i, const char **label)
{
	const struct multiplexer *row = program_at(i);

	if (row == NULL || row->kind == HOP_NONE)
		return NULL;
	*label = row->name;
	return row->passes;
}

static void
put_multiplexer_table(enum feature first, enum feature last)
{
	put_support("Program", "\"GNU Screen\"", passes_at, first, last);
}

static void
put_multiplexer_copies(void)
{
	put_multiplexer_table(FEATURE_COPY, FEATURE_TYPES);
}

static void
put_multiplexer_links(void)
{
	put_multiplexer_table(FEATURE_LINK, FEATURE_COLOR);
}

static void
put_multiplexer_notifications(void)
{
	put_multiplexer_table(FEATURE_NOTIFY9, FEATURE_MARK);
}

static void
put_transparent(void)
{
	const struct multiplexer *row;
	size_t i, n = 0;

	for (i = 0; (row = program_at(i)) != NULL; i++)
		if (row->kind == HOP_NONE)
			printf("%s%s", n++ == 0 ? "" : program_at(i + 1) != NULL ?
			    ", " : " and ", row->name);
	printf("\n");
}

/* ---- one after the other ------------------------------------------------ */

static void
append(char text[LINE], const char *separator, const char *more)
{
	size_t n = strlen(text);

	snprintf(text + n, LINE - n, "%s%s", n > 0 ? separator : "", more);
}

/* "tmux*, tmate*" */
static void
append_words(char text[LINE], const char *title, const char *words, size_t size,
    size_t count)
{
	char line[LINE] = "";
	size_t i;

	for (i = 0; i < count && words[i * size] != '\0'; i++)
		append(line, ", ", words + i * size);
	if (line[0] == '\0')
		return;
	append(text, "; ", title);
	append(text, " ", line);
}

static void
put_recognition(const struct multiplexer *row)
{
	char text[LINE] = "", number[48];

	append_words(text, "process", row->processes[0], sizeof(row->processes[0]),
	    sizeof(row->processes) / sizeof(row->processes[0]));
	append_words(text, "variable", row->variables[0], sizeof(row->variables[0]),
	    sizeof(row->variables) / sizeof(row->variables[0]));
	if (row->term[0] != '\0') {
		snprintf(number, sizeof(number), "TERM=%s*", row->term);
		append(text, "; ", number);
	}
	if (row->da2 != 0) {
		snprintf(number, sizeof(number), "DA2 reply beginning with %u", row->da2);
		append(text, "; ", number);
	}
	if (row->version[0] != '\0') {
		snprintf(number, sizeof(number), "XTVERSION reply beginning with %.*s",
		    (int)strcspn(row->version, " ("), row->version);
		append(text, "; ", number);
	}
	append(text, "", ".");
	printf("Recognized by:\n");
	put_paragraph(text);
}

static void
put_multiplexer_limit(size_t bytes, const char *what)
{
	if (bytes != 0)
		printf("The limit of a %s is %zu bytes.\n", what, bytes);
}

static void
put_multiplexer_limits(const struct multiplexer *row)
{
	char text[LINE];

	put_multiplexer_limit(row->body_max, row->form == FORM_SCREEN ? "string" : "sequence");
	put_multiplexer_limit(row->copy_max, "copy, counted from the 52,");
	put_multiplexer_limit(row->title_max, "title, counted from the 0 or 2,");
	if (row->queue_max == 0)
		return;
	snprintf(text, sizeof(text), "Versions before %s cut a sequence of more than "
	    "%zu bytes if the terminal is slow.", row->queue_before, row->queue_max);
	put_paragraph(text);
}

static void
put_wrapping_setting(const struct multiplexer *row)
{
	if (row->passthrough[0] == '\0')
		return;
	printf("To pass wrapped sequences, since version %s:\n", row->passthrough_since);
	put_literal(row->passthrough);
}

static void
put_programs(void)
{
	const struct multiplexer *row;
	char text[LINE];
	size_t i;

	printf(".Bl -tag -width Ds\n");
	for (i = 0; (row = program_at(i)) != NULL; i++) {
		printf(".It Sy %s\n", row->name);
		put_recognition(row);
		if (row->form == FORM_NONE)
			printf(".Nm viatty\nsends nothing through it.\n");
		put_multiplexer_limits(row);
		put_changes(row->passes);
		if (row->outer[0] != '\0') {
			printf("To bypass it,\n.Nm viatty\n");
			snprintf(text, sizeof(text), "writes to the terminal %s.",
			    row->outer);
			put_paragraph(text);
		}
		put_wrapping_setting(row);
		put_settings(row->settings,
		    sizeof(row->settings) / sizeof(row->settings[0]));
		printf("Source:\n");
		put_paragraph(row->source);
	}
	printf(".El\n");
}

const struct placeholder multiplexers_placeholders[] = {
	{ "clipboard", put_multiplexer_copies },
	{ "links", put_multiplexer_links },
	{ "notifications", put_multiplexer_notifications },
	{ "programs", put_programs },
	{ "transparent", put_transparent },
	{ NULL, NULL },
};
