/* SPDX-License-Identifier: MIT */
/*
 * viatty-terminals(7) from the table of terminals, as mdoc. Part of the
 * generator, see main.c, and of nothing that is installed.
 */
#include "generate/generate.h"

#include "terminal/terminal.h"

#include <stdio.h>
#include <string.h>

static const char beginning[] =
	".\\\" SPDX-License-Identifier: MIT\n"
	".\\\" Generated from the table of terminals: make generated.\n"
	".Dd November 22, 2026\n"
	".Dt VIATTY-TERMINALS 7\n"
	".Os\n"
	".Sh NAME\n"
	".Nm viatty-terminals\n"
	".Nd escape sequences that terminals support\n"
	".Sh DESCRIPTION\n"
	"This page lists what\n"
	".Xr viatty 1\n"
	"knows about the current versions of terminals with their default settings.\n"
	"The first column is the name for\n"
	".Fl -term .\n"
	"A version number after a value is the first version that it holds for; before\n"
	"that it is\n"
	".Cm no ,\n"
	"unless the last section says otherwise.\n"
	"If a terminal reports its version,\n"
	".Nm viatty\n"
	"goes by it.\n"
	"The values mean:\n"
	".Bl -tag -width unknown\n";

static const char *const support_meanings[SUPPORT_COUNT] = {
	[SUPPORT_UNKNOWN] = "no primary source documents it; viatty tries it",
	[SUPPORT_YES] = "supported",
	[SUPPORT_NO] = "ignored, or shown as something else",
	[SUPPORT_OFF] = "supported, but disabled by default",
	[SUPPORT_ASKS] = "the terminal asks the user each time",
	[SUPPORT_EMPTIES] = "a query would clear the clipboard; none is sent",
};

/* Three tables: more columns than these do not fit on a screen. */
static const struct {
	const char *heading;
	enum feature first, last;
} tables[] = {
	{ "Clipboard", FEATURE_COPY, FEATURE_PASTE },
	{ "Links and titles", FEATURE_LINK, FEATURE_TITLE_STACK },
	{ "Notifications and marks", FEATURE_NOTIFY9, FEATURE_MARK },
};

/* ---- the tables --------------------------------------------------------- */

static void
put_meanings(void)
{
	size_t i;

	for (i = 0; i < SUPPORT_COUNT; i++)
		printf(".It Cm %s\n%s\n", support_name((enum support)i),
		    support_meanings[i]);
	printf(".El\n");
}

static const struct terminal_support *
support_at(size_t i, const char **label)
{
	const struct terminal *terminal = terminal_at(i);

	if (terminal == NULL)
		return NULL;
	*label = terminal->id;
	return terminal->support;
}

static void
put_bytes(void)
{
	const struct terminal *terminal;
	size_t row;

	printf(".Ss Bytes that a copy may contain\n");
	put_paragraph("Any: every byte is stored.");
	put_paragraph("UTF-8: invalid UTF-8 is omitted or replaced, or the whole copy is "
	    "dropped or clears the clipboard.");
	put_paragraph("Up to NUL: the copy ends at the first NUL byte.");
	printf(".Bl -column windows-terminal \"UTF-8, no NUL\" \"UTF-8 before 0.27\"\n"
	    ".It Sy Terminal Ta Sy Bytes Ta Sy Older versions\n");
	for (row = 0; (terminal = terminal_at(row)) != NULL; row++) {
		const struct terminal_bytes *bytes = &terminal->bytes;

		if (terminal_support(terminal, FEATURE_COPY) == SUPPORT_NO)
			continue;
		printf(".It Li %s Ta %s Ta", terminal->id,
		    clipboard_bytes_name((enum clipboard_bytes)bytes->bytes));
		if (bytes->since[0] != '\0')
			printf(" %s before %s", clipboard_bytes_name(
			    (enum clipboard_bytes)bytes->older), bytes->since);
		printf("\n");
	}
	printf(".El\n");
}

static void
put_names(void)
{
	const struct terminal_name *entry;
	size_t i;

	printf(".Ss Other names\n");
	printf(".Fl -term\nalso accepts these names:\n");
	printf(".Bl -column cool-retro-term windows-terminal \"Windows Terminal\"\n"
	    ".It Sy Alias Ta Sy Terminal Ta Sy Name\n");
	for (i = 0; (entry = terminal_name_at(i)) != NULL; i++)
		printf(".It Li %s Ta %s Ta %s\n", entry->word, entry->id,
		    entry->name);
	printf(".El\n");
}

/* ---- one after the other ------------------------------------------------ */

static void
put_copy_limit(const struct terminal *terminal)
{
	char text[256];

	if (terminal->copy_limit == 0)
		return;
	snprintf(text, sizeof(text), "The limit of a copy is %zu bytes, "
	    "counted from the 52 to the end of the base64 text", terminal->copy_limit);
	if (terminal->copy_doubt != 0)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
		    "; some builds accept only %zu", terminal->copy_doubt);
	strncat(text, ".", sizeof(text) - strlen(text) - 1);
	put_paragraph(text);
}

static void
put_switches(const struct terminal *terminal)
{
	static const size_t most = sizeof(terminal->switches) /
	    sizeof(terminal->switches[0]);
	size_t i;

	for (i = 0; i < most && terminal->switches[i].setting[0] != '\0'; i++) {
		const struct terminal_switch *found = &terminal->switches[i];

		printf("To enable %s:\n.Bd -literal -compact\n",
		    feature_name((enum feature)found->feature));
		put_text(found->setting, strlen(found->setting));
		printf("\n.Ed\n");
	}
}

static void
put_terminal_entry(const struct terminal *terminal)
{
	/* \& keeps a name from being taken for a macro */
	printf(".It Li %s Pq \"\\&%s\"\n", terminal->id, terminal->name);
	put_copy_limit(terminal);
	put_changes(terminal->support);
	put_switches(terminal);
	printf("Source:\n");
	put_paragraph(terminal->source);
}

void
put_terminals_page(void)
{
	const struct terminal *terminal;
	size_t i;

	fputs(beginning, stdout);
	put_meanings();
	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		printf(".Ss %s\n", tables[i].heading);
		put_features(tables[i].first, tables[i].last);
		put_support("Terminal", "windows-terminal", support_at,
		    tables[i].first, tables[i].last);
	}
	put_bytes();
	put_names();
	printf(".Ss Limits, settings and sources\n.Bl -tag -width Ds\n");
	for (i = 0; (terminal = terminal_at(i)) != NULL; i++)
		put_terminal_entry(terminal);
	printf(".El\n"
	    ".Sh SEE ALSO\n"
	    ".Xr viatty 1 ,\n"
	    ".Xr viatty-doctor 1 ,\n"
	    ".Xr viatty-paste 1 ,\n"
	    ".Xr viatty-multiplexers 7\n");
}
