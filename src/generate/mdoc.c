/* SPDX-License-Identifier: MIT */
/* What both generated pages use; the contract is in generate.h. */
#include "generate/generate.h"

#include <stdio.h>
#include <string.h>

enum { PAGE_COLUMNS = 78, CELL = 32 };

static void
put_text(const char *text, size_t n)
{
	for (; n > 0; n--, text++)
		if (*text == '\\')
			fputs("\\e", stdout);
		else
			putchar(*text);
}

void
put_paragraph(const char *text)
{
	size_t column = 0, n;

	for (; *text != '\0'; text += n + strspn(text + n, " ")) {
		n = strcspn(text, " ");
		if (column > 0 && column + 1 + n > PAGE_COLUMNS) {
			putchar('\n');
			column = 0;
		} else if (column > 0) {
			column += (size_t)printf(" ");
		}
		if (column == 0 && (*text == '.' || *text == '\''))
			fputs("\\&", stdout);
		put_text(text, n);
		column += n;
	}
	putchar('\n');
}

void
put_features(enum feature first, enum feature last)
{
	unsigned i;

	printf(".Bl -tag -width notify777 -compact\n");
	for (i = first; i <= last; i++)
		printf(".It Cm %s\n%s\n", feature_name((enum feature)i),
		    feature_meaning((enum feature)i));
	printf(".El\n");
}

/* "yes", or "yes 0.39" where older versions do something else. */
static void
cell_text(char cell[CELL], const struct terminal_support *support)
{
	snprintf(cell, CELL, "%s%s%s", support_name((enum support)support->support),
	    support->since[0] != '\0' ? " " : "", support->since);
}

/* A column is as wide as its longest cell. */
static void
column_width(char longest[CELL], support_rows *row_at, enum feature feature)
{
	const struct terminal_support *row;
	const char *label;
	char cell[CELL];
	size_t i;

	snprintf(longest, CELL, "%s", feature_name(feature));
	for (i = 0; (row = row_at(i, &label)) != NULL; i++) {
		cell_text(cell, &row[feature]);
		if (strlen(cell) > strlen(longest))
			memcpy(longest, cell, CELL);
	}
}

void
put_support(const char *heading, const char *width, support_rows *row_at,
    enum feature first, enum feature last)
{
	const struct terminal_support *row;
	const char *label;
	char cell[CELL];
	unsigned f;
	size_t i;

	printf(".Bl -column %s", width);
	for (f = first; f <= last; f++) {
		column_width(cell, row_at, (enum feature)f);
		printf(" \"%s\"", cell);
	}
	printf("\n.It Sy %s", heading);
	for (f = first; f <= last; f++)
		printf(" Ta Sy %s", feature_name((enum feature)f));
	printf("\n");
	for (i = 0; (row = row_at(i, &label)) != NULL; i++) {
		printf(".It Li %s", label);
		for (f = first; f <= last; f++) {
			cell_text(cell, &row[f]);
			printf(" Ta %s", cell);
		}
		printf("\n");
	}
	printf(".El\n");
}

void
put_changes(const struct terminal_support *row)
{
	unsigned f;

	for (f = 0; f < FEATURE_COUNT; f++)
		if (row[f].since[0] != '\0' && row[f].older != SUPPORT_NO)
			printf("Before version %s,\n.Cm %s\nwas %s.\n", row[f].since,
			    feature_name((enum feature)f),
			    support_name((enum support)row[f].older));
}

void
put_literal(const char *line)
{
	printf(".Bd -literal -compact\n");
	put_text(line, strlen(line));
	printf("\n.Ed\n");
}

void
put_settings(const struct feature_setting *settings, size_t most)
{
	bool same = false;
	size_t i;

	for (i = 0; i < most && settings[i].setting[0] != '\0'; i++) {
		printf("%s%s", same ? " and " : "To enable ",
		    feature_name((enum feature)settings[i].feature));
		same = i + 1 < most &&
		    strcmp(settings[i].setting, settings[i + 1].setting) == 0;
		if (same)
			continue;
		printf(":\n");
		put_literal(settings[i].setting);
	}
}
