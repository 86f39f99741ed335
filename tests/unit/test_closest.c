/* SPDX-License-Identifier: MIT */
/* base/closest: which name a misspelled word resembles. */
#include "base/closest.h"

#include <criterion/criterion.h>
#include <string.h>

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

static const char *const names[] = { "copy", "paste", "progress", "run", "raw", "st",
	"gnome-terminal", "windows-terminal", "window", "window-name",
	"a-name-of-exactly-31-letters-xx", "a-name-that-is-longer-than-31-letters", NULL };

Test(closest, table)
{
	static const struct { const char *word, *wanted; } rows[] = {
		{ "copy", "copy" },
		/* inserted, omitted, replaced, exchanged */
		{ "coppy", "copy" },
		{ "cpy", "copy" },
		{ "cop", "copy" },
		{ "cobyy", "copy" },
		{ "ocpy", "copy" },
		{ "rnu", "run" },
		{ "pasty", "paste" },
		{ "pogres", "progress" },
		{ "PASTE", "paste" },
		{ "Gnome-Treminal", "gnome-terminal" },
		/* the beginning of a name counts as one change; the first of equals stays */
		{ "prog", "progress" },
		{ "gno", "gnome-terminal" },
		{ "windows", "windows-terminal" },
		{ "windows-", "windows-terminal" },
		{ "windows-t", "windows-terminal" },
		{ "wind", "windows-terminal" },
		/* a short word is not a misspelled other short word */
		{ "cat", NULL },
		{ "rat", "raw" },
		{ "gn", NULL },
		{ "sd", "st" },
		{ "s", NULL },
		{ "", NULL },
		{ "teleport", NULL },
		/* the limits of length */
		{ "a-name-of-exactly-31-letters-xy", "a-name-of-exactly-31-letters-xx" },
		{ "a-name-of-exactly-31-letters-xxx", NULL },
		{ "a-name-that-is-longer-than-31-letters", NULL },
	};
	struct closest closest;
	size_t i;

	for (i = 0; i < LEN(rows); i++) {
		closest = (struct closest){ .word = rows[i].word };
		closest_add_words(&closest, names);
		if (rows[i].wanted == NULL)
			cr_expect_null(closest.name, "%s: %s", rows[i].word, closest.name);
		else
			cr_expect(closest.name != NULL &&
			    strcmp(closest.name, rows[i].wanted) == 0, "%s: %s",
			    rows[i].word, closest.name != NULL ? closest.name : "none");
	}
}

Test(closest, suggestion)
{
	struct closest closest = { .word = "copx" };

	cr_expect_str_eq(closest_suggestion(&closest, "--").text, "");
	closest_add(&closest, "copy");
	cr_expect_str_eq(closest_suggestion(&closest, "").text, "did you mean copy? ");
	cr_expect_str_eq(closest_suggestion(&closest, "--").text, "did you mean --copy? ");
}
