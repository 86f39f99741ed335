/* SPDX-License-Identifier: MIT */
/* The placeholders of viatty-terminals.7.in. */
#include "generate/generate.h"

#include "terminal/terminal.h"

#include <stdio.h>
#include <string.h>

/* ---- the tables --------------------------------------------------------- */

static const struct terminal_support *
support_at(size_t i, const char **label)
{
	const struct terminal *terminal = terminal_at(i);

	if (terminal == NULL)
		return NULL;
	*label = terminal->id;
	return terminal->support;
}

/* Two tables, because a page has only 78 columns: the first one ends with `middle`. */
static void
put_terminal_tables(enum feature first, enum feature middle, enum feature last)
{
	put_features(first, last);
	put_support("Terminal", "windows-terminal", support_at, first, middle);
	put_support("Terminal", "windows-terminal", support_at,
	    (enum feature)(middle + 1), last);
}

static void
put_terminal_copies(void)
{
	put_terminal_tables(FEATURE_COPY, FEATURE_PRIMARY, FEATURE_TYPES);
}

static void
put_terminal_links(void)
{
	put_features(FEATURE_LINK, FEATURE_COLOR);
	put_support("Terminal", "windows-terminal", support_at, FEATURE_LINK,
	    FEATURE_COLOR);
}

static void
put_terminal_notifications(void)
{
	put_terminal_tables(FEATURE_NOTIFY9, FEATURE_NOTIFY99, FEATURE_MARK);
}

static void
put_bytes(void)
{
	const struct terminal *terminal;
	size_t i;

	for (i = 0; (terminal = terminal_at(i)) != NULL; i++) {
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
}

static void
put_names(void)
{
	const struct terminal_name *entry;
	size_t i;

	for (i = 0; (entry = terminal_name_at(i)) != NULL; i++)
		printf(".It Li %s Ta %s Ta %s\n", entry->word, entry->id,
		    entry->name);
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
put_terminals(void)
{
	static const size_t most = sizeof(terminal_at(0)->switches) /
	    sizeof(terminal_at(0)->switches[0]);
	const struct terminal *terminal;
	size_t i;

	for (i = 0; (terminal = terminal_at(i)) != NULL; i++) {
		/* \& keeps a name from being taken for a macro */
		printf(".It Li %s Pq \"\\&%s\"\n", terminal->id, terminal->name);
		put_copy_limit(terminal);
		put_changes(terminal->support);
		put_settings(terminal->switches, most);
		printf("Source:\n");
		put_paragraph(terminal->source);
	}
}

const struct placeholder terminals_placeholders[] = {
	{ "bytes", put_bytes },
	{ "clipboard", put_terminal_copies },
	{ "copies", put_copies },
	{ "links", put_terminal_links },
	{ "names", put_names },
	{ "notifications", put_terminal_notifications },
	{ "terminals", put_terminals },
	{ NULL, NULL },
};
